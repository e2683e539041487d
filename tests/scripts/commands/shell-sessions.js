// Sessions and transactions in the shell. (with times)
// Manual: reference/method/Mongo.startSession, Session.startTransaction, Session.commitTransaction, Session.abortTransaction, Session.withTransaction
const tried = (work) => { try { return work() } catch (e) { return `${e.name}: ${e.message}` } }
db.herbs.insertMany([{_id: 1, stock: 3}, {_id: 2, stock: 0}]).acknowledged
//> true
const session = db.getMongo().startSession({causalConsistency: true})
const shop = session.getDatabase("test")
session.startTransaction({readConcern: {level: "snapshot"}, writeConcern: {w: "majority"}})
shop.herbs.updateOne({_id: 1}, {$inc: {stock: -1}}).modifiedCount
//> 1
shop.herbs.updateOne({_id: 2}, {$inc: {stock: 1}}).modifiedCount
//> 1
[shop.herbs.find().toArray(), db.herbs.find().toArray()]
//> [
//>   [ { _id: 1, stock: 2 }, { _id: 2, stock: 1 } ],
//>   [ { _id: 1, stock: 3 }, { _id: 2, stock: 0 } ]
//> ]
session.commitTransaction()
db.herbs.find().toArray()
//> [ { _id: 1, stock: 2 }, { _id: 2, stock: 1 } ]
session.commitTransaction()
session.startTransaction()
shop.herbs.deleteMany({}).deletedCount
//> 2
session.abortTransaction()
db.herbs.countDocuments()
//> 2
[tried(() => session.abortTransaction()), tried(() => session.commitTransaction())]
//> [
//>   'MongoTransactionError: Cannot call abortTransaction twice',
//>   'MongoTransactionError: Cannot call commitTransaction after calling abortTransaction'
//> ]
session.startTransaction(); tried(() => session.startTransaction())
//> MongoTransactionError: Transaction already in progress
session.commitTransaction(); tried(() => session.abortTransaction())
//> MongoTransactionError: Cannot call abortTransaction after calling commitTransaction
session.withTransaction((own) => { own.getDatabase("test").herbs.insertOne({_id: 3}); return "done" })
//> done
db.herbs.countDocuments()
//> 3
tried(() => session.withTransaction((own) => { own.getDatabase("test").herbs.insertOne({_id: 4}); throw new Error("no") }))
//> Error: no
db.herbs.countDocuments()
//> 3
// Of two sessions the first writer wins; withTransaction tries again.
const other = db.getMongo().startSession()
let tries = 0
other.startTransaction(); other.getDatabase("test").herbs.updateOne({_id: 1}, {$set: {by: "other"}}).modifiedCount
//> 1
session.withTransaction((own) => { tries += 1; if (tries === 2) other.commitTransaction(); return own.getDatabase("test").herbs.updateOne({_id: 1}, {$set: {by: "own"}}).modifiedCount })
//> 1
[tries, db.herbs.findOne({_id: 1}).by]
//> [ 2, 'own' ]
[session.hasEnded(), session.getOptions(), session.getOperationTime() instanceof Timestamp, Object.keys(session.getClusterTime()), typeof session.getSessionId().id]
//> [
//>   false,
//>   { causalConsistency: true },
//>   true,
//>   [ 'clusterTime', 'signature' ],
//>   'object'
//> ]
session.endSession(); [session.hasEnded(), tried(() => shop.herbs.findOne()), tried(() => session.startTransaction())]
//> [
//>   true,
//>   'MongoExpiredSessionError: Cannot use a session that has ended',
//>   'MongoExpiredSessionError: Cannot use a session that has ended'
//> ]
[() => db.getMongo().startSession({snapshot: true, causalConsistency: true}), () => db.getMongo().startSession({snapshots: true}), () => other.startTransaction({readPreference: "secondary"}), () => other.startTransaction({writeConcern: {w: 0}}), () => other.commitTransaction(), () => other.startTransaction({more: 1}), () => other.getDatabase("test").herbs.insertOne({}, {writeConcern: {w: 0}}), () => other.advanceClusterTime({})].map(tried)
//> [
//>   'MongoInvalidArgumentError: Properties "causalConsistency" and "snapshot" are mutually exclusive',
//>   'MongoInvalidArgumentError: option snapshots is not supported',
//>   'MongoTransactionError: Read preference in a transaction must be primary, not: secondary',
//>   'MongoTransactionError: Transactions do not support unacknowledged write concern',
//>   undefined,
//>   'MongoInvalidArgumentError: option more is not supported',
//>   'MongoAPIError: Cannot have explicit session with unacknowledged writes',
//>   'MongoInvalidArgumentError: input cluster time "clusterTime" property must be a valid BSON Timestamp'
//> ]
const snapshot = db.getMongo().startSession({snapshot: true})
;[snapshot.getDatabase("test").herbs.countDocuments(), tried(() => snapshot.startTransaction())]
//> [
//>   3,
//>   'MongoAPIError: Transactions are not supported in snapshot sessions'
//> ]
