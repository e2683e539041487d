// Streams over a database and over the whole deployment. Manual: changeStreams
let ofDatabase = db.runCommand({ aggregate: 1, pipeline: [{ $changeStream: {} }], cursor: {} }).cursor
let all = { $changeStream: { allChangesForCluster: true } }
let ofAll = db.adminCommand({ aggregate: 1, pipeline: [all], cursor: {} }).cursor
let events = (cursor, at = db) => {
  let reply = at.runCommand({ getMore: cursor.id, collection: '$cmd.aggregate', maxTimeMS: 1 }).cursor
  return reply.nextBatch.map(event => `${event.operationType} ${event.ns?.db}.${event.ns?.coll} ${event.to?.coll}`)
}
let admin = db.getSiblingDB('admin')
db.a.insertOne({ _id: 1 })
db.getSiblingDB('elsewhere').b.insertOne({ _id: 1 })
admin.c.insertOne({ _id: 1 })
db.getSiblingDB('config').d.insertOne({ _id: 1 })
db.getSiblingDB('local').e.insertOne({ _id: 1 })
db.a.renameCollection('z')
db.z.drop()
events(ofDatabase)
//> [
//>   'insert test.a undefined',
//>   'rename test.a z',
//>   'drop test.z undefined'
//> ]
events(ofAll, admin)
//> [
//>   'insert test.a undefined',
//>   'insert elsewhere.b undefined',
//>   'rename test.a z',
//>   'drop test.z undefined'
//> ]
db.f.insertOne({ _id: 1 })
db.adminCommand({ renameCollection: 'test.f', to: 'elsewhere.f' }).ok
//> 1
events(ofDatabase).map(event => event.replace(/[0-9a-f-]{36}/g, 'ID'))
//> [ 'insert test.f undefined', 'rename test.f f' ]
db.getSiblingDB('elsewhere').dropDatabase()
events(ofAll, admin).slice(-4).map(event => event.replace(/[0-9a-f-]{36}/g, 'ID'))
//> [
//>   'rename test.f f',
//>   'drop elsewhere.b undefined',
//>   'drop elsewhere.f undefined',
//>   'dropDatabase elsewhere.undefined undefined'
//> ]
db.g.insertOne({ _id: 1 })
db.dropDatabase()
events(ofDatabase)
//> [
//>   'insert test.g undefined',
//>   'drop test.g undefined',
//>   'dropDatabase test.undefined undefined',
//>   'invalidate undefined.undefined undefined'
//> ]
events(ofAll, admin)
//> [
//>   'insert test.g undefined',
//>   'drop test.g undefined',
//>   'dropDatabase test.undefined undefined'
//> ]
// The stream over all goes on.
db.g.insertOne({ _id: 2 })
events(ofAll, admin)
//> [ 'insert test.g undefined' ]
// `$$CLUSTER_TIME` is the time of the last change before the command: one for all documents, and later after a write.
db.times.insertMany([{ _id: 1 }, { _id: 2 }]).acknowledged
//> true
let time = () => db.times.aggregate([{ $project: { _id: 0, t: '$$CLUSTER_TIME' } }, { $group: { _id: '$t' } }]).toArray().map(({ _id }) => _id)
let before = time()
let after = (db.times.updateMany({}, [{ $set: { at: '$$CLUSTER_TIME' } }]), time())
let stored = db.times.distinct('at');
[before.length, stored.length, stored[0].toString() >= before[0].toString(), after[0].toString() > before[0].toString()]
//> [ 1, 1, true, true ]
db.times.countDocuments({ $expr: { $lt: ['$at', '$$CLUSTER_TIME'] } })
//> 2
