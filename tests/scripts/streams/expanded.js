// With showExpandedEvents a stream tells the changes of collections and indexes too. Manual: reference/change-events
let stages = [{ $changeStream: { showExpandedEvents: true } }]
let opened = db.runCommand({ aggregate: 1, pipeline: stages, cursor: {} })
let events = () => {
  let reply = db.runCommand({ getMore: opened.cursor.id, collection: '$cmd.aggregate', maxTimeMS: 1 }).cursor
  return reply.nextBatch.map(event => {
    delete event._id
    delete event.clusterTime
    delete event.wallTime
    return event
  })
}
opened.cursor.ns
//> test.$cmd.aggregate
db.createCollection('herbs', { validator: { name: { $type: 'string' } } })
db.createCollection('log', { capped: true, size: 4096 })
db.createView('names', 'herbs', [{ $project: { name: 1 } }])
events()
//> [
//>   {
//>     operationType: 'create',
//>     collectionUUID: UUID('<*>'),
//>     ns: { db: 'test', coll: 'herbs' },
//>     operationDescription: {
//>       validator: { name: { '$type': 'string' } },
//>       idIndex: { v: 2, key: { _id: 1 }, name: '_id_' }
//>     },
//>     nsType: 'collection'
//>   },
//>   {
//>     operationType: 'create',
//>     collectionUUID: UUID('<*>'),
//>     ns: { db: 'test', coll: 'log' },
//>     operationDescription: {
//>       capped: true,
//>       size: 4096,
//>       idIndex: { v: 2, key: { _id: 1 }, name: '_id_' }
//>     },
//>     nsType: 'collection'
//>   },
//>   {
//>     operationType: 'create',
//>     ns: { db: 'test', coll: 'names' },
//>     operationDescription: {
//>       viewOn: 'herbs',
//>       pipeline: [ { '$project': { name: 1 } } ]
//>     },
//>     nsType: 'view'
//>   }
//> ]
db.herbs.createIndex({ name: 1 }, { unique: true })
db.herbs.createIndex({ bed: 1 }, { expireAfterSeconds: 60 })
db.herbs.dropIndex('name_1')
events()
//> [
//>   {
//>     operationType: 'createIndexes',
//>     collectionUUID: UUID('<*>'),
//>     ns: { db: 'test', coll: 'herbs' },
//>     operationDescription: {
//>       indexes: [ { v: 2, unique: true, key: { name: 1 }, name: 'name_1' } ]
//>     }
//>   },
//>   {
//>     operationType: 'createIndexes',
//>     collectionUUID: UUID('<*>'),
//>     ns: { db: 'test', coll: 'herbs' },
//>     operationDescription: {
//>       indexes: [
//>         {
//>           v: 2,
//>           key: { bed: 1 },
//>           name: 'bed_1',
//>           expireAfterSeconds: 60
//>         }
//>       ]
//>     }
//>   },
//>   {
//>     operationType: 'dropIndexes',
//>     collectionUUID: UUID('<*>'),
//>     ns: { db: 'test', coll: 'herbs' },
//>     operationDescription: {
//>       indexes: [ { v: 2, unique: true, key: { name: 1 }, name: 'name_1' } ]
//>     }
//>   }
//> ]
db.runCommand({ collMod: 'herbs', index: { name: 'bed_1', expireAfterSeconds: 90 } })
db.runCommand({ collMod: 'herbs', index: { name: 'bed_1', hidden: true } })
db.runCommand({ collMod: 'herbs', validationLevel: 'moderate' })
db.runCommand({ collMod: 'names', viewOn: 'herbs', pipeline: [] })
events()
//> [
//>   {
//>     operationType: 'modify',
//>     collectionUUID: UUID('<*>'),
//>     ns: { db: 'test', coll: 'herbs' },
//>     operationDescription: { index: { name: 'bed_1', expireAfterSeconds: Long('90') } },
//>     stateBeforeChange: {
//>       collectionOptions: {
//>         uuid: UUID('<*>'),
//>         validator: { name: { '$type': 'string' } }
//>       },
//>       indexOptions: { expireAfterSeconds: Long('60') }
//>     }
//>   },
//>   {
//>     operationType: 'modify',
//>     collectionUUID: UUID('<*>'),
//>     ns: { db: 'test', coll: 'herbs' },
//>     operationDescription: { index: { name: 'bed_1', hidden: true } },
//>     stateBeforeChange: {
//>       collectionOptions: {
//>         uuid: UUID('<*>'),
//>         validator: { name: { '$type': 'string' } }
//>       },
//>       indexOptions: { hidden: false }
//>     }
//>   },
//>   {
//>     operationType: 'modify',
//>     collectionUUID: UUID('<*>'),
//>     ns: { db: 'test', coll: 'herbs' },
//>     operationDescription: { validationLevel: 'moderate' },
//>     stateBeforeChange: {
//>       collectionOptions: {
//>         uuid: UUID('<*>'),
//>         validator: { name: { '$type': 'string' } }
//>       }
//>     }
//>   },
//>   {
//>     operationType: 'modify',
//>     ns: { db: 'test', coll: 'names' },
//>     operationDescription: { viewOn: 'herbs', pipeline: [] }
//>   }
//> ]
// Paths that can be read in two ways are told by their parts.
db.herbs.insertOne({ _id: 1, name: 'mint', a: { 0: 'zero' }, list: [{ 1: 'one' }], 5: 'five' })
db.herbs.updateOne({ _id: 1 }, { $set: { 'a.0': 'null', 'list.0.1': 'eins', 5: 'fünf' } })
events().map(event => [event.operationType, event.updateDescription])
//> [
//>   [ 'insert', undefined ],
//>   [
//>     'update',
//>     {
//>       updatedFields: { '5': 'fünf', 'a.0': 'null', 'list.0.1': 'eins' },
//>       removedFields: [],
//>       truncatedArrays: [],
//>       disambiguatedPaths: { 'a.0': [ 'a', '0' ], 'list.0.1': [ 'list', 0, '1' ] }
//>     }
//>   ]
//> ]
db.herbs.renameCollection('plants')
db.names.drop()
db.log.drop()
db.plants.aggregate([{ $out: 'copy' }])
events().map(event => [event.operationType, event.ns.coll.replace(/[0-9a-f-]{36}/, 'ID'), Object.keys(event)])
//> [
//>   [
//>     'rename',
//>     'herbs',
//>     [
//>       'to',
//>       'operationType',
//>       'collectionUUID',
//>       'ns',
//>       'operationDescription'
//>     ]
//>   ],
//>   [ 'drop', 'names', [ 'operationType', 'ns' ] ],
//>   [ 'drop', 'log', [ 'operationType', 'collectionUUID', 'ns' ] ],
//>   [
//>     'create',
//>     'tmp.agg_out.ID',
//>     [
//>       'operationType',
//>       'collectionUUID',
//>       'ns',
//>       'operationDescription',
//>       'nsType'
//>     ]
//>   ],
//>   [
//>     'insert',
//>     'tmp.agg_out.ID',
//>     [
//>       'operationType',
//>       'collectionUUID',
//>       'fullDocument',
//>       'ns',
//>       'documentKey'
//>     ]
//>   ],
//>   [
//>     'rename',
//>     'tmp.agg_out.ID',
//>     [
//>       'to',
//>       'operationType',
//>       'collectionUUID',
//>       'ns',
//>       'operationDescription'
//>     ]
//>   ]
//> ]
db.other.insertOne({ _id: 1 })
db.other.renameCollection('plants', true)
events().slice(2)
//> [
//>   {
//>     to: { db: 'test', coll: 'plants' },
//>     operationType: 'rename',
//>     collectionUUID: UUID('<*>'),
//>     ns: { db: 'test', coll: 'other' },
//>     operationDescription: {
//>       to: { db: 'test', coll: 'plants' },
//>       dropTarget: UUID('<*>')
//>     }
//>   }
//> ]
db.dropDatabase()
let last = db.runCommand({ getMore: opened.cursor.id, collection: '$cmd.aggregate' }).cursor
last.nextBatch.map(event => [event.operationType, event.ns])
//> [
//>   [ 'drop', { db: 'test', coll: 'copy' } ],
//>   [ 'drop', { db: 'test', coll: 'plants' } ],
//>   [ 'dropDatabase', { db: 'test' } ],
//>   [ 'invalidate', undefined ]
//> ]
last.id
//> Long('0')
