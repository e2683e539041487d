/**
 * Explains in all their shapes become a plan, a verdict and, where one would help, an index.
 */
import { BSONRegExp, Int32, type Document } from "bson";
import { describe, expect, test } from "vitest";
import { readInsight, suggestIndexes } from "./insight.ts";
import { readPlan, stagesOf } from "./plan.ts";

const stats = (stage: Document, returned: number, keys: number, documents: number): Document => ({
  queryPlanner: { namespace: "test.a", winningPlan: stage, rejectedPlans: [] },
  executionStats: {
    nReturned: new Int32(returned),
    totalKeysExamined: new Int32(keys),
    totalDocsExamined: new Int32(documents),
    executionTimeMillis: 0,
    executionStages: stage,
  },
});
const scan = (filter: Document): Document => ({
  stage: "COLLSCAN",
  filter,
  direction: "forward",
  docsExamined: new Int32(500),
});
const ixscan = {
  stage: "IXSCAN",
  indexName: "author_1",
  keyPattern: { author: 1 },
  indexBounds: { author: ['["alex", "alex"]'] },
};
const insight = (explain: Document) => {
  const plan = readPlan(explain);
  if (plan === null) throw new Error("no plan");
  return readInsight(plan);
};

describe("readPlan", () => {
  test("keeps stages, figures, bounds and details", () => {
    const plan = readPlan(
      stats({ stage: "FETCH", filter: { n: { $gt: 1 } }, docsExamined: new Int32(3), inputStage: ixscan }, 3, 3, 3),
    );
    expect(plan?.root).toMatchObject({
      name: "FETCH",
      documentsExamined: 3,
      details: [["filter", "{ n: { $gt: 1 } }"]],
    });
    expect(plan?.root.inputs[0]).toMatchObject({
      name: "IXSCAN",
      indexName: "author_1",
      bounds: [["author", ['["alex", "alex"]']]],
    });
    expect(plan?.execution).toEqual({
      returned: 3,
      keysExamined: 3,
      documentsExamined: 3,
      millis: 0,
      pagesRead: null,
      bytesRead: null,
      text: null,
      failure: null,
    });
    const told = stats({ stage: "COLLSCAN" }, 1, 0, 1);
    told["executionStats"].quire = { pagesRead: new Int32(4), bytesRead: new Int32(65536), plan: "COLLSCAN" };
    expect(readPlan(told)?.execution).toMatchObject({ pagesRead: 4, bytesRead: 65536, text: "COLLSCAN" });
  });

  test("reads an aggregation's stages after its cursor", () => {
    const plan = readPlan({
      stages: [
        { $cursor: stats(scan({}), 500, 0, 500) },
        { $group: { _id: "$a" }, nReturned: 4 },
        { $sort: { sortKey: { _id: 1 } } },
      ],
      ok: 1,
    });
    expect(plan === null ? [] : stagesOf(plan.root).map((stage) => stage.name)).toEqual([
      "$sort",
      "$group",
      "COLLSCAN",
    ]);
    expect(plan?.execution?.documentsExamined).toBe(500);
  });

  test.each([
    [{}],
    [null],
    [7],
    [{ queryPlanner: {} }],
    [{ stages: [] }],
    [{ queryPlanner: { winningPlan: { stage: 7 } } }],
  ])("%j is no plan", (value) => expect(readPlan(value)).toBeNull());
});

describe("readInsight", () => {
  test.each([
    ["scan", stats(scan({ author: { $eq: "alex" } }), 5, 0, 500)],
    ["whole", stats(scan({}), 500, 0, 500)],
    ["exact", stats({ stage: "FETCH", inputStage: ixscan }, 5, 5, 5)],
    [
      "index-and-more",
      stats({ stage: "FETCH", nReturned: 2, docsExamined: 5, filter: { n: 1 }, inputStage: ixscan }, 2, 5, 5),
    ],
    ["covered", stats({ stage: "PROJECTION_COVERED", inputStage: ixscan }, 5, 5, 0)],
    ["by-id", stats({ stage: "IDHACK" }, 1, 1, 1)],
    ["by-id", stats({ stage: "EXPRESS_UPDATE" }, 0, 1, 1)],
    ["nothing", stats({ stage: "EOF" }, 0, 0, 0)],
    ["planned-scan", { queryPlanner: { winningPlan: scan({ a: { $eq: 1 } }) } }],
    ["planned-index", { queryPlanner: { winningPlan: { stage: "FETCH", inputStage: ixscan } } }],
  ] as const)("%s", (verdict, explain) => expect(insight(explain as Document).verdict).toBe(verdict));

  test("suggests an index only where one would help", () => {
    expect(insight(stats(scan({ author: { $eq: "alex" } }), 5, 0, 500)).suggestion).toEqual({
      collection: "a",
      keys: [[["author", 1]]],
      isForBranches: false,
    });
    expect(insight(stats(scan({}), 500, 0, 500)).suggestion).toBeNull();
    expect(insight(stats({ stage: "FETCH", inputStage: ixscan }, 5, 5, 5)).suggestion).toBeNull();
    const sorted = insight(stats({ stage: "SORT", sortPattern: { date: -1 }, inputStage: scan({}) }, 500, 0, 500));
    expect(sorted).toMatchObject({
      notes: [{ kind: "sorted", kept: null }],
      suggestion: { collection: "a", keys: [[["date", -1]]] },
    });
  });
});

describe("suggestIndexes", () => {
  test.each([
    [
      { b: { $gt: 1 }, a: { $eq: 1 } },
      { c: -1 },
      [
        ["a", 1],
        ["c", -1],
        ["b", 1],
      ],
    ],
    [
      { $and: [{ a: { $eq: 1 } }, { b: { $lt: 2 } }] },
      undefined,
      [
        ["a", 1],
        ["b", 1],
      ],
    ],
    [{ a: 1 }, { a: -1 }, [["a", 1]]],
    [undefined, { $natural: -1 }, null],
    [{ at: { $geoWithin: { $centerSphere: [[1, 2], 0.1] } } }, undefined, [["at", "2dsphere"]]],
    [{ at: { $geoIntersects: { $geometry: {} } } }, { n: 1 }, [["at", "2dsphere"]]],
    [
      { n: { $gt: 1 }, at: { $geoWithin: { $geometry: {} } }, name: "x" },
      undefined,
      [
        ["name", 1],
        ["at", "2dsphere"],
      ],
    ],
    [
      { at: { $geoWithin: { $geometry: {} } }, name: "x" },
      { n: -1 },
      [
        ["name", 1],
        ["n", -1],
      ],
    ],
    [{ at: { $geoWithin: { $box: [] } } }, undefined, null],
    [{ at: { $not: { $geoWithin: { $geometry: {} } } } }, undefined, null],
    [{ a: 1, b: 1, c: 1, d: 1, e: 1 }, undefined, null],
  ])("%j sorted by %j", (filter, sort, key) =>
    expect(suggestIndexes(filter, sort).indexes.map((index) => index.key)).toEqual(key === null ? [] : [key]),
  );

  test("gives each branch its own, but no two of which one begins the other, and not too many", () => {
    const keys = (filter: Document): unknown => suggestIndexes(filter, undefined).indexes.map(({ key }) => key);
    expect(keys({ $or: [{ a: 1 }, { b: 1 }, { a: 2 }, { a: 1, c: 1 }] })).toEqual([
      [["b", 1]],
      [
        ["a", 1],
        ["c", 1],
      ],
    ]);
    expect(keys({ $or: [..."abcdefg"].map((name) => ({ [name]: 1 })) })).toEqual([]);
    expect(keys({ $or: [] })).toEqual([]);
    expect(suggestIndexes({ $or: [{ $expr: 1 }, { a: 1 }] }, { b: 1 }).indexes).toEqual([]);
  });

  test("leaves out an index that is there, but for one that not every query can use", () => {
    const plan = readPlan(stats(scan({ author: { $eq: "alex" } }), 5, 0, 500));
    const index = { key: { author: 1, date: 1 }, hidden: false, partial: false, sparse: false };
    const suggested = (known: typeof index): boolean =>
      plan !== null && readInsight(plan, null, [known]).suggestion !== null;
    expect(suggested(index)).toBe(false);
    expect(suggested({ ...index, hidden: true })).toBe(true);
    expect(suggested({ ...index, partial: true })).toBe(true);
    const within = readPlan(stats(scan({ at: { $geoWithin: { $geometry: {} } } }), 5, 0, 500));
    const places = { ...index, key: { at: "2dsphere" } };
    if (within === null) throw new Error("no plan");
    expect(readInsight(within, null, []).suggestion?.keys).toEqual([[["at", "2dsphere"]]]);
    expect(readInsight(within, null, [places]).suggestion).toBeNull();
  });

  test.each<[Document]>([
    [{ name: { $regex: "barrow", $options: "i" } }],
    [{ name: { $regex: "^barrow", $options: "i" } }],
    [{ name: new BSONRegExp("barrow") }],
    [{ name: { $regex: "^a|b" } }],
    [{ name: { $regex: "^a*" } }],
    [{ name: { $regex: "^.*b" } }],
    [{ name: { $ne: "x" } }],
    [{ name: { $nin: ["x"] } }],
    [{ name: { $not: { $gt: 5 } } }],
    [{ name: { $exists: false } }],
    [{ name: { $exists: true } }],
    [{ name: { $type: "string" } }],
    [{ list: { $size: 2 } }],
    [{ n: { $mod: [2, 0] } }],
    [{ $nor: [{ a: 1 }] }],
    [{ $expr: { $gt: ["$a", "$b"] } }],
    [{ $where: "this.a" }],
    [{ list: { $elemMatch: { a: { $ne: 1 } } } }],
    [{ $or: [{ a: 1 }, { b: { $ne: 1 } }] }],
  ])("none for %j, for which it would be walked whole", (filter) => {
    expect(suggestIndexes(filter, undefined).indexes).toEqual([]);
    expect(suggestIndexes(filter, { total: 1 }).indexes).toEqual([]);
  });

  test.each<[Document, readonly string[]]>([
    [{ name: { $regex: "^Barrow" } }, ["name"]],
    [{ name: new BSONRegExp("^Barrow") }, ["name"]],
    [{ name: { $ne: "x" }, state: { $eq: "CA" } }, ["state"]],
    [{ n: { $gt: 1, $ne: 5 } }, ["n"]],
    [{ lines: { $elemMatch: { product: 3, qty: { $gt: 1 } } } }, ["lines.product", "lines.qty"]],
    [{ list: { $elemMatch: { $gt: 1, $lt: 5 } } }, ["list"]],
  ])("one for %j, of what narrows it", (filter, fields) =>
    expect(suggestIndexes(filter, undefined).indexes.map(({ key }) => key.map(([field]) => field))).toEqual([fields]),
  );
});

describe("an index that is walked for its order", () => {
  const walked = { ...ixscan, indexName: "total_1", indexBounds: { total: ["[MaxKey, MinKey]"] } };
  const fetch = (returned: number): Document => ({
    stage: "FETCH",
    nReturned: returned,
    docsExamined: 70_000,
    filter: { state: { $eq: "CA" } },
    inputStage: walked,
  });
  const command = { find: "a", filter: { state: "CA" }, sort: { total: new Int32(-1) }, $db: "test" };

  test("narrows nothing, and the index that would begins with the equality", () => {
    const reading = insight({ ...stats(fetch(17_500), 17_500, 70_000, 70_000), command });
    expect(reading).toMatchObject({
      verdict: "ordered-and-more",
      documents: 70_000,
      found: 17_500,
      isWrong: true,
      suggestion: {
        keys: [
          [
            ["state", 1],
            ["total", -1],
          ],
        ],
      },
    });
    const pipeline = [{ $match: { state: "CA" } }, { $sort: { total: new Int32(-1) } }];
    const aggregated = { ...stats(fetch(17_500), 17_500, 70_000, 70_000), command: { aggregate: "a", pipeline } };
    expect(insight(aggregated).suggestion?.keys).toEqual(reading.suggestion?.keys);
  });

  test("is no fault where most of it was wanted", () =>
    expect(insight({ ...stats(fetch(60_000), 60_000, 70_000, 70_000), command }).suggestion).toBeNull());
});
