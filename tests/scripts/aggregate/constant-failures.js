// Constant expressions that fail: the pipeline is refused when it is optimised, even over nothing and in branches not taken.
//
// Manual: core/aggregation-pipeline-optimization
const run = (stages, name = "empty") => { try { return db[name].aggregate(stages).toArray() } catch (x) { return x.code + " " + x.message } }
db.one.insertOne({_id: 1, a: 0}).acknowledged
//> true
[run([{$project: {r: {$divide: [1, 0]}}}]), run([{$addFields: {r: {$toInt: "x"}}}]), run([{$group: {_id: {$arrayElemAt: [5, 0]}}}]), run([{$group: {_id: null, r: {$sum: {$sqrt: -1}}}}]), run([{$match: {$expr: {$divide: [1, 0]}}}])]
//> [
//>   "2 Failed to optimize pipeline :: caused by :: can't $divide by zero",
//>   "241 Failed to optimize pipeline :: caused by :: Failed to parse number 'x' in $convert with no onError value: Did not consume whole string.",
//>   "28689 Failed to optimize pipeline :: caused by :: $arrayElemAt's first argument must be an array, but is int",
//>   "28714 Failed to optimize pipeline :: caused by :: $sqrt's argument must be greater than or equal to 0",
//>   "2 Failed to optimize pipeline :: caused by :: can't $divide by zero"
//> ]
[run([{$project: {r: {$add: ["$a", {$divide: [1, 0]}]}}}]), run([{$project: {r: {$map: {input: "$a", in: {$divide: [1, 0]}}}}}]), run([{$facet: {a: [{$project: {r: {$ln: 0}}}]}}]), run([{$setWindowFields: {output: {r: {$sum: {$log10: -1}}}}}])]
//> [
//>   "2 Failed to optimize pipeline :: caused by :: can't $divide by zero",
//>   "2 Failed to optimize pipeline :: caused by :: can't $divide by zero",
//>   "28766 Failed to optimize pipeline :: caused by :: $ln's argument must be a positive number, but is 0",
//>   "28761 Failed to optimize pipeline :: caused by :: $log10's argument must be a positive number, but is -1"
//> ]
// A branch that is not taken is optimised too.
[run([{$project: {r: {$cond: ["$a", {$divide: [1, 0]}, "no"]}}}], "one"), run([{$project: {r: {$ifNull: ["$a", {$divide: [1, 0]}]}}}], "one"), run([{$project: {r: {$and: ["$a", {$divide: [1, 0]}]}}}], "one"), run([{$project: {r: {$switch: {branches: [{case: "$a", then: {$divide: [1, 0]}}], default: "no"}}}}], "one"), run([{$project: {r: {$or: ["$a", {$divide: [1, 0]}]}}}], "one")]
//> [
//>   "2 Failed to optimize pipeline :: caused by :: can't $divide by zero",
//>   "2 Failed to optimize pipeline :: caused by :: can't $divide by zero",
//>   "2 Failed to optimize pipeline :: caused by :: can't $divide by zero",
//>   "2 Failed to optimize pipeline :: caused by :: can't $divide by zero",
//>   "2 Failed to optimize pipeline :: caused by :: can't $divide by zero"
//> ]
// But $switch drops branches whose case is known before it optimises what they give.
[run([{$project: {r: {$switch: {branches: [{case: false, then: {$divide: [1, 0]}}], default: "no"}}}}], "one"), run([{$project: {r: {$switch: {branches: [{case: true, then: "yes"}, {case: "$a", then: {$divide: [1, 0]}}]}}}}], "one"), run([{$project: {r: {$switch: {branches: [{case: true, then: "yes"}], default: {$divide: [1, 0]}}}}}], "one")]
//> [
//>   [ { _id: 1, r: 'no' } ],
//>   [ { _id: 1, r: 'yes' } ],
//>   "2 Failed to optimize pipeline :: caused by :: can't $divide by zero"
//> ]
// What depends on the document fails over a document.
[run([{$project: {r: {$divide: [1, "$a"]}}}]), run([{$project: {r: {$divide: [1, "$a"]}}}], "one"), run([{$project: {r: {$divide: [1, "$$zero"]}}}])]
//> [
//>   [],
//>   "2 Executor error during aggregate command on namespace: test.one :: caused by :: can't $divide by zero",
//>   '17276 Invalid $project :: caused by :: Use of undefined variable: zero'
//> ]
[run([{$lookup: {from: "one", pipeline: [{$project: {r: {$divide: [1, 0]}}}], as: "r"}}], "one"), run([{$limit: 1}, {$foo: 1}, {$project: {r: {$divide: [1, 0]}}}]), run([{$project: {r: {$divide: [1, 0]}}}, {$project: {}}])]
//> [
//>   "2 Executor error during aggregate command on namespace: test.one :: caused by :: Failed to optimize pipeline :: caused by :: can't $divide by zero",
//>   "40324 Unrecognized pipeline stage name: '$foo'",
//>   '51272 Invalid $project :: caused by :: projection specification must have at least one field'
//> ]
db.one.explain().aggregate([{$project: {r: {$divide: [1, 0]}}}])
//> MongoServerError[BadValue]: Failed to optimize pipeline :: caused by :: can't $divide by zero
