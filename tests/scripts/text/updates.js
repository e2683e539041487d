// A text index follows each update of its texts and of their language, whatever operator makes it.
// Manual: core/indexes/index-types/index-text
const sound = (c) => db.runCommand({ validate: c, full: true }).valid
const found = (c, ...words) => words.map((word) => db[c].find({ $text: { $search: word } }).toArray().map((d) => d._id).join())
db.q.createIndex({ b: "text", "o.t": "text" }, { weights: { b: 3 } })
//> b_text_o.t_text
db.q.insertMany([{ _id: 1, b: "hello" }, { _id: 2, b: "bread", n: 1 }, { _id: 3, o: [{ t: "stone" }] }]).acknowledged
//> true
db.q.updateOne({ _id: 1 }, { $set: { b: "world" } }).modifiedCount
//> 1
[found("q", "hello", "world"), sound("q")]
//> [ [ '', '1' ], true ]
[db.q.updateMany({ n: 1 }, { $rename: { n: "b" } }).modifiedCount, db.q.updateOne({ _id: 3 }, { $set: { "o.0.t": "water" } }).modifiedCount, db.q.findOneAndUpdate({ _id: 1 }, { $unset: { b: 1 } }).b]
//> [ 1, 1, 'world' ]
[found("q", "bread", "stone", "water", "world"), sound("q"), db.q.deleteMany({}).deletedCount]
//> [ [ '', '', '3', '' ], true, 3 ]
// Its language may stand beside the text or around it; an index of all texts has every one.
db.w.createIndex({ "$**": "text" }, { language_override: "l" })
//> $**_text
db.w.insertOne({ _id: 1, a: { l: "english", b: { t: "running dogs" } } }).acknowledged
//> true
[db.w.updateOne({ _id: 1 }, { $set: { "a.l": "none" } }).modifiedCount, found("w", "run", "dogs"), sound("w")]
//> [ 1, [ '', '' ], true ]
[db.w.updateOne({ _id: 1 }, { $set: { c: ["more"] } }).modifiedCount, db.w.updateOne({ _id: 1 }, { $push: { c: "words" } }).modifiedCount, found("w", "more", "words"), sound("w")]
//> [ 1, 1, [ '', '1' ], true ]
// Among other fields.
db.m.createIndex({ k: 1, t: "text" })
//> k_1_t_text
[db.m.insertOne({ _id: 1, k: 1, t: "first" }).acknowledged, db.m.updateOne({ _id: 1 }, { $set: { t: "second" } }).modifiedCount, db.m.updateOne({ _id: 1 }, { $inc: { k: 1 } }).modifiedCount]
//> [ true, 1, 1 ]
[[1, 2].map((k) => db.m.find({ k, $text: { $search: "second" } }).toArray().length), sound("m"), db.m.deleteOne({ _id: 1 }).deletedCount]
//> [ [ 0, 1 ], true, 1 ]
