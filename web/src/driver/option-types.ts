/**
 * The options that callers may give to the driver's methods, by the Node driver's names.
 *
 * Invariant: `options.ts` reads exactly these at run time, and refuses any other option by its name.
 */
import type { Document } from "bson";
import type { Sort } from "../shell/sort.ts";
import type { CursorTimeoutMode, ReadConcernLevel, ReadPreferenceMode, ReturnDocument } from "./constants.ts";

/**
 * How documents become BSON and BSON documents. Given to a client, a database, a collection or one operation; the
 * nearest counts.
 */
export interface BSONSerializeOptions {
  /** Leave out fields that are `undefined`; otherwise they are stored as null. Default false. */
  readonly ignoreUndefined?: boolean;
  /**
   * Send functions as `Code`; otherwise they are left out. Default true, so that a `$where` with a function is never
   * left out of a filter.
   */
  readonly serializeFunctions?: boolean;
  /** Give int64 within 2^53 as numbers. Default true. */
  readonly promoteLongs?: boolean;
  /** Give numbers and symbols as JavaScript's own. Default true. */
  readonly promoteValues?: boolean;
  /** Give binaries of subtype 0 as `Uint8Array`. Default false. */
  readonly promoteBuffers?: boolean;
  /** Give int64 as `bigint`; needs `promoteLongs` and `promoteValues`. Default false. */
  readonly useBigInt64?: boolean;
  /** Give patterns as `BSONRegExp`. Default false. */
  readonly bsonRegExp?: boolean;
  /** Throw a `BSONError` for a string that is not UTF-8; with false U+FFFD stands for such bytes. Default true. */
  readonly enableUtf8Validation?: boolean;
}

/** The rules of a language by which texts are compared. */
export interface CollationOptions {
  readonly locale: string;
  readonly strength?: number;
  readonly caseLevel?: boolean;
  readonly caseFirst?: string;
  readonly numericOrdering?: boolean;
  readonly alternate?: string;
  readonly maxVariable?: string;
  readonly backwards?: boolean;
  readonly normalization?: boolean;
}

/** How a write is acknowledged. */
export interface WriteConcernSettings {
  /** 0: the reply is not looked at. 1 or `"majority"`: acknowledged. */
  readonly w?: number | string;
  /** Acknowledged when it is stored. */
  readonly j?: boolean;
  /** The same as `j`. */
  readonly journal?: boolean;
  /** How long to wait for that, in milliseconds. */
  readonly wtimeout?: number;
  /** The same as `wtimeout`. */
  readonly wtimeoutMS?: number;
}

export interface WriteConcernOptions extends WriteConcernSettings {
  readonly writeConcern?: WriteConcernSettings | number | string;
}

export interface ReadConcernOptions {
  readonly readConcern?: { readonly level: ReadConcernLevel } | ReadConcernLevel;
}

/** What a client's commands need of their session: a `ClientSession`. */
export interface CommandSession {
  check(client: object): void;
  apply(command: Document): Document;
  learn(reply: Document): void;
  inTransaction(): boolean;
}

/** How a transaction reads and is committed. */
export interface TransactionOptions extends ReadConcernOptions {
  readonly writeConcern?: WriteConcernSettings | number | string;
  readonly readPreference?: ReadPreferenceLike;
  /** How long the commit may take, in milliseconds. */
  readonly maxCommitTimeMS?: number;
}

export interface ClientSessionOptions {
  /** Have reads see what the session knows of. Default true, unless `snapshot` is. */
  readonly causalConsistency?: boolean;
  /** Have all reads see the state of the first one. */
  readonly snapshot?: boolean;
  /** Options of transactions that name none of their own. */
  readonly defaultTransactionOptions?: TransactionOptions;
}

/** A read preference: its mode, an object with it, or a `ReadPreference`. */
export type ReadPreferenceLike = ReadPreferenceMode | { readonly mode: ReadPreferenceMode };

/** Options of every operation, those without a command of their own included. */
export interface OperationOptions extends BSONSerializeOptions {
  /** The session that the operation is of: a `ClientSession` of the same client. */
  readonly session?: CommandSession;
  /** Checked, and without effect: the only member answers all reads. */
  readonly readPreference?: ReadPreferenceLike;
  /** How long the operation may take, or a cursor over its whole life, in milliseconds. Default 0: no limit. */
  readonly timeoutMS?: number;
  /**
   * Rejects the operation with the signal's reason once it is aborted, and ends its command in an engine that has a
   * worker of its own. Whether a write was done is not known then.
   */
  readonly signal?: AbortSignal;
}

export interface CommandOperationOptions extends OperationOptions {
  readonly comment?: unknown;
  /** How long the engine may work on the command, in milliseconds. */
  readonly maxTimeMS?: number;
}

export interface WriteOptions extends CommandOperationOptions, WriteConcernOptions {}
export interface ReadOptions extends CommandOperationOptions, ReadConcernOptions {}

/** Makes the `_id`s of documents that have none. */
export interface PkFactory {
  createPk(): unknown;
}

/**
 * Options of a database or a collection: its operations inherit them, and each operation's own options count before
 * them.
 */
export interface DbOptions extends OperationOptions, WriteConcernOptions, ReadConcernOptions {
  readonly pkFactory?: PkFactory;
  /** Have the engine make the `_id`s of documents without one; results do not tell these. Default false. */
  readonly forceServerObjectId?: boolean;
  /** No effect: no write is lost on its way, since there is no network. */
  readonly retryWrites?: boolean;
}
export type CollectionOptions = DbOptions;

export interface ExplainOptions {
  /** Explain the operation and do not run it; the result is then the explanation. */
  readonly explain?: boolean | string | { readonly verbosity: string };
}

interface Validated {
  readonly bypassDocumentValidation?: boolean;
}
interface Ids {
  readonly forceServerObjectId?: boolean;
}
interface Chosen {
  readonly collation?: CollationOptions;
  readonly hint?: string | Document;
}
interface Variables {
  readonly let?: Document;
}

export interface InsertOneOptions extends WriteOptions, Validated, Ids {}
export interface InsertManyOptions extends InsertOneOptions {
  /** Stop at the first error. Default true. */
  readonly ordered?: boolean;
}
export interface BulkWriteOptions extends InsertManyOptions, Variables {}
export interface UpdateOptions extends WriteOptions, Validated, Chosen, Variables, ExplainOptions {
  readonly upsert?: boolean;
  readonly arrayFilters?: readonly Document[];
}
export interface UpdateOneOptions extends UpdateOptions {
  readonly sort?: Sort;
}
export type ReplaceOptions = Omit<UpdateOneOptions, "arrayFilters">;
export interface DeleteOptions extends WriteOptions, Chosen, Variables, ExplainOptions {}

export interface FindOptions extends ReadOptions, Chosen, Variables, ExplainOptions, CursorTimeout {
  readonly sort?: Sort;
  readonly projection?: Document | readonly string[];
  readonly limit?: number;
  readonly skip?: number;
  readonly batchSize?: number;
  readonly min?: Document;
  readonly max?: Document;
  readonly returnKey?: boolean;
  readonly showRecordId?: boolean;
  readonly singleBatch?: boolean;
  readonly allowDiskUse?: boolean;
  readonly allowPartialResults?: boolean;
  readonly noCursorTimeout?: boolean;
  /** The opposite of `noCursorTimeout`. */
  readonly timeout?: boolean;
  /** With `tailable` and `awaitData`: follow a capped collection. */
  readonly tailable?: boolean;
  readonly awaitData?: boolean;
  readonly maxAwaitTimeMS?: number;
}

/** What a cursor's `timeoutMS` is for. */
interface CursorTimeout {
  /** `cursorLifetime`: for the cursor's whole life, the default but for a tailable one. `iteration`: for each batch. */
  readonly timeoutMode?: CursorTimeoutMode;
}

export interface FindOneAndDeleteOptions extends WriteOptions, Chosen, Variables, ExplainOptions {
  readonly projection?: Document;
  readonly sort?: Sort;
  /** Give the command's whole reply. Default false. */
  readonly includeResultMetadata?: boolean;
}
export interface FindOneAndReplaceOptions extends FindOneAndDeleteOptions, Validated {
  readonly returnDocument?: ReturnDocument;
  readonly upsert?: boolean;
}
export interface FindOneAndUpdateOptions extends FindOneAndReplaceOptions {
  readonly arrayFilters?: readonly Document[];
}
export type FindOneAndOptions = FindOneAndUpdateOptions;

export interface AggregateOptions
  extends ReadOptions,
    WriteConcernOptions,
    Validated,
    Chosen,
    Variables,
    ExplainOptions,
    CursorTimeout {
  readonly allowDiskUse?: boolean;
  readonly batchSize?: number;
  readonly cursor?: { readonly batchSize?: number };
  readonly maxAwaitTimeMS?: number;
  /** A collection for the results, as a last stage `$out` would name it. */
  readonly out?: string;
}
export interface CountDocumentsOptions extends ReadOptions, Chosen, Variables {
  readonly limit?: number;
  readonly skip?: number;
  readonly allowDiskUse?: boolean;
}
export interface CountOptions extends ReadOptions, Chosen {
  readonly limit?: number;
  readonly skip?: number;
}
export type EstimatedDocumentCountOptions = ReadOptions;
export interface DistinctOptions extends ReadOptions, Chosen, ExplainOptions {}

export interface CreateIndexesOptions extends WriteOptions {
  readonly commitQuorum?: number | string;
}
/** An index's properties besides its key, as `createIndexes` takes them. */
export interface IndexOptions {
  readonly name?: string;
  readonly unique?: boolean;
  readonly sparse?: boolean;
  readonly hidden?: boolean;
  readonly background?: boolean;
  readonly expireAfterSeconds?: number;
  readonly partialFilterExpression?: Document;
  readonly collation?: CollationOptions;
  readonly wildcardProjection?: Document;
  readonly version?: number;
}
export interface CreateIndexOptions extends CreateIndexesOptions, IndexOptions {}
export interface IndexDescription extends Omit<IndexOptions, "version"> {
  readonly key: Document | ReadonlyMap<string, unknown>;
}
export interface ListIndexesOptions extends CommandOperationOptions, CursorTimeout {
  readonly batchSize?: number;
}
export interface IndexInformationOptions extends ListIndexesOptions {
  /** Give the indexes themselves, and not their keys by their names. */
  readonly full?: boolean;
}
export type DropIndexesOptions = WriteOptions;
export type DropCollectionOptions = WriteOptions;
export type DropDatabaseOptions = WriteOptions;
export interface RenameOptions extends WriteOptions {
  /** Drop a collection that has the new name. Default false. */
  readonly dropTarget?: boolean;
}
export interface ListCollectionsOptions extends CommandOperationOptions, CursorTimeout {
  readonly batchSize?: number;
  readonly nameOnly?: boolean;
  readonly authorizedCollections?: boolean;
}
export interface CreateCollectionOptions extends CommandOperationOptions, DbOptions {
  readonly capped?: boolean;
  readonly size?: number;
  readonly max?: number;
  readonly validator?: Document;
  readonly validationLevel?: string;
  readonly validationAction?: string;
  readonly viewOn?: string;
  readonly pipeline?: readonly Document[];
  readonly collation?: CollationOptions;
  readonly clusteredIndex?: Document;
  readonly expireAfterSeconds?: number;
}
export type RunCommandOptions = OperationOptions;
export interface RunCursorCommandOptions extends OperationOptions, CursorTimeout {}
export interface ValidateCollectionOptions extends CommandOperationOptions {
  readonly background?: boolean;
  readonly full?: boolean;
}
export interface DbStatsOptions extends CommandOperationOptions {
  readonly scale?: number;
}
export interface ListDatabasesOptions extends CommandOperationOptions {
  readonly filter?: Document;
  readonly nameOnly?: boolean;
  readonly authorizedDatabases?: boolean;
}
export interface ChangeStreamOptions extends ReadOptions {
  readonly batchSize?: number;
  readonly maxAwaitTimeMS?: number;
  readonly collation?: CollationOptions;
  readonly fullDocument?: string;
  readonly fullDocumentBeforeChange?: string;
  readonly resumeAfter?: unknown;
  readonly startAfter?: unknown;
  readonly startAtOperationTime?: unknown;
  readonly showExpandedEvents?: boolean;
}
export interface ClientBulkWriteOptions extends WriteOptions, Validated, Variables {
  /** Stop at the first error. Default true. */
  readonly ordered?: boolean;
  /** Have the reply hold the result of every single write. Default false. */
  readonly verboseResults?: boolean;
}
