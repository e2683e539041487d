// Plans that are kept: when an entry becomes active, what clears it, and index filters.
//
// Manual: core/query-plans, reference/command/nav-plan-cache, reference/operator/aggregation/planCacheStats
const docs = [];
for (let i = 0; i < 200; i++) docs.push({_id: i, a: i % 50, b: i % 7, c: i});
db.c.insertMany(docs).acknowledged
//> true
db.c.createIndexes([{a: 1}, {b: 1}, {c: -1}])
//> [ 'a_1', 'b_1', 'c_-1' ]
const cache = () => db.c.getPlanCache().list([{$project: {_id: 0, isActive: 1, works: 1, worksType: 1, createdFromQuery: 1, "cachedPlan.inputStage.indexName": 1, trials: {$size: "$creationExecStats"}, indexFilterSet: 1}}]);
cache()
//> []
db.c.find({a: 3, b: 3}).itcount()
//> 1
cache()
//> [
//>   {
//>     isActive: false,
//>     works: Long('5'),
//>     worksType: 'works',
//>     createdFromQuery: {
//>       query: {
//>         '$and': [ { a: { '$eq': 3 } }, { b: { '$eq': 3 } } ]
//>       },
//>       sort: {},
//>       projection: {}
//>     },
//>     cachedPlan: { inputStage: { indexName: 'a_1' } },
//>     indexFilterSet: false,
//>     trials: 3
//>   }
//> ]
// The same shape with other values: as good as before, so the entry becomes active.
db.c.find({b: 5, a: 5}).itcount()
//> 1
cache()
//> [
//>   {
//>     isActive: true,
//>     works: Long('5'),
//>     worksType: 'works',
//>     createdFromQuery: {
//>       query: {
//>         '$and': [ { a: { '$eq': 5 } }, { b: { '$eq': 5 } } ]
//>       },
//>       sort: {},
//>       projection: {}
//>     },
//>     cachedPlan: { inputStage: { indexName: 'a_1' } },
//>     indexFilterSet: false,
//>     trials: 3
//>   }
//> ]
const planner = (filter, sort) => { const cursor = db.c.find(filter); return (sort ? cursor.sort(sort) : cursor).explain().queryPlanner; };
[planner({a: 1, b: 1}).winningPlan.isCached, planner({a: 1, b: 1}).rejectedPlans.map(plan => plan.isCached), planner({a: 1, c: 1}).winningPlan.isCached]
//> [ true, [ false, false ], false ]
const stats = db.c.aggregate([{$planCacheStats: {}}]).toArray()[0];
Object.keys(stats)
//> [
//>   'version',
//>   'queryHash',
//>   'planCacheShapeHash',
//>   'planCacheKey',
//>   'isActive',
//>   'works',
//>   'worksType',
//>   'timeOfCreation',
//>   'createdFromQuery',
//>   'cachedPlan',
//>   'creationExecStats',
//>   'candidatePlanScores',
//>   'indexFilterSet',
//>   'estimatedSizeBytes',
//>   'host'
//> ]
const shape = planner({a: 9, b: 9});
[stats.planCacheKey === shape.planCacheKey, stats.planCacheShapeHash === shape.planCacheShapeHash, stats.queryHash === shape.queryHash, shape.queryHash === planner({a: 9, c: 9}).queryHash]
//> [ true, true, true, false ]
planner({a: {$in: [1, 2]}}).queryHash === planner({a: {$in: [1, 2, 3]}}).queryHash
//> true
// One candidate, a hint, and no filter at all leave nothing.
db.c.getPlanCache().clear()
//> { ok: 1 }
db.c.find({a: 3}).itcount() + db.c.find({a: 3, b: 3}).hint("b_1").itcount() + db.c.find().itcount()
//> 205
cache()
//> []
// A plan that takes ten times what it took is dropped for new trial runs.
for (let i = 0; i < 2; i++) db.c.find({a: 3, b: {$gte: 0}}).itcount();
cache()[0].isActive
//> true
db.c.insertMany(Array.from({length: 300}, (_, i) => ({_id: 1000 + i, a: 77, b: -1, c: i}))).acknowledged
//> true
db.c.find({a: 77, b: {$gte: 6}}).itcount()
//> 0
cache()[0].isActive
//> false
db.c.getPlanCache().clearPlansByQuery({a: 1, b: {$gte: 2}})
//> { ok: 1 }
cache()
//> []
for (let i = 0; i < 2; i++) db.c.find({a: 3, b: 3}).sort({c: 1}).itcount();
db.c.createIndex({d: 1})
//> d_1
cache()
//> []
// Index filters.
db.runCommand({planCacheSetFilter: "c", query: {a: 1, b: 1}, indexes: ["b_1"]})
//> { ok: 1 }
db.runCommand({planCacheSetFilter: "c", query: {c: 1}, sort: {a: 1}, projection: {a: 1}, indexes: [{a: 1}, "c_-1"]})
//> { ok: 1 }
db.runCommand({planCacheListFilters: "c"})
//> {
//>   filters: [
//>     {
//>       query: { a: 1, b: 1 },
//>       sort: {},
//>       projection: {},
//>       indexes: [ 'b_1' ]
//>     },
//>     {
//>       query: { c: 1 },
//>       sort: { a: 1 },
//>       projection: { a: 1 },
//>       indexes: [ { a: 1 }, 'c_-1' ]
//>     }
//>   ],
//>   ok: 1
//> }
[planner({a: 5, b: 5}).indexFilterSet, planner({a: 5, b: 5}).winningPlan.inputStage.indexName, planner({a: 5, b: 5}).rejectedPlans.length, planner({a: 5}).indexFilterSet]
//> [ true, 'b_1', 0, false ]
db.c.find({a: 5, b: 5}).hint("a_1").explain().queryPlanner.winningPlan.inputStage.indexName
//> b_1
db.runCommand({planCacheSetFilter: "c", query: {a: 1, b: 1}, indexes: ["none"]}).ok
//> 1
planner({a: 5, b: 5}).winningPlan.stage
//> COLLSCAN
db.runCommand({planCacheClearFilters: "c", query: {a: 0, b: 0}})
//> { ok: 1 }
db.runCommand({planCacheListFilters: "c"}).filters.length
//> 1
db.runCommand({planCacheClearFilters: "c"})
//> { ok: 1 }
db.runCommand({planCacheListFilters: "c"})
//> { filters: [], ok: 1 }
planner({a: 5, b: 5}).indexFilterSet
//> false
// What is refused, and what does nothing.
db.runCommand({planCacheSetFilter: "none", query: {a: 1}, indexes: ["a_1"]})
//> MongoServerError[BadValue]: no such collection
db.runCommand({planCacheSetFilter: "c", query: {a: 1}})
//> MongoServerError[BadValue]: required field indexes missing
db.runCommand({planCacheSetFilter: "c", query: {a: 1}, indexes: []})
//> MongoServerError[BadValue]: required field indexes must contain at least one index
db.runCommand({planCacheSetFilter: "c", query: {a: 1}, indexes: "a_1"})
//> MongoServerError[BadValue]: required field indexes must be an array
db.runCommand({planCacheSetFilter: "c", query: {a: 1}, indexes: [5]})
//> MongoServerError[BadValue]: each item in indexes must be either an object or a string
db.runCommand({planCacheSetFilter: "c", query: {a: 1}, indexes: [{}]})
//> MongoServerError[BadValue]: index specification cannot be empty
db.runCommand({planCacheSetFilter: "c", indexes: ["a_1"]})
//> MongoServerError[BadValue]: required field query missing
db.runCommand({planCacheClear: "c", sort: {a: 1}})
//> MongoServerError[BadValue]: sort or projection provided without query
db.runCommand({planCacheClear: "c", query: 5})
//> MongoServerError[BadValue]: required field query must be an object
db.runCommand({planCacheClear: "c", query: {a: 1}, sort: 5})
//> MongoServerError[BadValue]: optional field sort must be an object
db.runCommand({planCacheClear: "none"})
//> { ok: 1 }
db.runCommand({planCacheListFilters: "none"})
//> { filters: [], ok: 1 }
db.c.aggregate([{$planCacheStats: {x: 1}}])
//> MongoServerError[FailedToParse]: $planCacheStats parameters object may contain only 'allHosts' field. Found: x
db.c.aggregate([{$match: {}}, {$planCacheStats: {}}])
//> MongoServerError[Location40602]: $planCacheStats is only valid as the first stage in a pipeline
