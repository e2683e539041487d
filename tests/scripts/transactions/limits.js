// The time, the cursors and the size of transactions, and the sessions that end. Manual: core/transactions-production-consideration
const lsid = (n) => ({id: UUID("00000000-0000-4000-8000-00000000000" + n)})
const tell = (e) => [e.codeName, e.message, ...(e.errorResponse?.errorLabels ?? [])]
const told = (run) => { try { return run() } catch (e) { return tell(e) } }
const within = (session, number, command, more) => told(() => db.runCommand({...command, lsid: lsid(session), txnNumber: Long(number), autocommit: false, ...more}))
const start = (session, number, command, more) => within(session, number, command, {startTransaction: true, ...more})
const end = (session, number, name, more) => told(() => db.adminCommand({[name]: 1, lsid: lsid(session), txnNumber: Long(number), autocommit: false, ...more}))
const commit = (session, number, more) => end(session, number, "commitTransaction", more)
const abort = (session, number) => end(session, number, "abortTransaction")
const find = {find: "herbs", batchSize: 2, sort: {_id: 1}}
const more = (id) => ({getMore: Long(id), collection: "herbs"})
db.herbs.insertMany([{_id: 1}, {_id: 2}, {_id: 3}, {_id: 4}, {_id: 5}]).insertedIds
//> { '0': 1, '1': 2, '2': 3, '3': 4, '4': 5 }
// One that is past its 60 seconds, by the engine's clock, is aborted; what it held is free.
start(1, 1, {update: "herbs", updates: [{q: {_id: 1}, u: {$set: {a: 1}}}]}).nModified
//> 1
clock.advance("59s")
within(1, 1, {find: "herbs", filter: {_id: 1}}).cursor.firstBatch
//> [ { _id: 1, a: 1 } ]
clock.advance("1s")
db.herbs.updateOne({_id: 1}, {$set: {b: 1}}).modifiedCount
//> 1
within(1, 1, find)
//> [
//>   'NoSuchTransaction',
//>   'Transaction with { txnNumber: 1 } has been aborted. (It was open for longer than transactionLifetimeLimitSeconds.)',
//>   'TransientTransactionError'
//> ]
commit(1, 1)
//> [
//>   'NoSuchTransaction',
//>   'Transaction with { txnNumber: 1 } has been aborted. (It was open for longer than transactionLifetimeLimitSeconds.)',
//>   'TransientTransactionError'
//> ]
// How long it may be open is what the parameter says at its beginning.
db.adminCommand({setParameter: 1, transactionLifetimeLimitSeconds: 5}).was
//> 60
start(1, 20, {find: "herbs", limit: 1}).ok
//> 1
db.adminCommand({setParameter: 1, transactionLifetimeLimitSeconds: 60}).was
//> 5
clock.advance("5s")
commit(1, 20)[0]
//> NoSuchTransaction
// Cursors: of the transaction that opened them, and of it alone.
const first = start(1, 22, find).cursor
const outer = db.runCommand(find).cursor
first.firstBatch
//> [ { _id: 1, b: 1 }, { _id: 2 } ]
db.herbs.deleteOne({_id: 4}).deletedCount
//> 1
told(() => db.runCommand({...more(first.id), lsid: lsid(1)}))
//> [
//>   'Location50740',
//>   'Cannot run getMore on cursor <*>, which was created in transaction 22, without a txnNumber'
//> ]
told(() => db.runCommand({...more(first.id), lsid: lsid(2)}))
//> [
//>   'Location50738',
//>   'Cannot run getMore on cursor <*>, which was created in session 00000000-0000-4000-8000-000000000001 - 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= -  - , in session 00000000-0000-4000-8000-000000000002 - 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= -  - '
//> ]
told(() => db.runCommand(more(first.id)))
//> [
//>   'Location50737',
//>   'Cannot run getMore on cursor <*>, which was created in session 00000000-0000-4000-8000-000000000001 - 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= -  - , without an lsid'
//> ]
within(1, 22, {...more(first.id), batchSize: 1}).cursor.nextBatch
//> [ { _id: 3 } ]
start(2, 2, {find: "herbs", limit: 1}).ok
//> 1
within(2, 2, more(first.id))
//> [
//>   'Location50738',
//>   'Cannot run getMore on cursor <*>, which was created in session 00000000-0000-4000-8000-000000000001 - 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= -  - , in session 00000000-0000-4000-8000-000000000002 - 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= -  - '
//> ]
within(1, 22, {insert: "herbs", documents: [{_id: 9}]}).n
//> 1
// It goes on over what was there when it was opened.
within(1, 22, more(first.id)).cursor.nextBatch
//> [ { _id: 4 }, { _id: 5 } ]
within(1, 22, more(outer.id))
//> [
//>   'Location50739',
//>   'Cannot run getMore on cursor <*>, which was not created in a transaction, in transaction 22'
//> ]
// That ended the transaction. A cursor ends with its own.
const second = start(1, 23, find).cursor
const third = within(1, 23, find).cursor
within(1, 23, {killCursors: "herbs", cursors: [Long(third.id)]}).cursorsKilled.length
//> 1
commit(1, 23).ok
//> 1
told(() => db.runCommand({...more(second.id), lsid: lsid(1)}))
//> [ 'CursorNotFound', 'cursor id <*> not found' ]
db.runCommand(more(outer.id)).cursor.nextBatch
//> [ { _id: 3 }, { _id: 4 }, { _id: 5 } ]
// Sessions that end take their transactions with them.
start(1, 24, {insert: "herbs", documents: [{_id: 11}]}).n
//> 1
db.runCommand({endSessions: [lsid(1)]}).ok
//> 1
[commit(1, 24), db.herbs.countDocuments({_id: 11})]
//> [
//>   [
//>     'NoSuchTransaction',
//>     'Transaction with { txnNumber: 24 } has been aborted.',
//>     'TransientTransactionError'
//>   ],
//>   0
//> ]
start(1, 25, {insert: "herbs", documents: [{_id: 11}]}).n
//> 1
start(2, 5, {insert: "herbs", documents: [{_id: 12}]}).n
//> 1
db.runCommand({killSessions: [lsid(1)]}).ok
//> 1
[commit(1, 25)[0], commit(2, 5).ok]
//> [ 'NoSuchTransaction', 1 ]
// A session that nobody used for half an hour takes its transaction with it, however long that may be open.
db.idle.insertOne({_id: 1}).insertedId
//> 1
db.adminCommand({setParameter: 1, transactionLifetimeLimitSeconds: 7200}).was
//> 60
start(3, 1, {update: "idle", updates: [{q: {_id: 1}, u: {$set: {a: 1}}}]}).nModified
//> 1
clock.advance(300001); db.runCommand({ping: 1}).ok
//> 1
clock.advance(1800001); told(() => db.idle.updateOne({_id: 1}, {$set: {b: 1}}).modifiedCount)
//> 1
commit(3, 1)
//> [
//>   'NoSuchTransaction',
//>   'Transaction with { txnNumber: 1 } has been aborted.',
//>   'TransientTransactionError'
//> ]
db.adminCommand({setParameter: 1, transactionLifetimeLimitSeconds: 60}).was
//> 7200
// Too large: the whole transaction ends.
const large = "x".repeat(2 ** 23)
const insert = (id) => ({insert: "large", documents: [{_id: id, large}]})
start(1, 26, insert(0)).n
//> 1
const results = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => within(1, 26, insert(id)))
results.find(Array.isArray)
//> [
//>   'TransactionTooLarge',
//>   'transaction is too large: its changes take more than 64 MiB'
//> ]
[commit(1, 26)[0], db.large.countDocuments()]
//> [ 'NoSuchTransaction', 0 ]
// Many commands are not too large where their documents are not.
const text = "x".repeat(300)
start(1, 27, {insert: "many", documents: [{_id: 0, text}]}).n
//> 1
for (let id = 1; id < 800; id += 1) within(1, 27, {insert: "many", documents: [{_id: id, text}]})
[commit(1, 27).ok, db.many.countDocuments()]
// A command of it can be observed; the fields stand outside or inside.
const observed = start(1, 30, {quireObserve: 1, command: {update: "herbs", updates: [{q: {_id: 2}, u: {$set: {seen: true}}}]}})
;[observed.reply.nModified, observed.observed.documentsUpdated ?? observed.observed.pagesWritten > 0, db.herbs.findOne({_id: 2})]
//> [ 1, 1, { _id: 2 } ]
end(1, 30, "quireObserve", {command: {commitTransaction: 1}}).reply.ok
//> 1
db.herbs.findOne({_id: 2})
//> { _id: 2, seen: true }
