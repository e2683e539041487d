/**
 * `EngineClient` and `QuireClient`: the only way a page talks to the engine's worker, in bytes, and in objects besides.
 *
 * Invariants: commands are run in the order in which they were sent, many at once on their way; a script runs alone; a
 * client whose worker was ended by Stop opens the same deployment again before it answers the next request.
 */
import type { Document } from "bson";
import type { Deployment, WorkerAssets } from "../protocol/messages.ts";
import type { Act, Acted, Travel, Travelled } from "../protocol/moments.ts";
import type { Early } from "../start/early.ts";
import type { DeploymentState } from "../protocol/state.ts";
import type { RunOptions, RunOutcome, RunProgress, ScriptCursor } from "../protocol/run.ts";

/** The events of a client, with their data. */
export interface QuireClientEvents {
  /** Mode, saved or unsaved, clock: something in the state changed. */
  readonly state: DeploymentState;
  /** Another tab wrote to the same deployment; views read again. */
  readonly changed: { readonly sequence: number };
}

/** One batch of a cursor, decoded with the types kept (`Int32`, `Double`, `Long` and so on). */
export interface CursorBatch {
  readonly documents: readonly Document[];
  readonly namespace: string;
  /** 0n when the cursor is exhausted. */
  readonly cursorId: bigint;
  /** How many more documents the command's limit lets come; absent where it has none. */
  readonly left?: number;
  /** The engine's counters for the command that gave this batch, where they were asked for (`quireObserve`). */
  readonly observed?: Document;
}

/** A script under way. */
export interface ScriptRun {
  readonly outcome: Promise<RunOutcome>;
  /** Asks the script to end; its outcome then carries a `ScriptStopped` error. */
  stop(): void;
}

export interface DatabaseSummary {
  readonly name: string;
  readonly sizeOnDisk: number;
  readonly empty: boolean;
}

export interface CollectionSummary {
  readonly name: string;
  readonly type: "collection" | "view" | "timeseries";
  /** The options as `listCollections` gives them. */
  readonly options: Document;
  readonly count: number;
  readonly sizeBytes: number;
  readonly storageBytes: number;
  readonly capped: boolean;
  readonly indexes: readonly IndexSummary[];
}

export interface IndexSummary {
  readonly name: string;
  readonly key: Document;
  readonly unique: boolean;
  readonly sparse: boolean;
  readonly partial: boolean;
  readonly hidden: boolean;
  /** The TTL in seconds; null when the index expires nothing. */
  readonly expireAfterSeconds: number | null;
  readonly sizeBytes: number;
}

/** The engine in its worker, in bytes. */
export interface EngineClient {
  readonly state: DeploymentState;
  on<Name extends keyof QuireClientEvents>(name: Name, listener: (event: QuireClientEvents[Name]) => void): () => void;
  /** Runs a script. `onProgress` gets printed lines as they come; the outcome holds only the rest. */
  run(source: string, options: RunOptions, onProgress?: (progress: RunProgress) => void): ScriptRun;
  /**
   * Runs one command given as BSON bytes (the buffer is transferred); the reply may be an error reply, `Interrupted`
   * once the signal is aborted.
   */
  commandBytes(command: Uint8Array, signal?: AbortSignal): Promise<Uint8Array>;
  /** Does a change that is no script, and keeps its moments; the command's buffer is transferred. */
  act(act: Act): Promise<Acted>;
  /** Undoes or redoes; rejects where the states cannot be read or kept. */
  travel(travel: Travel): Promise<Travelled>;
  /** Waits until all that was acknowledged is stored, or has failed to be; the state then tells which. */
  stored(): Promise<DeploymentState>;
  close(): Promise<void>;
}

/** The engine with its replies as objects, for a page that shows them. */
export interface QuireClient extends EngineClient {
  /** Runs one command on a database; rejects with `CommandFailure` when the reply is not ok. */
  command(database: string, command: Document): Promise<Document>;
  /** The first batch of a script's cursor. */
  firstBatch(cursor: ScriptCursor): CursorBatch;
  /** The next batch. With `observed` it has the engine's counters for its `getMore`. */
  more(batch: CursorBatch, batchSize?: number, observed?: boolean): Promise<CursorBatch>;
  listDatabases(): Promise<readonly DatabaseSummary[]>;
  listCollections(database: string): Promise<readonly CollectionSummary[]>;
}

export interface OpenOptions {
  readonly deployment: Deployment;
  /** Resolves when a script is about to be run, maybe before the deployment is open: the sandbox is fetched then. */
  readonly firstRun?: Promise<void>;
  /** A worker which opens the deployment already; Stop puts another in its place. */
  readonly early?: Early | null;
  /** Makes the worker; the default starts this package's own. */
  readonly createWorker?: () => Worker;
  /** Where the WebAssembly files are; the default is beside this package's own. */
  readonly assets?: WorkerAssets;
}

/** The shape of `openClient` in `client/reading.ts`: rejects only when no engine could be had at all. */
export type OpenClient = (options: OpenOptions) => Promise<QuireClient>;
