/**
 * The commands that the engine runs while it counts: the everyday of a document store, so that the functions that run
 * often are compiled for speed.
 *
 * Invariant: every command succeeds; one that fails counts the wrong functions and ends the run.
 */
import { generator, makeOrders, makeProducts, TAGS } from "../peers/src/products.mjs";
import { GROUP, GROUP_BY_TAG, LOOK_UP, dearest, runningTotals } from "../peers/src/pipelines.mjs";

/** Products loaded in bulk. */
const PRODUCTS = 20000;
const BATCH = 10000;
/**
 * Documents of the collection on which the languages are gone through; a function that one run of it calls for each
 * counts as often run.
 */
const FEW = 2000;

/** Filters on the few documents, each of another kind. */
const FILTERS = [
  { stock: { $gte: 10, $lt: 400 } },
  { stock: { $ne: 7 }, sold: { $gt: 3 } },
  { kind: { $in: ["seed", "tool", "pot"] } },
  { kind: { $nin: ["seed", null] } },
  { $or: [{ stock: { $lte: 20 } }, { "size.height": { $gt: 90 } }] },
  { $and: [{ kind: "tool" }, { $nor: [{ stock: 1 }] }] },
  { tags: "red" },
  { tags: { $all: ["red", "blue"] } },
  { tags: { $size: 2 } },
  { marks: { $elemMatch: { by: "ann", value: { $gte: 3 } } } },
  { "marks.value": { $gt: 4 } },
  { note: { $exists: false } },
  { note: null },
  { added: { $gte: new Date(Date.UTC(2024, 5, 1)) } },
  { name: /^item 1/ },
  { name: /tem \d*7$/ },
  { name: /(one|ITEM) \d+/i },
  { stock: { $mod: [7, 3] } },
  { stock: { $type: "number" } },
  { $expr: { $gt: ["$stock", "$sold"] } },
  { stock: { $not: { $gt: 100 } } },
];

/** Expressions of the kinds that pipelines compute most. */
const EXPRESSIONS = {
  sum: { $add: ["$stock", "$sold", 1] },
  rest: { $subtract: ["$stock", "$sold"] },
  worth: { $multiply: ["$stock", "$price"] },
  each: { $divide: ["$price", 3] },
  rounded: { $round: ["$price", 1] },
  part: { $mod: ["$stock", 9] },
  upper: { $toUpper: "$name" },
  label: { $concat: ["$name", ": ", "$kind"] },
  words: { $split: ["$name", " "] },
  short: { $substrCP: ["$name", 0, 4] },
  level: { $cond: [{ $gt: ["$stock", 100] }, "much", "little"] },
  noted: { $ifNull: ["$note", "none"] },
  grade: {
    $switch: {
      branches: [
        { case: { $lt: ["$stock", 50] }, then: "c" },
        { case: { $lt: ["$stock", 250] }, then: "b" },
      ],
      default: "a",
    },
  },
  both: { $and: [{ $gte: ["$stock", 5] }, { $ne: ["$kind", "pot"] }] },
  any: { $or: [{ $eq: ["$kind", "pot"] }, { $not: ["$sold"] }] },
  year: { $year: "$added" },
  month: { $month: "$added" },
  day: { $dateToString: { date: "$added", format: "%Y-%m-%d" } },
  week: { $dateTrunc: { date: "$added", unit: "week" } },
  first: { $first: "$tags" },
  count: { $size: "$tags" },
  total: { $sum: "$marks.value" },
  mean: { $avg: "$marks.value" },
  top: { $max: "$marks.value" },
  good: { $filter: { input: "$marks", as: "mark", cond: { $gte: ["$$mark.value", 3] } } },
  names: { $map: { input: "$marks", as: "mark", in: "$$mark.by" } },
  sums: { $reduce: { input: "$marks", initialValue: 0, in: { $add: ["$$value", "$$this.value"] } } },
  red: { $in: ["red", "$tags"] },
  at: { $arrayElemAt: ["$tags", 0] },
  pairs: { $concatArrays: ["$tags", ["x"]] },
  text: { $toString: "$stock" },
  whole: { $toInt: "$price" },
  merged: { $mergeObjects: ["$size", { unit: "cm" }] },
  fields: { $objectToArray: "$size" },
};

/** Pipelines on the few documents. */
const PIPELINES = [
  [
    { $match: { stock: { $gt: 50 } } },
    { $project: { name: 1, "size.height": 1, worth: { $multiply: ["$stock", "$price"] } } },
  ],
  [{ $addFields: EXPRESSIONS }],
  [{ $project: { ...EXPRESSIONS, _id: 0 } }],
  [{ $project: { marks: 0, note: 0 } }],
  [{ $unset: ["marks", "size.height"] }],
  [{ $sort: { stock: -1, name: 1 } }],
  [{ $sort: { "size.height": 1 } }, { $skip: 10 }, { $limit: 50 }],
  [
    {
      $group: {
        _id: "$kind",
        n: { $sum: 1 },
        count: { $count: {} },
        sum: { $sum: "$stock" },
        mean: { $avg: "$price" },
        low: { $min: "$price" },
        high: { $max: "$price" },
        first: { $first: "$name" },
        last: { $last: "$name" },
        all: { $push: "$stock" },
        set: { $addToSet: "$sold" },
      },
    },
  ],
  [
    {
      $group: { _id: { kind: "$kind", year: { $year: "$added" } }, sum: { $sum: { $multiply: ["$stock", "$price"] } } },
    },
    { $sort: { sum: -1 } },
  ],
  [{ $group: { _id: null, names: { $push: { name: "$name", stock: "$stock" } } } }],
  [
    { $unwind: "$marks" },
    { $match: { "marks.value": { $gte: 2 } } },
    { $group: { _id: "$marks.by", mean: { $avg: "$marks.value" } } },
  ],
  [{ $unwind: { path: "$tags", includeArrayIndex: "place", preserveNullAndEmptyArrays: true } }],
  [{ $sortByCount: "$kind" }],
  [{ $unwind: "$tags" }, { $sortByCount: "$tags" }],
  [{ $bucket: { groupBy: "$stock", boundaries: [0, 100, 200, 1000], output: { n: { $sum: 1 } } } }],
  [
    {
      $facet: {
        kinds: [{ $group: { _id: "$kind", n: { $sum: 1 } } }],
        high: [{ $match: { stock: { $gt: 300 } } }, { $count: "n" }],
      },
    },
  ],
  [
    { $lookup: { from: "kinds", localField: "kind", foreignField: "_id", as: "about" } },
    { $unwind: "$about" },
    { $match: { "about.shelf": { $lt: 3 } } },
  ],
  [
    {
      $lookup: {
        from: "kinds",
        let: { kind: "$kind" },
        pipeline: [{ $match: { $expr: { $eq: ["$_id", "$$kind"] } } }, { $project: { shelf: 1 } }],
        as: "about",
      },
    },
    { $limit: 200 },
  ],
  [{ $replaceRoot: { newRoot: { $mergeObjects: [{ name: "$name" }, "$size"] } } }],
  [
    {
      $setWindowFields: {
        partitionBy: "$kind",
        sortBy: { added: 1 },
        output: { running: { $sum: "$stock", window: { documents: ["unbounded", "current"] } }, place: { $rank: {} } },
      },
    },
  ],
  [{ $count: "n" }],
];

/** Updates of one of the few documents, each of another kind. */
const UPDATES = [
  { $set: { note: "seen", "size.depth": 3 } },
  { $inc: { sold: 1, stock: -1 } },
  { $push: { marks: { by: "eve", value: 4 } } },
  { $push: { tags: { $each: ["new", "hot"], $slice: -5 } } },
  { $addToSet: { tags: "sale" } },
  { $pull: { marks: { value: { $lt: 2 } } } },
  { $unset: { note: "" } },
  { $mul: { price: 1.1 }, $min: { stock: 5 }, $max: { sold: 2 } },
  { $currentDate: { changed: true }, $rename: { "size.depth": "size.length" } },
];

/** The few documents: nested, with arrays, dates, missing and null fields. */
function few() {
  const random = generator(5);
  const below = (limit) => Math.floor(random() * limit);
  const kinds = ["seed", "tool", "pot", "soil", "book"];
  const colours = ["red", "blue", "green", "white"];
  return Array.from({ length: FEW }, (_, i) => ({
    _id: i,
    name: `item ${i}`,
    kind: kinds[below(kinds.length)],
    stock: below(500),
    sold: below(60),
    price: Math.round(random() * 10000) / 100,
    size: { height: below(120), width: below(80) },
    tags: colours.slice(below(3)),
    marks: Array.from({ length: below(4) }, () => ({ by: ["ann", "bob", "cat"][below(3)], value: 1 + below(5) })),
    added: new Date(Date.UTC(2024, below(12), 1 + below(28))),
    ...(i % 3 === 0 ? { note: i % 6 === 0 ? null : "old" } : {}),
  }));
}

/** Runs everything; `run` answers a command of one database and throws when it fails. */
export function runAll(run) {
  const rest = (name, { cursor: { id } }) => {
    if (String(id) !== "0") rest(name, run({ getMore: BigInt(String(id)), collection: name }));
  };
  const find = (name, options) => rest(name, run({ find: name, ...options }));
  const aggregate = (name, pipeline) => rest(name, run({ aggregate: name, pipeline, cursor: { batchSize: BATCH } }));
  const index = (name, ...keys) =>
    run({
      createIndexes: name,
      indexes: keys.map(([key, more]) => ({ key, name: Object.keys(key).join("_"), ...more })),
    });

  const random = generator(99);
  const products = makeProducts(PRODUCTS, 7);
  const any = () => products[Math.floor(random() * products.length)];
  index("products", [{ slug: 1 }, { unique: true }], [{ tags: 1 }], [{ "pricing.sale": 1 }]);
  for (let i = 0; i < PRODUCTS; i += BATCH) run({ insert: "products", documents: products.slice(i, i + BATCH) });
  for (let i = 0; i < 5000; i += 1) {
    find("products", { filter: { _id: any()._id }, limit: 1, singleBatch: true });
    find("products", { filter: { slug: any().slug }, limit: 1, singleBatch: true });
  }
  for (let i = 0; i < 500; i += 1) {
    const low = 1 + random() * 490;
    find("products", { filter: { "pricing.sale": { $gte: low, $lt: low + 0.5 } }, sort: { "pricing.sale": 1 } });
    find("products", { filter: { tags: TAGS[i % TAGS.length] }, limit: 20 });
  }
  run({ insert: "orders", documents: makeOrders(5000, products) });
  for (let i = 0; i < 3; i += 1) {
    run({ count: "products", query: { "details.weight": { $gt: 75 } } });
    for (const pipeline of [GROUP, GROUP_BY_TAG, dearest(20), runningTotals(PRODUCTS)]) aggregate("products", pipeline);
    aggregate("orders", LOOK_UP);
  }
  for (let i = 0; i < 3000; i += 1)
    run({ update: "products", updates: [{ q: { _id: any()._id }, u: { $inc: { total_reviews: 1 } } }] });
  run({ delete: "products", deletes: [{ q: { "details.weight": { $lt: 50 } }, limit: 0 }] });

  run({ insert: "kinds", documents: ["seed", "tool", "pot", "soil", "book"].map((_id, shelf) => ({ _id, shelf })) });
  index("items", [{ kind: 1, stock: -1 }], [{ "marks.by": 1 }], [{ added: 1 }]);
  for (const document of few()) run({ insert: "items", documents: [document] });
  for (const filter of FILTERS) {
    find("items", { filter });
    find("items", { filter, sort: { name: 1 }, projection: { name: 1, "size.width": 1 }, limit: 30 });
    run({ count: "items", query: filter });
  }
  run({ distinct: "items", key: "tags" });
  for (const pipeline of PIPELINES) aggregate("items", pipeline);
  for (const u of UPDATES) {
    for (let i = 0; i < FEW; i += 4) run({ update: "items", updates: [{ q: { _id: i }, u }] });
    run({ update: "items", updates: [{ q: { stock: { $gte: 100 } }, u, multi: true }] });
  }
  for (let i = 0; i < 500; i += 1) {
    run({ findAndModify: "items", query: { _id: i }, update: { $inc: { sold: 1 } }, new: true });
    run({ update: "items", updates: [{ q: { name: `more ${i}` }, u: { $set: { stock: i } }, upsert: true }] });
    run({ delete: "items", deletes: [{ q: { _id: i + 1000 }, limit: 1 }] });
  }
}
