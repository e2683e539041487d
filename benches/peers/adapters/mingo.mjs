/** mingo: MongoDB's query language over plain arrays; it has no indexes, so every query scans. */
import { Aggregator, Query, updateOne } from "mingo";
import { GROUP, GROUP_BY_TAG, LOOK_UP, dearest, runningTotals } from "../src/pipelines.mjs";

let products;
let orders;
const aggregate = (documents, pipeline) =>
  new Aggregator(pipeline, { collectionResolver: (name) => ({ products, orders })[name] }).run(documents);

export default {
  persistent: false,
  // It goes through each partition's documents anew for each document.
  slowWindows: true,
  async open() {
    products = [];
  },
  async create() {},
  async insertMany(all) {
    products = structuredClone(all);
  },
  byId: async (_id) => new Query({ _id }).find(products).next(),
  bySlug: async (slug) => new Query({ slug }).find(products).next(),
  range: async (low, high) =>
    new Query({ "pricing.sale": { $gte: low, $lt: high } }).find(products).sort({ "pricing.sale": 1 }).all(),
  byTag: async (tag, limit) => new Query({ tags: tag }).find(products).limit(limit).all(),
  async countHeavier(weight) {
    const query = new Query({ "details.weight": { $gt: weight } });
    let count = 0;
    for (const product of products) if (query.test(product)) count += 1;
    return count;
  },
  group: async () => aggregate(products, GROUP),
  async insertOrders(all) {
    orders = structuredClone(all);
  },
  groupByTag: async () => aggregate(products, GROUP_BY_TAG),
  lookUp: async () => aggregate(orders, LOOK_UP),
  dearest: async (limit) => aggregate(products, dearest(limit)),
  runningTotals: async (count) => aggregate(products, runningTotals(count)),
  async increment(_id) {
    updateOne(products, { _id }, { $inc: { total_reviews: 1 } });
  },
  async deleteLighter(weight) {
    const query = new Query({ "details.weight": { $lt: weight } });
    const before = products.length;
    products = products.filter((product) => !query.test(product));
    return before - products.length;
  },
};
