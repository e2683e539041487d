// Which places lie within a shape, or meet it, without an index: shapes of the sphere and of the plane.
//
// Manual: reference/operator/query/geoWithin, reference/operator/query/geoIntersects
const point = (x, y) => ({ type: "Point", coordinates: [x, y] });
const box = (x, y, w, h) => ({ type: "Polygon", coordinates: [[[x, y], [x + w, y], [x + w, y + h], [x, y + h], [x, y]]] });
db.p.insertMany([
  { _id: "json", at: point(2, 2) },
  { _id: "pair", at: [2, 3] },
  { _id: "named", at: { lng: 3, lat: 2 } },
  { _id: "pairs", at: [[40, 40], [1, 1]] },
  { _id: "line", at: { type: "LineString", coordinates: [[1, 1], [20, 1]] } },
  { _id: "square", at: box(1, 1, 2, 2) },
  { _id: "multipoint", at: { type: "MultiPoint", coordinates: [[1, 1], [2, 2]] } },
  { _id: "multiline", at: { type: "MultiLineString", coordinates: [[[1, 1], [2, 2]], [[3, 3], [3, 4]]] } },
  { _id: "multipolygon", at: { type: "MultiPolygon", coordinates: [box(1, 1, 1, 1).coordinates, box(3, 3, 1, 1).coordinates] } },
  { _id: "collection", at: { type: "GeometryCollection", geometries: [point(1, 1), box(2, 2, 1, 1)] } },
  { _id: "far", at: point(100, 50) },
  { _id: "bad", at: { type: "Point", coordinates: [200, 0] } },
  { _id: "text", at: "here" },
  { _id: "absent" },
]);
const ids = filter => db.p.find(filter).toArray().map(d => d._id).join(" ");
ids({ at: { $geoWithin: { $geometry: box(0, 0, 5, 5) } } })
//> json pair named pairs square multipoint multiline multipolygon collection
ids({ at: { $geoIntersects: { $geometry: box(0, 0, 5, 5) } } })
//> json pair named pairs line square multipoint multiline multipolygon collection
// A hole is outside.
ids({ at: { $geoWithin: { $geometry: { type: "Polygon", coordinates: [box(0, 0, 5, 5).coordinates[0], box(1.5, 1.5, 1, 1).coordinates[0]] } } } })
//> pair named pairs
ids({ at: { $geoWithin: { $geometry: { type: "MultiPolygon", coordinates: [box(0, 0, 5, 5).coordinates, box(99, 49, 2, 2).coordinates] } } } })
//> json pair named pairs square multipoint multiline multipolygon collection far
// Shapes of the plane hold points alone, of GeoJSON too.
ids({ at: { $geoWithin: { $box: [[0, 0], [5, 5]] } } })
//> json pair named pairs
ids({ at: { $geoWithin: { $polygon: [[0, 0], [0, 5], [5, 5]] } } })
//> json pair pairs
ids({ at: { $geoWithin: { $center: [[2, 2], 1] } } })
//> json pair named
ids({ at: { $geoWithin: { $centerSphere: [[2, 2], 3 / 6378.1] } } })
//> json
ids({ at: { $geoWithin: { $centerSphere: [[2, 2], 200 / 6378.1] } } })
//> json pair named pairs square multipoint collection
ids({ at: { $within: { $box: [[0, 0], [5, 5]], $uniqueDocs: true } } })
//> json pair named pairs
ids({ at: { $geoIntersects: { $geometry: point(2, 2) } } })
//> json square multipoint multiline multipolygon collection
ids({ at: { $geoIntersects: { $geometry: { type: "LineString", coordinates: [[0, 3.5], [5, 3.5]] } } } })
//> multiline multipolygon
ids({ at: { $not: { $geoIntersects: { $geometry: box(0, 0, 5, 5) } } } })
//> far bad text absent
ids({ $nor: [{ at: { $geoWithin: { $box: [[0, 0], [5, 5]] } } }] })
//> line square multipoint multiline multipolygon collection far bad text absent
ids({ at: { $elemMatch: { $geoWithin: { $box: [[0, 0], [5, 5]] } } } })
//> pairs
ids({ "at.type": "Point", $or: [{ at: { $geoWithin: { $center: [[2, 2], 1] } } }, { at: { $geoWithin: { $geometry: box(99, 49, 2, 2) } } }] })
//> json far
// A large polygon with a strict winding order is the smaller or the larger side of its edge, as it is given.
const strict = { type: "name", properties: { name: "urn:x-mongodb:crs:strictwinding:EPSG:4326" } };
const ring = box(-100, -60, 200, 120).coordinates[0];
ids({ at: { $geoWithin: { $geometry: { type: "Polygon", coordinates: [ring], crs: strict } } } })
//> json pair named pairs line square multipoint multiline multipolygon collection far
ids({ at: { $geoIntersects: { $geometry: { type: "Polygon", coordinates: [ring.slice().reverse()], crs: strict } } } })
//> far
// A pipeline, a count, a delete and an update take them as any predicate.
db.p.aggregate([{ $match: { at: { $geoWithin: { $center: [[2, 2], 1] } } } }, { $group: { _id: null, n: { $sum: 1 } } }]).toArray()
//> [ { _id: null, n: 3 } ]
db.p.countDocuments({ at: { $geoWithin: { $center: [[2, 2], 1] } } })
//> 3
db.p.updateMany({ at: { $geoWithin: { $center: [[2, 2], 1] } } }, { $set: { near: true } }).modifiedCount
//> 3
db.p.deleteMany({ at: { $geoIntersects: { $geometry: box(99, 49, 2, 2) } } }).deletedCount
//> 1
db.p.find({ at: { $geoWithin: { $box: [[0, 0], [5, 5]] } }, a: 1 }).explain().queryPlanner.parsedQuery
//> {
//>   '$and': [
//>     { a: { '$eq': 1 } },
//>     {
//>       at: {
//>         '$geoWithin': { '$box': [ [ 0, 0 ], [ 5, 5 ] ] }
//>       }
//>     }
//>   ]
//> }
// A validator may ask for a place.
db.createCollection("v", { validator: { at: { $geoWithin: { $box: [[0, 0], [5, 5]] } } } })
//> { ok: 1 }
db.v.insertOne({ _id: 1, at: [1, 1] }).insertedId
//> 1
try { db.v.insertOne({ _id: 2, at: [6, 1] }) } catch (error) { error.errInfo.details.schemaRulesNotSatisfied ?? error.errInfo.details }
//> {
//>   operatorName: '$geoWithin',
//>   specifiedAs: {
//>     at: {
//>       '$geoWithin': { '$box': [ [ 0, 0 ], [ 5, 5 ] ] }
//>     }
//>   },
//>   reason: 'none of considered geometries was contained within the expression’s geometry',
//>   consideredValue: [ 6, 1 ]
//> }
try { db.v.insertOne({ _id: 2, at: 6 }) } catch (error) { error.errInfo.details.reason }
//> type did not match
