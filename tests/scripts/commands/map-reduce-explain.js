// explain of mapReduce: the pipeline that it is translated into, and what running it came to; nothing is written.
//
// Manual: reference/command/explain, reference/command/mapReduce; mongosh's db.collection.explain().mapReduce()
const map = function() { for (const item of this.items) emit(item, this.amount) }
const reduce = function(key, amounts) { return Array.sum(amounts) }
const finalize = "(key, total) => total * 2"
const refused = (call) => { try { return call() } catch (x) { return x.code + " " + x.message } }
db.orders.insertMany([{_id: 1, cust: "ann", amount: 25, items: ["tea", "mug"]}, {_id: 2, cust: "ann", amount: 70, items: ["tea"]}, {_id: 3, cust: "bo", amount: 50, items: ["pot", "tea"]}, {_id: 4, cust: "cy", amount: 35, items: []}]).acknowledged
//> true
db.orders.createIndex({cust: 1})
//> cust_1
db.orders.explain().mapReduce(map, reduce, {out: {inline: 1}, query: {cust: "ann"}})
//> {
//>   explainVersion: '1',
//>   stages: [
//>     {
//>       '$cursor': {
//>         queryPlanner: {
//>           namespace: 'test.orders',
//>           parsedQuery: { cust: { '$eq': 'ann' } },
//>           indexFilterSet: false,
//>           queryHash: '76FA4769',
//>           planCacheShapeHash: '76FA4769',
//>           planCacheKey: 'AEB2EAC1',
//>           optimizationTimeMillis: 0,
//>           maxIndexedOrSolutionsReached: false,
//>           maxIndexedAndSolutionsReached: false,
//>           maxScansToExplodeReached: false,
//>           prunedSimilarIndexes: false,
//>           winningPlan: {
//>             isCached: false,
//>             stage: 'FETCH',
//>             inputStage: {
//>               stage: 'IXSCAN',
//>               keyPattern: [Object],
//>               indexName: 'cust_1',
//>               isMultiKey: false,
//>               multiKeyPaths: [Object],
//>               isUnique: false,
//>               isSparse: false,
//>               isPartial: false,
//>               indexVersion: 2,
//>               direction: 'forward',
//>               indexBounds: [Object]
//>             }
//>           },
//>           rejectedPlans: []
//>         }
//>       }
//>     },
//>     {
//>       '$project': {
//>         emits: {
//>           '$_internalJsEmit': {
//>             eval: 'function() { for (const item of this.items) emit(item, this.amount) }',
//>             this: '$$ROOT'
//>           }
//>         },
//>         _id: false
//>       }
//>     },
//>     { '$unwind': { path: '$emits' } },
//>     {
//>       '$group': {
//>         _id: '$emits.k',
//>         value: {
//>           '$_internalJsReduce': {
//>             data: '$emits',
//>             eval: 'function(key, amounts) { return Array.sum(amounts) }'
//>           }
//>         }
//>       }
//>     }
//>   ],
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
//>   command: {
//>     mapReduce: 'orders',
//>     map: Code('function() { for (const item of this.items) emit(item, this.amount) }'),
//>     reduce: Code('function(key, amounts) { return Array.sum(amounts) }'),
//>     out: { inline: 1 },
//>     query: { cust: 'ann' },
//>     '$db': 'test'
//>   },
//>   ok: 1
//> }
const keys = (plan) => plan.stages.map((stage) => Object.keys(stage)[0])
keys(db.orders.explain().mapReduce(map, reduce, {out: {inline: 1}, finalize, sort: {_id: -1}, limit: 2}))
//> [ '$cursor', '$project', '$unwind', '$group', '$project' ]
// What each stage gave; a stage that writes gives nothing.
const shown = db.orders.explain("executionStats").mapReduce(map, reduce, {out: "totals", finalize, query: {amount: {$gt: 30}}})
shown.stages.map((stage) => [Object.keys(stage)[0], stage.nReturned])
//> [
//>   [ '$cursor', Long('3') ],
//>   [ '$project', Long('3') ],
//>   [ '$unwind', Long('3') ],
//>   [ '$group', Long('2') ],
//>   [ '$project', Long('2') ],
//>   [ '$out', Long('0') ]
//> ]
shown.stages.slice(1).map(({executionTimeMillisEstimate, ...rest}) => rest)
//> [
//>   {
//>     '$project': {
//>       emits: {
//>         '$_internalJsEmit': {
//>           eval: 'function() { for (const item of this.items) emit(item, this.amount) }',
//>           this: '$$ROOT'
//>         }
//>       },
//>       _id: false
//>     },
//>     nReturned: Long('3')
//>   },
//>   { '$unwind': { path: '$emits' }, nReturned: Long('3') },
//>   {
//>     '$group': {
//>       _id: '$emits.k',
//>       value: {
//>         '$_internalJsReduce': {
//>           data: '$emits',
//>           eval: 'function(key, amounts) { return Array.sum(amounts) }'
//>         }
//>       }
//>     },
//>     maxAccumulatorMemoryUsageBytes: { value: Long('220') },
//>     totalOutputDataSizeBytes: Long('58'),
//>     usedDisk: false,
//>     spills: Long('0'),
//>     spilledDataStorageSize: Long('0'),
//>     numBytesSpilledEstimate: Long('0'),
//>     spilledRecords: Long('0'),
//>     nReturned: Long('2')
//>   },
//>   {
//>     '$project': {
//>       _id: true,
//>       value: {
//>         '$function': {
//>           body: '(key, total) => total * 2',
//>           args: [ '$_id', '$value' ],
//>           lang: 'js'
//>         }
//>       }
//>     },
//>     nReturned: Long('2')
//>   },
//>   { '$out': { coll: 'totals', db: 'test' }, nReturned: Long('0') }
//> ]
[shown.stages[0].$cursor.executionStats.totalDocsExamined, shown.stages[0].$cursor.executionStats.nReturned, shown.ok, shown.command]
//> [
//>   4,
//>   3,
//>   1,
//>   {
//>     mapReduce: 'orders',
//>     map: Code('function() { for (const item of this.items) emit(item, this.amount) }'),
//>     reduce: Code('function(key, amounts) { return Array.sum(amounts) }'),
//>     out: 'totals',
//>     finalize: '(key, total) => total * 2',
//>     query: { amount: { '$gt': 30 } },
//>     '$db': 'test'
//>   }
//> ]
"allPlansExecution" in db.orders.explain("allPlansExecution").mapReduce(map, reduce, "totals").stages[0].$cursor.executionStats
//> true
// Nothing was written, nor was a collection made.
db.getCollectionNames()
//> [ 'orders' ]
db.totals.insertOne({_id: "tea", value: 1}).acknowledged
//> true
db.orders.explain().mapReduce(map, reduce, {out: {merge: "totals"}}).stages.at(-1)
//> {
//>   '$merge': {
//>     into: { db: 'test', coll: 'totals' },
//>     on: '_id',
//>     whenMatched: 'replace',
//>     whenNotMatched: 'insert'
//>   }
//> }
db.orders.explain().mapReduce(map, reduce, {out: {reduce: "totals", db: "reports"}, finalize, scope: {rate: 2}}).stages.at(-1)
//> {
//>   '$merge': {
//>     into: { db: 'reports', coll: 'totals' },
//>     on: '_id',
//>     let: { new: '$$ROOT' },
//>     whenMatched: [
//>       {
//>         '$project': {
//>           value: {
//>             '$function': {
//>               body: 'function(key, amounts) { return Array.sum(amounts) }',
//>               args: [Array],
//>               lang: 'js'
//>             }
//>           }
//>         }
//>       },
//>       {
//>         '$project': {
//>           value: {
//>             '$function': {
//>               body: '(key, total) => total * 2',
//>               args: [Array],
//>               lang: 'js'
//>             }
//>           }
//>         }
//>       }
//>     ],
//>     whenNotMatched: 'insert'
//>   }
//> }
[db.totals.find().toArray(), db.getMongo().getDBNames().includes("reports")]
//> [ [ { _id: 'tea', value: 1 } ], false ]
// The functions run whatever the verbosity, as on a server, so what they throw is told.
[refused(() => db.orders.explain().mapReduce(function() { emit(1) }, reduce, "t")), refused(() => db.orders.explain().mapReduce(map, function() { return nothing }, "t"))]
//> [
//>   '31220 MapReduce internal error :: caused by :: emit takes 2 args',
//>   '139 MapReduce internal error :: caused by :: ReferenceError: nothing is not defined'
//> ]
[refused(() => db.orders.explain().mapReduce(map, reduce)), refused(() => db.orders.explain().mapReduce(map, reduce, {})), refused(() => db.orders.explain().mapReduce(map, reduce, {out: 5})), refused(() => db.orders.explain().mapReduce(map, reduce, {out: "t", foo: 1}))]
//> [
//>   'COMMON-10001 [COMMON-10001] Missing required argument at position 2 (Collection.mapReduce)',
//>   "COMMON-10001 [COMMON-10001] Missing 'out' option",
//>   "2 'out' must be either a string or an object",
//>   "40415 BSON field 'mapReduce.foo' is an unknown field."
//> ]
db.createView("v", "orders", []); refused(() => db.v.explain().mapReduce(map, reduce, "t"))
//> 166 mapReduce on a view is not supported
keys(db.nothing.explain("executionStats").mapReduce(map, reduce, {out: {inline: 1}}))
//> [ '$cursor', '$project', '$unwind', '$group' ]
// The command's collation, or else the collection's, says which documents are read and which keys are one.
const names = {locale: "en", strength: 2};
db.people.insertMany([{name: "Ann", n: 1}, {name: "ann", n: 2}, {name: "Bo", n: 4}]).acknowledged
//> true
const byName = (fields) => db.people.runCommand({mapReduce: "people", map: function() { emit(this.name, this.n) }, reduce, out: {inline: 1}, ...fields}).results;
[byName({}), byName({collation: names}), byName({collation: names, query: {name: "ANN"}}), byName({collation: {locale: "simple"}, query: {name: "ANN"}})]
//> [
//>   [
//>     { _id: 'Ann', value: 1 },
//>     { _id: 'ann', value: 2 },
//>     { _id: 'Bo', value: 4 }
//>   ],
//>   [ { _id: 'Ann', value: 3 }, { _id: 'Bo', value: 4 } ],
//>   [ { _id: 'Ann', value: 3 } ],
//>   []
//> ]
db.createCollection("guests", {collation: names}); db.guests.insertMany(db.people.find().toArray()).acknowledged
//> true
[byName({mapReduce: "guests"}), byName({mapReduce: "guests", collation: {locale: "simple"}})]
//> [
//>   [ { _id: 'Ann', value: 3 }, { _id: 'Bo', value: 4 } ],
//>   [
//>     { _id: 'Ann', value: 1 },
//>     { _id: 'ann', value: 2 },
//>     { _id: 'Bo', value: 4 }
//>   ]
//> ]
[refused(() => byName({collation: names, out: {merge: "merged"}})), refused(() => byName({collation: {locale: "nowhere"}}))]
//> [ undefined, `2 Field 'locale' is invalid in: { locale: "nowhere" }` ]
db.people.explain().mapReduce(function() { emit(this.name, 1) }, reduce, {out: {inline: 1}, collation: names}).stages[0].$cursor.queryPlanner.collation.strength
//> 2
