// A collection and each of its indexes take a page from their creation, and keep one when everything is deleted.
//
// Manual: reference/command/collStats
const sizes = () => { const s = db.c.stats(); return [s.count, s.storageSize, s.totalIndexSize, s.totalSize] }
db.createCollection("c")
//> { ok: 1 }
sizes()
//> [ 0, 16384, 16384, 32768 ]
db.c.createIndex({a: 1})
//> a_1
db.c.createIndex({b: 1}, {sparse: true})
//> b_1
sizes()
//> [ 0, 16384, 49152, 65536 ]
db.c.stats().indexSizes
//> { _id_: 16384, a_1: 16384, b_1: 16384 }
db.c.insertMany(Array.from({length: 2000}, (_, i) => ({_id: i, a: "text " + i}))).acknowledged
//> true
sizes().map((size, at) => at === 0 ? size : size > 65536)
//> [ 2000, true, true, true ]
// The sparse index has no key.
db.c.stats().indexSizes.b_1
//> 16384
db.c.deleteMany({_id: {$lt: 1990}}).deletedCount
//> 1990
for (let i = 1990; i < 2000; i++) db.c.deleteOne({_id: i})
//> { acknowledged: true, deletedCount: 1 }
sizes()
//> [ 0, 16384, 49152, 65536 ]
db.c.validate().valid
//> true
db.c.drop()
//> true
db.stats().storageSize + db.stats().indexSize
//> 0
