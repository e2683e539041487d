// How geospatial queries are planned, and what explain shows of them.
//
// Manual: core/indexes/index-types/index-geospatial, reference/explain-results
const point = (x, y) => ({ type: "Point", coordinates: [x, y] });
const box = (x, y, w, h) => ({ type: "Polygon", coordinates: [[[x, y], [x + w, y], [x + w, y + h], [x, y + h], [x, y]]] });
const plan = filter => db.p.find(filter).explain().queryPlanner.winningPlan;
const stages = stage => stage ? [stage.stage + (stage.indexName ? " " + stage.indexName : "")].concat(stages(stage.inputStage)) : [];
for (let i = 0; i < 50; i++) db.p.insertOne({ _id: i, at: point(i % 10, Math.floor(i / 10)), flat: [i % 10, Math.floor(i / 10)], a: i % 3, tags: [i, -i] });
db.p.createIndex({ at: "2dsphere" })
//>
db.p.createIndex({ flat: "2d", a: 1 })
//>
plan({ at: { $geoWithin: { $geometry: box(0.5, 0.5, 2, 2) } } })
//>
plan({ flat: { $geoWithin: { $box: [[0.5, 0.5], [2.5, 2.5]] } }, a: 1 })
//>
plan({ at: { $near: { $geometry: point(1, 1) } } })
//>
plan({ at: { $near: { $geometry: point(1, 1) } }, a: 1 })
//>
plan({ flat: { $near: [1, 1] }, a: 1, _id: { $gt: 3 } })
//>
stages(plan({ at: { $geoIntersects: { $geometry: point(1, 1) } } }))
//>
// The plane's shapes are of no use on the sphere, nor the sphere's on the plane; a circle on the sphere serves both.
stages(plan({ at: { $geoWithin: { $box: [[0, 0], [1, 1]] } } }))
//>
stages(plan({ flat: { $geoWithin: { $geometry: box(0, 0, 1, 1) } } }))
//>
stages(plan({ at: { $geoWithin: { $centerSphere: [[1, 1], 0.02] } } }))
//>
stages(plan({ flat: { $geoWithin: { $centerSphere: [[1, 1], 0.02] } } }))
//>
stages(plan({ flat: { $geoWithin: { $centerSphere: [[179.9, 1], 0.02] } } }))
//>
// Without a place an index that holds only places is of no use, unless it is hinted at.
stages(plan({ flat: null }))
//>
stages(plan({ a: 1 }))
//>
db.p.find({ a: 1 }).hint("flat_2d_a_1").itcount()
//>
// Rows are those of a scan of the collection, with fewer documents looked at.
const counted = filter => { const { nReturned, totalKeysExamined, totalDocsExamined } = db.p.find(filter).explain("executionStats").executionStats; return [nReturned, totalKeysExamined > 0, totalDocsExamined < 50] };
counted({ at: { $geoWithin: { $geometry: box(0.5, 0.5, 2, 2) } } })
//>
counted({ flat: { $geoWithin: { $center: [[2, 2], 1] } } })
//>
counted({ at: { $near: { $geometry: point(1, 1), $maxDistance: 120000 } } })
//>
const run = db.p.find({ at: { $near: { $geometry: point(4.5, 2.2), $maxDistance: 120000 } }, a: 1 }).limit(2).explain("executionStats").executionStats.executionStages;
stages(run)
//>
const near = run.inputStage.inputStage;
[near.nReturned, near.keyPattern, near.indexVersion]
//>
near.searchIntervals.map(ring => [ring.minDistance, ring.maxInclusive, ring.nBuffered, ring.nReturned])
//>
stages(near.inputStages[0])
//>
// Fields before and behind the place narrow the search down.
db.p.createIndex({ a: 1, at: "2dsphere" })
//>
db.p.dropIndex("at_2dsphere").ok
//>
plan({ at: { $near: { $geometry: point(1, 1) } }, a: { $in: [1, 2] } })
//>
stages(plan({ at: { $geoWithin: { $geometry: box(0.5, 0.5, 2, 2) } }, a: 1 }))
//>
try { plan({ at: { $near: { $geometry: point(1, 1) } } }) } catch (error) { error.code }
//>
stages(plan({ a: 1 }))
//>
db.p.find({ at: { $near: { $geometry: point(1, 1) } }, a: 1 }).hint("a_1_at_2dsphere").limit(3).toArray().map(d => d._id)
//>
try { db.p.find({ at: { $near: { $geometry: point(1, 1) } }, a: 1 }).hint({ _id: 1 }).toArray() } catch (error) { error.code }
//>
stages(db.p.find({ at: { $geoWithin: { $geometry: box(0.5, 0.5, 2, 2) } }, a: 1 }).sort({ a: 1 }).explain().queryPlanner.winningPlan)
//>
// Version 1 holds every document, and serves its other fields alone too.
db.o.createIndex({ a: 1, at: "2dsphere" }, { "2dsphereIndexVersion": 1 })
//>
db.o.insertMany([{ _id: 1, a: 1 }, { _id: 2, a: 1, at: point(1, 1) }, { _id: 3, a: 2, at: box(0, 0, 1, 1) }]).insertedIds
//>
db.o.find({ a: 1 }).explain().queryPlanner.winningPlan.inputStage.indexName
//>
db.o.find({ a: { $gt: 0 }, at: { $geoIntersects: { $geometry: box(0.5, 0.5, 1, 1) } } }).explain().queryPlanner.winningPlan.inputStage.indexBounds
//>
db.o.find({ a: { $gt: 0 }, at: { $geoIntersects: { $geometry: box(0.5, 0.5, 1, 1) } } }).toArray().map(d => d._id)
//>
db.o.find({ a: { $gt: 0 }, at: { $near: { $geometry: point(0.5, 2) } } }).toArray().map(d => d._id)
//>
// Several branches, each by its index.
db.p.createIndex({ at: "2dsphere" })
//>
stages(plan({ $or: [{ at: { $geoWithin: { $geometry: box(0.5, 0.5, 2, 2) } } }, { _id: 5 }] }))
//>
db.p.find({ $or: [{ at: { $geoWithin: { $geometry: box(0.5, 0.5, 1, 1) } } }, { flat: { $geoWithin: { $box: [[8.5, 3.5], [9, 4]] } } }, { _id: 5 }] }).toArray().map(d => d._id)
//>
db.p.aggregate([{ $indexStats: {} }]).toArray().filter(i => i.accesses.ops > 0).map(i => i.name)
//>
