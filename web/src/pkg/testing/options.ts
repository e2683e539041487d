/**
 * The options of `MongoMemoryServer` and `MongoMemoryReplSet`, as mongodb-memory-server names them.
 *
 * Invariant: each option has its meaning here, or has none without a binary, a process and other members, or is refused
 * by its name: nothing else is taken.
 */

/** What becomes of a server's data when it is stopped. */
export interface Cleanup {
  /** Let go of the data; default true. Without it a server that is started again has them still. */
  readonly doCleanup?: boolean;
  /** Also delete the file below a `dbPath` that was given; default false. */
  readonly force?: boolean;
}

/** What `await using` does at the end of a block. */
export interface DisposeOptions {
  /** Default true. */
  readonly enabled?: boolean;
  readonly cleanup?: Cleanup;
}

export interface AutomaticAuth {
  /** Clients have to authenticate, with SCRAM-SHA-256 over the database `admin`. */
  readonly enable?: boolean;
  readonly disable?: boolean;
  /** Default `mongodb-memory-server-root`. */
  readonly customRootName?: string;
  /** Default `rootuser`. */
  readonly customRootPwd?: string;
  /** None but an empty list: there is one user, who may do everything. */
  readonly extraUsers?: readonly object[];
  /** Without meaning: the user is the server's each time it starts. */
  readonly force?: boolean;
  /** Without meaning: a set has one member. */
  readonly keyfileContent?: string;
}

export type StorageEngine = "ephemeralForTest" | "wiredTiger" | "inMemory";

/** The options of one member, in a set too. */
export interface MemberOptions {
  /** Words for `mongod`: those about memory, files and logs have no meaning, `--setParameter` sets a parameter. */
  readonly args?: readonly string[];
  /** Default: one that is free. */
  readonly port?: number;
  /** Take a free port where `port` is taken; default true. */
  readonly portGeneration?: boolean;
  /** A folder that keeps the data, in one file; default: they are in memory. */
  readonly dbPath?: string;
  /** Without meaning: the engine is this package's. */
  readonly storageEngine?: StorageEngine;
  /** Without meaning: a server is there at once. */
  readonly launchTimeout?: number;
  /** None but an empty one: there are no other members to be told from. */
  readonly replicaMemberConfig?: object;
}

export interface MongoMemoryInstanceOpts extends MemberOptions {
  /** `auth` beside it says who may connect. */
  readonly auth?: boolean;
  /** Kept for `instanceInfo`. */
  readonly dbName?: string;
  /** The address to listen on; default 127.0.0.1. One that other machines reach needs `auth`. */
  readonly ip?: string;
  /** Be the only member of a set of this name; default: a standalone, which has no transactions. */
  readonly replSet?: string;
  /** Without meaning: a set has one member. */
  readonly keyfileLocation?: string;
  /** This package's own: where the engine runs, as in `createServer`; default `"this"`. */
  readonly thread?: "own" | "this";
}

export interface MongoMemoryServerOpts {
  readonly instance?: MongoMemoryInstanceOpts;
  /** Without meaning: there is no binary. */
  readonly binary?: object;
  /** Without meaning: no process is started. */
  readonly spawn?: object;
  readonly auth?: AutomaticAuth;
  readonly dispose?: DisposeOptions;
}

export interface ReplSetOpts {
  readonly args?: readonly string[];
  readonly auth?: AutomaticAuth;
  /** 1: a set has one member. */
  readonly count?: number;
  readonly dbName?: string;
  readonly ip?: string;
  /** Default `testset`. */
  readonly name?: string;
  /** Without meaning: the oplog has a length of its own. */
  readonly oplogSize?: number;
  /** Without meaning: no process is started. */
  readonly spawn?: object;
  readonly storageEngine?: StorageEngine;
  /** Without meaning: nobody is to be elected. */
  readonly configSettings?: object;
  readonly dispose?: DisposeOptions;
  /** This package's own: where the engine runs, as in `createServer`; default `"this"`. */
  readonly thread?: "own" | "this";
}

export interface MongoMemoryReplSetOpts {
  /** At most one, since a set has one member. */
  readonly instanceOpts?: readonly MemberOptions[];
  /** Without meaning: there is no binary. */
  readonly binary?: object;
  readonly replSet?: ReplSetOpts;
}

const MEMBER = "args port portGeneration dbPath storageEngine launchTimeout replicaMemberConfig";
const NAMES = {
  "": "instance binary spawn auth dispose",
  "instance.": `${MEMBER} auth dbName ip replSet keyfileLocation thread`,
  "auth.": "enable disable customRootName customRootPwd extraUsers force keyfileContent",
  "dispose.": "enabled cleanup",
  set: "instanceOpts binary replSet",
  "instanceOpts.": MEMBER,
  "replSet.":
    "args auth count dbName ip name oplogSize spawn storageEngine configSettings dispose thread",
} as const;

/** Words for `mongod` without meaning here, and whether a value follows. */
const IDLE_WORDS: Readonly<Record<string, boolean>> = {
  "--directoryperdb": false,
  "--logappend": false,
  "--logpath": true,
  "--noauth": false,
  "--nounixsocket": false,
  "--oplogSize": true,
  "--quiet": false,
  "--syncdelay": true,
  "--wiredTigerCacheSizeGB": true,
};

/** What stands in the place of a word that is refused. */
const INSTEAD: Readonly<Record<string, string>> = {
  "--auth": "the option auth",
  "--bind_ip": "instance.ip",
  "--dbpath": "instance.dbPath",
  "--port": "instance.port",
  "--replSet": "instance.replSet or MongoMemoryReplSet",
};

const ROOT = { name: "mongodb-memory-server-root", password: "rootuser" };

/** The parts that are `undefined` are left out. */
const known = (place: string, given: object | undefined, names: string): void => {
  for (const [name, value] of Object.entries(given ?? {}))
    if (value !== undefined && !names.split(" ").includes(name))
      throw new TypeError(`${place}${name} is no option that quiredb/testing knows`);
};

const refuse = (name: string, why: string): never => {
  throw new TypeError(`${name} is not supported: ${why}`);
};

/** The parameters that the words for `mongod` set. */
export function parametersOf(words: readonly string[]): Readonly<Record<string, unknown>> {
  const parameters: Record<string, unknown> = {};
  const given = words.flatMap((word) => {
    const [, name, value] = /^(--\w+)=(.*)$/s.exec(word) ?? [];
    return name === undefined || value === undefined ? [word] : [name, value];
  });
  for (let at = 0; at < given.length; at += 1) {
    const word = given[at] as string;
    if (word === "--notablescan") parameters["notablescan"] = true;
    else if (word === "--setParameter") {
      at += 1;
      const [, name, value] = /^(\w+)=(.*)$/s.exec(given[at] ?? "") ?? [];
      if (name === undefined || value === undefined)
        throw new TypeError("args: --setParameter needs a name and a value: name=value");
      parameters[name] = /^(true|false|-?\d+(\.\d+)?)$/.test(value) ? (JSON.parse(value) as unknown) : value;
    } else if (!Object.hasOwn(IDLE_WORDS, word))
      refuse(`args: ${word}`, INSTEAD[word] === undefined ? "there is no mongod" : `use ${INSTEAD[word]}`);
    else if (IDLE_WORDS[word] === true) at += 1;
  }
  return parameters;
}

/** The user of a server, null where nobody has to say who they are. */
export function userOf({ auth, instance }: MongoMemoryServerOpts): typeof ROOT | null {
  const enabled = auth?.enable ?? (auth?.disable === undefined ? instance?.auth === true : !auth.disable);
  if (!enabled) return null;
  return { name: auth?.customRootName ?? ROOT.name, password: auth?.customRootPwd ?? ROOT.password };
}

function checkAuth(auth: AutomaticAuth | undefined): void {
  known("auth.", auth, NAMES["auth."]);
  if ((auth?.extraUsers?.length ?? 0) > 0) refuse("auth.extraUsers", "there is one user, who may do everything");
}

/** Throws a `TypeError` that names an option which cannot be had. */
export function checkServer(given: MongoMemoryServerOpts): void {
  known("", given, NAMES[""]);
  const { instance = {}, auth, dispose } = given;
  known("instance.", instance, NAMES["instance."]);
  known("dispose.", dispose, NAMES["dispose."]);
  checkAuth(auth);
  const { storageEngine, replicaMemberConfig, args = [], ip = "" } = instance;
  if (!["ephemeralForTest", "wiredTiger", "inMemory", undefined].includes(storageEngine))
    refuse(`storageEngine ${String(storageEngine)}`, "it keeps nothing, or no server has it any more");
  if (Object.keys(replicaMemberConfig ?? {}).length > 0)
    refuse("replicaMemberConfig", "a set has one member, which is the primary");
  if (ip.includes(",")) refuse(`ip ${ip}`, "a server listens on one address");
  parametersOf(args);
}

/** The options of the one member of a set. Throws a `TypeError` that names an option which cannot be had. */
export function memberOf(given: MongoMemoryReplSetOpts): MongoMemoryServerOpts {
  known("", given, NAMES.set);
  const { instanceOpts = [], replSet = {}, binary } = given;
  known("replSet.", replSet, NAMES["replSet."]);
  for (const each of instanceOpts) known("instanceOpts.", each, NAMES["instanceOpts."]);
  const { count = 1, name = "testset", args = [], auth, ip, dbName, storageEngine, dispose, thread } = replSet;
  const [own = {}, ...others] = instanceOpts;
  if (count !== 1 || others.length > 0)
    refuse("a set of several members", "it has one, which acknowledges w: 1 and w: \"majority\"; leave count out");
  const member: MongoMemoryServerOpts = {
    instance: {
      ...defined({ ip, dbName, storageEngine, thread }),
      ...own,
      args: [...args, ...(own.args ?? [])],
      replSet: name,
    },
    ...defined({ binary, auth, dispose }),
  };
  checkServer(member);
  return member;
}

/** The fields that are not `undefined`. */
function defined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
