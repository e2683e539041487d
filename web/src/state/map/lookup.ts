/**
 * Which cells of a geospatial index a command read, out of its plan.
 *
 * Invariant: pure; a cell is one that explain's bounds name, and every figure is of the run that explain describes. Of
 * a plan that was not run a search for the nearest has no cells: it looks for them while it runs.
 */
import { areaOf, type Area } from "./area.ts";
import { cornersOf, levelOf, rangeOf, readCellRange } from "./cells.ts";
import { geoFieldsOf } from "./geo-index.ts";
import { readHashRange, squaresBetween, type Grid } from "./grid.ts";
import { boxRing } from "./sphere.ts";
import type { Plan, PlanStage } from "../plan.ts";
import { numberOf, partsOf, fieldOf } from "../values.ts";

/** A ring of a search for the nearest. */
export interface Ring {
  /** Metres, radians or units, as the query has its distances. */
  readonly inner: number;
  readonly outer: number;
  readonly returned: number;
}

/** A read of a geospatial index. */
export interface Lookup {
  readonly index: string;
  readonly field: string;
  readonly isPlane: boolean;
  /** The bounds as explain words them. */
  readonly ranges: readonly string[];
  readonly rings: readonly Ring[];
  /** The other fields of the index; their bounds narrowed the read too. */
  readonly others: readonly string[];
  readonly keysExamined: number | null;
  readonly documentsExamined: number | null;
}

/** The reads of geospatial indexes, one for each index and field. */
export function lookupsOf(plan: Plan): readonly Lookup[] {
  const found = new Map<string, Lookup>();
  const walk = (stage: PlanStage, fetched: number | null): void => {
    // A compound index may have several: each has bounds of its own.
    for (const geo of geoFieldsOf(stage.keyPattern)) {
      const key = `${stage.indexName} ${geo.field}`;
      const before = found.get(key);
      const bounds = stage.bounds.find(([field]) => field === geo.field)?.[1] ?? [];
      const others = partsOf(stage.keyPattern as object).flatMap(([field]) => (field === geo.field ? [] : [field]));
      found.set(key, {
        index: stage.indexName ?? "",
        ...geo,
        others,
        ranges: [...(before?.ranges ?? []), ...bounds],
        rings: [...(before?.rings ?? []), ...ringsOf(stage.searchIntervals)],
        keysExamined: sum(before?.keysExamined, stage.keysExamined),
        documentsExamined: sum(before?.documentsExamined, stage.bounds.length === 0 ? null : fetched),
      });
    }
    for (const input of stage.inputs) walk(input, stage.name === "FETCH" ? stage.documentsExamined : fetched);
  };
  walk(plan.root, null);
  return [...found.values()];
}

const sum = (one: number | null | undefined, other: number | null): number | null =>
  one == null ? other : one + (other ?? 0);

function ringsOf(intervals: unknown): readonly Ring[] {
  if (!Array.isArray(intervals)) return [];
  return intervals.map((ring) => ({
    inner: numberOf(fieldOf(ring, "minDistance")) ?? 0,
    outer: numberOf(fieldOf(ring, "maxDistance")) ?? 0,
    returned: numberOf(fieldOf(ring, "nReturned")) ?? 0,
  }));
}

/** The cells of a read, to draw. */
export interface Cells {
  /** Of these all keys within the cell were read. */
  readonly whole: readonly Area[];
  /** Of these only the key of the cell itself was read: a larger shape may have it. */
  readonly alone: readonly Area[];
  /** The finest and the coarsest level of cells read whole; null in the plane. */
  readonly levels: readonly [number, number] | null;
  /** Bounds that are no cells: the whole index was read. */
  readonly isAll: boolean;
}

const sphereArea = (cell: bigint): Area => {
  const corners = cornersOf(cell);
  return areaOf([[...corners, ...corners.slice(0, 1)]], true);
};

/**
 * The cells of a read as areas.
 *
 * @param grid the grid of a `2d` index
 */
export function cellsOf({ ranges, isPlane }: Pick<Lookup, "ranges" | "isPlane">, grid: Grid): Cells {
  if (isPlane) {
    const whole = ranges.flatMap((text) => {
      const range = readHashRange(text);
      return range === null ? [] : squaresBetween(...range, grid);
    });
    const areas = whole.map(([low, high]): Area => {
      const ring = boxRing(low, high);
      return { fill: [ring], outline: [ring] };
    });
    return { whole: areas, alone: [], levels: null, isAll: ranges.length > 0 && whole.length === 0 };
  }
  const read = ranges.map(readCellRange).filter((range) => range !== null);
  const whole = [...new Set(read.flatMap((range) => range.whole))];
  const alone = [...new Set(read.flatMap((range) => range.alone))];
  const levels = whole.map(levelOf);
  return {
    whole: whole.map(sphereArea),
    alone: alone.map(sphereArea),
    levels: levels.length === 0 ? null : [Math.min(...levels), Math.max(...levels)],
    isAll: ranges.length > 0 && read.length === 0,
  };
}

/** Whether the key of a point was among those read; of the sphere its leaf cell, in the plane its hash. */
export function keyTest({ ranges, isPlane }: Pick<Lookup, "ranges" | "isPlane">): (key: bigint) => boolean {
  const spans = ranges.flatMap((text): readonly (readonly [bigint, bigint])[] => {
    if (isPlane) {
      const range = readHashRange(text);
      return range === null ? [] : [range];
    }
    const range = readCellRange(text);
    if (range === null) return [];
    // Indexes of versions 1 and 2, whose keys are texts, have a point's cell of level 14 in the place of its leaf cell.
    const alone = text.includes('"') ? range.alone.filter((cell) => levelOf(cell) === 14) : [];
    return [...range.whole, ...alone].map(rangeOf);
  });
  // Those of later rings lie between those of earlier ones: some hold no key at all, and some overlap.
  const sorted: (readonly [bigint, bigint])[] = [];
  for (const [first, last] of spans.toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))) {
    const before = sorted.at(-1);
    if (last < first) continue;
    if (before === undefined || first > before[1]) sorted.push([first, last]);
    else if (last > before[1]) sorted[sorted.length - 1] = [before[0], last];
  }
  return (key) => {
    let [low, high] = [0, sorted.length - 1];
    while (low <= high) {
      const at = (low + high) >> 1;
      const [first, last] = sorted[at] ?? [0n, 0n];
      if (key < first) high = at - 1;
      else if (key > last) low = at + 1;
      else return true;
    }
    return false;
  };
}
