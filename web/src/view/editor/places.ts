/**
 * The places in the arguments of the shell's methods: a table of them, each with its `$` operators and the places
 * inside its keys, so that completion knows a filter from an update however deep it is.
 *
 * Invariants: pure tables and one step; a key that leads nowhere known leads to null, where nothing is offered.
 */
import * as words from "./shell-words.ts";

/** A kind of place. An array stands at the place of its items, but a pipeline, whose items are stages. */
export type PlaceKind =
  | "filter"
  | "condition"
  | "element"
  | "update"
  | "changes"
  | "pushes"
  | "modifiers"
  | "additions"
  | "each"
  | "pulls"
  | "dates"
  | "dateType"
  | "bits"
  | "bit"
  | "document"
  | "paths"
  | "projection"
  | "projectedValue"
  | "projected"
  | "pipeline"
  | "updatePipeline"
  | "stage"
  | "updateStage"
  | "computed"
  | "expression"
  | "group"
  | "bucketGroup"
  | "accumulator"
  | "windowOutput"
  | "window"
  | "names"
  | "facets"
  | "field"
  | "foreignField"
  | "collection"
  | keyof typeof options;

/** Places whose keys are fixed names, each with the place inside it; empty for a value without a place of its own. */
const options = {
  findOptions: { projection: "projection", sort: "paths", hint: "paths", limit: "", skip: "", collation: "" },
  writeOptions: { upsert: "", arrayFilters: "filter", hint: "paths", collation: "" },
  modifyOptions: {
    ...{ sort: "paths", projection: "projection", upsert: "", returnDocument: "", arrayFilters: "filter" },
    ...{ hint: "paths", collation: "" },
  },
  findAndModify: {
    ...{ query: "filter", sort: "paths", update: "update", remove: "", new: "", fields: "projection", upsert: "" },
    ...{ arrayFilters: "filter", collation: "" },
  },
  countOptions: { limit: "", skip: "", hint: "paths", collation: "" },
  aggregateOptions: { allowDiskUse: "", hint: "paths", collation: "", let: "names", cursor: "" },
  indexOptions: {
    ...{ unique: "", name: "", sparse: "", expireAfterSeconds: "", partialFilterExpression: "filter", hidden: "" },
    ...{ collation: "", wildcardProjection: "projection" },
  },
  createOptions: {
    ...{ capped: "", size: "", max: "", validator: "filter", validationLevel: "", validationAction: "" },
    ...{ collation: "", viewOn: "collection", pipeline: "pipeline" },
  },
  bulk: {
    ...{ insertOne: "bulkInsert", updateOne: "bulkUpdate", updateMany: "bulkUpdate", replaceOne: "bulkReplace" },
    ...{ deleteOne: "bulkDelete", deleteMany: "bulkDelete" },
  },
  bulkInsert: { document: "document" },
  bulkUpdate: { filter: "filter", update: "update", upsert: "", arrayFilters: "filter", hint: "paths", collation: "" },
  bulkReplace: { filter: "filter", replacement: "document", upsert: "", hint: "paths", collation: "" },
  bulkDelete: { filter: "filter", hint: "paths", collation: "" },
  lookup: {
    ...{ from: "collection", localField: "field", foreignField: "foreignField", let: "names", pipeline: "pipeline" },
    ...{ as: "" },
  },
  graphLookup: {
    ...{ from: "collection", startWith: "expression", connectFromField: "foreignField", as: "" },
    ...{ connectToField: "foreignField", maxDepth: "", depthField: "", restrictSearchWithMatch: "filter" },
  },
  unionWith: { coll: "collection", pipeline: "pipeline" },
  unwind: { path: "expression", includeArrayIndex: "", preserveNullAndEmptyArrays: "" },
  bucket: { groupBy: "expression", boundaries: "", default: "", output: "bucketGroup" },
  bucketAuto: { groupBy: "expression", buckets: "", output: "bucketGroup", granularity: "" },
  setWindowFields: { partitionBy: "expression", sortBy: "paths", output: "windowOutput" },
  windowBounds: { documents: "", range: "", unit: "" },
  replaceRoot: { newRoot: "expression" },
  densify: { field: "field", partitionByFields: "field", range: "densifyRange" },
  densifyRange: { step: "", unit: "", bounds: "" },
  fill: { partitionBy: "expression", partitionByFields: "field", sortBy: "paths", output: "paths" },
  merge: { into: "collection", on: "field", let: "names", whenMatched: "", whenNotMatched: "" },
  sample: { size: "" },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

const stageKeys: Readonly<Record<string, PlaceKind>> = {
  $addFields: "computed",
  $bucket: "bucket",
  $bucketAuto: "bucketAuto",
  $densify: "densify",
  $documents: "names",
  $facet: "facets",
  $fill: "fill",
  $graphLookup: "graphLookup",
  $group: "group",
  $lookup: "lookup",
  $match: "filter",
  $merge: "merge",
  $out: "collection",
  $project: "projected",
  $redact: "expression",
  $replaceRoot: "replaceRoot",
  $replaceWith: "expression",
  $sample: "sample",
  $set: "computed",
  $setWindowFields: "setWindowFields",
  $sort: "paths",
  $sortByCount: "expression",
  $unionWith: "unionWith",
  $unset: "field",
  $unwind: "unwind",
};

const changeKeys: Readonly<Record<string, PlaceKind>> = {
  ...{ $set: "changes", $setOnInsert: "changes", $unset: "changes", $inc: "changes", $mul: "changes", $min: "changes" },
  ...{ $max: "changes", $rename: "changes", $pop: "changes", $pullAll: "changes", $push: "pushes" },
  ...{ $addToSet: "additions", $pull: "pulls", $currentDate: "dates", $bit: "bits" },
};

/** The places inside a place's keys: each by the key's name, `*` for any field, `$` for any other operator. */
const steps: Partial<Readonly<Record<PlaceKind, Readonly<Record<string, PlaceKind>>>>> = {
  filter: { $and: "filter", $or: "filter", $nor: "filter", $expr: "expression", "*": "condition" },
  condition: { $elemMatch: "element", $not: "condition", $all: "condition", "*": "condition" },
  element: {
    ...{ $and: "element", $or: "element", $nor: "element", $elemMatch: "element", $not: "condition" },
    ...{ "*": "condition" },
  },
  update: changeKeys,
  changes: { "*": "document" },
  pushes: { "*": "modifiers" },
  modifiers: { $sort: "paths", $each: "document" },
  additions: { "*": "each" },
  each: { $each: "document" },
  pulls: { "*": "element" },
  dates: { "*": "dateType" },
  bits: { "*": "bit" },
  document: { "*": "document" },
  paths: {},
  projection: { "*": "projectedValue" },
  projectedValue: { $elemMatch: "element", "*": "computed", $: "expression" },
  projected: { "*": "computed", $: "expression" },
  stage: stageKeys,
  updateStage: stageKeys,
  computed: { "*": "computed", $: "expression" },
  expression: { "*": "expression", $: "expression" },
  group: { _id: "expression", "*": "accumulator" },
  bucketGroup: { "*": "accumulator" },
  accumulator: { $: "expression" },
  windowOutput: { "*": "window" },
  window: { window: "windowBounds", $: "expression" },
  names: { "*": "expression" },
  facets: { "*": "pipeline" },
};

/** The place of a key's value; null where nothing is known of it. */
export function stepInto(kind: PlaceKind, key: string): PlaceKind | null {
  if (kind in options) {
    const found = (options[kind as keyof typeof options] as Readonly<Record<string, string>>)[key];
    return found === undefined || found === "" ? null : (found as PlaceKind);
  }
  const keys = steps[kind];
  return keys?.[key] ?? (key.startsWith("$") ? keys?.["$"] : keys?.["*"]) ?? null;
}

/** The place of an array's items. */
export function itemOf(kind: PlaceKind): PlaceKind {
  if (kind === "pipeline") return "stage";
  // An update that is an array is a pipeline.
  return kind === "updatePipeline" || kind === "update" ? "updateStage" : kind;
}

/** Places whose keys are fields of the collection, and whether the path of the field around goes before them. */
const fieldKeys: ReadonlySet<PlaceKind> = new Set([
  ...(["filter", "condition", "element", "changes", "pushes", "additions", "pulls", "dates", "bits"] as const),
  ...(["document", "paths", "projection", "projected", "projectedValue", "computed"] as const),
]);

/** Whether the keys of a place are fields. */
export const hasFields = (kind: PlaceKind): boolean => fieldKeys.has(kind);

/** The fixed names that are keys of a place. */
export function optionsOf(kind: PlaceKind): readonly string[] {
  if (kind in options) return Object.keys(options[kind as keyof typeof options]);
  if (kind === "group") return ["_id"];
  return kind === "window" ? ["window"] : [];
}

const operators: Partial<Readonly<Record<PlaceKind, readonly string[]>>> = {
  filter: words.filterOperators,
  condition: words.fieldOperators,
  element: words.queryOperators,
  update: words.topUpdateOperators,
  modifiers: words.pushModifiers,
  each: words.setModifiers,
  projectedValue: words.projectionOperators,
  stage: words.stages,
  updateStage: words.updateStages,
  computed: words.expressionOperators,
  expression: words.expressionOperators,
  accumulator: words.accumulators,
  window: words.windowOperators,
};

/** The `$` operators that can be keys of a place. */
export const operatorsOf = (kind: PlaceKind): readonly string[] => operators[kind] ?? [];

/** Places in which a text can be the path of a value, written `"$path"`. */
const valued: ReadonlySet<PlaceKind> = new Set([
  ...([
    "computed",
    "expression",
    "accumulator",
    "window",
    "group",
    "names",
    "projected",
    "projection",
    "projectedValue",
    "unwind",
  ] as const),
]);
/** Whether `"$path"` is the value of a field at a place. */
export const takesPaths = (kind: PlaceKind): boolean => valued.has(kind);

/** The places of a method's arguments, in their order. */
const methods: Readonly<Record<string, readonly (PlaceKind | null)[]>> = {
  find: ["filter", "projection", "findOptions"],
  findOne: ["filter", "projection", "findOptions"],
  count: ["filter", "countOptions"],
  countDocuments: ["filter", "countOptions"],
  distinct: ["field", "filter"],
  deleteOne: ["filter", "writeOptions"],
  deleteMany: ["filter", "writeOptions"],
  remove: ["filter", "writeOptions"],
  updateOne: ["filter", "update", "writeOptions"],
  updateMany: ["filter", "update", "writeOptions"],
  update: ["filter", "update", "writeOptions"],
  replaceOne: ["filter", "document", "writeOptions"],
  findOneAndUpdate: ["filter", "update", "modifyOptions"],
  findOneAndReplace: ["filter", "document", "modifyOptions"],
  findOneAndDelete: ["filter", "modifyOptions"],
  findAndModify: ["findAndModify"],
  bulkWrite: ["bulk"],
  insert: ["document"],
  insertOne: ["document"],
  insertMany: ["document"],
  save: ["document"],
  createIndex: ["paths", "indexOptions"],
  ensureIndex: ["paths", "indexOptions"],
  createIndexes: ["paths", "indexOptions"],
  dropIndex: ["paths"],
  hideIndex: ["paths"],
  unhideIndex: ["paths"],
  aggregate: ["pipeline", "aggregateOptions"],
  sort: ["paths"],
  hint: ["paths"],
  min: ["paths"],
  max: ["paths"],
  projection: ["projection"],
  createCollection: [null, "createOptions"],
  createView: [null, "collection", "pipeline"],
  getCollection: ["collection"],
};

/** The place of a method's argument, counted from 0; null where it is not known. */
export const argumentOf = (method: string, argument: number): PlaceKind | null =>
  Object.hasOwn(methods, method) ? (methods[method]?.[argument] ?? null) : null;
