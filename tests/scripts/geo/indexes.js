// Geospatial indexes: their options, which documents they hold, and what they refuse.
//
// Manual: core/indexes/index-types/index-geospatial
const point = (x, y) => ({ type: "Point", coordinates: [x, y] });
const made = (keys, options) => { try { return db.i.createIndex(keys, options || {}) } catch (error) { return `${error.code} ${error.message}` } };
made({ at: "2dsphere" })
//> at_2dsphere
made({ a: 1, at: "2dsphere", b: -1 })
//> a_1_at_2dsphere_b_-1
made({ old: "2dsphere" }, { "2dsphereIndexVersion": 2 })
//> old_2dsphere
made({ older: "2dsphere" }, { "2dsphereIndexVersion": 1, finestIndexedLevel: 20, coarsestIndexedLevel: 4 })
//> older_2dsphere
made({ flat: "2d" }, { bits: 20, min: -500, max: 500.5 })
//> flat_2d
made({ flat2: "2d", b: 1 })
//> flat2_2d_b_1
made({ one: "2dsphere", two: "2dsphere" }, { sparse: true, hidden: true })
//> one_2dsphere_two_2dsphere
db.i.getIndexes()
//> [
//>   { v: 2, key: { _id: 1 }, name: '_id_' },
//>   {
//>     v: 2,
//>     key: { at: '2dsphere' },
//>     name: 'at_2dsphere',
//>     '2dsphereIndexVersion': 3
//>   },
//>   {
//>     v: 2,
//>     key: { a: 1, at: '2dsphere', b: -1 },
//>     name: 'a_1_at_2dsphere_b_-1',
//>     '2dsphereIndexVersion': 3
//>   },
//>   {
//>     v: 2,
//>     key: { old: '2dsphere' },
//>     name: 'old_2dsphere',
//>     '2dsphereIndexVersion': 2
//>   },
//>   {
//>     v: 2,
//>     key: { older: '2dsphere' },
//>     name: 'older_2dsphere',
//>     '2dsphereIndexVersion': 1,
//>     finestIndexedLevel: 20,
//>     coarsestIndexedLevel: 4
//>   },
//>   {
//>     v: 2,
//>     key: { flat: '2d' },
//>     name: 'flat_2d',
//>     bits: 20,
//>     min: -500,
//>     max: 500.5
//>   },
//>   { v: 2, key: { flat2: '2d', b: 1 }, name: 'flat2_2d_b_1' },
//>   {
//>     v: 2,
//>     hidden: true,
//>     key: { one: '2dsphere', two: '2dsphere' },
//>     name: 'one_2dsphere_two_2dsphere',
//>     sparse: true,
//>     '2dsphereIndexVersion': 3
//>   }
//> ]
made({ at: "2dsphere" })
//> at_2dsphere
made({ at: "2dsphere" }, { "2dsphereIndexVersion": 2, name: "other" })
//> 85 An equivalent index already exists with a different name and options. Requested index: { v: 2, key: { at: "2dsphere" }, name: "other", 2dsphereIndexVersion: 2 }, existing index: { v: 2, key: { at: "2dsphere" }, name: "at_2dsphere", 2dsphereIndexVersion: 3 }
// What no such index can be.
made({ x: "2dsphere" }, { "2dsphereIndexVersion": 4 })
//> 67 unsupported geo index version { 2dsphereIndexVersion : 4 }, only versions: [1,2,3] are supported
made({ x: "2dsphere" }, { "2dsphereIndexVersion": "3" })
//> 14 Error in specification { key: { x: "2dsphere" }, name: "x_2dsphere", 2dsphereIndexVersion: "3" } :: caused by :: The field '2dsphereIndexVersion' must be a number, but got string
made({ x: "2dsphere" }, { finestIndexedLevel: 31 })
//> 16748 finestIndexedLevel must be <= 30
made({ x: "2dsphere" }, { finestIndexedLevel: 3, coarsestIndexedLevel: 4 })
//> 16749 finestIndexedLevel must be >= coarsestIndexedLevel
made({ x: "2d" }, { bits: 33 })
//> 72 bits for hash must be > 0 and <= 32, but 33 bits were specified
made({ x: "2d" }, { min: 5, max: 4 })
//> 72 region for hash must be valid and have positive area, but [5, 4] was specified
made({ a: 1, x: "2d" })
//> 16801 2d has to be first in index
made({ x: "2d", y: "2d" })
//> 16800 can't have 2 geo fields
made({ x: "2d", y: "2dsphere" })
//> 67 Error in specification { key: { x: "2d", y: "2dsphere" }, name: "x_2d_y_2dsphere" } :: caused by :: Can't use more than one index plugin for a single index.
made({ x: "2dsphere", y: "hashed" })
//> 67 Error in specification { key: { x: "2dsphere", y: "hashed" }, name: "x_2dsphere_y_hashed" } :: caused by :: Can't use more than one index plugin for a single index.
made({ x: "2d" }, { collation: { locale: "fr" } })
//> 67 Index type '2d' does not support collation: { locale: "fr" }
made({ x: "2dsphere_bucket" })
//> 238 Error in specification { key: { x: "2dsphere_bucket" }, name: "x_2dsphere_bucket" } :: caused by :: '2dsphere_bucket' indexes are not supported
// Documents that an index cannot hold.
const put = document => { try { db.i.insertOne(document); return "in" } catch (error) { return `${error.code} ${error.message}` } };
put({ _id: 1, at: "here" })
//> 16755 Can't extract geo keys: { _id: 1, at: "here" }  geo element must be an array or object: "here"
put({ _id: 1, at: { type: "Point", coordinates: [181, 0] } })
//> 16755 Can't extract geo keys: { _id: 1, at: { type: "Point", coordinates: [ 181, 0 ] } }  Longitude/latitude is out of bounds, lng: 181 lat: 0
put({ _id: 1, at: { type: "Polygon", coordinates: [[[0, 0], [0, 1], [1, 1]]] } })
//> 16755 Can't extract geo keys: { _id: 1, at: { type: "Polygon", coordinates: [ [ [ 0, 0 ], [ 0, 1 ], [ 1, 1 ] ] ] } }  Loop is not closed, first vertex does not equal last vertex: [[0,0],[0,1],[1,1]]
put({ _id: 1, at: [point(1, 1), point(2, 2)] })
//> 16755 Can't extract geo keys: { _id: 1, at: [ { type: "Point", coordinates: [ 1, 1 ] }, { type: "Point", coordinates: [ 2, 2 ] } ] }  Point must only contain numeric elements, instead got type object
put({ _id: 1, older: { type: "MultiPoint", coordinates: [[1, 1], [2, 2]] } })
//> 16755 Can't extract geo keys: { _id: 1, older: { type: "MultiPoint", coordinates: [ [ 1, 1 ], [ 2, 2 ] ] } }  given geometry can't be indexed in the old index format
put({ _id: 1, flat: [600, 0] })
//> 13027 point not in interval of [ -500, 500.5 ] :: caused by :: { _id: 1, flat: [ 600, 0 ] }
put({ _id: 1, flat: [1] })
//> 13068 geo field only has 1 element :: caused by :: { _id: 1, flat: [ 1 ] }
put({ _id: 1, flat: ["x", "y"] })
//> 16804 location object expected, location array not in correct format
put({ _id: 1, flat: [[1, 2], 5] })
//> 16804 location object expected, location array not in correct format
// Those without a geometry are held by version 1 alone.
put({ _id: 1 })
//> in
put({ _id: 2, at: null, flat: {}, old: [] })
//> in
put({ _id: 3, at: point(1, 1), a: [1, 2], b: "x", flat: [[1, 2], [3, 4]], flat2: { x: 1, y: 2 } })
//> in
put({ _id: 4, at: { type: "Polygon", coordinates: [[[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]]] }, old: point(2, 2), older: [3, 3] })
//> in
const { keysPerIndex, valid } = db.i.validate();
keysPerIndex
//> {
//>   _id_: 4,
//>   at_2dsphere: 4,
//>   'a_1_at_2dsphere_b_-1': 5,
//>   old_2dsphere: 1,
//>   older_2dsphere: 4,
//>   flat_2d: 2,
//>   flat2_2d_b_1: 1,
//>   one_2dsphere_two_2dsphere: 0
//> }
valid
//> true
// An update that makes a geometry of what is none moves the document into the index, and a delete out of it.
db.i.updateOne({ _id: 1 }, { $set: { at: point(5, 5) } }).modifiedCount
//> 1
db.i.updateOne({ _id: 3 }, { $unset: { at: 1 } }).modifiedCount
//> 1
db.i.deleteOne({ _id: 4 }).deletedCount
//> 1
db.i.validate().keysPerIndex
//> {
//>   _id_: 3,
//>   at_2dsphere: 1,
//>   'a_1_at_2dsphere_b_-1': 1,
//>   old_2dsphere: 0,
//>   older_2dsphere: 3,
//>   flat_2d: 2,
//>   flat2_2d_b_1: 1,
//>   one_2dsphere_two_2dsphere: 0
//> }
try { db.i.updateOne({ _id: 1 }, { $set: { at: 5 } }) } catch (error) { error.code }
//> 16755
// An index over what is there already.
db.j.insertMany([{ _id: 1, at: point(1, 1) }, { _id: 2, at: "here" }]).insertedIds
//> { '0': 1, '1': 2 }
try { db.j.createIndex({ at: "2dsphere" }) } catch (error) { error.code }
//> 16755
db.j.createIndex({ at: "2dsphere" }, { partialFilterExpression: { _id: 1 } })
//> at_2dsphere
db.j.find({ _id: 1, at: { $near: { $geometry: point(0, 0) } } }).toArray()
//> [
//>   { _id: 1, at: { type: 'Point', coordinates: [ 1, 1 ] } }
//> ]
// Strings beside a place are compared by the index's collation; a place is none.
db.k.createIndex({ at: "2dsphere", name: 1 }, { collation: { locale: "en", strength: 2 } })
//> at_2dsphere_name_1
db.k.insertMany([{ _id: 1, at: point(1, 1), name: "A" }, { _id: 2, at: point(2, 2), name: "a" }, { _id: 3, at: point(3, 3), name: "b" }]).insertedIds
//> { '0': 1, '1': 2, '2': 3 }
db.k.find({ at: { $near: { $geometry: point(0, 0) } }, name: "a" }).collation({ locale: "en", strength: 2 }).toArray().map(d => d._id)
//> [ 1, 2 ]
db.k.find({ at: { $near: { $geometry: point(0, 0) } }, name: "a" }).toArray().map(d => d._id)
//> [ 2 ]
// Any kind of index keeps the options of these, as on a server.
made({ z: 1 }, { bits: 20 })
//> z_1
// A line along the border of an index's cells is in those of one side: found all the same.
const turned = x => x > 180 ? x - 360 : x, meridians = [0, 90, 180, -90], line = (from, to) => ({ type: "LineString", coordinates: [from, to] })
db.l.insertMany(meridians.map(x => ({ _id: x, p: line([x, 50], [x, 60]) }))).insertedIds
//> { '0': 0, '1': 90, '2': 180, '3': -90 }
db.l.createIndex({ p: "2dsphere" })
//> p_2dsphere
meridians.map(x => [52, 55, 58].map(y => db.l.find({ p: { $geoIntersects: { $geometry: line([x - 1, y], [turned(x + 1), y]) } } }).toArray().map(d => d._id)).flat())
//> [ [ 0, 0, 0 ], [ 90, 90, 90 ], [ 180, 180, 180 ], [ -90, -90, -90 ] ]
meridians.map(x => db.l.find({ p: { $near: { $geometry: point(turned(x + 0.1), 55), $maxDistance: 50000 } } }).toArray().map(d => d._id)).flat()
//> [ 0, 90, 180, -90 ]
