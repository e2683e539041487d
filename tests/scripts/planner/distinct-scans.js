// distinct from the keys of an index: DISTINCT_SCAN, and what keeps a plan from being one.
// Manual: reference/command/distinct, reference/explain-results
const names = (stage) => stage.stage + (stage.indexName ? ":" + stage.indexName : "") + (stage.inputStage ? " < " + names(stage.inputStage) : "")
const plan = (explained) => names(explained.queryPlanner.winningPlan)
// Of an array each item has a key of its own: all of them are asked for, or only those of some documents.
db.beds.createIndex({ plants: 1 })
//> plants_1
db.beds.insertMany([{ plants: ["kale", "leek"] }, { plants: ["leek", "onion"] }, { plants: ["pea"] }]).acknowledged
//> true
db.beds.distinct("plants")
//> [ 'kale', 'leek', 'onion', 'pea' ]
plan(db.beds.explain().distinct("plants"))
//> PROJECTION_COVERED < DISTINCT_SCAN:plants_1
db.beds.distinct("plants", { plants: "onion" })
//> [ 'leek', 'onion' ]
plan(db.beds.explain().distinct("plants", { plants: "onion" }))
//> FETCH < IXSCAN:plants_1
plan(db.beds.explain().distinct("_id"))
//> PROJECTION_COVERED < DISTINCT_SCAN:_id_
plan(db.runCommand({ explain: { distinct: "beds", key: "plants", hint: "plants_1" } }))
//> PROJECTION_COVERED < DISTINCT_SCAN:plants_1
plan(db.runCommand({ explain: { distinct: "beds", key: "plants", hint: "_id_" } }))
//> FETCH < IXSCAN:_id_
// A compound index, whose second field is an array.
db.tools.createIndex({ price: 1, colours: 1 })
//> price_1_colours_1
db.tools.insertMany([{ price: 12, colours: ["red", "blue"] }, { price: 40, colours: ["blue", "grey"] }, { price: 35, colours: ["grey", "green"] }]).acknowledged
//> true
db.tools.distinct("price", { price: { $gt: 20 } })
//> [ 35, 40 ]
plan(db.tools.explain().distinct("price", { price: { $gt: 20 } }))
//> PROJECTION_COVERED < DISTINCT_SCAN:price_1_colours_1
db.tools.distinct("colours", { price: { $gt: 20 } })
//> [ 'blue', 'green', 'grey' ]
plan(db.tools.explain().distinct("colours", { price: { $gt: 20 } }))
//> FETCH < IXSCAN:price_1_colours_1
plan(db.tools.explain().distinct("price", { colours: "grey" }))
//> COLLSCAN
plan(db.tools.explain().distinct("colours"))
//> COLLSCAN
// A trailing field that is no array, behind one that is.
db.visits.createIndex({ guests: 1, "by.guide": 1 })
//> guests_1_by.guide_1
db.visits.insertMany([{ guests: ["Ada", "Bo"], by: { guide: 4 } }, { guests: ["Bo", "Cy"], by: { guide: 9 } }, { guests: ["Bo"], by: { guide: 6 } }]).acknowledged
//> true
db.visits.distinct("by.guide", { guests: "Bo" })
//> [ 4, 6, 9 ]
plan(db.visits.explain().distinct("by.guide", { guests: "Bo" }))
//> PROJECTION_DEFAULT < DISTINCT_SCAN:guests_1_by.guide_1
// In keys an absent field is null, and so it is given where they are asked; an empty array is undefined there.
db.plots.createIndex({ "soil.layer.depth": 1 })
//> soil.layer.depth_1
db.plots.insertMany([{ soil: { layer: { depth: 10 } } }, { soil: { layer: { depth: 25 } } }, { soil: { layer: { kind: "clay" } } }, { soil: "unknown" }]).acknowledged
//> true
db.plots.distinct("soil.layer.depth")
//> [ null, 10, 25 ]
plan(db.plots.explain().distinct("soil.layer.depth"))
//> PROJECTION_DEFAULT < DISTINCT_SCAN:soil.layer.depth_1
db.plots.distinct("soil.layer.depth", { "soil.layer.depth": { $gte: 0 } })
//> [ 10, 25 ]
db.plots.insertMany([{ soil: { layer: [{ depth: 30 }, { depth: 45 }] } }, { soil: { layer: { depth: [] } } }]).acknowledged
//> true
db.plots.distinct("soil.layer.depth")
//> [ undefined, null, 10, 25, 30, 45 ]
plan(db.plots.explain().distinct("soil.layer.depth"))
//> PROJECTION_DEFAULT < DISTINCT_SCAN:soil.layer.depth_1
plan(db.plots.explain().distinct("soil.layer.depth", { "soil.layer.depth": 45 }))
//> FETCH < IXSCAN:soil.layer.depth_1
// An item by its position is in no key of the array.
db.plots.createIndex({ "soil.layer": 1 })
//> soil.layer_1
db.plots.distinct("soil.layer", { "soil.layer": { $type: "array" } })
//> [ { depth: 30 }, { depth: 45 } ]
plan(db.plots.explain().distinct("soil.layer", { "soil.layer": { $type: "array" } }))
//> FETCH < IXSCAN:soil.layer_1
plan(db.plots.explain().distinct("soil.layer.0"))
//> COLLSCAN
db.plots.distinct("soil.layer.0")
//> [ { depth: 30 } ]
db.plots.createIndex({ "soil.layer.0": 1 })
//> soil.layer.0_1
db.plots.insertOne({ soil: { layer: { 0: "top" } } }).acknowledged
//> true
db.plots.distinct("soil.layer.0")
//> [ 'top', { depth: 30 } ]
plan(db.plots.explain().distinct("soil.layer.0"))
//> FETCH < DISTINCT_SCAN:soil.layer.0_1
plan(db.plots.explain().distinct("soil.layer.0", { "soil.layer.0": { $type: "object" } }))
//> FETCH < IXSCAN:soil.layer.0_1
