/** Which commands the sandbox is loaded for, from their bytes and as objects alike. */
import { Code, ObjectId } from "bson";
import { expect, test } from "vitest";
import { encode } from "../codec/encode.ts";
import { holdsFunction, objectHoldsFunction } from "./holds-function.ts";

const code = "function() { return true }";
const WITH = [
  { find: "c", filter: { $where: code } },
  { find: "c", filter: { $and: [{ a: 1 }, { $or: [{ $where: new Code(code) }] }] } },
  { find: "c", filter: new Map([["$where", code]]) },
  { aggregate: "c", pipeline: [{ $project: { a: { $function: { body: code, args: [], lang: "js" } } } }], cursor: {} },
  { aggregate: "c", pipeline: [{ $group: { _id: null, a: { $accumulator: {} } } }], cursor: {} },
  {
    update: "c",
    updates: [
      { q: {}, u: {} },
      { q: { $where: code }, u: {} },
    ],
  },
  { mapReduce: "c", map: code, reduce: code, out: { inline: 1 } },
  { explain: { mapReduce: "c", map: code, reduce: code, out: { inline: 1 } }, verbosity: "queryPlanner" },
  { mapreduce: "c", map: code, reduce: code, out: { inline: 1 } },
  { explain: { mapreduce: "c", map: code, reduce: code, out: { inline: 1 } }, verbosity: "queryPlanner" },
];
const WITHOUT = [
  { find: "c", filter: { _id: new ObjectId(), name: "$wherever", a: { $gt: 1 } } },
  { find: "mapReduce", filter: {} },
  { getMore: 5, collection: "c" },
  { aggregate: "c", pipeline: [{ $match: { a: { $in: [1, [2], null] } } }], cursor: {} },
];

test("a command with a function is one in either form", () => {
  for (const command of WITH) {
    expect(objectHoldsFunction(command), JSON.stringify(command)).toBe(true);
    expect(
      holdsFunction(encode({ ...command, $db: "test" }, { serializeFunctions: true })),
      JSON.stringify(command),
    ).toBe(true);
  }
  for (const command of WITHOUT) {
    expect(objectHoldsFunction(command), JSON.stringify(command)).toBe(false);
    expect(holdsFunction(encode({ ...command, $db: "test" })), JSON.stringify(command)).toBe(false);
  }
});

test("an object that is made when it is written may hold one, and what refers to itself ends", () => {
  expect(objectHoldsFunction({ find: "c", filter: { toBSON: () => ({ $where: code }) } })).toBe(true);
  const loop: Record<string, unknown> = {};
  loop["loop"] = loop;
  expect(objectHoldsFunction({ find: "c", filter: loop })).toBe(false);
  expect(objectHoldsFunction({ insert: "c", documents: [{ $where: code }] })).toBe(false);
});
