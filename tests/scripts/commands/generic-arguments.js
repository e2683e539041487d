// The fields that every command may carry, null or of the wrong type: maxTimeMS, readConcern, writeConcern.
// Manual: reference/command, reference/read-concern, reference/write-concern
const run = (c, on = db) => { try { return on.runCommand(c).ok } catch (e) { return e.code + " " + e.codeName + " " + e.message } }
[null, true, "5", [], {}, 2.5, NaN, Infinity, NumberDecimal("0.5"), 5.0, NumberDecimal("5"), -1, 2147483648].map(maxTimeMS => run({ping: 1, maxTimeMS}))
//> [
//>   1,
//>   "14 TypeMismatch BSON field 'maxTimeMS' is the wrong type 'bool', expected types '[long, int, decimal, double]'",
//>   "14 TypeMismatch BSON field 'maxTimeMS' is the wrong type 'string', expected types '[long, int, decimal, double]'",
//>   "14 TypeMismatch BSON field 'maxTimeMS' is the wrong type 'array', expected types '[long, int, decimal, double]'",
//>   "14 TypeMismatch BSON field 'maxTimeMS' is the wrong type 'object', expected types '[long, int, decimal, double]'",
//>   '9 FailedToParse Expected an integer: maxTimeMS: 2.5',
//>   '9 FailedToParse Expected an integer, but found NaN in: maxTimeMS: NaN',
//>   '9 FailedToParse Cannot represent as a 64-bit integer: maxTimeMS: inf',
//>   '9 FailedToParse Cannot represent as a 64-bit integer: maxTimeMS: 0.5',
//>   1,
//>   1,
//>   '2 BadValue -1 value for maxTimeMS is out of range [0, 2147483647]',
//>   '2 BadValue 2147483648 value for maxTimeMS is out of range [0, 2147483647]'
//> ]
// A level is a text of five; null is the default.
[null, {level: null}, {}, 5, {level: 5}, {level: true}, {level: ""}, {level: "LOCAL"}, {provenance: "x"}, {provenance: 5}, {provenance: "clientSupplied"}, {x: 1}].map(readConcern => run({find: "c", readConcern}))
//> [
//>   1,
//>   1,
//>   1,
//>   '14 TypeMismatch "readConcern" had the wrong type. Expected object',
//>   "14 TypeMismatch BSON field 'readConcern.level' is the wrong type 'int', expected type 'string'",
//>   "14 TypeMismatch BSON field 'readConcern.level' is the wrong type 'bool', expected type 'string'",
//>   "2 BadValue Enumeration value '' for field 'readConcern.level' is not a valid value.",
//>   "2 BadValue Enumeration value 'LOCAL' for field 'readConcern.level' is not a valid value.",
//>   "2 BadValue Enumeration value 'x' for field 'readConcern.provenance' is not a valid value.",
//>   "14 TypeMismatch BSON field 'readConcern.provenance' is the wrong type 'int', expected type 'string'",
//>   1,
//>   "40415 IDLUnknownField BSON field 'readConcern.x' is an unknown field."
//> ]
// Most commands read what is there, and refuse other levels.
["local", "available", "majority", "linearizable", "snapshot"].map(level => ["find", "count", "mapReduce", "ping", "insert"].map(name => [name, level, run({[name]: "c", ...(name == "insert" ? {documents: [{}]} : name == "mapReduce" ? {map: "function () {}", reduce: "function () {}", out: {inline: 1}} : {}), readConcern: {level}})].join(" ")))
//> [
//>   [
//>     'find local 1',
//>     'count local 1',
//>     'mapReduce local 1',
//>     'ping local 1',
//>     'insert local 1'
//>   ],
//>   [
//>     'find available 1',
//>     'count available 1',
//>     'mapReduce available 1',
//>     'ping available 72 InvalidOptions Command ping does not support { readConcern: { level: "available", provenance: "clientSupplied" } } :: caused by :: read concern not supported',
//>     'insert available 72 InvalidOptions Command insert does not support { readConcern: { level: "available", provenance: "clientSupplied" } } :: caused by :: read concern not supported'
//>   ],
//>   [
//>     'find majority 1',
//>     'count majority 1',
//>     'mapReduce majority 72 InvalidOptions Command mapReduce does not support { readConcern: { level: "majority", provenance: "clientSupplied" } } :: caused by :: read concern not supported',
//>     'ping majority 72 InvalidOptions Command ping does not support { readConcern: { level: "majority", provenance: "clientSupplied" } } :: caused by :: read concern not supported',
//>     'insert majority 72 InvalidOptions Command insert does not support { readConcern: { level: "majority", provenance: "clientSupplied" } } :: caused by :: read concern not supported'
//>   ],
//>   [
//>     'find linearizable 1',
//>     'count linearizable 1',
//>     'mapReduce linearizable 72 InvalidOptions Command mapReduce does not support { readConcern: { level: "linearizable", provenance: "clientSupplied" } } :: caused by :: read concern not supported',
//>     'ping linearizable 72 InvalidOptions Command ping does not support { readConcern: { level: "linearizable", provenance: "clientSupplied" } } :: caused by :: read concern not supported',
//>     'insert linearizable 72 InvalidOptions Command insert does not support { readConcern: { level: "linearizable", provenance: "clientSupplied" } } :: caused by :: read concern not supported'
//>   ],
//>   [
//>     'find snapshot 1',
//>     'count snapshot 72 InvalidOptions Command count does not support { readConcern: { level: "snapshot", provenance: "clientSupplied" } } :: caused by :: read concern not supported',
//>     'mapReduce snapshot 72 InvalidOptions Command mapReduce does not support { readConcern: { level: "snapshot", provenance: "clientSupplied" } } :: caused by :: read concern not supported',
//>     'ping snapshot 72 InvalidOptions Command ping does not support { readConcern: { level: "snapshot", provenance: "clientSupplied" } } :: caused by :: read concern not supported',
//>     'insert snapshot 72 InvalidOptions Command insert does not support { readConcern: { level: "snapshot", provenance: "clientSupplied" } } :: caused by :: read concern not supported'
//>   ]
//> ]
// The type of a write concern is looked at before it is refused.
[null, 1, "majority", [], true, {}, {w: 1}].map(writeConcern => run({ping: 1, writeConcern}))
//> [
//>   1,
//>   "14 TypeMismatch BSON field 'writeConcern' is the wrong type 'int', expected type 'object'",
//>   "14 TypeMismatch BSON field 'writeConcern' is the wrong type 'string', expected type 'object'",
//>   "14 TypeMismatch BSON field 'writeConcern' is the wrong type 'array', expected type 'object'",
//>   "14 TypeMismatch BSON field 'writeConcern' is the wrong type 'bool', expected type 'object'",
//>   '72 InvalidOptions Command does not support writeConcern',
//>   '72 InvalidOptions Command does not support writeConcern'
//> ]
[null, 1, {w: 1, provenance: "x"}].map(writeConcern => run({insert: "c", documents: [{}], writeConcern}))
//> [
//>   1,
//>   "14 TypeMismatch BSON field 'writeConcern' is the wrong type 'int', expected type 'object'",
//>   "2 BadValue Enumeration value 'x' for field 'writeConcern.provenance' is not a valid value."
//> ]
// A decimal is rounded to the nearest integer, of two to the even one; of a double the fraction is cut off.
db.many.insertMany([...Array(9)].map((_, _id) => ({_id}))).acknowledged
//> true
[1.9, NumberDecimal("1.5"), NumberDecimal("2.5"), NumberDecimal("2.51"), NumberDecimal("1e1"), NumberDecimal("-0.5")].map(limit => db.runCommand({find: "many", limit}).cursor.firstBatch.length)
//> [ 1, 2, 2, 3, 9, 9 ]
// Below its least value a number is a bad one.
[{find: "many", limit: -1}, {find: "many", skip: -1}, {find: "many", batchSize: -1}, {find: "many", limit: NumberDecimal("-0.51")}, {collStats: "many", scale: 0}, {dbStats: 1, scale: 0.5}, {create: "cap", capped: true, size: 0}].map(c => run(c))
//> [
//>   "2 BadValue BSON field 'limit' value must be >= 0, actual value '-1'",
//>   "2 BadValue BSON field 'skip' value must be >= 0, actual value '-1'",
//>   "2 BadValue BSON field 'batchSize' value must be >= 0, actual value '-1'",
//>   "2 BadValue BSON field 'limit' value must be >= 0, actual value '-1'",
//>   "2 BadValue BSON field 'scale' value must be >= 1, actual value '0'",
//>   "2 BadValue BSON field 'scale' value must be >= 1, actual value '0'",
//>   "2 BadValue BSON field 'size' value must be >= 1, actual value '0'"
//> ]
// Null is no transaction.
const lsid = {id: UUID("00000000-0000-4000-8000-000000000001")}
run({insert: "c", documents: [{}], lsid, txnNumber: null, autocommit: null, startTransaction: null})
//> 1
[{txnNumber: null, autocommit: false}, {txnNumber: NumberLong(1), autocommit: null}, {txnNumber: null, autocommit: null}].map(fields => run({commitTransaction: 1, lsid, ...fields}, db.getSiblingDB("admin")))
//> [
//>   "72 InvalidOptions 'autocommit' field requires a transaction number to also be specified",
//>   '50768 NotARetryableWriteCommand txnNumber may only be provided for multi-document transactions and retryable write commands. autocommit:false was not provided, and commitTransaction is not a retryable write command.',
//>   '125 CommandFailed commitTransaction must be run within a transaction'
//> ]
// What a transaction may not hold is refused for that, on whatever database; so is $unionWith.
const within = {lsid, txnNumber: NumberLong(2), autocommit: false, startTransaction: true};
[{getParameter: 1, quiet: 1}, {setParameter: 1, quiet: 1}, {aggregate: "c", pipeline: [{$unionWith: "c"}], cursor: {}}].map(c => run({...c, ...within}))
//> [
//>   "263 OperationNotSupportedInTransaction Cannot run 'getParameter' in a multi-document transaction.",
//>   "263 OperationNotSupportedInTransaction Cannot run 'setParameter' in a multi-document transaction.",
//>   '263 OperationNotSupportedInTransaction Stage not supported inside of a multi-document transaction: $unionWith'
//> ]
