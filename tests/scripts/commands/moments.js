// Moments: states that are kept, looked at, compared and brought back. See docs/moments.md
const run = (c) => { try { return db.runCommand(c) } catch (e) { return e.code + " " + e.codeName + " " + e.message } }
db.herbs.insertMany([{_id: 1, name: "mint", bed: {row: 1, tags: ["wild"]}}, {_id: 2, name: "sage"}, {_id: 3, name: "dill"}])
//> { acknowledged: true, insertedIds: { '0': 1, '1': 2, '2': 3 } }
run({quireMoments: 1})
//> { moments: [], pages: 0, unnamedPages: 0, pageBytes: 16384, ok: 1 }
const planted = run({quireMoment: 1, name: "planted", what: "three herbs"})
planted
//> { number: <*>, reused: false, dropped: [], ok: 1 }
run({quireMoment: 1})
//> {
//>   number: <*>,
//>   reused: true,
//>   changes: { added: 0, removed: 0, changed: 0, pages: 0 },
//>   dropped: [],
//>   ok: 1
//> }
db.herbs.updateOne({_id: 1}, {$set: {"bed.row": 2, "bed.sun": true}, $unset: {name: 1}})
db.herbs.deleteOne({_id: 2})
db.herbs.insertOne({_id: 4, name: "thyme"})
db.herbs.createIndex({name: 1})
db.trees.insertOne({_id: 1, name: "oak"})
//> { acknowledged: true, insertedId: 1 }
run({quireDifference: 1, from: "planted"})
//> {
//>   collections: [
//>     {
//>       ns: 'test.herbs',
//>       state: 'changed',
//>       definition: true,
//>       added: 1,
//>       removed: 1,
//>       changed: 1,
//>       pages: 3
//>     },
//>     {
//>       ns: 'test.trees',
//>       state: 'added',
//>       definition: true,
//>       added: 1,
//>       removed: 0,
//>       changed: 0,
//>       pages: 2
//>     }
//>   ],
//>   ok: 1
//> }
run({quireDifference: "herbs", from: "planted"})
//> {
//>   ns: 'test.herbs',
//>   documents: [
//>     {
//>       change: 'changed',
//>       _id: 1,
//>       fields: [
//>         { field: 'name', before: 'mint' },
//>         { field: 'bed.row', before: 1, after: 2 },
//>         { field: 'bed.sun', after: true }
//>       ]
//>     },
//>     { change: 'removed', _id: 2, document: { _id: 2, name: 'sage' } },
//>     { change: 'added', _id: 4, document: { _id: 4, name: 'thyme' } }
//>   ],
//>   ok: 1
//> }
run({quireDifference: "herbs", from: "planted", limit: 1})
//> {
//>   ns: 'test.herbs',
//>   documents: [
//>     {
//>       change: 'changed',
//>       _id: 1,
//>       fields: [
//>         { field: 'name', before: 'mint' },
//>         { field: 'bed.row', before: 1, after: 2 },
//>         { field: 'bed.sun', after: true }
//>       ]
//>     }
//>   ],
//>   next: Long('1'),
//>   ok: 1
//> }
run({quireDifference: "herbs", from: "planted", limit: 1, after: Long(1)})
//> {
//>   ns: 'test.herbs',
//>   documents: [ { change: 'removed', _id: 2, document: { _id: 2, name: 'sage' } } ],
//>   next: Long('2'),
//>   ok: 1
//> }
const second = run({quireMoment: 1, what: "changed"})
second
//> {
//>   number: <*>,
//>   reused: false,
//>   changes: { added: 2, removed: 1, changed: 1, pages: 6 },
//>   dropped: [],
//>   ok: 1
//> }
run({quireMoments: 1}).moments.map(m => [m.number, m.name, m.what])
//> [ [ <*>, 'planted', 'three herbs' ], [ <*>, undefined, 'changed' ] ]
run({quireAt: "planted", command: {find: "herbs", sort: {_id: -1}}}).cursor.firstBatch
//> [
//>   { _id: 3, name: 'dill' },
//>   { _id: 2, name: 'sage' },
//>   { _id: 1, name: 'mint', bed: { row: 1, tags: [ 'wild' ] } }
//> ]
run({quireAt: "planted", command: {count: "trees"}})
//> { n: 0, ok: 1 }
run({quireAt: "planted", command: {listIndexes: "herbs"}}).cursor.firstBatch.map(i => i.name)
//> [ '_id_' ]
run({quireAt: second.number, command: {aggregate: "herbs", pipeline: [{$lookup: {from: "trees", localField: "_id", foreignField: "_id", as: "trees"}}, {$match: {"trees.0": {$exists: true}}}], cursor: {}}}).cursor.firstBatch
//> [
//>   {
//>     _id: 1,
//>     bed: { row: 2, tags: [ 'wild' ], sun: true },
//>     trees: [ { _id: 1, name: 'oak' } ]
//>   }
//> ]
const first = run({quireAt: "planted", command: {find: "herbs", batchSize: 1}}).cursor
run({getMore: first.id, collection: "herbs"}).cursor.nextBatch.map(d => d._id)
//> [ 2, 3 ]
run({quireAt: "planted", command: {insert: "herbs", documents: [{_id: 9}]}})
//> 20 IllegalOperation quireAt cannot run 'insert' on a moment
run({quireAt: "planted", command: {aggregate: "herbs", pipeline: [{$out: "other"}], cursor: {}}})
//> 20 IllegalOperation quireAt only reads, and this 'aggregate' would write
run({quireAt: "planted", command: {find: "herbs", tailable: true}})
//> 20 IllegalOperation quireAt has no tailable cursors: nothing is added to a moment
run({quireAt: 77, command: {find: "herbs"}})
//> 2 BadValue there is no moment of number 77
run({quireAt: true, command: {find: "herbs"}})
//> 14 TypeMismatch a moment is called by its number or its name, and not by a value of type 'bool'
run({quireNameMoment: second.number, name: "planted"})
//> 2 BadValue moment <*> has the name 'planted'
run({quireNameMoment: second.number, name: "changed"})
//> { number: <*>, ok: 1 }
run({quireNameMoment: "changed"})
//> 40414 IDLFailedToParse BSON field 'quireNameMoment.name' is missing but a required field
run({quireRestore: "planted", collection: "herbs"})
//> 72 InvalidOptions quireRestore takes 'collection' only together with 'database'
run({quireRestore: "planted", database: "test", collection: "herbs"})
//> { number: <*>, restored: [ 'test.herbs' ], ok: 1 }
db.herbs.find().toArray()
//> [
//>   { _id: 1, name: 'mint', bed: { row: 1, tags: [ 'wild' ] } },
//>   { _id: 2, name: 'sage' },
//>   { _id: 3, name: 'dill' }
//> ]
db.herbs.getIndexes().map(i => i.name)
//> [ '_id_' ]
show collections
//> herbs
//> trees
run({quireRestore: "planted"})
//> { number: <*>, restored: [ 'test.trees' ], ok: 1 }
show collections
//> herbs
run({quireDifference: 1, from: "planted"})
//> { collections: [], ok: 1 }
run({quireRestore: "changed", database: "test"})
//> { number: <*>, restored: [ 'test.herbs', 'test.trees' ], ok: 1 }
db.herbs.find({name: "thyme"}).hint("name_1").toArray()
//> [ { _id: 4, name: 'thyme' } ]
run({validate: "herbs"}).valid
//> true
run({quireDifference: 1, from: "changed"})
//> { collections: [], ok: 1 }
run({quireDropMoment: "planted"}).number === planted.number
//> true
run({quireDropMoment: "planted"})
//> 2 BadValue there is no moment named 'planted'
run({quireMoment: 1, name: ""})
//> 2 BadValue a moment's name has 1 to 256 bytes
run({quireMoment: 1, limit: 1})
//> 40415 IDLUnknownField BSON field 'quireMoment.limit' is an unknown field.
