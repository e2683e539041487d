// Stages that describe: $collStats, $indexStats, $currentOp, $listSessions and $listLocalSessions; what each counts and refuses.
//
// Manual: reference/operator/aggregation/collStats, indexStats, currentOp, listSessions, listLocalSessions, reference/command/currentOp
const run = (stages, name = "shop") => { try { return db[name].aggregate(stages).toArray() } catch (x) { return x.code + " " + x.message } }
const admin = db.getSiblingDB("admin")
const ask = (stages, more = {}, on = admin) => { try { return on.runCommand({aggregate: 1, pipeline: stages, cursor: {}, ...more}).cursor.firstBatch } catch (x) { return x.code + " " + x.message } }
db.shop.insertMany([{_id: 1, kind: "pot", price: 4}, {_id: 2, kind: "seed", price: 2}, {_id: 3, kind: "seed", price: 3}]).acknowledged
//> true
db.shop.createIndex({kind: 1})
//> kind_1
// Each query counts an index it used once; explain counts nothing.
const uses = (name = "shop") => Object.fromEntries(db[name].aggregate([{$indexStats: {}}]).toArray().map((d) => [d.name, Number(d.accesses.ops)]))
db.shop.aggregate([{$indexStats: {}}]).toArray()
//> [
//>   {
//>     name: '_id_',
//>     key: { _id: 1 },
//>     host: 'quire:27017',
//>     accesses: { ops: Long('0'), since: ISODate('2026-01-01T00:00:00.000Z') },
//>     spec: { v: 2, key: { _id: 1 }, name: '_id_' }
//>   },
//>   {
//>     name: 'kind_1',
//>     key: { kind: 1 },
//>     host: 'quire:27017',
//>     accesses: { ops: Long('0'), since: ISODate('2026-01-01T00:00:00.000Z') },
//>     spec: { v: 2, key: { kind: 1 }, name: 'kind_1' }
//>   }
//> ]
db.shop.find({kind: "pot"}).toArray().length + db.shop.find({_id: 1}).toArray().length + db.shop.countDocuments({kind: "seed"})
//> 4
db.shop.find({kind: "pot"}).explain("executionStats").executionStats.nReturned
//> 1
db.shop.updateOne({kind: "pot"}, {$set: {price: 5}}).modifiedCount + db.shop.deleteOne({_id: 99}).deletedCount + db.shop.distinct("price", {kind: "seed"}).length
//> 3
uses()
//> { _id_: 2, kind_1: 4 }
// A $lookup counts each of its look-ups, a scan counts no index.
db.kinds.insertMany([{_id: "pot"}, {_id: "seed"}]).acknowledged
//> true
[db.shop.aggregate([{$lookup: {from: "kinds", localField: "kind", foreignField: "_id", as: "k"}}]).toArray().length, uses("kinds"), uses()]
//> [ 3, { _id_: 3 }, { _id_: 2, kind_1: 4 } ]
// Of an $or every branch's index; hiding an index or building it anew begins a new count.
db.shop.find({$or: [{kind: "pot"}, {_id: 2}]}).toArray().length
//> 2
uses()
//> { _id_: 3, kind_1: 5 }
clock.advance(60000); db.shop.hideIndex("kind_1"); db.shop.aggregate([{$indexStats: {}}, {$match: {name: "kind_1"}}, {$project: {accesses: 1, "spec.hidden": 1}}]).toArray()
//> [
//>   {
//>     accesses: { ops: Long('0'), since: ISODate('2026-01-01T00:01:00.000Z') },
//>     spec: { hidden: true }
//>   }
//> ]
[run([{$indexStats: {}}], "nothing"), run([{$indexStats: {x: 1}}]), run([{$match: {}}, {$indexStats: {}}]), ask([{$indexStats: {}}])]
//> [
//>   [],
//>   '28803 The $indexStats stage specification must be an empty object',
//>   '40602 $indexStats is only valid as the first stage in a pipeline',
//>   "73 {aggregate: 1} is not valid for '$indexStats'; a collection is required."
//> ]
// $collStats: without options only what it describes.
run([{$collStats: {}}])
//> [
//>   {
//>     ns: 'test.shop',
//>     host: 'quire:27017',
//>     localTime: ISODate('2026-01-01T00:01:00.000Z')
//>   }
//> ]
run([{$collStats: {count: {}, storageStats: {scale: 1024}, queryExecStats: {}}}])[0]
//> {
//>   ns: 'test.shop',
//>   host: 'quire:27017',
//>   localTime: ISODate('2026-01-01T00:01:00.000Z'),
//>   storageStats: {
//>     size: 0,
//>     count: 3,
//>     avgObjSize: 39,
//>     numOrphanDocs: 0,
//>     storageSize: 16,
//>     freeStorageSize: 0,
//>     capped: false,
//>     nindexes: 2,
//>     indexDetails: {},
//>     indexBuilds: [],
//>     totalIndexSize: 32,
//>     totalSize: 48,
//>     indexSizes: { _id_: 16, kind_1: 16 },
//>     scaleFactor: 1024
//>   },
//>   count: 3,
//>   queryExecStats: { collectionScans: { total: Long('1'), nonTailable: Long('1') } }
//> }
JSON.stringify(run([{$collStats: {storageStats: {}}}])[0].storageStats) === JSON.stringify((({ns, ok, ...rest}) => rest)(db.runCommand({collStats: "shop"})))
//> true
// Latencies are kept by kind of command; how long they were is the machine's.
const ops = (name) => Object.entries(run([{$collStats: {latencyStats: {histograms: true}}}], name)[0].latencyStats).map(([kind, l]) => [kind, Number(l.ops), l.histogram.reduce((n, b) => n + Number(b.count), 0), Number(l.latency) >= 0])
ops("kinds")
//> [
//>   [ 'reads', 1, 1, true ],
//>   [ 'writes', 1, 1, true ],
//>   [ 'commands', 0, 0, true ],
//>   [ 'transactions', 0, 0, true ]
//> ]
db.kinds.insertOne({_id: "soil"}); db.kinds.find().toArray(); db.kinds.createIndex({a: 1}); ops("kinds")
//> [
//>   [ 'reads', 3, 3, true ],
//>   [ 'writes', 2, 2, true ],
//>   [ 'commands', 1, 1, true ],
//>   [ 'transactions', 0, 0, true ]
//> ]
[Object.keys(run([{$collStats: {latencyStats: {}}}])[0].latencyStats.reads), ops("nothing")]
//> [
//>   [ 'latency', 'ops' ],
//>   [
//>     [ 'reads', 0, 0, true ],
//>     [ 'writes', 0, 0, true ],
//>     [ 'commands', 0, 0, true ],
//>     [ 'transactions', 0, 0, true ]
//>   ]
//> ]
[run([{$collStats: 1}]), run([{$collStats: {foo: {}}}]), run([{$collStats: {count: 1}}]), run([{$collStats: {count: {a: 1}}}]), run([{$collStats: {storageStats: {scale: 0}}}]), run([{$collStats: {storageStats: {scale: "kB"}}}]), run([{$collStats: {latencyStats: {histograms: 1}}}]), run([{$collStats: {latencyStats: {x: 1}}}]), run([{$collStats: {storageStats: {numericOnly: true}}}])]
//> [
//>   '5447000 $collStats must take a nested object but found: $collStats: 1',
//>   "40415 BSON field '$collStats.foo' is an unknown field.",
//>   "14 BSON field '$collStats.count' is the wrong type 'int', expected type 'object'",
//>   '31170 expected an empty object, but got { a: 1 }',
//>   "2 BSON field '$collStats.storageStats.scale' value must be >= 1, actual value '0'",
//>   "14 BSON field '$collStats.storageStats.scale' is the wrong type 'string', expected types '[long, int, decimal, double]'",
//>   "14 Field 'histograms' should be a boolean value, but found: int",
//>   "40415 BSON field '$collStats.latencyStats.x' is an unknown field.",
//>   '238 $collStats.storageStats.numericOnly is not supported'
//> ]
[run([{$match: {}}, {$collStats: {}}]), run([{$facet: {a: [{$collStats: {}}]}}]), ask([{$collStats: {}}])]
//> [
//>   '40602 $collStats is only valid as the first stage in a pipeline',
//>   '40600 $collStats is not allowed to be used within a $facet stage',
//>   "73 {aggregate: 1} is not valid for '$collStats'; a collection is required."
//> ]
[run([{$collStats: {storageStats: {}}}], "nothing"), run([{$collStats: {count: {}}}], "nothing"), run([{$collStats: {queryExecStats: {}}}], "nothing")]
//> [
//>   '26 Executor error during aggregate command on namespace: test.nothing :: caused by :: Unable to retrieve storageStats in $collStats stage :: caused by :: Collection [test.nothing] not found.',
//>   '2 Executor error during aggregate command on namespace: test.nothing :: caused by :: Unable to retrieve count in $collStats stage :: caused by :: Collection [test.nothing] not found.',
//>   '26 Executor error during aggregate command on namespace: test.nothing :: caused by :: Unable to retrieve queryExecStats in $collStats stage :: caused by :: Collection [test.nothing] not found.'
//> ]
// A view has latencies of its own, and no sizes.
db.createView("cheap", "shop", [{$match: {price: {$lt: 4}}}]); db.cheap.find().toArray().length
//> 2
[ops("cheap"), run([{$collStats: {storageStats: {}}}], "cheap"), run([{$collStats: {count: {}}}], "cheap"), run([{$indexStats: {}}], "cheap")]
//> [
//>   [
//>     [ 'reads', 1, 1, true ],
//>     [ 'writes', 0, 0, true ],
//>     [ 'commands', 1, 1, true ],
//>     [ 'transactions', 0, 0, true ]
//>   ],
//>   '166 Executor error during aggregate command on namespace: test.cheap :: caused by :: Namespace test.cheap is a view, not a collection',
//>   '166 Executor error during aggregate command on namespace: test.cheap :: caused by :: Namespace test.cheap is a view, not a collection',
//>   '40602 $indexStats is only valid as the first stage in a pipeline'
//> ]
// In another pipeline a stage describes that pipeline's collection.
db.kinds.aggregate([{$limit: 1}, {$project: {_id: 0}}, {$unionWith: {coll: "shop", pipeline: [{$collStats: {count: {}}}, {$project: {ns: 1, count: 1}}]}}, {$lookup: {from: "kinds", pipeline: [{$indexStats: {}}, {$project: {name: 1}}], as: "indexes"}}]).toArray()
//> [
//>   { indexes: [ { name: '_id_' }, { name: 'a_1' } ] },
//>   {
//>     ns: 'test.shop',
//>     count: 3,
//>     indexes: [ { name: '_id_' }, { name: 'a_1' } ]
//>   }
//> ]
run([{$planCacheStats: {}}], "nothing")
//> 50933 Executor error during aggregate command on namespace: test.nothing :: caused by :: collection 'test.nothing' does not exist
// $currentOp: the operation itself.
(({microsecs_running, opid, ...rest}) => rest)(ask([{$currentOp: {}}])[0])
//> {
//>   type: 'op',
//>   host: 'quire:27017',
//>   desc: 'conn1',
//>   connectionId: 1,
//>   active: true,
//>   currentOpTime: '2026-01-01T00:01:00.000+00:00',
//>   secs_running: Long('0'),
//>   op: 'command',
//>   ns: 'admin.$cmd.aggregate',
//>   redacted: false,
//>   command: {
//>     aggregate: 1,
//>     pipeline: [ { '$currentOp': {} } ],
//>     cursor: {},
//>     '$db': 'admin'
//>   },
//>   numYields: 0,
//>   locks: {},
//>   waitingForLock: false,
//>   lockStats: {},
//>   waitingForFlowControl: false,
//>   flowControlStats: {}
//> }
db.shop.find({}, {kind: 1}).batchSize(2).hasNext(); ask([{$currentOp: {idleCursors: true}}, {$match: {type: "idleCursor"}}])
//> [
//>   {
//>     type: 'idleCursor',
//>     host: 'quire:27017',
//>     ns: 'test.shop',
//>     cursor: {
//>       cursorId: Long('<*>'),
//>       createdDate: ISODate('2026-01-01T00:01:00.000Z'),
//>       lastAccessDate: ISODate('2026-01-01T00:01:00.000Z'),
//>       nDocsReturned: Long('2'),
//>       nBatchesReturned: Long('1'),
//>       noCursorTimeout: false,
//>       tailable: false,
//>       awaitData: false,
//>       originatingCommand: {
//>         find: 'shop',
//>         filter: {},
//>         projection: { kind: 1 },
//>         batchSize: 2,
//>         '$db': 'test'
//>       }
//>     }
//>   }
//> ]
ask([{$currentOp: {truncateOps: true}}, {$project: {command: 1}}], {let: {long: "x".repeat(2000)}, comment: "long"})[0].command.comment
//> long
[ask([{$currentOp: 1}]), ask([{$currentOp: {allUsers: 1}}]), ask([{$currentOp: {idleCursors: 1}}]), ask([{$currentOp: {foo: true}}]), ask([{$currentOp: {}}], {}, db), run([{$currentOp: {}}]), ask([{$match: {}}, {$currentOp: {}}])]
//> [
//>   '14 $currentOp options must be specified in an object, but found: int',
//>   "14 BSON field '$currentOp.allUsers' is the wrong type 'int', expected type 'bool'",
//>   "14 BSON field '$currentOp.idleCursors' is the wrong type 'int', expected type 'bool'",
//>   "40415 BSON field '$currentOp.foo' is an unknown field.",
//>   "73 $currentOp must be run against the 'admin' database with {aggregate: 1}",
//>   "73 $currentOp must be run against the 'admin' database with {aggregate: 1}",
//>   '40602 $currentOp is only valid as the first stage in a pipeline'
//> ]
admin.runCommand({currentOp: 1, op: "command"}).inprog.map((op) => [op.ns, op.command])
//> [
//>   [
//>     'admin.$cmd.aggregate',
//>     { currentOp: 1, op: 'command', '$db': 'admin' }
//>   ]
//> ]
[admin.runCommand({currentOp: 1, $all: true, op: "getmore"}).inprog, db.currentOp === undefined]
//> [ [], false ]
db.runCommand({currentOp: 1})
//> MongoServerError[Unauthorized]: currentOp may only be run against the admin database.
// Sessions are listed after they were used, and move from the local list to the server's after five minutes.
const lsid = {id: UUID("6b0c1f2e-7a55-4d2b-8c11-0d7f5a3e9b01")}
const local = (spec = {}) => ask([{$listLocalSessions: spec}])
const listed = (spec = {}) => { try { return db.getSiblingDB("config").runCommand({aggregate: "system.sessions", pipeline: [{$listSessions: spec}], cursor: {}}).cursor.firstBatch } catch (x) { return x.code + " " + x.message } }
db.runCommand({ping: 1, lsid}).ok
//> 1
[local(), listed().length]
//> [
//>   [
//>     {
//>       _id: {
//>         id: UUID('6b0c1f2e-7a55-4d2b-8c11-0d7f5a3e9b01'),
//>         uid: Binary.createFromBase64('47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=', 0)
//>       },
//>       lastUse: ISODate('2026-01-01T00:01:00.000Z')
//>     }
//>   ],
//>   0
//> ]
[local({allUsers: true}).length, local({users: [{user: "ann", db: "test"}]}).length, local({users: [{user: "", db: ""}]}).length]
//> [ 1, 0, 1 ]
clock.advance(301000); [local().length, listed()]
//> [
//>   0,
//>   [
//>     {
//>       _id: {
//>         id: UUID('6b0c1f2e-7a55-4d2b-8c11-0d7f5a3e9b01'),
//>         uid: Binary.createFromBase64('47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=', 0)
//>       },
//>       lastUse: ISODate('2026-01-01T00:01:00.000Z')
//>     }
//>   ]
//> ]
clock.advance(1800000); listed().length
//> 0
[local(1), local({allUsers: 1}), local({x: 1}), local({users: [{user: "a"}]}), local({allUsers: true, users: [{user: "a", db: "b"}]}), run([{$listLocalSessions: {}}]), run([{$listSessions: {}}]), listed({allUsers: 1})]
//> [
//>   '14 $listLocalSessions options must be specified in an object, but found: int',
//>   "14 BSON field '$listLocalSessions.allUsers' is the wrong type 'int', expected type 'bool'",
//>   "40415 BSON field '$listLocalSessions.x' is an unknown field.",
//>   "40414 BSON field '$listLocalSessions.users.0.db' is missing but a required field",
//>   '12 $listLocalSessions may not specify {allUsers:true} and {users:[...]} at the same time',
//>   '73 $listLocalSessions must be run against the database with {aggregate: 1}, not a collection',
//>   "73 $listSessions must be run against the 'system.sessions' collection in the 'config' database.",
//>   "14 BSON field '$listSessions.allUsers' is the wrong type 'int', expected type 'bool'"
//> ]
