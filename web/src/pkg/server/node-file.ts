/**
 * An open file of Node's as the engine reads and writes it.
 *
 * Reads and writes end in the system's cache and do not wait, so that a command can read a page in its midst; a sync
 * waits for the disk, and other commands run meanwhile.
 */
import { fdatasync, fstatSync, ftruncateSync, readSync, writeSync } from "node:fs";
import type { EngineFile } from "../../engine/bindings.ts";

export function nodeFile(descriptor: number): EngineFile {
  return {
    length: () => fstatSync(descriptor).size,
    read: (at, bytes) => readSync(descriptor, bytes, 0, bytes.length, at),
    write: (at, bytes) => writeSync(descriptor, bytes, 0, bytes.length, at),
    sync: () =>
      new Promise((resolve, reject) => {
        fdatasync(descriptor, (error) => (error === null ? resolve() : reject(error)));
      }),
    truncate: (length) => ftruncateSync(descriptor, length),
  };
}
