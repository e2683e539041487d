// Time series: measurements gather in buckets, and are read as they came. Manual: core/timeseries/timeseries-bucketing, core/timeseries-collections.
db.createCollection("weather", { timeseries: { timeField: "t", metaField: "sensor" } })
//> { ok: 1 }

db.weather.insertMany([
  { _id: 1, t: ISODate("2026-01-01T10:00:30Z"), sensor: { room: 2, floor: 1 }, temp: 20.5 },
  { _id: 2, t: ISODate("2026-01-01T10:01:30Z"), sensor: { floor: 1, room: 2 }, temp: 21, note: "warm" },
  { _id: 3, t: ISODate("2026-01-01T10:00:45Z"), sensor: "b", temp: [1, 9] },
  { _id: 4, t: ISODate("2026-01-01T10:02:30Z"), sensor: "b", temp: [2, 3, { a: 1 }] },
  { _id: 5, t: ISODate("2026-01-01T11:02:30Z"), sensor: "b", temp: [4] },
  { _id: 6, t: ISODate("2026-01-01T10:00:05Z"), temp: 3 }
])
//> {
//>   acknowledged: true,
//>   insertedIds: { '0': 1, '1': 2, '2': 3, '3': 4, '4': 5, '5': 6 }
//> }

db.weather.find()
//> [
//>   { t: ISODate('2026-01-01T10:00:05.000Z'), _id: 6, temp: 3 },
//>   {
//>     t: ISODate('2026-01-01T10:00:45.000Z'),
//>     sensor: 'b',
//>     _id: 3,
//>     temp: [ 1, 9 ]
//>   },
//>   {
//>     t: ISODate('2026-01-01T10:02:30.000Z'),
//>     sensor: 'b',
//>     _id: 4,
//>     temp: [ 2, 3, { a: 1 } ]
//>   },
//>   {
//>     t: ISODate('2026-01-01T10:00:30.000Z'),
//>     sensor: { floor: 1, room: 2 },
//>     _id: 1,
//>     temp: 20.5
//>   },
//>   {
//>     t: ISODate('2026-01-01T10:01:30.000Z'),
//>     sensor: { floor: 1, room: 2 },
//>     _id: 2,
//>     temp: 21,
//>     note: 'warm'
//>   },
//>   {
//>     t: ISODate('2026-01-01T11:02:30.000Z'),
//>     sensor: 'b',
//>     _id: 5,
//>     temp: [ 4 ]
//>   }
//> ]

db.getCollection("system.buckets.weather").find({ meta: "b" }, { _id: 0 })
//> [
//>   {
//>     control: {
//>       version: 2,
//>       min: {
//>         t: ISODate('2026-01-01T10:00:00.000Z'),
//>         _id: 3,
//>         temp: [ 1, 3, { a: 1 } ]
//>       },
//>       max: {
//>         t: ISODate('2026-01-01T10:02:30.000Z'),
//>         _id: 4,
//>         temp: [ 2, 9, { a: 1 } ]
//>       },
//>       count: 2
//>     },
//>     meta: 'b',
//>     data: {
//>       t: Binary.createFromBase64('CQDIqAB5mwEAAIAORTMAAAAAAAA=', 7),
//>       _id: Binary.createFromBase64('EAADAAAAgC4AAAAAAAAAAA==', 7),
//>       temp: Binary.createFromBase64('BAATAAAAEDAAAQAAABAxAAkAAAAABAAiAAAAEDAAAgAAABAxAAMAAAADMgAMAAAAEGEAAQAAAAAAAA==', 7)
//>     }
//>   },
//>   {
//>     control: {
//>       version: 2,
//>       min: { t: ISODate('2026-01-01T11:02:00.000Z'), _id: 5, temp: [ 4 ] },
//>       max: { t: ISODate('2026-01-01T11:02:30.000Z'), _id: 5, temp: [ 4 ] },
//>       count: 1
//>     },
//>     meta: 'b',
//>     data: {
//>       t: Binary.createFromBase64('CQBwMTl5mwEAAAA=', 7),
//>       _id: Binary.createFromBase64('EAAFAAAAAA==', 7),
//>       temp: Binary.createFromBase64('BAAMAAAAEDAABAAAAAAA', 7)
//>     }
//>   }
//> ]

db.getCollection("system.buckets.weather").find({ "meta.floor": 1 }, { control: 1, meta: 1, _id: 0 })
//> [
//>   {
//>     control: {
//>       version: 2,
//>       min: {
//>         t: ISODate('2026-01-01T10:00:00.000Z'),
//>         _id: 1,
//>         temp: 20.5,
//>         note: 'warm'
//>       },
//>       max: {
//>         t: ISODate('2026-01-01T10:01:30.000Z'),
//>         _id: 2,
//>         temp: 21,
//>         note: 'warm'
//>       },
//>       count: 2
//>     },
//>     meta: { floor: 1, room: 2 }
//>   }
//> ]

// Another hour later: another bucket; earlier than its beginning: another one; a number where an array was: another one.
db.weather.insertOne({ _id: 7, t: ISODate("2026-01-01T10:01:00Z"), sensor: "b", temp: [0] }).acknowledged
//> true

db.weather.insertOne({ _id: 8, t: ISODate("2026-01-01T09:59:00Z"), sensor: "b", temp: [0] }).acknowledged
//> true

db.weather.insertOne({ _id: 9, t: ISODate("2026-01-01T10:02:00Z"), sensor: "b", temp: 5 }).acknowledged
//> true

db.getCollection("system.buckets.weather").find({ meta: "b" }, { _id: 0, "control.version": 1, "control.count": 1, "control.min": 1, "control.max.t": 1 })
//> [
//>   {
//>     control: {
//>       version: 2,
//>       min: { t: ISODate('2026-01-01T09:59:00.000Z'), _id: 8, temp: [ 0 ] },
//>       max: { t: ISODate('2026-01-01T09:59:00.000Z') },
//>       count: 1
//>     }
//>   },
//>   {
//>     control: {
//>       version: 3,
//>       min: {
//>         t: ISODate('2026-01-01T10:00:00.000Z'),
//>         _id: 3,
//>         temp: [ 0, 3, { a: 1 } ]
//>       },
//>       max: { t: ISODate('2026-01-01T10:02:30.000Z') },
//>       count: 3
//>     }
//>   },
//>   {
//>     control: {
//>       version: 2,
//>       min: { t: ISODate('2026-01-01T10:02:00.000Z'), _id: 9, temp: 5 },
//>       max: { t: ISODate('2026-01-01T10:02:00.000Z') },
//>       count: 1
//>     }
//>   },
//>   {
//>     control: {
//>       version: 2,
//>       min: { t: ISODate('2026-01-01T11:02:00.000Z'), _id: 5, temp: [ 4 ] },
//>       max: { t: ISODate('2026-01-01T11:02:30.000Z') },
//>       count: 1
//>     }
//>   }
//> ]

// A thousand are the most.
db.createCollection("many", { timeseries: { timeField: "t" } })
//> { ok: 1 }

db.many.insertMany(Array.from({ length: 2500 }, (_, n) => ({ _id: n, t: new Date(Date.UTC(2026, 0, 1) + n * 1000), v: n % 10 }))).acknowledged
//> true

db.getCollection("system.buckets.many").aggregate([{ $project: { _id: 0, n: "$control.count", from: "$control.min.t", to: "$control.max.t" } }])
//> [
//>   {
//>     n: 1000,
//>     from: ISODate('2026-01-01T00:00:00.000Z'),
//>     to: ISODate('2026-01-01T00:16:39.000Z')
//>   },
//>   {
//>     n: 1000,
//>     from: ISODate('2026-01-01T00:16:00.000Z'),
//>     to: ISODate('2026-01-01T00:33:19.000Z')
//>   },
//>   {
//>     n: 500,
//>     from: ISODate('2026-01-01T00:33:00.000Z'),
//>     to: ISODate('2026-01-01T00:41:39.000Z')
//>   }
//> ]

db.many.countDocuments()
//> 2500

db.many.find({ v: 3 }).count()
//> 250

// What is no measurement.
db.weather.insertOne({ sensor: "b", temp: 1 })
//> MongoServerError: 't' must be present and contain a valid BSON UTC datetime value

db.weather.insertOne({ t: 5, sensor: "b", temp: 1 })
//> MongoServerError: 't' must be present and contain a valid BSON UTC datetime value

db.weather.insertMany([{ t: new Date(0), v: 1 }, { t: "x" }, { t: new Date(1), v: 2 }], { ordered: false })
//> MongoBulkWriteError: 't' must be present and contain a valid BSON UTC datetime value
//> Result: BulkWriteResult {
//>   insertedCount: 2,
//>   matchedCount: 0,
//>   modifiedCount: 0,
//>   deletedCount: 0,
//>   upsertedCount: 0,
//>   upsertedIds: {},
//>   insertedIds: {
//>     '0': ObjectId('6955b90015c4af99f200017c'),
//>     '2': ObjectId('6955b90015c4af99f200017e')
//>   }
//> }
//> Write Errors: [
//>   WriteError {
//>     err: {
//>       index: 1,
//>       code: 2,
//>       errmsg: "'t' must be present and contain a valid BSON UTC datetime value",
//>       errInfo: undefined,
//>       op: { _id: ObjectId('6955b90015c4af99f200017d'), t: 'x' }
//>     }
//>   }
//> ]

db.weather.find({ v: { $exists: true } }, { _id: 0 })
//> [
//>   { t: ISODate('1970-01-01T00:00:00.000Z'), v: 1 },
//>   { t: ISODate('1970-01-01T00:00:00.001Z'), v: 2 }
//> ]

// Buckets give their measurements to whoever unpacks them by hand.
db.getCollection("system.buckets.weather").aggregate([{ $match: { meta: "b" } }, { $_internalUnpackBucket: { exclude: ["temp"], timeField: "t", metaField: "sensor", bucketMaxSpanSeconds: 3600 } }, { $sort: { _id: 1 } }])
//> [
//>   { t: ISODate('2026-01-01T10:00:45.000Z'), sensor: 'b', _id: 3 },
//>   { t: ISODate('2026-01-01T10:02:30.000Z'), sensor: 'b', _id: 4 },
//>   { t: ISODate('2026-01-01T11:02:30.000Z'), sensor: 'b', _id: 5 },
//>   { t: ISODate('2026-01-01T10:01:00.000Z'), sensor: 'b', _id: 7 },
//>   { t: ISODate('2026-01-01T09:59:00.000Z'), sensor: 'b', _id: 8 },
//>   { t: ISODate('2026-01-01T10:02:00.000Z'), sensor: 'b', _id: 9 }
//> ]
const unpacked = (more) => { try { return db.getCollection("system.buckets.weather").aggregate([{ $match: { meta: "b" } }, { $_internalUnpackBucket: { timeField: "t", metaField: "sensor", bucketMaxSpanSeconds: 3600, ...more } }, { $sort: { _id: 1 } }, { $limit: 1 }, { $project: { t: 0 } }]).toArray() } catch (x) { return x.code } }
[unpacked({ include: ["_id", "temp"] }), unpacked({ exclude: [] }), unpacked({ include: ["_id"], exclude: [] }), unpacked({ exclude: "temp" }), unpacked({ exclude: [1] }), unpacked({ exclude: ["a.b"] }), unpacked({ excluded: [] }), unpacked({ timeField: 1 }), unpacked({ timeField: undefined }), unpacked({ metaField: 1 }), unpacked({ metaField: "a.b" }), unpacked({ bucketMaxSpanSeconds: "60" }), unpacked({ bucketMaxSpanSeconds: 0 }), unpacked({ bucketMaxSpanSeconds: undefined }), unpacked({ assumeNoMixedSchemaData: 1 })]
//> [
//>   [ { _id: 3, temp: [ 1, 9 ] } ],
//>   [ { sensor: 'b', _id: 3, temp: [ 1, 9 ] } ],
//>   5408000,
//>   5346501,
//>   5346502,
//>   5346503,
//>   5346506,
//>   5346504,
//>   5346504,
//>   5346505,
//>   5545700,
//>   5510600,
//>   5510601,
//>   5510600,
//>   6067202
//> ]
