// Capped collections to the letter: limits, tailable cursors, growing updates, what is refused.
//
// Manual: core/capped-collections, core/tailable-cursors, reference/command/collMod
db.createCollection("c", {capped: true, size: 1})
//> { ok: 1 }
db.getCollectionInfos({name: "c"})[0].options
//> { capped: true, size: 256 }
db.createCollection("c2", {capped: true, size: 5000, max: 0})
//> { ok: 1 }
db.getCollectionInfos({name: "c2"})[0].options
//> { capped: true, size: 5120, max: 2147483647 }
db.createCollection("c3", {capped: true, size: 0})
//> MongoServerError[BadValue]: BSON field 'size' value must be >= 1, actual value '0'
db.createCollection("c3", {capped: true, size: -1})
//> MongoServerError[BadValue]: BSON field 'size' value must be >= 1, actual value '-1'
db.createCollection("c3", {capped: true, size: 1.5})
//> { ok: 1 }
db.createCollection("c3", {capped: true, size: "1"})
//> MongoServerError[TypeMismatch]: BSON field 'create.size' is the wrong type 'string', expected types '[long, int, decimal, double']
db.createCollection("c3", {capped: false, size: 100})
//> MongoServerError[InvalidOptions]: the 'capped' field needs to be true when either the 'size' or 'max' fields are present
db.createCollection("c3", {size: 100})
//> MongoServerError[InvalidOptions]: the 'capped' field needs to be true when either the 'size' or 'max' fields are present
db.createCollection("c3", {max: 100})
//> MongoServerError[InvalidOptions]: the 'capped' field needs to be true when either the 'size' or 'max' fields are present
db.createCollection("c3", {capped: true, max: 100})
//> MongoServerError[InvalidOptions]: the 'size' field is required when 'capped' is true
db.createCollection("c4", {capped: true, size: 1e16})
//> MongoServerError[BadValue]: BSON field 'size' value must be <= 1125899906842624, actual value '10000000000000000'
db.createCollection("c4", {capped: true, size: 100, max: 2147483648})
//> MongoServerError[BadValue]: BSON field 'max' value must be < 2147483648, actual value '2147483648'
db.createCollection("log", {capped: true, size: 100000, max: 3})
//> { ok: 1 }
for (let i = 1; i <= 5; i++) db.log.insertOne({_id: i, n: i})
db.log.find()
//> [ { _id: 3, n: 3 }, { _id: 4, n: 4 }, { _id: 5, n: 5 } ]
db.log.find().sort({$natural: -1})
//> [ { _id: 5, n: 5 }, { _id: 4, n: 4 }, { _id: 3, n: 3 } ]
db.log.find().sort({$natural: 1, n: 1})
//> MongoServerError[BadValue]: Cannot include '$natural' in compound sort: { $natural: 1, n: 1 }
db.log.find().hint({$natural: -1})
//> [ { _id: 5, n: 5 }, { _id: 4, n: 4 }, { _id: 3, n: 3 } ]
db.log.find().sort({$natural: 2})
//> MongoInvalidArgumentError: Invalid sort direction: 2
db.runCommand({find: "log", sort: {$natural: 2}})
//> MongoServerError[BadValue]: $natural sort cannot be set to a value other than -1 or 1: { $natural: 2 }
db.log.deleteOne({_id: 4})
//> { acknowledged: true, deletedCount: 1 }
db.log.deleteMany({})
//> { acknowledged: true, deletedCount: 2 }
db.log.insertMany([{_id: 1}, {_id: 2}, {_id: 3}, {_id: 4}, {_id: 5}]).insertedIds
//> { '0': 1, '1': 2, '2': 3, '3': 4, '4': 5 }
db.log.find()
//> [ { _id: 3 }, { _id: 4 }, { _id: 5 } ]
db.log.updateOne({_id: 4}, {$set: {big: "x".repeat(1000)}})
//> {
//>   acknowledged: true,
//>   insertedId: null,
//>   matchedCount: 1,
//>   modifiedCount: 1,
//>   upsertedCount: 0
//> }
db.log.replaceOne({_id: 3}, {z: 1}).modifiedCount
//> 1
db.log.find({}, {big: 0})
//> [ { _id: 3, z: 1 }, { _id: 4 }, { _id: 5 } ]
db.log.isCapped()
//> true
db.log.stats().capped
//> true
const s = db.log.stats(); [s.max, s.maxSize, s.count, s.size, s.nindexes]
//> [ 3, 100096, 3, 1059, 1 ]
db.runCommand({collMod: "log", cappedSize: 100})
//> { ok: 1 }
db.getCollectionInfos({name: "log"})[0].options
//> { capped: true, size: 256, max: 3 }
db.log.find().toArray().length
//> 3
db.log.insertOne({_id: 6})
//> { acknowledged: true, insertedId: 6 }
db.log.find()
//> [ { _id: 5 }, { _id: 6 } ]
db.runCommand({collMod: "log", cappedMax: 1})
//> { ok: 1 }
db.log.find()
//> [ { _id: 5 }, { _id: 6 } ]
db.log.insertOne({_id: 7})
//> { acknowledged: true, insertedId: 7 }
db.log.find()
//> [ { _id: 7 } ]
db.runCommand({collMod: "log", cappedMax: 0})
//> { ok: 1 }
db.runCommand({collMod: "log", cappedMax: -5})
//> { ok: 1 }
db.getCollectionInfos({name: "log"})[0].options
//> { capped: true, size: 256, max: 2147483647 }
db.runCommand({collMod: "log", cappedSize: 0})
//> MongoServerError[BadValue]: BSON field 'cappedSize' value must be >= 1, actual value '0'
db.runCommand({collMod: "log", cappedSize: -1})
//> MongoServerError[BadValue]: BSON field 'cappedSize' value must be >= 1, actual value '-1'
db.runCommand({collMod: "log", cappedSize: "x"})
//> MongoServerError[TypeMismatch]: BSON field 'collMod.cappedSize' is the wrong type 'string', expected types '[long, int, decimal, double']
db.runCommand({collMod: "log", cappedSize: Long("1125899906842625")})
//> MongoServerError[BadValue]: BSON field 'cappedSize' value must be <= 1125899906842624, actual value '1125899906842625'
db.runCommand({collMod: "log", cappedMax: 2147483648})
//> MongoServerError[BadValue]: BSON field 'cappedMax' value must be < 2147483648, actual value '2147483648'
db.plain.insertOne({_id: 1})
//> { acknowledged: true, insertedId: 1 }
db.runCommand({collMod: "plain", cappedSize: 1000})
//> MongoServerError[InvalidOptions]: Collection must be capped.
db.runCommand({collMod: "plain", cappedMax: 1000})
//> MongoServerError[InvalidOptions]: Collection must be capped.
db.runCommand({collMod: "plain"})
//> { ok: 1 }
db.runCommand({collMod: "plain", foo: 1})
//> MongoServerError[IDLUnknownField]: BSON field 'collMod.foo' is an unknown field.
db.runCommand({convertToCapped: "plain"})
//> MongoServerError[InvalidOptions]: Capped collection size must be greater than zero
db.runCommand({convertToCapped: "plain", size: 0})
//> MongoServerError[InvalidOptions]: Capped collection size must be greater than zero
db.runCommand({convertToCapped: "plain", size: "x"})
//> MongoServerError[TypeMismatch]: BSON field 'convertToCapped.size' is the wrong type 'string', expected types '[long, int, decimal, double']
db.runCommand({convertToCapped: "plain", size: 1000})
//> { ok: 1 }
db.plain.isCapped()
//> true
db.runCommand({convertToCapped: "plain", size: 2000})
//> { ok: 1 }
db.getCollectionInfos({name: "plain"})[0].options
//> { capped: true, size: 2048 }
db.runCommand({cloneCollectionAsCapped: "log", toCollection: "log2", size: 1000})
//> { ok: 1 }
db.runCommand({cloneCollectionAsCapped: "none", toCollection: "log3", size: 1000})
//> MongoServerError[NamespaceNotFound]: cloneCollectionAsCapped source collection test.none does not exist
db.runCommand({cloneCollectionAsCapped: "log", toCollection: "log2", size: 1000})
//> MongoServerError[NamespaceExists]: cloneCollectionAsCapped failed - destination collection test.log2 already exists. source collection: test.log
db.log.createIndex({at: 1}, {expireAfterSeconds: 1})
//> at_1
db.log.createIndex({n: 1})
//> n_1
db.log.createIndex({n: 1}, {unique: true, name: "uu"})
//> uu
db.log.drop()
//> true
db.createCollection("t", {capped: true, size: 1000})
//> { ok: 1 }
const r0 = db.runCommand({find: "plain", tailable: true}); [r0.cursor.id > 0, r0.cursor.firstBatch]
//> [ true, [ { _id: 1 } ] ]
db.runCommand({find: "empty", tailable: true})
//> { cursor: { firstBatch: [], id: Long('0'), ns: 'test.empty' }, ok: 1 }
db.runCommand({find: "t", awaitData: true})
//> MongoServerError[FailedToParse]: Cannot set 'awaitData' without also setting 'tailable'
db.nc.insertOne({}).acknowledged
//> true
db.runCommand({find: "nc", tailable: true})
//> MongoServerError[BadValue]: error processing query: ns=test.nc :: caused by :: tailable cursor requested on non capped collection
db.runCommand({find: "t", tailable: true}).cursor.id
//> Long('0')
db.t.insertMany([{_id: 1}, {_id: 2}]).acknowledged
//> true
db.runCommand({find: "t", tailable: true, sort: {_id: 1}})
//> MongoServerError[BadValue]: cannot use tailable option with a sort other than {$natural: 1}
db.runCommand({find: "t", tailable: true, sort: {$natural: -1}})
//> MongoServerError[BadValue]: cannot use tailable option with a sort other than {$natural: 1}
db.runCommand({find: "t", tailable: true, sort: {$natural: 1}}).ok
//> 1
db.runCommand({find: "t", tailable: true, singleBatch: true})
//> MongoServerError[BadValue]: cannot use tailable option with the 'singleBatch' option
db.runCommand({find: "t", tailable: true, hint: {_id: 1}}).ok
//> 1
const r1 = db.runCommand({find: "t", tailable: true, awaitData: true, batchSize: 1}); r1.cursor.firstBatch
//> [ { _id: 1 } ]
db.runCommand({getMore: r1.cursor.id, collection: "t"}).cursor.nextBatch
//> [ { _id: 2 } ]
db.runCommand({getMore: r1.cursor.id, collection: "t"}).cursor.nextBatch
//> []
db.t.insertOne({_id: 3}).acknowledged
//> true
db.runCommand({getMore: r1.cursor.id, collection: "t", maxTimeMS: 10}).cursor.nextBatch
//> [ { _id: 3 } ]
for (let i = 10; i < 60; i++) db.t.insertOne({_id: i, pad: "x".repeat(50)})
db.runCommand({getMore: r1.cursor.id, collection: "t"})
//> MongoServerError[CappedPositionLost]: Executor error during getMore :: caused by :: CollectionScan died due to failure to restore tailable cursor position. Last seen record id: RecordId(3)
db.runCommand({getMore: r1.cursor.id, collection: "t"})
//> MongoServerError[CursorNotFound]: cursor id <*> not found
const r2 = db.runCommand({find: "t", tailable: true, awaitData: true}); 
r2.cursor.firstBatch.length
//> 13
db.t.drop()
//> true
db.runCommand({getMore: r2.cursor.id, collection: "t"})
//> MongoServerError[QueryPlanKilled]: collection dropped. UUID <*>
db.runCommand({getMore: r2.cursor.id, collection: "t"})
//> MongoServerError[CursorNotFound]: cursor id <*> not found
db.createCollection("up", {capped: true, size: 512})
//> { ok: 1 }
db.up.insertMany([{_id: 1, p: "x".repeat(200)}, {_id: 2, p: "x".repeat(200)}]).acknowledged
//> true
db.up.updateOne({_id: 2}, {$set: {p: "x".repeat(400)}})
//> {
//>   acknowledged: true,
//>   insertedId: null,
//>   matchedCount: 1,
//>   modifiedCount: 1,
//>   upsertedCount: 0
//> }
db.up.find({}, {p: 0})
//> [ { _id: 1 }, { _id: 2 } ]
db.up.updateOne({_id: 2}, {$set: {p: "x".repeat(800)}})
//> {
//>   acknowledged: true,
//>   insertedId: null,
//>   matchedCount: 1,
//>   modifiedCount: 1,
//>   upsertedCount: 0
//> }
db.up.find({}, {p: 0})
//> [ { _id: 1 }, { _id: 2 } ]
db.up.insertOne({p: "x".repeat(600)})
//> MongoServerError: object to insert exceeds cappedMaxSize
db.adminCommand({renameCollection: "test.up", to: "test.up2"})
//> { ok: 1 }
db.up2.isCapped()
//> true
db.adminCommand({renameCollection: "test.up2", to: "other.up2"})
//> { ok: 1 }
db.getSiblingDB("other").up2.isCapped()
//> true
