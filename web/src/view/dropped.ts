/**
 * What a drop holds, taken hold of while its event lasts: the browser forgets it afterwards; and where it would go.
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

/** Where a file would be imported to; an empty collection is one that is named after the file. */
export interface DropPlace {
  readonly database: string;
  readonly collection: string;
}

/** What is under the pointer: a collection or a database of the list, and otherwise the database in use. */
export function placeUnder(event: DragEvent, inUse: string): DropPlace {
  for (const element of event.composedPath())
    if (element instanceof HTMLElement && element.dataset["dropDatabase"] !== undefined)
      return { database: element.dataset["dropDatabase"], collection: element.dataset["dropCollection"] ?? "" };
  return { database: inUse, collection: "" };
}
