// What a projection lets through: "Project Fields to Return", "$slice (projection)", "$elemMatch (projection)", "$ (projection)".
db.t.insertOne({ _id: 1, name: "A", sizes: { w: 1, h: 2 }, marks: [{ by: "x", n: 1 }, { by: "y", n: 2 }, { by: "x", n: 3 }], tags: ["p", "q", "r"] })
const show = (projection, filter = {}) => JSON.stringify(db.t.find(filter, projection).toArray()[0])
show({ name: 1, "sizes.h": 1 })
//> {"_id":1,"name":"A","sizes":{"h":2}}
show({ _id: 0, marks: 0, sizes: { w: 0 } })
//> {"name":"A","sizes":{"h":2},"tags":["p","q","r"]}
show({ "marks.n": 1 })
//> {"_id":1,"marks":[{"n":1},{"n":2},{"n":3}]}
show({ tags: { $slice: -2 }, name: 1 })
//> {"_id":1,"name":"A","tags":["q","r"]}
show({ tags: { $slice: [1, 1] }, marks: 0 })
//> {"_id":1,"name":"A","sizes":{"w":1,"h":2},"tags":["q"]}
show({ marks: { $elemMatch: { by: "x", n: { $gt: 1 } } }, name: 1 })
//> {"_id":1,"name":"A","marks":[{"by":"x","n":3}]}
show({ "marks.$": 1 }, { "marks.by": "y" })
//> {"_id":1,"marks":[{"by":"y","n":2}]}
show({ _id: 0, upper: { $toUpper: "$name" }, first: "$sizes.w", text: "as it is" })
//> {"upper":"A","first":1,"text":"as it is"}
show({ name: 1, tags: 0 })
//> MongoServerError[Location31254]: Cannot do exclusion on field tags in inclusion projection
show({ sizes: 1, "sizes.w": 1 })
//> MongoServerError[Location31249]: Path collision at sizes.w remaining portion w
show({ "marks.$": 1 }, { name: "A" })
//> MongoServerError[Location51246]: Executor error during find command: test.t :: caused by :: positional operator '.$' couldn't find a matching element in the array
// Where the filter's match is no item's, an error says so, and what was being done once.
db.pos.insertOne({_id: 1, a: [1, 2], b: [5]}).acknowledged
//> true
db.pos.find({_id: 1, "a.0": 1}, {"a.$": 1}).toArray()
//> MongoServerError[Location51246]: Executor error during find command: test.pos :: caused by :: positional operator '.$' couldn't find a matching element in the array
db.pos.find({_id: 1, a: {$size: 2}}, {"a.$": 1}).toArray()
//> MongoServerError[Location51246]: Executor error during find command: test.pos :: caused by :: positional operator '.$' couldn't find a matching element in the array
db.pos.findAndModify({query: {_id: 1, a: 2}, update: {$set: {"a.$": 7}}, fields: {"a.$": 1}, new: true})
//> MongoServerError[Location51246]: Plan executor error during findAndModify :: caused by :: positional operator '.$' couldn't find a matching element in the array
// The position is that of any array that the filter matched an item of; a path without an array needs none.
const pick = (projection, filter, document) => { db.pick.drop(); db.pick.insertOne({ _id: 1, ...document }); try { return db.pick.find(filter, projection).toArray() } catch (x) { return x.code + " " + x.message } }
[pick({ "name.$": 1 }, { name: "t" }, { name: "t", a: 1 }), pick({ "x.y.$": 1 }, { "x.y": "s" }, { x: { y: "s", z: 1 } }), pick({ "b.$": 1 }, { a: 1 }, { a: 1 }), pick({ "x.y.$": 1 }, { _id: 1 }, { x: { o: 1 } })]
//> [
//>   [ { _id: 1, name: 't' } ],
//>   [ { _id: 1, x: { y: 's' } } ],
//>   [ { _id: 1 } ],
//>   [ { _id: 1, x: {} } ]
//> ]
[pick({ "a.$": 1 }, { b: { $gte: 200 } }, { a: [10, 20, 30], b: [100, 200, 300] }), pick({ "a.b.$": 1 }, { "a.c": 200 }, { a: { b: [10, 20], c: [100, 200] } }), pick({ "b.$": 1 }, { a: 5 }, { a: [1, 2, 5], b: [10, 20] })]
//> [
//>   [ { _id: 1, a: [ 20 ] } ],
//>   [
//>     { _id: 1, a: { b: [ 20 ] } }
//>   ],
//>   "51247 Executor error during find command: test.pick :: caused by :: positional operator '.$' element mismatch"
//> ]
// Alternatives, negations, whole arrays and positions that are named tell none.
[{ _id: 1 }, { a: [1, 2] }, { $or: [{ a: 1 }, { b: 1 }] }, { $nor: [{ a: 9 }] }, { a: { $not: { $lt: 0 } } }, { "a.0": 1 }, { a: { $size: 2 } }].map((filter) => String(pick({ "a.$": 1 }, filter, { a: [1, 2], b: 1 })).slice(0, 5))
//> [
//>   '51246', '51246',
//>   '51246', '51246',
//>   '51246', '51246',
//>   '51246'
//> ]
[{ $or: [{ a: 2 }, { a: 4 }] }, { a: { $all: [1, 2] } }, { $and: [{ b: 1 }, { a: 2 }] }].map((filter) => pick({ "a.$": 1, _id: 0 }, filter, { a: [1, 2], b: 1 })[0])
//> [ { a: [ 2 ] }, { a: [ 2 ] }, { a: [ 2 ] } ]
[pick({ "a.$": 1 }, { a: 1, $expr: { $eq: ["$b", 1] } }, { a: [1] }), pick({ "a.$": { b: 1 } }, { a: 1 }, {}), pick({ "a.$": "b" }, { a: 1 }, {}), pick({ "a.$": null }, { a: 1 }, {}), pick({ "a.$": false }, { a: 1 }, {})]
//> [
//>   '224 $expr is not allowed in this context',
//>   '31271 positional projection cannot be used with an expression or sub object',
//>   '31308 positional projection cannot be used with a literal',
//>   '31308 positional projection cannot be used with a literal',
//>   '31395 positional projection cannot be used with exclusion'
//> ]
// An array beside fields that are left out stays where it is; else it is appended.
const fields = { x: 1, a: [1, 2, 3], y: 2, z: 3 };
[pick({ a: { $elemMatch: { $gte: 2 } }, z: 0 }, {}, fields), pick({ _id: 0, z: 0, a: { $elemMatch: { $gte: 2 } } }, {}, fields), pick({ a: { $elemMatch: { $gte: 9 } }, z: 0 }, {}, fields), pick({ z: 1, a: { $elemMatch: { $gte: 2 } }, x: 1 }, {}, fields)]
//> [
//>   [ { _id: 1, x: 1, a: [ 2 ], y: 2 } ],
//>   [ { x: 1, a: [ 2 ], y: 2 } ],
//>   [ { _id: 1, x: 1, y: 2 } ],
//>   [ { _id: 1, x: 1, z: 3, a: [ 2 ] } ]
//> ]
// A pipeline has no filter whose match would tell one, and a view's find is a pipeline.
[pick({ "a.$": 1 }, { a: 1 }, fields)[0], db.createView("picked", "pick", []).ok]
//> [ { _id: 1, a: [ 1 ] }, 1 ]
[() => db.picked.find({ a: 1 }, { "a.$": 1 }).toArray(), () => db.pick.aggregate([{ $project: { "a.$": 1 } }]).toArray(), () => db.pick.aggregate([{ $addFields: { "a.$": 1 } }]).toArray()].map((read) => { try { return read() } catch (x) { return x.code + " " + x.message } })
//> [
//>   '31324 Invalid $project :: caused by :: Cannot use positional projection in aggregation projection',
//>   '31324 Invalid $project :: caused by :: Cannot use positional projection in aggregation projection',
//>   "16410 Invalid $addFields :: caused by :: FieldPath field names may not start with '$'. Consider using $getField or $setField. Found: '$'"
//> ]
