// A standalone has no change streams. Manual: changeStreams (standalone)
db.herbs.insertOne({ _id: 1 })
//> { acknowledged: true, insertedId: 1 }
db.herbs.watch()
//> MongoServerError[Location40573]: The $changeStream stage is only supported on replica sets
db.watch()
//> MongoServerError[Location40573]: The $changeStream stage is only supported on replica sets
db.getMongo().watch()
//> MongoServerError[Location40573]: The $changeStream stage is only supported on replica sets
db.herbs.explain().aggregate([{ $changeStream: {} }])
//> MongoServerError[Location40573]: The $changeStream stage is only supported on replica sets
// Reading the oplog that is not there begins none.
db.getSiblingDB('local').oplog.rs.find()
//>
db.adminCommand({ quireOplog: 1 }).enabled
//> false
db.herbs.aggregate([{ $project: { t: '$$CLUSTER_TIME' } }])
//> MongoServerError[Location51144]: Invalid $project :: caused by :: Builtin variable '$$CLUSTER_TIME' is not available
