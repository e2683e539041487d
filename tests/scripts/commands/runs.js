// Runs: the engine keeps the state before the first command of a run that writes, and the one behind it. See docs/moments.md
const begin = () => { db.adminCommand({quireRun: "begin", what: "before"}) }
const moments = () => db.adminCommand({quireMoments: 1}).moments
const place = (number) => number === undefined ? "none" : moments().findIndex((one) => one.number == number)
const end = (what) => { const {begun, from, number, changes, unkept} = db.adminCommand({quireRun: "end", what}); return `${begun}, from ${place(from)} to ${place(number)}: ${JSON.stringify(changes && {...changes, pages: changes.pages > 0})} ${unkept ?? ""}` }
const kept = () => moments().map(({number, what, name, from}) => `${place(number)} ${what} ${name ?? ""} on ${place(from)}`).join("; ") || "no moments"
// A run that only reads keeps nothing.
begin()
db.herbs.find().toArray().length
//> 0
db.herbs.aggregate([{$group: {_id: null, n: {$sum: 1}}}]).toArray()
//> []
end("reads")
//> false, from none to none: undefined
kept()
//> no moments
// One that writes has the state before and the one behind it.
begin()
db.herbs.insertMany([{_id: 1}, {_id: 2}]).insertedIds
//> { '0': 1, '1': 2 }
db.herbs.insertOne({_id: 3}).insertedId
//> 3
end("three herbs")
//> true, from 0 to 1: {"added":3,"removed":0,"changed":0,"pages":true}
kept()
//> 0 before  on none; 1 three herbs  on 0
// A write that is refused, or taken back, changes nothing.
begin()
db.herbs.insertOne({_id: 1})
//> MongoServerError: E11000 duplicate key error collection: test.herbs index: _id_ dup key: { _id: 1 }
end("refused")
//> true, from 1 to none: undefined
begin()
db.herbs.insertOne({_id: 4}).insertedId
//> 4
db.herbs.deleteOne({_id: 4}).deletedCount
//> 1
end("taken back")
//> true, from 1 to none: undefined
kept()
//> 0 before  on none; 1 three herbs  on 0
// Nor does an ordinary moment come of it.
db.adminCommand({quireMoment: 1, what: "again"}).reused
//> true
// What was changed outside runs is kept before the next run's first write.
db.herbs.insertOne({_id: 5}).insertedId
//> 5
begin()
db.herbs.updateOne({_id: 5}, {$set: {bed: 1}}).modifiedCount
//> 1
end("one bed")
//> true, from 2 to 3: {"added":0,"removed":0,"changed":1,"pages":true}
kept()
//> 0 before  on none; 1 three herbs  on 0; 2 before  on none; 3 one bed  on 2
// A restore is a change; a name and a fork are none.
begin()
db.adminCommand({quireNameMoment: db.adminCommand({quireMoments: 1}).moments[0].number, name: "empty"}).ok
//> 1
db.runCommand({quireFork: 1, commands: [{drop: "herbs"}]}).replies[0].ok
//> 1
end("no change")
//> false, from none to none: undefined
begin()
db.adminCommand({quireRestore: "empty"}).restored
//> [ 'test.herbs' ]
end("emptied")
//> true, from 3 to 4: {"added":0,"removed":4,"changed":0,"pages":true}
kept()
//> 0 before empty on none; 1 three herbs  on 0; 2 before  on none; 3 one bed  on 2; 4 emptied  on 3
// An observed write begins a run as the write by itself does.
begin()
db.runCommand({quireObserve: 1, command: {insert: "herbs", documents: [{_id: 1}]}}).reply.n
//> 1
end("observed")
//> true, from 4 to 5: {"added":1,"removed":0,"changed":0,"pages":true}
// `from` of an ordinary moment: what does not differ from it is given again.
const last = db.adminCommand({quireMoments: 1}).moments.at(-1).number
db.herbs.insertOne({_id: 2}).insertedId
//> 2
const {number, reused, changes} = db.adminCommand({quireMoment: 1, what: "second", from: last}); [number > last, reused, changes.added]
//> [ true, false, 1 ]
db.herbs.deleteOne({_id: 2}).deletedCount
//> 1
const back = db.adminCommand({quireMoment: 1, what: "as before", from: last}); [back.number == last, back.reused, back.changes.added]
//> [ true, true, 0 ]
db.adminCommand({quireRun: "begin"}).ok
//> 1
db.adminCommand({quireRun: 1})
//> MongoServerError[BadValue]: quireRun takes "begin" or "end"
db.adminCommand({quireRun: "begin", limitPages: 1})
//> MongoServerError[IDLUnknownField]: BSON field 'quireRun.limitPages' is an unknown field.
db.runCommand({quireObserve: 1, command: {quireRun: "end"}})
//> MongoServerError[IllegalOperation]: quireObserve cannot run 'quireRun'
db.adminCommand({quireRun: "end"}).begun
//> false
db.adminCommand({quireRun: "end"}).begun
//> false
// What writes no data begins no run, observed or not.
begin()
db.runCommand({quireObserve: 1, command: {compact: "herbs"}}).reply.ok
//> 1
db.runCommand({compact: "herbs"}).ok
//> 1
end("no data")
//> false, from none to none: undefined
// A moment that is dropped while the run goes on is not named, though the moment behind the run knows that it was made on one.
begin()
db.herbs.insertOne({_id: 20}).insertedId
//> 20
db.adminCommand({quireDropMoment: moments().at(-1).number}).ok
//> 1
end("its beginning is gone")
//> true, from none to 7: {"added":1,"removed":1,"changed":0,"pages":true} the moment before it was dropped
moments().filter(({from}) => from !== undefined && place(from) < 0).map(({what}) => what)
//> [ 'its beginning is gone' ]
// Nor is one named that is dropped for want of room.
begin()
db.herbs.insertOne({_id: 21}).insertedId
//> 21
db.adminCommand({quireRun: "end", what: "no room", limitPages: 0}).from === undefined
//> true
// A name for the moment itself makes it no moment on itself.
const named = moments().at(-1); db.adminCommand({quireMoment: 1, name: "kept", from: named.number}).reused
//> true
moments().at(-1).from === named.from
//> true
