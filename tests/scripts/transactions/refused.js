// What a transaction may not do: commands, stages, places, concerns and fields that do not fit. Manual: core/transactions-operations
const lsid = (n) => ({id: UUID("00000000-0000-4000-8000-00000000000" + n)})
const tell = (e) => [e.codeName, e.message, ...(e.errorResponse?.errorLabels ?? [])]
const told = (run) => { try { return run() } catch (e) { return tell(e) } }
const within = (session, number, command, more) => told(() => db.runCommand({...command, lsid: lsid(session), txnNumber: Long(number), autocommit: false, ...more}))
const start = (session, number, command, more) => within(session, number, command, {startTransaction: true, ...more})
const end = (session, number, name, more) => told(() => db.adminCommand({[name]: 1, lsid: lsid(session), txnNumber: Long(number), autocommit: false, ...more}))
const commit = (session, number, more) => end(session, number, "commitTransaction", more)
const abort = (session, number) => end(session, number, "abortTransaction")
const raw = (fields) => told(() => db.runCommand({find: "herbs", ...fields}).ok)
const find = {find: "herbs"}
db.herbs.insertMany([{_id: 1}, {_id: 2}]).insertedIds
//> { '0': 1, '1': 2 }
// Fields that do not go together.
raw({txnNumber: Long(1), autocommit: false})
//> [
//>   'InvalidOptions',
//>   'Transaction number requires a session ID to also be specified'
//> ]
raw({lsid: lsid(1), txnNumber: 1, autocommit: false})
//> [
//>   'TypeMismatch',
//>   "BSON field 'OperationSessionInfo.txnNumber' is the wrong type 'int', expected type 'long'"
//> ]
raw({lsid: lsid(1), txnNumber: Long(-1), autocommit: false, startTransaction: true})
//> [ 'InvalidOptions', 'Transaction number cannot be negative' ]
raw({lsid: lsid(1), autocommit: false})
//> [
//>   'InvalidOptions',
//>   "'autocommit' field requires a transaction number to also be specified"
//> ]
raw({lsid: lsid(1), txnNumber: Long(1), autocommit: true, startTransaction: true})
//> [ 'InvalidOptions', 'Specifying autocommit=true is not allowed.' ]
raw({lsid: lsid(1), startTransaction: true})
//> [
//>   'InvalidOptions',
//>   "'startTransaction' field requires 'autocommit' field to also be specified"
//> ]
raw({lsid: lsid(1), txnNumber: Long(1), autocommit: false, startTransaction: false})
//> [
//>   'InvalidOptions',
//>   'Specifying startTransaction=false is not allowed.'
//> ]
raw({lsid: lsid(1), txnNumber: Long(1), autocommit: "no", startTransaction: true})
//> [
//>   'TypeMismatch',
//>   "BSON field 'OperationSessionInfo.autocommit' is the wrong type 'string', expected type 'bool'"
//> ]
// Commands that cannot be run, first or later; they leave the transaction as it was.
start(1, 1, {count: "herbs"})
//> [
//>   'OperationNotSupportedInTransaction',
//>   "Cannot run 'count' in a multi-document transaction. Please see http://dochub.mongodb.org/core/transaction-count for a recommended alternative."
//> ]
start(1, 1, {killCursors: "herbs", cursors: [Long(1)]})
//> [
//>   'OperationNotSupportedInTransaction',
//>   'Cannot run killCursors as the first operation in a multi-document transaction.'
//> ]
[start(1, 1, {hello: 1})[0], commit(1, 1, {startTransaction: true}), end(1, 1, "abortTransaction", {startTransaction: true})]
//> [
//>   'OperationNotSupportedInTransaction',
//>   [
//>     'OperationNotSupportedInTransaction',
//>     'Cannot start a transaction with a commit'
//>   ],
//>   [
//>     'OperationNotSupportedInTransaction',
//>     'Cannot start a transaction with an abort'
//>   ]
//> ]
start(1, 1, {insert: "herbs", documents: [{_id: 3}]}).n
//> 1
within(1, 1, {count: "herbs"})
//> [
//>   'OperationNotSupportedInTransaction',
//>   "Cannot run 'count' in a multi-document transaction. Please see http://dochub.mongodb.org/core/transaction-count for a recommended alternative."
//> ]
["explain", "listCollections", "drop", "dropDatabase", "renameCollection", "collMod", "dropIndexes", "listIndexes", "collStats", "mapReduce", "convertToCapped", "validate"].map((name) => (name === "renameCollection" ? end : (session, number) => within(session, number, {[name]: name === "explain" ? find : name.startsWith("list") || name === "dropDatabase" ? 1 : "herbs"}))(1, 1, name))
//> [
//>   [
//>     'OperationNotSupportedInTransaction',
//>     "Cannot run 'explain' in a multi-document transaction."
//>   ],
//>   [
//>     'OperationNotSupportedInTransaction',
//>     "Cannot run 'listCollections' in a multi-document transaction."
//>   ],
//>   [
//>     'OperationNotSupportedInTransaction',
//>     "Cannot run 'drop' in a multi-document transaction."
//>   ],
//>   [
//>     'OperationNotSupportedInTransaction',
//>     "Cannot run 'dropDatabase' in a multi-document transaction."
//>   ],
//>   [
//>     'OperationNotSupportedInTransaction',
//>     "Cannot run 'renameCollection' in a multi-document transaction."
//>   ],
//>   [
//>     'OperationNotSupportedInTransaction',
//>     "Cannot run 'collMod' in a multi-document transaction."
//>   ],
//>   [
//>     'OperationNotSupportedInTransaction',
//>     "Cannot run 'dropIndexes' in a multi-document transaction."
//>   ],
//>   [
//>     'OperationNotSupportedInTransaction',
//>     "Cannot run 'listIndexes' in a multi-document transaction."
//>   ],
//>   [
//>     'OperationNotSupportedInTransaction',
//>     "Cannot run 'collStats' in a multi-document transaction."
//>   ],
//>   [
//>     'OperationNotSupportedInTransaction',
//>     "Cannot run 'mapReduce' in a multi-document transaction."
//>   ],
//>   [
//>     'OperationNotSupportedInTransaction',
//>     "Cannot run 'convertToCapped' in a multi-document transaction."
//>   ],
//>   [
//>     'OperationNotSupportedInTransaction',
//>     "Cannot run 'validate' in a multi-document transaction."
//>   ]
//> ]
within(1, 1, {hello: 1}).ok
//> 1
within(1, 1, {find: "startup_log", $db: "local"}) && told(() => db.getSiblingDB("local").runCommand({...find, lsid: lsid(1), txnNumber: Long(1), autocommit: false}))
//> [
//>   'OperationNotSupportedInTransaction',
//>   "Cannot run command against the 'local' database in a transaction."
//> ]
told(() => db.getSiblingDB("config").runCommand({...find, lsid: lsid(1), txnNumber: Long(1), autocommit: false}))
//> [
//>   'OperationNotSupportedInTransaction',
//>   'Cannot run command against the config database in a transaction.'
//> ]
within(1, 1, {find: "system.views"})
//> [
//>   'OperationNotSupportedInTransaction',
//>   "Cannot run command against the 'test.system.views' collection in a transaction."
//> ]
// Concerns: read concern with the first command alone, write concern with the last.
within(1, 1, find, {readConcern: {level: "local"}})
//> [
//>   'InvalidOptions',
//>   'Only the first command in a transaction may specify a readConcern'
//> ]
within(1, 1, find, {readConcern: {level: "snapshot"}})
//> [
//>   'InvalidOptions',
//>   'Only the first command in a transaction may specify a readConcern'
//> ]
within(1, 1, find, {writeConcern: {w: 1}})
//> [
//>   'InvalidOptions',
//>   'writeConcern is not allowed within a multi-statement transaction'
//> ]
[commit(1, 1, {writeConcern: {w: 1}}).ok, db.herbs.countDocuments()]
//> [ 1, 3 ]
["local", "majority", "snapshot"].map((level, at) => start(2, at + 1, find, {readConcern: {level}}).ok)
//> [ 1, 1, 1 ]
["available", "linearizable", "strange"].map((level, at) => start(2, 10 + at, find, {readConcern: {level}}))
//> [
//>   [
//>     'InvalidOptions',
//>     "The readConcern level must be either 'local' (default), 'majority' or 'snapshot' in order to run in a transaction"
//>   ],
//>   [
//>     'InvalidOptions',
//>     "The readConcern level must be either 'local' (default), 'majority' or 'snapshot' in order to run in a transaction"
//>   ],
//>   [
//>     'BadValue',
//>     "Enumeration value 'strange' for field 'readConcern.level' is not a valid value."
//>   ]
//> ]
start(2, 20, find, {readConcern: {afterClusterTime: Timestamp(1, 1)}}).ok
//> 1
start(2, 21, find, {readConcern: {level: "snapshot", atClusterTime: Timestamp(1, 1)}})
//> [
//>   'SnapshotUnavailable',
//>   'a transaction can only begin on the present'
//> ]
abort(2, 20).ok
//> 1
// Stages that cannot be run in one.
const stage = (number, pipeline, more) => start(3, number, {aggregate: "herbs", pipeline, cursor: {}, ...more})
;[{$out: "x"}, {$merge: "x"}].map((one, at) => stage(at + 1, [one]))
//> [
//>   [
//>     'OperationNotSupportedInTransaction',
//>     'Operation not permitted in transaction :: caused by :: Aggregation stage $out cannot run within a multi-document transaction'
//>   ],
//>   [
//>     'OperationNotSupportedInTransaction',
//>     'Operation not permitted in transaction :: caused by :: Aggregation stage $merge cannot run within a multi-document transaction'
//>   ]
//> ]
;[{$collStats: {count: {}}}, {$indexStats: {}}, {$planCacheStats: {}}, {$listLocalSessions: {}}].map((one, at) => stage(at + 3, [one])[1])
//> [
//>   'Operation not permitted in transaction :: caused by :: Aggregation stage $collStats cannot run within a multi-document transaction',
//>   'Operation not permitted in transaction :: caused by :: Aggregation stage $indexStats cannot run within a multi-document transaction',
//>   'Operation not permitted in transaction :: caused by :: Aggregation stage $planCacheStats cannot run within a multi-document transaction',
//>   'Operation not permitted in transaction :: caused by :: Aggregation stage $listLocalSessions cannot run within a multi-document transaction'
//> ]
told(() => db.runCommand({aggregate: "herbs", pipeline: [], explain: true, lsid: lsid(3), txnNumber: Long(7), autocommit: false, startTransaction: true}))
//> [
//>   'OperationNotSupportedInTransaction',
//>   'Operation not permitted in transaction :: caused by :: Explain for the aggregate command cannot run within a multi-document transaction'
//> ]
// These ended their transactions, which had begun.
commit(3, 7)
//> [
//>   'NoSuchTransaction',
//>   'Transaction with { txnNumber: 7 } has been aborted.',
//>   'TransientTransactionError'
//> ]
stage(8, [{$lookup: {from: "herbs", localField: "_id", foreignField: "_id", as: "same"}}, {$count: "n"}]).cursor.firstBatch
//> [ { n: 3 } ]
// Capped collections.
db.createCollection("log", {capped: true, size: 4096}).ok
//> 1
db.log.insertOne({_id: 1}).insertedId
//> 1
start(4, 1, {insert: "log", documents: [{_id: 2}]}).writeErrors
//> [
//>   {
//>     index: 0,
//>     code: 263,
//>     errmsg: "Collection 'test.log' is a capped collection. Writes in transactions are not allowed on capped collections."
//>   }
//> ]
start(4, 2, {update: "log", updates: [{q: {}, u: {$set: {a: 1}}}]}).writeErrors
//> [
//>   {
//>     index: 0,
//>     code: 263,
//>     errmsg: "Collection 'test.log' is a capped collection. Writes in transactions are not allowed on capped collections."
//>   }
//> ]
start(4, 3, {delete: "log", deletes: [{q: {}, limit: 1}]}).writeErrors
//> [
//>   {
//>     index: 0,
//>     code: 20,
//>     errmsg: 'Cannot remove from a capped collection in a multi-document transaction: test.log'
//>   }
//> ]
[start(4, 4, {find: "log"}).cursor.firstBatch.length, commit(4, 4).ok]
//> [ 1, 1 ]
// Stages that cannot stand in one stand in no pipeline within it either, nor in that of a view.
db.createView("united", "herbs", [{$unionWith: "herbs"}]).ok
//> 1
const held = (number, pipeline, aggregate = "herbs") => start(5, number, {aggregate, pipeline, cursor: {}})
;[[{$unionWith: "herbs"}], [{$facet: {a: [{$unionWith: "herbs"}]}}], [{$lookup: {from: "herbs", pipeline: [{$collStats: {count: {}}}], as: "j"}}], [{$rankFusion: {input: {pipelines: {a: [{$sort: {_id: 1}}], b: [{$sort: {_id: -1}}]}}}}]].map((one, at) => held(at + 1, one))
//> [
//>   [
//>     'OperationNotSupportedInTransaction',
//>     'Stage not supported inside of a multi-document transaction: $unionWith'
//>   ],
//>   [
//>     'OperationNotSupportedInTransaction',
//>     'Stage not supported inside of a multi-document transaction: $unionWith'
//>   ],
//>   [
//>     'OperationNotSupportedInTransaction',
//>     'Stage not supported inside of a multi-document transaction: $collStats'
//>   ],
//>   [
//>     'OperationNotSupportedInTransaction',
//>     'Stage not supported inside of a multi-document transaction: $unionWith'
//>   ]
//> ]
held(5, [], "united")
//> [
//>   'OperationNotSupportedInTransaction',
//>   'Stage not supported inside of a multi-document transaction: $unionWith'
//> ]
held(6, [{$facet: {a: [{$count: "n"}]}}]).ok ?? held(7, [{$lookup: {from: "herbs", pipeline: [{$limit: 1}], as: "j"}}])
//> 1
