// Databases and collections: names, renaming, dropping, statistics.
// Manual: reference/limits (naming restrictions), reference/command/renameCollection

db.createCollection("a$b")
//> MongoServerError[InvalidNamespace]: Invalid collection name: a$b
db.createCollection("system.mine")
//> MongoServerError[InvalidNamespace]: Invalid system namespace: test.system.mine
db.a.insertOne({ _id: 1 })
db.createCollection("a")
//> { ok: 1 }
db.createCollection("a", { capped: true, size: 4096 })
//> MongoServerError[NamespaceExists]: namespace test.a already exists, but with different options: { uuid: UUID("<*>") }
db.a.renameCollection("b")
//> { ok: 1 }
db.b.renameCollection("b")
//> MongoServerError[IllegalOperation]: Can't rename a collection to itself
db.getCollectionNames()
//> [ 'b' ]
db.b.stats().count
//> 1
db.stats().objects
//> Long('1')
db.b.drop()
//> true
db.dropDatabase()
//> { ok: 1, dropped: 'test' }
db.getSiblingDB("admin").dropDatabase()
//> MongoServerError[IllegalOperation]: Dropping the 'admin' database is prohibited.
db.moved.insertOne({ _id: 1 }).acknowledged
//> true
db.adminCommand({ renameCollection: "test.moved", to: "local.moved" })
//> MongoServerError[IllegalOperation]: Cannot rename collections between a replicated and an unreplicated database
