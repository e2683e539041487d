// Interval bounds of every kind of predicate, as explain prints them, and whether a filter or a fetch remains.
//
// Manual: reference/explain-results, tutorial/multikey-bounds, core/indexes/index-types/index-compound
const shape = stage => {
  let text = stage.stage;
  if (stage.indexBounds) text += " " + stage.indexName + " " + Object.entries(stage.indexBounds).map(([path, list]) => path + ":" + list.join("")).join(" ") + (stage.direction === "backward" ? " backward" : "");
  if (stage.filter) text += " filter " + EJSON.stringify(stage.filter);
  const inputs = stage.inputStages || (stage.inputStage ? [stage.inputStage] : []);
  return inputs.length === 0 ? text : text + " <- " + (inputs.length === 1 ? shape(inputs[0]) : "(" + inputs.map(shape).join(" | ") + ")");
};
const plan = (filter, sort, projection) => { let cursor = db.c.find(filter, projection); if (sort) cursor = cursor.sort(sort); const planner = cursor.explain().queryPlanner; return shape(planner.winningPlan); };
db.c.createIndex({ a: 1 });
db.c.createIndex({ m: 1 });
db.c.createIndex({ x: 1, y: -1 });
db.c.createIndex({ "n.p": 1, "n.q": 1 });
db.c.insertMany([{ _id: 1, a: 1, m: [1, 2], x: 1, y: 1, n: [{ p: 1, q: 2 }] }, { _id: 2, a: 2, m: 3, x: 2, y: 2, n: { p: 2, q: 3 } }]).insertedCount
// Points and ranges.
plan({ a: 5 })
//> FETCH <- IXSCAN a_1 a:[5, 5]
plan({ a: "x" })
//> FETCH <- IXSCAN a_1 a:["x", "x"]
plan({ a: { $gt: 5 } })
//> FETCH <- IXSCAN a_1 a:(5, inf.0]
plan({ a: { $gte: 5, $lt: 9 } })
//> FETCH <- IXSCAN a_1 a:[5, 9)
plan({ a: { $lt: "m" } })
//> FETCH <- IXSCAN a_1 a:["", "m")
plan({ a: { $gte: new Date(0) } })
//> FETCH <- IXSCAN a_1 a:[new Date(0), new Date(9223372036854775807)]
plan({ a: { $gt: ObjectId("000000000000000000000000") } })
//> FETCH <- IXSCAN a_1 a:(ObjectId('000000000000000000000000'), ObjectId('ffffffffffffffffffffffff')]
plan({ a: { $lt: true } })
//> FETCH <- IXSCAN a_1 a:[false, true)
plan({ a: { $gt: { b: 1 } } })
//> FETCH <- IXSCAN a_1 a:({ b: 1 }, [])
plan({ a: { $lt: [1] } })
//> COLLSCAN filter {"a":{"$lt":[1]}}
plan({ a: [1] })
//> FETCH filter {"a":{"$eq":[1]}} <- IXSCAN a_1 a:[1, 1][[ 1 ], [ 1 ]]
plan({ a: { $gt: BinData(0, "AAAA") } })
//> FETCH <- IXSCAN a_1 a:(BinData(0, 000000), ObjectId('000000000000000000000000'))
plan({ a: { $gt: Timestamp({ t: 1, i: 1 }) } })
//> FETCH <- IXSCAN a_1 a:(Timestamp(1, 1), Timestamp(4294967295, 4294967295)]
plan({ a: { $gt: NaN } })
//> FETCH <- IXSCAN a_1 a:
plan({ a: { $lte: NaN } })
//> FETCH <- IXSCAN a_1 a:[nan.0, nan.0]
plan({ a: { $lt: Infinity } })
//> FETCH <- IXSCAN a_1 a:[-inf.0, inf.0)
plan({ a: { $gte: MinKey() } })
//> FETCH filter {"a":{"$gte":{"$minKey":1}}} <- IXSCAN a_1 a:[MinKey, MaxKey]
plan({ a: { $lt: MaxKey() } })
//> FETCH filter {"a":{"$lt":{"$maxKey":1}}} <- IXSCAN a_1 a:[MinKey, MaxKey)
plan({ a: { $gt: MaxKey() } })
//> FETCH filter {"a":{"$gt":{"$maxKey":1}}} <- IXSCAN a_1 a:
// Null, existence, types.
plan({ a: null })
//> FETCH filter {"a":{"$eq":null}} <- IXSCAN a_1 a:[null, null]
plan({ a: { $gte: null } })
//> FETCH filter {"a":{"$gte":null}} <- IXSCAN a_1 a:[null, null]
plan({ a: { $lt: null } })
//> FETCH <- IXSCAN a_1 a:
plan({ a: { $ne: null } })
//> FETCH <- IXSCAN a_1 a:[MinKey, null)(null, MaxKey]
plan({ a: { $exists: true } })
//> FETCH filter {"a":{"$exists":true}} <- IXSCAN a_1 a:[MinKey, MaxKey]
plan({ a: { $exists: false } })
//> FETCH filter {"a":{"$not":{"$exists":true}}} <- IXSCAN a_1 a:[null, null]
plan({ a: { $type: "string" } })
//> FETCH filter {"a":{"$type":[2]}} <- IXSCAN a_1 a:["", {})
plan({ a: { $type: ["number", "date"] } })
//> FETCH filter {"a":{"$type":["number",9]}} <- IXSCAN a_1 a:[nan.0, inf.0][new Date(-9223372036854775808), new Date(9223372036854775807)]
plan({ a: { $type: "array" } })
//> FETCH filter {"a":{"$type":[4]}} <- IXSCAN a_1 a:[MinKey, MaxKey]
// Sets, negations, regular expressions, $mod.
plan({ a: { $in: [3, 1, 2] } })
//> FETCH <- IXSCAN a_1 a:[1, 1][2, 2][3, 3]
plan({ a: { $in: [1, null] } })
//> FETCH filter {"a":{"$in":[null,1]}} <- IXSCAN a_1 a:[null, null][1, 1]
plan({ a: { $in: [/^ab/, "c"] } })
//> FETCH <- IXSCAN a_1 a:["ab", "ac")["c", "c"][/^ab/, /^ab/]
plan({ a: { $in: [] } })
//> EOF
plan({ a: { $nin: [1, 2] } })
//> FETCH <- IXSCAN a_1 a:[MinKey, 1)(1, 2)(2, MaxKey]
plan({ a: { $ne: 5 } })
//> FETCH <- IXSCAN a_1 a:[MinKey, 5)(5, MaxKey]
plan({ a: { $not: { $gt: 5 } } })
//> FETCH <- IXSCAN a_1 a:[MinKey, 5](inf.0, MaxKey]
plan({ a: { $not: /^ab/ } })
//> COLLSCAN filter {"a":{"$not":{"$regex":"^ab"}}}
plan({ a: /^ab/ })
//> FETCH <- IXSCAN a_1 a:["ab", "ac")[/^ab/, /^ab/]
plan({ a: /^ab/i })
//> FETCH <- IXSCAN a_1 a:["", {})[/^ab/i, /^ab/i] filter {"a":{"$regex":"^ab","$options":"i"}}
plan({ a: /ab/ })
//> FETCH <- IXSCAN a_1 a:["", {})[/ab/, /ab/] filter {"a":{"$regex":"ab"}}
plan({ a: /^ab.*/ })
//> FETCH <- IXSCAN a_1 a:["ab", "ac")[/^ab.*/, /^ab.*/] filter {"a":{"$regex":"^ab.*"}}
plan({ a: /^a\.b/ })
//> FETCH <- IXSCAN a_1 a:["a.b", "a.c")[/^a\.b/, /^a\.b/]
plan({ a: /^ab|c/ })
//> FETCH <- IXSCAN a_1 a:["", {})[/^ab|c/, /^ab|c/] filter {"a":{"$regex":"^ab|c"}}
plan({ a: /^ab?/ })
//> FETCH <- IXSCAN a_1 a:["a", "b")[/^ab?/, /^ab?/] filter {"a":{"$regex":"^ab?"}}
plan({ a: { $regex: "^ab", $options: "x" } })
//> FETCH <- IXSCAN a_1 a:["ab", "ac")[/^ab/x, /^ab/x]
plan({ a: { $mod: [2, 0] } })
//> FETCH <- IXSCAN a_1 a:[nan.0, inf.0] filter {"a":{"$mod":[2,0]}}
plan({ a: { $size: 1 } })
//> COLLSCAN filter {"a":{"$size":1}}
plan({ a: { $elemMatch: { $gt: 1, $lt: 5 } } })
//> FETCH filter {"a":{"$elemMatch":{"$lt":5,"$gt":1}}} <- IXSCAN a_1 a:(1, 5)
plan({ a: { $all: [1, 2] } })
//> FETCH <- IXSCAN a_1 a:
plan({ a: { $bitsAllSet: 1 } })
//> COLLSCAN filter {"a":{"$bitsAllSet":[0]}}
// The same on a multikey index: ranges are not intersected, but for $elemMatch.
plan({ m: { $gte: 1, $lt: 5 } })
//> FETCH filter {"m":{"$gte":1}} <- IXSCAN m_1 m:[-inf.0, 5)
plan({ m: { $elemMatch: { $gte: 1, $lt: 5 } } })
//> FETCH filter {"m":{"$elemMatch":{"$lt":5,"$gte":1}}} <- IXSCAN m_1 m:[1, 5)
plan({ m: { $all: [1, 2] } })
//> FETCH filter {"m":{"$eq":2}} <- IXSCAN m_1 m:[1, 1]
plan({ m: [1, 2] })
//> FETCH filter {"m":{"$eq":[1,2]}} <- IXSCAN m_1 m:[1, 1][[ 1, 2 ], [ 1, 2 ]]
plan({ m: { $in: [[1, 2], 3] } })
//> FETCH filter {"m":{"$in":[3,[1,2]]}} <- IXSCAN m_1 m:[1, 1][3, 3][[ 1, 2 ], [ 1, 2 ]]
plan({ m: { $ne: 1 } })
//> FETCH filter {"m":{"$not":{"$eq":1}}} <- IXSCAN m_1 m:[MinKey, 1)(1, MaxKey]
plan({ m: null })
//> FETCH filter {"m":{"$eq":null}} <- IXSCAN m_1 m:[null, null]
plan({ m: { $not: { $elemMatch: { $gt: 1 } } } })
//> COLLSCAN filter {"m":{"$not":{"$elemMatch":{"$gt":1}}}}
plan({ "n.p": 1, "n.q": 2 })
//> FETCH filter {"n.q":{"$eq":2}} <- IXSCAN n.p_1_n.q_1 n.p:[1, 1] n.q:[MinKey, MaxKey]
plan({ n: { $elemMatch: { p: 1, q: { $gt: 1 } } } })
//> FETCH filter {"n":{"$elemMatch":{"$and":[{"p":{"$eq":1}},{"q":{"$gt":1}}]}}} <- IXSCAN n.p_1_n.q_1 n.p:[1, 1] n.q:(1, inf.0]
plan({ n: { $elemMatch: { p: { $gte: 1, $lt: 5 } } } })
//> FETCH filter {"n":{"$elemMatch":{"$and":[{"p":{"$lt":5}},{"p":{"$gte":1}}]}}} <- IXSCAN n.p_1_n.q_1 n.p:[1, 5) n.q:[MinKey, MaxKey]
// Compound indexes: prefixes, directions, sorts, what only a filter can tell.
plan({ x: 1 })
//> FETCH <- IXSCAN x_1_y_-1 x:[1, 1] y:[MaxKey, MinKey]
plan({ x: 1, y: { $gt: 2 } })
//> FETCH <- IXSCAN x_1_y_-1 x:[1, 1] y:[inf.0, 2)
plan({ x: { $gt: 1 }, y: { $lt: 2 } })
//> FETCH <- IXSCAN x_1_y_-1 x:(1, inf.0] y:(2, -inf.0]
plan({ y: 1 })
//> COLLSCAN filter {"y":{"$eq":1}}
plan({ x: { $in: [1, 2] }, y: 5 })
//> FETCH <- IXSCAN x_1_y_-1 x:[1, 1][2, 2] y:[5, 5]
plan({ x: 1 }, { y: 1 })
//> FETCH <- IXSCAN x_1_y_-1 x:[1, 1] y:[MinKey, MaxKey] backward
plan({ x: 1 }, { y: -1 })
//> FETCH <- IXSCAN x_1_y_-1 x:[1, 1] y:[MaxKey, MinKey]
plan({ x: { $in: [1, 2] } }, { y: 1 })
//> FETCH <- SORT_MERGE <- (IXSCAN x_1_y_-1 x:[1, 1] y:[MinKey, MaxKey] backward | IXSCAN x_1_y_-1 x:[2, 2] y:[MinKey, MaxKey] backward)
plan({ x: { $gt: 0 } }, { x: 1, y: -1 })
//> FETCH <- IXSCAN x_1_y_-1 x:(0, inf.0] y:[MaxKey, MinKey]
plan({ x: { $gt: 0 } }, { x: -1, y: 1 })
//> FETCH <- IXSCAN x_1_y_-1 x:[inf.0, 0) y:[MinKey, MaxKey] backward
plan({ x: { $gt: 0 } }, { x: 1, y: 1 })
//> FETCH <- SORT <- IXSCAN x_1_y_-1 x:(0, inf.0] y:[MaxKey, MinKey]
plan({}, { x: 1 })
//> FETCH <- IXSCAN x_1_y_-1 x:[MinKey, MaxKey] y:[MaxKey, MinKey]
plan({}, { x: -1, y: 1 })
//> FETCH <- IXSCAN x_1_y_-1 x:[MaxKey, MinKey] y:[MinKey, MaxKey] backward
plan({ x: 1 }, null, { _id: 0, x: 1, y: 1 })
//> PROJECTION_COVERED <- IXSCAN x_1_y_-1 x:[1, 1] y:[MaxKey, MinKey]
plan({ x: 1 }, null, { x: 1 })
//> PROJECTION_SIMPLE <- FETCH <- IXSCAN x_1_y_-1 x:[1, 1] y:[MaxKey, MinKey]
// $or, $and, $nor, $expr.
plan({ $or: [{ a: 1 }, { x: 2 }] })
//> SUBPLAN <- FETCH <- OR <- (IXSCAN a_1 a:[1, 1] | IXSCAN x_1_y_-1 x:[2, 2] y:[MaxKey, MinKey])
plan({ $or: [{ a: 1 }, { a: { $gt: 5 } }] })
//> SUBPLAN <- FETCH <- IXSCAN a_1 a:[1, 1](5, inf.0]
plan({ $or: [{ a: 1 }, { a: 2 }] })
//> FETCH <- IXSCAN a_1 a:[1, 1][2, 2]
plan({ $or: [{ a: 1 }, { a: /b/ }, { x: 3 }] })
//> SUBPLAN <- FETCH <- OR <- (IXSCAN x_1_y_-1 x:[3, 3] y:[MaxKey, MinKey] | IXSCAN a_1 a:[1, 1]["", {})[/b/, /b/] filter {"a":{"$in":[1,{"$regularExpression":{"pattern":"b","options":""}}]}})
plan({ $or: [{ a: 1 }, { a: null }] })
//> FETCH filter {"a":{"$in":[null,1]}} <- IXSCAN a_1 a:[null, null][1, 1]
plan({ $or: [{ a: 1 }, { z: 2 }] })
//> SUBPLAN <- COLLSCAN filter {"$or":[{"a":{"$eq":1}},{"z":{"$eq":2}}]}
plan({ $or: [{ a: 1 }, { x: 2 }], m: 3 })
//> FETCH filter {"$or":[{"a":{"$eq":1}},{"x":{"$eq":2}}]} <- IXSCAN m_1 m:[3, 3]
plan({ $or: [{ a: 1 }, { x: 2 }], z: 3 })
//> FETCH filter {"z":{"$eq":3}} <- OR <- (IXSCAN a_1 a:[1, 1] | IXSCAN x_1_y_-1 x:[2, 2] y:[MaxKey, MinKey])
plan({ $and: [{ a: { $gt: 1 } }, { a: { $lt: 5 } }] })
//> FETCH <- IXSCAN a_1 a:(1, 5)
plan({ $nor: [{ a: 1 }, { a: 2 }] })
//> COLLSCAN filter {"$nor":[{"a":{"$eq":1}},{"a":{"$eq":2}}]}
plan({ $expr: { $eq: ["$a", 1] } })
//> FETCH filter {"$expr":{"$eq":["$a",{"$const":1}]}} <- IXSCAN a_1 a:[1, 1]
plan({ $or: [{ a: 1 }, { x: 1 }] }, { a: 1 })
//> SUBPLAN <- FETCH filter {"$or":[{"a":{"$eq":1}},{"x":{"$eq":1}}]} <- IXSCAN a_1 a:[MinKey, MaxKey]
const stagesOf = plan => plan === undefined ? [] : [plan.stage, ...stagesOf(plan.inputStage)];
// A hint says how to go about the whole; writes and counts stand above.
stagesOf(db.c.find({ $or: [{ a: 1 }, { x: 2 }] }).hint({ a: 1 }).explain().queryPlanner.winningPlan)
//> [ 'FETCH', 'IXSCAN' ]
stagesOf(db.c.find({ $or: [{ a: 1 }, { x: 2 }] }).hint({ $natural: 1 }).explain().queryPlanner.winningPlan)
//> [ 'COLLSCAN' ]
stagesOf(db.c.explain().count({ $or: [{ a: 1 }, { x: 2 }] }).queryPlanner.winningPlan)
//> [ 'COUNT', 'SUBPLAN', 'OR' ]
stagesOf(db.c.explain().remove({ $or: [{ a: 1 }, { x: 2 }] }).queryPlanner.winningPlan)
//> [ 'DELETE', 'SUBPLAN', 'FETCH', 'OR' ]
db.c.find({ $or: [{ a: 1 }, { x: 2 }] }).explain("allPlansExecution").executionStats.allPlansExecution
//> []
(({ stage, nReturned, works, advanced, inputStage }) => [stage, inputStage.stage, nReturned === inputStage.nReturned, works === inputStage.works, advanced === inputStage.advanced])(db.c.find({ $or: [{ a: 1 }, { z: 2 }] }).explain("executionStats").executionStats.executionStages)
//> [ 'SUBPLAN', 'COLLSCAN', true, true, true ]
// Two indexes over single values: their intersection is a candidate.
const stages = planner => [planner.winningPlan, ...planner.rejectedPlans].map(shape).sort();
stages(db.c.find({ a: 1, m: 2 }).explain().queryPlanner)
//> [
//>   'FETCH filter {"$and":[{"a":{"$eq":1}},{"m":{"$eq":2}}]} <- AND_SORTED <- (IXSCAN a_1 a:[1, 1] | IXSCAN m_1 m:[2, 2])',
//>   'FETCH filter {"a":{"$eq":1}} <- IXSCAN m_1 m:[2, 2]',
//>   'FETCH filter {"m":{"$eq":2}} <- IXSCAN a_1 a:[1, 1]'
//> ]
stages(db.c.find({ a: 1, m: { $gt: 2 } }).explain().queryPlanner)
//> [
//>   'FETCH filter {"a":{"$eq":1}} <- IXSCAN m_1 m:(2, inf.0]',
//>   'FETCH filter {"m":{"$gt":2}} <- IXSCAN a_1 a:[1, 1]'
//> ]
