// Aggregation expressions over awkward values: null, missing, wrong types, overflow, and their codes.
//
// Manual: reference/operator/aggregation
const ev = (e, doc) => { try { const r = db.one.aggregate([{$project: {_id: 0, r: e}}]).toArray()[0]; return "r" in r ? r.r : "missing" } catch (x) { return x.code + " " + x.message } }
db.one.insertOne({_id: 1, i: 1, l: Long(2), d: 2.5, dec: Decimal128("1.50"), s: "héllo", n: null, nan: NaN, arr: [1, 2, 3], arr2: [[1, 2], [3]], date: new Date("2024-02-29T12:34:56.789Z"), o: {a: 1, b: {c: 2}}, objs: [{a: 1}, {a: 2}, 3], t: true, e: [], oid: ObjectId("650000000000000000000000")}).acknowledged
//> true
[ev({$add: ["$i", 1]}), ev({$add: ["$i", "$l"]}), ev({$add: ["$i", "$d"]}), ev({$add: ["$dec", 1]}), ev({$add: [2147483647, 1]}), ev({$add: [Long("9223372036854775807"), 1]}), ev({$add: []}), ev({$add: ["$n", 1]}), ev({$add: ["$missing", 1]}), ev({$add: ["$date", 1000]}), ev({$add: ["$s", 1]}), ev({$add: ["$date", "$date"]}), ev({$add: 5})]
//> [
//>   2,
//>   Long('3'),
//>   3.5,
//>   Decimal128('2.50'),
//>   Long('2147483648'),
//>   9223372036854776000,
//>   0,
//>   null,
//>   null,
//>   ISODate('2024-02-29T12:34:57.789Z'),
//>   '14 Executor error during aggregate command on namespace: test.one :: caused by :: $add only supports numeric or date types, not string',
//>   '16612 Executor error during aggregate command on namespace: test.one :: caused by :: only one date allowed in an $add expression',
//>   5
//> ]
[ev({$subtract: ["$l", 1]}), ev({$subtract: ["$date", 1000]}), ev({$subtract: ["$date", new Date(0)]}), ev({$subtract: ["$n", 1]}), ev({$subtract: ["$s", 1]}), ev({$subtract: [1]}), ev({$subtract: [Long("-9223372036854775808"), 1]})]
//> [
//>   Long('1'),
//>   ISODate('2024-02-29T12:34:55.789Z'),
//>   Long('1709210096789'),
//>   null,
//>   "14 Executor error during aggregate command on namespace: test.one :: caused by :: can't $subtract int from string",
//>   '16020 Invalid $project :: caused by :: Expression $subtract takes exactly 2 arguments. 1 were passed in.',
//>   -9223372036854776000
//> ]
[ev({$multiply: ["$i", "$d"]}), ev({$multiply: [2147483647, 2]}), ev({$multiply: ["$s", 2]}), ev({$multiply: []}), ev({$divide: [1, 2]}), ev({$divide: [4, 2]}), ev({$divide: [1, 0]}), ev({$divide: ["$dec", 0]}), ev({$divide: ["$n", 0]}), ev({$divide: ["$s", 1]})]
//> [
//>   2.5,
//>   Long('4294967294'),
//>   '14 Executor error during aggregate command on namespace: test.one :: caused by :: $multiply only supports numeric types, not string',
//>   1,
//>   0.5,
//>   2,
//>   "2 Failed to optimize pipeline :: caused by :: can't $divide by zero",
//>   "2 Executor error during aggregate command on namespace: test.one :: caused by :: can't $divide by zero",
//>   null,
//>   '14 Executor error during aggregate command on namespace: test.one :: caused by :: $divide only supports numeric types, not string and int'
//> ]
[ev({$mod: [7, 3]}), ev({$mod: [-7, 3]}), ev({$mod: [7.5, 2]}), ev({$mod: [7, 0]}), ev({$mod: ["$n", 0]}), ev({$mod: ["$s", 2]}), ev({$mod: [Decimal128("7.5"), 2]})]
//> [
//>   1,
//>   -1,
//>   1.5,
//>   "16610 Failed to optimize pipeline :: caused by :: can't $mod by zero",
//>   null,
//>   '16611 Executor error during aggregate command on namespace: test.one :: caused by :: $mod only supports numeric types, not string and int',
//>   Decimal128('1.5')
//> ]
[ev({$abs: -5}), ev({$abs: Long("-9223372036854775808")}), ev({$abs: "$n"}), ev({$abs: "x"}), ev({$abs: -2147483648}), ev({$ceil: 1.2}), ev({$floor: -1.2}), ev({$ceil: "$l"}), ev({$sqrt: 4}), ev({$sqrt: -1}), ev({$pow: [2, 3]}), ev({$pow: [2, -1]}), ev({$pow: [0, -1]}), ev({$pow: [2, 62]}), ev({$pow: [2, 64]}), ev({$exp: 0}), ev({$ln: 1}), ev({$ln: 0}), ev({$log: [8, 2]}), ev({$log10: 100}), ev({$log: [8, 1]}), ev({$log10: -1})]
//> [
//>   5,
//>   "28680 Failed to optimize pipeline :: caused by :: can't take $abs of long long min",
//>   null,
//>   '28765 Failed to optimize pipeline :: caused by :: $abs only supports numeric types, not string',
//>   Long('2147483648'),
//>   2,
//>   -2,
//>   Long('2'),
//>   2,
//>   "28714 Failed to optimize pipeline :: caused by :: $sqrt's argument must be greater than or equal to 0",
//>   8,
//>   0.5,
//>   '28764 Failed to optimize pipeline :: caused by :: $pow cannot take a base of 0 and a negative exponent',
//>   Long('4611686018427387904'),
//>   18446744073709552000,
//>   1,
//>   0,
//>   "28766 Failed to optimize pipeline :: caused by :: $ln's argument must be a positive number, but is 0",
//>   3,
//>   2,
//>   "28759 Failed to optimize pipeline :: caused by :: $log's base must be a positive number not equal to 1, but is 1",
//>   "28761 Failed to optimize pipeline :: caused by :: $log10's argument must be a positive number, but is -1"
//> ]
[ev({$round: [2.5]}), ev({$round: [3.5]}), ev({$round: [1234.5678, 2]}), ev({$round: [1234, -2]}), ev({$round: [Long(1250), -2]}), ev({$round: [1.5, 101]}), ev({$round: ["$n", 1]}), ev({$trunc: [1.99]}), ev({$trunc: [1.99, 1]}), ev({$trunc: [-1299, -2]}), ev({$round: ["x"]}), ev({$round: [2.345, 1.5]})]
//> [
//>   2,
//>   4,
//>   1234.57,
//>   1200,
//>   Long('1200'),
//>   '51083 Failed to optimize pipeline :: caused by :: cannot apply $round with precision value 101 value must be in [-20, 100]',
//>   null,
//>   1,
//>   1.9,
//>   -1200,
//>   '51081 Failed to optimize pipeline :: caused by :: $round only supports numeric types, not string',
//>   '51082 Failed to optimize pipeline :: caused by :: precision argument to  $round must be a integral value'
//> ]
[ev({$concat: ["a", "b"]}), ev({$concat: ["a", "$n"]}), ev({$concat: ["a", 1]}), ev({$concat: []}), ev({$toUpper: "$s"}), ev({$toLower: "ÀB"}), ev({$toUpper: "$n"}), ev({$toUpper: 1}), ev({$strLenCP: "$s"}), ev({$strLenBytes: "$s"}), ev({$strLenCP: "$n"}), ev({$strLenBytes: 5})]
//> [
//>   'ab',
//>   null,
//>   '16702 Failed to optimize pipeline :: caused by :: $concat only supports strings, not int',
//>   '',
//>   'HéLLO',
//>   'Àb',
//>   '',
//>   '1',
//>   5,
//>   6,
//>   '34471 Executor error during aggregate command on namespace: test.one :: caused by :: $strLenCP requires a string argument, found: null',
//>   '34473 Failed to optimize pipeline :: caused by :: $strLenBytes requires a string argument, found: int'
//> ]
[ev({$substr: ["$s", 1, 2]}), ev({$substrBytes: ["$s", 0, 2]}), ev({$substrBytes: ["$s", 0, 3]}), ev({$substrCP: ["$s", 1, 2]}), ev({$substrCP: ["$s", 0, -1]}), ev({$substrBytes: ["$s", 0, -1]}), ev({$substrBytes: ["$s", 10, 1]}), ev({$substrCP: ["$s", -1, 1]}), ev({$substrCP: ["$n", 0, 1]}), ev({$substrCP: ["$s", "x", 1]}), ev({$substrBytes: ["$s", -1, 2]}), ev({$substr: [123, 0, 2]})]
//> [
//>   'é',
//>   '28657 Executor error during aggregate command on namespace: test.one :: caused by :: $substrBytes:  Invalid range, ending index is in the middle of a UTF-8 character.',
//>   'hé',
//>   'él',
//>   '34454 Executor error during aggregate command on namespace: test.one :: caused by :: $substrCP: length must be a nonnegative integer.',
//>   'héllo',
//>   '',
//>   '34455 Executor error during aggregate command on namespace: test.one :: caused by :: $substrCP: the starting index must be nonnegative integer.',
//>   '',
//>   '34450 Executor error during aggregate command on namespace: test.one :: caused by :: $substrCP: starting index must be a numeric type (is BSON type string)',
//>   '50752 Executor error during aggregate command on namespace: test.one :: caused by :: $substrBytes:  starting index must be non-negative (got: -1)',
//>   '12'
//> ]
[ev({$indexOfCP: ["$s", "l"]}), ev({$indexOfBytes: ["$s", "l"]}), ev({$indexOfCP: ["$s", "z"]}), ev({$indexOfCP: ["$n", "z"]}), ev({$indexOfCP: ["$s", "l", 3]}), ev({$indexOfCP: ["$s", "l", 4, 5]}), ev({$indexOfCP: ["$s", "l", -1]}), ev({$indexOfCP: ["$s", 1]}), ev({$indexOfCP: ["$s", "l", 3, 2]}), ev({$indexOfArray: ["$arr", 2]}), ev({$indexOfArray: ["$arr", 9]}), ev({$indexOfArray: ["$s", 9]}), ev({$indexOfArray: ["$n", 9]})]
//> [
//>   2,
//>   3,
//>   -1,
//>   null,
//>   3,
//>   -1,
//>   '40097 Executor error during aggregate command on namespace: test.one :: caused by :: $indexOfCP requires a nonnegative starting index, found: -1',
//>   '40094 Executor error during aggregate command on namespace: test.one :: caused by :: $indexOfCP requires a string as the second argument, found: int',
//>   -1,
//>   1,
//>   -1,
//>   '40090 Executor error during aggregate command on namespace: test.one :: caused by :: $indexOfArray requires an array as a first argument, found: string',
//>   null
//> ]
[ev({$split: ["a-b-c", "-"]}), ev({$split: ["a", ""]}), ev({$split: ["$n", "-"]}), ev({$split: [1, "-"]}), ev({$split: ["", "-"]}), ev({$trim: {input: "  a "}}), ev({$trim: {input: "xxaxx", chars: "x"}}), ev({$ltrim: {input: " a "}}), ev({$rtrim: {input: " a "}}), ev({$trim: {input: 5}}), ev({$trim: {input: "$n"}}), ev({$trim: {}}), ev({$replaceOne: {input: "aXa", find: "a", replacement: "b"}}), ev({$replaceAll: {input: "aXa", find: "a", replacement: "b"}}), ev({$replaceAll: {input: null, find: "a", replacement: "b"}}), ev({$replaceAll: {input: 5, find: "a", replacement: "b"}}), ev({$strcasecmp: ["a", "B"]}), ev({$strcasecmp: ["b", "A"]}), ev({$strcasecmp: [null, "A"]})]
//> [
//>   [ 'a', 'b', 'c' ],
//>   '40087 Failed to optimize pipeline :: caused by :: $split requires a non-empty separator',
//>   null,
//>   '40085 Failed to optimize pipeline :: caused by :: $split requires an expression that evaluates to a string as a first argument, found: int',
//>   [ '' ],
//>   'a',
//>   'a',
//>   'a ',
//>   ' a',
//>   '50699 Failed to optimize pipeline :: caused by :: $trim requires its input to be a string, got a value of type int instead.',
//>   null,
//>   "50695 Invalid $project :: caused by :: Missing 'input' parameter to $trim",
//>   'bXa',
//>   'bXb',
//>   null,
//>   "10503904 Failed to optimize pipeline :: caused by :: $replaceAll requires that 'input' be a string, found: int",
//>   -1,
//>   1,
//>   -1
//> ]
[ev({$regexMatch: {input: "abc", regex: /B/i}}), ev({$regexFind: {input: "abc", regex: "b(c)"}}), ev({$regexFindAll: {input: "aba", regex: "a"}}), ev({$regexMatch: {input: null, regex: "a"}}), ev({$regexMatch: {input: 5, regex: "a"}}), ev({$regexMatch: {input: "a", regex: 5}})]
//> [
//>   true,
//>   { match: 'bc', idx: 1, captures: [ 'c' ] },
//>   [
//>     { match: 'a', idx: 0, captures: [] },
//>     { match: 'a', idx: 2, captures: [] }
//>   ],
//>   false,
//>   "51104 Failed to optimize pipeline :: caused by :: $regexMatch needs 'input' to be of type string",
//>   "51105 Failed to optimize pipeline :: caused by :: $regexMatch needs 'regex' to be of type string or regex"
//> ]
[ev({$cond: [true, 1, 2]}), ev({$cond: {if: "$n", then: 1, else: 2}}), ev({$cond: [1, 2]}), ev({$cond: {if: 1, then: 2}}), ev({$cond: {if: 1, then: 2, else: 3, foo: 4}}), ev({$ifNull: ["$n", 5]}), ev({$ifNull: ["$missing", "$n", 6]}), ev({$ifNull: ["$missing", "$n"]}), ev({$ifNull: [1]}), ev({$switch: {branches: [{case: false, then: 1}, {case: true, then: 2}]}}), ev({$switch: {branches: [{case: false, then: 1}]}}), ev({$switch: {branches: [{case: false, then: 1}], default: 9}}), ev({$switch: {branches: []}}), ev({$switch: {branches: [{case: true}]}})]
//> [
//>   1,
//>   2,
//>   '16020 Invalid $project :: caused by :: Expression $cond takes exactly 3 arguments. 2 were passed in.',
//>   "17082 Invalid $project :: caused by :: Missing 'else' parameter to $cond",
//>   '17083 Invalid $project :: caused by :: Unrecognized parameter to $cond: foo',
//>   5,
//>   6,
//>   null,
//>   '1257300 Invalid $project :: caused by :: $ifNull needs at least two arguments, had: 1',
//>   2,
//>   '40069 Failed to optimize pipeline :: caused by :: Cannot execute a switch statement where all the cases evaluate to false without a default',
//>   9,
//>   '40068 Invalid $project :: caused by :: $switch requires at least one branch.',
//>   "40065 Invalid $project :: caused by :: $switch requires each branch have a 'then' expression."
//> ]
[ev({$eq: [1, 1.0]}), ev({$eq: ["$n", "$missing"]}), ev({$gt: ["$missing", null]}), ev({$lt: ["$missing", null]}), ev({$cmp: [1, 2]}), ev({$cmp: ["a", 1]}), ev({$ne: ["$arr", [1, 2, 3]]}), ev({$gte: [[1, 2], [1]]}), ev({$eq: [NaN, NaN]}), ev({$eq: [1]}), ev({$and: []}), ev({$or: []}), ev({$and: [1, "$n"]}), ev({$or: [0, "$missing", "x"]}), ev({$not: [0]}), ev({$not: "$n"}), ev({$not: [1, 2]})]
//> [
//>   true,
//>   false,
//>   false,
//>   true,
//>   -1,
//>   1,
//>   false,
//>   true,
//>   true,
//>   '16020 Invalid $project :: caused by :: Expression $eq takes exactly 2 arguments. 1 were passed in.',
//>   true,
//>   false,
//>   false,
//>   true,
//>   true,
//>   true,
//>   '16020 Invalid $project :: caused by :: Expression $not takes exactly 1 argument. 2 were passed in.'
//> ]
[ev({$size: "$arr"}), ev({$size: "$n"}), ev({$size: "$missing"}), ev({$arrayElemAt: ["$arr", 0]}), ev({$arrayElemAt: ["$arr", -1]}), ev({$arrayElemAt: ["$arr", 9]}), ev({$arrayElemAt: ["$n", 0]}), ev({$arrayElemAt: ["$s", 0]}), ev({$arrayElemAt: ["$arr", 1.5]}), ev({$first: "$arr"}), ev({$last: "$arr"}), ev({$first: "$e"}), ev({$first: "$s"}), ev({$slice: ["$arr", 2]}), ev({$slice: ["$arr", -2]}), ev({$slice: ["$arr", 1, 1]}), ev({$slice: ["$arr", 1, 0]}), ev({$slice: ["$s", 1]}), ev({$slice: ["$n", 1]}), ev({$slice: ["$arr", -5, 2]})]
//> [
//>   3,
//>   '17124 Executor error during aggregate command on namespace: test.one :: caused by :: The argument to $size must be an array, but was of type: null',
//>   '17124 Executor error during aggregate command on namespace: test.one :: caused by :: The argument to $size must be an array, but was of type: missing',
//>   1,
//>   3,
//>   'missing',
//>   null,
//>   "28689 Executor error during aggregate command on namespace: test.one :: caused by :: $arrayElemAt's first argument must be an array, but is string",
//>   "28691 Executor error during aggregate command on namespace: test.one :: caused by :: $arrayElemAt's second argument must be representable as a 32-bit integer",
//>   1,
//>   3,
//>   'missing',
//>   "28689 Executor error during aggregate command on namespace: test.one :: caused by :: $first's argument must be an array, but is string",
//>   [ 1, 2 ],
//>   [ 2, 3 ],
//>   [ 2 ],
//>   '28729 Executor error during aggregate command on namespace: test.one :: caused by :: Third argument to $slice must be positive: 0',
//>   '28724 Executor error during aggregate command on namespace: test.one :: caused by :: First argument to $slice must be an array, but is of type: string',
//>   null,
//>   [ 1, 2 ]
//> ]
[ev({$concatArrays: ["$arr", [9]]}), ev({$concatArrays: ["$arr", "$n"]}), ev({$concatArrays: ["$arr", 1]}), ev({$concatArrays: []}), ev({$reverseArray: "$arr"}), ev({$reverseArray: "$s"}), ev({$range: [0, 5, 2]}), ev({$range: [5, 0, -2]}), ev({$range: [0, 5, 0]}), ev({$range: [0, 1.5]}), ev({$isArray: "$arr"}), ev({$isArray: ["$s"]}), ev({$in: [2, "$arr"]}), ev({$in: [2, "$s"]}), ev({$in: [2, "$n"]}), ev({$zip: {inputs: [[1, 2], [3]]}}), ev({$zip: {inputs: [[1, 2], [3]], useLongestLength: true, defaults: [0, 9]}}), ev({$zip: {inputs: []}})]
//> [
//>   [ 1, 2, 3, 9 ],
//>   null,
//>   '28664 Executor error during aggregate command on namespace: test.one :: caused by :: $concatArrays only supports arrays, not int',
//>   [],
//>   [ 3, 2, 1 ],
//>   '34435 Executor error during aggregate command on namespace: test.one :: caused by :: The argument to $reverseArray must be an array, but was of type: string',
//>   [ 0, 2, 4 ],
//>   [ 5, 3, 1 ],
//>   '34449 Failed to optimize pipeline :: caused by :: $range requires a non-zero step value',
//>   '34446 Failed to optimize pipeline :: caused by :: $range requires an ending value that can be represented as a 32-bit integer',
//>   true,
//>   false,
//>   true,
//>   '40081 Executor error during aggregate command on namespace: test.one :: caused by :: $in requires an array as a second argument, found: string',
//>   '40081 Executor error during aggregate command on namespace: test.one :: caused by :: $in requires an array as a second argument, found: null',
//>   [ [ 1, 3 ] ],
//>   [ [ 1, 3 ], [ 2, 9 ] ],
//>   '34465 Invalid $project :: caused by :: $zip requires at least one input array'
//> ]
[ev({$filter: {input: "$arr", cond: {$gt: ["$$this", 1]}}}), ev({$filter: {input: "$arr", as: "x", cond: {$gt: ["$$x", 1]}, limit: 1}}), ev({$filter: {input: "$n", cond: 1}}), ev({$filter: {input: "$s", cond: 1}}), ev({$filter: {input: "$arr"}}), ev({$map: {input: "$arr", in: {$add: ["$$this", 1]}}}), ev({$map: {input: "$n", in: 1}}), ev({$map: {input: 5, in: 1}}), ev({$reduce: {input: "$arr", initialValue: 0, in: {$add: ["$$value", "$$this"]}}}), ev({$reduce: {input: null, initialValue: 0, in: 1}}), ev({$reduce: {input: 5, initialValue: 0, in: 1}}), ev({$map: {input: "$arr", as: "X", in: 1}}), ev({$map: {input: "$arr", as: "", in: 1}}), ev("$$nope"), ev({$let: {vars: {a: 1}, in: {$add: ["$$a", 1]}}})]
//> [
//>   [ 2, 3 ],
//>   [ 2 ],
//>   null,
//>   '28651 Executor error during aggregate command on namespace: test.one :: caused by :: input to $filter must be an array not string',
//>   "28650 Invalid $project :: caused by :: Missing 'cond' parameter to $filter",
//>   [ 2, 3, 4 ],
//>   null,
//>   '16883 Failed to optimize pipeline :: caused by :: input to $map must be an array not int',
//>   6,
//>   null,
//>   "40080 Failed to optimize pipeline :: caused by :: $reduce requires that 'input' be an array, found: int",
//>   "9 Invalid $project :: caused by :: 'X' starts with an invalid character for a user variable name",
//>   '9 Invalid $project :: caused by :: empty variable names are not allowed',
//>   '17276 Invalid $project :: caused by :: Use of undefined variable: nope',
//>   2
//> ]
[ev({$arrayToObject: [[["a", 1], ["b", 2]]]}), ev({$arrayToObject: {$literal: [{k: "a", v: 1}]}}), ev({$arrayToObject: "$n"}), ev({$arrayToObject: "$arr"}), ev({$objectToArray: "$o"}), ev({$objectToArray: "$arr"}), ev({$mergeObjects: ["$o", {a: 9}]}), ev({$mergeObjects: ["$n", "$o"]}), ev({$mergeObjects: [1]}), ev({$getField: "i"}), ev({$getField: {field: "a", input: "$o"}}), ev({$getField: {field: "zz", input: "$o"}}), ev({$setField: {field: "z", input: "$o", value: 1}}), ev({$unsetField: {field: "a", input: "$o"}}), ev("$o.b.c"), ev("$objs.a"), ev("$arr.0"), ev("$arr2.0"), ev({$literal: "$i"})]
//> [
//>   { a: 1, b: 2 },
//>   { a: 1 },
//>   null,
//>   '40398 Executor error during aggregate command on namespace: test.one :: caused by :: Unrecognised input type format for $arrayToObject: int',
//>   [ { k: 'a', v: 1 }, { k: 'b', v: { c: 2 } } ],
//>   '40390 Executor error during aggregate command on namespace: test.one :: caused by :: $objectToArray requires a document input, found: array',
//>   { a: 9, b: { c: 2 } },
//>   { a: 1, b: { c: 2 } },
//>   '40400 Failed to optimize pipeline :: caused by :: $mergeObjects requires object inputs, but input is of type int',
//>   1,
//>   1,
//>   'missing',
//>   { a: 1, b: { c: 2 }, z: 1 },
//>   { b: { c: 2 } },
//>   2,
//>   [ 1, 2 ],
//>   [],
//>   [],
//>   '$i'
//> ]
[ev({$sortArray: {input: [3, 1, 2], sortBy: 1}}), ev({$sortArray: {input: "$objs", sortBy: {a: -1}}}), ev({$sortArray: {input: "$n", sortBy: 1}}), ev({$sortArray: {input: 5, sortBy: 1}}), ev({$setUnion: [[1, 2], [2, 3]]}), ev({$setIntersection: [[1, 2, 2], [2, 3]]}), ev({$setDifference: [[1, 2, 2, 4], [2, 3]]}), ev({$setEquals: [[1, 1, 2], [2, 1]]}), ev({$setIsSubset: [[1], [1, 2]]}), ev({$anyElementTrue: [[0, false]]}), ev({$allElementsTrue: [[1, []]]}), ev({$setUnion: [[1], "$n"]}), ev({$setUnion: [[1], 5]}), ev({$setDifference: [[1], "$n"]}), ev({$setEquals: [[1]]})]
//> [
//>   [ 1, 2, 3 ],
//>   [ { a: 2 }, { a: 1 }, 3 ],
//>   null,
//>   '2942504 Failed to optimize pipeline :: caused by :: The input argument to $sortArray must be an array, but was of type: int',
//>   [ 1, 2, 3 ],
//>   [ 2 ],
//>   [ 1, 4 ],
//>   true,
//>   true,
//>   false,
//>   true,
//>   null,
//>   '17043 Failed to optimize pipeline :: caused by :: All operands of $setUnion must be arrays. One argument is of type: int',
//>   null,
//>   '17045 Invalid $project :: caused by :: $setEquals needs at least two arguments had: 1'
//> ]
[ev({$year: "$date"}), ev({$month: "$date"}), ev({$dayOfMonth: "$date"}), ev({$hour: "$date"}), ev({$minute: "$date"}), ev({$second: "$date"}), ev({$millisecond: "$date"}), ev({$dayOfYear: "$date"}), ev({$dayOfWeek: "$date"}), ev({$week: "$date"}), ev({$isoWeek: "$date"}), ev({$isoWeekYear: "$date"}), ev({$isoDayOfWeek: "$date"}), ev({$year: "$n"}), ev({$year: "x"}), ev({$year: "$oid"}), ev({$year: {date: "$date", timezone: "+14:00"}}), ev({$year: {date: "$date", timezone: "x"}})]
//> [
//>   2024,
//>   2,
//>   29,
//>   12,
//>   34,
//>   56,
//>   789,
//>   60,
//>   5,
//>   8,
//>   9,
//>   Long('2024'),
//>   4,
//>   null,
//>   "16006 Failed to optimize pipeline :: caused by :: can't convert from BSON type string to Date",
//>   2023,
//>   2024,
//>   '40485 Executor error during aggregate command on namespace: test.one :: caused by :: unrecognized time zone identifier: "x"'
//> ]
[ev({$dateToString: {date: "$date"}}), ev({$dateToString: {date: "$date", format: "%Y-%m-%d %H:%M:%S.%L %j %u %U %V %G %w %z %Z %% %b %B"}}), ev({$dateToString: {date: "$n"}}), ev({$dateToString: {date: "$n", onNull: "none"}}), ev({$dateToString: {date: "$date", format: "%Q"}}), ev({$dateToString: {date: "x"}}), ev({$dateToString: {date: "$date", timezone: "+02:30", format: "%H:%M %z %Z"}}), ev({$dateToParts: {date: "$date"}}), ev({$dateToParts: {date: "$date", iso8601: true}}), ev({$dateFromParts: {year: 2024, month: 14, day: -1}}), ev({$dateFromParts: {isoWeekYear: 2024, isoWeek: 1}}), ev({$dateFromParts: {year: 2024, hour: "x"}}), ev({$dateFromParts: {year: 99999}})]
//> [
//>   '2024-02-29T12:34:56.789Z',
//>   '2024-02-29 12:34:56.789 060 4 08 09 2024 5 +0000 0 % Feb February',
//>   null,
//>   'none',
//>   "18536 Executor error during aggregate command on namespace: test.one :: caused by :: Invalid format character '%Q' in format string",
//>   "16006 Failed to optimize pipeline :: caused by :: can't convert from BSON type string to Date",
//>   '15:04 +0230 150',
//>   {
//>     year: 2024,
//>     month: 2,
//>     day: 29,
//>     hour: 12,
//>     minute: 34,
//>     second: 56,
//>     millisecond: 789
//>   },
//>   {
//>     isoWeekYear: 2024,
//>     isoWeek: 9,
//>     isoDayOfWeek: 4,
//>     hour: 12,
//>     minute: 34,
//>     second: 56,
//>     millisecond: 789
//>   },
//>   ISODate('2025-01-30T00:00:00.000Z'),
//>   ISODate('2024-01-01T00:00:00.000Z'),
//>   "40515 Failed to optimize pipeline :: caused by :: 'hour' must evaluate to an integer, found string",
//>   "40523 Failed to optimize pipeline :: caused by :: 'year' must evaluate to an integer in the range 1 to 9999, found 99999"
//> ]
[ev({$dateFromString: {dateString: "2024-01-02"}}), ev({$dateFromString: {dateString: "2024-01-02T03:04:05Z"}}), ev({$dateFromString: {dateString: "02/01/2024", format: "%d/%m/%Y"}}), ev({$dateFromString: {dateString: "x"}}), ev({$dateFromString: {dateString: "x", onError: "bad"}}), ev({$dateFromString: {dateString: null, onNull: "nul"}}), ev({$dateFromString: {dateString: 5}}), ev({$dateAdd: {startDate: "$date", unit: "year", amount: 1}}), ev({$dateAdd: {startDate: ISODate("2024-01-31"), unit: "month", amount: 1}}), ev({$dateSubtract: {startDate: "$date", unit: "day", amount: 1}}), ev({$dateAdd: {startDate: "$date", unit: "x", amount: 1}}), ev({$dateAdd: {startDate: "$date", unit: "day", amount: 1.5}}), ev({$dateAdd: {startDate: "$n", unit: "day", amount: 1}}), ev({$dateDiff: {startDate: ISODate("2024-01-31"), endDate: ISODate("2024-02-01"), unit: "month"}}), ev({$dateDiff: {startDate: ISODate("2024-01-06"), endDate: ISODate("2024-01-07"), unit: "week"}}), ev({$dateDiff: {startDate: ISODate("2024-01-07"), endDate: ISODate("2024-01-08"), unit: "week", startOfWeek: "monday"}}), ev({$dateTrunc: {date: "$date", unit: "hour"}}), ev({$dateTrunc: {date: "$date", unit: "month", binSize: 5}}), ev({$dateTrunc: {date: "$date", unit: "week"}}), ev({$dateTrunc: {date: "x", unit: "week"}})]
//> [
//>   ISODate('2024-01-02T00:00:00.000Z'),
//>   ISODate('2024-01-02T03:04:05.000Z'),
//>   ISODate('2024-01-02T00:00:00.000Z'),
//>   "241 Failed to optimize pipeline :: caused by :: Error parsing date string 'x'; Unexpected character",
//>   'bad',
//>   'nul',
//>   "241 Failed to optimize pipeline :: caused by :: $dateFromString requires that 'dateString' be a string, found: int",
//>   ISODate('2025-02-28T12:34:56.789Z'),
//>   ISODate('2024-02-29T00:00:00.000Z'),
//>   ISODate('2024-02-28T12:34:56.789Z'),
//>   '9 Executor error during aggregate command on namespace: test.one :: caused by :: unknown time unit value: x',
//>   '5166405 Executor error during aggregate command on namespace: test.one :: caused by :: $dateAdd expects integer amount of time units',
//>   null,
//>   Long('1'),
//>   Long('1'),
//>   Long('1'),
//>   ISODate('2024-02-29T12:00:00.000Z'),
//>   ISODate('2023-10-01T00:00:00.000Z'),
//>   ISODate('2024-02-25T00:00:00.000Z'),
//>   "5166307 Failed to optimize pipeline :: caused by :: $dateTrunc requires 'date' to be a date, but got string"
//> ]
[ev({$toInt: "12"}), ev({$toInt: "1.5"}), ev({$toInt: 1.9}), ev({$toInt: 1e10}), ev({$toInt: "$n"}), ev({$toInt: true}), ev({$toInt: "$date"}), ev({$toLong: "9223372036854775807"}), ev({$toDouble: "1e3"}), ev({$toDouble: "x"}), ev({$toDecimal: "1.10"}), ev({$toString: 1.0}), ev({$toString: 1.5}), ev({$toString: Long(5)}), ev({$toString: "$date"}), ev({$toString: "$oid"}), ev({$toString: true}), ev({$toString: "$arr"}), ev({$toBool: "false"}), ev({$toBool: 0}), ev({$toDate: 0}), ev({$toDate: "2024-01-01"}), ev({$toDate: "$oid"}), ev({$toDate: true}), ev({$toObjectId: "650000000000000000000000"}), ev({$toObjectId: "x"}), ev({$convert: {input: "x", to: "int", onError: "bad"}}), ev({$convert: {input: null, to: "int", onNull: "nul"}}), ev({$convert: {input: 1, to: "foo"}}), ev({$convert: {input: 1, to: 2}}), ev({$type: "$missing"}), ev({$type: "$dec"}), ev({$isNumber: "$l"})]
//> [
//>   12,
//>   "241 Failed to optimize pipeline :: caused by :: Failed to parse number '1.5' in $convert with no onError value: Did not consume whole string.",
//>   1,
//>   '241 Failed to optimize pipeline :: caused by :: Conversion would overflow target type in $convert with no onError value: 1e+10',
//>   null,
//>   1,
//>   '241 Executor error during aggregate command on namespace: test.one :: caused by :: Unsupported conversion from date to int in $convert with no onError value',
//>   Long('9223372036854775807'),
//>   1000,
//>   "241 Failed to optimize pipeline :: caused by :: Failed to parse number 'x' in $convert with no onError value: Did not consume any digits",
//>   Decimal128('1.10'),
//>   '1',
//>   '1.5',
//>   '5',
//>   '2024-02-29T12:34:56.789Z',
//>   '650000000000000000000000',
//>   'true',
//>   '[1,2,3]',
//>   true,
//>   false,
//>   '241 Failed to optimize pipeline :: caused by :: Unsupported conversion from int to date in $convert with no onError value',
//>   ISODate('2024-01-01T00:00:00.000Z'),
//>   ISODate('2023-09-12T06:06:56.000Z'),
//>   '241 Failed to optimize pipeline :: caused by :: Unsupported conversion from bool to date in $convert with no onError value',
//>   ObjectId('650000000000000000000000'),
//>   "241 Failed to optimize pipeline :: caused by :: Failed to parse objectId 'x' in $convert with no onError value: Invalid string length for parsing to OID, expected 24 but found 1",
//>   'bad',
//>   'nul',
//>   '2 Failed to optimize pipeline :: caused by :: Unknown type name: foo',
//>   '1',
//>   'missing',
//>   'decimal',
//>   true
//> ]
[ev({$sum: "$arr"}), ev({$sum: [1, "x", null]}), ev({$avg: "$arr"}), ev({$avg: "$s"}), ev({$min: "$arr"}), ev({$max: [1, "a", null]}), ev({$max: []}), ev({$stdDevPop: "$arr"}), ev({$stdDevSamp: [1]}), ev({$firstN: {input: "$arr", n: 2}}), ev({$maxN: {input: "$arr", n: 2}}), ev({$foo: 1}), ev({$add: 1, $subtract: 1}), ev({a: 1, $add: []}), ev("$"), ev("$a."), ev("$$ROOT.i"), ev("$$CURRENT.i"), ev("$$REMOVE"), ev("$$NOW"), ev({$bitAnd: [6, 3]}), ev({$bitNot: 5}), ev({$bitOr: [1.5]}), ev({$tsSecond: Timestamp({t: 5, i: 1})}), ev({$binarySize: "abc"}), ev({$bsonSize: "$o"}), ev({$rand: {}}) < 1, ev({$meta: "textScore"})]
//> [
//>   6,
//>   1,
//>   2,
//>   null,
//>   1,
//>   'a',
//>   null,
//>   0.816496580927726,
//>   null,
//>   [ 1, 2 ],
//>   [ 3, 2 ],
//>   '31325 Invalid $project :: caused by :: Unknown expression $foo',
//>   '15983 Invalid $project :: caused by :: An object representing an expression must have exactly one field',
//>   "16410 Invalid $project :: caused by :: FieldPath field names may not start with '$'. Consider using $getField or $setField. Found: '$add'",
//>   "16872 Invalid $project :: caused by :: '$' by itself is not a valid FieldPath",
//>   "40353 Invalid $project :: caused by :: FieldPath must not end with a '.'.",
//>   1,
//>   1,
//>   'missing',
//>   ISODate('2026-01-01T00:00:00.000Z'),
//>   2,
//>   -6,
//>   '14 Failed to optimize pipeline :: caused by :: $bitOr only supports int and long operands.',
//>   Long('5'),
//>   3,
//>   27,
//>   true,
//>   '40218 query requires text score metadata, but it is not available'
//> ]
