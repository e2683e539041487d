// $median and $percentile: in a group, over a window, and as expressions over arrays; what they pass over and refuse.
//
// Manual: reference/operator/aggregation/percentile
const ag = (p) => { try { return db.sensors.aggregate(p).toArray() } catch (x) { return x.code + " " + x.message.replace(/^.* :: caused by :: /, "") } }
const all = (accumulator) => { const r = ag([{$group: {_id: null, r: accumulator}}]); return typeof r === "string" ? r : r[0].r }
const ev = (e) => { const r = ag([{$limit: 1}, {$project: {_id: 0, r: e}}]); return typeof r === "string" ? r : r[0].r }
db.sensors.insertMany([3, 9, 1, 7, 5, null, "off", Long(11), Decimal128("13"), [2, 4]].map((c, i) => ({_id: i, site: i % 2 ? "roof" : "shed", c}))).acknowledged
//> true
// Only numbers count: 1, 3, 5, 7, 9, 11, 13.
all({$median: {input: "$c", method: "approximate"}})
//> 7
all({$percentile: {input: "$c", p: [0, 0.25, 0.5, 0.95, 1], method: "approximate"}})
//> [ 1, 3, 7, 13, 13 ]
ag([{$group: {_id: "$site", m: {$median: {input: "$c", method: "approximate"}}, p: {$percentile: {input: "$c", p: [0.9, 0.1], method: "approximate"}}}}, {$sort: {_id: 1}}])
//> [
//>   { _id: 'roof', m: 9, p: [ 11, 7 ] },
//>   { _id: 'shed', m: 3, p: [ 13, 1 ] }
//> ]
// No number at all: null, and a null for each percentile.
[all({$median: {input: "$nowhere", method: "approximate"}}), all({$percentile: {input: "$nowhere", p: [0.5, 0.9], method: "approximate"}})]
//> [ null, [ null, null ] ]
[ev({$median: {input: [4, 1, 3], method: "approximate"}}), ev({$median: {input: [1, 2, 3, 4], method: "approximate"}}), ev({$median: {input: 8, method: "approximate"}}), ev({$median: {input: "$nowhere", method: "approximate"}}), ev({$median: {input: [], method: "approximate"}}), ev({$median: {input: ["a", null], method: "approximate"}}), ev({$percentile: {input: [10, 20, 30, 40], p: [0.5, 1], method: "approximate"}}), ev({$percentile: {input: "off", p: [0.5], method: "approximate"}}), ev({$median: {input: ["$_id", 6, 8], method: "approximate"}})]
//> [ 3, 2, 8, null, null, null, [ 20, 40 ], [ null ], 6 ]
ag([{$match: {c: {$type: "number"}, _id: {$lt: 5}}}, {$setWindowFields: {sortBy: {_id: 1}, output: {m: {$median: {input: "$c", method: "approximate"}, window: {documents: [-1, 1]}}, p: {$percentile: {input: "$c", p: [1], method: "approximate"}, window: {documents: ["unbounded", "current"]}}}}}, {$project: {site: 0}}])
//> [
//>   { _id: 0, c: 3, m: 3, p: [ 3 ] },
//>   { _id: 1, c: 9, m: 3, p: [ 9 ] },
//>   { _id: 2, c: 1, m: 7, p: [ 9 ] },
//>   { _id: 3, c: 7, m: 5, p: [ 9 ] },
//>   { _id: 4, c: 5, m: 5, p: [ 9 ] }
//> ]
[all({$median: {input: "$c"}}), all({$median: {method: "approximate"}}), all({$median: {input: "$c", method: "discrete"}}), all({$median: {input: "$c", method: 1}}), all({$median: {input: "$c", method: "approximate", p: [0.5]}}), all({$median: "$c"})]
//> [
//>   "40414 BSON field '$median.method' is missing but a required field",
//>   "40414 BSON field '$median.input' is missing but a required field",
//>   "2 Currently only 'approximate' can be used as percentile 'method'.",
//>   "14 BSON field '$median.method' is the wrong type 'int', expected type 'string'",
//>   "40415 BSON field '$median.p' is an unknown field.",
//>   '7436100 specification must be an object; found $median: "$c"'
//> ]
[all({$percentile: {input: "$c", method: "approximate"}}), all({$percentile: {input: "$c", p: [], method: "approximate"}}), all({$percentile: {input: "$c", p: 0.5, method: "approximate"}}), all({$percentile: {input: "$c", p: [1.5], method: "approximate"}}), all({$percentile: {input: "$c", p: ["half"], method: "approximate"}}), all({$percentile: {input: "$c", p: ["$c"], method: "approximate"}}), all({$percentile: {input: "$c", p: [0.5]}}), all({$percentile: [0.5]})]
//> [
//>   "40414 BSON field '$percentile.p' is missing but a required field",
//>   "7750301 The $percentile 'p' field must be an array of numbers from [0.0, 1.0], but found: []",
//>   "7750301 The $percentile 'p' field must be an array of numbers from [0.0, 1.0], but found: 0.5",
//>   "7750303 The $percentile 'p' field must be an array of numbers from [0.0, 1.0], but found: 1.5",
//>   `7750302 The $percentile 'p' field must be an array of numbers from [0.0, 1.0], but found: "half"`,
//>   `7750300 The $percentile 'p' field must be an array of constant values, but found value: [ "$c" ].`,
//>   "40414 BSON field '$percentile.method' is missing but a required field",
//>   '7429703 specification must be an object; found $percentile: [ 0.5 ]'
//> ]
[ev({$median: {input: [1]}}), ev({$percentile: {input: [1], p: [-1], method: "approximate"}}), ev({$percentile: [1]})]
//> [
//>   "40414 BSON field '$median.method' is missing but a required field",
//>   "7750303 The $percentile 'p' field must be an array of numbers from [0.0, 1.0], but found: -1",
//>   '7436200 specification must be an object; found $percentile: [ 1 ]'
//> ]
// As expressions, p and method are read when the pipeline is: even over nothing.
const none = (e) => { try { return db.nothing.aggregate([{$project: {r: e}}]).toArray() } catch (x) { return x.code + " " + x.message } };
[none({$percentile: {input: "$a", p: [2], method: "approximate"}}), none({$percentile: {input: "$a", p: "$p", method: "approximate"}}), none({$percentile: {input: "$a", p: [0.5], method: "exact"}}), none({$percentile: {input: "$a", p: [{$add: [0.25, 0.25]}], method: "approximate"}}), none({$median: {input: "$a", method: "exact"}}), none({$median: {input: "$a", method: 5}})]
//> [
//>   "7750303 Invalid $project :: caused by :: The $percentile 'p' field must be an array of numbers from [0.0, 1.0], but found: 2",
//>   `7750300 Invalid $project :: caused by :: The $percentile 'p' field must be an array of constant values, but found value: "$p".`,
//>   "2 Invalid $project :: caused by :: Currently only 'approximate' can be used as percentile 'method'.",
//>   [],
//>   "2 Invalid $project :: caused by :: Currently only 'approximate' can be used as percentile 'method'.",
//>   "14 Invalid $project :: caused by :: BSON field '$median.method' is the wrong type 'int', expected type 'string'"
//> ]
