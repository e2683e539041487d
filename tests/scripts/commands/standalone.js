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
