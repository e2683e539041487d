// A sort over a filter that is one $or, or over several values: branches in the order are merged, others sorted.
// Manual: reference/operator/query/or, reference/explain-results
const plan = (e) => { const w=(s)=> s.inputStages? s.stage+"("+s.inputStages.map(w).join(", ")+")": s.stage+(s.indexName?":"+s.indexName:"")+(s.inputStage?" < "+w(s.inputStage):""); const q=e.queryPlanner; return [w(q.winningPlan), ...q.rejectedPlans.map(w)]}
db.c.insertMany(Array.from({length:200},(_, i)=>({_id:i,a:i%10,b:i%7,c:i%13,s:i}))).acknowledged
db.c.createIndex({a:1,s:1})
db.c.createIndex({b:1,s:1})
db.c.createIndex({c:1})
//> c_1
plan(db.c.find({$or:[{a:1},{b:2}]}).sort({s:1}).explain())
//> [ 'SUBPLAN < FETCH < SORT_MERGE(IXSCAN:a_1_s_1, IXSCAN:b_1_s_1)' ]
plan(db.c.find({$or:[{a:1},{b:2}]}).sort({s:-1}).limit(3).explain())
//> [
//>   'SUBPLAN < LIMIT < FETCH < SORT_MERGE(IXSCAN:a_1_s_1, IXSCAN:b_1_s_1)'
//> ]
plan(db.c.find({$or:[{a:1},{c:2}]}).sort({s:1}).explain())
//> [ 'SUBPLAN < SORT < FETCH < OR(IXSCAN:a_1_s_1, IXSCAN:c_1)' ]
plan(db.c.find({$or:[{a:1},{a:2}]}).sort({s:1}).explain())
//> [ 'FETCH < SORT_MERGE(IXSCAN:a_1_s_1, IXSCAN:a_1_s_1)' ]
plan(db.c.find({a:{$in:[1,2]}}).sort({s:1}).explain())
//> [ 'FETCH < SORT_MERGE(IXSCAN:a_1_s_1, IXSCAN:a_1_s_1)' ]
plan(db.c.find({a:{$in:[1,2]},c:5}).sort({s:1}).explain())
//> [
//>   'SORT < FETCH < IXSCAN:c_1',
//>   'FETCH < SORT_MERGE(IXSCAN:a_1_s_1, IXSCAN:a_1_s_1)'
//> ]
plan(db.c.find({$or:[{a:{$gt:5}},{b:2}]}).sort({s:1}).explain())
//> [ 'SUBPLAN < SORT < FETCH < OR(IXSCAN:b_1_s_1, IXSCAN:a_1_s_1)' ]
plan(db.c.find({$or:[{a:1},{z:2}]}).sort({s:1}).explain())
//> [ 'SUBPLAN < SORT < COLLSCAN' ]
plan(db.c.find({c:1,$or:[{a:1},{b:2}]}).sort({s:1}).explain())
//> [
//>   'SORT < FETCH < IXSCAN:c_1',
//>   'FETCH < SORT_MERGE(IXSCAN:a_1_s_1, IXSCAN:b_1_s_1)'
//> ]
plan(db.c.find({$or:[{a:1,c:3},{b:2}]}).sort({s:1}).explain())
//> [ 'SUBPLAN < SORT < FETCH < OR(FETCH < IXSCAN:c_1, IXSCAN:b_1_s_1)' ]
plan(db.c.find({$or:[{a:1},{b:2}]},{_id:0,s:1}).sort({s:1}).explain())
//> [
//>   'SUBPLAN < PROJECTION_SIMPLE < FETCH < SORT_MERGE(IXSCAN:a_1_s_1, IXSCAN:b_1_s_1)'
//> ]
db.c.find({$or:[{a:1},{b:2}]}).sort({s:1}).limit(4).toArray().map(d=>d.s)
//> [ 1, 2, 9, 11 ]
plan(db.c.find({$or:[{a:1},{b:2}]}).explain())
//> [ 'SUBPLAN < FETCH < OR(IXSCAN:a_1_s_1, IXSCAN:b_1_s_1)' ]
plan(db.c.find({$or:[{a:1},{b:2}]}).limit(5).skip(2).explain())
//> [
//>   'SUBPLAN < LIMIT < FETCH < SKIP < OR(IXSCAN:a_1_s_1, IXSCAN:b_1_s_1)'
//> ]
plan(db.c.find({$and:[{$or:[{a:1},{b:2}]},{$or:[{a:3},{c:2}]}]}).explain())
//> [
//>   'FETCH < OR(IXSCAN:a_1_s_1, IXSCAN:c_1)',
//>   'FETCH < OR(IXSCAN:a_1_s_1, IXSCAN:b_1_s_1)'
//> ]
