// A log that never grows: a capped collection keeps its newest documents.
use activity

db.user_actions.drop()
db.createCollection("user_actions", { capped: true, size: 16384 })

// 500 go in; what does not fit any more went out at the other end.
for (let n = 0; n < 500; n++) {
  db.user_actions.insertOne({
    username: "kbanker",
    action_code: n % 5,
    time: new Date(),
    n: n,
  })
}
const oldest = db.user_actions.find().sort({ $natural: 1 }).limit(1).next()
print("kept", db.user_actions.countDocuments(), "of 500; the oldest is n =", oldest.n)

// They come back in the order they were written, without an index.
print("newest first:", db.user_actions.find().sort({ $natural: -1 }).limit(5).map((a) => a.n).toArray().join(", "))

// A limit by number as well: at most 100 documents, however small.
db.last_hundred.drop()
db.createCollection("last_hundred", { capped: true, size: 16384, max: 100 })
for (let n = 0; n < 250; n++) db.last_hundred.insertOne({ n: n })
print("by max:", db.last_hundred.countDocuments(), "from n =", db.last_hundred.findOne().n)

db.user_actions.find().sort({ $natural: -1 })
