// Sessions and transactions in the shell.
// Manual: reference/method/Mongo.startSession, Session.startTransaction, Session.commitTransaction, Session.abortTransaction, Session.withTransaction
const tried = (work) => { try { return work() } catch (e) { return `${e.name}: ${e.message}` } }
db.herbs.insertMany([{_id: 1, stock: 3}, {_id: 2, stock: 0}]).acknowledged
//>
const session = db.getMongo().startSession({causalConsistency: true})
const shop = session.getDatabase("test")
session.startTransaction({readConcern: {level: "snapshot"}, writeConcern: {w: "majority"}})
shop.herbs.updateOne({_id: 1}, {$inc: {stock: -1}}).modifiedCount
//>
shop.herbs.updateOne({_id: 2}, {$inc: {stock: 1}}).modifiedCount
//>
[shop.herbs.find().toArray(), db.herbs.find().toArray()]
//>
session.commitTransaction()
db.herbs.find().toArray()
//>
session.commitTransaction()
session.startTransaction()
shop.herbs.deleteMany({}).deletedCount
//>
session.abortTransaction()
db.herbs.countDocuments()
//>
[tried(() => session.abortTransaction()), tried(() => session.commitTransaction())]
//>
session.startTransaction(); tried(() => session.startTransaction())
//>
session.commitTransaction(); tried(() => session.abortTransaction())
//>
session.withTransaction((own) => { own.getDatabase("test").herbs.insertOne({_id: 3}); return "done" })
//>
db.herbs.countDocuments()
//>
tried(() => session.withTransaction((own) => { own.getDatabase("test").herbs.insertOne({_id: 4}); throw new Error("no") }))
//>
db.herbs.countDocuments()
//>
// Of two sessions the first writer wins; withTransaction tries again.
const other = db.getMongo().startSession()
let tries = 0
other.startTransaction(); other.getDatabase("test").herbs.updateOne({_id: 1}, {$set: {by: "other"}}).modifiedCount
//>
session.withTransaction((own) => { tries += 1; if (tries === 2) other.commitTransaction(); return own.getDatabase("test").herbs.updateOne({_id: 1}, {$set: {by: "own"}}).modifiedCount })
//>
[tries, db.herbs.findOne({_id: 1}).by]
//>
[session.hasEnded(), session.getOptions(), session.getOperationTime() instanceof Timestamp, Object.keys(session.getClusterTime()), typeof session.getSessionId().id]
//>
session.endSession(); [session.hasEnded(), tried(() => shop.herbs.findOne()), tried(() => session.startTransaction())]
//>
[() => db.getMongo().startSession({snapshot: true, causalConsistency: true}), () => db.getMongo().startSession({snapshots: true}), () => other.startTransaction({readPreference: "secondary"}), () => other.startTransaction({writeConcern: {w: 0}}), () => other.commitTransaction(), () => other.startTransaction({more: 1}), () => other.getDatabase("test").herbs.insertOne({}, {writeConcern: {w: 0}}), () => other.advanceClusterTime({})].map(tried)
//>
const snapshot = db.getMongo().startSession({snapshot: true})
[snapshot.getDatabase("test").herbs.countDocuments(), tried(() => snapshot.startTransaction())]
//>
