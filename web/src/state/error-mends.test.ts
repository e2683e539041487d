/** A call of the wrong shape is mended in the statement that failed, and nothing else is touched. */
import { describe, expect, test } from "vitest";
import * as names from "../view/editor/shell-words.ts";
import { errorMend } from "./error-mends.ts";

const surroundings = { collections: ["orders"], updateOperators: names.updateOperators };

/** The script after its mending; null where there is none. Its last line is the statement that failed. */
function mended(message: string, source: string): string | null {
  const lines = source.split("\n");
  const last = lines.at(-1) ?? "";
  const place = { line: lines.length, column: 1, endLine: lines.length, endColumn: last.length + 1 };
  const found = errorMend({ message }, source, place, surroundings);
  if (found === null) return null;
  const { from, to, text } = found.mending;
  return source.slice(0, from) + text + source.slice(to);
}

const atomic = "Update document requires atomic operators";
const docs = 'Argument "docs" must be an array of documents';

describe("an error is mended", () => {
  test.each<[string, string, string]>([
    [atomic, "db.o.updateOne({ a: 1 }, { b: 2 })", "db.o.updateOne({ a: 1 }, { $set: { b: 2 } })"],
    [
      atomic,
      "use x\ndb.o.updateMany({}, { b: 2, c: 3 }, { upsert: true })",
      "use x\ndb.o.updateMany({}, { $set: { b: 2, c: 3 } }, { upsert: true })",
    ],
    [atomic, "db.o.findOneAndUpdate({}, { b: 2 })", "db.o.findOneAndUpdate({}, { $set: { b: 2 } })"],
    [atomic, "db.o.updateOne({}, { set: { b: 2 } })", "db.o.updateOne({}, { $set: { b: 2 } })"],
    [
      "Replacement document must not contain atomic operators",
      "db.o.replaceOne({}, { $set: { b: 2 } })",
      "db.o.updateOne({}, { $set: { b: 2 } })",
    ],
    ["$in needs an array", "db.o.find({ state: { $in: 'CA' } })", "db.o.find({ state: { $in: ['CA'] } })"],
    ["$or must be an array", "db.o.find({ $or: { a: 1 } })", "db.o.find({ $or: [{ a: 1 }] })"],
    [
      "path option to $unwind stage should be prefixed with a '$': lines",
      "db.o.aggregate([{ $unwind: 'lines' }])",
      'db.o.aggregate([{ $unwind: "$lines" }])',
    ],
    [
      "path option to $unwind stage should be prefixed with a '$': lines",
      "db.o.aggregate([{ $unwind: { path: 'lines' } }])",
      'db.o.aggregate([{ $unwind: { path: "$lines" } }])',
    ],
    [
      "a group specification must include an _id",
      "db.o.aggregate([{ $group: { n: { $sum: 1 } } }])",
      "db.o.aggregate([{ $group: { _id: null, n: { $sum: 1 } } }])",
    ],
    ['Argument "doc" must be an object', "db.o.insertOne([{ a: 1 }])", "db.o.insertMany([{ a: 1 }])"],
    [docs, "db.o.insertMany({ a: 1 })", "db.o.insertOne({ a: 1 })"],
    ["orders is not defined", "orders.find({ orders: 1 })", "db.orders.find({ orders: 1 })"],
    ["total is not defined", "db.o.find(total == 500)", "db.o.find({ total: 500 })"],
    [
      "total is not defined",
      "db.o.find(total > 500 && state === 'CA')",
      "db.o.find({ total: { $gt: 500 }, state: 'CA' })",
    ],
    [
      "total is not defined",
      "db.o.find(5 < total && total < 9)",
      "db.o.find({ $and: [{ total: { $gt: 5 } }, { total: { $lt: 9 } }] })",
    ],
    ["a is not defined", "db.o.find(a == 1 || b == 2)", "db.o.find({ $or: [{ a: 1 }, { b: 2 }] })"],
    [
      "lines is not defined",
      "db.o.countDocuments(lines.qty >= 2)",
      'db.o.countDocuments({ "lines.qty": { $gte: 2 } })',
    ],
  ])("%s: %s", (message, source, expected) => expect(mended(message, source)).toBe(expected));

  test.each<[string, string]>([
    [atomic, "db.o.updateOne({}, update)"],
    [atomic, "db.o.updateOne({}, { a: 1 }); db.o.updateOne({}, { b: 1 })"],
    [atomic, "db.o.updateOne({}, {})"],
    ["$in needs an array", "db.o.find(filter)"],
    [docs, "db.o.insertMany(list)"],
    ["total is not defined", "db.o.find(total == other)"],
    ["total is not defined", "print(total == 5)"],
    ["herbs is not defined", "herbs.find()"],
  ])("not where it is not certain: %s: %s", (message, source) => expect(mended(message, source)).toBeNull());
});
