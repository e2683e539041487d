/**
 * Files of the disk as the readers of the playground take them, and what its writers give as files of the disk.
 *
 * Invariants: a file is read as it is needed and never as a whole; a file is written beside its place and then put
 * there, so that a file of this name is whole.
 */
import { createWriteStream, openAsBlob, rmSync } from "node:fs";
import { mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ImportPart } from "../../state/data/dump-files.ts";
import type { GivenFile } from "../../state/model.ts";

/** Why parts cannot be restored: a file that is none of mongodump's would be read as a table. Null when they can. */
export function unfit(parts: readonly ImportPart[]): string | null {
  const table = parts.find(({ source }) => source.kind === "file" && source.format === "csv");
  return table === undefined ? null : `${table.label} is no archive, and no file of BSON or JSON`;
}

async function given(file: string, shown: string): Promise<GivenFile> {
  return { file: new File([await openAsBlob(file)], path.basename(file)), path: shown };
}

/** A file, or all files of a folder with their paths below it; `-` is the standard input. */
export async function filesAt(place: string): Promise<GivenFile[]> {
  if (place === "-") return [await fromInput()];
  if (!(await stat(place)).isDirectory()) return [await given(place, path.basename(place))];
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const folder = path.basename(path.resolve(place));
  return Promise.all(
    names.sort().map((name) => given(name, [folder, ...path.relative(place, name).split(path.sep)].join("/"))),
  );
}

/** The standard input as a file: readers go through a file more than once. It is gone when the program ends. */
async function fromInput(): Promise<GivenFile> {
  const folder = await mkdtemp(path.join(tmpdir(), "quiredb-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "input");
  await pipeline(process.stdin, createWriteStream(file, { mode: 0o600 }));
  return given(file, "input");
}

/** Writes pieces into a file, or to the standard output where the file is `-`. */
export async function writeTo(file: string, pieces: AsyncIterable<Uint8Array | string>): Promise<void> {
  if (file === "-") {
    await pipeline(Readable.from(pieces), process.stdout, { end: false });
    return;
  }
  const draft = `${file}.part`;
  try {
    await pipeline(Readable.from(pieces), createWriteStream(draft, { flush: true }));
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
