// Arguments of commands and stages that describe: validate, dbHash, dataSize, getLog, $currentOp, $changeStream.
// Manual: reference/command/validate, reference/command/dbHash, reference/operator/aggregation/currentOp
const run = (c, on = db) => { try { return on.runCommand(c) } catch (e) { return e.code + " " + e.codeName + " " + e.message } }
db.c.createIndex({a: 1})
//> a_1
db.createView("v", "c", [])
//> { ok: 1 }
// Options of validate are true or false whatever they are.
["x", {}, [], null, 0, ObjectId("000000000000000000000000")].map(full => run({validate: "c", full, checkBSONConformance: full}).valid)
//> [ true, true, true, true, true, true ]
const checked = run({validate: "c"}); [checked.repairMode, checked.indexDetails, run({validate: "c", repair: true}).repairMode]
//> [
//>   'None',
//>   {
//>     _id_: { valid: true, spec: { v: 2, key: { _id: 1 }, name: '_id_' } },
//>     a_1: { valid: true, spec: { v: 2, key: { a: 1 }, name: 'a_1' } }
//>   },
//>   'FixErrors'
//> ]
const pairs = [["repair", "background"], ["repair", "checkBSONConformance"], ...["full", "enforceFastCount", "background", "checkBSONConformance", "repair"].map(name => ["metadata", name])]
pairs.map(([one, other]) => run({validate: "c", [one]: true, [other]: true}))
//> [
//>   '72 InvalidOptions Running the validate command with both { background: true } and { repair: true } is not supported.',
//>   '72 InvalidOptions Running the validate command with both { checkBSONConformance: true } and { repair: true } is not supported.',
//>   '72 InvalidOptions Running the validate command with { metadata: true } is not supported with any other options',
//>   '72 InvalidOptions Running the validate command with { metadata: true } is not supported with any other options',
//>   '72 InvalidOptions Running the validate command with { metadata: true } is not supported with any other options',
//>   '72 InvalidOptions Running the validate command with { metadata: true } is not supported with any other options',
//>   '72 InvalidOptions Running the validate command with { metadata: true } is not supported with any other options'
//> ]
[run({validate: "c", metadata: true}), run({validate: "c", repair: true, fixMultikey: true, checkBSONConformance: true})]
//> [
//>   "238 NotImplemented 'validate.metadata' is not supported",
//>   '72 InvalidOptions Running the validate command with both { checkBSONConformance: true } and { repair: true } is not supported.'
//> ]
run({dbHash: 1, collections: ["c", 5]})
//> 2 BadValue collections entries have to be strings, but one is of type int
run({dataSize: "test.v"})
//> 166 CommandNotSupportedOnView Namespace test.v is a view, not a collection
[run({dataSize: null}), run({getLog: null}, db.getSiblingDB("admin")), run({profile: null}), run({explain: null})]
//> [
//>   "40414 IDLFailedToParse BSON field 'dataSize.dataSize' is missing but a required field",
//>   "40414 IDLFailedToParse BSON field 'getLog.getLog' is missing but a required field",
//>   "40414 IDLFailedToParse BSON field 'profile.profile' is missing but a required field",
//>   "40414 IDLFailedToParse BSON field 'explain.explain' is missing but a required field"
//> ]
[0, 1, 2.5, NumberLong(1), true].map(showPrivileges => Object.keys(run({connectionStatus: 1, showPrivileges}).authInfo).length)
//> [ 2, 3, 3, 3, 3 ]
db.createCollection("capped", {capped: true, size: 4096})
//> { ok: 1 }
db.serverStatus().catalogStats
//> {
//>   collections: 2,
//>   capped: 1,
//>   timeseries: 0,
//>   views: 1,
//>   internalCollections: 1,
//>   internalViews: 0
//> }
const ops = (options) => { const r = run({aggregate: 1, pipeline: [{$currentOp: options}], cursor: {}}, db.getSiblingDB("admin")); return r.ok ?? r }
["allUsers", "idleConnections", "idleCursors", "idleSessions", "localOps", "targetAllNodes", "truncateOps"].map(name => [ops({[name]: 1}), ops({[name]: null}), ops({[name]: false})])
//> [
//>   [
//>     "14 TypeMismatch BSON field '$currentOp.allUsers' is the wrong type 'int', expected type 'bool'",
//>     "14 TypeMismatch BSON field '$currentOp.allUsers' is the wrong type 'null', expected type 'bool'",
//>     1
//>   ],
//>   [
//>     "14 TypeMismatch BSON field '$currentOp.idleConnections' is the wrong type 'int', expected type 'bool'",
//>     "14 TypeMismatch BSON field '$currentOp.idleConnections' is the wrong type 'null', expected type 'bool'",
//>     1
//>   ],
//>   [
//>     "14 TypeMismatch BSON field '$currentOp.idleCursors' is the wrong type 'int', expected type 'bool'",
//>     "14 TypeMismatch BSON field '$currentOp.idleCursors' is the wrong type 'null', expected type 'bool'",
//>     1
//>   ],
//>   [
//>     "14 TypeMismatch BSON field '$currentOp.idleSessions' is the wrong type 'int', expected type 'bool'",
//>     "14 TypeMismatch BSON field '$currentOp.idleSessions' is the wrong type 'null', expected type 'bool'",
//>     1
//>   ],
//>   [
//>     "14 TypeMismatch BSON field '$currentOp.localOps' is the wrong type 'int', expected type 'bool'",
//>     "14 TypeMismatch BSON field '$currentOp.localOps' is the wrong type 'null', expected type 'bool'",
//>     1
//>   ],
//>   [
//>     "14 TypeMismatch BSON field '$currentOp.targetAllNodes' is the wrong type 'int', expected type 'bool'",
//>     "14 TypeMismatch BSON field '$currentOp.targetAllNodes' is the wrong type 'null', expected type 'bool'",
//>     1
//>   ],
//>   [
//>     "14 TypeMismatch BSON field '$currentOp.truncateOps' is the wrong type 'int', expected type 'bool'",
//>     "14 TypeMismatch BSON field '$currentOp.truncateOps' is the wrong type 'null', expected type 'bool'",
//>     1
//>   ]
//> ]
ops({foo: true})
//> 40415 IDLUnknownField BSON field '$currentOp.foo' is an unknown field.
const watch = (options) => { const r = run({aggregate: "c", pipeline: [{$changeStream: options}], cursor: {}}); return r.ok ?? r }
[5, null, "x", [{}]].map(watch)
//> [
//>   '6188500 Location6188500 $changeStream must take a nested object but found: $changeStream: 5',
//>   '6188500 Location6188500 $changeStream must take a nested object but found: $changeStream: null',
//>   '6188500 Location6188500 $changeStream must take a nested object but found: $changeStream: "x"',
//>   '6188500 Location6188500 $changeStream must take a nested object but found: $changeStream: [ {} ]'
//> ]
watch({fullDocument: null, fullDocumentBeforeChange: null, resumeAfter: null, startAfter: null, startAtOperationTime: null})
//> 1
[watch({showExpandedEvents: 1}), watch({showExpandedEvents: null}), watch({allChangesForCluster: 0}), watch({showExpandedEvents: false})]
//> [
//>   "14 TypeMismatch BSON field '$changeStream.showExpandedEvents' is the wrong type 'int', expected type 'bool'",
//>   "14 TypeMismatch BSON field '$changeStream.showExpandedEvents' is the wrong type 'null', expected type 'bool'",
//>   "14 TypeMismatch BSON field '$changeStream.allChangesForCluster' is the wrong type 'int', expected type 'bool'",
//>   1
//> ]
