// explain shows the optimised pipeline: what the collection read took over as $cursor, then the stages that are left,
// with the counts of a run. Manual: core/aggregation-pipeline-optimization, reference/explain-results.
const stages = (pipeline, verbosity) => db.orders.explain(verbosity).aggregate(pipeline).stages
const rest = pipeline => stages(pipeline).slice(1)
const plan = (pipeline, name = "orders") => {
  const shown = db[name].explain().aggregate(pipeline)
  const winner = (shown.stages ? shown.stages[0].$cursor : shown).queryPlanner.winningPlan
  const names = stage => stage.stage + (stage.indexName ? " " + stage.indexName : "") + (stage.inputStage ? " < " + names(stage.inputStage) : "")
  return names(winner)
}
db.items.insertMany([{ _id: 1, name: "rake", price: 5 }, { _id: 2, name: "hose", price: 9 }, { _id: 3, name: "bench", price: 40 }]); "stored"
//> stored
db.orders.insertMany([
  { _id: 1, item: 1, customer: "ada", n: 2, tags: ["a", "b"], to: { city: "Bern" } },
  { _id: 2, item: 2, customer: "bob", n: 1, tags: ["a"] },
  { _id: 3, item: 3, customer: "ada", n: 4, tags: [] },
  { _id: 4, item: 9, n: 3 },
]); "stored"
//> stored
// A filter goes to where its fields come from: through renames, unset fields, unwound arrays and sorts.
rest([{ $project: { who: "$customer", n: 1 } }, { $sort: { n: 1 } }, { $unwind: "$n" }, { $match: { who: "ada" } }])
//> [ { '$sort': { sortKey: { n: 1 } } }, { '$unwind': { path: '$n' } } ]
plan([{ $addFields: { m: 1 } }, { $unset: "tags" }, { $match: { _id: 2 } }])
//> EXPRESS_IXSCAN _id_
rest([{ $unwind: "$tags" }, { $match: { customer: "ada", tags: "a" } }])
//> [
//>   { '$unwind': { path: '$tags' } },
//>   { '$match': { tags: { '$eq': 'a' } } }
//> ]
rest([{ $group: { _id: "$customer", n: { $sum: "$n" } } }, { $match: { _id: "ada", n: { $gt: 1 } } }])
//> [
//>   {
//>     '$group': { _id: '$customer', n: { '$sum': '$n' }, '$willBeMerged': false }
//>   },
//>   { '$match': { n: { '$gt': 1 } } }
//> ]
stages([{ $group: { _id: "$customer", n: { $sum: "$n" } } }, { $match: { _id: "ada", n: { $gt: 1 } } }])[0].$cursor.queryPlanner.parsedQuery
//> { customer: { '$eq': 'ada' } }
db.orders.aggregate([{ $group: { _id: "$customer", n: { $sum: "$n" } } }, { $match: { _id: "ada", n: { $gt: 1 } } }])
//> [ { _id: 'ada', n: 6 } ]
// A lookup takes the unwinding of its array, and a filter on the joined documents.
rest([{ $lookup: { from: "items", localField: "item", foreignField: "_id", as: "i" } }, { $unwind: "$i" }, { $match: { "i.price": { $gt: 5 }, n: { $lt: 4 } } }])
//> [
//>   {
//>     '$lookup': {
//>       from: 'items',
//>       as: 'i',
//>       localField: 'item',
//>       foreignField: '_id',
//>       let: {},
//>       pipeline: [
//>         { '$match': { price: { '$gt': 5 } } }
//>       ],
//>       unwinding: { preserveNullAndEmptyArrays: false }
//>     }
//>   }
//> ]
db.orders.aggregate([{ $lookup: { from: "items", localField: "item", foreignField: "_id", as: "i" } }, { $unwind: "$i" }, { $match: { "i.price": { $gt: 5 }, n: { $lt: 4 } } }, { $project: { i: 1 } }])
//> [ { _id: 2, i: { _id: 2, name: 'hose', price: 9 } } ]
db.orders.aggregate([{ $lookup: { from: "items", localField: "item", foreignField: "_id", as: "i" } }, { $unwind: { path: "$i", preserveNullAndEmptyArrays: true, includeArrayIndex: "at" } }, { $match: { n: { $gt: 2 } } }, { $project: { tags: 0 } }])
//> [
//>   {
//>     _id: 3,
//>     item: 3,
//>     customer: 'ada',
//>     n: 4,
//>     i: { _id: 3, name: 'bench', price: 40 },
//>     at: Long('0')
//>   },
//>   { _id: 4, item: 9, n: 3, at: null }
//> ]
// Sorts keep what skip and limit leave of them, and documents that are dropped are not joined.
stages([{ $lookup: { from: "items", localField: "item", foreignField: "_id", as: "i" } }, { $sort: { n: -1 } }, { $skip: 1 }, { $limit: 2 }], "executionStats").map(s => [Object.keys(s)[0], s.nReturned])
//> [ [ '$cursor', Long('2') ], [ '$lookup', Long('2') ] ]
plan([{ $lookup: { from: "items", localField: "item", foreignField: "_id", as: "i" } }, { $sort: { n: -1 } }, { $skip: 1 }, { $limit: 2 }])
//> SKIP < SORT < COLLSCAN
// Only what later stages read is asked of the documents; a leading $project is made by the read itself.
plan([{ $group: { _id: "$customer", n: { $sum: "$n" } } }])
//> PROJECTION_SIMPLE < COLLSCAN
stages([{ $group: { _id: "$to.city", n: { $sum: "$n" } } }])[0].$cursor.queryPlanner.winningPlan
//> {
//>   isCached: false,
//>   stage: 'PROJECTION_DEFAULT',
//>   transformBy: { n: 1, 'to.city': 1, _id: 0 },
//>   inputStage: { stage: 'COLLSCAN', direction: 'forward' }
//> }
db.orders.explain().aggregate([{ $match: { n: { $gt: 1 } } }, { $project: { n: 1, twice: { $multiply: ["$n", 2] } } }]).queryPlanner.winningPlan
//> {
//>   isCached: false,
//>   stage: 'PROJECTION_DEFAULT',
//>   transformBy: {
//>     _id: true,
//>     n: true,
//>     twice: { '$multiply': [ '$n', { '$const': 2 } ] }
//>   },
//>   inputStage: {
//>     stage: 'COLLSCAN',
//>     filter: { n: { '$gt': 1 } },
//>     direction: 'forward'
//>   }
//> }
db.orders.explain().aggregate([{ $project: { tags: 0, "to.city": 0 } }]).queryPlanner.winningPlan
//> {
//>   isCached: false,
//>   stage: 'PROJECTION_DEFAULT',
//>   transformBy: { tags: false, to: { city: false }, _id: true },
//>   inputStage: { stage: 'COLLSCAN', direction: 'forward' }
//> }
db.orders.aggregate([{ $match: { n: { $gt: 1 } } }, { $project: { n: 1, twice: { $multiply: ["$n", 2] } } }])
//> [
//>   { _id: 1, n: 2, twice: 4 },
//>   { _id: 3, n: 4, twice: 8 },
//>   { _id: 4, n: 3, twice: 6 }
//> ]
db.orders.createIndex({ customer: 1, n: 1 })
//> customer_1_n_1
plan([{ $match: { customer: "ada" } }, { $group: { _id: "$n" } }])
//> PROJECTION_COVERED < IXSCAN customer_1_n_1
plan([{ $match: { customer: "ada" } }, { $count: "c" }])
//> COUNT_SCAN customer_1_n_1
db.orders.aggregate([{ $match: { customer: "ada" } }, { $count: "c" }])
//> [ { c: 2 } ]
// A group by the leading field of an index reads one key a value; with $first or $last of the index's order, one document.
db.orders.explain().aggregate([{ $group: { _id: "$customer" } }]).stages.map(s => s.$cursor ? plan([{ $group: { _id: "$customer" } }]) : s)
//> [
//>   'PROJECTION_COVERED < DISTINCT_SCAN customer_1_n_1',
//>   { '$groupByDistinctScan': { newRoot: { _id: '$customer' } } }
//> ]
db.orders.aggregate([{ $group: { _id: "$customer" } }])
//> [ { _id: null }, { _id: 'ada' }, { _id: 'bob' } ]
rest([{ $sort: { customer: 1, n: 1 } }, { $group: { _id: "$customer", least: { $first: "$n" }, item: { $first: "$item" } } }])
//> [
//>   {
//>     '$groupByDistinctScan': { newRoot: { _id: '$customer', least: '$n', item: '$item' } }
//>   }
//> ]
plan([{ $sort: { customer: 1, n: 1 } }, { $group: { _id: "$customer", least: { $first: "$n" }, item: { $first: "$item" } } }])
//> PROJECTION_SIMPLE < FETCH < DISTINCT_SCAN customer_1_n_1
db.orders.aggregate([{ $sort: { customer: 1, n: 1 } }, { $group: { _id: "$customer", least: { $first: "$n" }, item: { $first: "$item" } } }])
//> [
//>   { _id: null, least: 3, item: 9 },
//>   { _id: 'ada', least: 2, item: 1 },
//>   { _id: 'bob', least: 1, item: 2 }
//> ]
plan([{ $sort: { customer: 1, n: 1 } }, { $group: { _id: "$customer", most: { $last: "$n" } } }])
//> PROJECTION_COVERED < DISTINCT_SCAN customer_1_n_1
db.orders.aggregate([{ $sort: { customer: 1, n: 1 } }, { $group: { _id: "$customer", most: { $last: "$n" } } }])
//> [
//>   { _id: 'bob', most: 1 },
//>   { _id: 'ada', most: 4 },
//>   { _id: null, most: 3 }
//> ]
db.orders.aggregate([{ $match: { customer: { $gt: "ada" } } }, { $sort: { customer: -1, n: -1 } }, { $group: { _id: "$customer", most: { $first: "$n" }, who: { $first: "$_id" } } }])
//> [ { _id: 'bob', most: 1, who: 2 } ]
plan([{ $sort: { n: 1 } }, { $group: { _id: "$customer", least: { $first: "$n" } } }])
//> PROJECTION_SIMPLE < SORT < COLLSCAN
plan([{ $group: { _id: "$customer", least: { $first: "$n" } } }])
//> PROJECTION_SIMPLE < COLLSCAN
// A run counts what each stage gave, and what it took.
stages([{ $lookup: { from: "items", localField: "item", foreignField: "_id", as: "i" } }, { $sort: { "i.price": 1 } }, { $group: { _id: "$customer", n: { $sum: 1 } } }], "executionStats").map(s => {
  const shown = { ...s, executionTimeMillisEstimate: typeof s.executionTimeMillisEstimate }
  if (shown.$cursor) shown.$cursor = shown.$cursor.executionStats.executionStages.nReturned
  return shown
})
//> [
//>   {
//>     '$cursor': 4,
//>     nReturned: Long('4'),
//>     executionTimeMillisEstimate: 'object'
//>   },
//>   {
//>     '$lookup': { from: 'items', as: 'i', localField: 'item', foreignField: '_id' },
//>     totalDocsExamined: Long('3'),
//>     totalKeysExamined: Long('3'),
//>     collectionScans: Long('0'),
//>     indexesUsed: [ '_id_' ],
//>     nReturned: Long('4'),
//>     executionTimeMillisEstimate: 'object'
//>   },
//>   {
//>     '$sort': { sortKey: { 'i.price': 1 } },
//>     totalDataSizeSortedBytesEstimate: Long('163'),
//>     usedDisk: false,
//>     spills: Long('0'),
//>     spilledDataStorageSize: Long('0'),
//>     nReturned: Long('4'),
//>     executionTimeMillisEstimate: 'object'
//>   },
//>   {
//>     '$group': {
//>       _id: '$customer',
//>       n: { '$sum': { '$const': 1 } },
//>       '$willBeMerged': false
//>     },
//>     maxAccumulatorMemoryUsageBytes: { n: Long('288') },
//>     totalOutputDataSizeBytes: Long('67'),
//>     usedDisk: false,
//>     spills: Long('0'),
//>     spilledDataStorageSize: Long('0'),
//>     numBytesSpilledEstimate: Long('0'),
//>     spilledRecords: Long('0'),
//>     nReturned: Long('3'),
//>     executionTimeMillisEstimate: 'object'
//>   }
//> ]
db.orders.explain("executionStats").aggregate([{ $lookup: { from: "items", localField: "customer", foreignField: "name", as: "i" } }, { $limit: 2 }]).stages.map(s => [s.nReturned, s.totalDocsExamined, s.totalKeysExamined, s.collectionScans, s.indexesUsed])
//> [
//>   [ Long('2'), undefined, undefined, undefined, undefined ],
//>   [ Long('2'), Long('6'), Long('0'), Long('2'), [] ]
//> ]
// A stage that writes does not run when it is explained.
db.orders.explain("executionStats").aggregate([{ $group: { _id: "$customer" } }, { $out: "never" }]).stages.map(s => [Object.keys(s)[0], s.nReturned])
//> [
//>   [ '$cursor', Long('3') ],
//>   [ '$groupByDistinctScan', Long('3') ],
//>   [ '$out', Long('0') ]
//> ]
db.never.countDocuments()
//> 0
