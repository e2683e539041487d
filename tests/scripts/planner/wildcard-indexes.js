// What a wildcard index is used for, and how explain shows it.
//
// Manual: core/indexes/index-types/index-wildcard
const plan = (filter, sort, projection) => {
  let cursor = db.c.find(filter, projection || {});
  if (sort) cursor = cursor.sort(sort);
  return cursor.explain().queryPlanner.winningPlan;
};
const scan = stage => stage.inputStage ? scan(stage.inputStage) : stage;
const stages = stage => stage ? [stage.stage].concat(stages(stage.inputStage)) : [];
db.c.insertMany([
  {_id: 1, a: 1, tags: ["x", "y"], d: {e: 1, f: {g: "q"}}},
  {_id: 2, a: 2, tags: [], d: {e: null}},
  {_id: 3, a: "s", items: [{n: 1, m: 2}, {n: 3}], d: {}},
  {_id: 4, a: {b: 5}, d: 7},
  {_id: 5, a: null},
  {_id: 6}
]).acknowledged
//> true
db.c.createIndex({"$**": 1})
//> $**_1
plan({a: 1})
//> {
//>   isCached: false,
//>   stage: 'FETCH',
//>   inputStage: {
//>     stage: 'IXSCAN',
//>     keyPattern: { '$_path': 1, a: 1 },
//>     indexName: '$**_1',
//>     isMultiKey: false,
//>     multiKeyPaths: { '$_path': [], a: [] },
//>     isUnique: false,
//>     isSparse: true,
//>     isPartial: false,
//>     indexVersion: 2,
//>     direction: 'forward',
//>     indexBounds: { '$_path': [ '["a", "a"]' ], a: [ '[1, 1]' ] }
//>   }
//> }
plan({tags: "x"})
//> {
//>   isCached: false,
//>   stage: 'FETCH',
//>   inputStage: {
//>     stage: 'IXSCAN',
//>     keyPattern: { '$_path': 1, tags: 1 },
//>     indexName: '$**_1',
//>     isMultiKey: true,
//>     multiKeyPaths: { '$_path': [], tags: [ 'tags' ] },
//>     isUnique: false,
//>     isSparse: true,
//>     isPartial: false,
//>     indexVersion: 2,
//>     direction: 'forward',
//>     indexBounds: { '$_path': [ '["tags", "tags"]' ], tags: [ '["x", "x"]' ] }
//>   }
//> }
plan({"items.n": {$gt: 0}, "items.m": 2}).inputStage.multiKeyPaths
//> { '$_path': [], 'items.m': [ 'items' ] }
plan({a: {$exists: true}}).inputStage.indexBounds
//> {
//>   '$_path': [ '["a", "a"]', '["a.", "a/")' ],
//>   a: [ '[MinKey, MaxKey]' ]
//> }
db.c.find({a: {$exists: true}}).sort({_id: 1}).map(d => d._id)
//> [ 1, 2, 3, 4, 5 ]
plan({a: {$ne: null}}).inputStage.indexBounds
//> {
//>   '$_path': [ '["a", "a"]', '["a.", "a/")' ],
//>   a: [ '[MinKey, MaxKey]' ]
//> }
db.c.find({a: {$ne: null}}).sort({_id: 1}).map(d => d._id)
//> [ 1, 2, 3, 4 ]
plan({d: {}}).inputStage.indexBounds
//> { '$_path': [ '["d", "d"]' ], d: [ '[{}, {}]' ] }
db.c.find({d: {}}).toArray()
//> [
//>   { _id: 3, a: 's', items: [ { n: 1, m: 2 }, { n: 3 } ], d: {} }
//> ]
plan({tags: []}).inputStage.indexBounds
//> {
//>   '$_path': [ '["tags", "tags"]' ],
//>   tags: [ '[undefined, undefined]', '[[], []]' ]
//> }
plan({"d.e": {$gte: 1}, a: {$lt: 5}}).stage
//> FETCH
plan({"d.f.g": /^q/}).inputStage.indexBounds
//> {
//>   '$_path': [ '["d.f.g", "d.f.g"]' ],
//>   'd.f.g': [ '["q", "r")', '[/^q/, /^q/]' ]
//> }
// What has no keys: absent fields, whole documents and arrays, negations, positions in arrays, _id.
[
  {a: null}, {a: {$exists: false}}, {a: {$ne: 1}}, {a: {$in: [1, null]}}, {d: {e: 1}}, {d: {$gt: {}}}, {tags: ["x", "y"]},
  {"tags.0": "x"}, {"items.0.n": 1}, {_id: {$gt: 3}}, {}
].map(filter => stages(plan(filter)).join("-") + " " + (scan(plan(filter)).indexName || "")).join("\n")
//> COLLSCAN
//> COLLSCAN
//> COLLSCAN
//> COLLSCAN
//> COLLSCAN
//> COLLSCAN
//> COLLSCAN
//> COLLSCAN
//> COLLSCAN
//> FETCH-IXSCAN _id_
//> COLLSCAN
// Order and covering come with the path's own predicate.
stages(plan({a: {$gt: 0}}, {a: 1}))
//> [ 'FETCH', 'IXSCAN' ]
stages(plan({a: {$gt: 0}}, {"d.e": 1}))
//> [ 'SORT', 'FETCH', 'IXSCAN' ]
stages(plan({}, {a: 1}))
//> [ 'SORT', 'COLLSCAN' ]
stages(plan({a: {$gt: 0}}, undefined, {_id: 0, a: 1}))
//> [ 'PROJECTION_COVERED', 'IXSCAN' ]
stages(plan({tags: {$gt: "a"}}, {tags: 1}))
//> [ 'SORT', 'FETCH', 'IXSCAN' ]
stages(plan({$or: [{a: 1}, {"d.e": 1}]}))
//> [ 'SUBPLAN', 'FETCH', 'OR' ]
db.c.find({}).hint("$**_1").toArray()
//> MongoServerError[NoQueryExecutionPlans]: error processing query: planner returned error :: caused by :: $hint: refusing to build whole-index solution, because it's a wildcard index
db.c.find({a: {$gte: 1}}).hint({"$**": 1}).map(d => d._id)
//> [ 1, 2 ]
db.c.dropIndexes("*").ok
//> 1
db.c.createIndex({"$**": 1}, {wildcardProjection: {a: 1, "d.f": 1}})
//> $**_1
[{a: 1}, {"a.b": 5}, {d: 7}, {"d.f.g": "q"}, {"d.e": 1}].map(filter => stages(plan(filter)).join("-")).join("\n")
//> FETCH-IXSCAN
//> FETCH-IXSCAN
//> COLLSCAN
//> FETCH-IXSCAN
//> COLLSCAN
db.c.dropIndexes("*").ok
//> 1
db.c.createIndex({a: 1, "d.$**": -1, z: 1}, {name: "compound"})
//> compound
plan({a: 1, "d.e": 1})
//> {
//>   isCached: false,
//>   stage: 'FETCH',
//>   inputStage: {
//>     stage: 'IXSCAN',
//>     keyPattern: { a: 1, '$_path': 1, 'd.e': -1, z: 1 },
//>     indexName: 'compound',
//>     isMultiKey: false,
//>     multiKeyPaths: { a: [], '$_path': [], 'd.e': [], z: [] },
//>     isUnique: false,
//>     isSparse: true,
//>     isPartial: false,
//>     indexVersion: 2,
//>     direction: 'forward',
//>     indexBounds: {
//>       a: [ '[1, 1]' ],
//>       '$_path': [ '["d.e", "d.e"]' ],
//>       'd.e': [ '[1, 1]' ],
//>       z: [ '[MinKey, MaxKey]' ]
//>     }
//>   }
//> }
plan({a: {$gt: 0}})
//> {
//>   isCached: false,
//>   stage: 'FETCH',
//>   inputStage: {
//>     stage: 'IXSCAN',
//>     keyPattern: { a: 1, '$_path': -1, z: 1 },
//>     indexName: 'compound',
//>     isMultiKey: false,
//>     multiKeyPaths: { a: [], '$_path': [], z: [] },
//>     isUnique: false,
//>     isSparse: true,
//>     isPartial: false,
//>     indexVersion: 2,
//>     direction: 'forward',
//>     indexBounds: {
//>       a: [ '(0, inf.0]' ],
//>       '$_path': [ '[MaxKey, MinKey]' ],
//>       z: [ '[MinKey, MaxKey]' ]
//>     }
//>   }
//> }
db.c.find({a: {$gt: 0}}).sort({_id: 1}).map(d => d._id)
//> [ 1, 2 ]
stages(plan({"d.e": 1}))
//> [ 'COLLSCAN' ]
// A hinted index serves an `$or` if it serves each branch.
db.o.insertMany([{_id: 1, a: 1}, {_id: 2, b: 1}, {_id: 3, a: 2}, {_id: 4, c: 1}]).acknowledged
//> true
[db.o.createIndex({"$**": 1}), db.o.createIndex({a: 1})]
//> [ '$**_1', 'a_1' ]
const tree = (stage) => stage.inputStages ? stage.stage + "(" + stage.inputStages.map(tree).join(", ") + ")" : stage.stage + (stage.indexName ? ":" + stage.indexName : "") + (stage.inputStage ? " < " + tree(stage.inputStage) : "")
const hinted = (filter, hint) => { try { const found = db.o.find(filter).hint(hint); return [found.toArray().map((d) => d._id).sort(), tree(db.o.find(filter).hint(hint).explain().queryPlanner.winningPlan)] } catch (x) { return x.code + " " + x.message } }
hinted({$or: [{a: 1}, {b: 1}]}, "$**_1")
//> [ [ 1, 2 ], 'FETCH < OR(IXSCAN:$**_1, IXSCAN:$**_1)' ]
hinted({$or: [{a: 1}, {a: {$gt: 1}, c: null}]}, {"$**": 1})
//> [ [ 1, 3 ], 'FETCH < OR(FETCH < IXSCAN:$**_1, IXSCAN:$**_1)' ]
hinted({$or: [{a: 1}, {b: null}]}, "$**_1")
//> 291 error processing query: planner returned error :: caused by :: $hint: refusing to build whole-index solution, because it's a wildcard index
hinted({$or: [{a: 1}, {a: 2, c: null}]}, {a: 1})
//> [ [ 1, 3 ], 'FETCH < OR(FETCH < IXSCAN:a_1, IXSCAN:a_1)' ]
hinted({$or: [{a: 1}, {b: 1}]}, {a: 1})
//> [ [ 1, 2 ], 'FETCH < IXSCAN:a_1' ]
hinted({b: 1}, {a: 1})
//> [ [ 2 ], 'FETCH < IXSCAN:a_1' ]
hinted({}, "$**_1")
//> 291 error processing query: planner returned error :: caused by :: $hint: refusing to build whole-index solution, because it's a wildcard index
