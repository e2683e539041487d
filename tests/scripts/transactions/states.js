// Transactions at the level of commands: their beginning, their end, and each number that is too old, unknown or ended. Manual: core/transactions, reference/command/commitTransaction
const lsid = (n) => ({id: UUID("00000000-0000-4000-8000-00000000000" + n)})
const tell = (e) => [e.codeName, e.message, ...(e.errorResponse?.errorLabels ?? [])]
const told = (run) => { try { return run() } catch (e) { return tell(e) } }
const within = (session, number, command, more) => told(() => db.runCommand({...command, lsid: lsid(session), txnNumber: Long(number), autocommit: false, ...more}))
const start = (session, number, command, more) => within(session, number, command, {startTransaction: true, ...more})
const end = (session, number, name, more) => told(() => db.adminCommand({[name]: 1, lsid: lsid(session), txnNumber: Long(number), autocommit: false, ...more}))
const commit = (session, number, more) => end(session, number, "commitTransaction", more)
const abort = (session, number) => end(session, number, "abortTransaction")
const find = {find: "herbs", sort: {_id: 1}}
const docs = (reply) => reply.cursor ? reply.cursor.firstBatch : reply
db.herbs.insertMany([{_id: 1, stock: 3}, {_id: 2, stock: 5}]).insertedIds
//> { '0': 1, '1': 2 }
// Own writes are seen, and nobody outside sees them.
docs(start(1, 1, find))
//> [ { _id: 1, stock: 3 }, { _id: 2, stock: 5 } ]
within(1, 1, {update: "herbs", updates: [{q: {_id: 1}, u: {$inc: {stock: -1}}}]})
//> { n: 1, nModified: 1, ok: 1 }
within(1, 1, {insert: "herbs", documents: [{_id: 3, stock: 8}]}).n
//> 1
within(1, 1, {delete: "herbs", deletes: [{q: {_id: 2}, limit: 1}]}).n
//> 1
docs(within(1, 1, find))
//> [ { _id: 1, stock: 2 }, { _id: 3, stock: 8 } ]
db.herbs.find().toArray()
//> [ { _id: 1, stock: 3 }, { _id: 2, stock: 5 } ]
within(1, 1, {aggregate: "herbs", pipeline: [{$group: {_id: null, stock: {$sum: "$stock"}}}], cursor: {}}).cursor.firstBatch
//> [ { _id: null, stock: 10 } ]
within(1, 1, {distinct: "herbs", key: "stock"}).values
//> [ 2, 8 ]
within(1, 1, {findAndModify: "herbs", query: {_id: 3}, update: {$set: {stock: 9}}, new: true}).value
//> { _id: 3, stock: 9 }
commit(1, 1).ok
//> 1
db.herbs.find().sort({_id: 1}).toArray()
//> [ { _id: 1, stock: 2 }, { _id: 3, stock: 9 } ]
db.herbs.validate().valid
//> true
// Asked for again, a commit is as it was; anything else is too late.
commit(1, 1, {writeConcern: {w: "majority"}}).ok
//> 1
within(1, 1, find)
//> [
//>   'TransactionCommitted',
//>   'Transaction with { txnNumber: 1 } has been committed.'
//> ]
abort(1, 1)
//> [
//>   'TransactionCommitted',
//>   'Transaction with { txnNumber: 1 } has been committed.'
//> ]
start(1, 1, find)
//> [
//>   'ConflictingOperationInProgress',
//>   'Only servers in a sharded cluster can start a new transaction at the active transaction number'
//> ]
// What others commit after its beginning is not seen.
docs(start(1, 2, find)).length
//> 2
db.herbs.insertOne({_id: 4, stock: 1}).insertedId
//> 4
docs(within(1, 2, find)).length
//> 2
docs(within(1, 2, {find: "herbs", filter: {_id: 4}}))
//> []
abort(1, 2).ok
//> 1
abort(1, 2)
//> [
//>   'NoSuchTransaction',
//>   'Transaction with { txnNumber: 2 } has been aborted.',
//>   'TransientTransactionError'
//> ]
commit(1, 2)
//> [
//>   'NoSuchTransaction',
//>   'Transaction with { txnNumber: 2 } has been aborted.',
//>   'TransientTransactionError'
//> ]
within(1, 2, find)
//> [
//>   'NoSuchTransaction',
//>   'Transaction with { txnNumber: 2 } has been aborted.',
//>   'TransientTransactionError'
//> ]
// Undone, nothing of it is left.
start(1, 3, {insert: "herbs", documents: [{_id: 5}]}).n
//> 1
abort(1, 3).ok
//> 1
db.herbs.countDocuments({_id: 5})
//> 0
// Numbers: one that is unknown, one that is too old, one that is in progress.
within(2, 1, find)
//> [
//>   'NoSuchTransaction',
//>   'Given transaction number 1 does not match any in-progress transactions. The active transaction number is -1',
//>   'TransientTransactionError'
//> ]
commit(2, 1)
//> [
//>   'NoSuchTransaction',
//>   'Given transaction number 1 does not match any in-progress transactions. The active transaction number is -1',
//>   'TransientTransactionError'
//> ]
start(1, 2, find)
//> [
//>   'TransactionTooOld',
//>   'Cannot start transaction with { txnNumber: 2 } on session 00000000-0000-4000-8000-000000000001 - 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= -  -  because a newer transaction with txnNumberAndRetryCounter { txnNumber: 3 } has already started on this session.'
//> ]
docs(start(1, 7, find)).length
//> 3
within(1, 8, find)
//> [
//>   'NoSuchTransaction',
//>   'Given transaction number 8 does not match any in-progress transactions. The active transaction number is 7',
//>   'TransientTransactionError'
//> ]
within(1, 6, find)
//> [
//>   'TransactionTooOld',
//>   'Cannot start transaction with { txnNumber: 6 } on session 00000000-0000-4000-8000-000000000001 - 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= -  -  because a newer transaction with txnNumberAndRetryCounter { txnNumber: 7 } has already started on this session.'
//> ]
start(1, 7, find)
//> [
//>   'ConflictingOperationInProgress',
//>   'Only servers in a sharded cluster can start a new transaction at the active transaction number'
//> ]
docs(within(1, 7, find)).length
//> 3
// A higher number of the session aborts the open one.
start(1, 8, {insert: "herbs", documents: [{_id: 6}]}).n
//> 1
within(1, 7, find)
//> [
//>   'TransactionTooOld',
//>   'Cannot start transaction with { txnNumber: 7 } on session 00000000-0000-4000-8000-000000000001 - 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= -  -  because a newer transaction with txnNumberAndRetryCounter { txnNumber: 8 } has already started on this session.'
//> ]
start(1, 9, find).ok
//> 1
[commit(1, 9).ok, db.herbs.countDocuments({_id: 6})]
//> [ 1, 0 ]
// Collections of several databases, in one commit.
const other = db.getSiblingDB("other")
start(3, 1, {insert: "herbs", documents: [{_id: 10}]}).n
//> 1
other.runCommand({insert: "teas", documents: [{_id: 1}], lsid: lsid(3), txnNumber: Long(1), autocommit: false}).n
//> 1
[other.teas.countDocuments(), db.herbs.countDocuments({_id: 10}), commit(3, 1).ok]
//> [ 0, 0, 1 ]
[other.teas.countDocuments(), db.herbs.countDocuments({_id: 10})]
//> [ 1, 1 ]
// Without the fields of a transaction.
told(() => db.adminCommand({commitTransaction: 1}))
//> [
//>   'CommandFailed',
//>   'commitTransaction must be run within a transaction'
//> ]
told(() => db.runCommand({abortTransaction: 1}))
//> [
//>   'Unauthorized',
//>   'abortTransaction may only be run against the admin database.'
//> ]
