// The variables of a command's `let`, and the constants of a pipeline update: what they may be called, and be.
//
// Manual: reference/command/find (let), reference/command/update (c)
const said = (e) => e.code + " " + e.codeName + " " + e.message
const run = (c) => { try { return db.runCommand(c) } catch (e) { return said(e) } }
db.c.insertOne({_id: 1, a: 3}).acknowledged
//> true
run({find: "c", let: {X: 1}})
//> 9 FailedToParse Invalid 'let' parameter :: caused by :: 'X' starts with an invalid character for a user variable name
run({find: "c", let: {"x.y": 1}})
//> 9 FailedToParse Invalid 'let' parameter :: caused by :: 'x.y' contains an invalid character for a variable name: '.'
run({find: "c", let: {"": 1}})
//> 9 FailedToParse Invalid 'let' parameter :: caused by :: empty variable names are not allowed
run({find: "c", let: {NOW: 1}})
//> 4738901 Location4738901 Attempt to set internal constant: NOW
run({find: "c", let: {x: "$a"}})
//> 4890500 Location4890500 Command let Expression tried to access a field, but this is not allowed becauseCommand let Expressions run before the query examines any documents.
run({find: "c", let: {x: {$add: ["$a", 1]}}})
//> 4890500 Location4890500 Command let Expression tried to access a field, but this is not allowed becauseCommand let Expressions run before the query examines any documents.
run({find: "c", let: {x: "$$ROOT"}})
//> 4890500 Location4890500 Command let Expression tried to access a field, but this is not allowed becauseCommand let Expressions run before the query examines any documents.
run({aggregate: "c", pipeline: [], cursor: {}, let: {X: 1}})
//> 9 FailedToParse Invalid 'let' parameter :: caused by :: 'X' starts with an invalid character for a user variable name
run({update: "c", updates: [{q: {_id: 9}, u: {$set: {a: 1}}}], let: {X: 1}})
//> 9 FailedToParse Invalid 'let' parameter :: caused by :: 'X' starts with an invalid character for a user variable name
run({delete: "c", deletes: [{q: {_id: 9}, limit: 1}], let: {x: "$a"}})
//> 4890500 Location4890500 Command let Expression tried to access a field, but this is not allowed becauseCommand let Expressions run before the query examines any documents.
run({findAndModify: "c", query: {_id: 9}, remove: true, let: {X: 1}})
//> 9 FailedToParse Invalid 'let' parameter :: caused by :: 'X' starts with an invalid character for a user variable name
// A variable may be made of those before it.
run({find: "c", let: {x: {$add: [1, 1]}, y: {$add: ["$$x", 1]}}, filter: {$expr: {$eq: ["$a", "$$y"]}}}).cursor.firstBatch
//> [ { _id: 1, a: 3 } ]
run({update: "c", updates: [{q: {_id: 1}, u: [{$set: {b: "$$C"}}], c: {C: 1}}]}).nModified
//> 1
run({update: "c", updates: [{q: {_id: 1}, u: [{$set: {b: 1}}], c: {"1x": 1}}]}).writeErrors
//> [
//>   {
//>     index: 0,
//>     code: 9,
//>     errmsg: "'1x' starts with an invalid character for a variable name"
//>   }
//> ]
