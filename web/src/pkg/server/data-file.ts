/**
 * A deployment in one file (docs/data-file.md): the engine of this thread over the file's pages, for a server.
 *
 * The same `Keeper` as in a page, so that one policy says when something is written: `worker/flushing.ts`. Invariants:
 * the file is locked before it is read and until it is closed; a reply to a command that asked for its journal comes
 * when the file has it on stable storage, or says that it has not.
 */
import { closeSync, fsyncSync, openSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { ServedAs } from "../../engine/served.ts";
import type { Topology } from "../../engine/topology.ts";
import { keep } from "../stored.ts";
import { lockDataFile, type FileLock } from "./file-lock.ts";
import { nodeFile } from "./node-file.ts";
import type { ServedEngine } from "./served.ts";

export interface DataFileOptions {
  /** The engine's clock: milliseconds since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** How many bytes of memory the engine may have in use; pages beyond are read again when they are needed. */
  readonly maxMemoryBytes?: number | undefined;
  readonly topology?: Topology | undefined;
  /** Where the engine's code is; default: beside the package's modules. */
  readonly source?: (() => unknown) | undefined;
  /** How long a command may be, in bytes. */
  readonly mostBytes?: number | undefined;
  /** The server that it is opened for. */
  readonly served?: ServedAs | undefined;
}

/**
 * Opens all that can be read of a damaged file, as a copy in memory that `quireSalvage` tells of. The file is only
 * read, and locked meanwhile, since a server that writes would change it.
 */
export async function openDamagedDataFile(path: string, options: DataFileOptions = {}): Promise<ServedEngine> {
  let [lock, descriptor]: [FileLock | null, number | null] = [null, null];
  try {
    const place = realpathSync(path);
    checkKind(place);
    lock = lockDataFile(place);
    descriptor = openSync(place, "r");
    const kept = await keep(path, { ...options, file: nodeFile(descriptor), salvage: true });
    return { command: kept.run, close: kept.close };
  } catch (error) {
    throw naming(path, error);
  } finally {
    if (descriptor !== null) closeSync(descriptor);
    lock?.release();
  }
}

/** Opens or makes the file; a new one's name is on stable storage then. */
function openedFile(path: string): number {
  try {
    return openSync(path, "r+");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const descriptor = openSync(path, "wx+", 0o600);
  try {
    const folder = openSync(dirname(path), "r");
    fsyncSync(folder);
    closeSync(folder);
  } catch {
    // Not every system lets a folder be opened.
  }
  return descriptor;
}

/** The file's one name, which its lock goes by. */
function oneName(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return join(realpathSync(dirname(path)), basename(path));
  }
}

/** Refuses what keeps no bytes, such as a device: what is written there is gone, and a pipe never opens. */
function checkKind(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return;
  throw Object.assign(new Error(found.isDirectory() ? "it is a folder" : "it is no plain file"), { code: "NotAFile" });
}

/** The error with the file's name before its words. */
function naming(path: string, error: unknown): Error {
  const { name, message, code } = error as NodeJS.ErrnoException;
  const named = Object.assign(new Error(`${path}: ${message}`, { cause: error }), { code: code ?? name });
  named.name = name;
  return named;
}

/**
 * Opens the deployment in a file, or begins one in a new file. Rejects where another process has it open, and where the
 * file is damaged at its beginning or is of another kind: `code` is the name of the server's code then.
 */
export async function openDataFile(path: string, options: DataFileOptions = {}): Promise<ServedEngine> {
  let lock: FileLock | null = null;
  let descriptor: number | null = null;
  const letGo = (): void => {
    if (descriptor !== null) closeSync(descriptor);
    lock?.release();
    descriptor = null;
    lock = null;
  };
  try {
    const place = oneName(path);
    checkKind(place);
    lock = lockDataFile(place);
    descriptor = openedFile(place);
    const kept = await keep(path, { ...options, file: nodeFile(descriptor) });
    return {
      command: kept.run,
      async close() {
        try {
          const reason = await kept.unsaved();
          await kept.close();
          if (reason !== null) throw new Error(`${path}: not everything is stored: ${reason}`);
        } finally {
          letGo();
        }
      },
    };
  } catch (error) {
    letGo();
    throw naming(path, error);
  }
}
