// What explain says of writes: an update counts what it would change, not what it matches.
// Manual: reference/command/explain, reference/explain-results

db.e.insertMany([{ _id: 1, a: 1, n: 5 }, { _id: 2, a: 1, n: 7 }, { _id: 3, a: 2 }]).acknowledged
//> true
const stage = (command) => {
  const { nMatched, nWouldModify, nWouldUpsert, nWouldDelete } = db.runCommand({ explain: command, verbosity: "executionStats" }).executionStats.executionStages
  return [nMatched, nWouldModify, nWouldUpsert, nWouldDelete]
}
stage({ update: "e", updates: [{ q: { a: 1 }, u: { $set: { n: 5 } }, multi: true }] })
//> [ 2, 1, 0, undefined ]
stage({ update: "e", updates: [{ q: { a: 1 }, u: { $inc: { n: 1 } } }] })
//> [ 1, 1, 0, undefined ]
stage({ update: "e", updates: [{ q: { a: 9 }, u: { $inc: { n: 1 } }, upsert: true }] })
//> [ 0, 0, 1, undefined ]
stage({ findAndModify: "e", query: { a: 2 }, update: { $unset: { n: 1 } } })
//> [ 1, 0, 0, undefined ]
stage({ delete: "e", deletes: [{ q: { a: 1 }, limit: 0 }] })
//> [ undefined, undefined, undefined, 2 ]
db.runCommand({ explain: { update: "e", updates: [{ q: { a: 1 }, u: { $push: { n: 1 } } }] }, verbosity: "executionStats" }).executionStats.errorMessage
//> The field 'n' must be an array but is of type int in document {_id: 1}
db.e.find()
//> [ { _id: 1, a: 1, n: 5 }, { _id: 2, a: 1, n: 7 }, { _id: 3, a: 2 } ]
db.runCommand({ explain: { ping: 1 } })
//> MongoServerError[IllegalOperation]: Cannot explain cmd: ping
db.runCommand({ explain: { nothing: 1 } })
//> MongoServerError[CommandNotFound]: Explain failed due to unknown command: nothing
