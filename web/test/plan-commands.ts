/**
 * Commands of every shape that explain knows, over the same few collections, for the tests that hold what the plan's
 * views draw against what the engine reports.
 */
import type { Document } from "bson";
import type { Verdict } from "../src/state/insight.ts";

const kinds = ["green", "black", "white", "oolong"];
const many = 2000;

/** Makes the collections: `teas` has one document each of many kinds, `dear` is a view of it, `log` is clustered. */
export const preparing: readonly Document[] = [
  {
    insert: "teas",
    documents: Array.from({ length: many }, (_, n) => ({
      _id: n,
      slug: `tea-${n}`,
      kind: kinds[n % 4],
      price: (n * 37) % 500,
      tags: [`t${n % 7}`, `t${n % 5}`],
      origin: { country: ["cn", "jp", "in"][n % 3] },
      text: "leaf ".repeat(20),
    })),
  },
  {
    createIndexes: "teas",
    indexes: [
      { key: { price: 1 }, name: "price_1" },
      { key: { tags: 1 }, name: "tags_1" },
      { key: { kind: 1, price: 1 }, name: "kind_1_price_1" },
      { key: { slug: 1 }, name: "slug_1", unique: true },
    ],
  },
  {
    insert: "shops",
    documents: Array.from({ length: 60 }, (_, n) => ({ _id: n, tea: n * 3, kind: kinds[n % 2], note: `n${n}` })),
  },
  { create: "dear", viewOn: "teas", pipeline: [{ $match: { price: { $gt: 400 } } }] },
  { create: "log", clusteredIndex: { key: { _id: 1 }, unique: true } },
  { insert: "log", documents: Array.from({ length: 300 }, (_, n) => ({ _id: n, line: `line ${n}` })) },
  { create: "bare" },
];

export interface Case {
  readonly name: string;
  readonly command: Document;
  readonly verdict: Verdict;
  /** The kinds of the notes, in order. */
  readonly notes?: readonly string[];
  /** What a sentence says of it. */
  readonly says?: RegExp;
}

const find = (filter: Document, rest: Document = {}): Document => ({ find: "teas", filter, ...rest });
const aggregate = (collection: string, ...pipeline: Document[]): Document => ({
  aggregate: collection,
  pipeline,
  cursor: {},
});
const join = (localField: string, foreignField: string): Document => ({
  $lookup: { from: "teas", localField, foreignField, as: "found" },
});

export const cases: readonly Case[] = [
  { name: "everything", command: find({}), verdict: "whole", says: /Every document was read, 2000/ },
  { name: "the first five", command: find({}, { limit: 5 }), verdict: "part", says: /Only the first 5 documents/ },
  { name: "skip and limit", command: find({}, { skip: 20, limit: 10 }), verdict: "part", notes: ["skipped"] },
  { name: "a scan", command: find({ "origin.country": "jp" }), verdict: "scan", says: /2000 in all, to find 667/ },
  {
    name: "a scan that ends early",
    command: find({ "origin.country": "jp" }, { limit: 3 }),
    verdict: "scan-part",
    says: /until 3 matched: 8 documents read/,
  },
  { name: "a scan in vain", command: find({ nothing: 1 }), verdict: "scan", says: /to find 0/ },
  { name: "natural order", command: find({}, { hint: { $natural: -1 }, limit: 4 }), verdict: "part" },
  { name: "an empty collection", command: { find: "bare" }, verdict: "empty" },
  { name: "no collection", command: { find: "nowhere" }, verdict: "nothing" },
  { name: "never true", command: find({ $alwaysFalse: 1 }), verdict: "nothing" },
  { name: "by _id", command: find({ _id: 5 }), verdict: "by-id" },
  { name: "by an _id that is not there", command: find({ _id: -5 }), verdict: "by-id-missing" },
  { name: "by a unique key", command: find({ slug: "tea-7" }, { limit: 1 }), verdict: "by-key" },
  { name: "several _ids", command: find({ _id: { $in: [1, 5, 9] } }), verdict: "exact-keys" },
  { name: "an index", command: find({ price: { $lt: 50 } }), verdict: "exact", says: /led straight/ },
  { name: "an index in vain", command: find({ price: 7777 }), verdict: "index-none" },
  {
    name: "an index and a filter",
    command: find({ price: { $lt: 50 }, "origin.country": "jp" }),
    verdict: "index-and-more",
  },
  { name: "two candidates", command: find({ kind: "green", price: { $lt: 50 } }), verdict: "exact" },
  {
    name: "a hint",
    command: find({ kind: "green", price: { $lt: 50 } }, { hint: "price_1" }),
    verdict: "index-and-more",
  },
  { name: "covered", command: find({ price: { $lt: 10 } }, { projection: { _id: 0, price: 1 } }), verdict: "covered" },
  {
    name: "skipped keys",
    command: find({ price: { $lt: 100 } }, { skip: 100, limit: 10 }),
    verdict: "exact-keys",
    notes: ["skipped"],
  },
  {
    name: "$or over two indexes",
    command: find({ $or: [{ price: { $lt: 30 } }, { tags: "t3" }] }),
    verdict: "exact-keys",
    notes: ["repeated"],
    says: /748 keys of the indexes .* for 710 documents.* 38 keys led to documents already seen/,
  },
  {
    name: "$or with a branch of no index",
    command: find({ $or: [{ price: 3 }, { "origin.country": "cn" }] }),
    verdict: "scan",
  },
  { name: "multikey", command: find({ tags: { $in: ["t1", "t2"] } }), verdict: "exact-keys", notes: ["repeated"] },
  {
    name: "a run of a multikey index",
    command: find({ tags: { $gte: "t3" } }),
    verdict: "exact-keys",
    notes: ["repeated"],
  },
  {
    name: "$or with a branch of several runs",
    command: find({ $or: [{ price: { $lt: 30 } }, { tags: { $in: ["t1", "t5"] } }] }),
    verdict: "exact-keys",
    notes: ["repeated"],
  },
  { name: "sorted in memory", command: find({}, { sort: { text: 1 } }), verdict: "whole", notes: ["sorted"] },
  {
    name: "the first of a sort",
    command: find({}, { sort: { text: 1 }, limit: 10 }),
    verdict: "whole",
    notes: ["sorted"],
    says: /keeps the first 10/,
  },
  { name: "sorted by an index", command: find({}, { sort: { price: -1 } }), verdict: "ordered" },
  {
    name: "merged branches",
    command: find({ $or: [{ kind: "green" }, { kind: "black" }] }, { sort: { price: 1 }, hint: "kind_1_price_1" }),
    verdict: "exact",
  },
  { name: "a clustered range", command: { find: "log", filter: { _id: { $lt: 20 } } }, verdict: "clustered" },
  { name: "a clustered look-up", command: { find: "log", filter: { _id: 20 } }, verdict: "by-id" },
  { name: "a view", command: { find: "dear", filter: { kind: "green" } }, verdict: "exact" },
  { name: "count", command: { count: "teas", query: { price: { $lt: 50 } } }, verdict: "counted" },
  { name: "count of everything", command: { count: "teas" }, verdict: "counter" },
  { name: "count by a scan", command: { count: "teas", query: { "origin.country": "cn" } }, verdict: "scan" },
  {
    name: "count with skip and limit",
    command: { count: "teas", query: { price: { $lt: 50 } }, skip: 5, limit: 20 },
    verdict: "counted",
  },
  { name: "distinct", command: { distinct: "teas", key: "price" }, verdict: "distinct" },
  { name: "distinct by a scan", command: { distinct: "teas", key: "origin.country" }, verdict: "whole" },
  {
    name: "update",
    command: {
      update: "teas",
      updates: [{ q: { kind: "green", price: { $lt: 9 } }, u: { $set: { a: 1 } }, multi: true }],
    },
    verdict: "exact",
  },
  {
    name: "update by _id",
    command: { update: "teas", updates: [{ q: { _id: 3 }, u: { $set: { a: 1 } } }] },
    verdict: "by-id",
  },
  {
    name: "upsert",
    command: { update: "teas", updates: [{ q: { price: -1 }, u: { $set: { a: 1 } }, upsert: true }] },
    verdict: "index-none",
  },
  { name: "delete", command: { delete: "teas", deletes: [{ q: { price: 4 }, limit: 0 }] }, verdict: "exact" },
  { name: "delete by _id", command: { delete: "teas", deletes: [{ q: { _id: 4 }, limit: 1 }] }, verdict: "by-id" },
  {
    name: "findAndModify",
    command: { findAndModify: "teas", query: { price: 4 }, update: { $set: { b: 1 } }, fields: { price: 1 } },
    verdict: "exact",
  },
  {
    name: "findAndModify remove",
    command: { findAndModify: "teas", query: { _id: 9 }, remove: true },
    verdict: "by-id",
  },
  { name: "a pipeline that is a find", command: aggregate("teas", { $match: { price: 3 } }), verdict: "exact" },
  {
    name: "group and sort",
    command: aggregate(
      "teas",
      { $match: { price: { $lt: 100 } } },
      { $group: { _id: "$kind", n: { $sum: 1 } } },
      { $sort: { n: -1 } },
    ),
    verdict: "exact",
    notes: ["sorted"],
  },
  { name: "a pipeline's limit", command: aggregate("teas", { $limit: 5 }, { $unwind: "$tags" }), verdict: "part" },
  {
    name: "a look-up through an index",
    command: aggregate("shops", join("tea", "_id"), { $unwind: "$found" }),
    verdict: "whole",
    notes: ["joined"],
    says: /teas was looked into 60 times through _id_/,
  },
  {
    name: "a look-up with none",
    command: aggregate("shops", { $limit: 2 }, join("note", "text")),
    verdict: "part",
    notes: ["joined"],
    says: /teas was read whole 2 times: 4000 documents/,
  },
  {
    name: "a look-up by pipeline",
    command: aggregate(
      "shops",
      { $limit: 2 },
      {
        $lookup: {
          from: "teas",
          let: { t: "$tea" },
          pipeline: [{ $match: { $expr: { $eq: ["$_id", "$$t"] } } }],
          as: "found",
        },
      },
    ),
    verdict: "part",
    notes: ["joined"],
  },
  { name: "$sample", command: aggregate("teas", { $sample: { size: 5 } }), verdict: "whole", notes: ["sampled"] },
  {
    name: "$facet",
    command: aggregate("teas", { $facet: { a: [{ $count: "n" }], b: [{ $sortByCount: "$kind" }] } }),
    verdict: "whole",
  },
  { name: "$unionWith", command: aggregate("teas", { $unionWith: "shops" }, { $count: "n" }), verdict: "whole" },
  {
    name: "$graphLookup",
    command: aggregate("shops", {
      $graphLookup: { from: "teas", startWith: "$tea", connectFromField: "tea", connectToField: "_id", as: "found" },
    }),
    verdict: "whole",
  },
  {
    name: "groups by jumping",
    command: aggregate("teas", { $sort: { price: 1 } }, { $group: { _id: "$price", f: { $first: "$price" } } }),
    verdict: "distinct",
  },
  {
    name: "$documents",
    command: { aggregate: 1, pipeline: [{ $documents: [{ a: 1 }, { a: 2 }] }], cursor: {} },
    verdict: "made",
  },
];
