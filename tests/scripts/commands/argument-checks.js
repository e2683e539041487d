// In which order arguments of commands are judged, and what they may be besides what the manual says.
// Manual: reference/command/create, reference/command/planCacheClear, reference/command/aggregate, reference/collation
const run = (c, on = db) => { try { const { ok, ...rest } = on.runCommand(c); return rest } catch (e) { return e.code + " " + e.message } };
const code = (c, on = db) => { try { return on.runCommand(c).ok } catch (e) { return e.code } };
const admin = db.getSiblingDB("admin");
// An unknown field is told before a required one that is absent.
[{ distinct: "c", kye: 1 }, { getMore: 1n, colection: "c" }, { createIndexes: "c", index: [] }, { insert: "c", document: {} }, { update: "c", updates: [{ q: {}, unset: 1 }] }, { delete: "c", deletes: [{ limit: 1, p: {} }] }, { killCursors: "c", x: 1 }, { create: "c", clusteredIndex: { unique: true, x: 1 } }, { create: "c", changeStreamPreAndPostImages: { enable: 1 } }, { mapReduce: "c", reduce: "f", x: 1 }, { renameCollection: "a.b", x: 1 }].map((c) => run(c, c.renameCollection ? admin : db))
//> [
//>   "40415 BSON field 'distinct.kye' is an unknown field.",
//>   "40415 BSON field 'getMore.colection' is an unknown field.",
//>   "40415 BSON field 'createIndexes.index' is an unknown field.",
//>   "40415 BSON field 'insert.document' is an unknown field.",
//>   "40415 BSON field 'update.updates.unset' is an unknown field.",
//>   "40415 BSON field 'delete.deletes.p' is an unknown field.",
//>   "40415 BSON field 'killCursors.x' is an unknown field.",
//>   "40415 BSON field 'create.clusteredIndex.x' is an unknown field.",
//>   "40415 BSON field 'changeStreamPreAndPostImages.enable' is an unknown field.",
//>   "40415 BSON field 'mapReduce.x' is an unknown field.",
//>   "40415 BSON field 'renameCollection.x' is an unknown field."
//> ]
[{ distinct: "c" }, { createIndexes: "c" }, { insert: "c" }, { update: "c", updates: [{ q: {} }] }, { delete: "c", deletes: [{ q: {} }] }, { mapReduce: "c", map: "f", reduce: "f" }].map((c) => run(c))
//> [
//>   "40414 BSON field 'distinct.key' is missing but a required field",
//>   "40414 BSON field 'createIndexes.indexes' is missing but a required field",
//>   "40414 BSON field 'insert.documents' is missing but a required field",
//>   "40414 BSON field 'update.updates.u' is missing but a required field",
//>   "40414 BSON field 'delete.deletes.limit' is missing but a required field",
//>   "40414 BSON field 'mapReduce.out' is missing but a required field"
//> ]
// A configuration of WiredTiger is kept that asks for nothing.
const made = (storageEngine, more) => code({ create: "s", storageEngine, ...more });
[made(null), made({}), made({ wiredTiger: { configString: "" } }), made({ wiredTiger: { configString: "," } })]
//> [ 1, 1, 48, 48 ]
[db.s.drop(), made({ wiredTiger: { configString: "" } }, { indexOptionDefaults: { storageEngine: { wiredTiger: {} } } }), db.getCollectionInfos({ name: "s" })[0].options]
//> [
//>   true,
//>   1,
//>   {
//>     storageEngine: { wiredTiger: { configString: '' } },
//>     indexOptionDefaults: { storageEngine: { wiredTiger: {} } }
//>   }
//> ]
[made("x"), made({ rocks: {} }), made({ wiredTiger: 1 }), made({ wiredTiger: { x: 1 } }), made({ wiredTiger: { configString: 1 } }), made({ wiredTiger: { configString: "a\0" } }), made({ wiredTiger: { configString: "x=1" } }), made({ wiredTiger: { configString: "leaf_page_max=4k" } }), made({}, { indexOptionDefaults: [] }), made({}, { indexOptionDefaults: { x: 1 } })]
//> [
//>      14,  72,  2,
//>      72,  14,  9,
//>       2, 238, 14,
//>   40415
//> ]
// A clustered index is a specification, or an old flag.
const clustered = (clusteredIndex, more) => { const told = code({ create: "k", clusteredIndex, ...more }); db.k.drop(); return told };
[false, 0, -0, NumberDecimal(0), true, 2, NaN, null, "x", []].map((one) => clustered(one))
//> [
//>         1,       1,
//>         1,       1,
//>   5979703, 5979703,
//>   5979703,      14,
//>        14,      14
//> ]
[1, NaN, NumberDecimal("-Infinity"), 0, null, "x"].map((unique) => clustered({ key: { _id: 1 }, unique }))
//> [ 1, 1, 1, 5979700, 40414, 14 ]
db.createCollection("order", { clusteredIndex: { key: { _id: 1 }, unique: true } })
//> { ok: 1 }
const stored = (_id, to = db.order) => { try { return to.insertOne({ _id }).acknowledged } catch (e) { return e.code } };
[NaN, NumberDecimal("NaN"), Infinity, NumberDecimal("Infinity"), -Infinity, -Infinity, 1, 1].map((_id) => stored(_id))
//> [
//>   true, 50819,
//>   true, 50826,
//>   true, 50826,
//>   true, 11000
//> ]
// The documents that follow are few and short.
db.createCollection("wide", { clusteredIndex: { key: { _id: 1 }, unique: true } })
//> { ok: 1 }
const most = 8 * 1024 * 1024;
["x".repeat(most - 2), "x".repeat(most - 1), { a: "x".repeat(most) }].map((_id) => stored(_id, db.wide))
//> [ true, 5894900, 5894900 ]
db.wide.drop()
//> true
[{ name: "_id_", hidden: true }, { keyPattern: { _id: 1 }, hidden: false }, { name: "_id_", expireAfterSeconds: 5 }, { keyPattern: { _id: 1 }, expireAfterSeconds: 5 }].map((index) => run({ collMod: "order", index }))
//> [
//>   "6011800 The 'hidden' option is not supported for a clusteredIndex",
//>   "6011800 The 'hidden' option is not supported for a clusteredIndex",
//>   '27 cannot find index _id_ for ns test.order',
//>   '27 cannot find index { _id: 1 } for ns test.order'
//> ]
// The commands on the plan cache leave unknown fields alone, and judge none where there is no collection.
["planCacheClear", "planCacheClearFilters", "planCacheListFilters"].map((name) => [code({ [name]: "none", sort: 5, x: 1 }), code({ [name]: "order", x: 1 })])
//> [ [ 1, 1 ], [ 1, 1 ], [ 1, 1 ] ]
const filtered = (more, on = "order") => run({ planCacheSetFilter: on, query: { a: 1 }, indexes: [{ a: 1 }], x: 1, ...more });
[filtered({}), filtered({ collation: null }), filtered({ collation: [] }), filtered({ collation: {} }), filtered({ collation: { strength: 1 } }), filtered({ query: 5 }, "none")]
//> [
//>   {},
//>   '2 optional field collation must be an object',
//>   '2 optional field collation must be an object',
//>   '2 optional field collation cannot be an empty object',
//>   "40414 BSON field 'collation.locale' is missing but a required field",
//>   '2 no such collection'
//> ]
// Fields of aggregate: which may be null, which need company.
const piped = (more, on = "order") => run({ aggregate: on, pipeline: [], cursor: {}, ...more });
[piped({ pipeline: null }), piped({ cursor: null }), run({ aggregate: "order", pipeline: [], explain: false }), piped({ hint: null }), piped({ bypassDocumentValidation: NumberDecimal(1) }).cursor.firstBatch.length, piped({ bypassDocumentValidation: "x" }), piped({ let: { now: "$$NOW" } }), piped({ pipeline: [{ $documents: [] }] }), piped({ pipeline: [{ $search: {} }], apiVersion: "1", apiStrict: true })]
//> [
//>   "14 BSON field 'aggregate.pipeline' is the wrong type 'null', expected type 'array'",
//>   "14 BSON field 'aggregate.cursor' is the wrong type 'null', expected type 'object'",
//>   "9 The 'cursor' option is required, except for aggregate with the explain argument",
//>   '9 Hint must be a string or an object',
//>   4,
//>   "14 BSON field 'aggregate.bypassDocumentValidation' is the wrong type 'string', expected types '[bool, long, int, decimal, double']",
//>   "51144 Builtin variable '$$NOW' is not available",
//>   '73 $documents is only valid as the first stage of a pipeline with {aggregate: 1}',
//>   "323 $search is not allowed with 'apiStrict: true' in API Version 1"
//> ]
const nested = (depth, wrap) => piped({ pipeline: Array(depth).fill(0).reduce((pipeline) => [wrap(pipeline)], []) });
[nested(21, (pipeline) => ({ $lookup: { from: "none", pipeline, as: "x" } })), nested(21, (pipeline) => ({ $unionWith: { coll: "none", pipeline } })), nested(20, (pipeline) => ({ $unionWith: { coll: "none", pipeline } })).cursor.firstBatch.length]
//> [
//>   '232 Maximum number of nested sub-pipelines exceeded. Limit is 20',
//>   '232 Maximum number of nested sub-pipelines exceeded. Limit is 20',
//>   4
//> ]
// A facet nests nothing itself.
const inFacet = (depth) => piped({ pipeline: [{ $facet: { a: Array(depth).fill(0).reduce((pipeline) => [{ $unionWith: { coll: "none", pipeline } }], []) } }] });
[inFacet(21), inFacet(20).cursor.firstBatch[0].a.length]
//> [
//>   '232 Maximum number of nested sub-pipelines exceeded. Limit is 20',
//>   4
//> ]
// Stages that tell of this member alone read at no other level than local; what writes does not wait for a majority.
const levels = (stage, on, from = db) => ["local", "available", "majority", "linearizable", "snapshot"].map((level) => code({ aggregate: on, pipeline: [stage], cursor: {}, readConcern: { level } }, from));
[levels({ $planCacheStats: {} }, "order"), levels({ $listLocalSessions: {} }, 1), levels({ $currentOp: {} }, 1, admin), levels({ $indexStats: {} }, "order"), levels({ $out: "out" }, "order"), levels({ $merge: "out" }, "order")]
//> [
//>   [ 1, 72, 72, 72, 72 ],
//>   [ 1, 72, 72, 72, 72 ],
//>   [ 1, 72, 72, 72, 72 ],
//>   [ 1, 1, 1, 1, 1 ],
//>   [ 1, 1, 1, 72, 1 ],
//>   [ 1, 1, 1, 72, 1 ]
//> ]
// Nulls of other commands.
[{ find: "order", filter: null }, { find: "order", hint: null }, { count: "order", query: null }, { distinct: "order", key: "a", query: null }, { findAndModify: "order", query: { _id: 5 }, update: {}, hint: null }].map((c) => run(c))
//> [
//>   "14 BSON field 'FindCommandRequest.filter' is the wrong type 'null', expected type 'object'",
//>   '9 Hint must be a string or an object',
//>   { n: 4 },
//>   { values: [] },
//>   '9 Hint must be a string or an object'
//> ]
const bulk = (op, info) => run({ bulkWrite: 1, ops: [op], nsInfo: [{ ns: "test.c", ...info }] }, admin);
[bulk({ insert: null, document: {} }), bulk({ delete: null, filter: {} }), bulk({ delete: 0, filter: {}, hint: null }), bulk({ insert: 0, document: {} }, { collectionUUID: UUID("00112233-4455-4677-8899-aabbccddeeff") }), bulk({ insert: 0, document: {} }, { collectionUUID: db.getCollectionInfos({ name: "c" })[0]?.info.uuid }).nInserted]
//> [
//>   "40414 BSON field 'bulkWrite.insert' is missing but a required field",
//>   "40414 BSON field 'bulkWrite.delete' is missing but a required field",
//>   '9 Hint must be a string or an object',
//>   '361 Collection UUID does not match that specified',
//>   1
//> ]
// Options of a collation that are null are absent, and beside the simple one none means anything.
["caseLevel", "caseFirst", "strength", "numericOrdering", "alternate", "maxVariable", "normalization", "backwards", "version", "locale"].map((name) => code({ find: "order", collation: { locale: "de", [name]: null } }))
//> [
//>       1, 1, 1,
//>       1, 1, 1,
//>       1, 1, 1,
//>   40414
//> ]
[code({ find: "order", collation: { locale: "simple", strength: 1, normalization: true } }), code({ find: "order", collation: { locale: "simple", strength: "x" } })]
//> [ 1, 14 ]
// Names: too long, or the server's own.
const named = "n".repeat(251);
[{ to: "test." + named }, { to: "test.system.other" }, { renameCollection: "test.system.other", to: "test.x" }, { to: "test." + named.slice(1) }].map((c) => code({ renameCollection: "test.order", ...c }, admin))
//> [ 20, 20, 20, 1 ]
db.createView("sight", "c", [])
//> { ok: 1 }
[run({ create: "system.buckets.x" }), run({ create: "system.other" }), run({ cloneCollectionAsCapped: "c", toCollection: "sight", size: 4096 }), run({ cloneCollectionAsCapped: "system.buckets.x", toCollection: "y", size: 4096 }), run({ create: "seen", viewOn: "c", pipeline: [], changeStreamPreAndPostImages: { enabled: false } }), run({ create: "saw", viewOn: "c", pipeline: [], changeStreamPreAndPostImages: { enabled: true } })]
//> [
//>   '20 Cannot create collection test.system.buckets.x without timeseries options',
//>   '73 Invalid system namespace: test.system.other',
//>   '166 Namespace test.sight is a view, not a collection',
//>   '20 Cannot create collection test.system.buckets.x without timeseries options',
//>   {},
//>   "72 Cannot specify 'changeStreamPreAndPostImages' with 'viewOn'"
//> ]
// Commands of sessions and some that describe leave unknown fields alone.
[{ startSession: 1, x: 1 }, { killSessions: [], x: 1 }, { killAllSessions: [], x: 1 }, { listCommands: 1, x: 1 }, { whatsmyuri: 1, x: 1 }, { dbHash: 1, collections: "c", x: 1 }, { validateDBMetadata: 1, apiParameters: { version: "2", strict: true } }, { listIndexes: "order", includeBuildUUIDs: true, includeIndexBuildInfo: true }].map((c) => code(c))
//> [
//>   1, 1, 1,  1,
//>   1, 1, 1, 72
//> ]
// The values of distinct come in their order, and an unknown operator of a projection is told as such.
db.kinds.insertMany([{ a: [3, "b", null] }, { a: { x: 1 } }, { a: "a" }, { a: -1 }, { a: MaxKey }, { a: true }, { a: 3.0 }]).acknowledged
//> true
[db.kinds.distinct("a"), run({ distinct: "kinds", key: "a", hint: { $natural: -1 } }).values.length, run({ find: "kinds", projection: { a: { $inc: 1 } } }), run({ find: "kinds", projection: { a: { $add: [{ $inc: 1 }] } } })]
//> [
//>   [ null, -1, 3, 'a', 'b', { x: 1 }, true, MaxKey() ],
//>   8,
//>   '31325 Unknown expression $inc',
//>   "168 Unrecognized expression '$inc'"
//> ]
