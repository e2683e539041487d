// A cursor whose collection is dropped or renamed tells so once, and then it is gone.
// Manual: reference/command/getMore

const open = () => {
  db.c.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }])
  return db.runCommand({ find: "c", batchSize: 1 }).cursor.id
}
let id = open()
db.c.drop()
//> true
db.runCommand({ getMore: id, collection: "c" })
//> MongoServerError[QueryPlanKilled]: collection dropped. UUID <*>
db.runCommand({ getMore: id, collection: "c" })
//> MongoServerError[CursorNotFound]: cursor id <*> not found
id = open()
db.c.renameCollection("d", true)
//> { ok: 1 }
db.runCommand({ getMore: id, collection: "c" })
//> MongoServerError[QueryPlanKilled]: collection renamed from 'test.c' to 'test.d'. UUID <*>
id = open()
db.dropDatabase()
//> { ok: 1, dropped: 'test' }
db.runCommand({ getMore: id, collection: "c" })
//> MongoServerError[QueryPlanKilled]: collection dropped. UUID <*>
id = open()
db.runCommand({ convertToCapped: "c", size: 1000 })
//> { ok: 1 }
db.runCommand({ getMore: id, collection: "c" })
//> MongoServerError[QueryPlanKilled]: collection dropped. UUID <*>
db.c.drop()
//> true
id = open()
db.c.drop()
//> true
db.runCommand({ killCursors: "c", cursors: [id] }).cursorsKilled.length
//> 1
db.runCommand({ getMore: id, collection: "c" })
//> MongoServerError[CursorNotFound]: cursor id <*> not found
// killCursors reads its whole list before it closes one; a fork ends its own cursors alone.
id = open()
db.runCommand({ killCursors: "c", cursors: [id, 5] })
//> MongoServerError[TypeMismatch]: BSON field 'killCursors.cursors.1' is the wrong type 'int', expected type 'long'
db.runCommand({ quireFork: 1, commands: [{ drop: "c" }] }).replies[0].ok
//> 1
db.runCommand({ getMore: id, collection: "c" }).cursor.nextBatch
//> [ { _id: 2 }, { _id: 3 } ]
