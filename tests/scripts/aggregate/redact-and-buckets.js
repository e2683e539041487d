// $redact at every depth, $bucketAuto over awkward values, and what collections and indexes say of themselves.
//
// Manual: reference/operator/aggregation/redact, bucketAuto, collStats, indexStats
const ag = (p) => { try { return db.plots.aggregate(p).toArray() } catch (x) { return x.code + " " + x.message.replace(/^.* :: caused by :: /, "") } }
db.plots.insertMany([{_id: 1, level: 1, herb: "mint", notes: [{level: 1, text: "water"}, {level: 3, text: "secret"}, 5], soil: {level: 2, ph: 6}}, {_id: 2, level: 3, herb: "sage"}, {_id: 3, herb: "dill", soil: {level: 5}}]).acknowledged
//> true
ag([{$redact: {$cond: [{$lte: ["$level", 2]}, "$$DESCEND", "$$PRUNE"]}}])
//> [
//>   {
//>     _id: 1,
//>     level: 1,
//>     herb: 'mint',
//>     notes: [ { level: 1, text: 'water' }, 5 ],
//>     soil: { level: 2, ph: 6 }
//>   },
//>   { _id: 3, herb: 'dill' }
//> ]
// KEEP does not look further down.
ag([{$redact: {$cond: [{$eq: ["$level", 1]}, "$$KEEP", "$$PRUNE"]}}])
//> [
//>   {
//>     _id: 1,
//>     level: 1,
//>     herb: 'mint',
//>     notes: [ { level: 1, text: 'water' }, { level: 3, text: 'secret' }, 5 ],
//>     soil: { level: 2, ph: 6 }
//>   }
//> ]
[ag([{$redact: "$$PRUNE"}]), ag([{$redact: "$$DESCEND"}]).length, ag([{$redact: "$$KEEP"}]).length]
//> [ [], 3, 3 ]
[ag([{$redact: "$herb"}]), ag([{$redact: 5}]), ag([{$redact: {}}]), ag([{$redact: {$nope: 1}}])]
//> [
//>   "17053 $redact's expression should not return anything aside from the variables $$KEEP, $$DESCEND, and $$PRUNE, but returned a value of type string",
//>   "17053 $redact's expression should not return anything aside from the variables $$KEEP, $$DESCEND, and $$PRUNE, but returned a value of type int",
//>   "17053 $redact's expression should not return anything aside from the variables $$KEEP, $$DESCEND, and $$PRUNE, but returned a value of type object",
//>   "168 Unrecognized expression '$nope'"
//> ]
db.plots.drop()
//> true
db.plots.insertMany([5, 1, 9, 3, 7, 3, null].map((area, i) => ({_id: i, area, n: 10 * i})).concat([{_id: 7, n: 70}])).acknowledged
//> true
ag([{$match: {area: {$ne: null}}}, {$bucketAuto: {groupBy: "$area", buckets: 3}}])
//> [
//>   { _id: { min: 1, max: 5 }, count: 3 },
//>   { _id: { min: 5, max: 9 }, count: 2 },
//>   { _id: { min: 9, max: 9 }, count: 1 }
//> ]
ag([{$bucketAuto: {groupBy: "$area", buckets: 2, output: {n: {$sum: 1}, ids: {$push: "$_id"}}}}])
//> [
//>   { _id: { min: null, max: 5 }, n: 5, ids: [ 6, 7, 1, 3, 5 ] },
//>   { _id: { min: 5, max: 9 }, n: 3, ids: [ 0, 4, 2 ] }
//> ]
// Equal values stay in one bucket, so there may be fewer than asked for.
[ag([{$bucketAuto: {groupBy: {$literal: 1}, buckets: 4}}]), ag([{$match: {_id: 99}}, {$bucketAuto: {groupBy: "$area", buckets: 4}}])]
//> [
//>   [ { _id: { min: 1, max: 1 }, count: 8 } ],
//>   []
//> ]
[ag([{$bucketAuto: {buckets: 2}}]), ag([{$bucketAuto: {groupBy: "$area"}}]), ag([{$bucketAuto: {groupBy: "$area", buckets: 0}}]), ag([{$bucketAuto: {groupBy: "$area", buckets: "2"}}]), ag([{$bucketAuto: {groupBy: "$area", buckets: 1.5}}]), ag([{$bucketAuto: {groupBy: "area", buckets: 2}}]), ag([{$bucketAuto: {groupBy: "$area", buckets: 2, by: 1}}]), ag([{$bucketAuto: {groupBy: "$area", buckets: 2, output: 1}}]), ag([{$bucketAuto: 2}])]
//> [
//>   "40246 $bucketAuto requires 'groupBy' and 'buckets' to be specified",
//>   "40246 $bucketAuto requires 'groupBy' and 'buckets' to be specified",
//>   "40243 The $bucketAuto 'buckets' field must be greater than 0, but found: 0",
//>   "40241 The $bucketAuto 'buckets' field must be a numeric value, but found type: string",
//>   "40242 The $bucketAuto 'buckets' field must be representable as a 32-bit integer, but found 1.5",
//>   "40239 The $bucketAuto 'groupBy' field must be defined as a $-prefixed path or an expression<*>",
//>   '40245 Unrecognized option to $bucketAuto: by',
//>   "40244 The $bucketAuto 'output' field must be an object, but found type: int",
//>   '40240 The argument to $bucketAuto must be an object, but found type: int'
//> ]
// Preferred numbers need numbers.
ag([{$bucketAuto: {groupBy: "$area", buckets: 2, granularity: "R5"}}])
//> 40258 $bucketAuto can specify a 'granularity' with numeric boundaries only, but found a value with type: null
db.plots.createIndex({area: 1})
//> area_1
db.plots.find({area: 5}).toArray()
//> [ { _id: 0, area: 5, n: 0 } ]
ag([{$indexStats: {}}, {$project: {name: 1, key: 1, "accesses.ops": 1, spec: 1}}, {$sort: {name: 1}}])
//> [
//>   {
//>     name: '_id_',
//>     key: { _id: 1 },
//>     accesses: { ops: Long('1') },
//>     spec: { v: 2, key: { _id: 1 }, name: '_id_' }
//>   },
//>   {
//>     name: 'area_1',
//>     key: { area: 1 },
//>     accesses: { ops: Long('1') },
//>     spec: { v: 2, key: { area: 1 }, name: 'area_1' }
//>   }
//> ]
ag([{$collStats: {count: {}}}, {$project: {ns: 1, count: 1}}])
//> [ { ns: 'test.plots', count: 8 } ]
[ag([{$match: {}}, {$collStats: {}}]), ag([{$indexStats: {a: 1}}]), ag([{$match: {}}, {$indexStats: {}}]), ag([{$facet: {a: [{$collStats: {}}]}}])]
//> [
//>   '40602 $collStats is only valid as the first stage in a pipeline',
//>   '28803 The $indexStats stage specification must be an empty object',
//>   '40602 $indexStats is only valid as the first stage in a pipeline',
//>   '40600 $collStats is not allowed to be used within a $facet stage'
//> ]
