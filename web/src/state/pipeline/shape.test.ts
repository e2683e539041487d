/** The fields that documents have after each stage of a pipeline. */
import { describe, expect, test } from "vitest";
import type { Field } from "../fields.ts";
import { collectionsIn, fieldsAfter, type Plain } from "./shape.ts";

const orders: readonly Field[] = [
  { path: "_id", types: ["Int32"] },
  { path: "tea", types: ["String"] },
  { path: "items", types: ["Array"] },
  { path: "items.n", types: ["Int32"] },
  { path: "to", types: ["Object"] },
  { path: "to.city", types: ["String"] },
];
const foreign = (collection: string): readonly Field[] =>
  collection === "teas" ? [{ path: "name", types: ["String"] }] : [];
const fieldsAfterAll = (...stages: readonly Plain[]): string =>
  fieldsAfter(orders, stages, foreign)
    .map(({ path, types }) => (types.length === 0 ? path : `${path}:${types.join("|")}`))
    .join(" ");

describe("the fields after", () => {
  test.each<[string, Plain, string]>([
    [
      "$group",
      { $group: { _id: "$tea", n: { $sum: 1 }, all: { $push: "$to" } } },
      "_id:String n all:Array all.city:String",
    ],
    ["$group by several", { $group: { _id: { c: "$to.city" } } }, "_id:Object _id.c:String"],
    ["$project", { $project: { "to.city": 1, m: "$items.n" } }, "_id:Int32 to:Object to.city:String m:Int32"],
    ["$project without", { $project: { _id: 0, items: 0 } }, "tea:String to:Object to.city:String"],
    ["$unset", { $unset: ["to.city", "items"] }, "_id:Int32 tea:String to:Object"],
    ["$count", { $count: "n" }, "n"],
    ["$sortByCount", { $sortByCount: "$tea" }, "_id:String count"],
    ["$replaceRoot", { $replaceRoot: { newRoot: "$to" } }, "city:String"],
    ["$replaceWith", { $replaceWith: { a: "$tea" } }, "a:String"],
    ["$facet", { $facet: { x: [{ $count: "n" }] } }, "x:Array x.n"],
    ["$bucket", { $bucket: { groupBy: "$n", boundaries: [0] } }, "_id count"],
    ["an unknown one", undefined, "_id:Int32 tea:String items:Array items.n:Int32 to:Object to.city:String"],
  ])("%s", (_name, stage, expected) => expect(fieldsAfterAll(stage)).toBe(expected));

  test("several, each from what the one before gave", () => {
    const lookup: Plain = { $lookup: { from: "teas", localField: "tea", foreignField: "name", as: "found" } };
    expect(
      fieldsAfterAll({ $project: { tea: 1 } }, lookup, { $unwind: "$found" }, { $set: { leaf: "$found.name" } }),
    ).toBe("_id:Int32 tea:String found:Object found.name:String leaf:String");
    expect(collectionsIn([lookup, { $unionWith: "more" }, { $facet: { a: [{ $unionWith: { coll: "x" } }] } }])).toEqual(
      ["teas", "more", "x"],
    );
  });
});
