// $out and $merge: what they write, what they keep, and what they refuse.
//
// Manual: reference/operator/aggregation/out, reference/operator/aggregation/merge
const fails = (f) => { try { return f() } catch (x) { return x.code + " " + x.message } }
db.orders.insertMany([{_id: 1, item: "fern", n: 2}, {_id: 2, item: "moss", n: 5}, {_id: 3, item: "fern", n: 1}]).acknowledged
//> true
db.orders.aggregate([{$group: {_id: "$item", n: {$sum: "$n"}}}, {$out: "totals"}]).toArray()
//> []
db.totals.find().sort({_id: 1}).toArray()
//> [ { _id: 'fern', n: 3 }, { _id: 'moss', n: 5 } ]
// The indexes and options of the target stay, its documents go.
db.totals.createIndex({n: -1})
//> n_-1
db.orders.aggregate([{$match: {n: {$gt: 1}}}, {$project: {n: 1}}, {$out: {db: "test", coll: "totals"}}]).itcount()
//> 0
db.totals.find().sort({_id: 1}).toArray()
//> [ { _id: 1, n: 2 }, { _id: 2, n: 5 } ]
db.totals.getIndexes().map(i => i.name)
//> [ '_id_', 'n_-1' ]
db.totals.validate().valid
//> true
// Another database; a document without _id gets one.
db.orders.aggregate([{$project: {_id: 0, item: 1}}, {$limit: 1}, {$out: {db: "other", coll: "items"}}]).itcount()
//> 0
db.getSiblingDB("other").items.find().map(d => [d.item, d._id instanceof ObjectId])
//> [ [ 'fern', true ] ]
// A pipeline may replace the collection that it reads.
db.totals.aggregate([{$set: {twice: {$multiply: ["$n", 2]}}}, {$out: "totals"}]).itcount()
//> 0
db.totals.find().sort({_id: 1}).toArray()
//> [ { _id: 1, n: 2, twice: 4 }, { _id: 2, n: 5, twice: 10 } ]
// A failed $out changes nothing.
db.uniq.createIndex({k: 1}, {unique: true})
//> k_1
db.uniq.insertOne({_id: 0, k: 0}).acknowledged
//> true
fails(() => db.orders.aggregate([{$project: {k: "$item"}}, {$out: "uniq"}]).itcount()).replace(/[0-9a-f-]{36}/, "UUID")
//> 11000 Executor error during aggregate command on namespace: test.orders :: caused by :: E11000 duplicate key error collection: test.tmp.agg_out.UUID index: k_1 dup key: { k: "fern" }
db.uniq.find().toArray()
//> [ { _id: 0, k: 0 } ]
db.getCollectionNames().sort()
//> [ 'orders', 'totals', 'uniq' ]
db.createCollection("ring", {capped: true, size: 1000}).ok
//> 1
fails(() => db.orders.aggregate([{$out: "ring"}]).itcount())
//> 17152 Executor error during aggregate command on namespace: test.orders :: caused by :: namespace 'test.ring' is capped so it can't be used for $out
fails(() => db.orders.aggregate([{$out: "system.js"}]).itcount())
//> 17385 Can't $out to special collection: system.js
fails(() => db.orders.aggregate([{$out: {db: "admin", coll: "x"}}]).itcount())
//> 31321 Can't $out to internal database: admin
fails(() => db.orders.aggregate([{$out: ""}]).itcount())
//> 73 Invalid $out target namespace, test.
fails(() => db.orders.aggregate([{$out: 5}]).itcount())
//> 16990 $out only supports a string or object argument, but found int
fails(() => db.orders.aggregate([{$out: {db: "test"}}]).itcount())
//> 40414 BSON field '$out.coll' is missing but a required field
fails(() => db.orders.aggregate([{$out: "x"}, {$limit: 1}]).itcount())
//> 40601 $out can only be the final stage in the pipeline
// $merge: insert and merge are the defaults.
db.kept.insertMany([{_id: 1, old: true}, {_id: 9, old: true}]).acknowledged
//> true
db.orders.aggregate([{$merge: "kept"}]).toArray()
//> []
db.kept.find().sort({_id: 1}).toArray()
//> [
//>   { _id: 1, old: true, item: 'fern', n: 2 },
//>   { _id: 2, item: 'moss', n: 5 },
//>   { _id: 3, item: 'fern', n: 1 },
//>   { _id: 9, old: true }
//> ]
const merged = (spec, pipeline = []) => {
  db.m.drop()
  db.m.insertMany([{_id: 1, old: 1}, {_id: 9, old: 9}])
  const got = fails(() => db.orders.aggregate([...pipeline, {$sort: {_id: 1}}, {$merge: {into: "m", ...spec}}]).itcount())
  return [got, db.m.find().sort({_id: 1}).toArray()]
}
merged({whenMatched: "replace"})
//> [
//>   0,
//>   [
//>     { _id: 1, item: 'fern', n: 2 },
//>     { _id: 2, item: 'moss', n: 5 },
//>     { _id: 3, item: 'fern', n: 1 },
//>     { _id: 9, old: 9 }
//>   ]
//> ]
merged({whenMatched: "keepExisting"})
//> [
//>   0,
//>   [
//>     { _id: 1, old: 1 },
//>     { _id: 2, item: 'moss', n: 5 },
//>     { _id: 3, item: 'fern', n: 1 },
//>     { _id: 9, old: 9 }
//>   ]
//> ]
merged({whenMatched: "merge", whenNotMatched: "discard"})
//> [ 0, [ { _id: 1, old: 1, item: 'fern', n: 2 }, { _id: 9, old: 9 } ] ]
merged({whenMatched: "replace", whenNotMatched: "fail"})
//> [
//>   '13113 Executor error during aggregate command on namespace: test.orders :: caused by :: $merge could not find a matching document in the target collection for at least one document in the source collection',
//>   [ { _id: 1, item: 'fern', n: 2 }, { _id: 9, old: 9 } ]
//> ]
merged({whenMatched: "fail"})
//> [
//>   "11000 Executor error during aggregate command on namespace: test.orders :: caused by :: $merge with whenMatched: fail found an existing document with the same values for the 'on' fields :: caused by :: E11000 duplicate key error collection: test.m index: _id_ dup key: { _id: 1 }",
//>   [
//>     { _id: 1, old: 1 },
//>     { _id: 2, item: 'moss', n: 5 },
//>     { _id: 3, item: 'fern', n: 1 },
//>     { _id: 9, old: 9 }
//>   ]
//> ]
merged({whenMatched: [{$set: {old: {$add: ["$old", "$$new.n"]}, item: "$$new.item"}}]})
//> [
//>   0,
//>   [
//>     { _id: 1, old: 3, item: 'fern' },
//>     { _id: 2, item: 'moss', n: 5 },
//>     { _id: 3, item: 'fern', n: 1 },
//>     { _id: 9, old: 9 }
//>   ]
//> ]
merged({whenMatched: [{$set: {v: "$$v", n: "$$new.n"}}], let: {v: {$concat: ["$item", "!"]}}})
//> [
//>   0,
//>   [
//>     { _id: 1, old: 1, v: 'fern!', n: 2 },
//>     { _id: 2, item: 'moss', n: 5 },
//>     { _id: 3, item: 'fern', n: 1 },
//>     { _id: 9, old: 9 }
//>   ]
//> ]
merged({whenMatched: [{$set: {v: "$$v"}}], let: {v: "$item"}, whenNotMatched: "discard"})
//> [ 0, [ { _id: 1, old: 1, v: 'fern' }, { _id: 9, old: 9 } ] ]
merged({whenMatched: [{$set: {v: "$$new.n"}}], let: {v: "$item"}, whenNotMatched: "discard"})
//> [
//>   '17276 Executor error during aggregate command on namespace: test.orders :: caused by :: Invalid $set :: caused by :: Use of undefined variable: new',
//>   [ { _id: 1, old: 1 }, { _id: 9, old: 9 } ]
//> ]
// Joined on other fields, which need a unique index.
fails(() => db.orders.aggregate([{$merge: {into: "stock", on: "item"}}]).itcount())
//> 51183 Cannot find index to verify that join fields will be unique
db.stock.createIndex({item: 1, place: 1}, {unique: true})
//> item_1_place_1
fails(() => db.orders.aggregate([{$merge: {into: "stock", on: ["item"]}}]).itcount())
//> 51183 Cannot find index to verify that join fields will be unique
db.orders.aggregate([{$group: {_id: {item: "$item", place: "here"}, n: {$sum: "$n"}}}, {$project: {_id: 0, item: "$_id.item", place: "$_id.place", n: 1}}, {$merge: {into: "stock", on: ["place", "item"], whenMatched: [{$set: {n: {$add: ["$n", "$$new.n"]}}}]}}]).itcount()
//> 0
db.orders.aggregate([{$match: {item: "moss"}}, {$project: {_id: 0, item: 1, place: "here", n: 1}}, {$merge: {into: "stock", on: ["place", "item"], whenMatched: [{$set: {n: {$add: ["$n", "$$new.n"]}}}]}}]).itcount()
//> 0
db.stock.find({}, {_id: 0}).sort({item: 1}).toArray()
//> [
//>   { n: 3, item: 'fern', place: 'here' },
//>   { n: 10, item: 'moss', place: 'here' }
//> ]
fails(() => db.orders.aggregate([{$merge: {into: "stock", on: ["item", "place"]}}]).itcount())
//> 66 Executor error during aggregate command on namespace: test.orders :: caused by :: $merge failed to update the matching document, did you attempt to modify the _id or the shard key? :: caused by :: Plan executor error during update :: caused by :: Performing an update on the path '_id' would modify the immutable field '_id'
fails(() => db.orders.aggregate([{$set: {place: ["a"]}}, {$merge: {into: "stock", on: ["item", "place"]}}]).itcount())
//> 51185 Executor error during aggregate command on namespace: test.orders :: caused by :: $merge write error: 'on' field 'place' is an array
fails(() => db.orders.aggregate([{$match: {_id: 2}}, {$set: {place: "here"}}, {$merge: {into: "stock", on: ["item", "place"]}}]).itcount()).replace(/'[0-9a-f]{24}'/g, "ID")
//> 66 Executor error during aggregate command on namespace: test.orders :: caused by :: $merge failed to update the matching document, did you attempt to modify the _id or the shard key? :: caused by :: Plan executor error during update :: caused by :: Performing an update on the path '_id' would modify the immutable field '_id'
// A partial index makes nothing unique.
db.part.createIndex({item: 1}, {unique: true, partialFilterExpression: {n: {$gt: 0}}})
//> item_1
fails(() => db.orders.aggregate([{$merge: {into: "part", on: "item"}}]).itcount())
//> 51183 Cannot find index to verify that join fields will be unique
// Another unique index refuses a document: the others of its batch are written.
fails(() => db.orders.aggregate([{$project: {k: {$cond: [{$eq: ["$_id", 2]}, 0, "$_id"]}}}, {$merge: "uniq"}]).itcount())
//> 11000 Executor error during aggregate command on namespace: test.orders :: caused by :: $merge failed due to a DuplicateKey error :: caused by :: Plan executor error during update :: caused by :: E11000 duplicate key error collection: test.uniq index: k_1 dup key: { k: 0 }
db.uniq.find().sort({_id: 1}).toArray()
//> [ { _id: 0, k: 0 }, { _id: 1, k: 1 }, { _id: 3, k: 3 } ]
fails(() => db.orders.aggregate([{$merge: {into: "m", whenMatched: "fail", whenNotMatched: "discard"}}]).itcount())
//> 51181 Combination of $merge modes 'whenMatched: fail' and 'whenNotMatched: discard' is not supported
fails(() => db.orders.aggregate([{$merge: {into: "m", let: {a: 1}}}]).itcount())
//> 51199 Cannot use 'let' variables with 'whenMatched: merge' mode
fails(() => db.orders.aggregate([{$merge: {into: "m", let: {new: 1}, whenMatched: []}}]).itcount())
//> 51273 'let' may not define a value for the reserved 'new' variable other than '$$ROOT'
fails(() => db.orders.aggregate([{$merge: {into: "m", whenMatched: [{$group: {_id: 1}}]}}]).itcount())
//> 72 Executor error during aggregate command on namespace: test.orders :: caused by :: $group is not allowed to be used within an update
fails(() => db.orders.aggregate([{$merge: {into: {db: "config", coll: "m"}}}]).itcount())
//> 31320 Cannot $merge to internal database: config
fails(() => db.orders.aggregate([{$merge: {into: "system.views"}}]).itcount())
//> 31319 Cannot $merge to special collection: system.views
fails(() => db.orders.aggregate([{$merge: {into: "m", on: []}}]).itcount())
//> 51187 If explicitly specifying $merge 'on', must include at least one field
fails(() => db.orders.aggregate([{$facet: {a: [{$merge: "m"}]}}]).itcount())
//> 40600 $merge is not allowed to be used within a $facet stage
// The same collection may be read and written; what is written is not read again.
db.orders.aggregate([{$project: {item: 1, n: {$add: ["$n", 100]}, _id: {$add: ["$_id", 1]}}}, {$merge: {into: "orders", whenMatched: "replace"}}]).itcount()
//> 0
db.orders.find().sort({_id: 1}).toArray()
//> [
//>   { _id: 1, item: 'fern', n: 2 },
//>   { _id: 2, item: 'fern', n: 102 },
//>   { _id: 3, item: 'moss', n: 105 },
//>   { _id: 4, item: 'fern', n: 101 }
//> ]
// Explain writes nothing.
db.orders.explain().aggregate([{$out: "never"}]).stages[1]
//> { '$out': { coll: 'never', db: 'test' } }
db.orders.explain("executionStats").aggregate([{$merge: {into: "never", on: "_id"}}]).stages[1]
//> {
//>   '$merge': {
//>     into: { db: 'test', coll: 'never' },
//>     on: '_id',
//>     whenMatched: 'merge',
//>     whenNotMatched: 'insert'
//>   },
//>   nReturned: Long('0'),
//>   executionTimeMillisEstimate: Long('0')
//> }
db.getCollectionNames().includes("never")
//> false
