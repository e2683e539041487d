// Fields whose names begin with $: a pipeline stores them, a replacement does not.
//
// Manual: core/dot-dollar-considerations/dollar-prefix
const up = (u) => { try { db.c.updateOne({_id: 1}, u); return db.c.findOne({_id: 1}) } catch (e) { return e.code + " " + e.message } }
db.c.insertOne({_id: 1, a: 1})
//> { acknowledged: true, insertedId: 1 }
up([{$replaceWith: {$setField: {field: {$literal: "$price"}, input: "$$ROOT", value: 5}}}])
//> { _id: 1, a: 1, '$price': 5 }
up([{$replaceWith: {$setField: {field: {$literal: "$price"}, input: "$$ROOT", value: 6}}}])
//> { _id: 1, a: 1, '$price': 6 }
up([{$replaceRoot: {newRoot: {$literal: {_id: 1, $a: 1, "b.c": 2, n: {$d: 3}}}}}])
//> { _id: 1, '$a': 1, 'b.c': 2, n: { '$d': 3 } }
up([{$set: {seen: {$getField: {$literal: "$a"}}}}])
//> { _id: 1, '$a': 1, 'b.c': 2, n: { '$d': 3 }, seen: 1 }
up([{$replaceWith: {$unsetField: {field: {$literal: "$a"}, input: "$$ROOT"}}}])
//> { _id: 1, 'b.c': 2, n: { '$d': 3 }, seen: 1 }
db.c.findOneAndUpdate({_id: 1}, [{$replaceWith: {$literal: {$b: 1}}}], {returnDocument: "after"})
//> { _id: 1, '$b': 1 }
db.c.updateOne({_id: 2}, [{$replaceWith: {$mergeObjects: ["$$ROOT", {$literal: {$c: 1}}]}}], {upsert: true}).upsertedCount
//> 1
db.c.findOne({_id: 2})
//> { _id: 2, '$c': 1 }
// A field path and the `_id` stay what they were, and so does what is no pipeline.
up([{$set: {$a: 1}}])
//> 16410 Invalid $set :: caused by :: FieldPath field names may not start with '$'. Consider using $getField or $setField. Found: '$a'
up([{$replaceWith: {$literal: {_id: {$a: 1}}}}])
//> 52 Plan executor error during update :: caused by :: _id fields may not contain '$'-prefixed fields: $a is not valid for storage.
up({x: 1, $a: 1})
//> undefined Update document requires atomic operators
try { db.c.replaceOne({_id: 1}, {x: 1, $a: 1}) } catch (e) { print(e.code + " " + e.message) }
//> 52 Plan executor error during update :: caused by :: The dollar ($) prefixed field '$a' in '$a' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.
db.c.aggregate([{$replaceWith: {$setField: {field: {$literal: "$p"}, input: {a: "$x"}, value: 1}}}, {$limit: 1}]).toArray()
//> [ { '$p': 1 } ]
// Operators write no such name at the top level of a document that is there; what they find there already they may take away.
db.d.insertOne({_id: 1, $a: 1, l: [1], x: 1}).acknowledged
//> true
const on = (u, more = {}) => { const r = db.runCommand({update: "d", updates: [{q: {_id: 1}, u, ...more}]}); return r.writeErrors ? r.writeErrors[0].code + " " + r.writeErrors[0].errmsg : {n: r.n, nModified: r.nModified} }
[on({$inc: {$a: 1}}), on({$mul: {$a: 2}}), on({$max: {$a: 5}}), on({$min: {$a: 0}}), on({$set: {$a: 2}}), on({$currentDate: {$a: true}}), on({$bit: {$a: {or: 6}}}), on({$set: {$new: 1}}), on({$push: {$new: 1}}), on({$set: {"$new.a": 1}}), on({$rename: {x: "$a"}})]
//> [
//>   "52 Plan executor error during update :: caused by :: The dollar ($) prefixed field '$a' in '$a' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.",
//>   "52 Plan executor error during update :: caused by :: The dollar ($) prefixed field '$a' in '$a' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.",
//>   "52 Plan executor error during update :: caused by :: The dollar ($) prefixed field '$a' in '$a' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.",
//>   "52 Plan executor error during update :: caused by :: The dollar ($) prefixed field '$a' in '$a' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.",
//>   "52 Plan executor error during update :: caused by :: The dollar ($) prefixed field '$a' in '$a' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.",
//>   "52 Plan executor error during update :: caused by :: The dollar ($) prefixed field '$a' in '$a' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.",
//>   "52 Plan executor error during update :: caused by :: The dollar ($) prefixed field '$a' in '$a' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.",
//>   "52 Plan executor error during update :: caused by :: The dollar ($) prefixed field '$new' in '$new' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.",
//>   "52 Plan executor error during update :: caused by :: The dollar ($) prefixed field '$new' in '$new' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.",
//>   "52 Plan executor error during update :: caused by :: The dollar ($) prefixed field '$new' in '$new' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.",
//>   "52 Plan executor error during update :: caused by :: The dollar ($) prefixed field '$a' in '$a' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith."
//> ]
// What changes nothing is no write: a number that is large enough, a field that is not there, a name below the top level.
[on({$max: {$a: 0}}), on({$set: {$a: 1}}), on({$setOnInsert: {$b: 1}}), on({$unset: {$b: 1}}), on({$rename: {$b: "c"}}), on({$pull: {$b: 1}})]
//> [
//>   { n: 1, nModified: 0 },
//>   { n: 1, nModified: 0 },
//>   { n: 1, nModified: 0 },
//>   { n: 1, nModified: 0 },
//>   { n: 1, nModified: 0 },
//>   { n: 1, nModified: 0 }
//> ]
[on({$set: {"m.$n": 1, "m.o": {$p: 1}}}), on({$inc: {"m.$n": 2}}), on({$push: {l: {$q: 1}}}), on({$set: {"l.1": {$r: 1}}}), on({$rename: {$a: "a"}}), db.d.findOne({_id: 1})]
//> [
//>   { n: 1, nModified: 1 },
//>   { n: 1, nModified: 1 },
//>   { n: 1, nModified: 1 },
//>   { n: 1, nModified: 1 },
//>   { n: 1, nModified: 1 },
//>   {
//>     _id: 1,
//>     l: [ 1, { '$r': 1 } ],
//>     x: 1,
//>     m: { '$n': 3, o: { '$p': 1 } },
//>     a: 1
//>   }
//> ]
// An upsert that inserts may write them, as an insert may; only an `_id` has none.
[db.d.updateOne({_id: 2}, {$set: {$h: 1}}, {upsert: true}).upsertedCount, db.d.updateOne({_id: 3}, {$setOnInsert: {$h: 1}, $inc: {"$i.j": 2}}, {upsert: true}).upsertedCount, db.d.replaceOne({_id: 4}, {a: 1, $h: 1}, {upsert: true}).upsertedCount, db.d.findAndModify({query: {_id: 5}, update: {$push: {$h: 1}}, upsert: true, new: true})]
//> [ 1, 1, 1, { _id: 5, '$h': [ 1 ] } ]
db.d.find({_id: {$in: [2, 3, 4]}}).toArray()
//> [
//>   { _id: 2, '$h': 1 },
//>   { _id: 3, '$h': 1, '$i': { j: 2 } },
//>   { _id: 4, a: 1, '$h': 1 }
//> ]
try { db.d.updateOne({_id: 6}, {$set: {"_id.$h": 1}}, {upsert: true}) } catch (e) { print(e.code + " " + e.message) }
//> 28 Plan executor error during update :: caused by :: Cannot create field '$h' in element {_id: 6}
// A replacement that matches nothing is nobody's.
db.d.replaceOne({_id: "none"}, {x: 1, $a: 1}).matchedCount
//> 0
// The fields of a reference may stand at the top level in their order, and not otherwise.
const ref = (u) => { try { return db.d.replaceOne({_id: 2}, u).modifiedCount } catch (e) { return e.code + " " + e.codeName + " " + e.message } }
[ref({x: 1, $ref: "d", $id: 1, $db: "test"}), ref({x: 1, $ref: "d"}), ref({x: 1, $id: 1, $ref: "d"}), ref({x: 1, $ref: 1, $id: 1}), ref({x: 1, $ref: "d", $id: 1, $db: 1})]
//> [
//>   1,
//>   '55 undefined Plan executor error during update :: caused by :: The DBRef $ref field must be followed by a $id field',
//>   '55 undefined Plan executor error during update :: caused by :: Found $id field without a $ref before it, which is invalid.',
//>   '55 undefined Plan executor error during update :: caused by :: The DBRef $ref field must be a String, not a int',
//>   '55 undefined Plan executor error during update :: caused by :: The DBRef $db field must be a String, not a int'
//> ]
[on({$set: {$id: 1}}), db.d.updateOne({_id: 2}, {$set: {$id: 7}}).modifiedCount]
//> [
//>   '55 Plan executor error during update :: caused by :: Found $id field without a $ref before it, which is invalid.',
//>   1
//> ]
// A rename onto an `_id` is a write of it, even of the value that it has.
[on({$set: {b: 1}}), on({$rename: {b: "_id"}}), on({$rename: {"m.o": "_id.o"}})]
//> [
//>   { n: 1, nModified: 1 },
//>   "66 Plan executor error during update :: caused by :: Updating the path '_id' to _id: 1 would modify the immutable field '_id'",
//>   "28 Plan executor error during update :: caused by :: Cannot create field 'o' in element {_id: 1}"
//> ]
