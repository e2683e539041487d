// Aggregation stages and accumulators over awkward values, and what each stage refuses.
//
// Manual: reference/operator/aggregation-pipeline
const ag = (p) => { try { return db.s.aggregate(p).toArray() } catch (x) { return x.code + " " + x.message } }
db.s.insertMany([{_id: 1, k: "a", v: 1, t: ["x", "y"]}, {_id: 2, k: "a", v: Long(2), t: []}, {_id: 3, k: "b", v: 2.5}, {_id: 4, k: null, v: "s", t: null}, {_id: 5, v: null, t: "z"}, {_id: 6, k: "b", v: NaN, t: [["n"], 1]}, {_id: 7, k: "c", v: Decimal128("1.5")}]).acknowledged
//> true
ag([{$group: {_id: "$k", s: {$sum: "$v"}, c: {$sum: 1}, avg: {$avg: "$v"}, mn: {$min: "$v"}, mx: {$max: "$v"}}}, {$sort: {_id: 1}}])
//> [
//>   { _id: null, s: 0, c: 2, avg: null, mn: 's', mx: 's' },
//>   { _id: 'a', s: Long('3'), c: 2, avg: 1.5, mn: 1, mx: Long('2') },
//>   { _id: 'b', s: NaN, c: 2, avg: NaN, mn: NaN, mx: 2.5 },
//>   {
//>     _id: 'c',
//>     s: Decimal128('1.5'),
//>     c: 1,
//>     avg: Decimal128('1.5'),
//>     mn: Decimal128('1.5'),
//>     mx: Decimal128('1.5')
//>   }
//> ]
ag([{$group: {_id: null, f: {$first: "$v"}, l: {$last: "$v"}, p: {$push: "$k"}, a: {$addToSet: "$k"}, n: {$count: {}}}}])
//> [
//>   {
//>     _id: null,
//>     f: 1,
//>     l: Decimal128('1.5'),
//>     p: [ 'a', 'a', 'b', null, 'b', 'c' ],
//>     a: [ 'a', 'b', null, 'c' ],
//>     n: 7
//>   }
//> ]
ag([{$group: {_id: "$missing", s: {$sum: "$missing"}, av: {$avg: "$missing"}, mn: {$min: "$missing"}, f: {$first: "$missing"}, p: {$push: "$missing"}}}])
//> [ { _id: null, s: 0, av: null, mn: null, f: null, p: [] } ]
ag([{$group: {_id: {a: "$k", b: "$zz"}, n: {$sum: 1}}}, {$sort: {_id: 1}}])
//> [
//>   { _id: {}, n: 1 },
//>   { _id: { a: null }, n: 1 },
//>   { _id: { a: 'a' }, n: 2 },
//>   { _id: { a: 'b' }, n: 2 },
//>   { _id: { a: 'c' }, n: 1 }
//> ]
ag([{$group: {n: {$sum: 1}}}])
//> 15955 a group specification must include an _id
ag([{$group: {_id: 1, n: 1}}])
//> 40234 The field 'n' must be an accumulator object
ag([{$group: {_id: 1, n: {$foo: 1}}}])
//> 15952 unknown group operator '$foo'
ag([{$group: {_id: 1, "a.b": {$sum: 1}}}])
//> 40235 The field name 'a.b' cannot contain '.'
ag([{$group: {_id: 1, $a: {$sum: 1}}}])
//> 40236 The field name '$a' cannot be an operator name
ag([{$group: {_id: 1, n: {$sum: 1, $avg: 1}}}])
//> 40238 The field 'n' must specify one accumulator
ag([{$group: 5}])
//> 15947 a group's fields must be specified in an object
ag([{$group: {_id: 1, n: {$count: 1}}}])
//> 14 $count takes no arguments, i.e. $count:{}
ag([{$unwind: "$t"}, {$project: {t: 1}}])
//> [
//>   { _id: 1, t: 'x' },
//>   { _id: 1, t: 'y' },
//>   { _id: 5, t: 'z' },
//>   { _id: 6, t: [ 'n' ] },
//>   { _id: 6, t: 1 }
//> ]
ag([{$unwind: {path: "$t", preserveNullAndEmptyArrays: true, includeArrayIndex: "i"}}, {$project: {t: 1, i: 1}}])
//> [
//>   { _id: 1, t: 'x', i: Long('0') },
//>   { _id: 1, t: 'y', i: Long('1') },
//>   { _id: 2, i: null },
//>   { _id: 3, i: null },
//>   { _id: 4, t: null, i: null },
//>   { _id: 5, t: 'z', i: null },
//>   { _id: 6, t: [ 'n' ], i: Long('0') },
//>   { _id: 6, t: 1, i: Long('1') },
//>   { _id: 7, i: null }
//> ]
ag([{$unwind: "t"}])
//> 28818 path option to $unwind stage should be prefixed with a '$': t
ag([{$unwind: {path: 5}}])
//> 28808 expected a string as the path for $unwind stage, got int
ag([{$unwind: {path: "$t", includeArrayIndex: "$i"}}])
//> 28822 includeArrayIndex option to $unwind stage should not be prefixed with a '$': $i
ag([{$unwind: {path: "$t", foo: 1}}])
//> 28811 unrecognized option to $unwind stage: foo
ag([{$unwind: 5}])
//> 15981 expected either a string or an object as specification for $unwind stage, got int
ag([{$sort: {k: 1, _id: -1}}, {$project: {_id: 1}}]).map(d => d._id).join()
//> 5,4,2,1,6,3,7
ag([{$sort: {t: 1}}, {$project: {_id: 1}}]).map(d => d._id).join()
//> 2,3,4,7,6,1,5
ag([{$sort: {t: -1}}, {$project: {_id: 1}}]).map(d => d._id).join()
//> 6,5,1,3,4,7,2
ag([{$sort: {v: 1}}, {$project: {_id: 1}}]).map(d => d._id).join()
//> 5,6,1,7,2,3,4
ag([{$sort: {}}])
//> 15976 $sort stage must have at least one sort key
ag([{$sort: 5}])
//> 15973 the $sort key specification must be an object
ag([{$sort: {a: 2}}])
//> 15975 $sort key ordering must be 1 (for ascending) or -1 (for descending)
ag([{$skip: -1}])
//> 5107200 invalid argument to $skip stage: Expected a non-negative number in: $skip: -1
ag([{$limit: 0}])
//> 15958 the limit must be positive
ag([{$limit: "x"}])
//> 5107201 invalid argument to $limit stage: Expected a number in: $limit: "x"
ag([{$limit: 1.5}])
//> 5107201 invalid argument to $limit stage: Expected an integer: $limit: 1.5
ag([{$skip: 5}, {$limit: 1}])
//> [
//>   { _id: 6, k: 'b', v: NaN, t: [ [ 'n' ], 1 ] }
//> ]
ag([{$count: "n"}])
//> [ { n: 7 } ]
ag([{$match: {_id: 99}}, {$count: "n"}])
//> []
ag([{$count: ""}])
//> 40157 the count field must be a non-empty string
ag([{$count: "$a"}])
//> 40158 the count field cannot be a $-prefixed path
ag([{$count: "a.b"}])
//> 40160 the count field cannot contain '.'
ag([{$count: 5}])
//> 40156 the count field must be a non-empty string
ag([{$unset: "v"}, {$limit: 1}])
//> [ { _id: 1, k: 'a', t: [ 'x', 'y' ] } ]
ag([{$unset: ["v", "t.0"]}, {$limit: 1}])
//> [ { _id: 1, k: 'a', t: [ 'x', 'y' ] } ]
ag([{$unset: []}])
//> 31119 $unset specification must be a string or an array with at least one field
ag([{$unset: [5]}])
//> 31120 $unset specification must be a string or an array containing only string values
ag([{$unset: ""}])
//> 40352 Invalid $unset :: caused by :: FieldPath cannot be constructed with empty string
ag([{$replaceRoot: {newRoot: {a: "$v"}}}, {$limit: 2}])
//> [ { a: 1 }, { a: Long('2') } ]
ag([{$replaceRoot: {newRoot: "$v"}}, {$limit: 1}])
//> 40228 Executor error during aggregate command on namespace: test.s :: caused by :: 'newRoot' expression  must evaluate to an object, but resulting value was of type int
ag([{$replaceRoot: {newRoot: "$missing"}}])
//> 40228 Executor error during aggregate command on namespace: test.s :: caused by :: 'newRoot' expression  must evaluate to an object, but resulting value was of type missing
ag([{$replaceRoot: {}}])
//> 40414 BSON field '$replaceRoot.newRoot' is missing but a required field
ag([{$replaceWith: {$mergeObjects: [{z: 1}, "$$ROOT"]}}, {$limit: 1}])
//> [ { z: 1, _id: 1, k: 'a', v: 1, t: [ 'x', 'y' ] } ]
ag([{$addFields: {"o.p": 1, v: "$$REMOVE"}}, {$limit: 1}])
//> [ { _id: 1, k: 'a', t: [ 'x', 'y' ], o: { p: 1 } } ]
ag([{$addFields: {"t.q": 1}}, {$limit: 1}])
//> [
//>   { _id: 1, k: 'a', v: 1, t: [ { q: 1 }, { q: 1 } ] }
//> ]
ag([{$addFields: {}}])
//> [
//>   { _id: 1, k: 'a', v: 1, t: [ 'x', 'y' ] },
//>   { _id: 2, k: 'a', v: Long('2'), t: [] },
//>   { _id: 3, k: 'b', v: 2.5 },
//>   { _id: 4, k: null, v: 's', t: null },
//>   { _id: 5, v: null, t: 'z' },
//>   { _id: 6, k: 'b', v: NaN, t: [ [ 'n' ], 1 ] },
//>   { _id: 7, k: 'c', v: Decimal128('1.5') }
//> ]
ag([{$addFields: 5}])
//> 40272 $addFields specification stage must be an object, got int
ag([{$addFields: {$a: 5}}])
//> 16410 Invalid $addFields :: caused by :: FieldPath field names may not start with '$'. Consider using $getField or $setField. Found: '$a'
ag([{$addFields: {a: 1, "a.b": 2}}])
//> 40176 Invalid $addFields :: caused by :: specification contains two conflicting paths. One of them is 'a.b'
ag([{$project: {k: 1, x: {$literal: 1}, _id: 0}}, {$limit: 1}])
//> [ { k: 'a', x: 1 } ]
ag([{$project: {k: 0, "t.0": 0}}, {$limit: 1}])
//> [ { _id: 1, v: 1, t: [ 'x', 'y' ] } ]
ag([{$project: {k: 0, v: 1}}])
//> 31253 Invalid $project :: caused by :: Cannot do inclusion on field v in exclusion projection
ag([{$project: {}}])
//> 51272 Invalid $project :: caused by :: projection specification must have at least one field
ag([{$project: {_id: 0}}, {$limit: 1}])
//> [ { k: 'a', v: 1, t: [ 'x', 'y' ] } ]
ag([{$project: {k: 1, k2: "$k", n: {a: "$v", b: 1}}}, {$limit: 1}])
//> [ { _id: 1, k: 'a', k2: 'a', n: { a: 1 } } ]
ag([{$project: {"a": {"b": {"c": "$v"}}}}, {$limit: 1}])
//> [
//>   { _id: 1, a: { b: { c: 1 } } }
//> ]
ag([{$project: {v: 5}}, {$limit: 1}])
//> [ { _id: 1, v: 1 } ]
ag([{$project: {v: true, k: "str", arr: ["$v", "$zz"]}}, {$limit: 1}])
//> [ { _id: 1, v: 1, k: 'str', arr: [ 1, null ] } ]
ag([{$project: {"a.b": 1, a: 1}}])
//> 31250 Invalid $project :: caused by :: Path collision at a
ag([{$match: {$expr: {$gt: ["$v", 1]}}}, {$project: {_id: 1}}])
//> [ { _id: 2 }, { _id: 3 }, { _id: 4 }, { _id: 7 } ]
ag([{$match: 5}])
//> 15959 the match filter must be an expression in an object
ag([{$match: {$where: "1"}}])
//> 2 $where is not allowed in this context
ag([{$foo: 1}])
//> 40324 Unrecognized pipeline stage name: '$foo'
ag([{}])
//> 40323 A pipeline stage specification object must contain exactly one field.
ag([5])
//> 14 Each element of the 'pipeline' array must be an object
ag([{$match: {}, $limit: 1}])
//> 40323 A pipeline stage specification object must contain exactly one field.
ag(5)
//> 14 Each element of the 'pipeline' array must be an object
db.f.insertMany([{_id: 1, r: "a", x: [1, 2]}, {_id: 2, r: null}, {_id: 3}]).acknowledged
//> true
ag([{$lookup: {from: "f", localField: "k", foreignField: "r", as: "j"}}, {$project: {j: "$j._id"}}])
//> [
//>   { _id: 1, j: [ 1 ] },
//>   { _id: 2, j: [ 1 ] },
//>   { _id: 3, j: [] },
//>   { _id: 4, j: [ 2, 3 ] },
//>   { _id: 5, j: [ 2, 3 ] },
//>   { _id: 6, j: [] },
//>   { _id: 7, j: [] }
//> ]
ag([{$lookup: {from: "f", localField: "_id", foreignField: "x", as: "j"}}, {$match: {"j.0": {$exists: true}}}, {$project: {j: "$j._id"}}])
//> [ { _id: 1, j: [ 1 ] }, { _id: 2, j: [ 1 ] } ]
ag([{$lookup: {from: "f", let: {k: "$k"}, pipeline: [{$match: {$expr: {$eq: ["$r", "$$k"]}}}, {$project: {_id: 1}}], as: "j"}}, {$limit: 1}])
//> [
//>   { _id: 1, k: 'a', v: 1, t: [ 'x', 'y' ], j: [ { _id: 1 } ] }
//> ]
ag([{$lookup: {from: "none", localField: "k", foreignField: "r", as: "j"}}, {$limit: 1}, {$project: {j: 1}}])
//> [ { _id: 1, j: [] } ]
ag([{$lookup: {from: "f", localField: "k", as: "j"}}])
//> 9 $lookup requires both or neither of 'localField' and 'foreignField' to be specified
ag([{$lookup: {from: "f", localField: "k", foreignField: "r"}}])
//> 9 must specify 'as' field for a $lookup
ag([{$lookup: {from: 5, localField: "k", foreignField: "r", as: "j"}}])
//> 9 $lookup argument 'from' must be a string, found int
ag([{$lookup: {from: "f", localField: "k", foreignField: "r", as: "$j"}}])
//> 16410 FieldPath field names may not start with '$'. Consider using $getField or $setField. Found: '$j'
ag([{$lookup: {from: "f", pipeline: [{$out: "x"}], as: "j"}}])
//> 51047 $out is not allowed within a $lookup pipeline
ag([{$lookup: {from: "f", localField: "t", foreignField: "r", as: "a.b"}}, {$limit: 1}])
//> [ { _id: 1, k: 'a', v: 1, t: [ 'x', 'y' ], a: { b: [] } } ]
ag([{$sortByCount: "$k"}])
//> [
//>   { _id: 'a', count: 2 },
//>   { _id: 'b', count: 2 },
//>   { _id: null, count: 2 },
//>   { _id: 'c', count: 1 }
//> ]
ag([{$bucket: {groupBy: "$_id", boundaries: [0, 3, 6], default: "o"}}])
//> [ { _id: 0, count: 2 }, { _id: 3, count: 3 }, { _id: 'o', count: 2 } ]
ag([{$facet: {a: [{$count: "n"}], b: [{$limit: 1}, {$project: {_id: 1}}]}}])
//> [
//>   { a: [ { n: 7 } ], b: [ { _id: 1 } ] }
//> ]
ag([{$out: "x"}])
//> []
ag([{$sample: {size: 0}}])
//> 28747 size argument to $sample must be a positive integer
db.aggregate([{$documents: [{a: 1}]}]).toArray()
//> [ { a: 1 } ]
ag([{$group: {_id: "$k", top: {$top: {output: "$v", sortBy: {_id: -1}}}}}, {$sort: {_id: 1}}, {$limit: 2}])
//> [ { _id: null, top: null }, { _id: 'a', top: Long('2') } ]
ag([{$group: {_id: null, s: {$sum: "$_id"}, m: {$mergeObjects: {$arrayToObject: [[[{$toString: "$_id"}, "$v"]]]}}}}])
//> [
//>   {
//>     _id: null,
//>     s: 28,
//>     m: {
//>       '1': 1,
//>       '2': Long('2'),
//>       '3': 2.5,
//>       '4': 's',
//>       '5': null,
//>       '6': NaN,
//>       '7': Decimal128('1.5')
//>     }
//>   }
//> ]
ag([{$group: {_id: {$add: ["$k", 1]}}}])
//> 14 Executor error during aggregate command on namespace: test.s :: caused by :: $add only supports numeric or date types, not string
ag([{$group: {_id: [1, "$k"]}}, {$sort: {_id: 1}}])
//> [
//>   { _id: [ 1, null ] },
//>   { _id: [ 1, 'a' ] },
//>   { _id: [ 1, 'b' ] },
//>   { _id: [ 1, 'c' ] }
//> ]
db.big.insertMany([{v: 2147483647}, {v: 1}]).acknowledged
//> true
db.big.aggregate([{$group: {_id: null, s: {$sum: "$v"}, d: {$sum: Double(1)}, l: {$sum: Long(1)}}}])
//> [ { _id: null, s: Long('2147483648'), d: 2, l: Long('2') } ]
db.s.aggregate([{$match: {_id: 1}}], {explain: true}).stages
db.s.find({_id: 1}, {x: {$divide: [1, "$zero"]}})
//> [ { _id: 1, x: null } ]
// What each stage looks at before it reads a document.
const first = [[{$sort: {v: 1.9}}, {$limit: 1}, {$project: {_id: 1}}], [{$sort: {v: Decimal128("-0.4")}}], [{$sample: {size: Decimal128("0.5")}}], [{$facet: {a: [1]}}], [{$facet: {a: [{$lookup: {from: "s", pipeline: [{$facet: {b: []}}], as: "j"}}]}}], [{$facet: {a: [{$unionWith: {coll: "s", pipeline: [{$planCacheStats: {}}]}}]}}], [{$facet: {a: [{$listSearchIndexes: {}}]}}], [{$unionWith: {coll: "s", pipeline: [{$out: "o"}]}}], [{$merge: {into: "m", whenMatched: [5]}}], [{$bucketAuto: {groupBy: "$_id", buckets: 1, output: {}}}], [{$bucketAuto: {groupBy: "$_id", buckets: 1, output: {"a.b": {$sum: 1}}}}], [{$lookup: {from: "s", localField: null, foreignField: "", pipeline: [{$count: "n"}], as: "j"}}, {$limit: 1}, {$project: {j: 1}}], [{$project: {a: {$rand: 1}}}]]
first.map(ag)
//> [
//>   [ { _id: 5 } ],
//>   '15975 $sort key ordering must be 1 (for ascending) or -1 (for descending)',
//>   '28747 size argument to $sample must be a positive integer',
//>   '40171 elements of arrays in $facet spec must be non-empty objects, a argument contained an element of type int: 1',
//>   '40600 $facet is not allowed to be used within a $facet stage',
//>   '40600 $planCacheStats is not allowed to be used within a $facet stage',
//>   '40600 $listSearchIndexes is not allowed to be used within a $facet stage',
//>   '31441 $out is not allowed within a $unionWith pipeline',
//>   "14 BSON field '$merge.whenMatched' is the wrong type 'int', expected type 'object'",
//>   [ { _id: { min: 1, max: 7 }, count: 7 } ],
//>   "40235 The field name 'a.b' cannot contain '.'",
//>   [
//>     { _id: 1, j: [ { n: 7 } ] }
//>   ],
//>   '10065 Invalid $project :: caused by :: invalid parameter: expected an object ($rand)'
//> ]
// Collections are named, or documents are made by the first stage alone.
;[[{$unionWith: {pipeline: [{$listClusterCatalog: {}}]}}], [{$lookup: {pipeline: [{$currentOp: {}}], as: "j"}}], [{$lookup: {pipeline: [], as: "j"}}], [{$lookup: {as: "j", localField: "a", foreignField: "b"}}]].map(ag)
//> [
//>   '9 $unionWith stage without explicit collection must have a pipeline with $documents as first stage',
//>   '9 $lookup stage without explicit collection must have a pipeline with $documents as first stage',
//>   '9 $lookup stage without explicit collection must have a pipeline with $documents as first stage',
//>   "9 must specify 'pipeline' when 'from' is empty"
//> ]
// The equality of a join is asked behind the documents that its pipeline makes.
ag([{$match: {_id: 1}}, {$lookup: {localField: "_id", foreignField: "x", pipeline: [{$documents: [{x: 1}, {x: 2}]}], as: "j"}}, {$project: {j: 1}}])
//> [
//>   { _id: 1, j: [ { x: 1 } ] }
//> ]
;[{allHosts: false}, {allHosts: true}, {allHosts: 1}, {allHosts: false, b: 1}].map(all => ag([{$planCacheStats: all}, {$count: "n"}]))
//> [
//>   [],
//>   '4503200 $planCacheStats stage supports allHosts parameter only for sharded clusters',
//>   '13111 wrong type for field (allHosts) int != bool',
//>   '9 $planCacheStats parameters object may contain at most one field.'
//> ]
// The first element that is no stage is told before any stage that may not stand there.
ag([{$facet: {a: [{$out: "o"}, 1]}}])
//> 40171 elements of arrays in $facet spec must be non-empty objects, a argument contained an element of type int: 1
ag([{$setMetadata: {score: 1, textScore: 2}}])
//> 9 $setMetadata only permits setting exactly one metadata field, but input specification has 2 fields
