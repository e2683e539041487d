// Hashed and wildcard indexes: how they are made, what is refused, what they hold.
//
// Manual: core/indexes/index-types/index-hashed, core/indexes/index-types/index-wildcard, reference/command/createIndexes
db.h.insertMany([{_id: 1, a: 1}, {_id: 2, a: {b: 5}}, {_id: 3}, {_id: 4, a: null}, {_id: 5, a: "x", b: 1.5}]).acknowledged
//> true
db.h.createIndex({a: "hashed"})
//> a_hashed
db.h.createIndex({"a.b": "hashed"})
//> a.b_hashed
db.h.createIndex({b: 1, a: "hashed", c: -1}, {name: "compound"})
//> compound
db.h.createIndex({c: "hashed"}, {sparse: true})
//> c_hashed
db.h.createIndex({d: "hashed"}, {partialFilterExpression: {a: {$gt: 1}}})
//> d_hashed
db.h.getIndexes()
//> [
//>   { v: 2, key: { _id: 1 }, name: '_id_' },
//>   { v: 2, key: { a: 'hashed' }, name: 'a_hashed' },
//>   { v: 2, key: { 'a.b': 'hashed' }, name: 'a.b_hashed' },
//>   { v: 2, key: { b: 1, a: 'hashed', c: -1 }, name: 'compound' },
//>   { v: 2, key: { c: 'hashed' }, name: 'c_hashed', sparse: true },
//>   {
//>     v: 2,
//>     key: { d: 'hashed' },
//>     name: 'd_hashed',
//>     partialFilterExpression: { a: { '$gt': 1 } }
//>   }
//> ]
db.h.createIndex({z: "hashed"}, {unique: true})
//> MongoServerError[Location16764]: Currently hashed indexes cannot guarantee uniqueness. Use a regular index.
db.h.createIndex({z: "hashed", y: "hashed"})
//> MongoServerError[Location31303]: A maximum of one index field is allowed to be hashed but found 2 for 'key' { z: "hashed", y: "hashed" }
db.h.createIndex({z: "hashed", y: "text"})
//> MongoServerError[CannotCreateIndex]: Error in specification { key: { z: "hashed", y: "text" }, name: "z_hashed_y_text" } :: caused by :: Can't use more than one index plugin for a single index.
db.h.createIndex({z: "hashed", "$**": 1})
//> MongoServerError[CannotCreateIndex]: Error in specification { key: { z: "hashed", $**: 1 }, name: "z_hashed_$**_1" } :: caused by :: Compound wildcard indexes on all fields must also specify 'wildcardProjection' option
db.h.createIndex({a: "hashed"}, {name: "again"})
//> MongoServerError[IndexOptionsConflict]: Index already exists with a different name: a_hashed
db.h.insertOne({_id: 6, a: [1, 2]})
//> MongoServerError: Error: hashed indexes do not currently support array values. Found array at path: a
db.h.insertOne({_id: 6, a: {b: [1]}})
//> MongoServerError: Error: hashed indexes do not currently support array values. Found array at path: a.b
db.h.insertOne({_id: 6, b: [1]})
//> MongoServerError: Error: hashed indexes do not currently support array values. Found array at path: b
db.runCommand({update: "h", updates: [{q: {_id: 1}, u: {$set: {a: []}}}]}).writeErrors
//> [
//>   {
//>     index: 0,
//>     code: 16766,
//>     errmsg: 'Plan executor error during update :: caused by :: Error: hashed indexes do not currently support array values. Found array at path: a'
//>   }
//> ]
db.h.insertMany([{_id: 6}, {_id: 7, a: [1]}], {ordered: false})
//> MongoBulkWriteError: Error: hashed indexes do not currently support array values. Found array at path: a
//> Result: BulkWriteResult {
//>   insertedCount: 1,
//>   matchedCount: 0,
//>   modifiedCount: 0,
//>   deletedCount: 0,
//>   upsertedCount: 0,
//>   upsertedIds: {},
//>   insertedIds: { '0': 6 }
//> }
//> Write Errors: [
//>   WriteError {
//>     err: {
//>       index: 1,
//>       code: 16766,
//>       errmsg: 'Error: hashed indexes do not currently support array values. Found array at path: a',
//>       errInfo: undefined,
//>       op: { _id: 7, a: [ 1 ] }
//>     }
//>   }
//> ]
db.h.countDocuments({})
//> 6
db.arrays.insertOne({_id: 1, a: [1]}).acknowledged
//> true
db.arrays.createIndex({a: "hashed"})
//> MongoServerError[Location16766]: Index build failed: <*>: Collection test.arrays ( <*> ) :: caused by :: Error: hashed indexes do not currently support array values. Found array at path: a
db.h.find({a: 1}, {_id: 0}).hint("a_hashed").returnKey().toArray()
//> [ { a: Long('5902408780260971510') } ]
db.h.aggregate([{$sort: {_id: 1}}, {$project: {h: {$toHashedIndexKey: "$a"}}}]).toArray()
//> [
//>   { _id: 1, h: Long('5902408780260971510') },
//>   { _id: 2, h: Long('-2880171295780527869') },
//>   { _id: 3, h: Long('2338878944348059895') },
//>   { _id: 4, h: Long('2338878944348059895') },
//>   { _id: 5, h: Long('-5169800095944007213') },
//>   { _id: 6, h: Long('2338878944348059895') }
//> ]
db.runCommand({validate: "h"}).keysPerIndex
//> {
//>   _id_: 6,
//>   a_hashed: 6,
//>   'a.b_hashed': 6,
//>   compound: 6,
//>   c_hashed: 0,
//>   d_hashed: 0
//> }
db.w.createIndex({"$**": 1})
//> $**_1
db.w.createIndex({"a.$**": -1})
//> a.$**_-1
db.w.createIndex({"$**": 1}, {name: "some", wildcardProjection: {a: 1, "b.c": 1}})
//> some
db.w.createIndex({"$**": 1}, {name: "rest", wildcardProjection: {a: 0, _id: 1}})
//> rest
db.w.createIndex({x: 1, "a.$**": 1, y: -1}, {name: "compound"})
//> compound
db.w.createIndex({x: 1, "$**": 1}, {name: "both", wildcardProjection: {x: 0}})
//> both
db.w.createIndex({"$**": 1}, {name: "part", partialFilterExpression: {x: 1}})
//> part
db.w.getIndexes()
//> [
//>   { v: 2, key: { _id: 1 }, name: '_id_' },
//>   { v: 2, key: { '$**': 1 }, name: '$**_1' },
//>   { v: 2, key: { 'a.$**': -1 }, name: 'a.$**_-1' },
//>   {
//>     v: 2,
//>     key: { '$**': 1 },
//>     name: 'some',
//>     wildcardProjection: { a: 1, 'b.c': 1 }
//>   },
//>   {
//>     v: 2,
//>     key: { '$**': 1 },
//>     name: 'rest',
//>     wildcardProjection: { a: 0, _id: 1 }
//>   },
//>   { v: 2, key: { x: 1, 'a.$**': 1, y: -1 }, name: 'compound' },
//>   {
//>     v: 2,
//>     key: { x: 1, '$**': 1 },
//>     name: 'both',
//>     wildcardProjection: { x: 0 }
//>   },
//>   {
//>     v: 2,
//>     key: { '$**': 1 },
//>     name: 'part',
//>     partialFilterExpression: { x: 1 }
//>   }
//> ]
db.w.createIndex({"$**": 1}, {name: "again"})
//> MongoServerError[IndexOptionsConflict]: Index already exists with a different name: $**_1
db.w.createIndex({"$**": 1}, {name: "u", unique: true})
//> MongoServerError[CannotCreateIndex]: Error in specification { key: { $**: 1 }, name: "u", unique: true, v: 2 } :: caused by :: Index type 'wildcard' does not support the unique option
db.w.createIndex({"$**": 1}, {name: "s", sparse: true})
//> MongoServerError[CannotCreateIndex]: Error in specification { key: { $**: 1 }, name: "s", sparse: true, v: 2 } :: caused by :: Index type 'wildcard' does not support the sparse option
db.w.createIndex({"$**": 1}, {name: "t", expireAfterSeconds: 5})
//> MongoServerError[CannotCreateIndex]: Error in specification { key: { $**: 1 }, name: "t", expireAfterSeconds: 5, v: 2 } :: caused by :: Index type 'wildcard' cannot be a TTL index
db.w.createIndex({"$**": "wildcard"})
//> MongoServerError[CannotCreateIndex]: Error in specification { key: { $**: "wildcard" }, name: "$**_wildcard" } :: caused by :: The key pattern value for an 'wildcard' index must be a non-zero number, not a string.
db.w.createIndex({a: "wildcard"})
//> MongoServerError[Location7246202]: Error in specification { key: { a: "wildcard" }, name: "a_wildcard" } :: caused by :: No wildcard index field is specified for the wildcard index
db.w.createIndex({"$**": "hashed"})
//> MongoServerError[CannotCreateIndex]: Error in specification { key: { $**: "hashed" }, name: "$**_hashed" } :: caused by :: Index key contains an illegal field name: field name starts with '$'.
db.w.createIndex({"a.$**.b": 1})
//> MongoServerError[CannotCreateIndex]: Error in specification { key: { a.$**.b: 1 }, name: "a.$**.b_1" } :: caused by :: Index key contains an illegal field name: field name starts with '$'.
db.w.createIndex({"a.$**": 1, "b.$**": 1})
//> MongoServerError[Location7246201]: Error in specification { key: { a.$**: 1, b.$**: 1 }, name: "a.$**_1_b.$**_1" } :: caused by :: Index Key can contain only one wildcard index field
db.w.createIndex({"a.$**": 1, "a.b": 1})
//> MongoServerError[Location7246204]: Error in specification { key: { a.$**: 1, a.b: 1 }, name: "a.$**_1_a.b_1" } :: caused by :: A wildcard index field should not overlap with and index key fields if wildcard projection is empty, however 'a.b' is overlapping with the wildcard index field.
db.w.createIndex({z: 1, "$**": 1})
//> MongoServerError[CannotCreateIndex]: Error in specification { key: { z: 1, $**: 1 }, name: "z_1_$**_1" } :: caused by :: Compound wildcard indexes on all fields must also specify 'wildcardProjection' option
db.w.createIndex({z: 1, "$**": 1}, {wildcardProjection: {z: 1}})
//> MongoServerError[Location7246208]: Error in specification { key: { z: 1, $**: 1 }, name: "z_1_$**_1", wildcardProjection: { z: 1 } } :: caused by :: Index Key and Wildcard Projection cannot contain overlapping fields, however 'z' index field is ovverlapping with 'z' wildcardProjection path.
db.w.createIndex({z: 1, "$**": 1}, {wildcardProjection: {b: 0}})
//> MongoServerError[Location7246210]: Error in specification { key: { z: 1, $**: 1 }, name: "z_1_$**_1", wildcardProjection: { b: 0 } } :: caused by :: wildcardProjection paths must exclude all regular index fields, however 'z'is not excluded.
db.w.createIndex({z: 1, "$**": 1}, {wildcardProjection: {b: 1, "b.c": 1}})
//> MongoServerError[Location7246200]: Error in specification { key: { z: 1, $**: 1 }, name: "z_1_$**_1", wildcardProjection: { b: 1, b.c: 1 } } :: caused by :: Fields in Wildcard Projection cannot overlap, however 'b' is overlapped with 'b.c'
db.w.createIndex({"$**": 1}, {name: "m", wildcardProjection: {a: 1, b: 0}})
//> MongoServerError[Location31254]: Error in specification { key: { $**: 1 }, name: "m", wildcardProjection: { a: 1, b: 0 } } :: caused by :: Failed to parse projection: wildcardProjection :: caused by :: Cannot do exclusion on field b in inclusion projection
db.w.createIndex({"$**": 1}, {name: "m", wildcardProjection: {a: {$add: [1, 2]}}})
//> MongoServerError[Location51271]: Error in specification { key: { $**: 1 }, name: "m", wildcardProjection: { a: { $add: [ 1, 2 ] } } } :: caused by :: Failed to parse projection: wildcardProjection :: caused by :: Bad projection specification, cannot use computed fields when parsing a spec in kBanComputedFields mode
db.w.createIndex({"$**": 1}, {name: "m", wildcardProjection: {}})
//> MongoServerError[FailedToParse]: Error in specification { key: { $**: 1 }, name: "m", wildcardProjection: {} } :: caused by :: The 'wildcardProjection' field can't be an empty object
db.w.createIndex({"$**": 1}, {name: "m", wildcardProjection: 5})
//> MongoServerError[TypeMismatch]: Error in specification { key: { $**: 1 }, name: "m", wildcardProjection: 5 } :: caused by :: The field 'wildcardProjection' must be a non-empty object, but got int
db.w.createIndex({"a.$**": 1}, {name: "m", wildcardProjection: {b: 1}})
//> MongoServerError[FailedToParse]: Error in specification { key: { a.$**: 1 }, name: "m", wildcardProjection: { b: 1 } } :: caused by :: The field 'wildcardProjection' is only allowed when 'key' is {"$**": ±1}
db.w.createIndex({a: 1}, {wildcardProjection: {b: 1}})
//> MongoServerError[BadValue]: Error in specification { key: { a: 1 }, name: "a_1", wildcardProjection: { b: 1 } } :: caused by :: The field 'wildcardProjection' is only allowed in 'wildcard' indexes
db.w.insertMany([{_id: 1, a: {b: 1, c: [1, 2]}, x: 1}, {_id: 2, a: 5, x: 2, y: 9}, {_id: 3}, {_id: 4, a: [{b: 2}, {b: 3}], b: {c: {}}}]).acknowledged
//> true
db.w.insertOne({_id: 5, x: [1]})
//> MongoServerError: Wildcard indexes' non-wildcard fields cannot be multi-key fields. Found array at path: x
db.w.updateOne({_id: 1}, {$set: {"a.d.e": 7}}).modifiedCount
//> 1
db.w.deleteOne({_id: 2}).deletedCount
//> 1
db.runCommand({validate: "w"}).keysPerIndex
//> {
//>   _id_: 3,
//>   '$**_1': 8,
//>   'a.$**_-1': 6,
//>   some: 7,
//>   rest: 5,
//>   compound: 7,
//>   both: 8,
//>   part: 5
//> }
db.runCommand({validate: "w"}).valid
//> true
// `_id` may have a hashed index beside its own; only a direction makes a pattern the `_id` index's.
db.hid.insertMany([{_id: 1}, {_id: 2}]).acknowledged
//> true
db.hid.createIndex({_id: "hashed"})
//> _id_hashed
db.hid.createIndex({_id: 5}, {name: "five"})
//> five
db.hid.createIndex({_id: -1})
//> MongoServerError[BadValue]: The field 'key' for an _id index must be {_id: 1}, but got { _id: -1 }
db.hid.find({_id: 2}).hint("_id_hashed").toArray()
//> [ { _id: 2 } ]
db.hid.getIndexes().map((index) => index.name)
//> [ '_id_', '_id_hashed', 'five' ]
