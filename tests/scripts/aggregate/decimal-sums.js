// Sums, means and spreads over numbers of several types: what each type loses, and which type comes out.
//
// Manual: reference/operator/aggregation/sum, reference/operator/aggregation/avg, reference/operator/aggregation/covariancePop
const fails = (p) => { try { return db.till.aggregate(p).toArray() } catch (x) { return x.code + " " + x.message } }
db.till.insertMany([
  {_id: 1, day: "a", n: NumberDecimal("0"), w: 1},
  {_id: 2, day: "a", n: NumberLong("9223372036854775807"), w: 2},
  {_id: 3, day: "a", n: NumberInt(1), w: 4},
  {_id: 4, day: "b", n: 5.0, w: 1},
  {_id: 5, day: "b", n: NumberDecimal("0"), w: 2},
  {_id: 6, day: "b", n: 1.5, w: 6},
  {_id: 7, day: "c", n: NumberLong("9223372036854775807"), w: 1},
  {_id: 8, day: "c", n: NumberLong("-9223372036854775807"), w: 1},
  {_id: 9, day: "c", n: "none", w: 1}]).acknowledged
//> true
db.till.aggregate([{$group: {_id: "$day", sum: {$sum: "$n"}, mean: {$avg: "$n"}}}, {$sort: {_id: 1}}]).toArray()
//> [
//>   {
//>     _id: 'a',
//>     sum: Decimal128('9223372036854775808'),
//>     mean: Decimal128('3074457345618258602.666666666666667')
//>   },
//>   {
//>     _id: 'b',
//>     sum: Decimal128('6.5'),
//>     mean: Decimal128('2.166666666666666666666666666666667')
//>   },
//>   { _id: 'c', sum: Long('0'), mean: 0 }
//> ]
// The same numbers in one array, and in a window.
db.till.aggregate([{$group: {_id: "$day", all: {$push: "$n"}}}, {$sort: {_id: 1}}, {$project: {sum: {$sum: "$all"}, mean: {$avg: "$all"}}}]).toArray()
//> [
//>   {
//>     _id: 'a',
//>     sum: Decimal128('9223372036854775808'),
//>     mean: Decimal128('3074457345618258602.666666666666667')
//>   },
//>   {
//>     _id: 'b',
//>     sum: Decimal128('6.5'),
//>     mean: Decimal128('2.166666666666666666666666666666667')
//>   },
//>   { _id: 'c', sum: Long('0'), mean: 0 }
//> ]
db.till.aggregate([{$setWindowFields: {partitionBy: "$day", sortBy: {_id: 1}, output: {sum: {$sum: "$n", window: {documents: [-1, 0]}}}}}, {$project: {sum: 1}}]).toArray()
//> [
//>   { _id: 1, sum: Decimal128('0') },
//>   { _id: 2, sum: Decimal128('9223372036854775807') },
//>   { _id: 3, sum: 9223372036854776000 },
//>   { _id: 4, sum: 5 },
//>   { _id: 5, sum: Decimal128('5') },
//>   { _id: 6, sum: Decimal128('1.5') },
//>   { _id: 7, sum: Long('9223372036854775807') },
//>   { _id: 8, sum: Long('0') },
//>   { _id: 9, sum: Long('-9223372036854775807') }
//> ]
// A covariance with a decimal in it is a decimal; one pair alone has none to show.
db.till.aggregate([{$match: {day: "b"}}, {$setWindowFields: {sortBy: {_id: 1}, output: {c: {$covariancePop: ["$n", "$w"], window: {documents: ["unbounded", "current"]}}, s: {$covarianceSamp: ["$n", "$w"], window: {documents: ["unbounded", "current"]}}}}}, {$project: {c: 1, s: 1}}]).toArray()
//> [
//>   { _id: 4, c: 0, s: null },
//>   {
//>     _id: 5,
//>     c: Decimal128('-1.250000000000000'),
//>     s: Decimal128('-2.500000000000000')
//>   },
//>   {
//>     _id: 6,
//>     c: Decimal128('-1.833333333333333333333333333333333'),
//>     s: Decimal128('-2.750000000000000')
//>   }
//> ]
// Where rows leave a window, a deviation over an infinity is null, and that of one row is a whole zero.
db.till.insertMany([{_id: 10, day: "d", n: Infinity}, {_id: 11, day: "d", n: 10}, {_id: 12, day: "d", n: 20}]).acknowledged
//> true
db.till.aggregate([{$match: {day: "d"}}, {$setWindowFields: {sortBy: {_id: 1}, output: {slid: {$stdDevPop: "$n", window: {documents: [-1, 0]}}, one: {$stdDevPop: "$n", window: {documents: [0, 0]}}, grown: {$stdDevPop: "$n", window: {documents: ["unbounded", "current"]}}}}}, {$project: {slid: 1, one: {$concat: [{$type: "$one"}, " ", {$toString: "$one"}]}, grown: 1}}]).toArray()
//> [
//>   { _id: 10, slid: null, grown: NaN, one: null },
//>   { _id: 11, slid: null, grown: NaN, one: 'int 0' },
//>   { _id: 12, slid: 5, grown: NaN, one: 'int 0' }
//> ]
// A key of fields holds expressions; numbers and booleans in it read like a projection.
[fails([{$group: {_id: {a: 1}}}]), fails([{$group: {_id: {a: "$day", b: true}}}]), fails([{$group: {_id: {a: NumberDecimal("1")}}}]), fails([{$match: {_id: 1}}, {$group: {_id: {a: {b: 1}, c: "x", d: {$literal: 1}}}}]), fails([{$match: {_id: 1}}, {$group: {_id: {$add: [1, 1]}}}]), fails([{$match: {_id: 1}}, {$group: {_id: 1}}])]
//> [
//>   '17390 $group does not support inclusion-style expressions',
//>   '17390 $group does not support inclusion-style expressions',
//>   '17390 $group does not support inclusion-style expressions',
//>   [
//>     { _id: { a: { b: 1 }, c: 'x', d: 1 } }
//>   ],
//>   [ { _id: 2 } ],
//>   [ { _id: 1 } ]
//> ]
