// Posts with their comments inside, and indexes that reach into arrays.
use cms

db.users.drop(); db.posts.drop()
db.users.insertMany([
  { _id: "alex", name: "Alex Rivera", karma: 12 },
  { _id: "sam", name: "Sam Okafor", karma: 40 },
  { _id: "kim", name: "Kim Lee", karma: 3 },
])

const authors = ["alex", "sam", "kim"], topics = ["databases", "gardens", "paper", "trains"]
for (let i = 0; i < 300; i++) {
  db.posts.insertOne({
    title: "Post " + i,
    author: authors[i % 3],
    date: new Date(Date.UTC(2024, 0, 1 + i)),
    tags: [topics[i % 4], topics[(i + 1) % 4]],
    comments: [
      { who: authors[(i + 1) % 3], text: "First!" },
      { who: authors[(i + 2) % 3], text: "I disagree with " + authors[(i + 1) % 3] },
    ].slice(0, i % 3),
  })
}

// What does it cost to find one author's posts? Before and after an index.
const cost = (what, filter) => {
  const stats = db.posts.find(filter).explain("executionStats").executionStats
  print(what + ":", stats.totalKeysExamined, "keys,", stats.totalDocsExamined, "documents read to find", stats.nReturned)
}
cost("author, no index", { author: "alex" })
db.posts.createIndex({ author: 1 })
cost("author, indexed", { author: "alex" })

// An index over an array has one key an element, also inside embedded documents.
cost("tag, no index", { tags: "paper" })
db.posts.createIndex({ tags: 1 })
cost("tag, indexed", { tags: "paper" })
cost("commenter, no index", { "comments.who": "kim" })
db.posts.createIndex({ "comments.who": 1 })
cost("commenter, indexed", { "comments.who": "kim" })

// The newest post, joined to its author here in the script.
const post = db.posts.find().sort({ date: -1 })[0]
const author = db.users.findOne({ _id: post.author })
print(post.title, "by", author.name)

// The plan of the last question. Its tree is above the whole explain.
db.posts.find({ "comments.who": "kim" }).explain("executionStats")
//> author, no index: 0 keys, 300 documents read to find 100
//> author, indexed: 100 keys, 100 documents read to find 100
//> tag, no index: 0 keys, 300 documents read to find 150
//> tag, indexed: 150 keys, 150 documents read to find 150
//> commenter, no index: 0 keys, 300 documents read to find 100
//> commenter, indexed: 100 keys, 100 documents read to find 100
//> Post 299 by Kim Lee
//> {
//>   explainVersion: '1',
//>   queryPlanner: {
//>     namespace: 'cms.posts',
//>     parsedQuery: { 'comments.who': { '$eq': 'kim' } },
//>     indexFilterSet: false,
//>     queryHash: 'FF64347E',
//>     planCacheShapeHash: 'FF64347E',
//>     planCacheKey: '256AD909',
//>     optimizationTimeMillis: 0,
//>     maxIndexedOrSolutionsReached: false,
//>     maxIndexedAndSolutionsReached: false,
//>     maxScansToExplodeReached: false,
//>     prunedSimilarIndexes: false,
//>     winningPlan: {
//>       isCached: false,
//>       stage: 'FETCH',
//>       inputStage: {
//>         stage: 'IXSCAN',
//>         keyPattern: { 'comments.who': 1 },
//>         indexName: 'comments.who_1',
//>         isMultiKey: true,
//>         multiKeyPaths: { 'comments.who': [ 'comments' ] },
//>         isUnique: false,
//>         isSparse: false,
//>         isPartial: false,
//>         indexVersion: 2,
//>         direction: 'forward',
//>         indexBounds: { 'comments.who': [ '["kim", "kim"]' ] }
//>       }
//>     },
//>     rejectedPlans: []
//>   },
//>   executionStats: {
//>     executionSuccess: true,
//>     nReturned: 100,
//>     executionTimeMillis: <*>,
//>     totalKeysExamined: 100,
//>     totalDocsExamined: 100,
//>     executionStages: {
//>       isCached: false,
//>       stage: 'FETCH',
//>       nReturned: 100,
//>       executionTimeMillisEstimate: 0,
//>       works: 101,
//>       advanced: 100,
//>       needTime: 0,
//>       needYield: 0,
//>       saveState: 0,
//>       restoreState: 0,
//>       isEOF: 1,
//>       docsExamined: 100,
//>       alreadyHasObj: 0,
//>       inputStage: {
//>         stage: 'IXSCAN',
//>         nReturned: 100,
//>         executionTimeMillisEstimate: 0,
//>         works: 101,
//>         advanced: 100,
//>         needTime: 0,
//>         needYield: 0,
//>         saveState: 0,
//>         restoreState: 0,
//>         isEOF: 1,
//>         keyPattern: { 'comments.who': 1 },
//>         indexName: 'comments.who_1',
//>         isMultiKey: true,
//>         multiKeyPaths: { 'comments.who': [ 'comments' ] },
//>         isUnique: false,
//>         isSparse: false,
//>         isPartial: false,
//>         indexVersion: 2,
//>         direction: 'forward',
//>         indexBounds: { 'comments.who': [ '["kim", "kim"]' ] },
//>         keysExamined: 100,
//>         seeks: 1,
//>         dupsTested: 100,
//>         dupsDropped: 0
//>       }
//>     },
//>     quire: {
//>       pagesRead: 6,
//>       bytesRead: 16514,
//>       plan: 'FETCH(IXSCAN comments.who_1)'
//>     }
//>   },
//>   queryShapeHash: '447B2F089919F92264A8B6A8A48EC3B8F349ABF4EAC6621828C8B2B5DD4CC6FB',
//>   command: { find: 'posts', filter: { 'comments.who': 'kim' }, '$db': 'cms' },
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
