// An equality on a field with arrays leaves the order of the index's other fields: the key for one element stands once in each document.
db.c.drop()
for (let i = 0; i < 60; i++) db.c.insertOne({ _id: i, tags: ["a" + (i % 3), "b", "b"].slice(i % 2), name: "n" + ((i * 7) % 60), list: [{ x: i % 4, y: 2 * i }, { x: 9, y: 121 - 2 * i }] })
db.c.createIndex({ tags: 1, name: 1 })
const told = (filter, sort, hint) => { const cursor = () => db.c.find(filter).sort(sort).hint(hint).limit(5); const stages = []; let stage = cursor().explain("executionStats").executionStats.executionStages; while (stage) { stages.push(stage.stage); stage = stage.inputStage } const ids = (c) => EJSON.stringify(c.toArray().map((d) => d._id)); const one = ids(cursor()), two = ids(db.c.find(filter).sort(sort).hint({ $natural: 1 }).limit(5)); return stages.join(" < ") + " " + one + (one === two ? "" : " NOT " + two) }
told({ tags: "b" }, { name: 1 }, "tags_1_name_1")
//> LIMIT < FETCH < IXSCAN [0,43,10,53,36]

told({ tags: "a1" }, { name: -1 }, "tags_1_name_1")
//> LIMIT < FETCH < IXSCAN [34,16,58,40,52]

db.c.find({ tags: "b" }).sort({ name: 1 }).limit(5).explain("executionStats").executionStats.totalKeysExamined
//> 5

// Not of several elements, of a sort by the arrays themselves, or of other fields of the same array.
told({ tags: { $in: ["a1", "b"] } }, { name: 1, _id: 1 }, "tags_1_name_1")
//> SORT < FETCH < IXSCAN [0,43,10,53,36]

told({ tags: { $gt: "a1" } }, { name: 1, _id: 1 }, "tags_1_name_1")
//> SORT < FETCH < IXSCAN [0,43,10,53,36]

told({ tags: "b" }, { tags: 1, name: 1 }, "tags_1_name_1")
//> SORT < FETCH < IXSCAN [0,36,54,12,30]

db.c.createIndex({ "list.x": 1, "list.y": 1 })
told({ "list.x": 9 }, { "list.y": 1 }, "list.x_1_list.y_1")
//> SORT < FETCH < IXSCAN [0,1,59,2,58]

told({}, { "list.x": 1, "list.y": 1 }, "list.x_1_list.y_1")
//> LIMIT < FETCH < IXSCAN [0,4,8,12,16]
