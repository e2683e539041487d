/**
 * Quire, as the playground's worker holds it: the engine in this worker, commands encoded straight into wasm memory by
 * our own codec and replies decoded straight out of it. The persistent variant keeps its pages in IndexedDB.
 */
import { Engine } from "../../../web/src/engine/engine.ts";
import { makeHost } from "../../../web/src/engine/host.ts";
import { loadEngine } from "../../../web/src/engine/load.ts";

const BATCH = 10000;

export function quireStore(persistent) {
  let engine;
  /** Runs a command, which must succeed. */
  const run = (command) => {
    const reply = engine.runDocument("bench", command);
    if (reply.ok !== 1 || reply.writeErrors) {
      throw new Error(reply.errmsg ?? JSON.stringify(reply.writeErrors[0]));
    }
    return reply;
  };
  const find = (filter, options) => run({ find: "products", filter, ...options }).cursor.firstBatch;
  const update = (q, u) => run({ update: "products", updates: [{ q, u }] });

  return {
    persistent,
    async open({ name }) {
      const { module, memory } = await loadEngine(() => new URL("quire_bg.wasm", self.location.href));
      const host = makeHost();
      const wasm = persistent
        ? await module.QuireEngine.openIndexedDb(name, host)
        : module.QuireEngine.openMemory(host);
      engine = new Engine(wasm, memory);
    },
    async create() {
      run({
        createIndexes: "products",
        indexes: [
          { key: { slug: 1 }, name: "slug_1", unique: true },
          { key: { tags: 1 }, name: "tags_1" },
          { key: { "pricing.sale": 1 }, name: "pricing.sale_1" },
        ],
      });
    },
    async insertMany(all) {
      for (let i = 0; i < all.length; i += BATCH) {
        run({ insert: "products", documents: all.slice(i, i + BATCH) });
      }
    },
    byId: async (_id) => find({ _id }, { limit: 1, singleBatch: true })[0],
    bySlug: async (slug) => find({ slug }, { limit: 1, singleBatch: true })[0],
    range: async (low, high) => find({ "pricing.sale": { $gte: low, $lt: high } }, { sort: { "pricing.sale": 1 } }),
    byTag: async (tag, limit) => find({ tags: tag }, { limit }),
    countHeavier: async (weight) => run({ count: "products", query: { "details.weight": { $gt: weight } } }).n,
    async group() {
      const average = { $avg: "$pricing.sale" };
      const sum = { $sum: "$total_reviews" };
      const pipeline = [{ $group: { _id: "$details.manufacturer", average, sum } }];
      return run({ aggregate: "products", pipeline, cursor: {} }).cursor.firstBatch;
    },
    async increment(_id) {
      update({ _id }, { $inc: { total_reviews: 1 } });
    },
    async deleteLighter(weight) {
      return run({ delete: "products", deletes: [{ q: { "details.weight": { $lt: weight } }, limit: 0 }] }).n;
    },
    flush: () => engine.flush(true),
    async close() {
      if (persistent) await engine.flush(true);
      engine.close();
    },
  };
}
