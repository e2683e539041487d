// What the legacy names throw where a write failed: mongosh's errors, with all that was done and all that was not.
//
// Manual: reference/method/db.collection.insert, reference/method/db.collection.update, reference/method/db.collection.remove
const thrown = (f) => { try { f(); return "nothing" } catch (e) { return e } }
const kind = (f) => { const e = thrown(f); return [e.name, e.code, e.codeName, e instanceof MongoServerError, e.message] }
db.c.createIndex({ n: 1 }, { unique: true })
//> n_1
db.c.insert([{ _id: 1, n: 1 }, { _id: 2, n: 2 }])
//> BulkWriteResult({
//> 	"writeErrors" : [ ],
//> 	"writeConcernErrors" : [ ],
//> 	"nInserted" : 2,
//> 	"nUpserted" : 0,
//> 	"nMatched" : 0,
//> 	"nModified" : 0,
//> 	"nRemoved" : 0,
//> 	"upserted" : [ ]
//> })
const ordered = thrown(() => db.c.insert([{ _id: 3, n: 3 }, { _id: 4, n: 1 }, { _id: 5, n: 5 }]))
print(ordered.name, ordered.code, ordered instanceof MongoServerError, ordered.insertedCount, ordered.insertedIds, ordered.writeErrors.length)
//> MongoBulkWriteError 11000 true 1 { '0': 3 } 1
const all = thrown(() => db.c.insert([{ _id: 6, n: 6 }, { _id: 7, n: 1 }, { _id: 8, n: 2 }, { _id: 9, n: 9 }], { ordered: false }))
all.insertedIds
//> { '0': 6, '3': 9 }
all.writeErrors.map((one) => [one.index, one.code, one.getOperation()._id, one.errmsg])
//> [
//>   [
//>     1,
//>     11000,
//>     7,
//>     'E11000 duplicate key error collection: test.c index: n_1 dup key: { n: 1 }'
//>   ],
//>   [
//>     2,
//>     11000,
//>     8,
//>     'E11000 duplicate key error collection: test.c index: n_1 dup key: { n: 2 }'
//>   ]
//> ]
// The lists that the result is asked for are those of the error.
const { result } = all
print(result.hasWriteErrors(), result.getWriteErrorCount(), result.getWriteErrorAt(1).index, result.getWriteErrorAt(2), result.getWriteErrors() === all.writeErrors, result.getWriteConcernError(), result.isOk())
//> true 2 2 undefined true undefined true
result.getRawResponse().insertedIds
//> [ { index: 0, _id: 6 }, { index: 3, _id: 9 } ]
db.c.find({}, { n: 0 }).toArray().map((one) => one._id)
//> [ 1, 2, 3, 6, 9 ]
// An update and a removal are one statement each: the server's own error.
kind(() => db.c.update({ _id: 1 }, { $set: { n: 2 } }))
//> [
//>   'MongoServerError',
//>   11000,
//>   undefined,
//>   true,
//>   'Plan executor error during update :: caused by :: E11000 duplicate key error collection: test.c index: n_1 dup key: { n: 2 }'
//> ]
thrown(() => db.c.update({ _id: 1 }, { n: 2 })).keyValue
//> { n: 2 }
kind(() => db.c.update({ _id: 99 }, { _id: 98, n: 98 }, { upsert: true }))
//> [
//>   'MongoServerError',
//>   66,
//>   undefined,
//>   true,
//>   "Plan executor error during update :: caused by :: After applying the update, the (immutable) field '_id' was found to have been altered to _id: 98"
//> ]
kind(() => db.c.update({}, { n: 1 }, { multi: true }))
//> [
//>   'MongoServerError',
//>   9,
//>   undefined,
//>   true,
//>   'multi update is not supported for replacement-style update'
//> ]
kind(() => db.c.update({ _id: 1 }, { $push: { n: 1 } }))
//> [
//>   'MongoServerError',
//>   2,
//>   undefined,
//>   true,
//>   "Plan executor error during update :: caused by :: The field 'n' must be an array but is of type int in document {_id: 1}"
//> ]
kind(() => db.c.update({ $n: 1 }, { $set: { m: 1 } }))
//> [
//>   'MongoServerError',
//>   2,
//>   undefined,
//>   true,
//>   "unknown top level operator: $n. If you have a field name that starts with a '$' symbol, consider using $getField or $setField."
//> ]
kind(() => db.c.remove({ n: { $foo: 1 } }))
//> [ 'MongoServerError', 2, undefined, true, 'unknown operator: $foo' ]
kind(() => db.c.remove({}, { justOne: true, optoin: 1 }))
//> [
//>   'MongoServerError',
//>   40415,
//>   'IDLUnknownField',
//>   true,
//>   "BSON field 'delete.deletes.optoin' is an unknown field."
//> ]
kind(() => db.c.save({ _id: 1, n: 2 }))
//> [
//>   'MongoServerError',
//>   11000,
//>   undefined,
//>   true,
//>   'Plan executor error during update :: caused by :: E11000 duplicate key error collection: test.c index: n_1 dup key: { n: 2 }'
//> ]
kind(() => db.c.save({ n: 2 }))
//> [
//>   'MongoBulkWriteError',
//>   11000,
//>   undefined,
//>   true,
//>   'E11000 duplicate key error collection: test.c index: n_1 dup key: { n: 2 }'
//> ]
// A command that is not taken at all: an insert is a batch, as insertMany's is.
db.createView("v", "c", [])
//> { ok: 1 }
kind(() => db.v.insert({ a: 1 }))
//> [
//>   'MongoBulkWriteError',
//>   166,
//>   undefined,
//>   true,
//>   'Namespace test.v is a view, not a collection'
//> ]
kind(() => db.v.insertMany([{ a: 1 }]))
//> [
//>   'MongoBulkWriteError',
//>   166,
//>   undefined,
//>   true,
//>   'Namespace test.v is a view, not a collection'
//> ]
kind(() => db.v.insertOne({ a: 1 }))
//> [
//>   'MongoServerError',
//>   166,
//>   undefined,
//>   true,
//>   'Namespace test.v is a view, not a collection'
//> ]
kind(() => db.v.update({}, { $set: { a: 1 } }))
//> [
//>   'MongoServerError',
//>   166,
//>   undefined,
//>   true,
//>   'Namespace test.v is a view, not a collection'
//> ]
kind(() => db.v.remove({}))
//> [
//>   'MongoServerError',
//>   166,
//>   undefined,
//>   true,
//>   'Namespace test.v is a view, not a collection'
//> ]
kind(() => db.c.insert({ _id: 40 }, { optoin: 1 }))
//> [
//>   'MongoBulkWriteError',
//>   40415,
//>   'IDLUnknownField',
//>   true,
//>   "BSON field 'insert.optoin' is an unknown field."
//> ]
db.v.insert({ _id: 1 })
//> MongoBulkWriteError: Namespace test.v is a view, not a collection
//> Result: BulkWriteResult {
//>   insertedCount: 0,
//>   matchedCount: 0,
//>   modifiedCount: 0,
//>   deletedCount: 0,
//>   upsertedCount: 0,
//>   upsertedIds: {},
//>   insertedIds: {}
//> }
//> Write Errors: [
//>   WriteError {
//>     err: {
//>       index: 0,
//>       code: 166,
//>       errmsg: 'Namespace test.v is a view, not a collection',
//>       errInfo: undefined,
//>       op: { _id: 1 }
//>     }
//>   }
//> ]
// A validator's particulars.
db.createCollection("strict", { validator: { a: { $type: "string" } } })
//> { ok: 1 }
thrown(() => db.strict.insert({ _id: 1, a: 5 })).writeErrors[0].errInfo
//> {
//>   failingDocumentId: 1,
//>   details: {
//>     operatorName: '$type',
//>     specifiedAs: { a: { '$type': 'string' } },
//>     reason: 'type did not match',
//>     consideredValue: 5,
//>     consideredType: 'int'
//>   }
//> }
db.strict.insert({ _id: 1, a: "x" })
//> WriteResult({ "nInserted" : 1 })
const { errInfo } = thrown(() => db.strict.update({ _id: 1 }, { $set: { a: 5 } }))
errInfo.failingDocumentId
//> 1
// What is missing is refused by the shell, and an empty batch as the driver refuses it.
kind(() => db.c.insert())
//> [
//>   'MongoshInvalidInputError',
//>   'COMMON-10001',
//>   undefined,
//>   false,
//>   '[COMMON-10001] Missing required argument at position 0 (Collection.insert)'
//> ]
kind(() => db.c.update({}))
//> [
//>   'MongoshInvalidInputError',
//>   'COMMON-10001',
//>   undefined,
//>   false,
//>   '[COMMON-10001] Missing required argument at position 1 (Collection.update)'
//> ]
kind(() => db.c.remove())
//> [
//>   'MongoshInvalidInputError',
//>   'COMMON-10001',
//>   undefined,
//>   false,
//>   '[COMMON-10001] Missing required argument at position 0 (Collection.remove)'
//> ]
kind(() => db.c.insert([]))
//> [
//>   'MongoInvalidArgumentError',
//>   undefined,
//>   undefined,
//>   false,
//>   'Invalid BulkOperation, Batch cannot be empty'
//> ]
kind(() => db.c.bulkWrite([]))
//> [
//>   'MongoInvalidArgumentError',
//>   undefined,
//>   undefined,
//>   false,
//>   'Invalid BulkOperation, Batch cannot be empty'
//> ]
kind(() => db.c.insert([{ _id: 20 }, 5]))
//> [
//>   'MongoInvalidArgumentError',
//>   undefined,
//>   undefined,
//>   false,
//>   'Argument "doc" must be an object'
//> ]
// What was done: the legacy results, whose questions for errors are answered.
const one = db.c.update({ _id: 30 }, { $set: { n: 30 } }, { upsert: true })
print(one.nMatched, one.nUpserted, one.nModified, one.getUpsertedId(), one.hasWriteError(), one.getWriteError(), one.hasWriteConcernError(), one.getWriteConcernError())
//> 0 1 0 { index: 0, _id: 30 } false null false null
const many = db.c.insert([{ _id: 31, n: 31 }, { _id: 32, n: 32 }])
print(many.nInserted, many.nRemoved, many.hasErrors(), many.hasWriteErrors(), many.getWriteErrorCount(), many.getWriteErrorAt(0), many.getWriteErrors(), many.hasWriteConcernError(), many.getUpsertedIds())
//> 2 0 false false 0 null [] false []
many
//> BulkWriteResult({
//> 	"writeErrors" : [ ],
//> 	"writeConcernErrors" : [ ],
//> 	"nInserted" : 2,
//> 	"nUpserted" : 0,
//> 	"nMatched" : 0,
//> 	"nModified" : 0,
//> 	"nRemoved" : 0,
//> 	"upserted" : [ ]
//> })
