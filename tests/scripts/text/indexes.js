// Text indexes: how they are kept, one a collection, and what is refused. Manual: core/indexes/index-types/index-text.
const error = (run) => { try { run(); return "no error" } catch (e) { return e.code + " " + e.message } }
const shown = (name) => db[name].getIndexes().filter(index => index.name !== "_id_")
db.a.createIndex({ content: "text" })
//> content_text
shown("a")
//> [
//>   {
//>     v: 2,
//>     key: { _fts: 'text', _ftsx: 1 },
//>     name: 'content_text',
//>     weights: { content: 1 },
//>     default_language: 'english',
//>     language_override: 'language',
//>     textIndexVersion: 3
//>   }
//> ]
db.a.createIndex({ content: "text" })
//> content_text
db.a.createIndex({ content: "text" }, { textIndexVersion: 2 })
//> content_text
db.a.createIndex({ content: "text" }, { default_language: "english", language_override: "language" })
//> content_text
error(() => db.a.createIndex({ title: "text" }))
//> 67 only one text index per collection allowed, found existing text index "content_text"
error(() => db.a.createIndex({ content: "text" }, { default_language: "none" }))
//> 86 An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation. Requested index: { v: 2, key: { _fts: "text", _ftsx: 1 }, name: "content_text", default_language: "none", weights: { content: 1 }, language_override: "language", textIndexVersion: 3 }, existing index: { v: 2, key: { _fts: "text", _ftsx: 1 }, name: "content_text", weights: { content: 1 }, default_language: "english", language_override: "language", textIndexVersion: 3 }
error(() => db.a.createIndex({ content: "text" }, { name: "other" }))
//> 85 Index already exists with a different name: content_text
error(() => db.a.createIndex({ content: "text", other: 1 }))
//> 67 only one text index per collection allowed, found existing text index "content_text"
// A compound one, with weights; the options stand in the order in which they were given.
db.b.createIndex({ k: 1, title: "text", body: "text", at: -1 }, { weights: { title: 10, "more.words": 3 }, default_language: "french", name: "words" })
//> words
shown("b")
//> [
//>   {
//>     v: 2,
//>     key: { k: 1, _fts: 'text', _ftsx: 1, at: -1 },
//>     name: 'words',
//>     weights: { body: 1, 'more.words': 3, title: 10 },
//>     default_language: 'french',
//>     language_override: 'language',
//>     textIndexVersion: 3
//>   }
//> ]
db.c.createIndex({ "$**": "text" }, { weights: { title: 5 }, language_override: "lang", default_language: "none" })
//> $**_text
shown("c")
//> [
//>   {
//>     v: 2,
//>     key: { _fts: 'text', _ftsx: 1 },
//>     name: '$**_text',
//>     weights: { '$**': 1, title: 5 },
//>     language_override: 'lang',
//>     default_language: 'none',
//>     textIndexVersion: 3
//>   }
//> ]
db.c.insertMany([{ _id: 1, title: "tea", other: ["green tea", { deep: "Assam" }] }, { _id: 2, n: 5 }])
//> { acknowledged: true, insertedIds: { '0': 1, '1': 2 } }
db.c.validate().keysPerIndex
//> { _id_: 2, '$**_text': 3 }
db.d.createIndex({ _fts: "text", _ftsx: 1 }, { weights: { a: 1 }, name: "kept" })
//> kept
shown("d")
//> [
//>   {
//>     v: 2,
//>     key: { _fts: 'text', _ftsx: 1 },
//>     name: 'kept',
//>     weights: { a: 1 },
//>     default_language: 'english',
//>     language_override: 'language',
//>     textIndexVersion: 3
//>   }
//> ]
db.d.dropIndex("kept")
//> { nIndexesWas: 2, ok: 1 }
// Refusals of specifications.
const refused = (key, options) => error(() => db.e.createIndex(key, options))
refused({ a: "text" }, { default_language: "spanglish" })
//> 67 Error in specification { key: { a: "text" }, name: "a_text", default_language: "spanglish" } :: caused by :: default_language is not valid
refused({ a: "text" }, { default_language: 5 })
//> 14 Error in specification { key: { a: "text" }, name: "a_text", default_language: 5 } :: caused by :: The field 'default_language' must be a string, but got int
refused({ a: "text" }, { language_override: null })
//> 14 Error in specification { key: { a: "text" }, name: "a_text", language_override: null } :: caused by :: The field 'language_override' must be a string, but got null
refused({ a: "text" }, { weights: 5 })
//> 14 Error in specification { key: { a: "text" }, name: "a_text", weights: 5 } :: caused by :: The field 'weights' must be an object, but got int
refused({ a: "text" }, { weights: [] })
//> 67 Error in specification { key: { a: "text" }, name: "a_text", weights: [] } :: caused by :: text index option 'weights' must be an object
refused({ a: "text" }, { textIndexVersion: "3" })
//> 14 Error in specification { key: { a: "text" }, name: "a_text", textIndexVersion: "3" } :: caused by :: The field 'textIndexVersion' must be a number, but got string
// Other kinds check the types alone, and keep what they have no use for; weights are texts' alone.
refused({ a: 1 }, { default_language: 5 })
//> 14 Error in specification { key: { a: 1 }, name: "a_1", default_language: 5 } :: caused by :: The field 'default_language' must be a string, but got int
db.e.createIndex({ a: 1 }, { default_language: "spanglish", language_override: "a.b", textIndexVersion: 7 })
//> a_1
db.e.getIndexes()[1]
//> {
//>   v: 2,
//>   key: { a: 1 },
//>   name: 'a_1',
//>   default_language: 'spanglish',
//>   language_override: 'a.b',
//>   textIndexVersion: 7
//> }
refused({ a: "text" }, { language_override: "a.b" })
//> 67 Error in specification { key: { a: "text" }, name: "a_text", language_override: "a.b" } :: caused by :: language_override is not valid
refused({ a: "text" }, { textIndexVersion: 4 })
//> 67 Error in specification { key: { a: "text" }, name: "a_text", textIndexVersion: 4 } :: caused by :: bad textIndexVersion: 4
refused({ a: "text" }, { weights: { a: 100000 } })
//> 67 Error in specification { key: { a: "text" }, name: "a_text", weights: { a: 100000 } } :: caused by :: text index weight must be in the exclusive interval (0,100000) but found: 100000
refused({ a: "text" }, { weights: { a: 0 } })
//> 67 Error in specification { key: { a: "text" }, name: "a_text", weights: { a: 0 } } :: caused by :: text index weight must be in the exclusive interval (0,100000) but found: 0
refused({ a: "text" }, { weights: { a: "x" } })
//> 67 Error in specification { key: { a: "text" }, name: "a_text", weights: { a: "x" } } :: caused by :: weight for text index needs numeric type
refused({ a: "text" }, { weights: "x" })
//> 67 Error in specification { key: { a: "text" }, name: "a_text", weights: "x" } :: caused by :: text index option 'weights' must be an object
refused({ a: 1 }, { weights: { a: 1 } })
//> 67 Error in specification { key: { a: 1 }, name: "a_1", weights: { a: 1 } } :: caused by :: Invalid index specification { key: { a: 1 }, name: "a_1", weights: { a: 1 } }; the field 'weights' can only be specified with text indexes
refused({ a: "text", b: 1, c: "text" })
//> 67 Error in specification { key: { a: "text", b: 1, c: "text" }, name: "a_text_b_1_c_text" } :: caused by :: 'text' fields in index must all be adjacent
refused({ a: "text", b: 2 })
//> 67 Error in specification { key: { a: "text", b: 2 }, name: "a_text_b_2" } :: caused by :: expected value 1 or -1 for non-text key in compound index
refused({ a: "text", b: "hashed" })
//> 67 Error in specification { key: { a: "text", b: "hashed" }, name: "a_text_b_hashed" } :: caused by :: Can't use more than one index plugin for a single index.
refused({ "a.$**": "text" })
//> 67 Error in specification { key: { a.$**: "text" }, name: "a.$**_text" } :: caused by :: weight cannot have path component with $ prefix
refused({ "a.$b": "text" })
//> 67 Error in specification { key: { a.$b: "text" }, name: "a.$b_text" } :: caused by :: weight cannot have path component with $ prefix
refused({ a: "text" }, { collation: { locale: "fr" } })
//> 67 Error in specification { key: { _fts: "text", _ftsx: 1 }, name: "a_text", collation: { locale: "fr" }, weights: { a: 1 }, default_language: "english", language_override: "language", textIndexVersion: 3, v: 2 } :: caused by :: Index type 'text' does not support collation: { locale: "fr", caseLevel: false, caseFirst: "off", strength: 3, numericOrdering: false, alternate: "non-ignorable", maxVariable: "punct", normalization: false, backwards: false, version: "57.1" }
refused({ a: "text" }, { expireAfterSeconds: 5 })
//> 67 TTL indexes are single-field indexes, compound indexes do not support TTL. Index spec: { key: { _fts: "text", _ftsx: 1 }, name: "a_text", expireAfterSeconds: 5, weights: { a: 1 }, default_language: "english", language_override: "language", textIndexVersion: 3 }
refused({ _fts: 1 })
//> 67 Error in specification { key: { _fts: 1 }, name: "_fts_1" } :: caused by :: Index key contains an illegal field name: '_fts'
db.createCollection("f", { collation: { locale: "fr" } })
//> { ok: 1 }
error(() => db.f.createIndex({ a: "text" }))
//> 67 Error in specification { key: { _fts: "text", _ftsx: 1 }, name: "a_text", weights: { a: 1 }, default_language: "english", language_override: "language", textIndexVersion: 3, v: 2 } :: caused by :: Index type 'text' does not support collation: { locale: "fr", caseLevel: false, caseFirst: "off", strength: 3, numericOrdering: false, alternate: "non-ignorable", maxVariable: "punct", normalization: false, backwards: false, version: "57.1" }
db.f.createIndex({ a: "text" }, { collation: { locale: "simple" } })
//> a_text
// Documents whose languages are none, and arrays beside the text.
db.g.createIndex({ k: 1, a: "text" })
//> k_1_a_text
error(() => db.g.insertOne({ a: "x", language: "spanglish" }))
//> 17262 language override unsupported: spanglish
error(() => db.g.insertOne({ a: "x", language: 5 }))
//> 17261 found language override field in document with non-string type
error(() => db.g.insertOne({ _id: 1, k: [1], a: "x" }))
//> 201 Field 'k' of text index contains an array in document: { _id: 1, k: [ 1 ], a: "x" }
db.g.insertOne({ _id: 1, k: 1, a: ["x", "y"], language: "es" })
//> { acknowledged: true, insertedId: 1 }
db.h.insertOne({ _id: 1, a: "x", language: "spanglish" })
//> { acknowledged: true, insertedId: 1 }
error(() => db.h.createIndex({ a: "text" }))
//> 17262 Index build failed: <*>: Collection test.h ( <*> ) :: caused by :: language override unsupported: spanglish
// What is beside other indexes: no other query reads a text index, unless it is told to.
db.g.find({ k: 1 }).explain().queryPlanner.winningPlan.stage
//> COLLSCAN
db.g.find({ k: 1 }).hint({ k: 1, _fts: "text", _ftsx: 1 }).toArray()
//> [ { _id: 1, k: 1, a: [ 'x', 'y' ], language: 'es' } ]
db.g.find().sort({ k: 1 }).explain().queryPlanner.winningPlan.inputStage.stage
//> COLLSCAN
// Partial, hidden and unique ones.
db.i.createIndex({ a: "text" }, { partialFilterExpression: { on: true } })
//> a_text
db.i.insertMany([{ _id: 1, a: "tea", on: true }, { _id: 2, a: "tea", on: false }])
//> { acknowledged: true, insertedIds: { '0': 1, '1': 2 } }
db.i.find({ $text: { $search: "tea" }, on: true })
//> [ { _id: 1, a: 'tea', on: true } ]
error(() => db.i.find({ $text: { $search: "tea" } }).toArray())
//> 291 error processing query: planner returned error :: caused by :: failed to use text index to satisfy $text query (if text index is compound, are equality predicates given for all prefix fields?)
db.i.hideIndex("a_text")
//> { hidden_old: false, hidden_new: true, ok: 1 }
error(() => db.i.find({ $text: { $search: "tea" }, on: true }).toArray())
//> 291 error processing query: planner returned error :: caused by :: need exactly one text index for $text query
db.i.unhideIndex("a_text")
//> { hidden_old: true, hidden_new: false, ok: 1 }
db.j.createIndex({ a: "text" }, { textIndexVersion: 2, default_language: "none" })
//> a_text
db.j.insertOne({ _id: 1, a: "CAFÉ Dogs" })
//> { acknowledged: true, insertedId: 1 }
[db.j.find({ $text: { $search: "café" } }).count(), db.j.find({ $text: { $search: "cafÉ" } }).count(), db.j.find({ $text: { $search: "DOGS" } }).count()]
//> [ 0, 1, 1 ]
db.k.createIndex({ a: "text" }, { textIndexVersion: 1, default_language: "English" })
//> a_text
shown("k")[0].textIndexVersion
//> 1
