// What createIndexes takes and refuses, and duplicate keys of each kind.
//
// Manual: reference/command/createIndexes, core/index-unique
db.c.insertMany([{_id: 1, a: 1, b: [1, 2]}, {_id: 2, a: 2, b: 3}, {_id: 3, a: 2}]).acknowledged
//> true
db.c.createIndex({a: 1})
//> a_1
db.c.createIndex({a: 1})
//> a_1
db.runCommand({createIndexes: "c", indexes: [{key: {a: 1}, name: "a_1"}]})
//> {
//>   numIndexesBefore: 2,
//>   numIndexesAfter: 2,
//>   note: 'all indexes already exist',
//>   ok: 1
//> }
db.runCommand({createIndexes: "c", indexes: [{key: {b: -1}, name: "b"}]})
//> {
//>   numIndexesBefore: 2,
//>   numIndexesAfter: 3,
//>   createdCollectionAutomatically: false,
//>   commitQuorum: 'votingMembers',
//>   ok: 1
//> }
db.runCommand({createIndexes: "new", indexes: [{key: {b: -1}, name: "b"}]})
//> {
//>   numIndexesBefore: 1,
//>   numIndexesAfter: 2,
//>   createdCollectionAutomatically: true,
//>   ok: 1
//> }
db.c.createIndex({a: 1}, {name: "other"})
//> MongoServerError[IndexOptionsConflict]: Index already exists with a different name: a_1
db.c.createIndex({a: 1}, {unique: true})
//> MongoServerError[IndexKeySpecsConflict]: An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation. Requested index: { v: 2, unique: true, key: { a: 1 }, name: "a_1" }, existing index: { v: 2, key: { a: 1 }, name: "a_1" }
db.c.createIndex({a: 1}, {unique: true, name: "u"})
//> MongoServerError[DuplicateKey]: Index build failed: <*>: Collection test.c ( <*> ) :: caused by :: E11000 duplicate key error collection: test.c index: u dup key: { a: 2 }
db.c.createIndex({a: -1, b: 1})
//> a_-1_b_1
db.c.getIndexes()
//> [
//>   { v: 2, key: { _id: 1 }, name: '_id_' },
//>   { v: 2, key: { a: 1 }, name: 'a_1' },
//>   { v: 2, key: { b: -1 }, name: 'b' },
//>   { v: 2, key: { a: -1, b: 1 }, name: 'a_-1_b_1' }
//> ]
db.c.createIndex({b: 1, c: 1}).length
//> 7
db.c.insertOne({_id: 9, b: [1], c: [2]})
//> MongoServerError: cannot index parallel arrays [c] [b]
db.c.createIndex({a: 0})
//> MongoServerError[CannotCreateIndex]: Error in specification { key: { a: 0 }, name: "a_0" } :: caused by :: Values in the index key pattern cannot be 0.
db.c.createIndex({a: "x"})
//> MongoServerError[CannotCreateIndex]: Error in specification { key: { a: "x" }, name: "a_x" } :: caused by :: Unknown index plugin 'x'
db.c.createIndex({a: 2})
//> a_2
db.c.createIndex({a: 2.5})
//> a_2.5
db.c.createIndex({})
//> MongoServerError[CannotCreateIndex]: Error in specification { key: {}, name: "" } :: caused by :: Index keys cannot be empty.
db.c.createIndex({"": 1})
//> MongoServerError[CannotCreateIndex]: Error in specification { key: { : 1 }, name: "_1" } :: caused by :: Index keys cannot be an empty field.
db.c.createIndex({"a.": 1})
//> MongoServerError[CannotCreateIndex]: Error in specification { key: { a.: 1 }, name: "a._1" } :: caused by :: Index keys cannot contain an empty field.
db.c.createIndex({"$a": 1})
//> MongoServerError[CannotCreateIndex]: Error in specification { key: { $a: 1 }, name: "$a_1" } :: caused by :: Index key contains an illegal field name: field name starts with '$'.
db.c.createIndex({"a.$b": 1})
//> MongoServerError[CannotCreateIndex]: Error in specification { key: { a.$b: 1 }, name: "a.$b_1" } :: caused by :: Index key contains an illegal field name: field name starts with '$'.
db.c.createIndex({a: 1, a: 1})
//> a_1
db.c.createIndex({a: true})
//> MongoServerError[CannotCreateIndex]: Error in specification { key: { a: true }, name: "a_true" } :: caused by :: Values in v:2 index key pattern cannot be of type bool. Only numbers > 0, numbers < 0, and strings are allowed.
db.c.createIndex({a: null})
//> MongoServerError[CannotCreateIndex]: Error in specification { key: { a: null }, name: "a_null" } :: caused by :: Values in v:2 index key pattern cannot be of type null. Only numbers > 0, numbers < 0, and strings are allowed.
db.c.createIndex({a: "text"})
//> a_text
db.c.createIndex({a: "2dsphere_bucket"})
//> MongoServerError[NotImplemented]: Error in specification { key: { a: "2dsphere_bucket" }, name: "a_2dsphere_bucket" } :: caused by :: '2dsphere_bucket' indexes are not supported
db.c.createIndex({_id: 1})
//> _id_1
db.c.createIndex({_id: -1})
//> MongoServerError[BadValue]: The field 'key' for an _id index must be {_id: 1}, but got { _id: -1 }
db.c.createIndex({_id: 1}, {unique: true})
//> MongoServerError[InvalidIndexSpecificationOption]: The field 'unique' is not valid for an _id index specification. Specification: { key: { _id: 1 }, name: "_id_1", unique: true, v: 2 }
db.c.createIndex({_id: 1}, {unique: false})
//> MongoServerError[InvalidIndexSpecificationOption]: The field 'unique' is not valid for an _id index specification. Specification: { key: { _id: 1 }, name: "_id_1", unique: false, v: 2 }
db.c.createIndex({_id: 1}, {sparse: true})
//> MongoServerError[InvalidIndexSpecificationOption]: The field 'sparse' is not valid for an _id index specification. Specification: { key: { _id: 1 }, name: "_id_1", sparse: true, v: 2 }
db.c.createIndex({_id: 1}, {name: "x"})
//> x
db.c.createIndex({_id: 1, a: 1})
//> _id_1_a_1
db.c.createIndex({z: 1}, {unique: 1})
//> MongoServerError[DuplicateKey]: Index build failed: <*>: Collection test.c ( <*> ) :: caused by :: E11000 duplicate key error collection: test.c index: z_1 dup key: { z: null }
db.c.createIndex({z1: 1}, {unique: "x"})
//> MongoServerError[TypeMismatch]: Error in specification { key: { z1: 1 }, name: "z1_1", unique: "x" } :: caused by :: The field 'unique has value unique: "x", which is not convertible to bool
db.c.createIndex({z2: 1}, {sparse: true, partialFilterExpression: {a: 1}})
//> MongoServerError[CannotCreateIndex]: Error in specification { key: { z2: 1 }, name: "z2_1", sparse: true, partialFilterExpression: { a: 1 }, v: 2 } :: caused by :: cannot mix "partialFilterExpression" and "sparse" options
db.c.createIndex({z3: 1}, {partialFilterExpression: {a: {$ne: 1}}})
//> MongoServerError[CannotCreateIndex]: Error in specification { key: { z3: 1 }, name: "z3_1", partialFilterExpression: { a: { $ne: 1 } }, v: 2 } :: caused by :: Expression not supported in partial index: $not
//>     a $eq 1
//>
db.c.createIndex({z3: 1}, {partialFilterExpression: {a: {$exists: false}}})
//> MongoServerError[CannotCreateIndex]: Error in specification { key: { z3: 1 }, name: "z3_1", partialFilterExpression: { a: { $exists: false } }, v: 2 } :: caused by :: Expression not supported in partial index: $not
//>     a exists
//>
db.c.createIndex({z4: 1}, {partialFilterExpression: {a: {$gt: 1}, b: {$exists: true}}})
//> z4_1
db.c.createIndex({z4: 1}, {partialFilterExpression: {$or: [{a: 1}, {a: {$in: [3]}}]}, name: "por"})
//> por
db.c.createIndex({z4: 1}, {partialFilterExpression: 5})
//> MongoServerError[TypeMismatch]: Error in specification { key: { z4: 1 }, name: "z4_1", partialFilterExpression: 5 } :: caused by :: The field 'partialFilterExpression' must be an object, but got int
db.c.createIndex({z5: 1}, {foo: 1})
//> MongoServerError[InvalidIndexSpecificationOption]: Error in specification { key: { z5: 1 }, name: "z5_1", foo: 1 } :: caused by :: The field 'foo' is not valid for an index specification. Specification: { key: { z5: 1 }, name: "z5_1", foo: 1 }
db.c.createIndex({z5: 1}, {name: ""})
//> MongoServerError[CannotCreateIndex]: Error in specification { key: { z5: 1 }, name: "", v: 2 } :: caused by :: index name cannot be empty
db.c.createIndex({z5: 1}, {name: 5})
//> MongoServerError[TypeMismatch]: Error in specification { key: { z5: 1 }, name: 5 } :: caused by :: The field 'name' must be a string, but got int
db.c.createIndex({z5: 1}, {name: "*"})
//> MongoServerError[BadValue]: The index name '*' is not valid.
db.c.createIndex({z6: 1}, {v: 3})
//> MongoServerError[CannotCreateIndex]: Error in specification { key: { z6: 1 }, name: "z6_1", v: 3 } :: caused by :: Invalid index specification { key: { z6: 1 }, name: "z6_1", v: 3 }; cannot create an index with v=3
db.c.createIndex({z7: 1}, {background: true})
//> z7_1
db.c.createIndex({z8: 1}, {hidden: true})
//> z8_1
db.c.createIndex({_id: 1}, {hidden: true})
//> MongoServerError[InvalidIndexSpecificationOption]: The field 'hidden' is not valid for an _id index specification. Specification: { key: { _id: 1 }, name: "_id_1", hidden: true, v: 2 }
db.c.createIndex({z9: 1}, {expireAfterSeconds: "x"})
//> MongoServerError[CannotCreateIndex]: . Index spec: { key: { z9: 1 }, name: "z9_1", expireAfterSeconds: "x" } :: caused by :: TTL index 'expireAfterSeconds' option must be numeric, but received a type of 'string'
db.c.createIndex({z9: 1}, {expireAfterSeconds: 2147483648})
//> MongoServerError[CannotCreateIndex]: . Index spec: { key: { z9: 1 }, name: "z9_1", expireAfterSeconds: 2147483648.0 } :: caused by :: TTL index 'expireAfterSeconds' must be within the range of a 32-bit integer
db.c.createIndex({z9: 1, y: 1}, {expireAfterSeconds: 1})
//> MongoServerError[CannotCreateIndex]: TTL indexes are single-field indexes, compound indexes do not support TTL. Index spec: { key: { z9: 1, y: 1 }, name: "z9_1_y_1", expireAfterSeconds: 1 }
db.c.createIndex({z9: 1}, {expireAfterSeconds: 1.7})
//> z9_1
db.c.createIndex({z9: 1}, {expireAfterSeconds: 100})
//> MongoServerError[IndexOptionsConflict]: An equivalent index already exists with the same name but different options. Requested index: { v: 2, key: { z9: 1 }, name: "z9_1", expireAfterSeconds: 100 }, existing index: { v: 2, key: { z9: 1 }, name: "z9_1", expireAfterSeconds: 1 }
db.c.createIndex({a: 1}, {expireAfterSeconds: 100})
//> MongoServerError[IndexOptionsConflict]: An equivalent index already exists with the same name but different options. Requested index: { v: 2, key: { a: 1 }, name: "a_1", expireAfterSeconds: 100 }, existing index: { v: 2, key: { a: 1 }, name: "a_1" }
db.c.createIndex({z10: 1}, {expireAfterSeconds: NaN})
//> MongoServerError[CannotCreateIndex]: . Index spec: { key: { z10: 1 }, name: "z10_1", expireAfterSeconds: NaN } :: caused by :: TTL index 'expireAfterSeconds' option must not be NaN
db.c.dropIndex("nope")
//> MongoServerError[IndexNotFound]: index not found with name [nope]
db.c.dropIndex("_id_")
//> MongoServerError[InvalidOptions]: cannot drop _id index
db.c.dropIndex({_id: 1})
//> MongoServerError[InvalidOptions]: cannot drop _id index
db.c.dropIndex({nope: 1})
//> MongoServerError[IndexNotFound]: can't find index with key: { nope: 1 }
db.c.dropIndex("a_1")
//> { nIndexesWas: 14, ok: 1 }
db.c.dropIndexes(["b", "z7_1"])
//> { nIndexesWas: 13, ok: 1 }
db.runCommand({dropIndexes: "c", index: "*"})
//> {
//>   nIndexesWas: 11,
//>   msg: 'non-_id indexes dropped for collection',
//>   ok: 1
//> }
db.runCommand({dropIndexes: "none", index: "*"})
//> MongoServerError[NamespaceNotFound]: ns not found test.none
db.runCommand({dropIndexes: "c"})
//> MongoServerError[IDLFailedToParse]: BSON field 'dropIndexes.index' is missing but a required field
db.runCommand({dropIndexes: "c", index: 5})
//> MongoServerError[TypeMismatch]: BSON field 'dropIndexes.index' is the wrong type 'int', expected types '[string, object']
db.runCommand({listIndexes: "none"})
//> MongoServerError[NamespaceNotFound]: ns does not exist: test.none
db.d.insertMany([{_id: 1, x: 1}, {_id: 2, x: 1}, {_id: 3}, {_id: 4, x: null}]).acknowledged
//> true
db.d.createIndex({x: 1}, {unique: true})
//> MongoServerError[DuplicateKey]: Index build failed: <*>: Collection test.d ( <*> ) :: caused by :: E11000 duplicate key error collection: test.d index: x_1 dup key: { x: null }
db.d.deleteMany({_id: {$in: [2, 4]}}).deletedCount
//> 2
db.d.createIndex({x: 1}, {unique: true})
//> x_1
db.d.insertOne({_id: 5})
//> MongoServerError: E11000 duplicate key error collection: test.d index: x_1 dup key: { x: null }
try { db.d.insertOne({_id: 6, x: 1}) } catch (e) { print(e.code, e.message, e.writeErrors, e.result) }
//> 11000 E11000 duplicate key error collection: test.d index: x_1 dup key: { x: 1 } undefined undefined
db.runCommand({insert: "d", documents: [{_id: 6, x: 1}, {_id: 7, x: 7}]})
//> {
//>   n: 0,
//>   writeErrors: [
//>     {
//>       index: 0,
//>       code: 11000,
//>       keyPattern: { x: 1 },
//>       keyValue: { x: 1 },
//>       errmsg: 'E11000 duplicate key error collection: test.d index: x_1 dup key: { x: 1 }'
//>     }
//>   ],
//>   ok: 1
//> }
db.runCommand({insert: "d", documents: [{_id: 6, x: 1}, {_id: 7, x: 7}, {_id: 1}], ordered: false})
//> {
//>   n: 1,
//>   writeErrors: [
//>     {
//>       index: 0,
//>       code: 11000,
//>       keyPattern: { x: 1 },
//>       keyValue: { x: 1 },
//>       errmsg: 'E11000 duplicate key error collection: test.d index: x_1 dup key: { x: 1 }'
//>     },
//>     {
//>       index: 2,
//>       code: 11000,
//>       keyPattern: { _id: 1 },
//>       keyValue: { _id: 1 },
//>       errmsg: 'E11000 duplicate key error collection: test.d index: _id_ dup key: { _id: 1 }'
//>     }
//>   ],
//>   ok: 1
//> }
db.runCommand({update: "d", updates: [{q: {_id: 7}, u: {$set: {x: 1}}}]})
//> {
//>   n: 0,
//>   nModified: 0,
//>   writeErrors: [
//>     {
//>       index: 0,
//>       code: 11000,
//>       keyPattern: { x: 1 },
//>       keyValue: { x: 1 },
//>       errmsg: 'Plan executor error during update :: caused by :: E11000 duplicate key error collection: test.d index: x_1 dup key: { x: 1 }'
//>     }
//>   ],
//>   ok: 1
//> }
db.runCommand({findAndModify: "d", query: {_id: 7}, update: {$set: {x: 1}}})
//> MongoServerError[DuplicateKey]: Plan executor error during findAndModify :: caused by :: E11000 duplicate key error collection: test.d index: x_1 dup key: { x: 1 }
db.d.createIndex({y: 1, "z.w": -1}, {unique: true, sparse: true})
//> y_1_z.w_-1
db.runCommand({insert: "d", documents: [{_id: 20, x: 20, y: [1, 2], z: [{w: 3}]}]}).writeErrors
//> [
//>   {
//>     index: 0,
//>     code: 171,
//>     errmsg: 'cannot index parallel arrays [z] [y]'
//>   }
//> ]
db.runCommand({insert: "d", documents: [{_id: 20, x: 20, y: [1, 2], z: {w: "q"}}, {_id: 21, x: 21, y: 2, z: {w: "q"}}]}).writeErrors
//> [
//>   {
//>     index: 1,
//>     code: 11000,
//>     keyPattern: { y: 1, 'z.w': -1 },
//>     keyValue: { y: 2, 'z.w': 'q' },
//>     errmsg: 'E11000 duplicate key error collection: test.d index: y_1_z.w_-1 dup key: { y: 2, z.w: "q" }'
//>   }
//> ]
db.runCommand({insert: "d", documents: [{_id: 22, x: 22, y: [5, 5]}, {_id: 23, x: 23}, {_id: 24, x: 24}]})
//> { n: 3, ok: 1 }
// One request that asks for the same index twice is refused, and makes none.
db.runCommand({createIndexes: "twice", indexes: [{key: {a: 1}, name: "a_1"}, {key: {a: 1}, name: "a_1"}]})
//> MongoServerError[IndexAlreadyExists]: Identical index already exists: a_1
db.twice.getIndexes().length
//> MongoServerError[NamespaceNotFound]: ns does not exist: test.twice
db.runCommand({createIndexes: 42, indexes: [{key: {a: 1}, name: "a_1"}]})
//> MongoServerError[BadValue]: collection name has invalid type int
// A partial index cannot be over a regular expression, but `$in` may hold one.
db.part.createIndex({a: 1}, {partialFilterExpression: {a: /^x/}})
//> MongoServerError[CannotCreateIndex]: Error in specification { key: { a: 1 }, name: "a_1", partialFilterExpression: { a: /^x/ }, v: 2 } :: caused by :: Expression not supported in partial index: { a: { $regex: "^x" } }
db.part.createIndex({a: 1}, {partialFilterExpression: {a: {$in: [/^x/, 5]}}})
//> a_1
db.part.insertMany([{_id: 1, a: "xy"}, {_id: 2, a: "y"}, {_id: 3, a: 5}]).acknowledged
//> true
db.part.validate().keysPerIndex
//> { _id_: 3, a_1: 2 }
db.part.find({a: "xy"}).toArray()
//> [ { _id: 1, a: 'xy' } ]
db.part.find({a: {$in: [5, /^x/]}}).toArray()
//> [ { _id: 1, a: 'xy' }, { _id: 3, a: 5 } ]
// Flags are kept as they were given, but for those of uniqueness and hiding, of which only a true one is.
db.flags.createIndexes([{a: 1}, {b: 1}], {background: false, sparse: false, unique: false, hidden: false})
//> [ 'a_1', 'b_1' ]
[db.flags.createIndex({c: 1}, {background: 1}), db.flags.createIndex({d: 1}, {background: 0, sparse: true})]
//> [ 'c_1', 'd_1' ]
db.flags.getIndexes()
//> [
//>   { v: 2, key: { _id: 1 }, name: '_id_' },
//>   {
//>     v: 2,
//>     key: { a: 1 },
//>     name: 'a_1',
//>     background: false,
//>     sparse: false
//>   },
//>   {
//>     v: 2,
//>     key: { b: 1 },
//>     name: 'b_1',
//>     background: false,
//>     sparse: false
//>   },
//>   { v: 2, key: { c: 1 }, name: 'c_1', background: true },
//>   { v: 2, key: { d: 1 }, name: 'd_1', background: false, sparse: true }
//> ]
// An index that differs in such a flag alone is there already.
[db.flags.createIndex({a: 1}, {background: true}), db.flags.createIndex({a: 1}), db.flags.getIndexes().length]
//> [ 'a_1', 'a_1', 5 ]
// Version 1: neither decimals nor a collation.
[db.old.createIndex({a: 1}, {v: 1}), db.old.createIndex({h: "hashed"}, {v: NumberLong(1), unique: false}), db.old.createIndex({a: 1}, {v: 2})]
//> [ 'a_1', 'h_hashed', 'a_1' ]
db.old.getIndexes()
//> [
//>   { v: 2, key: { _id: 1 }, name: '_id_' },
//>   { v: 1, key: { a: 1 }, name: 'a_1' },
//>   { v: 1, key: { h: 'hashed' }, name: 'h_hashed' }
//> ]
db.old.insertMany([{_id: 1, a: 1, b: NumberDecimal("1")}, {_id: 2, a: [2, "x"], h: NumberDecimal("2.5")}]).acknowledged
//> true
db.old.find({a: 2}).explain().queryPlanner.winningPlan.inputStage.indexVersion
//> 1
db.old.find({a: {$gte: NumberDecimal("1.5")}}, {a: 1}).toArray()
//> [ { _id: 2, a: [ 2, 'x' ] } ]
const old = (f) => { try { return f() } catch (e) { return e.code + " " + e.codeName + " " + e.message } }
[old(() => db.old.insertOne({a: NumberDecimal("1")})), old(() => db.old.insertOne({a: [{b: {c: NumberDecimal("1")}}]})), old(() => db.old.updateOne({_id: 1}, {$set: {a: NumberDecimal("1")}})), old(() => db.old.createIndex({b: 1}, {v: 1})).replace(/[0-9a-f]{8}-[0-9a-f-]+/g, "*")]
//> [
//>   '12 undefined Index version does not support NumberDecimal',
//>   '12 undefined Index version does not support NumberDecimal',
//>   '12 undefined Plan executor error during update :: caused by :: Index version does not support NumberDecimal',
//>   '12 UnsupportedFormat Index build failed: *: Collection test.old ( * ) :: caused by :: Index version does not support NumberDecimal'
//> ]
[old(() => db.old.createIndex({"$**": 1}, {v: 1})), old(() => db.old.createIndex({z: 1}, {v: 1, collation: {locale: "en", strength: 2}})), old(() => db.old.createIndex({z: 1}, {v: 1, collation: {locale: "simple"}})), old(() => db.old.createIndex({z: 1}, {v: 1.5}))]
//> [
//>   `67 CannotCreateIndex Error in specification { key: { $**: 1 }, name: "$**_1", v: 1 } :: caused by :: 'wildcard' index plugin is not allowed with index version v:1`,
//>   `67 CannotCreateIndex Error in specification { key: { z: 1 }, name: "z_1", v: 1, collation: { locale: "en", strength: 2 } } :: caused by :: Invalid index specification { key: { z: 1 }, name: "z_1", v: 1, collation: { locale: "en", strength: 2 } }; cannot create an index with the 'collation' option and v=1`,
//>   `67 CannotCreateIndex Error in specification { key: { z: 1 }, name: "z_1", v: 1, collation: { locale: "simple" } } :: caused by :: Invalid index specification { key: { z: 1 }, name: "z_1", v: 1, collation: { locale: "simple" } }; cannot create an index with the 'collation' option and v=1`,
//>   '2 BadValue Error in specification { key: { z: 1 }, name: "z_1", v: 1.5 } :: caused by :: Index version must be representable as a 32-bit integer, but got 1.5'
//> ]
db.old.validate().valid
//> true
// What a filter of no index may have is refused before the rest.
for (const filter of [{$expr: {$gt: ["$a", 1]}}, {a: 1, $jsonSchema: {}}, {$where: "true"}, {$text: {$search: "a"}}]) { try { db.part.createIndex({q: 1}, {partialFilterExpression: filter}) } catch (error) { print(error.code, error.message.split(" :: caused by :: ")[1]) } }
//> 224 $expr is not allowed in this context
//> 224 $jsonSchema is not allowed in this context
//> 2 $where is not allowed in this context
//> 2 $text is not allowed in this context
