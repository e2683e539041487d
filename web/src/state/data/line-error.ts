/**
 * A mistake in a file of text, at its line. Invariant: the words are in the message tables, by the fault; `message` is
 * the same in the words of a log.
 */
import type { CsvFault } from "./csv.ts";
import type { JsonFault } from "./json-stream.ts";

export type TextFileFault =
  | JsonFault
  | CsvFault
  /** The file holds no text: a picture, a program, an archive. */
  | "binary"
  /** The text is not in UTF-8. */
  | "encoding"
  /** A document of a file of BSON that cannot be read; `shown` says why. */
  | "bson"
  /** A value that BSON cannot hold; `shown` says which. */
  | "value";

const messages: Readonly<Record<TextFileFault, (shown: string, right: string) => string>> = {
  unexpected: (shown) => `Unexpected ${shown}`,
  bracket: (shown) => `${shown} closes nothing that is open here`,
  quote: (shown) => `The line ends inside the text ${shown}`,
  document: () => "Unexpected end inside a document",
  array: () => "Unexpected end of the file inside an array",
  long: () => "The document is too long",
  wording: (shown, right) => `${shown} is no such value${right === "" ? "" : `; it is written ${right}`}`,
  beside: (shown, right) => `${shown} has names beside ${right}`,
  wide: (shown, right) => `No number holds ${shown}${right === "" ? "" : `; it may be written ${right}`}`,
  twice: (shown) => `The name ${shown} is there twice`,
  deep: () => "Documents are nested too deeply",
  bareQuote: () => 'bare " in non-quoted-field',
  strayQuote: () => 'extraneous " in field',
  openQuote: () => "The quote that opens here is never closed",
  row: () => "The row is too long",
  cell: (shown, right) => `${shown} is no ${right}`,
  cells: (shown, right) => `${shown} cells under ${right} headings`,
  identical: (shown) => `fields cannot be identical: '${shown}' and '${shown}'`,
  incompatible: (shown, right) => `fields '${right}' and '${shown}' are incompatible`,
  name: (shown) => `${shown} cannot be a field's name`,
  type: (shown, right) => `invalid type ${right} in header ${shown}`,
  binary: () => "The file holds no text",
  encoding: () => "The text is not in UTF-8",
  bson: (shown) => `No BSON document: ${shown}`,
  value: (shown) => shown,
};

interface More {
  readonly column?: number;
  readonly shown?: string;
  readonly right?: string;
  readonly lost?: string;
  readonly final?: boolean;
}

/** A mistake in a text, at a line and a column, both counted from 1. */
export class LineError extends Error {
  readonly line: number;
  /** Null where only the line is known. */
  readonly column: number | null;
  readonly fault: TextFileFault;
  /** The text at the mistake. */
  readonly shown: string;
  /** How it would be right, or the other thing that the mistake is about; empty where there is none. */
  readonly right: string;
  /** The lines that were lost by it, where reading went on behind them. */
  readonly lost: string | null;
  /** No text behind the mistake can be read. */
  readonly final: boolean;

  constructor(line: number, fault: TextFileFault, { column, shown = "", right = "", lost, final = false }: More = {}) {
    super(messages[fault](shown, right));
    this.name = "LineError";
    this.line = line;
    this.column = column ?? null;
    this.fault = fault;
    this.shown = shown;
    this.right = right;
    this.lost = lost ?? null;
    this.final = final;
  }
}
