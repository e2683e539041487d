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
//> 52 The dollar ($) prefixed field '$a' in '$a' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.
db.c.aggregate([{$replaceWith: {$setField: {field: {$literal: "$p"}, input: {a: "$x"}, value: 1}}}, {$limit: 1}]).toArray()
//> [ { '$p': 1 } ]
