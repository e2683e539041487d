// A stream goes on behind the token or the time of an earlier one. Manual: changeStreams
let run = (options, more = []) =>
  db.runCommand({ aggregate: 'herbs', pipeline: [{ $changeStream: options }, ...more], cursor: {} })
let keys = reply => reply.cursor.firstBatch.map(event => [event.operationType, event.documentKey?._id])
run({}).ok
//> 1
for (const _id of [1, 2, 3]) db.herbs.insertOne({ _id })
let start = db.getSiblingDB('local').oplog.rs.find({ op: 'i' }).toArray()
let from = run({ startAtOperationTime: start[1].ts })
keys(from)
//> [ [ 'insert', 2 ], [ 'insert', 3 ] ]
let [second, third] = from.cursor.firstBatch
second._id._data < third._id._data
//> true
from.cursor.postBatchResumeToken._data == third._id._data
//> true
keys(run({ resumeAfter: second._id }))
//> [ [ 'insert', 3 ] ]
keys(run({ startAfter: second._id }))
//> [ [ 'insert', 3 ] ]
keys(run({ resumeAfter: third._id }))
//> []
keys(run({ resumeAfter: from.cursor.postBatchResumeToken }))
//> []
// The token of a batch without events is of the last entry.
db.other.insertOne({ _id: 1 })
let later = run({ resumeAfter: third._id })
later.cursor.postBatchResumeToken._data.length
//> 34
db.herbs.deleteOne({ _id: 1 })
keys(run({ resumeAfter: later.cursor.postBatchResumeToken }))
//> [ [ 'delete', 1 ] ]
// One that the pipeline left out counts as read.
let some = run({ startAtOperationTime: start[0].ts }, [{ $match: { 'documentKey._id': 2 } }])
keys(some)
//> [ [ 'insert', 2 ] ]
keys(run({ resumeAfter: some.cursor.postBatchResumeToken }))
//> []
db.herbs.drop()
let ended = run({ resumeAfter: later.cursor.postBatchResumeToken })
keys(ended)
//> [ [ 'delete', 1 ], [ 'drop', undefined ], [ 'invalidate', undefined ] ]
ended.cursor.id
//> Long('0')
let invalidated = ended.cursor.firstBatch[2]._id
run({ resumeAfter: invalidated })
//> MongoServerError[InvalidResumeToken]: Attempting to resume a change stream using 'resumeAfter' is not allowed from an invalidate notification
db.herbs.insertOne({ _id: 4 })
keys(run({ startAfter: invalidated }))
//> [ [ 'insert', 4 ] ]
// Behind the drop itself the invalidation is still to come.
keys(run({ resumeAfter: ended.cursor.firstBatch[1]._id }))
//> [ [ 'invalidate', undefined ] ]
run({ resumeAfter: { _data: '82' } })
//> MongoServerError[Overflow]: the resume token ends too early
run({ resumeAfter: { _data: 'xy' } })
//> MongoServerError[FailedToParse]: resume token string was not a valid hex string
run({ resumeAfter: {} })
//> MongoServerError[Location40647]: Bad resume token: _data of missing or of wrong type. Expected string, got {}
run({ resumeAfter: 5 })
//> MongoServerError[TypeMismatch]: BSON field '$changeStream.resumeAfter' is the wrong type 'int', expected type 'object'
run({ resumeAfter: second._id, startAfter: second._id })
//> MongoServerError[Location50865]: Do not specify both 'resumeAfter' and 'startAfter' in a $changeStream stage
run({ resumeAfter: second._id, startAtOperationTime: start[0].ts })
//> MongoServerError[Location40674]: Only one type of resume option is allowed, but multiple were found
run({ startAtOperationTime: Timestamp({ t: 5, i: 1 }) })
//> MongoServerError[ChangeStreamHistoryLost]: Executor error during aggregate command on namespace: test.herbs :: caused by :: Resume of change stream was not possible, as the resume point may no longer be in the oplog.
run({ startAtOperationTime: 5 })
//> MongoServerError[TypeMismatch]: BSON field '$changeStream.startAtOperationTime' is the wrong type 'int', expected type 'timestamp'
run({ startAtOperationTime: Timestamp({ t: 4000000000, i: 1 }) }).cursor.firstBatch
//> []
// A token of an event of another collection is not found in this stream.
db.getSiblingDB('test').runCommand({ aggregate: 'other', pipeline: [{ $changeStream: { resumeAfter: second._id } }], cursor: {} }).code
//> MongoServerError[ChangeStreamFatalError]: Executor error during aggregate command on namespace: test.other :: caused by :: cannot resume stream; the resume token was not found. { _data: "<*>" }
// Where no event is behind it yet, the next one tells.
db.createCollection('still').ok
//> 1
const still = db.runCommand({ aggregate: 'still', pipeline: [{ $changeStream: { resumeAfter: second._id } }], cursor: {} }); still.cursor.firstBatch
//> []
db.still.insertOne({ _id: 1 }).acknowledged
//> true
db.runCommand({ getMore: still.cursor.id, collection: 'still' })
//> MongoServerError[ChangeStreamFatalError]: Executor error during getMore :: caused by :: cannot resume stream; the resume token was not found. { _data: "<*>" }
// Without an oplog any more there is nothing to go on with.
db.adminCommand({ quireOplog: 1, enabled: false })
//> { enabled: false, ok: 1 }
db.runCommand({ getMore: later.cursor.id, collection: 'herbs' })
//> MongoServerError[ChangeStreamHistoryLost]: Executor error during getMore :: caused by :: Resume of change stream was not possible, as the resume point may no longer be in the oplog.
run({ resumeAfter: second._id })
//> MongoServerError[ChangeStreamHistoryLost]: Executor error during aggregate command on namespace: test.herbs :: caused by :: Resume of change stream was not possible, as the resume point may no longer be in the oplog.
