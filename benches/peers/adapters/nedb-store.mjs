/**
 * @seald-io/nedb: indexes on slug (unique), tags and pricing.sale. The persistent variant keeps its whole log as one
 * string in IndexedDB and writes it again for every batch of writes.
 */
import Datastore from "@seald-io/nedb";
import { groupInScript } from "./plain.mjs";

export function nedbStore(persistent) {
  let store;
  return {
    persistent,
    async open({ name, fresh }) {
      store = persistent ? new Datastore({ filename: name }) : new Datastore({ inMemoryOnly: true });
      if (persistent) await store.loadDatabaseAsync();
      if (!fresh) await this.create();
    },
    async create() {
      await store.ensureIndexAsync({ fieldName: "slug", unique: true });
      await store.ensureIndexAsync({ fieldName: "tags" });
      await store.ensureIndexAsync({ fieldName: "pricing.sale" });
    },
    insertMany: (all) => store.insertAsync(all),
    byId: (_id) => store.findOneAsync({ _id }),
    bySlug: (slug) => store.findOneAsync({ slug }),
    range: (low, high) => store.findAsync({ "pricing.sale": { $gte: low, $lt: high } }).sort({ "pricing.sale": 1 }),
    byTag: (tag, limit) => store.findAsync({ tags: tag }).limit(limit),
    countHeavier: (weight) => store.countAsync({ "details.weight": { $gt: weight } }),
    group: async () => groupInScript(await store.findAsync({})),
    increment: (_id) => store.updateAsync({ _id }, { $inc: { total_reviews: 1 } }),
    async deleteLighter(weight) {
      // One remove of 50 000 documents by an unindexed filter overflows its stack.
      const found = await store.findAsync({ "details.weight": { $lt: weight } }, { _id: 1 });
      const ids = found.map(({ _id }) => _id);
      let count = 0;
      for (let i = 0; i < ids.length; i += 5000) {
        count += await store.removeAsync({ _id: { $in: ids.slice(i, i + 5000) } }, { multi: true });
      }
      return count;
    },
    async flush() {},
    async close() {},
  };
}
