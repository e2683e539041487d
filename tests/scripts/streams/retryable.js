// What the oplog has of retryable writes and of documents that are written together, and what change streams tell of them.
// Manual: core/retryable-writes, reference/change-events/insert
const lsid = {id: UUID("00000000-0000-4000-8000-000000000001")}
const write = (number, command) => db.runCommand({...command, lsid, txnNumber: Long(number)})
const log = db.getSiblingDB("local").oplog.rs
const stream = db.watch()
let seen = 0
const entries = () => { const all = log.find({op: {$ne: "n"}}, {ui: 0, ts: 0, t: 0, v: 0, wall: 0, "o.applyOps.ui": 0, "lsid.uid": 0}).skip(seen).toArray(); seen += all.length; return all }
const events = () => { const all = []; for (let e = stream.tryNext(); e; e = stream.tryNext()) all.push(e); return all.map(({operationType, documentKey, lsid, txnNumber}) => ({operationType, documentKey, lsid: lsid?.id, txnNumber})) }
db.createCollection("herbs")
entries().length
//> 1
events().length
//> 0
write(1, {insert: "herbs", documents: [{_id: 1}]}).n
//> 1
entries()
//> [
//>   {
//>     lsid: { id: UUID('00000000-0000-4000-8000-000000000001') },
//>     txnNumber: Long('1'),
//>     op: 'i',
//>     ns: 'test.herbs',
//>     o: { _id: 1 },
//>     o2: { _id: 1 },
//>     stmtId: 0,
//>     prevOpTime: { ts: Timestamp({ t: 0, i: 0 }), t: Long('-1') }
//>   }
//> ]
events()
//> [
//>   {
//>     operationType: 'insert',
//>     documentKey: { _id: 1 },
//>     lsid: undefined,
//>     txnNumber: undefined
//>   }
//> ]
// Several documents at once are one entry, and their events have its time.
write(2, {insert: "herbs", documents: [{_id: 2}, {_id: 3}]}).n
//> 2
entries()
//> [
//>   {
//>     lsid: { id: UUID('00000000-0000-4000-8000-000000000001') },
//>     txnNumber: Long('2'),
//>     op: 'c',
//>     ns: 'admin.$cmd',
//>     o: {
//>       applyOps: [
//>         {
//>           op: 'i',
//>           ns: 'test.herbs',
//>           o: { _id: 2 },
//>           o2: { _id: 2 },
//>           stmtId: 0
//>         },
//>         {
//>           op: 'i',
//>           ns: 'test.herbs',
//>           o: { _id: 3 },
//>           o2: { _id: 3 },
//>           stmtId: 1
//>         }
//>       ]
//>     },
//>     prevOpTime: { ts: Timestamp({ t: 0, i: 0 }), t: Long('-1') },
//>     multiOpType: 1
//>   }
//> ]
events()
//> [
//>   {
//>     operationType: 'insert',
//>     documentKey: { _id: 2 },
//>     lsid: UUID('00000000-0000-4000-8000-000000000001'),
//>     txnNumber: Long('2')
//>   },
//>   {
//>     operationType: 'insert',
//>     documentKey: { _id: 3 },
//>     lsid: UUID('00000000-0000-4000-8000-000000000001'),
//>     txnNumber: Long('2')
//>   }
//> ]
// Not where one of them is refused.
write(3, {insert: "herbs", ordered: false, documents: [{_id: 4}, {_id: 2}, {_id: 5}]}).n
//> 2
entries().map(({op, stmtId, prevOpTime}) => ({op, stmtId, isFirst: prevOpTime.t.equals(Long(-1))}))
//> [
//>   { op: 'i', stmtId: 0, isFirst: true },
//>   { op: 'i', stmtId: 2, isFirst: false }
//> ]
write(4, {update: "herbs", updates: [{q: {_id: 1}, u: {$set: {n: 1}}}, {q: {_id: 99}, u: {$set: {n: 1}}}, {q: {_id: 2}, u: {$set: {n: 1}}}]}).n
//> 2
const updates = entries();
updates.map(({o2, stmtId, txnNumber}) => ({o2, stmtId, txnNumber}))
//> [
//>   { o2: { _id: 1 }, stmtId: 0, txnNumber: Long('4') },
//>   { o2: { _id: 2 }, stmtId: 2, txnNumber: Long('4') }
//> ]
// The second one names the first.
log.findOne({ts: updates[1].prevOpTime.ts}).o2
//> { _id: 1 }
events().length
//> 4
write(5, {delete: "herbs", deletes: [{q: {_id: 3}, limit: 1}]}).n
//> 1
entries()
//> [
//>   {
//>     lsid: { id: UUID('00000000-0000-4000-8000-000000000001') },
//>     txnNumber: Long('5'),
//>     op: 'd',
//>     ns: 'test.herbs',
//>     o: { _id: 3 },
//>     stmtId: 0,
//>     prevOpTime: { ts: Timestamp({ t: 0, i: 0 }), t: Long('-1') }
//>   }
//> ]
// Which image the reply of a `findAndModify` has.
write(6, {findAndModify: "herbs", query: {_id: 1}, update: {$set: {n: 2}}, new: true}).value
//> { _id: 1, n: 2 }
write(7, {findAndModify: "herbs", query: {_id: 1}, update: {$set: {n: 3}}}).value
//> { _id: 1, n: 2 }
write(8, {findAndModify: "herbs", query: {_id: 7}, update: {$set: {n: 3}}, upsert: true}).value
//> null
write(9, {findAndModify: "herbs", query: {_id: 7}, remove: true}).value
//> { _id: 7, n: 3 }
entries().map(({op, stmtId, needsRetryImage}) => ({op, stmtId, needsRetryImage}))
//> [
//>   { op: 'u', stmtId: 0, needsRetryImage: 'postImage' },
//>   { op: 'u', stmtId: 0, needsRetryImage: 'preImage' },
//>   { op: 'i', stmtId: 0, needsRetryImage: undefined },
//>   { op: 'd', stmtId: 0, needsRetryImage: 'preImage' }
//> ]
// A statement that was done is not done again.
write(9, {findAndModify: "herbs", query: {_id: 7}, remove: true}).retriedStmtId
//> 0
entries()
//> []
db.adminCommand({bulkWrite: 1, ops: [{insert: 0, document: {_id: 8}}, {update: 0, filter: {_id: 8}, updateMods: {$set: {n: 4}}}, {delete: 0, filter: {_id: 8}}], nsInfo: [{ns: "test.herbs"}], lsid, txnNumber: Long(10)}).ok
//> 1
entries().map(({op, stmtId, txnNumber}) => ({op, stmtId, txnNumber}))
//> [
//>   { op: 'i', stmtId: 0, txnNumber: Long('10') },
//>   { op: 'u', stmtId: 1, txnNumber: Long('10') },
//>   { op: 'd', stmtId: 2, txnNumber: Long('10') }
//> ]
// A capped collection takes documents one by one. Those that make room in it are of no statement.
db.createCollection("last", {capped: true, size: 4096, max: 2})
write(11, {insert: "last", documents: [{_id: 1}, {_id: 2}, {_id: 3}]}).n
//> 3
entries().slice(1).map(({op, stmtId}) => ({op, stmtId}))
//> [
//>   { op: 'i', stmtId: 0 },
//>   { op: 'i', stmtId: 1 },
//>   { op: 'i', stmtId: 2 },
//>   { op: 'd', stmtId: undefined }
//> ]
events().length
//> 12
// Without a number: one entry of no session. So is a sweep of deletes, ten at a time.
db.runCommand({insert: "teas", documents: Array.from({length: 12}, (_, i) => ({_id: i}))}).n
//> 12
db.teas.updateMany({}, {$set: {n: 1}}).modifiedCount
//> 12
db.teas.deleteMany({}).deletedCount
//> 12
entries().filter(({op}) => op === "c").map(({ns, o, lsid}) => [ns, o.applyOps?.length, lsid])
//> [
//>   [ 'test.$cmd', undefined, undefined ],
//>   [ 'admin.$cmd', 12, undefined ],
//>   [ 'admin.$cmd', 10, undefined ],
//>   [ 'admin.$cmd', 2, undefined ]
//> ]
const told = events();
[told.length, told[0], told[12], told[24]]
//> [
//>   36,
//>   {
//>     operationType: 'insert',
//>     documentKey: { _id: 0 },
//>     lsid: undefined,
//>     txnNumber: undefined
//>   },
//>   {
//>     operationType: 'update',
//>     documentKey: { _id: 0 },
//>     lsid: undefined,
//>     txnNumber: undefined
//>   },
//>   {
//>     operationType: 'delete',
//>     documentKey: { _id: 0 },
//>     lsid: undefined,
//>     txnNumber: undefined
//>   }
//> ]
// A batch has five hundred documents at most, or those that reach 256 KiB.
db.runCommand({insert: "teas", documents: Array.from({length: 501}, (_, i) => ({_id: i}))}).n
//> 501
db.runCommand({insert: "teas", documents: Array.from({length: 3}, (_, i) => ({_id: 1000 + i, text: "x".repeat(140000)}))}).n
//> 3
entries().map(({o}) => o.applyOps?.length ?? {one: o._id})
//> [ 500, { one: 500 }, 2, { one: 1002 } ]
// A stream goes on behind any of them.
const whole = db.teas.watch([], {startAtOperationTime: log.find({"o.applyOps": {$size: 500}}).sort({$natural: -1}).next().ts})
const first = [whole.tryNext(), whole.tryNext(), whole.tryNext()];
first.map((e) => e.documentKey._id)
//> [ 0, 1, 2 ]
first[0].clusterTime.i === first[2].clusterTime.i
//> true
const resumed = db.teas.watch([], {resumeAfter: first[1]._id});
[resumed.tryNext().documentKey._id, resumed.tryNext().documentKey._id]
//> [ 2, 3 ]
