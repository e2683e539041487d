// Retryable writes: a statement that is sent again under the same number gives the first answer and is not done again.
// Manual: core/retryable-writes, reference/command/insert, update, delete, findAndModify, bulkWrite
const run = (command, database = "test") => { try { return db.getSiblingDB(database).runCommand(command) } catch (e) { return `${e.code} ${e.codeName} ${e.message}` } }
const lsid = {id: UUID("00000000-0000-4000-8000-000000000001")}
const again = (number, command, database) => { const sent = {...command, lsid, txnNumber: NumberLong(number)}; return [run(sent, database), run(sent, database)] }
again(1, {insert: "c", documents: [{_id: 1, n: 0}, {_id: 2, n: 0}, {_id: 3, n: 0}]})
//> [ { n: 3, ok: 1 }, { n: 3, retriedStmtIds: [ 0, 1, 2 ], ok: 1 } ]
db.c.countDocuments()
//> 3
again(2, {update: "c", updates: [{q: {_id: 1}, u: {$inc: {n: 1}}}, {q: {_id: 9}, u: {$inc: {n: 1}}, upsert: true}, {q: {_id: 2}, u: {$set: {n: 0}}}, {q: {_id: 8}, u: {$inc: {n: 1}}}]})
//> [
//>   { n: 3, upserted: [ { index: 1, _id: 9 } ], nModified: 1, ok: 1 },
//>   {
//>     n: 3,
//>     upserted: [ { index: 1, _id: 9 } ],
//>     nModified: 1,
//>     retriedStmtIds: [ 0, 1 ],
//>     ok: 1
//>   }
//> ]
db.c.find().toArray()
//> [
//>   { _id: 1, n: 1 },
//>   { _id: 2, n: 0 },
//>   { _id: 3, n: 0 },
//>   { _id: 9, n: 1 }
//> ]
again(3, {delete: "c", deletes: [{q: {n: 1}, limit: 1}]})
//> [ { n: 1, ok: 1 }, { n: 1, retriedStmtIds: [ 0 ], ok: 1 } ]
db.c.find().toArray()
//> [ { _id: 2, n: 0 }, { _id: 3, n: 0 }, { _id: 9, n: 1 } ]
// The image is that of the first time.
again(4, {findAndModify: "c", query: {}, sort: {_id: 1}, update: {$inc: {n: 5}}})
//> [
//>   {
//>     lastErrorObject: { n: 1, updatedExisting: true },
//>     value: { _id: 2, n: 0 },
//>     ok: 1
//>   },
//>   {
//>     lastErrorObject: { n: 1, updatedExisting: true },
//>     value: { _id: 2, n: 0 },
//>     retriedStmtId: 0,
//>     ok: 1
//>   }
//> ]
again(5, {findAndModify: "c", query: {_id: 2}, update: {$inc: {n: 5}}, new: true, fields: {n: 1, _id: 0}})
//> [
//>   {
//>     lastErrorObject: { n: 1, updatedExisting: true },
//>     value: { n: 10 },
//>     ok: 1
//>   },
//>   {
//>     lastErrorObject: { n: 1, updatedExisting: true },
//>     value: { n: 10 },
//>     retriedStmtId: 0,
//>     ok: 1
//>   }
//> ]
again(6, {findAndModify: "c", query: {_id: 7}, update: {$inc: {n: 5}}, upsert: true})
//> [
//>   {
//>     lastErrorObject: { n: 1, updatedExisting: false, upserted: 7 },
//>     value: null,
//>     ok: 1
//>   },
//>   {
//>     lastErrorObject: { n: 1, updatedExisting: false, upserted: 7 },
//>     value: null,
//>     retriedStmtId: 0,
//>     ok: 1
//>   }
//> ]
again(7, {findAndModify: "c", query: {_id: 7}, remove: true})
//> [
//>   { lastErrorObject: { n: 1 }, value: { _id: 7, n: 5 }, ok: 1 },
//>   {
//>     lastErrorObject: { n: 1 },
//>     value: { _id: 7, n: 5 },
//>     retriedStmtId: 0,
//>     ok: 1
//>   }
//> ]
again(8, {findAndModify: "c", query: {_id: "none"}, update: {$inc: {n: 5}}})
//> [
//>   {
//>     lastErrorObject: { n: 0, updatedExisting: false },
//>     value: null,
//>     ok: 1
//>   },
//>   {
//>     lastErrorObject: { n: 0, updatedExisting: false },
//>     value: null,
//>     ok: 1
//>   }
//> ]
run({findAndModify: "c", query: {_id: 7}, remove: true, lsid, txnNumber: NumberLong(8)}).lastErrorObject
//> { n: 0 }
run({findAndModify: "c", query: {}, update: {$inc: {n: 5}}, lsid, txnNumber: NumberLong(9)}).lastErrorObject
//> { n: 1, updatedExisting: true }
run({findAndModify: "c", query: {_id: 7}, remove: true, lsid, txnNumber: NumberLong(9)})
//> 40610 Location40610 findAndModify retry request: { findAndModify: "c", query: { _id: 7 }, remove: true, lsid: { id: UUID("00000000-0000-4000-8000-000000000001") }, txnNumber: 9, $db: "test" } is not compatible with previous write in the transaction of type: u
again(10, {bulkWrite: 1, ops: [{insert: 0, document: {_id: 20}}, {insert: 0, document: {_id: 21}}, {update: 0, filter: {_id: 20}, updateMods: {$inc: {n: 1}}}, {update: 0, filter: {_id: 22}, updateMods: {$inc: {n: 1}}, upsert: true}, {delete: 0, filter: {_id: 21}}], nsInfo: [{ns: "test.c"}]}, "admin").map((r) => r.cursor ? {...r, cursor: r.cursor.firstBatch} : r)
//> [
//>   {
//>     cursor: [
//>       { ok: 1, idx: 0, n: 1 },
//>       { ok: 1, idx: 1, n: 1 },
//>       { ok: 1, idx: 2, n: 1, nModified: 1 },
//>       { ok: 1, idx: 3, n: 1, nModified: 0, upserted: { _id: 22 } },
//>       { ok: 1, idx: 4, n: 1 }
//>     ],
//>     nErrors: 0,
//>     nInserted: 2,
//>     nMatched: 1,
//>     nModified: 1,
//>     nUpserted: 1,
//>     nDeleted: 1,
//>     ok: 1
//>   },
//>   {
//>     cursor: [
//>       { ok: 1, idx: 0, n: 1 },
//>       { ok: 1, idx: 1, n: 1 },
//>       { ok: 1, idx: 2, n: 1, nModified: 1 },
//>       { ok: 1, idx: 3, n: 1, nModified: 0, upserted: { _id: 22 } },
//>       { ok: 1, idx: 4, n: 1 }
//>     ],
//>     nErrors: 0,
//>     nInserted: 2,
//>     nMatched: 1,
//>     nModified: 1,
//>     nUpserted: 1,
//>     nDeleted: 1,
//>     retriedStmtIds: [ 0, 1, 2, 3, 4 ],
//>     ok: 1
//>   }
//> ]
db.c.find({_id: {$gte: 20}}).toArray()
//> [ { _id: 20, n: 1 }, { _id: 22, n: 1 } ]
// A statement that was refused is tried again, those before it are not.
again(11, {insert: "c", documents: [{_id: 30}, {_id: 2}, {_id: 31}]})
//> [
//>   {
//>     n: 1,
//>     writeErrors: [
//>       {
//>         index: 1,
//>         code: 11000,
//>         keyPattern: { _id: 1 },
//>         keyValue: { _id: 2 },
//>         errmsg: 'E11000 duplicate key error collection: test.c index: _id_ dup key: { _id: 2 }'
//>       }
//>     ],
//>     ok: 1
//>   },
//>   {
//>     n: 1,
//>     writeErrors: [
//>       {
//>         index: 1,
//>         code: 11000,
//>         keyPattern: { _id: 1 },
//>         keyValue: { _id: 2 },
//>         errmsg: 'E11000 duplicate key error collection: test.c index: _id_ dup key: { _id: 2 }'
//>       }
//>     ],
//>     retriedStmtIds: [ 0 ],
//>     ok: 1
//>   }
//> ]
db.c.deleteOne({_id: 2}).deletedCount
//> 1
run({insert: "c", documents: [{_id: 30}, {_id: 2}, {_id: 31}], lsid, txnNumber: NumberLong(11)})
//> { n: 3, retriedStmtIds: [ 0 ], ok: 1 }
again(12, {insert: "c", ordered: false, documents: [{_id: 40}, {_id: 2}, {_id: 41}]})
//> [
//>   {
//>     n: 2,
//>     writeErrors: [
//>       {
//>         index: 1,
//>         code: 11000,
//>         keyPattern: { _id: 1 },
//>         keyValue: { _id: 2 },
//>         errmsg: 'E11000 duplicate key error collection: test.c index: _id_ dup key: { _id: 2 }'
//>       }
//>     ],
//>     ok: 1
//>   },
//>   {
//>     n: 2,
//>     writeErrors: [
//>       {
//>         index: 1,
//>         code: 11000,
//>         keyPattern: { _id: 1 },
//>         keyValue: { _id: 2 },
//>         errmsg: 'E11000 duplicate key error collection: test.c index: _id_ dup key: { _id: 2 }'
//>       }
//>     ],
//>     retriedStmtIds: [ 0, 2 ],
//>     ok: 1
//>   }
//> ]
// A driver that splits a batch goes on with the numbers of its statements.
again(13, {insert: "c", documents: [{_id: 50}], stmtId: NumberInt(0)}); again(13, {insert: "c", documents: [{_id: 51}], stmtId: NumberInt(1)})
//> [ { n: 1, ok: 1 }, { n: 1, retriedStmtIds: [ 1 ], ok: 1 } ]
run({insert: "c", documents: [{_id: 52}, {_id: 50}, {_id: 53}], stmtIds: [2, 0, 3].map((n) => NumberInt(n)), lsid, txnNumber: NumberLong(13)})
//> { n: 3, retriedStmtIds: [ 0 ], ok: 1 }
[{stmtIds: [NumberInt(1)]}, {stmtIds: [NumberInt(1), NumberInt(2)], stmtId: NumberInt(1)}, {stmtId: 1.5}, {stmtIds: 1}].map((fields) => run({insert: "c", documents: [{}, {}], ...fields}))
//> [
//>   '16 InvalidLength Number of statement ids must match the number of batch entries. Got 1 statement ids but 2 operations.',
//>   '72 InvalidOptions May not specify both stmtId and stmtIds in write command. Got stmtId 1 and stmtIds',
//>   "14 TypeMismatch BSON field 'insert.stmtId' is the wrong type 'double', expected type 'int'",
//>   "14 TypeMismatch BSON field 'insert.stmtIds' is the wrong type 'int', expected type 'array'"
//> ]
// Older numbers, statements on many documents, other commands.
[run({insert: "c", documents: [{}], lsid, txnNumber: NumberLong(12)}), run({update: "c", updates: [{q: {}, u: {$inc: {n: 1}}, multi: true}], lsid, txnNumber: NumberLong(14)}), run({delete: "c", deletes: [{q: {}, limit: 0}], lsid, txnNumber: NumberLong(15)})]
//> [
//>   '225 TransactionTooOld Retryable write with txnNumber 12 is prohibited on session 00000000-0000-4000-8000-000000000001 - 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= -  -  because a newer retryable write with txnNumber 13 has already started on this session.',
//>   {
//>     n: 0,
//>     nModified: 0,
//>     writeErrors: [
//>       {
//>         index: 0,
//>         code: 72,
//>         errmsg: 'Cannot use (or request) retryable writes with multi=true'
//>       }
//>     ],
//>     ok: 1
//>   },
//>   {
//>     n: 0,
//>     writeErrors: [
//>       {
//>         index: 0,
//>         code: 72,
//>         errmsg: 'Cannot use (or request) retryable writes with limit=0'
//>       }
//>     ],
//>     ok: 1
//>   }
//> ]
run({bulkWrite: 1, ops: [{update: 0, filter: {}, updateMods: {$inc: {n: 1}}, multi: true}], nsInfo: [{ns: "test.c"}], lsid, txnNumber: NumberLong(15)}, "admin").cursor.firstBatch
//> [
//>   {
//>     ok: 0,
//>     idx: 0,
//>     code: 72,
//>     errmsg: 'Cannot use (or request) retryable writes with multi=true',
//>     n: 0,
//>     nModified: 0
//>   }
//> ]
[{find: "c", lsid, txnNumber: NumberLong(16)}, {insert: "c", documents: [{}], txnNumber: NumberLong(1)}, {insert: "c", documents: [{}], lsid, txnNumber: NumberInt(16)}, {insert: "c", documents: [{}], lsid, txnNumber: NumberLong(-1)}].map((c) => run(c))
//> [
//>   '50768 NotARetryableWriteCommand txnNumber may only be provided for multi-document transactions and retryable write commands. autocommit:false was not provided, and find is not a retryable write command.',
//>   '72 InvalidOptions Transaction number requires a session ID to also be specified',
//>   "14 TypeMismatch BSON field 'OperationSessionInfo.txnNumber' is the wrong type 'int', expected type 'long'",
//>   '72 InvalidOptions Transaction number cannot be negative'
//> ]
// What was done stands in config.transactions, and goes with the session.
db.getSiblingDB("config").transactions.find({}, {lastWriteOpTime: 0}).toArray()
//> [
//>   {
//>     _id: {
//>       id: UUID('00000000-0000-4000-8000-000000000001'),
//>       uid: Binary.createFromBase64('47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=', 0)
//>     },
//>     txnNum: Long('13'),
//>     lastWriteDate: ISODate('2026-01-01T00:00:00.000Z'),
//>     statements: [ { first: 0, count: 4, modified: false } ]
//>   }
//> ]
db.getSiblingDB("config").transactions.getIndexes().map((index) => [index.name, index.expireAfterSeconds])
//> [ [ '_id_', undefined ], [ 'lastWriteDate_1', 1800 ] ]
clock.advance(1900000); [db.getSiblingDB("config").transactions.countDocuments(), run({insert: "c", documents: [{_id: 60}], lsid, txnNumber: NumberLong(1)}).n]
//> [ 0, 1 ]
// Numbers in any order, and with gaps.
const numbered = (number, count, ids) => run({insert: "d", documents: Array.from({length: count}, (_, i) => ({_id: ids[i]})), stmtIds: ids, lsid, txnNumber: NumberLong(number)})
const scattered = Array.from({length: 900}, (_, i) => (i * 547) % 2003)
numbered(100, 900, scattered)
//> { n: 900, ok: 1 }
const second = numbered(100, 900, scattered);
[second.n, second.retriedStmtIds.length, db.d.countDocuments()]
//> [ 900, 900, 900 ]
db.getSiblingDB("config").transactions.findOne({"_id.id": lsid.id}).statements.slice(0, 3)
//> [
//>   { first: 0, count: 1, modified: false },
//>   { first: 5, count: 4, modified: false },
//>   { first: 13, count: 4, modified: false }
//> ]
