/**
 * The files of a drop, and the place that they would go to. They are taken while the event lasts, since the browser
 * forgets them afterwards.
 *
 * Invariant: nothing is read here, which keeps it small enough for the page's first download; `data/given-files.ts`
 * reads the files.
 */

export interface Dropped {
  readonly files: readonly File[];
  /** An entry for each file and each folder; null where a page's script made the drop. */
  readonly entries: readonly (FileSystemEntry | null)[];
}

/** The files and folders of a drop. */
export function dropped(transfer: DataTransfer | null): Dropped {
  return {
    files: [...(transfer?.files ?? [])],
    entries: [...(transfer?.items ?? [])].filter(({ kind }) => kind === "file").map((item) => item.webkitGetAsEntry()),
  };
}

/** The database and collection that a file would be imported to; an empty `collection` is named after the file. */
export interface DropPlace {
  readonly database: string;
  readonly collection: string;
}

/** The place under the pointer: a collection or a database of the list, and otherwise the database in use. */
export function placeUnder(event: DragEvent, inUse: string): DropPlace {
  for (const element of event.composedPath())
    if (element instanceof HTMLElement && element.dataset["dropDatabase"] !== undefined)
      return { database: element.dataset["dropDatabase"], collection: element.dataset["dropCollection"] ?? "" };
  return { database: inUse, collection: "" };
}
