// What stages behind $lookup read of the joined documents, however many there are and whatever they hold.
// Manual: reference/operator/aggregation/lookup
db.items.insertMany([
  { _id: "a", price: { sale: 5, list: [6, 7] }, parts: [{ n: 1, kind: { size: 2 } }, { n: 2 }, 3], tag: "x" },
  { _id: "b", price: [{ sale: 8 }, { sale: 9 }], tag: "x" },
  { _id: "c", price: 4, parts: { n: [5] }, tag: ["x", "y"] },
  { _id: null, tag: "z", price: { sale: 0 } },
]).acknowledged
//> true
db.orders.insertMany([
  { _id: 1, item: "a", tag: "x", found: 7, q: 2 },
  { _id: 2, item: "b", tag: "y" },
  { _id: 3, item: ["c", "a"], tag: "none", in: [{ k: 1 }] },
  { _id: 4, item: "gone", in: { k: 2 } },
  { _id: 5, q: 3 },
]).acknowledged
//> true
const join = (as, rest = {}) => ({ $lookup: { from: "items", localField: "item", foreignField: "_id", as, ...rest } })
const run = (...stages) => db.orders.aggregate(stages).toArray().map(document => EJSON.stringify(document)).join("\n")
// The first joined document's value, and all of them, through documents and arrays.
run(join("found"), { $project: { sale: { $first: "$found.price.sale" }, all: "$found.price.sale" } })
//> {"_id":1,"sale":5,"all":[5]}
//> {"_id":2,"sale":[8,9],"all":[[8,9]]}
//> {"_id":3,"sale":5,"all":[5]}
//> {"_id":4,"all":[]}
//> {"_id":5,"sale":0,"all":[0]}
run(join("found"), { $project: { n: "$found.parts.n", sizes: { $size: "$found" }, deep: "$found.parts.kind.size", _id: 0 } })
//> {"n":[[1,2]],"sizes":1,"deep":[[2]]}
//> {"n":[],"sizes":1,"deep":[]}
//> {"n":[[1,2],[5]],"sizes":2,"deep":[[2]]}
//> {"n":[],"sizes":0,"deep":[]}
//> {"n":[],"sizes":1,"deep":[]}
run(join("found"), { $project: { price: "$found.price", sale: "$found.price.sale" } })
//> {"_id":1,"price":[{"sale":5,"list":[6,7]}],"sale":[5]}
//> {"_id":2,"price":[[{"sale":8},{"sale":9}]],"sale":[[8,9]]}
//> {"_id":3,"price":[{"sale":5,"list":[6,7]},4],"sale":[5]}
//> {"_id":4,"price":[],"sale":[]}
//> {"_id":5,"price":[{"sale":0}],"sale":[0]}
// By a field that many have.
run({ $lookup: { from: "items", localField: "tag", foreignField: "tag", as: "found" } }, { $project: { ids: "$found._id", last: { $last: "$found.price.sale" } } })
//> {"_id":1,"ids":["a","b","c"],"last":[8,9]}
//> {"_id":2,"ids":["c"]}
//> {"_id":3,"ids":[]}
//> {"_id":4,"ids":[]}
//> {"_id":5,"ids":[]}
// A field of that name gives place, and keeps its own.
run(join("found"), { $addFields: { found: { $first: "$found.tag" }, z: { $size: "$found" } } })
//> {"_id":1,"item":"a","tag":"x","found":"x","q":2,"z":1}
//> {"_id":2,"item":"b","tag":"y","found":"x","z":1}
//> {"_id":3,"item":["c","a"],"tag":"none","in":[{"k":1}],"found":"x","z":2}
//> {"_id":4,"item":"gone","in":{"k":2},"z":0}
//> {"_id":5,"q":3,"found":"z","z":1}
run(join("found"), { $addFields: { z: { $size: "$found" }, found: { $first: "$found.tag" } } }, { $project: { item: 0, tag: 0, in: 0 } })
//> {"_id":1,"found":"x","q":2,"z":1}
//> {"_id":2,"found":"x","z":1}
//> {"_id":3,"found":"x","z":2}
//> {"_id":4,"z":0}
//> {"_id":5,"q":3,"found":"z","z":1}
run(join("item"), { $project: { n: { $size: "$item" }, tag: { $first: "$item.tag" } } })
//> {"_id":1,"n":1,"tag":"x"}
//> {"_id":2,"n":1,"tag":"x"}
//> {"_id":3,"n":2,"tag":"x"}
//> {"_id":4,"n":0}
//> {"_id":5,"n":1,"tag":"z"}
// Deeper in, it makes place for a document.
run(join("in.found"), { $project: { tag: "$in.found.tag", k: "$in.k" } })
//> {"_id":1,"tag":["x"]}
//> {"_id":2,"tag":["x"]}
//> {"_id":3,"tag":["x",["x","y"]]}
//> {"_id":4,"tag":[],"k":2}
//> {"_id":5,"tag":["z"]}
run(join("in.found"), { $project: { tag: "$in.found.tag" } })
//> {"_id":1,"tag":["x"]}
//> {"_id":2,"tag":["x"]}
//> {"_id":3,"tag":["x",["x","y"]]}
//> {"_id":4,"tag":[]}
//> {"_id":5,"tag":["z"]}
// The whole document, and what stays of the joined ones.
run(join("found"), { $project: { root: "$$ROOT.found.tag", "found.tag": 1 } })
//> {"_id":1,"found":[{"tag":"x"}],"root":["x"]}
//> {"_id":2,"found":[{"tag":"x"}],"root":["x"]}
//> {"_id":3,"found":[{"tag":"x"},{"tag":["x","y"]}],"root":["x",["x","y"]]}
//> {"_id":4,"found":[],"root":[]}
//> {"_id":5,"found":[{"tag":"z"}],"root":["z"]}
run(join("found"), { $limit: 1 }, { $project: { root: "$$ROOT" } })
//> {"_id":1,"root":{"_id":1,"item":"a","tag":"x","found":[{"_id":"a","price":{"sale":5,"list":[6,7]},"parts":[{"n":1,"kind":{"size":2}},{"n":2},3],"tag":"x"}],"q":2}}
// Unwound.
run(join("found"), { $unwind: "$found" }, { $project: { sale: "$found.price.sale", q: 1 } })
//> {"_id":1,"q":2,"sale":5}
//> {"_id":2,"sale":[8,9]}
//> {"_id":3,"sale":5}
//> {"_id":3}
//> {"_id":5,"q":3,"sale":0}
run(join("found"), { $unwind: { path: "$found", preserveNullAndEmptyArrays: true } }, { $addFields: { found: "$found._id", left: { $ifNull: ["$found.tag", "nothing"] } } }, { $unset: ["item", "in"] })
//> {"_id":1,"tag":"x","found":"a","q":2,"left":"x"}
//> {"_id":2,"tag":"y","found":"b","left":"x"}
//> {"_id":3,"tag":"none","found":"a","left":"x"}
//> {"_id":3,"tag":"none","found":"c","left":["x","y"]}
//> {"_id":4,"left":"nothing"}
//> {"_id":5,"q":3,"found":null,"left":"z"}
run(join("found"), { $unwind: { path: "$found", includeArrayIndex: "at" } }, { $project: { at: 1, id: "$found._id" } })
//> {"_id":1,"at":0,"id":"a"}
//> {"_id":2,"at":0,"id":"b"}
//> {"_id":3,"at":0,"id":"a"}
//> {"_id":3,"at":1,"id":"c"}
//> {"_id":5,"at":0,"id":null}
// With variables, pipelines and views.
run(join("found", { let: { least: "$q" }, pipeline: [{ $match: { $expr: { $gte: ["$price.sale", "$$least"] } } }] }), { $project: { sale: { $first: "$found.price.sale" } } })
//> {"_id":1,"sale":5}
//> {"_id":2,"sale":[8,9]}
//> {"_id":3,"sale":5}
//> {"_id":4}
//> {"_id":5}
db.createView("cheap", "items", [{ $match: { "price.sale": { $lt: 9 } } }, { $addFields: { cheap: true } }])
//> { ok: 1 }
run(join("found", { from: "cheap" }), { $project: { cheap: "$found.cheap", sale: { $first: "$found.price.sale" } } })
//> {"_id":1,"cheap":[true],"sale":5}
//> {"_id":2,"cheap":[true],"sale":[8,9]}
//> {"_id":3,"cheap":[true],"sale":5}
//> {"_id":4,"cheap":[]}
//> {"_id":5,"cheap":[true],"sale":0}
db.orders.aggregate([{ $match: { _id: { $lte: 2 } } }, { $addFields: { item: { $toUpper: "$item" } } }, join("found"), { $project: { sale: { $first: "$found.price.sale" } } }], { collation: { locale: "en", strength: 2 } })
//> [ { _id: 1, sale: 5 }, { _id: 2, sale: [ 8, 9 ] } ]
// Read once more after more were read ahead than were asked for.
db.many.insertMany(Array.from({ length: 300 }, (_, i) => ({ _id: i, item: ["a", "b", "gone"][i % 3] }))).acknowledged
//> true
const cursor = db.many.aggregate([join("found"), { $project: { sale: { $first: "$found.price.sale" } } }], { cursor: { batchSize: 7 } })
const got = cursor.toArray()
;[got.length, got.filter(({ sale }) => sale === 5).length, got.filter(({ sale }) => Array.isArray(sale)).length, got.every(({ _id }, i) => _id === i)]
//> [ 300, 100, 100, true ]
