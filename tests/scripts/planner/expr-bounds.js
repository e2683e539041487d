// Comparisons in $expr that use an index: what their bounds are, and where there are none.
//
// Manual: reference/operator/query/expr
const planOf = (collection, filter) => {
  const plan = collection.find(filter).explain().queryPlanner.winningPlan;
  return plan.inputStage ? plan.inputStage.indexBounds : plan.stage;
};
const plan = expression => planOf(db.c, {$expr: expression});
db.c.insertMany([{_id: 1, a: 1, b: 5}, {_id: 2, a: null}, {_id: 3}, {_id: 4, a: "x", b: {c: 2}}, {_id: 5, a: 7, b: [1]}]).acknowledged
//> true
db.c.createIndexes([{a: 1, d: -1}, {b: 1}, {"e.f": 1}])
//> [ 'a_1_d_-1', 'b_1', 'e.f_1' ]
plan({$eq: ["$a", 1]})
//> { a: [ '[1, 1]' ], d: [ '[MaxKey, MinKey]' ] }
plan({$eq: [1, "$a"]})
//> { a: [ '[1, 1]' ], d: [ '[MaxKey, MinKey]' ] }
plan({$eq: ["$a", null]})
//> { a: [ '[null, null]' ], d: [ '[MaxKey, MinKey]' ] }
plan({$gt: ["$a", 1]})
//> { a: [ '(1, MaxKey]' ], d: [ '[MaxKey, MinKey]' ] }
plan({$gte: [1, "$a"]})
//> { a: [ '[MinKey, 1]' ], d: [ '[MaxKey, MinKey]' ] }
plan({$and: [{$gt: ["$a", 1]}, {$lt: ["$a", 5]}, {$eq: ["$d", "y"]}]})
//> { a: [ '(1, 5)' ], d: [ '["y", "y"]' ] }
plan({$lt: ["$a", null]})
//> { a: [ '[MinKey, null]' ], d: [ '[MaxKey, MinKey]' ] }
plan({$eq: ["$e.f", {$add: [1, 2]}]})
//> { 'e.f': [ '[3, 3]' ] }
// No constant, a field with arrays, another operator: the documents are read.
[{$eq: ["$a", "$d"]}, {$eq: ["$b", 5]}, {$ne: ["$a", 1]}, {$eq: ["$a", [1]]}, {$or: [{$eq: ["$a", 1]}, {$eq: ["$a", 2]}]}].map(plan).join()
//> COLLSCAN,COLLSCAN,COLLSCAN,COLLSCAN,COLLSCAN
planOf(db.c, {a: {$gte: 0}, $expr: {$lt: ["$a", 3]}})
//> { a: [ '[0, 3)' ], d: [ '[MaxKey, MinKey]' ] }
db.c.find({$or: [{$expr: {$eq: ["$a", 1]}}, {b: 5}]}).explain().queryPlanner.winningPlan.inputStage.inputStage.inputStages.map(stage => (stage.inputStage || stage).indexName)
//> [ 'b_1', 'a_1_d_-1' ]
// Without type brackets, and an absent field below null.
db.c.find({$expr: {$gt: ["$a", 1]}}).sort({_id: 1}).map(d => d._id)
//> [ 4, 5 ]
db.c.find({$expr: {$lt: ["$a", null]}}).map(d => d._id)
//> [ 3 ]
db.c.find({$expr: {$lte: ["$a", 1]}}).sort({_id: 1}).map(d => d._id)
//> [ 1, 2, 3 ]
db.c.find({$expr: {$eq: ["$a", null]}}).map(d => d._id)
//> [ 2 ]
db.s.insertMany([{_id: 1, a: 1}, {_id: 2}, {_id: 3, a: null}]).acknowledged
//> true
db.s.createIndex({a: 1}, {sparse: true})
//> a_1
[{$eq: ["$a", null]}, {$gt: ["$a", 0]}].map(expression => JSON.stringify(planOf(db.s, {$expr: expression})))
//> [ '{"a":["[null, null]"]}', '{"a":["(0, MaxKey]"]}' ]
planOf(db.s, {$expr: {$lt: ["$a", 5]}})
//> COLLSCAN
db.h.createIndex({a: "hashed"})
//> a_hashed
planOf(db.h, {$expr: {$eq: ["$a", 42]}})
//> { a: [ '[-944302157085130861, -944302157085130861]' ] }
// A joined pipeline asks for one value at a time.
db.c.aggregate([{$match: {_id: 1}}, {$lookup: {from: "s", let: {v: "$a"}, pipeline: [{$match: {$expr: {$eq: ["$a", "$$v"]}}}], as: "found"}}, {$project: {found: 1}}]).toArray()
//> [
//>   { _id: 1, found: [ { _id: 1, a: 1 } ] }
//> ]
