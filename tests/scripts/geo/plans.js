// How geospatial queries are planned, and what explain shows of them.
//
// Manual: core/indexes/index-types/index-geospatial, reference/explain-results
const point = (x, y) => ({ type: "Point", coordinates: [x, y] });
const box = (x, y, w, h) => ({ type: "Polygon", coordinates: [[[x, y], [x + w, y], [x + w, y + h], [x, y + h], [x, y]]] });
const plan = filter => db.p.find(filter).explain().queryPlanner.winningPlan;
const stages = stage => stage ? [stage.stage + (stage.indexName ? " " + stage.indexName : "")].concat(stages(stage.inputStage)) : [];
for (let i = 0; i < 50; i++) db.p.insertOne({ _id: i, at: point(i % 10, Math.floor(i / 10)), flat: [i % 10, Math.floor(i / 10)], a: i % 3, tags: [i, -i] });
db.p.createIndex({ at: "2dsphere" })
//> at_2dsphere
db.p.createIndex({ flat: "2d", a: 1 })
//> flat_2d_a_1
plan({ at: { $geoWithin: { $geometry: box(0.5, 0.5, 2, 2) } } })
//> {
//>   isCached: false,
//>   stage: 'FETCH',
//>   filter: {
//>     at: {
//>       '$geoWithin': {
//>         '$geometry': {
//>           type: 'Polygon',
//>           coordinates: [ [ [Array], [Array], [Array], [Array], [Array] ] ]
//>         }
//>       }
//>     }
//>   },
//>   inputStage: {
//>     stage: 'IXSCAN',
//>     keyPattern: { at: '2dsphere' },
//>     indexName: 'at_2dsphere',
//>     isMultiKey: false,
//>     multiKeyPaths: { at: [] },
//>     isUnique: false,
//>     isSparse: false,
//>     isPartial: false,
//>     indexVersion: 2,
//>     direction: 'forward',
//>     indexBounds: {
//>       at: [
//>         '[1152991873351024640, 1152991873351024640]',
//>         '[1153009465537069056, 1153009465537069056]',
//>         '[1153009465537069057, 1153018261630091263]',
//>         '[1153062242095202305, 1153202979583557631]',
//>         '[1153202979583557632, 1153202979583557632]',
//>         '[1153202979583557633, 1153343717071912959]',
//>         '[1153343717071912961, 1153484454560268287]',
//>         '[1153484454560268289, 1154047404513689599]',
//>         '[1154047404513689600, 1154047404513689600]',
//>         '[1154047404513689601, 1154610354467110911]',
//>         '[1154610354467110913, 1155173304420532223]',
//>         '[1155243673164709888, 1155243673164709888]',
//>         '[1155296449722843136, 1155296449722843136]',
//>         '[1155305245815865345, 1155314041908887551]',
//>         '[1155314041908887553, 1155349226280976383]',
//>         '[1155349226280976385, 1155384410653065215]',
//>         '[1155384410653065216, 1155384410653065216]',
//>         '[1155454779397242880, 1155454779397242880]',
//>         '[1156299204327374848, 1156299204327374848]',
//>         '[1157143629257506816, 1157143629257506816]',
//>         '[1157143629257506817, 1157284366745862143]',
//>         '[1157284366745862145, 1157425104234217471]',
//>         '[1157425104234217472, 1157425104234217472]',
//>         '[1157425104234217473, 1157427303257473023]',
//>         '[1157429502280728576, 1157429502280728576]',
//>         '[1157442696420261888, 1157442696420261888]',
//>         '[1157495472978395136, 1157495472978395136]',
//>         '[1157706579210928128, 1157706579210928128]',
//>         '[1158551004141060096, 1158551004141060096]',
//>         '[1160380591489679361, 1160521328978034687]',
//>         '[1160521328978034688, 1160521328978034688]',
//>         '[1160521328978034689, 1160662066466390015]',
//>         '[1160802803954745344, 1160802803954745344]',
//>         '[1160943541443100673, 1161084278931455999]',
//>         '[1161084278931456000, 1161084278931456000]',
//>         '[1161128259396567041, 1161137055489589247]',
//>         '[1161137055489589248, 1161137055489589248]',
//>         '[1161154647675633664, 1161154647675633664]',
//>         '[1170935903116328960, 1170935903116328960]',
//>         '[1224979098644774912, 1224979098644774912]'
//>       ]
//>     }
//>   }
//> }
plan({ flat: { $geoWithin: { $box: [[0.5, 0.5], [2.5, 2.5]] } }, a: 1 })
//> {
//>   isCached: false,
//>   stage: 'FETCH',
//>   filter: {
//>     flat: {
//>       '$geoWithin': { '$box': [ [ 0.5, 0.5 ], [ 2.5, 2.5 ] ] }
//>     }
//>   },
//>   inputStage: {
//>     stage: 'IXSCAN',
//>     filter: { a: { '$eq': 1 } },
//>     keyPattern: { flat: '2d', a: 1 },
//>     indexName: 'flat_2d_a_1',
//>     isMultiKey: false,
//>     isUnique: false,
//>     isSparse: false,
//>     isPartial: false,
//>     indexVersion: 2,
//>     direction: 'forward',
//>     indexBounds: {
//>       flat: [
//>         '[BinData(128, C000300000000000), BinData(128, C0003FFFFFFFFFFF)]',
//>         '[BinData(128, C000400000000000), BinData(128, C0007FFFFFFFFFFF)]',
//>         '[BinData(128, C000800000000000), BinData(128, C000BFFFFFFFFFFF)]',
//>         '[BinData(128, C000C00000000000), BinData(128, C000FFFFFFFFFFFF)]',
//>         '[BinData(128, C001000000000000), BinData(128, C0013FFFFFFFFFFF)]',
//>         '[BinData(128, C001400000000000), BinData(128, C0017FFFFFFFFFFF)]',
//>         '[BinData(128, C001800000000000), BinData(128, C001BFFFFFFFFFFF)]',
//>         '[BinData(128, C001C00000000000), BinData(128, C001FFFFFFFFFFFF)]',
//>         '[BinData(128, C002000000000000), BinData(128, C0023FFFFFFFFFFF)]',
//>         '[BinData(128, C002400000000000), BinData(128, C0027FFFFFFFFFFF)]',
//>         '[BinData(128, C002800000000000), BinData(128, C002BFFFFFFFFFFF)]',
//>         '[BinData(128, C002C00000000000), BinData(128, C002FFFFFFFFFFFF)]',
//>         '[BinData(128, C003000000000000), BinData(128, C0033FFFFFFFFFFF)]',
//>         '[BinData(128, C003400000000000), BinData(128, C0037FFFFFFFFFFF)]',
//>         '[BinData(128, C003800000000000), BinData(128, C003BFFFFFFFFFFF)]',
//>         '[BinData(128, C003C00000000000), BinData(128, C003FFFFFFFFFFFF)]'
//>       ],
//>       a: [ '[MinKey, MaxKey]' ]
//>     }
//>   }
//> }
plan({ at: { $near: { $geometry: point(1, 1) } } })
//> {
//>   isCached: false,
//>   stage: 'GEO_NEAR_2DSPHERE',
//>   keyPattern: { at: '2dsphere' },
//>   indexName: 'at_2dsphere',
//>   indexVersion: 2
//> }
plan({ at: { $near: { $geometry: point(1, 1) } }, a: 1 })
//> {
//>   isCached: false,
//>   stage: 'FETCH',
//>   filter: { a: { '$eq': 1 } },
//>   inputStage: {
//>     stage: 'GEO_NEAR_2DSPHERE',
//>     keyPattern: { at: '2dsphere' },
//>     indexName: 'at_2dsphere',
//>     indexVersion: 2
//>   }
//> }
plan({ flat: { $near: [1, 1] }, a: 1, _id: { $gt: 3 } })
//> {
//>   isCached: false,
//>   stage: 'FETCH',
//>   filter: { _id: { '$gt': 3 } },
//>   inputStage: {
//>     stage: 'GEO_NEAR_2D',
//>     keyPattern: { flat: '2d', a: 1 },
//>     indexName: 'flat_2d_a_1',
//>     indexVersion: 2
//>   }
//> }
stages(plan({ at: { $geoIntersects: { $geometry: point(1, 1) } } }))
//> [ 'FETCH', 'IXSCAN at_2dsphere' ]
// The plane's shapes are of no use on the sphere, nor the sphere's on the plane; a circle on the sphere serves both.
stages(plan({ at: { $geoWithin: { $box: [[0, 0], [1, 1]] } } }))
//> [ 'COLLSCAN' ]
stages(plan({ flat: { $geoWithin: { $geometry: box(0, 0, 1, 1) } } }))
//> [ 'COLLSCAN' ]
stages(plan({ at: { $geoWithin: { $centerSphere: [[1, 1], 0.02] } } }))
//> [ 'FETCH', 'IXSCAN at_2dsphere' ]
stages(plan({ flat: { $geoWithin: { $centerSphere: [[1, 1], 0.02] } } }))
//> [ 'FETCH', 'IXSCAN flat_2d_a_1' ]
stages(plan({ flat: { $geoWithin: { $centerSphere: [[179.9, 1], 0.02] } } }))
//> [ 'COLLSCAN' ]
// Without a place an index that holds only places is of no use, unless it is hinted at.
stages(plan({ flat: null }))
//> [ 'COLLSCAN' ]
stages(plan({ a: 1 }))
//> [ 'COLLSCAN' ]
db.p.find({ a: 1 }).hint("flat_2d_a_1").itcount()
//> 17
// Rows are those of a scan of the collection, with fewer documents looked at.
const counted = filter => { const { nReturned, totalKeysExamined, totalDocsExamined } = db.p.find(filter).explain("executionStats").executionStats; return [nReturned, totalKeysExamined > 0, totalDocsExamined < 50] };
counted({ at: { $geoWithin: { $geometry: box(0.5, 0.5, 2, 2) } } })
//> [ 4, true, true ]
counted({ flat: { $geoWithin: { $center: [[2, 2], 1] } } })
//> [ 5, true, true ]
counted({ at: { $near: { $geometry: point(1, 1), $maxDistance: 120000 } } })
//> [ 5, true, true ]
const run = db.p.find({ at: { $near: { $geometry: point(4.5, 2.2), $maxDistance: 120000 } }, a: 1 }).limit(2).explain("executionStats").executionStats.executionStages;
stages(run)
//> [ 'LIMIT', 'FETCH', 'GEO_NEAR_2DSPHERE at_2dsphere' ]
const near = run.inputStage.inputStage;
[near.nReturned, near.keyPattern, near.indexVersion]
//> [ 4, { at: '2dsphere' }, 2 ]
near.searchIntervals.map(ring => [ring.minDistance, ring.maxInclusive, ring.nBuffered, ring.nReturned])
//> [ [ 0, false, 4, 4 ] ]
stages(near.inputStages[0])
//> [ 'FETCH', 'IXSCAN at_2dsphere' ]
// Fields before and behind the place narrow the search down.
db.p.createIndex({ a: 1, at: "2dsphere" })
//> a_1_at_2dsphere
db.p.dropIndex("at_2dsphere").ok
//> 1
plan({ at: { $near: { $geometry: point(1, 1) } }, a: { $in: [1, 2] } })
//> {
//>   isCached: false,
//>   stage: 'GEO_NEAR_2DSPHERE',
//>   keyPattern: { a: 1, at: '2dsphere' },
//>   indexName: 'a_1_at_2dsphere',
//>   indexVersion: 2
//> }
stages(plan({ at: { $geoWithin: { $geometry: box(0.5, 0.5, 2, 2) } }, a: 1 }))
//> [ 'FETCH', 'IXSCAN a_1_at_2dsphere' ]
try { plan({ at: { $near: { $geometry: point(1, 1) } } }) } catch (error) { error.code }
//> 291
stages(plan({ a: 1 }))
//> [ 'COLLSCAN' ]
db.p.find({ at: { $near: { $geometry: point(1, 1) } }, a: 1 }).hint("a_1_at_2dsphere").limit(3).toArray().map(d => d._id)
//> [ 10, 1, 22 ]
try { db.p.find({ at: { $near: { $geometry: point(1, 1) } }, a: 1 }).hint({ _id: 1 }).toArray() } catch (error) { error.code }
//> 291
stages(db.p.find({ at: { $geoWithin: { $geometry: box(0.5, 0.5, 2, 2) } }, a: 1 }).sort({ a: 1 }).explain().queryPlanner.winningPlan)
//> [ 'FETCH', 'IXSCAN a_1_at_2dsphere' ]
// Version 1 holds every document, and serves its other fields alone too.
db.o.createIndex({ a: 1, at: "2dsphere" }, { "2dsphereIndexVersion": 1 })
//> a_1_at_2dsphere
db.o.insertMany([{ _id: 1, a: 1 }, { _id: 2, a: 1, at: point(1, 1) }, { _id: 3, a: 2, at: box(0, 0, 1, 1) }]).insertedIds
//> { '0': 1, '1': 2, '2': 3 }
db.o.find({ a: 1 }).explain().queryPlanner.winningPlan.inputStage.indexName
//> a_1_at_2dsphere
db.o.find({ a: { $gt: 0 }, at: { $geoIntersects: { $geometry: box(0.5, 0.5, 1, 1) } } }).explain().queryPlanner.winningPlan.inputStage.indexBounds
//> {
//>   a: [ '(0, inf.0]' ],
//>   at: [
//>     '["0f2000000", "0f2000000"]',
//>     '["0f20000002", "0f20000002"]',
//>     '["0f200000022", "0f200000023")',
//>     '["0f2000001", "0f2000001"]',
//>     '["0f20000012", "0f20000012"]',
//>     '["0f200000122", "0f200000124")',
//>     '["0f20000013", "0f20000013"]',
//>     '["0f200000130", "0f200000131")',
//>     '["0f200000133", "0f200000134")',
//>     '["0f2000002", "0f2000003"]',
//>     '["0f20000030", "0f20000030"]',
//>     '["0f200000300", "0f200000301")',
//>     '["0f200000303", "0f200000304")',
//>     '["0f20000031", "0f20000031"]',
//>     '["0f200000310", "0f200000312")',
//>     '["0f2000010", "0f2000010"]',
//>     '["0f20000101", "0f20000101"]',
//>     '["0f200001011", "0f200001013")',
//>     '["0f2000013", "0f2000013"]',
//>     '["0f20000132", "0f20000134")',
//>     '["0f2000020", "0f2000020"]',
//>     '["0f20000200", "0f20000201")',
//>     '["0f2000031", "0f2000031"]',
//>     '["0f20000311", "0f20000313")',
//>     '["0f2000032", "0f2000032"]',
//>     '["0f20000321", "0f20000321"]',
//>     '["0f200003210", "0f200003212")'
//>   ]
//> }
db.o.find({ a: { $gt: 0 }, at: { $geoIntersects: { $geometry: box(0.5, 0.5, 1, 1) } } }).toArray().map(d => d._id)
//> [ 2, 3 ]
db.o.find({ a: { $gt: 0 }, at: { $near: { $geometry: point(0.5, 2) } } }).toArray().map(d => d._id)
//> [ 3, 2 ]
// Several branches, each by its index.
db.p.createIndex({ at: "2dsphere" })
//> at_2dsphere
stages(plan({ $or: [{ at: { $geoWithin: { $geometry: box(0.5, 0.5, 2, 2) } } }, { _id: 5 }] }))
//> [ 'SUBPLAN', 'FETCH', 'OR' ]
db.p.find({ $or: [{ at: { $geoWithin: { $geometry: box(0.5, 0.5, 1, 1) } } }, { flat: { $geoWithin: { $box: [[8.5, 3.5], [9, 4]] } } }, { _id: 5 }] }).toArray().map(d => d._id)
//> [ 5, 11, 49 ]
db.p.aggregate([{ $indexStats: {} }]).toArray().filter(i => i.accesses.ops > 0).map(i => i.name)
//> [ '_id_', 'flat_2d_a_1', 'a_1_at_2dsphere', 'at_2dsphere' ]
// An index over places within a polygon serves a search within a smaller one, and no wider one.
db.p.createIndex({ a: 1 }, { name: "near", partialFilterExpression: { at: { $geoWithin: { $geometry: box(-0.5, -0.5, 4, 4) } } } })
//> near
db.p.dropIndex("at_2dsphere").ok
//> 1
const within = (shape) => { const filter = { a: 1, at: { $geoWithin: { $geometry: shape } } }; return [stages(plan(filter)), db.p.countDocuments(filter), db.p.find(filter).hint({ $natural: 1 }).count()] };
[within(box(0.5, 0.5, 2, 2)), within(box(-0.5, -0.5, 4, 4)), within(box(-0.5, -0.5, 5, 4))]
//> [
//>   [ [ 'FETCH', 'IXSCAN near' ], 1, 1 ],
//>   [ [ 'FETCH', 'IXSCAN near' ], 5, 5 ],
//>   [ [ 'FETCH', 'IXSCAN a_1_at_2dsphere' ], 7, 7 ]
//> ]
stages(plan({ a: 1, at: { $geoIntersects: { $geometry: box(0.5, 0.5, 2, 2) } } }))
//> [ 'FETCH', 'IXSCAN a_1_at_2dsphere' ]
