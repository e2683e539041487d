// Time series: other sizes of buckets, expiry of whole buckets, and $out to one. Manual: core/timeseries/timeseries-granularity, core/timeseries/timeseries-automatic-removal, reference/operator/aggregation/out.
db.createCollection("s", { timeseries: { timeField: "t", metaField: "m", granularity: "seconds" }, expireAfterSeconds: 3600 })
//> { ok: 1 }

db.runCommand({ collMod: "s", timeseries: { granularity: "hours" } })
//> { ok: 1 }

db.getCollectionInfos({ name: "s" })[0].options
//> {
//>   timeseries: {
//>     timeField: 't',
//>     metaField: 'm',
//>     granularity: 'hours',
//>     bucketMaxSpanSeconds: 2592000
//>   },
//>   expireAfterSeconds: 3600
//> }

db.getCollectionInfos({ name: "system.buckets.s" })[0].options
//> {
//>   clusteredIndex: true,
//>   timeseries: {
//>     timeField: 't',
//>     metaField: 'm',
//>     granularity: 'hours',
//>     bucketMaxSpanSeconds: 2592000
//>   },
//>   expireAfterSeconds: 3600
//> }

db.getCollection("system.views").findOne({ _id: "test.s" }).pipeline
//> [
//>   {
//>     '$_internalUnpackBucket': { timeField: 't', metaField: 'm', bucketMaxSpanSeconds: 2592000 }
//>   }
//> ]

db.runCommand({ collMod: "s", timeseries: { granularity: "minutes" } })
//> MongoServerError[InvalidOptions]: Invalid transition for timeseries.granularity. Can only transition from 'seconds' to 'minutes' or 'minutes' to 'hours'.

db.runCommand({ collMod: "s", timeseries: { bucketMaxSpanSeconds: 60, bucketRoundingSeconds: 60 } })
//> MongoServerError[InvalidOptions]: Timeseries 'bucketMaxSpanSeconds' needs to be equal or greater to transition

db.runCommand({ collMod: "s", timeseries: { bucketMaxSpanSeconds: 60 } })
//> MongoServerError[InvalidOptions]: Timeseries 'bucketMaxSpanSeconds' and 'bucketRoundingSeconds' need to be set alongside each other

db.runCommand({ collMod: "s", timeseries: { bucketMaxSpanSeconds: 2592000, bucketRoundingSeconds: 2592000 } })
//> { ok: 1 }

db.getCollectionInfos({ name: "s" })[0].options.timeseries
//> {
//>   timeField: 't',
//>   metaField: 'm',
//>   bucketRoundingSeconds: 2592000,
//>   bucketMaxSpanSeconds: 2592000
//> }

db.runCommand({ collMod: "s", validator: { a: 1 } })
//> MongoServerError[InvalidOptions]: option not supported on a time-series collection: validator

db.runCommand({ collMod: "s", expireAfterSeconds: -1 })
//> MongoServerError[InvalidOptions]: TTL index 'expireAfterSeconds' option cannot be less than 0. Given: -1

db.plain.insertOne({ _id: 1 }).acknowledged
//> true

db.runCommand({ collMod: "plain", timeseries: { granularity: "hours" } })
//> MongoServerError[InvalidOptions]: option only supported on a time-series collection: timeseries

db.s.drop()
//> true

// A bucket goes when its span and the seconds have passed.
db.createCollection("s", { timeseries: { timeField: "t", metaField: "m" }, expireAfterSeconds: 600 })
//> { ok: 1 }

db.s.insertMany([{ _id: 1, t: new Date(), m: 1 }, { _id: 2, t: new Date(Date.now() + 1800000), m: 1 }, { _id: 3, t: new Date(Date.now() + 7200000), m: 1 }]).acknowledged
//> true

clock.advance(4000 * 1000)
//> ISODate('2026-01-01T01:06:40.000Z')

db.s.find({}, { _id: 1 })
//> [ { _id: 1 }, { _id: 2 }, { _id: 3 } ]

clock.advance(300 * 1000)
//> ISODate('2026-01-01T01:11:40.000Z')

db.s.find({}, { _id: 1 })
//> [ { _id: 3 } ]

db.runCommand({ collMod: "s", expireAfterSeconds: "off" })
//> { ok: 1 }

clock.advance(100000 * 1000)
//> ISODate('2026-01-02T04:58:20.000Z')

db.s.countDocuments()
//> 1

// An index over the time lets the buckets of some series expire.
db.createCollection("some", { timeseries: { timeField: "t", metaField: "m" } })
//> { ok: 1 }

db.some.createIndex({ t: 1 }, { expireAfterSeconds: 60, partialFilterExpression: { m: "short" } })
//> t_1

db.some.insertMany([{ _id: 1, t: new Date(), m: "short" }, { _id: 2, t: new Date(), m: "long" }]).acknowledged
//> true

clock.advance(4000 * 1000)
//> ISODate('2026-01-02T06:05:00.000Z')

db.some.find({}, { _id: 1 })
//> [ { _id: 2 } ]

// $out makes a time series, or puts other measurements into one.
db.raw.insertMany([{ _id: 1, t: new Date(0), m: "a", v: 1 }, { _id: 2, t: new Date(1000), m: "a", v: 2 }, { _id: 3, t: new Date(0), m: "b", v: 3 }]).acknowledged
//> true

db.raw.aggregate([{ $out: { db: "test", coll: "made", timeseries: { timeField: "t", metaField: "m" } } }])
//>

db.made.find()
//> [
//>   { t: ISODate('1970-01-01T00:00:00.000Z'), m: 'a', _id: 1, v: 1 },
//>   { t: ISODate('1970-01-01T00:00:01.000Z'), m: 'a', _id: 2, v: 2 },
//>   { t: ISODate('1970-01-01T00:00:00.000Z'), m: 'b', _id: 3, v: 3 }
//> ]

db.getCollection("system.buckets.made").countDocuments()
//> 2

db.made.getIndexes()
//> [ { v: 2, key: { m: 1, t: 1 }, name: 'm_1_t_1' } ]

db.raw.aggregate([{ $match: { v: { $lt: 3 } } }, { $out: "made" }])
//>

db.made.countDocuments()
//> 2

db.raw.aggregate([{ $out: { db: "test", coll: "made", timeseries: { timeField: "t" } } }])
//> MongoServerError[Location7406103]: Executor error during aggregate command on namespace: test.raw :: caused by :: Time-series options inputted must match the existing time-series collection. Received: { timeField: "t" }Found: timeseries: { timeField: "t", metaField: "m", granularity: "seconds", bucketMaxSpanSeconds: 3600 }

db.raw.aggregate([{ $out: { db: "test", coll: "plain", timeseries: { timeField: "t" } } }])
//> MongoServerError[Location7268700]: Executor error during aggregate command on namespace: test.raw :: caused by :: Cannot create a time-series collection from a non time-series collection or view.

db.createView("seen", "raw", [])
//> { ok: 1 }

db.raw.aggregate([{ $out: { db: "test", coll: "seen", timeseries: { timeField: "t" } } }])
//> MongoServerError[Location7268700]: Executor error during aggregate command on namespace: test.raw :: caused by :: Cannot create a time-series collection from a non time-series collection or view.

db.raw.aggregate([{ $out: { db: "test", coll: "none", timeseries: null } }])
//>

db.getCollectionInfos({ name: "none" })[0].type
//> collection

db.raw.aggregate([{ $out: { db: "test", coll: "other", timeseries: { timeField: "v" } } }])
//> MongoServerError[BadValue]: Executor error during aggregate command on namespace: test.raw :: caused by :: 'v' must be present and contain a valid BSON UTC datetime value

db.raw.aggregate([{ $out: { db: "test", coll: "other", timeseries: 1 } }])
//> MongoServerError[TypeMismatch]: BSON field '$out.timeseries' is the wrong type 'int', expected type 'object'

db.getCollectionNames().filter((name) => name.includes("other"))
//> []

db.raw.explain().aggregate([{ $out: { db: "test", coll: "made", timeseries: { timeField: "t", metaField: "m" } } }]).stages.at(-1)
//> {
//>   '$out': {
//>     coll: 'made',
//>     db: 'test',
//>     timeseries: { timeField: 't', metaField: 'm' }
//>   }
//> }
