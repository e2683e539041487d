// What a change stream on a collection tells of each change of its documents. Manual: reference/change-events
let opened = db.runCommand({ aggregate: 'herbs', pipeline: [{ $changeStream: {} }], cursor: {} })
opened.cursor
//> {
//>   firstBatch: [],
//>   postBatchResumeToken: { _data: '<*>' },
//>   id: Long('<*>'),
//>   ns: 'test.herbs'
//> }
let events = () => {
  let reply = db.runCommand({ getMore: opened.cursor.id, collection: 'herbs', maxTimeMS: 1 }).cursor
  return (reply.nextBatch ?? reply.firstBatch).map(event => {
    delete event._id
    delete event.clusterTime
    delete event.wallTime
    return event
  })
}
events()
//> []
db.herbs.insertMany([{ _id: 1, name: 'mint' }, { _id: 2, name: 'sage', stock: [1, 2], size: { w: 1, h: 2 } }])
events()
//> [
//>   {
//>     operationType: 'insert',
//>     fullDocument: { _id: 1, name: 'mint' },
//>     ns: { db: 'test', coll: 'herbs' },
//>     documentKey: { _id: 1 }
//>   },
//>   {
//>     operationType: 'insert',
//>     fullDocument: { _id: 2, name: 'sage', stock: [ 1, 2 ], size: { w: 1, h: 2 } },
//>     ns: { db: 'test', coll: 'herbs' },
//>     documentKey: { _id: 2 }
//>   }
//> ]
db.herbs.updateOne({ _id: 2 }, { $set: { 'size.w': 5, 'a.b.c': 1 }, $unset: { name: 1 }, $push: { stock: 3 } })
events()
//> [
//>   {
//>     operationType: 'update',
//>     ns: { db: 'test', coll: 'herbs' },
//>     documentKey: { _id: 2 },
//>     updateDescription: {
//>       updatedFields: { a: { b: { c: 1 } }, 'stock.2': 3, 'size.w': 5 },
//>       removedFields: [ 'name' ],
//>       truncatedArrays: []
//>     }
//>   }
//> ]
db.herbs.updateOne({ _id: 1 }, { $push: { list: { $each: [1, 2, 3] } } })
db.herbs.updateOne({ _id: 1 }, { $addToSet: { list: 4 } })
db.herbs.updateOne({ _id: 1 }, { $pull: { list: 2 } })
db.herbs.updateOne({ _id: 1 }, { $set: { 'list.1': 33, 'list.5': 6 } })
db.herbs.updateOne({ _id: 1 }, { $unset: { 'list.0': 1 } })
events().map(event => event.updateDescription)
//> [
//>   {
//>     updatedFields: { list: [ 1, 2, 3 ] },
//>     removedFields: [],
//>     truncatedArrays: []
//>   },
//>   {
//>     updatedFields: { 'list.3': 4 },
//>     removedFields: [],
//>     truncatedArrays: []
//>   },
//>   {
//>     updatedFields: { list: [ 1, 3, 4 ] },
//>     removedFields: [],
//>     truncatedArrays: []
//>   },
//>   {
//>     updatedFields: { 'list.1': 33, 'list.5': 6 },
//>     removedFields: [],
//>     truncatedArrays: []
//>   },
//>   {
//>     updatedFields: { 'list.0': null },
//>     removedFields: [],
//>     truncatedArrays: []
//>   }
//> ]
db.herbs.updateOne({ _id: 1 }, { $set: { beds: [{ n: 1, at: 'a' }, { n: 2, at: 'b' }, { n: 3, at: 'c' }] } })
db.herbs.updateOne({ _id: 1, 'beds.n': 2 }, { $set: { 'beds.$.at': 'B' } })
db.herbs.updateOne({ _id: 1 }, { $inc: { 'beds.$[].n': 10 } })
db.herbs.updateOne({ _id: 1 }, { $set: { 'beds.$[bed].at': 'C' } }, { arrayFilters: [{ 'bed.n': 13 }] })
db.herbs.updateOne({ _id: 1 }, { $rename: { name: 'label' }, $setOnInsert: { never: 1 } })
events().map(event => event.updateDescription)
//> [
//>   {
//>     updatedFields: {
//>       beds: [ { n: 1, at: 'a' }, { n: 2, at: 'b' }, { n: 3, at: 'c' } ]
//>     },
//>     removedFields: [],
//>     truncatedArrays: []
//>   },
//>   {
//>     updatedFields: { 'beds.1.at': 'B' },
//>     removedFields: [],
//>     truncatedArrays: []
//>   },
//>   {
//>     updatedFields: { 'beds.0.n': 11, 'beds.1.n': 12, 'beds.2.n': 13 },
//>     removedFields: [],
//>     truncatedArrays: []
//>   },
//>   {
//>     updatedFields: { 'beds.2.at': 'C' },
//>     removedFields: [],
//>     truncatedArrays: []
//>   },
//>   {
//>     updatedFields: { label: 'mint' },
//>     removedFields: [ 'name' ],
//>     truncatedArrays: []
//>   }
//> ]
// A change that changes nothing is no event.
db.herbs.updateOne({ _id: 1 }, { $set: { label: 'mint' } })
events()
//> []
// An update by a pipeline is told as what differs, unless the document is told in less.
db.herbs.updateOne({ _id: 1 }, [{ $set: { label: 'm' } }])
let long = 'x'.repeat(200)
db.herbs.insertOne({ _id: 3, long, list: [1, 2, 3, 4, 5, 6], sub: { long, a: 1, b: [{ long, c: 1 }] } })
db.herbs.updateOne({ _id: 3 }, [{ $set: { list: { $slice: ['$list', 4] }, 'sub.a': 2, more: true } }])
db.herbs.updateOne({ _id: 3 }, [{ $set: { 'sub.b': [{ long, c: 2 }, 7] } }, { $unset: 'more' }])
db.herbs.updateOne({ _id: 3 }, [{ $set: { list: [] } }])
events().map(event => event.updateDescription ?? event.operationType)
//> [
//>   {
//>     updatedFields: { label: 'm' },
//>     removedFields: [],
//>     truncatedArrays: []
//>   },
//>   'insert',
//>   {
//>     updatedFields: { more: true, 'sub.a': 2 },
//>     removedFields: [],
//>     truncatedArrays: [ { field: 'list', newSize: 4 } ]
//>   },
//>   {
//>     updatedFields: { 'sub.b.0.c': 2, 'sub.b.1': 7 },
//>     removedFields: [ 'more' ],
//>     truncatedArrays: []
//>   },
//>   {
//>     updatedFields: { list: [] },
//>     removedFields: [],
//>     truncatedArrays: []
//>   }
//> ]
db.herbs.replaceOne({ _id: 1 }, { name: 'thyme' })
db.herbs.findOneAndReplace({ _id: 1 }, { name: 'dill' })
db.herbs.deleteOne({ _id: 2 })
db.herbs.updateOne({ _id: 9 }, { $set: { name: 'new' } }, { upsert: true })
db.herbs.findOneAndDelete({ _id: 9 })
events()
//> [
//>   {
//>     operationType: 'replace',
//>     fullDocument: { _id: 1, name: 'thyme' },
//>     ns: { db: 'test', coll: 'herbs' },
//>     documentKey: { _id: 1 }
//>   },
//>   {
//>     operationType: 'replace',
//>     fullDocument: { _id: 1, name: 'dill' },
//>     ns: { db: 'test', coll: 'herbs' },
//>     documentKey: { _id: 1 }
//>   },
//>   {
//>     operationType: 'delete',
//>     ns: { db: 'test', coll: 'herbs' },
//>     documentKey: { _id: 2 }
//>   },
//>   {
//>     operationType: 'insert',
//>     fullDocument: { _id: 9, name: 'new' },
//>     ns: { db: 'test', coll: 'herbs' },
//>     documentKey: { _id: 9 }
//>   },
//>   {
//>     operationType: 'delete',
//>     ns: { db: 'test', coll: 'herbs' },
//>     documentKey: { _id: 9 }
//>   }
//> ]
// Other collections are not of this stream.
db.other.insertOne({ _id: 1 })
db.herbs.createIndex({ name: 1 })
events()
//> []
db.herbs.drop()
let last = db.runCommand({ getMore: opened.cursor.id, collection: 'herbs' }).cursor
last.nextBatch.map(event => [event.operationType, event.ns, Object.keys(event)])
//> [
//>   [
//>     'drop',
//>     { db: 'test', coll: 'herbs' },
//>     [ '_id', 'operationType', 'clusterTime', 'wallTime', 'ns' ]
//>   ],
//>   [
//>     'invalidate',
//>     undefined,
//>     [ '_id', 'operationType', 'clusterTime', 'wallTime' ]
//>   ]
//> ]
last.id
//> Long('0')
try { db.runCommand({ getMore: opened.cursor.id, collection: 'herbs' }) } catch (error) { error.codeName }
//> CursorNotFound
