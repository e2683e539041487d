// TTL: what expires, what waits, what never does, and what is refused. Manual: core/index-ttl

db.c.createIndex({ at: 1 }, { expireAfterSeconds: 3600, partialFilterExpression: { temporary: true } })
//> at_1
db.c.insertMany([
  { _id: "kept", at: new Date("2025-12-31T22:00:00Z") },
  { _id: "now", at: new Date("2026-01-01T00:00:00Z"), temporary: true },
  { _id: "tomorrow", at: new Date("2026-01-02T00:00:00Z"), temporary: true },
  { _id: "earliest of two", at: [new Date("2026-01-05T00:00:00Z"), new Date("2026-01-01T00:30:00Z")], temporary: true },
  { _id: "no date", at: "2020", temporary: true },
  { _id: "nothing", temporary: true },
]).acknowledged
//> true
clock.advance("59m")
db.c.find().toArray().map(d => d._id)
//> [ 'kept', 'now', 'tomorrow', 'earliest of two', 'no date', 'nothing' ]
clock.advance("2m")
db.c.find().toArray().map(d => d._id)
//> [ 'kept', 'tomorrow', 'earliest of two', 'no date', 'nothing' ]
clock.advance("30m")
db.c.find().toArray().map(d => d._id)
//> [ 'kept', 'tomorrow', 'no date', 'nothing' ]
db.runCommand({ collMod: "c", index: { keyPattern: { at: 1 }, expireAfterSeconds: 0 } })
//> {
//>   expireAfterSeconds_old: Long('3600'),
//>   expireAfterSeconds_new: Long('0'),
//>   ok: 1
//> }
clock.advance("23h")
db.c.find().toArray().map(d => d._id)
//> [ 'kept', 'no date', 'nothing' ]
db.serverStatus().metrics.ttl.deletedDocuments
//> Long('3')
db.c.createIndex({ _id: 1 }, { expireAfterSeconds: 1 })
//> MongoServerError[InvalidIndexSpecificationOption]: The field 'expireAfterSeconds' is not valid for an _id index specification. Specification: { key: { _id: 1 }, name: "_id_1", expireAfterSeconds: 1, v: 2 }
db.c.createIndex({ at: 1 }, { expireAfterSeconds: 5, partialFilterExpression: { temporary: true } })
//> MongoServerError[IndexOptionsConflict]: An equivalent index already exists with the same name but different options. Requested index: { v: 2, key: { at: 1 }, name: "at_1", expireAfterSeconds: 5, partialFilterExpression: { temporary: true } }, existing index: { v: 2, key: { at: 1 }, name: "at_1", expireAfterSeconds: 0, partialFilterExpression: { temporary: true } }
db.c.createIndex({ x: 1 }, { expireAfterSeconds: -1 })
//> MongoServerError[CannotCreateIndex]: . Index spec: { key: { x: 1 }, name: "x_1", expireAfterSeconds: -1 } :: caused by :: TTL index 'expireAfterSeconds' option cannot be less than 0
db.createCollection("log", { capped: true, size: 4096 })
db.log.createIndex({ at: 1 }, { expireAfterSeconds: 5 })
//> at_1
