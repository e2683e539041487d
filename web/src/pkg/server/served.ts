/** What a server stands in front of: an engine in memory, or one whose pages are in a file. */
import type { StopWatch } from "../../worker/stop.ts";

export interface ServedEngine {
  /**
   * Runs one command, in BSON with its `$db`, and gives the reply; never throws for bytes that are no command. A reply
   * that waits for data (`awaitData`) holds no other command up. `watch` ends the command.
   */
  command(bytes: Uint8Array, watch?: StopWatch | null): Uint8Array | Promise<Uint8Array>;
  /** Stores what is to be stored, and gives everything back. */
  close(): Promise<void>;
}
