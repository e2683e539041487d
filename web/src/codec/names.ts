/**
 * Names of fields as they are written: words whose first byte leaves room for the element's type.
 *
 * Invariant: the names of an array's first items are made once.
 */
import { CodecError } from "./error.ts";

const utf8 = new TextEncoder();

/** A name as it is written: little-endian words whose first byte leaves room for the element's type. */
export interface Name {
  readonly text: string;
  readonly words: Int32Array;
  /** Bytes of type, name and closing zero. */
  readonly length: number;
}

export function nameOf(text: string): Name {
  if (text.includes("\0")) throw new CodecError(`a field name must not contain null bytes: ${JSON.stringify(text)}`);
  const bytes = utf8.encode(text);
  const words = new Int32Array((bytes.length + 5) >> 2);
  for (let at = 0; at < bytes.length; at++)
    words[(at + 1) >> 2] = (words[(at + 1) >> 2] as number) | ((bytes[at] as number) << (((at + 1) & 3) * 8));
  return { text, words, length: bytes.length + 2 };
}

/** The names of so many of an array's first items are kept, each from its first use on. */
export const MAX_POSITIONS = 1000;
const positions: Name[] = [];

/** Writes a position's digits, which are bytes as they are, into words that are zero. */
export function writeDigits(text: string, words: Int32Array): void {
  for (let at = 1; at <= text.length; at++)
    words[at >> 2] = (words[at >> 2] as number) | (text.charCodeAt(at - 1) << ((at & 3) * 8));
}

/** The name of an array's item. */
function positionOf(index: number): Name {
  const text = String(index);
  const words = new Int32Array((text.length + 5) >> 2);
  writeDigits(text, words);
  return { text, words, length: text.length + 2 };
}

/** The name of one of an array's first items. Arrays are written from their first item on, so there are no holes. */
export function position(index: number): Name {
  while (positions.length <= index) positions.push(positionOf(positions.length));
  return positions[index] as Name;
}
