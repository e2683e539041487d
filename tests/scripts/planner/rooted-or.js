// probe
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
//> {
//>   isCached: false,
//>   stage: 'SUBPLAN',
//>   nReturned: 4,
//>   executionTimeMillisEstimate: 0,
//>   works: 10,
//>   advanced: 4,
//>   needTime: 5,
//>   needYield: 0,
//>   saveState: 0,
//>   restoreState: 0,
//>   isEOF: 1,
//>   inputStage: {
//>     stage: 'LIMIT',
//>     nReturned: 4,
//>     executionTimeMillisEstimate: 0,
//>     works: 10,
//>     advanced: 4,
//>     needTime: 5,
//>     needYield: 0,
//>     saveState: 0,
//>     restoreState: 0,
//>     isEOF: 1,
//>     limitAmount: 4,
//>     inputStage: {
//>       stage: 'FETCH',
//>       nReturned: 4,
//>       executionTimeMillisEstimate: 0,
//>       works: 9,
//>       advanced: 4,
//>       needTime: 5,
//>       needYield: 0,
//>       saveState: 0,
//>       restoreState: 0,
//>       isEOF: 0,
//>       docsExamined: 4,
//>       alreadyHasObj: 0,
//>       inputStage: {
//>         stage: 'SORT_MERGE',
//>         nReturned: 4,
//>         executionTimeMillisEstimate: 0,
//>         works: 9,
//>         advanced: 4,
//>         needTime: 5,
//>         needYield: 0,
//>         saveState: 0,
//>         restoreState: 0,
//>         isEOF: 0,
//>         sortPattern: { s: 1 },
//>         dupsTested: 5,
//>         dupsDropped: 0,
//>         inputStages: [
//>           {
//>             stage: 'IXSCAN',
//>             nReturned: 2,
//>             executionTimeMillisEstimate: 0,
//>             works: 2,
//>             advanced: 2,
//>             needTime: 0,
//>             needYield: 0,
//>             saveState: 0,
//>             restoreState: 0,
//>             isEOF: 0,
//>             keyPattern: { a: 1, s: 1 },
//>             indexName: 'a_1_s_1',
//>             isMultiKey: false,
//>             multiKeyPaths: { a: [Array], s: [Array] },
//>             isUnique: false,
//>             isSparse: false,
//>             isPartial: false,
//>             indexVersion: 2,
//>             direction: 'forward',
//>             indexBounds: { a: [Array], s: [Array] },
//>             keysExamined: 2,
//>             seeks: 1,
//>             dupsTested: 0,
//>             dupsDropped: 0
//>           },
//>           {
//>             stage: 'IXSCAN',
//>             nReturned: 3,
//>             executionTimeMillisEstimate: 0,
//>             works: 3,
//>             advanced: 3,
//>             needTime: 0,
//>             needYield: 0,
//>             saveState: 0,
//>             restoreState: 0,
//>             isEOF: 0,
//>             keyPattern: { b: 1, s: 1 },
//>             indexName: 'b_1_s_1',
//>             isMultiKey: false,
//>             multiKeyPaths: { b: [Array], s: [Array] },
//>             isUnique: false,
//>             isSparse: false,
//>             isPartial: false,
//>             indexVersion: 2,
//>             direction: 'forward',
//>             indexBounds: { b: [Array], s: [Array] },
//>             keysExamined: 3,
//>             seeks: 1,
//>             dupsTested: 0,
//>             dupsDropped: 0
//>           }
//>         ]
//>       }
//>     }
//>   }
//> }
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
