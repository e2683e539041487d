/** A call of the wrong shape is mended in the statement that failed, and nothing else is touched. */
import { describe, expect, test } from "vitest";
import * as names from "../view/editor/shell-words.ts";
import { errorMend } from "./error-mends.ts";

const indexes = [
  { collection: "round", key: { at: "2dsphere" } },
  { collection: "flat", key: { at: "2d" } },
];
const surroundings = { collections: ["orders"], updateOperators: names.updateOperators, indexes };

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
const near = "error processing query: planner returned error :: caused by :: unable to find index for $geoNear query";
const geoNear = "$geoNear requires a 2d or 2dsphere index, but none were found";
const words = "text index required for $text query";
const bounds = "Longitude/latitude is out of bounds, lng: 39.9 lat: 116.4";
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
    [
      near,
      "use geo\ndb.leg.find({ loc: { $near: [13, 52] } })",
      'use geo\ndb.leg.createIndex({ loc: "2d" })\ndb.leg.find({ loc: { $near: [13, 52] } })',
    ],
    [
      near,
      "db.getCollection('le g').find({ n: 1, 'a.loc': { $near: { x: 1, y: 2 } } }).limit(3)",
      'db.getCollection(\'le g\').createIndex({ "a.loc": "2d" })\n' +
        "db.getCollection('le g').find({ n: 1, 'a.loc': { $near: { x: 1, y: 2 } } }).limit(3)",
    ],
    [
      near,
      "const r = db.a.b.findOne({ $and: [{ loc: { $near: { $geometry: p } } }] })",
      'db.a.b.createIndex({ loc: "2dsphere" })\n' +
        "const r = db.a.b.findOne({ $and: [{ loc: { $near: { $geometry: p } } }] })",
    ],
    [
      near,
      "db.leg.find({ loc: { $nearSphere: [13, 52] } })",
      'db.leg.createIndex({ loc: "2dsphere" })\ndb.leg.find({ loc: { $nearSphere: [13, 52] } })',
    ],
    [
      near,
      "db.round.find({ at: { $near: [13, 52] } })",
      'db.round.find({ at: { $near: { $geometry: { type: "Point", coordinates: [13, 52] } } } })',
    ],
    [
      near,
      "db.flat.find({ at: { $near: { $geometry: p } } })",
      'db.flat.createIndex({ at: "2dsphere" })\ndb.flat.find({ at: { $near: { $geometry: p } } })',
    ],
    [
      near,
      "db.leg.aggregate([{ $geoNear: { near: [1, 2], key: 'loc', distanceField: 'd' } }])",
      'db.leg.createIndex({ loc: "2d" })\n' +
        "db.leg.aggregate([{ $geoNear: { near: [1, 2], key: 'loc', distanceField: 'd' } }])",
    ],
    [
      bounds,
      'db.p.insertOne({ at: { type: "Point", coordinates: [39.9, 116.40] } })',
      'db.p.insertOne({ at: { type: "Point", coordinates: [116.40, 39.9] } })',
    ],
    [
      "Longitude/latitude is out of bounds, lng: -33.9 lat: -151.2",
      "db.p.find({ at: { $geoWithin: { $centerSphere: [[-33.9, -151.2], 0.1] } } })",
      "db.p.find({ at: { $geoWithin: { $centerSphere: [[-151.2, -33.9], 0.1] } } })",
    ],
    [
      words,
      "db.notes.find({ $text: { $search: 'cat' } })",
      'db.notes.createIndex({ "$**": "text" })\ndb.notes.find({ $text: { $search: \'cat\' } })',
    ],
    [
      words,
      "[1].map(() => db.notes.countDocuments({ $text: { $search: 'cat' } }))",
      'db.notes.createIndex({ "$**": "text" });\n' +
        "[1].map(() => db.notes.countDocuments({ $text: { $search: 'cat' } }))",
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
    [near, "db.leg.find({ loc: { $near: point } })"],
    [near, "places.find({ loc: { $near: [13, 52] } })"],
    [near, "db.round.find({ at: { $near: [13, 52], $maxDistance: 2 } })"],
    [near, "db.runCommand({ find: 'leg', filter: { loc: { $near: [13, 52] } } })"],
    [geoNear, "db.leg.aggregate([{ $geoNear: { near: [1, 2], distanceField: 'd' } }])"],
    [bounds, "db.p.insertMany([{ at: [39.9, 116.4] }, { at: [39.9, 116.4] }])"],
    [bounds.replace("116.4", "216.4"), "db.p.insertOne({ at: [39.9, 216.4] })"],
    [bounds, "db.p.insertOne({ at: [lng, lat] })"],
    [words, "notes.find({ $text: { $search: 'cat' } })"],
  ])("not where it is not certain: %s: %s", (message, source) => expect(mended(message, source)).toBeNull());
});
