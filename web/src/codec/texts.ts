/**
 * Texts of a document's bytes: short ones are made from their bytes here, and those seen lately are given again.
 *
 * Most texts of documents are one of few (a status, a tag, a unit), so the last few of them are kept by their bytes; a
 * place whose texts all differ stops asking. Long texts go to the host's decoder. Bytes that are no UTF-8, which a
 * server stores like any others, become U+FFFD, or an error for a caller who wants UTF-8 alone. Invariants: a text is
 * given again only for the very same bytes, closing zero included, and never one whose bytes were no UTF-8. No text
 * shares memory with the bytes or keeps other texts alive: strings that a host decodes many at once lie outside
 * JavaScript's own heap until a collection, and memory that is always new costs more than the work done in it.
 */
import { InvalidText } from "./error.ts";

/** Where texts stand: how often they were seen before. */
export interface Place {
  confidence: number;
}

/**
 * A new place's confidence: so many new texts are kept, and how long a place goes without asking before it tries again.
 */
export const FIRST_CONFIDENCE = 24;
const MOST_CONFIDENCE = 64;
const PAUSE = 1000;

/** The longest text that is kept, with its closing zero. */
const KEPT_BYTES = 32;
const KEPT_WORDS = KEPT_BYTES / 4;
const KEPT = 1024;
const HASH_SHIFT = 22;
const texts = new Array<string>(KEPT).fill("");
const lengths = new Uint8Array(KEPT);
/** The bytes of the kept texts, four at a time, the last four first. */
const words = new Int32Array(KEPT * KEPT_WORDS);

/** Longer texts go to the host's decoder, whose call costs as much as so many characters here. */
const SHORT = 128;
/** Lists of codes by their number, to be filled anew each time. */
const codes: number[][] = Array.from({ length: SHORT + 1 }, (_, length) => new Array<number>(length).fill(0));
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });
/** A text was made of bytes that are no UTF-8 since this was last set. */
let isLossy = false;

/** Texts of so many bytes are read faster by Node's own function than by code here. */
const LONG_FOR_NODE = 64;
/**
 * Node's own UTF-8 decoder, which takes half the time of its `TextDecoder`. Bytes that are no UTF-8 become U+FFFD.
 * Undefined in browsers.
 */
const read = (
  globalThis as { Buffer?: { prototype: { utf8Slice?: (this: Uint8Array, start: number, stop: number) => string } } }
).Buffer?.prototype.utf8Slice;

/** The text of these bytes. Throws `InvalidText` for such as are no UTF-8 where it is `strict`. */
export function textOf(bytes: Uint8Array, start: number, stop: number, strict: boolean): string {
  if (read !== undefined && stop - start > LONG_FOR_NODE) {
    const text = read.call(bytes, start, stop);
    // Where there is one, the other decoder tells whether it is the text's own.
    if (!text.includes("\ufffd")) return text;
  }
  const list = codes[stop - start];
  if (list !== undefined) {
    let seen = 0;
    for (let index = 0; index < list.length; index++) {
      const code = bytes[start + index] as number;
      seen |= code;
      list[index] = code;
    }
    if (seen < 128) return String.fromCharCode.apply(null, list);
  }
  try {
    return utf8.decode(bytes.subarray(start, stop));
  } catch {
    if (strict) throw new InvalidText();
    isLossy = true;
    return lenient.decode(bytes.subarray(start, stop));
  }
}

/** As `textOf`, of a text at a place: with its length before it, and a closing zero at `stop`. */
export function textAt(
  bytes: Uint8Array,
  view: DataView,
  start: number,
  stop: number,
  place: Place,
  strict: boolean,
): string {
  const length = stop + 1 - start;
  if (length > KEPT_BYTES || length === 1) return textOf(bytes, start, stop, strict);
  if (place.confidence < 0) {
    place.confidence = place.confidence < -PAUSE ? FIRST_CONFIDENCE : place.confidence - 1;
    return textOf(bytes, start, stop, strict);
  }
  // The last four bytes of a shorter text begin in its length; behind it there may be nothing to be read.
  const tail = stop - 3;
  const last = view.getInt32(tail, true);
  const first = length < 4 ? 0 : view.getInt32(start, true);
  const middle = length < 8 ? 0 : view.getInt32(start + ((length >> 3) << 2), true);
  const mixed = first ^ Math.imul(last, 0x9e3779b1) ^ Math.imul(middle, 0x85ebca6b) ^ length;
  const slot = Math.imul(mixed, 0xc2b2ae35) >>> HASH_SHIFT;
  let at = slot * KEPT_WORDS;
  // biome-ignore lint/suspicious/noConfusingLabels: out of the comparison to what a miss costs
  found: if (lengths[slot] === length && words[at] === last) {
    for (let here = start; here < tail; here += 4) if (words[++at] !== view.getInt32(here, true)) break found;
    if (place.confidence < MOST_CONFIDENCE) place.confidence += 2;
    return texts[slot] as string;
  }
  place.confidence -= 1;
  isLossy = false;
  const text = textOf(bytes, start, stop, strict);
  if (isLossy) return text;
  texts[slot] = text;
  lengths[slot] = length;
  at = slot * KEPT_WORDS;
  words[at] = last;
  for (let here = start; here < tail; here += 4) words[++at] = view.getInt32(here, true);
  return text;
}
