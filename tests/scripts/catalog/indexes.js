// Indexes: building over existing data, duplicates, conflicts, options, dropping.
// Manual: reference/command/createIndexes, reference/command/dropIndexes

db.c.insertMany([{ _id: 1, a: 1, tags: ["x", "y"] }, { _id: 2, a: 1, tags: [] }, { _id: 3 }]).acknowledged
//> true
db.c.createIndex({ tags: 1 })
//> tags_1
db.c.createIndex({ a: 1 }, { unique: true })
//> MongoServerError[DuplicateKey]: Index build failed: <*>: Collection test.c ( <*> ) :: caused by :: E11000 duplicate key error collection: test.c index: a_1 dup key: { a: 1 }
db.c.createIndex({ a: 1 }, { unique: true, partialFilterExpression: { a: { $gt: 1 } } })
//> a_1
db.c.createIndex({ a: 1 }, { name: "other", expireAfterSeconds: 60 })
//> other
db.c.insertOne({ _id: 4, a: 2 })
db.c.insertOne({ _id: 5, a: 2 })
//> MongoServerError: E11000 duplicate key error collection: test.c index: a_1 dup key: { a: 2 }
db.c.createIndex({ a: 1, b: 1 }, { expireAfterSeconds: 60 })
//> MongoServerError[CannotCreateIndex]: TTL indexes are single-field indexes, compound indexes do not support TTL. Index spec: { key: { a: 1, b: 1 }, name: "a_1_b_1", expireAfterSeconds: 60 }
db.c.createIndex({ a: "text" })
//> a_text
db.c.createIndex({ tags: 1, list: 1 })
db.c.insertOne({ tags: [1], list: [2] })
//> MongoServerError: cannot index parallel arrays [list] [tags]
db.c.getIndexes()
//> [
//>   { v: 2, key: { _id: 1 }, name: '_id_' },
//>   { v: 2, key: { tags: 1 }, name: 'tags_1' },
//>   {
//>     v: 2,
//>     unique: true,
//>     key: { a: 1 },
//>     name: 'a_1',
//>     partialFilterExpression: { a: { '$gt': 1 } }
//>   },
//>   { v: 2, key: { a: 1 }, name: 'other', expireAfterSeconds: 60 },
//>   {
//>     v: 2,
//>     key: { _fts: 'text', _ftsx: 1 },
//>     name: 'a_text',
//>     weights: { a: 1 },
//>     default_language: 'english',
//>     language_override: 'language',
//>     textIndexVersion: 3
//>   },
//>   { v: 2, key: { tags: 1, list: 1 }, name: 'tags_1_list_1' }
//> ]
db.system.indexes.find({ name: "tags_1" })
//> [ { v: 2, key: { tags: 1 }, name: 'tags_1', ns: 'test.c' } ]
db.c.dropIndex("nope")
//> MongoServerError[IndexNotFound]: index not found with name [nope]
db.c.dropIndex({ tags: 1 })
//> { nIndexesWas: 6, ok: 1 }
db.c.dropIndex("_id_")
//> MongoServerError[InvalidOptions]: cannot drop _id index
db.c.dropIndexes()
//> {
//>   nIndexesWas: 5,
//>   msg: 'non-_id indexes dropped for collection',
//>   ok: 1
//> }
db.c.validate().valid
//> true
