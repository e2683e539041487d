// Which plans answer simple queries, before and after an index. Manual: reference/explain-results.
for (let i = 0; i < 100; i++) db.items.insertOne({ _id: i, n: i % 10, s: "v" + i, tags: ["a" + (i % 3), "b"], p: { q: i } })
//> { acknowledged: true, insertedId: 99 }
db.items.find({ n: 3 }).explain().queryPlanner.winningPlan
//> {
//>   isCached: false,
//>   stage: 'COLLSCAN',
//>   filter: { n: { '$eq': 3 } },
//>   direction: 'forward'
//> }
db.items.createIndex({ n: 1 })
//> n_1
db.items.find({ n: 3 }).explain("executionStats").executionStats
//> {
//>   executionSuccess: true,
//>   nReturned: 10,
//>   executionTimeMillis: <*>,
//>   totalKeysExamined: 10,
//>   totalDocsExamined: 10,
//>   executionStages: {
//>     isCached: false,
//>     stage: 'FETCH',
//>     nReturned: 10,
//>     executionTimeMillisEstimate: 0,
//>     works: 11,
//>     advanced: 10,
//>     needTime: 0,
//>     needYield: 0,
//>     saveState: 0,
//>     restoreState: 0,
//>     isEOF: 1,
//>     docsExamined: 10,
//>     alreadyHasObj: 0,
//>     inputStage: {
//>       stage: 'IXSCAN',
//>       nReturned: 10,
//>       executionTimeMillisEstimate: 0,
//>       works: 11,
//>       advanced: 10,
//>       needTime: 0,
//>       needYield: 0,
//>       saveState: 0,
//>       restoreState: 0,
//>       isEOF: 1,
//>       keyPattern: { n: 1 },
//>       indexName: 'n_1',
//>       isMultiKey: false,
//>       multiKeyPaths: { n: [] },
//>       isUnique: false,
//>       isSparse: false,
//>       isPartial: false,
//>       indexVersion: 2,
//>       direction: 'forward',
//>       indexBounds: { n: [ '[3, 3]' ] },
//>       keysExamined: 10,
//>       seeks: 1,
//>       dupsTested: 0,
//>       dupsDropped: 0
//>     }
//>   },
//>   quire: { pagesRead: 2, bytesRead: 769, plan: 'FETCH(IXSCAN n_1)' }
//> }
db.items.find({ _id: 5 }).explain("executionStats")
//> {
//>   explainVersion: '1',
//>   queryPlanner: {
//>     namespace: 'test.items',
//>     parsedQuery: { _id: { '$eq': 5 } },
//>     indexFilterSet: false,
//>     queryHash: '67995E7C',
//>     planCacheShapeHash: '67995E7C',
//>     planCacheKey: 'C199CD7B',
//>     optimizationTimeMillis: 0,
//>     maxIndexedOrSolutionsReached: false,
//>     maxIndexedAndSolutionsReached: false,
//>     maxScansToExplodeReached: false,
//>     prunedSimilarIndexes: false,
//>     winningPlan: {
//>       isCached: false,
//>       stage: 'EXPRESS_IXSCAN',
//>       keyPattern: '{ _id: 1 }',
//>       indexName: '_id_'
//>     },
//>     rejectedPlans: []
//>   },
//>   executionStats: {
//>     executionSuccess: true,
//>     nReturned: 1,
//>     executionTimeMillis: <*>,
//>     totalKeysExamined: 1,
//>     totalDocsExamined: 1,
//>     executionStages: {
//>       isCached: false,
//>       stage: 'EXPRESS_IXSCAN',
//>       nReturned: 1,
//>       executionTimeMillisEstimate: 0,
//>       keyPattern: '{ _id: 1 }',
//>       indexName: '_id_',
//>       keysExamined: 1,
//>       docsExamined: 1
//>     },
//>     quire: { pagesRead: 2, bytesRead: 76, plan: 'EXPRESS_IXSCAN _id_' }
//>   },
//>   queryShapeHash: '360F82860859F1EF1F3CBD37F10BD470754F2F31DADDDBFC0A8E308AE8552BD9',
//>   command: { find: 'items', filter: { _id: 5 }, '$db': 'test' },
//>   serverInfo: {
//>     host: 'quire',
//>     port: 27017,
//>     version: '8.2.0',
//>     gitVersion: 'quire-0.1.0'
//>   },
//>   serverParameters: {
//>     internalQueryFacetBufferSizeBytes: 104857600,
//>     internalQueryFacetMaxOutputDocSizeBytes: 104857600,
//>     internalLookupStageIntermediateDocumentMaxSizeBytes: 104857600,
//>     internalDocumentSourceGroupMaxMemoryBytes: 104857600,
//>     internalQueryMaxBlockingSortMemoryUsageBytes: 104857600,
//>     internalQueryProhibitBlockingMergeOnMongoS: 0,
//>     internalQueryMaxAddToSetBytes: 104857600,
//>     internalDocumentSourceSetWindowFieldsMaxMemoryBytes: 104857600,
//>     internalQueryFrameworkControl: 'forceClassicEngine',
//>     internalQueryPlannerIgnoreIndexWithCollationForRegex: 1
//>   },
//>   ok: 1
//> }
db.items.find({ n: { $gt: 3, $lt: 6 } }, { _id: 0, n: 1 }).explain().queryPlanner.winningPlan
//> {
//>   isCached: false,
//>   stage: 'PROJECTION_COVERED',
//>   transformBy: { _id: 0, n: 1 },
//>   inputStage: {
//>     stage: 'IXSCAN',
//>     keyPattern: { n: 1 },
//>     indexName: 'n_1',
//>     isMultiKey: false,
//>     multiKeyPaths: { n: [] },
//>     isUnique: false,
//>     isSparse: false,
//>     isPartial: false,
//>     indexVersion: 2,
//>     direction: 'forward',
//>     indexBounds: { n: [ '(3, 6)' ] }
//>   }
//> }
db.items.createIndex({ tags: 1 })
//> tags_1
db.items.find({ tags: "a1" }).sort({ _id: -1 }).limit(2).explain("executionStats").executionStats.executionStages
//> {
//>   isCached: false,
//>   stage: 'LIMIT',
//>   nReturned: 2,
//>   executionTimeMillisEstimate: 0,
//>   works: 7,
//>   advanced: 2,
//>   needTime: 4,
//>   needYield: 0,
//>   saveState: 0,
//>   restoreState: 0,
//>   isEOF: 1,
//>   limitAmount: 2,
//>   inputStage: {
//>     stage: 'FETCH',
//>     filter: { tags: { '$eq': 'a1' } },
//>     nReturned: 2,
//>     executionTimeMillisEstimate: 0,
//>     works: 6,
//>     advanced: 2,
//>     needTime: 4,
//>     needYield: 0,
//>     saveState: 0,
//>     restoreState: 0,
//>     isEOF: 0,
//>     docsExamined: 6,
//>     alreadyHasObj: 0,
//>     inputStage: {
//>       stage: 'IXSCAN',
//>       nReturned: 6,
//>       executionTimeMillisEstimate: 0,
//>       works: 6,
//>       advanced: 6,
//>       needTime: 0,
//>       needYield: 0,
//>       saveState: 0,
//>       restoreState: 0,
//>       isEOF: 0,
//>       keyPattern: { _id: 1 },
//>       indexName: '_id_',
//>       isMultiKey: false,
//>       multiKeyPaths: { _id: [] },
//>       isUnique: true,
//>       isSparse: false,
//>       isPartial: false,
//>       indexVersion: 2,
//>       direction: 'backward',
//>       indexBounds: { _id: [ '[MaxKey, MinKey]' ] },
//>       keysExamined: 6,
//>       seeks: 1,
//>       dupsTested: 0,
//>       dupsDropped: 0
//>     }
//>   }
//> }
db.items.find({ $or: [{ n: 1 }, { tags: "a0" }] }).explain().queryPlanner.winningPlan
//> {
//>   isCached: false,
//>   stage: 'SUBPLAN',
//>   inputStage: {
//>     stage: 'FETCH',
//>     inputStage: {
//>       stage: 'OR',
//>       inputStages: [
//>         {
//>           stage: 'IXSCAN',
//>           keyPattern: { n: 1 },
//>           indexName: 'n_1',
//>           isMultiKey: false,
//>           multiKeyPaths: { n: [] },
//>           isUnique: false,
//>           isSparse: false,
//>           isPartial: false,
//>           indexVersion: 2,
//>           direction: 'forward',
//>           indexBounds: { n: [ '[1, 1]' ] }
//>         },
//>         {
//>           stage: 'IXSCAN',
//>           keyPattern: { tags: 1 },
//>           indexName: 'tags_1',
//>           isMultiKey: true,
//>           multiKeyPaths: { tags: [ 'tags' ] },
//>           isUnique: false,
//>           isSparse: false,
//>           isPartial: false,
//>           indexVersion: 2,
//>           direction: 'forward',
//>           indexBounds: { tags: [ '["a0", "a0"]' ] }
//>         }
//>       ]
//>     }
//>   }
//> }
db.items.find({ n: { $in: [1, 2] } }).sort({ s: 1 }).explain().queryPlanner.winningPlan
//> {
//>   isCached: false,
//>   stage: 'SORT',
//>   sortPattern: { s: 1 },
//>   memLimit: 104857600,
//>   type: 'simple',
//>   inputStage: {
//>     stage: 'FETCH',
//>     inputStage: {
//>       stage: 'IXSCAN',
//>       keyPattern: { n: 1 },
//>       indexName: 'n_1',
//>       isMultiKey: false,
//>       multiKeyPaths: { n: [] },
//>       isUnique: false,
//>       isSparse: false,
//>       isPartial: false,
//>       indexVersion: 2,
//>       direction: 'forward',
//>       indexBounds: { n: [ '[1, 1]', '[2, 2]' ] }
//>     }
//>   }
//> }
db.items.find({ n: 1, tags: "a1" }).explain().queryPlanner
//> {
//>   namespace: 'test.items',
//>   parsedQuery: {
//>     '$and': [ { n: { '$eq': 1 } }, { tags: { '$eq': 'a1' } } ]
//>   },
//>   indexFilterSet: false,
//>   queryHash: '7898DEB9',
//>   planCacheShapeHash: '7898DEB9',
//>   planCacheKey: '14960B6D',
//>   optimizationTimeMillis: 0,
//>   maxIndexedOrSolutionsReached: false,
//>   maxIndexedAndSolutionsReached: false,
//>   maxScansToExplodeReached: false,
//>   prunedSimilarIndexes: false,
//>   winningPlan: {
//>     isCached: false,
//>     stage: 'FETCH',
//>     filter: { tags: { '$eq': 'a1' } },
//>     inputStage: {
//>       stage: 'IXSCAN',
//>       keyPattern: { n: 1 },
//>       indexName: 'n_1',
//>       isMultiKey: false,
//>       multiKeyPaths: { n: [] },
//>       isUnique: false,
//>       isSparse: false,
//>       isPartial: false,
//>       indexVersion: 2,
//>       direction: 'forward',
//>       indexBounds: { n: [ '[1, 1]' ] }
//>     }
//>   },
//>   rejectedPlans: [
//>     {
//>       isCached: false,
//>       stage: 'FETCH',
//>       filter: { n: { '$eq': 1 } },
//>       inputStage: {
//>         stage: 'IXSCAN',
//>         keyPattern: { tags: 1 },
//>         indexName: 'tags_1',
//>         isMultiKey: true,
//>         multiKeyPaths: { tags: [ 'tags' ] },
//>         isUnique: false,
//>         isSparse: false,
//>         isPartial: false,
//>         indexVersion: 2,
//>         direction: 'forward',
//>         indexBounds: { tags: [ '["a1", "a1"]' ] }
//>       }
//>     },
//>     {
//>       isCached: false,
//>       stage: 'FETCH',
//>       filter: {
//>         '$and': [ { n: { '$eq': 1 } }, { tags: { '$eq': 'a1' } } ]
//>       },
//>       inputStage: {
//>         stage: 'AND_SORTED',
//>         inputStages: [
//>           {
//>             stage: 'IXSCAN',
//>             keyPattern: { n: 1 },
//>             indexName: 'n_1',
//>             isMultiKey: false,
//>             multiKeyPaths: { n: [Array] },
//>             isUnique: false,
//>             isSparse: false,
//>             isPartial: false,
//>             indexVersion: 2,
//>             direction: 'forward',
//>             indexBounds: { n: [Array] }
//>           },
//>           {
//>             stage: 'IXSCAN',
//>             keyPattern: { tags: 1 },
//>             indexName: 'tags_1',
//>             isMultiKey: true,
//>             multiKeyPaths: { tags: [Array] },
//>             isUnique: false,
//>             isSparse: false,
//>             isPartial: false,
//>             indexVersion: 2,
//>             direction: 'forward',
//>             indexBounds: { tags: [Array] }
//>           }
//>         ]
//>       }
//>     }
//>   ]
//> }
db.items.find({ s: /^v1/ }).count()
//> 11
db.items.createIndex({ s: 1, n: -1 })
//> s_1_n_-1
db.items.find({ s: /^v1/ }).sort({ s: -1 }).explain().queryPlanner.winningPlan
//> {
//>   isCached: false,
//>   stage: 'FETCH',
//>   inputStage: {
//>     stage: 'IXSCAN',
//>     keyPattern: { s: 1, n: -1 },
//>     indexName: 's_1_n_-1',
//>     isMultiKey: false,
//>     multiKeyPaths: { s: [], n: [] },
//>     isUnique: false,
//>     isSparse: false,
//>     isPartial: false,
//>     indexVersion: 2,
//>     direction: 'backward',
//>     indexBounds: {
//>       s: [ '[/^v1/, /^v1/]', '("v2", "v1"]' ],
//>       n: [ '[MinKey, MaxKey]' ]
//>     }
//>   }
//> }
db.items.find({ n: { $in: [1, 2] } }).sort({ _id: 1 }).toArray().length
//> 20
db.items.find({}, { s: 1 }).sort({ s: 1 }).skip(3).limit(2)
//> [ { _id: 11, s: 'v11' }, { _id: 12, s: 'v12' } ]
