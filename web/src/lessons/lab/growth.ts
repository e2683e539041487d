/**
 * The lay-out of a chart of growth: cost against scale, both in tenfold steps.
 *
 * Invariants: pure; a line has a point for each scale that was measured and breaks where a design failed; zero lies on
 * the ground line, below one.
 */
import type { Growth } from "./measure.ts";

/** The chart's own units; the view scales them. */
export const GROWTH_WIDTH = 320;
export const GROWTH_HEIGHT = 170;
const LEFT = 46;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 26;

export interface Tick {
  readonly at: number;
  readonly value: number;
}

export interface Dot {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
  readonly value: number;
}

export interface GrowthLine {
  readonly design: string;
  /** Runs of points without a gap. */
  readonly runs: readonly (readonly Dot[])[];
}

export interface GrowthLayout {
  readonly across: readonly Tick[];
  readonly up: readonly Tick[];
  /** Where the line of zero lies. */
  readonly ground: number;
  readonly lines: readonly GrowthLine[];
}

/** The marks that an axis can have: 1, 10, 100, … or, of bytes, 1, 10 and 100 of each unit. */
function stepsOf(bytes: boolean): readonly number[] {
  const decades = Array.from({ length: 13 }, (_, at) => at);
  return bytes ? decades.map((at) => 1024 ** Math.floor(at / 3) * 10 ** (at % 3)) : decades.map((at) => 10 ** at);
}

/** Lays out the growth of one figure; null where no design has a value. */
export function layOutGrowth(growth: readonly Growth[], bytes = false): GrowthLayout | null {
  const points = growth.flatMap((one) => one.points);
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]));
  if (values.length === 0) return null;
  const scales = points.map(({ scale }) => scale);
  const logs = { from: Math.log10(Math.min(...scales)), to: Math.log10(Math.max(...scales)) };
  // One scale alone stands in the middle of a decade.
  const acrossFrom = logs.to > logs.from ? logs.from : logs.from - 0.5;
  const acrossTo = logs.to > logs.from ? logs.to : logs.to + 0.5;
  const positive = values.filter((value) => value > 0);
  const steps = stepsOf(bytes);
  const highest = Math.max(1, ...positive);
  const last = Math.max(
    1,
    steps.findIndex((step) => step >= highest),
  );
  const first = positive.length === 0 ? 0 : steps.findLastIndex((step) => step <= Math.min(...positive));
  // A chart has two marks at least, and begins at one where something lies below that.
  const from = Math.min(Math.max(0, first), last - 1);
  const ticks = steps.slice(from, last + 1);
  const ground = GROWTH_HEIGHT - BOTTOM;
  const below = values.some((value) => value < (ticks[0] ?? 1));
  // Values below the lowest mark, as zero, get one more step beneath that mark.
  const lowest = Math.log10(ticks[0] ?? 1) - (below ? 1 : 0);
  const upTo = Math.log10(ticks.at(-1) ?? 10);
  const x = (scale: number): number =>
    LEFT + ((Math.log10(scale) - acrossFrom) / (acrossTo - acrossFrom)) * (GROWTH_WIDTH - LEFT - RIGHT);
  const y = (value: number): number =>
    value <= 0 ? ground : Math.min(ground, ground - ((Math.log10(value) - lowest) / (upTo - lowest)) * (ground - TOP));
  // A chart of bytes spans many decades, of which every second is named.
  const every = Math.ceil(ticks.length / 5);
  return {
    across: [...new Set(scales)]
      .filter((scale) => Number.isInteger(Math.log10(scale)) || scale === Math.max(...scales))
      .map((scale) => ({ at: x(scale), value: scale })),
    up: [
      ...(below ? [{ at: ground, value: 0 }] : []),
      ...ticks.filter((_, at) => at % every === 0).map((value) => ({ at: y(value), value })),
    ],
    ground,
    lines: growth.map(({ design, points: own }) => {
      const runs: Dot[][] = [[]];
      for (const { scale, value } of own) {
        if (value === null) runs.push([]);
        else runs.at(-1)?.push({ x: x(scale), y: y(value), scale, value });
      }
      return { design, runs: runs.filter((run) => run.length > 0) };
    }),
  };
}
