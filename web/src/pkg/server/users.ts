/**
 * Who may sign in: the user of the server's own, where it has one, and those of `createUser`, whom the engine keeps.
 *
 * A server without a user of its own is a `mongod` without `--auth`: whoever signs in proves a password, and nobody has
 * to. With one it is a `mongod` with `--auth`, except that it enforces no role but `root`: a user who may do less
 * cannot sign in there, because nothing would hold the user to it. Invariant: a user who was dropped, or made again, is
 * signed out before the next command.
 */
import type { Binary, Document } from "bson";
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";
import type { Runner } from "./runner.ts";
import { Conversation, isMechanism, nameIn, proofOf, type Mechanism, type Proof } from "./scram.ts";

export interface Role {
  readonly role: string;
  readonly db: string;
}

export class User {
  readonly name: string;
  /** The database that the user is of. */
  readonly database: string;
  readonly roles: readonly Role[];
  /** Of which user of that name; null for the server's own. */
  readonly id: string | null;
  readonly #proofs: ReadonlyMap<Mechanism, Proof>;

  constructor(user: Pick<User, "name" | "database" | "roles" | "id">, proofs: ReadonlyMap<Mechanism, Proof>) {
    ({ name: this.name, database: this.database, roles: this.roles, id: this.id } = user);
    this.#proofs = proofs;
  }

  get mechanisms(): readonly Mechanism[] {
    return [...this.#proofs.keys()];
  }

  get mayDoEverything(): boolean {
    return this.roles.some(({ role, db }) => role === "root" && db === "admin");
  }

  /** A sign-in by a mechanism; null where the user has no password for it. */
  converse(mechanism: Mechanism): Conversation | null {
    const proof = this.#proofs.get(mechanism);
    return proof === undefined ? null : new Conversation(mechanism, this.name, proof);
  }
}

/** The one user of a server's own, who may do everything. */
export function ownUser(name: string, password: string): User {
  const user = { name, database: "admin", roles: [{ role: "root", db: "admin" }], id: null };
  return new User(user, new Map([["SCRAM-SHA-256", proofOf("SCRAM-SHA-256", name, password)]]));
}

/** Commands that change users. */
const CHANGING = new Set(
  (
    "createUser updateUser dropUser dropAllUsersFromDatabase grantRolesToUser revokeRolesFromUser " +
    "quireRestore quireUndo"
  ).split(" "),
);
/** Commands that change them where they are of the database `admin`. */
const WRITING = new Set(
  "insert update delete findAndModify findandmodify bulkWrite drop dropDatabase renameCollection".split(" "),
);

export class Users {
  readonly #own: User | null;
  readonly #runner: Runner;
  #changes = 0;

  /** `own` is null where nobody has to say who they are. */
  constructor(own: User | null, runner: Runner) {
    this.#own = own;
    this.#runner = runner;
  }

  /** Whether clients have to sign in. */
  get areRequired(): boolean {
    return this.#own !== null;
  }

  /** How often users may have changed. */
  get changes(): number {
    return this.#changes;
  }

  /** Whether a command of this name may change users. */
  mayChangeBy(name: string): boolean {
    return CHANGING.has(name) || WRITING.has(name);
  }

  /** Notes that such a command was run. */
  note(name: string, database: unknown): void {
    if (CHANGING.has(name) || database === "admin") this.#changes += 1;
  }

  async find(name: string, database: unknown): Promise<User | null> {
    const own = this.#own;
    if (own !== null && own.name === name && own.database === database) return own;
    if (name === "" || typeof database !== "string" || database === "") return null;
    const command = encode({ usersInfo: { user: name, db: database }, showCredentials: true, $db: "admin" });
    const reply = decode(await this.#runner.start(command).reply);
    const [found] = (reply["users"] ?? []) as readonly Document[];
    return found === undefined ? null : readUser(found);
  }

  /** The user whom a name of both parts means: `admin.anna`. */
  findByFullName(named: unknown): Promise<User | null> {
    if (typeof named === "object" && named !== null) {
      const { user, db } = named as Document;
      return this.find(typeof user === "string" ? user : "", db);
    }
    const [, database, name = ""] = /^([^.]*)\.(.*)$/s.exec(typeof named === "string" ? named : "") ?? [];
    return this.find(name, database);
  }

  /** The user as the user is now; null for one who is gone, or another one of that name. */
  async again(user: User): Promise<User | null> {
    const now = user.id === null ? user : await this.find(user.name, user.database);
    return now?.id === user.id && this.refusal(now) === null ? now : null;
  }

  /** Why a user who proved to be that user is not let in; null for who is. */
  refusal(user: User): string | null {
    if (!this.areRequired || user.mayDoEverything) return null;
    return (
      `'${user.name}@${user.database}' has not the role root@admin, and this server, which was started with --user, ` +
      "enforces no other role. Give the user that role, or start the server without --user"
    );
  }

  /** Begins a sign-in with a client's first message; null for somebody who cannot sign in so. */
  async begin(mechanism: Mechanism, message: string, database: unknown): Promise<Begun | null> {
    const user = await this.find(nameIn(message) ?? "", database);
    const conversation = user?.converse(mechanism) ?? null;
    const payload = conversation?.first(message) ?? null;
    return user === null || conversation === null || payload === null ? null : { user, conversation, payload };
  }

  readonly isMechanism = isMechanism;
}

export interface Begun {
  readonly user: User;
  readonly conversation: Conversation;
  /** The server's answer. */
  readonly payload: string;
}

/** A user as the engine keeps one; credentials that are none, which a restored dump may bring, are left out. */
function readUser(found: Document): User {
  const proofs = new Map<Mechanism, Proof>();
  for (const [mechanism, kept] of Object.entries((found["credentials"] ?? {}) as Document)) {
    const { iterationCount, salt, storedKey, serverKey } = (kept ?? {}) as Record<string, unknown>;
    const isSound = [salt, storedKey, serverKey].every((text) => typeof text === "string");
    if (!isMechanism(mechanism) || !isSound) continue;
    proofs.set(mechanism, {
      iterations: Number(iterationCount),
      salt: salt as string,
      storedKey: Buffer.from(storedKey as string, "base64"),
      serverKey: Buffer.from(serverKey as string, "base64"),
    });
  }
  const roles = ((found["roles"] ?? []) as readonly Document[]).map(({ role, db }) => ({
    role: String(role),
    db: String(db),
  }));
  const id = found["userId"] as Binary | undefined;
  return new User(
    { name: String(found["user"]), database: String(found["db"]), roles, id: id?.toString("hex") ?? "" },
    proofs,
  );
}
