// Conflicts of transactions: the first writer of a document or of a unique key wins, at the write. Manual: core/transactions-production-consideration, core/transactions
const lsid = (n) => ({id: UUID("00000000-0000-4000-8000-00000000000" + n)})
const tell = (e) => [e.codeName, e.message, ...(e.errorResponse?.errorLabels ?? [])]
const told = (run) => { try { return run() } catch (e) { return tell(e) } }
const within = (session, number, command, more) => told(() => db.runCommand({...command, lsid: lsid(session), txnNumber: Long(number), autocommit: false, ...more}))
const start = (session, number, command, more) => within(session, number, command, {startTransaction: true, ...more})
const end = (session, number, name, more) => told(() => db.adminCommand({[name]: 1, lsid: lsid(session), txnNumber: Long(number), autocommit: false, ...more}))
const commit = (session, number, more) => end(session, number, "commitTransaction", more)
const abort = (session, number) => end(session, number, "abortTransaction")
const set = (id, stock) => ({update: "herbs", updates: [{q: {_id: id}, u: {$set: {stock}}}]})
const add = (...documents) => ({insert: "herbs", documents})
const remove = (id) => ({delete: "herbs", deletes: [{q: {_id: id}, limit: 1}]})
const outside = (command) => told(() => { const {n, nModified, writeErrors} = db.runCommand(command); return writeErrors ? {n, writeErrors} : {n, nModified} })
const stock = (id) => db.herbs.findOne({_id: id})?.stock
db.herbs.createIndex({code: 1}, {unique: true, sparse: true})
//> code_1
db.herbs.insertMany([{_id: 1, stock: 3, code: "a"}, {_id: 2, stock: 3}, {_id: 3, stock: 3}]).insertedIds
//> { '0': 1, '1': 2, '2': 3 }
// Two that change one document: the second is aborted at its write.
start(1, 1, set(1, 4)).nModified
//> 1
start(2, 1, set(2, 5)).nModified
//> 1
within(2, 1, set(1, 9))
//> [
//>   'WriteConflict',
//>   'Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or multi-document transaction. (held by the open transaction { txnNumber: 1 } of session 00000000-0000-4000-8000-000000000001: write in that session, commit or abort it, or end all open ones with db.adminCommand({ killAllSessions: [] }); its time limit ends it too)',
//>   'TransientTransactionError'
//> ]
within(2, 1, set(3, 9))
//> [
//>   'NoSuchTransaction',
//>   'Transaction with { txnNumber: 1 } has been aborted.',
//>   'TransientTransactionError'
//> ]
commit(2, 1)
//> [
//>   'NoSuchTransaction',
//>   'Transaction with { txnNumber: 1 } has been aborted.',
//>   'TransientTransactionError'
//> ]
[commit(1, 1).ok, stock(1), stock(2)]
//> [ 1, 4, 3 ]
// A document that was changed since the beginning.
start(1, 2, {find: "herbs", filter: {_id: 3}}).cursor.firstBatch
//> [ { _id: 3, stock: 3 } ]
outside(set(3, 7))
//> { n: 1, nModified: 1 }
within(1, 2, set(3, 8))
//> [
//>   'WriteConflict',
//>   'Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or multi-document transaction. (written outside of this transaction after it began)',
//>   'TransientTransactionError'
//> ]
start(1, 3, {find: "herbs", filter: {_id: 3}}).cursor.firstBatch
//> [ { _id: 3, stock: 7 } ]
outside(remove(3))
//> { n: 1, nModified: undefined }
within(1, 3, remove(3))
//> [
//>   'WriteConflict',
//>   'Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or multi-document transaction. (written outside of this transaction after it began)',
//>   'TransientTransactionError'
//> ]
// Outside of transactions a held document is a conflict at once; the other statements are done.
start(1, 4, set(1, 6)).nModified
//> 1
outside(set(1, 7))
//> {
//>   n: 0,
//>   writeErrors: [
//>     {
//>       index: 0,
//>       code: 112,
//>       errmsg: 'Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or multi-document transaction. (held by the open transaction { txnNumber: 4 } of session 00000000-0000-4000-8000-000000000001: write in that session, commit or abort it, or end all open ones with db.adminCommand({ killAllSessions: [] }); its time limit ends it too)'
//>     }
//>   ]
//> }
outside({update: "herbs", updates: [{q: {_id: 2}, u: {$set: {stock: 6}}}, {q: {_id: 1}, u: {$set: {stock: 6}}}]})
//> {
//>   n: 1,
//>   writeErrors: [
//>     {
//>       index: 1,
//>       code: 112,
//>       errmsg: 'Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or multi-document transaction. (held by the open transaction { txnNumber: 4 } of session 00000000-0000-4000-8000-000000000001: write in that session, commit or abort it, or end all open ones with db.adminCommand({ killAllSessions: [] }); its time limit ends it too)'
//>     }
//>   ]
//> }
outside(remove(1))
//> {
//>   n: 0,
//>   writeErrors: [
//>     {
//>       index: 0,
//>       code: 112,
//>       errmsg: 'Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or multi-document transaction. (held by the open transaction { txnNumber: 4 } of session 00000000-0000-4000-8000-000000000001: write in that session, commit or abort it, or end all open ones with db.adminCommand({ killAllSessions: [] }); its time limit ends it too)'
//>     }
//>   ]
//> }
told(() => db.runCommand({findAndModify: "herbs", query: {_id: 1}, update: {$inc: {stock: 1}}}))
//> [
//>   'WriteConflict',
//>   'Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or multi-document transaction. (held by the open transaction { txnNumber: 4 } of session 00000000-0000-4000-8000-000000000001: write in that session, commit or abort it, or end all open ones with db.adminCommand({ killAllSessions: [] }); its time limit ends it too)'
//> ]
told(() => db.herbs.deleteMany({}))
//> [
//>   undefined,
//>   'Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or multi-document transaction. (held by the open transaction { txnNumber: 4 } of session 00000000-0000-4000-8000-000000000001: write in that session, commit or abort it, or end all open ones with db.adminCommand({ killAllSessions: [] }); its time limit ends it too)'
//> ]
outside(add({_id: 1}))
//> {
//>   n: 0,
//>   writeErrors: [
//>     {
//>       index: 0,
//>       code: 11000,
//>       keyPattern: { _id: 1 },
//>       keyValue: { _id: 1 },
//>       errmsg: 'E11000 duplicate key error collection: test.herbs index: _id_ dup key: { _id: 1 }'
//>     }
//>   ]
//> }
abort(1, 4).ok
//> 1
outside(set(1, 7))
//> { n: 1, nModified: 1 }
// Unique keys: of an open transaction, of one that was committed since, and of one that was there before.
start(1, 5, add({_id: 20, code: "b"})).n
//> 1
start(2, 5, add({_id: 21, code: "b"}))
//> [
//>   'WriteConflict',
//>   'Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or multi-document transaction. (held by the open transaction { txnNumber: 5 } of session 00000000-0000-4000-8000-000000000001: write in that session, commit or abort it, or end all open ones with db.adminCommand({ killAllSessions: [] }); its time limit ends it too)',
//>   'TransientTransactionError'
//> ]
start(2, 6, add({_id: 20}))
//> [
//>   'WriteConflict',
//>   'Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or multi-document transaction. (held by the open transaction { txnNumber: 5 } of session 00000000-0000-4000-8000-000000000001: write in that session, commit or abort it, or end all open ones with db.adminCommand({ killAllSessions: [] }); its time limit ends it too)',
//>   'TransientTransactionError'
//> ]
outside(add({_id: 22, code: "b"}))
//> {
//>   n: 0,
//>   writeErrors: [
//>     {
//>       index: 0,
//>       code: 112,
//>       errmsg: 'Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or multi-document transaction. (held by the open transaction { txnNumber: 5 } of session 00000000-0000-4000-8000-000000000001: write in that session, commit or abort it, or end all open ones with db.adminCommand({ killAllSessions: [] }); its time limit ends it too)'
//>     }
//>   ]
//> }
outside(add({_id: 20}))
//> {
//>   n: 0,
//>   writeErrors: [
//>     {
//>       index: 0,
//>       code: 112,
//>       errmsg: 'Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or multi-document transaction. (held by the open transaction { txnNumber: 5 } of session 00000000-0000-4000-8000-000000000001: write in that session, commit or abort it, or end all open ones with db.adminCommand({ killAllSessions: [] }); its time limit ends it too)'
//>     }
//>   ]
//> }
outside({insert: "herbs", ordered: false, documents: [{_id: 30}, {_id: 20}, {_id: 31, code: "b"}, {_id: 32, code: "c"}]})
//> {
//>   n: 2,
//>   writeErrors: [
//>     {
//>       index: 1,
//>       code: 112,
//>       errmsg: 'Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or multi-document transaction. (held by the open transaction { txnNumber: 5 } of session 00000000-0000-4000-8000-000000000001: write in that session, commit or abort it, or end all open ones with db.adminCommand({ killAllSessions: [] }); its time limit ends it too)'
//>     },
//>     {
//>       index: 2,
//>       code: 112,
//>       errmsg: 'Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or multi-document transaction. (held by the open transaction { txnNumber: 5 } of session 00000000-0000-4000-8000-000000000001: write in that session, commit or abort it, or end all open ones with db.adminCommand({ killAllSessions: [] }); its time limit ends it too)'
//>     }
//>   ]
//> }
start(2, 7, {find: "herbs", limit: 1, projection: {_id: 1}}).ok
//> 1
commit(1, 5).ok
//> 1
within(2, 7, {update: "herbs", updates: [{q: {_id: 2}, u: {$set: {code: "b"}}}]})
//> [
//>   'WriteConflict',
//>   'Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or multi-document transaction. (written outside of this transaction after it began)',
//>   'TransientTransactionError'
//> ]
start(2, 8, {update: "herbs", updates: [{q: {_id: 2}, u: {$set: {code: "b"}}}]})
//> {
//>   n: 0,
//>   nModified: 0,
//>   writeErrors: [
//>     {
//>       index: 0,
//>       code: 11000,
//>       keyPattern: { code: 1 },
//>       keyValue: { code: 'b' },
//>       errmsg: 'Plan executor error during update :: caused by :: E11000 duplicate key error collection: test.herbs index: code_1 dup key: { code: "b" }'
//>     }
//>   ],
//>   ok: 1
//> }
// The refused statement ended it, as any does.
commit(2, 8)
//> [
//>   'NoSuchTransaction',
//>   'Transaction with { txnNumber: 8 } has been aborted.',
//>   'TransientTransactionError'
//> ]
// A key that the transaction itself gave up is its own.
start(1, 9, remove(20)).n
//> 1
within(1, 9, add({_id: 20, code: "b", stock: 1})).n
//> 1
within(1, 9, {update: "herbs", updates: [{q: {_id: 20}, u: {$set: {code: "x"}}}, {q: {_id: 2}, u: {$set: {code: "b"}}}]}).nModified
//> 2
[commit(1, 9).ok, db.herbs.find({code: {$in: ["b", "x"]}}).sort({_id: 1}).toArray()]
//> [
//>   1,
//>   [ { _id: 2, stock: 6, code: 'b' }, { _id: 20, code: 'x', stock: 1 } ]
//> ]
db.herbs.validate().valid
//> true
// Statements behind the refused one are not done, in whatever order they may be.
start(1, 10, {insert: "herbs", ordered: false, documents: [{_id: 40}, {_id: 1}, {_id: 41}]})
//> {
//>   n: 1,
//>   writeErrors: [
//>     {
//>       index: 1,
//>       code: 11000,
//>       keyPattern: { _id: 1 },
//>       keyValue: { _id: 1 },
//>       errmsg: 'E11000 duplicate key error collection: test.herbs index: _id_ dup key: { _id: 1 }'
//>     }
//>   ],
//>   ok: 1
//> }
[commit(1, 10), db.herbs.countDocuments({_id: {$gte: 40}})]
//> [
//>   [
//>     'NoSuchTransaction',
//>     'Transaction with { txnNumber: 10 } has been aborted.',
//>     'TransientTransactionError'
//>   ],
//>   0
//> ]
// Reading a document is no claim on it: two transactions may each change what the other has read.
const sum = {find: "herbs", filter: {_id: {$in: [1, 2]}}, projection: {stock: 1}}
;[start(1, 11, sum).cursor.firstBatch.length, start(2, 11, sum).cursor.firstBatch.length]
//> [ 2, 2 ]
[within(1, 11, set(1, 0)).n, within(2, 11, set(2, 0)).n, commit(1, 11).ok, commit(2, 11).ok]
//> [ 1, 1, 1, 1 ]
[stock(1), stock(2)]
//> [ 0, 0 ]
// Documents that a transaction holds are not deleted for their age.
db.logs.createIndex({at: 1}, {expireAfterSeconds: 10})
//> at_1
db.logs.insertMany([{_id: 1, at: new Date("2026-01-01T00:00:00Z")}, {_id: 2, at: new Date("2026-01-01T00:00:00Z")}]).insertedIds
//> { '0': 1, '1': 2 }
db.logs.countDocuments()
//> 2
start(1, 12, {update: "logs", updates: [{q: {_id: 1}, u: {$set: {at: null}}}]}).nModified
//> 1
clock.advance(59000)
clock.advance(500)
db.logs.find().toArray()
//> [
//>   { _id: 1, at: ISODate('2026-01-01T00:00:00.000Z') },
//>   { _id: 2, at: ISODate('2026-01-01T00:00:00.000Z') }
//> ]
commit(1, 12).ok
//> 1
db.logs.find().toArray()
//> [
//>   { _id: 1, at: null },
//>   { _id: 2, at: ISODate('2026-01-01T00:00:00.000Z') }
//> ]
// Whom the message blames can be ended by anybody.
start(1, 90, set(2, 1)).nModified
//> 1
outside(set(2, 2)).writeErrors[0].errmsg.includes("open transaction { txnNumber: 90 } of session 00000000-0000-4000-8000-000000000001")
//> true
db.adminCommand({killAllSessions: []}).ok
//> 1
outside(set(2, 2)).n
//> 1
