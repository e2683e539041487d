// What the only member of a replica set tells and takes. (with times)
// Manual: reference/command/hello, reference/write-concern, reference/read-concern, core/read-isolation-consistency-recency
const run = (command, database = "test") => { try { return db.getSiblingDB(database).runCommand(command) } catch (e) { return `${e.code} ${e.codeName} ${e.message}` } }
run({hello: 1}, "admin")
//> {
//>   helloOk: true,
//>   topologyVersion: {
//>     processId: ObjectId('<*>'),
//>     counter: Long('0')
//>   },
//>   hosts: [ 'quire:27017' ],
//>   setName: 'quire',
//>   setVersion: 1,
//>   isWritablePrimary: true,
//>   secondary: false,
//>   primary: 'quire:27017',
//>   me: 'quire:27017',
//>   electionId: ObjectId('7fffffff0000000000000001'),
//>   lastWrite: {
//>     opTime: { ts: Timestamp({ t: 1767225600, i: 1 }), t: Long('1') },
//>     lastWriteDate: ISODate('2026-01-01T00:00:00.000Z'),
//>     majorityOpTime: { ts: Timestamp({ t: 1767225600, i: 1 }), t: Long('1') },
//>     majorityWriteDate: ISODate('2026-01-01T00:00:00.000Z')
//>   },
//>   maxBsonObjectSize: 16777216,
//>   maxMessageSizeBytes: 48000000,
//>   maxWriteBatchSize: 100000,
//>   localTime: ISODate('2026-01-01T00:00:00.000Z'),
//>   logicalSessionTimeoutMinutes: 30,
//>   connectionId: 1,
//>   minWireVersion: 0,
//>   maxWireVersion: 27,
//>   readOnly: false,
//>   ok: 1,
//>   '$clusterTime': {
//>     clusterTime: Timestamp({ t: 1767225600, i: 1 }),
//>     signature: {
//>       hash: Binary.createFromBase64('AAAAAAAAAAAAAAAAAAAAAAAAAAA=', 0),
//>       keyId: Long('0')
//>     }
//>   },
//>   operationTime: Timestamp({ t: 1767225600, i: 1 })
//> }
run({isMaster: 1}).ismaster
//> true
run({insert: "c", documents: [{_id: 1}]})
//> {
//>   n: 1,
//>   ok: 1,
//>   '$clusterTime': {
//>     clusterTime: Timestamp({ t: 1767225600, i: 2 }),
//>     signature: {
//>       hash: Binary.createFromBase64('AAAAAAAAAAAAAAAAAAAAAAAAAAA=', 0),
//>       keyId: Long('0')
//>     }
//>   },
//>   operationTime: Timestamp({ t: 1767225600, i: 2 })
//> }
run({find: "c"})
//> {
//>   cursor: { firstBatch: [ { _id: 1 } ], id: Long('0'), ns: 'test.c' },
//>   ok: 1,
//>   '$clusterTime': {
//>     clusterTime: Timestamp({ t: 1767225600, i: 2 }),
//>     signature: {
//>       hash: Binary.createFromBase64('AAAAAAAAAAAAAAAAAAAAAAAAAAA=', 0),
//>       keyId: Long('0')
//>     }
//>   },
//>   operationTime: Timestamp({ t: 1767225600, i: 2 })
//> }
run({nothing: 1})
//> 59 CommandNotFound no such command: 'nothing'
// A client may know of a later time; the next write is after it.
const known = Timestamp({t: 1767225700, i: 5})
run({ping: 1, $clusterTime: {clusterTime: known, signature: {hash: BinData(0, "AAAAAAAAAAAAAAAAAAAAAAAAAAA="), keyId: NumberLong(0)}}}).operationTime
//> Timestamp({ t: 1767225700, i: 5 })
run({insert: "c", documents: [{_id: 2}]}).operationTime
//> Timestamp({ t: 1767225700, i: 6 })
[1, {}, {clusterTime: 1}, {clusterTime: known, signature: 1}, {clusterTime: known, other: 1}, {clusterTime: Timestamp({t: 1798761601, i: 1})}].map(($clusterTime) => run({ping: 1, $clusterTime}))
//> [
//>   "14 TypeMismatch BSON field '$clusterTime' is the wrong type 'int', expected type 'object'",
//>   "40414 IDLFailedToParse BSON field '$clusterTime.clusterTime' is missing but a required field",
//>   "14 TypeMismatch BSON field '$clusterTime.clusterTime' is the wrong type 'int', expected type 'timestamp'",
//>   "14 TypeMismatch BSON field '$clusterTime.signature' is the wrong type 'int', expected type 'object'",
//>   "40415 IDLUnknownField BSON field '$clusterTime.other' is an unknown field.",
//>   "205 ClusterTimeFailsRateLimiter New clusterTime, 1798761601, is too far from this node's wall clock time, 1767225600."
//> ]
// Everything acknowledged is in the present, so reads after a known time are answered at once.
const read = (readConcern, more = {}) => { const reply = run({find: "c", readConcern, ...more}); return reply.ok ? reply.cursor.firstBatch.length : reply }
["local", "majority", "snapshot"].map((level) => read({level, afterClusterTime: known}))
//> [ 2, 2, 2 ]
read({afterClusterTime: Timestamp({t: 1767225700, i: 7})})
//> 72 InvalidOptions readConcern afterClusterTime value must not be greater than the current clusterTime. Requested clusterTime: { ts: Timestamp(1767225700, 7) }; current clusterTime: { ts: Timestamp(1767225700, 6) }
read({level: "snapshot", atClusterTime: Timestamp({t: 1767225700, i: 6})})
//> 2
[
  {level: "available", afterClusterTime: known}, {level: "linearizable", afterClusterTime: known}, {afterClusterTime: 1}, {afterClusterTime: Timestamp({t: 0, i: 0})},
  {atClusterTime: known}, {level: "snapshot", atClusterTime: known}, {level: "snapshot", atClusterTime: known, afterClusterTime: known}, {level: "snapshot", atClusterTime: Timestamp({t: 1767225700, i: 9})},
].map((concern) => read(concern))
//> [
//>   '72 InvalidOptions afterClusterTime field can be set only if level is equal to majority, local, or snapshot',
//>   '72 InvalidOptions afterClusterTime field can be set only if level is equal to majority, local, or snapshot',
//>   '14 TypeMismatch "afterClusterTime" had the wrong type. Expected timestamp, found int',
//>   '72 InvalidOptions afterClusterTime cannot be a null timestamp',
//>   '72 InvalidOptions atClusterTime field can be set only if level is equal to snapshot',
//>   '239 SnapshotTooOld Read timestamp Timestamp(1767225700, 5) is older than the oldest available timestamp.',
//>   '72 InvalidOptions Specifying a timestamp for readConcern snapshot in a causally consistent session is not allowed. See https://docs.mongodb.com/manual/core/read-isolation-consistency-recency/#causal-consistency',
//>   '72 InvalidOptions readConcern atClusterTime value must not be greater than the current clusterTime. Requested clusterTime: { ts: Timestamp(1767225700, 9) }; current clusterTime: { ts: Timestamp(1767225700, 6) }'
//> ]
["local", "available", "majority", "linearizable", "snapshot"].map((level) => read({level}))
//> [ 2, 2, 2, 2, 2 ]
run({count: "c", readConcern: {level: "snapshot"}})
//> 72 InvalidOptions Command count does not support { readConcern: { level: "snapshot", provenance: "clientSupplied" } } :: caused by :: read concern not supported
// The changes are made; that no more members have them is told beside.
const put = (writeConcern) => { const text = EJSON.stringify(db.runCommand({insert: "w", documents: [{}], writeConcern}).writeConcernError); return text }
[0, 1, "majority", 2, 50, "Majority", {dc1: 1}].map((w) => { try { put({w}); return "acknowledged" } catch (e) { return `${e.code} ${e.message}` } })
//> [
//>   'acknowledged',
//>   'acknowledged',
//>   'acknowledged',
//>   '100 Not enough data-bearing nodes',
//>   '100 Not enough data-bearing nodes',
//>   "79 No write concern mode named 'Majority' found in replica set configuration",
//>   '100 Not enough data-bearing nodes'
//> ]
try { put({w: 3, j: true, wtimeout: 100}) } catch (e) { e.result }
//> {
//>   n: 1,
//>   writeConcernError: {
//>     code: 100,
//>     codeName: 'UnsatisfiableWriteConcern',
//>     errmsg: 'Not enough data-bearing nodes',
//>     errInfo: {
//>       writeConcern: { w: 3, j: true, wtimeout: 100, provenance: 'clientSupplied' }
//>     }
//>   },
//>   ok: 1,
//>   '$clusterTime': {
//>     clusterTime: Timestamp({ t: 1767225700, i: 14 }),
//>     signature: {
//>       hash: Binary.createFromBase64('AAAAAAAAAAAAAAAAAAAAAAAAAAA=', 0),
//>       keyId: Long('0')
//>     }
//>   },
//>   operationTime: Timestamp({ t: 1767225700, i: 14 })
//> }
db.w.countDocuments()
//> 8
[51, -1, "", null].map((w) => run({insert: "w", documents: [{}], writeConcern: {w}}))
//> [
//>   '9 FailedToParse w has to be a non-negative number and not greater than 50',
//>   '9 FailedToParse w has to be a non-negative number and not greater than 50',
//>   "79 UnknownReplWriteConcern No write concern mode named '' found in replica set configuration",
//>   "79 UnknownReplWriteConcern No write concern mode named '' found in replica set configuration"
//> ]
run({createIndexes: "c", indexes: [{key: {a: 1}, name: "a"}], commitQuorum: "majority"})
//> {
//>   numIndexesBefore: 1,
//>   numIndexesAfter: 2,
//>   createdCollectionAutomatically: false,
//>   commitQuorum: 'majority',
//>   ok: 1,
//>   '$clusterTime': {
//>     clusterTime: Timestamp({ t: 1767225700, i: 17 }),
//>     signature: {
//>       hash: Binary.createFromBase64('AAAAAAAAAAAAAAAAAAAAAAAAAAA=', 0),
//>       keyId: Long('0')
//>     }
//>   },
//>   operationTime: Timestamp({ t: 1767225700, i: 17 })
//> }
[0, 1, "votingMembers"].map((commitQuorum, at) => run({createIndexes: "c", indexes: [{key: {["b" + at]: 1}, name: "b" + at}], commitQuorum}).commitQuorum)
//> [ 0, 1, 'votingMembers' ]
[2, 51, -1, "other", {}].map((commitQuorum) => run({createIndexes: "c", indexes: [{key: {z: 1}, name: "z"}], commitQuorum}))
//> [
//>   '278 UnsatisfiableCommitQuorum Commit quorum cannot be satisfied with the current replica set configuration',
//>   '9 FailedToParse commitQuorum has to be a non-negative number and not greater than 50',
//>   '9 FailedToParse commitQuorum has to be a non-negative number and not greater than 50',
//>   "79 UnknownReplWriteConcern No write concern mode named 'other' found in replica set configuration",
//>   '9 FailedToParse commitQuorum has to be a number or a string'
//> ]
