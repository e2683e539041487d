// Documents as they were before and after a change. Manual: changeStreams, reference/command/collMod
let open = options => db.runCommand({ aggregate: 'herbs', pipeline: [{ $changeStream: options }], cursor: {} }).cursor
let events = cursor => {
  let reply = db.runCommand({ getMore: cursor.id, collection: 'herbs', maxTimeMS: 1 })
  return reply.cursor.nextBatch.map(({ operationType, fullDocumentBeforeChange, fullDocument }) =>
    ({ operationType, fullDocumentBeforeChange, fullDocument }))
}
db.createCollection('herbs', { changeStreamPreAndPostImages: { enabled: true } })
db.getCollectionInfos()[0].options
//> { changeStreamPreAndPostImages: { enabled: true } }
let plain = open({})
let looked = open({ fullDocument: 'updateLookup' })
let available = open({ fullDocument: 'whenAvailable', fullDocumentBeforeChange: 'whenAvailable' })
let required = open({ fullDocument: 'required', fullDocumentBeforeChange: 'required' })
db.herbs.insertOne({ _id: 1, n: 1 })
db.herbs.updateOne({ _id: 1 }, { $inc: { n: 1 } })
db.herbs.updateOne({ _id: 1 }, { $inc: { n: 1 } })
db.herbs.replaceOne({ _id: 1 }, { n: 10 })
db.herbs.insertOne({ _id: 2 })
db.herbs.updateOne({ _id: 2 }, { $set: { n: 5 } })
db.herbs.deleteOne({ _id: 2 })
events(plain)
//> [
//>   {
//>     operationType: 'insert',
//>     fullDocumentBeforeChange: undefined,
//>     fullDocument: { _id: 1, n: 1 }
//>   },
//>   {
//>     operationType: 'update',
//>     fullDocumentBeforeChange: undefined,
//>     fullDocument: undefined
//>   },
//>   {
//>     operationType: 'update',
//>     fullDocumentBeforeChange: undefined,
//>     fullDocument: undefined
//>   },
//>   {
//>     operationType: 'replace',
//>     fullDocumentBeforeChange: undefined,
//>     fullDocument: { _id: 1, n: 10 }
//>   },
//>   {
//>     operationType: 'insert',
//>     fullDocumentBeforeChange: undefined,
//>     fullDocument: { _id: 2 }
//>   },
//>   {
//>     operationType: 'update',
//>     fullDocumentBeforeChange: undefined,
//>     fullDocument: undefined
//>   },
//>   {
//>     operationType: 'delete',
//>     fullDocumentBeforeChange: undefined,
//>     fullDocument: undefined
//>   }
//> ]
events(looked)
//> [
//>   {
//>     operationType: 'insert',
//>     fullDocumentBeforeChange: undefined,
//>     fullDocument: { _id: 1, n: 1 }
//>   },
//>   {
//>     operationType: 'update',
//>     fullDocumentBeforeChange: undefined,
//>     fullDocument: { _id: 1, n: 10 }
//>   },
//>   {
//>     operationType: 'update',
//>     fullDocumentBeforeChange: undefined,
//>     fullDocument: { _id: 1, n: 10 }
//>   },
//>   {
//>     operationType: 'replace',
//>     fullDocumentBeforeChange: undefined,
//>     fullDocument: { _id: 1, n: 10 }
//>   },
//>   {
//>     operationType: 'insert',
//>     fullDocumentBeforeChange: undefined,
//>     fullDocument: { _id: 2 }
//>   },
//>   {
//>     operationType: 'update',
//>     fullDocumentBeforeChange: undefined,
//>     fullDocument: null
//>   },
//>   {
//>     operationType: 'delete',
//>     fullDocumentBeforeChange: undefined,
//>     fullDocument: undefined
//>   }
//> ]
events(available)
//> [
//>   {
//>     operationType: 'insert',
//>     fullDocumentBeforeChange: undefined,
//>     fullDocument: { _id: 1, n: 1 }
//>   },
//>   {
//>     operationType: 'update',
//>     fullDocumentBeforeChange: { _id: 1, n: 1 },
//>     fullDocument: { _id: 1, n: 2 }
//>   },
//>   {
//>     operationType: 'update',
//>     fullDocumentBeforeChange: { _id: 1, n: 2 },
//>     fullDocument: { _id: 1, n: 3 }
//>   },
//>   {
//>     operationType: 'replace',
//>     fullDocumentBeforeChange: { _id: 1, n: 3 },
//>     fullDocument: { _id: 1, n: 10 }
//>   },
//>   {
//>     operationType: 'insert',
//>     fullDocumentBeforeChange: undefined,
//>     fullDocument: { _id: 2 }
//>   },
//>   {
//>     operationType: 'update',
//>     fullDocumentBeforeChange: { _id: 2 },
//>     fullDocument: { _id: 2, n: 5 }
//>   },
//>   {
//>     operationType: 'delete',
//>     fullDocumentBeforeChange: { _id: 2, n: 5 },
//>     fullDocument: undefined
//>   }
//> ]
events(required)
//> [
//>   {
//>     operationType: 'insert',
//>     fullDocumentBeforeChange: undefined,
//>     fullDocument: { _id: 1, n: 1 }
//>   },
//>   {
//>     operationType: 'update',
//>     fullDocumentBeforeChange: { _id: 1, n: 1 },
//>     fullDocument: { _id: 1, n: 2 }
//>   },
//>   {
//>     operationType: 'update',
//>     fullDocumentBeforeChange: { _id: 1, n: 2 },
//>     fullDocument: { _id: 1, n: 3 }
//>   },
//>   {
//>     operationType: 'replace',
//>     fullDocumentBeforeChange: { _id: 1, n: 3 },
//>     fullDocument: { _id: 1, n: 10 }
//>   },
//>   {
//>     operationType: 'insert',
//>     fullDocumentBeforeChange: undefined,
//>     fullDocument: { _id: 2 }
//>   },
//>   {
//>     operationType: 'update',
//>     fullDocumentBeforeChange: { _id: 2 },
//>     fullDocument: { _id: 2, n: 5 }
//>   },
//>   {
//>     operationType: 'delete',
//>     fullDocumentBeforeChange: { _id: 2, n: 5 },
//>     fullDocument: undefined
//>   }
//> ]
// Images are entries of their own, before the change that names them.
db.getSiblingDB('local').oplog.rs.find({ ns: 'test.herbs', op: { $in: ['n', 'd'] } }, { _id: 0, op: 1, o: 1 }).toArray()
//> [
//>   { op: 'n', o: { _id: 1, n: 1 } },
//>   { op: 'n', o: { _id: 1, n: 2 } },
//>   { op: 'n', o: { _id: 1, n: 2 } },
//>   { op: 'n', o: { _id: 1, n: 3 } },
//>   { op: 'n', o: { _id: 1, n: 3 } },
//>   { op: 'n', o: { _id: 1, n: 10 } },
//>   { op: 'n', o: { _id: 2 } },
//>   { op: 'n', o: { _id: 2, n: 5 } },
//>   { op: 'n', o: { _id: 2, n: 5 } },
//>   { op: 'd', o: { _id: 2 } }
//> ]
db.runCommand({ collMod: 'herbs', changeStreamPreAndPostImages: { enabled: false } }).ok
//> 1
db.getCollectionInfos()[0].options
//> {}
db.herbs.updateOne({ _id: 1 }, { $inc: { n: 1 } })
events(available)
//> [
//>   {
//>     operationType: 'update',
//>     fullDocumentBeforeChange: null,
//>     fullDocument: null
//>   }
//> ]
events(required)
//> MongoServerError[NoMatchingDocument]: Executor error during getMore :: caused by :: Change stream was configured to require a pre-image for all update, delete and replace events, but the pre-image was not found for event: { _id: { _data: "<*>" }, operationType: "update", clusterTime: Timestamp(<*>), wallTime: new Date(1767225600000), ns: { db: "test", coll: "herbs" }, documentKey: { _id: 1 }, updateDescription: { updatedFields: { n: 11 }, removedFields: [], truncatedArrays: [] } }
db.createCollection('a', { changeStreamPreAndPostImages: {} })
//> MongoServerError[IDLFailedToParse]: BSON field 'changeStreamPreAndPostImages.enabled' is missing but a required field
db.createCollection('a', { changeStreamPreAndPostImages: { enabled: 1 } })
//> MongoServerError[TypeMismatch]: BSON field 'changeStreamPreAndPostImages.enabled' is the wrong type 'int', expected type 'bool'
db.createCollection('a', { changeStreamPreAndPostImages: { enabled: true, more: 1 } })
//> MongoServerError[IDLUnknownField]: BSON field 'changeStreamPreAndPostImages.more' is an unknown field.
db.getSiblingDB('config').createCollection('a', { changeStreamPreAndPostImages: { enabled: true } })
//> MongoServerError[InvalidOptions]: changeStreamPreAndPostImages collection option is not supported on the config database
