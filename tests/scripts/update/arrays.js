// Update operators on arrays and names: $rename, $currentDate, $push, $addToSet, $pull, $pop, $bit, positions.
//
// Manual: reference/operator/update-array, reference/operator/update/rename
const up = (doc, update, options) => { db.u.drop(); db.u.insertOne(doc); const r = db.runCommand({update: "u", updates: [{q: (options && options.q) || {}, u: update, ...(options && options.o || {})}]}); print(r.writeErrors ? r.writeErrors[0].code + " " + r.writeErrors[0].errmsg : "n=" + r.n + " m=" + r.nModified); return db.u.findOne() }
up({_id: 1, a: 1}, {$rename: {a: "b"}})
//> n=1 m=1
//> { _id: 1, b: 1 }
up({_id: 1, a: 1, b: 2, c: 3}, {$rename: {a: "b"}})
//> n=1 m=1
//> { _id: 1, b: 1, c: 3 }
up({_id: 1, a: 1}, {$rename: {a: "b.c"}})
//> n=1 m=1
//> { _id: 1, b: { c: 1 } }
up({_id: 1, a: 1}, {$rename: {x: "b"}})
//> n=1 m=0
//> { _id: 1, a: 1 }
up({_id: 1, a: 5}, {$rename: {"a.b": "c"}})
//> 28 Plan executor error during update :: caused by :: cannot use the part (a of a.b) to traverse the element ({a: 5})
//> { _id: 1, a: 5 }
up({_id: 1, a: 5}, {$rename: {"a.b.c": "c"}})
//> 28 Plan executor error during update :: caused by :: cannot use the part (a of a.b.c) to traverse the element ({a: 5})
//> { _id: 1, a: 5 }
up({_id: 1, a: 5, c: 1}, {$rename: {"c": "a.b"}})
//> 28 Plan executor error during update :: caused by :: Cannot create field 'b' in element {a: 5}
//> { _id: 1, a: 5, c: 1 }
up({_id: 1, c: 5, a: [1]}, {$rename: {"c": "a.0"}})
//> 2 Plan executor error during update :: caused by :: The destination field cannot be an array element, 'a.0' in doc with _id: 1 has an array field called 'a'
//> { _id: 1, c: 5, a: [ 1 ] }
up({_id: 1, c: 5, a: [1]}, {$rename: {"a.0": "d"}})
//> 2 Plan executor error during update :: caused by :: The source field cannot be an array element, 'a.0' in doc with _id: 1 has an array field called 'a'
//> { _id: 1, c: 5, a: [ 1 ] }
up({_id: 1, c: 5, a: [1]}, {$rename: {"a.x": "d"}})
//> 28 Plan executor error during update :: caused by :: cannot use the part (a of a.x) to traverse the element ({a: [ 1 ]})
//> { _id: 1, c: 5, a: [ 1 ] }
up({_id: 1, c: 5, a: [{x: 1}]}, {$rename: {"a.0.x": "d"}})
//> 2 Plan executor error during update :: caused by :: The source field cannot be an array element, 'a.0.x' in doc with _id: 1 has an array field called 'a'
//> { _id: 1, c: 5, a: [ { x: 1 } ] }
up({_id: 1, c: 5}, {$rename: {c: "c"}})
//> 2 The source and target field for $rename must differ: c: "c"
//> { _id: 1, c: 5 }
up({_id: 1, c: 5}, {$rename: {c: "c.d"}})
//> 2 The source and target field for $rename must not be on the same path: c: "c.d"
//> { _id: 1, c: 5 }
up({_id: 1, c: 5}, {$rename: {c: 5}})
//> 2 The 'to' field for $rename must be a string: c: 5
//> { _id: 1, c: 5 }
up({_id: 1, c: 5}, {$rename: {c: "a.$"}})
//> 2 The destination field for $rename may not be dynamic: a.$
//> { _id: 1, c: 5 }
up({_id: 1, c: 5}, {$rename: {"c.$[]": "a"}})
//> 2 The source field for $rename may not be dynamic: c.$[]
//> { _id: 1, c: 5 }
up({_id: 1, c: 5}, {$rename: {_id: "a"}})
//> 66 Plan executor error during update :: caused by :: Unsetting the path '_id' using $rename would modify the immutable field '_id'
//> { _id: 1, c: 5 }
up({_id: 1, c: 5}, {$rename: {c: "_id"}})
//> 66 Plan executor error during update :: caused by :: Updating the path '_id' to _id: 5 would modify the immutable field '_id'
//> { _id: 1, c: 5 }
up({_id: 1, c: 5}, {$rename: {c: ""}})
//> 56 An empty update path is not valid.
//> { _id: 1, c: 5 }
up({_id: 1, c: 5}, {$rename: {c: "d", d: "e"}})
//> 40 Updating the path 'd' would create a conflict at 'd'
//> { _id: 1, c: 5 }
up({_id: 1, c: 5, d: 6}, {$rename: {c: "d"}, $set: {d: 1}})
//> 40 Updating the path 'd' would create a conflict at 'd'
//> { _id: 1, c: 5, d: 6 }
up({_id: 1}, {$currentDate: {a: true, b: {$type: "timestamp"}, c: {$type: "date"}, d: false}})
//> n=1 m=1
//> {
//>   _id: 1,
//>   a: ISODate('2026-01-01T00:00:00.000Z'),
//>   b: Timestamp({ t: 1767225600, i: <*> }),
//>   c: ISODate('2026-01-01T00:00:00.000Z'),
//>   d: ISODate('2026-01-01T00:00:00.000Z')
//> }
up({_id: 1}, {$currentDate: {a: {$type: "x"}}})
//> 2 The '$type' string field is required to be 'date' or 'timestamp': {$currentDate: {field : {$type: 'date'}}}
//> { _id: 1 }
up({_id: 1}, {$currentDate: {a: {$type: 5}}})
//> 2 The '$type' string field is required to be 'date' or 'timestamp': {$currentDate: {field : {$type: 'date'}}}
//> { _id: 1 }
up({_id: 1}, {$currentDate: {a: {$foo: 5}}})
//> 2 Unrecognized $currentDate option: $foo
//> { _id: 1 }
up({_id: 1}, {$currentDate: {a: 1}})
//> 2 int is not valid type for $currentDate. Please use a boolean ('true') or a $type expression ({$type: 'timestamp/date'}).
//> { _id: 1 }
up({_id: 1}, {$currentDate: {a: {}}})
//> 2 The '$type' string field is required to be 'date' or 'timestamp': {$currentDate: {field : {$type: 'date'}}}
//> { _id: 1 }
up({_id: 1, a: 1}, {$push: {a: 1}})
//> 2 Plan executor error during update :: caused by :: The field 'a' must be an array but is of type int in document {_id: 1}
//> { _id: 1, a: 1 }
up({_id: 1}, {$push: {a: 1}})
//> n=1 m=1
//> { _id: 1, a: [ 1 ] }
up({_id: 1, a: null}, {$push: {a: 1}})
//> 2 Plan executor error during update :: caused by :: The field 'a' must be an array but is of type null in document {_id: 1}
//> { _id: 1, a: null }
up({_id: 1}, {$push: {a: {$each: []}}})
//> n=1 m=1
//> { _id: 1, a: [] }
up({_id: 1, a: [1]}, {$push: {a: [2, 3]}})
//> n=1 m=1
//> { _id: 1, a: [ 1, [ 2, 3 ] ] }
up({_id: 1, a: [1]}, {$push: {a: {$each: [2, 3], $position: 0}}})
//> n=1 m=1
//> { _id: 1, a: [ 2, 3, 1 ] }
up({_id: 1, a: [1, 2, 3]}, {$push: {a: {$each: [9], $position: -1}}})
//> n=1 m=1
//> { _id: 1, a: [ 1, 2, 9, 3 ] }
up({_id: 1, a: [1, 2, 3]}, {$push: {a: {$each: [9], $position: 1.5}}})
//> 2 The value for $position must be an integer value, not of type: double
//> { _id: 1, a: [ 1, 2, 3 ] }
up({_id: 1, a: [1, 2, 3]}, {$push: {a: {$each: [9], $position: "a"}}})
//> 2 The value for $position must be an integer value, not of type: string
//> { _id: 1, a: [ 1, 2, 3 ] }
up({_id: 1, a: [1, 2, 3]}, {$push: {a: {$each: [9], $slice: -2}}})
//> n=1 m=1
//> { _id: 1, a: [ 3, 9 ] }
up({_id: 1, a: [1, 2, 3]}, {$push: {a: {$each: [9], $slice: 2}}})
//> n=1 m=1
//> { _id: 1, a: [ 1, 2 ] }
up({_id: 1, a: [1, 2, 3]}, {$push: {a: {$each: [9], $slice: 0}}})
//> n=1 m=1
//> { _id: 1, a: [] }
up({_id: 1, a: [1, 2, 3]}, {$push: {a: {$each: [9], $slice: 1.5}}})
//> 2 The value for $slice must be an integer value but was given type: double
//> { _id: 1, a: [ 1, 2, 3 ] }
up({_id: 1, a: [1, 2, 3]}, {$push: {a: {$each: [9], $slice: "x"}}})
//> 2 The value for $slice must be an integer value but was given type: string
//> { _id: 1, a: [ 1, 2, 3 ] }
up({_id: 1, a: [3, 1]}, {$push: {a: {$each: [2], $sort: 1}}})
//> n=1 m=1
//> { _id: 1, a: [ 1, 2, 3 ] }
up({_id: 1, a: [3, "x", null, 1]}, {$push: {a: {$each: [{}], $sort: -1}}})
//> n=1 m=1
//> { _id: 1, a: [ {}, 'x', 3, 1, null ] }
up({_id: 1, a: [{x: 3}, {x: 1}, 5]}, {$push: {a: {$each: [{x: 2}], $sort: {x: -1}}}})
//> n=1 m=1
//> { _id: 1, a: [ { x: 3 }, { x: 2 }, { x: 1 }, 5 ] }
up({_id: 1, a: [1]}, {$push: {a: {$each: [2], $sort: 2}}})
//> 2 The $sort element value must be either 1 or -1
//> { _id: 1, a: [ 1 ] }
up({_id: 1, a: [1]}, {$push: {a: {$each: [2], $sort: {}}}})
//> 2 The $sort pattern is empty when it should be a set of fields.
//> { _id: 1, a: [ 1 ] }
up({_id: 1, a: [1]}, {$push: {a: {$each: [2], $sort: {x: 3}}}})
//> 2 The $sort element value must be either 1 or -1
//> { _id: 1, a: [ 1 ] }
up({_id: 1, a: [1]}, {$push: {a: {$each: [2], $sort: "x"}}})
//> 2 The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort embedded fields
//> { _id: 1, a: [ 1 ] }
up({_id: 1, a: [1]}, {$push: {a: {$each: [2], $foo: 1}}})
//> 2 Unrecognized clause in $push: $foo
//> { _id: 1, a: [ 1 ] }
up({_id: 1, a: [1]}, {$push: {a: {$slice: 1}}})
//> n=1 m=1
//> { _id: 1, a: [ 1, { '$slice': 1 } ] }
up({_id: 1, a: [1]}, {$push: {a: {$each: 5}}})
//> 2 The argument to $each in $push must be an array but it was of type: int
//> { _id: 1, a: [ 1 ] }
up({_id: 1, a: [1]}, {$push: {a: {$each: [1], $each: [2]}}})
//> n=1 m=1
//> { _id: 1, a: [ 1, 2 ] }
up({_id: 1, a: [1, 2]}, {$addToSet: {a: 2}})
//> n=1 m=0
//> { _id: 1, a: [ 1, 2 ] }
up({_id: 1, a: [1, 2]}, {$addToSet: {a: 2.0}})
//> n=1 m=0
//> { _id: 1, a: [ 1, 2 ] }
up({_id: 1, a: [1, 2]}, {$addToSet: {a: {$each: [2, 3, 3, 4]}}})
//> n=1 m=1
//> { _id: 1, a: [ 1, 2, 3, 4 ] }
up({_id: 1, a: [1, 2]}, {$addToSet: {a: [1]}})
//> n=1 m=1
//> { _id: 1, a: [ 1, 2, [ 1 ] ] }
up({_id: 1, a: [{x: 1, y: 2}]}, {$addToSet: {a: {y: 2, x: 1}}})
//> n=1 m=1
//> { _id: 1, a: [ { x: 1, y: 2 }, { y: 2, x: 1 } ] }
up({_id: 1, a: 5}, {$addToSet: {a: 1}})
//> 2 Plan executor error during update :: caused by :: Cannot apply $addToSet to non-array field. Field named 'a' has non-array type int
//> { _id: 1, a: 5 }
up({_id: 1}, {$addToSet: {a: {$each: []}}})
//> n=1 m=1
//> { _id: 1, a: [] }
up({_id: 1, a: [1, 2]}, {$addToSet: {a: {$each: 5}}})
//> 14 The argument to $each in $addToSet must be an array but it was of type int
//> { _id: 1, a: [ 1, 2 ] }
up({_id: 1, a: [1, 2]}, {$addToSet: {a: {$each: [1], $slice: 5}}})
//> 2 Found unexpected fields after $each in $addToSet: { $each: [ 1 ], $slice: 5 }
//> { _id: 1, a: [ 1, 2 ] }
up({_id: 1, a: [1, 2]}, {$addToSet: {a: {$foo: [1]}}})
//> n=1 m=1
//> {
//>   _id: 1,
//>   a: [ 1, 2, { '$foo': [ 1 ] } ]
//> }
up({_id: 1, a: [1, 2, 3, 2]}, {$pull: {a: 2}})
//> n=1 m=1
//> { _id: 1, a: [ 1, 3 ] }
up({_id: 1, a: [1, 2, 3, 2]}, {$pull: {a: {$gte: 2}}})
//> n=1 m=1
//> { _id: 1, a: [ 1 ] }
up({_id: 1, a: [{x: 1, y: 1}, {x: 1}, {x: 2}]}, {$pull: {a: {x: 1}}})
//> n=1 m=1
//> { _id: 1, a: [ { x: 2 } ] }
up({_id: 1, a: [{x: 1, y: 1}, {x: 1}, {x: 2}]}, {$pull: {a: {x: {$gte: 2}}}})
//> n=1 m=1
//> { _id: 1, a: [ { x: 1, y: 1 }, { x: 1 } ] }
up({_id: 1, a: [[1, 2], [3], 4]}, {$pull: {a: {$gte: 3}}})
//> n=1 m=1
//> { _id: 1, a: [ [ 1, 2 ] ] }
up({_id: 1, a: [[1, 2], [3], 4]}, {$pull: {a: 3}})
//> n=1 m=0
//> { _id: 1, a: [ [ 1, 2 ], [ 3 ], 4 ] }
up({_id: 1, a: [[1, 2], [3], 4]}, {$pull: {a: [3]}})
//> n=1 m=1
//> { _id: 1, a: [ [ 1, 2 ], 4 ] }
up({_id: 1, a: [[1, 2], [3], 4]}, {$pull: {a: {$in: [3, [1, 2]]}}})
//> n=1 m=1
//> { _id: 1, a: [ 4 ] }
up({_id: 1, a: [[1, 2], [3], 4]}, {$pull: {a: {$size: 1}}})
//> n=1 m=1
//> { _id: 1, a: [ [ 1, 2 ], 4 ] }
up({_id: 1, a: [[1, 2], [3], 4]}, {$pull: {a: {$elemMatch: {$gt: 2}}}})
//> n=1 m=1
//> { _id: 1, a: [ [ 1, 2 ], 4 ] }
up({_id: 1, a: [[1, 2], [3], 4]}, {$pull: {a: {$type: "array"}}})
//> n=1 m=1
//> { _id: 1, a: [ 4 ] }
up({_id: 1, a: [[1, 2], [3], 4]}, {$pull: {a: {$all: [1, 2]}}})
//> n=1 m=1
//> { _id: 1, a: [ [ 3 ], 4 ] }
up({_id: 1, a: [[1, 2], [3], 4]}, {$pull: {a: {$ne: 4}}})
//> n=1 m=1
//> { _id: 1, a: [ 4 ] }
up({_id: 1, a: [null, 1, {}]}, {$pull: {a: null}})
//> n=1 m=1
//> { _id: 1, a: [ 1, {} ] }
up({_id: 1, a: [null, 1, {}, {x: null}]}, {$pull: {a: {x: null}}})
//> n=1 m=1
//> { _id: 1, a: [ null, 1 ] }
up({_id: 1, a: ["abc", "b", 1]}, {$pull: {a: /b/}})
//> n=1 m=1
//> { _id: 1, a: [ 1 ] }
up({_id: 1, a: [/b/, "b", 1]}, {$pull: {a: /b/}})
//> n=1 m=1
//> { _id: 1, a: [ 1 ] }
up({_id: 1, a: [1, 2]}, {$pull: {a: {}}})
//> n=1 m=0
//> { _id: 1, a: [ 1, 2 ] }
up({_id: 1, a: [{x: 1}, 2]}, {$pull: {a: {}}})
//> n=1 m=1
//> { _id: 1, a: [ 2 ] }
up({_id: 1, a: [{x: 1}, {y: 2}]}, {$pull: {a: {$or: [{x: 1}, {y: 2}]}}})
//> n=1 m=1
//> { _id: 1, a: [] }
up({_id: 1, a: 5}, {$pull: {a: 1}})
//> 2 Plan executor error during update :: caused by :: Cannot apply $pull to a non-array value
//> { _id: 1, a: 5 }
up({_id: 1}, {$pull: {a: 1}})
//> n=1 m=0
//> { _id: 1 }
up({_id: 1, a: [1, 2, 3, [1]]}, {$pullAll: {a: [1, 3.0]}})
//> n=1 m=1
//> { _id: 1, a: [ 2, [ 1 ] ] }
up({_id: 1, a: [1, 2, 3]}, {$pullAll: {a: 1}})
//> 2 $pullAll requires an array argument but was given a int
//> { _id: 1, a: [ 1, 2, 3 ] }
up({_id: 1, a: 1}, {$pullAll: {a: [1]}})
//> 2 Plan executor error during update :: caused by :: Cannot apply $pull to a non-array value
//> { _id: 1, a: 1 }
up({_id: 1, a: [1, 2, 3]}, {$pop: {a: 1}})
//> n=1 m=1
//> { _id: 1, a: [ 1, 2 ] }
up({_id: 1, a: [1, 2, 3]}, {$pop: {a: -1}})
//> n=1 m=1
//> { _id: 1, a: [ 2, 3 ] }
up({_id: 1, a: [1, 2, 3]}, {$pop: {a: 2}})
//> 9 $pop expects 1 or -1, found: 2
//> { _id: 1, a: [ 1, 2, 3 ] }
up({_id: 1, a: [1, 2, 3]}, {$pop: {a: "x"}})
//> 9 Expected a number in: a: "x"
//> { _id: 1, a: [ 1, 2, 3 ] }
up({_id: 1, a: []}, {$pop: {a: 1}})
//> n=1 m=0
//> { _id: 1, a: [] }
up({_id: 1, a: 5}, {$pop: {a: 1}})
//> 14 Plan executor error during update :: caused by :: Path 'a' contains an element of non-array type 'int'
//> { _id: 1, a: 5 }
up({_id: 1}, {$pop: {a: 1}})
//> n=1 m=0
//> { _id: 1 }
up({_id: 1, a: 5}, {$pop: {"a.b": 1}})
//> 28 Plan executor error during update :: caused by :: Cannot use the part (b) of (a.b) to traverse the element ({a: 5})
//> { _id: 1, a: 5 }
up({_id: 1, a: 13}, {$bit: {a: {and: 10}}})
//> n=1 m=1
//> { _id: 1, a: 8 }
up({_id: 1, a: 13}, {$bit: {a: {or: Long(1), xor: 1}}})
//> n=1 m=1
//> { _id: 1, a: Long('12') }
up({_id: 1, a: 1.5}, {$bit: {a: {or: 1}}})
//> 2 Plan executor error during update :: caused by :: Cannot apply $bit to a value of non-integral type._id: 1 has the field a of non-integer type double
//> { _id: 1, a: 1.5 }
up({_id: 1}, {$bit: {a: {or: 1.5}}})
//> 2 The $bit modifier field must be an Integer(32/64 bit); a 'double' is not supported here: {or: 1.5}
//> { _id: 1 }
up({_id: 1}, {$bit: {a: {nor: 1}}})
//> 2 The $bit modifier only supports 'and', 'or', and 'xor', not 'nor' which is an unknown operator: {nor: 1}
//> { _id: 1 }
up({_id: 1}, {$bit: {a: {}}})
//> 2 You must pass in at least one bitwise operation. The format is: {$bit: {field: {and/or/xor: #}}
//> { _id: 1 }
up({_id: 1}, {$bit: {a: {or: 6}}})
//> n=1 m=1
//> { _id: 1, a: 6 }
up({_id: 1}, {$bit: {a: 6}})
//> 2 The $bit modifier is not compatible with a int. You must pass in an embedded document: {$bit: {field: {and/or/xor: #}}
//> { _id: 1 }
up({_id: 1, a: [1, 2, 3]}, {$set: {"a.$": 9}}, {q: {a: 2}})
//> n=1 m=1
//> { _id: 1, a: [ 1, 9, 3 ] }
up({_id: 1, a: [1, 2, 3]}, {$set: {"a.$": 9}}, {q: {}})
//> 2 Plan executor error during update :: caused by :: The positional operator did not find the match needed from the query.
//> { _id: 1, a: [ 1, 2, 3 ] }
up({_id: 1, a: [{x: 1}, {x: 2}]}, {$set: {"a.$.x": 9}}, {q: {"a.x": 2}})
//> n=1 m=1
//> { _id: 1, a: [ { x: 1 }, { x: 9 } ] }
up({_id: 1, a: [1, 2, 3]}, {$set: {"a.$[]": 9}})
//> n=1 m=1
//> { _id: 1, a: [ 9, 9, 9 ] }
up({_id: 1, a: [1, 2, 3]}, {$set: {"a.$[i]": 9}}, {o: {arrayFilters: [{i: {$gt: 1}}]}})
//> n=1 m=1
//> { _id: 1, a: [ 1, 9, 9 ] }
up({_id: 1, a: [1, 2, 3]}, {$set: {"a.$[i]": 9}})
//> 2 No array filter found for identifier 'i' in path 'a.$[i]'
//> { _id: 1, a: [ 1, 2, 3 ] }
up({_id: 1, a: [1, 2, 3]}, {$set: {"a.b": 9}}, {o: {arrayFilters: [{i: {$gt: 1}}]}})
//> 9 The array filter for identifier 'i' was not used in the update { $set: { a.b: 9 } }
//> { _id: 1, a: [ 1, 2, 3 ] }
up({_id: 1, a: 3}, {$set: {"a.$[]": 9}})
//> 2 Plan executor error during update :: caused by :: Cannot apply array updates to non-array element a: 3
//> { _id: 1, a: 3 }
up({_id: 1}, {$set: {"a.$[]": 9}})
//> 2 Plan executor error during update :: caused by :: The path 'a' must exist in the document in order to apply array updates.
//> { _id: 1 }
up({_id: 1, a: [1, 2]}, {$unset: {"a.$": 1}}, {q: {a: 1}})
//> n=1 m=1
//> { _id: 1, a: [ null, 2 ] }
up({_id: 1, a: [1, 2]}, {$set: {"$": 1}}, {q: {a: 1}})
//> 2 Cannot have positional (i.e. '$') element in the first position in path '$'
//> { _id: 1, a: [ 1, 2 ] }
up({_id: 1, a: [1, 2]}, {$set: {"a.$.$": 1}}, {q: {a: 1}})
//> 2 Too many positional (i.e. '$') elements found in path 'a.$.$'
//> { _id: 1, a: [ 1, 2 ] }
