/** Quire through `quiredb/engine`: commands to an engine in this thread, in memory. Every operation is synchronous. */
import { Engine } from "quiredb/engine";
import { GROUP, GROUP_BY_TAG, INDEXES, LOOK_UP, dearest, runningTotals } from "../src/pipelines.mjs";

const BATCH = 10000;

/** `send(engine, command)` runs a command and gives its reply. */
export function engineStore(send) {
  let engine;
  const run = (command) => {
    const reply = send(engine, { ...command, $db: "bench" });
    if (reply.ok !== 1 || reply.writeErrors) throw new Error(reply.errmsg ?? JSON.stringify(reply.writeErrors[0]));
    return reply;
  };
  /** All documents of a cursor, read to its end. */
  const all = ({ cursor }, collection) => {
    let { firstBatch: found, id } = cursor;
    while (String(id) !== "0") {
      const { cursor: more } = run({ getMore: id, collection });
      found = found.concat(more.nextBatch);
      id = more.id;
    }
    return found;
  };
  const find = (options) => all(run({ find: "products", ...options }), "products");
  const first = (filter) => run({ find: "products", filter, limit: 1, singleBatch: true }).cursor.firstBatch[0];
  const aggregate = (name, pipeline) => all(run({ aggregate: name, pipeline, cursor: { batchSize: BATCH } }), name);
  return {
    persistent: false,
    async open() {
      engine = await Engine.create();
    },
    async create() {
      run({ createIndexes: "products", indexes: INDEXES });
    },
    async insertMany(documents) {
      for (let i = 0; i < documents.length; i += BATCH)
        run({ insert: "products", documents: documents.slice(i, i + BATCH) });
    },
    byId: async (_id) => first({ _id }),
    bySlug: async (slug) => first({ slug }),
    range: async (low, high) =>
      find({ filter: { "pricing.sale": { $gte: low, $lt: high } }, sort: { "pricing.sale": 1 } }),
    byTag: async (tag, limit) => find({ filter: { tags: tag }, limit }),
    countHeavier: async (weight) => run({ count: "products", query: { "details.weight": { $gt: weight } } }).n,
    group: async () => aggregate("products", GROUP),
    insertOrders: async (documents) => run({ insert: "orders", documents }),
    groupByTag: async () => aggregate("products", GROUP_BY_TAG),
    lookUp: async () => aggregate("orders", LOOK_UP),
    dearest: async (limit) => aggregate("products", dearest(limit)),
    runningTotals: async (count) => aggregate("products", runningTotals(count)),
    increment: async (_id) => run({ update: "products", updates: [{ q: { _id }, u: { $inc: { total_reviews: 1 } } }] }),
    deleteLighter: async (weight) =>
      run({ delete: "products", deletes: [{ q: { "details.weight": { $lt: weight } }, limit: 0 }] }).n,
    close: async () => engine.close(),
  };
}
