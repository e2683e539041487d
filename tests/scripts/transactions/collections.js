// Collections and indexes of transactions, and those that others define anew meanwhile. Manual: core/transactions-operations
const lsid = (n) => ({id: UUID("00000000-0000-4000-8000-00000000000" + n)})
const tell = (e) => [e.codeName, e.message, ...(e.errorResponse?.errorLabels ?? [])]
const told = (run) => { try { return run() } catch (e) { return tell(e) } }
const within = (session, number, command, more) => told(() => db.runCommand({...command, lsid: lsid(session), txnNumber: Long(number), autocommit: false, ...more}))
const start = (session, number, command, more) => within(session, number, command, {startTransaction: true, ...more})
const end = (session, number, name, more) => told(() => db.adminCommand({[name]: 1, lsid: lsid(session), txnNumber: Long(number), autocommit: false, ...more}))
const commit = (session, number, more) => end(session, number, "commitTransaction", more)
const abort = (session, number) => end(session, number, "abortTransaction")
const find = {find: "herbs", sort: {_id: 1}}
const index = (name, ...keys) => ({createIndexes: name, indexes: keys.map((key) => ({key, name: Object.keys(key).join("_")}))})
const names = () => db.getCollectionNames().sort()
// Made in it, implicitly and by name, with indexes while they are empty.
start(1, 1, {insert: "herbs", documents: [{_id: 1, kind: "mint"}]}).n
//> 1
within(1, 1, {create: "teas", validator: {price: {$gt: 0}}}).ok
//> 1
within(1, 1, index("teas", {price: 1}))
//> {
//>   numIndexesBefore: 1,
//>   numIndexesAfter: 2,
//>   createdCollectionAutomatically: false,
//>   ok: 1
//> }
within(1, 1, index("spices", {heat: 1}))
//> {
//>   numIndexesBefore: 1,
//>   numIndexesAfter: 2,
//>   createdCollectionAutomatically: true,
//>   ok: 1
//> }
within(1, 1, {insert: "teas", documents: [{_id: 1, price: 3}]}).n
//> 1
[names(), db.teas.getIndexes().length]
//> MongoServerError[NamespaceNotFound]: ns does not exist: test.teas
commit(1, 1).ok
//> 1
[names(), db.teas.getIndexes().map(({name}) => name), db.spices.getIndexes().map(({name}) => name), db.teas.find({price: 3}).hint("price").toArray()]
//> [
//>   [ 'herbs', 'spices', 'teas' ],
//>   [ '_id_', 'price' ],
//>   [ '_id_', 'heat' ],
//>   [ { _id: 1, price: 3 } ]
//> ]
db.getCollectionInfos({name: "teas"})[0].options
//> { validator: { price: { '$gt': 0 } } }
[db.teas.validate().valid, db.herbs.validate().valid]
//> [ true, true ]
// Not on what was there before, or has documents.
start(1, 2, index("herbs", {kind: 1}))
//> [
//>   'OperationNotSupportedInTransaction',
//>   'Cannot create new indexes on existing collection test.herbs in a multi-document transaction.'
//> ]
start(1, 3, {create: "nuts"}).ok
//> 1
within(1, 3, {insert: "nuts", documents: [{_id: 1}]}).n
//> 1
within(1, 3, index("nuts", {kind: 1}))
//> [
//>   'OperationNotSupportedInTransaction',
//>   'Cannot create new indexes on existing collection test.nuts in a multi-document transaction.'
//> ]
[commit(1, 3)[0], names().includes("nuts")]
//> [ 'NoSuchTransaction', false ]
start(1, 4, index("teas", {price: 1})).note
//> all indexes already exist
within(1, 4, {create: "teas"})
//> [
//>   'NamespaceExists',
//>   'namespace test.teas already exists, but with different options: { uuid: <*>, validator: { price: { $gt: 0 } } }'
//> ]
start(1, 5, {create: "mints", viewOn: "herbs", pipeline: []})
//> [
//>   'OperationNotSupportedInTransaction',
//>   'Cannot create a view in a multi-document transaction.'
//> ]
// One name for one collection: the first to make it wins.
start(1, 6, {create: "nuts"}).ok
//> 1
start(2, 6, {insert: "nuts", documents: [{_id: 1}]})
//> [
//>   'WriteConflict',
//>   'Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or multi-document transaction. (held by the open transaction { txnNumber: 6 } of session 00000000-0000-4000-8000-000000000001: write in that session, commit or abort it, or end all open ones with db.adminCommand({ killAllSessions: [] }); its time limit ends it too)',
//>   'TransientTransactionError'
//> ]
told(() => db.createCollection("nuts").ok)
//> [
//>   'WriteConflict',
//>   'Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or multi-document transaction. (held by the open transaction { txnNumber: 6 } of session 00000000-0000-4000-8000-000000000001: write in that session, commit or abort it, or end all open ones with db.adminCommand({ killAllSessions: [] }); its time limit ends it too)'
//> ]
told(() => db.nuts.insertOne({_id: 1}).insertedId)
//> [
//>   undefined,
//>   'Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or multi-document transaction. (held by the open transaction { txnNumber: 6 } of session 00000000-0000-4000-8000-000000000001: write in that session, commit or abort it, or end all open ones with db.adminCommand({ killAllSessions: [] }); its time limit ends it too)'
//> ]
[commit(1, 6).ok, db.nuts.insertOne({_id: 1}).insertedId]
//> [ 1, 1 ]
start(1, 7, find).ok
//> 1
db.createCollection("seeds").ok
//> 1
[within(1, 7, {find: "seeds"}).cursor.firstBatch, within(1, 7, {insert: "seeds", documents: [{_id: 1}]})]
//> [
//>   [],
//>   [
//>     'WriteConflict',
//>     "Unable to write to collection 'test.seeds' due to catalog changes; please retry the operation",
//>     'TransientTransactionError'
//>   ]
//> ]
// A collection that it has written in cannot be dropped, renamed or indexed before it ends.
start(1, 8, {update: "herbs", updates: [{q: {_id: 1}, u: {$set: {kind: "sage"}}}]}).n
//> 1
told(() => db.herbs.drop())
//> [
//>   'LockTimeout',
//>   "Unable to acquire X lock on 'test.herbs' (held by the open transaction { txnNumber: 8 } of session 00000000-0000-4000-8000-000000000001: write in that session, commit or abort it, or end all open ones with db.adminCommand({ killAllSessions: [] }); its time limit ends it too)"
//> ]
told(() => db.herbs.renameCollection("plants").ok)
//> [
//>   'LockTimeout',
//>   "Unable to acquire X lock on 'test.herbs' (held by the open transaction { txnNumber: 8 } of session 00000000-0000-4000-8000-000000000001: write in that session, commit or abort it, or end all open ones with db.adminCommand({ killAllSessions: [] }); its time limit ends it too)"
//> ]
told(() => db.herbs.createIndex({kind: 1}))
//> [
//>   'LockTimeout',
//>   "Unable to acquire X lock on 'test.herbs' (held by the open transaction { txnNumber: 8 } of session 00000000-0000-4000-8000-000000000001: write in that session, commit or abort it, or end all open ones with db.adminCommand({ killAllSessions: [] }); its time limit ends it too)"
//> ]
told(() => db.dropDatabase().ok)
//> [
//>   'LockTimeout',
//>   "Unable to acquire X lock on 'test.herbs' (held by the open transaction { txnNumber: 8 } of session 00000000-0000-4000-8000-000000000001: write in that session, commit or abort it, or end all open ones with db.adminCommand({ killAllSessions: [] }); its time limit ends it too)"
//> ]
told(() => db.teas.aggregate([{$out: "herbs"}]).toArray())
//> [
//>   'LockTimeout',
//>   "Executor error during aggregate command on namespace: test.teas :: caused by :: Unable to acquire X lock on 'test.herbs' (held by the open transaction { txnNumber: 8 } of session 00000000-0000-4000-8000-000000000001: write in that session, commit or abort it, or end all open ones with db.adminCommand({ killAllSessions: [] }); its time limit ends it too)"
//> ]
[db.teas.drop(), commit(1, 8).ok, db.herbs.drop()]
//> [ true, 1, true ]
// One that was dropped, made anew or indexed since: it reads what it began on, and cannot write.
db.herbs.insertMany([{_id: 1}, {_id: 2}]).insertedIds
//> { '0': 1, '1': 2 }
start(1, 9, find).cursor.firstBatch
//> [ { _id: 1 }, { _id: 2 } ]
db.herbs.drop()
//> true
within(1, 9, find).cursor.firstBatch
//> [ { _id: 1 }, { _id: 2 } ]
within(1, 9, {delete: "herbs", deletes: [{q: {_id: 1}, limit: 1}]})
//> [
//>   'WriteConflict',
//>   "Unable to write to collection 'test.herbs' due to catalog changes; please retry the operation",
//>   'TransientTransactionError'
//> ]
db.herbs.insertMany([{_id: 1}, {_id: 2}]).insertedIds
//> { '0': 1, '1': 2 }
start(1, 10, find).ok
//> 1
db.herbs.createIndex({kind: 1})
//> kind_1
within(1, 10, {insert: "herbs", documents: [{_id: 7}]})
//> [
//>   'WriteConflict',
//>   "Unable to write to collection 'test.herbs' due to catalog changes; please retry the operation",
//>   'TransientTransactionError'
//> ]
// Moments and what is undone: a transaction is one change.
start(1, 11, {insert: "herbs", documents: [{_id: 3}, {_id: 4}]}).n
//> 2
db.adminCommand({quireMoment: 1, name: "before"}).ok
//> 1
within(1, 11, {delete: "herbs", deletes: [{q: {_id: 1}, limit: 1}]}).n
//> 1
commit(1, 11).ok
//> 1
db.adminCommand({quireDifference: 1, from: "before"}).collections
//> [
//>   {
//>     ns: 'test.herbs',
//>     state: 'changed',
//>     definition: false,
//>     added: 2,
//>     removed: 1,
//>     changed: 0,
//>     pages: 3
//>   }
//> ]
start(1, 12, {update: "herbs", updates: [{q: {_id: 3}, u: {$set: {kind: "mint"}}}]}).n
//> 1
told(() => db.adminCommand({quireRestore: "before", database: "test", collection: "herbs"}).ok)
//> [
//>   'LockTimeout',
//>   "Unable to acquire X lock on 'test.herbs' (held by the open transaction { txnNumber: 12 } of session 00000000-0000-4000-8000-000000000001: write in that session, commit or abort it, or end all open ones with db.adminCommand({ killAllSessions: [] }); its time limit ends it too)"
//> ]
abort(1, 12).ok
//> 1
db.adminCommand({quireRestore: "before", database: "test", collection: "herbs"}).ok
//> 1
db.herbs.find().sort({_id: 1}).toArray()
//> [ { _id: 1 }, { _id: 2 } ]
