// Limits and what is virtual: nesting, 16 MiB, batches, system.indexes and system.namespaces, and TTL to the letter.
//
// Manual: reference/limits, core/index-ttl, reference/command/collMod
const run = (c) => { try { return db.runCommand(c) } catch (e) { return e.code + " " + e.codeName + " " + e.message } }
const nest = (n) => { let d = {x: 1}; for (let i = 1; i < n; i++) d = {a: d}; return d }
run({insert: "n", documents: [{_id: 1, d: nest(170)}]})
//> { n: 1, ok: 1 }
run({insert: "n", documents: [{_id: 2, d: nest(179)}]})
//> { n: 1, ok: 1 }
run({insert: "n", documents: [{_id: 3, d: nest(180)}]})
//> {
//>   n: 0,
//>   writeErrors: [
//>     {
//>       index: 0,
//>       code: 15,
//>       errmsg: 'cannot insert document because it exceeds 180 levels of nesting'
//>     }
//>   ],
//>   ok: 1
//> }
run({update: "n", updates: [{q: {_id: 1}, u: {$set: {["b" + ".b".repeat(178)]: 1}}}]})
//> { n: 1, nModified: 1, ok: 1 }
run({update: "n", updates: [{q: {_id: 1}, u: {$set: {["c" + ".b".repeat(185)]: 1}}}]})
//> {
//>   n: 0,
//>   nModified: 0,
//>   writeErrors: [
//>     {
//>       index: 0,
//>       code: 15,
//>       errmsg: 'Document exceeds maximum nesting depth of 180'
//>     }
//>   ],
//>   ok: 1
//> }
run({insert: "big", documents: [{_id: 1, s: "x".repeat(16 * 1024 * 1024 - 30)}]})
//> { n: 1, ok: 1 }
run({insert: "big", documents: [{_id: 2, s: "x".repeat(16 * 1024 * 1024)}]})
//> {
//>   n: 0,
//>   writeErrors: [
//>     {
//>       index: 0,
//>       code: 10334,
//>       errmsg: 'object to insert too large. size in bytes: 16777238, max size: 16777216'
//>     }
//>   ],
//>   ok: 1
//> }
run({update: "big", updates: [{q: {_id: 1}, u: {$set: {t: "x".repeat(100)}}}]})
//> {
//>   n: 0,
//>   nModified: 0,
//>   writeErrors: [
//>     {
//>       index: 0,
//>       code: 17419,
//>       errmsg: 'Plan executor error during update :: caused by :: Resulting document after update is larger than 16777216'
//>     }
//>   ],
//>   ok: 1
//> }
run({update: "big", updates: [{q: {_id: 3}, u: {$set: {s: "x".repeat(16 * 1024 * 1024)}}, upsert: true}]})
//> {
//>   n: 0,
//>   nModified: 0,
//>   writeErrors: [
//>     {
//>       index: 0,
//>       code: 17419,
//>       errmsg: 'Plan executor error during update :: caused by :: Resulting document after update is larger than 16777216'
//>     }
//>   ],
//>   ok: 1
//> }
db.c.insertMany([{_id: 1, a: 1}, {_id: 2, b: 1}]).acknowledged
//> true
db.c.createIndex({a: 1}, {sparse: true})
//> a_1
db.system.indexes.find().toArray()
//> [
//>   { v: 2, key: { _id: 1 }, name: '_id_', ns: 'test.big' },
//>   { v: 2, key: { _id: 1 }, name: '_id_', ns: 'test.c' },
//>   { v: 2, key: { a: 1 }, name: 'a_1', ns: 'test.c', sparse: true },
//>   { v: 2, key: { _id: 1 }, name: '_id_', ns: 'test.n' }
//> ]
db.system.namespaces.find().toArray()
//> [
//>   { name: 'test.big', options: {} },
//>   { name: 'test.big.$_id_' },
//>   { name: 'test.c', options: {} },
//>   { name: 'test.c.$_id_' },
//>   { name: 'test.c.$a_1' },
//>   { name: 'test.n', options: {} },
//>   { name: 'test.n.$_id_' }
//> ]
db.system.indexes.insertOne({a: 1})
//> MongoServerError[InvalidNamespace]: cannot write to 'test.system.indexes'
db.system.namespaces.drop()
//> MongoServerError[IllegalOperation]: can't drop system collection test.system.namespaces
db.system.indexes.remove({})
//> MongoServerError[InvalidNamespace]: cannot write to 'test.system.indexes'
db.system.indexes.update({}, {$set: {a: 1}})
//> MongoServerError[InvalidNamespace]: cannot write to 'test.system.indexes'
db.system.indexes.count({ns: "test.c"})
//> 2
db.system.indexes.createIndex({a: 1})
//> MongoServerError[InvalidNamespace]: Invalid system namespace: test.system.indexes
db.system.indexes.aggregate([{$match: {ns: "test.c"}}, {$count: "n"}]).toArray()
//> [ { n: 2 } ]
db.getCollectionNames()
//> [ 'big', 'c', 'n' ]
db.c.find().sort({a: 1}).toArray()
//> [ { _id: 2, b: 1 }, { _id: 1, a: 1 } ]
db.c.find().sort({a: 1}).hint("a_1").toArray()
//> [ { _id: 1, a: 1 } ]
db.c.find({a: {$exists: false}}).hint("a_1").toArray()
//> []
const r = run({find: "c", batchSize: 0}); r.cursor.firstBatch
//> []
run({getMore: r.cursor.id, collection: "c", batchSize: 1}).cursor.nextBatch
//> [ { _id: 1, a: 1 } ]
run({getMore: r.cursor.id, collection: "other"})
//> 13 Unauthorized Requested getMore on namespace 'test.other', but cursor belongs to a different namespace test.c
run({getMore: r.cursor.id, collection: "c", batchSize: -1})
//> 2 BadValue BSON field 'batchSize' value must be >= 0, actual value '-1'
run({getMore: r.cursor.id, collection: "c", maxTimeMS: 10})
//> 2 BadValue cannot set maxTimeMS on getMore command for a non-awaitData cursor
run({getMore: r.cursor.id, collection: "c"})
//> {
//>   cursor: { nextBatch: [ { _id: 2, b: 1 } ], id: Long('0'), ns: 'test.c' },
//>   ok: 1
//> }
for (let i = 0; i < 250; i++) db.many.insertOne({_id: i})
const m = run({find: "many"}); [m.cursor.firstBatch.length, run({getMore: m.cursor.id, collection: "many"}).cursor.nextBatch.length]
//> [ 101, 149 ]
run({find: "many", batchSize: 10, singleBatch: true}).cursor.id
//> Long('0')
run({find: "many", limit: 150, batchSize: 100}).cursor.firstBatch.length
//> 100
run({find: "many", batchSize: 250}).cursor.id
//> Long('<*>')
run({aggregate: "many", pipeline: [], cursor: {}}).cursor.firstBatch.length
//> 101
run({aggregate: "many", pipeline: []})
//> 9 FailedToParse The 'cursor' option is required, except for aggregate with the explain argument
run({aggregate: "many", pipeline: [], cursor: {batchSize: 0}}).cursor.firstBatch.length
//> 0
run({aggregate: 1, pipeline: [{$match: {}}], cursor: {}})
//> 73 InvalidNamespace {aggregate: 1} is not valid for '$match'; a collection is required.
run({aggregate: 1, pipeline: [], cursor: {}})
//> 73 InvalidNamespace {aggregate: 1} is not valid for an empty pipeline.
db.ttl.insertMany([{_id: "arr", at: [new Date("2030-01-01"), new Date("2020-01-01")]}, {_id: "arrnodate", at: ["x", 5]}, {_id: "sub", at: {d: new Date(0)}}, {_id: "future", at: new Date("2027-01-01")}, {_id: "past", at: new Date("2025-01-01")}, {_id: "ts", at: Timestamp({t: 1, i: 1})}, {_id: "null", at: null}, {_id: "num", at: 5}]).acknowledged
//> true
db.ttl.createIndex({at: 1}, {expireAfterSeconds: 0})
//> at_1
db.ttl.find({}, {_id: 1}).toArray().map(d => d._id).join()
//> arr,arrnodate,sub,future,past,ts,null,num
clock.advance("60s")
db.ttl.find({}, {_id: 1}).toArray().map(d => d._id).join()
//> arrnodate,sub,future,ts,null,num
clock.advance("366d")
db.ttl.find({}, {_id: 1}).toArray().map(d => d._id).join()
//> arrnodate,sub,ts,null,num
clock.reset()
run({collMod: "ttl", index: {keyPattern: {at: 1}, expireAfterSeconds: "x"}})
//> 14 TypeMismatch BSON field 'collMod.index.expireAfterSeconds' is the wrong type 'string', expected types '[long, int, decimal, double']
run({collMod: "ttl", index: {keyPattern: {at: 1}, expireAfterSeconds: -1}})
//> 72 InvalidOptions TTL index 'expireAfterSeconds' option cannot be less than 0
run({collMod: "ttl", index: {name: "at_1", expireAfterSeconds: 50}})
//> {
//>   expireAfterSeconds_old: Long('0'),
//>   expireAfterSeconds_new: Long('50'),
//>   ok: 1
//> }
run({collMod: "ttl", index: {name: "at_1", expireAfterSeconds: 50}})
//> { ok: 1 }
run({collMod: "ttl", index: {name: "nope", expireAfterSeconds: 50}})
//> 27 IndexNotFound cannot find index nope for ns test.ttl
run({collMod: "ttl", index: {name: "at_1", keyPattern: {at: 1}, expireAfterSeconds: 50}})
//> 72 InvalidOptions Cannot specify both key pattern and name.
run({collMod: "ttl", index: {name: "at_1"}})
//> 72 InvalidOptions no expireAfterSeconds, hidden, unique, or prepareUnique field
run({collMod: "ttl", index: {expireAfterSeconds: 5}})
//> 72 InvalidOptions Must specify either index name or key pattern.
run({collMod: "ttl", index: {name: "_id_", expireAfterSeconds: 5}})
//> 72 InvalidOptions the _id field does not support TTL indexes
run({collMod: "ttl", index: {name: "_id_", hidden: true}})
//> 2 BadValue can't hide _id index
run({collMod: "ttl", index: {name: "at_1", hidden: true}})
//> { hidden_old: false, hidden_new: true, ok: 1 }
run({collMod: "ttl", index: {name: "at_1", hidden: true}})
//> { ok: 1 }
run({collMod: "ttl", index: {name: "at_1", hidden: false, expireAfterSeconds: 7}})
//> {
//>   expireAfterSeconds_old: Long('50'),
//>   expireAfterSeconds_new: Long('7'),
//>   hidden_old: true,
//>   hidden_new: false,
//>   ok: 1
//> }
db.ttl.createIndex({plain: 1})
//> plain_1
run({collMod: "ttl", index: {name: "plain_1", expireAfterSeconds: 7}})
//> { expireAfterSeconds_new: Long('7'), ok: 1 }
db.ttl.createIndex({x: 1, y: 1})
//> x_1_y_1
run({collMod: "ttl", index: {name: "x_1_y_1", expireAfterSeconds: 7}})
//> 72 InvalidOptions TTL indexes are single-field indexes, compound indexes do not support TTL
run({collMod: "none", index: {name: "x_1_y_1", expireAfterSeconds: 7}})
//> 26 NamespaceNotFound ns does not exist
run({collMod: "ttl", index: {name: "at_1", foo: 7}})
//> 40415 IDLUnknownField BSON field 'collMod.index.foo' is an unknown field.
run({collMod: "ttl", index: 5})
//> 14 TypeMismatch BSON field 'collMod.index' is the wrong type 'int', expected type 'object'
db.ttl.getIndexes()
//> [
//>   { v: 2, key: { _id: 1 }, name: '_id_' },
//>   { v: 2, key: { at: 1 }, name: 'at_1', expireAfterSeconds: 7 },
//>   { v: 2, key: { plain: 1 }, name: 'plain_1', expireAfterSeconds: 7 },
//>   { v: 2, key: { x: 1, y: 1 }, name: 'x_1_y_1' }
//> ]
