/**
 * Documents as a file: a whole collection batch by batch, or those of a result; an array's elements too, which need not
 * be documents.
 *
 * Invariants: a collection is read by one cursor, so that the file holds one moment of it; BSON goes out as the
 * bytes it is stored as; a table has a column for every path there is, found in a reading of its own.
 */
import type { Document } from "bson";
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";
import { extendedText } from "../extended-text.ts";
import { isNested, partsOf, typeOf, wordCell } from "../values.ts";
import { judged, type Commander } from "./ask.ts";
import { batchDocuments } from "./bytes.ts";

export const exportFormats = ["json", "ndjson", "csv", "bson"] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ExportOptions {
  readonly format: ExportFormat;
  /** Every number's type is written, at the price of longer text. */
  readonly canonical: boolean;
  /** The source's documents hold an element each (`elementsSource`), and the elements are written. */
  readonly elements?: boolean;
  readonly signal: AbortSignal;
  progress(documents: number): void;
}

/** Gives the documents to export, batch by batch as BSON bytes; each call begins anew. */
export type Source = (signal: AbortSignal) => AsyncIterable<readonly Uint8Array[]>;

/** Documents in a batch: few enough that the page gets its turn between two. */
const batchSize = 1000;

/** All documents of a collection, or those that a filter finds. */
export function collectionSource(
  commander: Commander,
  database: string,
  collection: string,
  filter: Document = {},
): Source {
  return async function* (signal) {
    let bytes = await commander.commandBytes(encode({ find: collection, filter, batchSize, $db: database }));
    for (;;) {
      const id = BigInt(String((judged(bytes)["cursor"] as Document)["id"]));
      yield batchDocuments(bytes);
      if (id === 0n) return;
      if (signal.aborted) {
        await commander.commandBytes(encode({ killCursors: collection, cursors: [id], $db: database }));
        return;
      }
      bytes = await commander.commandBytes(encode({ getMore: id, collection, batchSize, $db: database }));
    }
  };
}

/** Documents that are at hand. */
export function documentsSource(documents: readonly Document[]): Source {
  return async function* () {
    for (let at = 0; at < documents.length; at += batchSize) {
      yield documents.slice(at, at + batchSize).map((document) => encode(document));
      await new Promise((resolve) => setTimeout(resolve));
    }
  };
}

/** The elements of an array, each as the `value` of a document. */
export function elementsSource(elements: readonly unknown[]): Source {
  return documentsSource(elements.map((value) => ({ value })));
}

/** The pieces of a file, each the documents of a batch; they end early when it was stopped. */
export async function* exported(
  source: Source,
  options: ExportOptions,
): AsyncGenerator<string | readonly Uint8Array<ArrayBuffer>[], void, void> {
  const { signal } = options;
  const columns = options.format === "csv" ? await pathsOf(source, options) : [];
  let written = 0;
  if (options.format === "json") yield "[";
  if (options.format === "csv") yield line(columns);
  for await (const batch of source(signal)) {
    if (signal.aborted) return;
    if (options.format === "bson") yield batch as readonly Uint8Array<ArrayBuffer>[];
    else {
      let text = "";
      for (const bytes of batch) {
        const document = decode(bytes, { numbers: "typed" });
        if (options.format === "csv") text += line(cells(rowOf(document, options), columns));
        else {
          const whole: unknown = options.elements === true ? document["value"] : document;
          const worded = extendedText(whole, { canonical: options.canonical });
          text +=
            options.format === "ndjson" ? `${worded}\n` : `${written === 0 && text === "" ? "\n" : ",\n"}${worded}`;
        }
      }
      yield text;
    }
    written += batch.length;
    options.progress(written);
  }
  if (options.format === "json") yield "\n]\n";
}

/** Writes a file; null when it was stopped. */
export async function exportFile(source: Source, options: ExportOptions): Promise<Blob | null> {
  const parts: Blob[] = [];
  // A blob's bytes are the browser's to keep, on disk where they are many.
  for await (const piece of exported(source, options))
    parts.push(new Blob(typeof piece === "string" ? [piece] : [...piece]));
  return options.signal.aborted
    ? null
    : new Blob(parts, { type: options.format === "bson" ? "application/octet-stream" : "text/plain;charset=utf-8" });
}

async function pathsOf(source: Source, options: ExportOptions): Promise<readonly string[]> {
  const paths = new Set<string>();
  for await (const batch of source(options.signal))
    for (const bytes of batch)
      flatten(rowOf(decode(bytes, { numbers: "typed" }), options), "", (path) => paths.add(path));
  return [...paths];
}

/** The document of a line of a table: an element of an array that is no document gets one cell, called `value`. */
function rowOf(document: Document, { elements }: ExportOptions): Document {
  const value: unknown = document["value"];
  return elements === true && typeOf(value) === "Object" ? (value as Document) : document;
}

/** Every value that is a cell of its own, with its dotted path. */
function flatten(document: Document, prefix: string, take: (path: string, value: unknown) => void): void {
  for (const [name, value] of partsOf(document)) {
    if (typeOf(value) === "Object" && partsOf(value as Document).length > 0)
      flatten(value as Document, `${prefix}${name}.`, take);
    else take(prefix + name, value);
  }
}

function cells(document: Document, columns: readonly string[]): readonly string[] {
  const values = new Map<string, unknown>();
  flatten(document, "", (path, value) => values.set(path, value));
  return columns.map((path) => {
    const value = values.get(path);
    if (value === undefined || value === null) return "";
    return isNested(value)
      ? extendedText(value)
      : typeOf(value) === "Binary"
        ? (value as { toString(encoding: "base64"): string }).toString("base64")
        : wordCell(value);
  });
}

function line(texts: readonly string[]): string {
  return (
    `${texts.map((text) => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(",")}` +
    "\n"
  );
}
