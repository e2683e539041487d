// Events beyond the most bytes of a document, and transactions beyond those of an entry. Manual: reference/operator/aggregation/changeStreamSplitLargeEvent
db.adminCommand({ quireOplog: 1, enabled: true, size: 200 * 1024 * 1024 }).enabled
//> true
db.createCollection('jars', { changeStreamPreAndPostImages: { enabled: true } })
//> { ok: 1 }
let images = { fullDocument: 'required', fullDocumentBeforeChange: 'required' }
let split = db.jars.watch([{ $changeStreamSplitLargeEvent: {} }], images)
let whole = db.jars.watch([], images)
db.jars.insertOne({ _id: 1, label: 'x'.repeat(9 * 1024 * 1024) }).insertedId
//> 1
db.jars.updateOne({ _id: 1 }, { $set: { full: true } }).modifiedCount
//> 1
split.next().splitEvent
let fragments = [split.next(), split.next()]
split.tryNext()
//> null
fragments.map((part) => [part.splitEvent, Object.keys(part)])
//> [
//>   [
//>     { fragment: 1, of: 2 },
//>     [
//>       '_id',
//>       'splitEvent',
//>       'operationType',
//>       'clusterTime',
//>       'wallTime',
//>       'ns',
//>       'documentKey',
//>       'updateDescription',
//>       'fullDocumentBeforeChange'
//>     ]
//>   ],
//>   [ { fragment: 2, of: 2 }, [ '_id', 'splitEvent', 'fullDocument' ] ]
//> ]
fragments[0]._id._data < fragments[1]._id._data
//> true
try { whole.next() } catch (error) { print(error.code, error.codeName) }
//> 10334 BSONObjectTooLarge
try { whole.next() } catch (error) { print(error.code, error.codeName) }
//> 43 CursorNotFound
// A stream goes on behind a fragment, with the stage alone.
let rest = db.jars.watch([{ $changeStreamSplitLargeEvent: {} }], { ...images, resumeAfter: fragments[0]._id })
rest.next().splitEvent
//> { fragment: 2, of: 2 }
rest.tryNext()
//> null
db.jars.watch([{ $changeStreamSplitLargeEvent: {} }], { ...images, resumeAfter: fragments[1]._id }).tryNext()
//> null
try { db.jars.watch([], { ...images, resumeAfter: fragments[0]._id }).tryNext() } catch (error) { print(error.code, error.codeName) }
//> 280 ChangeStreamFatalError
// Of another size the event has no fragments.
try { db.jars.watch([{ $changeStreamSplitLargeEvent: {} }], { resumeAfter: fragments[0]._id }).tryNext() } catch (error) { print(error.code) }
//> 280
// A transaction of several entries is one moment, and a stream goes on within it.
let stream = db.watch([{ $project: { operationType: 1, documentKey: 1, clusterTime: 1, txnNumber: 1 } }])
let session = db.getMongo().startSession()
session.withTransaction(() => { for (let n = 0; n < 14; n++) session.getDatabase('test').shelf.insertOne({ _id: n, label: 'y'.repeat(1024 * 1024) }) })
let events = []
while (stream.hasNext()) events.push(stream.next())
events.map((event) => event.documentKey._id).join()
//> 0,1,2,3,4,5,6,7,8,9,10,11,12,13
new Set(events.map((event) => EJSON.stringify(event.clusterTime))).size
//> 1
new Set(events.map((event) => String(event.txnNumber))).size
//> 1
db.getSiblingDB('local').oplog.rs.find({ 'o.applyOps': { $exists: true } }, { _id: 0, 'o.partialTxn': 1, 'o.count': 1, 'prevOpTime.t': 1 })
//> [
//>   { o: { partialTxn: true }, prevOpTime: { t: Long('-1') } },
//>   { o: { count: Long('15') }, prevOpTime: { t: Long('1') } }
//> ]
let behind = db.watch([{ $project: { documentKey: 1 } }], { resumeAfter: events[10]._id })
let told = []
while (behind.hasNext()) told.push(behind.next().documentKey._id)
told.join()
//> 11,12,13
