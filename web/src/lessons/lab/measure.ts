/**
 * The costs of a lab's designs, as figures: those that are tabled, those that grow with the scale, and the names by
 * which a text means them.
 *
 * Invariants: pure; every figure is one that a run reported, or the engine's own of its data; a figure that a design
 * failed to give is null, and is never taken for zero.
 */
import type { Document } from "bson";
import type { ScriptError } from "../../protocol/run.ts";
import type { LabScripts, OperationKind } from "./parse.ts";

/** The data of a design, after its script. */
export const SIZES = ["documents", "averageBytes", "largestBytes", "dataBytes", "storageBytes", "indexBytes"] as const;
export type Size = (typeof SIZES)[number];

/** The figures of one run of an operation. */
export const COSTS = [
  "commands",
  "documentsReturned",
  "documentsExamined",
  "keysExamined",
  "pagesRead",
  "documentsWritten",
  "pagesWritten",
] as const;
export type Cost = (typeof COSTS)[number];

const LOOKED_AT = ["commands", "documentsExamined", "keysExamined", "pagesRead"] as const;

/**
 * The costs that are told of an operation: for a read the keys, documents and pages read, for a change those written
 * too.
 */
export const COSTS_OF: Readonly<Record<OperationKind, readonly Cost[]>> = {
  read: LOOKED_AT,
  write: [...LOOKED_AT, "documentsWritten", "pagesWritten"],
};

/** The cost that an operation is compared by first. */
export const MAIN_COST: Readonly<Record<OperationKind, Cost>> = { read: "pagesRead", write: "pagesWritten" };

/** `averageBytes` is null where a design has several collections: their documents have no average in common. */
export type Sizes = Readonly<Record<Exclude<Size, "averageBytes">, number>> & { readonly averageBytes: number | null };
export type Costs = Readonly<Record<Cost, number>>;

/** A document of each collection, to be looked at. */
export interface Sample {
  readonly collection: string;
  readonly documents: number;
  readonly document: Document;
  readonly bytes: number;
  /** Of all documents of the collection. */
  readonly averageBytes: number;
}

/** A script of a design that failed; `script` is "design" or the operation's id. */
export interface DesignFault {
  readonly script: string;
  /** The script as it ran. */
  readonly source: string;
  readonly error: Pick<ScriptError, "name" | "message" | "text" | "line" | "column">;
  /**
   * The lab's own objection: a read that wrote, or more statements than are counted. Null where the script itself
   * failed.
   */
  readonly own: "read-writes" | "statements" | null;
}

/** One design at one scale. */
export interface DesignMeasure {
  readonly id: string;
  /** Null where its script failed. */
  readonly sizes: Sizes | null;
  /** By the operation's id; an operation that failed is not there. */
  readonly costs: ReadonlyMap<string, Costs>;
  readonly samples: readonly Sample[];
  readonly faults: readonly DesignFault[];
}

/** A design that does not answer as the first that answers does. */
export interface Difference {
  readonly design: string;
  readonly first: string;
  readonly operation: string;
  /** The change after which it was asked; null before any. */
  readonly after: string | null;
}

/** All designs of a lab at one scale. */
export interface LabMeasure {
  readonly scale: number;
  readonly designs: readonly DesignMeasure[];
  readonly differences: readonly Difference[];
}

/** The scales that a reader can choose. */
export const SCALES = [100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000] as const;

/** The scales to measure, so that growth up to one is seen: each ten times the one before, and the scale itself. */
export function scalesUpTo(scale: number): readonly number[] {
  const decades = [100, 1000, 10_000, 100_000].filter((one) => one < scale);
  return [...decades, scale];
}

/** A figure of a design: its data's, or where an operation is given its cost there; null where it is not known. */
export function figureAt(measure: LabMeasure, design: string, operation: string | null, name: string): number | null {
  const found = measure.designs.find(({ id }) => id === design);
  if (found === undefined) return null;
  if (operation === null) return found.sizes?.[name as Size] ?? null;
  return found.costs.get(operation)?.[name as Cost] ?? null;
}

/** A point for each scale that was measured, in their order; null where the design failed. */
export interface Growth {
  readonly design: string;
  readonly points: readonly { readonly scale: number; readonly value: number | null }[];
}

/** How a figure of every design grows. */
export function growthOf(
  measures: Iterable<LabMeasure>,
  designs: readonly string[],
  operation: string | null,
  name: string,
): readonly Growth[] {
  const sorted = [...measures].sort((left, right) => left.scale - right.scale);
  return designs.map((design) => ({
    design,
    points: sorted.map((measure) => ({
      scale: measure.scale,
      value: figureAt(measure, design, operation, name),
    })),
  }));
}

/**
 * The figures that are drawn by one scale: those of an operation, or of the data, that count the same thing. So a bar
 * of seven pages read is longer than one of six pages written.
 */
const UNITS: readonly (readonly string[])[] = [
  ["documentsReturned", "documentsExamined", "documentsWritten"],
  ["pagesRead", "pagesWritten"],
  ["averageBytes", "largestBytes"],
  ["dataBytes", "storageBytes", "indexBytes"],
];

/** The largest figure of those that share a scale with this one, among all designs. */
export function mostOf(measure: LabMeasure, operation: string | null, name: string): number {
  const unit = UNITS.find((names) => names.includes(name)) ?? [name];
  const told = operation === null ? (SIZES as readonly string[]) : (COSTS as readonly string[]);
  return Math.max(
    0,
    ...measure.designs.flatMap(({ id }) =>
      unit.filter((one) => told.includes(one)).map((one) => figureAt(measure, id, operation, one) ?? 0),
    ),
  );
}

/** Where another design becomes the cheapest as the scale grows. */
export interface Crossing {
  readonly before: string;
  /** The last scale at which `before` cost least. */
  readonly until: number;
  readonly behind: string;
  /** The first scale at which `behind` costs least, and less than `before`. */
  readonly from: number;
}

/** The scales between which the cheapest design changes. */
export function crossingsOf(growth: readonly Growth[]): readonly Crossing[] {
  const scales = (growth[0]?.points ?? []).map(({ scale }) => scale);
  const at = (design: string, place: number): number =>
    growth.find((one) => one.design === design)?.points[place]?.value ?? Number.POSITIVE_INFINITY;
  const cheapest = (place: number): readonly string[] => {
    const least = Math.min(...growth.map(({ design }) => at(design, place)));
    return growth.filter(({ design }) => at(design, place) === least).map(({ design }) => design);
  };
  const found: Crossing[] = [];
  let best = cheapest(0);
  for (const [place, scale] of scales.entries()) {
    const now = cheapest(place);
    const still = best.filter((design) => now.includes(design));
    const [before, behind] = [best[0], now[0]];
    if (still.length === 0 && before !== undefined && behind !== undefined)
      found.push({ before, until: scales[place - 1] ?? scale, behind, from: scale });
    best = still.length === 0 ? now : still;
  }
  return found;
}

/** A figure that a text names: `DESIGN.SIZE`, `DESIGN.OPERATION.COST`, or the scale, `n`. */
export type Named =
  | { readonly kind: "scale" }
  | { readonly kind: "size"; readonly design: string; readonly size: Size }
  | { readonly kind: "average"; readonly design: string; readonly collection: string }
  | { readonly kind: "cost"; readonly design: string; readonly operation: string; readonly cost: Cost };

/** The figure that a name means; a text instead says why it means none. */
export function readNamed(name: string, scripts: Pick<LabScripts, "designs" | "operations">): Named | string {
  if (name === "n") return { kind: "scale" };
  const [design = "", ...rest] = name.split(".");
  if (!scripts.designs.some(({ id }) => id === design)) return `there is no design \`${design}\``;
  const [first = "", second, ...more] = rest;
  if (more.length > 0) return `\`${name}\` has too many parts`;
  if (second === undefined) {
    const size = SIZES.find((one) => one === first);
    return size === undefined ? `a design has no \`${first}\`` : { kind: "size", design, size };
  }
  if (first === "averageBytes") return { kind: "average", design, collection: second };
  if (!scripts.operations.some(({ id }) => id === first)) return `there is no operation \`${first}\``;
  const cost = COSTS.find((one) => one === second);
  return cost === undefined ? `an operation has no \`${second}\`` : { kind: "cost", design, operation: first, cost };
}

/** The value of a figure; null while it is not known. */
export function valueOf(named: Named, measure: LabMeasure): number | null {
  if (named.kind === "scale") return measure.scale;
  if (named.kind === "average") {
    const samples = measure.designs.find(({ id }) => id === named.design)?.samples ?? [];
    return samples.find(({ collection }) => collection === named.collection)?.averageBytes ?? null;
  }
  return named.kind === "size"
    ? figureAt(measure, named.design, null, named.size)
    : figureAt(measure, named.design, named.operation, named.cost);
}

/** Whether a figure counts bytes. */
export const isBytes = (name: string): boolean => name.endsWith("Bytes");

/** Values of which the same data give the same text, however their fields are ordered. */
export function comparable(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([left], [right]) => (left < right ? -1 : 1)))
      : part,
  );
}

/** Each design's answer, by the operation and the change before it (`read`, `read after write`). */
export type Answers = ReadonlyMap<string, ReadonlyMap<string, string>>;

export const answerKey = (operation: string, after: string | null): string =>
  after === null ? operation : `${operation} ${after}`;

/** The operations whose answer in some design is another than in the first design that has one. */
export function differencesIn(answers: Answers, scripts: LabScripts): readonly Difference[] {
  const found: Difference[] = [];
  const reads = scripts.operations.filter(({ kind }) => kind === "read");
  const changes = scripts.operations.filter(({ kind }) => kind === "write").map(({ id }) => id);
  for (const { id: operation } of reads)
    for (const after of [null, ...changes]) {
      const key = answerKey(operation, after);
      let first: { readonly design: string; readonly answer: string } | null = null;
      for (const { id: design } of scripts.designs) {
        const answer = answers.get(design)?.get(key);
        if (answer === undefined) continue;
        first ??= { design, answer };
        if (answer !== first.answer) found.push({ design, first: first.design, operation, after });
      }
    }
  return found;
}
