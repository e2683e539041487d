/**
 * Methods of `db` about the profiler, the log, users and roles: each sends one command.
 *
 * Invariant: none takes part in reading and writing documents; `globals.ts` gives them to `Database`, whose file names
 * none of them.
 */
import type { Database } from "./database.ts";
import { MongoshInvalidInputError, type Document } from "./errors.ts";

type Method = (this: Database, ...values: never[]) => unknown;

/** A method's first value, which must be a text. */
function named(value: unknown, method: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw new MongoshInvalidInputError(`Missing required argument at position 0 (Database.${method})`);
}

const withConcern = (writeConcern: Document | undefined): Document =>
  writeConcern === undefined ? {} : { writeConcern };

/** A method that changes the user or the role of a name; `field` takes its second value. */
function change(command: string, field: string | null = null): Method {
  return function (this: Database, name: unknown, value?: unknown, writeConcern?: Document): Document {
    const given = field === null ? (value as Document | undefined) : { [field]: value };
    const concern = field === null && value !== undefined ? {} : withConcern(writeConcern);
    return this.runCommand({ [command]: named(name, command), ...given, ...concern });
  };
}

/** A method that makes a user or a role, which the document names in its field. */
function create(command: string, field: string): Method {
  return function (this: Database, document: Document | undefined, writeConcern?: Document): Document {
    const { [field]: name, ...rest } = document ?? {};
    return this.runCommand({ [command]: named(name, command), ...rest, ...withConcern(writeConcern) });
  };
}

function drop(command: string): Method {
  return function (this: Database, name: unknown, writeConcern?: Document): Document {
    return this.runCommand({ [command]: named(name, command), ...withConcern(writeConcern) });
  };
}

const dropAll = (command: string): Method =>
  function (this: Database, writeConcern?: Document): Document {
    return this.runCommand({ [command]: 1, ...withConcern(writeConcern) });
  };

export const administration: Readonly<Record<string, Method>> = {
  getProfilingLevel(): unknown {
    return this.runCommand({ profile: -1 })["was"];
  },
  setLogLevel(level: unknown, component?: unknown): Document {
    if (typeof level !== "number") throw new MongoshInvalidInputError("db.setLogLevel only accepts a number");
    if (component !== undefined && typeof component !== "string")
      throw new MongoshInvalidInputError("setLogLevel component must be a string");
    const names = component === undefined || component === "" ? [] : component.split(".");
    const verbosity = names.reduceRight<Document>((inner, name) => ({ [name]: inner }), { verbosity: level });
    return this.adminCommand({ setParameter: 1, logComponentVerbosity: verbosity });
  },
  getLogComponents(): unknown {
    return this.adminCommand({ getParameter: 1, logComponentVerbosity: 1 })["logComponentVerbosity"];
  },

  getUsers(options: Document = {}): Document {
    return this.runCommand({ usersInfo: 1, ...options });
  },
  getUser(name: unknown, options: Document = {}): unknown {
    const reply = this.runCommand({ usersInfo: { user: named(name, "getUser"), db: this.getName() }, ...options });
    return (reply["users"] as unknown[])[0] ?? null;
  },
  createUser: create("createUser", "user"),
  updateUser: change("updateUser"),
  changeUserPassword(name: unknown, pwd: unknown, writeConcern?: Document): Document {
    return this.runCommand({ updateUser: named(name, "changeUserPassword"), pwd, ...withConcern(writeConcern) });
  },
  dropUser: drop("dropUser"),
  dropAllUsers: dropAll("dropAllUsersFromDatabase"),
  grantRolesToUser: change("grantRolesToUser", "roles"),
  revokeRolesFromUser: change("revokeRolesFromUser", "roles"),

  getRoles(options: Document = {}): Document {
    return this.runCommand({ rolesInfo: 1, ...options });
  },
  getRole(name: unknown, options: Document = {}): unknown {
    const reply = this.runCommand({ rolesInfo: { role: named(name, "getRole"), db: this.getName() }, ...options });
    return (reply["roles"] as unknown[])[0] ?? null;
  },
  createRole: create("createRole", "role"),
  updateRole: change("updateRole"),
  dropRole: drop("dropRole"),
  dropAllRoles: dropAll("dropAllRolesFromDatabase"),
  grantRolesToRole: change("grantRolesToRole", "roles"),
  revokeRolesFromRole: change("revokeRolesFromRole", "roles"),
  grantPrivilegesToRole: change("grantPrivilegesToRole", "privileges"),
  revokePrivilegesFromRole: change("revokePrivilegesFromRole", "privileges"),
} satisfies Record<string, Method> & ThisType<Database>;
