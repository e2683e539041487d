// Indexes with a collation, and collections with a default one. Manual: core/indexes/index-types/index-single, reference/collation
db.users.createIndex({ email: 1 }, { unique: true, collation: { locale: "en", strength: 2 } })
//> email_1
db.users.getIndexes()
//> [
//>   { v: 2, key: { _id: 1 }, name: '_id_' },
//>   {
//>     v: 2,
//>     unique: true,
//>     key: { email: 1 },
//>     name: 'email_1',
//>     collation: {
//>       locale: 'en',
//>       caseLevel: false,
//>       caseFirst: 'off',
//>       strength: 2,
//>       numericOrdering: false,
//>       alternate: 'non-ignorable',
//>       maxVariable: 'punct',
//>       normalization: false,
//>       backwards: false,
//>       version: '57.1'
//>     }
//>   }
//> ]
db.users.insertOne({ _id: 1, email: "ada@example.org" }).insertedId
//> 1
db.users.insertOne({ _id: 2, email: "Ada@Example.ORG" })
//> MongoServerError: E11000 duplicate key error collection: test.users index: email_1 collation: { locale: "en", caseLevel: false, caseFirst: "off", strength: 2, numericOrdering: false, alternate: "non-ignorable", maxVariable: "punct", normalization: false, backwards: false, version: "57.1" } dup key: { email: "0x56" }
db.users.insertMany([{ _id: 3, email: "bob@example.org" }, { _id: 4, email: "BOB@example.org" }, { _id: 5, email: "cy@example.org" }], { ordered: false })
//> MongoBulkWriteError: E11000 duplicate key error collection: test.users index: email_1 collation: { locale: "en", caseLevel: false, caseFirst: "off", strength: 2, numericOrdering: false, alternate: "non-ignorable", maxVariable: "punct", normalization: false, backwards: false, version: "57.1" } dup key: { email: "0x572d" }
//> Result: BulkWriteResult {
//>   insertedCount: 2,
//>   matchedCount: 0,
//>   modifiedCount: 0,
//>   deletedCount: 0,
//>   upsertedCount: 0,
//>   upsertedIds: {},
//>   insertedIds: { '0': 3, '2': 5 }
//> }
//> Write Errors: [
//>   WriteError {
//>     err: {
//>       index: 1,
//>       code: 11000,
//>       errmsg: 'E11000 duplicate key error collection: test.users index: email_1 collation: { locale: "en", caseLevel: false, caseFirst: "off", strength: 2, numericOrdering: false, alternate: "non-ignorable", maxVariable: "punct", normalization: false, backwards: false, version: "57.1" } dup key: { email: "0x572d" }',
//>       errInfo: undefined,
//>       op: { _id: 4, email: 'BOB@example.org' }
//>     }
//>   }
//> ]
db.users.insertMany([..."zyxwvutsrqponm"].map((c, i) => ({ _id: 10 + i, email: c + "@example.org" }))).insertedCount
db.users.updateOne({ _id: 5 }, { $set: { email: "ADA@example.org" } })
//> MongoServerError: Plan executor error during update :: caused by :: E11000 duplicate key error collection: test.users index: email_1 collation: { locale: "en", caseLevel: false, caseFirst: "off", strength: 2, numericOrdering: false, alternate: "non-ignorable", maxVariable: "punct", normalization: false, backwards: false, version: "57.1" } dup key: { email: "0x56" }
db.users.updateOne({ _id: 5 }, { $set: { email: "CY@example.org" } })
//> {
//>   acknowledged: true,
//>   insertedId: null,
//>   matchedCount: 1,
//>   modifiedCount: 1,
//>   upsertedCount: 0
//> }
db.users.validate({ full: true }).valid
//> true
const en = { locale: "en", strength: 2 }
const stage = (cursor, collation) => { const p = (collation ? cursor.collation(collation) : cursor).explain().queryPlanner.winningPlan; return [p.stage, p.inputStage?.stage, p.inputStage?.indexBounds] }
db.users.find({ email: "CY@EXAMPLE.org" }).collation(en).toArray()
//> [ { _id: 5, email: 'CY@example.org' } ]
stage(db.users.find({ email: "CY@EXAMPLE.org" }).hint({ email: 1 }), en)
//> [
//>   'FETCH',
//>   'IXSCAN',
//>   { email: [ '[CollationKey(0x5730), CollationKey(0x5730)]' ] }
//> ]
stage(db.users.find({ email: "nobody" }).hint({ email: 1 }), en)
//> [
//>   'FETCH',
//>   'IXSCAN',
//>   {
//>     email: [ '[CollationKey(0x5730557056), CollationKey(0x5730557056)]' ]
//>   }
//> ]
stage(db.users.find({ email: "CY@EXAMPLE.org" }))
//> [ 'COLLSCAN', undefined, undefined ]
stage(db.users.find({ email: "CY@EXAMPLE.org" }), { locale: "en", strength: 1 })
//> [ 'COLLSCAN', undefined, undefined ]
stage(db.users.find({ email: 5 }))
//> [ 'EXPRESS_IXSCAN', undefined, undefined ]
db.users.find({ email: { $gte: "C", $lt: "P" } }).sort({ email: 1 }).collation(en).map(u => u.email)
//> [ 'CY@example.org', 'm@example.org', 'n@example.org', 'o@example.org' ]
stage(db.users.find({ email: { $gte: "C", $lt: "P" } }).sort({ email: -1 }), en)
//> [
//>   'FETCH',
//>   'IXSCAN',
//>   { email: [ '(CollationKey(0x5730557156), CollationKey(0x572d56)]' ] }
//> ]
stage(db.users.find({ email: { $in: ["CY@example.org", "z@EXAMPLE.org", "q"] } }), en)
//> [
//>   'FETCH',
//>   'IXSCAN',
//>   {
//>     email: [
//>       '[CollationKey(0x5730), CollationKey(0x5730)]',
//>       '[CollationKey(0x5730557256), CollationKey(0x5730557256)]',
//>       '[CollationKey(0x5731), CollationKey(0x5731)]'
//>     ]
//>   }
//> ]
stage(db.users.find({ email: { $gt: "a" } }).sort({ email: 1 }))
//> [ 'SORT', 'COLLSCAN', undefined ]
db.users.find({ email: { $gt: "x" } }, { _id: 0, email: 1 }).sort({ email: 1 }).collation(en).toArray()
//> [
//>   { email: 'x@example.org' },
//>   { email: 'y@example.org' },
//>   { email: 'z@example.org' }
//> ]
db.users.find({ email: { $gt: "x" } }).hint({ email: 1 }).count()
//> 3
db.users.find().min({ email: "Y" }).max({ email: "zz" }).hint({ email: 1 }).collation(en).map(u => u._id)
//> [ 11, 10 ]
db.users.find().min({ email: "Y" }).max({ email: "zz" }).hint({ email: 1 }).map(u => u._id)
//> MongoServerError[Location51174]: error processing query: planner returned error :: caused by :: The index chosen is not compatible with min/max
db.users.explain().find({ email: "x" }).collation(en).finish().queryPlanner.collation
//> {
//>   locale: 'en',
//>   caseLevel: false,
//>   caseFirst: 'off',
//>   strength: 2,
//>   numericOrdering: false,
//>   alternate: 'non-ignorable',
//>   maxVariable: 'punct',
//>   normalization: false,
//>   backwards: false,
//>   version: '57.1'
//> }
// Another index over the same field, with another collation, has another name.
db.users.createIndex({ email: 1 })
//> MongoServerError[IndexKeySpecsConflict]: An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation. Requested index: { v: 2, key: { email: 1 }, name: "email_1" }, existing index: { v: 2, unique: true, key: { email: 1 }, name: "email_1", collation: { locale: "en", caseLevel: false, caseFirst: "off", strength: 2, numericOrdering: false, alternate: "non-ignorable", maxVariable: "punct", normalization: false, backwards: false, version: "57.1" } }
db.users.createIndex({ email: 1 }, { name: "exact" })
//> exact
stage(db.users.find({ email: "cy@example.org" }))
//> [
//>   'FETCH',
//>   'IXSCAN',
//>   { email: [ '["cy@example.org", "cy@example.org"]' ] }
//> ]
db.users.dropIndex("exact").ok
//> 1
// Building over what is there; arrays, documents and partial filters.
db.things.insertMany([{ _id: 1, t: ["b", "A"], d: { x: "P" } }, { _id: 2, t: ["a"], d: { x: "q" } }, { _id: 3, t: 5 }, { _id: 4 }]).insertedCount
db.things.createIndexes([{ t: 1 }, { d: 1 }, { "d.x": -1, t: 1 }, { "$**": 1 }], { collation: en })
//> [ 't_1', 'd_1', 'd.x_-1_t_1', '$**_1' ]
db.things.find({ t: "a" }).collation(en).hint({ t: 1 }).map(d => d._id)
//> [ 1, 2 ]
db.things.find({ d: { x: "Q" } }).collation(en).hint({ d: 1 }).map(d => d._id)
//> [ 2 ]
db.things.find({ "d.x": { $gte: "p" } }).collation(en).sort({ "d.x": -1, t: 1 }).map(d => d._id)
//> [ 2, 1 ]
db.things.find({ "d.x": "Q" }).collation(en).hint("$**_1").map(d => d._id)
//> [ 2 ]
db.things.createIndex({ t: "hashed" }, { collation: en, partialFilterExpression: { "d.x": "P" }, name: "p" })
//> MongoServerError[Location16766]: Index build failed: <*>: Collection test.things ( <*> ) :: caused by :: Error: hashed indexes do not currently support array values. Found array at path: t
db.things.validate({ full: true }).valid
//> true
db.things.insertMany([{ _id: 5, t: "x" }, { _id: 6, t: "X" }]).insertedCount
db.things.createIndex({ t: 1 }, { unique: true, collation: { locale: "en", strength: 1 }, name: "u" })
//> MongoServerError[DuplicateKey]: Index build failed: <*>: Collection test.things ( <*> ) :: caused by :: E11000 duplicate key error collection: test.things index: u collation: { locale: "en", caseLevel: false, caseFirst: "off", strength: 1, numericOrdering: false, alternate: "non-ignorable", maxVariable: "punct", normalization: false, backwards: false, version: "57.1" } dup key: { t: "0x56" }
// A collection's default collation is its indexes' and its operations'.
db.createCollection("names", { collation: { locale: "fr", strength: 1 } })
//> { ok: 1 }
db.getCollectionInfos({ name: "names" })[0]
//> {
//>   name: 'names',
//>   type: 'collection',
//>   options: {
//>     collation: {
//>       locale: 'fr',
//>       caseLevel: false,
//>       caseFirst: 'off',
//>       strength: 1,
//>       numericOrdering: false,
//>       alternate: 'non-ignorable',
//>       maxVariable: 'punct',
//>       normalization: false,
//>       backwards: false,
//>       version: '57.1'
//>     }
//>   },
//>   info: {
//>     readOnly: false,
//>     uuid: UUID(<*>)
//>   },
//>   idIndex: {
//>     v: 2,
//>     key: { _id: 1 },
//>     name: '_id_',
//>     collation: {
//>       locale: 'fr',
//>       caseLevel: false,
//>       caseFirst: 'off',
//>       strength: 1,
//>       numericOrdering: false,
//>       alternate: 'non-ignorable',
//>       maxVariable: 'punct',
//>       normalization: false,
//>       backwards: false,
//>       version: '57.1'
//>     }
//>   }
//> }
db.names.createIndex({ n: 1 })
//> n_1
db.names.createIndex({ m: 1 }, { collation: { locale: "simple" } })
//> m_1
db.names.getIndexes()
//> [
//>   {
//>     v: 2,
//>     key: { _id: 1 },
//>     name: '_id_',
//>     collation: {
//>       locale: 'fr',
//>       caseLevel: false,
//>       caseFirst: 'off',
//>       strength: 1,
//>       numericOrdering: false,
//>       alternate: 'non-ignorable',
//>       maxVariable: 'punct',
//>       normalization: false,
//>       backwards: false,
//>       version: '57.1'
//>     }
//>   },
//>   {
//>     v: 2,
//>     key: { n: 1 },
//>     name: 'n_1',
//>     collation: {
//>       locale: 'fr',
//>       caseLevel: false,
//>       caseFirst: 'off',
//>       strength: 1,
//>       numericOrdering: false,
//>       alternate: 'non-ignorable',
//>       maxVariable: 'punct',
//>       normalization: false,
//>       backwards: false,
//>       version: '57.1'
//>     }
//>   },
//>   { v: 2, key: { m: 1 }, name: 'm_1' }
//> ]
db.names.insertMany([{ _id: "un", n: "Été", m: "a" }, { _id: "deux", n: "été", m: "A" }, { _id: "trois", n: "hiver", m: "b" }]).insertedCount
db.names.insertOne({ _id: "UN" })
//> MongoServerError: E11000 duplicate key error collection: test.names index: _id_ collation: { locale: "fr", caseLevel: false, caseFirst: "off", strength: 1, numericOrdering: false, alternate: "non-ignorable", maxVariable: "punct", normalization: false, backwards: false, version: "57.1" } dup key: { _id: "0x56" }
db.names.find({ _id: "DEUX" }).toArray()
//> [ { _id: 'deux', n: 'été', m: 'A' } ]
db.names.find({ n: "ETE" }).sort({ _id: 1 }).map(n => n._id)
//> [ 'deux', 'un' ]
db.names.find({ n: "ete" }).explain().queryPlanner.winningPlan.inputStage.indexName
//> n_1
db.names.find({ m: "A" }).map(n => n._id)
//> [ 'un', 'deux' ]
db.names.find({ m: "A" }).collation({ locale: "simple" }).map(n => n._id)
//> [ 'deux' ]
stage(db.names.find({ m: "A" }), { locale: "simple" })
//> [ 'FETCH', 'IXSCAN', { m: [ '["A", "A"]' ] } ]
db.names.updateOne({ _id: "TROIS" }, { $set: { n: "HIVER" } })
//> {
//>   acknowledged: true,
//>   insertedId: null,
//>   matchedCount: 1,
//>   modifiedCount: 1,
//>   upsertedCount: 0
//> }
db.names.deleteOne({ _id: "Trois" })
//> { acknowledged: true, deletedCount: 1 }
db.names.aggregate([{ $group: { _id: "$n", c: { $sum: 1 } } }]).toArray()
//> [ { _id: 'Été', c: 2 } ]
db.names.createIndex({ _id: 1 }, { collation: { locale: "simple" } })
//> MongoServerError[BadValue]: The _id index must have the same collation as the collection. Index collation: { locale: "simple" }, collection collation: { locale: "fr", caseLevel: false, caseFirst: "off", strength: 1, numericOrdering: false, alternate: "non-ignorable", maxVariable: "punct", normalization: false, backwards: false, version: "57.1" }
db.names.validate({ full: true }).valid
//> true
db.createCollection("names", { collation: { locale: "fr", strength: 1 } })
//> { ok: 1 }
db.createCollection("names", { collation: { locale: "de", strength: 1 } })
//> MongoServerError[NamespaceExists]: namespace test.names already exists, but with different options: { uuid: UUID(<*>), collation: { locale: "fr", caseLevel: false, caseFirst: "off", strength: 1, numericOrdering: false, alternate: "non-ignorable", maxVariable: "punct", normalization: false, backwards: false, version: "57.1" } }
db.createCollection("checked", { collation: { locale: "en", strength: 2 }, validator: { kind: { $in: ["Red", "Blue"] } } })
//> { ok: 1 }
db.checked.insertOne({ _id: 1, kind: "BLUE" }).insertedId
//> 1
db.checked.insertOne({ _id: 2, kind: "green" })
//> MongoServerError: Document failed validation
//> Additional information: {
//>   failingDocumentId: 2,
//>   details: {
//>     operatorName: '$in',
//>     specifiedAs: { kind: { '$in': [ 'Red', 'Blue' ] } },
//>     reason: 'no matching value found in array',
//>     consideredValue: 'green'
//>   }
//> }
// Without strings, documents and arrays inside its bounds an index of another collation gives an order.
db.sizes.insertMany([{ _id: 1, a: 7, b: "b" }, { _id: 2, a: "B", b: 1 }, { _id: 3, a: 6, b: "A" }, { _id: 4, a: 7, b: 0 }, { _id: 5, a: "a", b: 5 }, { _id: 6, b: 2 }, { _id: 7, a: new Date(0) }, { _id: 8, a: { x: "b" } }]).insertedIds
//> { '0': 1, '1': 2, '2': 3, '3': 4, '4': 5, '5': 6, '6': 7, '7': 8 }
db.sizes.createIndex({ a: 1, b: 1 })
//> a_1_b_1
const order = (filter, sort, collation = en) => { const cursor = () => db.sizes.find(filter).sort(sort).collation(collation); let s = cursor().explain().queryPlanner.winningPlan; const names = []; for (; s; s = s.inputStage) names.push(s.stage); return [names.join(), cursor().toArray().map(d => d._id).join()] }
order({ a: { $gt: 5 } }, { a: 1 })
//> [ 'FETCH,IXSCAN', '3,4,1' ]
order({ a: { $gt: 5 } }, { a: -1 })
//> [ 'FETCH,IXSCAN', '1,4,3' ]
order({ a: { $gt: 5 } }, { a: 1, b: 1 })
//> [ 'SORT,FETCH,IXSCAN', '3,4,1' ]
order({ a: 7, b: { $gte: 0 } }, { b: 1 })
//> [ 'FETCH,IXSCAN', '4' ]
order({ a: 7, b: { $gte: 0 } }, { a: 1, b: -1 })
//> [ 'FETCH,IXSCAN', '4' ]
order({ a: 7 }, { b: 1 })
//> [ 'SORT,FETCH,IXSCAN', '4,1' ]
order({ a: { $in: [6, 7] }, b: { $lt: 9 } }, { b: 1 })
//> [ 'SORT_MERGE', '4' ]
order({ a: { $lt: ISODate("2000-01-01") } }, { a: 1 })
//> [ 'FETCH,IXSCAN', '7' ]
order({ a: { $gte: "" } }, { a: 1 })
//> [ 'SORT,COLLSCAN', '5,2' ]
order({ a: { $gte: {} } }, { a: 1 })
//> [ 'SORT,COLLSCAN', '8' ]
order({ a: { $type: ["number", "date"] } }, { a: 1 })
//> [ 'FETCH,IXSCAN', '3,4,1,7' ]
order({ a: { $ne: "a" } }, { a: 1 })
//> [ 'SORT,COLLSCAN', '6,3,1,4,2,8,7' ]
order({}, { a: 1 })
//> [ 'SORT,COLLSCAN', '6,3,1,4,5,2,8,7' ]
db.sizes.insertOne({ _id: 9, a: [6, "z"] }).insertedId
//> 9
order({ a: { $gt: 5 } }, { a: 1 })
//> [ 'SORT,FETCH,IXSCAN', '9,3,4,1' ]
db.sizes.deleteOne({ _id: 9 }).deletedCount
//> 1
db.sizes.dropIndexes().ok
//> 1
db.sizes.createIndex({ a: 1, b: 1 }, { collation: { locale: "en", strength: 1 } })
//> a_1_b_1
order({ a: { $gt: 5 } }, { a: 1 })
//> [ 'FETCH,IXSCAN', '3,4,1' ]
order({ a: 7, b: { $lt: 3 } }, { b: -1 })
//> [ 'FETCH,IXSCAN', '4' ]
order({ a: { $gt: 5 } }, { a: 1 }, { locale: "simple" })
//> [ 'FETCH,IXSCAN', '3,4,1' ]
order({ a: { $gt: "" } }, { a: 1 }, { locale: "simple" })
//> [ 'SORT,COLLSCAN', '2,5' ]
