// The stages a plan is made of, as the manual's explain results name them. Manual: reference/explain-results.
db.p.insertMany([{ _id: 1, a: 1, b: 3 }, { _id: 2, a: 1, b: 1 }, { _id: 3, a: 2, b: 2 }, { _id: 4, a: 3, b: 0 }])
//> { acknowledged: true, insertedIds: { '0': 1, '1': 2, '2': 3, '3': 4 } }
db.p.createIndex({ a: 1, b: 1 })
//> a_1_b_1
function stages(plan) { return plan.stage + (plan.inputStage ? " <- " + stages(plan.inputStage) : plan.inputStages ? " <- [" + plan.inputStages.map(stages).join(", ") + "]" : "") }
stages(db.p.find({ a: 1 }).sort({ b: 1 }).explain().queryPlanner.winningPlan)
//> FETCH <- IXSCAN
stages(db.p.find({ a: { $in: [1, 2] } }).sort({ b: 1 }).explain().queryPlanner.winningPlan)
//> FETCH <- SORT_MERGE <- [IXSCAN, IXSCAN]
stages(db.p.find({ a: { $gt: 1 } }).sort({ b: 1 }).explain().queryPlanner.winningPlan)
//> FETCH <- SORT <- IXSCAN
stages(db.p.find({ a: { $gt: 1 } }, { _id: 0, a: 1, b: 1 }).explain().queryPlanner.winningPlan)
//> PROJECTION_COVERED <- IXSCAN
stages(db.p.find({ b: 1 }).sort({ _id: 1 }).explain().queryPlanner.winningPlan)
//> FETCH <- IXSCAN
stages(db.p.find({ b: 1 }).sort({ x: 1 }).limit(2).explain().queryPlanner.winningPlan)
//> SORT <- COLLSCAN
stages(db.p.find({}).skip(1).limit(2).explain().queryPlanner.winningPlan)
//> LIMIT <- SKIP <- COLLSCAN
stages(db.p.find({ a: 1 }).hint({ $natural: 1 }).explain().queryPlanner.winningPlan)
//> COLLSCAN
stages(db.p.find({ a: 1, b: 3 }).limit(1).explain().queryPlanner.winningPlan)
//> LIMIT <- FETCH <- IXSCAN
stages(db.nothing.find({ a: 1 }).explain().queryPlanner.winningPlan)
//> EOF
stages(db.p.explain().count({ a: 1 }).queryPlanner.winningPlan)
//> COUNT <- COUNT_SCAN
stages(db.p.explain().count().queryPlanner.winningPlan)
//> RECORD_STORE_FAST_COUNT
stages(db.p.explain().updateOne({ a: 1 }, { $set: { b: 9 } }).queryPlanner.winningPlan)
//> UPDATE <- FETCH <- IXSCAN
stages(db.p.explain().remove({ a: 1 }).queryPlanner.winningPlan)
//> DELETE <- FETCH <- IXSCAN
db.p.find({ a: 1 }).hint("nope")
//> MongoServerError[BadValue]: error processing query: planner returned error :: caused by :: hint provided does not correspond to an existing index
db.p.explain().aggregate([{ $match: { a: 1 } }, { $group: { _id: "$a", n: { $sum: "$b" } } }]).stages.map(stage => Object.keys(stage)[0])
//> [ '$cursor', '$group' ]
stages(db.p.explain().aggregate([{ $match: { a: 1 } }, { $sort: { b: -1 } }]).queryPlanner.winningPlan)
//> FETCH <- IXSCAN
db.p.aggregate([{ $group: { _id: "$a", n: { $sum: "$b" }, m: { $max: "$b" } } }, { $sort: { _id: 1 } }])
//> [
//>   { _id: 1, n: 4, m: 3 },
//>   { _id: 2, n: 2, m: 2 },
//>   { _id: 3, n: 0, m: 0 }
//> ]
db.p.find({ a: { $gte: 1 } }).sort({ a: 1, b: 1 }).batchSize(2).toArray().length
//> 4
// A count skips and limits in its own stage.
db.cnt.insertMany([...Array(20).keys()].map((i) => ({_id: i, a: i % 2}))).insertedIds[19]
//> 19
db.cnt.createIndex({a: 1})
//> a_1
const counted = (command) => { const s = db.runCommand({explain: {count: "cnt", ...command}, verbosity: "executionStats"}).executionStats.executionStages; return [s.stage, s.nCounted, s.nSkipped, s.works, s.inputStage && s.inputStage.stage] }
counted({query: {a: 1}})
//> [ 'COUNT', 10, 0, 11, 'COUNT_SCAN' ]
counted({query: {a: 1}, skip: 2, limit: 3})
//> [ 'COUNT', 3, 2, 6, 'COUNT_SCAN' ]
counted({query: {a: 1}, skip: 30})
//> [ 'COUNT', 0, 10, 11, 'COUNT_SCAN' ]
counted({})
//> [ 'RECORD_STORE_FAST_COUNT', 20, 0, 1, undefined ]
counted({skip: 3})
//> [ 'RECORD_STORE_FAST_COUNT', 17, 3, 1, undefined ]
counted({skip: 3, limit: 4})
//> [ 'RECORD_STORE_FAST_COUNT', 4, 3, 1, undefined ]
db.runCommand({explain: {count: "cnt", query: {a: 1}, skip: 2, limit: 3}, verbosity: "queryPlanner"}).queryPlanner.winningPlan.inputStage.stage
//> COUNT_SCAN
