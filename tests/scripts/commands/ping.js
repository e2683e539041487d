// The smallest commands answer. Manual: reference/command/ping, reference/command/hello.
db.runCommand({ ping: 1 })
//> { ok: 1 }
db.runCommand({ bogus: 1 })
//> MongoServerError[CommandNotFound]: no such command: 'bogus'
db.products.find({ a: 1 }).toArray()
//> []
