// Stages that name another collection: which names each takes, and which it refuses.
//
// Manual: reference/limits (naming restrictions), reference/operator/aggregation/lookup, reference/operator/aggregation/out
const tells = (p) => { try { return db.own.aggregate(p).toArray().length } catch (x) { return x.code + " " + x.message } }
db.own.insertOne({_id: 1, a: 1}).acknowledged
//> true
const names = ["", ".x", "x\0y", "$x", "x.y", "x."]
names.map((from) => tells([{$lookup: {from, localField: "a", foreignField: "a", as: "j"}}]))
//> [
//>   '73 invalid $lookup namespace: ',
//>   '73 invalid $lookup namespace: .x',
//>   '73 invalid $lookup namespace: x\x00y',
//>   1,
//>   1,
//>   1
//> ]
names.map((from) => tells([{$lookup: {from, pipeline: [], as: "j"}}]))
//> [
//>   '73 invalid $lookup namespace: ',
//>   '73 invalid $lookup namespace: .x',
//>   '73 invalid $lookup namespace: x\x00y',
//>   1,
//>   1,
//>   1
//> ]
names.map((coll) => tells([{$unionWith: coll}]))
//> [
//>   '73 invalid $unionWith namespace: ',
//>   '73 invalid $unionWith namespace: .x',
//>   '73 invalid $unionWith namespace: x\x00y',
//>   1,
//>   1,
//>   1
//> ]
names.map((coll) => tells([{$unionWith: {coll, pipeline: []}}]))
//> [
//>   '73 invalid $unionWith namespace: ',
//>   '73 invalid $unionWith namespace: .x',
//>   '73 invalid $unionWith namespace: x\x00y',
//>   1,
//>   1,
//>   1
//> ]
names.map((from) => tells([{$graphLookup: {from, startWith: "$a", connectFromField: "a", connectToField: "a", as: "j"}}]))
//> [
//>   '73 invalid $graphLookup namespace: ',
//>   '73 invalid $graphLookup namespace: .x',
//>   '73 invalid $graphLookup namespace: x\x00y',
//>   1,
//>   1,
//>   1
//> ]
names.map((name) => tells([{$out: name}]))
//> [
//>   '73 Invalid $out target namespace, test.',
//>   '73 Invalid $out target namespace, test..x',
//>   '73 Invalid $out target namespace, test.x\x00y',
//>   '20 error with target namespace: Invalid collection name: $x',
//>   0,
//>   0
//> ]
names.map((name) => tells([{$merge: name}]))
//> [
//>   "73 Invalid $merge target namespace: 'test.'",
//>   "73 Invalid $merge target namespace: 'test..x'",
//>   "73 Invalid $merge target namespace: 'test.x\x00y'",
//>   "73 Invalid $merge target namespace: 'test.$x'",
//>   0,
//>   0
//> ]
["", "a.b", "a\0b", "a$b", null].map((db) => tells([{$out: {db, coll: "x"}}]))
//> [
//>   '73 Invalid $out target namespace, .x',
//>   '73 Invalid $out target namespace, a.b.x',
//>   '73 Invalid $out target namespace, a\x00b.x',
//>   '73 Invalid $out target namespace, a$b.x',
//>   "40414 BSON field '$out.db' is missing but a required field"
//> ]
["", "a.b", "a\0b", "a$b", null].map((db) => tells([{$merge: {into: {db, coll: "x"}}}]))
//> [
//>   '73 Invalid $merge target namespace: its database has no name',
//>   "73 Invalid $merge target namespace: 'a.b.x'",
//>   "73 Invalid $merge target namespace: 'a\x00b.x'",
//>   "73 Invalid $merge target namespace: 'a$b.x'",
//>   0
//> ]
[tells([{$out: "x".repeat(260)}]), tells([{$out: {db: "test", coll: null}}])]
//> [
//>   '20 error with target namespace: Fully qualified namespace is too long. Namespace: test.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx Max: 255',
//>   "40414 BSON field '$out.coll' is missing but a required field"
//> ]
// A partition of $densify is one as the collation compares.
db.beds.insertMany([{_id: 1, bed: "A", n: 1}, {_id: 2, bed: "a", n: 3}, {_id: 3, bed: "b", n: 1}]).acknowledged
//> true
const densify = [{$densify: {field: "n", partitionByFields: ["bed"], range: {step: 1, bounds: "partition"}}}]
db.beds.aggregate(densify).toArray()
//> [
//>   { _id: 1, bed: 'A', n: 1 },
//>   { _id: 2, bed: 'a', n: 3 },
//>   { _id: 3, bed: 'b', n: 1 }
//> ]
db.beds.aggregate(densify, {collation: {locale: "en", strength: 2}}).toArray()
//> [
//>   { _id: 1, bed: 'A', n: 1 },
//>   { bed: 'A', n: 2 },
//>   { _id: 2, bed: 'a', n: 3 },
//>   { _id: 3, bed: 'b', n: 1 }
//> ]
