// What a find's projection shows of a result besides its document: "$meta".
db.t.insertMany([{ _id: 1, a: 1, b: "x", list: [3, 1] }, { _id: 2, a: 3, b: "y" }])
//> { acknowledged: true, insertedIds: { '0': 1, '1': 2 } }
const show = (projection, filter = {}, sort = {}) => EJSON.stringify(db.t.find(filter, projection).sort(sort).toArray())
// It changes nothing of what else is shown.
show({ m: { $meta: "recordId" } }, { a: 1 })
//> [{"_id":1,"a":1,"b":"x","list":[3,1],"m":1}]
show({ _id: 1, m: { $meta: "recordId" } }, {}, { a: -1 })
//> [{"_id":2,"m":2},{"_id":1,"m":1}]
show({ _id: 0, list: 0, b: { $meta: "recordId" } }, { a: 1 })
//> [{"a":1,"b":1}]
show({ _id: 1, "x.y": { $meta: "recordId" }, z: { m: { $meta: "recordId" } } }, { _id: 2 })
//> [{"_id":2,"x":{"y":2},"z":{"m":2}}]
// The values that the order was made of: null for what is missing, of an array the item that decides.
show({ _id: 1, m: { $meta: "sortKey" } }, {}, { a: 1, b: -1 })
//> [{"_id":1,"m":[1,"x"]},{"_id":2,"m":[3,"y"]}]
show({ _id: 1, m: { $meta: "sortKey" } }, {}, { none: 1 })
//> [{"_id":1,"m":[null]},{"_id":2,"m":[null]}]
show({ _id: 1, m: { $meta: "sortKey" } }, {}, { list: 1 })
//> [{"_id":2,"m":[null]},{"_id":1,"m":[1]}]
show({ _id: 1, m: { $meta: "sortKey" } }, {}, { list: -1, a: 1 })
//> [{"_id":1,"m":[3,1]},{"_id":2,"m":[null,3]}]
show({ m: { $meta: "sortKey" } })
//> MongoServerError[BadValue]: cannot use sortKey $meta projection without a sort
EJSON.stringify(db.t.find({}, { _id: 1, m: { $meta: "sortKey" } }).sort({ a: -1 }).limit(1).toArray())
//> [{"_id":2,"m":[3]}]
// The key that an index found the document by; nothing without an index, nor where one _id is looked up.
show({ _id: 1, m: { $meta: "indexKey" } }, { a: { $gt: 0 } })
//> [{"_id":1},{"_id":2}]
db.t.createIndex({ a: 1, b: -1 })
//> a_1_b_-1
show({ _id: 1, m: { $meta: "indexKey" } }, { a: { $gt: 0 } })
//> [{"_id":1,"m":{"a":1,"b":"x"}},{"_id":2,"m":{"a":3,"b":"y"}}]
show({ _id: 0, a: 1, m: { $meta: "indexKey" } }, { a: { $gt: 0 } })
//> [{"a":1,"m":{"a":1,"b":"x"}},{"a":3,"m":{"a":3,"b":"y"}}]
show({ _id: 1, m: { $meta: "indexKey" } }, { a: { $gt: 0 } }, { b: 1 })
//> [{"_id":1,"m":{"a":1,"b":"x"}},{"_id":2,"m":{"a":3,"b":"y"}}]
show({ _id: 1, m: { $meta: "indexKey" }, k: { $meta: "sortKey" } }, { a: { $gt: 0 } }, { a: -1 })
//> [{"_id":2,"m":{"a":3,"b":"y"},"k":[3]},{"_id":1,"m":{"a":1,"b":"x"},"k":[1]}]
show({ _id: 1, m: { $meta: "indexKey" } }, { _id: 1 })
//> [{"_id":1}]
show({ _id: 1, m: { $meta: "indexKey" } }, { _id: { $gte: 1 } })
//> [{"_id":1,"m":{"_id":1}},{"_id":2,"m":{"_id":2}}]
show({ _id: 1, m: { $meta: "indexKey" } })
//> [{"_id":1},{"_id":2}]
db.t.find({ a: 1 }, { m: { $meta: "indexKey" } }).explain().queryPlanner.winningPlan.stage
//> PROJECTION_DEFAULT
db.t.find({ a: 1 }, { m: { $meta: "indexKey" } }).explain().queryPlanner.winningPlan.transformBy
//> { m: { '$meta': 'indexKey' } }
// What only searches know is never known; what a query would have to ask for is refused.
show({ _id: 1, m: { $meta: "searchScore" } }, { _id: 1 })
//> [{"_id":1}]
show({ m: { $meta: "textScore" } })
//> MongoServerError[Location40218]: query requires text score metadata, but it is not available
show({ m: { $meta: "geoNearDistance" } })
//> MongoServerError[Location40218]: query requires $geoNear distance metadata, but it is not available
show({ m: { $meta: "nonsense" } })
//> MongoServerError[Location17308]: Unsupported argument to $meta: nonsense
show({ m: { $meta: 1 } })
//> MongoServerError[Location17307]: $meta only supports string arguments
// Pipelines have a script of their own (aggregate/metadata.js); what findAndModify gives back is no longer the record that was found.
db.t.aggregate([{ $project: { m: { $meta: "recordId" } } }])
//> [ { _id: 1, m: Long('1') }, { _id: 2, m: Long('2') } ]
db.t.findAndModify({ query: {}, update: { $set: { c: 1 } }, fields: { m: { $meta: "recordId" } } })
//> { _id: 1, a: 1, b: 'x', list: [ 3, 1 ] }
db.t.find({}, { m: { $meta: "sortKey" } }).sort({ b: 1 }).collation({ locale: "en" }).toArray()
//> MongoServerError[NotImplemented]: Projecting $meta "sortKey" with a collation is not supported
// Keys of a collation are no values.
db.t.createIndex({ b: 1 }, { collation: { locale: "en", strength: 2 } })
//> b_1
EJSON.stringify(db.t.find({ b: "X" }, { _id: 1, m: { $meta: "indexKey" } }).collation({ locale: "en", strength: 2 }).toArray())
//> MongoServerError[NotImplemented]: Executor error during find command: test.t :: caused by :: Projecting $meta "indexKey" of an index with a collation is not supported
// The order of an index tells the key as well, without documents where it alone is asked for.
const stageNames = plan => plan.stage + (plan.inputStage ? " " + stageNames(plan.inputStage) : "")
stageNames(db.t.find({}, { _id: 0, a: 1, m: { $meta: "sortKey" } }).sort({ a: 1 }).hint({ a: 1, b: -1 }).explain().queryPlanner.winningPlan)
//> PROJECTION_DEFAULT SORT_KEY_GENERATOR IXSCAN
EJSON.stringify(db.t.find({}, { _id: 0, a: 1, m: { $meta: "sortKey" } }).sort({ a: 1 }).hint({ a: 1, b: -1 }).toArray())
//> [{"a":1,"m":[1]},{"a":3,"m":[3]}]
stageNames(db.t.find({}, { _id: 0, a: 1, m: { $meta: "recordId" } }).hint({ a: 1, b: -1 }).explain().queryPlanner.winningPlan)
//> PROJECTION_DEFAULT FETCH IXSCAN
stageNames(db.t.find({}, { m: { $meta: "sortKey" } }).sort({ list: 1 }).explain().queryPlanner.winningPlan)
//> PROJECTION_DEFAULT SORT COLLSCAN
// Several at once, within an expression, and where the order is by chance.
show({ _id: 0, m: { $add: [1, { $meta: "recordId" }] }, n: [{ $meta: "sortKey" }] }, {}, { a: -1 })
//> [{"m":3,"n":[[3]]},{"m":2,"n":[[1]]}]
show({ _id: 1, m: { $meta: "sortKey" } }, {}, { x: { $meta: "randVal" }, a: -1 })
//> [{"_id":2,"m":[null,3]},{"_id":1,"m":[null,1]}]
show({ _id: 1 }, {}, { x: { $meta: "recordId" } })
//> MongoServerError[Location31138]: Illegal $meta sort: $meta: "recordId"
