// Updates by a pipeline that fail: an expression over a document, a stage that is none over the whole command.
//
// Manual: tutorial/update-documents-with-aggregation-pipeline
const run = (u, more = {}) => { try { const r = db.runCommand({update: "c", updates: [{q: {a: 1}, u, ...more}]}); return r.writeErrors ? r.writeErrors[0].code + " " + r.writeErrors[0].errmsg : [r.n, r.nModified, r.upserted?.length ?? 0] } catch (e) { return e.code + " " + e.message } }
// A constant expression that fails does so where a document comes to it.
[run([{$set: {a: {$add: ["age", 1]}}}]), run([{$set: {a: {$divide: [1, 0]}}}]), run([{$replaceWith: {$toInt: "x"}}])]
//> [ [ 0, 0, 0 ], [ 0, 0, 0 ], [ 0, 0, 0 ] ]
run([{$set: {a: {$add: ["age", 1]}}}], {upsert: true})
//> 14 Plan executor error during update :: caused by :: $add only supports numeric or date types, not string
db.c.insertOne({_id: 1, a: 1}).acknowledged
//> true
[run([{$set: {a: {$add: ["age", 1]}}}]), run([{$set: {a: {$cond: [true, 2, {$divide: [1, 0]}]}}}]), db.c.findOne()]
//> [
//>   '14 Plan executor error during update :: caused by :: $add only supports numeric or date types, not string',
//>   [ 1, 1, 0 ],
//>   { _id: 1, a: 2 }
//> ]
db.c.findAndModify({query: {a: 7}, update: [{$set: {a: {$divide: [1, 0]}}}]})
//> null
db.c.findAndModify({query: {a: 2}, update: [{$set: {a: {$divide: [1, 0]}}}]})
//> MongoServerError[BadValue]: Plan executor error during findAndModify :: caused by :: can't $divide by zero
// An expression that is none is the statement's error, and so is a stage that updates may not use.
[run([{$set: {a: {$foo: 1}}}]), run([{$match: {a: 1}}]), run([{$set: {}}])]
//> [
//>   "168 Invalid $set :: caused by :: Unrecognized expression '$foo'",
//>   '72 $match is not allowed to be used within an update',
//>   [ 0, 0, 0 ]
//> ]
// A stage that is none is the command's.
[run([{$foo: 1}]), run([{$set: {a: 1}}, {$foo: 1}]), run([{$set: {a: 1}, $unset: "b"}]), run([{}])]
//> [
//>   "40324 Unrecognized pipeline stage name: '$foo'",
//>   "40324 Unrecognized pipeline stage name: '$foo'",
//>   '40323 A pipeline stage specification object must contain exactly one field.',
//>   '40323 A pipeline stage specification object must contain exactly one field.'
//> ]
const several = (more) => { try { return db.runCommand({update: "c", updates: [{q: {}, u: {$set: {b: 1}}}, {q: {}, u: [{$foo: 1}]}], ...more}) } catch (e) { return e.code + " " + e.message } }
[several({}), several({ordered: false}), db.c.findOne()]
//> [
//>   "40324 Unrecognized pipeline stage name: '$foo'",
//>   "40324 Unrecognized pipeline stage name: '$foo'",
//>   { _id: 1, a: 2 }
//> ]
db.c.updateOne({}, [{$foo: 1}])
//> MongoServerError[Location40324]: Unrecognized pipeline stage name: '$foo'
db.c.findAndModify({query: {}, update: [{$foo: 1}]})
//> MongoServerError[Location40324]: Unrecognized pipeline stage name: '$foo'
