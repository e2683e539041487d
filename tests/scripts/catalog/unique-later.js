// An index that is made unique after it was built: prepareUnique, unique and dryRun of collMod.
// Manual: reference/command/collMod, core/index-unique/convert-to-unique
const run = (c) => { try { const { ok, ...rest } = db.runCommand(c); return rest } catch (e) { return e.code + " " + e.codeName + " " + e.message } };
const mod = (index, more) => run({ collMod: "seeds", index: { name: "kind_1", ...index }, ...more });
db.seeds.insertMany([{ _id: 1, kind: "oat" }, { _id: 2, kind: "oat" }, { _id: 3, kind: "rye" }, { _id: 4, kind: "rye" }, { _id: 5, kind: "oat" }, { _id: 6 }]).acknowledged
//> true
db.seeds.createIndex({ kind: 1 })
//> kind_1
// In one step it is refused, and so is the way back.
[mod({ unique: true }), mod({ unique: 0 }), mod({ unique: "x" }), mod({ prepareUnique: null }), mod({ prepareUnique: true, hidden: true }), mod({ hidden: true }, { dryRun: 1 })]
//> [
//>   "72 InvalidOptions Cannot make index unique with 'prepareUnique=false'. Run collMod to set it first.",
//>   '2 BadValue Cannot make index non-unique',
//>   "14 TypeMismatch BSON field 'collMod.index.unique' is the wrong type 'string', expected types '[bool, long, int, decimal, double']",
//>   '72 InvalidOptions no expireAfterSeconds, hidden, unique, or prepareUnique field',
//>   '72 InvalidOptions prepareUnique cannot be combined with any other modification',
//>   '72 InvalidOptions dryRun mode is only supported when converting an index to unique'
//> ]
// From now on keys are refused that are there, once or more often.
[mod({ prepareUnique: NaN }), mod({ prepareUnique: true, hidden: false }), db.seeds.getIndexes()[1]]
//> [
//>   { prepareUnique_old: false, prepareUnique_new: true },
//>   {},
//>   { v: 2, key: { kind: 1 }, name: 'kind_1', prepareUnique: true }
//> ]
const refusal = (write) => { try { return write() } catch (e) { return e.code ?? e } };
[{ kind: "oat" }, { kind: "rye" }, {}].map((one) => refusal(() => db.seeds.insertOne(one)))
//> [ 11000, 11000, 11000 ]
[refusal(() => db.seeds.insertMany([{ _id: 7, kind: "pea" }, { _id: 8, kind: "pea" }])), refusal(() => db.seeds.updateOne({ _id: 3 }, { $set: { kind: "oat" } })), db.seeds.updateOne({ _id: 1 }, { $set: { n: 1 } }).modifiedCount, db.seeds.countDocuments()]
//> [ 11000, 11000, 1, 7 ]
// What stands against it is told.
try { db.runCommand({ collMod: "seeds", index: { keyPattern: { kind: 1 }, unique: true } }) } catch (e) { [e.code, e.codeName, e.message, e.errorResponse.violations] }
//> [
//>   359,
//>   'CannotConvertIndexToUnique',
//>   'Cannot convert the index to unique. Please resolve conflicting documents before running collMod again.',
//>   [ { ids: [ 1, 2, 5 ] }, { ids: [ 3, 4 ] } ]
//> ]
db.seeds.deleteMany({ _id: { $in: [2, 4, 5] } }).deletedCount
//> 3
[mod({ unique: true }, { dryRun: true }), mod({ unique: 1.5 }), mod({ unique: true }), mod({ prepareUnique: false }), db.seeds.getIndexes()[1]]
//> [
//>   {},
//>   { unique_new: true },
//>   {},
//>   {},
//>   { v: 2, unique: true, key: { kind: 1 }, name: 'kind_1' }
//> ]
[db.seeds.find({ kind: "oat" }).hint("kind_1").explain().queryPlanner.winningPlan.stage, refusal(() => db.seeds.insertOne({ kind: "rye" }))]
//> [ 'FETCH', 11000 ]
// It can be asked for from the beginning, of documents that have keys in common too.
db.oats.insertMany([{ a: 1 }, { a: 1 }]).acknowledged
//> true
[run({ createIndexes: "oats", indexes: [{ key: { a: 1 }, name: "a", prepareUnique: 1 }] }).numIndexesAfter, run({ createIndexes: "oats", indexes: [{ key: { a: 1 }, name: "a", hidden: true }] }), db.oats.getIndexes()[1], refusal(() => db.oats.insertOne({ a: 1 })), run({ collMod: "oats", index: { name: "a", prepareUnique: false } }), refusal(() => db.oats.insertOne({ a: 1 }).acknowledged)]
//> [
//>   2,
//>   '85 IndexOptionsConflict An equivalent index already exists with the same name but different options. Requested index: { v: 2, hidden: true, key: { a: 1 }, name: "a" }, existing index: { v: 2, key: { a: 1 }, name: "a", prepareUnique: true }',
//>   { v: 2, key: { a: 1 }, name: 'a', prepareUnique: true },
//>   11000,
//>   { prepareUnique_old: true, prepareUnique_new: false },
//>   true
//> ]
