// What stages learned with 8.1. Manual: $listClusterCatalog, $merge, $geoNear, createCollection (validationAction)
db.createCollection("teas", {validator: {price: {$gt: 0}}, validationAction: "errorAndLog"})
//> { ok: 1 }
db.getCollectionInfos({name: "teas"})[0].options
//> { validator: { price: { '$gt': 0 } }, validationAction: 'errorAndLog' }
db.teas.insertOne({_id: 1, price: 0})
//> MongoServerError: Document failed validation
//> Additional information: {
//>   failingDocumentId: 1,
//>   details: {
//>     operatorName: '$gt',
//>     specifiedAs: { price: { '$gt': 0 } },
//>     reason: 'comparison failed',
//>     consideredValue: 0
//>   }
//> }
db.createView("cheap", "teas", [])
//> { ok: 1 }
db.aggregate([{$listClusterCatalog: {}}]).toArray().map(({ns, db, type, options, sharded}) => ({ns, db, type, options, sharded}))
//> [
//>   {
//>     ns: 'test.cheap',
//>     db: 'test',
//>     type: 'view',
//>     options: { viewOn: 'teas', pipeline: [] },
//>     sharded: false
//>   },
//>   {
//>     ns: 'test.system.views',
//>     db: 'test',
//>     type: 'collection',
//>     options: {},
//>     sharded: false
//>   },
//>   {
//>     ns: 'test.teas',
//>     db: 'test',
//>     type: 'collection',
//>     options: {
//>       validator: { price: { '$gt': 0 } },
//>       validationAction: 'errorAndLog'
//>     },
//>     sharded: false
//>   }
//> ]
db.aggregate([{$listClusterCatalog: {shards: true, balancingConfiguration: true}}, {$project: {_id: 0, ns: 1, shards: 1, idIndex: 1, readOnly: "$info.readOnly"}}])
//> [
//>   { ns: 'test.cheap', shards: [], readOnly: true },
//>   {
//>     ns: 'test.system.views',
//>     idIndex: { v: 2, key: { _id: 1 }, name: '_id_' },
//>     shards: [],
//>     readOnly: false
//>   },
//>   {
//>     ns: 'test.teas',
//>     idIndex: { v: 2, key: { _id: 1 }, name: '_id_' },
//>     shards: [],
//>     readOnly: false
//>   }
//> ]
db.getSiblingDB("admin").aggregate([{$listClusterCatalog: {}}, {$group: {_id: "$db", n: {$sum: 1}}}])
//> [ { _id: 'test', n: 3 } ]
db.teas.aggregate([{$listClusterCatalog: {}}])
//> MongoServerError[Location9621301]: The $listClusterCatalog stage must run on a database, not a collection.
db.aggregate([{$listClusterCatalog: {shards: 1}}])
//> MongoServerError[TypeMismatch]: BSON field '$listClusterCatalog.shards' is the wrong type 'int', expected type 'bool'
db.aggregate([{$listClusterCatalog: {foo: true}}])
//> MongoServerError[IDLUnknownField]: BSON field '$listClusterCatalog.foo' is an unknown field.
db.totals.createIndex({kind: 1}, {unique: true})
//> kind_1
db.totals.insertMany([{_id: 1, old: true}, {_id: 2, kind: "green", old: true}])
//> { acknowledged: true, insertedIds: { '0': 1, '1': 2 } }
db.cups.insertMany([{_id: 1, kind: null, n: 4}, {_id: 2, kind: "green", n: 5}, {_id: 3, n: 6}])
//> { acknowledged: true, insertedIds: { '0': 1, '1': 2, '2': 3 } }
db.cups.aggregate([{$unset: "_id"}, {$merge: {into: "totals", on: "kind"}}])
//>
db.totals.find()
//> [
//>   { _id: 1, old: true, kind: null, n: 6 },
//>   { _id: 2, kind: 'green', old: true, n: 5 }
//> ]
db.sparse.createIndex({kind: 1}, {unique: true, sparse: true})
//> kind_1
db.cups.aggregate([{$unset: "_id"}, {$merge: {into: "sparse", on: "kind"}}])
//> MongoServerError[Location51132]: Executor error during aggregate command on namespace: test.cups :: caused by :: $merge write error: 'on' field 'kind' cannot be missing, null or undefined
db.places.insertMany([{_id: 1, a: [0, 0], b: [1, 1]}, {_id: 2, a: [2, 2], b: [0, 0]}])
//> { acknowledged: true, insertedIds: { '0': 1, '1': 2 } }
db.places.createIndexes([{a: "2dsphere"}, {b: "2dsphere"}])
//> [ 'a_2dsphere', 'b_2dsphere' ]
db.places.aggregate([{$geoNear: {near: [0, 0], distanceField: "d", spherical: true}}, {$project: {_id: 1}}])
//> MongoServerError[IndexNotFound]: There is more than one 2dsphere index on test.places; unsure which to use for $geoNear
db.places.hideIndex("a_2dsphere")
//> { hidden_old: false, hidden_new: true, ok: 1 }
db.places.aggregate([{$geoNear: {near: [0, 0], distanceField: "d", spherical: true}}, {$project: {_id: 1}}])
//> [ { _id: 2 }, { _id: 1 } ]
