/**
 * Scripts to try on the sample data: a few questions for each set, the first with an index and the last without.
 *
 * Invariant: every statement finds documents in a set of any size (`test/samples.test.ts`).
 */
import type { SampleId } from "./samples.ts";

/** The statements of each set; its words are messages, `sample.<id>.try`, a line for each statement. */
const statements: Readonly<Record<SampleId, readonly string[]>> = {
  garden: [
    'db.products.find({ tags: "winter", price: { $lt: 60 } }).sort({ price: 1 })',
    "db.orders.find({ customer: 7 }).sort({ at: -1 })",
    `db.orders.aggregate([
  { $match: { state: { $in: ["paid", "shipped"] } } },
  { $group: { _id: { $month: "$at" }, orders: { $sum: 1 }, turnover: { $sum: "$total" } } },
  { $sort: { _id: 1 } },
])`,
    `db.orders.aggregate([
  { $unwind: "$lines" },
  { $group: { _id: "$lines.product", sold: { $sum: "$lines.count" } } },
  { $sort: { sold: -1 } },
  { $limit: 5 },
  { $lookup: { from: "products", localField: "_id", foreignField: "_id", as: "product" } },
  { $project: { sold: 1, name: { $first: "$product.name" } } },
])`,
    "db.orders.find({ total: { $gt: 300 } }).sort({ total: -1 })",
  ],
  cms: [
    "db.posts.find({ author: 3, published: { $ne: null } }).sort({ published: -1 })",
    'db.posts.find({ "comments.who": "Ada" }, { title: 1, comments: { $elemMatch: { who: "Ada" } } })',
    `db.posts.aggregate([
  { $unwind: "$tags" },
  { $group: { _id: "$tags", posts: { $sum: 1 }, views: { $avg: "$views" } } },
  { $sort: { posts: -1 } },
])`,
    "db.posts.find({ published: null })",
  ],
  sensors: [
    'db.readings.find({ station: 1, at: { $lt: ISODate("2024-01-02") } }).sort({ at: 1 })',
    `db.readings.aggregate([
  { $group: { _id: { $hour: "$at" }, celsius: { $avg: "$celsius" }, readings: { $sum: 1 } } },
  { $sort: { _id: 1 } },
])`,
    `db.readings.aggregate([
  { $group: { _id: "$station", warmest: { $max: "$celsius" } } },
  { $sort: { warmest: -1 } },
  { $limit: 3 },
  { $lookup: { from: "stations", localField: "_id", foreignField: "_id", as: "station" } },
])`,
    "db.readings.find({ humidity: { $gt: 90 } })",
  ],
};

/** A set's script, with a comment above each statement: `words` has a line for each. */
export function sampleScript(id: SampleId, words: string): string {
  const comments = words.split("\n");
  const parts = statements[id].map((statement, at) => `// ${comments[at] ?? ""}\n${statement}\n`);
  return parts.join("\n");
}

/** The statements of a set, for its test. */
export function sampleStatements(id: SampleId): readonly string[] {
  return statements[id];
}
