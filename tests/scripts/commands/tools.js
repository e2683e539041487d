// What tools and drivers ask a server: its host, its options, its locks, its digests; and what is refused here.
//
// Manual: reference/command/nav-diagnostic, reference/command/nav-administration
const run = (c) => { try { return db.runCommand(c) } catch (e) { return e.code + " " + e.codeName + " " + e.message } }
const admin = (c) => { try { return db.adminCommand(c) } catch (e) { return e.code + " " + e.codeName + " " + e.message } }
admin({hostInfo: 1}).system.hostname
//> quire
Object.keys(admin({hostInfo: 1}).system)
//> [
//>   'currentTime',
//>   'hostname',
//>   'cpuAddrSize',
//>   'numCores',
//>   'cpuArch',
//>   'numaEnabled'
//> ]
admin({getCmdLineOpts: 1})
//> { argv: [ 'quire' ], parsed: {}, ok: 1 }
run({whatsmyuri: 1})
//> { you: '127.0.0.1:1', ok: 1 }
Object.keys(run({features: 1}))
//> [ 'oidMachine', 'ok' ]
admin({lockInfo: 1})
//> { lockInfo: [], ok: 1 }
admin({killOp: 1, op: 12})
//> { info: 'attempting to kill op', ok: 1 }
admin({killOp: 1})
//> 40414 IDLFailedToParse BSON field 'killOp.op' is missing but a required field
admin({killOp: 1, op: "x"})
//> 14 TypeMismatch BSON field 'killOp.op' is the wrong type 'string', expected types '[long, int, decimal, double']
admin({fsync: 1})
//> { numFiles: 1, ok: 1 }
admin({fsync: 1, lock: true})
//> 115 CommandNotSupported fsync cannot lock: the next write would wait for ever, since one connection serves all
admin({fsyncUnlock: 1})
//> 20 IllegalOperation fsyncUnlock called when not locked
run({fsync: 1})
//> 13 Unauthorized fsync may only be run against the admin database.
admin({setFeatureCompatibilityVersion: "8.2"})
//> 7369100 Location7369100 Once you have changed the feature compatibility version to 8.2, it may not be possible to change it back. Please re-run this command with 'confirm: true' to acknowledge this and continue
admin({setFeatureCompatibilityVersion: "8.2", confirm: true})
//> { ok: 1 }
admin({setFeatureCompatibilityVersion: "8.0", confirm: true})
//> 238 NotImplemented the features of 8.2 cannot be given up: '8.0' is not supported
admin({setFeatureCompatibilityVersion: "6.0", confirm: true})
//> 2 BadValue Invalid feature compatibility version value '6.0'; expected '8.0' or '8.2'
admin({setFeatureCompatibilityVersion: 8, confirm: true})
//> 14 TypeMismatch BSON field 'setFeatureCompatibilityVersion.setFeatureCompatibilityVersion' is the wrong type 'int', expected type 'string'
run({geoSearch: "c"})
//> 59 CommandNotFound no such command: 'geoSearch'
// Digests: of the documents in the order of their _ids, whatever the order in which they came.
db.one.insertMany([{_id: 2, a: "x"}, {_id: 1, b: [1]}]).acknowledged
//> true
db.two.insertMany([{_id: 1, b: [1]}, {_id: 2, a: "x"}]).acknowledged
//> true
db.createCollection("ring", {capped: true, size: 4096}).ok
//> 1
const hashes = run({dbHash: 1});
[Object.keys(hashes), hashes.collections.one === hashes.collections.two, hashes.collections.ring, hashes.capped]
//> [
//>   [
//>     'host',
//>     'collections',
//>     'capped',
//>     'uuids',
//>     'md5',
//>     'timeMillis',
//>     'ok'
//>   ],
//>   true,
//>   'd41d8cd98f00b204e9800998ecf8427e',
//>   [ 'ring' ]
//> ]
Object.keys(run({dbHash: 1, collections: ["two"]}).collections)
//> [ 'two' ]
hashes.md5 === run({dbhash: 1}).md5
//> true
db.two.updateOne({_id: 1}, {$set: {b: [2]}}).modifiedCount
//> 1
hashes.md5 === run({dbHash: 1}).md5
//> false
run({dbHash: 1, nope: 1}).ok
//> 1
// Views that the Stable API does not have.
db.createView("fine", "one", [{$match: {a: 1}}]).ok
//> 1
db.createView("odd", "one", [{$indexStats: {}}]).ok
//> 1
run({validateDBMetadata: 1, apiParameters: {version: "1", strict: true}})
//> {
//>   apiVersionErrors: [
//>     {
//>       ns: 'test.odd',
//>       code: 323,
//>       codeName: 'APIStrictError',
//>       errmsg: "$indexStats is not allowed with 'apiStrict: true' in API Version 1"
//>     }
//>   ],
//>   ok: 1
//> }
run({validateDBMetadata: 1, apiParameters: {version: "1"}, db: "test"})
//> { apiVersionErrors: [], ok: 1 }
run({validateDBMetadata: 1, apiParameters: {version: "1", strict: true}, collection: "fine"})
//> { apiVersionErrors: [], ok: 1 }
run({validateDBMetadata: 1, apiParameters: {version: "2"}})
//> { apiVersionErrors: [], ok: 1 }
run({validateDBMetadata: 1})
//> 40414 IDLFailedToParse BSON field 'validateDBMetadata.apiParameters' is missing but a required field
// How often each collection was used; counters of commands and latencies of all.
db.one.find().toArray().length
//> 2
const totals = admin({top: 1}).totals;
[totals.note, Object.keys(totals["test.one"]), totals["test.one"].queries.count, totals["test.one"].insert.count, totals["test.one"].total.count]
//> [
//>   'all times in microseconds',
//>   [
//>     'total',     'readLock',
//>     'writeLock', 'queries',
//>     'getmore',   'insert',
//>     'update',    'remove',
//>     'commands'
//>   ],
//>   1,
//>   1,
//>   2
//> ]
try { db.runCommand({nope: 1}) } catch (e) { e.code }
//> 59
run({count: "one", query: {$nope: 1}})
//> 2 BadValue unknown top level operator: $nope. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.
const status = db.serverStatus();
[status.version, status.metrics.commands.count, status.metrics.commands.dbHash, status.metrics.document, Object.keys(status.opLatencies)]
//> [
//>   '8.2.0',
//>   { failed: Long('1'), total: Long('1') },
//>   { failed: Long('0'), total: Long('5') },
//>   {
//>     deleted: Long('0'),
//>     inserted: Long('4'),
//>     returned: Long('2'),
//>     updated: Long('1')
//>   },
//>   [ 'reads', 'writes', 'commands', 'transactions' ]
//> ]
Object.keys(db.serverStatus({opLatencies: {histograms: true}}).opLatencies.reads)
//> [ 'histogram', 'latency', 'ops' ]
[status.logicalSessionRecordCache, status.opcountersRepl.insert]
//> [
//>   {
//>     activeSessionsCount: 0,
//>     sessionsCollectionJobCount: 0,
//>     lastSessionsCollectionJobDurationMillis: 0,
//>     lastSessionsCollectionJobEntriesRefreshed: 0,
//>     lastSessionsCollectionJobEntriesEnded: 0,
//>     sessionCatalogSize: 0
//>   },
//>   Long('0')
//> ]
run({buildInfo: 1}).versionArray
//> [ 8, 2, 0, 0 ]
// The replica set, whose only member this is.
const set = admin({replSetGetStatus: 1});
[set.set, set.myState, set.members.map((one) => [one.name, one.stateStr, one.self, one.health]), Object.keys(set.optimes)]
//> [
//>   'quire',
//>   1,
//>   [ [ 'quire:27017', 'PRIMARY', true, 1 ] ],
//>   [
//>     'lastCommittedOpTime',
//>     'lastCommittedWallTime',
//>     'readConcernMajorityOpTime',
//>     'appliedOpTime',
//>     'durableOpTime',
//>     'lastAppliedWallTime',
//>     'lastDurableWallTime'
//>   ]
//> ]
rs.status().set
//> quire
rs.conf()
//> {
//>   _id: 'quire',
//>   version: 1,
//>   term: 1,
//>   members: [
//>     {
//>       _id: 0,
//>       host: 'quire:27017',
//>       arbiterOnly: false,
//>       buildIndexes: true,
//>       hidden: false,
//>       priority: 1,
//>       tags: {},
//>       secondaryDelaySecs: Long('0'),
//>       votes: 1
//>     }
//>   ],
//>   protocolVersion: Long('1'),
//>   writeConcernMajorityJournalDefault: true
//> }
admin({replSetGetConfig: 1, nope: 1})
//> 40415 IDLUnknownField BSON field 'replSetGetConfig.nope' is an unknown field.
admin({replSetInitiate: {}})
//> 23 AlreadyInitialized already initialized
admin({replSetReconfig: {}})
//> 59 CommandNotFound no such command: 'replSetReconfig'
run({reIndex: "one"})
//> 20 IllegalOperation reIndex is only allowed on a standalone mongod instance.
