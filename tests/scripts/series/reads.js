// Time series: reads, and what of them runs on buckets. Manual: core/timeseries/timeseries-aggregations-operators.
db.createCollection("s", { timeseries: { timeField: "t", metaField: "m" } })
//> { ok: 1 }

for (const m of ["a", "b", "c"]) db.s.insertMany(Array.from({ length: 30 }, (_, n) => ({ _id: m + n, t: new Date(Date.UTC(2026, 0, 1, n)), m: { id: m, rack: m == "a" ? 1 : 2 }, v: n, w: { x: n % 3 } }))).acknowledged
//> true

db.s.countDocuments({ "m.id": "a", v: { $gte: 25 } })
//> 5

db.s.find({ "m.id": "a", t: { $gte: ISODate("2026-01-01T03:00:00Z"), $lt: ISODate("2026-01-01T05:00:00Z") } })
//> [
//>   {
//>     t: ISODate('2026-01-01T03:00:00.000Z'),
//>     m: { id: 'a', rack: 1 },
//>     _id: 'a3',
//>     v: 3,
//>     w: { x: 0 }
//>   },
//>   {
//>     t: ISODate('2026-01-01T04:00:00.000Z'),
//>     m: { id: 'a', rack: 1 },
//>     _id: 'a4',
//>     v: 4,
//>     w: { x: 1 }
//>   }
//> ]

db.s.distinct("m.id", { v: 4 })
//> [ 'a', 'b', 'c' ]

db.s.aggregate([{ $group: { _id: "$m.rack", low: { $min: "$v" }, high: { $max: "$v" }, n: { $sum: 1 } } }, { $sort: { _id: 1 } }])
//> [
//>   { _id: 1, low: 0, high: 29, n: 30 },
//>   { _id: 2, low: 0, high: 29, n: 60 }
//> ]

db.s.aggregate([{ $match: { t: { $gte: ISODate("2026-01-02T00:00:00Z") } } }, { $group: { _id: { $dateTrunc: { date: "$t", unit: "day" } }, avg: { $avg: "$v" } } }])
//> [ { _id: ISODate('2026-01-02T00:00:00.000Z'), avg: 26.5 } ]

db.s.find({ v: 7, "w.x": 1 }, { _id: 1 }).sort({ _id: 1 })
//> [ { _id: 'a7' }, { _id: 'b7' }, { _id: 'c7' } ]

db.s.find({}, { v: 1, _id: 0 }).sort({ t: -1, v: -1 }).limit(2)
//> [ { v: 29 }, { v: 29 } ]

db.s.find({ m: { id: "a", rack: 1 } }).limit(1)
//> [
//>   {
//>     t: ISODate('2026-01-01T00:00:00.000Z'),
//>     m: { id: 'a', rack: 1 },
//>     _id: 'a0',
//>     v: 0,
//>     w: { x: 0 }
//>   }
//> ]

db.racks.insertMany([{ _id: 1, name: "left" }, { _id: 2, name: "right" }])
//> { acknowledged: true, insertedIds: { '0': 1, '1': 2 } }

db.racks.aggregate([{ $lookup: { from: "s", localField: "_id", foreignField: "m.rack", as: "all" } }, { $project: { n: { $size: "$all" } } }])
//> [ { _id: 1, n: 30 }, { _id: 2, n: 60 } ]

db.s.aggregate([{ $match: { v: 3 } }, { $lookup: { from: "racks", localField: "m.rack", foreignField: "_id", as: "rack" } }, { $project: { _id: 1, "rack.name": 1 } }, { $sort: { _id: 1 } }])
//> [
//>   { _id: 'a3', rack: [ { name: 'left' } ] },
//>   { _id: 'b3', rack: [ { name: 'right' } ] },
//>   { _id: 'c3', rack: [ { name: 'right' } ] }
//> ]

// Filters on the meta field, the time and least and greatest values run before the buckets are unpacked.
db.s.explain().aggregate([{ $match: { "m.id": "a", t: { $gte: ISODate("2026-01-01T03:00:00Z") }, v: { $gt: 5 } } }, { $project: { _id: 0, v: 1 } }]).stages
//> [
//>   {
//>     '$cursor': {
//>       queryPlanner: {
//>         namespace: 'test.system.buckets.s',
//>         parsedQuery: {
//>           '$and': [
//>             { 'meta.id': [Object] },
//>             { _id: [Object] },
//>             { 'control.max.t': [Object] },
//>             { 'control.min.t': [Object] },
//>             { '$expr': [Object] }
//>           ]
//>         },
//>         indexFilterSet: false,
//>         queryHash: '281C5656',
//>         planCacheShapeHash: '281C5656',
//>         planCacheKey: '57430173',
//>         optimizationTimeMillis: 0,
//>         maxIndexedOrSolutionsReached: false,
//>         maxIndexedAndSolutionsReached: false,
//>         maxScansToExplodeReached: false,
//>         prunedSimilarIndexes: false,
//>         winningPlan: {
//>           isCached: false,
//>           stage: 'CLUSTERED_IXSCAN',
//>           filter: {
//>             '$and': [ [Object], [Object], [Object], [Object], [Object] ]
//>           },
//>           direction: 'forward',
//>           minRecord: ObjectId('6955d5200000000000000000'),
//>           maxRecord: ObjectId('ffffffffffffffffffffffff')
//>         },
//>         rejectedPlans: []
//>       }
//>     }
//>   },
//>   {
//>     '$_internalUnpackBucket': {
//>       exclude: [],
//>       timeField: 't',
//>       metaField: 'm',
//>       bucketMaxSpanSeconds: 3600,
//>       assumeNoMixedSchemaData: true,
//>       eventFilter: {
//>         '$and': [
//>           { v: { '$gt': 5 } },
//>           { t: { '$gte': ISODate('2026-01-01T03:00:00.000Z') } }
//>         ]
//>       }
//>     }
//>   },
//>   { '$project': { v: true, _id: false } }
//> ]

db.s.find({ m: { id: "a", rack: 1 }, t: { $gte: ISODate("2026-01-02T00:00:00Z") } }).explain().stages[0].$cursor.queryPlanner.winningPlan
//> {
//>   isCached: false,
//>   stage: 'FETCH',
//>   filter: { _id: { '$gte': ObjectId('6956fc700000000000000000') } },
//>   inputStage: {
//>     stage: 'IXSCAN',
//>     keyPattern: { meta: 1, 'control.min.t': 1, 'control.max.t': 1 },
//>     indexName: 'm_1_t_1',
//>     isMultiKey: false,
//>     multiKeyPaths: { meta: [], 'control.min.t': [], 'control.max.t': [] },
//>     isUnique: false,
//>     isSparse: false,
//>     isPartial: false,
//>     indexVersion: 2,
//>     direction: 'forward',
//>     indexBounds: {
//>       meta: [ '[{ id: "a", rack: 1 }, { id: "a", rack: 1 }]' ],
//>       'control.min.t': [ '[new Date(1767308400000), new Date(9223372036854775807)]' ],
//>       'control.max.t': [ '[new Date(1767312000000), new Date(9223372036854775807)]' ]
//>     }
//>   }
//> }

// A sort by the time reads the buckets in the order of their beginnings, those of one meta value by the index.
db.s.explain().aggregate([{ $sort: { t: 1 } }, { $limit: 2 }, { $project: { v: 1 } }]).stages.map((stage) => stage.$cursor ? stage.$cursor.queryPlanner.winningPlan.stage : stage)
//> [
//>   'COLLSCAN',
//>   {
//>     '$_internalUnpackBucket': {
//>       exclude: [],
//>       timeField: 't',
//>       metaField: 'm',
//>       bucketMaxSpanSeconds: 3600,
//>       assumeNoMixedSchemaData: true
//>     }
//>   },
//>   {
//>     '$_internalBoundedSort': { sortKey: { t: 1 }, bound: { base: 'min' } }
//>   },
//>   { '$limit': Long('2') },
//>   { '$project': { _id: true, v: true } }
//> ]

db.s.find({ m: { id: "b", rack: 2 } }, { _id: 1 }).sort({ t: -1 }).limit(2)
//> [ { _id: 'b29' }, { _id: 'b28' } ]

db.s.find({ m: { id: "b", rack: 2 } }).sort({ t: -1 }).explain().stages[0].$cursor.queryPlanner.winningPlan.inputStage.direction
//> backward

db.s.explain().aggregate([{ $sort: { "m.id": -1 } }]).stages[0].$cursor.queryPlanner.winningPlan.sortPattern
//> { 'meta.id': -1 }

db.s.find({}, { _id: 1 }).sort({ "m.id": -1 }).limit(1)
//> [ { _id: 'c0' } ]

db.s.aggregate([{ $group: { _id: "$m.id", low: { $min: "$v" }, last: { $max: "$t" }, none: { $max: "$nothing" } } }, { $sort: { _id: 1 } }])
//> [
//>   {
//>     _id: 'a',
//>     low: 0,
//>     last: ISODate('2026-01-02T05:00:00.000Z'),
//>     none: null
//>   },
//>   {
//>     _id: 'b',
//>     low: 0,
//>     last: ISODate('2026-01-02T05:00:00.000Z'),
//>     none: null
//>   },
//>   {
//>     _id: 'c',
//>     low: 0,
//>     last: ISODate('2026-01-02T05:00:00.000Z'),
//>     none: null
//>   }
//> ]

db.s.aggregate([{ $group: { _id: null, low: { $min: "$w" } } }])
//> [ { _id: null, low: { x: 0 } } ]

db.s.find({ t: ISODate("2026-01-01T03:00:00Z") }).hint({ m: 1, t: 1 }).count()
//> 3

db.s.explain("executionStats").aggregate([{ $match: { v: { $gte: 28 } } }]).stages[0].$cursor.executionStats.nReturned
//> 6

db.s.stats().timeseries.bucketCount
//> 90

db.s.aggregate([{ $collStats: { storageStats: {} } }]).toArray()[0].storageStats.timeseries.bucketsNs
//> test.system.buckets.s

db.s.validate().valid
//> true

db.s.watch()
//> MongoServerError[CommandNotSupportedOnView]: Namespace test.s is a timeseries collection

db.runCommand({ aggregate: "s", pipeline: [{ $merge: "s" }], cursor: {} })
//> MongoServerError[CommandNotSupportedOnView]: Executor error during aggregate command on namespace: test.s :: caused by :: Namespace test.s is a timeseries collection

db.racks.aggregate([{ $merge: "s" }])
//> MongoServerError[CommandNotSupportedOnView]: Executor error during aggregate command on namespace: test.racks :: caused by :: Namespace test.s is a timeseries collection

// What one command brings stands in a bucket by its times.
db.createCollection("ordered", { timeseries: { timeField: "t", metaField: "m" } }).ok
//> 1

db.ordered.insertMany([{ _id: 1, t: new Date(3), m: 1 }, { _id: 2, t: new Date(1), m: 2 }, { _id: 3, t: new Date(1), m: 1 }, { _id: 4, t: new Date(2), m: 1 }]).acknowledged
//> true

db.ordered.find({ m: 1 }, { _id: 1 })
//> [ { _id: 3 }, { _id: 4 }, { _id: 1 } ]

db.ordered.insertOne({ _id: 5, t: new Date(0), m: 1 }).acknowledged
//> true

db.ordered.find({ m: 1 }, { _id: 1 })
//> [ { _id: 3 }, { _id: 4 }, { _id: 1 }, { _id: 5 } ]

// An item of an array is found, also one of a type that sorts behind arrays, and where the bucket has plain values as well.
const held = ObjectId("65f000000000000000000005")
db.createCollection("items", { timeseries: { timeField: "t", metaField: "m" } }).ok
//> 1
const kept = [{ _id: 1, t: new Date(0), m: 1, u: [held], n: [5], flags: [true], days: [new Date(5)], at: [Timestamp(1, 1)] }, { _id: 2, t: new Date(1), m: 1, u: ObjectId("65f000000000000000000001"), n: "z", flags: false, days: new Date(1), at: Timestamp(0, 1) }, { _id: 3, t: new Date(2), m: 1, u: 5, n: ObjectId(), flags: "no", days: 0, at: null }]
;[db.items.insertMany(kept).acknowledged, db.plain.insertMany(kept).acknowledged]
//> [ true, true ]
const filters = [{ u: held }, { u: { $in: [held, 7] } }, { flags: true }, { days: new Date(5) }, { days: { $gt: new Date(1) } }, { at: Timestamp(1, 1) }, { n: 5 }, { n: { $lt: 6 } }, { n: { $in: [5, "a"] } }, { u: { $lt: held } }]
const count = (c) => filters.map((filter) => db[c].find(filter).toArray().length)
;[count("items"), count("plain")]
//> [
//>   [
//>     1, 1, 1, 1, 1,
//>     1, 1, 1, 1, 1
//>   ],
//>   [
//>     1, 1, 1, 1, 1,
//>     1, 1, 1, 1, 1
//>   ]
//> ]
