/**
 * Documents out of JSON text that comes in pieces: an array of documents, one a line, or simply one after another.
 *
 * Invariants: holds no more than the document it is in; every document knows the line it begins on, and every complaint
 * the line it is about.
 */
import { EJSON, type Document } from "bson";

/** Something wrong at a line, counted from 1. */
export class LineError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.name = "LineError";
    this.line = line;
  }
}

export interface JsonPiece {
  readonly text: string;
  readonly line: number;
}

enum Char {
  Newline = 10,
  Quote = 34,
  Comma = 44,
  Backslash = 92,
  OpenBracket = 91,
  CloseBracket = 93,
  OpenBrace = 123,
  CloseBrace = 125,
}

/** Cuts text into its top-level documents. */
export class JsonSplitter {
  #text = "";
  #at = 0;
  #line = 1;
  #depth = 0;
  #inString = false;
  #start = 0;
  #startLine = 1;
  #place: "start" | "array" | "loose" | "end" = "start";

  push(more: string): JsonPiece[] {
    const text = this.#text + more;
    const pieces: JsonPiece[] = [];
    let at = this.#at;
    for (; at < text.length; at++) {
      const char = text.charCodeAt(at);
      if (char === Char.Newline) this.#line += 1;
      if (this.#inString) {
        if (char === Char.Backslash) {
          // The escaped character may not have come yet.
          if (at + 1 === text.length) break;
          at += 1;
        } else if (char === Char.Quote) this.#inString = false;
      } else if (this.#depth > 0) {
        if (char === Char.Quote) this.#inString = true;
        else if (char === Char.OpenBrace || char === Char.OpenBracket) this.#depth += 1;
        else if (char === Char.CloseBrace || char === Char.CloseBracket) {
          this.#depth -= 1;
          if (this.#depth === 0) pieces.push({ text: text.slice(this.#start, at + 1), line: this.#startLine });
        }
      } else this.#between(text, at, char);
    }
    const from = this.#depth > 0 ? this.#start : at;
    this.#text = text.slice(from);
    this.#start = 0;
    this.#at = at - from;
    return pieces;
  }

  #between(text: string, at: number, char: number): void {
    if (char === Char.OpenBrace && this.#place !== "end") {
      if (this.#place === "start") this.#place = "loose";
      this.#depth = 1;
      this.#start = at;
      this.#startLine = this.#line;
    } else if (char === Char.OpenBracket && this.#place === "start") this.#place = "array";
    else if (char === Char.CloseBracket && this.#place === "array") this.#place = "end";
    else if (char > 32 && char !== 0xfeff && !(char === Char.Comma && this.#place === "array")) {
      throw new LineError(this.#line, `Unexpected ${JSON.stringify(text.slice(at, at + 20).split("\n", 1)[0])}`);
    }
  }

  /** Complains when the text ends inside a document or an array. */
  end(): void {
    if (this.#depth > 0) throw new LineError(this.#startLine, "Unexpected end of the file inside a document");
    if (this.#place === "array") throw new LineError(this.#line, "Unexpected end of the file inside an array");
  }
}

const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/;
const token = new RegExp(`\\s*(?:([{}[\\],:])|(${STRING.source})|(${SCALAR.source}))`, "y");

/** Where text stops being JSON; parsers do not say so any more. */
function failingPosition(text: string): number {
  const inside: ("{" | "[")[] = [];
  /** What may come: a value, a name, a colon, a comma or a closing. */
  let wanted: "value" | "value or close" | "name" | "name or close" | "colon" | "after" = "value";
  token.lastIndex = 0;
  for (;;) {
    const from = token.lastIndex;
    const found = token.exec(text);
    if (found === null) return from + (/^\s*/.exec(text.slice(from))?.[0].length ?? 0);
    const at = token.lastIndex - found[0].trimStart().length;
    const [, sign, name, word] = found;
    const isValue = wanted === "value" || wanted === "value or close";
    if ((sign === "{" || sign === "[") && isValue) {
      inside.push(sign);
      wanted = sign === "{" ? "name or close" : "value or close";
    } else if (sign === "}" && inside.at(-1) === "{" && (wanted === "after" || wanted === "name or close")) {
      inside.pop();
      wanted = "after";
    } else if (sign === "]" && inside.at(-1) === "[" && (wanted === "after" || wanted === "value or close")) {
      inside.pop();
      wanted = "after";
    } else if (sign === "," && wanted === "after" && inside.length > 0)
      wanted = inside.at(-1) === "{" ? "name" : "value";
    else if (sign === ":" && wanted === "colon") wanted = "value";
    else if (name !== undefined && (wanted === "name" || wanted === "name or close")) wanted = "colon";
    else if ((name !== undefined || word !== undefined) && isValue) wanted = "after";
    else return at;
  }
}

/** A parser's complaint at the line it is about. */
function complaint(error: unknown, { text, line }: JsonPiece): LineError {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof SyntaxError)) return new LineError(line, message);
  const position = failingPosition(text);
  return new LineError(
    line + text.slice(0, position).split("\n").length - 1,
    `Not JSON: ${JSON.stringify(text.slice(position, position + 24).split("\n", 1)[0])}`,
  );
}

type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;

/** Whole numbers which JavaScript's own cannot hold stay whole where the browser shows their digits. */
const keepWide: Reviver = (_key, value, context) =>
  typeof value === "number" &&
  Number.isInteger(value) &&
  !Number.isSafeInteger(value) &&
  /^-?\d{1,19}$/.test(context?.source ?? "")
    ? { $numberLong: context?.source }
    : value;

/** The document of a piece of Extended JSON, relaxed or canonical, with every number's type. */
export function parsePiece(piece: JsonPiece): Document {
  const { text } = piece;
  try {
    // Most exports are plain JSON of small numbers, which need no second walk.
    if (!text.includes('"$') && !/\d{10}/.test(text)) return JSON.parse(text) as Document;
    const wide = /\d{16}/.test(text)
      ? JSON.stringify(JSON.parse(text, keepWide as (key: string, value: unknown) => unknown))
      : text;
    return EJSON.parse(wide, { relaxed: false }) as Document;
  } catch (error) {
    throw complaint(error, piece);
  }
}
