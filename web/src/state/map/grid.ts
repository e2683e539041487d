/**
 * The squares of the plane that a `2d` index has as keys: coordinates as whole numbers whose bits lie in turn. The
 * counterpart of `crate/src/geo/grid.rs`.
 *
 * Invariant: pure; a hash is 64 bits, those of `x` first.
 */
import type { Point } from "./sphere.ts";

/** The part of the plane that an index covers. */
export interface Grid {
  readonly min: number;
  readonly max: number;
  /** Bits of each coordinate. */
  readonly bits: number;
}

/** The grid of an index without options. */
export const PLAIN_GRID: Grid = { min: -180, max: 180, bits: 26 };

const BUCKETS = 2 ** 32;

/** Lower left and upper right corner. */
export type Square = readonly [Point, Point];

function corner(hash: bigint, { min, max }: Grid): Point {
  let [x, y] = [0, 0];
  for (let bit = 63n; bit > 0n; bit -= 2n) {
    x = 2 * x + Number((hash >> bit) & 1n);
    y = 2 * y + Number((hash >> (bit - 1n)) & 1n);
  }
  const place = (whole: number): number => min + (whole / BUCKETS) * (max - min);
  return [place(x), place(y)];
}

/** The hash of a point; null outside the grid. */
export function hashAt([x, y]: Point, { min, max, bits }: Grid): bigint | null {
  if (!(x >= min && x <= max && y >= min && y <= max)) return null;
  const whole = (at: number): bigint => BigInt(Math.min(BUCKETS - 1, Math.floor(((at - min) / (max - min)) * BUCKETS)));
  const [across, up] = [whole(x), whole(y)];
  let hash = 0n;
  for (let bit = 31n; bit > 31n - BigInt(bits); bit--)
    hash |= (((across >> bit) & 1n) << (2n * bit + 1n)) | (((up >> bit) & 1n) << (2n * bit));
  return hash;
}

const ALL = (1n << 64n) - 1n;

/** The first and the last hash of a range, as explain words it; null for one of no hashes. */
export function readHashRange(text: string): readonly [bigint, bigint] | null {
  const found = /^([[(])BinData\(128, ([\dA-F]{16})\), BinData\(128, ([\dA-F]{16})\)([\])])$/.exec(text);
  if (found === null) return null;
  const [low, high] = [BigInt(`0x${found[2]}`), BigInt(`0x${found[3]}`)];
  return [found[1] === "(" ? low + 1n : low, found[4] === ")" ? high - 1n : high];
}

/** More squares than this are not made of one range. */
const MOST = 400;

/** The largest squares that fill a range of hashes. */
export function squaresBetween(first: bigint, last: bigint, grid: Grid): readonly Square[] {
  const squares: Square[] = [];
  let at = first;
  while (at <= last && squares.length < MOST) {
    let [size, width] = [1n, 1];
    while (size <= ALL && at % (4n * size) === 0n && at + 4n * size - 1n <= last) {
      size *= 4n;
      width *= 2;
    }
    const low = corner(at, grid);
    const side = (width / BUCKETS) * (grid.max - grid.min);
    squares.push([low, [low[0] + side, low[1] + side]]);
    at += size;
  }
  return squares;
}
