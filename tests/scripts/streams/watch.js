// watch() in the shell. Manual: reference/method/db.collection.watch, Mongo.watch
let stream = db.herbs.watch()
stream
//> ChangeStreamCursor on test.herbs
stream.tryNext()
//> null
db.herbs.insertOne({ _id: 1, bed: 3 })
db.herbs.insertOne({ _id: 2, bed: 5 })
stream.hasNext()
//> true
let first = stream.tryNext()
first.fullDocument
//> { _id: 1, bed: 3 }
stream.getResumeToken()._data == first._id._data
//> true
stream.next().fullDocument
//> { _id: 2, bed: 5 }
stream.next()
//> null
stream.hasNext()
//> false
let again = db.herbs.watch([{ $match: { 'fullDocument.bed': { $gt: 4 } } }], { resumeAfter: first._id, fullDocument: 'updateLookup' })
again.tryNext().documentKey
//> { _id: 2 }
db.herbs.updateOne({ _id: 2 }, { $inc: { bed: 1 } })
again.tryNext().fullDocument
//> { _id: 2, bed: 6 }
// The options may stand alone.
let expanded = db.watch({ showExpandedEvents: true })
expanded
//> ChangeStreamCursor on test
db.shelf.createIndex({ a: 1 })
expanded.itcount()
//> 2
let all = db.getMongo().watch([{ $project: { ns: 1 } }])
db.getSiblingDB('cellar').jars.insertOne({ _id: 1 })
all.tryNext().ns
//> { db: 'cellar', coll: 'jars' }
stream.isClosed()
//> false
stream.close()
stream.isClosed()
//> true
stream.tryNext()
//> null
db.herbs.drop()
;[again.tryNext(), again.isClosed()]
//> [ null, true ]
all.isExhausted()
//> MongoshInvalidInputError: [COMMON-10001] isExhausted is not implemented for ChangeStreams because after closing a cursor, the remaining documents in the batch are no longer accessible. If you want to see if the cursor is closed use isClosed. If you want to see if there are documents left in the batch, use tryNext.
all.toArray()
//> MongoshUnimplementedError: [COMMON-90002] toArray is not implemented for ChangeStreams: a stream has no end
all.objsLeftInBatch()
//> MongoshUnimplementedError: [COMMON-90002] objsLeftInBatch is not implemented for ChangeStreams
db.herbs.watch([{ $group: { _id: 1 } }])
//> MongoServerError[IllegalOperation]: $group is not permitted in a $changeStream pipeline
db.herbs.watch([], { resumeAfter: 5 })
//> MongoServerError[TypeMismatch]: BSON field '$changeStream.resumeAfter' is the wrong type 'int', expected type 'object'
