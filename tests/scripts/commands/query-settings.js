// Settings of query shapes: set, merged, shown, removed, and the queries that they refuse. Manual: reference/command/setQuerySettings,
// reference/command/removeQuerySettings, reference/operator/aggregation/querySettings
const admin = db.getSiblingDB("admin")
const run = (command, at = admin) => { try { return at.runCommand(command) } catch (e) { return `${e.code} ${e.codeName} ${e.message}` } }
const set = (setQuerySettings, settings) => run({setQuerySettings, settings})
const drop = (removeQuerySettings) => run({removeQuerySettings})
const list = (options = {}) => admin.aggregate([{$querySettings: options}]).toArray()
const short = (reply) => typeof reply === "string" ? reply : Object.fromEntries(Object.entries(reply).filter(([name]) => !name.includes("lusterTime") && name !== "operationTime"))
const ships = (filter) => ({find: "ships", filter, $db: "test"})
const hint = (allowedIndexes, coll = "ships") => ({ns: {db: "test", coll}, allowedIndexes})
list()
//> []
short(set(ships({flag: "NO"}), {indexHints: hint(["flag_1", {tons: -1}]), comment: {by: "harbour"}}))
//> {
//>   queryShapeHash: '46B7C6CE7794242211ED9A8662C47D994BAEA5BF7ECCC88C42547E73546ED73F',
//>   settings: {
//>     indexHints: [
//>       {
//>         ns: { db: 'test', coll: 'ships' },
//>         allowedIndexes: [ 'flag_1', { tons: -1 } ]
//>       }
//>     ],
//>     comment: { by: 'harbour' }
//>   },
//>   representativeQuery: { find: 'ships', filter: { flag: 'NO' }, '$db': 'test' },
//>   ok: 1
//> }
// What a later command does not name stays.
short(set(ships({flag: "SE"}), {queryFramework: "classic"}))
//> {
//>   queryShapeHash: '46B7C6CE7794242211ED9A8662C47D994BAEA5BF7ECCC88C42547E73546ED73F',
//>   settings: {
//>     indexHints: [
//>       {
//>         ns: { db: 'test', coll: 'ships' },
//>         allowedIndexes: [ 'flag_1', { tons: -1 } ]
//>       }
//>     ],
//>     queryFramework: 'classic',
//>     comment: { by: 'harbour' }
//>   },
//>   representativeQuery: { find: 'ships', filter: { flag: 'SE' }, '$db': 'test' },
//>   ok: 1
//> }
short(set(list()[0].queryShapeHash.toLowerCase(), {indexHints: [hint([{$natural: -1}]), hint(["_id_"], "ports")], reject: true}))
//> {
//>   queryShapeHash: '46B7C6CE7794242211ED9A8662C47D994BAEA5BF7ECCC88C42547E73546ED73F',
//>   settings: {
//>     indexHints: [
//>       {
//>         ns: { db: 'test', coll: 'ships' },
//>         allowedIndexes: [ { '$natural': -1 } ]
//>       },
//>       { ns: { db: 'test', coll: 'ports' }, allowedIndexes: [ '_id_' ] }
//>     ],
//>     queryFramework: 'classic',
//>     reject: true,
//>     comment: { by: 'harbour' }
//>   },
//>   representativeQuery: { find: 'ships', filter: { flag: 'SE' }, '$db': 'test' },
//>   ok: 1
//> }
list({showDebugQueryShape: true})
//> [
//>   {
//>     queryShapeHash: '46B7C6CE7794242211ED9A8662C47D994BAEA5BF7ECCC88C42547E73546ED73F',
//>     settings: {
//>       indexHints: [
//>         {
//>           ns: { db: 'test', coll: 'ships' },
//>           allowedIndexes: [ { '$natural': -1 } ]
//>         },
//>         {
//>           ns: { db: 'test', coll: 'ports' },
//>           allowedIndexes: [ '_id_' ]
//>         }
//>       ],
//>       queryFramework: 'classic',
//>       reject: true,
//>       comment: { by: 'harbour' }
//>     },
//>     representativeQuery: { find: 'ships', filter: { flag: 'SE' }, '$db': 'test' },
//>     debugQueryShape: {
//>       cmdNs: { db: 'test', coll: 'ships' },
//>       command: 'find',
//>       filter: { flag: { '$eq': '?string' } }
//>     }
//>   }
//> ]
[set(ships({flag: "FI"}), {reject: false}).settings, set(ships({flag: "FI"}), {indexHints: []}).settings]
//> [
//>   {
//>     indexHints: [
//>       {
//>         ns: { db: 'test', coll: 'ships' },
//>         allowedIndexes: [ { '$natural': -1 } ]
//>       },
//>       { ns: { db: 'test', coll: 'ports' }, allowedIndexes: [ '_id_' ] }
//>     ],
//>     queryFramework: 'classic',
//>     comment: { by: 'harbour' }
//>   },
//>   { queryFramework: 'classic', comment: { by: 'harbour' } }
//> ]
short(drop(ships({flag: "DK"})))
//> { ok: 1 }
[list(), short(drop(ships({flag: "DK"}))), short(drop("0".repeat(64)))]
//> [ [], { ok: 1 }, { ok: 1 } ]
// A shape that has no query yet.
short(set("ab".repeat(32), {reject: true}))
//> {
//>   queryShapeHash: 'ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB',
//>   settings: { reject: true },
//>   ok: 1
//> }
list({showDebugQueryShape: true})
//> [
//>   {
//>     queryShapeHash: 'ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB',
//>     settings: { reject: true }
//>   }
//> ]
drop("AB".repeat(32)).ok
//> 1
// Refusals of settings.
[set(ships({tons: 1}), {}), set(ships({tons: 1}), {reject: false}), set(ships({tons: 1}), {comment: "nothing"}), set(ships({tons: 1}), {indexHints: hint([])}), run({setQuerySettings: ships({tons: 1})})]
//> [
//>   '8727502 Location8727502 settings field in setQuerySettings command cannot be empty',
//>   '7746604 Location7746604 the resulting settings cannot be empty or contain only default values',
//>   '7746604 Location7746604 the resulting settings cannot be empty or contain only default values',
//>   '7746604 Location7746604 the resulting settings cannot be empty or contain only default values',
//>   "40414 IDLFailedToParse BSON field 'setQuerySettings.settings' is missing but a required field"
//> ]
[{reject: 1}, {reject: null}, {queryFramework: 1}, {queryFramework: "fast"}, {indexHints: 1}, {indexHints: [1]}, {more: true}].map((settings) => set(ships({tons: 1}), settings))
//> [
//>   "14 TypeMismatch BSON field 'setQuerySettings.settings.reject' is the wrong type 'int', expected type 'bool'",
//>   "14 TypeMismatch BSON field 'setQuerySettings.settings.reject' is the wrong type 'null', expected type 'bool'",
//>   "14 TypeMismatch BSON field 'setQuerySettings.settings.queryFramework' is the wrong type 'int', expected type 'string'",
//>   "2 BadValue Enumeration value 'fast' for field 'setQuerySettings.settings.queryFramework' is not a valid value.",
//>   "14 TypeMismatch BSON field 'setQuerySettings.settings.indexHints' is the wrong type 'int', expected types '[array, object']",
//>   "14 TypeMismatch an item of 'indexHints' is no object",
//>   "40415 IDLUnknownField BSON field 'setQuerySettings.settings.more' is an unknown field."
//> ]
[{}, {ns: {}}, {ns: {db: "test", coll: "ships"}}, {ns: {db: 1}, allowedIndexes: ["a"]}, {ns: {coll: "ships"}, allowedIndexes: ["a"]}, {ns: {db: "test", coll: null}, allowedIndexes: ["a"]}, hint("a"), hint([true]), hint([{}]), hint([{a: 0}]), hint([{$natural: 2}]), {...hint(["a"]), more: 1}].map((one) => set(ships({tons: 1}), {indexHints: one}))
//> [
//>   "40414 IDLFailedToParse BSON field 'IndexHintSpec.ns' is missing but a required field",
//>   "40414 IDLFailedToParse BSON field 'IndexHintSpec.allowedIndexes' is missing but a required field",
//>   "40414 IDLFailedToParse BSON field 'IndexHintSpec.allowedIndexes' is missing but a required field",
//>   "14 TypeMismatch BSON field 'IndexHintSpec.ns.db' is the wrong type 'int', expected type 'string'",
//>   "8727500 Location8727500 invalid index hint: 'ns.db' field is missing",
//>   "8727501 Location8727501 invalid index hint: 'ns.coll' field is missing",
//>   "14 TypeMismatch BSON field 'IndexHintSpec.allowedIndexes' is the wrong type 'string', expected type 'array'",
//>   '9 FailedToParse Hint must be a string or an object',
//>   "9646000 Location9646000 key pattern index can't be empty",
//>   '9646001 Location9646001 invalid index key pattern hint :: caused by :: Values in the index key pattern cannot be 0.',
//>   '2 BadValue $natural hint cannot be set to a value other than -1 or 1.',
//>   "40415 IDLUnknownField BSON field 'IndexHintSpec.more' is an unknown field."
//> ]
set(ships({tons: 1}), {indexHints: [hint(["a"]), hint(["b"])]})
//> 7746608 Location7746608 a collection has already index hints specified
// Refusals of queries.
[1, null, "", "ABCD", "no hash", {}, {find: "ships"}, {find: "ships", $db: null}, {find: "ships", $db: ""}, {find: "ships", $db: 1}, {count: "ships", $db: "test"}, {find: "ships", filter: {$no: 1}, $db: "test"}, {find: "ships", more: 1, $db: "test"}, {aggregate: "ships", pipeline: [{$no: 1}], $db: "test"}, {distinct: "ships", $db: "test"}].map((query) => set(query, {reject: true}))
//> [
//>   "14 TypeMismatch BSON field 'setQuerySettings.setQuerySettings' is the wrong type 'int', expected types '[string, object']",
//>   "14 TypeMismatch BSON field 'setQuerySettings.setQuerySettings' is the wrong type 'null', expected types '[string, object']",
//>   '16 InvalidLength a query shape hash has 64 hexadecimal digits',
//>   '16 InvalidLength a query shape hash has 64 hexadecimal digits',
//>   '2 BadValue a query shape hash has 64 hexadecimal digits',
//>   '7746402 Location7746402 QueryShape can not be computed for command: {}',
//>   "40414 IDLFailedToParse BSON field 'find.$db' is missing but a required field",
//>   "40414 IDLFailedToParse BSON field 'find.$db' is missing but a required field",
//>   "73 InvalidNamespace Invalid database name: ''",
//>   "14 TypeMismatch BSON field 'find.$db' is the wrong type 'int', expected type 'string'",
//>   '7746402 Location7746402 QueryShape can not be computed for command: { count: "ships", $db: "test" }',
//>   "2 BadValue unknown top level operator: $no. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.",
//>   "40415 IDLUnknownField BSON field 'FindCommandRequest.more' is an unknown field.",
//>   "40324 Location40324 Unrecognized pipeline stage name: '$no'",
//>   "40414 IDLFailedToParse BSON field 'distinct.key' is missing but a required field"
//> ]
[ships({_id: 1}), ships({_id: {$eq: 1}}), {find: "x", $db: "admin"}, {find: "oplog.rs", $db: "local"}, {find: "system.profile", $db: "test"}, {aggregate: 1, pipeline: [{$querySettings: {}}], $db: "test"}].map((query) => set(query, {reject: true}))
//> [
//>   '7746606 Location7746606 setQuerySettings command cannot be used on find queries eligible for IDHACK',
//>   '7746606 Location7746606 setQuerySettings command cannot be used on find queries eligible for IDHACK',
//>   '8584900 Location8584900 setQuerySettings command cannot be used on internal databases',
//>   '8584900 Location8584900 setQuerySettings command cannot be used on internal databases',
//>   '8584901 Location8584901 setQuerySettings command cannot be used on system collections in user databases',
//>   '8705200 Location8705200 Setting {reject:true} is forbidden for query containing aggregation stage: $querySettings'
//> ]
[run({setQuerySettings: ships({}), settings: {reject: true}, more: 1}), run({removeQuerySettings: ships({}), settings: {}}), run({removeQuerySettings: 1}), drop("xy"), drop(ships({_id: 1})).ok, run({setQuerySettings: ships({}), settings: {reject: true}}, db)]
//> [
//>   "40415 IDLUnknownField BSON field 'setQuerySettings.more' is an unknown field.",
//>   "40415 IDLUnknownField BSON field 'removeQuerySettings.settings' is an unknown field.",
//>   "14 TypeMismatch BSON field 'removeQuerySettings.removeQuerySettings' is the wrong type 'int', expected types '[string, object']",
//>   '2 BadValue a query shape hash has 64 hexadecimal digits',
//>   1,
//>   '13 Unauthorized setQuerySettings may only be run against the admin database.'
//> ]
[run({aggregate: "ships", pipeline: [{$querySettings: {}}], cursor: {}}, db), run({aggregate: 1, pipeline: [{$querySettings: 1}], cursor: {}}), run({aggregate: 1, pipeline: [{$querySettings: {showDebugQueryShape: 1}}], cursor: {}}), run({aggregate: 1, pipeline: [{$querySettings: {more: 1}}], cursor: {}})]
//> [
//>   '73 InvalidNamespace $querySettings must be run against the database with {aggregate: 1}, not a collection',
//>   '7746800 Location7746800 $querySettings stage expects a document as argument',
//>   "14 TypeMismatch BSON field '$querySettings.showDebugQueryShape' is the wrong type 'int', expected type 'bool'",
//>   "40415 IDLUnknownField BSON field '$querySettings.more' is an unknown field."
//> ]
// Queries of a refused shape are not run; explain still tells of them.
db.ships.insertMany([{_id: 1, flag: "NO", tons: 5}, {_id: 2, flag: "SE", tons: 8}, {_id: 3, flag: "NO", tons: 2}])
//> { acknowledged: true, insertedIds: { '0': 1, '1': 2, '2': 3 } }
const tried = (command) => { const reply = run(command, db); return typeof reply === "string" ? reply : reply.values ?? reply.cursor.firstBatch.length }
[ships({flag: "NO"}), {distinct: "ships", key: "tons", query: {flag: "NO"}, $db: "test"}, {aggregate: "ships", pipeline: [{$match: {flag: "NO"}}, {$count: "n"}], $db: "test"}].map((query) => set(query, {reject: true}).ok)
//> [ 1, 1, 1 ]
[tried({find: "ships", filter: {flag: "XX"}}), tried({distinct: "ships", key: "tons", query: {flag: "SE"}}), tried({aggregate: "ships", pipeline: [{$match: {flag: "SE"}}, {$count: "n"}], cursor: {}})]
//> [
//>   '411 QueryRejectedBySettings Query rejected by admin query settings',
//>   '411 QueryRejectedBySettings Query rejected by admin query settings',
//>   '411 QueryRejectedBySettings Query rejected by admin query settings'
//> ]
[tried({find: "ships", filter: {flag: 1}}), tried({find: "ships", filter: {flag: "NO"}, sort: {tons: 1}}), tried({distinct: "ships", key: "flag", query: {flag: "SE"}}), tried({aggregate: "ships", pipeline: [{$match: {flag: "SE"}}], cursor: {}}), tried({find: "ships", filter: {_id: 1}})]
//> [ 0, 2, [ 'SE' ], 1, 1 ]
db.ships.find({flag: "NO"}).explain().queryPlanner.querySettings
//> { reject: true }
db.ships.countDocuments({flag: "NO"})
//> 2
[set(ships({flag: "NO"}), {reject: false, queryFramework: "sbe"}).settings, tried({find: "ships", filter: {flag: "NO"}})]
//> [ { queryFramework: 'sbe' }, 2 ]
list().map(({representativeQuery, settings}) => { drop(representativeQuery); return settings })
//> [ { queryFramework: 'sbe' }, { reject: true }, { reject: true } ]
[list(), tried({distinct: "ships", key: "tons", query: {flag: "NO"}})]
//> [ [], [ 2, 5 ] ]
// A comment is no part of a shape, also where there is nothing else in the filter.
[set(ships({}), {reject: true}).ok, tried({find: "ships", filter: {$comment: "why"}}), tried({find: "ships"}), drop(ships({$comment: "other"})).ok]
//> [
//>   1,
//>   '411 QueryRejectedBySettings Query rejected by admin query settings',
//>   '411 QueryRejectedBySettings Query rejected by admin query settings',
//>   1
//> ]
