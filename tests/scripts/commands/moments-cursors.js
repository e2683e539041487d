// Cursors over a moment: every batch reads the moment, and not the first alone. See docs/moments.md
const moment = (name) => { db.runCommand({quireMoment: 1, name}) }
const all = (name, command) => { const {cursor} = db.runCommand({quireAt: name, command: {...command, cursor: {batchSize: 2}}}); let [found, id] = [cursor.firstBatch, cursor.id]; while (id != 0) { const {cursor} = db.runCommand({getMore: Long(id), collection: command.aggregate, batchSize: 2}); found = found.concat(cursor.nextBatch); id = cursor.id }; return found }
for (let n = 0; n < 10; n++) { db.beds.insertOne({_id: n, row: n % 2}); db.herbs.insertOne({_id: n, state: "old"}) }
db.createView("rows", "beds", [{$lookup: {from: "herbs", localField: "_id", foreignField: "_id", as: "herbs"}}])
//> { ok: 1 }
moment("planted")
db.herbs.updateMany({}, {$set: {state: "new"}}).modifiedCount
//> 10
const joined = [{$lookup: {from: "herbs", localField: "_id", foreignField: "_id", as: "herbs"}}]
const states = (found) => found.map(({herbs}) => herbs.map(({state}) => state).join()).join(" ")
states(all("planted", {aggregate: "beds", pipeline: joined}))
//> old old old old old old old old old old
states(all("planted", {aggregate: "rows", pipeline: []}))
//> old old old old old old old old old old
states(db.beds.aggregate(joined).toArray())
//> new new new new new new new new new new
// A collection that is gone by now is there in the moment.
const {cursor} = db.runCommand({quireAt: "planted", command: {aggregate: "beds", pipeline: [{$unionWith: "herbs"}], cursor: {batchSize: 3}}})
db.herbs.drop()
//> true
db.beds.drop()
//> true
db.runCommand({getMore: Long(cursor.id), collection: "beds"}).cursor.nextBatch.length
//> 17
all("planted", {aggregate: "beds", pipeline: [{$unionWith: "herbs"}]}).length
//> 20
all("planted", {aggregate: "beds", pipeline: [{$match: {_id: {$lt: 3}}}, {$graphLookup: {from: "herbs", startWith: "$_id", connectFromField: "_id", connectToField: "_id", as: "herbs"}}]}).map(({herbs}) => herbs.length).join()
//> 1,1,1
