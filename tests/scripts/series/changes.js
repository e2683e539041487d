// Time series: deletes of measurements, updates of the meta field, and what else is refused. Manual: core/timeseries/timeseries-limitations.
db.createCollection("s", { timeseries: { timeField: "t", metaField: "m" } })
//> { ok: 1 }

for (const m of ["a", "b"]) db.s.insertMany(Array.from({ length: 6 }, (_, n) => ({ _id: m + n, t: new Date(Date.UTC(2026, 0, 1, 0, n)), m, v: n }))).acknowledged
//> true

db.s.deleteMany({ v: { $gte: 4 } })
//> { acknowledged: true, deletedCount: 4 }

db.s.find()
//> [
//>   { t: ISODate('2026-01-01T00:00:00.000Z'), m: 'a', _id: 'a0', v: 0 },
//>   { t: ISODate('2026-01-01T00:01:00.000Z'), m: 'a', _id: 'a1', v: 1 },
//>   { t: ISODate('2026-01-01T00:02:00.000Z'), m: 'a', _id: 'a2', v: 2 },
//>   { t: ISODate('2026-01-01T00:03:00.000Z'), m: 'a', _id: 'a3', v: 3 },
//>   { t: ISODate('2026-01-01T00:00:00.000Z'), m: 'b', _id: 'b0', v: 0 },
//>   { t: ISODate('2026-01-01T00:01:00.000Z'), m: 'b', _id: 'b1', v: 1 },
//>   { t: ISODate('2026-01-01T00:02:00.000Z'), m: 'b', _id: 'b2', v: 2 },
//>   { t: ISODate('2026-01-01T00:03:00.000Z'), m: 'b', _id: 'b3', v: 3 }
//> ]

db.s.deleteMany({ m: "b", v: { $lt: 3 } })
//> { acknowledged: true, deletedCount: 3 }

db.getCollection("system.buckets.s").find({}, { control: 1, meta: 1, _id: 0 })
//> [
//>   {
//>     control: {
//>       version: 2,
//>       min: { t: ISODate('2026-01-01T00:00:00.000Z'), _id: 'a0', v: 0 },
//>       max: { t: ISODate('2026-01-01T00:03:00.000Z'), _id: 'a3', v: 3 },
//>       count: 4
//>     },
//>     meta: 'a'
//>   },
//>   {
//>     control: {
//>       version: 2,
//>       min: { t: ISODate('2026-01-01T00:00:00.000Z'), _id: 'b3', v: 3 },
//>       max: { t: ISODate('2026-01-01T00:03:00.000Z'), _id: 'b3', v: 3 },
//>       count: 1
//>     },
//>     meta: 'b'
//>   }
//> ]

db.s.deleteOne({ v: { $gt: 1 } })
//> { acknowledged: true, deletedCount: 1 }

db.s.findOneAndDelete({ m: "a" })
//> { t: ISODate('2026-01-01T00:00:00.000Z'), m: 'a', _id: 'a0', v: 0 }

db.s.explain("executionStats").remove({ m: "a", v: 3 }).executionStats.executionStages
//> {
//>   isCached: false,
//>   stage: 'TS_MODIFY',
//>   opType: 'deleteMany',
//>   bucketFilter: {
//>     '$and': [
//>       {
//>         '$or': [
//>           { '$expr': { '$lte': [Array] } },
//>           { '$expr': { '$gte': [Array] } }
//>         ]
//>       },
//>       { meta: { '$eq': 'a' } },
//>       {
//>         '$expr': { '$gte': [ '$control.max.v', { '$const': 3 } ] }
//>       }
//>     ]
//>   },
//>   residualFilter: {
//>     '$and': [ { m: { '$eq': 'a' } }, { v: { '$eq': 3 } } ]
//>   },
//>   nReturned: 0,
//>   executionTimeMillisEstimate: 0,
//>   works: 2,
//>   advanced: 0,
//>   needTime: 1,
//>   needYield: 0,
//>   saveState: 0,
//>   restoreState: 0,
//>   isEOF: 1,
//>   nBucketsUnpacked: 1,
//>   nMeasurementsMatched: 1,
//>   nMeasurementsDeleted: 1,
//>   inputStage: {
//>     stage: 'FETCH',
//>     filter: {
//>       '$and': [
//>         { '$or': [ { '$expr': [Object] }, { '$expr': [Object] } ] },
//>         { '$expr': { '$gte': [ '$control.max.v', [Object] ] } }
//>       ]
//>     },
//>     nReturned: 1,
//>     executionTimeMillisEstimate: 0,
//>     works: 2,
//>     advanced: 1,
//>     needTime: 0,
//>     needYield: 0,
//>     saveState: 0,
//>     restoreState: 0,
//>     isEOF: 1,
//>     docsExamined: 1,
//>     alreadyHasObj: 0,
//>     inputStage: {
//>       stage: 'IXSCAN',
//>       nReturned: 1,
//>       executionTimeMillisEstimate: 0,
//>       works: 2,
//>       advanced: 1,
//>       needTime: 0,
//>       needYield: 0,
//>       saveState: 0,
//>       restoreState: 0,
//>       isEOF: 1,
//>       keyPattern: { meta: 1, 'control.min.t': 1, 'control.max.t': 1 },
//>       indexName: 'm_1_t_1',
//>       isMultiKey: false,
//>       multiKeyPaths: { meta: [], 'control.min.t': [], 'control.max.t': [] },
//>       isUnique: false,
//>       isSparse: false,
//>       isPartial: false,
//>       indexVersion: 2,
//>       direction: 'forward',
//>       indexBounds: {
//>         meta: [ '["a", "a"]' ],
//>         'control.min.t': [ '[MinKey, MaxKey]' ],
//>         'control.max.t': [ '[MinKey, MaxKey]' ]
//>       },
//>       keysExamined: 1,
//>       seeks: 1,
//>       dupsTested: 0,
//>       dupsDropped: 0
//>     }
//>   }
//> }

db.s.explain().remove({ m: "a" }).queryPlanner.winningPlan.stage
//> DELETE

db.s.updateMany({ m: "a" }, { $set: { m: { kind: "x" } } })
//> {
//>   acknowledged: true,
//>   insertedId: null,
//>   matchedCount: 2,
//>   modifiedCount: 2,
//>   upsertedCount: 0
//> }

db.s.updateMany({ "m.kind": "x" }, { $set: { "m.place": 1 }, $rename: { "m.kind": "m.sort" } })
//> {
//>   acknowledged: true,
//>   insertedId: null,
//>   matchedCount: 2,
//>   modifiedCount: 2,
//>   upsertedCount: 0
//> }

db.s.find()
//> [
//>   {
//>     t: ISODate('2026-01-01T00:01:00.000Z'),
//>     m: { place: 1, sort: 'x' },
//>     _id: 'a1',
//>     v: 1
//>   },
//>   {
//>     t: ISODate('2026-01-01T00:03:00.000Z'),
//>     m: { place: 1, sort: 'x' },
//>     _id: 'a3',
//>     v: 3
//>   },
//>   { t: ISODate('2026-01-01T00:03:00.000Z'), m: 'b', _id: 'b3', v: 3 }
//> ]

db.s.updateMany({}, { $unset: { m: "" } })
//> {
//>   acknowledged: true,
//>   insertedId: null,
//>   matchedCount: 3,
//>   modifiedCount: 3,
//>   upsertedCount: 0
//> }

db.s.find({ m: { $exists: false } }).count()
//> 3

db.s.updateMany({ v: 1 }, { $set: { m: 1 } })
//> MongoServerError: Cannot perform an update or delete on a time-series collection when querying on a field that is not the metaField 'm'

db.s.updateMany({ m: 1 }, { $set: { v: 1 } })
//> MongoServerError: Cannot perform an update on a time-series collection which updates a field that is not the metaField 'm'

db.s.updateOne({ m: 1 }, { $set: { m: 1 } })
//> MongoServerError: Cannot perform a non-multi update on a time-series collection

db.s.updateMany({ m: 1 }, { $set: { m: 1 } }, { upsert: true })
//> MongoServerError: Cannot perform an upsert on a time-series collection

db.s.updateMany({ m: 1 }, [{ $set: { m: 1 } }])
//> MongoServerError: Cannot perform an update on a time-series collection using a pipeline update

db.s.replaceOne({ m: 1 }, { m: 2 })
//> MongoServerError: Cannot perform a non-multi update on a time-series collection

db.s.updateMany({ $expr: { $eq: ["$m", 1] } }, { $set: { m: 1 } })
//> MongoServerError: Cannot use $expr when performing an update or delete on a time-series collection

db.s.findOneAndUpdate({ m: 1 }, { $set: { m: 2 } })
//> MongoServerError[InvalidOptions]: Cannot perform a non-multi update on a time-series collection

db.s.findOneAndDelete({ m: 1 }, { sort: { t: 1 } })
//> MongoServerError[InvalidOptions]: Cannot perform findAndModify with sort on a timeseries collection

db.createCollection("plain", { timeseries: { timeField: "t" } })
//> { ok: 1 }

db.plain.updateMany({ v: 1 }, { $set: { v: 1 } })
//> MongoServerError: Cannot perform an update on a time-series collection that does not have a metaField

db.s.renameCollection("other")
//> MongoServerError[CommandNotSupportedOnView]: Namespace test.s is a timeseries collection

db.runCommand({ reIndex: "s" })
//> MongoServerError[IllegalOperation]: reIndex is only allowed on a standalone mongod instance.

db.runCommand({ convertToCapped: "s", size: 4096 })
//> MongoServerError[CommandNotSupportedOnView]: Namespace test.s is a timeseries collection

db.s.deleteMany({})
//> { acknowledged: true, deletedCount: 3 }

db.getCollection("system.buckets.s").countDocuments()
//> 0

// In a transaction none are inserted, and many are not changed at once.
const session = db.getMongo().startSession()

const inside = session.getDatabase(db.getName())

db.s.insertOne({ _id: 1, t: new Date(0), m: 1 }).acknowledged
//> true

session.startTransaction()

inside.s.find()
//> [ { t: ISODate('1970-01-01T00:00:00.000Z'), m: 1, _id: 1 } ]

inside.s.insertOne({ t: new Date(0) })
//> MongoServerError[OperationNotSupportedInTransaction]: Cannot insert into a time-series collection in a multi-document transaction: test.s

session.abortTransaction()

session.startTransaction()

inside.s.deleteMany({})
//> MongoServerError: Cannot perform a multi delete inside of a multi-document transaction on a time-series collection: test.s

session.abortTransaction()

session.startTransaction()

inside.s.updateMany({ m: 1 }, { $set: { m: 2 } })
//> MongoServerError: Cannot perform a multi update inside of a multi-document transaction on a time-series collection: test.s

session.abortTransaction()

db.s.insertOne({ _id: 2, t: new Date(1), m: 1 }).acknowledged
//> true

session.startTransaction()

inside.s.deleteOne({ _id: 1 })
//> { acknowledged: true, deletedCount: 1 }

[inside.s.countDocuments(), db.s.countDocuments()]
//> [ 1, 2 ]

session.abortTransaction()

db.s.countDocuments()
//> 2

session.startTransaction()

inside.s.findOneAndDelete({ _id: 1 })
//> { t: ISODate('1970-01-01T00:00:00.000Z'), m: 1, _id: 1 }

session.commitTransaction()

db.s.find()
//> [ { t: ISODate('1970-01-01T00:00:00.001Z'), m: 1, _id: 2 } ]
