// What filters are refused, and in which words.
const ask = (filter) => db.t.find(filter).toArray()
ask({ a: { $foo: 1 } })
//> MongoServerError[BadValue]: unknown operator: $foo
ask({ $foo: 1 })
//> MongoServerError[BadValue]: unknown top level operator: $foo. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.
ask({ $or: [] })
//> MongoServerError[BadValue]: $and/$or/$nor must be a nonempty array
ask({ $and: [5] })
//> MongoServerError[BadValue]: $or/$and/$nor entries need to be full objects
ask({ a: { $in: 5 } })
//> MongoServerError[BadValue]: $in needs an array
ask({ a: { $in: [{ $gt: 1 }] } })
//> MongoServerError[BadValue]: cannot nest $ under $in
ask({ a: { $not: 5 } })
//> MongoServerError[BadValue]: $not needs a regex or a document
ask({ a: { $mod: [0, 1] } })
//> MongoServerError[BadValue]: divisor cannot be 0
ask({ a: { $size: -1 } })
//> MongoServerError[FailedToParse]: Failed to parse $size. Expected a non-negative number in: $size: -1
ask({ a: { $type: "foo" } })
//> MongoServerError[BadValue]: Unknown type name alias: foo
ask({ a: { $options: "i" } })
//> MongoServerError[BadValue]: $options needs a $regex
ask({ a: { $regex: 5 } })
//> MongoServerError[BadValue]: $regex has to be a string
ask({ a: { $all: 5 } })
//> MongoServerError[BadValue]: $all needs an array
ask({ a: { $elemMatch: 5 } })
//> MongoServerError[BadValue]: $elemMatch needs an Object
ask({ a: { $bitsAllSet: -1 } })
//> MongoServerError[FailedToParse]: Expected a non-negative number in: $bitsAllSet: -1
ask({ a: { $elemMatch: { $expr: true } } })
//> MongoServerError[BadValue]: $expr can only be applied to the top-level document
ask({ $text: { $search: "x" } })
//> MongoServerError[IndexNotFound]: text index required for $text query
// Patterns have a length, and options no NUL.
db.c.find({a: {$regex: "c".repeat(16385)}}).toArray()
//> MongoServerError[Location51091]: Regular expression is invalid: pattern string is longer than the limit set by the application
db.c.find({a: {$regex: "c".repeat(16384)}}).toArray()
//> []
db.c.find({a: {$in: [new RegExp("c".repeat(16385))]}}).toArray()
//> MongoServerError[Location51091]: Regular expression is invalid: pattern string is longer than the limit set by the application
(() => { try { return db.c.find({a: {$regex: "ab", $options: "\0i"}}).toArray() } catch (e) { return e.code } })()
//> 51108
db.c.aggregate([{$project: {a: {$regexMatch: {input: "a", regex: "c".repeat(16385)}}}}]).toArray()
//> MongoServerError[Location51111]: Failed to optimize pipeline :: caused by :: Invalid Regex in $regexMatch: pattern string is longer than the limit set by the application
// What is computed may not be larger than what may be stored.
db.large.insertOne({_id: 1, s: "x".repeat(9000000)}).acknowledged
//> true
db.large.find({}, {a: "$s", b: "$s"}).toArray()
//> MongoServerError[BSONObjectTooLarge]: Executor error during find command: test.large :: caused by :: BSONObj size: 18000030 (0x112A89E) is invalid. Size must be between 0 and 16793600(16MB) First element: _id: 1
db.large.aggregate([{$project: {a: "$s", b: "$s"}}]).toArray()
//> MongoServerError[BSONObjectTooLarge]: Executor error during aggregate command on namespace: test.large :: caused by :: BSONObj size: 18000030 (0x112A89E) is invalid. Size must be between 0 and 16793600(16MB) First element: _id: 1
db.large.aggregate([{$project: {a: "$s", b: "$s"}}, {$project: {n: {$strLenBytes: "$a"}}}]).toArray()
//> [ { _id: 1, n: 9000000 } ]
