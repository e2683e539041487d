/**
 * The table of the options that each method takes, and of the place where each option goes.
 *
 * Invariant: an option that is in no row is refused by name: a misspelt one, and one of the Node driver's that is not
 * supported here. A command gets only fields that the engine knows for it.
 */
import type { Document } from "bson";
import { MongoInvalidArgumentError } from "./errors.ts";
import { readSettings, SETTINGS, type Settings } from "./settings.ts";
import { unsupported } from "./unsupported.ts";

/** A method's options besides the settings of every operation, by where they go. */
interface Row {
  /** Concerns that its command carries; `both`: that for writing only where its pipeline writes. */
  readonly concern?: "read" | "write" | "both";
  /** Without `comment` and `maxTimeMS`: the caller words the whole command. */
  readonly isWhole?: true;
  /** Fields of its command. */
  readonly fields?: readonly string[];
  /** Fields of its one statement, or of its one index. */
  readonly statement?: readonly string[];
  /** Options that the method's own code reads; none of them goes into the command by itself. */
  readonly own?: readonly string[];
}

const COMMAND = ["comment", "maxTimeMS"];
const WRITE_CONCERN = ["w", "j", "journal", "wtimeout", "wtimeoutMS", "writeConcern"];
const CHOSEN = ["collation", "hint"];
const FIND = [
  "allowDiskUse",
  "allowPartialResults",
  "awaitData",
  "limit",
  "let",
  "max",
  "min",
  "noCursorTimeout",
  "projection",
  "returnKey",
  "showRecordId",
  "singleBatch",
  "skip",
  "tailable",
  ...CHOSEN,
];
const MODIFY = ["let", ...CHOSEN];
const OWN_OF_MODIFY = ["explain", "includeResultMetadata", "projection", "sort"];
const INDEX = [
  "2dsphereIndexVersion",
  "background",
  "bits",
  "bucketSize",
  "collation",
  "default_language",
  "expireAfterSeconds",
  "hidden",
  "language_override",
  "max",
  "min",
  "name",
  "partialFilterExpression",
  "sparse",
  "storageEngine",
  "textIndexVersion",
  "unique",
  "version",
  "weights",
  "wildcardProjection",
];
const CREATE = [
  "capped",
  "changeStreamPreAndPostImages",
  "clusteredIndex",
  "collation",
  "encryptedFields",
  "expireAfterSeconds",
  "indexOptionDefaults",
  "max",
  "pipeline",
  "size",
  "storageEngine",
  "timeseries",
  "validationAction",
  "validationLevel",
  "validator",
  "viewOn",
];
const STREAM = [
  "fullDocument",
  "fullDocumentBeforeChange",
  "resumeAfter",
  "showExpandedEvents",
  "startAfter",
  "startAtOperationTime",
];

/** Sorted by name. */
export const METHODS = {
  aggregate: {
    concern: "both",
    fields: ["allowDiskUse", "bypassDocumentValidation", "let", ...CHOSEN],
    own: ["batchSize", "cursor", "explain", "maxAwaitTimeMS", "out", "timeoutMode"],
  },
  buildInfo: {},
  bulkWrite: { concern: "write", fields: ["bypassDocumentValidation", "let"], own: ["forceServerObjectId", "ordered"] },
  clientBulkWrite: {
    concern: "write",
    fields: ["bypassDocumentValidation", "let"],
    own: ["ordered", "verboseResults"],
  },
  command: { isWhole: true },
  count: { concern: "read" },
  countBy: { concern: "read", fields: ["limit", "skip", ...CHOSEN] },
  countDocuments: { concern: "read", fields: ["allowDiskUse", "let", ...CHOSEN], own: ["limit", "skip"] },
  createCollection: {
    concern: "write",
    fields: CREATE,
    own: ["forceServerObjectId", "pkFactory", "readConcern", "retryWrites"],
  },
  createIndex: { concern: "write", fields: ["commitQuorum"], statement: INDEX },
  createIndexes: { concern: "write", fields: ["commitQuorum"] },
  delete: { concern: "write", fields: ["let"], statement: CHOSEN, own: ["explain"] },
  distinct: { concern: "read", fields: CHOSEN, own: ["explain"] },
  drop: { concern: "write" },
  dropDatabase: { concern: "write" },
  dropIndexes: { concern: "write" },
  find: {
    concern: "read",
    fields: FIND,
    own: ["batchSize", "explain", "maxAwaitTimeMS", "sort", "timeout", "timeoutMode"],
  },
  findOneAndDelete: { concern: "write", fields: MODIFY, own: OWN_OF_MODIFY },
  findOneAndReplace: {
    concern: "write",
    fields: ["bypassDocumentValidation", "upsert", ...MODIFY],
    own: ["returnDocument", ...OWN_OF_MODIFY],
  },
  findOneAndUpdate: {
    concern: "write",
    fields: ["arrayFilters", "bypassDocumentValidation", "upsert", ...MODIFY],
    own: ["returnDocument", ...OWN_OF_MODIFY],
  },
  insertMany: { concern: "write", fields: ["bypassDocumentValidation"], own: ["forceServerObjectId", "ordered"] },
  insertOne: { concern: "write", fields: ["bypassDocumentValidation"], own: ["forceServerObjectId"] },
  listCollections: { fields: ["authorizedCollections", "nameOnly"], own: ["batchSize", "timeoutMode"] },
  listDatabases: { fields: ["authorizedDatabases", "filter", "nameOnly"] },
  listIndexes: { own: ["batchSize", "full", "timeoutMode"] },
  ping: {},
  profile: {},
  rename: { concern: "write", own: ["dropTarget"] },
  replaceOne: {
    concern: "write",
    fields: ["bypassDocumentValidation", "let"],
    statement: ["upsert", ...CHOSEN],
    own: ["explain", "sort"],
  },
  replSetGetStatus: {},
  runCursorCommand: { isWhole: true, own: ["timeoutMode"] },
  serverStatus: {},
  stats: { fields: ["freeStorage", "scale"] },
  updateMany: {
    concern: "write",
    fields: ["bypassDocumentValidation", "let"],
    statement: ["arrayFilters", "upsert", ...CHOSEN],
    own: ["explain"],
  },
  updateOne: {
    concern: "write",
    fields: ["bypassDocumentValidation", "let"],
    statement: ["arrayFilters", "upsert", ...CHOSEN],
    own: ["explain", "sort"],
  },
  validateCollection: { fields: ["background", "full"] },
  watch: { concern: "read", fields: ["collation"], statement: STREAM, own: ["batchSize", "maxAwaitTimeMS"] },
} satisfies Readonly<Record<string, Row>>;

export type Method = keyof typeof METHODS;

/** The options of one call, sorted by where they go; see `Row`. */
export interface Taken {
  readonly settings: Settings;
  readonly concern: Row["concern"];
  readonly fields: Document;
  readonly statement: Document;
  readonly own: Document;
}

/** The options that have a value, as pairs. Throws unless `options` is an object, null or undefined. */
function given(options: unknown): [string, unknown][] {
  if (options === undefined || options === null) return [];
  if (typeof options !== "object" || Array.isArray(options))
    throw new MongoInvalidArgumentError("the options of an operation are an object");
  return Object.entries(options).filter(([, value]) => value !== undefined);
}

const NOTHING: Document = Object.freeze({});

/**
 * Sorts a call's options by where they go. Throws `MongoInvalidArgumentError`, with their names, for options that are
 * not in the method's row.
 */
export function take(method: Method, options: unknown, inherited: Settings): Taken {
  const row: Row = METHODS[method];
  if (options === undefined || options === null)
    return { settings: inherited, concern: row.concern, fields: NOTHING, statement: NOTHING, own: NOTHING };
  const parts = { settings: {} as Document, fields: {} as Document, statement: {} as Document, own: {} as Document };
  const unknown: string[] = [];
  for (const [name, value] of given(options)) {
    if (row.own?.includes(name)) parts.own[name] = value;
    else if (row.statement?.includes(name)) parts.statement[name] = value;
    else if (row.fields?.includes(name) || (row.isWhole !== true && COMMAND.includes(name))) parts.fields[name] = value;
    else if (isSetting(name, row)) parts.settings[name] = value;
    else unknown.push(name);
  }
  if (unknown.length > 0) throw new MongoInvalidArgumentError(unsupported(unknown));
  return { ...parts, settings: readSettings(parts.settings, inherited), concern: row.concern };
}

function isSetting(name: string, row: Row): boolean {
  if (WRITE_CONCERN.includes(name)) return row.concern === "write" || row.concern === "both";
  if (name === "readConcern") return row.concern === "read" || row.concern === "both";
  return name === "signal" || SETTINGS.operation.includes(name);
}

/**
 * The settings of a database or a collection: the given options over the inherited ones. Throws
 * `MongoInvalidArgumentError`, with their names, for options that neither can have.
 */
export function takeSettings(options: unknown, inherited: Settings): Settings {
  const all = given(options);
  const known = [...SETTINGS.operation, ...SETTINGS.handle, ...WRITE_CONCERN, "readConcern"];
  const unknown = all.map(([name]) => name).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new MongoInvalidArgumentError(unsupported(unknown));
  const settings = readSettings(Object.fromEntries(all), inherited);
  if (settings.session !== undefined)
    throw new MongoInvalidArgumentError("option session is for an operation: no database and no collection has one");
  return settings;
}
