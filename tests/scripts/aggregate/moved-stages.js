// Stages that stay behind one that writes beside their path: it may make documents of items and values there.
// Manual: core/aggregation-pipeline-optimization
db.y.insertMany([{_id: 1, a: [3]}, {_id: 2, a: [{}]}, {_id: 3, a: {}}, {_id: 4, a: 7}]).acknowledged
//> true
const ids = (c, pipeline) => db[c].aggregate(pipeline).toArray().map((d) => d._id);
// By a position, and by a null.
[ids("y", [{$addFields: {"a.x": 5}}, {$match: {"a.0": 3}}]), ids("y", [{$addFields: {"a.x": 5}}, {$match: {"a.y": null}}]), ids("y", [{$addFields: {"a.x": 5}}, {$match: {"a.y": {$in: [null, 1]}}}]), ids("y", [{$addFields: {"a.x": 5}}, {$match: {$nor: [{"a.y": {$gte: null}}]}}])]
//> [ [], [ 1, 2, 3, 4 ], [ 1, 2, 3, 4 ], [] ]
db.u.insertOne({_id: 1, a: [{b: 1, c: 2}, {c: 3}]}).acknowledged
//> true
[ids("u", [{$unset: "a.b"}, {$match: {"a.0": {c: 2}}}]), ids("u", [{$unset: "a.b"}, {$match: {"a.c": 3}}])]
//> [ [ 1 ], [ 1 ] ]
// A sort behind a join that writes into its field.
db.x.insertMany([{_id: 1, a: [{b: 9}], n: 1}, {_id: 2, a: {b: 5}, n: 2}]).acknowledged
//> true
[ids("x", [{$lookup: {from: "x", localField: "n", foreignField: "n", as: "a.l"}}, {$sort: {"a.b": 1}}]), ids("x", [{$lookup: {from: "x", localField: "n", foreignField: "n", as: "l"}}, {$sort: {"a.b": 1}}])]
//> [ [ 1, 2 ], [ 2, 1 ] ]
