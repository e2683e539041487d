// One value of one field: which reads and writes the express path answers, and which are planned.
// Manual: reference/explain-results
const plan = (e) => { const w=(s)=> s.inputStages? s.stage+"("+s.inputStages.map(w).join(", ")+")": s.stage+(s.indexName?":"+s.indexName:"")+(s.inputStage?" < "+w(s.inputStage):""); return w(e.queryPlanner.winningPlan)}
db.c.insertMany([{_id:1,u:1,m:[1,2],p:1,a:1,b:1,s:"x"},{_id:2,u:2,m:[3],p:5,a:2,b:1,s:"y"}]).acknowledged
//> true
db.c.createIndex({u:1},{unique:true})
db.c.createIndex({m:1})
db.c.createIndex({a:1,b:1,c:1})
db.c.createIndex({a:1,b:1})
db.c.createIndex({p:1},{partialFilterExpression:{p:{$gt:3}}})
db.c.createIndex({s:1},{collation:{locale:"en",strength:2}})
db.c.createIndex({h:"hashed"})
db.c.createIndex({"w.$**":1})
//> w.$**_1
// Writes: by `_id` only.
plan(db.c.explain().update({u:1},{$set:{z:1}}))
//> UPDATE < FETCH < IXSCAN:u_1
plan(db.c.explain().remove({u:1}))
//> DELETE < FETCH < IXSCAN:u_1
plan(db.c.explain().findAndModify({query:{u:1},remove:true}))
//> DELETE < FETCH < IXSCAN:u_1
// Reads: of a unique field, or of the first document of any value that leads an index (the shortest); without projection, sort, hint, skip
// or batch size.
plan(db.c.find({u:1}).explain())
//> EXPRESS_IXSCAN:u_1
plan(db.c.find({u:1},{u:1}).explain())
//> PROJECTION_SIMPLE < FETCH < IXSCAN:u_1
plan(db.c.find({u:1},{u:1,_id:0}).explain())
//> PROJECTION_COVERED < IXSCAN:u_1
plan(db.c.find({u:1}).batchSize(5).explain())
//> FETCH < IXSCAN:u_1
plan(db.c.find({u:1}).skip(1).explain())
//> FETCH < SKIP < IXSCAN:u_1
plan(db.c.find({u:{$gt:1}}).limit(1).explain())
//> LIMIT < FETCH < IXSCAN:u_1
plan(db.c.find({u:null}).limit(1).explain())
//> LIMIT < FETCH < IXSCAN:u_1
plan(db.c.find({m:1}).explain())
//> FETCH < IXSCAN:m_1
plan(db.c.find({m:1}).limit(1).explain())
//> EXPRESS_IXSCAN:m_1
db.c.find({m:2}).limit(1).explain("executionStats").executionStats.executionStages
//> {
//>   isCached: false,
//>   stage: 'EXPRESS_IXSCAN',
//>   nReturned: 1,
//>   executionTimeMillisEstimate: 0,
//>   keyPattern: '{ m: 1 }',
//>   indexName: 'm_1',
//>   keysExamined: 1,
//>   docsExamined: 1
//> }
plan(db.c.find({a:1}).limit(1).explain())
//> EXPRESS_IXSCAN:a_1_b_1
plan(db.c.find({a:1}).limit(2).explain())
//> LIMIT < FETCH < IXSCAN:a_1_b_1_c_1
plan(db.c.find({b:1}).limit(1).explain())
//> LIMIT < COLLSCAN
plan(db.c.find({p:5}).limit(1).explain())
//> EXPRESS_IXSCAN:p_1
plan(db.c.find({p:1}).limit(1).explain())
//> LIMIT < COLLSCAN
plan(db.c.find({h:1}).limit(1).explain())
//> LIMIT < FETCH < IXSCAN:h_hashed
plan(db.c.find({"w.x":1}).limit(1).explain())
//> LIMIT < FETCH < IXSCAN:w.$**_1
plan(db.c.find({s:"X"}).collation({locale:"en",strength:2}).limit(1).explain())
//> EXPRESS_IXSCAN:s_1
db.c.find({s:"X"}).collation({locale:"en",strength:2}).limit(1).explain("executionStats").executionStats.executionStages
//> {
//>   isCached: false,
//>   stage: 'EXPRESS_IXSCAN',
//>   nReturned: 1,
//>   executionTimeMillisEstimate: 0,
//>   keyPattern: '{ s: 1 }',
//>   indexName: 's_1',
//>   keysExamined: 1,
//>   docsExamined: 1
//> }
plan(db.c.find({s:"X"}).limit(1).explain())
//> LIMIT < COLLSCAN
plan(db.c.find({s:7}).limit(1).explain())
//> EXPRESS_IXSCAN:s_1
plan(db.c.find({$or:[{a:0},{a:0}]}).limit(1).explain())
//> EXPRESS_IXSCAN:a_1_b_1
plan(db.c.find({a:{$in:[0]}}).limit(1).explain())
//> EXPRESS_IXSCAN:a_1_b_1
// A pipeline's read is no other.
plan(db.c.explain().aggregate([{$match:{a:1}},{$limit:1}]))
//> EXPRESS_IXSCAN:a_1_b_1
plan(db.c.explain().aggregate([{$match:{u:1}}]))
//> EXPRESS_IXSCAN:u_1
db.c.explain().aggregate([{$match:{u:1}},{$group:{_id:"$a"}}]).stages[0].$cursor.queryPlanner.winningPlan.stage
//> PROJECTION_SIMPLE
Object.keys(db.c.explain().aggregate([{$match:{u:1}},{$group:{_id:"$a"}}]))
//> [
//>   'explainVersion',
//>   'stages',
//>   'queryShapeHash',
//>   'serverInfo',
//>   'serverParameters',
//>   'command',
//>   'ok'
//> ]
Object.keys(db.c.explain().aggregate([{$match:{u:1}}]))
//> [
//>   'explainVersion',
//>   'queryPlanner',
//>   'queryShapeHash',
//>   'command',
//>   'serverInfo',
//>   'serverParameters',
//>   'ok'
//> ]
db.runCommand({aggregate:"c",pipeline:[{$match:{u:1}}],explain:true}).command
//> {
//>   aggregate: 'c',
//>   pipeline: [ { '$match': { u: 1 } } ],
//>   '$db': 'test'
//> }
db.c.find().explain().serverParameters
//> {
//>   internalQueryFacetBufferSizeBytes: 104857600,
//>   internalQueryFacetMaxOutputDocSizeBytes: 104857600,
//>   internalLookupStageIntermediateDocumentMaxSizeBytes: 104857600,
//>   internalDocumentSourceGroupMaxMemoryBytes: 104857600,
//>   internalQueryMaxBlockingSortMemoryUsageBytes: 104857600,
//>   internalQueryProhibitBlockingMergeOnMongoS: 0,
//>   internalQueryMaxAddToSetBytes: 104857600,
//>   internalDocumentSourceSetWindowFieldsMaxMemoryBytes: 104857600,
//>   internalQueryFrameworkControl: 'forceClassicEngine',
//>   internalQueryPlannerIgnoreIndexWithCollationForRegex: 1
//> }
