/**
 * The way of a line between two boxes: out at a side, level there, through the bends of the layout, and in at a side.
 *
 * Pure. Invariants: a line leaves and enters level, at the height of its row; boxes above one another, and a box and
 * itself, are joined by a loop.
 */
import type { Point } from "./layout.ts";

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Port {
  readonly box: Rectangle;
  readonly y: number;
}

export interface Route {
  readonly d: string;
  readonly start: Point;
  readonly end: Point;
  /** Outwards to the right (1) or to the left (-1). */
  readonly startSide: number;
  readonly endSide: number;
  readonly middle: Point;
}

/** Boxes nearer than this are joined by a loop. */
const nearest = 36;
/** Pixels that a loop goes out at least. */
const loop = 52;

const rounded = (value: number): number => Math.round(value * 10) / 10;

export function routeOf(from: Port, to: Port, bends: readonly Point[]): Route {
  const isLeft = to.box.x + to.box.width + nearest <= from.box.x;
  const isRight = from.box.x + from.box.width + nearest <= to.box.x;
  const startSide = isLeft ? -1 : 1;
  const endSide = isRight ? -1 : 1;
  const start = { x: from.box.x + (startSide > 0 ? from.box.width : 0), y: from.y };
  const end = { x: to.box.x + (endSide > 0 ? to.box.width : 0), y: to.y };
  if (!isLeft && !isRight) return looped(from, to);
  const points = [start, ...bends, end];
  let d = `M${rounded(start.x)} ${rounded(start.y)}`;
  const middles: Point[] = [];
  for (const [index, point] of points.entries()) {
    const before = points[index - 1];
    if (before === undefined) continue;
    const half = (before.x + point.x) / 2;
    d += `C${curve(half, before.y, half, point.y, point.x, point.y)}`;
    middles.push({ x: half, y: (before.y + point.y) / 2 });
  }
  // Beside the box that refers: its lines are fewer than those that come together at the other end.
  return { d, start, end, startSide, endSide, middle: middles[0] ?? start };
}

/** Joins boxes above one another by a loop at the right, a box and itself by one at the left. */
function looped(from: Port, to: Port): Route {
  const side = from.box === to.box ? -1 : 1;
  const x = ({ box }: Port): number => box.x + (side > 0 ? box.width : 0);
  const isPoint = from.box === to.box && from.y === to.y;
  // A line from a row to itself would be no loop at all.
  const start = { x: x(from), y: from.y - (isPoint ? 5 : 0) };
  const end = { x: x(to), y: to.y + (isPoint ? 5 : 0) };
  const far = loop + Math.min(40, Math.abs(start.y - end.y) / 8);
  const out = side > 0 ? Math.max(start.x, end.x) + far : start.x - far;
  return {
    d: `M${rounded(start.x)} ${rounded(start.y)}C${curve(out, start.y, out, end.y, end.x, end.y)}`,
    start,
    end,
    startSide: side,
    endSide: side,
    middle: { x: (start.x + 6 * out + end.x) / 8, y: (start.y + end.y) / 2 },
  };
}

function curve(...numbers: readonly number[]): string {
  return numbers.map(rounded).join(" ");
}
