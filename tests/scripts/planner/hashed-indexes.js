// What a hashed index is used for, and how explain shows it.
//
// Manual: core/indexes/index-types/index-hashed
const plan = (filter, sort, projection) => {
  let cursor = db.c.find(filter, projection || {});
  if (sort) cursor = cursor.sort(sort);
  return cursor.explain().queryPlanner.winningPlan;
};
const stages = stage => stage ? [stage.stage].concat(stages(stage.inputStage)) : [];
for (let i = 0; i < 20; i++) db.c.insertOne({_id: i, a: i % 5, b: i, c: "x" + i % 3});
db.c.createIndex({a: "hashed"})
//> a_hashed
db.c.createIndex({c: 1, b: "hashed", d: 1})
//> c_1_b_hashed_d_1
plan({a: 3})
//> {
//>   isCached: false,
//>   stage: 'FETCH',
//>   filter: { a: { '$eq': 3 } },
//>   inputStage: {
//>     stage: 'IXSCAN',
//>     keyPattern: { a: 'hashed' },
//>     indexName: 'a_hashed',
//>     isMultiKey: false,
//>     isUnique: false,
//>     isSparse: false,
//>     isPartial: false,
//>     indexVersion: 2,
//>     direction: 'forward',
//>     indexBounds: { a: [ '[-1529429926180645992, -1529429926180645992]' ] }
//>   }
//> }
plan({a: NumberLong(3)}).inputStage.indexBounds
//> { a: [ '[-1529429926180645992, -1529429926180645992]' ] }
plan({a: {$in: [3, 1.5, null]}}).inputStage.indexBounds
//> {
//>   a: [
//>     '[-1529429926180645992, -1529429926180645992]',
//>     '[2338878944348059895, 2338878944348059895]',
//>     '[5902408780260971510, 5902408780260971510]'
//>   ]
//> }
plan({a: {$exists: false}}).inputStage.indexBounds
//> { a: [ '[2338878944348059895, 2338878944348059895]' ] }
plan({a: {$exists: true}}).inputStage.indexBounds
//> { a: [ '[MinKey, MaxKey]' ] }
// Ranges, patterns and negations read all documents.
[{a: {$gt: 3}}, {a: /x/}, {a: {$ne: 3}}, {a: {$in: [/x/]}}, {a: {$type: "int"}}].map(filter => plan(filter).stage).join()
//> COLLSCAN,COLLSCAN,COLLSCAN,COLLSCAN,COLLSCAN
// Hashes of 3 and 3.7 are the same; the document decides.
db.c.insertOne({_id: 100, a: 3.7}).acknowledged
//> true
db.c.find({a: 3}).count()
//> 4
db.c.find({a: 3.7}).toArray()
//> [ { _id: 100, a: 3.7 } ]
db.c.find({a: 3.2}).count()
//> 0
// Order comes from the fields before the hash, not from the hash.
stages(plan({c: "x1"}, {c: 1}))
//> [ 'FETCH', 'IXSCAN' ]
stages(plan({c: "x1"}, {b: 1}))
//> [ 'SORT', 'FETCH', 'IXSCAN' ]
stages(plan({c: {$gt: "x0"}}, {c: -1}))
//> [ 'FETCH', 'IXSCAN' ]
stages(plan({c: "x1"}, undefined, {_id: 0, c: 1}))
//> [ 'PROJECTION_COVERED', 'IXSCAN' ]
stages(plan({c: "x1", b: 4}, undefined, {_id: 0, b: 1}))
//> [ 'PROJECTION_SIMPLE', 'FETCH', 'IXSCAN' ]
plan({c: "x1", b: 4}).inputStage.indexBounds
//> {
//>   c: [ '["x1", "x1"]' ],
//>   b: [ '[2433984061343616404, 2433984061343616404]' ],
//>   d: [ '[MinKey, MaxKey]' ]
//> }
db.c.find({c: "x1", b: 4}).toArray()
//> [ { _id: 4, a: 4, b: 4, c: 'x1' } ]
db.c.find({b: {$lt: 3}}).hint("a_hashed").sort({_id: 1}).map(d => d._id)
//> [ 0, 1, 2 ]
db.c.explain("executionStats").count({a: 3}).executionStats.executionStages.inputStage.stage
//> FETCH
db.c.distinct("a").length
//> 6
// A hashed field that the filter leaves one value of is no matter to a sort; one hash may be of several values.
db.h.insertMany([{_id: 1, a: 3, b: 2}, {_id: 2, a: 3.7, b: 1}, {_id: 3, a: 3, b: 0}, {_id: 4, b: 1}, {_id: 5, a: null, b: 0}, {_id: 6, a: 4, b: 1}]).insertedIds
//> { '0': 1, '1': 2, '2': 3, '3': 4, '4': 5, '5': 6 }
db.h.createIndex({a: "hashed", b: 1})
//> a_hashed_b_1
const sorted = (filter, sort) => [stages(db.h.find(filter).sort(sort).explain().queryPlanner.winningPlan).join(), db.h.find(filter).sort(sort).toArray().map(d => d._id).join()]
sorted({a: 3}, {b: 1})
//> [ 'FETCH,IXSCAN', '3,1' ]
sorted({a: 3}, {a: 1, b: 1})
//> [ 'FETCH,IXSCAN', '3,1' ]
sorted({a: 3, b: {$gte: 0}}, {b: -1, a: 1})
//> [ 'FETCH,IXSCAN', '1,3' ]
sorted({a: null}, {a: -1, b: 1})
//> [ 'FETCH,IXSCAN', '5,4' ]
sorted({a: {$in: [3, 3.7]}}, {b: 1})
//> [ 'FETCH,IXSCAN', '3,2,1' ]
sorted({a: {$in: [3, 3.7]}}, {a: 1, b: 1})
//> [ 'SORT,FETCH,IXSCAN', '3,1,2' ]
sorted({a: {$in: [3, 3.7, 4]}}, {a: 1, b: 1})
//> [ 'SORT,FETCH,IXSCAN', '3,1,2,6' ]
sorted({a: 3}, {b: 1, a: 1, _id: 1})
//> [ 'SORT,FETCH,IXSCAN', '3,1' ]
