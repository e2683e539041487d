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
//> MongoServerError[Location51050]: Positional projection 'marks.$' does not match the query document.
// Where the filter's match is no item's, an error says so, and what was being done once.
db.pos.insertOne({_id: 1, a: [1, 2], b: [5]}).acknowledged
//> true
db.pos.find({_id: 1, "a.0": 1}, {"a.$": 1}).toArray()
//> MongoServerError[Location51246]: Executor error during find command: test.pos :: caused by :: positional operator '.$' couldn't find a matching element in the array
db.pos.find({_id: 1, a: {$size: 2}}, {"a.$": 1}).toArray()
//> MongoServerError[Location51246]: Executor error during find command: test.pos :: caused by :: positional operator '.$' couldn't find a matching element in the array
db.pos.findAndModify({query: {_id: 1, a: 2}, update: {$set: {"a.$": 7}}, fields: {"a.$": 1}, new: true})
//> MongoServerError[Location51246]: Plan executor error during findAndModify :: caused by :: positional operator '.$' couldn't find a matching element in the array
