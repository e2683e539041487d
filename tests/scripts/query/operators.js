// Every query operator over one document of each type: null, missing, NaN, arrays in arrays.
//
// Manual: reference/operator/query, reference/bson-type-comparison-order
const ids = (filter) => db.q.find(filter, {_id: 1}).toArray().map(d => d._id).join(" ")
db.q.insertMany([{_id: "miss"}, {_id: "null", a: null}, {_id: "i1", a: 1}, {_id: "d1", a: Double(1)}, {_id: "l1", a: Long(1)}, {_id: "dec1", a: Decimal128("1.0")}, {_id: "nan", a: NaN}, {_id: "dnan", a: Decimal128("NaN")}, {_id: "neg0", a: -0.0}, {_id: "zero", a: 0}, {_id: "inf", a: Infinity}, {_id: "ninf", a: -Infinity}, {_id: "str", a: "abc"}, {_id: "empty", a: ""}, {_id: "arr", a: [1, 2, 3]}, {_id: "arr0", a: []}, {_id: "arrnull", a: [null]}, {_id: "arrarr", a: [[1, 2], [3]]}, {_id: "obj", a: {b: 1}}, {_id: "obj0", a: {}}, {_id: "arrobj", a: [{b: 1}, {b: 2}, 5]}, {_id: "true", a: true}, {_id: "false", a: false}, {_id: "date", a: new Date(0)}, {_id: "ts", a: Timestamp({t: 0, i: 1})}, {_id: "re", a: /abc/}, {_id: "min", a: MinKey()}, {_id: "max", a: MaxKey()}, {_id: "oid", a: ObjectId("000000000000000000000000")}, {_id: "bin", a: BinData(0, "AAAA")}, {_id: "code", a: Code("x")}]).acknowledged
//> true
ids({a: null})
//> miss null arrnull
ids({a: {$ne: null}})
//> i1 d1 l1 dec1 nan dnan neg0 zero inf ninf str empty arr arr0 arrarr obj obj0 arrobj true false date ts re min max oid bin code
ids({a: {$eq: 1}})
//> i1 d1 l1 dec1 arr
ids({a: {$gt: 0}})
//> i1 d1 l1 dec1 inf arr arrobj
ids({a: {$gte: NaN}})
//> nan dnan
ids({a: {$lt: NaN}})
//>
ids({a: NaN})
//> nan dnan
ids({a: {$lte: 0}})
//> neg0 zero ninf
ids({a: 0})
//> neg0 zero
ids({a: {$gte: null}})
//> miss null arrnull
ids({a: {$lt: null}})
//>
ids({a: {$gt: MinKey()}})
//> miss null i1 d1 l1 dec1 nan dnan neg0 zero inf ninf str empty arr arr0 arrnull arrarr obj obj0 arrobj true false date ts re max oid bin code
ids({a: {$lt: MaxKey()}})
//> miss null i1 d1 l1 dec1 nan dnan neg0 zero inf ninf str empty arr arr0 arrnull arrarr obj obj0 arrobj true false date ts re min oid bin code
ids({a: {$gte: MaxKey()}})
//> max
ids({a: []})
//> arr0
ids({a: [1, 2]})
//> arrarr
ids({a: {$gt: []}})
//> arr arrnull arrarr arrobj
ids({a: {$gte: [1]}})
//> arr arrarr arrobj
ids({a: {$lt: [2]}})
//> arr arr0 arrnull arrarr
ids({a: {}})
//> obj0
ids({a: {b: 1}})
//> obj arrobj
ids({a: {$gt: {}}})
//> obj arrobj
ids({"a.b": 1})
//> obj arrobj
ids({"a.b": null})
//> miss null i1 d1 l1 dec1 nan dnan neg0 zero inf ninf str empty obj0 true false date ts re min max oid bin code
ids({"a.b": {$exists: true}})
//> obj arrobj
ids({"a.b": {$exists: false}})
//> miss null i1 d1 l1 dec1 nan dnan neg0 zero inf ninf str empty arr arr0 arrnull arrarr obj0 true false date ts re min max oid bin code
ids({"a.0": 1})
//> arr
ids({"a.0": {$exists: true}})
//> arr arrnull arrarr arrobj
ids({"a.0.b": 1})
//> arrobj
ids({"a.0.0": 1})
//> arrarr
ids({a: {$in: [null, 1]}})
//> miss null i1 d1 l1 dec1 arr arrnull
ids({a: {$in: [/^a/, 5]}})
//> str arrobj
ids({a: {$in: []}})
//>
ids({a: {$nin: [null, 1]}})
//> nan dnan neg0 zero inf ninf str empty arr0 arrarr obj obj0 arrobj true false date ts re min max oid bin code
ids({a: {$nin: []}}).split(" ").length
//> 31
ids({a: {$not: {$gt: 0}}})
//> miss null nan dnan neg0 zero ninf str empty arr0 arrnull arrarr obj obj0 true false date ts re min max oid bin code
ids({a: {$not: /abc/}})
//> miss null i1 d1 l1 dec1 nan dnan neg0 zero inf ninf empty arr arr0 arrnull arrarr obj obj0 arrobj true false date ts min max oid bin code
ids({a: /b/})
//> str
ids({a: {$regex: "B", $options: "i"}})
//> str
ids({a: {$type: "number"}})
//> i1 d1 l1 dec1 nan dnan neg0 zero inf ninf arr arrobj
ids({a: {$type: ["string", "null"]}})
//> null str empty arrnull
ids({a: {$type: "array"}})
//> arr arr0 arrnull arrarr arrobj
ids({a: {$type: 4}})
//> arr arr0 arrnull arrarr arrobj
ids({a: {$type: -1}})
//> min
ids({a: {$type: "double"}})
//> d1 nan neg0 inf ninf
ids({a: {$size: 3}})
//> arr arrobj
ids({a: {$size: 0}})
//> arr0
ids({a: {$size: Double(2)}})
//> arrarr
ids({a: {$size: 1.5}})
//> MongoServerError[FailedToParse]: Failed to parse $size. Expected an integer: $size: 1.5
ids({a: {$size: "1"}})
//> MongoServerError[FailedToParse]: Failed to parse $size. Expected a number in: $size: "1"
ids({a: {$all: [1, 2]}})
//> arr
ids({a: {$all: []}})
//>
ids({a: {$all: [[1, 2]]}})
//> arrarr
ids({a: {$all: [null]}})
//> miss null arrnull
ids({a: {$all: [{$elemMatch: {b: 1}}]}})
//> arrobj
ids({a: {$all: [{$elemMatch: {b: 1}}, 5]}})
//> MongoServerError[BadValue]: $all/$elemMatch has to be consistent
ids({a: {$elemMatch: {$gt: 1, $lt: 3}}})
//> arr
ids({a: {$elemMatch: {b: 1}}})
//> arrobj
ids({a: {$elemMatch: {b: {$exists: false}}}})
//> arrarr
ids({a: {$elemMatch: {$in: [null]}}})
//> arrnull
ids({a: {$elemMatch: {0: 1}}})
//> arrarr
ids({a: {$elemMatch: {$elemMatch: {$gt: 2}}}})
//> arrarr
ids({a: {$elemMatch: {}}})
//> arrarr arrobj
ids({a: {$mod: [2, 1]}})
//> i1 d1 l1 dec1 arr arrobj
ids({a: {$mod: [2.9, 1.2]}})
//> i1 d1 l1 dec1 arr arrobj
ids({a: {$mod: [2]}})
//> MongoServerError[BadValue]: malformed mod, not enough elements
ids({a: {$mod: [2, 1, 3]}})
//> MongoServerError[BadValue]: malformed mod, too many elements
ids({a: {$mod: []}})
//> MongoServerError[BadValue]: malformed mod, not enough elements
ids({a: {$mod: "x"}})
//> MongoServerError[BadValue]: malformed mod, needs to be an array
ids({a: {$mod: ["x", 1]}})
//> MongoServerError[BadValue]: malformed mod, divisor not a number
ids({a: {$mod: [2, null]}})
//> MongoServerError[BadValue]: malformed mod, remainder not a number
ids({a: {$mod: [NaN, 1]}})
//> MongoServerError[BadValue]: malformed mod, divisor value is invalid :: caused by :: Unable to coerce NaN/Inf to integral type
ids({a: {$exists: false}})
//> miss
ids({a: {$exists: 0}})
//> miss
ids({a: {$bitsAllSet: 1}})
//> i1 d1 l1 dec1 arr arrobj
ids({a: {$bitsAnyClear: [0, 1]}})
//> i1 d1 l1 dec1 neg0 zero arr arrobj bin
ids({$and: [{a: {$gt: 0}}, {a: {$lt: 2}}]})
//> i1 d1 l1 dec1 arr
ids({a: {$gt: 1, $lt: 2}})
//> arr
ids({$nor: [{a: {$exists: true}}]})
//> miss
ids({$expr: {$eq: ["$a", 1]}})
//> i1 d1 l1 dec1
ids({$expr: {$gt: ["$a", null]}}).split(" ").length
//> 28
ids({$expr: {$eq: ["$a", null]}})
//> null
ids({$expr: "$a"})
//> i1 d1 l1 dec1 nan dnan inf ninf str empty arr arr0 arrnull arrarr obj obj0 arrobj true date ts re min max oid bin code
ids({a: {$comment: "x"}})
//> MongoServerError[BadValue]: unknown operator: $comment
ids({a: {$eq: /abc/}})
//> re
ids({a: {$ne: /abc/}})
//> MongoServerError[BadValue]: Can't have regex as arg to $ne.
ids({a: {$gt: /abc/}})
//> MongoServerError[BadValue]: Can't have RegEx as arg to predicate over field 'a'.
ids({a: undefined})
//> miss null arrnull
ids({a: {$gt: undefined}})
//>
ids({a: {$exists: true, $eq: null}})
//> null arrnull
ids({a: true})
//> true
ids({a: {$gte: false}})
//> true false
ids({a: {$lt: new Date(1)}})
//> date
ids({a: {$regex: /a/, $options: "i"}})
//> str
ids({a: {$regex: /a/i, $options: "m"}})
//> MongoServerError[Location51075]: options set in both $regex and $options
ids({a: {$regex: "a", $options: "q"}})
//> MongoServerError[Location51108]: invalid flag in regex options: q
ids({a: {$regex: "("}})
//> MongoServerError[Location51091]: Regular expression is invalid: <*>
ids({$where: "this.a === 1"})
//> i1 d1
ids({$jsonSchema: {required: ["a"], properties: {a: {bsonType: "int"}}}})
//> i1 zero
ids({$sampleRate: 1}).split(" ").length
//> 31
ids({a: {$not: {$size: 3}, $type: "array"}})
//> arr0 arrnull arrarr
ids({a: {$in: [[1, 2], {b: 1}]}})
//> arrarr obj arrobj
ids({a: {$in: [{$x: 1}]}})
//> MongoServerError[BadValue]: cannot nest $ under $in
ids({a: {$eq: {$x: 1}}})
//>
ids({a: {b: 1, $gt: 1}})
//>
ids({a: {$gt: 1, b: 1}})
//> MongoServerError[BadValue]: unknown operator: b
ids({$or: [{a: 1}, {a: null}]})
//> miss null i1 d1 l1 dec1 arr arrnull
ids({$or: 5})
//> MongoServerError[BadValue]: $or must be an array
ids({a: {$not: {}}})
//> MongoServerError[BadValue]: $not cannot be empty
ids({a: {$not: {$not: {$eq: 1}}}})
//> i1 d1 l1 dec1 arr
ids({a: {$not: {$regex: "abc"}}})
//> miss null i1 d1 l1 dec1 nan dnan neg0 zero inf ninf empty arr arr0 arrnull arrarr obj obj0 arrobj true false date ts min max oid bin code
ids({_id: {$lt: "d"}})
//> arr arr0 arrarr arrnull arrobj bin code
ids({"": 1})
//>
ids({"a.": 1})
//>
ids({"a..b": null}).split(" ").length
//> 27
ids({"a.-1": 1})
//>
