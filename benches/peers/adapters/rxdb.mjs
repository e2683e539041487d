/**
 * RxDB with its memory storage and no validation. It has no unique secondary index and none on arrays; it aggregates
 * in the caller's script.
 */
import { createRxDatabase } from "rxdb/plugins/core";
import { getRxStorageMemory } from "rxdb/plugins/storage-memory";
import { groupInScript } from "./plain.mjs";

const string = { type: "string" };
const number = { type: "number" };
const strings = { type: "array", items: string };
const schema = {
  version: 0,
  primaryKey: "_id",
  type: "object",
  properties: {
    _id: { type: "string", maxLength: 24 },
    slug: { type: "string", maxLength: 80 },
    sku: string,
    name: string,
    description: string,
    tags: strings,
    details: {
      type: "object",
      properties: { weight: number, weight_units: string, model_num: number, manufacturer: string, color: string },
    },
    pricing: {
      type: "object",
      properties: { retail: number, sale: { type: "number", minimum: 0, maximum: 1000, multipleOf: 0.01 } },
    },
    total_reviews: number,
    average_review: number,
    category_ids: strings,
  },
  required: ["slug", "pricing"],
  indexes: ["slug", "pricing.sale"],
};
let database;
let products;

export default {
  persistent: false,
  async open() {
    const name = `bench${Math.random().toString(36).slice(2)}`;
    database = await createRxDatabase({
      name,
      storage: getRxStorageMemory(),
      multiInstance: false,
      eventReduce: false,
    });
  },
  async create() {
    ({ products } = await database.addCollections({ products: { schema } }));
  },
  async insertMany(all) {
    for (let i = 0; i < all.length; i += 10000) {
      const { error } = await products.bulkInsert(structuredClone(all.slice(i, i + 10000)));
      if (error.length > 0) throw new Error(JSON.stringify(error[0]).slice(0, 300));
    }
  },
  byId: async (id) => (await products.findOne(id).exec())?.toJSON(),
  bySlug: async (slug) => (await products.findOne({ selector: { slug } }).exec())?.toJSON(),
  async range(low, high) {
    const selector = { "pricing.sale": { $gte: low, $lt: high } };
    const found = await products.find({ selector, sort: [{ "pricing.sale": "asc" }] }).exec();
    return found.map((product) => product.toJSON());
  },
  async byTag(tag, limit) {
    const found = await products.find({ selector: { tags: tag }, limit }).exec();
    return found.map((product) => product.toJSON());
  },
  countHeavier: async (weight) =>
    (await products.find({ selector: { "details.weight": { $gt: weight } } }).exec()).length,
  group: async () => groupInScript((await products.find().exec()).map((product) => product._data)),
  async increment(id) {
    const product = await products.findOne(id).exec();
    await product.incrementalModify((fields) => {
      fields.total_reviews += 1;
      return fields;
    });
  },
  async deleteLighter(weight) {
    const found = await products.find({ selector: { "details.weight": { $lt: weight } } }).exec();
    await products.bulkRemove(found.map(({ primary }) => primary));
    return found.length;
  },
};
