// Reviews that expire: a TTL index deletes them when their hour is over.
use reviews
clock.reset()

db.reviews.drop()
db.reviews.createIndex({ time_field: 1 }, { expireAfterSeconds: 3600 })

const minutes = 60 * 1000, now = Date.now()
db.reviews.insertMany([
  { title: "written now", time_field: new Date(now) },
  { title: "written half an hour ago", time_field: new Date(now - 30 * minutes) },
  { title: "dated tomorrow", time_field: new Date(now + 24 * 60 * minutes) },
  { title: "without a date", time_field: "yesterday" },
])
const list = (when) => print(when + ":", db.reviews.find().map((r) => r.title).toArray().join(" | "))
list("at first")

// No need to wait: this database's clock can be moved.
clock.advance("45m")
list("after 45 minutes")
clock.advance("1h")
list("after 1 hour 45 minutes")

// What is not a date never expires, and tomorrow's review waits for tomorrow.
clock.reset()
db.reviews.find()
//> at first: written now | written half an hour ago | dated tomorrow | without a date
//> after 45 minutes: written now | dated tomorrow | without a date
//> after 1 hour 45 minutes: dated tomorrow | without a date
//> [
//>   {
//>     _id: ObjectId('6955b90015c4af99f200017c'),
//>     title: 'dated tomorrow',
//>     time_field: ISODate('2026-01-02T00:00:00.000Z')
//>   },
//>   {
//>     _id: ObjectId('6955b90015c4af99f200017d'),
//>     title: 'without a date',
//>     time_field: 'yesterday'
//>   }
//> ]
