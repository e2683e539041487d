// Index hints of query settings: which indexes the planner may use for a shape. Manual: reference/command/setQuerySettings
const admin = db.getSiblingDB("admin")
const set = (query, allowedIndexes, coll = "tools", settings = {}) => admin.runCommand({setQuerySettings: {...query, $db: "test"}, settings: {indexHints: {ns: {db: "test", coll}, allowedIndexes}, ...settings}}).ok
const drop = (query) => admin.runCommand({removeQuerySettings: {...query, $db: "test"}}).ok
const scan = (plan) => plan.inputStage ? scan(plan.inputStage) : plan.indexName ?? `${plan.stage} ${plan.direction ?? ""}`
const of = (explained) => scan((explained.queryPlanner ?? explained.stages[0].$cursor.queryPlanner).winningPlan)
db.tools.insertMany(Array.from({length: 60}, (_, i) => ({_id: i, kind: i % 5, weight: i % 7, price: i}))).acknowledged
//> true
db.tools.createIndexes([{kind: 1}, {weight: 1}, {price: 1}, {kind: 1, price: -1}])
//> [ 'kind_1', 'weight_1', 'price_1', 'kind_1_price_-1' ]
const filter = {kind: 2, weight: 3}
const find = {find: "tools", filter}
const plan = (hint) => { const cursor = db.tools.find(filter); return of((hint ? cursor.hint(hint) : cursor).explain()) }
// By name, by key pattern, and all of several.
[set(find, ["weight_1"]), plan(), db.tools.find(filter).toArray().map(({_id}) => _id)]
//> [ 1, 'weight_1', [ 17, 52 ] ]
[set(find, [{kind: 1, price: -1}]), plan(), set(find, ["price_1", {kind: 1}]), plan()]
//> [ 1, 'kind_1_price_-1', 1, 'kind_1' ]
db.tools.find(filter).explain().queryPlanner.querySettings
//> {
//>   indexHints: [
//>     {
//>       ns: { db: 'test', coll: 'tools' },
//>       allowedIndexes: [ 'price_1', { kind: 1 } ]
//>     }
//>   ]
//> }
// They go before the hint of a command, which is no part of the shape.
[plan("price_1"), drop(find), plan("price_1")]
//> [ 'kind_1', 1, 'price_1' ]
// The collection, either way, and only where no index allowed serves.
[set(find, [{$natural: 1}]), plan(), set(find, [{$natural: -1}]), plan(), set(find, [{$natural: -1}, "weight_1"]), plan()]
//> [ 1, 'COLLSCAN forward', 1, 'COLLSCAN backward', 1, 'weight_1' ]
db.tools.find(filter).limit(2).explain().queryPlanner.querySettings ?? "another shape"
//> another shape
// Hints that lead to no plan are as none: of an index that is not there, or that serves another query.
[drop(find), plan(), set(find, ["gone"]), plan(), plan("price_1"), set(find, ["price_1"]), plan(), set(find, ["kind_1"], "other"), plan("price_1")]
//> [
//>   1,          'weight_1',
//>   1,          'weight_1',
//>   'price_1',  1,
//>   'weight_1', 1,
//>   'price_1'
//> ]
// They go before an index filter, and a plan that is known does not go before them.
[db.runCommand({planCacheSetFilter: "tools", query: filter, indexes: ["kind_1"]}).ok, plan(), set(find, ["weight_1"]), plan(), db.runCommand({planCacheClearFilters: "tools"}).ok]
//> [ 1, 'kind_1', 1, 'weight_1', 1 ]
const read = () => db.tools.find({price: 7}).toArray().length
const uses = (name) => { const before = db.tools.aggregate([{$indexStats: {}}, {$match: {name}}]).toArray()[0].accesses.ops; read(); return Number(db.tools.aggregate([{$indexStats: {}}, {$match: {name}}]).toArray()[0].accesses.ops - before) }
[uses("price_1"), uses("price_1"), set({find: "tools", filter: {price: 7}}, [{$natural: 1}]), uses("price_1"), drop({find: "tools", filter: {price: 7}}), uses("price_1")]
//> [ 1, 1, 1, 0, 1, 1 ]
// Pipelines, the collections that they join, and distinct.
const groups = [{$match: filter}, {$group: {_id: "$price", n: {$sum: 1}}}];
[set({aggregate: "tools", pipeline: groups}, ["weight_1"]), of(db.tools.explain().aggregate(groups))]
//> [ 1, 'weight_1' ]
const joins = [{$match: {price: 1}}, {$lookup: {from: "tools", pipeline: [{$match: filter}], as: "same"}}];
const joinedBy = () => db.tools.explain("executionStats").aggregate(joins).stages.find((stage) => stage.$lookup).indexesUsed;
[set({aggregate: "tools", pipeline: joins}, ["weight_1", "price_1"]), joinedBy(), of(db.tools.explain().aggregate(joins))]
//> [ 1, [ 'weight_1' ], 'price_1' ]
const distinct = () => of(db.tools.explain().distinct("kind", {kind: {$gt: 1}}));
[distinct(), set({distinct: "tools", key: "kind", query: {kind: {$gt: 1}}}, ["kind_1_price_-1"]), distinct()]
//> [ 'kind_1', 1, 'kind_1_price_-1' ]
db.tools.explain().distinct("kind", {kind: {$gt: 1}}).queryPlanner.querySettings
//> {
//>   indexHints: [
//>     {
//>       ns: { db: 'test', coll: 'tools' },
//>       allowedIndexes: [ 'kind_1_price_-1' ]
//>     }
//>   ]
//> }
// The index of a search for what is near.
db.places.createIndexes([{at: "2dsphere"}, {at: "2dsphere", kind: 1}])
//> [ 'at_2dsphere', 'at_2dsphere_kind_1' ]
const near = {at: {$near: {$geometry: {type: "Point", coordinates: [1, 1]}}}, kind: 1};
const named = (plan) => plan.indexName ?? named(plan.inputStage);
const nearBy = () => named(db.places.find(near).explain().queryPlanner.winningPlan);
[set({find: "places", filter: near}, ["at_2dsphere"], "places"), nearBy(), set({find: "places", filter: near}, ["at_2dsphere_kind_1"], "places"), nearBy()]
//> [ 1, 'at_2dsphere', 1, 'at_2dsphere_kind_1' ]
