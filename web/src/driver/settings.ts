/**
 * The settings that a client's databases inherit from it, their collections from them, and operations from these.
 *
 * Invariant: the nearest setting counts. A write concern that is given replaces an inherited one as a whole, as in the
 * Node driver.
 */
import type { Document } from "bson";
import type { DecodeOptions } from "../codec/decode.ts";
import type { EncodeOptions } from "../codec/encode.ts";
import { ReadPreferenceMode } from "./constants.ts";
import { MongoInvalidArgumentError } from "./errors.ts";
import type { CommandSession, PkFactory } from "./option-types.ts";

export interface Settings {
  readonly ignoreUndefined: boolean;
  readonly serializeFunctions: boolean;
  readonly promoteLongs: boolean;
  readonly promoteValues: boolean;
  readonly promoteBuffers: boolean;
  readonly useBigInt64: boolean;
  readonly bsonRegExp: boolean;
  readonly enableUtf8Validation: boolean;
  readonly forceServerObjectId: boolean;
  readonly pkFactory: PkFactory | undefined;
  /** `{ w, wtimeout, j }`, as a command takes it. */
  readonly writeConcern: Document | undefined;
  /** `{ level }`. */
  readonly readConcern: Document | undefined;
  /** The mode of the read preference, which has no effect and is told to who asks. */
  readonly readPreference: ReadPreferenceMode | undefined;
  /** How long an operation may take, in milliseconds; 0 for no limit. */
  readonly timeoutMS: number | undefined;
  /** The session of the operation; of one operation only. */
  readonly session: CommandSession | undefined;
  /** Aborts the operation; of one operation only. */
  readonly signal: AbortSignal | undefined;
  /** How commands are written and replies are read, by the flags above. */
  readonly codec: EncodeOptions & DecodeOptions;
  /** Whether `promote` has something to do with a reply, which then comes out with its types. */
  readonly promotes: boolean;
}

type Flags = Pick<Settings, (typeof FLAGS)[number]>;

/**
 * The codec's options that the flags come to. With `promotes`, replies are decoded with types, for `promote` to
 * convert.
 */
function codecOf(flags: Flags): Pick<Settings, "codec" | "promotes"> {
  const promotes = !flags.promoteValues || flags.promoteBuffers || flags.useBigInt64;
  const numbers = promotes ? "typed" : flags.promoteLongs ? "driver" : "shell";
  return {
    codec: {
      ignoreUndefined: flags.ignoreUndefined,
      serializeFunctions: flags.serializeFunctions,
      numbers,
      bsonRegExp: flags.bsonRegExp,
      enableUtf8Validation: flags.enableUtf8Validation,
    },
    promotes,
  };
}

const FLAGS = [
  "ignoreUndefined",
  "serializeFunctions",
  "promoteLongs",
  "promoteValues",
  "promoteBuffers",
  "useBigInt64",
  "bsonRegExp",
  "enableUtf8Validation",
] as const;
const DEFAULT_FLAGS: Flags = {
  ignoreUndefined: false,
  // Not the Node driver's default: there a filter whose only field is a `$where` with a function matches everything.
  serializeFunctions: true,
  promoteLongs: true,
  promoteValues: true,
  promoteBuffers: false,
  useBigInt64: false,
  bsonRegExp: false,
  enableUtf8Validation: true,
};

export const DEFAULTS: Settings = {
  ...DEFAULT_FLAGS,
  ...codecOf(DEFAULT_FLAGS),
  forceServerObjectId: false,
  pkFactory: undefined,
  writeConcern: undefined,
  readConcern: undefined,
  readPreference: undefined,
  timeoutMS: undefined,
  session: undefined,
  signal: undefined,
};

/** Options that, when true, ask for something that is not done here, and when false for the usual behaviour. */
const NEVER = ["checkKeys", "raw", "rawData"] as const;

/** The names that are read here. */
export const SETTINGS: { readonly operation: readonly string[]; readonly handle: readonly string[] } = {
  /** Settings of every operation. */
  operation: [...FLAGS, ...NEVER, "readPreference", "session", "timeoutMS"],
  /** Further settings of databases and collections. */
  handle: ["forceServerObjectId", "pkFactory", "retryWrites"],
};

function flag(options: Document, name: string, inherited: boolean): boolean {
  const value: unknown = options[name] ?? inherited;
  if (typeof value !== "boolean") throw new MongoInvalidArgumentError(`option ${name} must be true or false`);
  return value;
}

/**
 * The inherited settings with the given options over them. Throws `MongoInvalidArgumentError` for a value that an
 * option cannot have, and for `checkKeys`, `raw` and `rawData`, which are not supported.
 */
export function readSettings(options: Document, inherited: Settings): Settings {
  for (const name in options) {
    if ((NEVER as readonly string[]).includes(name) && flag(options, name, false))
      throw new MongoInvalidArgumentError(`option ${name} is not supported`);
  }
  flag(options, "retryWrites", true);
  const flags = Object.fromEntries(FLAGS.map((name) => [name, flag(options, name, inherited[name])])) as Flags;
  if (flags.useBigInt64 && !(flags.promoteLongs && flags.promoteValues))
    throw new MongoInvalidArgumentError("Must either request bigint or Long for int64 deserialization");
  return {
    ...flags,
    ...codecOf(flags),
    forceServerObjectId: flag(options, "forceServerObjectId", inherited.forceServerObjectId),
    pkFactory: readFactory(options["pkFactory"]) ?? inherited.pkFactory,
    writeConcern: readWriteConcern(options) ?? inherited.writeConcern,
    readConcern: readReadConcern(options["readConcern"]) ?? inherited.readConcern,
    readPreference: readMode(options["readPreference"]) ?? inherited.readPreference,
    timeoutMS: readTimeout(options["timeoutMS"]) ?? inherited.timeoutMS,
    session: readSession(options["session"]),
    signal: readSignal(options["signal"]),
  };
}

function readFactory(factory: unknown): PkFactory | undefined {
  if (factory === undefined || factory === null) return undefined;
  if (typeof (factory as PkFactory).createPk !== "function")
    throw new MongoInvalidArgumentError("Option pkFactory must be an object with a createPk function");
  return factory as PkFactory;
}

function readMode(preference: unknown): ReadPreferenceMode | undefined {
  if (preference === undefined || preference === null) return undefined;
  const mode: unknown = typeof preference === "object" ? (preference as { mode?: unknown }).mode : preference;
  if (typeof mode !== "string" || !Object.hasOwn(ReadPreferenceMode, mode))
    throw new MongoInvalidArgumentError(`Invalid read preference mode ${JSON.stringify(mode)}`);
  return mode as ReadPreferenceMode;
}

const CONCERN = ["w", "wtimeout", "j", "fsync", "journal", "wtimeoutMS"];

/** A write concern, of its own or as single options beside the others; those in it count. */
function readWriteConcern(options: Document): Document | undefined {
  const whole: unknown = options["writeConcern"] ?? {};
  const own: Document = typeof whole === "string" || typeof whole === "number" ? { w: whole } : (whole as Document);
  if (typeof own !== "object" || Array.isArray(own))
    throw new MongoInvalidArgumentError("a write concern is an object");
  const strange = Object.keys(own).filter((name) => own[name] !== undefined && !CONCERN.includes(name));
  if (strange.length > 0) throw new MongoInvalidArgumentError(`option writeConcern.${strange[0]} is not supported`);
  const from = (name: string): unknown => own[name] ?? options[name] ?? undefined;
  const w = from("w");
  const wtimeout = from("wtimeout") ?? from("wtimeoutMS");
  const j = from("j") ?? from("journal") ?? own["fsync"] ?? undefined;
  if (w !== undefined && typeof w !== "string" && !(Number.isInteger(w) && (w as number) >= 0))
    throw new MongoInvalidArgumentError("option w must be a number that is not negative, or a text");
  if (wtimeout !== undefined && !(Number.isInteger(wtimeout) && (wtimeout as number) >= 0))
    throw new MongoInvalidArgumentError("option wtimeoutMS must be a number of milliseconds");
  if (j !== undefined && typeof j !== "boolean")
    throw new MongoInvalidArgumentError("option journal must be true or false");
  const concern: Document = {};
  if (w !== undefined) concern["w"] = w;
  if (wtimeout !== undefined) concern["wtimeout"] = wtimeout;
  if (j !== undefined) concern["j"] = j;
  return Object.keys(concern).length === 0 ? undefined : concern;
}

function readSession(session: unknown): CommandSession | undefined {
  if (session === undefined || session === null) return undefined;
  if (typeof (session as CommandSession).apply !== "function")
    throw new MongoInvalidArgumentError("option session must be a ClientSession");
  return session as CommandSession;
}

/** The concerns of a transaction, as fields of its commands: of these names alone where some are given. */
export function readConcerns(options: Document, only?: "writeConcern"): Document {
  const writeConcern = readWriteConcern({ writeConcern: options["writeConcern"] });
  const readConcern = only === undefined ? readReadConcern(options["readConcern"]) : undefined;
  return {
    ...(only === undefined || writeConcern === undefined ? {} : { writeConcern }),
    ...(readConcern === undefined ? {} : { readConcern }),
  };
}

function readSignal(signal: unknown): AbortSignal | undefined {
  if (signal === undefined || signal === null) return undefined;
  if (typeof (signal as AbortSignal).throwIfAborted !== "function")
    throw new MongoInvalidArgumentError("option signal must be an AbortSignal");
  return signal as AbortSignal;
}

function readTimeout(timeout: unknown): number | undefined {
  if (timeout === undefined || timeout === null) return undefined;
  if (!Number.isInteger(timeout) || (timeout as number) < 0)
    throw new MongoInvalidArgumentError("option timeoutMS must be a number of milliseconds");
  return timeout as number;
}

function readReadConcern(concern: unknown): Document | undefined {
  if (concern === undefined || concern === null) return undefined;
  const level: unknown = typeof concern === "object" ? (concern as { level?: unknown }).level : concern;
  if (typeof level !== "string") throw new MongoInvalidArgumentError("a read concern is an object with a level");
  return { level };
}
