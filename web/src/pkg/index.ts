/**
 * `quiredb`: `MongoClient` in the Node driver's shape, and the BSON types.
 *
 * Invariants: in browsers the engine runs in a worker of its own, or in this thread where that is asked for, and keeps
 * its data in IndexedDB; in Node it runs in this thread and in memory. Clients of one address share a deployment in
 * memory, which goes with the last of them; those of one that is stored each have an engine of their own over it.
 */
import { MISSING, WorkerFailure } from "../client/channel.ts";
import { openEngine } from "../client/open.ts";
import { makeDecoder } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import { MongoClient as DriverClient, type MongoClientOptions } from "../driver/client.ts";
import type { Transport } from "../driver/connection.ts";
import { readClient } from "../driver/address.ts";
import { MongoInvalidArgumentError, MongoServerSelectionError } from "../driver/errors.ts";
import { openSalvaged } from "../state/data/salvage-source.ts";
import type { Salvaged } from "../state/data/salvaging.ts";
import { WORKER_HINT } from "./defaults.ts";
import { openInMemory } from "./in-memory.ts";
import { hasWorkers, isBrowser } from "./realm.ts";
import { SharedEngines } from "./shared.ts";

/** The settings of a deployment in memory: its first client chooses them for all. */
type Settings = {
  readonly [Name in "now" | "maxMemoryBytes" | "thread" | "topology"]: MongoClientOptions[Name] | undefined;
};
/** The engines in memory, by deployment. */
const shared = new SharedEngines<Settings>();

async function openInWorker(
  name: string,
  storage: "indexeddb" | "memory",
  { maxMemoryBytes, topology, serverSelectionTimeoutMS: patienceMillis }: MongoClientOptions,
): Promise<Transport> {
  const client = await openEngine({
    deployment: {
      name,
      storage,
      ...(maxMemoryBytes === undefined ? {} : { maxMemoryBytes }),
      ...(topology === undefined ? {} : { topology }),
      ...(patienceMillis === undefined ? {} : { patienceMillis }),
    },
  }).catch((error: unknown) => {
    if (error instanceof WorkerFailure && error.name === MISSING) throw new Error(`${error.message}; ${WORKER_HINT}`);
    throw error;
  });
  const decoder = makeDecoder();
  return {
    run: (database, command, codec, signal) =>
      client
        .commandBytes(encode({ ...command, $db: database }, codec), signal)
        .then((reply) => decoder.decode(reply, codec)),
    close: () => client.close(),
  };
}

async function openInThread(
  name: string,
  storage: "indexeddb" | "memory",
  { now, maxMemoryBytes, topology, serverSelectionTimeoutMS: patienceMillis }: MongoClientOptions,
): Promise<Transport> {
  if (storage === "indexeddb") {
    // The code that keeps data is fetched only here: it is as large as the rest of this module.
    const { openStoredHere } = await import("./stored.ts");
    return openStoredHere(name, { now, maxMemoryBytes, topology, patienceMillis });
  }
  return openInMemory({
    ...(now === undefined ? {} : { now }),
    ...(maxMemoryBytes === undefined ? {} : { maxMemoryBytes }),
    ...(topology === undefined ? {} : { topology }),
  });
}

async function openDeployment(name: string, options: MongoClientOptions): Promise<Transport> {
  const { now, maxMemoryBytes, thread, topology } = options;
  const { storage = isBrowser() ? "indexeddb" : "memory" } = options;
  if (storage === "indexeddb" && typeof indexedDB === "undefined") throw new Error("there is no IndexedDB here");
  if (thread === "worker" && !hasWorkers())
    throw new MongoInvalidArgumentError('thread cannot be "worker" here: no worker of this package can be started');
  const place = thread ?? (hasWorkers() ? "worker" : "this");
  const make = (): Promise<Transport> => {
    if (place === "this") return openInThread(name, storage, options);
    if (now !== undefined)
      throw new MongoInvalidArgumentError("now is for an engine in this thread, and this one is in a worker");
    return openInWorker(name, storage, options);
  };
  if (storage === "indexeddb") return make();
  return shared.open(
    name,
    { now, maxMemoryBytes, thread: place, topology },
    async () => make(),
    (first) => {
      if (thread !== undefined && thread !== first.thread)
        throw new MongoInvalidArgumentError(`the deployment "${name}" is open already, in another thread`);
      if (maxMemoryBytes !== undefined && maxMemoryBytes !== first.maxMemoryBytes)
        throw new MongoInvalidArgumentError(`the deployment "${name}" is open already, with another maxMemoryBytes`);
      if (topology !== undefined && topology !== (first.topology ?? "replicaSet"))
        throw new MongoInvalidArgumentError(`the deployment "${name}" is open already, with another topology`);
      if (now !== undefined && now !== first.now)
        throw new MongoInvalidArgumentError(`the deployment "${name}" is open already, with another clock`);
    },
  );
}

/** A client of one deployment: `new MongoClient("quire://shop")`. */
export class MongoClient extends DriverClient {
  constructor(address = "quire://test", options: MongoClientOptions = {}) {
    super(openDeployment, address, options);
  }

  /** A client that is connected: `new MongoClient(address, options)`, then `connect()`. */
  static async connect(address?: string, options?: MongoClientOptions): Promise<MongoClient> {
    return new MongoClient(address, options).connect();
  }

  /**
   * Reads all that can be read of a stored deployment that is damaged. The stored pages are left as they are; with
   * `repair`, and where something was lost, what was read takes their place, in one transaction. Rejects with
   * `MongoServerSelectionError` where nothing is stored, or nothing of this format, or the repair cannot be stored.
   */
  static async salvage(address: string, { repair = false }: { readonly repair?: boolean } = {}): Promise<Salvaged> {
    const { deployment } = readClient(address, {});
    try {
      if (typeof indexedDB === "undefined") throw new Error("there is no IndexedDB here");
      const { salvage } = await import("../state/data/salvaging.ts");
      if (hasWorkers()) return await salvage(await openSalvaged(deployment, repair));
      const { openSalvagedHere } = await import("./stored.ts");
      return await salvage(await openSalvagedHere(deployment, repair));
    } catch (error) {
      throw new MongoServerSelectionError(
        `the deployment "${deployment}" cannot be salvaged: ${error instanceof Error ? error.message : String(error)}`,
        error,
      );
    }
  }
}

export type { ClientBulkWriteModel, MongoClientOptions, ServerApi } from "../driver/client.ts";
export type {
  CommandFailedEvent,
  CommandStartedEvent,
  CommandSucceededEvent,
  MongoClientEventName,
  MongoClientEvents,
  MongoClientListener,
} from "../driver/monitoring.ts";
export { Admin, Db } from "../driver/database.ts";
export type { Salvaged } from "../state/data/salvaging.ts";
export type {
  ClientBulkWriteError,
  ClientBulkWriteResult,
  ClientDeleteResult,
  ClientInsertOneResult,
  ClientUpdateResult,
} from "../shell/client-bulk.ts";
export {
  Collection,
  type DeleteResult,
  type IndexKeys,
  type InsertManyResult,
  type InsertOneResult,
  type ModifyResult,
  type UpdateResult,
} from "../driver/collection.ts";
export type * from "../driver/option-types.ts";
export type * from "../driver/schema-types.ts";
export { ChangeStream } from "../driver/change-stream.ts";
export type {
  ChangeStreamEventName,
  ChangeStreamEvents,
  ChangeStreamListener,
} from "../driver/change-stream.ts";
export { ClientSession, Transaction } from "../driver/session.ts";
export {
  AbstractCursor,
  AggregationCursor,
  FindCursor,
  ListCollectionsCursor,
  ListIndexesCursor,
  RunCommandCursor,
} from "../driver/cursor.ts";
export { BulkWriteResult, WriteConcernError, WriteError } from "../driver/bulk-result.ts";
export {
  BulkOperationBase,
  FindOperators,
  OrderedBulkOperation,
  UnorderedBulkOperation,
} from "../driver/bulk-operation.ts";
export { ReadConcern, ReadPreference, WriteConcern } from "../driver/concerns.ts";
export * from "../driver/constants.ts";
export {
  GridFSBucket,
  GridFSBucketReadStream,
  GridFSBucketWriteStream,
  type GridFSBucketOptions,
  type GridFSBucketReadStreamOptions,
  type GridFSBucketReadStreamOptionsWithRevision,
  type GridFSBucketWriteStreamOptions,
  type GridFSChunk,
  type GridFSFile,
} from "../driver/gridfs.ts";
export type { ReadableOf, WritableBytes } from "../driver/streams.ts";
export type { Sort, SortDirection } from "../shell/sort.ts";
export type { IndexDirection, IndexSpecification } from "../shell/index-key.ts";
export {
  MongoAPIError,
  MongoBatchReExecutionError,
  MongoBulkWriteError,
  MongoChangeStreamError,
  MongoClientBulkWriteError,
  MongoClientClosedError,
  MongoCompatibilityError,
  MongoCursorExhaustedError,
  MongoCursorInUseError,
  MongoDecompressionError,
  MongoDriverError,
  MongoError,
  MongoExpiredSessionError,
  MongoGridFSChunkError,
  MongoGridFSStreamError,
  MongoInvalidArgumentError,
  MongoMissingCredentialsError,
  MongoMissingDependencyError,
  MongoNetworkError,
  MongoNetworkTimeoutError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoParseError,
  MongoRuntimeError,
  MongoServerClosedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoStalePrimaryError,
  MongoSystemError,
  MongoTailableCursorError,
  MongoTopologyClosedError,
  MongoTransactionError,
  MongoUnexpectedServerResponseError,
  MongoWriteConcernError,
} from "../driver/errors.ts";
export { decode, type DecodeOptions, type NumberMode } from "../codec/decode.ts";
export { encode, type EncodeOptions } from "../codec/encode.ts";
export { CodecError } from "../codec/error.ts";
export {
  BSON,
  BSONError,
  BSONRegExp,
  BSONSymbol,
  BSONType,
  Binary,
  Code,
  DBRef,
  Decimal128,
  Double,
  EJSON,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  UUID,
  type Document,
} from "bson";
