// w: 0 asks for no reply: nothing is told of what was done, and no error. What the legacy names could not do is thrown.
//
// Manual: reference/write-concern
const error = (f) => { try { return f() } catch (e) { return e.name + " " + e.code + " " + e.message } }
const none = { writeConcern: { w: 0 } }
db.c.insertOne({ _id: 1, n: 1 }, none)
//> { acknowledged: false, insertedId: 1 }
error(() => db.c.insertOne({ _id: 1 }, none))
//> { acknowledged: false, insertedId: 1 }
error(() => db.c.insertMany([{ _id: 1 }, { _id: 2 }], { ...none, ordered: false }))
//> { acknowledged: false, insertedIds: { '0': 1, '1': 2 } }
db.c.updateOne({ _id: 1 }, { $inc: { n: 1 } }, none)
//> {
//>   acknowledged: false,
//>   insertedId: null,
//>   matchedCount: undefined,
//>   modifiedCount: undefined,
//>   upsertedCount: 0
//> }
db.c.updateMany({}, { $inc: { n: 1 } }, { w: 0 })
//> {
//>   acknowledged: false,
//>   insertedId: null,
//>   matchedCount: undefined,
//>   modifiedCount: undefined,
//>   upsertedCount: 0
//> }
db.c.deleteOne({ _id: 2 }, none)
//> { acknowledged: false, deletedCount: undefined }
db.c.bulkWrite([{ insertOne: { document: { _id: 3 } } }, { deleteOne: { filter: { _id: 9 } } }], none)
//> {
//>   acknowledged: false,
//>   insertedCount: 0,
//>   insertedIds: { '0': 3 },
//>   matchedCount: 0,
//>   modifiedCount: 0,
//>   deletedCount: 0,
//>   upsertedCount: 0,
//>   upsertedIds: {}
//> }
db.c.findOneAndDelete({ _id: 3 }, none)
//> null
db.getMongo().bulkWrite([{ name: "insertOne", namespace: "test.c", document: { _id: 4 } }], { ...none, ordered: false }).acknowledged
//> false
db.c.insert({ _id: 5 }, none)
//> WriteResult({ })
db.c.find()
//> [ { _id: 1, n: 3 }, { _id: 4 }, { _id: 5 } ]
// What failed is thrown by the legacy names too.
db.c.insert({ _id: 1 })
//> MongoBulkWriteError: E11000 duplicate key error collection: test.c index: _id_ dup key: { _id: 1 }
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
//>       code: 11000,
//>       errmsg: 'E11000 duplicate key error collection: test.c index: _id_ dup key: { _id: 1 }',
//>       errInfo: undefined,
//>       op: { _id: 1 }
//>     }
//>   }
//> ]
error(() => db.c.insert([{ _id: 6 }, { _id: 1 }, { _id: 7 }]))
//> MongoBulkWriteError 11000 E11000 duplicate key error collection: test.c index: _id_ dup key: { _id: 1 }
error(() => db.c.update({ _id: 1 }, { $set: { _id: 2 } }))
//> MongoServerError 66 Plan executor error during update :: caused by :: Performing an update on the path '_id' would modify the immutable field '_id'
error(() => db.c.remove({ $bad: 1 }))
//> MongoServerError 2 unknown top level operator: $bad. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.
error(() => db.c.save({ _id: 1, $a: 1 }))
//> MongoServerError 52 Plan executor error during update :: caused by :: The dollar ($) prefixed field '$a' in '$a' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.
db.c.remove({ _id: { $gt: 4 } })
//> WriteResult({ "nRemoved" : 2 })
// Words that are none.
error(() => db.c.findOneAndUpdate({}, { $set: { a: 1 } }, { returnDocument: "After" }))
//> MongoshInvalidInputError COMMON-10001 [COMMON-10001] returnDocument needs to be either 'before' or 'after'
error(() => db.c.bulkWrite([{ insertOne: { document: {}, upsert: true } }]))
//> MongoInvalidArgumentError undefined option insertOne.upsert is not supported
error(() => db.c.drop({ optoin: 1 }))
//> MongoServerError 40415 BSON field 'drop.optoin' is an unknown field.
