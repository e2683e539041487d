// The accumulators that take arrays in.
//
// Manual: reference/operator/aggregation/concatArrays, reference/operator/aggregation/setUnion
db.orders.insertMany([
  { _id: 1, who: "Ana", items: ["tea", "cup"], at: 1 },
  { _id: 2, who: "Ana", items: ["tea"], at: 2 },
  { _id: 3, who: "Bo", items: [], at: 3 },
  { _id: 4, who: "Bo", at: 4 },
  { _id: 5, who: "Ana", items: [["pot"], null, "TEA"], at: 5 },
]).acknowledged
//> true
db.orders.aggregate([{ $group: { _id: "$who", all: { $concatArrays: "$items" } } }, { $sort: { _id: 1 } }])
//> [
//>   { _id: 'Ana', all: [ 'tea', 'cup', 'tea', [ 'pot' ], null, 'TEA' ] },
//>   { _id: 'Bo', all: [] }
//> ]
db.orders.aggregate([{ $group: { _id: "$who", all: { $setUnion: "$items" } } }, { $sort: { _id: 1 } }])
//> [
//>   { _id: 'Ana', all: [ 'tea', 'cup', [ 'pot' ], null, 'TEA' ] },
//>   { _id: 'Bo', all: [] }
//> ]
db.orders.aggregate([{ $group: { _id: null, all: { $setUnion: "$items" } } }], { collation: { locale: "en", strength: 2 } })
//> [
//>   { _id: null, all: [ 'tea', 'cup', [ 'pot' ], null ] }
//> ]
// In windows.
db.orders.aggregate([
  { $setWindowFields: { sortBy: { at: 1 }, output: { all: { $concatArrays: "$items", window: { documents: [-1, 0] } } } } },
  { $project: { all: 1 } },
])
//> [
//>   { _id: 1, all: [ 'tea', 'cup' ] },
//>   { _id: 2, all: [ 'tea', 'cup', 'tea' ] },
//>   { _id: 3, all: [ 'tea' ] },
//>   { _id: 4, all: [] },
//>   { _id: 5, all: [ [ 'pot' ], null, 'TEA' ] }
//> ]
db.orders.aggregate([
  { $setWindowFields: { partitionBy: "$who", output: { all: { $setUnion: "$items" } } } },
  { $project: { all: 1 } }, { $sort: { _id: 1 } },
])
//> [
//>   { _id: 1, all: [ 'tea', 'cup', [ 'pot' ], null, 'TEA' ] },
//>   { _id: 2, all: [ 'tea', 'cup', [ 'pot' ], null, 'TEA' ] },
//>   { _id: 3, all: [] },
//>   { _id: 4, all: [] },
//>   { _id: 5, all: [ 'tea', 'cup', [ 'pot' ], null, 'TEA' ] }
//> ]
// Any other value than an array is refused, null too.
db.orders.insertOne({ _id: 6, who: "Cy", items: null })
//> { acknowledged: true, insertedId: 6 }
db.orders.aggregate([{ $group: { _id: "$who", all: { $concatArrays: "$items" } } }])
//> MongoServerError[TypeMismatch]: Executor error during aggregate command on namespace: test.orders :: caused by :: $concatArrays requires array inputs, but input null is of type null
db.orders.aggregate([{ $group: { _id: "$who", all: { $setUnion: "$who" } } }])
//> MongoServerError[TypeMismatch]: Executor error during aggregate command on namespace: test.orders :: caused by :: $setUnion requires array inputs, but input "Ana" is of type string
db.orders.aggregate([{ $group: { _id: "$who", all: { $concatArrays: ["$items", "$items"] } } }])
//> MongoServerError[Location40237]: The $concatArrays accumulator is a unary operator
db.orders.aggregate([{ $group: { _id: "$who", all: { $setUnion: [] } } }])
//> MongoServerError[Location40237]: The $setUnion accumulator is a unary operator
