/** Quire's `MongoClient` beside the caller, as a page has it that asks for places, texts or readings. */
import { MongoClient } from "quiredb";
import { hourly } from "../src/readings.mjs";

const BATCH = 10000;

function store(storage, options) {
  let collection;
  let database;
  return {
    collection: () => collection,
    async load(documents) {
      const client = new MongoClient("quire://kinds", { storage, thread: "this" });
      database = client.db("bench");
      collection = await database.createCollection("documents", options);
      for (let i = 0; i < documents.length; i += BATCH) await collection.insertMany(documents.slice(i, i + BATCH));
      if (storage === "indexeddb") {
        const writeConcern = { w: 1, j: true };
        await database.collection("last").insertOne({ _id: "stored" }, { writeConcern });
      }
    },
    twenty: (_id) => collection.find({ _id: { $gte: _id, $lt: _id + 20 } }).toArray(),
    async sizes() {
      const { indexSizes, totalSize, totalIndexSize } = await database.command({ collStats: "documents" });
      const { _id_: _, ...others } = indexSizes;
      const index = Object.values(others).reduce((sum, one) => sum + one, 0);
      return { index, documents: totalSize - totalIndexSize, stored: totalSize };
    },
  };
}

export function places(storage) {
  const one = store(storage);
  return {
    ...one,
    workload: "places",
    build: () => one.collection().createIndex({ where: "2dsphere" }),
    nearest: (coordinates, limit) =>
      one
        .collection()
        .find({ where: { $near: { $geometry: { type: "Point", coordinates } } } })
        .limit(limit)
        .toArray(),
    within: (ring) =>
      one
        .collection()
        .find({ where: { $geoWithin: { $geometry: { type: "Polygon", coordinates: [ring] } } } })
        .toArray(),
  };
}

export function texts(storage) {
  const one = store(storage);
  const score = { score: { $meta: "textScore" } };
  return {
    ...one,
    workload: "texts",
    build: () => one.collection().createIndex({ name: "text", description: "text" }, { weights: { name: 3 } }),
    search: (words, limit) =>
      one
        .collection()
        .find({ $text: { $search: words } })
        .project(score)
        .sort(score)
        .limit(limit)
        .toArray(),
  };
}

/** As a time series, or one document each with an index on sensor and time, which a time series has by itself. */
export function readings(series) {
  const one = store(
    "memory",
    series ? { timeseries: { timeField: "at", metaField: "sensor", granularity: "minutes" } } : {},
  );
  const { twenty: _, ...others } = one;
  return {
    ...others,
    workload: "readings",
    async load(documents) {
      await one.load([]);
      if (!series) await one.collection().createIndex({ sensor: 1, at: 1 });
      for (let i = 0; i < documents.length; i += BATCH)
        await one.collection().insertMany(documents.slice(i, i + BATCH));
    },
    hourly: (sensor) => one.collection().aggregate(hourly(sensor)).toArray(),
  };
}
