// $densify and $fill: gaps in a series, by steps, dates and partitions, and what each refuses.
//
// Manual: reference/operator/aggregation/densify, reference/operator/aggregation/fill
const fails = (p) => { try { return db.readings.aggregate(p).toArray() } catch (x) { return x.code + " " + x.message } }
db.readings.insertMany([
  {_id: 1, bed: "a", at: ISODate("2026-03-01T08:00:00Z"), wet: 10},
  {_id: 2, bed: "a", at: ISODate("2026-03-01T12:00:00Z"), wet: 30},
  {_id: 3, bed: "b", at: ISODate("2026-03-01T09:00:00Z"), wet: 5},
  {_id: 4, bed: "b", at: ISODate("2026-03-01T11:30:00Z"), wet: null},
  {_id: 5, bed: "b"}]).acknowledged
//> true
db.readings.aggregate([{$densify: {field: "at", partitionByFields: ["bed"], range: {step: 1, unit: "hour", bounds: "partition"}}}]).toArray()
//> [
//>   {
//>     _id: 1,
//>     bed: 'a',
//>     at: ISODate('2026-03-01T08:00:00.000Z'),
//>     wet: 10
//>   },
//>   { bed: 'a', at: ISODate('2026-03-01T09:00:00.000Z') },
//>   { bed: 'a', at: ISODate('2026-03-01T10:00:00.000Z') },
//>   { bed: 'a', at: ISODate('2026-03-01T11:00:00.000Z') },
//>   {
//>     _id: 2,
//>     bed: 'a',
//>     at: ISODate('2026-03-01T12:00:00.000Z'),
//>     wet: 30
//>   },
//>   { _id: 5, bed: 'b' },
//>   { _id: 3, bed: 'b', at: ISODate('2026-03-01T09:00:00.000Z'), wet: 5 },
//>   { bed: 'b', at: ISODate('2026-03-01T10:00:00.000Z') },
//>   { bed: 'b', at: ISODate('2026-03-01T11:00:00.000Z') },
//>   {
//>     _id: 4,
//>     bed: 'b',
//>     at: ISODate('2026-03-01T11:30:00.000Z'),
//>     wet: null
//>   }
//> ]
db.readings.aggregate([{$densify: {field: "at", partitionByFields: ["bed"], range: {step: 2, unit: "hour", bounds: "full"}}}, {$project: {_id: 0, bed: 1, at: 1}}]).toArray()
//> [
//>   { bed: 'b' },
//>   { bed: 'a', at: ISODate('2026-03-01T08:00:00.000Z') },
//>   { bed: 'b', at: ISODate('2026-03-01T08:00:00.000Z') },
//>   { bed: 'b', at: ISODate('2026-03-01T09:00:00.000Z') },
//>   { bed: 'b', at: ISODate('2026-03-01T10:00:00.000Z') },
//>   { bed: 'b', at: ISODate('2026-03-01T11:30:00.000Z') },
//>   { bed: 'a', at: ISODate('2026-03-01T10:00:00.000Z') },
//>   { bed: 'a', at: ISODate('2026-03-01T12:00:00.000Z') },
//>   { bed: 'b', at: ISODate('2026-03-01T12:00:00.000Z') }
//> ]
db.readings.aggregate([{$match: {bed: "a"}}, {$densify: {field: "at", range: {step: 90, unit: "minute", bounds: [ISODate("2026-03-01T07:00:00Z"), ISODate("2026-03-01T10:30:00Z")]}}}, {$project: {_id: 0, at: 1}}]).toArray()
//> [
//>   { at: ISODate('2026-03-01T07:00:00.000Z') },
//>   { at: ISODate('2026-03-01T08:00:00.000Z') },
//>   { at: ISODate('2026-03-01T08:30:00.000Z') },
//>   { at: ISODate('2026-03-01T10:00:00.000Z') },
//>   { at: ISODate('2026-03-01T12:00:00.000Z') }
//> ]
// Months keep to the length of each month.
db.days.insertMany([{d: ISODate("2026-01-31")}, {d: ISODate("2026-05-31")}]).acknowledged
//> true
db.days.aggregate([{$densify: {field: "d", range: {step: 1, unit: "month", bounds: "full"}}}, {$project: {_id: 0}}]).toArray()
//> [
//>   { d: ISODate('2026-01-31T00:00:00.000Z') },
//>   { d: ISODate('2026-02-28T00:00:00.000Z') },
//>   { d: ISODate('2026-03-28T00:00:00.000Z') },
//>   { d: ISODate('2026-04-28T00:00:00.000Z') },
//>   { d: ISODate('2026-05-28T00:00:00.000Z') },
//>   { d: ISODate('2026-05-31T00:00:00.000Z') }
//> ]
// Numbers, of any type, below a path.
db.n.insertMany([{_id: 1, v: {x: 1.5}}, {_id: 2, v: {x: Decimal128("3")}}, {_id: 3, v: {x: null}}, {_id: 4}]).acknowledged
//> true
db.n.aggregate([{$densify: {field: "v.x", range: {step: 0.5, bounds: "full"}}}]).toArray()
//> [
//>   { _id: 3, v: { x: null } },
//>   { _id: 4 },
//>   { _id: 1, v: { x: 1.5 } },
//>   { v: { x: 2 } },
//>   { v: { x: 2.5 } },
//>   { _id: 2, v: { x: Decimal128('3') } }
//> ]
db.nothing.aggregate([{$densify: {field: "x", range: {step: Long(2), bounds: [Long(0), Long(5)]}}}]).toArray()
//> [ { x: Long('0') }, { x: Long('2') }, { x: Long('4') } ]
fails([{$densify: {field: "wet", range: {step: 1, unit: "hour", bounds: "full"}}}])
//> 6053600 Executor error during aggregate command on namespace: test.readings :: caused by :: Encountered numeric densify value in collection when step has a date unit.
fails([{$densify: {field: "at", range: {step: 1, bounds: "full"}}}])
//> 6053600 Executor error during aggregate command on namespace: test.readings :: caused by :: Encountered date densify value in collection when step does not have a date unit.
fails([{$densify: {field: "bed", range: {step: 1, bounds: "full"}}}])
//> 5733201 Executor error during aggregate command on namespace: test.readings :: caused by :: Densify field type must be numeric or a date
fails([{$densify: {field: "wet", range: {step: -1, bounds: "full"}}}])
//> 5733401 The step parameter in a range statement must be a strictly positive numeric value
fails([{$densify: {field: "wet", range: {step: 1, bounds: "partition"}}}])
//> 5733408 One cannot specify the bounds as 'partition' without specifying a non-empty array of partitionByFields. You may have meant to specify 'full' bounds.
fails([{$densify: {field: "wet", range: {step: 1, bounds: [0, Long(9)]}}}])
//> 5876900 Upper bound, lower bound, and step must all have the same type
fails([{$densify: {field: "at", range: {step: 1, bounds: [ISODate(0), ISODate(9)]}}}])
//> 5733410 A bounding array of dates must specify a unit
fails([{$densify: {field: "wet", range: {step: 1, unit: "eon", bounds: "full"}}}])
//> 9 unknown time unit value: eon
fails([{$densify: {field: "wet", range: {step: 1, bounds: [0, 9999999]}}}, {$count: "n"}])
//> 5897900 Executor error during aggregate command on namespace: test.readings :: caused by :: Generated 500001 documents in $densify, which is over the limit of 500000. Increase the 'internalQueryMaxAllowedDensifyDocs' parameter to allow more generated documents
fails([{$densify: {range: {step: 1, bounds: "full"}}}])
//> 40414 BSON field '$densify.field' is missing but a required field
fails([{$densify: {field: "wet", range: {step: 1, bounds: "full"}, other: 1}}])
//> 40415 BSON field '$densify.other' is an unknown field.
// $fill: a value, the last one seen, or the line between two.
db.readings.aggregate([{$fill: {output: {wet: {value: 0}, at: {value: "$$NOW"}}}}, {$match: {_id: {$gt: 3}}}]).toArray()
//> [
//>   { _id: 4, bed: 'b', at: ISODate('2026-03-01T11:30:00.000Z'), wet: 0 },
//>   { _id: 5, bed: 'b', wet: 0, at: ISODate('2026-01-01T00:00:00.000Z') }
//> ]
db.series.insertMany([{_id: 1, t: 1, v: 2, k: "a"}, {_id: 2, t: 2, k: "a"}, {_id: 3, t: 3, v: null, k: "a"}, {_id: 4, t: 4, v: 8, k: "a"}, {_id: 5, t: 5, k: "b"}]).acknowledged
//> true
db.series.aggregate([{$fill: {sortBy: {t: 1}, output: {v: {method: "locf"}}}}]).toArray().map(d => d.v)
//> [ 2, 2, 2, 8, 8 ]
db.series.aggregate([{$fill: {sortBy: {t: 1}, output: {v: {method: "linear"}}}}]).toArray().map(d => d.v)
//> [ 2, 4, 6, 8, null ]
db.series.aggregate([{$fill: {partitionByFields: ["k"], sortBy: {t: 1}, output: {v: {method: "locf"}, k: {value: "none"}}}}]).toArray().map(d => d.v)
//> [ 2, 2, 2, 8, null ]
db.series.aggregate([{$fill: {partitionBy: {k: "$k"}, sortBy: {t: 1}, output: {v: {method: "linear"}}}}]).toArray().map(d => d.v)
//> [ 2, 4, 6, 8, null ]
db.series.explain().aggregate([{$fill: {sortBy: {t: 1}, output: {v: {method: "locf"}, k: {value: 0}}}}]).stages.slice(1).map(s => Object.keys(s)[0])
//> [ '$setWindowFields', '$addFields' ]
fails([{$fill: {output: {wet: {method: "linear"}}}}])
//> 605001 $linearFill must be specified with a top level sortBy expression with exactly one element
fails([{$fill: {output: {wet: {method: "cubic"}}}}])
//> 6050202 Method must be either locf or linear
fails([{$fill: {output: {wet: {method: "locf", value: 1}}}}])
//> 6050201 Each fill output specification must have exactly one of 'method' or 'value' fields, not both
fails([{$fill: {output: {}}}])
//> 6050203 The output field in '$fill' must contain an object with at least one element
fails([{$fill: {sortBy: {at: 1}}}])
//> 40414 BSON field '$fill.output' is missing but a required field
fails([{$fill: {output: {wet: 1}}}])
//> 6050200 Each fill output specification must be an object with exactly one field
fails([{$fill: {output: {wet: {value: 1}}, partitionBy: "$bed", partitionByFields: ["bed"]}}])
//> 6050204 Maximum one of 'partitionBy' and 'partitionByFields can be specified in '$fill'
