/**
 * An archive on disk of a served deployment, of the form that the playground exports and mongodump writes.
 *
 * Invariants: the writer is the playground's own; an archive is written beside its place and then put there, so that a
 * file of this name is whole.
 */
import { createWriteStream, renameSync, rmSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { archived, type DumpProgress } from "../../state/data/dumping.ts";
import type { ServedEngine } from "./served.ts";

export interface ExportOptions {
  /** The database to export; all of them by default. */
  readonly database?: string;
  readonly gzip?: boolean;
  readonly signal?: AbortSignal;
  progress?(now: DumpProgress): void;
}

/** Exports every collection, or those of one database, as an archive; rejects where it was stopped. */
export async function exportArchive(engine: ServedEngine, path: string, options: ExportOptions = {}): Promise<void> {
  const signal = options.signal ?? new AbortController().signal;
  const archive = archived(
    { commandBytes: (command) => Promise.resolve(engine.command(command)) },
    {
      database: options.database ?? null,
      gzip: options.gzip ?? false,
      signal,
      progress: (now) => options.progress?.(now),
    },
  );
  const draft = `${path}.part`;
  try {
    await pipeline(Readable.fromWeb(archive as NodeStream), createWriteStream(draft, { flush: true }), { signal });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
