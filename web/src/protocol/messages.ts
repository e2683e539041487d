/**
 * The messages between the page and the worker that holds the engine.
 *
 * Invariants: every request carries an `id` and gets exactly one response with that `id`, in the order of their
 * requests as far as commands are answered at once; events carry none. Documents cross as BSON bytes whose buffers are
 * transferred, never as cloned objects; the page decodes the documents it shows. Only `client/` sends requests and only
 * `worker/` answers them.
 */
import type { Act, Acted, Travel, Travelled } from "./moments.ts";
import type { DeploymentState } from "./state.ts";
import type { RunOptions, RunOutcome, RunProgress } from "./run.ts";

/** Which deployment (a set of databases kept together) a worker opens. */
export interface Deployment {
  /** Names the IndexedDB database, the Web Lock and the BroadcastChannel. */
  readonly name: string;
  /** `indexeddb` keeps the data, and is an error where it cannot; `memory` never stores. */
  readonly storage: "indexeddb" | "memory";
  /**
   * Where the deployment cannot be opened in IndexedDB, open an empty one in memory, whose state says why: for a page
   * that shows the state to a person.
   */
  readonly orMemory?: boolean;
  /** How long the browser may take to open the stored deployment, in milliseconds; default 30 000. */
  readonly patienceMillis?: number;
  /** How many bytes of memory the engine may have in use; its own default when absent. */
  readonly maxMemoryBytes?: number;
  /** How long a command may be, where the message that it came in was measured; else 48 000 000 bytes. */
  readonly mostBytes?: number;
  /** What the deployment presents itself as; the only member of a replica set when absent. */
  readonly topology?: "replicaSet" | "standalone";
  /**
   * Open a copy in memory of every document that can be read from a stored deployment, which may be damaged. Nothing
   * may be changed there.
   */
  readonly salvage?: boolean;
  /**
   * With `salvage`, and where something was lost: that copy takes the place of all that is stored first, in one
   * transaction. Moments are not among it.
   */
  readonly repair?: boolean;
}

/** Where the worker finds the WebAssembly files and the prelude; absolute URLs. */
export interface WorkerAssets {
  readonly engineWasm: string;
  readonly sandboxWasm: string;
  /** The languages of text indexes, fetched when one is first used. */
  readonly languagesWasm: string;
  /** The worker's part for scripts, where the worker cannot name it (`pkg/runner-part.ts`). */
  readonly runner?: string;
  /** The prelude's image (`start/prelude-image.ts`), where one is to be kept for later visits. */
  readonly preludeImage?: string;
}

export type Request =
  | {
      readonly kind: "open";
      readonly deployment: Deployment;
      readonly assets: WorkerAssets;
      /** A blob URL that exists: a worker that can see it can also see one go. */
      readonly probeUrl: string | null;
    }
  | {
      readonly kind: "run";
      readonly source: string;
      readonly options: RunOptions;
      /** A blob URL which the page revokes to ask the script to stop; null where blobs cannot be polled. */
      readonly stopUrl: string | null;
    }
  /** Stores a slice of another worker's script. */
  | { readonly kind: "store"; readonly deployment: string; readonly engineWasm: string; readonly slice: Uint8Array }
  /**
   * One BSON command (with `$db`) that is long or may be aborted; the reply's bytes come back. Like a script it has a
   * blob URL, where it may be aborted. Others travel as `Commands`.
   */
  | { readonly kind: "command"; readonly bytes: Uint8Array; readonly stopUrl?: string | null }
  /** A change whose moments are to be kept. */
  | { readonly kind: "act"; readonly act: Act }
  /** Undoes or redoes. */
  | { readonly kind: "travel"; readonly travel: Travel }
  | { readonly kind: "status" }
  /** Waits until everything acknowledged so far is stored, or has failed to be. */
  | { readonly kind: "flush" }
  | { readonly kind: "close" };

/** The answer to each kind of request. */
export interface Answers {
  readonly open: DeploymentState;
  readonly run: RunOutcome;
  readonly store: null;
  readonly command: Uint8Array;
  readonly act: Acted;
  readonly travel: Travelled;
  readonly status: DeploymentState;
  readonly flush: DeploymentState;
  readonly close: null;
}

export type RequestKind = Request["kind"];

/** A request on its way: `id` pairs it with its response. */
export type RequestMessage = Request & { readonly id: number };

/**
 * Blob URLs that tell a busy worker whether a slice it lent was stored: the page revokes the one or the other. See
 * `worker/slices.ts`.
 */
export interface SliceSignals {
  readonly stored: string;
  readonly failed: string;
}

/** Tells the worker, once it listens again, whether a slice was stored. It is no request and gets no answer. */
export interface SliceSettled {
  readonly kind: "slice-settled";
  readonly number: number;
  readonly stored: boolean;
}

/**
 * Gives the worker the engine's compiled code, for which it waits; null: it fetches the code itself. Gets no answer.
 */
export interface EngineCode {
  readonly kind: "engine-code";
  readonly module: WebAssembly.Module | null;
}

/**
 * Says that a script is about to be run, so that the sandbox is fetched while the deployment still opens. Gets no
 * answer.
 */
export interface RunSoon {
  readonly kind: "run-soon";
}

/** Commands that were asked for in one task (`packet.ts`); each is answered as a request of its own. */
export interface Commands {
  readonly kind: "commands";
  readonly packet: Uint8Array;
}

/** Every message from a page to its worker. */
export type ToWorker = RequestMessage | Commands | SliceSettled | EngineCode | RunSoon;

export type ResponseMessage =
  /**
   * Replies to commands that are ready in one task (`packet.ts`), and how many packets of commands were begun since the
   * last such message.
   */
  | { readonly kind: "answers"; readonly packet: Uint8Array; readonly taken: number }
  | { readonly kind: "answer"; readonly id: number; readonly answer: Answers[RequestKind] }
  | { readonly kind: "failure"; readonly id: number; readonly name: string; readonly message: string };

/** Messages that the worker sends unasked, also while a script is running: posting does not wait. */
export type EventMessage =
  /** The worker's module has loaded and takes requests. */
  | { readonly kind: "ready" }
  /** Lines a running script printed, and how far it is; sent at most every 50 ms. */
  | { readonly kind: "progress"; readonly id: number; readonly progress: RunProgress }
  | { readonly kind: "state"; readonly state: DeploymentState }
  /** A running script's writes since its last slice; the page has another worker store them. */
  | { readonly kind: "slice"; readonly number: number; readonly slice: Uint8Array; readonly signals: SliceSignals }
  /** Another tab committed: the view may be old. */
  | { readonly kind: "changed"; readonly sequence: number };

export type WorkerMessage = ResponseMessage | EventMessage;
