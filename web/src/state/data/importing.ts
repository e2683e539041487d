/**
 * Files into collections: read as a stream, turned into documents, inserted in batches.
 *
 * Invariants: no more of a file is held than a batch or two; between two batches the page gets its turn; a document
 * that is refused is told with its line or number, and those before it stay, as with mongoimport. A broken line of JSON
 * outside an array loses itself alone. Stopping ends after the batch under way.
 */
import type { Document } from "bson";
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";
import type { Commander } from "./ask.ts";
import { ByteReader, nextDocument } from "./bytes.ts";
import { CodecError } from "../../codec/error.ts";
import { RowSplitter, rowsOf, type CsvRow } from "./csv-rows.ts";
import { CellError, columnsOf, delimiterOf, headerFault, rowDocument, type CsvColumn } from "./csv.ts";
import { Inserter, type ImportFailure, type InsertJob } from "./inserter.ts";
import { JsonSplitter, parsePiece, type JsonPiece } from "./json-stream.ts";
import { LineError } from "./line-error.ts";
import { beginning, textsOf, uncut } from "./texts.ts";

export const importFormats = ["json", "csv", "bson"] as const;
export type ImportFormat = (typeof importFormats)[number];

export interface ImportJob extends InsertJob {
  readonly file: File;
  readonly format: ImportFormat;
  /** The columns of a table, in order; read only where `format` is `csv`. */
  readonly columns: readonly CsvColumn[];
}

export interface ImportOutcome {
  readonly inserted: number;
  readonly failed: number;
  /** The first failures, `keptFailures` of them at most; `failed` counts all. */
  readonly failures: readonly ImportFailure[];
  /** False where the import was stopped, or ended at a failure after which nothing can be read. */
  readonly complete: boolean;
}

/** The most characters of a refused document that are kept to be shown. */
const keptLost = 64 * 1024;
/** Bytes at a file's beginning from which its format and a preview are made. */
const headBytes = 128 * 1024;

/** Rows of a table from which its columns' types are seen. */
const sampleRows = 200;

/** The file's bytes, unpacked where it was packed by gzip. `count` hears how many were read. */
export async function unpacked(file: File, count: (bytes: number) => void): Promise<ReadableStream<Uint8Array>> {
  const counted = file.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        count(chunk.length);
        controller.enqueue(chunk);
      },
    }),
  );
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  return head[0] === 0x1f && head[1] === 0x8b ? counted.pipeThrough(new DecompressionStream("gzip")) : counted;
}

/** The format of a file, by its name's ending; where that is none of them, by its first bytes. */
export function formatOf(name: string, head: Uint8Array): ImportFormat {
  const plain = name.replace(/\.gz$/i, "");
  if (/\.bson$/i.test(plain)) return "bson";
  if (/\.(csv|tsv|tab)$/i.test(plain)) return "csv";
  if (/\.(json|jsonl|ndjson|ejson)$/i.test(plain)) return "json";
  const length = head.length < 4 ? 0 : new DataView(head.buffer, head.byteOffset, 4).getInt32(0, true);
  if (length >= 5 && length < 1 << 24 && head.indexOf(0) >= 0) return "bson";
  return /^[\s\ufeff]*[[{]/.test(new TextDecoder().decode(head)) ? "json" : "csv";
}

/** A file's name as the name of a collection. */
export function collectionNameOf(name: string): string {
  return (
    name
      .replace(/^.*[\\/]/, "")
      .replace(/\.gz$/i, "")
      .replace(/\.\w+$/, "")
      .replace(/[^\w.-]+/g, "_")
      .replace(/^system\./, "") || "imported"
  );
}

/** The preview of a file before it is imported. */
export interface ImportPreview {
  readonly format: ImportFormat;
  readonly columns: readonly CsvColumn[];
  /** The first rows of a table as they stand in the file. */
  readonly rows: readonly (readonly string[])[];
  /** The first documents of a file that is no table. */
  readonly documents: readonly Document[];
  readonly failure: LineError | Error | null;
}

/** Looks at the beginning of a file; `format` is the reader's choice, or null to have it found out. */
export async function look(file: File, format: ImportFormat | null): Promise<ImportPreview> {
  const reader = new ByteReader(await unpacked(file, () => undefined));
  const head = await reader.peek(headBytes);
  await reader.cancel();
  const seen = format ?? formatOf(file.name, head);
  const documents: Document[] = [];
  let columns: readonly CsvColumn[] = [];
  let rows: readonly (readonly string[])[] = [];
  let failure: Error | null = null;
  try {
    if (seen === "bson") {
      const bytes = new ByteReader(new Blob([head as Uint8Array<ArrayBuffer>]).stream());
      for (
        let next = await nextDocument(bytes);
        next !== null && documents.length < 3;
        next = await nextDocument(bytes)
      )
        documents.push(decode(next, { numbers: "typed" }));
    } else {
      const isWhole = head.length < headBytes;
      const { text, failure: mistake } = await beginning(isWhole ? head : uncut(head));
      failure = mistake;
      if (seen === "json") {
        for (const piece of new JsonSplitter().push(text)) {
          if (documents.length === 3) break;
          // A broken line is told in the preview only where no document follows it: those that follow are imported.
          const document = documentOf(piece);
          if (document instanceof LineError) failure ??= document;
          else documents.push(document);
        }
        if (documents.length > 0) failure = mistake;
      } else {
        const found = rowsOf(text, delimiterOf(text), isWhole);
        const [header] = found;
        // Without its header a table cannot be read.
        if (header instanceof LineError) failure ??= header;
        else {
          const data = found.flatMap((row) => (row instanceof LineError ? [] : [row.cells]));
          columns = columnsOf(data[0] ?? [], data.slice(1, sampleRows));
          rows = data.slice(1, 5);
          if (rows.length === 0) failure ??= found.find((row) => row instanceof LineError) ?? null;
        }
      }
    }
  } catch (error) {
    // A document that goes on beyond the preview is no mistake.
    if (error instanceof LineError || (documents.length === 0 && head.length < headBytes)) failure = error as Error;
  }
  return { format: seen, columns, rows, documents, failure };
}

/** Rows as they would be imported: documents, or their mistakes. */
export function rowsAs(
  rows: readonly (readonly string[])[],
  columns: readonly CsvColumn[],
): readonly (Document | CellError)[] {
  return rows.flatMap((row) => {
    try {
      return rowDocument(row, columns) ?? [];
    } catch (error) {
      if (error instanceof CellError) return error;
      throw error;
    }
  });
}

/**
 * Imports a file. Rejects only for failures that concern no single document: the file cannot be read, or the engine is
 * not there.
 */
export async function importFile(commander: Commander, job: ImportJob): Promise<ImportOutcome> {
  const inserter = new Inserter(commander, job);
  const stream = await unpacked(job.file, (bytes) => (inserter.bytesRead += bytes));
  let complete = true;
  try {
    if (job.format === "json") await readJson(stream, inserter);
    else if (job.format === "bson") await readBson(stream, inserter);
    else await readCsv(stream, inserter, job.columns);
  } catch (error) {
    // After a mistake in the array's own brackets the documents that follow cannot be told apart.
    if (!(error instanceof LineError)) throw error;
    await inserter.failText(error);
    complete = false;
  }
  await inserter.finish();
  const { inserted, failed, failures } = inserter;
  return { inserted, failed, failures, complete: complete && !inserter.done };
}

/** The document of a piece, or the error that says why it is none. */
function documentOf(piece: JsonPiece | LineError): Document | LineError {
  if (piece instanceof LineError) return piece;
  try {
    return parsePiece(piece);
  } catch (error) {
    if (error instanceof LineError) return error;
    throw error;
  }
}

async function readJson(stream: ReadableStream<Uint8Array>, inserter: Inserter): Promise<void> {
  const splitter = new JsonSplitter();
  const take = async (pieces: readonly (JsonPiece | LineError)[]): Promise<void> => {
    for (const piece of pieces) {
      if (inserter.done) return;
      const document = documentOf(piece);
      if (document instanceof LineError && document.final) throw document;
      if (document instanceof LineError) await inserter.failText(document);
      else await add(inserter, document, piece as JsonPiece);
    }
  };
  await textsOf(stream, inserter, (text) => take(splitter.push(text)));
  if (!inserter.done) await take(splitter.end());
}

/** Adds a document of a text, or tells why BSON cannot hold it. */
async function add(
  inserter: Inserter,
  document: Document,
  { line, text }: { readonly line: number; readonly text: string },
): Promise<void> {
  let bytes: Uint8Array;
  try {
    bytes = encode(document);
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    return inserter.failText(new LineError(line, "value", { shown: error.message, lost: text.slice(0, keptLost) }));
  }
  await inserter.add(bytes, line);
}

async function readBson(stream: ReadableStream<Uint8Array>, inserter: Inserter): Promise<void> {
  const reader = new ByteReader(stream);
  for (let number = 1; !inserter.done; number += 1) {
    let document: Uint8Array | null;
    try {
      document = await nextDocument(reader);
      if (document !== null) decode(document);
    } catch (error) {
      throw new LineError(number, "bson", { shown: error instanceof Error ? error.message : String(error) });
    }
    if (document === null) return;
    await inserter.add(document, number);
  }
  await reader.cancel();
}

async function readCsv(
  stream: ReadableStream<Uint8Array>,
  inserter: Inserter,
  columns: readonly CsvColumn[],
): Promise<void> {
  const fault = headerFault(columns);
  if (fault !== null) throw fault;
  let splitter: RowSplitter | null = null;
  let begun = "";
  let isHeader = true;
  const take = async (rows: readonly (CsvRow | LineError)[]): Promise<void> => {
    for (const row of rows) {
      if (inserter.done) return;
      if (row instanceof LineError) {
        // Without the header no row can be read.
        if (row.final || isHeader) throw row;
        await inserter.failText(row);
      } else if (isHeader) isHeader = false;
      else await takeRow(row);
    }
  };
  const takeRow = async (row: CsvRow): Promise<void> => {
    let document: Document | null;
    try {
      document = rowDocument(row.cells, columns);
    } catch (error) {
      if (!(error instanceof CellError)) throw error;
      const { fault: name, shown, right } = error;
      return inserter.failText(new LineError(row.line, name, { shown, right, lost: row.text.slice(0, keptLost) }));
    }
    if (document !== null) await add(inserter, document, row);
  };
  await textsOf(stream, inserter, async (text) => {
    begun += text;
    // The header tells the delimiter.
    if (splitter === null && !/[\r\n]/.test(begun)) return;
    splitter ??= new RowSplitter(delimiterOf(begun));
    const more = begun;
    begun = "";
    await take(splitter.push(more));
  });
  if (inserter.done) return;
  const last = splitter ?? new RowSplitter(delimiterOf(begun));
  await take(last.push(begun));
  if (!inserter.done) await take(last.end());
}
