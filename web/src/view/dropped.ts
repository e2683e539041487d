/**
 * What a drop holds, taken hold of while its event lasts: the browser forgets it afterwards.
 *
 * Invariant: nothing is read here, so that it can be in what the page needs at once; `data/given-files.ts` reads it.
 */

export interface Dropped {
  readonly files: readonly File[];
  /** As many as there are files and folders; null where a script made the drop. */
  readonly entries: readonly (FileSystemEntry | null)[];
}

/** The files and folders of a drop. */
export function dropped(transfer: DataTransfer | null): Dropped {
  return {
    files: [...(transfer?.files ?? [])],
    entries: [...(transfer?.items ?? [])].filter(({ kind }) => kind === "file").map((item) => item.webkitGetAsEntry()),
  };
}
