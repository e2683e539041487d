/** The statement that asks for the order of a column. */
import { Int32, ObjectId, type Document } from "bson";
import { describe, expect, test } from "vitest";
import { encode } from "../codec/encode.ts";
import { sortedStatement } from "./sorted-statement.ts";

const asked = (command: Document, column = "year", direction: 1 | -1 = -1) =>
  sortedStatement({ command: encode(command) }, column, direction);

describe("the statement that asks for another order", () => {
  test("a find, with what it asked for", () => {
    expect(asked({ find: "films", filter: {}, batchSize: 20, $db: "test", lsid: { id: 1 } })).toEqual({
      database: "test",
      script: "db.films.find().sort({ year: -1 })",
    });
    expect(
      asked(
        {
          find: "my films",
          filter: { _id: { $gt: new ObjectId("64b000000000000000000001") } },
          projection: { "at.bed": 1 },
          sort: { title: 1 },
          limit: new Int32(7),
          $db: "shop",
        },
        "at bed",
        1,
      )?.script,
    ).toBe(
      'db.getCollection("my films").find({ _id: { $gt: ObjectId(\'64b000000000000000000001\') } }, { "at.bed": 1 })' +
        '.sort({ "at bed": 1 }).limit(7)',
    );
    expect(asked({ find: "a", projection: { x: 1 }, $db: "t" })?.script).toBe(
      "db.a.find({}, { x: 1 }).sort({ year: -1 })",
    );
  });

  test("a pipeline, with a stage more", () => {
    expect(
      asked({
        aggregate: "films",
        pipeline: [{ $match: { kind: "film" } }],
        cursor: {},
        allowDiskUse: true,
        $db: "test",
      })?.script,
    ).toBe(
      'db.films.aggregate([\n  { $match: { kind: "film" } },\n  { $sort: { year: -1 } },\n], { allowDiskUse: true })',
    );
  });

  test.each<[string, Document, string]>([
    ["writes", { aggregate: "a", pipeline: [{ $out: "b" }], $db: "t" }, "x"],
    ["waits", { find: "a", tailable: true, $db: "t" }, "x"],
    ["no collection", { aggregate: 1, pipeline: [], $db: "t" }, "x"],
    ["options that a chain lacks", { find: "a", returnKey: true, $db: "t" }, "x"],
    ["another command", { listCollections: 1, $db: "t" }, "x"],
    ["a name that a path would split", { find: "a", $db: "t" }, "x.y"],
    ["values, which have no name", { find: "a", $db: "t" }, ""],
  ])("none: %s", (_name, command, column) => expect(asked(command, column)).toBeNull());
});
