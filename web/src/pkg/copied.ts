/**
 * Files that the package's program writes for its user: their contents alone are those of the package's.
 *
 * Invariant: what is written can be written again. An installed package may be read-only (a store of packages, a
 * container), and a copy that had its rights could be neither changed nor brought up to date.
 */
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";

/** Writes a file with the contents of another; makes the folders above it. */
export async function copyContents(from: string, to: string): Promise<void> {
  await mkdir(path.dirname(to), { recursive: true });
  await writeFile(to, await readFile(from));
}

/** All files below a folder, by their paths from it, with `/`. */
export async function filesBelow(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir(folder, { recursive: true }))
    if ((await stat(path.join(folder, name))).isFile()) found.push(name.replaceAll(path.sep, "/"));
  return found.sort();
}
