// Clustered collections: documents in the order of their _id. Manual: core/clustered-collections
db.createCollection("stocks", { clusteredIndex: { key: { _id: 1 }, unique: true, name: "stocks clustered key" } })
//> { ok: 1 }
db.getCollectionInfos({ name: "stocks" })[0].options
//> {
//>   clusteredIndex: { v: 2, key: { _id: 1 }, name: 'stocks clustered key', unique: true }
//> }
Object.keys(db.getCollectionInfos({ name: "stocks" })[0])
//> [ 'name', 'type', 'options', 'info' ]
db.stocks.getIndexes()
//> [
//>   {
//>     v: 2,
//>     key: { _id: 1 },
//>     name: 'stocks clustered key',
//>     unique: true,
//>     clustered: true
//>   }
//> ]
db.stocks.insertMany([30, 10, 20, 50, 40].map(_id => ({ _id, n: _id % 20 }))).insertedCount
db.stocks.insertOne({ _id: 20 })
//> MongoServerError: E11000 duplicate key error collection: test.stocks dup key: { _id: 20 }
// The natural order is that of _id.
db.stocks.find().map(s => s._id)
//> [ 10, 20, 30, 40, 50 ]
db.stocks.find().sort({ $natural: -1 }).map(s => s._id)
//> [ 50, 40, 30, 20, 10 ]
db.stocks.findOne({ n: 10 })._id
//> 10
db.stocks.aggregate([{ $match: { n: 10 } }, { $limit: 2 }]).map(s => s._id)
//> [ 10, 30 ]
const plan = cursor => { const p = cursor.explain("executionStats"); const s = p.executionStats; return [p.queryPlanner.winningPlan, [s.totalKeysExamined, s.totalDocsExamined, s.nReturned]] }
plan(db.stocks.find())
//> [
//>   { isCached: false, stage: 'COLLSCAN', direction: 'forward' },
//>   [ 0, 5, 5 ]
//> ]
plan(db.stocks.find({ _id: 20 }))[0]
//> { isCached: false, stage: 'EXPRESS_CLUSTERED_IXSCAN' }
plan(db.stocks.find({ _id: { $gt: 20 }, n: 10 }))
//> [
//>   {
//>     isCached: false,
//>     stage: 'CLUSTERED_IXSCAN',
//>     filter: {
//>       '$and': [ { n: { '$eq': 10 } }, { _id: { '$gt': 20 } } ]
//>     },
//>     direction: 'forward',
//>     minRecord: 20,
//>     maxRecord: Infinity
//>   },
//>   [ 0, 3, 2 ]
//> ]
plan(db.stocks.find({ _id: { $gte: 20, $lt: 40 } }).sort({ _id: -1 }))
//> [
//>   {
//>     isCached: false,
//>     stage: 'CLUSTERED_IXSCAN',
//>     filter: {
//>       '$and': [ { _id: { '$lt': 40 } }, { _id: { '$gte': 20 } } ]
//>     },
//>     direction: 'backward',
//>     minRecord: 20,
//>     maxRecord: 40
//>   },
//>   [ 0, 2, 2 ]
//> ]
db.stocks.find({ _id: { $gte: 20, $lt: 40 } }).sort({ _id: -1 }).map(s => s._id)
//> [ 30, 20 ]
plan(db.stocks.find({ _id: { $in: [50, 10, 99] } }).limit(1))
//> [
//>   {
//>     isCached: false,
//>     stage: 'LIMIT',
//>     limitAmount: 1,
//>     inputStage: {
//>       stage: 'CLUSTERED_IXSCAN',
//>       filter: { _id: { '$in': [ 10, 50, 99 ] } },
//>       direction: 'forward',
//>       minRecord: 10,
//>       maxRecord: 99
//>     }
//>   },
//>   [ 0, 1, 1 ]
//> ]
plan(db.stocks.find({ n: 10 }))
//> [
//>   {
//>     isCached: false,
//>     stage: 'COLLSCAN',
//>     filter: { n: { '$eq': 10 } },
//>     direction: 'forward'
//>   },
//>   [ 0, 5, 3 ]
//> ]
plan(db.stocks.find({ n: 10 }).hint("stocks clustered key"))
//> [
//>   {
//>     isCached: false,
//>     stage: 'COLLSCAN',
//>     filter: { n: { '$eq': 10 } },
//>     direction: 'forward'
//>   },
//>   [ 0, 5, 3 ]
//> ]
db.stocks.find({ n: 10 }).hint({ _id: 1 }).map(s => s._id)
//> [ 10, 30, 50 ]
db.stocks.find({ n: 10 }).hint("_id_").itcount()
//> MongoServerError[BadValue]: error processing query: planner returned error :: caused by :: hint provided does not correspond to an existing index
db.stocks.explain().count({ _id: { $gt: 10 } }).queryPlanner.winningPlan
//> {
//>   isCached: false,
//>   stage: 'COUNT',
//>   inputStage: {
//>     stage: 'CLUSTERED_IXSCAN',
//>     filter: { _id: { '$gt': 10 } },
//>     direction: 'forward',
//>     minRecord: 10,
//>     maxRecord: Infinity
//>   }
//> }
db.stocks.countDocuments({ _id: { $gt: 10 } })
//> 4
// Other indexes stand beside it.
db.stocks.createIndex({ n: 1 })
//> n_1
db.stocks.find({ n: 10 }).explain().queryPlanner.winningPlan.inputStage.stage
//> IXSCAN
db.stocks.find({ n: 10 }, { _id: 1 }).map(s => s._id)
//> [ 30, 10, 50 ]
db.stocks.createIndex({ _id: 1 })
//> _id_1
db.runCommand({ createIndexes: "stocks", indexes: [{ key: { n: 1 }, name: "c", clustered: true, unique: true }] }).code
//> MongoServerError[Location6243700]: Cannot create index with option 'clustered' that is not the cluster key of its collection
db.stocks.dropIndex("stocks clustered key")
//> MongoServerError[Location5979800]: It is illegal to drop the clusteredIndex
db.stocks.dropIndex({ _id: 1 })
//> MongoServerError[Location5979800]: It is illegal to drop the clusteredIndex
db.stocks.dropIndexes().ok
//> 1
const stats = db.stocks.stats(); [stats.nindexes, Object.keys(stats.indexSizes), stats.totalIndexSize]
//> [ 0, [], 0 ]
db.stocks.updateMany({ _id: { $gte: 30 } }, { $inc: { n: 1 } }).modifiedCount
//> 3
db.stocks.deleteOne({ n: { $gt: 0 } })
//> { acknowledged: true, deletedCount: 1 }
db.stocks.find().map(s => s._id)
//> [ 20, 30, 40, 50 ]
db.stocks.validate({ full: true }).valid
//> true
// An _id that is a date may let its document expire.
db.createCollection("events", { clusteredIndex: { key: { _id: 1 }, unique: true }, expireAfterSeconds: 3600 })
//> { ok: 1 }
db.getCollectionInfos({ name: "events" })[0].options
//> {
//>   clusteredIndex: { v: 2, key: { _id: 1 }, name: '_id_', unique: true },
//>   expireAfterSeconds: 3600
//> }
db.events.getIndexes()
//> [
//>   {
//>     v: 2,
//>     key: { _id: 1 },
//>     name: '_id_',
//>     unique: true,
//>     clustered: true,
//>     expireAfterSeconds: 3600
//>   }
//> ]
db.events.insertMany([{ _id: new Date(Date.now() - 7200000) }, { _id: new Date() }, { _id: "kept" }]).insertedCount
clock.advance(61000)
db.events.countDocuments()
//> 2
// What cannot be clustered.
db.createCollection("x", { clusteredIndex: { key: { a: 1 }, unique: true } })
//> MongoServerError[Location5979701]: The clusteredIndex option is only supported for key: {_id: 1}
db.createCollection("x", { clusteredIndex: { key: { _id: 1 } } })
//> MongoServerError[IDLFailedToParse]: BSON field 'create.clusteredIndex.unique' is missing but a required field
db.createCollection("x", { clusteredIndex: { key: { _id: 1 }, unique: false } })
//> MongoServerError[Location5979700]: The clusteredIndex option requires unique: true to be specified
db.createCollection("x", { clusteredIndex: { key: { _id: 1 }, unique: true, v: 3 } })
//> MongoServerError[Location5979704]: The only supported version of the clusteredIndex option is 2
db.createCollection("x", { clusteredIndex: { key: { _id: 1 }, unique: true }, capped: true, size: 1000 })
//> MongoServerError[Location6049200]: the 'size' field is not supported for clustered collections
db.createCollection("x", { clusteredIndex: { key: { _id: 1 }, unique: true }, capped: true })
//> MongoServerError[Location6049201]: a clustered collection cannot be capped
db.createCollection("x", { clusteredIndex: { key: { _id: 1 }, unique: true, sparse: true } })
//> MongoServerError[IDLUnknownField]: BSON field 'create.clusteredIndex.sparse' is an unknown field.
db.createCollection("x", { clusteredIndex: { key: { _id: 1 }, unique: true }, expireAfterSeconds: -1 })
//> MongoServerError[InvalidOptions]: TTL index 'expireAfterSeconds' option cannot be less than 0. Given: -1
db.createCollection("x", { expireAfterSeconds: 5 })
//> MongoServerError[InvalidOptions]: 'expireAfterSeconds' is only supported on time-series collections or when the 'clusteredIndex' option is specified
// When the documents of a clustered collection expire may be changed, and ended.
db.createCollection("ends", { clusteredIndex: { key: { _id: 1 }, unique: true }, expireAfterSeconds: 3600 })
//> { ok: 1 }
db.ends.insertOne({ _id: ISODate("2026-01-01T00:00:00Z") }).acknowledged
//> true
db.runCommand({ collMod: "ends", expireAfterSeconds: "off" })
//> { ok: 1 }
db.getCollectionInfos({ name: "ends" })[0].options
//> {
//>   clusteredIndex: { v: 2, key: { _id: 1 }, name: '_id_', unique: true }
//> }
clock.advance("2h"); db.ends.countDocuments()
//> 1
db.runCommand({ collMod: "ends", expireAfterSeconds: 60 })
//> { ok: 1 }
db.getCollectionInfos({ name: "ends" })[0].options.expireAfterSeconds
//> 60
clock.advance("2m"); db.ends.countDocuments()
//> 0
db.runCommand({ collMod: "ends", expireAfterSeconds: -1 })
//> MongoServerError[InvalidOptions]: TTL index 'expireAfterSeconds' option cannot be less than 0. Given: -1
db.runCommand({ collMod: "ends", expireAfterSeconds: "never" })
//> MongoServerError[InvalidOptions]: Invalid string value for the 'clusteredIndex::expireAfterSeconds' option. Got: 'never'. Accepted value is 'off'
db.plain.insertOne({ _id: 1 }).acknowledged
//> true
db.runCommand({ collMod: "plain", expireAfterSeconds: 60 })
//> MongoServerError[InvalidOptions]: 'expireAfterSeconds' option is only supported on collections clustered by _id
