// hello: what drivers send along is no error, and an answer that is known already is waited for.
//
// Manual: reference/command/hello
const run = (c) => { try { return db.runCommand(c) } catch (e) { return e.code + " " + e.codeName + " " + e.message } }
// Drivers say what they can before they know to whom: fields that this server does not know are nobody's concern.
run({hello: 1, helloOk: true, backpressure: true, forShell: 1, hangUpOnStepDown: false, anything: {a: 1}}).isWritablePrimary
//> true
run({ismaster: 1, backpressure: true}).ismaster
//> true
run({hello: 1, helloOk: "yes"})
//> 14 TypeMismatch BSON field 'hello.helloOk' is the wrong type 'string', expected types '[bool, long, int, decimal, double']
run({hello: 1, internalClient: {maxWireVersion: 25}})
//> 238 NotImplemented 'hello.internalClient' is not supported
// The answer's own topologyVersion.
const known = run({hello: 1}).topologyVersion
run({hello: 1, topologyVersion: known, maxAwaitTimeMS: 1}).topologyVersion.counter
//> Long('0')
run({isMaster: 1, topologyVersion: known, maxAwaitTimeMS: NumberLong(0)}).ismaster
//> true
run({hello: 1, topologyVersion: {processId: ObjectId(), counter: NumberLong(7)}, maxAwaitTimeMS: 60000}).topologyVersion.counter
//> Long('0')
run({hello: 1, topologyVersion: known})
//> 31368 Location31368 A request with a 'topologyVersion' must include 'maxAwaitTimeMS'
run({hello: 1, maxAwaitTimeMS: 5})
//> 31368 Location31368 A request with 'maxAwaitTimeMS' must include a 'topologyVersion'
run({hello: 1, topologyVersion: {...known, counter: NumberLong(1)}, maxAwaitTimeMS: 5})
//> 51764 Location51764 Received a topology version with counter: 1 which is greater than the server topology version counter: 0
run({hello: 1, topologyVersion: {...known, counter: NumberLong(-1)}, maxAwaitTimeMS: 5})
//> 31372 Location31372 topologyVersion must have a non-negative counter
run({hello: 1, topologyVersion: known, maxAwaitTimeMS: -5})
//> 2 BadValue BSON field 'maxAwaitTimeMS' value must be >= 0, actual value '-5'
run({hello: 1, topologyVersion: {processId: known.processId}, maxAwaitTimeMS: 5})
//> 40414 IDLFailedToParse BSON field 'hello.topologyVersion.counter' is missing but a required field
run({hello: 1, topologyVersion: {processId: "x", counter: NumberLong(0)}, maxAwaitTimeMS: 5})
//> 14 TypeMismatch BSON field 'hello.topologyVersion.processId' is the wrong type 'string', expected type 'objectId'
run({hello: 1, topologyVersion: {...known, more: 1}, maxAwaitTimeMS: 5})
//> 40415 IDLUnknownField BSON field 'hello.topologyVersion.more' is an unknown field.
// There are no users, so that nothing is told of one, and no attempt to authenticate succeeds.
Object.keys(run({hello: 1, saslSupportedMechs: "admin.ada", speculativeAuthenticate: {saslStart: 1, mechanism: "SCRAM-SHA-256", payload: BinData(0, ""), db: "admin"}}))
//> [
//>   'helloOk',
//>   'topologyVersion',
//>   'hosts',
//>   'setName',
//>   'setVersion',
//>   'isWritablePrimary',
//>   'secondary',
//>   'primary',
//>   'me',
//>   'electionId',
//>   'lastWrite',
//>   'maxBsonObjectSize',
//>   'maxMessageSizeBytes',
//>   'maxWriteBatchSize',
//>   'localTime',
//>   'logicalSessionTimeoutMinutes',
//>   'connectionId',
//>   'minWireVersion',
//>   'maxWireVersion',
//>   'readOnly',
//>   'ok'
//> ]
["admin.", ".", "a.b.c", "$external.x", {user: "ada", db: "admin"}].map((saslSupportedMechs) => run({hello: 1, saslSupportedMechs}).ok)
//> [ 1, 1, 1, 1, 1 ]
["ada", "", {db: "admin"}, {user: "ada", db: 1}, 1, null, ["admin.ada"]].map((saslSupportedMechs) => String(run({hello: 1, saslSupportedMechs})))
//> [
//>   "2 BadValue username must contain a '.' separated database.user pair",
//>   "2 BadValue username must contain a '.' separated database.user pair",
//>   "2 BadValue a username must be a document with 'user' and 'db', both strings",
//>   "2 BadValue a username must be a document with 'user' and 'db', both strings",
//>   "14 TypeMismatch BSON field 'hello.saslSupportedMechs' is the wrong type 'int', expected type 'string'",
//>   "14 TypeMismatch BSON field 'hello.saslSupportedMechs' is the wrong type 'null', expected type 'string'",
//>   "14 TypeMismatch BSON field 'hello.saslSupportedMechs' is the wrong type 'array', expected type 'string'"
//> ]
run({hello: 1, speculativeAuthenticate: "x"})
//> 14 TypeMismatch BSON field 'hello.speculativeAuthenticate' is the wrong type 'string', expected type 'object'
