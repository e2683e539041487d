// $text: refusals, and plans as explain shows them. Manual: reference/operator/query/text, "Restrictions".
const error = (run) => { try { run(); return "no error" } catch (e) { return e.code + " " + e.message } }
const find = (filter) => error(() => db.t.find(filter).toArray())
find({ $text: { $search: "a" } })
//> 27 text index required for $text query
db.t.insertMany([{ _id: 1, a: "tea cup" }, { _id: 2, a: "tea", b: 5 }])
//> { acknowledged: true, insertedIds: { '0': 1, '1': 2 } }
find({ $text: { $search: "a" } })
//> 27 text index required for $text query
error(() => db.t.countDocuments({ $text: { $search: "a" } }))
//> 27 text index required for $text query
error(() => db.t.aggregate([{ $match: { $text: { $search: "a" } } }]).toArray())
//> 27 text index required for $text query
db.t.createIndex({ a: "text" })
//> a_text
find({ $text: "a" })
//> 2 $text expects an object
find({ $text: {} })
//> 4 Missing expected field "$search"
find({ $text: { $search: 5 } })
//> 14 "$search" had the wrong type. Expected string, found int
find({ $text: { $search: "a", $language: 5 } })
//> 14 "$language" had the wrong type. Expected string, found int
find({ $text: { $search: "a", $language: "spanglish" } })
//> 2 unsupported language: "spanglish" for text index version 3
find({ $text: { $search: "a", $caseSensitive: 1 } })
//> 14 "$caseSensitive" had the wrong type. Expected boolean, found int
find({ $text: { $search: "a", more: 1 } })
//> 2 extra fields in $text
find({ a: { $text: { $search: "a" } } })
//> 2 unknown operator: $text
find({ $nor: [{ $text: { $search: "a" } }] })
//> 2 text expression not allowed in nor
find({ $and: [{ $text: { $search: "a" } }, { $text: { $search: "b" } }] })
//> 2 Too many text expressions
find({ $or: [{ $text: { $search: "a" } }, { b: 1 }] })
//> 291 error processing query: planner returned error :: caused by :: Failed to produce a solution for TEXT under OR - other non-TEXT clauses under OR have to be indexed as well.
find({ c: { $elemMatch: { $text: { $search: "a" } } } })
//> 2 $text can only be applied to the top-level document
error(() => db.t.find({ $text: { $search: "a" } }).hint({ a: 1 }).toArray())
//> 2 text and hint not allowed in same query
error(() => db.t.find({ $text: { $search: "a" } }).hint("a_text").toArray())
//> 2 text and hint not allowed in same query
error(() => db.t.find({ $text: { $search: "a" } }).sort({ $natural: 1 }).toArray())
//> 2 text expression not allowed with $natural sort order
error(() => db.t.aggregate([{ $limit: 1 }, { $match: { $text: { $search: "a" } } }]).toArray())
//> 17313 $match with $text is only allowed as the first pipeline stage
error(() => db.t.aggregate([{ $facet: { x: [{ $match: { $text: { $search: "a" } } }] } }]).toArray())
//> 40600 $match is not allowed to be used within a $facet stage
error(() => db.t.updateOne({ _id: 1 }, { $pull: { c: { $text: { $search: "a" } } } }))
//> 2 unknown operator: $text
error(() => db.createCollection("v", { validator: { $text: { $search: "a" } } }))
//> 2 $text is not allowed in this context
error(() => db.t.createIndex({ b: 1 }, { partialFilterExpression: { $text: { $search: "a" } } }))
//> 2 Error in specification { key: { b: 1 }, name: "b_1", partialFilterExpression: { $text: { $search: "a" } }, v: 2 } :: caused by :: $text is not allowed in this context
db.createView("w", "t", [{ $project: { a: 1 } }])
//> { ok: 1 }
error(() => db.w.find({ $text: { $search: "a" } }).toArray())
//> 17313 $match with $text is only allowed as the first pipeline stage
// Scores are there where there is a search.
error(() => db.t.find({}, { s: { $meta: "textScore" } }).toArray())
//> 40218 query requires text score metadata, but it is not available
error(() => db.t.find().sort({ s: { $meta: "textScore" } }).toArray())
//> 40218 query requires text score metadata, but it is not available
error(() => db.t.aggregate([{ $match: { b: 5 } }, { $set: { s: { $meta: "textScore" } } }]).toArray())
//> 40218 query requires text score metadata, but it is not available
error(() => db.t.findAndModify({ query: { b: 5 }, sort: { s: { $meta: "textScore" } }, remove: true }))
//> 40218 query requires text score metadata, but it is not available
db.createCollection("capped", { capped: true, size: 4096 })
//> { ok: 1 }
db.capped.createIndex({ a: "text" })
//> a_text
error(() => db.runCommand({ find: "capped", filter: { $text: { $search: "a" } }, tailable: true }))
//> 2 text and tailable cursor not allowed in same query
db.p.createIndex({ k: 1, a: "text" })
//> k_1_a_text
error(() => db.p.find({ $text: { $search: "a" } }).toArray())
//> 291 error processing query: planner returned error :: caused by :: failed to use text index to satisfy $text query (if text index is compound, are equality predicates given for all prefix fields?)
error(() => db.p.find({ k: { $in: [1, 2] }, $text: { $search: "a" } }).toArray())
//> 291 error processing query: planner returned error :: caused by :: failed to use text index to satisfy $text query (if text index is compound, are equality predicates given for all prefix fields?)
// Plans.
const plan = (filter, fields, sort) => db.t.find(filter, fields).sort(sort).explain().queryPlanner.winningPlan
plan({ $text: { $search: "tea" } })
//> {
//>   isCached: false,
//>   stage: 'TEXT_MATCH',
//>   indexPrefix: {},
//>   indexName: 'a_text',
//>   parsedTextQuery: {
//>     terms: [ 'tea' ],
//>     negatedTerms: [],
//>     phrases: [],
//>     negatedPhrases: []
//>   },
//>   textIndexVersion: 3,
//>   inputStage: {
//>     stage: 'FETCH',
//>     inputStage: {
//>       stage: 'IXSCAN',
//>       keyPattern: { _fts: 'text', _ftsx: 1 },
//>       indexName: 'a_text',
//>       isMultiKey: true,
//>       isUnique: false,
//>       isSparse: false,
//>       isPartial: false,
//>       indexVersion: 2,
//>       direction: 'backward',
//>       indexBounds: {}
//>     }
//>   }
//> }
plan({ $text: { $search: "tea cups" }, b: 5 })
//> {
//>   isCached: false,
//>   stage: 'FETCH',
//>   filter: { b: { '$eq': 5 } },
//>   inputStage: {
//>     stage: 'TEXT_MATCH',
//>     indexPrefix: {},
//>     indexName: 'a_text',
//>     parsedTextQuery: {
//>       terms: [ 'cup', 'tea' ],
//>       negatedTerms: [],
//>       phrases: [],
//>       negatedPhrases: []
//>     },
//>     textIndexVersion: 3,
//>     inputStage: {
//>       stage: 'FETCH',
//>       inputStage: {
//>         stage: 'OR',
//>         inputStages: [
//>           {
//>             stage: 'IXSCAN',
//>             keyPattern: { _fts: 'text', _ftsx: 1 },
//>             indexName: 'a_text',
//>             isMultiKey: true,
//>             isUnique: false,
//>             isSparse: false,
//>             isPartial: false,
//>             indexVersion: 2,
//>             direction: 'backward',
//>             indexBounds: {}
//>           },
//>           {
//>             stage: 'IXSCAN',
//>             keyPattern: { _fts: 'text', _ftsx: 1 },
//>             indexName: 'a_text',
//>             isMultiKey: true,
//>             isUnique: false,
//>             isSparse: false,
//>             isPartial: false,
//>             indexVersion: 2,
//>             direction: 'backward',
//>             indexBounds: {}
//>           }
//>         ]
//>       }
//>     }
//>   }
//> }
plan({ $text: { $search: "\"tea\" -cup -\"x\"" } }, { s: { $meta: "textScore" } }, { s: { $meta: "textScore" } })
//> {
//>   isCached: false,
//>   stage: 'PROJECTION_DEFAULT',
//>   transformBy: { s: { '$meta': 'textScore' } },
//>   inputStage: {
//>     stage: 'SORT',
//>     sortPattern: { '$computed0': { '$meta': 'textScore' } },
//>     memLimit: 104857600,
//>     type: 'default',
//>     inputStage: {
//>       stage: 'TEXT_MATCH',
//>       indexPrefix: {},
//>       indexName: 'a_text',
//>       parsedTextQuery: {
//>         terms: [ 'tea' ],
//>         negatedTerms: [ 'cup' ],
//>         phrases: [ 'tea' ],
//>         negatedPhrases: [ 'x' ]
//>       },
//>       textIndexVersion: 3,
//>       inputStage: {
//>         stage: 'TEXT_OR',
//>         inputStage: {
//>           stage: 'IXSCAN',
//>           keyPattern: { _fts: 'text', _ftsx: 1 },
//>           indexName: 'a_text',
//>           isMultiKey: true,
//>           isUnique: false,
//>           isSparse: false,
//>           isPartial: false,
//>           indexVersion: 2,
//>           direction: 'backward',
//>           indexBounds: {}
//>         }
//>       }
//>     }
//>   }
//> }
plan({ $text: { $search: "the" } })
//> {
//>   isCached: false,
//>   stage: 'TEXT_MATCH',
//>   indexPrefix: {},
//>   indexName: 'a_text',
//>   parsedTextQuery: { terms: [], negatedTerms: [], phrases: [], negatedPhrases: [] },
//>   textIndexVersion: 3,
//>   inputStage: { stage: 'FETCH', inputStage: { stage: 'EOF' } }
//> }
db.t.find({ $text: { $search: "tea", $language: "en" } }).explain().queryPlanner.parsedQuery
//> {
//>   '$text': {
//>     '$search': 'tea',
//>     '$language': 'en',
//>     '$caseSensitive': false,
//>     '$diacriticSensitive': false
//>   }
//> }
db.t.find({ $text: { $search: "tea" } }).explain().queryPlanner.parsedQuery
//> {
//>   '$text': {
//>     '$search': 'tea',
//>     '$language': 'english',
//>     '$caseSensitive': false,
//>     '$diacriticSensitive': false
//>   }
//> }
const costs = db.t.find({ $text: { $search: "tea -cup" } }, { s: { $meta: "textScore" } }).explain("executionStats").executionStats;
[costs.nReturned, costs.totalKeysExamined, costs.totalDocsExamined, costs.executionStages.inputStage.docsRejected, costs.executionStages.inputStage.inputStage.docsExamined]
//> [ 1, 2, 2, 1, 2 ]
db.p.find({ k: 1, $text: { $search: "tea" } }).explain().queryPlanner.winningPlan.indexPrefix
//> { k: 1 }
db.t.createIndex({ at: "2dsphere" })
//> at_2dsphere
find({ $text: { $search: "tea" }, at: { $nearSphere: { $geometry: { type: "Point", coordinates: [0, 0] } } } })
//> 2 text and geoNear not allowed in same query
