// quireFork: commands on a fork of the data, which leaves no trace. See docs/xray.md
const fork = (...commands) => { try { return db.runCommand({ quireFork: 1, commands }).replies } catch (e) { return e.code + " " + e.codeName + " " + e.message } }
db.teas.insertMany([...Array(3000)].map((_, i) => ({ _id: i, price: i % 100 })))
db.teas.find({ price: 7 }).itcount()
//> 30
const statistics = () => JSON.stringify([db.teas.aggregate([{ $indexStats: {} }]).toArray().map((i) => i.accesses.ops), db.teas.aggregate([{ $planCacheStats: {} }]).itcount(), db.serverStatus().opcounters.insert, db.serverStatus().metrics.cursor, db.stats().objects])
const before = statistics()
const [made, observed] = fork(
  { createIndexes: "teas", indexes: [{ key: { price: 1 }, name: "price_1" }] },
  { quireObserve: 1, command: { find: "teas", filter: { price: 7 }, batchSize: 2 } },
)
const { keysExamined, documentsExamined, explain } = observed.observed
;[made.numIndexesAfter, explain.executionStats.executionStages.inputStage.indexName, keysExamined, documentsExamined]
//> [ 2, 'price_1', 2, 2 ]
[db.teas.getIndexes().length, statistics() === before]
//> [ 1, true ]
// Writes, drops and new collections are gone as well; the first failure is the last reply.
const replies = fork(
  { insert: "cups", documents: [{ _id: 1 }] },
  { delete: "teas", deletes: [{ q: { price: { $lt: 50 } }, limit: 0 }] },
  { count: "teas", query: {} },
  { aggregate: "teas", pipeline: [{ $out: "copy" }], cursor: {} },
  { collMod: "cups", validator: { name: { $exists: true } } },
  { insert: "cups", documents: [{ _id: 2 }] },
  { drop: "teas" },
  { listCollections: 1, nameOnly: true },
  { create: "teas.$x" },
  { count: "cups" },
)
replies.map((reply) => reply.n ?? reply.code ?? reply.cursor?.firstBatch.map((one) => one.name).sort() ?? reply.ok)
//> [ 1, 1500, 1500, [], 1, 0, 1, [ 'copy', 'cups' ], 73 ]
replies[5].writeErrors[0].code
//> 121
[db.getCollectionNames(), db.teas.countDocuments()]
//> [ [ 'teas' ], 3000 ]
db.cups.insertOne({ _id: 2 })
//> { acknowledged: true, insertedId: 2 }
// A cursor that lies open goes on; one of the fork is gone with it.
const cursor = db.teas.find().batchSize(2)
cursor.next()
;[fork({ drop: "teas" })[0].ok, cursor.next()._id, cursor.next()._id, cursor.next()._id]
//> [ 1, 1, 2, 3 ]
const [found] = fork({ find: "teas", batchSize: 1 })
db.runCommand({ getMore: found.cursor.id, collection: "teas" })
//> MongoServerError[CursorNotFound]: cursor id <*> not found
[{ quireMoment: 1 }, { quireClock: 1, advance: 5 }, { getMore: NumberLong(5), collection: "teas" }, { quireFork: 1, commands: [] },
  { quireObserve: 1, command: { quireObserve: 1, command: { ping: 1 } } }, { quireObserve: 1, command: { quireClock: 1 } },
  { compact: "teas" }, { nothing: 1 }, {}, 5].map((command) => { const told = fork(command); return told[0].errmsg ?? told })
//> [
//>   "quireFork cannot run 'quireMoment'",
//>   "quireFork cannot run 'quireClock'",
//>   "quireFork cannot run 'getMore'",
//>   "quireFork cannot run 'quireFork'",
//>   "quireObserve cannot run 'quireObserve'",
//>   "quireFork cannot run 'quireClock'",
//>   "quireFork cannot run 'compact'",
//>   "no such command: 'nothing'",
//>   "no such command: ''",
//>   '14 TypeMismatch quireFork takes commands, each of them a document'
//> ]
db.runCommand({ quireFork: 1 })
//> MongoServerError[IDLFailedToParse]: BSON field 'quireFork.commands' is missing but a required field
