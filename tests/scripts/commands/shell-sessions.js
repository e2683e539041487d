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
// What is tried again has an end: nothing else can end a conflict that lasts.
const held = "Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or multi-document transaction."
tries = 0
tried(() => session.withTransaction((own) => { tries += 1; const herbs = own.getDatabase("test").herbs; herbs.findOne(); db.herbs.updateOne({_id: 1}, {$inc: {tries: 1}}); herbs.updateOne({_id: 1}, {$set: {by: "me"}}) })).replace(held, "held")
//> MongoServerError: held (written outside of this transaction after it began)
[tries, db.herbs.findOne({_id: 1}).tries]
//> [ 100, 100 ]
tries = 0; tried(() => session.withTransaction((own) => { tries += 1; const herbs = own.getDatabase("test").herbs; tried(() => herbs.insertOne({_id: 1})); herbs.insertOne({_id: 5}) })).replace(/txnNumber: \d+/, "txnNumber: ?")
//> MongoServerError: Transaction with { txnNumber: ? } has been aborted.
tries
//> 100
// The whole is tried again where the commit itself meets a conflict.
db.named.createIndex({name: 1}, {unique: true, collation: {locale: "en", strength: 2}})
//> name_1
tries = 0; session.withTransaction((own) => { tries += 1; own.getDatabase("test").named.insertOne({_id: tries, name: "RAKE" + (tries > 1 ? tries : "")}); if (tries === 1) db.named.insertOne({_id: 10, name: "rake"}) }); [tries, db.named.find().toArray()]
//> [ 2, [ { _id: 10, name: 'rake' }, { _id: 2, name: 'RAKE2' } ] ]
// An async function is in the transaction to its end.
await session.withTransaction(async (own) => { const herbs = own.getDatabase("test").herbs; await herbs.insertOne({_id: 6}); await herbs.insertOne({_id: 7}); return "both" })
//> both
let why = "nothing"; try { await session.withTransaction(async (own) => { const herbs = own.getDatabase("test").herbs; await herbs.insertOne({_id: 8}); await herbs.insertOne({_id: 9}); throw new Error("no") }) } catch (e) { why = e.message }; why
//> no
db.herbs.find({_id: {$gte: 5}}).toArray()
//> [ { _id: 6 }, { _id: 7 } ]
// A session is no option here: a method that left it out would be done outside.
[() => db.herbs.insertOne({}, {session}), () => db.herbs.find({}, {}, {session}).toArray(), () => db.herbs.updateOne({}, {$set: {a: 1}}, {session}), () => db.herbs.aggregate([], {session}).toArray(), () => db.herbs.countDocuments({}, {session}), () => db.herbs.deleteMany({}, {session}), () => db.herbs.bulkWrite([{deleteOne: {filter: {}}}], {session}), () => db.herbs.findOneAndUpdate({}, {$set: {a: 1}}, {session}), () => db.herbs.insertMany([{}], {session}), () => db.herbs.distinct("_id", {}, {session}), () => db.herbs.replaceOne({}, {}, {session}), () => db.herbs.findOneAndDelete({}, {session})].map(tried).map((said) => said?.slice?.(0, 45) ?? said)
//> [
//>   'MongoInvalidArgumentError: option session is ',
//>   'MongoInvalidArgumentError: option session is ',
//>   'MongoInvalidArgumentError: option session is ',
//>   'MongoInvalidArgumentError: option session is ',
//>   'MongoInvalidArgumentError: option session is ',
//>   'MongoInvalidArgumentError: option session is ',
//>   'MongoInvalidArgumentError: option session is ',
//>   'MongoInvalidArgumentError: option session is ',
//>   'MongoInvalidArgumentError: option session is ',
//>   'MongoInvalidArgumentError: option session is ',
//>   'MongoInvalidArgumentError: option session is ',
//>   'MongoInvalidArgumentError: option session is '
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
//>   5,
//>   'MongoAPIError: Transactions are not supported in snapshot sessions'
//> ]
