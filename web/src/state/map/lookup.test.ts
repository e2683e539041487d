/** The cells of a look-up are those of the plan's bounds, and its figures those of its stages. */
import { describe, expect, test } from "vitest";
import { readPlan, type Plan } from "../plan.ts";
import { leafAt, parentOf, rangeOf } from "./cells.ts";
import { canTell, givesWhatItReads, notAmong, readExamined } from "./examined.ts";
import { PLAIN_GRID } from "./grid.ts";
import { readLand } from "./land.ts";
import { hasLookup } from "./geo-index.ts";
import { cellsOf, keyTest, lookupsOf } from "./lookup.ts";
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";

const cell = parentOf(leafAt([10, 50]), 8);
const [first, last] = rangeOf(cell);
const larger = parentOf(cell, 4);
const bounds = [`[${larger}, ${larger}]`, `[${first}, ${last}]`];
const scan = (indexBounds: object, keyPattern: object = { at: "2dsphere" }) => ({
  stage: "IXSCAN",
  indexName: "at_2dsphere",
  keyPattern,
  indexBounds,
  keysExamined: 3,
  nReturned: 2,
});
const planOf = (executionStages: object): Plan => {
  const plan = readPlan({
    queryPlanner: { namespace: "town.places", parsedQuery: { a: { $eq: 1 } }, winningPlan: executionStages },
    command: { find: "places", limit: 1 },
    executionStats: { nReturned: 1, totalKeysExamined: 3, totalDocsExamined: 2, executionStages },
  });
  if (plan === null) throw new Error("no plan");
  return plan;
};
const fetched = (inputStage: object) => ({ stage: "FETCH", docsExamined: 2, nReturned: 1, inputStage });

describe("a look-up", () => {
  test("has the cells of its bounds, whole and alone", () => {
    const [lookup] = lookupsOf(planOf(fetched(scan({ at: bounds }))));
    expect(lookup).toMatchObject({
      index: "at_2dsphere",
      field: "at",
      isPlane: false,
      keysExamined: 3,
      documentsExamined: 2,
    });
    if (lookup === undefined) return;
    const cells = cellsOf(lookup, PLAIN_GRID);
    expect([cells.whole.length, cells.alone.length, cells.levels, cells.isAll]).toEqual([1, 1, [8, 8], false]);
    const isRead = keyTest(lookup);
    expect(isRead(leafAt([10, 50]))).toBe(true);
    // A point in the larger cell has a key of its own, which was not read.
    expect(isRead(leafAt([10, 40]))).toBe(false);
  });

  test("has a key in one of many ranges, between which others hold none, or a part of another", () => {
    const word = (open: string, low: string, high: string, close: string): string =>
      `${open}BinData(128, ${low}), BinData(128, ${high})${close}`;
    const isRead = keyTest({
      isPlane: true,
      ranges: [
        word("[", "1000000000000000", "1FFFFFFFFFFFFFFF", "]"),
        // Behind the last key of the first one nothing is left before the next.
        word("(", "1FFFFFFFFFFFFFFF", "2000000000000000", ")"),
        word("[", "2000000000000000", "2FFFFFFFFFFFFFFF", "]"),
        word("(", "0FFFFFFFFFFFFFFF", "1000000000000000", ")"),
        word("[", "1100000000000000", "1200000000000000", "]"),
      ],
    });
    for (const key of [0x1000000000000000n, 0x1150000000000000n, 0x1a00000000000000n, 0x2000000000000000n])
      expect([key, isRead(key)]).toEqual([key, true]);
    for (const key of [0x0fffffffffffffffn, 0x3000000000000000n]) expect([key, isRead(key)]).toEqual([key, false]);
  });

  test("for the nearest has the cells of all its rings", () => {
    const near = {
      stage: "GEO_NEAR_2DSPHERE",
      indexName: "at_2dsphere",
      keyPattern: { at: "2dsphere" },
      searchIntervals: [
        { minDistance: 0, maxDistance: 100, nReturned: 1 },
        { minDistance: 100, maxDistance: 200, nReturned: 0 },
      ],
      inputStages: [fetched(scan({ at: bounds.slice(0, 1) })), fetched(scan({ at: bounds.slice(1) }))],
    };
    const plan = planOf(near);
    const [lookup, ...others] = lookupsOf(plan);
    expect(others).toEqual([]);
    expect(lookup).toMatchObject({ ranges: bounds, keysExamined: 6, documentsExamined: 4 });
    expect(lookup?.rings.map(({ outer }) => outer)).toEqual([100, 200]);
    expect(hasLookup(plan)).toBe(true);
  });

  test("is found behind $geoNearCursor", () => {
    const stages = [
      {
        $geoNearCursor: {
          queryPlanner: { namespace: "town.places", winningPlan: scan({ at: bounds }) },
          executionStats: { nReturned: 1, executionStages: scan({ at: bounds }) },
        },
      },
      { $limit: 2, nReturned: 2 },
    ];
    const plan = readPlan({ stages });
    expect(plan?.namespace).toBe("town.places");
    expect(plan === null ? [] : lookupsOf(plan).map(({ index }) => index)).toEqual(["at_2dsphere"]);
  });

  test("is none without an index of places", () => {
    expect(hasLookup(planOf(fetched(scan({ a: ["[1, 1]"] }, { a: 1 }))))).toBe(false);
  });

  test("tells what was examined: documents whose key was read, in the order of the index, and no more", async () => {
    const plan = planOf(fetched(scan({ a: ["[1, 1]"], at: bounds }, { a: 1, at: "2dsphere" })));
    const [lookup] = lookupsOf(plan);
    if (lookup === undefined) throw new Error("no look-up");
    const at = (x: number, y: number) => ({ type: "Point", coordinates: [x, y] });
    const documents = [
      { _id: 1, at: at(10, 50) },
      { _id: 2, at: at(60, 50) },
      { _id: 3, at: at(10.01, 50.01) },
      { _id: 4, at: at(10, 50.02) },
    ];
    let asked: object = {};
    const commander = {
      commandBytes: (bytes: Uint8Array) => {
        const command = decode(bytes);
        const isRead = command["find"] !== undefined;
        if (isRead) asked = command;
        const firstBatch = isRead ? documents : [{ name: "at_2dsphere", key: { a: 1, at: "2dsphere" } }];
        return Promise.resolve(encode({ cursor: { firstBatch, id: 0n, ns: "town.places" }, ok: 1 }));
      },
    };
    const examined = await readExamined(commander, plan, lookup, [{ _id: 3 }]);
    expect(asked).toMatchObject({ find: "places", filter: { $and: [{ a: { $eq: 1 } }] }, hint: "at_2dsphere" });
    expect(examined.documents.map(({ _id }) => Number(_id))).toEqual([1, 3]);
    expect(notAmong(examined.documents, [{ _id: 3 }])?.map(({ _id }) => Number(_id))).toEqual([1]);
    expect(notAmong(examined.documents, [{ name: "no _id" }])).toBeNull();
  });

  test("is compared with a result only where that has the documents themselves", () => {
    expect(givesWhatItReads({ find: "places" })).toBe(true);
    expect(givesWhatItReads({ aggregate: "places", pipeline: [{ $match: {} }, { $limit: 1 }] })).toBe(true);
    expect(givesWhatItReads({ aggregate: "places", pipeline: [{ $group: { _id: "$a" } }] })).toBe(false);
    expect(givesWhatItReads({ count: "places" })).toBe(false);
    // Documents that wait to be fetched were examined too, and a plan that was not run examined none.
    const ranges = ["[1, 2]"];
    expect(canTell({ ranges }, { find: "places" }, false)).toBe(true);
    expect(canTell({ ranges }, { find: "places" }, true)).toBe(false);
    expect(canTell({ ranges: [] }, { find: "places" }, false)).toBe(false);
    // With another _id they cannot be compared.
    expect(givesWhatItReads({ find: "places", projection: { _id: "$name" } })).toBe(false);
    expect(givesWhatItReads({ find: "places", projection: { _id: 0, at: 1 } })).toBe(true);
    const set = (body: object) => ({
      aggregate: "places",
      pipeline: [{ $match: { _id: { $gt: 1 } } }, { $set: body }],
    });
    expect(givesWhatItReads(set({ _id: "$name" }))).toBe(false);
    expect(givesWhatItReads(set({ far: 1 }))).toBe(true);
  });
});

test("the coast lines are whole: all of the land's large pieces, within the world", async () => {
  const { land, marks } = await import("../../xray/map/land-110m.ts");
  const area = readLand(land, marks);
  expect(area.fill.length).toBeGreaterThan(100);
  const points = area.fill.flat();
  expect(points.every(([x, y]) => Math.abs(x) <= 540 && Math.abs(y) <= 90)).toBe(true);
  // Each ring comes back to where it began, and no coast goes over the whole map at once.
  expect(area.fill.every((ring) => String(ring[0]) === String(ring.at(-1)))).toBe(true);
  const steps = area.outline.flatMap((ring) => ring.slice(1).map(([x], at) => Math.abs(x - (ring[at]?.[0] ?? x))));
  expect(Math.max(...steps)).toBeLessThan(25);
});
