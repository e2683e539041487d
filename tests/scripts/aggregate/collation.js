// Pipelines that compare strings by a collation. Manual: reference/command/aggregate
db.orders.insertMany([{ _id: 1, who: "Ann", n: 1 }, { _id: 2, who: "ann", n: 2 }, { _id: 3, who: "Bob", n: 4 }, { _id: 4, who: "BOB", n: 8 }, { _id: 5, who: "cy", n: 16 }]).insertedCount
const en = { collation: { locale: "en", strength: 2 } }
const run = (stages, options = en) => db.orders.aggregate(stages, options).toArray()
run([{ $match: { who: "ANN" } }, { $project: { n: 1 } }])
//> [ { _id: 1, n: 1 }, { _id: 2, n: 2 } ]
run([{ $sort: { _id: 1 } }, { $group: { _id: "$who", n: { $sum: "$n" } } }])
//> [ { _id: 'Ann', n: 3 }, { _id: 'Bob', n: 12 }, { _id: 'cy', n: 16 } ]
run([{ $sort: { _id: 1 } }, { $group: { _id: null, all: { $addToSet: "$who" }, least: { $min: "$who" }, most: { $max: "$who" }, two: { $minN: { n: 2, input: "$who" } }, top: { $top: { sortBy: { who: -1 }, output: "$_id" } } } }])
//> [
//>   {
//>     _id: null,
//>     all: [ 'Ann', 'Bob', 'cy' ],
//>     least: 'Ann',
//>     most: 'cy',
//>     two: [ 'Ann', 'ann' ],
//>     top: 5
//>   }
//> ]
run([{ $sortByCount: "$who" }, { $sort: { count: -1, _id: 1 } }])
//> [
//>   { _id: 'Ann', count: 2 },
//>   { _id: 'Bob', count: 2 },
//>   { _id: 'cy', count: 1 }
//> ]
run([{ $sort: { who: 1, _id: -1 } }, { $project: { who: 1 } }])
//> [
//>   { _id: 2, who: 'ann' },
//>   { _id: 1, who: 'Ann' },
//>   { _id: 4, who: 'BOB' },
//>   { _id: 3, who: 'Bob' },
//>   { _id: 5, who: 'cy' }
//> ]
run([{ $match: { _id: 1 } }, { $project: { eq: { $eq: ["$who", "ANN"] }, cmp: { $cmp: ["$who", "ANN"] }, in: { $in: ["ANN", ["$who"]] }, at: { $indexOfArray: [["x", "ANN"], "$who"] }, union: { $setUnion: [["a", "A", "b"], ["B"]] }, max: { $max: ["a", "B"] }, sorted: { $sortArray: { input: ["b", "A", "C"], sortBy: 1 } }, bytes: { $indexOfBytes: ["abc", "B"] }, folded: { $strcasecmp: ["a", "B"] } } }])
//> [
//>   {
//>     _id: 1,
//>     eq: true,
//>     cmp: 0,
//>     in: true,
//>     at: 1,
//>     union: [ 'a', 'b' ],
//>     max: 'B',
//>     sorted: [ 'A', 'b', 'C' ],
//>     bytes: -1,
//>     folded: -1
//>   }
//> ]
run([{ $bucket: { groupBy: "$who", boundaries: ["a", "B", "d"] } }])
//> [ { _id: 'a', count: 2 }, { _id: 'B', count: 3 } ]
run([{ $bucketAuto: { groupBy: "$who", buckets: 3 } }])
//> [
//>   { _id: { min: 'Ann', max: 'Bob' }, count: 2 },
//>   { _id: { min: 'Bob', max: 'cy' }, count: 2 },
//>   { _id: { min: 'cy', max: 'cy' }, count: 1 }
//> ]
run([{ $setWindowFields: { partitionBy: "$who", sortBy: { _id: 1 }, output: { sum: { $sum: "$n", window: { documents: ["unbounded", "current"] } } } } }, { $project: { sum: 1 } }])
//> [
//>   { _id: 1, sum: 1 },
//>   { _id: 2, sum: 3 },
//>   { _id: 3, sum: 4 },
//>   { _id: 4, sum: 12 },
//>   { _id: 5, sum: 16 }
//> ]
run([{ $facet: { a: [{ $match: { who: "CY" } }, { $count: "n" }] } }])
//> [
//>   { a: [ { n: 1 } ] }
//> ]
db.people.insertMany([{ _id: "ANN", age: 30 }, { _id: "bob", age: 40 }]).insertedIds
//> { '0': 'ANN', '1': 'bob' }
run([{ $match: { _id: { $in: [1, 4] } } }, { $sort: { _id: 1 } }, { $lookup: { from: "people", localField: "who", foreignField: "_id", as: "p" } }, { $project: { p: 1 } }])
//> [
//>   { _id: 1, p: [ { _id: 'ANN', age: 30 } ] },
//>   { _id: 4, p: [ { _id: 'bob', age: 40 } ] }
//> ]
run([{ $match: { _id: 1 } }, { $lookup: { from: "people", let: { w: "$who" }, pipeline: [{ $match: { $expr: { $eq: ["$_id", "$$w"] } } }], as: "p" } }, { $project: { p: 1 } }])
//> [
//>   { _id: 1, p: [ { _id: 'ANN', age: 30 } ] }
//> ]
run([{ $match: { _id: 1 } }, { $graphLookup: { from: "people", startWith: "$who", connectFromField: "x", connectToField: "_id", as: "g" } }, { $project: { g: 1 } }])
//> [
//>   { _id: 1, g: [ { _id: 'ANN', age: 30 } ] }
//> ]
run([{ $match: { _id: 5 } }, { $unionWith: { coll: "people", pipeline: [{ $match: { _id: "BOB" } }] } }])
//> [ { _id: 5, who: 'cy', n: 16 }, { _id: 'bob', age: 40 } ]
// Views have a collation of their own, which nobody overrides.
db.createView("folded", "orders", [{ $match: { who: "BOB" } }], en)
//> { ok: 1 }
db.folded.find({}, { n: 1 }).toArray()
//> [ { _id: 3, n: 4 }, { _id: 4, n: 8 } ]
db.folded.countDocuments({ who: "bob" })
//> 2
db.folded.distinct("who")
//> [ 'Bob' ]
db.folded.find().collation({ locale: "de" }).toArray()
//> MongoServerError[OptionNotSupportedOnView]: Cannot override a view's default collation: test.folded
db.folded.find().collation(en.collation).itcount()
//> 2
db.createView("other", "folded", [])
//> MongoServerError[OptionNotSupportedOnView]: View test.other has a collation that does not match the collation of view test.folded
db.getCollectionInfos({ name: "folded" })[0].options
//> {
//>   viewOn: 'orders',
//>   pipeline: [ { '$match': { who: 'BOB' } } ],
//>   collation: {
//>     locale: 'en',
//>     caseLevel: false,
//>     caseFirst: 'off',
//>     strength: 2,
//>     numericOrdering: false,
//>     alternate: 'non-ignorable',
//>     maxVariable: 'punct',
//>     normalization: false,
//>     backwards: false,
//>     version: '57.1'
//>   }
//> }
