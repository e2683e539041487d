// Time series: creating one, what it may have, and what lies below it. Manual: core/timeseries/timeseries-create, reference/command/create.
db.createCollection("weather", { timeseries: { timeField: "t", metaField: "sensor", granularity: "minutes" }, expireAfterSeconds: 86400 })
//> { ok: 1 }

db.runCommand({ listCollections: 1 }).cursor.firstBatch
//> [
//>   {
//>     name: 'system.buckets.weather',
//>     type: 'collection',
//>     options: {
//>       clusteredIndex: true,
//>       timeseries: {
//>         timeField: 't',
//>         metaField: 'sensor',
//>         granularity: 'minutes',
//>         bucketMaxSpanSeconds: 86400
//>       },
//>       expireAfterSeconds: 86400
//>     },
//>     info: {
//>       readOnly: false,
//>       uuid: UUID('f204a1d5-8a93-4062-89ff-98071e9ca6ca')
//>     }
//>   },
//>   {
//>     name: 'system.views',
//>     type: 'collection',
//>     options: {},
//>     info: {
//>       readOnly: false,
//>       uuid: UUID('2de2d863-e5c4-46cd-b412-201a7171b855')
//>     },
//>     idIndex: { v: 2, key: { _id: 1 }, name: '_id_' }
//>   },
//>   {
//>     name: 'weather',
//>     type: 'timeseries',
//>     options: {
//>       timeseries: {
//>         timeField: 't',
//>         metaField: 'sensor',
//>         granularity: 'minutes',
//>         bucketMaxSpanSeconds: 86400
//>       },
//>       expireAfterSeconds: 86400
//>     },
//>     info: { readOnly: false }
//>   }
//> ]

db.getCollectionNames()
//> [ 'system.buckets.weather', 'system.views', 'weather' ]

db.weather.getIndexes()
//> [ { v: 2, key: { sensor: 1, t: 1 }, name: 'sensor_1_t_1' } ]

db.getCollection("system.buckets.weather").getIndexes()
//> [
//>   {
//>     v: 2,
//>     key: { meta: 1, 'control.min.t': 1, 'control.max.t': 1 },
//>     name: 'sensor_1_t_1'
//>   }
//> ]

db.getCollection("system.views").find()
//> [
//>   {
//>     _id: 'test.weather',
//>     viewOn: 'system.buckets.weather',
//>     pipeline: [
//>       {
//>         '$_internalUnpackBucket': {
//>           timeField: 't',
//>           metaField: 'sensor',
//>           bucketMaxSpanSeconds: 86400
//>         }
//>       }
//>     ]
//>   }
//> ]

// The same again is nothing new; with other options it is refused.
db.createCollection("weather", { timeseries: { timeField: "t", metaField: "sensor", granularity: "minutes" }, expireAfterSeconds: 86400 })
//> { ok: 1 }

db.createCollection("weather", { timeseries: { timeField: "t" } })
//> MongoServerError[NamespaceExists]: namespace test.weather already exists, but with different options: { timeseries: { timeField: "t", metaField: "sensor", granularity: "minutes", bucketMaxSpanSeconds: 86400 }, expireAfterSeconds: 86400 }

db.createCollection("weather")
//> MongoServerError[NamespaceExists]: namespace test.weather already exists, but with different options: { timeseries: { timeField: "t", metaField: "sensor", granularity: "minutes", bucketMaxSpanSeconds: 86400 }, expireAfterSeconds: 86400 }

// Sizes of buckets of one's own.
db.createCollection("own", { timeseries: { timeField: "t", bucketMaxSpanSeconds: 300, bucketRoundingSeconds: 300 } })
//> { ok: 1 }

db.runCommand({ listCollections: 1, filter: { type: "timeseries", name: "own" } }).cursor.firstBatch
//> [
//>   {
//>     name: 'own',
//>     type: 'timeseries',
//>     options: {
//>       timeseries: {
//>         timeField: 't',
//>         bucketRoundingSeconds: 300,
//>         bucketMaxSpanSeconds: 300
//>       }
//>     },
//>     info: { readOnly: false }
//>   }
//> ]

db.own.getIndexes()
//> []

// What is refused.
db.createCollection("no", { timeseries: { metaField: "m" } })
//> MongoServerError[IDLFailedToParse]: BSON field 'create.timeseries.timeField' is missing but a required field

db.createCollection("no", { timeseries: { timeField: 1 } })
//> MongoServerError[TypeMismatch]: BSON field 'create.timeseries.timeField' is the wrong type 'int', expected type 'string'

db.createCollection("no", { timeseries: { timeField: "a.b" } })
//> MongoServerError[InvalidOptions]: test.no: 'timeField' must be a top-level field and not contain a '.'

db.createCollection("no", { timeseries: { timeField: "t", metaField: "m.a" } })
//> MongoServerError[InvalidOptions]: test.no: 'metaField' must be a top-level field and not contain a '.'

db.createCollection("no", { timeseries: { timeField: "t", metaField: "_id" } })
//> MongoServerError[InvalidOptions]: 'metaField' cannot be "_id"

db.createCollection("no", { timeseries: { timeField: "t", metaField: "t" } })
//> MongoServerError[InvalidOptions]: 'metaField' cannot be the same as 'timeField'

db.createCollection("no", { timeseries: { timeField: "t", granularity: "days" } })
//> MongoServerError[BadValue]: Enumeration value 'days' for field 'create.timeseries.granularity' is not a valid value.

db.createCollection("no", { timeseries: { timeField: "t", granularity: "hours", bucketMaxSpanSeconds: 60 } })
//> MongoServerError[InvalidOptions]: Timeseries 'bucketMaxSpanSeconds' is not configurable to a value other than the default of 2592000 for the provided granularity

db.createCollection("no", { timeseries: { timeField: "t", bucketMaxSpanSeconds: 60 } })
//> MongoServerError[InvalidOptions]: Timeseries 'bucketMaxSpanSeconds' and 'bucketRoundingSeconds' need to be set alongside each other

db.createCollection("no", { timeseries: { timeField: "t", bucketMaxSpanSeconds: 60, bucketRoundingSeconds: 30 } })
//> MongoServerError[InvalidOptions]: Timeseries 'bucketRoundingSeconds' needs to be equal to 'bucketMaxSpanSeconds'

db.createCollection("no", { timeseries: { timeField: "t", bucketMaxSpanSeconds: 0, bucketRoundingSeconds: 0 } })
//> MongoServerError[BadValue]: BSON field 'bucketMaxSpanSeconds' value must be >= 1, actual value '0'

db.createCollection("no", { timeseries: { timeField: "t", bucketMaxSpanSeconds: 99999999, bucketRoundingSeconds: 99999999 } })
//> MongoServerError[BadValue]: BSON field 'bucketMaxSpanSeconds' value must be <= 31536000, actual value '99999999'

db.createCollection("no", { timeseries: { timeField: "t", other: 1 } })
//> MongoServerError[IDLUnknownField]: BSON field 'create.timeseries.other' is an unknown field.

db.createCollection("no", { timeseries: { timeField: "t" }, capped: true, size: 4096 })
//> MongoServerError[InvalidOptions]: test.no: 'timeseries' is not allowed with 'capped'

db.createCollection("no", { timeseries: { timeField: "t" }, validator: { a: 1 } })
//> MongoServerError[InvalidOptions]: test.no: 'timeseries' is not allowed with 'validator'

db.createCollection("no", { timeseries: { timeField: "t" }, expireAfterSeconds: -1 })
//> MongoServerError[InvalidOptions]: TTL index 'expireAfterSeconds' option cannot be less than 0. Given: -1

db.createCollection("no", { timeseries: { timeField: "t" }, viewOn: "weather" })
//> MongoServerError[InvalidOptions]: Cannot specify 'timeseries' with 'viewOn'

db.createCollection("system.buckets.no")
//> MongoServerError[IllegalOperation]: Cannot create collection test.system.buckets.no without timeseries options

db.getCollection("system.buckets.no").insertOne({ a: 1 })
//> MongoServerError[InvalidNamespace]: cannot write to test.system.buckets.no

db.getCollection("system.buckets.weather").insertOne({ a: 1 })
//> MongoServerError[InvalidNamespace]: cannot write to test.system.buckets.weather

db.createView("no", "system.buckets.weather", [])
//> MongoServerError[InvalidNamespace]: A view cannot be created on the buckets of a time-series collection

// Both go together.
db.weather.drop()
//> true

db.own.drop()
//> true

db.getCollectionNames()
//> [ 'system.views' ]

// A null is no option.
db.runCommand({ create: "own", timeseries: null }).ok
//> 1

db.getCollectionInfos({ name: "own" })[0].type
//> collection

db.runCommand({ create: "t", timeseries: { timeField: "a\0b" } })
//> MongoServerError[BadValue]: 'timeField' cannot contain embedded null bytes

db.runCommand({ create: "t", timeseries: { timeField: "t", metaField: "a\0b" } })
//> MongoServerError[BadValue]: 'metaField' cannot contain embedded null bytes
