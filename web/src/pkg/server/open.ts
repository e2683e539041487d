/** Opens the engine of a server: in memory, or over a file. */
import type { ServedAs } from "../../engine/served.ts";
import { MAX_JOINED_BYTES } from "../../wire/msg.ts";
import { keep } from "../stored.ts";
import { openDataFile } from "./data-file.ts";
import type { ServedEngine } from "./served.ts";
import type { ThreadSettings } from "./thread-messages.ts";

export async function open(
  { engine, topology, maxMemoryBytes, data }: ThreadSettings,
  served: ServedAs,
): Promise<ServedEngine> {
  const options = {
    topology,
    maxMemoryBytes,
    source: () => engine,
    // The message was measured, and the positions of an array that was a sequence are no part of it.
    mostBytes: MAX_JOINED_BYTES,
    served,
  };
  if (data !== undefined) return openDataFile(data, options);
  const kept = await keep("memory", { ...options, storage: "memory" });
  return { command: kept.run, close: kept.close };
}
