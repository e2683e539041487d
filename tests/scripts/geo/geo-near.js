// $geoNear: documents by their distance, with the distance in them.
//
// Manual: reference/operator/aggregation/geoNear
const point = (x, y) => ({ type: "Point", coordinates: [x, y] });
db.p.insertMany([
  { _id: 1, at: point(1, 0), kind: "a", in: { x: 1 } },
  { _id: 2, at: point(2, 0), kind: "b" },
  { _id: 3, at: point(0, 0), kind: "a", list: [1] },
  { _id: 4, kind: "a" },
]).insertedIds
//>
const near = (stage, ...rest) => db.p.aggregate([{ $geoNear: stage }, ...rest]).toArray();
const refused = (...pipeline) => { try { return db.p.aggregate(pipeline).toArray() } catch (error) { return `${error.code} ${error.message}` } };
refused({ $geoNear: { near: point(0, 0), distanceField: "d" } })
//>
db.p.createIndex({ at: "2dsphere" })
//>
near({ near: point(0, 0), distanceField: "d" })
//>
near({ near: point(0, 0) }, { $project: { _id: 1 } })
//>
near({ near: point(0, 0), distanceField: "in.d", includeLocs: "in.at", maxDistance: 120000, minDistance: 1 })
//>
near({ near: point(0, 0), distanceField: "list.0.d", distanceMultiplier: 0.001, query: { kind: "a" }, spherical: true })
//>
near({ near: [0, 0], distanceField: "d", spherical: true, key: "at", maxDistance: 0.02 }, { $project: { d: 1 } })
//>
near({ near: point(0, 0), distanceField: "d", includeLocs: "d", maxDistance: 10 })
//>
near({ near: point(0, 0), distanceField: "d" }, { $sort: { d: -1 } }, { $limit: 1 }, { $project: { d: 1 } })
//>
near({ near: point(0, 0), distanceField: "d" }, { $match: { d: { $gt: 1 }, kind: "a" } }, { $project: { d: 1 } })
//>
near({ near: point(0, 0) }, { $project: { d: { $meta: "geoNearDistance" }, p: { $meta: "geoNearPoint" } } }, { $limit: 2 })
//>
near({ near: point(0, 0) }, { $sort: { d: { $meta: "geoNearDistance" } } }, { $project: { _id: 1 } })
//>
near({ near: point(0, 0), distanceField: "d" }, { $group: { _id: "$kind", nearest: { $first: "$d" }, n: { $sum: 1 } } }, { $sort: { _id: 1 } })
//>
db.p.aggregate([{ $match: {} }, { $geoNear: { near: point(0, 0), distanceField: "d" } }, { $count: "n" }]).toArray()
//>
// Values of variables are constants; fields are none.
db.p.aggregate([{ $geoNear: { near: "$$here", distanceField: "d", maxDistance: "$$far" } }, { $project: { d: 1 } }], { let: { here: point(1, 0), far: 10 } }).toArray()
//>
refused({ $geoNear: { near: "$at", distanceField: "d" } })
//>
refused({ $geoNear: { near: point(0, 0), maxDistance: "$at" } })
//>
// Joined collections and others beside them.
db.o.insertOne({ _id: 1 }).insertedId
//>
db.o.aggregate([{ $lookup: { from: "p", pipeline: [{ $geoNear: { near: point(2, 0), distanceField: "d" } }, { $limit: 1 }], as: "nearest" } }]).toArray()
//>
db.o.aggregate([{ $unionWith: { coll: "p", pipeline: [{ $geoNear: { near: point(2, 0), distanceField: "d" } }, { $limit: 1 }] } }]).toArray()
//>
// Explain shows the read and the stage as one.
const shown = db.p.explain().aggregate([{ $geoNear: { near: point(0, 0), distanceField: "d", query: { kind: "a" } } }, { $limit: 1 }]).stages;
shown.map(stage => Object.keys(stage))
//>
shown[0].$geoNearCursor.queryPlanner.parsedQuery
//>
shown[0].$geoNearCursor.queryPlanner.winningPlan.inputStage.stage
//>
db.p.explain("executionStats").aggregate([{ $geoNear: { near: point(0, 0), distanceField: "d" } }]).stages[0].nReturned.toString()
//>
// What is refused.
refused({ $geoNear: 5 })
//>
refused({ $geoNear: {} })
//>
refused({ $geoNear: { near: 5 } })
//>
refused({ $geoNear: { near: point(0, 0), distanceField: "$d" } })
//>
refused({ $geoNear: { near: point(0, 0), distanceField: "" } })
//>
refused({ $geoNear: { near: point(0, 0), maxDistance: -1 } })
//>
refused({ $geoNear: { near: point(0, 0), maxDistance: "x" } })
//>
refused({ $geoNear: { near: point(0, 0), distanceMultiplier: "x" } })
//>
refused({ $geoNear: { near: point(0, 0), limit: 5 } })
//>
refused({ $geoNear: { near: point(0, 0), unknown: 5 } })
//>
refused({ $geoNear: { near: point(0, 0), query: { at: { $near: [0, 0] } } } })
//>
refused({ $geoNear: { near: point(0, 0), key: "kind" } })
//>
refused({ $geoNear: { near: [0, 0], distanceField: "d" } })
//>
refused({ $match: { kind: "a" } }, { $geoNear: { near: point(0, 0) } })
//>
refused({ $facet: { x: [{ $geoNear: { near: point(0, 0) } }] } })
//>
refused({ $set: { d: { $meta: "geoNearDistance" } } })
//>
try { db.none.aggregate([{ $geoNear: { near: point(0, 0) } }]) } catch (error) { `${error.code} ${error.message}` }
//>
// Several indexes: the one of the plane first, and never by chance.
db.p.createIndex({ to: "2dsphere" })
//>
refused({ $geoNear: { near: point(0, 0) } })
//>
db.p.createIndex({ flat: "2d" })
//>
db.p.updateOne({ _id: 2 }, { $set: { flat: [3, 4] } }).modifiedCount
//>
near({ near: [0, 0], distanceField: "d" })
//>
near({ near: [0, 0], distanceField: "d", spherical: true, distanceMultiplier: 6378.1 }, { $project: { d: 1 } })
//>
refused({ $geoNear: { near: point(0, 0) } })
//>
refused({ $geoNear: { near: [181, 0] } })
//>
