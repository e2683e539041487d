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
//> kept 199 of 500; the oldest is n = 301
//> newest first: 499, 498, 497, 496, 495
//> by max: 100 from n = 150
//> [
//>   {
//>     _id: ObjectId('6955b90015c4af99f200036d'),
//>     username: 'kbanker',
//>     action_code: 4,
//>     time: ISODate('2026-01-01T00:00:00.000Z'),
//>     n: 499
//>   },
//>   {
//>     _id: ObjectId('6955b90015c4af99f200036c'),
//>     username: 'kbanker',
//>     action_code: 3,
//>     time: ISODate('2026-01-01T00:00:00.000Z'),
//>     n: 498
//>   },
//>   {
//>     _id: ObjectId('6955b90015c4af99f200036b'),
//>     username: 'kbanker',
//>     action_code: 2,
//>     time: ISODate('2026-01-01T00:00:00.000Z'),
//>     n: 497
//>   },
//>   {
//>     _id: ObjectId('6955b90015c4af99f200036a'),
//>     username: 'kbanker',
//>     action_code: 1,
//>     time: ISODate('2026-01-01T00:00:00.000Z'),
//>     n: 496
//>   },
//>   {
//>     _id: ObjectId('6955b90015c4af99f2000369'),
//>     username: 'kbanker',
//>     action_code: 0,
//>     time: ISODate('2026-01-01T00:00:00.000Z'),
//>     n: 495
//>   },
//>   {
//>     _id: ObjectId('6955b90015c4af99f2000368'),
//>     username: 'kbanker',
//>     action_code: 4,
//>     time: ISODate('2026-01-01T00:00:00.000Z'),
//>     n: 494
//>   },
//>   {
//>     _id: ObjectId('6955b90015c4af99f2000367'),
//>     username: 'kbanker',
//>     action_code: 3,
//>     time: ISODate('2026-01-01T00:00:00.000Z'),
//>     n: 493
//>   },
//>   {
//>     _id: ObjectId('6955b90015c4af99f2000366'),
//>     username: 'kbanker',
//>     action_code: 2,
//>     time: ISODate('2026-01-01T00:00:00.000Z'),
//>     n: 492
//>   },
//>   {
//>     _id: ObjectId('6955b90015c4af99f2000365'),
//>     username: 'kbanker',
//>     action_code: 1,
//>     time: ISODate('2026-01-01T00:00:00.000Z'),
//>     n: 491
//>   },
//>   {
//>     _id: ObjectId('6955b90015c4af99f2000364'),
//>     username: 'kbanker',
//>     action_code: 0,
//>     time: ISODate('2026-01-01T00:00:00.000Z'),
//>     n: 490
//>   },
//>   {
//>     _id: ObjectId('6955b90015c4af99f2000363'),
//>     username: 'kbanker',
//>     action_code: 4,
//>     time: ISODate('2026-01-01T00:00:00.000Z'),
//>     n: 489
//>   },
//>   {
//>     _id: ObjectId('6955b90015c4af99f2000362'),
//>     username: 'kbanker',
//>     action_code: 3,
//>     time: ISODate('2026-01-01T00:00:00.000Z'),
//>     n: 488
//>   },
//>   {
//>     _id: ObjectId('6955b90015c4af99f2000361'),
//>     username: 'kbanker',
//>     action_code: 2,
//>     time: ISODate('2026-01-01T00:00:00.000Z'),
//>     n: 487
//>   },
//>   {
//>     _id: ObjectId('6955b90015c4af99f2000360'),
//>     username: 'kbanker',
//>     action_code: 1,
//>     time: ISODate('2026-01-01T00:00:00.000Z'),
//>     n: 486
//>   },
//>   {
//>     _id: ObjectId('6955b90015c4af99f200035f'),
//>     username: 'kbanker',
//>     action_code: 0,
//>     time: ISODate('2026-01-01T00:00:00.000Z'),
//>     n: 485
//>   },
//>   {
//>     _id: ObjectId('6955b90015c4af99f200035e'),
//>     username: 'kbanker',
//>     action_code: 4,
//>     time: ISODate('2026-01-01T00:00:00.000Z'),
//>     n: 484
//>   },
//>   {
//>     _id: ObjectId('6955b90015c4af99f200035d'),
//>     username: 'kbanker',
//>     action_code: 3,
//>     time: ISODate('2026-01-01T00:00:00.000Z'),
//>     n: 483
//>   },
//>   {
//>     _id: ObjectId('6955b90015c4af99f200035c'),
//>     username: 'kbanker',
//>     action_code: 2,
//>     time: ISODate('2026-01-01T00:00:00.000Z'),
//>     n: 482
//>   },
//>   {
//>     _id: ObjectId('6955b90015c4af99f200035b'),
//>     username: 'kbanker',
//>     action_code: 1,
//>     time: ISODate('2026-01-01T00:00:00.000Z'),
//>     n: 481
//>   },
//>   {
//>     _id: ObjectId('6955b90015c4af99f200035a'),
//>     username: 'kbanker',
//>     action_code: 0,
//>     time: ISODate('2026-01-01T00:00:00.000Z'),
//>     n: 480
//>   }
//> ]
//> Type "it" for more
