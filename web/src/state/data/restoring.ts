/**
 * Imports the parts of files: makes each collection as it was, inserts its documents, then makes its indexes, as
 * mongorestore does.
 *
 * Invariants: an archive is read once, whichever parts are taken; a part that fails leaves the others their turn;
 * documents inserted before a failure stay and are told.
 */
import type { Document } from "bson";
import { ArchiveFault, ArchiveReader } from "./archive/archive-reader.ts";
import { ask, cursorOf, Refusal, type Commander } from "./ask.ts";
import type { ImportPart } from "./dump-files.ts";
import { importFile, look, unpacked } from "./importing.ts";
import { Inserter, type ImportFailure } from "./inserter.ts";

/** A part, and where it goes. */
export interface RestoreTarget {
  readonly part: ImportPart;
  readonly database: string;
  readonly collection: string;
}

export interface RestoreProgress {
  readonly inserted: number;
  readonly failed: number;
  readonly bytesRead: number;
  /** Parts that are done. */
  readonly done: number;
}

export interface RestoreJob {
  readonly targets: readonly RestoreTarget[];
  /** Drop collections of these names first. */
  readonly drop: boolean;
  readonly stopAtFirst: boolean;
  readonly signal: AbortSignal;
  progress(now: RestoreProgress): void;
}

/** The outcome of a part: the documents that were inserted or refused, and its problems. */
export interface RestoreOutcome {
  readonly target: RestoreTarget;
  readonly inserted: number;
  readonly failed: number;
  readonly failures: readonly ImportFailure[];
  /** Indexes made. */
  readonly indexes: number;
  /**
   * Problems beside refused documents: a refused index, a collection that could not be made, a damaged archive.
   */
  readonly problems: readonly unknown[];
  readonly complete: boolean;
}

const namespaceNotFound = 26;

/** A part on its way. */
class Restored {
  readonly target: RestoreTarget;
  readonly inserter: Inserter;
  readonly problems: unknown[] = [];
  indexes = 0;
  /** The collection is there, and its documents may come. */
  open = false;
  complete = false;

  constructor(commander: Commander, job: RestoreJob, target: RestoreTarget, tell: () => void) {
    this.target = target;
    this.inserter = new Inserter(commander, {
      database: target.database,
      collection: target.collection,
      stopAtFirst: job.stopAtFirst,
      signal: job.signal,
      progress: tell,
    });
  }

  /** Makes the collection, unless it is there. */
  async begin(commander: Commander, drop: boolean): Promise<void> {
    const { database, collection, part } = this.target;
    try {
      if (drop) {
        try {
          await ask(commander, database, { drop: collection });
        } catch (error) {
          if (!(error instanceof Refusal) || error.code !== namespaceNotFound) throw error;
        }
      }
      const { documents } = cursorOf(
        await ask(commander, database, { listCollections: 1, filter: { name: collection } }),
      );
      if (part.metadata !== null && (documents.length === 0 || part.metadata.type === "view"))
        await ask(commander, database, { create: collection, ...part.metadata.options });
      this.open = true;
    } catch (error) {
      this.problems.push(error);
    }
  }

  /** Makes the indexes; one that is refused does not keep the others from being made. */
  async end(commander: Commander): Promise<void> {
    const { database, collection, part } = this.target;
    await this.inserter.finish();
    if (!this.open || this.inserter.done) return;
    for (const { ns: _ns, v: _v, ...index } of part.metadata?.indexes ?? []) {
      if (index["name"] === "_id_") continue;
      try {
        await ask(commander, database, { createIndexes: collection, indexes: [index as Document] });
        this.indexes += 1;
      } catch (error) {
        this.problems.push(
          new Error(`${String(index["name"])}: ${error instanceof Error ? error.message : String(error)}`),
        );
      }
    }
    this.complete = true;
  }
}

/** Imports all; rejects only when the engine is not there or a file cannot be read at all. */
export async function restore(commander: Commander, job: RestoreJob): Promise<readonly RestoreOutcome[]> {
  const all: Restored[] = [];
  const before = new Map<File, number>();
  let done = 0;
  const tell = (): void => {
    let [inserted, failed, bytesRead] = [0, 0, 0];
    for (const { inserter } of all) {
      inserted += inserter.inserted;
      failed += inserter.failed;
    }
    for (const bytes of before.values()) bytesRead += bytes;
    job.progress({ inserted, failed, bytesRead, done });
  };
  for (const target of job.targets) all.push(new Restored(commander, job, target, tell));
  const stopped = (): boolean => job.signal.aborted || all.some(({ inserter }) => inserter.ended);
  const count = (file: File) => (bytes: number) => void before.set(file, (before.get(file) ?? 0) + bytes);
  const ended = async (one: Restored): Promise<void> => {
    await one.end(commander);
    done += 1;
    tell();
  };

  // Views come last: their sources are there then.
  const order = [...all].sort(
    (left, right) =>
      Number(left.target.part.source.kind === "nothing") - Number(right.target.part.source.kind === "nothing"),
  );
  const archives = new Set<File>();
  for (const one of order) {
    if (stopped()) break;
    const { source } = one.target.part;
    if (source.kind === "archive") {
      if (archives.has(source.file)) continue;
      archives.add(source.file);
      await restoreArchive(
        commander,
        job,
        source.file,
        all.filter(({ target: { part } }) => part.source.kind === "archive" && part.source.file === source.file),
        { count: count(source.file), stopped, ended },
      );
      continue;
    }
    await one.begin(commander, job.drop);
    if (one.open && source.kind === "file")
      await restoreFile(commander, job, one, source, (bytes) => {
        before.set(source.file, bytes);
        tell();
      });
    await ended(one);
  }
  return all.map(({ target, inserter: { inserted, failed, failures }, indexes, problems, complete }) => ({
    target,
    inserted,
    failed,
    failures,
    indexes,
    problems,
    complete,
  }));
}

async function restoreFile(
  commander: Commander,
  job: RestoreJob,
  one: Restored,
  { file, format }: { readonly file: File; readonly format: Parameters<typeof look>[1] & string },
  read: (bytes: number) => void,
): Promise<void> {
  const { database, collection } = one.target;
  const { inserter } = one;
  try {
    const { columns } = await look(file, format);
    const outcome = await importFile(commander, {
      file,
      format,
      database,
      collection,
      columns,
      stopAtFirst: job.stopAtFirst,
      signal: job.signal,
      progress(now) {
        inserter.inserted = now.inserted;
        inserter.failed = now.failed;
        read(now.bytesRead);
      },
    });
    inserter.inserted = outcome.inserted;
    inserter.failed = outcome.failed;
    inserter.failures.push(...outcome.failures);
    if (!outcome.complete && !job.signal.aborted) one.open = false;
    if (job.stopAtFirst && outcome.failed > 0) inserter.ended = true;
  } catch (error) {
    one.open = false;
    one.problems.push(error);
  }
}

interface Around {
  readonly count: (bytes: number) => void;
  readonly stopped: () => boolean;
  readonly ended: (one: Restored) => Promise<void>;
}

async function restoreArchive(
  commander: Commander,
  job: RestoreJob,
  file: File,
  parts: readonly Restored[],
  { count, stopped, ended }: Around,
): Promise<void> {
  const wanted = new Map(
    parts.map((one) => [one.target.part.source.kind === "archive" ? one.target.part.source.namespace : "", one]),
  );
  const begun = new Set<Restored>();
  const reader = new ArchiveReader(await unpacked(file, count));
  let number = 0;
  try {
    await reader.prelude();
    for await (const { namespace, document } of reader.items()) {
      if (stopped()) break;
      const one = wanted.get(namespace);
      if (one === undefined) continue;
      if (!begun.has(one)) {
        begun.add(one);
        await one.begin(commander, job.drop);
      }
      if (document === null) await ended(one);
      else if (one.open) await one.inserter.add(document, (number += 1));
    }
  } catch (error) {
    if (!(error instanceof ArchiveFault)) throw error;
    const hurt = parts.filter(({ complete }) => !complete);
    for (const one of hurt) {
      if (error.namespace === "" || wanted.get(error.namespace) === undefined || wanted.get(error.namespace) === one)
        one.problems.push(error);
      await one.inserter.finish();
    }
    // A fault in a collection that was not asked for means that the others may not be whole either.
    if (hurt.length === 0) parts.at(-1)?.problems.push(error);
  } finally {
    await reader.cancel();
  }
  if (stopped()) for (const one of parts) if (!one.complete) await one.inserter.finish();
}
