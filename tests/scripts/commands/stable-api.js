// The Stable API: `apiVersion`, and `apiStrict`, which lets in nothing that is outside of it.
//
// Manual: reference/stable-api
const run = (c) => { try { return db.runCommand(c).ok } catch (e) { return e.code + " " + e.codeName + " " + e.message } }
run({ping: 1, apiVersion: "1"})
//> 1
run({ping: 1, apiVersion: "2"})
//> 322 APIVersionError API version must be "1"
run({ping: 1, apiVersion: 1})
//> 14 TypeMismatch BSON field 'APIParametersFromClient.apiVersion' is the wrong type 'int', expected type 'string'
run({ping: 1, apiStrict: true})
//> 4886600 Location4886600 Provided apiStrict and/or apiDeprecationErrors without passing apiVersion
run({ping: 1, apiDeprecationErrors: false})
//> 4886600 Location4886600 Provided apiStrict and/or apiDeprecationErrors without passing apiVersion
run({ping: 1, apiVersion: "1", apiStrict: "true"})
//> 14 TypeMismatch BSON field 'APIParametersFromClient.apiStrict' is the wrong type 'string', expected type 'bool'
run({ping: 1, apiVersion: "1", apiStrict: true, apiDeprecationErrors: true})
//> 1
run({distinct: "c", key: "a", apiVersion: "1", apiStrict: true})
//> 323 APIStrictError Provided apiStrict:true, but the command distinct is not in API Version 1. Information on supported commands and migrations in API Version 1 can be found at https://dochub.mongodb.org/core/manual-versioned-api.
run({distinct: "c", key: "a", apiVersion: "1", apiStrict: false})
//> 1
run({count: "c", apiVersion: "1", apiStrict: true})
//> 1
run({find: "c", showRecordId: true, apiVersion: "1", apiStrict: true})
//> 323 APIStrictError BSON field 'FindCommandRequest.showRecordId' is not allowed with apiStrict:true.
run({find: "c", showRecordId: true, apiVersion: "1"})
//> 1
run({create: "k", capped: true, size: 100, apiVersion: "1", apiStrict: true})
//> 323 APIStrictError BSON field 'create.capped' is not allowed with apiStrict:true.
run({findandmodify: "c", remove: true, apiVersion: "1", apiStrict: true})
//> 1
run({endSessions: [], apiVersion: "1", apiStrict: true})
//> 1
run({startSession: 1, apiVersion: "1", apiStrict: true})
//> 323 APIStrictError Provided apiStrict:true, but the command startSession is not in API Version 1. Information on supported commands and migrations in API Version 1 can be found at https://dochub.mongodb.org/core/manual-versioned-api.
// Stages that describe the server are not of it, wherever they stand; of $collStats the count is.
const strict = (pipeline, rest = {}) => run({aggregate: "c", pipeline, cursor: {}, apiVersion: "1", apiStrict: true, ...rest})
strict([{$indexStats: {}}])
//> 323 APIStrictError $indexStats is not allowed with 'apiStrict: true' in API Version 1
strict([{$lookup: {from: "d", as: "x", pipeline: [{$indexStats: {}}]}}])
//> 323 APIStrictError $indexStats is not allowed with 'apiStrict: true' in API Version 1
strict([{$facet: {a: [], b: [{$planCacheStats: {}}]}}])
//> 323 APIStrictError $planCacheStats is not allowed with 'apiStrict: true' in API Version 1
strict([{$unionWith: {coll: "d", pipeline: [{$collStats: {latencyStats: {}}}]}}])
//> 323 APIStrictError only the 'count' option to $collStats is supported in API Version 1
strict([{$collStats: {storageStats: {}}}])
//> 323 APIStrictError only the 'count' option to $collStats is supported in API Version 1
strict([{$collStats: {count: {}}}, {$group: {_id: 1, n: {$sum: "$count"}}}])
//> 2 BadValue Executor error during aggregate command on namespace: test.c :: caused by :: Unable to retrieve count in $collStats stage :: caused by :: Collection [test.c] not found.
strict([{$match: {a: 1}}, {$unwind: "$b"}, {$lookup: {from: "d", as: "x", pipeline: [{$match: {$or: [{a: 1}]}}]}}])
//> 1
run({create: "v", viewOn: "c", pipeline: [{$currentOp: {}}], apiVersion: "1", apiStrict: true})
//> 323 APIStrictError $currentOp is not allowed with 'apiStrict: true' in API Version 1
run({createIndexes: "c", indexes: [{key: {a: 1}, name: "a_1", sparse: true}], apiVersion: "1", apiStrict: true})
//> 323 APIStrictError BSON field 'createIndexes.indexes.sparse' is not allowed with apiStrict:true.
run({createIndexes: "c", indexes: [{key: {a: 1}, name: "a_1", unique: true}], apiVersion: "1", apiStrict: true})
//> 1
// A cursor is read on, and a transaction goes on, under the version that it was begun under.
db.d.insertMany([{_id: 10}, {_id: 11}, {_id: 12}]).acknowledged
//> true
const opened = (more) => db.runCommand({find: "d", batchSize: 1, ...more}).cursor.id
const more = (id, api) => run({getMore: id, collection: "d", batchSize: 1, ...api})
const [plain, versioned] = [opened({}), opened({apiVersion: "1", apiStrict: false})]
more(plain, {apiVersion: "1"})
//> 347 APIMismatchError API parameter mismatch: getMore used params { apiVersion: "1" }, the cursor-creating command used {}
more(versioned, {})
//> 347 APIMismatchError API parameter mismatch: getMore used params {}, the cursor-creating command used { apiVersion: "1", apiStrict: false }
more(versioned, {apiVersion: "1"})
//> 347 APIMismatchError API parameter mismatch: getMore used params { apiVersion: "1" }, the cursor-creating command used { apiVersion: "1", apiStrict: false }
[more(plain, {}), more(versioned, {apiVersion: "1", apiStrict: false})]
//> [ 1, 1 ]
const within = (command, api) => run({...command, lsid: {id: UUID("00000000-0000-4000-8000-000000000009")}, txnNumber: NumberLong(1), autocommit: false, ...api})
within({find: "d"}, {startTransaction: true, apiVersion: "1"})
//> 1
within({find: "d"}, {})
//> 347 APIMismatchError API parameter mismatch: find used params {}, the transaction's first command used { apiVersion: "1" }
within({find: "d"}, {apiVersion: "1"})
//> 1
