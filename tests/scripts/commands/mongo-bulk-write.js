// Mongo.bulkWrite(): the shell's way to write to several collections at once.
//
// Manual: reference/method/Mongo.bulkWrite
db.getMongo().bulkWrite([{namespace: "test.a", name: "insertOne", document: {_id: 1, x: 1}}, {namespace: "other.b", name: "insertOne", document: {_id: 1}}, {namespace: "test.a", name: "updateOne", filter: {_id: 1}, update: {$inc: {x: 1}}}, {namespace: "test.a", name: "replaceOne", filter: {_id: 2}, replacement: {y: 1}, upsert: true}, {namespace: "other.b", name: "deleteMany", filter: {}}])
//> {
//>   acknowledged: true,
//>   insertedCount: 2,
//>   upsertedCount: 1,
//>   matchedCount: 1,
//>   modifiedCount: 1,
//>   deletedCount: 1,
//>   insertResults: undefined,
//>   updateResults: undefined,
//>   deleteResults: undefined
//> }
db.a.find()
//> [ { _id: 1, x: 2 }, { _id: 2, y: 1 } ]
db.getMongo().bulkWrite([{namespace: "test.a", name: "updateMany", filter: {}, update: [{$set: {z: 1}}]}, {namespace: "test.a", name: "updateOne", filter: {_id: 3}, update: {$set: {z: 1}}, upsert: true}, {namespace: "test.a", name: "deleteOne", filter: {_id: 2}}, {namespace: "test.a", name: "insertOne", document: {_id: 4}}], {verboseResults: true})
//> {
//>   acknowledged: true,
//>   insertedCount: 1,
//>   upsertedCount: 1,
//>   matchedCount: 2,
//>   modifiedCount: 2,
//>   deletedCount: 1,
//>   insertResults: Map(1) { 3 => { insertedId: 4 } },
//>   updateResults: Map(2) {
//>     0 => { matchedCount: 2, modifiedCount: 2, didUpsert: false },
//>     1 => {
//>       matchedCount: 1,
//>       modifiedCount: 0,
//>       didUpsert: true,
//>       upsertedId: 3
//>     }
//>   },
//>   deleteResults: Map(1) { 2 => { deletedCount: 1 } }
//> }
try { db.getMongo().bulkWrite([{namespace: "test.a", name: "insertOne", document: {_id: 4}}, {namespace: "test.a", name: "insertOne", document: {_id: 5}}]) } catch (e) { print(e.name, e.message); print(e.writeErrors); print(e.partialResult.insertedCount) }
//> MongoClientBulkWriteError Mongo client ordered bulk write encountered a write error.
//> Map(1) {
//>   0 => {
//>     code: 11000,
//>     message: 'E11000 duplicate key error collection: test.a index: _id_ dup key: { _id: 4 }'
//>   }
//> }
//> 0
try { db.getMongo().bulkWrite([{namespace: "test.a", name: "insertOne", document: {_id: 4}}, {namespace: "test.a", name: "insertOne", document: {_id: 5}}], {ordered: false}) } catch (e) { print(e.message, e.partialResult.insertedCount) }
//> Mongo client bulk write encountered errors during execution. 1
try { db.getMongo().bulkWrite([{namespace: "a", name: "deleteOne", filter: {}}]) } catch (e) { print(e.message); print(e.error.message) }
//> Mongo client bulk write encountered an error during execution
//> Invalid namespace specified for bulkWrite: 'a'
db.getMongo().bulkWrite([])
//> MongoInvalidArgumentError: No client bulk write models were provided.
