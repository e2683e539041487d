/**
 * A plan as a flow from left to right: the indexes and collections that it reads, the stages that keys and documents
 * pass, the result; and the bands between them, whose widths stand for the numbers of keys and documents.
 *
 * Invariants: pure; each figure is one that explain gave, or the difference of two of them; a figure that explain did
 * not give is null and its band has no width of its own.
 */
import { collectionOf, type Plan, type PlanStage } from "./plan.ts";
import { isOfBuckets, unpacking } from "./series.ts";
import { fieldOf, numberOf } from "./values.ts";

/** The things that pass along a band. */
export type Passing =
  /** Entries of an index: a key and the record it leads to. */
  | "keys"
  /** The documents of a time series, before they are unpacked. */
  | "buckets"
  | "documents";

/** The index or collection that a stage's keys or documents come from. */
export type FlowSource =
  | { readonly kind: "index"; readonly name: string }
  | { readonly kind: "collection"; readonly name: string | null };

export interface FlowNode {
  readonly id: number;
  readonly kind: "source" | "stage" | "result";
  /** The column, from 1: a source stands left of the stage that it feeds, the result is last. */
  readonly step: number;
  /** The first of its lanes, from 1; a stage which several feed spans the lanes of them all. */
  readonly lane: number;
  readonly lanes: number;
  readonly stage: PlanStage | null;
  readonly source: FlowSource | null;
  /** The things that go on from it. */
  readonly passing: Passing;
  /** The number of keys or documents that came in by all bands, and the number that went on. */
  readonly taken: number | null;
  readonly given: number | null;
  /** The number that came in and did not go on: filtered, seen before, skipped, beyond the limit. */
  readonly dropped: number | null;
  /** The stage's own milliseconds, without those of the stages before it. */
  readonly ownMillis: number | null;
}

export interface FlowBand {
  readonly from: number;
  readonly to: number;
  readonly passing: Passing;
  readonly figure: number | null;
  /** Pixels: from 2 for one to `widest` for the most of this plan; 0 for nothing and where nothing is known. */
  readonly width: number;
  /** Its cell: between two steps, over the lanes of the stage it leads to. */
  readonly step: number;
  readonly lane: number;
  readonly lanes: number;
  /** The band's edges in its cell, as shares of the lanes. */
  readonly start: number;
  readonly end: number;
}

export interface Flow {
  readonly steps: number;
  readonly lanes: number;
  /** The nodes in the order of the work, each branch of a merge before the next. */
  readonly nodes: readonly FlowNode[];
  readonly bands: readonly FlowBand[];
  /** The greatest figure of a band: it is drawn `widest`. */
  readonly most: number;
}

/** Pixels of the widest band. */
export const widest = 30;

/** The width of a band: by the figure's logarithm, so that five beside seventy thousand can still be seen. */
export function bandWidth(figure: number | null, most: number): number {
  if (figure === null || figure <= 0) return 0;
  if (most <= 1) return 2;
  return Math.round(10 * (2 + ((widest - 2) * Math.log(figure)) / Math.log(most))) / 10;
}

interface Placed extends Omit<FlowNode, "step"> {
  readonly depth: number;
}

interface Joined {
  readonly from: Placed;
  readonly to: Placed;
  readonly passing: Passing;
  readonly figure: number | null;
}

/** Lays out a plan. */
export function flowOf(plan: Plan): Flow {
  const placed: Placed[] = [];
  const joined: Joined[] = [];
  let lanes = 0;

  const place = (node: Omit<Placed, "id">): Placed => {
    const whole = { ...node, id: placed.length };
    placed.push(whole);
    return whole;
  };

  const walk = (stage: PlanStage, depth: number): { readonly node: Placed; readonly passing: Passing } => {
    const first = lanes + 1;
    const before = stage.inputs.map((input) => walk(input, depth + 1));
    const sources: { readonly node: Placed; readonly passing: Passing; readonly figure: number | null }[] = [];
    for (const { source, passing, figure } of sourcesOf(stage, plan)) {
      lanes += 1;
      const node = place({
        kind: "source",
        depth: depth + 1,
        lane: lanes,
        lanes: 1,
        stage: null,
        source,
        passing,
        taken: null,
        given: figure,
        dropped: null,
        ownMillis: null,
      });
      sources.push({ node, passing, figure });
    }
    if (lanes < first) lanes = first;
    const passing = passingFrom(stage, before[0]?.passing ?? sources[0]?.passing ?? "documents", plan);
    const taken = takenBy(stage, sources);
    const given = givenBy(stage);
    const node = place({
      kind: "stage",
      depth,
      lane: first,
      lanes: lanes - first + 1,
      stage,
      source: null,
      passing,
      taken,
      given,
      dropped: droppedBy(stage, taken, given),
      ownMillis: ownMillisOf(stage),
    });
    for (const input of before)
      joined.push({ from: input.node, to: node, passing: input.passing, figure: givenBy(input.node.stage) });
    for (const source of sources)
      joined.push({ from: source.node, to: node, passing: source.passing, figure: source.figure });
    return { node, passing };
  };

  const answer = walk(plan.root, 1);
  const result = place({
    kind: "result",
    depth: 0,
    lane: 1,
    lanes: Math.max(1, lanes),
    stage: null,
    source: null,
    passing: answer.passing,
    taken: answer.node.given,
    given: answer.node.given,
    dropped: null,
    ownMillis: null,
  });
  joined.push({ from: answer.node, to: result, passing: answer.passing, figure: answer.node.given });

  const steps = Math.max(...placed.map((node) => node.depth)) + 1;
  const most = Math.max(0, ...joined.map((band) => band.figure ?? 0));
  const middle = (node: Placed, inside: Placed): number => (node.lane - inside.lane + node.lanes / 2) / inside.lanes;
  return {
    steps,
    lanes: Math.max(1, lanes),
    nodes: placed.map(({ depth, ...node }) => ({ ...node, step: steps - depth })),
    bands: joined.map(({ from, to, passing, figure }) => ({
      from: from.id,
      to: to.id,
      passing,
      figure,
      width: bandWidth(figure, most),
      step: steps - from.depth,
      lane: to.lane,
      lanes: to.lanes,
      start: middle(from, to),
      end: 0.5,
    })),
    most,
  };
}

/** The indexes and collections that a stage reads itself, with the numbers read; without its input stages. */
function sourcesOf(
  stage: PlanStage,
  plan: Plan,
): readonly { readonly source: FlowSource; readonly passing: Passing; readonly figure: number | null }[] {
  const collection: FlowSource = { kind: "collection", name: collectionOf(plan.namespace) };
  if (stage.name.startsWith("$")) {
    const from = joinedCollection(stage);
    if (stage.documentsExamined === null && stage.keysExamined === null) return [];
    return [{ source: { kind: "collection", name: from }, passing: "documents", figure: stage.documentsExamined }];
  }
  if (stage.inputs.length > 0) return [];
  if (stage.indexName !== null)
    return [{ source: { kind: "index", name: stage.indexName }, passing: "keys", figure: stage.keysExamined }];
  if (stage.name === "COLLSCAN" || stage.documentsExamined !== null)
    return [{ source: collection, passing: documentsOf(plan), figure: stage.documentsExamined }];
  return [];
}

/** The collection that a `$lookup` reads beside its own. */
export function joinedCollection(stage: PlanStage): string | null {
  const body = stage.body;
  if (typeof body !== "object" || body === null) return null;
  const from: unknown = Reflect.get(body, "from");
  return typeof from === "string" ? from : null;
}

/** What the documents of the collection are that a plan reads. */
export const documentsOf = (plan: Plan): Passing =>
  isOfBuckets(collectionOf(plan.namespace)) ? "buckets" : "documents";

/** Stages which put documents in the place of keys. */
const fetching = /^(FETCH|IDHACK|EXPRESS_|PROJECTION_|UPDATE|DELETE|RETURN_KEY|TEXT)/;

function passingFrom(stage: PlanStage, before: Passing, plan: Plan): Passing {
  if (stage.name.startsWith("$")) return stage.name === unpacking || before === "keys" ? "documents" : before;
  return fetching.test(stage.name) || stage.documentsExamined !== null ? documentsOf(plan) : before;
}

/** The number that a stage gave to the next: a count gives its result, a write the documents that it would change. */
export function givenBy(stage: PlanStage | null): number | null {
  if (stage === null) return null;
  const { counts } = stage;
  return (
    counts["nCounted"] ??
    counts["nWouldDelete"] ??
    (counts["nMatched"] === undefined ? undefined : counts["nMatched"] + (counts["nWouldUpsert"] ?? 0)) ??
    stage.returned
  );
}

function takenBy(
  stage: PlanStage,
  sources: readonly { readonly figure: number | null; readonly passing: Passing }[],
): number | null {
  const figures = [
    ...stage.inputs.map(givenBy),
    // Documents that a join looks up are no input: they go into the documents that pass the join.
    ...(stage.name.startsWith("$") ? [] : sources.map((source) => source.figure)),
  ];
  if (figures.length === 0 || figures.includes(null)) return null;
  return figures.reduce<number>((sum, figure) => sum + (figure ?? 0), 0);
}

/** Stages which make new documents of their input, so that fewer coming out says nothing of any dropped. */
const making = new Set([
  "COUNT",
  ..."group bucket bucketAuto count sortByCount facet unwind unionWith densify groupByDistinctScan documents lookup"
    .split(" ")
    .map((name) => `$${name}`),
]);

function droppedBy(stage: PlanStage, taken: number | null, given: number | null): number | null {
  // Documents that a sort holds back may yet come with the next batch.
  if (holdsBack(stage, given)) return null;
  if (taken === null || given === null || making.has(stage.name) || given > taken) return null;
  return taken - given;
}

function holdsBack(stage: PlanStage, given: number | null): boolean {
  if (stage.name === "SORT") return stage.ended === false;
  return stage.name === "$sort" && given !== numberOf(fieldOf(stage.body, "limit"));
}

function ownMillisOf(stage: PlanStage): number | null {
  if (stage.own !== null) return stage.own.millis;
  if (stage.millis === null) return null;
  const before = stage.inputs[0]?.millis;
  return before === null || before === undefined ? stage.millis : Math.max(0, stage.millis - before);
}
