/**
 * Breaks the long lines of an example at their brackets, the outer ones first, so that a reader sees which parts belong
 * together.
 *
 * Invariants: pure; nothing but white space and a last comma is changed; a line that fits stays as it is.
 */
import { bracketed, layOut, type Piece } from "../copy/layout.ts";

const MOST_COLUMNS = 78;
const INDENT = "  ";
const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** Reads code as text and brackets; `at` is where it goes on. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The items up to a closing bracket, or to the end. */
  items(close: string | null): readonly Piece[] {
    const items: Piece[] = [];
    let parts: Piece[] = [];
    let plain = "";
    const flush = (): void => {
      if (plain !== "") parts.push(plain);
      plain = "";
    };
    const end = (): void => {
      plain = plain.trimEnd();
      flush();
      if (parts.length > 0) items.push(parts);
      parts = [];
    };
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at] as string;
      if (character === close) break;
      const string = /^(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)/.exec(this.#text.slice(this.#at))?.[0];
      if (string !== undefined) {
        plain += string;
        this.#at += string.length;
      } else if (CLOSING[character] !== undefined) {
        flush();
        parts.push(this.#bracket(character));
      } else {
        this.#at += 1;
        if (character === "," && close !== null) end();
        else if (plain !== "" || parts.length > 0 || character !== " ") plain += character;
      }
    }
    end();
    return items;
  }

  #bracket(open: string): Piece {
    const close = CLOSING[open] as string;
    const from = ++this.#at;
    const items = this.items(close);
    const isBlock = open === "{" && this.#text.slice(from, this.#at).includes(";");
    this.#at += 1;
    // A lone array or object is held by the parentheses themselves: `aggregate([`.
    const [[lone, ...others] = []] = items as readonly (readonly Piece[])[];
    if (open === "(" && items.length === 1 && others.length === 0 && typeof lone === "object" && "open" in lone)
      return { ...lone, open: `(${lone.open}`, close: `${lone.close})` };
    return bracketed(open, items, close, { padded: open === "{", trailing: open !== "(" && !isBlock });
  }
}

/** The script with its long lines broken. */
export function laidOut(script: string): string {
  return script
    .split("\n")
    .map((line) => {
      if (line.length <= MOST_COLUMNS) return line;
      const depth = Math.floor((/^ */.exec(line)?.[0].length ?? 0) / INDENT.length);
      const [piece] = new Reader(line.trim()).items(null);
      const indent = INDENT.repeat(depth);
      return piece === undefined
        ? line
        : indent + layOut(piece, { width: MOST_COLUMNS, indent: INDENT }, indent.length, depth);
    })
    .join("\n");
}
