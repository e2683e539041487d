/**
 * Quire, as the playground's worker holds it: the engine in this worker, commands encoded straight into wasm memory by
 * our own codec and replies decoded straight out of it. The persistent variant keeps its pages in IndexedDB, and its
 * commands wait for pages that are not in memory yet; in memory everything is synchronous.
 */
import { Engine } from "../../../web/src/engine/engine.ts";
import { makeHost } from "../../../web/src/engine/host.ts";
import { loadEngine } from "../../../web/src/engine/load.ts";
import { openStored } from "../../../web/src/engine/store.ts";
import { GROUP, GROUP_BY_TAG, LOOK_UP, dearest, runningTotals } from "../src/pipelines.mjs";

const BATCH = 10000;

/** The page compiles the engine's code while this worker starts, as Quire's client does; else it is fetched from here. */
const code = self.name === "given-code"
  ? new Promise((resolve) => addEventListener("message", ({ data }) => data?.code && resolve(data.code)))
  : new URL("quire_bg.wasm", self.location.href);
const load = () => loadEngine(() => code);
void load();

/** Goes on with a value that may be a promise; at once when it is none. */
const after = (value, work) => (value instanceof Promise ? value.then(work) : work(value));

function succeeded(reply) {
  if (reply.ok !== 1 || reply.writeErrors) {
    throw new Error(reply.errmsg ?? JSON.stringify(reply.writeErrors[0]));
  }
  return reply;
}

export function quireStore(persistent) {
  let engine;
  /** Runs a command, which must succeed. */
  const run = persistent
    ? (command) => after(engine.command("bench", command), succeeded)
    : (command) => succeeded(engine.runDocument("bench", command));
  const find = (filter, options) => after(run({ find: "products", filter, ...options }), (reply) => reply.cursor.firstBatch);
  /** What is left of a cursor; it is read to its end, as a driver's `toArray` does, so that it does not stay open. */
  const rest = ({ cursor: { id, firstBatch, nextBatch } }, name) => {
    const batch = firstBatch ?? nextBatch;
    if (String(id) === "0") return batch;
    const getMore = run({ getMore: BigInt(String(id)), collection: name });
    return after(getMore, (reply) => after(rest(reply, name), (more) => batch.concat(more)));
  };
  /** All documents of a pipeline. */
  const aggregate = (name, pipeline) =>
    after(run({ aggregate: name, pipeline, cursor: { batchSize: BATCH } }), (reply) => rest(reply, name));
  const first = (filter) => after(find(filter, { limit: 1, singleBatch: true }), (batch) => batch[0]);
  const update = (q, u) => run({ update: "products", updates: [{ q, u }] });

  return {
    persistent,
    async open({ name }) {
      const loading = load();
      const stored = persistent ? await openStored(name, loading, makeHost()) : null;
      const { module, memory } = await loading;
      engine = new Engine(stored ?? module.QuireEngine.openMemory(makeHost()), memory);
    },
    async create() {
      await run({
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
        await run({ insert: "products", documents: all.slice(i, i + BATCH) });
      }
    },
    byId: async (_id) => first({ _id }),
    bySlug: async (slug) => first({ slug }),
    range: async (low, high) => find({ "pricing.sale": { $gte: low, $lt: high } }, { sort: { "pricing.sale": 1 } }),
    byTag: async (tag, limit) => find({ tags: tag }, { limit }),
    countHeavier: async (weight) =>
      after(run({ count: "products", query: { "details.weight": { $gt: weight } } }), (reply) => reply.n),
    group: async () => aggregate("products", GROUP),
    insertOrders: async (documents) => run({ insert: "orders", documents }),
    groupByTag: async () => aggregate("products", GROUP_BY_TAG),
    lookUp: async () => aggregate("orders", LOOK_UP),
    dearest: async (limit) => aggregate("products", dearest(limit)),
    runningTotals: async (count) => aggregate("products", runningTotals(count)),
    async increment(_id) {
      await update({ _id }, { $inc: { total_reviews: 1 } });
    },
    async deleteLighter(weight) {
      const deletes = [{ q: { "details.weight": { $lt: weight } }, limit: 0 }];
      return after(run({ delete: "products", deletes }), (reply) => reply.n);
    },
    flush: () => engine.flush(true),
    async close() {
      if (persistent) await engine.flush(true);
      engine.close();
    },
  };
}
