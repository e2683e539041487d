/** A name that was mistyped is known again, and nothing far-fetched is offered. */
import { Int32 } from "bson";
import { describe, expect, test } from "vitest";
import * as names from "../view/editor/shell-words.ts";
import { collectionHint, errorHint } from "./hints.ts";
import { foundNothing } from "./missed.ts";
import type { CatalogDatabase, LeafValue } from "./model.ts";
import { distance, mostSimilar } from "./similar.ts";

test("a distance counts letters added, left out, changed and swapped, and no case", () => {
  expect(distance("find", "find")).toBe(0);
  expect(distance("fnid", "find")).toBe(1);
  expect(distance("insertone", "insertOne")).toBe(0);
  expect(distance("sett", "set")).toBe(1);
  expect(distance("", "abc")).toBe(3);
});

test("nothing is similar to a name that is too short, too long or too different", () => {
  expect(mostSimilar("a", ["b"])).toBeNull();
  expect(mostSimilar("x".repeat(1000), ["x".repeat(999)])).toBeNull();
  expect(mostSimilar("orders", ["people", "herbs"])).toBeNull();
  expect(mostSimilar("herb", ["people", "herbs"])).toBe("herbs");
});

describe("what an error names", () => {
  const hint = (message: string, source = ""): unknown => errorHint({ message }, source, names);
  test.each([
    ["db.users.fnid is not a function", "fnid", "find"],
    ["db.users.find(...).sotr is not a function", "sotr", "sort"],
    [".sotr is not a function", "sotr", "sort"],
    ["q.findd is not a function", "findd", "find"],
    ["quire.restor is not a function", "restor", "restore"],
    ["db.createColection is not a function", "createColection", "createCollection"],
    ["unknown operator: $gtt", "$gtt", "$gt"],
    ["unknown top level operator: $orr. If you have a field …", "$orr", "$or"],
    ["Unknown modifier: $sett. Expected a valid update modifier …", "$sett", "$set"],
    ["Unrecognized pipeline stage name: '$mach'", "$mach", "$match"],
    ["Unrecognized pipeline stage name: 'match'", "match", "$match"],
    ["unknown group operator '$summ'", "$summ", "$sum"],
    ["Unrecognized window function, $rnak", "$rnak", "$rank"],
    ["Invalid $project :: caused by :: Unrecognized expression '$concatt'", "$concatt", "$concat"],
    ["pritn is not defined", "pritn", "print"],
    ["'pritn' is not defined", "pritn", "print"],
  ])("%s", (message, wrong, right) => expect(hint(message)).toEqual({ kind: "similar", wrong, right }));

  test.each(["foo is not defined", "iff is not defined", "reutrn is not defined"])(
    "no word of the language: %s",
    (message) => expect(hint(message)).toBeNull(),
  );

  test("a name of the script's own", () =>
    expect(hint("hersb is not defined", "const herbs = 1; hersb")).toEqual({
      kind: "similar",
      wrong: "hersb",
      right: "herbs",
    }));

  test.each([
    ["db.find is not a function", "db.collection.find"],
    ["db.fnid is not a function", "db.collection.find"],
    ["db.insertOne is not a function", "db.collection.insertOne"],
  ])("asked of db: %s", (message, right) => expect(hint(message)).toMatchObject({ kind: "of-collection", right }));

  test.each([
    ["$text is not supported", "$text"],
    ["The pipeline stage '$searchMeta' is not supported", "$searchMeta"],
    ["Error in specification { … } :: caused by :: '2dsphere_bucket' indexes are not supported", "2dsphere_bucket"],
  ])("not supported: %s", (message, name) => expect(hint(message)).toEqual({ kind: "unsupported", name }));

  test.each([
    "error processing query: planner returned error :: caused by :: unable to find index for $geoNear query",
    "$geoNear requires a 2d or 2dsphere index, but none were found",
  ])("no index tells distances: %s", (message) => expect(hint(message)).toEqual({ kind: "geo-index" }));

  test.each(["x is not defined", "boom", "E11000 duplicate key error", "db.users.zzzzzz is not a function"])(
    "nothing: %s",
    (message) => expect(hint(message)).toBeNull(),
  );
});

describe("a collection that is not there", () => {
  const database = (name: string, ...collections: string[]): CatalogDatabase =>
    ({ summary: { name }, collections: collections.map((one) => ({ name: one })) }) as unknown as CatalogDatabase;
  const catalog = [database("shop", "users", "orders", "system.views"), database("garden", "herbs")];
  test.each([
    ["", "shop.user", { wrong: "user", right: "users", elsewhere: false }],
    ["", "shop.users", null],
    ["", "shop.nothing", null],
    ["", "shop.herbs", { wrong: "shop.herbs", right: "garden.herbs", elsewhere: true }],
    ["db.usres.findOne()", null, { wrong: "usres", right: "users", elsewhere: false }],
    ["use my-shop\ndb.usres.findOne()", null, { wrong: "usres", right: "users", elsewhere: false }],
    ['db.getCollection("order").countDocuments()', null, { wrong: "order", right: "orders", elsewhere: false }],
    ["db.users.findOne({ user: 1 }) // db.usres.find()", null, null],
    ["db.system.view.find()", null, null],
  ] as const)("%s %s", (source, namespace, expected) =>
    expect(collectionHint([source], "shop", namespace, catalog)).toEqual(expected),
  );

  test("of the statement that gave the value, where that names one", () => {
    const script = "db.usres.find()\nconst c = db.orders";
    expect(collectionHint(["c.findOne()", script], "shop", null, catalog)).toMatchObject({ wrong: "usres" });
    expect(collectionHint(["db.orders.findOne()", script], "shop", null, catalog)).toBeNull();
  });

  test.each([
    [null, true],
    [[], true],
    [0, true],
    [new Int32(0), true],
    [{ acknowledged: true, matchedCount: new Int32(0), upsertedCount: new Int32(0) }, true],
    [{ acknowledged: true, deletedCount: new Int32(0) }, true],
    [{ acknowledged: true, matchedCount: 0, upsertedCount: 0 }, true],
    [{ acknowledged: true, deletedCount: 0 }, true],
    [{ acknowledged: true, matchedCount: 1, upsertedCount: 0 }, false],
    [[1], false],
    [{}, false],
    ["", false],
  ])("found nothing: %j", (value, empty) => expect(foundNothing({ kind: "value", value } as LeafValue)).toBe(empty));
});
