// What equality and ranges find among null, absent fields, arrays and types: "Query for Null or Missing Fields", "Query an Array".
db.t.insertMany([
  { _id: 1, a: 5 },
  { _id: 2, a: [1, 9] },
  { _id: 3, a: null },
  { _id: 4 },
  { _id: 5, a: "5" },
  { _id: 6, a: [] },
  { _id: 7, a: [[5]] },
  { _id: 8, a: { b: 5, c: 6 } },
  { _id: 9, a: NaN },
])
const ids = (filter) => db.t.find(filter).sort({ _id: 1 }).toArray().map((one) => one._id).join(" ")
ids({ a: 5 })
//> 1
ids({ a: null })
//> 3 4
ids({ a: { $ne: null } })
//> 1 2 5 6 7 8 9
ids({ a: { $exists: false } })
//> 4
// One item above 3 and another below 6 will do, unless $elemMatch asks for one item.
ids({ a: { $gt: 3, $lt: 6 } })
//> 1 2
ids({ a: { $gt: 6, $lt: 4 } })
//> 2
ids({ a: { $elemMatch: { $gt: 3, $lt: 6 } } })
//>
ids({ a: [5] })
//> 7
ids({ a: [] })
//> 6
ids({ a: { c: 6, b: 5 } })
//>
ids({ a: { b: 5, c: 6 } })
//> 8
ids({ "a.b": 5 })
//> 8
ids({ "a.0": 1 })
//> 2
ids({ a: { $size: 0 } })
//> 6
ids({ a: { $type: "number" } })
//> 1 2 9
ids({ a: { $type: "array" } })
//> 2 6 7
ids({ a: { $lt: 100 } })
//> 1 2
ids({ a: NaN })
//> 9
ids({ a: { $in: [null, /^5/] } })
//> 3 4 5
ids({ a: { $nin: [5, null] } })
//> 2 5 6 7 8 9
ids({ a: { $not: { $gte: 5 } } })
//> 3 4 5 6 7 8 9
ids({ a: { $mod: [2, 1] } })
//> 1 2
ids({ $expr: { $eq: ["$a", "$_id"] } })
//>
ids({ $or: [{ a: 5 }, { a: { $all: [1, 9] } }], _id: { $lt: 9 } })
//> 1 2
ids({ $jsonSchema: { required: ["a"], properties: { a: { bsonType: ["int", "string"] } } } })
//> 1 5
// MinKey and MaxKey may stand without their parentheses.
db.ends.insertOne({_id: 1, a: MinKey, b: MaxKey}).acknowledged
//> true
db.ends.findOne()
//> { _id: 1, a: MinKey(), b: MaxKey() }
db.ends.find({a: {$lt: MaxKey, $gte: MinKey}, _id: {$gt: MinKey}}).toArray().length
//> 1
