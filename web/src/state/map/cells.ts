/**
 * The cells of the sphere that a `2dsphere` index has as keys, by S2's numbers: which cell a key is, where its corners
 * are, and which cells a range of keys holds. The counterpart of `crate/src/geo/cell.rs`.
 *
 * Invariant: pure; a number is 64 bits without a sign: three of the face, two a level along a Hilbert curve, one that
 * ends them.
 */
import { vectorOf, pointOf, type Point, type Vector } from "./sphere.ts";

/** How deep leaf cells are. */
export const LEAF_LEVEL = 30;
const SIDE = 2 ** LEAF_LEVEL;

/** The position along the curve of the quarter `2 * i + j`, for each of the four ways in which the curve can lie. */
const ALONG = [
  [0, 1, 3, 2],
  [0, 3, 1, 2],
  [2, 3, 1, 0],
  [2, 1, 3, 0],
] as const;
/** How the curve is turned in the quarter at a position. */
const TURNS = [1, 0, 0, 3] as const;

const endOf = (cell: bigint): bigint => cell & -cell;

/** 0 for the faces of the cube, 30 for leaf cells. */
export function levelOf(cell: bigint): number {
  let zeros = 0;
  for (let rest = cell; rest !== 0n && (rest & 1n) === 0n; rest >>= 1n) zeros += 1;
  return LEAF_LEVEL - (zeros >> 1);
}

/** The first and the last leaf cell in a cell. */
export function rangeOf(cell: bigint): readonly [bigint, bigint] {
  const others = endOf(cell) - 1n;
  return [cell - others, cell + others];
}

/** The cell of a level that a cell is in. */
export function parentOf(cell: bigint, level: number): bigint {
  const end = 1n << BigInt(2 * (LEAF_LEVEL - level));
  return BigInt.asUintN(64, (cell & -end) | end);
}

/** The face of the cube that a place is on, and where on it, -1 to 1. */
function onCube(place: Vector): readonly [number, number, number] {
  const [x, y, z] = place;
  const sizes = place.map(Math.abs);
  const axis = sizes.indexOf(Math.max(...sizes)) as 0 | 1 | 2;
  switch (axis + (place[axis] < 0 ? 3 : 0)) {
    case 0:
      return [0, y / x, z / x];
    case 1:
      return [1, -x / y, z / y];
    case 2:
      return [2, -x / z, -y / z];
    case 3:
      return [3, z / x, y / x];
    case 4:
      return [4, z / y, -x / y];
    default:
      return [5, -y / z, -x / z];
  }
}

function fromCube(face: number, u: number, v: number): Vector {
  const cube: readonly Vector[] = [
    [1, u, v],
    [-u, 1, v],
    [-u, -v, 1],
    [-1, -v, -u],
    [v, -1, -u],
    [v, u, -1],
  ];
  return cube[face] ?? [1, u, v];
}

function leafIndex(at: number): number {
  const part = at >= 0 ? 0.5 * Math.sqrt(1 + 3 * at) : 1 - 0.5 * Math.sqrt(1 - 3 * at);
  return Math.min(SIDE - 1, Math.max(0, Math.floor(part * SIDE)));
}

/** The leaf cell of a place. */
export function leafAt(point: Point): bigint {
  const [face, u, v] = onCube(vectorOf(point));
  const [i, j] = [leafIndex(u), leafIndex(v)];
  let turned = face & 1;
  // Two numbers of thirty bits each: arithmetic of large ones is slow.
  const halves = [0, 0] as [number, number];
  for (let level = LEAF_LEVEL - 1; level >= 0; level--) {
    const quarter = ((Math.floor(i / 2 ** level) & 1) << 1) | (Math.floor(j / 2 ** level) & 1);
    const position = ALONG[turned]?.[quarter] ?? 0;
    const half = level >= 15 ? 0 : 1;
    halves[half] = halves[half] * 4 + position;
    turned ^= TURNS[position] ?? 0;
  }
  return (BigInt(face) << 61n) | (BigInt(halves[0]) << 31n) | (BigInt(halves[1]) << 1n) | 1n;
}

/** A place on the side of a face, 0 to 1 in leaf cells, as -1 to 1 on the cube. */
const onSide = (at: number): number => (at >= 0.5 ? (4 * at * at - 1) / 3 : (1 - 4 * (1 - at) * (1 - at)) / 3);

/** The corners of a cell, against the clock. */
export function cornersOf(cell: bigint): readonly Point[] {
  const face = Number(cell >> 61n);
  const level = levelOf(cell);
  let [i, j, turned] = [0, 0, face & 1];
  for (let at = 0; at < level; at++) {
    const position = Number((cell >> BigInt(59 - 2 * at)) & 3n);
    const quarter = (ALONG[turned] ?? ALONG[0]).indexOf(position as 0 | 1 | 2 | 3);
    turned ^= TURNS[position] ?? 0;
    i = 2 * i + (quarter >> 1);
    j = 2 * j + (quarter & 1);
  }
  const cells = 2 ** level;
  const corner = (di: number, dj: number): Point =>
    pointOf(fromCube(face, onSide((i + di) / cells), onSide((j + dj) / cells)));
  return [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
}

/** More cells than this are not made of one range. */
const MOST = 400;

/** The largest cells that fill the leaf cells from one to another, as far as a range has them. */
export function cellsBetween(first: bigint, last: bigint): readonly bigint[] {
  const cells: bigint[] = [];
  let leaf = first | 1n;
  while (leaf <= last && cells.length < MOST) {
    let end = 1n;
    for (let next = 4n; next <= 1n << 60n; next *= 4n) {
      const larger = leaf + next - 1n;
      if (endOf(larger) !== next || larger + next - 1n > last) break;
      end = next;
    }
    cells.push(leaf + end - 1n);
    leaf += 2n * end;
  }
  return cells;
}

/** The first leaf cell of a key of versions 1 and 2: `2f033`, whose last mark may be one behind the digits. */
function leafOfText(text: string): bigint | null {
  const found = /^([0-5])([fg])([0-4]*)$/.exec(text);
  if (found === null) return null;
  const [, face = "0", mark, digits = ""] = found;
  let at = (BigInt(face) + (mark === "g" ? 1n : 0n)) << 61n;
  for (const [level, digit] of [...digits].entries()) at += BigInt(digit) << BigInt(59 - 2 * level);
  return at + 1n;
}

/** The cell of a key of versions 1 and 2. */
export function cellOfText(text: string): bigint | null {
  const found = /^[0-5]f([0-3]*)$/.exec(text);
  const leaf = leafOfText(text);
  return found === null || leaf === null ? null : parentOf(leaf, found[1]?.length ?? 0);
}

/** The cells that a range of an index's keys covers. */
export interface CellRange {
  /** Of these all keys within the cell were read. */
  readonly whole: readonly bigint[];
  /** Of these only the key of the cell itself was read: a larger shape may have it. */
  readonly alone: readonly bigint[];
}

/** Reads a range of keys, as explain words it; null for one of no cells. */
export function readCellRange(text: string): CellRange | null {
  const found = /^([[(])"?(-?[\dfg]+)"?, "?(-?[\dfg]+)"?([\])])$/.exec(text);
  if (found === null) return null;
  const [, opening, low = "", high = "", closing] = found;
  const isText = low.charAt(1) === "f";
  const number = (key: string): bigint | null => {
    if (isText) return leafOfText(key);
    return /^-?\d+$/.test(key) ? BigInt.asUintN(64, BigInt(key)) : null;
  };
  if (low === high) {
    const cell = isText ? cellOfText(low) : number(low);
    return cell === null ? null : { whole: [], alone: [cell] };
  }
  const [first, last] = [number(low), number(high)];
  if (first === null || last === null) return null;
  if (isText && closing === "]") {
    const cell = cellOfText(high);
    return { whole: cellsBetween(first, last - 1n), alone: cell === null ? [] : [cell] };
  }
  return {
    whole: cellsBetween(opening === "(" ? first + 1n : first, closing === ")" ? last - 1n : last),
    alone: [],
  };
}
