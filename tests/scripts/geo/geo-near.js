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
//> { '0': 1, '1': 2, '2': 3, '3': 4 }
const near = (stage, ...rest) => db.p.aggregate([{ $geoNear: stage }, ...rest]).toArray();
const refused = (...pipeline) => { try { return db.p.aggregate(pipeline).toArray() } catch (error) { return `${error.code} ${error.message}` } };
refused({ $geoNear: { near: point(0, 0), distanceField: "d" } })
//> 27 $geoNear requires a 2d or 2dsphere index, but none were found
db.p.createIndex({ at: "2dsphere" })
//> at_2dsphere
near({ near: point(0, 0), distanceField: "d" })
//> [
//>   {
//>     _id: 3,
//>     at: { type: 'Point', coordinates: [ 0, 0 ] },
//>     kind: 'a',
//>     list: [ 1 ],
//>     d: 0
//>   },
//>   {
//>     _id: 1,
//>     at: { type: 'Point', coordinates: [ 1, 0 ] },
//>     kind: 'a',
//>     in: { x: 1 },
//>     d: 111318.84502145034
//>   },
//>   {
//>     _id: 2,
//>     at: { type: 'Point', coordinates: [ 2, 0 ] },
//>     kind: 'b',
//>     d: 222637.69004290068
//>   }
//> ]
near({ near: point(0, 0) }, { $project: { _id: 1 } })
//> [ { _id: 3 }, { _id: 1 }, { _id: 2 } ]
near({ near: point(0, 0), distanceField: "in.d", includeLocs: "in.at", maxDistance: 120000, minDistance: 1 })
//> [
//>   {
//>     _id: 1,
//>     at: { type: 'Point', coordinates: [ 1, 0 ] },
//>     kind: 'a',
//>     in: {
//>       x: 1,
//>       d: 111318.84502145034,
//>       at: { type: 'Point', coordinates: [ 1, 0 ] }
//>     }
//>   }
//> ]
near({ near: point(0, 0), distanceField: "list.0.d", distanceMultiplier: 0.001, query: { kind: "a" }, spherical: true })
//> [
//>   {
//>     _id: 3,
//>     at: { type: 'Point', coordinates: [ 0, 0 ] },
//>     kind: 'a',
//>     list: { '0': { d: 0 } }
//>   },
//>   {
//>     _id: 1,
//>     at: { type: 'Point', coordinates: [ 1, 0 ] },
//>     kind: 'a',
//>     in: { x: 1 },
//>     list: { '0': { d: 111.31884502145034 } }
//>   }
//> ]
near({ near: [0, 0], distanceField: "d", spherical: true, key: "at", maxDistance: 0.02 }, { $project: { d: 1 } })
//> [ { _id: 3, d: 0 }, { _id: 1, d: 0.017453292519943295 } ]
near({ near: point(0, 0), distanceField: "d", includeLocs: "d", maxDistance: 10 })
//> [
//>   {
//>     _id: 3,
//>     at: { type: 'Point', coordinates: [ 0, 0 ] },
//>     kind: 'a',
//>     list: [ 1 ],
//>     d: { type: 'Point', coordinates: [ 0, 0 ] }
//>   }
//> ]
near({ near: point(0, 0), distanceField: "d" }, { $sort: { d: -1 } }, { $limit: 1 }, { $project: { d: 1 } })
//> [ { _id: 2, d: 222637.69004290068 } ]
near({ near: point(0, 0), distanceField: "d" }, { $match: { d: { $gt: 1 }, kind: "a" } }, { $project: { d: 1 } })
//> [ { _id: 1, d: 111318.84502145034 } ]
near({ near: point(0, 0) }, { $project: { d: { $meta: "geoNearDistance" }, p: { $meta: "geoNearPoint" } } }, { $limit: 2 })
//> [
//>   { _id: 3, d: 0, p: { type: 'Point', coordinates: [ 0, 0 ] } },
//>   {
//>     _id: 1,
//>     d: 111318.84502145034,
//>     p: { type: 'Point', coordinates: [ 1, 0 ] }
//>   }
//> ]
near({ near: point(0, 0) }, { $sort: { d: { $meta: "geoNearDistance" } } }, { $project: { _id: 1 } })
//> [ { _id: 2 }, { _id: 1 }, { _id: 3 } ]
near({ near: point(0, 0), distanceField: "d" }, { $group: { _id: "$kind", nearest: { $first: "$d" }, n: { $sum: 1 } } }, { $sort: { _id: 1 } })
//> [
//>   { _id: 'a', nearest: 0, n: 2 },
//>   { _id: 'b', nearest: 222637.69004290068, n: 1 }
//> ]
db.p.aggregate([{ $match: {} }, { $geoNear: { near: point(0, 0), distanceField: "d" } }, { $count: "n" }]).toArray()
//> [ { n: 3 } ]
// Values of variables are constants; fields are none.
db.p.aggregate([{ $geoNear: { near: "$$here", distanceField: "d", maxDistance: "$$far" } }, { $project: { d: 1 } }], { let: { here: point(1, 0), far: 10 } }).toArray()
//> [ { _id: 1, d: 0 } ]
refused({ $geoNear: { near: "$at", distanceField: "d" } })
//> 5860402 $geoNear requires a constant near argument
refused({ $geoNear: { near: point(0, 0), maxDistance: "$at" } })
//> 7555702 $geoNear requires $maxDistance to evaluate to a constant number
// Joined collections and others beside them.
db.o.insertOne({ _id: 1 }).insertedId
//> 1
db.o.aggregate([{ $lookup: { from: "p", pipeline: [{ $geoNear: { near: point(2, 0), distanceField: "d" } }, { $limit: 1 }], as: "nearest" } }]).toArray()
//> [
//>   {
//>     _id: 1,
//>     nearest: [
//>       {
//>         _id: 2,
//>         at: { type: 'Point', coordinates: [ 2, 0 ] },
//>         kind: 'b',
//>         d: 0
//>       }
//>     ]
//>   }
//> ]
db.o.aggregate([{ $unionWith: { coll: "p", pipeline: [{ $geoNear: { near: point(2, 0), distanceField: "d" } }, { $limit: 1 }] } }]).toArray()
//> [
//>   { _id: 1 },
//>   {
//>     _id: 2,
//>     at: { type: 'Point', coordinates: [ 2, 0 ] },
//>     kind: 'b',
//>     d: 0
//>   }
//> ]
// Each document's own place is the variable of a join.
db.p.aggregate([{ $match: { at: { $exists: true } } }, { $lookup: { from: "p", let: { here: "$at" }, pipeline: [{ $geoNear: { near: "$$here", minDistance: 1 } }, { $limit: 1 }, { $project: { _id: 1 } }], as: "next" } }, { $project: { next: 1 } }]).toArray()
//> [
//>   { _id: 1, next: [ { _id: 2 } ] },
//>   { _id: 2, next: [ { _id: 1 } ] },
//>   { _id: 3, next: [ { _id: 1 } ] }
//> ]
db.createView("nearest", "p", [{ $geoNear: { near: point(2, 0), distanceField: "d" } }, { $limit: 2 }])
//> { ok: 1 }
db.nearest.find({ kind: "a" }, { d: 1 }).toArray()
//> [ { _id: 1, d: 111318.84502145034 } ]
// Explain shows the read and the stage as one.
const shown = db.p.explain().aggregate([{ $geoNear: { near: point(0, 0), distanceField: "d", query: { kind: "a" } } }, { $limit: 1 }]).stages;
shown.map(stage => Object.keys(stage))
//> [ [ '$geoNearCursor' ], [ '$limit' ] ]
shown[0].$geoNearCursor.queryPlanner.parsedQuery
//> {
//>   '$and': [
//>     { kind: { '$eq': 'a' } },
//>     {
//>       at: { '$near': { type: 'Point', coordinates: [ 0, 0 ] } }
//>     }
//>   ]
//> }
shown[0].$geoNearCursor.queryPlanner.winningPlan.inputStage.stage
//> GEO_NEAR_2DSPHERE
db.p.explain("executionStats").aggregate([{ $geoNear: { near: point(0, 0), distanceField: "d" } }]).stages[0].nReturned.toString()
//> 3
// What is refused.
refused({ $geoNear: 5 })
//> 10065 invalid parameter: expected an object ($geoNear) but got int
refused({ $geoNear: {} })
//> 5860400 $geoNear requires a 'near' argument
refused({ $geoNear: { near: 5 } })
//> 5860401 $geoNear requires near argument to be a GeoJSON object or a legacy point(array)
refused({ $geoNear: { near: point(0, 0), distanceField: "$d" } })
//> 16410 FieldPath field names may not start with '$'. Consider using $getField or $setField. Found: '$d'
refused({ $geoNear: { near: point(0, 0), distanceField: "" } })
//> 40352 FieldPath cannot be constructed with empty string
refused({ $geoNear: { near: point(0, 0), maxDistance: -1 } })
//> 2 maxDistance must be nonnegative
refused({ $geoNear: { near: point(0, 0), maxDistance: "x" } })
//> 14 $geoNear requires $maxDistance to evaluate to a number
refused({ $geoNear: { near: point(0, 0), distanceMultiplier: "x" } })
//> 14 distanceMultiplier must be a number
refused({ $geoNear: { near: point(0, 0), limit: 5 } })
//> 50858 $geoNear no longer supports the 'limit' parameter. Use a $limit stage instead.
refused({ $geoNear: { near: point(0, 0), unknown: 5 } })
//> 2 Unknown argument to $geoNear: unknown
refused({ $geoNear: { near: point(0, 0), query: { at: { $near: [0, 0] } } } })
//> 5626500 $geoNear, $near, and $nearSphere are not allowed in this context, as these operators require sorting geospatial data. If you do not need sort, consider using $geoWithin instead. Check out https://dochub.mongodb.org/core/near-sort-operation and https://dochub.mongodb.org/core/nearSphere-sort-operation for more details.
refused({ $geoNear: { near: point(0, 0), key: "kind" } })
//> 291 error processing query: planner returned error :: caused by :: unable to find index for $geoNear query
refused({ $geoNear: { near: [0, 0], distanceField: "d" } })
//> 291 error processing query: planner returned error :: caused by :: unable to find index for $geoNear query
refused({ $match: { kind: "a" } }, { $geoNear: { near: point(0, 0) } })
//> 40603 $geoNear was not the first stage in the pipeline after optimization. Is optimization disabled or inhibited?
refused({ $facet: { x: [{ $geoNear: { near: point(0, 0) } }] } })
//> 40600 $geoNear is not allowed to be used within a $facet stage
refused({ $set: { d: { $meta: "geoNearDistance" } } })
//> 40218 query requires $geoNear distance metadata, but it is not available
try { db.none.aggregate([{ $geoNear: { near: point(0, 0) } }]) } catch (error) { `${error.code} ${error.message}` }
//> MongoServerError[NamespaceNotFound]: $geoNear requires a geo index to run, but test.none does not exist
// Several indexes: the one of the plane first, and never by chance.
db.p.createIndex({ to: "2dsphere" })
//> to_2dsphere
refused({ $geoNear: { near: point(0, 0) } })
//> 27 There is more than one 2dsphere index on test.p; unsure which to use for $geoNear
db.p.createIndex({ flat: "2d" })
//> flat_2d
db.p.updateOne({ _id: 2 }, { $set: { flat: [3, 4] } }).modifiedCount
//> 1
near({ near: [0, 0], distanceField: "d" })
//> [
//>   {
//>     _id: 2,
//>     at: { type: 'Point', coordinates: [ 2, 0 ] },
//>     kind: 'b',
//>     flat: [ 3, 4 ],
//>     d: 5
//>   }
//> ]
near({ near: [0, 0], distanceField: "d", spherical: true, distanceMultiplier: 6378.1 }, { $project: { d: 1 } })
//> [ { _id: 2, d: 556.4313522717086 } ]
refused({ $geoNear: { near: point(0, 0) } })
//> 291 error processing query: planner returned error :: caused by :: unable to find index for $geoNear query
refused({ $geoNear: { near: [181, 0] } })
//> 16433 Executor error during aggregate command on namespace: test.p :: caused by :: point not in interval of [ -180, 180 ] :: caused by :: [ 181, 0 ]
// A group leaves no distance behind; the check is that the pipeline has a $geoNear at all.
db.p.createIndex({ at: "2dsphere" })
//> at_2dsphere
near({ near: point(0, 0), key: "at" }, { $group: { _id: null } }, { $project: { d: { $meta: "geoNearDistance" } } })
//> [ { _id: null } ]
// How deep a field may lie that is written, and one that is read.
const deep = (parts) => Array(parts).fill("a").join(".")
const depth = (value) => value && value.a !== undefined ? 1 + depth(value.a) : 0
db.deep.insertOne({ _id: 1, at: point(0, 0) }).acknowledged
//> true
db.deep.createIndex({ at: "2dsphere" })
//> at_2dsphere
depth(db.deep.aggregate([{ $geoNear: { near: point(0, 0), distanceField: deep(199) } }]).toArray()[0])
//> 199
const refusedDeep = (...stages) => { try { return db.deep.aggregate(stages).toArray().length } catch (error) { return error.code } };
[200, 201].map(parts => refusedDeep({ $geoNear: { near: point(0, 0), distanceField: deep(parts) } }))
//> [ 5984700, 15 ]
[180, 181].map(parts => refusedDeep({ $geoNear: { near: point(0, 0), key: deep(parts) } }))
//> [ 291, 5729100 ]
[180, 181].map(parts => refusedDeep({ $match: { [deep(parts)]: 1 } }))
//> [ 0, 5729100 ]
[200, 201].map(parts => refusedDeep({ $unset: deep(parts) }))
//> [ 1, 15 ]
[{ $lookup: { from: "p", localField: "_id", foreignField: "_id", as: deep(200) } }, { $graphLookup: { from: "p", startWith: 1, connectFromField: "x", connectToField: "_id", as: deep(200) } }, { $setWindowFields: { output: { [deep(200)]: { $sum: 1 } } } }, { $set: { [deep(200)]: 1 } }].map(stage => refusedDeep(stage))
//> [ 5984700, 5984700, 5984700, 1 ]
