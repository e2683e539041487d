/**
 * Examples of operators and stages that need more than documents: a second collection, an index, a look at the
 * documents that were written.
 *
 * Invariant: a script makes its own data in an empty database; `@` stands for the example in `operator-syntax.ts`.
 */
import type { OperatorKind } from "../../messages/operators/texts.ts";
import { scripts } from "./read.ts";

export const operatorScripts: Readonly<Partial<Record<OperatorKind, ReadonlyMap<string, string>>>> = {
  query: scripts(`
# $alwaysFalse
db.items.insertMany([{ _id: 1, name: "Sencha" }, { _id: 2, name: "Gyokuro" }])
db.items.countDocuments(@)

# $geoNear
db.items.createIndex({ at: "2dsphere" })
db.items.insertMany([
  { _id: "Uji", at: { type: "Point", coordinates: [135.8, 34.88] } },
  { _id: "Kyoto", at: { type: "Point", coordinates: [135.76, 35.01] } },
])
db.items.find({ at: @ })

# $near
db.items.createIndex({ at: "2dsphere" })
db.items.insertMany([
  { _id: "Uji", at: { type: "Point", coordinates: [135.8, 34.88] } },
  { _id: "Kyoto", at: { type: "Point", coordinates: [135.76, 35.01] } },
])
db.items.find({ at: @ })

# $nearSphere
db.items.createIndex({ at: "2dsphere" })
db.items.insertMany([
  { _id: "Uji", at: { type: "Point", coordinates: [135.8, 34.88] } },
  { _id: "Kyoto", at: { type: "Point", coordinates: [135.76, 35.01] } },
])
db.items.find({ at: @ })

# $options
db.items.insertMany([
  { _id: 1, name: "Earl Grey" },
  { _id: 2, name: "Sencha" },
])
db.items.find({ name: { $regex: "^earl", $options: "i" } })

# $sampleRate
for (let n = 0; n < 200; n++) db.items.insertOne({ _id: n })
db.items.countDocuments(@)

# $text
db.items.createIndex({ about: "text" })
db.items.insertMany([
  { _id: 1, about: "A green tea from Uji" },
  { _id: 2, about: "Black teas" },
  { _id: 3, about: "Coffee" },
])
db.items.find(@)
`),

  update: scripts(`
# $each
db.items.insertOne({ _id: 1, list: [0] })
db.items.updateOne({ _id: 1 }, { $push: { list: { $each: @ } } })
db.items.find()

# $position
db.items.insertOne({ _id: 1, list: ["b", "c"] })
db.items.updateOne({ _id: 1 }, { $push: { list: { $each: ["a"], $position: 0 } } })
db.items.find()

# $slice
db.items.insertOne({ _id: 1, scores: [70, 81] })
db.items.updateOne({ _id: 1 }, { $push: { scores: { $each: [90, 64], $slice: -3 } } })
db.items.find()

# $sort
db.items.insertOne({ _id: 1, players: [{ name: "Bo", score: 7 }] })
db.items.updateOne({ _id: 1 }, {
  $push: { players: { $each: [{ name: "Ada", score: 9 }], $sort: { score: -1 } } },
})
db.items.find()

# $setOnInsert
db.items.updateOne({ _id: 1 }, { $inc: { hits: 1 }, $setOnInsert: { made: "new" } }, { upsert: true })
db.items.updateOne({ _id: 1 }, { $inc: { hits: 1 }, $setOnInsert: { made: "again" } }, { upsert: true })
db.items.find()

# $
db.items.insertOne({ _id: 1, grades: [80, 85, 85] })
db.items.updateOne({ _id: 1, grades: 85 }, { $set: { "grades.$": 90 } })
db.items.find()

# $[]
db.items.insertOne({ _id: 1, grades: [80, 85, 90] })
db.items.updateOne({ _id: 1 }, { $inc: { "grades.$[]": 10 } })
db.items.find()

# $[<identifier>]
db.items.insertOne({ _id: 1, grades: [95, 102, 110] })
db.items.updateOne(
  { _id: 1 },
  { $set: { "grades.$[high]": 100 } },
  { arrayFilters: [{ high: { $gt: 100 } }] },
)
db.items.find()

# arrayFilters
db.items.insertOne({ _id: 1, lines: [{ tea: "Sencha", count: 1 }, { tea: "Gyokuro", count: 2 }] })
db.items.updateOne(
  { _id: 1 },
  { $inc: { "lines.$[line].count": 1 } },
  { arrayFilters: [{ "line.tea": "Gyokuro" }] },
)
db.items.find()

# pipeline
db.items.insertMany([
  { _id: 1, price: 5, count: 3 },
  { _id: 2, price: 12, count: 1 },
])
db.items.updateMany({}, [{ $set: { total: { $multiply: ["$price", "$count"] } } }])
db.items.find()

# replacement
db.items.insertOne({ _id: 1, name: "Sencha", draft: true })
db.items.replaceOne({ _id: 1 }, { name: "Sencha", price: 5 })
db.items.find()

# upsert
db.items.updateOne({ name: "Sencha" }, { $set: { _id: 1, stock: 3 } }, { upsert: true })
db.items.find()
`),

  stage: scripts(`
# $_internalUnpackBucket
db.createCollection("items", { timeseries: { timeField: "at", metaField: "sensor" } })
db.items.insertMany([
  { _id: 1, at: ISODate("2024-05-01T08:00:00Z"), sensor: "roof", heat: 18 },
  { _id: 2, at: ISODate("2024-05-01T08:05:00Z"), sensor: "roof", heat: 19 },
])
db.getCollection("system.buckets.items").aggregate([@])

# $changeStream
const stream = db.items.watch()
db.items.insertOne({ _id: 1, name: "pen" })
stream.tryNext().fullDocument

# $changeStreamSplitLargeEvent
const stream = db.items.watch([@])
db.items.insertOne({ _id: 1, name: "pen" })
stream.tryNext().documentKey

# $collStats
db.items.insertMany([{ _id: 1 }, { _id: 2 }])
db.items.aggregate([@])

# $currentOp
db.getSiblingDB("admin").aggregate([{ $currentOp: {} }, { $project: { op: 1, ns: 1, active: 1 } }])

# $densify
db.items.insertMany([
  { _id: 1, at: ISODate("2024-05-01T08:00:00Z") },
  { _id: 2, at: ISODate("2024-05-01T11:00:00Z") },
])
db.items.aggregate([@])

# $documents
db.aggregate([@])

# $geoNear
db.items.createIndex({ at: "2dsphere" })
db.items.insertMany([
  { _id: "Uji", at: { type: "Point", coordinates: [135.8, 34.88] } },
  { _id: "Nara", at: { type: "Point", coordinates: [135.83, 34.69] } },
])
db.items.aggregate([@])

# $graphLookup
db.people.insertMany([
  { _id: "Ada" },
  { _id: "Bo", boss: "Ada" },
  { _id: "Cy", boss: "Bo" },
])
db.people.aggregate([@])

# $indexStats
db.items.createIndex({ price: 1 })
db.items.insertMany([{ _id: 1, price: 5 }, { _id: 2, price: 12 }])
db.items.find({ price: 5 }).toArray()
db.items.aggregate([{ $indexStats: {} }, { $project: { name: 1, "accesses.ops": 1 } }])

# $limit
for (let n = 1; n <= 12; n++) db.items.insertOne({ _id: n })
db.items.aggregate([@])

# $listClusterCatalog
db.items.insertOne({ _id: 1 })
db.aggregate([@, { $project: { ns: 1, type: 1, sharded: 1 } }])

# $listLocalSessions
db.getMongo().adminCommand({ startSession: 1 })
db.aggregate([@, { $count: "sessions" }])

# $listSessions
db.getSiblingDB("config").system.sessions.aggregate([@]).toArray().length

# $lookup
db.teas.insertMany([{ _id: "sencha", price: 5 }, { _id: "gyokuro", price: 12 }])
db.orders.insertMany([{ _id: 1, tea: "sencha" }, { _id: 2, tea: "matcha" }])
db.orders.aggregate([@])

# $merge
db.totals.insertMany([{ _id: "Uji", n: 0 }, { _id: "Kyoto", n: 9 }])
db.items.insertMany([{ _id: 1, city: "Uji" }, { _id: 2, city: "Uji" }])
db.items.aggregate([
  { $group: { _id: "$city", n: { $sum: 1 } } },
  @,
])
db.totals.find()

# $out
db.items.insertMany([{ _id: 1, city: "Uji" }, { _id: 2, city: "Uji" }])
db.items.aggregate([{ $group: { _id: "$city", n: { $sum: 1 } } }, @])
db.totals.find()

# $querySettings
const query = { find: "items", filter: { a: 1 }, $db: \`\${db}\` }
db.adminCommand({ setQuerySettings: query, settings: { reject: true } })
db.getSiblingDB("admin").aggregate([@])

# $planCacheStats
db.items.createIndexes([{ a: 1 }, { b: 1 }])
for (let n = 0; n < 50; n++) db.items.insertOne({ _id: n, a: n % 5, b: n % 7 })
db.items.find({ a: 1, b: 1 }).toArray()
db.items.aggregate([@, { $project: { isActive: 1, works: 1, createdFromQuery: 1 } }])

# $sample
for (let n = 1; n <= 100; n++) db.items.insertOne({ _id: n })
db.items.aggregate([@])

# $skip
for (let n = 0; n < 12; n++) db.items.insertOne({ _id: n })
db.items.aggregate([@])

# $unionWith
db.items.insertOne({ _id: 1, name: "Sencha" })
db.archive.insertOne({ _id: 9, name: "Bancha" })
db.items.aggregate([@])
`),

  accumulator: scripts(`
# $accumulator
db.items.insertMany([
  { _id: 1, city: "Uji", price: 5 },
  { _id: 2, city: "Uji", price: 12 },
])
db.items.aggregate([{
  $group: {
    _id: "$city",
    product: { $accumulator: {
      init: function () { return 1; },
      accumulate: function (all, price) { return all * price; },
      accumulateArgs: ["$price"],
      merge: function (a, b) { return a * b; },
      lang: "js",
    } },
  },
}])
`),

  expression: scripts(`
# $function
db.items.insertMany([
  { _id: 1, name: "Sencha" },
  { _id: 2, name: "Gyokuro" },
])
db.items.aggregate([{ $set: { result: @ } }])

# $getField
db.items.insertOne({ _id: 1, "a.b": 5, a: { b: 7 } })
db.items.aggregate([{ $set: { result: @, path: "$a.b" } }])

# $unsetField
db.items.insertOne({ _id: 1, "a.b": 5, a: { b: 7 } })
db.items.aggregate([{ $replaceWith: @ }])

# $meta
db.items.createIndex({ price: 1 })
db.items.insertMany([{ _id: 1, price: 5 }, { _id: 2, price: 12 }])
db.items.aggregate([{ $match: { price: { $gt: 1 } } }, { $set: { result: @ } }])
`),
};
