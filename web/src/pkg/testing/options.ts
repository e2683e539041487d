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

/** `force` and `keyfileContent` are without meaning: the one user is the server's each time it starts. */
export interface AutomaticAuth {
  /** Clients have to authenticate, with SCRAM-SHA-256 over the database `admin`. */
  readonly enable?: boolean;
  readonly disable?: boolean;
  /** Default `mongodb-memory-server-root`. */
  readonly customRootName?: string;
  /** Default `rootuser`. */
  readonly customRootPwd?: string;
  /** None but an empty list: no role is enforced here but that of the one user, who may do everything. */
  readonly extraUsers?: readonly object[];
  readonly force?: boolean;
  readonly keyfileContent?: string;
}

export type StorageEngine = "ephemeralForTest" | "wiredTiger" | "inMemory";

/** The options of one member. `storageEngine` and `launchTimeout` are without meaning here. */
export interface MemberOptions {
  /** Words for `mongod`: those about memory, files and logs have no meaning, `--setParameter` sets a parameter. */
  readonly args?: readonly string[];
  /** Default: one that is free. */
  readonly port?: number;
  /** Take a free port where `port` is taken; default true. */
  readonly portGeneration?: boolean;
  /** A folder that keeps the data, in one file; default: they are in memory. */
  readonly dbPath?: string;
  readonly storageEngine?: StorageEngine;
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
  readonly keyfileLocation?: string;
  /** This package's own: where the engine runs, as in `createServer`; default `"this"` in memory. */
  readonly thread?: "own" | "this";
}

/** `binary` and `spawn` are without meaning: there is no binary, and no process is started. */
export interface MongoMemoryServerOpts {
  readonly instance?: MongoMemoryInstanceOpts;
  readonly binary?: object;
  readonly spawn?: object;
  readonly auth?: AutomaticAuth;
  readonly dispose?: DisposeOptions;
}

/** Without meaning for a set of one member: `configSettings`, `oplogSize`, `spawn`, `storageEngine`. */
export interface ReplSetOpts {
  readonly args?: readonly string[];
  readonly auth?: AutomaticAuth;
  /** 1: a set has one member. */
  readonly count?: number;
  readonly dbName?: string;
  readonly ip?: string;
  /** Default `testset`. */
  readonly name?: string;
  readonly oplogSize?: number;
  readonly spawn?: object;
  readonly storageEngine?: StorageEngine;
  readonly configSettings?: object;
  readonly dispose?: DisposeOptions;
  /** This package's own: where the engine runs, as in `createServer`; default `"this"`. */
  readonly thread?: "own" | "this";
}

export interface MongoMemoryReplSetOpts {
  /** At most one, since a set has one member. */
  readonly instanceOpts?: readonly MemberOptions[];
  readonly binary?: object;
  readonly replSet?: ReplSetOpts;
}

const AUTH = "enable disable customRootName customRootPwd extraUsers force keyfileContent";
const MEMBER = "args port portGeneration dbPath storageEngine launchTimeout replicaMemberConfig";
const INSTANCE = `${MEMBER} auth dbName ip replSet keyfileLocation thread`;
const SET = "args auth count dbName ip name oplogSize spawn storageEngine configSettings dispose thread";

/** Words for `mongod` without meaning here; those with a sign of equality have a value. */
const IDLE_WORDS =
  "directoryperdb logappend logpath= noauth nounixsocket oplogSize= quiet syncdelay= wiredTigerCacheSizeGB=".split(" ");

const ROOT = { name: "mongodb-memory-server-root", password: "rootuser" };

const refuse = (name: string, why: string): never => {
  throw new TypeError(`${name} is not supported by quiredb/testing: ${why}`);
};

/** Refuses a name that is none of those. */
function known(place: string, given: object | undefined, names: string): void {
  for (const [name, value] of Object.entries(given ?? {}))
    if (value !== undefined && !names.split(" ").includes(name)) refuse(place + name, "it is no option");
}

/** The parameters that the words for `mongod` set. */
export function parametersOf(words: readonly string[]): Readonly<Record<string, unknown>> {
  const parameters: Record<string, unknown> = {};
  const given = words.flatMap((word) => /^(--\w+)=(.*)$/s.exec(word)?.slice(1) ?? [word]);
  for (let at = 0; at < given.length; at += 1) {
    const word = given[at] as string;
    const plain = word.slice(2);
    if (plain === "notablescan") parameters[plain] = true;
    else if (plain === "setParameter") {
      at += 1;
      const [, name = "", value = ""] = /^(\w+)=(.+)$/s.exec(given[at] ?? "") ?? [];
      if (name === "") refuse(`args: ${word}`, "name=value has to follow it");
      parameters[name] = /^(true|false|-?\d+(\.\d+)?)$/.test(value) ? (JSON.parse(value) as unknown) : value;
    } else if (IDLE_WORDS.includes(`${plain}=`)) at += 1;
    else if (!IDLE_WORDS.includes(plain)) refuse(`args: ${word}`, "there is no mongod; an option may say the same");
  }
  return parameters;
}

/** The user of a server, null where nobody has to say who they are. */
export function userOf({ auth, instance }: MongoMemoryServerOpts): typeof ROOT | null {
  const enabled = auth?.enable ?? (auth?.disable === undefined ? instance?.auth === true : !auth.disable);
  if (!enabled) return null;
  return { name: auth?.customRootName ?? ROOT.name, password: auth?.customRootPwd ?? ROOT.password };
}

/** Throws a `TypeError` that names an option which cannot be had. */
export function checkServer(given: MongoMemoryServerOpts): void {
  known("", given, "instance binary spawn auth dispose");
  const { instance = {}, auth, dispose } = given;
  known("instance.", instance, INSTANCE);
  known("dispose.", dispose, "enabled cleanup");
  known("auth.", auth, AUTH);
  if ((auth?.extraUsers?.length ?? 0) > 0)
    refuse(
      "auth.extraUsers",
      "no role but root is enforced here; createUser makes more of those who may do everything",
    );
  const { storageEngine, replicaMemberConfig, args = [], ip = "" } = instance;
  if (!["ephemeralForTest", "wiredTiger", "inMemory", undefined].includes(storageEngine))
    refuse(`storageEngine ${String(storageEngine)}`, "no server of today has it");
  if (Object.keys(replicaMemberConfig ?? {}).length > 0)
    refuse("replicaMemberConfig", "a set has one member, which is the primary");
  if (ip.includes(",")) refuse(`ip ${ip}`, "a server listens on one address");
  parametersOf(args);
}

/** The options of the one member of a set. Throws a `TypeError` that names an option which cannot be had. */
export function memberOf(given: MongoMemoryReplSetOpts): MongoMemoryServerOpts {
  known("", given, "instanceOpts binary replSet");
  const { instanceOpts = [], replSet = {}, binary } = given;
  known("replSet.", replSet, SET);
  for (const each of instanceOpts) known("instanceOpts.", each, MEMBER);
  const { count = 1, name = "testset", args = [], auth, ip, dbName, storageEngine, dispose, thread } = replSet;
  const [own = {}, ...others] = instanceOpts;
  if (count !== 1 || others.length > 0)
    refuse("a set of several members", 'it has one, which acknowledges w: 1 and w: "majority"; leave count out');
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
function defined<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
