// What a pipeline's expressions see of a row besides its document, as the manual's "$meta" page has it.
db.t.insertMany([{ _id: 1, a: 3, b: "x", list: [7, 8] }, { _id: 2, a: 1, b: "y" }, { _id: 3, a: 2, b: "x", list: [9] }])
//> { acknowledged: true, insertedIds: { '0': 1, '1': 2, '2': 3 } }
db.o.insertMany([{ _id: 1, b: "x" }, { _id: 2, b: "z" }])
//> { acknowledged: true, insertedIds: { '0': 1, '1': 2 } }
const run = (...stages) => EJSON.stringify(db.t.aggregate(stages).toArray())
const id = { $project: { r: { $meta: "recordId" } } }
// recordId: from the record that a document was read of, through whatever passes documents on.
run(id)
//> [{"_id":1,"r":1},{"_id":2,"r":2},{"_id":3,"r":3}]
run({ $match: { b: "x" } }, { $set: { r: { $meta: "recordId" } } }, { $unset: "list" })
//> [{"_id":1,"a":3,"b":"x","r":1},{"_id":3,"a":2,"b":"x","r":3}]
run({ $sort: { a: 1 } }, id)
//> [{"_id":2,"r":2},{"_id":3,"r":3},{"_id":1,"r":1}]
run({ $limit: 2 }, { $sort: { a: 1 } }, { $skip: 1 }, id)
//> [{"_id":1,"r":1}]
run({ $unwind: "$list" }, { $project: { list: 1, r: { $meta: "recordId" } } })
//> [{"_id":1,"list":7,"r":1},{"_id":1,"list":8,"r":1},{"_id":3,"list":9,"r":3}]
run({ $limit: 3 }, { $sort: { a: 1 } }, { $unwind: "$list" }, { $group: { _id: "$list", r: { $push: { $meta: "recordId" } } } }, { $sort: { _id: 1 } })
//> [{"_id":7,"r":[1]},{"_id":8,"r":[1]},{"_id":9,"r":[3]}]
run({ $lookup: { from: "o", localField: "_id", foreignField: "_id", as: "o" } }, { $project: { n: { $size: "$o" }, r: { $meta: "recordId" } } })
//> [{"_id":1,"n":1,"r":1},{"_id":2,"n":1,"r":2},{"_id":3,"n":0,"r":3}]
run({ $lookup: { from: "o", localField: "b", foreignField: "b", as: "o" } }, { $unwind: "$o" }, { $project: { o: "$o._id", r: { $meta: "recordId" } } })
//> [{"_id":1,"o":1,"r":1},{"_id":3,"o":1,"r":3}]
run({ $lookup: { from: "o", pipeline: [{ $project: { r: { $meta: "recordId" } } }], as: "o" } }, { $limit: 1 }, { $project: { o: 1, r: { $meta: "recordId" } } })
//> [{"_id":1,"o":[{"_id":1,"r":1},{"_id":2,"r":2}],"r":1}]
run({ $lookup: { from: "o", let: { r: { $meta: "recordId" } }, pipeline: [{ $match: { $expr: { $eq: ["$_id", "$$r"] } } }], as: "o" } }, { $project: { o: 1 } })
//> [{"_id":1,"o":[{"_id":1,"b":"x"}]},{"_id":2,"o":[{"_id":2,"b":"z"}]},{"_id":3,"o":[]}]
run({ $graphLookup: { from: "o", startWith: { $meta: "recordId" }, connectFromField: "none", connectToField: "_id", as: "o" } }, { $project: { o: "$o.b", r: { $meta: "recordId" } } })
//> [{"_id":1,"o":["x"],"r":1},{"_id":2,"o":["z"],"r":2},{"_id":3,"o":[],"r":3}]
run({ $replaceRoot: { newRoot: { a: "$a" } } }, { $addFields: { r: { $meta: "recordId" } } })
//> [{"a":3,"r":1},{"a":1,"r":2},{"a":2,"r":3}]
run({ $replaceWith: { r: { $meta: "recordId" }, $literal: 1 } })
//> MongoServerError[Location16410]: FieldPath field names may not start with '$'. Consider using $getField or $setField. Found: '$literal'
run({ $replaceWith: { r: { $meta: "recordId" }, twice: { $multiply: [2, { $meta: "recordId" }] } } })
//> [{"r":1,"twice":2},{"r":2,"twice":4},{"r":3,"twice":6}]
run({ $redact: { $cond: [{ $gt: [{ $meta: "recordId" }, 1] }, "$$KEEP", "$$PRUNE"] } }, { $project: { _id: 1 } })
//> [{"_id":2},{"_id":3}]
run({ $setWindowFields: { partitionBy: "$b", sortBy: { a: 1 }, output: { all: { $push: { $meta: "recordId" } }, before: { $shift: { output: { $meta: "recordId" }, by: -1 } } } } }, { $project: { all: 1, before: 1, r: { $meta: "recordId" } } })
//> [{"_id":3,"all":[3,1],"before":null,"r":3},{"_id":1,"all":[3,1],"before":3,"r":1},{"_id":2,"all":[2],"before":null,"r":2}]
run({ $densify: { field: "a", range: { step: 0.5, bounds: "full" } } }, { $project: { a: 1, r: { $meta: "recordId" } } })
//> [{"_id":2,"a":1,"r":2},{"a":1.5},{"_id":3,"a":2,"r":3},{"a":2.5},{"_id":1,"a":3,"r":1}]
run({ $sort: { _id: 1 } }, { $fill: { sortBy: { _id: 1 }, output: { list: { method: "locf" } } } }, { $project: { list: 1, r: { $meta: "recordId" } } })
//> [{"_id":1,"list":[7,8],"r":1},{"_id":2,"list":[7,8],"r":2},{"_id":3,"list":[9],"r":3}]
run({ $sample: { size: 5 } }, { $set: { r: { $meta: "recordId" } } }, { $match: { $expr: { $ne: ["$r", { $toLong: "$_id" }] } } })
//> []
// What makes documents ends it, and sees it before.
run({ $group: { _id: "$b", r: { $push: { $meta: "recordId" } } } }, { $sort: { _id: 1 } }, { $addFields: { none: { $meta: "recordId" } } })
//> [{"_id":"x","r":[1,3]},{"_id":"y","r":[2]}]
run({ $group: { _id: { $meta: "recordId" } } }, { $sort: { _id: 1 } })
//> [{"_id":1},{"_id":2},{"_id":3}]
run({ $sortByCount: { $meta: "recordId" } }, { $sort: { _id: 1 } })
//> [{"_id":1,"count":1},{"_id":2,"count":1},{"_id":3,"count":1}]
run({ $bucket: { groupBy: { $meta: "recordId" }, boundaries: [1, 3, 9], output: { r: { $max: { $meta: "recordId" } } } } })
//> [{"_id":1,"r":2},{"_id":3,"r":3}]
run({ $bucketAuto: { groupBy: "$a", buckets: 2, output: { r: { $push: { $meta: "recordId" } } } } }, { $set: { none: { $meta: "recordId" } } })
//> [{"_id":{"min":1,"max":3},"r":[2,3]},{"_id":{"min":3,"max":3},"r":[1]}]
run({ $facet: { one: [{ $match: { b: "x" } }, id], two: [{ $sort: { a: 1 } }, { $limit: 1 }, id], three: [{ $group: { _id: { $meta: "recordId" } } }, { $sort: { _id: 1 } }] } }, { $set: { none: { $meta: "recordId" } } })
//> [{"one":[{"_id":1,"r":1},{"_id":3,"r":3}],"two":[{"_id":2,"r":2}],"three":[{"_id":1},{"_id":2},{"_id":3}]}]
run({ $count: "n" }, { $set: { none: { $meta: "recordId" } } })
//> [{"n":3}]
run({ $unionWith: { coll: "o", pipeline: [{ $match: { _id: 1 } }] } }, { $set: { r: { $meta: "recordId" } } }, { $limit: 9 }, { $sort: { r: 1, _id: -1 } }, { $project: { r: 1 } })
//> [{"_id":1,"r":1},{"_id":1,"r":1},{"_id":2,"r":2},{"_id":3,"r":3}]
EJSON.stringify(db.aggregate([{ $documents: [{ a: 1 }] }, { $set: { none: { $meta: "recordId" } } }]).toArray())
//> [{"a":1}]
// A filter sees documents alone.
run({ $match: { $expr: { $eq: [{ $meta: "recordId" }, 1] } } })
//> []
run({ $limit: 3 }, { $match: { $expr: { $not: [{ $meta: "recordId" }] } } }, { $count: "n" })
//> [{"n":3}]
db.t.find({ $expr: { $eq: [{ $type: { $meta: "textScore" } }, "missing"] } }).count()
//> 3
// sortKey: what the collection read sorted by; nothing without an order of its own.
run({ $sort: { a: 1, list: -1 } }, { $project: { k: { $meta: "sortKey" } } })
//> [{"_id":2,"k":[1,null]},{"_id":3,"k":[2,9]},{"_id":1,"k":[3,8]}]
run({ $match: { b: "x" } }, { $sort: { a: -1 } }, { $limit: 1 }, { $set: { k: { $meta: "sortKey" } } })
//> [{"_id":1,"a":3,"b":"x","list":[7,8],"k":[3]}]
run({ $sort: { a: 1 } }, { $skip: 1 }, { $unwind: "$list" }, { $group: { _id: { $meta: "sortKey" } } })
//> [{"_id":[2]},{"_id":[3]}]
run({ $sort: { a: 1 } }, { $limit: 2 }, { $sort: { _id: 1 } }, { $project: { k: { $meta: "sortKey" } } })
//> [{"_id":2,"k":[1]},{"_id":3,"k":[2]}]
run({ $group: { _id: { $meta: "sortKey" } } })
//> [{"_id":[]}]
run({ $set: { k: { $meta: "sortKey" } } }, { $limit: 1 }, { $project: { k: 1 } })
//> [{"_id":1,"k":[]}]
run({ $project: { k: { $meta: "sortKey" } } })
//> MongoServerError[BadValue]: cannot use sortKey $meta projection without a sort
run({ $group: { _id: "$b" } }, { $sort: { _id: 1 } }, { $set: { k: { $meta: "sortKey" } } })
//> [{"_id":"x"},{"_id":"y"}]
db.t.aggregate([{ $sort: { b: 1 } }, { $project: { k: { $meta: "sortKey" } } }], { collation: { locale: "en" } })
//> MongoServerError[NotImplemented]: Projecting $meta "sortKey" with a collation is not supported
// indexKey: the key of the index that found the document.
run({ $match: { a: { $gt: 1 } } }, { $addFields: { k: { $meta: "indexKey" } } }, { $project: { k: 1 } })
//> [{"_id":1},{"_id":3}]
db.t.createIndex({ a: 1, b: 1 })
//> a_1_b_1
run({ $match: { a: { $gt: 1 } } }, { $addFields: { k: { $meta: "indexKey" } } }, { $project: { k: 1 } })
//> [{"_id":3,"k":{"a":2,"b":"x"}},{"_id":1,"k":{"a":3,"b":"x"}}]
run({ $match: { a: { $gt: 1 } } }, { $project: { _id: 0, a: 1, k: { $meta: "indexKey" } } })
//> [{"a":2,"k":{"a":2,"b":"x"}},{"a":3,"k":{"a":3,"b":"x"}}]
run({ $match: { a: { $gt: 1 } } }, { $project: { _id: 0, k: { $meta: "indexKey" } } })
//> [{"k":{"a":2,"b":"x"}},{"k":{"a":3,"b":"x"}}]
run({ $match: { a: { $gt: 1 } } }, { $project: { _id: 0, a: 0, list: 0, k: { $meta: "indexKey" } } })
//> [{"b":"x","k":{"a":2,"b":"x"}},{"b":"x","k":{"a":3,"b":"x"}}]
run({ $sort: { a: -1 } }, { $project: { _id: 0, k: { $meta: "indexKey" }, s: { $meta: "sortKey" } } })
//> [{"k":{"a":3,"b":"x"},"s":[3]},{"k":{"a":2,"b":"x"},"s":[2]},{"k":{"a":1,"b":"y"},"s":[1]}]
run({ $match: { a: { $gt: 1 } } }, { $sortByCount: { $meta: "indexKey" } }, { $sort: { _id: 1 } })
//> [{"_id":{"a":2,"b":"x"},"count":1},{"_id":{"a":3,"b":"x"},"count":1}]
run({ $match: { a: { $gt: 1 } } }, { $group: { _id: "$a", k: { $first: { $meta: "indexKey" } } } }, { $sort: { _id: 1 } })
//> [{"_id":2,"k":{"a":2,"b":"x"}},{"_id":3,"k":{"a":3,"b":"x"}}]
run({ $sort: { a: 1 } }, { $group: { _id: "$a", k: { $first: { $meta: "recordId" } } } })
//> [{"_id":1,"k":2},{"_id":2,"k":3},{"_id":3,"k":1}]
// What is seen before a group is not asked of the read for what comes after it: this group needs no document.
db.t.explain().aggregate([{ $match: { a: { $gt: 1 } } }, { $group: { _id: "$a" } }, { $set: { k: { $meta: "indexKey" } } }]).stages[0].$cursor.queryPlanner.winningPlan.inputStage.stage
//> DISTINCT_SCAN
// randVal: the number by which a sample was chosen, the greatest first.
const random = db.t.aggregate([{ $sample: { size: 3 } }, { $project: { v: { $meta: "randVal" } } }]).toArray().map(row => row.v)
random.length == 3 && random.every((v, at) => v >= 0 && v < 1 && (at == 0 || v <= random[at - 1]))
//> true
run({ $project: { v: { $meta: "randVal" } } }, { $limit: 1 })
//> [{"_id":1}]
run({ $sample: { size: 3 } }, { $sort: { _id: 1 } }, { $sort: { x: { $meta: "randVal" } } }, { $group: { _id: 1, v: { $push: { $meta: "randVal" } } } }, { $project: { _id: 0, sorted: { $eq: ["$v", { $sortArray: { input: "$v", sortBy: -1 } }] } } })
//> [{"sorted":true}]
run({ $sort: { x: { $meta: "randVal" }, a: 1 } }, { $project: { k: { $meta: "sortKey" } } })
//> [{"_id":2,"k":[null,1]},{"_id":3,"k":[null,2]},{"_id":1,"k":[null,3]}]
db.t.aggregate([{ $group: { _id: "$b" } }, { $sample: { size: 9 } }, { $set: { v: { $meta: "randVal" } } }]).toArray().every(row => row.v < 1)
//> true
run({ $limit: 3 }, { $sort: { x: { $meta: "randVal" }, a: 1 } }, { $project: { a: 1 } })
//> [{"_id":2,"a":1},{"_id":3,"a":2},{"_id":1,"a":3}]
run({ $group: { _id: 1, t: { $top: { sortBy: { x: { $meta: "randVal" }, a: 1 }, output: "$a" } } } })
//> [{"_id":1,"t":1}]
// What no query here has is missing, or refused as where a server has no text search and no $geoNear before it.
run({ $limit: 1 }, { $project: { a: { $meta: "searchScore" }, b: { $meta: "searchHighlights" }, c: { $meta: "searchScoreDetails" }, d: { $meta: "searchSequenceToken" }, e: { $meta: "vectorSearchScore" }, f: { $meta: "timeseriesBucketMinTime" }, g: { $meta: "timeseriesBucketMaxTime" } } })
//> [{"_id":1}]
run({ $project: { m: { $meta: "textScore" } } })
//> MongoServerError[Location40218]: query requires text score metadata, but it is not available
run({ $group: { _id: 1 } }, { $set: { m: { $meta: "geoNearDistance" } } })
//> MongoServerError[Location40218]: query requires $geoNear distance metadata, but it is not available
run({ $addFields: { m: { $meta: "geoNearPoint" } } })
//> MongoServerError[Location40218]: query requires $geoNear point metadata, but it is not available
run({ $lookup: { from: "o", pipeline: [{ $set: { m: { $meta: "textScore" } } }], as: "o" } })
//> MongoServerError[Location40218]: Executor error during aggregate command on namespace: test.t :: caused by :: query requires text score metadata, but it is not available
run({ $project: { m: { $meta: "score" } } })
//> MongoServerError[Location40218]: query requires score metadata, but it is not available
run({ $group: { _id: { $meta: "nonsense" } } })
//> MongoServerError[Location17308]: Unsupported argument to $meta: nonsense
run({ $set: { m: { $meta: 1 } } })
//> MongoServerError[Location17307]: Invalid $set :: caused by :: $meta only supports string arguments
run({ $set: { m: { $meta: "recordId", more: 1 } } })
//> MongoServerError[Location40181]: Invalid $set :: caused by :: an expression specification must contain exactly one field, the name of the expression. Found 2 fields in { $meta: "recordId", more: 1 }, while parsing object at path: m
run({ $sort: { m: { $meta: "textScore" } } })
//> MongoServerError[Location40218]: query requires text score metadata, but it is not available
run({ $sort: { m: { $meta: "geoNearDistance" } } })
//> MongoServerError[Location40218]: query requires $geoNear distance metadata, but it is not available
run({ $sort: { m: { $meta: "searchScore" } } })
//> MongoServerError[Location31218]: $meta sort by 'searchScore' metadata is not supported
run({ $sort: { m: { $meta: "searchHighlights" } } })
//> MongoServerError[Location31219]: $meta sort by 'searchHighlights' metadata is not supported
run({ $sort: { m: { $meta: "recordId" } } })
//> MongoServerError[Location31138]: Illegal $meta sort: $meta: "recordId"
run({ $sort: { m: { $meta: 1 } } })
//> MongoServerError[Location31138]: Illegal $meta sort: $meta: 1
run({ $sort: { m: { $meta: "randVal", more: 1 } } })
//> MongoServerError[FailedToParse]: Cannot have additional keys in a $meta sort specification
run({ $sort: { m: { $max: 1 } } })
//> MongoServerError[Location17312]: $meta is the only expression supported by $sort right now
// Only where it stands beside nothing else it makes a $project that includes.
run({ $limit: 1 }, { $project: { b: 0, list: 0, r: { $meta: "recordId" } } })
//> [{"_id":1,"a":3,"r":1}]
run({ $limit: 1 }, { $project: { b: 1, r: { $meta: "recordId" } } })
//> [{"_id":1,"b":"x","r":1}]
run({ $limit: 1 }, { $project: { _id: 0, r: { $meta: "recordId" } } })
//> [{"r":1}]
run({ $limit: 1 }, { $project: { r: { $meta: "recordId" }, b: 0, x: "$a" } })
//> MongoServerError[Location31252]: Invalid $project :: caused by :: Cannot use expression other than $meta in exclusion projection
// explain shows where the key comes from, and the expression as it is.
const plan = (...stages) => db.t.explain().aggregate(stages)
const stageNames = plan => plan.stage + (plan.inputStage ? " " + stageNames(plan.inputStage) : "")
plan({ $sort: { a: 1 } }, { $group: { _id: { $meta: "sortKey" } } }).stages.map(stage => stage.$cursor ? stageNames(stage.$cursor.queryPlanner.winningPlan) : stage)
//> [
//>   'SORT_KEY_GENERATOR FETCH IXSCAN',
//>   { '$group': { _id: { '$meta': 'sortKey' }, '$willBeMerged': false } }
//> ]
plan({ $sort: { list: 1 } }, { $set: { k: { $meta: "sortKey" } } }).stages.map(stage => stage.$cursor ? stageNames(stage.$cursor.queryPlanner.winningPlan) : stage)
//> [
//>   'SORT COLLSCAN',
//>   { '$set': { k: { '$meta': 'sortKey' } } }
//> ]
stageNames(plan({ $match: { a: 1 } }, { $project: { a: 1, r: { $meta: "recordId" } } }).queryPlanner.winningPlan)
//> PROJECTION_DEFAULT FETCH IXSCAN
plan({ $limit: 1 }, { $sort: { x: { $meta: "randVal" } } }).stages[1]
//> {
//>   '$sort': { sortKey: { '$computed0': { '$meta': 'randVal' } } }
//> }
const counts = db.t.explain("executionStats").aggregate([{ $sort: { a: 1 } }, { $set: { k: { $meta: "sortKey" } } }]).stages
counts.map(stage => Number(stage.nReturned))
//> [ 3, 3 ]
// A view's fields, and a cursor that comes back for more.
db.createView("v", "t", [{ $set: { r: { $meta: "recordId" } } }])
//> { ok: 1 }
EJSON.stringify(db.v.find({}, { r: 1, s: { $meta: "recordId" } }).toArray())
//> [{"_id":1,"r":1,"s":1},{"_id":2,"r":2,"s":2},{"_id":3,"r":3,"s":3}]
EJSON.stringify(db.v.find({ _id: 1 }, { s: { $meta: "recordId" } }).toArray())
//> [{"_id":1,"s":1}]
EJSON.stringify(db.t.aggregate([{ $sort: { list: 1 } }, { $project: { r: { $meta: "recordId" } } }], { cursor: { batchSize: 1 } }).toArray())
//> [{"_id":2,"r":2},{"_id":1,"r":1},{"_id":3,"r":3}]
// Updates know nothing of the record.
db.t.updateOne({ _id: 1 }, [{ $set: { r: { $ifNull: [{ $meta: "recordId" }, "none"] }, s: { $ifNull: [{ $meta: "textScore" }, "none"] } } }]).modifiedCount
//> 1
EJSON.stringify(db.t.findOne({ _id: 1 }))
//> {"_id":1,"a":3,"b":"x","list":[7,8],"r":"none","s":"none"}
// findAndModify: the key by which the document was found, but no longer its record.
const modify = (fields, more = {}) => EJSON.stringify(db.t.findAndModify({ query: { a: 3 }, update: { $set: { a: 4 } }, fields, ...more }))
modify({ a: 1, k: { $meta: "indexKey" }, r: { $meta: "recordId" }, t: { $meta: "textScore" } })
//> {"_id":1,"a":3,"k":{"a":3,"b":"x"}}
EJSON.stringify(db.t.findAndModify({ query: { a: 4 }, update: { $set: { a: 3 } }, new: true, fields: { _id: 0, a: 1, k: { $meta: "indexKey" } } }))
//> {"a":3,"k":{"a":4,"b":"x"}}
EJSON.stringify(db.t.findAndModify({ query: { _id: 3 }, update: { $set: { c: 1 } }, fields: { b: 1, k: { $meta: "indexKey" } } }))
//> {"_id":3,"b":"x"}
EJSON.stringify(db.t.findAndModify({ query: { a: 77 }, update: { $set: { c: 1 } }, upsert: true, new: true, fields: { _id: 0, k: { $meta: "indexKey" } } }))
//> {"a":77,"c":1}
modify({ k: { $meta: "sortKey" } }, { sort: { a: 1 } })
//> MongoServerError[BadValue]: Cannot use a $meta sortKey projection in findAndModify commands.
modify({ k: { $meta: "nonsense" } })
//> MongoServerError[Location17308]: Unsupported argument to $meta: nonsense
EJSON.stringify(db.t.findAndModify({ query: { a: 3 }, remove: true, fields: { a: 1, k: { $meta: "indexKey" } } }))
//> {"_id":1,"a":3,"k":{"a":3,"b":"x"}}
