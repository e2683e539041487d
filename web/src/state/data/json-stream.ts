/**
 * Documents out of JSON text that comes in pieces: an array of documents, one a line, or simply one after another.
 *
 * Invariants: holds no more than the document it is in; every document knows the place where it begins, and every
 * complaint its line and column. Outside an array a broken document loses itself alone: reading goes on with the next
 * line, and the complaint holds the text that was lost. Inside an array nothing can be read behind a mistake in the
 * brackets: that complaint is the last.
 */
import type { Document } from "bson";
import { isDocument, readExtended, shortly, TextFault, type ValueFault } from "./extended-json.ts";
import { LineError } from "./line-error.ts";

/** A mistake in a text; the words for it are in the message tables. */
export type JsonFault =
  | ValueFault
  /** A closing bracket of another kind than the one that is open, as in `[1}`. */
  | "bracket"
  /** A line ends inside a text in quotes. */
  | "quote"
  /** The file ends inside a document, or the next document begins inside it. */
  | "document"
  /** The file ends inside its array. */
  | "array"
  /** The document is longer than `longestDocument`. */
  | "long";

export interface JsonPiece {
  readonly text: string;
  readonly line: number;
  /** The column at which the document begins, from 1. */
  readonly column: number;
}

enum Char {
  Newline = 10,
  Return = 13,
  Quote = 34,
  Apostrophe = 39,
  OpenParenthesis = 40,
  Comma = 44,
  Slash = 47,
  Colon = 58,
  Backslash = 92,
  OpenBracket = 91,
  CloseBracket = 93,
  OpenBrace = 123,
  CloseBrace = 125,
}

/** No document may be longer, by far: BSON ends at 16 MiB. */
const longestDocument = 128 * 1024 * 1024;
/** The most characters of a broken document that are kept to be shown. */
const keptLost = 64 * 1024;

interface Complaint {
  readonly fault: JsonFault;
  readonly line: number;
  readonly column: number;
  /** The text at the mistake. */
  readonly at: string;
}

/** A complaint in the words of a log; views word it by its fault. */
function complain({ fault, line, column, at }: Complaint, more: { lost?: string; final?: boolean }): LineError {
  const shown = at === "" ? "" : JSON.stringify(at.slice(0, 24).split(/[\r\n]/, 1)[0]);
  return new LineError(line, fault, { column, shown, ...more });
}

/** Whether a slash behind this character begins a pattern: it does where a value begins. */
function startsPattern(last: number): boolean {
  return last === Char.Colon || last === Char.Comma || last === Char.OpenBracket || last === Char.OpenParenthesis;
}

/** Cuts text into its top-level documents. */
export class JsonSplitter {
  #text = "";
  #at = 0;
  #line = 1;
  /** The offset of the current line's beginning in `#text`; negative once that part of the text was dropped. */
  #lineStart = 0;
  /** The brackets that are open, as their characters. */
  #open: number[] = [];
  /** The sign that ends the text, or the pattern, that is open; 0 where none is. */
  #ending = 0;
  /** Whether a pattern's class of characters is open, in which a slash is one of them. */
  #inClass = false;
  #quoteAt = 0;
  /** The last character that is neither space nor inside a text. */
  #last = 0;
  #start = 0;
  #startLine = 1;
  #startColumn = 1;
  #place: "start" | "array" | "loose" | "end" | "broken" = "start";
  /** The text being left out after a mistake: the rest of a line, or all lines until one begins a document. */
  #skipping: "nothing" | "line" | "block" = "nothing";
  /** The mistake that made it left out, the text of it so far, and the place in `#text` where the rest begins. */
  #losing: { readonly complaint: Complaint; text: string; from: number } | null = null;

  /** Takes more text; gives the documents that end in it, and the mistakes between them, in order. */
  push(more: string): readonly (JsonPiece | LineError)[] {
    this.#text += more;
    const found: (JsonPiece | LineError)[] = [];
    this.#scan(found);
    const from = this.#open.length > 0 ? this.#start : this.#at;
    if (this.#losing !== null) this.#lose(this.#losing, from);
    this.#text = this.#text.slice(from);
    this.#start -= from;
    this.#lineStart -= from;
    this.#quoteAt -= from;
    this.#at -= from;
    if (this.#losing !== null) this.#losing.from = 0;
    return found;
  }

  /** The mistakes that the end of the text makes, as a document that is still open. */
  end(): readonly (JsonPiece | LineError)[] {
    const found: (JsonPiece | LineError)[] = [];
    while (this.#open.length > 0) {
      this.#at = this.#text.length;
      this.#break(found, "document", this.#at);
      this.#at += 1;
      if (this.#skipping === "nothing") this.#scan(found);
    }
    this.#endSkipping(found, this.#text.length);
    if (this.#place === "array")
      found.push(
        complain({ fault: "array", line: this.#line, column: this.#column(this.#at), at: "" }, { final: true }),
      );
    return found;
  }

  #scan(found: (JsonPiece | LineError)[]): void {
    for (; this.#at < this.#text.length && this.#place !== "broken"; this.#at++) {
      const at = this.#at;
      const char = this.#text.charCodeAt(at);
      if (this.#skipping !== "nothing") {
        if (char === Char.Newline && !this.#skip(found, at)) return;
      } else if (char === Char.Newline) {
        if (this.#ending !== 0) this.#break(found, "quote", this.#quoteAt);
        else this.#newLine(at);
      } else if (this.#ending !== 0) {
        if (char === Char.Backslash) {
          // The escaped character may not have come yet.
          if (at + 1 === this.#text.length) return;
          if (this.#text.charCodeAt(at + 1) !== Char.Newline) this.#at += 1;
        } else if (this.#ending === Char.Slash && (char === Char.OpenBracket || char === Char.CloseBracket))
          this.#inClass = char === Char.OpenBracket;
        else if (char === this.#ending && !this.#inClass) this.#ending = 0;
      } else if (this.#open.length > 0) this.#inside(found, at, char);
      else this.#between(found, at, char);
      if (this.#open.length > 0 && this.#at - this.#start > longestDocument) this.#break(found, "long", this.#start);
    }
    if (this.#place === "broken") this.#at = this.#text.length;
  }

  #newLine(at: number): void {
    this.#line += 1;
    this.#lineStart = at + 1;
  }

  #column(at: number): number {
    return at - this.#lineStart + 1;
  }

  #inside(found: (JsonPiece | LineError)[], at: number, char: number): void {
    if (char <= 32) return;
    const innermost = this.#open.at(-1);
    const beginsLine = char === Char.OpenBrace && at === this.#lineStart && this.#place === "loose";
    // Where a name is wanted, this is the next document: the one before was never ended.
    if (beginsLine && innermost === Char.OpenBrace && this.#last !== Char.Colon)
      return this.#break(found, "document", at);
    if (char === Char.Quote || char === Char.Apostrophe || (char === Char.Slash && startsPattern(this.#last))) {
      this.#ending = char;
      this.#inClass = false;
      this.#quoteAt = at;
    } else if (char === Char.OpenBrace || char === Char.OpenBracket) this.#open.push(char);
    else if (char === Char.CloseBrace || char === Char.CloseBracket) {
      if (innermost !== char - 2) return this.#break(found, "bracket", at);
      this.#open.pop();
      const text = this.#open.length > 0 ? "" : this.#text.slice(this.#start, at + 1);
      if (text !== "") found.push({ text, line: this.#startLine, column: this.#startColumn });
    }
    this.#last = char;
  }

  /** Reads a character between two documents: a bracket, a comma, a space, or the beginning of one. */
  #between(found: (JsonPiece | LineError)[], at: number, char: number): void {
    if (char === Char.OpenBrace && this.#place !== "end") {
      if (this.#place === "start") this.#place = "loose";
      this.#begin(at);
      this.#open.push(char);
      this.#last = char;
    } else if (char === Char.OpenBracket && this.#place === "start") this.#place = "array";
    else if (char === Char.CloseBracket && this.#place === "array") this.#place = "end";
    else if (char > 32 && char !== 0xfeff && !(char === Char.Comma && this.#place === "array")) {
      if (this.#place === "start") this.#place = "loose";
      this.#begin(at);
      this.#break(found, "unexpected", at);
    }
  }

  #begin(at: number): void {
    this.#start = at;
    this.#startLine = this.#line;
    this.#startColumn = this.#column(at);
  }

  /** A mistake that ends a document early: the rest of its line is lost, and the lines below that begin no other. */
  #break(found: (JsonPiece | LineError)[], fault: JsonFault, at: number): void {
    const complaint: Complaint =
      fault === "document"
        ? { fault, line: this.#startLine, column: this.#startColumn, at: "" }
        : { fault, line: this.#line, column: this.#column(at), at: this.#text.slice(at, at + 24) };
    this.#open = [];
    this.#ending = 0;
    if (this.#place !== "loose") {
      this.#place = "broken";
      found.push(complain(complaint, { final: true }));
      return;
    }
    const next = this.#text.indexOf("\n{", this.#start);
    if (next >= 0 && next < this.#at) {
      // The next document began before the mistake was noticed: reading goes back to it.
      const lost = this.#text.slice(this.#start, next);
      found.push(complain(complaint, { lost: lost.slice(0, keptLost).trimEnd() }));
      this.#line = this.#startLine + lost.split("\n").length - 1;
      this.#at = next;
      this.#newLine(next);
      return;
    }
    const lineEnd = this.#text.indexOf("\n", this.#start);
    this.#skipping = lineEnd >= 0 && lineEnd < this.#at ? "block" : "line";
    this.#losing = { complaint, text: "", from: this.#start };
    // The end of the line is still to be seen.
    if (this.#text.charCodeAt(this.#at) === Char.Newline) this.#at -= 1;
  }

  /** Decides at the end of a line left out whether reading goes on; false where the next line has to come first. */
  #skip(found: (JsonPiece | LineError)[], at: number): boolean {
    if (this.#skipping === "block" && at + 1 === this.#text.length) return false;
    if (this.#skipping === "line" || this.#text.charCodeAt(at + 1) === Char.OpenBrace) this.#endSkipping(found, at);
    this.#newLine(at);
    return true;
  }

  #lose(losing: { text: string; from: number }, to: number): void {
    if (losing.text.length < keptLost)
      losing.text += this.#text.slice(losing.from, Math.min(to, losing.from + keptLost));
    losing.from = to;
  }

  #endSkipping(found: (JsonPiece | LineError)[], to: number): void {
    if (this.#losing === null) return;
    this.#lose(this.#losing, to);
    found.push(complain(this.#losing.complaint, { lost: this.#losing.text.trimEnd() }));
    this.#losing = null;
    this.#skipping = "nothing";
  }
}

/** The document of a piece, with every number's type. Throws a `LineError` at the mistake. */
export function parsePiece(piece: JsonPiece): Document {
  try {
    const value = readExtended(piece.text);
    if (isDocument(value)) return value;
    // A value where a document has to be, such as `{ "$oid": "…" }`.
    throw new TextFault("unexpected", 0, piece.text);
  } catch (error) {
    throw error instanceof TextFault ? located(error, piece) : error;
  }
}

/** A mistake inside a piece, at its line and column in the file. */
function located({ fault, at, shown, right }: TextFault, { text, line, column }: JsonPiece): LineError {
  const before = text.slice(0, at).split("\n");
  const place = {
    line: line + before.length - 1,
    column: before.length === 1 ? column + at : (before.at(-1)?.length ?? 0) + 1,
  };
  const lost = text.slice(0, keptLost);
  if (fault === "unexpected") return complain({ fault, ...place, at: shown }, { lost });
  return new LineError(place.line, fault, { column: place.column, shown: shortly(shown), right, lost });
}
