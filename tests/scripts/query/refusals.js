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
ask({ a: { $geoWithin: { $centerSphere: [[0, 0], 1] } } })
//> MongoServerError[NotImplemented]: $geoWithin is not supported
