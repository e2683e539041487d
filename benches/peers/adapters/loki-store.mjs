/**
 * lokijs: unique indexes on _id and slug, a binary index on pricing.sale; it has no multikey index, so tags are
 * scanned. Answers are copies without its own fields, as any other store's are. The persistent variant uses its
 * incremental IndexedDB adapter and saves on flush.
 */
import Loki from "lokijs";
import IncrementalAdapter from "lokijs/src/incremental-indexeddb-adapter.js";
import { groupInScript } from "./plain.mjs";

function copy(product) {
  if (!product) return product;
  const { meta, $loki, ...fields } = product;
  return fields;
}

export function lokiStore(persistent) {
  let database;
  let products;
  return {
    persistent,
    open({ name }) {
      const options = persistent
        ? { adapter: new IncrementalAdapter(), autosave: false }
        : { persistenceMethod: null, adapter: new Loki.LokiMemoryAdapter() };
      database = new Loki(name, options);
      if (!persistent) return Promise.resolve();
      return new Promise((resolve, reject) => {
        database.loadDatabase({}, (error) => {
          products = database.getCollection("products");
          if (error instanceof Error) reject(error);
          else resolve();
        });
      });
    },
    async create() {
      const options = { unique: ["_id", "slug"], indices: ["pricing.sale"], disableMeta: true, clone: false };
      products = database.addCollection("products", options);
    },
    async insertMany(all) {
      products.insert(structuredClone(all));
    },
    byId: async (id) => copy(products.by("_id", id)),
    bySlug: async (slug) => copy(products.by("slug", slug)),
    range: async (low, high) =>
      products
        .chain()
        .find({ "pricing.sale": { $between: [low, high] } })
        .simplesort("pricing.sale")
        .data()
        .filter(({ pricing }) => pricing.sale < high)
        .map(copy),
    byTag: async (tag, limit) =>
      products
        .chain()
        .find({ tags: { $contains: tag } })
        .limit(limit)
        .data()
        .map(copy),
    countHeavier: async (weight) =>
      products
        .chain()
        .find({ "details.weight": { $gt: weight } })
        .count(),
    group: async () => groupInScript(products.data),
    async increment(id) {
      const product = products.by("_id", id);
      product.total_reviews += 1;
      products.update(product);
    },
    async deleteLighter(weight) {
      const before = products.count();
      products
        .chain()
        .find({ "details.weight": { $lt: weight } })
        .remove();
      return before - products.count();
    },
    flush: () =>
      new Promise((resolve, reject) => {
        database.saveDatabase((error) => (error ? reject(error) : resolve()));
      }),
    close: () => new Promise((resolve) => database.close(resolve)),
  };
}
