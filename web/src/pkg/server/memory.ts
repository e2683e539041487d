/** A server's engine in memory. */
import { MAX_JOINED_BYTES } from "../../wire/msg.ts";
import { keep } from "../stored.ts";
import type { ServedEngine } from "./served.ts";
import type { ThreadSettings } from "./thread-messages.ts";

/** Opens an empty deployment. */
export async function openMemory({ engine, topology, maxMemoryBytes }: ThreadSettings): Promise<ServedEngine> {
  const kept = await keep("memory", {
    topology,
    maxMemoryBytes,
    storage: "memory",
    source: () => engine,
    // The message was measured, and the positions of an array that was a sequence are no part of it.
    mostBytes: MAX_JOINED_BYTES,
  });
  return { command: kept.run, close: kept.close };
}
