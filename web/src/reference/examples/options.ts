/**
 * An example of each option of a method.
 *
 * Invariant: a script makes its own data in an empty database, and its last value shows the option's effect.
 */
import { scripts } from "./read.ts";

export const optionScripts = scripts(`
# allowDiskUse
db.teas.insertMany([{ _id: 1, name: "Sencha", price: 12 }, { _id: 2, name: "Bancha", price: 5 }])
db.teas.find({}, {}, { sort: { price: 1 }, allowDiskUse: true })

# allowPartialResults
db.teas.insertMany([{ _id: 1, name: "Sencha", price: 12 }, { _id: 2, name: "Bancha", price: 5 }])
db.teas.find({}, {}, { allowPartialResults: true })

# arrayFilters
db.teas.insertOne({ _id: 1, scores: [3, 8, 9] })
db.teas.updateOne({ _id: 1 }, { $set: { "scores.$[high]": 7 } }, { arrayFilters: [{ high: { $gt: 7 } }] })
db.teas.find()

# authorizedCollections
db.teas.insertMany([{ _id: 1, name: "Sencha", price: 12 }, { _id: 2, name: "Bancha", price: 5 }])
db.getCollectionInfos({}, { nameOnly: true, authorizedCollections: true })

# authorizedDatabases
db.teas.insertMany([{ _id: 1, name: "Sencha", price: 12 }, { _id: 2, name: "Bancha", price: 5 }])
db.getMongo().getDBs({ nameOnly: true, authorizedDatabases: true })

# awaitData
db.createCollection("log", { capped: true, size: 65536 })
db.log.insertOne({ _id: 1, line: "started" })
db.log.find({}, {}, { tailable: true, awaitData: true })

# batchSize
for (let n = 1; n <= 9; n++) db.teas.insertOne({ _id: n })
const cursor = db.teas.find({}, {}, { batchSize: 4 })
cursor.next()
cursor.objsLeftInBatch()

# bypassDocumentValidation
db.createCollection("teas", { validator: { price: { $type: "number" } } })
db.teas.insertOne({ _id: 1, price: "5" }, { bypassDocumentValidation: true })
db.teas.find()

# capped
db.createCollection("log", { capped: true, size: 65536 })
db.log.isCapped()

# changeStreamPreAndPostImages
db.createCollection("teas", { changeStreamPreAndPostImages: { enabled: true } })
const stream = db.teas.watch([], { fullDocumentBeforeChange: "required" })
db.teas.insertOne({ _id: 1, price: 12 })
db.teas.deleteOne({ _id: 1 })
stream.tryNext()
stream.tryNext().fullDocumentBeforeChange

# clusteredIndex
db.createCollection("teas", { clusteredIndex: { key: { _id: 1 }, unique: true } })
db.teas.insertMany([{ _id: 2 }, { _id: 1 }])
db.teas.find()

# collation
db.teas.insertMany([{ _id: 1, name: "sencha" }, { _id: 2, name: "Sencha" }])
db.teas.find({ name: "SENCHA" }, {}, { collation: { locale: "en", strength: 2 } })

# comment
db.teas.insertMany([{ _id: 1, name: "Sencha", price: 12 }, { _id: 2, name: "Bancha", price: 5 }])
db.teas.find({}, {}, { comment: "the shop's list" })

# commitQuorum
db.teas.createIndex({ name: 1 }, {}, 1)

# cursor
for (let n = 1; n <= 9; n++) db.teas.insertOne({ _id: n })
const cursor = db.teas.aggregate([], { cursor: { batchSize: 4 } })
cursor.next()
cursor.objsLeftInBatch()

# dropTarget
db.herbs.insertOne({ _id: 1 })
db.teas.insertOne({ _id: 9 })
db.herbs.renameCollection("teas", true)
db.teas.find()

# expireAfterSeconds
db.createCollection("visits", { clusteredIndex: { key: { _id: 1 }, unique: true }, expireAfterSeconds: 60 })
db.visits.insertOne({ _id: new Date() })
clock.advance("2h")
const left = db.visits.countDocuments()
clock.reset()
left

# explain
db.teas.insertMany([{ _id: 1, name: "Sencha", price: 12 }, { _id: 2, name: "Bancha", price: 5 }])
db.teas.aggregate([{ $match: { price: 5 } }], { explain: true })

# filter
db.teas.insertMany([{ _id: 1, name: "Sencha", price: 12 }, { _id: 2, name: "Bancha", price: 5 }])
db.getMongo().getDBs({ filter: { name: db.getName() } })

# freeStorage
db.teas.insertMany([{ _id: 1, name: "Sencha", price: 12 }, { _id: 2, name: "Bancha", price: 5 }])
db.stats({ freeStorage: 1 })

# fullDocument
const stream = db.teas.watch([], { fullDocument: "updateLookup" })
db.teas.insertOne({ _id: 1, name: "Sencha", price: 12 })
db.teas.updateOne({ _id: 1 }, { $set: { price: 11 } })
stream.tryNext()
stream.tryNext().fullDocument

# fullDocumentBeforeChange
db.createCollection("teas", { changeStreamPreAndPostImages: { enabled: true } })
const stream = db.teas.watch([], { fullDocumentBeforeChange: "whenAvailable" })
db.teas.insertOne({ _id: 1, name: "Sencha", price: 12 })
db.teas.updateOne({ _id: 1 }, { $set: { price: 11 } })
stream.tryNext()
stream.tryNext().fullDocumentBeforeChange

# hint
db.teas.createIndex({ price: 1 })
db.teas.insertMany([{ _id: 1, name: "Sencha", price: 12 }, { _id: 2, name: "Bancha", price: 5 }])
db.teas.find({ price: { $gt: 0 } }, {}, { hint: { price: 1 } })

# includeResultMetadata
db.teas.insertMany([{ _id: 1, name: "Sencha", price: 12 }, { _id: 2, name: "Bancha", price: 5 }])
db.teas.findOneAndUpdate({ _id: 1 }, { $inc: { price: 1 } }, { includeResultMetadata: true })

# indexOptionDefaults
db.createCollection("herbs", { indexOptionDefaults: { storageEngine: { wiredTiger: {} } } })

# j
db.teas.insertOne({ _id: 1 }, { writeConcern: { w: 1, j: true } })

# let
db.teas.insertMany([{ _id: 1, name: "Sencha", price: 12 }, { _id: 2, name: "Bancha", price: 5 }])
db.teas.find({ $expr: { $gt: ["$price", "$$least"] } }, {}, { let: { least: 6 } })

# limit
db.teas.insertMany([{ _id: 1, name: "Sencha", price: 12 }, { _id: 2, name: "Bancha", price: 5 }])
db.teas.find({}, {}, { limit: 1 })

# max
db.createCollection("log", { capped: true, size: 65536, max: 2 })
for (let n = 1; n <= 5; n++) db.log.insertOne({ _id: n })
db.log.find()

# maxAwaitTimeMS
db.createCollection("log", { capped: true, size: 65536 })
db.log.insertOne({ _id: 1, line: "started" })
db.log.find({}, {}, { tailable: true, awaitData: true, maxAwaitTimeMS: 50 })

# maxTimeMS
db.teas.insertMany([{ _id: 1, name: "Sencha", price: 12 }, { _id: 2, name: "Bancha", price: 5 }])
db.teas.find({}, {}, { maxTimeMS: 500 })

# min
db.teas.createIndex({ price: 1 })
db.teas.insertMany([{ _id: 1, name: "Sencha", price: 12 }, { _id: 2, name: "Bancha", price: 5 }])
db.teas.find({}, {}, { hint: { price: 1 }, min: { price: 6 } })

# nameOnly
db.teas.insertMany([{ _id: 1, name: "Sencha", price: 12 }, { _id: 2, name: "Bancha", price: 5 }])
db.getCollectionInfos({}, { nameOnly: true })

# noCursorTimeout
db.teas.insertMany([{ _id: 1, name: "Sencha", price: 12 }, { _id: 2, name: "Bancha", price: 5 }])
db.teas.find({}, {}, { noCursorTimeout: true })

# ordered
try {
  db.teas.insertMany([{ _id: 1 }, { _id: 1 }, { _id: 2 }], { ordered: false })
} catch (error) {
  print(error.message)
}
db.teas.find()

# pipeline
db.teas.insertMany([{ _id: 1, name: "Sencha", price: 12 }, { _id: 2, name: "Bancha", price: 5 }])
db.createCollection("cheap", { viewOn: "teas", pipeline: [{ $match: { price: { $lt: 6 } } }] })
db.cheap.find()

# projection
db.teas.insertMany([{ _id: 1, name: "Sencha", price: 12 }, { _id: 2, name: "Bancha", price: 5 }])
db.teas.findOneAndUpdate({ _id: 1 }, { $inc: { price: 1 } }, { projection: { price: 1 } })

# readConcern
db.teas.insertMany([{ _id: 1, name: "Sencha", price: 12 }, { _id: 2, name: "Bancha", price: 5 }])
db.teas.aggregate([{ $count: "n" }], { readConcern: { level: "local" } })

# resumeAfter
const stream = db.teas.watch()
db.teas.insertMany([{ _id: 1 }, { _id: 2 }])
const first = stream.tryNext()
db.teas.watch([], { resumeAfter: first._id }).tryNext().documentKey

# returnDocument
db.teas.insertMany([{ _id: 1, name: "Sencha", price: 12 }, { _id: 2, name: "Bancha", price: 5 }])
db.teas.findOneAndUpdate({ _id: 1 }, { $inc: { price: 1 } }, { returnDocument: "after" })

# returnKey
db.teas.createIndex({ price: 1 })
db.teas.insertMany([{ _id: 1, name: "Sencha", price: 12 }, { _id: 2, name: "Bancha", price: 5 }])
db.teas.find({ price: { $gt: 6 } }, {}, { returnKey: true })

# scale
db.teas.insertMany([{ _id: 1, name: "Sencha", price: 12 }, { _id: 2, name: "Bancha", price: 5 }])
db.stats({ scale: 1024 }).storageSize

# showExpandedEvents
const stream = db.watch([], { showExpandedEvents: true })
db.createCollection("teas")
stream.tryNext().operationType

# showRecordId
db.teas.insertMany([{ _id: 1, name: "Sencha", price: 12 }, { _id: 2, name: "Bancha", price: 5 }])
db.teas.find({}, {}, { showRecordId: true })

# singleBatch
for (let n = 1; n <= 9; n++) db.teas.insertOne({ _id: n })
db.teas.find({}, {}, { batchSize: 4, singleBatch: true }).toArray().length

# size
db.createCollection("log", { capped: true, size: 65536 })
db.getCollectionInfos({ name: "log" })[0].options

# skip
db.teas.insertMany([{ _id: 1, name: "Sencha", price: 12 }, { _id: 2, name: "Bancha", price: 5 }])
db.teas.find({}, {}, { skip: 1 })

# sort
db.teas.insertMany([{ _id: 1, name: "Sencha", price: 12 }, { _id: 2, name: "Bancha", price: 5 }])
db.teas.findOneAndDelete({}, { sort: { price: 1 } })

# startAfter
const stream = db.teas.watch()
db.teas.insertMany([{ _id: 1 }, { _id: 2 }])
const first = stream.tryNext()
db.teas.watch([], { startAfter: first._id }).tryNext().documentKey

# startAtOperationTime
db.teas.watch()
db.teas.insertOne({ _id: 1 })
const { operationTime } = db.runCommand({ ping: 1 })
db.teas.watch([], { startAtOperationTime: operationTime }).tryNext().documentKey

# storageEngine
db.createCollection("herbs", { storageEngine: { wiredTiger: { configString: "" } } })

# tailable
db.createCollection("log", { capped: true, size: 65536 })
db.log.insertOne({ _id: 1, line: "started" })
db.log.find({}, {}, { tailable: true })

# timeseries
db.createCollection("weather", { timeseries: { timeField: "at", metaField: "sensor", granularity: "minutes" } })
db.weather.insertMany([
  { at: ISODate("2024-05-01T08:00:00Z"), sensor: "roof", heat: 18 },
  { at: ISODate("2024-05-01T08:05:00Z"), sensor: "roof", heat: 19 },
])
db.getCollection("system.buckets.weather").findOne().control

# upsert
db.teas.updateOne({ _id: 1 }, { $set: { name: "Sencha" } }, { upsert: true })
db.teas.find()

# validationAction
db.createCollection("teas", { validator: { price: { $gt: 0 } }, validationAction: "warn" })
db.teas.insertOne({ _id: 1, price: -5 })
db.teas.find()

# validationLevel
db.teas.insertOne({ _id: 1, price: -5 })
db.runCommand({ collMod: "teas", validator: { price: { $gt: 0 } }, validationLevel: "moderate" })
db.teas.updateOne({ _id: 1 }, { $set: { name: "Sencha" } })
db.teas.find()

# validator
db.createCollection("teas", { validator: { $jsonSchema: { required: ["name"] } } })
try {
  db.teas.insertOne({ _id: 1, price: 5 })
} catch (error) {
  print(error.message)
}
db.teas.countDocuments()

# verboseResults
db.getMongo().bulkWrite(
  [{ namespace: \`\${db}.teas\`, name: "insertOne", document: { _id: 1 } }],
  { verboseResults: true },
)

# viewOn
db.teas.insertMany([{ _id: 1, name: "Sencha", price: 12 }, { _id: 2, name: "Bancha", price: 5 }])
db.createCollection("names", { viewOn: "teas", pipeline: [{ $project: { name: 1 } }] })
db.names.find()

# w
db.teas.insertOne({ _id: 1 }, { writeConcern: { w: "majority" } })

# writeConcern
db.teas.insertOne({ _id: 1 }, { writeConcern: { w: 1, j: true } })

# wtimeout
db.teas.insertOne({ _id: 1 }, { writeConcern: { w: 1, wtimeout: 500 } })
`);
