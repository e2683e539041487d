// What the profiler keeps: levels, slowms, sampleRate and filter, and the entries of each kind of command.
//
// Manual: reference/command/profile, reference/database-profiler, tutorial/manage-the-database-profiler
const run = (c) => { try { return db.runCommand(c) } catch (e) { return e.code + " " + e.codeName + " " + e.message } }
const last = (filter = {}) => db.system.profile.find(filter, {execStats: 0, queryHash: 0, planCacheShapeHash: 0, planCacheKey: 0}).sort({$natural: -1}).limit(1).next()
const facts = (entry, ...names) => Object.fromEntries(names.filter((name) => name in entry).map((name) => [name, entry[name]]))
db.getProfilingStatus()
//> { was: 0, slowms: 100, sampleRate: 1, ok: 1 }
db.getCollectionNames()
//> []
db.setProfilingLevel(2)
//> { was: 0, slowms: 100, sampleRate: 1, ok: 1 }
run({profile: -1})
//> { was: 2, slowms: 100, sampleRate: 1, ok: 1 }
db.getCollectionInfos()[0].options
//> { capped: true, size: 1048576 }
db.system.profile.getIndexes()
//> []
run({profile: "2"})
//> 14 TypeMismatch BSON field 'profile.profile' is the wrong type 'string', expected types '[long, int, decimal, double']
run({profile: 7}).was
//> 2
run({profile: 1, filter: 5})
//> 2 BadValue Expected an object, or the string 'unset'.
run({profile: 1, sampleRate: 2})
//> 2 BadValue 'sampleRate' must be between 0.0 and 1.0 inclusive
run({profile: 1, unknown: 1})
//> 40415 IDLUnknownField BSON field 'profile.unknown' is an unknown field.
db.teas.insertMany([{_id: 1, price: 3, kind: "green"}, {_id: 2, price: 5, kind: "black"}, {_id: 3, price: 8, kind: "green"}]).acknowledged
//> true
last()
//> {
//>   op: 'insert',
//>   ns: 'test.teas',
//>   command: { insert: 'teas', ordered: true, '$db': 'test' },
//>   keysExamined: 0,
//>   docsExamined: 0,
//>   ninserted: 3,
//>   keysInserted: 3,
//>   numYield: 0,
//>   responseLength: 24,
//>   locks: {},
//>   flowControl: {},
//>   storage: {},
//>   protocol: 'op_msg',
//>   millis: <*>,
//>   ts: ISODate('2026-01-01T00:00:00.000Z'),
//>   client: '127.0.0.1',
//>   allUsers: [],
//>   user: ''
//> }
db.teas.createIndex({price: 1})
//> price_1
facts(last(), "op", "ns", "command")
//> {
//>   op: 'command',
//>   ns: 'test.teas',
//>   command: {
//>     createIndexes: 'teas',
//>     indexes: [ { key: { price: 1 }, name: 'price_1' } ],
//>     '$db': 'test'
//>   }
//> }
db.teas.find({price: {$gt: 4}}).sort({price: 1}).batchSize(1).toArray().length
//> 2
const {cursorid, ...first} = last({op: "query"})
first
//> {
//>   op: 'query',
//>   ns: 'test.teas',
//>   command: {
//>     find: 'teas',
//>     filter: { price: { '$gt': 4 } },
//>     sort: { price: 1 },
//>     batchSize: 1,
//>     '$db': 'test'
//>   },
//>   keysExamined: 1,
//>   docsExamined: 1,
//>   numYield: 0,
//>   nreturned: 1,
//>   queryShapeHash: 'DDD613E9181919F88436D5482F019C93497E74D7A3A88F69240EE50D75B3D30B',
//>   queryFramework: 'classic',
//>   responseLength: 121,
//>   locks: {},
//>   flowControl: {},
//>   storage: {},
//>   protocol: 'op_msg',
//>   millis: <*>,
//>   planSummary: 'IXSCAN { price: 1 }',
//>   ts: ISODate('2026-01-01T00:00:00.000Z'),
//>   client: '127.0.0.1',
//>   allUsers: [],
//>   user: ''
//> }
const more = db.system.profile.find({op: "getmore"}).toArray()
more.map((entry) => facts(entry, "op", "ns", "originatingCommand", "keysExamined", "docsExamined", "nreturned", "planSummary", "cursorExhausted"))
//> [
//>   {
//>     op: 'getmore',
//>     ns: 'test.teas',
//>     originatingCommand: {
//>       find: 'teas',
//>       filter: { price: { '$gt': 4 } },
//>       sort: { price: 1 },
//>       batchSize: 1,
//>       '$db': 'test'
//>     },
//>     keysExamined: 1,
//>     docsExamined: 1,
//>     nreturned: 1,
//>     planSummary: 'IXSCAN { price: 1 }'
//>   },
//>   {
//>     op: 'getmore',
//>     ns: 'test.teas',
//>     originatingCommand: {
//>       find: 'teas',
//>       filter: { price: { '$gt': 4 } },
//>       sort: { price: 1 },
//>       batchSize: 1,
//>       '$db': 'test'
//>     },
//>     keysExamined: 0,
//>     docsExamined: 0,
//>     nreturned: 0,
//>     planSummary: 'IXSCAN { price: 1 }',
//>     cursorExhausted: true
//>   }
//> ]
[cursorid.toString() === more[0].cursorid.toString(), Object.keys(more[0].command), typeof more[0].queryHash]
//> [ true, [ 'getMore', 'collection', 'batchSize', '$db' ], 'string' ]
// The stages of the plan, with what each did.
const stages = db.system.profile.find({op: "query", ns: "test.teas", planSummary: /^IXSCAN/}).next().execStats;
[facts(stages, "stage", "nReturned", "works", "docsExamined"), facts(stages.inputStage, "stage", "keysExamined", "indexName")]
//> [
//>   { stage: 'FETCH', nReturned: 1, works: 1, docsExamined: 1 },
//>   { stage: 'IXSCAN', keysExamined: 1, indexName: 'price_1' }
//> ]
db.teas.findOne({_id: 2}).kind
//> black
facts(last({op: "query", ns: "test.teas"}), "planSummary", "keysExamined", "docsExamined", "nreturned", "cursorExhausted")
//> {
//>   planSummary: 'EXPRESS_IXSCAN { _id: 1 }',
//>   keysExamined: 1,
//>   docsExamined: 1,
//>   nreturned: 1,
//>   cursorExhausted: true
//> }
db.teas.find({kind: "green"}).sort({kind: 1, _id: -1}).toArray().length
//> 2
facts(last({op: "query", ns: "test.teas"}), "planSummary", "hasSortStage", "docsExamined", "nreturned")
//> {
//>   planSummary: 'COLLSCAN',
//>   hasSortStage: true,
//>   docsExamined: 3,
//>   nreturned: 2
//> }
// Each statement of an update has an entry of its own.
run({update: "teas", updates: [{q: {price: {$gte: 5}}, u: {$inc: {price: 1}}, multi: true}, {q: {_id: 9}, u: {$set: {price: 1}}, upsert: true}]}).nModified
//> 2
db.system.profile.find({op: "update"}).toArray().map((entry) => facts(entry, "op", "ns", "command", "keysExamined", "docsExamined", "nMatched", "nModified", "nUpserted", "upsert", "keysInserted", "keysDeleted", "planSummary"))
//> [
//>   {
//>     op: 'update',
//>     ns: 'test.teas',
//>     command: {
//>       q: { price: { '$gte': 5 } },
//>       u: { '$inc': { price: 1 } },
//>       multi: true,
//>       upsert: false
//>     },
//>     keysExamined: 2,
//>     docsExamined: 2,
//>     nMatched: 2,
//>     nModified: 2,
//>     keysInserted: 2,
//>     keysDeleted: 2,
//>     planSummary: 'IXSCAN { price: 1 }'
//>   },
//>   {
//>     op: 'update',
//>     ns: 'test.teas',
//>     command: {
//>       q: { _id: 9 },
//>       u: { '$set': { price: 1 } },
//>       multi: false,
//>       upsert: true
//>     },
//>     keysExamined: 0,
//>     docsExamined: 0,
//>     nMatched: 0,
//>     nModified: 0,
//>     nUpserted: 1,
//>     upsert: true,
//>     keysInserted: 2,
//>     planSummary: 'IDHACK'
//>   }
//> ]
db.teas.deleteMany({price: {$gt: 7}}).deletedCount
//> 1
facts(last({op: "remove"}), "op", "command", "ndeleted", "keysDeleted", "keysExamined", "planSummary")
//> {
//>   op: 'remove',
//>   command: { q: { price: { '$gt': 7 } }, limit: 0 },
//>   ndeleted: 1,
//>   keysDeleted: 2,
//>   keysExamined: 1,
//>   planSummary: 'IXSCAN { price: 1 }'
//> }
db.teas.findOneAndUpdate({kind: "black"}, {$set: {price: 2}}).kind
//> black
facts(last({"command.findAndModify": "teas"}), "op", "nMatched", "nModified", "keysInserted", "keysDeleted", "docsExamined", "planSummary")
//> {
//>   op: 'command',
//>   nMatched: 1,
//>   nModified: 1,
//>   keysInserted: 1,
//>   keysDeleted: 1,
//>   docsExamined: 2,
//>   planSummary: 'COLLSCAN'
//> }
db.teas.findOneAndDelete({kind: "green"})._id
//> 1
facts(last({"command.findAndModify": "teas"}), "ndeleted", "keysDeleted", "planSummary")
//> { ndeleted: 1, keysDeleted: 2, planSummary: 'COLLSCAN' }
db.teas.aggregate([{$match: {price: {$gte: 1}}}, {$group: {_id: "$kind", n: {$sum: 1}}}, {$sort: {_id: 1}}]).toArray()
//> [ { _id: null, n: 1 }, { _id: 'black', n: 1 } ]
facts(last({"command.aggregate": "teas"}), "op", "ns", "planSummary", "hasSortStage", "nreturned", "docsExamined")
//> {
//>   op: 'command',
//>   ns: 'test.teas',
//>   planSummary: 'IXSCAN { price: 1 }',
//>   hasSortStage: true,
//>   nreturned: 2,
//>   docsExamined: 2
//> }
db.teas.countDocuments({kind: "black"})
//> 1
db.teas.estimatedDocumentCount()
//> 2
facts(last({"command.count": "teas"}), "op", "planSummary", "docsExamined")
//> {
//>   op: 'command',
//>   planSummary: 'RECORD_STORE_FAST_COUNT',
//>   docsExamined: 0
//> }
db.teas.distinct("price")
//> [ 1, 2 ]
facts(last({"command.distinct": "teas"}), "op", "planSummary", "keysExamined")
//> {
//>   op: 'command',
//>   planSummary: 'DISTINCT_SCAN { price: 1 }',
//>   keysExamined: 2
//> }
// A plan that was weighed against others, and one that the cache knew.
db.herbs.insertMany(Array.from({length: 5}, (_, n) => ({a: n, b: n}))).acknowledged
//> true
db.herbs.createIndexes([{a: 1}, {a: 1, b: 1}]).length
//> 2
[1, 2, 3].map(() => { db.herbs.find({a: 3, b: 3}).toArray(); return facts(last({op: "query", ns: "test.herbs"}), "fromMultiPlanner", "fromPlanCache", "planSummary") })
//> [
//>   { fromMultiPlanner: true, planSummary: 'IXSCAN { a: 1 }' },
//>   { fromMultiPlanner: true, planSummary: 'IXSCAN { a: 1 }' },
//>   { fromPlanCache: true, planSummary: 'IXSCAN { a: 1 }' }
//> ]
// A command that fails has an entry, and leaves nothing else.
run({find: "teas", filter: {$nope: 1}})
//> 2 BadValue unknown top level operator: $nope. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.
facts(last({errCode: 2}), "op", "ok", "errMsg", "errName", "errCode")
//> {
//>   op: 'query',
//>   ok: 0,
//>   errMsg: "unknown top level operator: $nope. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.",
//>   errName: 'BadValue',
//>   errCode: 2
//> }
run({insert: "teas", documents: [{_id: 1}, {_id: 1}]}).writeErrors[0].code
//> 11000
facts(last({op: "insert"}), "command", "ninserted", "keysInserted")
//> {
//>   command: { insert: 'teas', '$db': 'test' },
//>   ninserted: 1,
//>   keysInserted: 2
//> }
// Long commands are cut off.
db.teas.find({name: "x".repeat(60000)}).comment("long").toArray()
//> []
const {$truncated, ...told} = last({"command.comment": "long"}).command;
[$truncated.replace(/x{150}/, "<150 x>"), told]
//> [
//>   '{ find: "teas", filter: { name: "<150 x>..." }, comment: "long", $db: "test" }',
//>   { comment: 'long' }
//> ]
// Reads of the profile are commands too; ping, currentOp and profile itself are not of the data.
const before = db.system.profile.countDocuments({})
db.runCommand({ping: 1}).ok
//> 1
run({profile: -1}).was
//> 2
db.system.profile.countDocuments({}) - before
//> 1
// Nobody else may write to it, and it cannot be dropped while it is written to.
run({insert: "system.profile", documents: [{}]})
//> 73 InvalidNamespace cannot write to test.system.profile
run({update: "system.profile", updates: [{q: {}, u: {$set: {a: 1}}}]})
//> 73 InvalidNamespace cannot write to test.system.profile
run({delete: "system.profile", deletes: [{q: {}, limit: 0}]})
//> 73 InvalidNamespace cannot write to test.system.profile
run({findAndModify: "system.profile", query: {}, remove: true})
//> 73 InvalidNamespace cannot write to test.system.profile
run({convertToCapped: "system.profile", size: 4096})
//> 2 BadValue cannot convert the system collection test.system.profile
run({drop: "system.profile"})
//> 20 IllegalOperation turn off profiling before dropping system.profile collection
run({aggregate: "teas", pipeline: [{$out: "system.profile"}], cursor: {}})
//> 17385 Location17385 Can't $out to special collection: system.profile
db.system.profile.validate().valid
//> true
db.setProfilingLevel(0)
//> { was: 2, slowms: 100, sampleRate: 1, ok: 1 }
db.system.profile.drop()
//> true
db.createCollection("system.profile").ok
//> 1
run({profile: 1})
//> 48 NamespaceExists test.system.profile exists but isn't capped
db.system.profile.drop()
//> true
// Slow ones only: none here takes an hour, and all take no time at least.
db.setProfilingLevel(1, 3600000)
//> { was: 0, slowms: 100, sampleRate: 1, ok: 1 }
db.teas.find().toArray().length
//> 3
db.system.profile.countDocuments({})
//> 0
db.setProfilingLevel(1, {slowms: 0})
//> { was: 1, slowms: 3600000, sampleRate: 1, ok: 1 }
db.teas.find().comment("slow").toArray().length
//> 3
last({"command.comment": "slow"}).op
//> query
db.setProfilingLevel(1, {slowms: 0, sampleRate: 0})
//> { was: 1, slowms: 0, sampleRate: 1, ok: 1 }
db.teas.find().comment("no sample").toArray().length
//> 3
db.system.profile.find({"command.comment": "no sample"}).toArray()
//> []
// A filter takes the place of slowms and sampleRate.
db.setProfilingLevel(1, {filter: {op: "query", nreturned: {$gt: 1}}})
//> { was: 1, slowms: 0, sampleRate: 0, ok: 1 }
db.getProfilingStatus()
//> {
//>   was: 1,
//>   slowms: 0,
//>   sampleRate: 0,
//>   filter: {
//>     '$and': [ { op: { '$eq': 'query' } }, { nreturned: { '$gt': 1 } } ]
//>   },
//>   note: 'When a filter expression is set, slowms and sampleRate are not used for profiling and slow-query log lines.',
//>   ok: 1
//> }
db.teas.insertOne({_id: 20}).acknowledged
//> true
db.teas.find({_id: 20}).comment("one").toArray().length
//> 1
db.herbs.find().comment("many").toArray().length
//> 5
db.system.profile.find({"command.comment": {$in: ["one", "many"]}}).toArray().map((entry) => entry.command.comment)
//> [ 'many' ]
db.setProfilingLevel(1, {filter: "unset", slowms: 100, sampleRate: 1}).was
//> 1
// Dropping the database sets it back; other databases have levels of their own.
db.getSiblingDB("other").getProfilingStatus().was
//> 0
db.dropDatabase()
//> { ok: 1, dropped: 'test' }
db.getProfilingStatus()
//> { was: 0, slowms: 100, sampleRate: 1, ok: 1 }
// Commands on a fork leave no trace; the profile keeps the newest entries of a million bytes.
db.setProfilingLevel(2).was
//> 0
run({quireFork: 1, commands: [{find: "teas", comment: "fork"}]}).ok
//> 1
db.system.profile.countDocuments({"command.comment": "fork"})
//> 0
run({quireObserve: 1, command: {find: "teas", comment: "observed"}}).ok
//> 1
facts(last({"command.comment": "observed"}), "op", "ns", "planSummary", "nreturned")
//> { op: 'query', ns: 'test.teas', planSummary: 'EOF', nreturned: 0 }
for (let n = 0; n < 60; n++) db.teas.find({name: "y".repeat(30000)}).comment("round " + n).toArray()
//> []
db.system.profile.stats().size <= 1048576
//> true
db.system.profile.countDocuments({"command.comment": "round 0"})
//> 0
// Read from the catalog anew, as after a reload, the collection still takes entries without an _id.
db.adminCommand({quireMoment: 1, name: "noted"}).ok
//> 1
db.teas.findOne({name: "a"}); db.adminCommand({quireRestore: "noted"}).ok
//> 1
for (const n of [1, 2, 3]) db.teas.find({n}).comment("anew").toArray(); db.setProfilingLevel(0).was
//> 2
db.system.profile.countDocuments({"command.comment": "anew"})
//> 3
db.system.profile.validate().valid
//> true
// A pipeline that begins with `$geoNear` is told by the plan of its look-up.
db.places.createIndex({at: "2dsphere"}); db.places.insertMany([{at: [0, 0]}, {at: [1, 1]}, {at: [50, 50]}]).acknowledged
//> true
db.setProfilingLevel(2).was
//> 0
db.places.aggregate([{$geoNear: {near: {type: "Point", coordinates: [0, 0]}, distanceField: "d", maxDistance: 300000}}, {$project: {_id: 0, at: 1}}], {comment: "near"})
//> [ { at: [ 0, 0 ] }, { at: [ 1, 1 ] } ]
facts(last({"command.comment": "near"}), "op", "ns", "docsExamined", "nreturned", "planSummary", "hasSortStage")
//> {
//>   op: 'command',
//>   ns: 'test.places',
//>   docsExamined: 2,
//>   nreturned: 2,
//>   planSummary: 'GEO_NEAR_2DSPHERE { at: "2dsphere" }'
//> }
db.setProfilingLevel(0).was
//> 2
