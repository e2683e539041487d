// $bucketAuto with a granularity: boundaries from the Renard, E and 1-2-5 series and powers of two; what it refuses.
//
// Manual: reference/operator/aggregation/bucketAuto
const buckets = (granularity, n = 5, coll = "things") => { try { return db[coll].aggregate([{$bucketAuto: {groupBy: "$v", buckets: n, granularity}}]).toArray().map((b) => [b._id.min, b._id.max, b.count]) } catch (x) { return x.code + " " + x.message } }
for (let i = 0; i < 100; i++) db.things.insertOne({_id: i, v: i})
//> { acknowledged: true, insertedId: 99 }
["R20", "E24", "1-2-5", "POWERSOF2"].map((g) => [g, buckets(g)])
//> [
//>   [
//>     'R20',
//>     [
//>       [ 0, 20, 20 ],
//>       [ 20, 40, 20 ],
//>       [ 40, 63, 23 ],
//>       [ 63, 90, 27 ],
//>       [ 90, 100, 10 ]
//>     ]
//>   ],
//>   [
//>     'E24',
//>     [
//>       [ 0, 20, 20 ],
//>       [ 20, 43, 23 ],
//>       [ 43, 68, 25 ],
//>       [ 68, 91, 23 ],
//>       [ 91, 100, 9 ]
//>     ]
//>   ],
//>   [ '1-2-5', [ [ 0, 20, 20 ], [ 20, 50, 30 ], [ 50, 100, 50 ] ] ],
//>   [ 'POWERSOF2', [ [ 0, 32, 32 ], [ 32, 64, 32 ], [ 64, 128, 36 ] ] ]
//> ]
["R5", "R10", "R40", "R80", "E6", "E12", "E48", "E96", "E192"].map((g) => [g, buckets(g, 3)])
//> [
//>   [ 'R5', [ [ 0, 40, 40 ], [ 40, 100, 60 ] ] ],
//>   [ 'R10', [ [ 0, 40, 40 ], [ 40, 80, 40 ], [ 80, 100, 20 ] ] ],
//>   [ 'R40', [ [ 0, 35.5, 36 ], [ 35.5, 71, 35 ], [ 71, 100, 29 ] ] ],
//>   [ 'R80', [ [ 0, 32.5, 33 ], [ 32.5, 69, 36 ], [ 69, 103, 31 ] ] ],
//>   [ 'E6', [ [ 0, 33, 33 ], [ 33, 68, 35 ], [ 68, 100, 32 ] ] ],
//>   [ 'E12', [ [ 0, 33, 33 ], [ 33, 68, 35 ], [ 68, 100, 32 ] ] ],
//>   [
//>     'E48',
//>     [
//>       [ 0, 33.2, 34 ],
//>       [ 33.2, 68.10000000000001, 35 ],
//>       [ 68.10000000000001, 100, 31 ]
//>     ]
//>   ],
//>   [ 'E96', [ [ 0, 32.4, 33 ], [ 32.4, 66.5, 34 ], [ 66.5, 100, 33 ] ] ],
//>   [
//>     'E192',
//>     [ [ 0, 32.4, 33 ], [ 32.4, 65.7, 33 ], [ 65.7, 100, 34 ] ]
//>   ]
//> ]
db.few.insertMany([{v: 0}, {v: 0}, {v: 0.3}, {v: 7}, {v: NumberDecimal("7")}, {v: NumberLong(5000000000)}]).acknowledged
//> true
["R5", "E6", "1-2-5", "POWERSOF2"].map((g) => [g, buckets(g, 3, "few")])
//> [
//>   [ 'R5', [ [ 0, 0.25, 2 ], [ 0.25, 10, 3 ], [ 10, 6300000000, 1 ] ] ],
//>   [ 'E6', [ [ 0, 0.22, 2 ], [ 0.22, 10, 3 ], [ 10, 6800000000, 1 ] ] ],
//>   [
//>     '1-2-5',
//>     [ [ 0, 0.2, 2 ], [ 0.2, 10, 3 ], [ 10, 10000000000, 1 ] ]
//>   ],
//>   [
//>     'POWERSOF2',
//>     [ [ 0, 0.25, 2 ], [ 0.25, 8, 3 ], [ 8, Long('8589934592'), 1 ] ]
//>   ]
//> ]
[buckets(5), buckets("R6"), buckets("r5"), buckets(null)]
//> [
//>   "40261 The $bucketAuto 'granularity' field must be a string, but found type: int",
//>   "40257 Unknown rounding granularity 'R6'",
//>   "40257 Unknown rounding granularity 'r5'",
//>   "40261 The $bucketAuto 'granularity' field must be a string, but found type: null"
//> ]
db.bad.insertOne({v: "x"}); buckets("R5", 2, "bad")
//> 40258 Executor error during aggregate command on namespace: test.bad :: caused by :: $bucketAuto can specify a 'granularity' with numeric boundaries only, but found a value with type: string
db.bad.updateOne({}, {$set: {v: -1}}); buckets("R5", 2, "bad")
//> 40260 Executor error during aggregate command on namespace: test.bad :: caused by :: $bucketAuto can specify a 'granularity' with non-negative numbers only, but found a negative number
db.bad.updateOne({}, {$set: {v: NaN}}); buckets("POWERSOF2", 2, "bad")
//> 40259 Executor error during aggregate command on namespace: test.bad :: caused by :: $bucketAuto can specify a 'granularity' with numeric boundaries only, but found a NaN
