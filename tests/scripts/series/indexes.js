// Time series: indexes of measurements are indexes of buckets. Manual: core/timeseries/timeseries-secondary-index.
db.createCollection("s", { timeseries: { timeField: "t", metaField: "m" } })
//> { ok: 1 }

db.s.createIndex({ "m.kind": 1, t: -1 })
//> m.kind_1_t_-1

db.s.createIndex({ v: 1 })
//> v_1

db.s.createIndex({ "v.x": -1, "m.a": 1 }, { name: "both" })
//> both

db.s.createIndex({ m: "hashed" })
//> m_hashed

db.s.createIndex({ "m.a": 1 }, { sparse: true, name: "sparse" })
//> sparse

db.s.createIndex({ v: 1 })
//> v_1

db.s.getIndexes()
//> [
//>   { v: 2, key: { m: 1, t: 1 }, name: 'm_1_t_1' },
//>   { v: 2, key: { 'm.kind': 1, t: -1 }, name: 'm.kind_1_t_-1' },
//>   { v: 2, key: { v: 1 }, name: 'v_1' },
//>   { v: 2, key: { 'v.x': -1, 'm.a': 1 }, name: 'both' },
//>   { v: 2, key: { m: 'hashed' }, name: 'm_hashed' },
//>   { v: 2, key: { 'm.a': 1 }, name: 'sparse', sparse: true }
//> ]

db.getCollection("system.buckets.s").getIndexes()
//> [
//>   {
//>     v: 2,
//>     key: { meta: 1, 'control.min.t': 1, 'control.max.t': 1 },
//>     name: 'm_1_t_1'
//>   },
//>   {
//>     v: 2,
//>     key: { 'meta.kind': 1, 'control.max.t': -1, 'control.min.t': -1 },
//>     name: 'm.kind_1_t_-1'
//>   },
//>   {
//>     v: 2,
//>     key: { 'control.min.v': 1, 'control.max.v': 1 },
//>     name: 'v_1',
//>     originalSpec: { key: { v: 1 }, name: 'v_1' }
//>   },
//>   {
//>     v: 2,
//>     key: { 'control.max.v.x': -1, 'control.min.v.x': -1, 'meta.a': 1 },
//>     name: 'both',
//>     originalSpec: { key: { 'v.x': -1, 'm.a': 1 }, name: 'both' }
//>   },
//>   { v: 2, key: { meta: 'hashed' }, name: 'm_hashed' },
//>   { v: 2, key: { 'meta.a': 1 }, name: 'sparse', sparse: true }
//> ]

db.s.createIndex({ v: 1 }, { unique: true })
//> MongoServerError[InvalidOptions]: Unique indexes are not supported on time-series collections

db.s.createIndex({ v: 1 }, { sparse: true })
//> MongoServerError[InvalidOptions]: Sparse indexes are not supported on time-series measurements

db.s.createIndex({ v: "text" })
//> MongoServerError[InvalidOptions]: Text indexes are not supported on time-series collections

db.s.createIndex({ v: "hashed" })
//> MongoServerError[CannotCreateIndex]: BadValue: Invalid index spec for time-series collection: { v: "hashed" }. Indexes on measurement fields must be ascending or descending (numbers only), or '2dsphere': v: "hashed"

db.s.createIndex({ t: "hashed" })
//> MongoServerError[CannotCreateIndex]: BadValue: Invalid index spec for time-series collection: { t: "hashed" }. Indexes on the time field must be ascending or descending (numbers only): t: "hashed"

db.s.createIndex({ t: 1 }, { expireAfterSeconds: 5 })
//> MongoServerError[InvalidOptions]: TTL indexes on time-series collections require a partialFilterExpression on the metaField

db.s.createIndex({ "m.a": 1 }, { expireAfterSeconds: 5, partialFilterExpression: { "m.a": 1 } })
//> MongoServerError[InvalidOptions]: TTL indexes on non-time fields are not supported on time-series collections

db.s.createIndex({ t: 1 }, { expireAfterSeconds: 3600, partialFilterExpression: { "m.kind": "short" } })
//> t_1

db.s.createIndex({ t: 1 }, { name: "ends", expireAfterSeconds: 3600, partialFilterExpression: { v: { $gt: 1 } } })
//> MongoServerError[InvalidOptions]: TTL indexes on time-series collections require a partialFilterExpression on the metaField

db.s.createIndex({ v: -1 }, { partialFilterExpression: { v: { $exists: true } } })
//> MongoServerError[Location5916301]: Error translating non-metadata time-series predicate to operate on buckets: { v: { $exists: true } }

db.s.createIndex({ v: -1 }, { partialFilterExpression: { v: { $ne: 1 } } })
//> MongoServerError[CannotCreateIndex]: Expression not supported in partial index: $not
//>     v $eq 1
//>

db.s.getIndexes().at(-1)
//> {
//>   v: 2,
//>   key: { t: 1 },
//>   name: 't_1',
//>   expireAfterSeconds: 3600,
//>   partialFilterExpression: { 'm.kind': 'short' }
//> }

db.getCollection("system.buckets.s").getIndexes().at(-1)
//> {
//>   v: 2,
//>   key: { 'control.min.t': 1 },
//>   name: 't_1',
//>   expireAfterSeconds: 3600,
//>   partialFilterExpression: { 'meta.kind': 'short' },
//>   originalSpec: {
//>     key: { t: 1 },
//>     name: 't_1',
//>     expireAfterSeconds: 3600,
//>     partialFilterExpression: { 'm.kind': 'short' }
//>   }
//> }

db.s.insertMany([{ t: new Date(0), m: { kind: "short", a: 1 }, v: 1 }, { t: new Date(0), m: { kind: "long", a: 2 }, v: 2 }]).acknowledged
//> true

db.s.find({ "m.kind": "long" }, { _id: 0 }).hint({ "m.kind": 1, t: -1 })
//> [
//>   {
//>     t: ISODate('1970-01-01T00:00:00.000Z'),
//>     m: { a: 2, kind: 'long' },
//>     v: 2
//>   }
//> ]

db.s.find({ "m.kind": "long" }).hint("m.kind_1_t_-1").explain().stages[0].$cursor.queryPlanner.winningPlan.inputStage.keyPattern
//> { 'meta.kind': 1, 'control.max.t': -1, 'control.min.t': -1 }

db.s.find({ v: 2 }, { _id: 0 }).hint({ v: 1 })
//> [
//>   {
//>     t: ISODate('1970-01-01T00:00:00.000Z'),
//>     m: { a: 2, kind: 'long' },
//>     v: 2
//>   }
//> ]

db.s.find({ v: 2 }).hint({ nothing: 1 })
//> MongoServerError[BadValue]: error processing query: planner returned error :: caused by :: hint provided does not correspond to an existing index

db.runCommand({ collMod: "s", index: { keyPattern: { v: 1 }, hidden: true } })
//> { hidden_old: false, hidden_new: true, ok: 1 }

db.s.getIndexes().find((index) => index.hidden)
//> { v: 2, key: { v: 1 }, name: 'v_1', hidden: true }

db.s.aggregate([{ $indexStats: {} }, { $match: { name: "v_1" } }, { $project: { key: 1, name: 1 } }])
//> [ { name: 'v_1', key: { v: 1 } } ]

db.s.dropIndex({ "m.kind": 1, t: -1 })
//> { nIndexesWas: 7, ok: 1 }

db.s.dropIndex("both")
//> { nIndexesWas: 6, ok: 1 }

db.s.insertOne({ t: new Date(0), m: 1, v: [1, 2] })
//> MongoServerError: Indexed measurement field contains an array value

db.s.dropIndex({ nothing: 1 })
//> MongoServerError[IndexNotFound]: can't find index with key: { control.min.nothing: 1, control.max.nothing: 1 }

db.s.dropIndexes()
//> {
//>   nIndexesWas: 5,
//>   msg: 'non-_id indexes dropped for collection',
//>   ok: 1
//> }

db.s.getIndexes()
//> []

// Without the index over meta field and time measurements still come to their bucket.
db.s.insertOne({ t: new Date(0), m: { kind: "long", a: 2 }, v: 3 }).acknowledged
//> true

db.getCollection("system.buckets.s").find({ "meta.a": 2 }, { _id: 0, "control.count": 1 })
//> [ { control: { count: 2 } } ]

// A partial index over measurements holds the buckets that may have one which its filter matches.
db.createCollection("p", { timeseries: { timeField: "t", metaField: "m" } }).ok
//> 1

db.p.createIndex({ v: -1 }, { name: "high", partialFilterExpression: { v: { $gt: 10 } } })
//> high

db.p.createIndex({ w: 1 }, { name: "low", partialFilterExpression: { w: { $lte: 5 }, m: { $exists: true } } })
//> low

db.p.createIndex({ t: 1 }, { name: "late", partialFilterExpression: { t: { $gte: new Date(5000) } } })
//> late

db.p.getIndexes().map(({ name, key, partialFilterExpression }) => ({ name, key, partialFilterExpression }))
//> [
//>   {
//>     name: 'm_1_t_1',
//>     key: { m: 1, t: 1 },
//>     partialFilterExpression: undefined
//>   },
//>   {
//>     name: 'high',
//>     key: { v: -1 },
//>     partialFilterExpression: { v: { '$gt': 10 } }
//>   },
//>   {
//>     name: 'low',
//>     key: { w: 1 },
//>     partialFilterExpression: { w: { '$lte': 5 }, m: { '$exists': true } }
//>   },
//>   {
//>     name: 'late',
//>     key: { t: 1 },
//>     partialFilterExpression: { t: { '$gte': ISODate('1970-01-01T00:00:05.000Z') } }
//>   }
//> ]

db.p.insertMany(Array.from({ length: 40 }, (_, i) => ({ _id: i, t: new Date(i * 250), m: i % 8, v: i % 8 + i / 10, w: i % 3 ? i : "x" + i }))).acknowledged
//> true

db.p.validate().keysPerIndex
//> { _id_: 8, m_1_t_1: 8, high: 1, low: 4, late: 8 }

const search = (filter) => { const cursor = () => db.p.find(filter); return [/"indexName":"(\w+)"/.exec(JSON.stringify(cursor().explain()))?.[1] ?? "none", cursor().toArray().length === cursor().hint({ $natural: 1 }).toArray().length] }

[{ v: { $gt: 10 } }, { v: { $gt: 10.5 } }, { v: 10.6 }, { v: { $gte: 10 } }, { v: { $lt: 20 } }, { w: { $lt: 4 } }, { t: { $gt: new Date(7000) } }, { t: { $gt: new Date(4999) } }].map(search)
//> [
//>   [ 'high', true ],
//>   [ 'high', true ],
//>   [ 'high', true ],
//>   [ 'none', true ],
//>   [ 'none', true ],
//>   [ 'none', true ],
//>   [ 'late', true ],
//>   [ 'none', true ]
//> ]

const low = { w: { $lt: 4 }, m: { $exists: true } };

[db.p.find(low).hint("low").toArray().length, db.p.find(low).hint({ $natural: 1 }).toArray().length]
//> [ 2, 2 ]

db.p.deleteMany({ v: { $gt: 10 } }).deletedCount
//> 2

[db.p.validate().valid, db.p.validate().keysPerIndex.high]
//> [ true, 0 ]
