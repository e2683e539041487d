// Index hints of query settings: which indexes the planner may use for a shape. Manual: reference/command/setQuerySettings
const admin = db.getSiblingDB("admin")
const set = (query, allowedIndexes, coll = "tools", settings = {}) => admin.runCommand({setQuerySettings: {...query, $db: "test"}, settings: {indexHints: {ns: {db: "test", coll}, allowedIndexes}, ...settings}}).ok
const drop = (query) => admin.runCommand({removeQuerySettings: {...query, $db: "test"}}).ok
const scan = (plan) => plan.inputStage ? scan(plan.inputStage) : plan.indexName ?? `${plan.stage} ${plan.direction ?? ""}`
const of = (explained) => scan((explained.queryPlanner ?? explained.stages[0].$cursor.queryPlanner).winningPlan)
db.tools.insertMany(Array.from({length: 60}, (_, i) => ({_id: i, kind: i % 5, weight: i % 7, price: i})))
//> {
//>   acknowledged: true,
//>   insertedIds: {
//>     '0': 0,
//>     '1': 1,
//>     '2': 2,
//>     '3': 3,
//>     '4': 4,
//>     '5': 5,
//>     '6': 6,
//>     '7': 7,
//>     '8': 8,
//>     '9': 9,
//>     '10': 10,
//>     '11': 11,
//>     '12': 12,
//>     '13': 13,
//>     '14': 14,
//>     '15': 15,
//>     '16': 16,
//>     '17': 17,
//>     '18': 18,
//>     '19': 19,
//>     '20': 20,
//>     '21': 21,
//>     '22': 22,
//>     '23': 23,
//>     '24': 24,
//>     '25': 25,
//>     '26': 26,
//>     '27': 27,
//>     '28': 28,
//>     '29': 29,
//>     '30': 30,
//>     '31': 31,
//>     '32': 32,
//>     '33': 33,
//>     '34': 34,
//>     '35': 35,
//>     '36': 36,
//>     '37': 37,
//>     '38': 38,
//>     '39': 39,
//>     '40': 40,
//>     '41': 41,
//>     '42': 42,
//>     '43': 43,
//>     '44': 44,
//>     '45': 45,
//>     '46': 46,
//>     '47': 47,
//>     '48': 48,
//>     '49': 49,
//>     '50': 50,
//>     '51': 51,
//>     '52': 52,
//>     '53': 53,
//>     '54': 54,
//>     '55': 55,
//>     '56': 56,
//>     '57': 57,
//>     '58': 58,
//>     '59': 59
//>   }
//> }
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
// A hint has a shape of its own, whose settings go before it.
[plan("price_1"), set({...find, hint: "price_1"}, ["weight_1"]), plan("price_1"), drop({...find, hint: "price_1"}), plan("price_1")]
//> [ 'price_1', 1, 'weight_1', 1, 'price_1' ]
// The collection, either way, and only where no index allowed serves.
[set(find, [{$natural: 1}]), plan(), set(find, [{$natural: -1}]), plan(), set(find, [{$natural: -1}, "weight_1"]), plan()]
//> [ 1, 'COLLSCAN forward', 1, 'COLLSCAN backward', 1, 'weight_1' ]
db.tools.find(filter).limit(2).explain().queryPlanner.querySettings ?? "another shape"
//> another shape
// Hints that lead to no plan are as none: of an index that is not there, or that serves another query.
[set(find, ["gone"]), plan() !== "COLLSCAN forward", set(find, ["price_1"]), plan() !== "price_1", set(find, ["weight_1"], "other"), plan() !== "weight_1"]
//> [ 1, true, 1, true, 1, false ]
// They go before an index filter, and a plan that is known does not go before them.
[db.runCommand({planCacheSetFilter: "tools", query: filter, indexes: ["kind_1"]}).ok, plan(), set(find, ["weight_1"]), plan(), db.runCommand({planCacheClearFilters: "tools"}).ok]
//> [ 1, 'kind_1', 1, 'weight_1', 1 ]
const read = () => db.tools.find({price: 7}).toArray().length
const uses = (name) => { const before = db.tools.aggregate([{$indexStats: {}}, {$match: {name}}]).toArray()[0].accesses.ops; read(); return Number(db.tools.aggregate([{$indexStats: {}}, {$match: {name}}]).toArray()[0].accesses.ops - before) }
[uses("price_1"), uses("price_1"), set({find: "tools", filter: {price: 7}}, [{$natural: 1}]), uses("price_1"), drop({find: "tools", filter: {price: 7}}), uses("price_1")]
//> [ 1, 1, 1, 0, 1, 1 ]
// Pipelines, the collections that they join, and distinct.
const pipeline = [{$match: filter}, {$group: {_id: "$price", n: {$sum: 1}}}]
[set({aggregate: "tools", pipeline}, ["weight_1"]), of(db.tools.aggregate(pipeline, {explain: true}))]
//> MongoServerError[TypeMismatch]: BSON field 'aggregate.pipeline' is the wrong type 'null', expected type 'array'
const joined = [{$match: {price: 1}}, {$lookup: {from: "tools", pipeline: [{$match: filter}], as: "same"}}]
const joinedBy = () => db.tools.explain("executionStats").aggregate(joined).stages.find((stage) => stage.$lookup).indexesUsed
[set({aggregate: "tools", pipeline: joined}, ["weight_1", "price_1"]), joinedBy(), of(db.tools.aggregate(joined, {explain: true}))]
const distinct = () => of(db.tools.explain().distinct("kind", {kind: {$gt: 1}}))
[distinct(), set({distinct: "tools", key: "kind", query: {kind: {$gt: 1}}}, ["kind_1_price_-1"]), distinct()]
db.tools.explain().distinct("kind", {kind: {$gt: 1}}).queryPlanner.querySettings
