/**
 * Archives on disk, of the form that the playground exports and mongodump writes: into a served deployment and out of
 * it.
 *
 * Invariants: the readers and writers are the playground's own; an archive is written beside its place and then put
 * there, so that a file of this name is whole.
 */
import { createWriteStream, openAsBlob, renameSync, rmSync } from "node:fs";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeStream } from "node:stream/web";
import type { Commander } from "../../state/data/ask.ts";
import { gather } from "../../state/data/dump-files.ts";
import { archived, type DumpProgress } from "../../state/data/dumping.ts";
import { restore, type RestoreOutcome, type RestoreProgress } from "../../state/data/restoring.ts";
import type { ServedEngine } from "./served.ts";

export interface ImportOptions {
  /** The database of files that name none; default `test`. */
  readonly database?: string;
  /** Drop collections of the same names first. */
  readonly drop?: boolean;
  readonly signal?: AbortSignal;
  progress?(now: RestoreProgress): void;
}

export interface ExportOptions {
  /** The database to export; all of them by default. */
  readonly database?: string;
  readonly gzip?: boolean;
  readonly signal?: AbortSignal;
  progress?(now: DumpProgress): void;
}

const commander = (engine: ServedEngine): Commander => ({
  commandBytes: (command) => Promise.resolve(engine.command(command)),
});

/**
 * Imports an archive, or a file of documents. Each outcome tells what was refused of a collection; rejects where the
 * file cannot be read.
 */
export async function importArchive(
  engine: ServedEngine,
  path: string,
  options: ImportOptions = {},
): Promise<readonly RestoreOutcome[]> {
  const file = new File([await openAsBlob(path)], basename(path));
  const { parts, faults } = await gather([{ file, path }], options.database ?? "test");
  const [fault] = faults;
  if (fault !== undefined) throw new Error(`${path} cannot be read: ${wordOf(fault.error)}`, { cause: fault.error });
  return restore(commander(engine), {
    targets: parts.map((part) => ({ part, database: part.database, collection: part.collection })),
    drop: options.drop ?? false,
    stopAtFirst: false,
    signal: options.signal ?? new AbortController().signal,
    progress: (now) => options.progress?.(now),
  });
}

/** Exports every collection, or those of one database, as an archive; rejects where it was stopped. */
export async function exportArchive(engine: ServedEngine, path: string, options: ExportOptions = {}): Promise<void> {
  const signal = options.signal ?? new AbortController().signal;
  const archive = archived(commander(engine), {
    database: options.database ?? null,
    gzip: options.gzip ?? false,
    signal,
    progress: (now) => options.progress?.(now),
  });
  const draft = `${path}.part`;
  try {
    await pipeline(Readable.fromWeb(archive as NodeStream), createWriteStream(draft, { flush: true }), { signal });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

const wordOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
