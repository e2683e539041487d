// A transaction is one moment of a change stream. Manual: reference/change-events, changeStreams
db.createCollection('herbs', { changeStreamPreAndPostImages: { enabled: true } })
db.herbs.insertOne({ _id: 1, n: 1, list: [1] })
db.createCollection('log')
let options = { fullDocumentBeforeChange: 'whenAvailable', fullDocument: 'whenAvailable' }
let opened = db.runCommand({ aggregate: 1, pipeline: [{ $changeStream: options }], cursor: {} })
let lsid = { id: UUID('6e3a1a0e-5f5c-4a53-8f0e-3f7d3b2f9a11') }
let inside = (command, first = false) => db.runCommand({ ...command, lsid, txnNumber: Long(1), autocommit: false, ...(first ? { startTransaction: true } : {}) })
inside({ insert: 'log', documents: [{ _id: 1 }, { _id: 2 }] }, true).ok
//> 1
inside({ update: 'herbs', updates: [{ q: {}, u: { $inc: { n: 1 }, $push: { list: 2 } } }] }).ok
//> 1
inside({ update: 'herbs', updates: [{ q: {}, u: { n: 7 } }] }).ok
//> 1
inside({ delete: 'log', deletes: [{ q: { _id: 2 }, limit: 1 }] }).ok
//> 1
let more = () => db.runCommand({ getMore: opened.cursor.id, collection: '$cmd.aggregate', maxTimeMS: 1 }).cursor.nextBatch
more()
//> []
db.adminCommand({ commitTransaction: 1, lsid, txnNumber: Long(1), autocommit: false }).ok
//> 1
let events = more()
events.map(({ _id, clusterTime, wallTime, ...event }) => event)
//> [
//>   {
//>     txnNumber: Long('1'),
//>     lsid: {
//>       id: UUID('<*>'),
//>       uid: Binary.createFromBase64('47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=', 0)
//>     },
//>     operationType: 'insert',
//>     fullDocument: { _id: 1 },
//>     ns: { db: 'test', coll: 'log' },
//>     documentKey: { _id: 1 }
//>   },
//>   {
//>     txnNumber: Long('1'),
//>     lsid: {
//>       id: UUID('<*>'),
//>       uid: Binary.createFromBase64('47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=', 0)
//>     },
//>     operationType: 'insert',
//>     fullDocument: { _id: 2 },
//>     ns: { db: 'test', coll: 'log' },
//>     documentKey: { _id: 2 }
//>   },
//>   {
//>     txnNumber: Long('1'),
//>     lsid: {
//>       id: UUID('<*>'),
//>       uid: Binary.createFromBase64('47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=', 0)
//>     },
//>     operationType: 'update',
//>     ns: { db: 'test', coll: 'herbs' },
//>     documentKey: { _id: 1 },
//>     updateDescription: {
//>       updatedFields: { n: 2, 'list.1': 2 },
//>       removedFields: [],
//>       truncatedArrays: []
//>     },
//>     fullDocumentBeforeChange: { _id: 1, n: 1, list: [ 1 ] },
//>     fullDocument: { _id: 1, n: 2, list: [ 1, 2 ] }
//>   },
//>   {
//>     txnNumber: Long('1'),
//>     lsid: {
//>       id: UUID('<*>'),
//>       uid: Binary.createFromBase64('47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=', 0)
//>     },
//>     operationType: 'replace',
//>     fullDocument: { _id: 1, n: 7 },
//>     ns: { db: 'test', coll: 'herbs' },
//>     documentKey: { _id: 1 },
//>     fullDocumentBeforeChange: { _id: 1, n: 2, list: [ 1, 2 ] }
//>   },
//>   {
//>     txnNumber: Long('1'),
//>     lsid: {
//>       id: UUID('<*>'),
//>       uid: Binary.createFromBase64('47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=', 0)
//>     },
//>     operationType: 'delete',
//>     ns: { db: 'test', coll: 'log' },
//>     documentKey: { _id: 2 },
//>     fullDocumentBeforeChange: null
//>   }
//> ]
new Set(events.map(event => event.clusterTime.toString())).size
//> 1
events.every((event, at) => at === 0 || event._id._data > events[at - 1]._id._data)
//> true
// A stream may go on in the middle of it.
let rest = db.runCommand({ aggregate: 1, pipeline: [{ $changeStream: { resumeAfter: events[2]._id } }], cursor: {} })
rest.cursor.firstBatch.map(event => event.operationType)
//> [ 'replace', 'delete' ]
let { applyOps } = db.getSiblingDB('local').oplog.rs.findOne({ 'o.applyOps': { $exists: true } }).o
applyOps.map(({ op, ns, o }) => ({ op, ns, o }))
//> [
//>   { op: 'i', ns: 'test.log', o: { _id: 1 } },
//>   { op: 'i', ns: 'test.log', o: { _id: 2 } },
//>   {
//>     op: 'u',
//>     ns: 'test.herbs',
//>     o: { '$v': 2, diff: { u: { n: 2 }, slist: { a: true, u1: 2 } } }
//>   },
//>   { op: 'u', ns: 'test.herbs', o: { _id: 1, n: 7 } },
//>   { op: 'd', ns: 'test.log', o: { _id: 2 } }
//> ]
// What is aborted is told by nothing.
db.runCommand({ insert: 'log', documents: [{ _id: 9 }], lsid, txnNumber: Long(2), autocommit: false, startTransaction: true }).ok
//> 1
db.adminCommand({ abortTransaction: 1, lsid, txnNumber: Long(2), autocommit: false }).ok
//> 1
more()
//> []
db.runCommand({ aggregate: 'log', pipeline: [{ $changeStream: {} }], cursor: {}, lsid, txnNumber: Long(3), autocommit: false, startTransaction: true })
//> MongoServerError[OperationNotSupportedInTransaction]: Operation not permitted in transaction :: caused by :: Aggregation stage $changeStream cannot run within a multi-document transaction
