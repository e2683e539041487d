/**
 * Quire through `MongoClient`, as a user of the npm package has it. A client of its own worker has many commands in
 * flight; one with `thread: "this"` sends no messages.
 */
import { MongoClient } from "quiredb";
import { GROUP, GROUP_BY_TAG, INDEXES, LOOK_UP, dearest, runningTotals } from "../src/pipelines.mjs";

const BATCH = 10000;
/** A write with this concern is stored once it is acknowledged, and so is every write before it. */
const STORED = { writeConcern: { w: 1, j: true } };

export function clientStore(options) {
  let client;
  let products;
  let orders;
  return {
    persistent: options.storage === "indexeddb",
    flight: true,
    messages: options.thread !== "this",
    async open({ name }) {
      client = new MongoClient(`quire://${name}`, options);
      const database = client.db("bench");
      products = database.collection("products");
      orders = database.collection("orders");
    },
    async create() {
      await products.createIndexes(INDEXES);
    },
    async insertMany(all) {
      for (let i = 0; i < all.length; i += BATCH) await products.insertMany(all.slice(i, i + BATCH));
    },
    byId: (_id) => products.findOne({ _id }),
    bySlug: (slug) => products.findOne({ slug }),
    range: (low, high) =>
      products
        .find({ "pricing.sale": { $gte: low, $lt: high } })
        .sort({ "pricing.sale": 1 })
        .toArray(),
    byTag: (tag, limit) => products.find({ tags: tag }).limit(limit).toArray(),
    countHeavier: (weight) => products.countDocuments({ "details.weight": { $gt: weight } }),
    group: () => products.aggregate(GROUP).toArray(),
    insertOrders: (documents) => orders.insertMany(documents),
    groupByTag: () => products.aggregate(GROUP_BY_TAG).toArray(),
    lookUp: () => orders.aggregate(LOOK_UP).toArray(),
    dearest: (limit) => products.aggregate(dearest(limit)).toArray(),
    runningTotals: (count) => products.aggregate(runningTotals(count)).toArray(),
    increment: (_id) => products.updateOne({ _id }, { $inc: { total_reviews: 1 } }),
    async deleteLighter(weight) {
      return (await products.deleteMany({ "details.weight": { $lt: weight } })).deletedCount;
    },
    flush: () => products.updateOne({ _id: "nothing" }, { $set: { flushed: true } }, STORED),
    close: () => client.close(),
  };
}
