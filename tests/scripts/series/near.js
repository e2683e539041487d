// Time series: $geoNear, of the meta field by an index of the buckets, of measurements by sorting them.
//
// Manual: reference/operator/aggregation/geoNear, core/timeseries/timeseries-secondary-index
const point = (x, y) => ({ type: "Point", coordinates: [x, y] });
db.createCollection("s", { timeseries: { timeField: "t", metaField: "m" } })
//> { ok: 1 }
const documents = [];
for (const bus of [0, 1, 2, 3])
  for (let n = 0; n < 5; n += 1)
    documents.push({ _id: bus * 10 + n, t: new Date(Date.UTC(2026, 0, 1, n)), m: { bus, stop: point(3 - bus, 0) }, at: point(bus + n / 10, n), k: n });
documents.push({ _id: 90, t: new Date(Date.UTC(2026, 0, 1)), m: { bus: 9 }, k: 9 });
db.s.insertMany(documents).acknowledged
//> true
db.p.insertMany(documents).acknowledged
//> true
db.p.createIndexes([{ at: "2dsphere" }, { "m.stop": "2dsphere" }])
//> [ 'at_2dsphere', 'm.stop_2dsphere' ]

// Of measurements: as from a plain collection with an index.
const ids = (name, stage, ...rest) => db[name].aggregate([{ $geoNear: stage }, ...rest, { $project: { d: { $round: ["$d", 1] } } }]).toArray().map(({ _id, d }) => `${_id}: ${d}`).join(", ");
const both = (stage, ...rest) => {
  const [series, plain] = ["s", "p"].map((name) => ids(name, stage, ...rest));
  return series === plain ? series : { series, plain };
};
both({ near: point(1, 1), key: "at", distanceField: "d" })
//> 11: 11130.2, 1: 100171.7, 10: 111318.8, 12: 113521.8, 21: 122432.1, 2: 142537.9, 0: 157424.6, 20: 157424.6, 22: 173849.1, 13: 225125.2, 31: 233734, 3: 235863.4, 30: 248906.4, 23: 265484.8, 32: 268934.9, 14: 336905.7, 33: 339166.8, 4: 340556.2, 24: 368460.7, 34: 427495.1
both({ near: point(1, 1), key: "at", distanceField: "d", minDistance: 100000, maxDistance: 200000 })
//> 1: 100171.7, 10: 111318.8, 12: 113521.8, 21: 122432.1, 2: 142537.9, 0: 157424.6, 20: 157424.6, 22: 173849.1
both({ near: [1, 1], spherical: true, key: "at", distanceField: "d", maxDistance: 0.05, distanceMultiplier: 1000 })
//> 11: 1.7, 1: 15.7, 10: 17.5, 12: 17.8, 21: 19.2, 2: 22.3, 0: 24.7, 20: 24.7, 22: 27.3, 13: 35.3, 31: 36.6, 3: 37, 30: 39, 23: 41.6, 32: 42.2
both({ near: point(1, 1), key: "at", distanceField: "d" }, { $limit: 3 })
//> 11: 11130.2, 1: 100171.7, 10: 111318.8
both({ near: point(1, 1), key: "at", distanceField: "d" }, { $match: { k: { $gte: 4 }, d: { $lt: 400000 } } })
//> 14: 336905.7, 4: 340556.2, 24: 368460.7
db.s.aggregate([{ $match: { "m.bus": 2 } }, { $geoNear: { near: point(1, 1), key: "at", distanceField: "far.off" } }, { $limit: 1 }])
//> [
//>   {
//>     t: ISODate('2026-01-01T01:00:00.000Z'),
//>     m: { bus: 2, stop: { coordinates: [ 1, 0 ], type: 'Point' } },
//>     _id: 21,
//>     at: { type: 'Point', coordinates: [ 2.1, 1 ] },
//>     k: 1,
//>     far: { off: 122432.07911165449 }
//>   }
//> ]

// On the plane there is no index that a time series could have.
db.s.aggregate([{ $geoNear: { near: [0, 0], key: "at", distanceField: "d", maxDistance: 1.1 } }, { $project: { d: 1 } }])
//> [
//>   { _id: 0, d: 0 },
//>   { _id: 10, d: 1 },
//>   { _id: 1, d: 1.004987562112089 }
//> ]

// Of the meta field: the index finds the buckets, and each measurement is told its distance.
const refused = (...pipeline) => { try { return db.s.aggregate(pipeline).toArray() } catch (error) { return `${error.code} ${error.message}` } };
refused({ $geoNear: { near: point(0, 0), key: "m.stop", distanceField: "d" } })
//> 291 error processing query: planner returned error :: caused by :: unable to find index for $geoNear query
db.s.createIndex({ "m.stop": "2dsphere" })
//> m.stop_2dsphere
const stops = (name, ...rest) => db[name].aggregate([{ $geoNear: { near: point(0, 0), key: "m.stop", distanceField: "d", includeLocs: "where", maxDistance: 250000 } }, { $sort: { d: 1, _id: 1 } }, { $project: { d: { $round: ["$d"] }, "where.coordinates": 1 } }, ...rest]).toArray();
stops("s", { $limit: 2 })
//> [
//>   { _id: 30, where: { coordinates: [ 0, 0 ] }, d: 0 },
//>   { _id: 31, where: { coordinates: [ 0, 0 ] }, d: 0 }
//> ]
EJSON.stringify(stops("s")) === EJSON.stringify(stops("p"))
//> true
db.s.aggregate([{ $geoNear: { near: point(0, 0), key: "m.stop", minDistance: 200000 } }, { $group: { _id: "$m.bus", n: { $sum: 1 } } }, { $sort: { _id: 1 } }])
//> [ { _id: 0, n: 5 }, { _id: 1, n: 5 } ]

// In a join, a union and a view.
db.one.insertOne({ _id: 1, where: point(1, 1) }).acknowledged
//> true
db.one.aggregate([{ $lookup: { from: "s", pipeline: [{ $geoNear: { near: point(1, 1), key: "at", distanceField: "d" } }, { $limit: 1 }, { $project: { _id: 1 } }], as: "nearest" } }])
//> [
//>   {
//>     _id: 1,
//>     where: { type: 'Point', coordinates: [ 1, 1 ] },
//>     nearest: [ { _id: 11 } ]
//>   }
//> ]
db.one.aggregate([{ $project: { _id: 1 } }, { $unionWith: { coll: "s", pipeline: [{ $geoNear: { near: point(0, 0), key: "m.stop", distanceField: "d" } }, { $group: { _id: "$d" } }, { $count: "n" }] } }])
//> [ { _id: 1 }, { n: 4 } ]
db.createView("v", "s", [{ $geoNear: { near: point(1, 1), key: "at", distanceField: "d" } }, { $limit: 2 }])
//> { ok: 1 }
db.v.find({}, { _id: 1, k: 1 })
//> [ { _id: 11, k: 1 }, { _id: 1, k: 1 } ]

// The stages.
const stages = (...pipeline) => db.s.explain().aggregate(pipeline).stages;
stages({ $geoNear: { near: point(1, 1), key: "at", distanceField: "d", distanceMultiplier: 2 } }, { $limit: 3 }, { $project: { _id: 1 } }).slice(1)
//> [
//>   {
//>     '$_internalUnpackBucket': {
//>       exclude: [],
//>       timeField: 't',
//>       metaField: 'm',
//>       bucketMaxSpanSeconds: 3600,
//>       assumeNoMixedSchemaData: true
//>     }
//>   },
//>   {
//>     '$_internalComputeGeoNearDistance': {
//>       near: { type: 'Point', coordinates: [ 1, 1 ] },
//>       key: 'at',
//>       distanceField: 'd',
//>       distanceMultiplier: 2
//>     }
//>   },
//>   { '$sort': { sortKey: { d: 1 }, limit: Long('3') } },
//>   { '$project': { _id: true } }
//> ]
const found = stages({ $geoNear: { near: point(0, 0), key: "m.stop", distanceField: "d" } });
found.map((stage) => Object.keys(stage)[0])
//> [
//>   '$geoNearCursor',
//>   '$_internalUnpackBucket',
//>   '$_internalComputeGeoNearDistance'
//> ]
found[0].$geoNearCursor.queryPlanner.winningPlan
//> {
//>   isCached: false,
//>   stage: 'GEO_NEAR_2DSPHERE',
//>   keyPattern: { 'meta.stop': '2dsphere' },
//>   indexName: 'm.stop_2dsphere',
//>   indexVersion: 2
//> }

// What is refused.
refused({ $geoNear: { near: point(0, 0), distanceField: "d" } })
//> 5892921 Must specify 'key' option for $geoNear on a time-series collection
refused({ $geoNear: { near: point(0, 0), key: "at", distanceField: "d", query: { k: 1 } } })
//> 1938439 Must not specify 'query' for $geoNear on a time-series collection; use $match instead
refused({ $geoNear: { near: point(0, 0), key: "m.stop", distanceField: "d", query: { k: 1 } } })
//> 1938439 Must not specify 'query' for $geoNear on a time-series collection; use $match instead
refused({ $geoNear: { near: point(0, 0), key: "at" } })
//> 5860206 $geoNear distanceField is required for time-series queries
refused({ $geoNear: { near: point(0, 0), key: "at", distanceField: "d", includeLocs: "l" } })
//> 5860208 $geoNear 'includeLocs' is not supported on time-series metrics
refused({ $geoNear: { near: "$at", key: "at", distanceField: "d" } })
//> 40603 $geoNear was not the first stage in the pipeline after optimization. Is optimization disabled or inhibited?
refused({ $geoNear: { near: "$at", key: "m.stop", distanceField: "d" } })
//> 5860402 $geoNear requires a constant near argument
refused({ $geoNear: { near: 5, key: "at", distanceField: "d" } })
//> 5860401 $geoNear requires near argument to be a GeoJSON object or a legacy point(array)
refused({ $match: { "m.bus": 1 } }, { $geoNear: { near: point(0, 0), key: "m.stop", distanceField: "d" } })
//> 40603 $geoNear was not the first stage in the pipeline after optimization. Is optimization disabled or inhibited?
refused({ $match: { k: 1 } }, { $geoNear: { near: point(0, 0), key: "m.stop", distanceField: "d", maxDistance: 10000 } })
//> [
//>   {
//>     t: ISODate('2026-01-01T01:00:00.000Z'),
//>     m: { bus: 3, stop: { coordinates: [ 0, 0 ], type: 'Point' } },
//>     _id: 31,
//>     at: { type: 'Point', coordinates: [ 3.1, 1 ] },
//>     k: 1,
//>     d: 0
//>   }
//> ]
refused({ $match: { at: { $near: [0, 0] } } })
//> 5626500 $geoNear, $near, and $nearSphere are not allowed in this context, as these operators require sorting geospatial data. If you do not need sort, consider using $geoWithin instead. Check out https://dochub.mongodb.org/core/near-sort-operation and https://dochub.mongodb.org/core/nearSphere-sort-operation for more details.
