/**
 * The sandbox's memory as the prelude leaves it, made when the page is built: QuickJS takes longer to read the prelude than everything
 * else takes that happens before the first answer.
 *
 * An image is what the prelude's evaluation changes in the memory of a new sandbox. Invariants: it is laid only over a memory that is, but for the words that hold the time of its
 * making (QuickJS's seed of random numbers), byte for byte that over which it was made; where it is not, the prelude is evaluated.
 * What the prelude does when it is evaluated depends neither on time nor on chance: the build proves it by making the image twice.
 */

/** Words that stay as they are between two changed ones of the same run. */
const GAP_WORDS = 4;

const wordsOf = (bytes: ArrayBufferLike, end?: number): Uint32Array => new Uint32Array(bytes, 0, end);

/** A checksum over the first words of a memory, without those that vary. */
function checksum(words: Uint32Array, varying: readonly number[]): number {
  let sum = 0x811c9dc5;
  let from = 0;
  for (const skipped of [...varying, words.length]) {
    for (let at = from; at < skipped; at += 1) sum = Math.imul(sum ^ (words[at] as number), 0x01000193);
    from = skipped + 1;
  }
  return sum >>> 0;
}

/** The indexes at which two memories differ. */
function differences(one: Uint32Array, other: Uint32Array): number[] {
  const found: number[] = [];
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) found.push(at);
  return found;
}

/** The memory of a new sandbox before and after the prelude was evaluated. */
export interface Observed {
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
  if (otherChanged.length !== changed.length || otherChanged.some((at) => !same.has(at)) || changed.some((at) => after[at] !== wordsOf(other.after)[at])) {
    throw new Error("what the prelude does when it is evaluated depends on the time or on chance");
  }
  const runs: { from: number; to: number }[] = [];
  for (const at of changed) {
    const last = runs.at(-1);
    if (last !== undefined && at - last.to <= GAP_WORDS && !varying.some((word) => word >= last.to && word < at)) last.to = at + 1;
    else runs.push({ from: at, to: at + 1 });
  }
  let used = before.length;
  while (used > 0 && before[used - 1] === 0 && !varying.includes(used - 1)) used -= 1;
  const words: number[] = [before.byteLength, used, checksum(before.subarray(0, used), varying), varying.length, ...varying, runs.length];
  for (const { from, to } of runs) words.push(from, to - from, ...after.subarray(from, to));
  return new Uint8Array(Uint32Array.from(words).buffer);
}

/** Lays an image over a sandbox's memory; false, and nothing is done, where it does not fit. */
export function layImage(memory: ArrayBufferLike, image: ArrayBuffer): boolean {
  const words = new Uint32Array(image);
  const [bytes = 0, used = 0, sum = 0, varyingCount = 0] = words;
  const to = wordsOf(memory);
  if (to.byteLength !== bytes) return false;
  const varying = [...words.subarray(4, 4 + varyingCount)];
  if (checksum(to.subarray(0, used), varying) !== sum) return false;
  // Beyond what was in use nothing may be in use now.
  if (to.subarray(used, used + (1 << 14)).some((word) => word !== 0)) return false;
  let at = 4 + varyingCount;
  let runs = words[at++] ?? 0;
  for (; runs > 0; runs -= 1) {
    const start = words[at] as number;
    const length = words[at + 1] as number;
    to.set(words.subarray(at + 2, at + 2 + length), start);
    at += 2 + length;
  }
  return true;
}
