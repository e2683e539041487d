// The oplog begins when something asks for it, holds a bounded past, and ends by a command.
db.herbs.insertOne({ _id: 1 })
db.getSiblingDB('local').getCollectionNames()
//> []
db.getSiblingDB('local').oplog.rs.find({}, { _id: 0, op: 1, ns: 1, o: 1, t: 1, v: 1 }).toArray()
//> [
//>   {
//>     op: 'n',
//>     ns: '',
//>     o: { msg: 'initiating set' },
//>     t: Long('1'),
//>     v: Long('2')
//>   }
//> ]
db.herbs.insertOne({ _id: 2, a: 1 })
db.herbs.updateOne({ _id: 2 }, { $set: { a: 2 } })
db.herbs.replaceOne({ _id: 2 }, { b: 1 })
db.herbs.deleteOne({ _id: 2 })
db.herbs.createIndex({ b: 1 })
db.herbs.drop()
db.getSiblingDB('local').oplog.rs.find({ op: { $ne: 'n' } }, { _id: 0, ts: 0, wall: 0, ui: 0 }).toArray()
//> [
//>   {
//>     op: 'i',
//>     ns: 'test.herbs',
//>     o: { _id: 2, a: 1 },
//>     o2: { _id: 2 },
//>     t: Long('1'),
//>     v: Long('2')
//>   },
//>   {
//>     op: 'u',
//>     ns: 'test.herbs',
//>     o: { '$v': 2, diff: { u: { a: 2 } } },
//>     o2: { _id: 2 },
//>     t: Long('1'),
//>     v: Long('2')
//>   },
//>   {
//>     op: 'u',
//>     ns: 'test.herbs',
//>     o: { _id: 2, b: 1 },
//>     o2: { _id: 2 },
//>     t: Long('1'),
//>     v: Long('2')
//>   },
//>   {
//>     op: 'd',
//>     ns: 'test.herbs',
//>     o: { _id: 2 },
//>     t: Long('1'),
//>     v: Long('2')
//>   },
//>   {
//>     op: 'c',
//>     ns: 'test.$cmd',
//>     o: { createIndexes: 'herbs', v: 2, key: { b: 1 }, name: 'b_1' },
//>     t: Long('1'),
//>     v: Long('2')
//>   },
//>   {
//>     op: 'c',
//>     ns: 'test.$cmd',
//>     o: { drop: 'herbs' },
//>     o2: { numRecords: 1 },
//>     t: Long('1'),
//>     v: Long('2')
//>   }
//> ]
// What fails leaves no entry, and a collection that gives way to its limits tells so.
db.createCollection('few', { capped: true, size: 4096, max: 2 })
db.few.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 2 }, { _id: 3 }], { ordered: true })
//> MongoBulkWriteError: E11000 duplicate key error collection: test.few index: _id_ dup key: { _id: 2 }
//> Result: BulkWriteResult {
//>   insertedCount: 2,
//>   matchedCount: 0,
//>   modifiedCount: 0,
//>   deletedCount: 0,
//>   upsertedCount: 0,
//>   upsertedIds: {},
//>   insertedIds: { '0': 1, '1': 2 }
//> }
//> Write Errors: [
//>   WriteError {
//>     err: {
//>       index: 2,
//>       code: 11000,
//>       errmsg: 'E11000 duplicate key error collection: test.few index: _id_ dup key: { _id: 2 }',
//>       errInfo: undefined,
//>       op: { _id: 2 }
//>     }
//>   }
//> ]
db.few.insertOne({ _id: 3 })
db.getSiblingDB('local').oplog.rs.find({ ns: 'test.few' }, { _id: 0, op: 1, o: 1 }).toArray()
//> [
//>   { op: 'i', o: { _id: 1 } },
//>   { op: 'i', o: { _id: 2 } },
//>   { op: 'i', o: { _id: 3 } },
//>   { op: 'd', o: { _id: 1 } }
//> ]
db.notes.createIndex({ at: 1 }, { expireAfterSeconds: 60 })
db.notes.insertOne({ _id: 1, at: new Date() })
clock.advance(200000)
db.getSiblingDB('local').oplog.rs.find({ ns: 'test.notes' }, { _id: 0, op: 1, o: 1, wall: 1 }).toArray()
//> [
//>   {
//>     op: 'i',
//>     o: { _id: 1, at: ISODate('2026-01-01T00:00:00.000Z') },
//>     wall: ISODate('2026-01-01T00:00:00.000Z')
//>   },
//>   { op: 'd', o: { _id: 1 }, wall: ISODate('2026-01-01T00:03:20.000Z') }
//> ]
let told = db.adminCommand({ quireOplog: 1 })
;[told.enabled, told.maxSize, told.count > 10, told.first < told.last]
//> [ true, 16777216, true, true ]
// A smaller one forgets its oldest entries with the next change.
db.adminCommand({ quireOplog: 1, size: 1024 }).maxSize
//> 1024
db.herbs.insertOne({ _id: 7 })
db.getSiblingDB('local').oplog.rs.countDocuments() < 10
//> true
db.runCommand({ aggregate: 'herbs', pipeline: [{ $changeStream: { startAtOperationTime: told.first } }], cursor: {} })
//> MongoServerError[ChangeStreamHistoryLost]: Executor error during aggregate command on namespace: test.herbs :: caused by :: Resume of change stream was not possible, as the resume point may no longer be in the oplog.
db.adminCommand({ quireOplog: 1, enabled: false, size: 5 })
//> MongoServerError[InvalidOptions]: quireOplog takes 'size' only of an oplog that is kept
db.adminCommand({ quireOplog: 1, enabled: false })
//> { enabled: false, ok: 1 }
db.adminCommand({ quireOplog: 1, enabled: true, size: 100000 }).maxSize
//> 100096
// Going back to a moment tells the changes that lead there.
db.herbs.drop()
db.herbs.insertMany([{ _id: 1, a: 1 }, { _id: 2 }])
let moment = db.adminCommand({ quireMoment: 1 }).number
db.herbs.updateOne({ _id: 1 }, { $set: { a: 2 } })
db.herbs.deleteOne({ _id: 2 })
db.herbs.insertOne({ _id: 3 })
db.new.insertOne({ _id: 1 })
let opened = db.runCommand({ aggregate: 1, pipeline: [{ $changeStream: {} }], cursor: {} })
db.adminCommand({ quireRestore: moment }).ok
//> 1
let events = db.runCommand({ getMore: opened.cursor.id, collection: '$cmd.aggregate' }).cursor.nextBatch
events.map(({ operationType, ns, documentKey, fullDocument }) => ({ operationType, ns, documentKey, fullDocument }))
//> [
//>   {
//>     operationType: 'drop',
//>     ns: { db: 'test', coll: 'new' },
//>     documentKey: undefined,
//>     fullDocument: undefined
//>   },
//>   {
//>     operationType: 'replace',
//>     ns: { db: 'test', coll: 'herbs' },
//>     documentKey: { _id: 1 },
//>     fullDocument: { _id: 1, a: 1 }
//>   },
//>   {
//>     operationType: 'insert',
//>     ns: { db: 'test', coll: 'herbs' },
//>     documentKey: { _id: 2 },
//>     fullDocument: { _id: 2 }
//>   },
//>   {
//>     operationType: 'delete',
//>     ns: { db: 'test', coll: 'herbs' },
//>     documentKey: { _id: 3 },
//>     fullDocument: undefined
//>   }
//> ]
