/** What the thread of the sockets and the thread of the engine say to one another. */
import type { Topology } from "../../engine/topology.ts";

/** How the engine is opened. */
export interface ThreadOptions {
  readonly topology?: Topology | undefined;
  readonly maxMemoryBytes?: number | undefined;
  /** The file that keeps the data; without one they are in memory. */
  readonly data?: string | undefined;
}

export interface ThreadSettings extends ThreadOptions {
  /** Compiled once for all threads. */
  readonly engine: WebAssembly.Module;
  /** A byte for each command at work: not 0 where it is to end. */
  readonly stops: SharedArrayBuffer;
}

export type ToThread =
  | { readonly id: number; readonly slot: number; readonly bytes: Uint8Array }
  /** The command's byte is set: a reply that is held back has to go. */
  | { readonly stop: number }
  /** The host and the port where the server listens; undefined: nowhere any more. */
  | { readonly name: string | undefined }
  | { readonly close: true };

export type FromThread =
  /** The engine is open, or could not be opened. */
  | { readonly open: null | { readonly message: string; readonly code?: string | undefined } }
  | { readonly id: number; readonly reply: Uint8Array }
  | { readonly id: number; readonly failed: string }
  /** All is stored and given back, or why it is not. */
  | { readonly closed: string | null };
