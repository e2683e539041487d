/**
 * The content of a link: the reader's scripts and, when wanted, collections as a script which inserts their documents.
 * So the reader who opens the link sees the script before running it.
 *
 * Invariants: the script made from a collection drops nothing and names every type; a collection that is too large is
 * refused, never cut.
 */
import type { Document } from "bson";
import { encodeShared, type SharedScript } from "../share/encode.ts";
import { ask, cursorOf, type Commander } from "./data/ask.ts";
import { wordValue } from "./wording.ts";

/** Characters of a link at most; beyond a few thousand some programs cut them. */
export const longestLink = 32_000;
export const comfortableLink = 8_000;
/** Documents of a collection that a link may carry. */
export const mostSharedDocuments = 200;

/** A collection with too many documents for a link. */
export class TooMany extends Error {
  readonly collection: string;
  constructor(collection: string) {
    super(collection);
    this.name = "TooMany";
    this.collection = collection;
  }
}

/** A script that makes collections as they are now: their documents and their indexes. */
export async function dataScript(
  commander: Commander,
  database: string,
  collections: readonly string[],
  title: string,
): Promise<string> {
  const parts = [`// ${title}\nuse ${database}`];
  for (const name of collections) {
    const reference = /^[A-Za-z]\w*$/.test(name) ? `db.${name}` : `db.getCollection(${JSON.stringify(name)})`;
    const { documents, id } = cursorOf(
      await ask(commander, database, {
        find: name,
        batchSize: mostSharedDocuments + 1,
        limit: mostSharedDocuments + 1,
      }),
    );
    if (documents.length > mostSharedDocuments || id !== 0n) throw new TooMany(name);
    if (documents.length > 0) parts.push(`${reference}.insertMany(${wordValue(documents)})`);
    const indexes = cursorOf(await ask(commander, database, { listIndexes: name })).documents;
    for (const index of indexes) parts.push(...wordIndex(reference, index));
  }
  return `${parts.join("\n")}\n`;
}

function wordIndex(reference: string, index: Document): readonly string[] {
  if (index["name"] === "_id_") return [];
  const options = Object.fromEntries(
    Object.entries(index).filter(([name]) => name !== "v" && name !== "key" && name !== "ns"),
  );
  return [`${reference}.createIndex(${wordValue(index["key"])}, ${wordValue(options)})`];
}

/** The link to a page that opens these scripts. */
export async function linkTo(page: string, scripts: readonly SharedScript[]): Promise<string> {
  return page.replace(/#.*$/s, "") + (await encodeShared({ scripts }));
}
