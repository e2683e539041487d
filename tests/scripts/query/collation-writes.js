// Updates and deletes that compare strings by a collation. Manual: reference/collation
db.tags.insertMany([{ _id: 1, t: "Red", l: ["a", "B", "c"], m: "b" }, { _id: 2, t: "red", l: ["A"], m: "B" }, { _id: 3, t: "blue", l: [], m: "C" }]).insertedCount
const en = { collation: { locale: "en", strength: 2 } }
db.tags.updateMany({ t: "RED" }, { $set: { hit: true } }, en)
//> {
//>   acknowledged: true,
//>   insertedId: null,
//>   matchedCount: 2,
//>   modifiedCount: 2,
//>   upsertedCount: 0
//> }
db.tags.updateOne({ _id: 1 }, { $pull: { l: "b" } }, en); db.tags.findOne({ _id: 1 }).l
//> [ 'a', 'c' ]
db.tags.updateOne({ _id: 1 }, { $addToSet: { l: { $each: ["A", "d"] } } }, en); db.tags.findOne({ _id: 1 }).l
//> [ 'a', 'c', 'd' ]
db.tags.updateOne({ _id: 1 }, { $pullAll: { l: ["D"] } }, en); db.tags.findOne({ _id: 1 }).l
//> [ 'a', 'c' ]
db.tags.updateOne({ _id: 1 }, { $push: { l: { $each: ["B", "Z", "y"], $sort: 1 } } }, en); db.tags.findOne({ _id: 1 }).l
//> [ 'a', 'B', 'c', 'y', 'Z' ]
db.tags.updateOne({ _id: 1 }, { $min: { m: "A" } }, en); db.tags.findOne({ _id: 1 }).m
//> A
db.tags.updateOne({ _id: 1 }, { $max: { m: "a" } }, en); db.tags.findOne({ _id: 1 }).m
//> A
db.tags.updateOne({ _id: 1 }, { $set: { "l.$[x]": "!" } }, { ...en, arrayFilters: [{ x: "b" }] }); db.tags.findOne({ _id: 1 }).l
//> [ 'a', '!', 'c', 'y', 'Z' ]
db.tags.updateOne({ _id: 2, l: "a" }, { $set: { "l.$": "first" } }, en); db.tags.findOne({ _id: 2 }).l
//> [ 'first' ]
db.tags.findAndModify({ query: { t: "BLUE" }, update: { $set: { t: "navy" } }, new: true, ...en }).t
//> navy
db.tags.bulkWrite([{ updateOne: { filter: { t: "NAVY" }, update: { $set: { n: 1 } }, ...en } }, { deleteOne: { filter: { t: "NAVY" } } }]).modifiedCount
//> 1
db.adminCommand({ bulkWrite: 1, ops: [{ delete: 0, filter: { t: "NAVY" }, ...en }], nsInfo: [{ ns: "test.tags" }] }).nDeleted
//> 1
db.tags.deleteMany({ t: "RED" }, en)
//> { acknowledged: true, deletedCount: 2 }
db.tags.countDocuments()
//> 0
