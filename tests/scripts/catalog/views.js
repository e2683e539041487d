// Views: defining and changing them, reading through them, and what they refuse.
//
// Manual: core/views, reference/method/db.createView, reference/command/collMod
const fails = (f) => { try { return f() } catch (x) { return x.code + " " + x.message } }
db.plants.insertMany([
  {_id: 1, name: "fern", price: 5, tags: ["green", "shade"], secret: 1},
  {_id: 2, name: "moss", price: 2, tags: ["green"], secret: 2},
  {_id: 3, name: "rose", price: 9, tags: ["red", "sun"], secret: 3},
  {_id: 4, name: "iris", price: 7, tags: [], secret: 4}]).acknowledged
//> true
db.plants.createIndex({price: 1})
//> price_1
db.createView("open", "plants", [{$project: {secret: 0}}])
//> { ok: 1 }
db.createView("cheap", "open", [{$match: {price: {$lt: 8}}}])
//> { ok: 1 }
db.open.find().toArray()
//> [
//>   { _id: 1, name: 'fern', price: 5, tags: [ 'green', 'shade' ] },
//>   { _id: 2, name: 'moss', price: 2, tags: [ 'green' ] },
//>   { _id: 3, name: 'rose', price: 9, tags: [ 'red', 'sun' ] },
//>   { _id: 4, name: 'iris', price: 7, tags: [] }
//> ]
db.cheap.find({tags: "green"}, {name: 1}).sort({price: 1}).toArray()
//> [ { _id: 2, name: 'moss' }, { _id: 1, name: 'fern' } ]
db.cheap.find().sort({price: -1}).skip(1).limit(1).toArray()
//> [ { _id: 1, name: 'fern', price: 5, tags: [ 'green', 'shade' ] } ]
db.cheap.findOne({name: "iris"})
//> { _id: 4, name: 'iris', price: 7, tags: [] }
db.cheap.countDocuments({price: {$gt: 2}})
//> 2
db.cheap.count()
//> 3
db.runCommand({count: "cheap", query: {tags: "green"}, skip: 1, limit: 5}).n
//> 1
db.cheap.distinct("tags").sort()
//> [ 'green', 'shade' ]
db.cheap.distinct("name", {price: {$gt: 4}}).sort()
//> [ 'fern', 'iris' ]
db.cheap.aggregate([{$group: {_id: null, total: {$sum: "$price"}}}]).toArray()
//> [ { _id: null, total: 14 } ]
// Views in stages that read other collections.
db.orders.insertMany([{_id: 1, plant: "fern"}, {_id: 2, plant: "rose"}]).acknowledged
//> true
db.orders.aggregate([{$lookup: {from: "cheap", localField: "plant", foreignField: "name", as: "found"}}, {$sort: {_id: 1}}]).toArray()
//> [
//>   {
//>     _id: 1,
//>     plant: 'fern',
//>     found: [ { _id: 1, name: 'fern', price: 5, tags: [ 'green', 'shade' ] } ]
//>   },
//>   { _id: 2, plant: 'rose', found: [] }
//> ]
db.orders.aggregate([{$lookup: {from: "cheap", let: {p: "$plant"}, pipeline: [{$match: {$expr: {$eq: ["$name", "$$p"]}}}, {$project: {price: 1}}], as: "found"}}, {$sort: {_id: 1}}]).toArray()
//> [
//>   { _id: 1, plant: 'fern', found: [ { _id: 1, price: 5 } ] },
//>   { _id: 2, plant: 'rose', found: [] }
//> ]
db.orders.aggregate([{$project: {n: "$plant"}}, {$unionWith: {coll: "cheap", pipeline: [{$project: {n: "$name"}}]}}, {$sort: {n: 1, _id: 1}}]).toArray()
//> [
//>   { _id: 1, n: 'fern' },
//>   { _id: 1, n: 'fern' },
//>   { _id: 4, n: 'iris' },
//>   { _id: 2, n: 'moss' },
//>   { _id: 2, n: 'rose' }
//> ]
db.tree.insertMany([{_id: 1, up: null, keep: true}, {_id: 2, up: 1, keep: true}, {_id: 3, up: 2, keep: false}]).acknowledged
//> true
db.createView("kept", "tree", [{$match: {keep: true}}]).ok
//> 1
db.tree.aggregate([{$match: {_id: 3}}, {$graphLookup: {from: "kept", startWith: "$up", connectFromField: "up", connectToField: "_id", as: "above"}}, {$project: {n: {$size: "$above"}}}]).toArray()
//> [ { _id: 3, n: 2 } ]
// The planner sees through a view.
db.cheap.explain().aggregate([{$match: {name: "fern"}}]).queryPlanner.winningPlan.stage
//> PROJECTION_SIMPLE
db.createView("all", "plants", [])
//> { ok: 1 }
db.all.find({price: 5}).explain().queryPlanner.winningPlan.inputStage.indexName
//> price_1
db.all.find({price: 5}).explain().queryPlanner.namespace
//> test.plants
db.all.find().batchSize(2).toArray().length
//> 4
// How they are listed.
db.getCollectionInfos({name: "cheap"})
//> [
//>   {
//>     name: 'cheap',
//>     type: 'view',
//>     options: {
//>       viewOn: 'open',
//>       pipeline: [
//>         { '$match': { price: { '$lt': 8 } } }
//>       ]
//>     },
//>     info: { readOnly: true }
//>   }
//> ]
db.runCommand({listCollections: 1, nameOnly: true}).cursor.firstBatch.filter(c => c.type == "view").map(c => c.name)
//> [ 'all', 'cheap', 'kept', 'open' ]
db.getCollectionNames().sort()
//> [
//>   'all',
//>   'cheap',
//>   'kept',
//>   'open',
//>   'orders',
//>   'plants',
//>   'system.views',
//>   'tree'
//> ]
db.system.views.find().sort({_id: 1}).toArray()
//> [
//>   { _id: 'test.all', viewOn: 'plants', pipeline: [] },
//>   {
//>     _id: 'test.cheap',
//>     viewOn: 'open',
//>     pipeline: [
//>       { '$match': { price: { '$lt': 8 } } }
//>     ]
//>   },
//>   {
//>     _id: 'test.kept',
//>     viewOn: 'tree',
//>     pipeline: [ { '$match': { keep: true } } ]
//>   },
//>   {
//>     _id: 'test.open',
//>     viewOn: 'plants',
//>     pipeline: [ { '$project': { secret: 0 } } ]
//>   }
//> ]
db.stats().views
//> Long('4')
// Creating the same view again is nothing; another of its name is refused.
db.createView("cheap", "open", [{$match: {price: {$lt: 8}}}]).ok
//> 1
fails(() => db.createView("cheap", "open", []))
//> 48 namespace test.cheap already exists, but with different options: { viewOn: "open", pipeline: [ { $match: { price: { $lt: 8 } } } ] }
fails(() => db.createView("plants", "open", []))
//> 48 namespace test.plants already exists, but with different options: { uuid: <*> }
fails(() => db.createCollection("cheap"))
//> 48 namespace test.cheap already exists, but with different options: { viewOn: "open", pipeline: [ { $match: { price: { $lt: 8 } } } ] }
// What writes is refused.
fails(() => db.cheap.insertOne({a: 1}))
//> 166 Namespace test.cheap is a view, not a collection
fails(() => db.cheap.updateOne({}, {$set: {a: 1}}))
//> 166 Namespace test.cheap is a view, not a collection
fails(() => db.cheap.updateOne({_id: 77}, {$set: {a: 1}}, {upsert: true}))
//> 166 Namespace test.cheap is a view, not a collection
fails(() => db.cheap.deleteMany({}))
//> 166 Namespace test.cheap is a view, not a collection
fails(() => db.cheap.findOneAndUpdate({}, {$set: {a: 1}}))
//> 166 Namespace test.cheap is a view, not a collection
fails(() => db.cheap.createIndex({a: 1}))
//> 166 Namespace test.cheap is a view, not a collection
fails(() => db.cheap.getIndexes())
//> 166 Namespace test.cheap is a view, not a collection
fails(() => db.cheap.dropIndex("a_1"))
//> 166 Namespace test.cheap is a view, not a collection
fails(() => db.cheap.renameCollection("other"))
//> 166 Namespace test.cheap is a view, not a collection
fails(() => db.plants.renameCollection("cheap", true))
//> 48 a view already exists with that name: test.cheap
fails(() => db.runCommand({collStats: "cheap"}))
//> 166 Namespace test.cheap is a view, not a collection
fails(() => db.cheap.validate())
//> 166 Namespace test.cheap is a view, not a collection
fails(() => db.runCommand({convertToCapped: "cheap", size: 1000}))
//> 166 Namespace test.cheap is a view, not a collection
fails(() => db.plants.aggregate([{$out: "cheap"}]).itcount())
//> 166 Executor error during aggregate command on namespace: test.plants :: caused by :: Namespace test.cheap is a view, not a collection
fails(() => db.plants.aggregate([{$merge: "cheap"}]).itcount())
//> 166 Executor error during aggregate command on namespace: test.plants :: caused by :: Namespace test.cheap is a view, not a collection
fails(() => db.cheap.explain().remove({}))
//> 166 Namespace test.cheap is a view, not a collection
fails(() => db.cheap.find().showRecordId().toArray())
//> 168 Option showRecordId not supported in aggregation.
fails(() => db.cheap.find().returnKey().toArray())
//> 168 Option returnKey not supported in aggregation.
fails(() => db.cheap.find().sort({$natural: 1}).toArray())
//> [
//>   { _id: 1, name: 'fern', price: 5, tags: [ 'green', 'shade' ] },
//>   { _id: 2, name: 'moss', price: 2, tags: [ 'green' ] },
//>   { _id: 4, name: 'iris', price: 7, tags: [] }
//> ]
// Definitions that are refused.
fails(() => db.createView("v", "", []))
//> 2 'viewOn' cannot be empty
fails(() => db.createView("system.v", "plants", []))
//> 73 View name cannot start with 'system.', which is reserved for system namespaces
fails(() => db.runCommand({create: "v", pipeline: []}))
//> 72 'pipeline' requires 'viewOn' to also be specified
fails(() => db.runCommand({create: "v", viewOn: "plants", capped: true, size: 100}))
//> 72 Cannot specify 'capped' with 'viewOn'
fails(() => db.createView("v", "plants", [{$nope: 1}]))
//> 40324 Unrecognized pipeline stage name: '$nope'
fails(() => db.createView("v", "plants", [{$match: {$nope: 1}}]))
//> 2 Invalid pipeline for view test.v :: caused by :: unknown top level operator: $nope. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.
fails(() => db.createView("v", "plants", [{$match: {}}, {$out: "x"}]))
//> 167 Invalid pipeline for view test.v :: caused by :: The aggregation stage $out in location 1 of the pipeline cannot be used in the view definition of test.v because it writes to disk
fails(() => db.createView("v", "plants", [{$currentOp: {}}]))
//> 73 Invalid pipeline for view test.v :: caused by :: '$currentOp' cannot be used in a view definition
fails(() => db.createView("v", "plants", [{$set: {a: "$$nope"}}]))
//> 17276 Invalid pipeline for view test.v :: caused by :: Invalid $set :: caused by :: Use of undefined variable: nope
fails(() => db.createView("v", "v", []))
//> 5 View cycle detected: test.v => test.v => test.v
db.createView("a", "b", []).ok
//> 1
fails(() => db.createView("b", "a", []))
//> 5 View cycle detected: test.b => test.b => test.a => test.b
fails(() => db.createView("b", "plants", [{$lookup: {from: "a", pipeline: [], as: "x"}}]))
//> 5 View cycle detected: test.b => test.b => test.a => test.b
db.a.find().toArray()
//> []
// Twenty views may stand upon one another.
for (let i = 1; i <= 20; i++) db.createView("d" + i, i == 1 ? "plants" : "d" + (i - 1), [{$set: {depth: i}}])
db.d20.findOne({_id: 1})
//> {
//>   _id: 1,
//>   name: 'fern',
//>   price: 5,
//>   tags: [ 'green', 'shade' ],
//>   secret: 1,
//>   depth: 20
//> }
fails(() => db.createView("d21", "d20", []))
//> 165 View depth limit exceeded; maximum depth is 20
fails(() => db.runCommand({collMod: "d1", viewOn: "all", pipeline: []}))
//> 165 View depth limit exceeded; maximum depth is 20
// Changing and dropping.
db.runCommand({collMod: "cheap", viewOn: "plants", pipeline: [{$match: {price: {$lt: 3}}}]})
//> { ok: 1 }
db.cheap.find().toArray()
//> [ { _id: 2, name: 'moss', price: 2, tags: [ 'green' ], secret: 2 } ]
;[{timeseries: {}}, {changeStreamPreAndPostImages: {enabled: true}}, {expireAfterSeconds: 5}, {dryRun: true}, {more: 1}].map(more => fails(() => db.runCommand({collMod: "cheap", ...more})))
//> [
//>   '72 option only supported on a time-series collection: timeseries',
//>   '72 option not supported on a view: changeStreamPreAndPostImages',
//>   '72 option not supported on a view: expireAfterSeconds',
//>   '72 option not supported on a view: dryRun',
//>   "40415 BSON field 'collMod.more' is an unknown field."
//> ]
fails(() => db.runCommand({collMod: "cheap", index: {name: "a", hidden: true}}))
//> 72 option not supported on a view: index
fails(() => db.runCommand({collMod: "plants", viewOn: "open", pipeline: []}))
//> 72 'viewOn' and 'pipeline' options only supported on a view
fails(() => db.runCommand({collMod: "cheap", viewOn: "cheap", pipeline: []}))
//> 5 View cycle detected: test.cheap => test.cheap => test.cheap
db.cheap.drop()
//> true
db.cheap.find().toArray()
//> []
db.system.views.drop()
//> true
db.getCollectionNames().sort()
//> [ 'orders', 'plants', 'tree' ]
// A sort by $natural is the hint that it is anywhere.
db.createView("taller", "orders", [{$match: {_id: {$gt: 0}}}])
//> { ok: 1 }
db.orders.drop()
//> true
db.orders.insertMany([{_id: 2}, {_id: 1}, {_id: 3}]).acknowledged
//> true
[db.taller.find().sort({$natural: -1}).toArray(), db.taller.find({_id: {$lt: 3}}).sort({$natural: 1}).skip(1).limit(5).toArray(), db.taller.find().sort({$natural: -1}).hint({$natural: 1}).toArray()]
//> [
//>   [ { _id: 3 }, { _id: 1 }, { _id: 2 } ],
//>   [ { _id: 1 } ],
//>   [ { _id: 3 }, { _id: 1 }, { _id: 2 } ]
//> ]
db.taller.find().sort({$natural: -1}).explain().queryPlanner.winningPlan.direction
//> backward
[fails(() => db.taller.find().sort({$natural: 1}).hint({_id: 1}).toArray()), fails(() => db.taller.find().sort({$natural: 2}).toArray()), fails(() => db.taller.find().sort({$natural: 1, _id: 1}).toArray()), fails(() => db.taller.aggregate([{$sort: {$natural: 1}}]).toArray())]
//> [
//>   '2 error processing query: $natural sort cannot be set together with a hint',
//>   'undefined Invalid sort direction: 2',
//>   "2 Cannot include '$natural' in compound sort: { $natural: 1, _id: 1 }",
//>   "16410 FieldPath field names may not start with '$'. Consider using $getField or $setField. Found: '$natural'"
//> ]
// Views have no plans of their own to forget or to filter.
[{planCacheClear: "taller"}, {planCacheClearFilters: "taller"}, {planCacheListFilters: "taller"}, {planCacheSetFilter: "taller", query: {a: 1}, indexes: ["a_1"]}].map((command) => fails(() => db.runCommand(command)))
//> [
//>   '166 Namespace test.taller is a view, not a collection',
//>   '166 Namespace test.taller is a view, not a collection',
//>   '166 Namespace test.taller is a view, not a collection',
//>   '166 Namespace test.taller is a view, not a collection'
//> ]
