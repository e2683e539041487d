// What geospatial operators refuse, and where they may not stand.
//
// Manual: reference/operator/query-geospatial
const refused = filter => { try { return db.c.find(filter).toArray() } catch (error) { return `${error.code} ${error.message}` } };
db.c.insertOne({ _id: 1, at: [1, 1] }).insertedId
//> 1
refused({ at: { $geoWithin: 5 } })
//> 2 geometry must be an object
refused({ at: { $geoWithin: {} } })
//> 2 geo query doesn't have any geometry
refused({ at: { $geoWithin: { $sphere: [] } } })
//> 2 unknown geo specifier: $sphere: []
refused({ at: { $geoWithin: { $box: [[0, 0], [1, 1]], $center: [[0, 0], 1] } } })
//> 2 $geoWithin doesn't accept multiple shapes $geoWithin: { $box: [ [ 0, 0 ], [ 1, 1 ] ], $center: [ [ 0, 0 ], 1 ] }
refused({ at: { $geoWithin: { $box: [[0, 0], [1, 1]] }, $gt: 5 } })
//> 2 can't parse extra field: $gt: 5
refused({ at: { $geoWithin: { $box: [[0, 0]] } } })
//> 2 Point must be an array or object, instead got type missing
refused({ at: { $geoWithin: { $polygon: [[0, 0], [1, 1]] } } })
//> 2 Polygon must have at least 3 points, instead got 2 vertices
refused({ at: { $geoWithin: { $center: [[0, 0], -1] } } })
//> 2 Radius must be a non-negative number: -1
refused({ at: { $geoWithin: { $centerSphere: [[0, 0], "x"] } } })
//> 2 Radius must be a non-negative number: "x"
refused({ at: { $geoWithin: { $geometry: { type: "Point", coordinates: [1, 1] } } } })
//> 2 $within not supported with provided geometry: { $geoWithin: { $geometry: { type: "Point", coordinates: [ 1, 1 ] } } }
refused({ at: { $geoWithin: { $geometry: { type: "Circle", coordinates: [1, 1] } } } })
//> 2 unknown GeoJSON type: {"type":"Circle","coordinates":[1,1]}
refused({ at: { $geoWithin: { $geometry: { type: "Polygon", coordinates: [[[0, 0], [1, 1], [0, 1]]] } } } })
//> 2 Loop is not closed, first vertex does not equal last vertex: [[0,0],[1,1],[0,1]]
refused({ at: { $geoWithin: { $geometry: { type: "Polygon", coordinates: [[[0, 0], [0, 1], [1, 0], [1, 1], [0, 0]]] } } } })
//> 2 Loop is not valid: [[0,0],[0,1],[1,0],[1,1],[0,0]] Edges 1 and 3 cross. Edge locations in degrees: [0.0000000, 1.0000000]-[1.0000000, 0.0000000] and [1.0000000, 1.0000000]-[0.0000000, 0.0000000]
refused({ at: { $geoIntersects: { $box: [[0, 0], [1, 1]] } } })
//> 2 $geoIntersect not supported with provided geometry: { $geoIntersects: { $box: [ [ 0, 0 ], [ 1, 1 ] ] } }
refused({ at: { $geoIntersects: { $geometry: { type: "Point", coordinates: [181, 1] } } } })
//> 2 Longitude/latitude is out of bounds, lng: 181 lat: 1
// Distances.
refused({ at: { $near: 5 } })
//> 2 near must be first in: { $near: 5 }
refused({ at: { $near: {} } })
//> 2 $geometry is required for geo near query
refused({ at: { $near: [1] } })
//> 2 invalid argument in geo near query: 0
refused({ at: { $near: { $geometry: { type: "Point", coordinates: [1, 1] }, $maxDistance: -1 } } })
//> 2 $maxDistance must be non-negative
refused({ at: { $near: { $geometry: { type: "Point", coordinates: [1, 1] }, $minDistance: "x" } } })
//> 2 $minDistance must be a number
refused({ at: { $near: { $geometry: { type: "Point", coordinates: [1, 1] }, $other: 1 } } })
//> 2 invalid argument in geo near query: $other
refused({ at: { $near: { $geometry: { type: "LineString", coordinates: [[1, 1], [2, 2]] } } } })
//> 2 invalid point in geo near query $geometry argument: { type: "LineString", coordinates: [ [ 1, 1 ], [ 2, 2 ] ] }  Expected geojson geometry with type Point, but got type LineString
refused({ at: { $near: { $maxDistance: 5 } } })
//> 2 $geometry is required for geo near query
refused({ at: { $near: [1, 1], $maxDistance: -1 } })
//> 16896 $maxDistance must be non-negative
refused({ at: { $near: [1, 1], $minDistance: "x" } })
//> 16893 $minDistance must be a number
refused({ at: { $near: [1, 1], $gt: 5 } })
//> 34413 invalid argument in geo near query: $gt
refused({ at: { $gt: 5, $near: [1, 1] } })
//> 2 near must be first in: { $gt: 5, $near: [ 1, 1 ] }
refused({ at: { $maxDistance: 5 } })
//> 2 unknown operator: $maxDistance
refused({ at: { $nearSphere: [1, 91] } })
//> 2 Legacy point is out of bounds for spherical query
refused({ at: { $near: [1, 1] } })
//> 291 error processing query: planner returned error :: caused by :: unable to find index for $geoNear query
refused({ at: { $nearSphere: { $geometry: { type: "Point", coordinates: [1, 1] } } } })
//> 291 error processing query: planner returned error :: caused by :: unable to find index for $geoNear query
refused({ $or: [{ at: { $near: [1, 1] } }, { a: 1 }] })
//> 2 geoNear must be top-level expr
refused({ at: { $not: { $near: [1, 1] } } })
//> 2 geoNear must be top-level expr
refused({ a: { $elemMatch: { at: { $near: [1, 1] } } } })
//> 2 geoNear must be top-level expr
refused({ at: { $near: [1, 1] }, to: { $near: [1, 1] } })
//> 2 Too many geoNear expressions
try { db.c.find({ at: { $near: [1, 1] } }).hint({ $natural: 1 }).toArray() } catch (error) { error.message }
//> geoNear expression not allowed with $natural hint
// Only a query by itself may ask for an order.
db.c.countDocuments({ at: { $near: [1, 1] } })
//> MongoServerError[Location5626500]: $geoNear, $near, and $nearSphere are not allowed in this context, as these operators require sorting geospatial data. If you do not need sort, consider using $geoWithin instead. Check out https://dochub.mongodb.org/core/near-sort-operation and https://dochub.mongodb.org/core/nearSphere-sort-operation for more details.
db.c.aggregate([{ $match: { at: { $nearSphere: [1, 1] } } }])
//> MongoServerError[Location5626500]: $geoNear, $near, and $nearSphere are not allowed in this context, as these operators require sorting geospatial data. If you do not need sort, consider using $geoWithin instead. Check out https://dochub.mongodb.org/core/near-sort-operation and https://dochub.mongodb.org/core/nearSphere-sort-operation for more details.
db.createCollection("v", { validator: { at: { $near: [1, 1] } } })
//> MongoServerError[Location5626500]: $geoNear, $near, and $nearSphere are not allowed in this context, as these operators require sorting geospatial data. If you do not need sort, consider using $geoWithin instead. Check out https://dochub.mongodb.org/core/near-sort-operation and https://dochub.mongodb.org/core/nearSphere-sort-operation for more details.
db.c.find({}, { a: { $elemMatch: { at: { $near: [1, 1] } } } })
//> MongoServerError[Location5626500]: $geoNear, $near, and $nearSphere are not allowed in this context, as these operators require sorting geospatial data. If you do not need sort, consider using $geoWithin instead. Check out https://dochub.mongodb.org/core/near-sort-operation and https://dochub.mongodb.org/core/nearSphere-sort-operation for more details.
db.c.createIndex({ a: 1 }, { partialFilterExpression: { at: { $near: [0, 0] } } })
//> MongoServerError[Location5626500]: Error in specification { key: { a: 1 }, name: "a_1", partialFilterExpression: { at: { $near: [ 0, 0 ] } }, v: 2 } :: caused by :: $geoNear, $near, and $nearSphere are not allowed in this context, as these operators require sorting geospatial data. If you do not need sort, consider using $geoWithin instead. Check out https://dochub.mongodb.org/core/near-sort-operation and https://dochub.mongodb.org/core/nearSphere-sort-operation for more details.
db.c.find({}, { d: { $meta: "geoNearDistance" } })
//> MongoServerError[Location40218]: query requires $geoNear distance metadata, but it is not available
db.c.find().sort({ d: { $meta: "geoNearDistance" } })
//> MongoServerError[Location40218]: query requires $geoNear distance metadata, but it is not available
// A collection that is not there has nothing near.
db.none.find({ at: { $near: [1, 1] } }).toArray()
//> []
