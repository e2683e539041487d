/**
 * `quiredb repair FILE OUT`: all that can be read of a damaged data file, in a new one.
 *
 * The engine's salvage finds the documents, the readers and writers of dumps carry them over. Invariants: the damaged
 * file is only read; a file that is there is not written over; the number returned is the exit code: 0 where nothing
 * was lost, 1 where something was, which is told, 2 where nothing could be read or written.
 */
import { existsSync } from "node:fs";
import { gather } from "../../state/data/dump-files.ts";
import { restore } from "../../state/data/restoring.ts";
import { salvage } from "../../state/data/salvaging.ts";
import { openDamagedDataFile, openDataFile } from "../server/data-file.ts";
import type { ServedEngine } from "../server/served.ts";
import { PlaceError } from "./driver-place.ts";
import type { Tell } from "./transfer.ts";
import { readWords, type Read } from "./words.ts";

export const REPAIR_USAGE = `quiredb repair FILE OUT

Reads all that can be read of a damaged data file of \`quiredb serve\`, and writes it into the new data file OUT:
collections with their options, indexes and views. Documents whose collection is not known any more come into
collections of the database lost. The damaged file is not changed. It takes memory for about twice the file.

Exit code: 0 nothing was lost, 1 something was, and is told, 2 nothing could be read.`;

export interface RepairOptions {
  readonly from: string;
  readonly to: string;
}

/** Reads the words behind `repair`; a text instead says why they are wrong. */
export function readRepairOptions(words: readonly string[]): Read<RepairOptions> {
  return readWords(words, {}, ([from, to, ...others]) => {
    if (from === undefined || to === undefined) return "a damaged file and a new one are asked for";
    return others.length > 0 ? `${others[0]} is a word too many` : { from, to };
  });
}

const ARCHIVE = "salvaged.archive.gz";

const opened = (opening: Promise<ServedEngine>): Promise<ServedEngine> =>
  opening.catch((error: unknown) => {
    throw new PlaceError(error instanceof Error ? error.message : String(error));
  });

export async function repair({ from, to }: RepairOptions, tell: Tell): Promise<0 | 1 | 2> {
  if (existsSync(to)) throw new PlaceError(`${to} is there already: the repaired file is a new one`);
  const damaged = await opened(openDamagedDataFile(from));
  const { archive, documents, lost } = await salvage({
    commandBytes: async (command) => damaged.command(command),
    close: () => damaged.close(),
  });
  for (const loss of lost) tell(`lost: ${loss}\n`);
  if (archive === null) {
    tell(`${from}: no document could be read\n`);
    return 2;
  }
  const { parts } = await gather([{ file: new File([archive], ARCHIVE), path: ARCHIVE }], "lost");
  const whole = await opened(openDataFile(to));
  let problems = 0;
  try {
    const outcomes = await restore(
      { commandBytes: async (command) => whole.command(command) },
      {
        targets: parts.map((part) => ({ part, database: part.database, collection: part.collection })),
        drop: false,
        stopAtFirst: false,
        signal: new AbortController().signal,
        progress: () => undefined,
      },
    );
    for (const { target, failures, problems: told } of outcomes)
      for (const problem of [...told, ...failures.map(({ message }) => message)]) {
        tell(`lost: ${target.database}.${target.collection}: ${problem}\n`);
        problems += 1;
      }
  } finally {
    await whole.close();
  }
  tell(`${documents} documents of ${from} are in ${to}\n`);
  return lost.length + problems === 0 ? 0 : 1;
}
