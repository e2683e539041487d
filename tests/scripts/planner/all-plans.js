// What explain tells of the plans that lost: what the trial of each cost until the winner was known, and its score.
// Manual: reference/explain-results
db.c.insertMany(Array.from({length: 400}, (_, i) => ({_id: i, a: i % 40, b: i % 4}))).acknowledged
db.c.createIndex({a: 1})
db.c.createIndex({b: 1})
const told = (q, verbosity = "allPlansExecution") => db.c.find(q).explain(verbosity).executionStats.allPlansExecution
//> b_1
Object.keys(told({a: 1, b: 1})[0])
//> [
//>   'nReturned',
//>   'executionTimeMillisEstimate',
//>   'totalKeysExamined',
//>   'totalDocsExamined',
//>   'score',
//>   'executionStages'
//> ]
told({a: 1, b: 1}).map((p) => [p.score, p.nReturned, p.totalKeysExamined, p.totalDocsExamined, p.executionStages.stage, p.executionStages.inputStage.indexName, p.executionStages.works, p.executionStages.isEOF])
//> [
//>   [ 2.909290909090909, 10, 10, 10, 'FETCH', 'a_1', 11, 1 ],
//>   [ 1.1002, 1, 10, 10, 'FETCH', 'b_1', 10, 0 ],
//>   [ 1.1001, 1, 10, 1, 'FETCH', undefined, 10, 0 ]
//> ]
told({a: 1})
//> []
told({a: 1, b: 1}, "executionStats")
db.c.find({a: 1, b: 1}).sort({b: 1}).explain("allPlansExecution").executionStats.allPlansExecution.map((p) => [p.score, p.executionStages.stage, p.nReturned])
//> [
//>   [ 2.454645454545455, 'SORT', 10 ],
//>   [ 1.1430571428571428, 'FETCH', 3 ],
//>   [ 1, 'SORT', 0 ]
//> ]
