// The bulkWrite command: inserts, updates and deletes in several collections, one result an operation.
//
// Manual: reference/command/bulkWrite
const bulk = (ops, nsInfo = ["test.a", "test.b"], fields = {}) => { try { return db.adminCommand({bulkWrite: 1, ops, nsInfo: nsInfo.map((ns) => ({ns})), ...fields}) } catch (e) { return e.code + " " + e.codeName + " " + e.message } }
bulk([{insert: 0, document: {_id: 1, x: 1}}, {insert: 0, document: {_id: 2, x: 2}}, {insert: 1, document: {_id: 1, y: 1}}, {update: 0, filter: {x: {$gt: 0}}, updateMods: {$inc: {x: 10}}, multi: true}, {update: 1, filter: {_id: 9}, updateMods: {$set: {y: 9}}, upsert: true}, {update: 0, filter: {_id: 1}, updateMods: {$set: {x: 11}}}, {delete: 0, filter: {_id: 2}}, {delete: 1, filter: {}, multi: true}])
//> {
//>   cursor: {
//>     id: Long('0'),
//>     firstBatch: [
//>       { ok: 1, idx: 0, n: 1 },
//>       { ok: 1, idx: 1, n: 1 },
//>       { ok: 1, idx: 2, n: 1 },
//>       { ok: 1, idx: 3, n: 2, nModified: 2 },
//>       { ok: 1, idx: 4, n: 1, nModified: 0, upserted: { _id: 9 } },
//>       { ok: 1, idx: 5, n: 1, nModified: 0 },
//>       { ok: 1, idx: 6, n: 1 },
//>       { ok: 1, idx: 7, n: 2 }
//>     ],
//>     ns: 'admin.$cmd.bulkWrite'
//>   },
//>   nErrors: 0,
//>   nInserted: 3,
//>   nMatched: 3,
//>   nModified: 2,
//>   nUpserted: 1,
//>   nDeleted: 3,
//>   ok: 1
//> }
db.a.find()
//> [ { _id: 1, x: 11 } ]
db.b.find()
//>
// An ordered batch ends at the first error, which carries its own details.
bulk([{insert: 0, document: {_id: 5}}, {insert: 0, document: {_id: 5}}, {insert: 1, document: {_id: 5}}])
//> {
//>   cursor: {
//>     id: Long('0'),
//>     firstBatch: [
//>       { ok: 1, idx: 0, n: 1 },
//>       {
//>         ok: 0,
//>         idx: 1,
//>         code: 11000,
//>         errmsg: 'E11000 duplicate key error collection: test.a index: _id_ dup key: { _id: 5 }',
//>         keyPattern: { _id: 1 },
//>         keyValue: { _id: 5 },
//>         n: 0
//>       }
//>     ],
//>     ns: 'admin.$cmd.bulkWrite'
//>   },
//>   nErrors: 1,
//>   nInserted: 1,
//>   nMatched: 0,
//>   nModified: 0,
//>   nUpserted: 0,
//>   nDeleted: 0,
//>   ok: 1
//> }
db.b.countDocuments()
//> 0
bulk([{insert: 0, document: {_id: 6}}, {insert: 0, document: {_id: 6}}, {insert: 0, document: {_id: 7}}, {insert: 1, document: {_id: 5}}], undefined, {ordered: false})
//> {
//>   cursor: {
//>     id: Long('0'),
//>     firstBatch: [
//>       { ok: 1, idx: 0, n: 1 },
//>       {
//>         ok: 0,
//>         idx: 1,
//>         code: 11000,
//>         errmsg: 'E11000 duplicate key error collection: test.a index: _id_ dup key: { _id: 6 }',
//>         keyPattern: { _id: 1 },
//>         keyValue: { _id: 6 },
//>         n: 0
//>       },
//>       { ok: 1, idx: 2, n: 1 },
//>       { ok: 1, idx: 3, n: 1 }
//>     ],
//>     ns: 'admin.$cmd.bulkWrite'
//>   },
//>   nErrors: 1,
//>   nInserted: 3,
//>   nMatched: 0,
//>   nModified: 0,
//>   nUpserted: 0,
//>   nDeleted: 0,
//>   ok: 1
//> }
bulk([{update: 0, filter: {_id: 6}, updateMods: {$inc: {_id: 1}}}, {update: 0, filter: {}, updateMods: {$set: {z: 1}}, multi: true}], undefined, {ordered: false})
//> {
//>   cursor: {
//>     id: Long('0'),
//>     firstBatch: [
//>       {
//>         ok: 0,
//>         idx: 0,
//>         code: 66,
//>         errmsg: "Plan executor error during update :: caused by :: Performing an update on the path '_id' would modify the immutable field '_id'",
//>         n: 0,
//>         nModified: 0
//>       },
//>       { ok: 1, idx: 1, n: 4, nModified: 4 }
//>     ],
//>     ns: 'admin.$cmd.bulkWrite'
//>   },
//>   nErrors: 1,
//>   nInserted: 0,
//>   nMatched: 4,
//>   nModified: 4,
//>   nUpserted: 0,
//>   nDeleted: 0,
//>   ok: 1
//> }
bulk([{insert: 0, document: {_id: 6}}, {insert: 0, document: {_id: 8}}], undefined, {ordered: false, errorsOnly: true})
//> {
//>   cursor: {
//>     id: Long('0'),
//>     firstBatch: [
//>       {
//>         ok: 0,
//>         idx: 0,
//>         code: 11000,
//>         errmsg: 'E11000 duplicate key error collection: test.a index: _id_ dup key: { _id: 6 }',
//>         keyPattern: { _id: 1 },
//>         keyValue: { _id: 6 },
//>         n: 0
//>       }
//>     ],
//>     ns: 'admin.$cmd.bulkWrite'
//>   },
//>   nErrors: 1,
//>   nInserted: 1,
//>   nMatched: 0,
//>   nModified: 0,
//>   nUpserted: 0,
//>   nDeleted: 0,
//>   ok: 1
//> }
bulk([{insert: 0, document: {_id: 10}}], undefined, {errorsOnly: true})
//> {
//>   cursor: { id: Long('0'), firstBatch: [], ns: 'admin.$cmd.bulkWrite' },
//>   nErrors: 0,
//>   nInserted: 1,
//>   nMatched: 0,
//>   nModified: 0,
//>   nUpserted: 0,
//>   nDeleted: 0,
//>   ok: 1
//> }
// let, pipelines with constants, arrayFilters, hint, sort.
bulk([{update: 1, filter: {$expr: {$eq: ["$_id", "$$five"]}}, updateMods: [{$set: {seen: "$$tag"}}], constants: {tag: "yes"}}, {update: 1, filter: {_id: 5}, updateMods: {$set: {list: [1, 5, 9]}}}, {update: 1, filter: {_id: 5}, updateMods: {$set: {"list.$[big]": 0}}, arrayFilters: [{big: {$gt: 4}}], hint: {_id: 1}}, {update: 0, filter: {}, updateMods: {$set: {last: true}}, sort: {_id: -1}}, {delete: 0, filter: {_id: 1}, hint: "_id_"}], undefined, {let: {five: 5}})
//> {
//>   cursor: {
//>     id: Long('0'),
//>     firstBatch: [
//>       { ok: 1, idx: 0, n: 1, nModified: 1 },
//>       { ok: 1, idx: 1, n: 1, nModified: 1 },
//>       { ok: 1, idx: 2, n: 1, nModified: 1 },
//>       { ok: 1, idx: 3, n: 1, nModified: 1 },
//>       { ok: 1, idx: 4, n: 1 }
//>     ],
//>     ns: 'admin.$cmd.bulkWrite'
//>   },
//>   nErrors: 0,
//>   nInserted: 0,
//>   nMatched: 4,
//>   nModified: 4,
//>   nUpserted: 0,
//>   nDeleted: 1,
//>   ok: 1
//> }
db.b.find()
//> [ { _id: 5, seen: 'yes', list: [ 1, 0, 0 ] } ]
db.a.find({last: true})
//> [ { _id: 10, last: true } ]
bulk([{delete: 0, filter: {}, hint: "none"}])
//> {
//>   cursor: {
//>     id: Long('0'),
//>     firstBatch: [
//>       {
//>         ok: 0,
//>         idx: 0,
//>         code: 2,
//>         errmsg: 'error processing query: planner returned error :: caused by :: hint provided does not correspond to an existing index',
//>         n: 0
//>       }
//>     ],
//>     ns: 'admin.$cmd.bulkWrite'
//>   },
//>   nErrors: 1,
//>   nInserted: 0,
//>   nMatched: 0,
//>   nModified: 0,
//>   nUpserted: 0,
//>   nDeleted: 0,
//>   ok: 1
//> }
bulk([{update: 0, filter: {}, updateMods: {$set: {a: 1}}, sort: {_id: 1}, multi: true}, {update: 0, filter: {}, updateMods: {a: 1}, multi: true}], undefined, {ordered: false})
//> {
//>   cursor: {
//>     id: Long('0'),
//>     firstBatch: [
//>       {
//>         ok: 0,
//>         idx: 0,
//>         code: 9,
//>         errmsg: 'Cannot specify sort with multi=true',
//>         n: 0,
//>         nModified: 0
//>       },
//>       {
//>         ok: 0,
//>         idx: 1,
//>         code: 9,
//>         errmsg: 'multi update is not supported for replacement-style update',
//>         n: 0,
//>         nModified: 0
//>       }
//>     ],
//>     ns: 'admin.$cmd.bulkWrite'
//>   },
//>   nErrors: 2,
//>   nInserted: 0,
//>   nMatched: 0,
//>   nModified: 0,
//>   nUpserted: 0,
//>   nDeleted: 0,
//>   ok: 1
//> }
// The results are a cursor on the admin database.
const first = bulk([{insert: 1, document: {_id: 100}}, {insert: 1, document: {_id: 101}}, {insert: 1, document: {_id: 102}}], undefined, {cursor: {batchSize: 1}})
first.cursor.firstBatch
//> [ { ok: 1, idx: 0, n: 1 } ]
first.cursor.ns
//> admin.$cmd.bulkWrite
db.getSiblingDB("admin").runCommand({getMore: first.cursor.id, collection: "$cmd.bulkWrite"})
//> {
//>   cursor: {
//>     nextBatch: [ { ok: 1, idx: 1, n: 1 }, { ok: 1, idx: 2, n: 1 } ],
//>     id: Long('0'),
//>     ns: 'admin.$cmd.bulkWrite'
//>   },
//>   ok: 1
//> }
// What is refused as a whole.
bulk([])
//> 16 InvalidLength Write batch sizes must be between 1 and 100000. Got 0 operations.
bulk([{insert: 2, document: {}}])
//> 2 BadValue BulkWrite ops entry { insert: 2, document: {} } has an invalid nsInfo index.
bulk([{insert: -1, document: {}}])
//> 2 BadValue BSON field 'insert' value must be >= 0, actual value '-1'
bulk([{insert: "0", document: {}}])
//> 14 TypeMismatch BSON field 'bulkWrite.insert' is the wrong type 'string', expected types '[long, int, decimal, double']
bulk([{insert: 0}])
//> 40414 IDLFailedToParse BSON field 'bulkWrite.document' is missing but a required field
bulk([{insert: 0, document: "x"}])
//> 14 TypeMismatch BSON field 'bulkWrite.document' is the wrong type 'string', expected type 'object'
bulk([{replace: 0, filter: {}}])
//> 40415 IDLUnknownField BSON field 'bulkWrite.replace' is an unknown field.
bulk([{update: 0, filter: {}}])
//> 40414 IDLFailedToParse BSON field 'bulkWrite.updateMods' is missing but a required field
bulk([{update: 0, updateMods: {}}])
//> 40414 IDLFailedToParse BSON field 'bulkWrite.filter' is missing but a required field
bulk([{update: 0, filter: {}, updateMods: 5}])
//> 9 FailedToParse Update argument must be either an object or an array
bulk([{delete: 0, filter: {}, limit: 1}])
//> 40415 IDLUnknownField BSON field 'bulkWrite.limit' is an unknown field.
bulk([{delete: 0}])
//> 40414 IDLFailedToParse BSON field 'bulkWrite.filter' is missing but a required field
bulk([5])
//> 14 TypeMismatch BSON field 'bulkWrite.ops.0' is the wrong type 'int', expected type 'object'
bulk("x")
//> 14 TypeMismatch BSON field 'bulkWrite.ops' is the wrong type 'string', expected type 'array'
bulk([{insert: 0, document: {}}], ["nodot"])
//> 73 InvalidNamespace Invalid namespace specified for bulkWrite: 'nodot'
bulk([{insert: 0, document: {}}], undefined, {bogus: 1})
//> 40415 IDLUnknownField BSON field 'bulkWrite.bogus' is an unknown field.
bulk([{insert: 0, document: {}}], undefined, {nsInfo: [{ns: "test.a", other: 1}]})
//> 40415 IDLUnknownField BSON field 'bulkWrite.nsInfo.other' is an unknown field.
bulk([{insert: 0, document: {}}], undefined, {nsInfo: undefined})
//> 40414 IDLFailedToParse BSON field 'bulkWrite.nsInfo' is missing but a required field
bulk([{insert: 0, document: {}}], undefined, {ordered: 1})
//> 14 TypeMismatch BSON field 'bulkWrite.ordered' is the wrong type 'int', expected type 'bool'
try { db.runCommand({bulkWrite: 1, ops: [], nsInfo: []}) } catch (e) { print(e.code, e.codeName, e.message) }
//> 13 Unauthorized bulkWrite may only be run against the admin database.
// A namespace that cannot be written to fails its operations alone.
bulk([{insert: 0, document: {}}, {update: 0, filter: {}, updateMods: {}}, {delete: 0, filter: {}}], ["test.system.indexes"], {ordered: false})
//> {
//>   cursor: {
//>     id: Long('0'),
//>     firstBatch: [
//>       {
//>         ok: 0,
//>         idx: 0,
//>         code: 73,
//>         errmsg: "cannot write to 'test.system.indexes'",
//>         n: 0
//>       },
//>       {
//>         ok: 0,
//>         idx: 1,
//>         code: 73,
//>         errmsg: "cannot write to 'test.system.indexes'",
//>         n: 0,
//>         nModified: 0
//>       },
//>       {
//>         ok: 0,
//>         idx: 2,
//>         code: 73,
//>         errmsg: "cannot write to 'test.system.indexes'",
//>         n: 0
//>       }
//>     ],
//>     ns: 'admin.$cmd.bulkWrite'
//>   },
//>   nErrors: 3,
//>   nInserted: 0,
//>   nMatched: 0,
//>   nModified: 0,
//>   nUpserted: 0,
//>   nDeleted: 0,
//>   ok: 1
//> }
// explain takes one update or delete.
const plan = (op) => { try { const stage = db.adminCommand({explain: {bulkWrite: 1, ops: [op].flat(), nsInfo: [{ns: "test.a"}]}, verbosity: "queryPlanner"}).queryPlanner; return stage.namespace + " " + stage.winningPlan.stage } catch (e) { return e.code + " " + e.codeName + " " + e.message } }
plan({update: 0, filter: {x: 1}, updateMods: {$set: {x: 2}}})
//> test.a UPDATE
plan({delete: 0, filter: {_id: 1}})
//> test.a EXPRESS_DELETE
plan({insert: 0, document: {}})
//> 20 IllegalOperation Cannot explain insert cmd for bulkWrite
plan([{delete: 0, filter: {}}, {delete: 0, filter: {}}])
//> 16 InvalidLength explained bulkWrite ops must be of size 1
