// find's further fields: min and max, returnKey, showRecordId, $natural; hints of count and distinct; sort of updates.
//
// Manual: reference/command/find
const run = (c) => { try { return db.runCommand(c) } catch (e) { return e.code + " " + e.codeName + " " + e.message } }
const ids = (c) => { const reply = run(c); return reply.cursor ? reply.cursor.firstBatch.map((d) => d._id).join(" ") : reply }
for (let i = 0; i < 12; i++) db.c.insertOne({_id: i, a: i % 4, b: "k" + (i % 3), n: 12 - i})
//> { acknowledged: true, insertedId: 11 }
db.c.createIndex({a: 1, b: -1})
//> a_1_b_-1
db.c.createIndex({n: 1})
//> n_1
// From min on, before max, in the order of the index.
ids({find: "c", min: {n: 3}, max: {n: 6}, hint: {n: 1}})
//> 9 8 7
ids({find: "c", min: {n: 10}, hint: "n_1"})
//> 2 1 0
ids({find: "c", max: {n: 3}, hint: {n: 1}})
//> 11 10
ids({find: "c", min: {a: 1, b: "k1"}, max: {a: 2, b: "k1"}, hint: {a: 1, b: -1}})
//> 1 9 2
ids({find: "c", min: {a: 1, b: "k1"}, max: {a: 2, b: "k1"}, hint: {a: 1, b: -1}, sort: {a: -1, b: 1}})
//> 2 9 1
ids({find: "c", filter: {b: "k0"}, min: {n: 3}, max: {n: 9}, hint: {n: 1}, sort: {n: -1}, limit: 2})
//> 6 9
db.c.find({n: {$ne: 4}}).min({n: 3}).max({n: 6}).hint({n: 1}).returnKey()
//> [ { n: 3 }, { n: 5 } ]
db.c.find().min({n: 3}).max({n: 5}).hint({n: 1}).projection({n: 1, _id: 0})
//> [ { n: 3 }, { n: 4 } ]
const plan = db.c.find({b: "k0"}).min({n: 3}).max({n: 9}).hint("n_1").explain("executionStats")
plan.queryPlanner.winningPlan.inputStage.indexBounds
//> {
//>   startKey: { '': 3 },
//>   startKeyInclusive: true,
//>   endKey: { '': 9 },
//>   endKeyInclusive: false
//> }
plan.queryPlanner.winningPlan.filter
//> { b: { '$eq': 'k0' } }
[plan.executionStats.totalKeysExamined, plan.executionStats.nReturned]
//> [ 6, 2 ]
// Types are ordered as an index orders them.
db.c.insertMany([{_id: "s", n: "text"}, {_id: "m", n: [2.5, 4]}])
//> { acknowledged: true, insertedIds: { '0': 's', '1': 'm' } }
ids({find: "c", min: {n: 4}, max: {n: ""}, hint: {n: 1}})
//> 8 m 7 6 5 4 3 2 1 0
ids({find: "c", min: {n: 2}, max: {n: 5}, hint: {n: 1}})
//> 10 m 9 8
// What is refused.
run({find: "c", min: {n: 3}, max: {n: 6}})
//> 51173 Location51173 error processing query: planner returned error :: caused by :: When using min()/max() a hint of which index to use must be provided
run({find: "c", min: {n: 3}, hint: {$natural: 1}})
//> 51173 Location51173 error processing query: planner returned error :: caused by :: When using min()/max() a hint of which index to use must be provided
run({find: "c", min: {a: 1}, hint: {a: 1, b: -1}})
//> 51174 Location51174 error processing query: planner returned error :: caused by :: The index chosen is not compatible with min/max
run({find: "c", min: {b: 1, a: 1}, hint: {a: 1, b: -1}})
//> 51174 Location51174 error processing query: planner returned error :: caused by :: The index chosen is not compatible with min/max
run({find: "c", min: {n: 6}, max: {n: 3}, hint: {n: 1}})
//> 51175 Location51175 error processing query: planner returned error :: caused by :: The value provided for min() does not come before the value provided for max() in the hinted index
run({find: "c", min: {n: 3}, max: {n: 3}, hint: {n: 1}})
//> 51175 Location51175 error processing query: planner returned error :: caused by :: The value provided for min() does not come before the value provided for max() in the hinted index
run({find: "c", min: {n: 3}, max: {a: 3}, hint: {n: 1}})
//> 51176 Location51176 min and max must have the same field names
run({find: "c", min: 3, hint: {n: 1}})
//> 14 TypeMismatch BSON field 'FindCommandRequest.min' is the wrong type 'int', expected type 'object'
db.c.createIndex({"$**": 1})
//> $**_1
run({find: "c", min: {n: 3}, hint: "$**_1"})
//> 51174 Location51174 error processing query: planner returned error :: caused by :: The index chosen is not compatible with min/max
db.c.dropIndex("$**_1").ok
//> 1
run({find: "c", min: {n: 3}, hint: {zzz: 1}})
//> 2 BadValue error processing query: planner returned error :: caused by :: hint provided does not correspond to an existing index
run({find: "c", resumeAfter: {$recordId: Long(1)}})
//> 40415 IDLUnknownField BSON field 'FindCommandRequest.resumeAfter' is an unknown field.
run({find: "c", $_requestResumeToken: true, hint: {$natural: 1}})
//> 238 NotImplemented 'FindCommandRequest.$_requestResumeToken' is not supported
// $natural, as hint and as sort.
ids({find: "c", hint: {$natural: -1}, limit: 3})
//> m s 11
ids({find: "c", sort: {$natural: -1}, limit: 3})
//> m s 11
run({find: "c", hint: {$natural: 2}})
//> 2 BadValue $natural hint cannot be set to a value other than -1 or 1.
run({find: "c", hint: {$natural: 1, a: 1}})
//> 2 BadValue $natural hint cannot be set to a value other than -1 or 1.
run({find: "c", hint: {$natural: "x"}})
//> 2 BadValue $natural hint cannot be set to a value other than -1 or 1.
run({find: "c", hint: 5})
//> 9 FailedToParse Hint must be a string or an object
// returnKey without an index gives empty documents; showRecordId adds a field.
db.c.find({n: 5}, {n: 1}).returnKey()
//> [ { n: 5 } ]
db.c.find({zzz: null}).limit(1).returnKey()
//> [ {} ]
// The RecordId is part of the projection, and a returnKey leaves that out.
db.c.find({n: 5}).returnKey().showRecordId()
//> [ { n: 5 } ]
db.c.find({n: 5}).showRecordId()
//> [ { _id: 7, a: 3, b: 'k1', n: 5, '$recordId': Long('8') } ]
// Of a projection only sort keys are shown beside the index key, from the index as from a sort.
db.c.find({n: {$in: [1, 2, 3]}}, {b: 1, k: {$meta: "sortKey"}}).hint({n: 1}).sort({n: -1}).returnKey()
//> [ { n: 3, k: [ 3 ] }, { n: 2, k: [ 2 ] }, { n: 1, k: [ 1 ] } ]
db.c.find({n: {$in: [1, 2, 3]}}, {k: {$meta: "sortKey"}, l: {$meta: "sortKey"}}).hint({n: 1}).sort({b: 1, n: 1}).returnKey()
//> [
//>   { n: 3, k: [ 'k0', 3 ], l: [ 'k0', 3 ] },
//>   { n: 2, k: [ 'k1', 2 ], l: [ 'k1', 2 ] },
//>   { n: 1, k: [ 'k2', 1 ], l: [ 'k2', 1 ] }
//> ]
db.c.find({n: {$in: [1, 2, 3]}}, {k: {$meta: "sortKey"}}).hint({n: 1}).sort({n: -1}).returnKey().explain().queryPlanner.winningPlan.stage
//> RETURN_KEY
// Hints of count and distinct.
run({count: "c", query: {n: {$gt: 6}}, hint: {n: 1}}).n
//> 6
run({count: "c", query: {n: {$gt: 6}}, hint: "a_1_b_-1"}).n
//> 6
run({count: "c", query: {n: {$gt: 6}}, hint: "none"})
//> 2 BadValue error processing query: planner returned error :: caused by :: hint provided does not correspond to an existing index
run({distinct: "c", key: "b", query: {a: {$lt: 2}}, hint: {a: 1, b: -1}}).values
//> [ 'k0', 'k1', 'k2' ]
run({distinct: "c", key: "b", hint: {zzz: 1}})
//> 2 BadValue error processing query: planner returned error :: caused by :: hint provided does not correspond to an existing index
// The first document of a sort is updated.
db.c.updateOne({}, {$set: {first: true}}, {sort: {n: 1}})
//> {
//>   acknowledged: true,
//>   insertedId: null,
//>   matchedCount: 1,
//>   modifiedCount: 1,
//>   upsertedCount: 0
//> }
db.c.find({first: true}, {_id: 1})
//> [ { _id: 11 } ]
db.c.replaceOne({a: {$gte: 0}}, {replaced: true}, {sort: {a: -1, n: -1}})
//> {
//>   acknowledged: true,
//>   insertedId: null,
//>   matchedCount: 1,
//>   modifiedCount: 1,
//>   upsertedCount: 0
//> }
db.c.find({replaced: true})
//> [ { _id: 3, replaced: true } ]
run({update: "c", updates: [{q: {}, u: {$set: {x: 1}}, multi: true, sort: {n: 1}}]}).writeErrors
//> [
//>   { index: 0, code: 9, errmsg: 'Cannot specify sort with multi=true' }
//> ]
// dataSize of a run of an index.
const size = (fields) => { const reply = run({dataSize: "test.d", ...fields}); delete reply.millis; return reply }
for (let i = 0; i < 10; i++) db.d.insertOne({_id: i, x: i})
//> { acknowledged: true, insertedId: 9 }
db.d.createIndex({x: 1, y: -1})
//> x_1_y_-1
size({})
//> { size: Long('210'), numObjects: Long('10'), estimate: false, ok: 1 }
size({keyPattern: {x: 1}, min: {x: 2}, max: {x: 5}})
//> { size: Long('63'), numObjects: Long('3'), estimate: false, ok: 1 }
size({min: {x: 2}, max: {x: 5}})
//> { size: Long('63'), numObjects: Long('3'), estimate: false, ok: 1 }
size({min: {_id: 8}, max: {_id: MaxKey()}, estimate: true})
//> { size: Long('42'), numObjects: Long('2'), estimate: true, ok: 1 }
size({maxObjects: 3})
//> {
//>   size: Long('84'),
//>   numObjects: Long('4'),
//>   estimate: false,
//>   maxReached: true,
//>   ok: 1
//> }
size({maxSize: 50})
//> {
//>   size: Long('63'),
//>   numObjects: Long('3'),
//>   estimate: false,
//>   maxReached: true,
//>   ok: 1
//> }
size({keyPattern: {y: 1}, min: {y: 2}, max: {y: 5}})
//> 96 OperationFailed Couldn't find valid index containing key pattern
size({min: {x: 2}})
//> 2 BadValue Max must be set if min is set.
size({max: {x: 2}})
//> 2 BadValue Max must not be set if min is not set.
size({min: {x: 2}, max: {}})
//> 2 BadValue Only one of min or max specified
