// Update operators on single values: numbers of every type, paths that lead nowhere, what is refused.
//
// Manual: reference/operator/update-field
const up = (doc, update, options) => { db.u.drop(); db.u.insertOne(doc); const r = db.runCommand({update: "u", updates: [{q: (options && options.q) || {}, u: update, ...(options && options.o || {})}]}); print(r.writeErrors ? r.writeErrors[0].code + " " + r.writeErrors[0].errmsg : "n=" + r.n + " m=" + r.nModified); return db.u.findOne() }
up({_id: 1, a: 1}, {$inc: {a: 1}})
//> n=1 m=1
//> { _id: 1, a: 2 }
up({_id: 1, a: 2147483647}, {$inc: {a: 1}})
//> n=1 m=1
//> { _id: 1, a: Long('2147483648') }
up({_id: 1, a: Long("9223372036854775807")}, {$inc: {a: 1}})
//> 2 Plan executor error during update :: caused by :: Failed to apply $inc operations to current value ((NumberLong)9223372036854775807) for document {_id: 1}
//> { _id: 1, a: Long('9223372036854775807') }
up({_id: 1, a: 1.5}, {$inc: {a: Long(2)}})
//> n=1 m=1
//> { _id: 1, a: 3.5 }
up({_id: 1, a: Decimal128("1.10")}, {$inc: {a: 2}})
//> n=1 m=1
//> { _id: 1, a: Decimal128('3.10') }
up({_id: 1, a: 1}, {$inc: {a: Decimal128("1.5")}})
//> n=1 m=1
//> { _id: 1, a: Decimal128('2.5') }
up({_id: 1, a: 1}, {$inc: {a: NaN}})
//> n=1 m=1
//> { _id: 1, a: NaN }
up({_id: 1, a: -0.0}, {$inc: {a: 0}})
//> n=1 m=0
//> { _id: 1, a: -0 }
up({_id: 1, a: null}, {$inc: {a: 1}})
//> 14 Plan executor error during update :: caused by :: Cannot apply $inc to a value of non-numeric type. {_id: 1} has the field 'a' of non-numeric type null
//> { _id: 1, a: null }
up({_id: 1, a: "x"}, {$inc: {a: 1}})
//> 14 Plan executor error during update :: caused by :: Cannot apply $inc to a value of non-numeric type. {_id: 1} has the field 'a' of non-numeric type string
//> { _id: 1, a: 'x' }
up({_id: 1}, {$inc: {a: "x"}})
//> 14 Cannot increment with non-numeric argument: {a: "x"}
//> { _id: 1 }
up({_id: 1}, {$inc: {a: null}})
//> 14 Cannot increment with non-numeric argument: {a: null}
//> { _id: 1 }
up({_id: 1, a: [1, 2]}, {$inc: {"a.1": 5}})
//> n=1 m=1
//> { _id: 1, a: [ 1, 7 ] }
up({_id: 1, a: [1, 2]}, {$inc: {"a.4": 5}})
//> n=1 m=1
//> { _id: 1, a: [ 1, 2, null, null, 5 ] }
up({_id: 1, a: [1, 2]}, {$inc: {"a.b": 5}})
//> 28 Plan executor error during update :: caused by :: Cannot create field 'b' in element {a: [ 1, 2 ]}
//> { _id: 1, a: [ 1, 2 ] }
up({_id: 1, a: 1}, {$inc: {"a.b": 5}})
//> 28 Plan executor error during update :: caused by :: Cannot create field 'b' in element {a: 1}
//> { _id: 1, a: 1 }
up({_id: 1, a: 1}, {$inc: {a: 0}})
//> n=1 m=0
//> { _id: 1, a: 1 }
up({_id: 1, a: 1}, {$inc: {a: Long(0)}})
//> n=1 m=1
//> { _id: 1, a: Long('1') }
up({_id: 1, a: 1}, {$inc: {a: 0.0}})
//> n=1 m=0
//> { _id: 1, a: 1 }
up({_id: 1}, {$mul: {a: Long(5)}})
//> n=1 m=1
//> { _id: 1, a: Long('0') }
up({_id: 1}, {$mul: {a: 5.5}})
//> n=1 m=1
//> { _id: 1, a: 0 }
up({_id: 1}, {$mul: {a: Decimal128("2.0")}})
//> n=1 m=1
//> { _id: 1, a: Decimal128('0.0') }
up({_id: 1, a: 2147483647}, {$mul: {a: 2}})
//> n=1 m=1
//> { _id: 1, a: Long('4294967294') }
up({_id: 1, a: Long("9223372036854775807")}, {$mul: {a: 2}})
//> 2 Plan executor error during update :: caused by :: Failed to apply $mul operations to current value ((NumberLong)9223372036854775807) for document {_id: 1}
//> { _id: 1, a: Long('9223372036854775807') }
up({_id: 1, a: "x"}, {$mul: {a: 2}})
//> 14 Plan executor error during update :: caused by :: Cannot apply $mul to a value of non-numeric type. {_id: 1} has the field 'a' of non-numeric type string
//> { _id: 1, a: 'x' }
up({_id: 1, a: 3}, {$mul: {a: 1}})
//> n=1 m=0
//> { _id: 1, a: 3 }
up({_id: 1, a: 3}, {$min: {a: 2}})
//> n=1 m=1
//> { _id: 1, a: 2 }
up({_id: 1, a: 3}, {$min: {a: 3.0}})
//> n=1 m=0
//> { _id: 1, a: 3 }
up({_id: 1, a: 3}, {$min: {a: null}})
//> n=1 m=1
//> { _id: 1, a: null }
up({_id: 1, a: 3}, {$max: {a: null}})
//> n=1 m=0
//> { _id: 1, a: 3 }
up({_id: 1}, {$max: {a: null}})
//> n=1 m=1
//> { _id: 1, a: null }
up({_id: 1, a: 3}, {$max: {a: "z"}})
//> n=1 m=1
//> { _id: 1, a: 'z' }
up({_id: 1, a: 3}, {$max: {a: [1]}})
//> n=1 m=1
//> { _id: 1, a: [ 1 ] }
up({_id: 1, a: 1, b: 2}, {$unset: {a: "", c: 1, "b.x": 1}})
//> n=1 m=1
//> { _id: 1, b: 2 }
up({_id: 1, a: [1, 2, 3]}, {$unset: {"a.1": ""}})
//> n=1 m=1
//> { _id: 1, a: [ 1, null, 3 ] }
up({_id: 1, a: [1, 2, 3]}, {$unset: {"a.7": ""}})
//> n=1 m=0
//> { _id: 1, a: [ 1, 2, 3 ] }
up({_id: 1, a: [1, 2, 3]}, {$unset: {"a.b": ""}})
//> n=1 m=0
//> { _id: 1, a: [ 1, 2, 3 ] }
up({_id: 1, a: 1}, {$unset: {_id: 1}})
//> 66 Plan executor error during update :: caused by :: Performing an update on the path '_id' would modify the immutable field '_id'
//> { _id: 1, a: 1 }
up({_id: 1, a: 1}, {$set: {_id: 1}})
//> n=1 m=0
//> { _id: 1, a: 1 }
up({_id: 1, a: 1}, {$set: {_id: 2}})
//> 66 Plan executor error during update :: caused by :: Performing an update on the path '_id' would modify the immutable field '_id'
//> { _id: 1, a: 1 }
up({_id: 1, a: 1}, {$set: {_id: 1.0}})
//> n=1 m=0
//> { _id: 1, a: 1 }
up({_id: {a: 1}, a: 1}, {$set: {"_id.a": 2}})
//> 66 Plan executor error during update :: caused by :: Performing an update on the path '_id.a' would modify the immutable field '_id'
//> { _id: { a: 1 }, a: 1 }
up({_id: 1, a: 1}, {$set: {b: 2, a: 3, "c.d": 1, "0": 1}})
//> n=1 m=1
//> { '0': 1, _id: 1, a: 3, b: 2, c: { d: 1 } }
up({_id: 1, a: 1}, {$set: {z: 1, "10": 1, "9": 1, y: 1, "a1": 2}})
//> n=1 m=1
//> { '9': 1, '10': 1, _id: 1, a: 1, a1: 2, y: 1, z: 1 }
up({_id: 1, a: 1}, {$set: {a: 1, "a.b": 2}})
//> 40 Updating the path 'a.b' would create a conflict at 'a'
//> { _id: 1, a: 1 }
up({_id: 1, a: 1}, {$set: {a: 1}, $unset: {a: 1}})
//> 40 Updating the path 'a' would create a conflict at 'a'
//> { _id: 1, a: 1 }
up({_id: 1, a: 1}, {$set: {"": 1}})
//> 56 An empty update path is not valid.
//> { _id: 1, a: 1 }
up({_id: 1, a: 1}, {$set: {"a.": 1}})
//> 56 The update path 'a.' contains an empty field name, which is not allowed.
//> { _id: 1, a: 1 }
up({_id: 1, a: 1}, {$set: {".a": 1}})
//> 56 The update path '.a' contains an empty field name, which is not allowed.
//> { _id: 1, a: 1 }
up({_id: 1, a: 1}, {$set: {"a..b": 1}})
//> 56 The update path 'a..b' contains an empty field name, which is not allowed.
//> { _id: 1, a: 1 }
up({_id: 1, a: 1}, {$set: {$x: 1}})
//> 52 Plan executor error during update :: caused by :: The dollar ($) prefixed field '$x' in '$x' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.
//> { _id: 1, a: 1 }
up({_id: 1, a: 1}, {$set: {"b.$x": 1}})
//> n=1 m=1
//> { _id: 1, a: 1, b: { '$x': 1 } }
up({_id: 1, a: 1}, {$set: {b: {$x: 1}}})
//> n=1 m=1
//> { _id: 1, a: 1, b: { '$x': 1 } }
up({_id: 1, a: 1}, {$set: {}})
//> n=1 m=0
//> { _id: 1, a: 1 }
up({_id: 1, a: 1}, {$set: 5})
//> 9 Modifiers operate on fields but we found type int instead. For example: {$mod: {<field>: ...}} not {$set: 5}
//> { _id: 1, a: 1 }
up({_id: 1, a: 1}, {$foo: {a: 1}})
//> 9 Unknown modifier: $foo. Expected a valid update modifier or pipeline-style update specified as an array
//> { _id: 1, a: 1 }
up({_id: 1, a: 1}, {$set: {a: 2}, b: 1})
//> 9 Unknown modifier: b. Expected a valid update modifier or pipeline-style update specified as an array
//> { _id: 1, a: 1 }
up({_id: 1, a: 1}, {b: 1, $set: {a: 2}})
//> 52 Plan executor error during update :: caused by :: The dollar ($) prefixed field '$set' in '$set' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.
//> { _id: 1, a: 1 }
up({_id: 1, a: null}, {$set: {"a.b": 2}})
//> 28 Plan executor error during update :: caused by :: Cannot create field 'b' in element {a: null}
//> { _id: 1, a: null }
up({_id: 1, a: [{b: 1}, {b: 2}]}, {$set: {"a.b": 2}})
//> 28 Plan executor error during update :: caused by :: Cannot create field 'b' in element {a: [ { b: 1 }, { b: 2 } ]}
//> { _id: 1, a: [ { b: 1 }, { b: 2 } ] }
up({_id: 1, a: [1]}, {$set: {"a.3": 2}})
//> n=1 m=1
//> { _id: 1, a: [ 1, null, null, 2 ] }
up({_id: 1, a: [1]}, {$set: {"a.1600000": 2}})
//> 34 Plan executor error during update :: caused by :: can't backfill more than 1500000 elements
//> { _id: 1, a: [ 1 ] }
up({_id: 1, a: [1]}, {$set: {"a.03": 2}})
//> 28 Plan executor error during update :: caused by :: Cannot create field '03' in element {a: [ 1 ]}
//> { _id: 1, a: [ 1 ] }
up({_id: 1, a: [1]}, {$set: {"a.-1": 2}})
//> 28 Plan executor error during update :: caused by :: Cannot create field '-1' in element {a: [ 1 ]}
//> { _id: 1, a: [ 1 ] }
