/**
 * The state of an open deployment as the page shows it: where it is kept and whether it is saved.
 *
 * Invariant: `saved` is true only when everything the engine acknowledged has been confirmed by storage;
 * a deployment in memory is never `saved`.
 */

/** Where the deployment's pages are. */
export type DeploymentMode =
  /** Kept on the device: in IndexedDB, or by a server in a file. */
  | "indexeddb"
  /** Kept in this tab only; gone with it. */
  | "memory"
  /**
   * Kept in IndexedDB or a file, which has no room for the last writes: commands that free room are allowed, and saving
   * is tried again by itself.
   */
  | "full"
  /** Storage failed for good: reads and export work, writes are refused. */
  | "read-only";

/** Writes that were acknowledged without their journal and are gone. */
export interface Loss {
  /** `displaced`: another tab took over while this one was held up. `broken`: the engine ended in a trap. */
  readonly how: "displaced" | "broken";
  /** How often it happened since the deployment was opened. */
  readonly times: number;
}

export interface DeploymentState {
  readonly name: string;
  readonly mode: DeploymentMode;
  /** Why the mode is not the one asked for, worded for a person; null when it is. */
  readonly reason: string | null;
  /** The stored data could not be opened because it is damaged: it can be salvaged. */
  readonly damaged: boolean;
  /** Acknowledged writes that were lost all the same; null where none were. */
  readonly lost: Loss | null;
  readonly saved: boolean;
  /** The sequence number of the last commit that storage confirmed; 0 in memory. */
  readonly sequence: number;
  /** Bytes the engine holds in memory. */
  readonly memoryBytes: number;
  /** Bytes the pages take, all databases together. */
  readonly pageBytes: number;
  /** How far the virtual clock is ahead of the host's, in milliseconds. */
  readonly clockOffsetMillis: number;
  /** False where Stop must end the worker and reopen, because a blob URL cannot be polled. */
  readonly gentleStop: boolean;
}
