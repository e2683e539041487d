// $lookup by a unique field, of which later expressions read paths alone: each kind of path over what is joined once, never, and to many.
//
// Manual: reference/operator/aggregation/lookup, reference/operator/aggregation/first, core/field-paths
db.kinds.insertMany([{ _id: "a", size: { w: 1, h: { m: 2 } }, tags: ["x", "y"], name: "A" }, { _id: "b", size: [{ w: 3 }, { w: 4 }], name: "B" }, { _id: "c", size: 5 }, { _id: 4, size: { w: [6, 7], h: { m: [{ n: 8 }, { n: 9 }] } }, name: null }]).acknowledged
//> true
db.things.insertMany([{ _id: 1, kind: "a" }, { _id: 2, kind: "b" }, { _id: 3, kind: "c" }, { _id: 4, kind: 4.0 }, { _id: 5, kind: "none" }, { _id: 6 }, { _id: 7, kind: ["a", "c"] }, { _id: 8, kind: null }, { _id: 9, kind: "a" }]).acknowledged
//> true
const joined = { $lookup: { from: "kinds", localField: "kind", foreignField: "_id", as: "found" } };
const shown = (fields) => db.things.aggregate([joined, { $project: fields }]).toArray().map((thing) => [thing._id, thing.v]);
shown({ v: { $first: "$found.size.w" } })
//> [
//>   [ 1, 1 ],
//>   [ 2, [ 3, 4 ] ],
//>   [ 3, undefined ],
//>   [ 4, [ 6, 7 ] ],
//>   [ 5, undefined ],
//>   [ 6, undefined ],
//>   [ 7, 1 ],
//>   [ 8, undefined ],
//>   [ 9, 1 ]
//> ]
shown({ v: { $last: "$found.size.h.m.n" } })
//> [
//>   [ 1, undefined ],
//>   [ 2, [] ],
//>   [ 3, undefined ],
//>   [ 4, [ 8, 9 ] ],
//>   [ 5, undefined ],
//>   [ 6, undefined ],
//>   [ 7, undefined ],
//>   [ 8, undefined ],
//>   [ 9, undefined ]
//> ]
shown({ v: "$found.size.w" })
//> [
//>   [ 1, [ 1 ] ],
//>   [ 2, [ [ 3, 4 ] ] ],
//>   [ 3, [] ],
//>   [ 4, [ [ 6, 7 ] ] ],
//>   [ 5, [] ],
//>   [ 6, [] ],
//>   [ 7, [ 1 ] ],
//>   [ 8, [] ],
//>   [ 9, [ 1 ] ]
//> ]
shown({ v: { $concatArrays: ["$found.name", "$found.size.h.m.n"] } })
//> [
//>   [ 1, [ 'A' ] ],
//>   [ 2, [ 'B', [] ] ],
//>   [ 3, [] ],
//>   [ 4, [ null, [ 8, 9 ] ] ],
//>   [ 5, [] ],
//>   [ 6, [] ],
//>   [ 7, [ 'A' ] ],
//>   [ 8, [] ],
//>   [ 9, [ 'A' ] ]
//> ]
// A path and one below it.
shown({ v: [{ $first: "$found.size" }, { $first: "$found.size.h.m" }] })
//> [
//>   [
//>     1,
//>     [ { w: 1, h: { m: 2 } }, 2 ]
//>   ],
//>   [
//>     2,
//>     [ [ { w: 3 }, { w: 4 } ], [] ]
//>   ],
//>   [ 3, [ 5, null ] ],
//>   [
//>     4,
//>     [
//>       {
//>         w: [ 6, 7 ],
//>         h: { m: [ { n: 8 }, { n: 9 } ] }
//>       },
//>       [ { n: 8 }, { n: 9 } ]
//>     ]
//>   ],
//>   [ 5, [ null, null ] ],
//>   [ 6, [ null, null ] ],
//>   [
//>     7,
//>     [ { w: 1, h: { m: 2 } }, 2 ]
//>   ],
//>   [ 8, [ null, null ] ],
//>   [
//>     9,
//>     [ { w: 1, h: { m: 2 } }, 2 ]
//>   ]
//> ]
shown({ v: { n: { $size: "$found.tags" }, name: { $ifNull: [{ $arrayElemAt: ["$found.name", 0] }, "?"] } } })
//> [
//>   [ 1, { n: 1, name: 'A' } ],
//>   [ 2, { n: 0, name: 'B' } ],
//>   [ 3, { n: 0, name: '?' } ],
//>   [ 4, { n: 0, name: '?' } ],
//>   [ 5, { n: 0, name: '?' } ],
//>   [ 6, { n: 0, name: '?' } ],
//>   [ 7, { n: 1, name: 'A' } ],
//>   [ 8, { n: 0, name: '?' } ],
//>   [ 9, { n: 1, name: 'A' } ]
//> ]
// As much of the whole documents.
shown({ v: { $size: "$found" } })
//> [
//>   [ 1, 1 ], [ 2, 1 ],
//>   [ 3, 1 ], [ 4, 1 ],
//>   [ 5, 0 ], [ 6, 0 ],
//>   [ 7, 2 ], [ 8, 0 ],
//>   [ 9, 1 ]
//> ]
db.things.aggregate([joined, { $addFields: { found: { $first: "$found.size.w" }, n: { $sum: "$found.size.w" } } }]).toArray()
//> [
//>   { _id: 1, kind: 'a', found: 1, n: 1 },
//>   { _id: 2, kind: 'b', found: [ 3, 4 ], n: 0 },
//>   { _id: 3, kind: 'c', n: 0 },
//>   { _id: 4, kind: 4, found: [ 6, 7 ], n: 0 },
//>   { _id: 5, kind: 'none', n: 0 },
//>   { _id: 6, n: 0 },
//>   { _id: 7, kind: [ 'a', 'c' ], found: 1, n: 1 },
//>   { _id: 8, kind: null, n: 0 },
//>   { _id: 9, kind: 'a', found: 1, n: 1 }
//> ]
db.things.aggregate([joined, { $match: { _id: { $lt: 4 } } }, { $project: { "a.b": { $first: "$found.name" }, kind: 1 } }, { $group: { _id: "$a.b", kinds: { $push: "$kind" } } }]).toArray()
//> [
//>   { _id: 'A', kinds: [ 'a' ] },
//>   { _id: 'B', kinds: [ 'b' ] },
//>   { _id: null, kinds: [ 'c' ] }
//> ]
