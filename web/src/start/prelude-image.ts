/**
 * The sandbox's memory as the prelude leaves it, made when the page is built: QuickJS takes longer to read the prelude
 * than everything else takes that happens before the first answer.
 *
 * An image is the words that the prelude's evaluation changes in the memory of a new sandbox. Invariants:
 * - It is laid only over the memory over which it was made, but for the words that hold the time of its making
 *   (QuickJS's seed of random numbers). Over any other memory the prelude is evaluated.
 * - To know that memory it compares the words which the sandbox's making wrote, the allocator's own among them. The
 *   other words are those of the WebAssembly; most of five megabytes are zeros, which take longer to read than all the
 *   rest takes.
 * - The prelude's evaluation depends neither on time nor on chance: the build proves it by making the image twice.
 * - An image says its own length, and one that was cut off, as a cache may give it, is laid over nothing.
 */

/** Words that stay as they are between two changed ones of the same run. */
const GAP_WORDS = 4;
/** Words behind the memory in use that are looked at, too. */
const BEYOND_WORDS = 1 << 12;

const wordsOf = (bytes: ArrayBufferLike, end?: number): Uint32Array => new Uint32Array(bytes, 0, end);

/** Words from one index to before another. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** These indexes as stretches. A stretch may hold some unchanged words between them, but none whose value varies. */
function stretches(indexes: readonly number[], varying: readonly number[]): Stretch[] {
  const found: { from: number; to: number }[] = [];
  for (const at of indexes) {
    const last = found.at(-1);
    if (last !== undefined && at - last.to <= GAP_WORDS && !varying.some((word) => word >= last.to && word < at))
      last.to = at + 1;
    else found.push({ from: at, to: at + 1 });
  }
  return found;
}

const SEED = 0x811c9dc5;

/** A checksum, continued over a stretch of a memory. */
function checksum(words: Uint32Array, from: number, to: number, before: number): number {
  let sum = before;
  for (let at = from; at < to; at += 1) sum = Math.imul(sum ^ (words[at] as number), 0x01000193);
  return sum;
}

/** The indexes at which two memories differ. */
function differences(one: Uint32Array, other: Uint32Array): number[] {
  const found: number[] = [];
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) found.push(at);
  return found;
}

/** The memory of a new sandbox as its WebAssembly begins with it, and before and after the prelude was evaluated. */
export interface Observed {
  readonly fresh: ArrayBuffer;
  readonly before: ArrayBuffer;
  readonly after: ArrayBuffer;
}

/** Makes the image from two observations at different times; throws when they do not agree. */
export function makeImage(one: Observed, other: Observed): Uint8Array<ArrayBuffer> {
  const [before, after] = [wordsOf(one.before), wordsOf(one.after)];
  const varying = differences(before, wordsOf(other.before));
  const changed = differences(before, after);
  const same = new Set(changed);
  const otherChanged = differences(wordsOf(other.before), wordsOf(other.after));
  if (
    otherChanged.length !== changed.length ||
    otherChanged.some((at) => !same.has(at)) ||
    changed.some((at) => after[at] !== wordsOf(other.after)[at])
  ) {
    throw new Error("what the prelude does when it is evaluated depends on the time or on chance");
  }
  const skipped = new Set(varying);
  const made = differences(wordsOf(one.fresh), before).filter((at) => !skipped.has(at));
  const looked = stretches(made, varying);
  const sum = looked.reduce((so, { from, to }) => checksum(before, from, to, so), SEED);
  let used = before.length;
  while (used > 0 && before[used - 1] === 0 && !varying.includes(used - 1)) used -= 1;
  const runs = stretches(changed, varying);
  const words: number[] = [
    0,
    before.byteLength,
    used,
    sum >>> 0,
    looked.length,
    ...looked.flatMap(({ from, to }) => [from, to]),
    runs.length,
  ];
  for (const { from, to } of runs) words.push(from, to - from, ...after.subarray(from, to));
  words[0] = words.length;
  return new Uint8Array(Uint32Array.from(words).buffer);
}

/** Lays an image over a sandbox's memory; false, and nothing is done, where it does not fit. */
export function layImage(memory: ArrayBufferLike, image: ArrayBuffer): boolean {
  if (image.byteLength % Uint32Array.BYTES_PER_ELEMENT !== 0) return false;
  const words = new Uint32Array(image);
  const [length = 0, bytes = 0, used = 0, expected = 0, looked = 0] = words;
  const to = wordsOf(memory);
  if (words.length !== length || to.byteLength !== bytes) return false;
  let at = 5;
  let sum = SEED;
  for (const end = at + 2 * looked; at < end; at += 2)
    sum = checksum(to, words[at] as number, words[at + 1] as number, sum);
  if (sum >>> 0 !== expected) return false;
  // Beyond the memory that was in use nothing may be in use now.
  for (let beyond = used; beyond < used + BEYOND_WORDS; beyond += 1) if (to[beyond] !== 0) return false;
  let runs = words[at++] ?? 0;
  for (; runs > 0; runs -= 1) {
    const start = words[at] as number;
    const length = words[at + 1] as number;
    to.set(words.subarray(at + 2, at + 2 + length), start);
    at += 2 + length;
  }
  return true;
}
