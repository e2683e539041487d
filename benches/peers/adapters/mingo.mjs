/** mingo: MongoDB's query language over plain arrays; it has no indexes, so every query scans. */
import { Aggregator, Query, updateOne } from "mingo";

const GROUP = { _id: "$details.manufacturer", average: { $avg: "$pricing.sale" }, sum: { $sum: "$total_reviews" } };
let products;

export default {
  persistent: false,
  async open() {
    products = [];
  },
  async create() {},
  async insertMany(all) {
    products = structuredClone(all);
  },
  byId: async (_id) => new Query({ _id }).find(products).next(),
  bySlug: async (slug) => new Query({ slug }).find(products).next(),
  range: async (low, high) => new Query({ "pricing.sale": { $gte: low, $lt: high } }).find(products)
    .sort({ "pricing.sale": 1 }).all(),
  byTag: async (tag, limit) => new Query({ tags: tag }).find(products).limit(limit).all(),
  async countHeavier(weight) {
    const query = new Query({ "details.weight": { $gt: weight } });
    let count = 0;
    for (const product of products) if (query.test(product)) count += 1;
    return count;
  },
  group: async () => new Aggregator([{ $group: GROUP }]).run(products),
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
