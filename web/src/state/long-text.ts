/**
 * Texts of any length, of which a reader sees the beginning first: a browser takes seconds to lay out some megabytes.
 *
 * Invariant: pure; the pieces of a text joined, with the line breaks between them, are the text.
 */

/** Characters that are drawn before the reader asks for the rest. */
export const firstCharacters = 20_000;
/** Characters of a value in a line of a tree; its beginning is enough to know it by. */
export const lineCharacters = 2000;
/** Characters of a piece that is laid out by itself. */
const pieceCharacters = 4096;

/** A text that may be long: its beginning, and all of it where it is asked for. */
export interface LongText {
  /** The value that it words: another value's text is another text, however it begins. */
  readonly of: unknown;
  readonly start: string;
  readonly isWhole: boolean;
  whole(): string;
}

/** The first characters of a text; no character is cut in two. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? most - 1 : most);
}

/** A text as one that may be long. */
export function longText(text: string, most = firstCharacters): LongText {
  const start = cutText(text, most);
  return { of: text, start, isWhole: start.length === text.length, whole: () => text };
}

/** A piece of a text, to be a block of its own: the line break that ended it is not in it. */
export interface Piece {
  readonly text: string;
  /** The position behind it in the text. */
  readonly end: number;
}

/** The piece of a text that begins at a position: whole lines where they are short enough. */
export function pieceAt(text: string, from: number): Piece {
  const rest = text.length - from;
  if (rest <= pieceCharacters) return { text: text.slice(from), end: text.length };
  const line = text.lastIndexOf("\n", from + pieceCharacters);
  if (line > from) return { text: text.slice(from, line), end: line + 1 };
  const cut = cutText(text.slice(from, from + pieceCharacters + 1), pieceCharacters);
  return { text: cut, end: from + cut.length };
}
