// Upserts: what the filter gives, what $setOnInsert adds, identities, and elements that array filters name.
//
// Manual: reference/operator/update/setOnInsert, positional-filtered
const up = (q, u, more = {}) => { const r = db.runCommand({update: "herbs", updates: [{q, u, upsert: true, ...more}]}); return r.writeErrors ? r.writeErrors[0].code + " " + r.writeErrors[0].errmsg : {n: r.n, nModified: r.nModified, upserted: r.upserted} }
up({_id: "mint"}, {$set: {pots: 2}, $setOnInsert: {sown: 2025, bed: {side: "north"}}})
//> { n: 1, nModified: 0, upserted: [ { index: 0, _id: 'mint' } ] }
// The document is there now: $setOnInsert does nothing.
up({_id: "mint"}, {$set: {pots: 3}, $setOnInsert: {sown: 1999}})
//> { n: 1, nModified: 1, upserted: undefined }
db.herbs.find().toArray()
//> [ { _id: 'mint', bed: { side: 'north' }, pots: 3, sown: 2025 } ]
up({_id: "mint"}, {$setOnInsert: {sown: 1999}})
//> { n: 1, nModified: 0, upserted: undefined }
[up({_id: "sage", "bed.side": "south", pots: {$gt: 3}}, {$setOnInsert: {"bed.row": 4}, $inc: {pots: 1}}), db.herbs.findOne({_id: "sage"})]
//> [
//>   { n: 1, nModified: 0, upserted: [ { index: 0, _id: 'sage' } ] },
//>   { _id: 'sage', bed: { side: 'south', row: 4 }, pots: 1 }
//> ]
[up({pots: {$eq: 9}, $and: [{light: "shade"}]}, {$setOnInsert: {_id: "dill"}}), db.herbs.findOne({_id: "dill"})]
//> [
//>   { n: 1, nModified: 0, upserted: [ { index: 0, _id: 'dill' } ] },
//>   { _id: 'dill', light: 'shade', pots: 9 }
//> ]
[up({_id: "basil"}, {$setOnInsert: {_id: "thyme"}}), up({_id: "basil"}, {$set: {a: 1}, $setOnInsert: {a: 2}}), up({_id: "basil"}, {$set: {"a.b": 1}, $setOnInsert: {a: 2}}), up({_id: "basil"}, {$setOnInsert: 5}), up({_id: "basil"}, {$setOnInsert: {}}), up({_id: "basil", bed: 1}, {$setOnInsert: {"bed.side": 1}})]
//> [
//>   "66 Plan executor error during update :: caused by :: Performing an update on the path '_id' would modify the immutable field '_id'",
//>   "40 Updating the path 'a' would create a conflict at 'a'",
//>   "40 Updating the path 'a' would create a conflict at 'a'",
//>   '9 Modifiers operate on fields but we found type int instead. For example: {$mod: {<field>: ...}} not {$setOnInsert: 5}',
//>   { n: 1, nModified: 0, upserted: [ { index: 0, _id: 'basil' } ] },
//>   "28 Plan executor error during update :: caused by :: Cannot create field 'side' in element {bed: 1}"
//> ]
db.herbs.insertOne({_id: "rows", cuts: [{g: 10, ok: false}, {g: 30, ok: false}, {g: 50, ok: false}], grades: [[1, 9], [9, 2]], n: [1, 5, 9]}).acknowledged
//> true
[up({_id: "rows"}, {$set: {"cuts.$[big].ok": true}}, {arrayFilters: [{"big.g": {$gte: 30}}]}), up({_id: "rows"}, {$mul: {"n.$[low]": 10}}, {arrayFilters: [{low: {$lt: 6}}]}), up({_id: "rows"}, {$set: {"grades.$[].$[nine]": 0}}, {arrayFilters: [{nine: 9}]}), db.herbs.findOne({_id: "rows"})]
//> [
//>   { n: 1, nModified: 1, upserted: undefined },
//>   { n: 1, nModified: 1, upserted: undefined },
//>   { n: 1, nModified: 1, upserted: undefined },
//>   {
//>     _id: 'rows',
//>     cuts: [ { g: 10, ok: false }, { g: 30, ok: true }, { g: 50, ok: true } ],
//>     grades: [ [ 1, 0 ], [ 0, 2 ] ],
//>     n: [ 10, 50, 9 ]
//>   }
//> ]
[up({_id: "rows"}, {$set: {"cuts.$[big].ok": 1}}), up({_id: "rows"}, {$set: {"cuts.$[big].ok": 1}}, {arrayFilters: [{"big.g": 1}, {"small.g": 1}]}), up({_id: "rows"}, {$set: {"cuts.$[big].ok": 1}}, {arrayFilters: [{"big.g": 1}, {big: 1}]}), up({_id: "rows"}, {$set: {"cuts.$[Big].ok": 1}}, {arrayFilters: [{"Big.g": 1}]}), up({_id: "rows"}, {$set: {"cuts.$[b].ok": 1}}, {arrayFilters: [{"b.g": 1, "c.g": 1}]}), up({_id: "rows"}, {$set: {"cuts.$[b].ok": 1}}, {arrayFilters: [{}]}), up({_id: "new"}, {$set: {"cuts.$[b].ok": 1}}, {arrayFilters: [{b: 1}]}), up({_id: "mint"}, {$set: {"pots.$[b]": 1}}, {arrayFilters: [{b: 1}]})]
//> [
//>   "2 No array filter found for identifier 'big' in path 'cuts.$[big].ok'",
//>   "9 The array filter for identifier 'small' was not used in the update { $set: { cuts.$[big].ok: 1 } }",
//>   '9 Found multiple array filters with the same top-level field name big',
//>   "2 Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found 'Big'",
//>   "9 Error parsing array filter :: caused by :: Expected a single top-level field name, found 'b' and 'c'",
//>   '9 Cannot use an expression without a top-level field name in arrayFilters',
//>   "2 Plan executor error during update :: caused by :: The path 'cuts' must exist in the document in order to apply array updates.",
//>   '2 Plan executor error during update :: caused by :: Cannot apply array updates to non-array element pots: 3'
//> ]
// What a query says of a part of `_id` makes an update's `_id`, but not a replacement's.
const part = (f) => { try { db.parts.drop(); f(); return db.parts.findOne() } catch (x) { return x.code + " " + x.message } }
part(() => db.parts.updateOne({"_id.x": 7, "_id.y": 8}, {$set: {z: 1}}, {upsert: true}))
//> { _id: { x: 7, y: 8 }, z: 1 }
part(() => db.parts.replaceOne({"_id.x": 7}, {z: 1}, {upsert: true}))
//> 111 Plan executor error during update :: caused by :: field at '_id' must be exactly specified, field at sub-path '_id.x'found
part(() => db.parts.replaceOne({_id: {x: 7}, "a.b": 1}, {z: 1}, {upsert: true}))
//> { _id: { x: 7 }, z: 1 }
