// Capped collections: sizes round up to 256, the oldest give way, limits change, collections convert.
// Manual: core/capped-collections, reference/command/convertToCapped, reference/command/collMod

db.createCollection("log", { capped: true, size: 1000, max: 3 })
//> { ok: 1 }
db.log.isCapped()
//> true
db.getCollectionInfos({ name: "log" })[0].options
//> { capped: true, size: 1024, max: 3 }
db.log.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }, { _id: 4 }]).insertedIds
//> { '0': 1, '1': 2, '2': 3, '3': 4 }
db.log.find()
//> [ { _id: 2 }, { _id: 3 }, { _id: 4 } ]
db.log.find().sort({ $natural: -1 }).toArray().map(d => d._id)
//> [ 4, 3, 2 ]
db.log.updateOne({ _id: 3 }, { $set: { text: "documents may grow" } })
//> {
//>   acknowledged: true,
//>   insertedId: null,
//>   matchedCount: 1,
//>   modifiedCount: 1,
//>   upsertedCount: 0
//> }
db.log.deleteOne({ _id: 2 })
//> { acknowledged: true, deletedCount: 1 }
db.log.insertOne({ _id: 5, text: "x".repeat(2000) })
//> MongoServerError: object to insert exceeds cappedMaxSize
db.runCommand({ collMod: "log", cappedSize: 5000, cappedMax: 2 })
//> { ok: 1 }
db.log.insertOne({ _id: 6 })
db.log.find().toArray().map(d => d._id)
//> [ 4, 6 ]
for (let i = 0; i < 20; i++) db.plain.insertOne({ _id: i, pad: "y".repeat(80) })
db.runCommand({ convertToCapped: "plain", size: 1000 })
//> { ok: 1 }
db.plain.find({}, { _id: 1 }).toArray().map(d => d._id)
//> [
//>   11, 12, 13, 14, 15,
//>   16, 17, 18, 19
//> ]
db.runCommand({ convertToCapped: "nothing", size: 1000 })
//> MongoServerError[NamespaceNotFound]: source collection test.nothing does not exist
db.createCollection("bad", { capped: true })
//> MongoServerError[InvalidOptions]: the 'size' field is required when 'capped' is true
db.runCommand({ collMod: "bad", cappedSize: 10 })
//> MongoServerError[NamespaceNotFound]: ns does not exist
