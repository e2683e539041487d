/**
 * Names that scripts for mongosh use around their work: `connect`, `load`, `quit`, `config`, `DBQuery`, `rs`, `sh`.
 *
 * Invariant: what cannot be had here is said, in a printed line or an error; nothing is passed over in silence.
 */
import type { Database } from "./database.ts";
import { MongoshInvalidInputError, MongoshUnimplementedError, type Document } from "./errors.ts";
import { HERE, Mongo } from "./mongo.ts";
import type { Shell } from "./shell.ts";

/** Ends a script where `quit()` stands; no error. */
export class ScriptEnd extends Error {}

/** An address of this machine, as tutorials write it, with the database that it may name. */
const LOCAL = /^(?:mongodb:\/\/)?(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/(?<database>[^?]*))?(?:\?.*)?$/;

/** The database that an address of the one deployment names; throws for any other address. */
function databaseAt(name: string, address: unknown): string | undefined {
  if (address === undefined || address === HERE) return undefined;
  if (typeof address !== "string") throw new MongoshInvalidInputError(`${name} takes an address, which is a text`);
  const local = LOCAL.exec(address);
  if (local !== null) return local.groups?.["database"] === "" ? undefined : local.groups?.["database"];
  // A name alone is a database.
  if (name === "connect" && /^[\w-]+$/.test(address)) return address;
  throw new MongoshUnimplementedError(
    `${name}("${address}") is not available: the shell has one deployment, the page's own. ` +
      `${name}("localhost") and ${name}() reach it`,
  );
}

/** `Mongo`, with `new` and without: a connection to the one deployment that there is. */
export function connections(shell: Shell): typeof Mongo {
  const connect = ([address]: readonly unknown[]): Mongo => {
    databaseAt("Mongo", address);
    return new Mongo(shell.connection);
  };
  return new Proxy(Mongo, {
    construct: (_class, parts) => connect(parts),
    apply: (_class, _this, parts) => connect(parts as unknown[]),
  });
}

/** Settings of mongosh that have an effect here. */
const SETTINGS = ["displayBatchSize"];

function settings(shell: Shell): Document {
  const size = (value: unknown): number => {
    if (typeof value !== "number" || !Number.isInteger(value) || value < 1)
      throw new MongoshInvalidInputError("displayBatchSize must be a positive integer");
    return value;
  };
  const set = (value: unknown): void => shell.setBatchSize(value === null ? null : size(value));
  const isKnown = (key: unknown): boolean => SETTINGS.includes(String(key));
  const unknown = (key: unknown): string => `Option "${String(key)}" is not available in this environment`;
  return {
    config: {
      get: (key: unknown) => (isKnown(key) ? shell.connection.displayBatchSize : undefined),
      set: (key: unknown, value: unknown) => {
        if (!isKnown(key)) return unknown(key);
        set(value);
        return `Setting "${String(key)}" has been changed`;
      },
      reset: (key: unknown) => {
        if (!isKnown(key)) return unknown(key);
        set(null);
        return `Setting "${String(key)}" has been reset to its default value`;
      },
    },
    DBQuery: Object.defineProperty({}, "shellBatchSize", {
      get: () => shell.connection.displayBatchSize,
      set,
      enumerable: true,
    }),
  };
}

/** Methods of a replica set; those that would change it send their command, which is refused. */
function replicaSet(shell: Shell): Document {
  const admin = (command: Document): Document => shell.database.adminCommand(command);
  const config = (): unknown => admin({ replSetGetConfig: 1 })["config"];
  return {
    status: () => admin({ replSetGetStatus: 1 }),
    conf: config,
    config,
    hello: () => shell.database.hello(),
    isMaster: () => shell.database.isMaster(),
    initiate: (given: Document = {}) => admin({ replSetInitiate: given }),
    reconfig: (given: Document) => admin({ replSetReconfig: given }),
    stepDown: (seconds = 60) => admin({ replSetStepDown: seconds }),
    freeze: (seconds: unknown) => admin({ replSetFreeze: seconds }),
  };
}

const SHARDING = [
  "addShard",
  "addShardToZone",
  "addTagRange",
  "disableBalancing",
  "enableBalancing",
  "enableSharding",
  "getBalancerState",
  "isBalancerRunning",
  "moveChunk",
  "shardCollection",
  "splitAt",
  "splitFind",
  "startBalancer",
  "status",
  "stopBalancer",
  "updateZoneKeyRange",
];

/** Methods of a sharded cluster: this is none. */
function sharding(): Document {
  const refuse = (): never => {
    throw new MongoshInvalidInputError(
      "This db does not have sharding enabled. Be sure you are connecting to a mongos from the shell and not to a " +
        "mongod.",
    );
  };
  return Object.fromEntries(SHARDING.map((name) => [name, refuse]));
}

/** All of them, by their names. */
export function sessionNames(shell: Shell): Document {
  const end = (): never => {
    shell.print("The script ends here; the page stays open.");
    throw new ScriptEnd();
  };
  return {
    Mongo: connections(shell),
    connect: (address?: unknown): Database =>
      new Mongo(shell.connection).getDB(databaseAt("connect", address) ?? "test"),
    load: (name: unknown) => {
      shell.print(`load("${String(name)}") is left out: a script here cannot read files. Paste its text instead.`);
      return false;
    },
    passwordPrompt: () => {
      shell.print("passwordPrompt(): nothing is asked, since no password is kept here.");
      return "not asked";
    },
    quit: end,
    exit: end,
    rs: replicaSet(shell),
    sh: sharding(),
    ...settings(shell),
  };
}
