// Orders through a pipeline: match, unwind, group, sort, lookup, facet, windows. Manual: core/aggregation-pipeline.
db.orders.insertMany([
  { _id: 1, who: "alex", at: ISODate("2026-01-02"), items: [{ sku: "rake", n: 2, price: 5 }, { sku: "hose", n: 1, price: 20.5 }] },
  { _id: 2, who: "kim", at: ISODate("2026-01-03"), items: [{ sku: "rake", n: 1, price: 5 }] },
  { _id: 3, who: "alex", at: ISODate("2026-02-01"), items: [] }
]).insertedIds;
db.products.insertMany([{ _id: "rake", name: "Rake" }, { _id: "hose", name: "Garden hose" }]).insertedIds;
//> { '0': 'rake', '1': 'hose' }
db.orders.aggregate([
  { $unwind: "$items" },
  { $group: { _id: "$items.sku", sold: { $sum: "$items.n" }, turnover: { $sum: { $multiply: ["$items.n", "$items.price"] } }, buyers: { $addToSet: "$who" } } },
  { $sort: { sold: -1 } }
]).toArray();
//> [
//>   { _id: 'rake', sold: 3, turnover: 15, buyers: [ 'alex', 'kim' ] },
//>   { _id: 'hose', sold: 1, turnover: 20.5, buyers: [ 'alex' ] }
//> ]
db.orders.aggregate([
  { $match: { who: "alex" } },
  { $lookup: { from: "products", localField: "items.sku", foreignField: "_id", as: "products" } },
  { $project: { names: "$products.name", month: { $dateToString: { date: "$at", format: "%Y-%m" } } } }
]).toArray();
//> [
//>   { _id: 1, names: [ 'Garden hose', 'Rake' ], month: '2026-01' },
//>   { _id: 3, names: [], month: '2026-02' }
//> ]
db.orders.aggregate([{ $facet: { count: [{ $count: "n" }], late: [{ $match: { at: { $gte: ISODate("2026-01-03") } } }, { $project: { _id: 1 } }] } }]).toArray();
//> [
//>   { count: [ { n: 3 } ], late: [ { _id: 2 }, { _id: 3 } ] }
//> ]
db.orders.aggregate([{ $setWindowFields: { partitionBy: "$who", sortBy: { at: 1 }, output: { nth: { $documentNumber: {} } } } }, { $project: { who: 1, nth: 1 } }]).toArray();
//> [
//>   { _id: 1, who: 'alex', nth: 1 },
//>   { _id: 3, who: 'alex', nth: 2 },
//>   { _id: 2, who: 'kim', nth: 1 }
//> ]
db.orders.aggregate([{ $bucket: { groupBy: { $size: "$items" }, boundaries: [0, 1, 3] } }]).toArray();
//> [ { _id: 0, count: 1 }, { _id: 1, count: 2 } ]
db.orders.aggregate([{ $project: { x: { $divide: [1, { $size: "$items" }] } } }]).toArray();
//> MongoServerError[BadValue]: Executor error during aggregate command on namespace: test.orders :: caused by :: can't $divide by zero
db.orders.aggregate([{ $nope: 1 }]).toArray();
//> MongoServerError[Location40324]: Unrecognized pipeline stage name: '$nope'
db.orders.aggregate([{ $project: { x: { $nope: 1 } } }]).toArray();
//> MongoServerError[Location31325]: Invalid $project :: caused by :: Unknown expression $nope
