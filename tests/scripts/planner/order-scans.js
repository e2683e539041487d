// Whole scans of an index for its order, with a filter on a later field of the key.
//
// Manual: tutorial/sort-results-with-indexes
db.c.createIndex({ a: 1, b: 1 })
//> a_1_b_1
db.c.insertMany([...Array(12)].map((_, i) => ({ _id: i, a: i % 4, b: i }))).insertedIds[11]
//> 11
const plan = (filter, sort, projection) => db.c.find(filter, projection).sort(sort).explain().queryPlanner.winningPlan
plan({ b: { $gt: 5 } }, { a: 1 })
//> {
//>   isCached: false,
//>   stage: 'FETCH',
//>   inputStage: {
//>     stage: 'IXSCAN',
//>     keyPattern: { a: 1, b: 1 },
//>     indexName: 'a_1_b_1',
//>     isMultiKey: false,
//>     multiKeyPaths: { a: [], b: [] },
//>     isUnique: false,
//>     isSparse: false,
//>     isPartial: false,
//>     indexVersion: 2,
//>     direction: 'forward',
//>     indexBounds: { a: [ '[MinKey, MaxKey]' ], b: [ '(5, inf.0]' ] }
//>   }
//> }
plan({ b: { $gt: 5 } }, { a: 1 }, { _id: 0, a: 1, b: 1 })
//> {
//>   isCached: false,
//>   stage: 'PROJECTION_COVERED',
//>   transformBy: { _id: 0, a: 1, b: 1 },
//>   inputStage: {
//>     stage: 'IXSCAN',
//>     keyPattern: { a: 1, b: 1 },
//>     indexName: 'a_1_b_1',
//>     isMultiKey: false,
//>     multiKeyPaths: { a: [], b: [] },
//>     isUnique: false,
//>     isSparse: false,
//>     isPartial: false,
//>     indexVersion: 2,
//>     direction: 'forward',
//>     indexBounds: { a: [ '[MinKey, MaxKey]' ], b: [ '(5, inf.0]' ] }
//>   }
//> }
plan({ b: { $mod: [2, 0] } }, { a: 1 })
//> {
//>   isCached: false,
//>   stage: 'FETCH',
//>   inputStage: {
//>     stage: 'IXSCAN',
//>     filter: { b: { '$mod': [ Long('2'), Long('0') ] } },
//>     keyPattern: { a: 1, b: 1 },
//>     indexName: 'a_1_b_1',
//>     isMultiKey: false,
//>     multiKeyPaths: { a: [], b: [] },
//>     isUnique: false,
//>     isSparse: false,
//>     isPartial: false,
//>     indexVersion: 2,
//>     direction: 'forward',
//>     indexBounds: { a: [ '[MinKey, MaxKey]' ], b: [ '[nan.0, inf.0]' ] }
//>   }
//> }
db.c.find({ b: { $gt: 5 } }).sort({ a: 1 }).explain("executionStats").executionStats.totalDocsExamined
//> 6
db.c.find({ b: { $gt: 5 } }).sort({ a: 1 }).map(d => d._id)
//> [ 8, 9, 6, 10, 7, 11 ]
db.c.find({ b: { $gt: 5 } }).hint({ a: 1, b: 1 }).explain().queryPlanner.winningPlan
//> {
//>   isCached: false,
//>   stage: 'FETCH',
//>   inputStage: {
//>     stage: 'IXSCAN',
//>     keyPattern: { a: 1, b: 1 },
//>     indexName: 'a_1_b_1',
//>     isMultiKey: false,
//>     multiKeyPaths: { a: [], b: [] },
//>     isUnique: false,
//>     isSparse: false,
//>     isPartial: false,
//>     indexVersion: 2,
//>     direction: 'forward',
//>     indexBounds: { a: [ '[MinKey, MaxKey]' ], b: [ '(5, inf.0]' ] }
//>   }
//> }
