// Filters on bits: by mask, by positions and by binary data; negative numbers, doubles, binary fields and refusals.
//
// Manual: reference/operator/query-bitwise
const ids = (filter) => { try { return db.valves.find(filter).sort({_id: 1}).toArray().map((d) => d._id) } catch (x) { return x.code + " " + x.message } }
db.valves.insertMany([{_id: 1, bits: 54}, {_id: 2, bits: 20}, {_id: 3, bits: 20.0}, {_id: 4, bits: Binary.createFromBase64("Zg==", 0)}, {_id: 5, bits: Long(-1)}, {_id: 6, bits: 2.5}, {_id: 7, bits: "54"}, {_id: 8, bits: null}, {_id: 9}, {_id: 10, bits: Decimal128("20")}, {_id: 11, bits: [1, 54]}, {_id: 12, bits: 0}]).acknowledged
//> true
// 54 is 00110110, 20 is 00010100, Zg== is 01100110.
[ids({bits: {$bitsAllSet: [1, 5]}}), ids({bits: {$bitsAllSet: 50}}), ids({bits: {$bitsAllSet: Binary.createFromBase64("MA==", 0)}})]
//> [ [ 1, 4, 5, 11 ], [ 1, 5, 11 ], [ 1, 5, 11 ] ]
[ids({bits: {$bitsAllClear: [1, 5]}}), ids({bits: {$bitsAllClear: 35}}), ids({bits: {$bitsAllClear: Binary.createFromBase64("IA==", 0)}})]
//> [ [ 2, 3, 10, 11, 12 ], [ 2, 3, 10, 12 ], [ 2, 3, 10, 11, 12 ] ]
[ids({bits: {$bitsAnySet: [1, 5]}}), ids({bits: {$bitsAnySet: 35}}), ids({bits: {$bitsAnySet: [63]}}), ids({bits: {$bitsAnySet: [200]}})]
//> [ [ 1, 4, 5, 11 ], [ 1, 4, 5, 11 ], [ 5 ], [ 5 ] ]
[ids({bits: {$bitsAnyClear: [1, 5]}}), ids({bits: {$bitsAnyClear: 35}}), ids({bits: {$bitsAnyClear: [200]}})]
//> [
//>   [ 2, 3, 10, 11, 12 ],
//>   [
//>      1,  2,  3, 4,
//>     10, 11, 12
//>   ],
//>   [
//>      1,  2,  3, 4,
//>     10, 11, 12
//>   ]
//> ]
// No bit at all: all of none are set and clear, not any.
[ids({bits: {$bitsAllSet: 0}}), ids({bits: {$bitsAllClear: []}}), ids({bits: {$bitsAnySet: 0}}), ids({bits: {$bitsAnyClear: []}})]
//> [
//>   [
//>     1,  2,  3,  4,
//>     5, 10, 11, 12
//>   ],
//>   [
//>     1,  2,  3,  4,
//>     5, 10, 11, 12
//>   ],
//>   [],
//>   []
//> ]
ids({bits: {$not: {$bitsAnySet: [1, 5]}}})
//> [
//>   2, 3,  6,  7,
//>   8, 9, 10, 12
//> ]
["$bitsAllClear", "$bitsAllSet", "$bitsAnyClear", "$bitsAnySet"].map((name) => [ids({bits: {[name]: -1}}), ids({bits: {[name]: 1.5}}), ids({bits: {[name]: "1"}}), ids({bits: {[name]: [-1]}}), ids({bits: {[name]: [1.5]}}), ids({bits: {[name]: ["1"]}}), ids({bits: {[name]: null}})])
//> [
//>   [
//>     '9 Expected a non-negative number in: $bitsAllClear: -1',
//>     '9 Expected an integer: $bitsAllClear: 1.5',
//>     '2 bits takes an Array, a number, or a BinData but received: $bitsAllClear: "1"',
//>     '2 bit positions must be >= 0 but got: 0: -1',
//>     '2 bit positions must be an integer but got: 0: 1.5',
//>     '2 bit positions must be an integer but got: 0: "1"',
//>     '2 bits takes an Array, a number, or a BinData but received: $bitsAllClear: null'
//>   ],
//>   [
//>     '9 Expected a non-negative number in: $bitsAllSet: -1',
//>     '9 Expected an integer: $bitsAllSet: 1.5',
//>     '2 bits takes an Array, a number, or a BinData but received: $bitsAllSet: "1"',
//>     '2 bit positions must be >= 0 but got: 0: -1',
//>     '2 bit positions must be an integer but got: 0: 1.5',
//>     '2 bit positions must be an integer but got: 0: "1"',
//>     '2 bits takes an Array, a number, or a BinData but received: $bitsAllSet: null'
//>   ],
//>   [
//>     '9 Expected a non-negative number in: $bitsAnyClear: -1',
//>     '9 Expected an integer: $bitsAnyClear: 1.5',
//>     '2 bits takes an Array, a number, or a BinData but received: $bitsAnyClear: "1"',
//>     '2 bit positions must be >= 0 but got: 0: -1',
//>     '2 bit positions must be an integer but got: 0: 1.5',
//>     '2 bit positions must be an integer but got: 0: "1"',
//>     '2 bits takes an Array, a number, or a BinData but received: $bitsAnyClear: null'
//>   ],
//>   [
//>     '9 Expected a non-negative number in: $bitsAnySet: -1',
//>     '9 Expected an integer: $bitsAnySet: 1.5',
//>     '2 bits takes an Array, a number, or a BinData but received: $bitsAnySet: "1"',
//>     '2 bit positions must be >= 0 but got: 0: -1',
//>     '2 bit positions must be an integer but got: 0: 1.5',
//>     '2 bit positions must be an integer but got: 0: "1"',
//>     '2 bits takes an Array, a number, or a BinData but received: $bitsAnySet: null'
//>   ]
//> ]
[ids({$alwaysTrue: 1}).length, ids({$alwaysFalse: 1}), ids({$alwaysTrue: 1, _id: 3}), ids({$alwaysTrue: 2}), ids({$alwaysFalse: "x"}), ids({$or: [{$alwaysFalse: 1}, {_id: 4}]}), ids({bits: {$alwaysTrue: 1}})]
//> [
//>   12,
//>   [],
//>   [ 3 ],
//>   '9 $alwaysTrue must be an integer value of 1',
//>   '9 Expected a number in: $alwaysFalse: "x"',
//>   [ 4 ],
//>   '2 unknown operator: $alwaysTrue'
//> ]
