// Documents by their distance from a point: units, bounds, other predicates, orders and limits.
//
// Manual: reference/operator/query/near, reference/operator/query/nearSphere
const point = (x, y) => ({ type: "Point", coordinates: [x, y] });
for (let i = 0; i < 40; i++) db.p.insertOne({ _id: i, at: point(i / 10, 0), flat: [i, 0], kind: i % 3 });
db.p.createIndex({ at: "2dsphere" })
//> at_2dsphere
db.p.createIndex({ flat: "2d" })
//> flat_2d
const ids = cursor => cursor.toArray().map(d => d._id).join(" ");
ids(db.p.find({ at: { $near: { $geometry: point(2.03, 0) } } }))
//> 20 21 19 22 18 23 17 24 16 25 15 26 14 27 13 28 12 29 11 30 10 31 9 32 8 33 7 34 6 35 5 36 4 37 3 38 2 39 1 0
ids(db.p.find({ at: { $near: { $geometry: point(2.03, 0), $maxDistance: 25000 } } }))
//> 20 21 19 22
ids(db.p.find({ at: { $near: { $geometry: point(2.03, 0), $minDistance: 11132, $maxDistance: 25000 } } }))
//> 19 22
ids(db.p.find({ at: { $nearSphere: { $geometry: point(2.03, 0), $maxDistance: 25000 } } }))
//> 20 21 19 22
ids(db.p.find({ at: { $geoNear: { $geometry: point(2.03, 0), $maxDistance: 25000 } } }))
//> 20 21 19 22
// GeoJSON counts metres; a pair counts radians on the sphere, and units of the plane.
ids(db.p.find({ at: { $nearSphere: [2, 0], $maxDistance: 0.004 } }))
//> 20 19 21 18 22
ids(db.p.find({ at: { $nearSphere: { type: "Point", coordinates: [2, 0] }, $maxDistance: 25000 } }))
//> 20 19 21 18 22
ids(db.p.find({ flat: { $near: [20, 0], $maxDistance: 2.5 } }))
//> 20 19 21 18 22
ids(db.p.find({ flat: { $near: { x: 20, y: 0 }, $minDistance: 1, $maxDistance: 2.5 } }))
//> 19 21 18 22
ids(db.p.find({ flat: { $near: [20, 0, 1] } }))
//> 20 19 21
ids(db.p.find({ flat: { $nearSphere: [20, 0], $maxDistance: 0.04 } }))
//> 20 19 21 18 22
// Other predicates, a limit, a skip, another order, fewer fields.
ids(db.p.find({ at: { $near: { $geometry: point(2.03, 0) } }, kind: 1 }).limit(4))
//> 19 22 16 25
ids(db.p.find({ $and: [{ kind: 1 }, { at: { $near: { $geometry: point(2.03, 0) } } }] }).skip(1).limit(3))
//> 22 16 25
ids(db.p.find({ at: { $near: { $geometry: point(2.03, 0), $maxDistance: 25000 } } }).sort({ _id: -1 }))
//> 22 21 20 19
ids(db.p.find({ at: { $near: { $geometry: point(2.03, 0), $maxDistance: 25000 } } }).sort({ d: { $meta: "geoNearDistance" } }))
//> 22 19 21 20
db.p.find({ at: { $near: { $geometry: point(2.03, 0) } } }, { _id: 1, d: { $meta: "geoNearDistance" }, p: { $meta: "geoNearPoint" } }).limit(2).toArray().map(({ d, ...rest }) => ({ d: Math.round(d), ...rest }))
//> [
//>   { d: 3340, _id: 20, p: { type: 'Point', coordinates: [ 2, 0 ] } },
//>   { d: 7792, _id: 21, p: { type: 'Point', coordinates: [ 2.1, 0 ] } }
//> ]
db.p.find({ at: { $nearSphere: [2.1, 0] } }, { _id: 1, d: { $meta: "geoNearDistance" } }).limit(2).toArray()
//> [ { _id: 21, d: 0 }, { _id: 20, d: 0.0017453292519943298 } ]
db.p.find({ flat: { $near: [20.25, 0] } }, { _id: 1, d: { $meta: "geoNearDistance" } }).limit(2).toArray()
//> [ { _id: 20, d: 0.25 }, { _id: 21, d: 0.75 } ]
ids(db.p.find({ at: { $near: { $geometry: point(2.03, 0), $maxDistance: 100000 }, }, flat: { $geoWithin: { $box: [[18, -1], [30, 1]] } } }))
//> 20 21 19 22 18 23 24 25 26 27 28 29
// A cursor goes on behind its first batch.
ids(db.p.find({ at: { $near: { $geometry: point(2.03, 0) } } }).batchSize(3))
//> 20 21 19 22 18 23 17 24 16 25 15 26 14 27 13 28 12 29 11 30 10 31 9 32 8 33 7 34 6 35 5 36 4 37 3 38 2 39 1 0
// What writes may ask for the nearest too.
db.p.updateOne({ at: { $near: { $geometry: point(2.02, 0) } } }, { $set: { nearest: true } }).modifiedCount
//> 1
db.p.findOne({ nearest: true })._id
//> 20
db.p.findOneAndUpdate({ at: { $near: { $geometry: point(3.01, 0) } } }, { $set: { found: true } }, { projection: { _id: 1 } })
//> { _id: 30 }
db.p.updateMany({ at: { $near: { $geometry: point(2.03, 0), $maxDistance: 25000 } } }, { $set: { around: true } }).modifiedCount
//> 4
db.p.deleteOne({ at: { $near: { $geometry: point(2.03, 0) } } }).deletedCount
//> 1
db.p.findOne({ _id: 20 })
//> null
db.p.distinct("kind", { at: { $near: { $geometry: point(2.03, 0), $maxDistance: 15000 } } })
//> [ 0, 1 ]
db.runCommand({ count: "p", query: { at: { $near: { $geometry: point(2.03, 0), $maxDistance: 25000 } } } }).n
//> 3
// The nearest of several places counts, and each document once.
db.q.createIndex({ "stops.at": "2dsphere" })
//> stops.at_2dsphere
db.q.createIndex({ flat: "2d" })
//> flat_2d
db.q.insertMany([
  { _id: 1, stops: [{ at: point(5, 5) }, { at: point(1, 0) }], flat: [[5, 5], [1, 0]] },
  { _id: 2, stops: [{ at: point(2.03, 0) }], flat: { a: [2, 0], b: [9, 9] } },
  { _id: 3, stops: [{ at: { type: "Polygon", coordinates: [[[-1, -1], [0.5, -1], [0.5, 1], [-1, 1], [-1, -1]]] } }] },
  { _id: 4, stops: [{ at: { type: "LineString", coordinates: [[3, -5], [3, 5]] } }] },
]).insertedIds
//> { '0': 1, '1': 2, '2': 3, '3': 4 }
db.q.find({ "stops.at": { $near: { $geometry: point(0, 0) } } }, { _id: 1, d: { $meta: "geoNearDistance" } }).toArray()
//> [
//>   { _id: 3, d: 0 },
//>   { _id: 1, d: 111318.84502145034 },
//>   { _id: 2, d: 225977.25539354415 },
//>   { _id: 4, d: 333956.53506435105 }
//> ]
db.q.find({ flat: { $near: [0, 0] } }, { _id: 1, d: { $meta: "geoNearDistance" } }).toArray()
//> [ { _id: 1, d: 1 }, { _id: 2, d: 2 } ]
// Beyond the date line and over a pole.
db.r.createIndex({ at: "2dsphere" })
//> at_2dsphere
db.r.insertMany([{ _id: "west", at: point(-179.5, 0) }, { _id: "east", at: point(179, 0) }, { _id: "pole", at: point(0, 89) }]).insertedIds
//> { '0': 'west', '1': 'east', '2': 'pole' }
ids(db.r.find({ at: { $near: { $geometry: point(179.8, 0) } } }))
//> west east pole
ids(db.r.find({ at: { $near: { $geometry: point(180, 89), $maxDistance: 300000 } } }))
//> pole
// Distances on the plane are those of the plane, whatever the numbers mean.
db.s.createIndex({ at: "2d" }, { min: -1000, max: 1000 })
//> at_2d
db.s.insertMany([{ _id: 1, at: [900, 900] }, { _id: 2, at: [-900, -900] }, { _id: 3, at: [0, 0] }]).insertedIds
//> { '0': 1, '1': 2, '2': 3 }
ids(db.s.find({ at: { $near: [1000, 1000] } }))
//> 1 3 2
ids(db.s.find({ at: { $near: [0, 0], $maxDistance: 0 } }))
//> 3
try { db.s.find({ at: { $near: [1001, 0] } }).toArray() } catch (error) { `${error.code} ${error.message}` }
//> 16433 Executor error during find command: test.s :: caused by :: point not in interval of [ -1000, 1000 ] :: caused by :: [ 1001, 0 ]
// An index of the wrong kind does not help, nor does a hidden one.
try { db.s.find({ at: { $near: { $geometry: point(0, 0) } } }).toArray() } catch (error) { error.code }
//> 291
db.r.hideIndex("at_2dsphere").ok
//> 1
try { db.r.find({ at: { $near: { $geometry: point(0, 0) } } }).toArray() } catch (error) { error.code }
//> 291
// Through a view.
db.createView("w", "p", [{ $match: { kind: 1 } }])
//> { ok: 1 }
try { db.w.find({ at: { $near: { $geometry: point(2.03, 0) } } }).toArray() } catch (error) { error.code }
//> 5626500
