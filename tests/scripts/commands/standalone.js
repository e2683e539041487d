// What a deployment tells and takes that presents itself as a standalone. (standalone)
// Manual: reference/command/hello, reference/read-concern
const run = (command, database = "test") => { try { return db.getSiblingDB(database).runCommand(command) } catch (e) { return `${e.code} ${e.codeName} ${e.message}` } }
Object.keys(run({hello: 1}, "admin"))
//> [
//>   'helloOk',
//>   'isWritablePrimary',
//>   'topologyVersion',
//>   'maxBsonObjectSize',
//>   'maxMessageSizeBytes',
//>   'maxWriteBatchSize',
//>   'localTime',
//>   'logicalSessionTimeoutMinutes',
//>   'connectionId',
//>   'minWireVersion',
//>   'maxWireVersion',
//>   'readOnly',
//>   'ok'
//> ]
run({ping: 1})
//> { ok: 1 }
run({insert: "c", documents: [{_id: 1}], txnNumber: NumberLong(1), lsid: {id: UUID()}})
//> 20 IllegalOperation Transaction numbers are only allowed on a replica set member or mongos
["linearizable", "snapshot"].map((level) => run({find: "c", readConcern: {level}}))
//> [
//>   '123 NotAReplicaSet node needs to be a replica set member to use read concern',
//>   '123 NotAReplicaSet node needs to be a replica set member to use read concern'
//> ]
run({find: "c", readConcern: {afterClusterTime: Timestamp({t: 1, i: 1})}})
//> 123 NotAReplicaSet node needs to be a replica set member to use read concern
run({ping: 1, $clusterTime: 1}).ok
//> 1
run({createIndexes: "c", indexes: [{key: {a: 1}, name: "a"}], commitQuorum: 1})
//> 2 BadValue Standalones can't specify commitQuorum
// A standalone builds indexes anew; it has no replica set to tell of.
db.leaves.insertMany([{_id: 1, a: [3, 1]}, {_id: 2, a: 2}]).acknowledged
//> true
db.leaves.createIndex({a: 1})
//> a_1
db.runCommand({reIndex: "leaves"})
//> {
//>   nIndexesWas: 2,
//>   nIndexes: 2,
//>   indexes: [
//>     { v: 2, key: { _id: 1 }, name: '_id_' },
//>     { v: 2, key: { a: 1 }, name: 'a_1' }
//>   ],
//>   ok: 1
//> }
db.leaves.find({a: {$gte: 2}}).sort({a: 1}).toArray()
//> [ { _id: 1, a: [ 3, 1 ] }, { _id: 2, a: 2 } ]
db.leaves.validate().valid
//> true
try { db.runCommand({reIndex: "none"}) } catch (e) { e.codeName }
//> NamespaceNotFound
try { db.adminCommand({replSetGetStatus: 1}) } catch (e) { e.code + " " + e.codeName }
//> 76 NoReplicationEnabled
try { db.adminCommand({replSetInitiate: {}}) } catch (e) { e.code }
//> 76
