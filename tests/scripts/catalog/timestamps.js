// Timestamps that the server fills in: zero at the top level, and $currentDate. Each is later than the last.
// Manual: reference/bson-types (Timestamps), reference/operator/update/currentDate

const zero = () => Timestamp({ t: 0, i: 0 })
db.t.insertOne({ _id: 1, a: zero(), b: zero(), c: { d: zero() }, e: [zero()] }).acknowledged
//> true
db.t.findOne()
//> {
//>   _id: 1,
//>   a: Timestamp({ t: 1767225600, i: 2 }),
//>   b: Timestamp({ t: 1767225600, i: 3 }),
//>   c: { d: Timestamp({ t: 0, i: 0 }) },
//>   e: [ Timestamp({ t: 0, i: 0 }) ]
//> }
db.t.updateOne({ _id: 1 }, { $currentDate: { x: { $type: "timestamp" }, y: { $type: "timestamp" } }, $unset: { a: 1, b: 1, c: 1, e: 1 } }).modifiedCount
//> 1
db.t.findOne()
//> {
//>   _id: 1,
//>   x: Timestamp({ t: 1767225600, i: 5 }),
//>   y: Timestamp({ t: 1767225600, i: 6 })
//> }
db.t.replaceOne({ _id: 1 }, { r: zero() }).modifiedCount
//> 1
db.t.findOne()
//> { _id: 1, r: Timestamp({ t: 1767225600, i: 8 }) }
db.t.updateOne({ _id: 1 }, { $set: { r: zero() } }).modifiedCount
//> 1
db.t.findOne()
//> { _id: 1, r: Timestamp({ t: 0, i: 0 }) }
clock.advance("1s")
db.t.replaceOne({ _id: 1 }, { r: zero() }).modifiedCount
//> 1
db.t.findOne()
//> { _id: 1, r: Timestamp({ t: 1767225601, i: 1 }) }
