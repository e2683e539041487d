/**
 * The files of a file field or of a drop, folders walked through.
 *
 * Invariant: files whose name begins with a dot are the system's and left out.
 */
import type { GivenFile } from "../../state/model.ts";
import type { Dropped } from "../dropped.ts";

/** The chosen files, with their paths where a folder was chosen. */
export function chosenFiles(files: FileList | null): readonly GivenFile[] {
  return shownOnly(
    [...(files ?? [])].map((file) => ({
      file,
      path: file.webkitRelativePath === "" ? file.name : file.webkitRelativePath,
    })),
  );
}

/** The dropped files. */
export async function droppedFiles({ files, entries }: Dropped): Promise<readonly GivenFile[]> {
  const found: GivenFile[] = [];
  // A drop that a script made has files and no entries.
  if (entries.some((entry) => entry === null)) found.push(...files.map((file) => ({ file, path: file.name })));
  else for (const entry of entries) if (entry !== null) await walk(entry, found);
  return shownOnly(found);
}

const shownOnly = (files: readonly GivenFile[]): readonly GivenFile[] =>
  files.filter(({ file }) => !file.name.startsWith("."));

async function walk(entry: FileSystemEntry, found: GivenFile[]): Promise<void> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    found.push({ file, path: entry.fullPath.replace(/^\//, "") });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // A folder's entries come a hundred at a time.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return;
    for (const inner of some) await walk(inner, found);
  }
}
