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

export type Sizes = Readonly<Record<Size, number>>;
export type Costs = Readonly<Record<Cost, number>>;

/** A document of each collection, to be looked at. */
export interface Sample {
  readonly collection: string;
  readonly documents: number;
  readonly document: Document;
  readonly bytes: number;
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

/** A figure that a text names: `DESIGN.SIZE`, `DESIGN.OPERATION.COST`, or the scale, `n`. */
export type Named =
  | { readonly kind: "scale" }
  | { readonly kind: "size"; readonly design: string; readonly size: Size }
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
  if (!scripts.operations.some(({ id }) => id === first)) return `there is no operation \`${first}\``;
  const cost = COSTS.find((one) => one === second);
  return cost === undefined ? `an operation has no \`${second}\`` : { kind: "cost", design, operation: first, cost };
}

/** The value of a figure; null while it is not known. */
export function valueOf(named: Named, measure: LabMeasure): number | null {
  if (named.kind === "scale") return measure.scale;
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
