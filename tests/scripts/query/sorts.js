// How values of all types, absent fields and arrays sort: "Comparison/Sort Order", "cursor.sort()".
db.t.insertMany([
  { _id: 1, a: [3, 20] },
  { _id: 2, a: 10 },
  { _id: 3, a: "10" },
  { _id: 4 },
  { _id: 5, a: null },
  { _id: 6, a: [] },
  { _id: 7, a: { b: 1 } },
  { _id: 8, a: true },
  { _id: 9, a: 10.5 },
])
const order = (pattern) => db.t.find().sort(pattern).toArray().map((one) => one._id).join(" ")
order({ a: 1, _id: 1 })
//> 6 4 5 1 2 9 3 7 8
order({ a: -1, _id: 1 })
//> 8 7 3 1 9 2 4 5 6
order({ a: 2 })
//> MongoInvalidArgumentError: Invalid sort direction: 2
order({ a: "up" })
//> MongoInvalidArgumentError: Invalid sort direction: "up"
db.runCommand({ find: "t", sort: { a: 2 } })
//> MongoServerError[Location15975]: $sort key ordering must be 1 (for ascending) or -1 (for descending)
db.runCommand({ find: "t", sort: { a: "up" } })
//> MongoServerError[Location15974]: Illegal key in $sort specification: a: "up"
// The driver's other ways of writing an order.
order("a") === order({ a: 1 }) && order(["a", "desc"]) === order({ a: -1 }) && order(["a", "_id"]) === order({ a: 1, _id: 1 })
//> true
order([["a", "descending"], ["_id", 1]]) === order({ a: -1, _id: 1 }) && order(new Map([["a", "asc"], ["_id", 1]])) === order({ a: 1, _id: 1 })
//> true
order([["a", 0]])
//> MongoInvalidArgumentError: Invalid sort direction: 0
db.t.findOneAndUpdate({ a: { $type: "number" } }, { $set: { last: 1 } }, { sort: [["_id", "desc"]], projection: { _id: 1 } })
//> { _id: 9 }
db.t.updateOne({ a: { $type: "number" } }, { $unset: { last: 1 } }, { sort: ["_id", -1] }).modifiedCount
//> 1
order({ a: { $meta: "textScore" } })
//> MongoServerError[Location40218]: query requires text score metadata, but it is not available
order({ $natural: -1 })
//> 9 8 7 6 5 4 3 2 1
db.u.insertMany([{ _id: 1, a: [1], b: [2] }])
db.u.find().sort({ a: 1, b: 1 })
//> MongoServerError[BadValue]: Executor error during find command: test.u :: caused by :: cannot sort with keys that are parallel arrays
