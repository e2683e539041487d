/** A projection that leaves the place out is told from documents without one. */
import { expect, test } from "vitest";
import { leavesOut } from "./projection.ts";

const find = (projection: object | undefined, field = "at") => leavesOut({ find: "places", projection }, field);
const aggregate = (...pipeline: object[]) => leavesOut({ aggregate: "places", pipeline }, "at");

test.each<[object | undefined, boolean]>([
  [undefined, false],
  [{}, false],
  [{ name: 1 }, true],
  [{ name: true, _id: 0 }, true],
  [{ _id: 1 }, true],
  [{ _id: 0 }, false],
  [{ at: 1 }, false],
  [{ at: 0 }, true],
  [{ name: 0 }, false],
  [{ "at.coordinates": 0 }, true],
  [{ at: { coordinates: 0 } }, true],
  [{ "at.type": 1 }, true],
  [{ "at.type": 1, "at.coordinates": 1 }, false],
  [{ at: { type: 1, coordinates: 1 } }, false],
  [{ atlas: 1 }, true],
  [{ atlas: 0 }, false],
  [{ score: { $meta: "textScore" } }, false],
  [{ list: { $slice: 2 } }, false],
  [{ list: { $elemMatch: { a: 1 } } }, true],
  [{ at: { $ifNull: ["$at", null] } }, false],
  [{ name: { $toUpper: "$name" } }, true],
])("the projection %j leaves out `at`: %s", (projection, expected) => {
  expect(find(projection)).toBe(expected);
});

test("a place inside another field goes and stays with it", () => {
  expect(find({ stop: 1 }, "stop.at")).toBe(false);
  expect(find({ "stop.name": 1 }, "stop.at")).toBe(true);
  expect(find({ stop: 0 }, "stop.at")).toBe(true);
});

test("the stages of a pipeline leave it out and bring it back", () => {
  expect(aggregate({ $match: {} })).toBe(false);
  expect(aggregate({ $project: { name: 1 } }, { $limit: 2 })).toBe(true);
  expect(aggregate({ $unset: "at" })).toBe(true);
  expect(aggregate({ $unset: ["name", "at.type"] })).toBe(true);
  expect(aggregate({ $unset: "at" }, { $set: { at: "$$ROOT.place" } })).toBe(false);
  expect(aggregate({ $project: { name: 1 } }, { $group: { _id: "$name" } })).toBe(false);
  expect(leavesOut({ distinct: "places", key: "name" }, "at")).toBe(false);
  expect(leavesOut(undefined, "at")).toBe(false);
});
