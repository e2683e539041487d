/**
 * A client's address and options: `quire://deployment/database?w=majority&journal=true`. The same options may be given
 * as an object, whose values count before the address's.
 *
 * Invariants:
 * - Names of options are read without regard to their case, as in the Node driver.
 * - Options that only steer connections to servers (pools, sockets, TLS, proxies) have no effect, there being no
 *   servers. Their values are checked all the same.
 * - Options of the Node driver that a client would rely on and cannot get (users, encrypted fields, logs) are refused
 *   by name, unless their value turns them off; the message says where they are to be had.
 * - No message repeats the user and the password of an address.
 */
import type { Document } from "bson";
import { memoryLimitFault } from "../engine/heap.ts";
import { topologyFault, type Topology } from "../engine/topology.ts";
import { MongoInvalidArgumentError, MongoParseError } from "./errors.ts";
import { DEFAULTS, readSettings, type Settings } from "./settings.ts";
import { unsupported } from "./unsupported.ts";

type Kind = "boolean" | "count" | "text" | "any";

interface Option {
  readonly kind: Kind;
  /** Refused unless it has this value. */
  readonly only?: unknown;
}

const FLAG: Option = { kind: "boolean" };
const COUNT: Option = { kind: "count" };
const TEXT: Option = { kind: "text" };
const ANY: Option = { kind: "any" };
const NEVER: Option = { kind: "any", only: null };

/** Options of how documents are read and written, and of the concerns of both. `readSettings` reads their values. */
const SETTINGS: Readonly<Record<string, Option>> = {
  bsonRegExp: FLAG,
  checkKeys: FLAG,
  enableUtf8Validation: FLAG,
  forceServerObjectId: FLAG,
  ignoreUndefined: FLAG,
  j: FLAG,
  journal: FLAG,
  pkFactory: ANY,
  promoteBuffers: FLAG,
  promoteLongs: FLAG,
  promoteValues: FLAG,
  raw: FLAG,
  readConcern: ANY,
  readPreference: ANY,
  retryWrites: FLAG,
  serializeFunctions: FLAG,
  timeoutMS: COUNT,
  useBigInt64: FLAG,
  w: ANY,
  writeConcern: ANY,
  wtimeout: COUNT,
  wtimeoutMS: COUNT,
};

/**
 * Options of the client itself (its engine, storage and clock): `readClient` reads their values, databases inherit
 * none.
 */
const OWN: Readonly<Record<string, Option>> = {
  maxMemoryBytes: COUNT,
  monitorCommands: FLAG,
  now: ANY,
  readConcernLevel: TEXT,
  serverApi: ANY,
  serverSelectionTimeoutMS: COUNT,
  storage: TEXT,
  thread: TEXT,
  topology: TEXT,
};

/** About connections to servers and messages to them: no effect where there is none. */
const CONNECTIONS: Readonly<Record<string, Option>> = {
  ALPNProtocols: ANY,
  SNICallback: ANY,
  allowPartialTrustChain: FLAG,
  appName: TEXT,
  autoSelectFamily: FLAG,
  autoSelectFamilyAttemptTimeout: COUNT,
  ca: ANY,
  cert: ANY,
  checkServerIdentity: ANY,
  ciphers: TEXT,
  compressors: ANY,
  connectTimeoutMS: COUNT,
  crl: ANY,
  directConnection: FLAG,
  driverInfo: ANY,
  ecdhCurve: TEXT,
  enableOverloadRetargeting: FLAG,
  enableTrace: FLAG,
  family: COUNT,
  heartbeatFrequencyMS: COUNT,
  hints: COUNT,
  keepAliveInitialDelay: COUNT,
  key: ANY,
  localAddress: TEXT,
  localPort: COUNT,
  localThresholdMS: COUNT,
  lookup: ANY,
  maxAdaptiveRetries: COUNT,
  maxConnecting: COUNT,
  maxIdleTimeMS: COUNT,
  maxPoolSize: COUNT,
  maxStalenessSeconds: COUNT,
  minDHSize: COUNT,
  minHeartbeatFrequencyMS: COUNT,
  minPoolSize: COUNT,
  noDelay: FLAG,
  passphrase: TEXT,
  pfx: ANY,
  proxyHost: TEXT,
  proxyPassword: TEXT,
  proxyPort: COUNT,
  proxyUsername: TEXT,
  pskCallback: ANY,
  readPreferenceTags: ANY,
  rejectUnauthorized: FLAG,
  requestCert: FLAG,
  requestOCSP: FLAG,
  retryReads: FLAG,
  runtimeAdapters: ANY,
  secureContext: ANY,
  secureProtocol: TEXT,
  serverMonitoringMode: TEXT,
  servername: TEXT,
  session: ANY,
  socketTimeoutMS: COUNT,
  srvAllowedHostsSuffix: TEXT,
  srvHostValidator: ANY,
  srvMaxHosts: COUNT,
  srvServiceName: TEXT,
  ssl: FLAG,
  tls: FLAG,
  tlsAllowInvalidCertificates: FLAG,
  tlsAllowInvalidHostnames: FLAG,
  tlsCAFile: TEXT,
  tlsCRLFile: TEXT,
  tlsCertificateKeyFile: TEXT,
  tlsCertificateKeyFilePassword: TEXT,
  tlsInsecure: FLAG,
  useNewUrlParser: FLAG,
  useUnifiedTopology: FLAG,
  waitQueueTimeoutMS: COUNT,
  zlibCompressionLevel: COUNT,
};

/** Promises that cannot be kept without a server: each is taken only with the value that asks for nothing. */
const REFUSED: Readonly<Record<string, Option>> = {
  auth: NEVER,
  authMechanism: NEVER,
  authMechanismProperties: NEVER,
  authSource: NEVER,
  autoEncryption: NEVER,
  fieldsAsRaw: NEVER,
  loadBalanced: { kind: "boolean", only: false },
  mongodbLogComponentSeverities: NEVER,
  mongodbLogMaxDocumentLength: NEVER,
  mongodbLogPath: NEVER,
  replicaSet: { kind: "text", only: "quire" },
};

const OPTIONS: Readonly<Record<string, Option>> = { ...SETTINGS, ...OWN, ...CONNECTIONS, ...REFUSED };
const NAMES = new Map(Object.keys(OPTIONS).map((name) => [name.toLowerCase(), name]));

export interface ClientSettings {
  readonly deployment: string;
  /** The address's database; `test` where it names none. */
  readonly database: string;
  readonly settings: Settings;
  readonly storage: "indexeddb" | "memory" | undefined;
  readonly thread: "this" | "worker" | undefined;
  readonly topology: Topology | undefined;
  readonly maxMemoryBytes: number | undefined;
  readonly serverSelectionTimeoutMS: number | undefined;
  readonly now: (() => number) | undefined;
  /** The fields that ask for the Stable API, which each command carries. */
  readonly serverApi: Document | undefined;
  readonly monitorCommands: boolean;
}

const ADDRESS = /^quire:\/\/([A-Za-z0-9_-]{1,64})(?:\/([^/?]*))?(?:\?(.*))?$/;

/**
 * Reads an address and options. Throws `MongoParseError` for an option that is not supported or cannot have its value.
 */
export function readClient(address: string, options: unknown): ClientSettings {
  const match = ADDRESS.exec(address);
  if (match === null) throw new MongoParseError(wrongAddress(address));
  const [, deployment = "", database = "", query = ""] = match;
  if (options !== undefined && options !== null && (typeof options !== "object" || Array.isArray(options)))
    throw new MongoInvalidArgumentError("the options of a client are an object");
  const given = { ...ofAddress(query), ...ofObject((options ?? {}) as Document) };
  const pick = (names: Readonly<Record<string, Option>>): Document =>
    Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(names, name)));
  const settings = pick(SETTINGS);
  if (given["readConcernLevel"] !== undefined) settings["readConcern"] ??= { level: given["readConcernLevel"] };
  const { storage, thread, topology, maxMemoryBytes, serverSelectionTimeoutMS, now, monitorCommands = false } = given;
  const fault = memoryLimitFault(maxMemoryBytes);
  if (fault !== null) throw new MongoInvalidArgumentError(fault);
  if (now !== undefined && typeof now !== "function") throw new MongoParseError("option now must be a function");
  if (storage !== undefined && storage !== "indexeddb" && storage !== "memory")
    throw new MongoInvalidArgumentError(`storage must be "indexeddb" or "memory", not ${JSON.stringify(storage)}`);
  if (thread !== undefined && thread !== "this" && thread !== "worker")
    throw new MongoInvalidArgumentError(`thread must be "this" or "worker", not ${JSON.stringify(thread)}`);
  const wrong = topologyFault(topology);
  if (wrong !== null) throw new MongoInvalidArgumentError(wrong);
  if (topology === "standalone" && given["replicaSet"] !== undefined)
    throw new MongoInvalidArgumentError("a standalone is of no replicaSet");
  return {
    deployment,
    database: unescaped(database) || "test",
    settings: readSettings(settings, DEFAULTS),
    storage,
    thread,
    topology: topology as Topology | undefined,
    maxMemoryBytes: maxMemoryBytes as number | undefined,
    serverSelectionTimeoutMS: serverSelectionTimeoutMS as number | undefined,
    now: now as (() => number) | undefined,
    serverApi: readServerApi(given["serverApi"]),
    monitorCommands: monitorCommands as boolean,
  };
}

/** Throws for a text whose `%` begin no characters of UTF-8. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new MongoParseError(`the database ${JSON.stringify(text)} of the address is not written as UTF-8 with %`);
  }
}

/** Where an option is to be had that this client cannot have. */
function elsewhere(name: string): string {
  const only = REFUSED[name]?.only ?? null;
  return (
    (only === null ? "" : `here it can be ${JSON.stringify(only)} alone; `) +
    `MongoDB's own driver (npm install mongodb) takes it, with a server such as \`npx quiredb serve\``
  );
}

const SERVER = /^mongodb(?:\+srv)?:\/\//;
/** User and password: up to the last `@`, since a password may hold signs that it should write with `%`. */
const CREDENTIALS = /\/\/.*@/s;
const DATABASE = /^[^/?]*\/\/[^/?]*\/([^/?]+)/;

/** Says of an address what to write in its place, without the password that it may hold. */
function wrongAddress(address: unknown): string {
  if (typeof address !== "string") return "an address is a text such as quire://name or quire://name/database";
  const shown = address.replace(CREDENTIALS, "//***@");
  if (!SERVER.test(address))
    return `${JSON.stringify(shown)} is not an address of this engine: write quire://name or quire://name/database`;
  const [, name] = DATABASE.exec(shown) ?? [];
  const database = name === undefined ? "" : `/${name}`;
  return (
    "a mongodb:// address is that of a server, and this client has its database in the page or the process itself: " +
    `write quire://name${database}, where the name is one of your choice and tells databases of one site apart; ` +
    "a server is for MongoDB's own driver (npm install mongodb), and `npx quiredb serve` starts one of this engine"
  );
}

const API_OPTIONS = ["version", "strict", "deprecationErrors"];

/** The Stable API that is asked for, as fields of commands. `"1"` stands for `{ version: "1" }`. */
function readServerApi(api: unknown): Document | undefined {
  if (api === undefined) return undefined;
  const asked = typeof api === "string" ? { version: api } : (api as Document);
  if (typeof asked !== "object" || asked === null || asked["version"] === undefined)
    throw new MongoParseError('Invalid `serverApi` property; must specify a version from the following enum: ["1"]');
  if (asked["version"] !== "1")
    throw new MongoParseError(
      `Invalid server API version=${String(asked["version"])}; must be in the following enum: ["1"]`,
    );
  const strange = Object.keys(asked).filter((name) => !API_OPTIONS.includes(name));
  if (strange.length > 0) throw new MongoParseError(unsupported(strange.map((name) => `serverApi.${name}`)));
  const fields: Document = { apiVersion: "1" };
  for (const [name, field] of [
    ["strict", "apiStrict"],
    ["deprecationErrors", "apiDeprecationErrors"],
  ] as const) {
    const value: unknown = asked[name] ?? undefined;
    if (value === undefined) continue;
    if (typeof value !== "boolean") throw new MongoParseError(`option serverApi.${name} must be true or false`);
    fields[field] = value;
  }
  return fields;
}

function ofObject(options: Document): Document {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  checkNames(given.map(([name]) => name));
  return Object.fromEntries(given.map(([name, value]) => checked(canonical(name), value)));
}

function ofAddress(query: string): Document {
  const pairs = [...new URLSearchParams(query)];
  checkNames(pairs.map(([name]) => name));
  const options: Document = {};
  for (const [name, text] of pairs) {
    const known = canonical(name);
    if (text === "") throw new MongoParseError("URI cannot contain options with no value");
    if (Object.hasOwn(options, known) && known !== "readPreferenceTags")
      throw new MongoInvalidArgumentError(
        `URI option "${known}" cannot appear more than once in the connection string`,
      );
    options[known] = checked(known, valueOf(known, text))[1];
  }
  return options;
}

function checkNames(names: readonly string[]): void {
  const strange = names.map((name) => name.toLowerCase()).filter((name) => !NAMES.has(name));
  if (strange.length > 0) throw new MongoParseError(unsupported(strange));
}

function canonical(name: string): string {
  return NAMES.get(name.toLowerCase()) ?? name;
}

/** An option's text in an address as its value. */
function valueOf(name: string, text: string): unknown {
  const { kind } = OPTIONS[name] as Option;
  if (kind === "boolean" && (text === "true" || text === "false")) return text === "true";
  if ((kind === "count" || name === "w") && /^\d+$/.test(text)) return Number(text);
  return text;
}

function checked(name: string, value: unknown): [string, unknown] {
  const option = OPTIONS[name] as Option;
  if (value === null) return [name, undefined];
  if ("only" in option && value !== option.only)
    throw new MongoParseError(`${unsupported([name])}: ${elsewhere(name)}`);
  if (option.kind === "boolean" && typeof value !== "boolean")
    throw new MongoParseError(`option ${name} must be true or false`);
  if (option.kind === "count" && !(Number.isInteger(value) && (value as number) >= 0))
    throw new MongoParseError(`option ${name} must be a whole number that is not negative`);
  if (option.kind === "text" && typeof value !== "string") throw new MongoParseError(`option ${name} must be a text`);
  return [name, value];
}
