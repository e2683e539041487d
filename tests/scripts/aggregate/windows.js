// Window functions over a season of readings: ranks, shifts, gaps carried on, rates, sums under a curve, covariance; what each refuses.
//
// Manual: reference/operator/aggregation/setWindowFields
const win = (output, sortBy = {t: 1}, more = {}) => { try { return db.readings.aggregate([{$setWindowFields: {...(sortBy ? {sortBy} : {}), output: {r: output}, ...more}}, {$sort: {_id: 1}}]).toArray().map((d) => "r" in d ? d.r : "missing") } catch (x) { return x.code + " " + x.message.replace(/^.* :: caused by :: /, "") } }
const hour = (h) => new Date(Date.UTC(2025, 5, 1, h))
db.readings.insertMany([{_id: 1, site: "roof", t: 1, at: hour(0), c: 10, h: 4}, {_id: 2, site: "roof", t: 2, at: hour(1), c: 14, h: 8}, {_id: 3, site: "roof", t: 4, at: hour(3), c: 14, h: 6}, {_id: 4, site: "shed", t: 5, at: hour(4), h: 2}, {_id: 5, site: "shed", t: 7, at: hour(6), c: null, h: 2}, {_id: 6, site: "shed", t: 8, at: hour(7), c: 20, h: 9}]).acknowledged
//> true
// Ties share a rank; missing and null tie, and come first.
[win({$rank: {}}, {c: 1}), win({$denseRank: {}}, {c: 1}), win({$documentNumber: {}}, {t: -1}), win({$rank: {}}, {h: -1}), win({$rank: {}}, {t: 1}, {partitionBy: "$site"})]
//> [
//>   [ 3, 4, 4, 1, 1, 6 ],
//>   [ 2, 3, 3, 1, 1, 4 ],
//>   [ 6, 5, 4, 3, 2, 1 ],
//>   [ 4, 2, 3, 5, 5, 1 ],
//>   [ 1, 2, 3, 1, 2, 3 ]
//> ]
[win({$rank: {}}, null), win({$rank: {}}, {c: 1, t: 1}), win({$derivative: {input: "$h"}, window: {documents: [-1, 0]}}, {c: 1, t: 1}), win({$rank: 1}), win({$denseRank: {}, window: {documents: [-1, 1]}}), win({$denseRank: {}}, null)]
//> [
//>   '5371602 $rank must be specified with a top level sortBy expression with exactly one element',
//>   '5371602 $rank must be specified with a top level sortBy expression with exactly one element',
//>   '9 $derivative requires a non-compound sortBy',
//>   "5371603 $rank must be specified with '{}' as the value",
//>   '5371601 Rank style window functions take no other arguments',
//>   '5371602 $denseRank must be specified with a top level sortBy expression with exactly one element'
//> ]
[win({$shift: {output: "$h", by: 1}}), win({$shift: {output: "$h", by: -2, default: "none"}}), win({$shift: {output: "$h", by: 0}}), win({$shift: {output: "$c", by: 1, default: -1}}, {t: 1}, {partitionBy: "$site"})]
//> [
//>   [ 8, 6, 2, 2, 9, null ],
//>   [ 'none', 'none', 4, 8, 6, 2 ],
//>   [ 4, 8, 6, 2, 2, 9 ],
//>   [ 14, 14, -1, null, 20, -1 ]
//> ]
[win({$shift: {output: "$h", by: 1.5}}), win({$shift: {output: "$h"}}), win({$shift: {output: "$h", by: 1}, window: {documents: [0, 0]}}), win({$shift: {by: 1}}), win({$shift: {output: "$h", by: 1}}, null), win({$shift: {output: "$h", by: 1, default: "$h"}}), win({$shift: "$h"}), win({$shift: {output: "$h", by: 1, step: 1}})]
//> [
//>   "9 '$shift:by' field must be an integer, but found  by: 1.5",
//>   "9 $shift requires 'by' as an integer value.",
//>   "9 $shift does not accept a 'window' field",
//>   "9 $shift requires an 'output' expression.",
//>   "9 '$shift' requires a sortBy",
//>   "9 '$shift:default' expression must yield a constant value.",
//>   '9 Argument to $shift must be an object',
//>   '9 Unknown argument in $shift'
//> ]
// $locf repeats the last value that is not null or missing.
[win({$locf: "$c"}), win({$locf: "$c"}, {t: -1}), win({$locf: "$c"}, {t: 1}, {partitionBy: "$site"}), win({$locf: "$c"}, null), win({$locf: "$c", window: {documents: [-1, 0]}})]
//> [
//>   [ 10, 14, 14, 14, 14, 20 ],
//>   [ 10, 14, 14, 20, 20, 20 ],
//>   [ 10, 14, 14, null, null, 20 ],
//>   [ 10, 14, 14, 14, 14, 20 ],
//>   "9 'window' field is not allowed in $locf"
//> ]
[win({$linearFill: "$c"}), win({$linearFill: "$c"}, null), win({$linearFill: "$site"})]
//> [
//>   [ 10, 14, 14, 15.5, 18.5, 20 ],
//>   '605001 $linearFill must be specified with a top level sortBy expression with exactly one element',
//>   '14 Value to be filled must be numeric or nullish, but found string'
//> ]
[win({$derivative: {input: "$h"}, window: {documents: [-1, 0]}}), win({$derivative: {input: "$h", unit: "minute"}, window: {documents: [-1, 0]}}, {at: 1}), win({$derivative: {input: "$h", unit: "hour"}, window: {range: [-1, 0], unit: "hour"}}, {at: 1})]
//> [
//>   [ null, 4, -1, -4, 0, 7 ],
//>   [
//>     null,
//>     0.06666666666666667,
//>     -0.016666666666666666,
//>     -0.06666666666666667,
//>     0,
//>     0.11666666666666667
//>   ],
//>   [ null, 3.9999999999999996, null, -3.9999999999999996, null, 7 ]
//> ]
[win({$derivative: {input: "$h"}}), win({$derivative: {input: "$h"}, window: {documents: [-1, 0]}}, null), win({$derivative: {input: "$h"}, window: {documents: [-1, 0]}}, {at: 1}), win({$derivative: {input: "$h", unit: "hour"}, window: {documents: [-1, 0]}}), win({$derivative: {input: "$h", unit: "month"}, window: {documents: [-1, 0]}}, {at: 1}), win({$derivative: {unit: "hour"}, window: {documents: [-1, 0]}}), win({$derivative: "$h", window: {documents: [-1, 0]}})]
//> [
//>   '9 $derivative requires explicit window bounds',
//>   '9 $derivative requires a sortBy',
//>   "5624901 $derivative where the sortBy is a Date requires an 'unit'",
//>   "5624900 $derivative with 'unit' expects the sortBy field to be a Date",
//>   "5490710 unit must be 'week' or smaller",
//>   "9 $derivative requires an 'input' expression",
//>   '9 $derivative expects an object, but got a string: $derivative: "$h"'
//> ]
[win({$integral: {input: "$h"}}), win({$integral: {input: "$h"}, window: {documents: [-1, 0]}}), win({$integral: {input: "$h", unit: "hour"}, window: {documents: ["unbounded", "current"]}}, {at: 1}), win({$integral: {input: "$h"}}, {at: 1}), win({$integral: {input: "$h", unit: "hour"}}), win({$integral: {input: "$h"}}, null), win({$integral: "$h"}), win({$integral: {input: "$h", unit: "year"}}, {at: 1})]
//> [
//>   [ 33.5, 33.5, 33.5, 33.5, 33.5, 33.5 ],
//>   [ 0, 6, 14, 4, 4, 5.5 ],
//>   [ 0, 6, 20, 24, 28, 33.5 ],
//>   "5423902 $integral (with no 'unit') expects the sortBy field to be numeric",
//>   "5423901 $integral with 'unit' expects the sortBy field to be a Date",
//>   '9 $integral requires a sortBy',
//>   '9 $integral expects an object, but got a string: $integral: "$h"',
//>   "5490710 unit must be 'week' or smaller"
//> ]
[win({$expMovingAvg: {input: "$h", N: 3}}), win({$expMovingAvg: {input: "$h", alpha: 0.5}}), win({$expMovingAvg: {input: "$c", alpha: 0.25}}), win({$expMovingAvg: {input: "$h", alpha: Decimal128("0.5")}})]
//> [
//>   [ 4, 6, 6, 4, 3, 6 ],
//>   [ 4, 6, 6, 4, 3, 6 ],
//>   [ 10, 11, 11.75, 11.75, 11.75, 13.8125 ],
//>   [ 4, 6, 6, 4, 3, 6 ]
//> ]
[win({$expMovingAvg: {input: "$h", N: 0}}), win({$expMovingAvg: {input: "$h", N: 1.5}}), win({$expMovingAvg: {input: "$h", N: "3"}}), win({$expMovingAvg: {input: "$h", alpha: "1"}}), win({$expMovingAvg: {input: "$h", alpha: 1}}), win({$expMovingAvg: {input: "$h", N: 2, alpha: 0.5}}), win({$expMovingAvg: {input: "$h"}}), win({$expMovingAvg: {N: 2}}), win({$expMovingAvg: {input: "$h", N: 2}, window: {documents: [0, 1]}}), win({$expMovingAvg: {input: "$h", N: 2}}, null), win({$expMovingAvg: "$h"})]
//> [
//>   "9 'N' must be greater than zero. Got 0",
//>   "9 'N' field must be an integer, but found  N: 1.5. To use a non-integer, use the 'alpha' argument instead",
//>   "9 'N' field must be an integer, but found type string",
//>   "9 'alpha' must be a number",
//>   "9 'alpha' must be between 0 and 1 (exclusive), found alpha: 1",
//>   "9 $expMovingAvg sub object must have exactly two fields: An 'input' field, and either an 'N' field or an 'alpha' field",
//>   "9 $expMovingAvg sub object must have exactly two fields: An 'input' field, and either an 'N' field or an 'alpha' field",
//>   "9 $expMovingAvg sub object must have exactly two fields: An 'input' field, and either an 'N' field or an 'alpha' field",
//>   '9 $expMovingAvg must have exactly one argument that is an object',
//>   "9 $expMovingAvg requires an explicit 'sortBy'",
//>   '9 $expMovingAvg must have exactly one argument that is an object'
//> ]
// Pairs that are not both numbers are passed over; the sample form needs two.
[win({$covariancePop: ["$t", "$h"]}), win({$covarianceSamp: ["$t", "$h"]}), win({$covariancePop: ["$t", "$c"], window: {documents: ["unbounded", "current"]}}), win({$covarianceSamp: ["$t", "$c"], window: {documents: ["unbounded", "current"]}}), win({$covariancePop: ["$t", "$site"]}), win({$covariancePop: ["$t", "$h"]}, null)]
//> [
//>   [
//>     0.08333333333333275,
//>     0.08333333333333275,
//>     0.08333333333333275,
//>     0.08333333333333275,
//>     0.08333333333333275,
//>     0.08333333333333275
//>   ],
//>   [
//>     0.09999999999999928,
//>     0.09999999999999928,
//>     0.09999999999999928,
//>     0.09999999999999928,
//>     0.09999999999999928,
//>     0.09999999999999928
//>   ],
//>   [
//>     0,
//>     1,
//>     1.7777777777777783,
//>     1.7777777777777783,
//>     1.7777777777777783,
//>     9.125
//>   ],
//>   [
//>     null,
//>     2,
//>     2.6666666666666674,
//>     2.6666666666666674,
//>     2.6666666666666674,
//>     12.166666666666666
//>   ],
//>   [ null, null, null, null, null, null ],
//>   [
//>     0.08333333333333275,
//>     0.08333333333333275,
//>     0.08333333333333275,
//>     0.08333333333333275,
//>     0.08333333333333275,
//>     0.08333333333333275
//>   ]
//> ]
[win({$covariancePop: ["$t"]}), win({$covarianceSamp: "$t"}), win({$covariancePop: []})]
//> [
//>   [ null, null, null, null, null, null ],
//>   [ null, null, null, null, null, null ],
//>   [ null, null, null, null, null, null ]
//> ]
// A rate needs values at both ends, an area numbers everywhere; dates subtract to milliseconds, decimals stay decimal.
db.odd.insertMany([{_id: 1, t: 1, v: 1, d: hour(0), m: NumberDecimal("1")}, {_id: 2, t: 2, v: null, d: hour(2), m: NumberDecimal("2.5")}, {_id: 3, t: 3, v: "x", d: hour(3), m: NumberDecimal("4")}]).acknowledged
//> true
const odd = (output, sortBy = {t: 1}) => { try { return db.odd.aggregate([{$setWindowFields: {sortBy, output: {r: output}}}, {$sort: {_id: 1}}]).toArray().map((d) => d.r) } catch (x) { return x.code + " " + x.message.replace(/^.* :: caused by :: /, "") } }
const two = {documents: [-1, 0]};
[odd({$derivative: {input: "$v"}, window: two}), odd({$derivative: {input: "$nothing"}, window: two}), odd({$derivative: {input: "$d"}, window: two}), odd({$derivative: {input: "$m"}, window: two}), odd({$derivative: {input: {$toString: "$t"}}, window: two}), odd({$derivative: {input: "$t"}, window: two}, {v: 1})]
//> [
//>   '5624903 $derivative input must not be null or missing',
//>   '5624903 $derivative input must not be null or missing',
//>   [ null, 7200000, 3600000 ],
//>   [ null, Decimal128('1.5'), Decimal128('1.5') ],
//>   "14 can't $subtract string from string",
//>   "5624902 $derivative (with no 'unit') expects the sortBy field to be numeric"
//> ]
[odd({$integral: {input: "$v"}, window: two}), odd({$integral: {input: "$d"}, window: two}), odd({$integral: {input: "$m"}, window: two}), odd({$integral: {input: "$t"}, window: two}, {v: 1}), odd({$integral: {input: "$m", unit: "hour"}, window: two}, {d: 1}), odd({$integral: {input: {$cond: [{$eq: ["$t", 2]}, NaN, "$t"]}}, window: two})]
//> [
//>   '5423900 The input value of $integral window function must be a vector of 2 value, the first value must be numeric or date type and the second must be numeric.',
//>   '5423900 The input value of $integral window function must be a vector of 2 value, the first value must be numeric or date type and the second must be numeric.',
//>   [ 0, Decimal128('1.75'), Decimal128('3.25') ],
//>   '5423900 The input value of $integral window function must be a vector of 2 value, the first value must be numeric or date type and the second must be numeric.',
//>   [ 0, Decimal128('3.5'), Decimal128('3.25') ],
//>   [ 0, NaN, NaN ]
//> ]
[odd({$documentNumber: {}}, {t: 1, v: 1}), odd({$rank: {}}, {t: 1, v: 1}), odd({$denseRank: {}}, {t: 1, v: 1}), odd({$firstN: {n: "$t", input: "$t"}, window: two})]
//> [
//>   '5371602 $documentNumber must be specified with a top level sortBy expression with exactly one element',
//>   '5371602 $rank must be specified with a top level sortBy expression with exactly one element',
//>   '5371602 $denseRank must be specified with a top level sortBy expression with exactly one element',
//>   "5787902 Value for 'n' must be of integral type, but found missing"
//> ]
// "current" is the row itself: rows that tie with it are in the window of 0, and not in this one.
db.ties.insertMany([{_id: 1, t: 1, v: 10}, {_id: 2, t: 1, v: 20}, {_id: 3, t: 2, v: 30}]).acknowledged
//> true
const sums = (range) => db.ties.aggregate([{$setWindowFields: {sortBy: {t: 1}, output: {s: {$sum: "$v", window: {range}}}}}, {$sort: {_id: 1}}]).toArray().map((d) => d.s);
[sums(["unbounded", "current"]), sums(["unbounded", 0]), sums(["current", "current"]), sums(["current", 1]), sums([-1, "current"])]
//> [
//>   [ 10, 30, 60 ],
//>   [ 30, 30, 60 ],
//>   [ 10, 20, 30 ],
//>   [ 60, 50, 30 ],
//>   [ 10, 30, 60 ]
//> ]
// A shift has its default also for a document without the field.
db.ties.aggregate([{$setWindowFields: {sortBy: {_id: 1}, output: {a: {$shift: {output: "$none", by: 1, default: "c"}}, b: {$shift: {output: "$none", by: 1}}}}}, {$project: {a: 1, b: 1}}]).toArray()
//> [
//>   { _id: 1, a: 'c', b: null },
//>   { _id: 2, a: 'c', b: null },
//>   { _id: 3, a: 'c', b: null }
//> ]
// Averages that move are reckoned in decimals, and are decimals from the first decimal on.
const average = (numbers, more) => db.aggregate([{$documents: numbers.map((n, t) => ({t, n}))}, {$setWindowFields: {sortBy: {t: 1}, output: {a: {$expMovingAvg: {input: "$n", ...more}}}}}]).toArray().map((d) => d.a);
[average([1, 2, 4, 7], {alpha: 0.1}), average([0.1, 0.7, 0.3], {N: 4}), average([1, NumberDecimal("2.5"), 4], {N: 3}), average(["x", 3, null], {N: 1})]
//> [
//>   [ 1, 1.1, 1.39, 1.951 ],
//>   [ 0.1, 0.34, 0.324 ],
//>   [ 1, Decimal128('1.75'), Decimal128('2.875') ],
//>   [ null, 3, 3 ]
//> ]
// A line between two points: of decimals in decimals; places must differ, and be all numbers or all dates.
const line = (documents) => { try { return db.aggregate([{$documents: documents}, {$setWindowFields: {sortBy: {t: 1}, output: {n: {$linearFill: "$n"}}}}]).toArray().map((d) => d.n) } catch (x) { return x.code + " " + x.message.replace(/^.* :: caused by :: /, "") } };
[line([{t: 1, n: NumberDecimal("1.1")}, {t: 2}, {t: 3, n: NumberDecimal("3.3")}]), line([{t: 0, n: 7.4}, {t: 1}, {t: 5, n: 1.2857142857142858}]), line([{t: hour(0), n: 1}, {t: hour(1)}, {t: hour(4), n: 3}])]
//> [
//>   [ Decimal128('1.1'), Decimal128('2.2'), Decimal128('3.3') ],
//>   [ 7.4, 6.177142857142858, 1.2857142857142858 ],
//>   [ 1, 1.5, 3 ]
//> ]
[line([{t: 1, n: 1}, {t: 1}, {t: 3, n: 3}]), line([{t: "a", n: 1}]), line([{t: 1, n: 1}, {t: hour(0)}]), line([{n: 1}])]
//> [
//>   '6050106 There can be no repeated values in the sort field in the same partition',
//>   '14 Value of the sortBy field must be numeric or a date, but found string',
//>   '14 Conflicting sort value types, previously received type int, but found date',
//>   '14 Value of the sortBy field must be numeric or a date, but found missing'
//> ]
