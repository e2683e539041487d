// Each command's request fields, reply fields and refusals.
//
// Manual: reference/command
const run = (c) => { try { return db.runCommand(c) } catch (e) { return e.code + " " + e.codeName + " " + e.message } }
const admin = (c) => { try { return db.adminCommand(c) } catch (e) { return e.code + " " + e.codeName + " " + e.message } }
run({find: "c", limit: {}})
//> 14 TypeMismatch BSON field 'FindCommandRequest.limit' is the wrong type 'object', expected types '[long, int, decimal, double']
run({find: "c", limit: -1})
//> 2 BadValue BSON field 'limit' value must be >= 0, actual value '-1'
run({find: "c", skip: -1})
//> 2 BadValue BSON field 'skip' value must be >= 0, actual value '-1'
run({find: "c", batchSize: -1})
//> 2 BadValue BSON field 'batchSize' value must be >= 0, actual value '-1'
run({find: "c", limit: 1.5})
//> { cursor: { firstBatch: [], id: Long('0'), ns: 'test.c' }, ok: 1 }
run({find: "c", filter: 5})
//> 14 TypeMismatch BSON field 'FindCommandRequest.filter' is the wrong type 'int', expected type 'object'
run({find: "c", foo: 5})
//> 40415 IDLUnknownField BSON field 'FindCommandRequest.foo' is an unknown field.
run({find: 5})
//> 73 InvalidNamespace collection name has invalid type int
run({find: ""})
//> 73 InvalidNamespace Invalid namespace specified 'test.'
run({find: "a\0b"})
//> 73 InvalidNamespace namespaces cannot have embedded null characters
run({find: "$x"})
//> 73 InvalidNamespace Invalid namespace specified 'test.$x'
run({find: ".x"})
//> 73 InvalidNamespace Invalid namespace specified 'test..x'
run({find: "x."})
//> { cursor: { firstBatch: [], id: Long('0'), ns: 'test.x.' }, ok: 1 }
run({find: "c", sort: {a: 0}})
//> 15975 Location15975 $sort key ordering must be 1 (for ascending) or -1 (for descending)
run({find: "c", sort: {a: "x"}})
//> 15974 Location15974 Illegal key in $sort specification: a: "x"
run({find: "c", sort: {"": 1}})
//> 40352 Location40352 FieldPath cannot be constructed with empty string
run({find: "c", sort: 5})
//> 14 TypeMismatch BSON field 'FindCommandRequest.sort' is the wrong type 'int', expected type 'object'
run({find: "c", hint: "nope"})
//> { cursor: { firstBatch: [], id: Long('0'), ns: 'test.c' }, ok: 1 }
db.c.insertOne({_id: 1}).acknowledged
//> true
run({find: "c", hint: "nope"})
//> 2 BadValue error processing query: planner returned error :: caused by :: hint provided does not correspond to an existing index
run({find: "c", hint: {nope: 1}})
//> 2 BadValue error processing query: planner returned error :: caused by :: hint provided does not correspond to an existing index
run({find: "c", hint: 5})
//> 9 FailedToParse Hint must be a string or an object
run({find: "c", projection: {a: 1, b: 0}})
//> 31254 Location31254 Cannot do exclusion on field b in inclusion projection
run({find: "c", maxTimeMS: -1})
//> 2 BadValue -1 value for maxTimeMS is out of range [0, 2147483647]
run({find: "c", maxTimeMS: "x"})
//> 14 TypeMismatch BSON field 'maxTimeMS' is the wrong type 'string', expected types '[long, int, decimal, double]'
run({find: "c", readConcern: {level: "majority"}}).ok
//> 1
run({find: "c", readConcern: {level: "x"}})
//> 2 BadValue Enumeration value 'x' for field 'readConcern.level' is not a valid value.
run({find: "c", $readPreference: {mode: "primary"}}).ok
//> 1
run({find: "c", lsid: {id: UUID()}}).ok
//> 1
run({find: "c", comment: "x"}).ok
//> 1
run({insert: "c", documents: []})
//> 16 InvalidLength Write batch sizes must be between 1 and 100000. Got 0 operations.
run({insert: "c"})
//> 40414 IDLFailedToParse BSON field 'insert.documents' is missing but a required field
run({insert: "c", documents: 5})
//> 14 TypeMismatch BSON field 'insert.documents' is the wrong type 'int', expected type 'array'
run({insert: "c", documents: [5]})
//> 14 TypeMismatch BSON field 'insert.documents.0' is the wrong type 'int', expected type 'object'
run({insert: "c", documents: [{_id: [1]}]})
//> {
//>   n: 0,
//>   writeErrors: [
//>     {
//>       index: 0,
//>       code: 53,
//>       errmsg: "The '_id' value cannot be of type array"
//>     }
//>   ],
//>   ok: 1
//> }
run({insert: "c", documents: [{_id: /x/}]})
//> {
//>   n: 0,
//>   writeErrors: [
//>     {
//>       index: 0,
//>       code: 53,
//>       errmsg: "The '_id' value cannot be of type regex"
//>     }
//>   ],
//>   ok: 1
//> }
run({insert: "c", documents: [{_id: {$a: 1}}]})
//> {
//>   n: 0,
//>   writeErrors: [
//>     {
//>       index: 0,
//>       code: 52,
//>       errmsg: "_id fields may not contain '$'-prefixed fields: $a is not valid for storage."
//>     }
//>   ],
//>   ok: 1
//> }
run({insert: "c", documents: [{$a: 1}]})
//> { n: 1, ok: 1 }
run({insert: "c", documents: [{a: 1}], ordered: 5})
//> 14 TypeMismatch BSON field 'insert.ordered' is the wrong type 'int', expected type 'bool'
run({insert: "c", documents: [{a: 1}], writeConcern: {w: 0}})
//> { ok: 1 }
run({insert: "c", documents: [{a: 1}], writeConcern: {w: 2}})
//> 100 UnsatisfiableWriteConcern Not enough data-bearing nodes
run({insert: "c", documents: [{a: 1}], writeConcern: {w: "majority", j: true}})
//> { n: 1, ok: 1 }
run({insert: "c", documents: [{a: 1}], writeConcern: {w: "x"}})
//> 79 UnknownReplWriteConcern No write concern mode named 'x' found in replica set configuration
run({insert: "c", documents: [{a: 1}], writeConcern: {w: -1}})
//> 9 FailedToParse w has to be a non-negative number and not greater than 50
run({insert: "c", documents: [{a: 1}], writeConcern: {w: 51}})
//> 9 FailedToParse w has to be a non-negative number and not greater than 50
run({insert: "c", documents: [{a: 1}], writeConcern: {j: "x"}})
//> 14 TypeMismatch BSON field 'writeConcern.j' is the wrong type 'string', expected types '[bool, long, int, decimal, double']
run({insert: "c", documents: [{a: 1}], writeConcern: {foo: 1}})
//> 40415 IDLUnknownField BSON field 'writeConcern.foo' is an unknown field.
run({insert: "c", documents: [{a: 1}], writeConcern: 1})
//> 14 TypeMismatch BSON field 'writeConcern' is the wrong type 'int', expected type 'object'
run({insert: "c", documents: [{a: 1}], writeConcern: {w: 0, j: true}})
//> { ok: 1 }
run({find: "c", writeConcern: {w: 1}})
//> 72 InvalidOptions Command does not support writeConcern
run({insert: "system.indexes", documents: [{a: 1}]})
//> 73 InvalidNamespace cannot write to 'test.system.indexes'
run({insert: "system.foo", documents: [{a: 1}]})
//> {
//>   n: 0,
//>   writeErrors: [
//>     {
//>       index: 0,
//>       code: 73,
//>       errmsg: 'Invalid system namespace: test.system.foo'
//>     }
//>   ],
//>   ok: 1
//> }
run({update: "c", updates: []})
//> 16 InvalidLength Write batch sizes must be between 1 and 100000. Got 0 operations.
run({update: "c", updates: [{q: {}}]})
//> 40414 IDLFailedToParse BSON field 'update.updates.u' is missing but a required field
run({update: "c", updates: [{u: {}}]})
//> 40414 IDLFailedToParse BSON field 'update.updates.q' is missing but a required field
run({update: "c", updates: [{q: {}, u: 5}]})
//> 9 FailedToParse Update argument must be either an object or an array
run({update: "c", updates: [{q: {}, u: {a: 1}, multi: true}]})
//> {
//>   n: 0,
//>   nModified: 0,
//>   writeErrors: [
//>     {
//>       index: 0,
//>       code: 9,
//>       errmsg: 'multi update is not supported for replacement-style update'
//>     }
//>   ],
//>   ok: 1
//> }
run({update: "c", updates: [{q: {}, u: {$set: {a: 1}}, multi: "x"}]})
//> 14 TypeMismatch BSON field 'update.updates.multi' is the wrong type 'string', expected type 'bool'
run({update: "c", updates: [{q: {_id: 99}, u: {$set: {a: 1}}, upsert: true}]})
//> { n: 1, upserted: [ { index: 0, _id: 99 } ], nModified: 0, ok: 1 }
run({update: "c", updates: [{q: {$foo: 99}, u: {$set: {a: 1}}, upsert: true}]})
//> {
//>   n: 0,
//>   nModified: 0,
//>   writeErrors: [
//>     {
//>       index: 0,
//>       code: 2,
//>       errmsg: "unknown top level operator: $foo. If you have a field name that starts with a '$' symbol, consider using $getField or $setField."
//>     }
//>   ],
//>   ok: 1
//> }
run({delete: "c", deletes: [{q: {}}]})
//> 40414 IDLFailedToParse BSON field 'delete.deletes.limit' is missing but a required field
run({delete: "c", deletes: [{q: {}, limit: 2}]})
//> 9 FailedToParse The limit field in delete objects must be 0 or 1. Got 2
run({delete: "c", deletes: [{q: {_id: "none"}, limit: 1}]})
//> { n: 0, ok: 1 }
run({delete: "c", deletes: [{limit: 1}]})
//> 40414 IDLFailedToParse BSON field 'delete.deletes.q' is missing but a required field
run({findAndModify: "c", query: {_id: 99}})
//> 9 FailedToParse Either an update or remove=true must be specified
run({findAndModify: "c", query: {_id: 99}, update: {$set: {a: 5}}})
//> {
//>   lastErrorObject: { n: 1, updatedExisting: true },
//>   value: { _id: 99, a: 1 },
//>   ok: 1
//> }
run({findAndModify: "c", query: {_id: 99}, update: {$set: {a: 6}}, new: true, fields: {a: 1, _id: 0}})
//> {
//>   lastErrorObject: { n: 1, updatedExisting: true },
//>   value: { a: 6 },
//>   ok: 1
//> }
run({findAndModify: "c", query: {_id: 98}, update: {$set: {a: 6}}, upsert: true})
//> {
//>   lastErrorObject: { n: 1, updatedExisting: false, upserted: 98 },
//>   value: null,
//>   ok: 1
//> }
run({findAndModify: "c", query: {_id: 98}, remove: true})
//> { lastErrorObject: { n: 1 }, value: { _id: 98, a: 6 }, ok: 1 }
run({findAndModify: "c", query: {_id: 98}, remove: true})
//> { lastErrorObject: { n: 0 }, value: null, ok: 1 }
run({findAndModify: "c", query: {_id: 97}, update: {$set: {a: 6}}})
//> {
//>   lastErrorObject: { n: 0, updatedExisting: false },
//>   value: null,
//>   ok: 1
//> }
run({count: "c"})
//> { n: 8, ok: 1 }
run({count: "c", query: {_id: 1}, limit: 1, skip: 1})
//> { n: 0, ok: 1 }
run({count: "c", limit: -1})
//> { n: 1, ok: 1 }
run({count: "c", skip: -1})
//> 2 BadValue BSON field 'skip' value must be >= 0, actual value '-1'
run({count: "none"})
//> { n: 0, ok: 1 }
run({count: "c", query: 5})
//> 14 TypeMismatch BSON field 'count.query' is the wrong type 'int', expected type 'object'
run({distinct: "c", key: "a"})
//> { values: [ 1, 6 ], ok: 1 }
run({distinct: "c"})
//> 40414 IDLFailedToParse BSON field 'distinct.key' is missing but a required field
run({distinct: "c", key: 5})
//> 14 TypeMismatch BSON field 'distinct.key' is the wrong type 'int', expected type 'string'
run({distinct: "c", key: ""})
//> { values: [], ok: 1 }
run({getMore: Long(5), collection: "c"})
//> 43 CursorNotFound cursor id 5 not found
run({getMore: 5, collection: "c"})
//> 14 TypeMismatch BSON field 'getMore.getMore' is the wrong type 'int', expected type 'long'
run({killCursors: "c", cursors: [Long(5)]})
//> {
//>   cursorsKilled: [],
//>   cursorsNotFound: [ Long('5') ],
//>   cursorsAlive: [],
//>   cursorsUnknown: [],
//>   ok: 1
//> }
run({killCursors: "c", cursors: []})
//> {
//>   cursorsKilled: [],
//>   cursorsNotFound: [],
//>   cursorsAlive: [],
//>   cursorsUnknown: [],
//>   ok: 1
//> }
run({killCursors: "c"})
//> 40414 IDLFailedToParse BSON field 'killCursors.cursors' is missing but a required field
run({drop: "none"})
//> { ok: 1 }
run({drop: "c"})
//> { nIndexesWas: 1, ns: 'test.c', ok: 1 }
run({create: "x"})
//> { ok: 1 }
run({create: "x"})
//> { ok: 1 }
run({create: "x", capped: true, size: 100})
//> 48 NamespaceExists namespace test.x already exists, but with different options: { uuid: UUID("<*>") }
run({create: ""})
//> 73 InvalidNamespace Invalid namespace specified 'test.'
run({create: "a$b"})
//> 73 InvalidNamespace Invalid collection name: a$b
run({create: "system.x"})
//> 73 InvalidNamespace Invalid system namespace: test.system.x
run({create: "x".repeat(260)})
//> 73 InvalidNamespace Fully qualified namespace is too long. Namespace: test.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx Max: 255
run({create: "y", foo: 1})
//> 40415 IDLUnknownField BSON field 'create.foo' is an unknown field.
run({create: "y", validator: 5})
//> 14 TypeMismatch BSON field 'create.validator' is the wrong type 'int', expected type 'object'
run({create: "y", viewOn: "x"})
//> { ok: 1 }
run({dropDatabase: 1})
//> { ok: 1 }
run({dropDatabase: 2})
//> 5255100 Location5255100 Have to pass 1 as 'drop' parameter
run({dropDatabase: 1})
//> { ok: 1 }
run({nope: 1})
//> 59 CommandNotFound no such command: 'nope'
run({hello: 1})
//> {
//>   helloOk: true,
//>   topologyVersion: {
//>     processId: ObjectId('<*>'),
//>     counter: Long('0')
//>   },
//>   hosts: [ 'quire:27017' ],
//>   setName: 'quire',
//>   setVersion: 1,
//>   isWritablePrimary: true,
//>   secondary: false,
//>   primary: 'quire:27017',
//>   me: 'quire:27017',
//>   electionId: ObjectId('7fffffff0000000000000001'),
//>   lastWrite: {
//>     opTime: { ts: Timestamp({ t: 1767225600, i: <*> }), t: Long('1') },
//>     lastWriteDate: ISODate('2026-01-01T00:00:00.000Z'),
//>     majorityOpTime: { ts: Timestamp({ t: 1767225600, i: <*> }), t: Long('1') },
//>     majorityWriteDate: ISODate('2026-01-01T00:00:00.000Z')
//>   },
//>   maxBsonObjectSize: 16777216,
//>   maxMessageSizeBytes: 48000000,
//>   maxWriteBatchSize: 100000,
//>   localTime: ISODate('2026-01-01T00:00:00.000Z'),
//>   logicalSessionTimeoutMinutes: 30,
//>   connectionId: 1,
//>   minWireVersion: 0,
//>   maxWireVersion: 27,
//>   readOnly: false,
//>   ok: 1
//> }
run({isMaster: 1}).ismaster
//> true
run({ismaster: 1}).ismaster
//> true
run({ping: 1})
//> { ok: 1 }
run({ping: 1, foo: 1})
//> 40415 IDLUnknownField BSON field 'ping.foo' is an unknown field.
run({buildInfo: 1})
//> {
//>   version: '8.2.0',
//>   gitVersion: '<*>',
//>   modules: [ 'quire' ],
//>   allocator: '<*>',
//>   javascriptEngine: 'quickjs-ng',
//>   sysInfo: 'deprecated',
//>   versionArray: [ 8, 2, 0, 0 ],
//>   bits: <*>,
//>   debug: <*>,
//>   maxBsonObjectSize: 16777216,
//>   storageEngines: [ 'quire' ],
//>   ok: 1
//> }
run({connectionStatus: 1})
//> {
//>   authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] },
//>   ok: 1
//> }
run({connectionStatus: 1, showPrivileges: true})
//> {
//>   authInfo: {
//>     authenticatedUsers: [],
//>     authenticatedUserRoles: [],
//>     authenticatedUserPrivileges: []
//>   },
//>   ok: 1
//> }
Object.keys(run({serverStatus: 1}))
//> [
//>   'host',
//>   'version',
//>   'process',
//>   'pid',
//>   'uptime',
//>   'uptimeMillis',
//>   'uptimeEstimate',
//>   'localTime',
//>   'asserts',
//>   'catalogStats',
//>   'connections',
//>   'globalLock',
//>   'locks',
//>   'logicalSessionRecordCache',
//>   'network',
//>   'opLatencies',
//>   'opcounters',
//>   'opcountersRepl',
//>   'storageEngine',
//>   'transactions',
//>   'mem',
//>   'metrics',
//>   'quire',
//>   'ok'
//> ]
admin({listDatabases: 1})
//> {
//>   databases: [
//>     { name: 'admin', sizeOnDisk: Long('0'), empty: true },
//>     { name: 'config', sizeOnDisk: Long('0'), empty: true },
//>     { name: 'local', sizeOnDisk: Long('0'), empty: true }
//>   ],
//>   totalSize: Long('0'),
//>   totalSizeMb: Long('0'),
//>   ok: 1
//> }
admin({listDatabases: 1, nameOnly: true, filter: {name: "x"}})
//> { databases: [], ok: 1 }
run({listDatabases: 1})
//> 13 Unauthorized listDatabases may only be run against the admin database.
run({listCollections: 1})
//> {
//>   cursor: { id: Long('0'), ns: 'test.$cmd.listCollections', firstBatch: [] },
//>   ok: 1
//> }
db.m.insertOne({_id: 1}).acknowledged
//> true
run({listCollections: 1})
//> {
//>   cursor: {
//>     id: Long('0'),
//>     ns: 'test.$cmd.listCollections',
//>     firstBatch: [
//>       {
//>         name: 'm',
//>         type: 'collection',
//>         options: {},
//>         info: {
//>           readOnly: false,
//>           uuid: UUID('<*>')
//>         },
//>         idIndex: { v: 2, key: { _id: 1 }, name: '_id_' }
//>       }
//>     ]
//>   },
//>   ok: 1
//> }
run({listCollections: 1, nameOnly: true, filter: {name: "m"}})
//> {
//>   cursor: {
//>     id: Long('0'),
//>     ns: 'test.$cmd.listCollections',
//>     firstBatch: [ { name: 'm', type: 'collection' } ]
//>   },
//>   ok: 1
//> }
run({listIndexes: "m"})
//> {
//>   cursor: {
//>     id: Long('0'),
//>     ns: 'test.m',
//>     firstBatch: [ { v: 2, key: { _id: 1 }, name: '_id_' } ]
//>   },
//>   ok: 1
//> }
admin({renameCollection: "test.none", to: "test.x"})
//> 26 NamespaceNotFound Source collection test.none does not exist
admin({renameCollection: "test.m", to: "test.m"})
//> 20 IllegalOperation Can't rename a collection to itself
admin({renameCollection: "test.m", to: "x"})
//> 73 InvalidNamespace Invalid target namespace: x
admin({renameCollection: "test.m", to: "test.m2", dropTarget: false})
//> { ok: 1 }
run({collStats: "m2"})
//> {
//>   ns: 'test.m2',
//>   size: 14,
//>   count: 1,
//>   avgObjSize: 14,
//>   numOrphanDocs: 0,
//>   storageSize: 16384,
//>   freeStorageSize: 0,
//>   capped: false,
//>   nindexes: 1,
//>   indexDetails: {},
//>   indexBuilds: [],
//>   totalIndexSize: 16384,
//>   totalSize: 32768,
//>   indexSizes: { _id_: 16384 },
//>   scaleFactor: 1,
//>   ok: 1
//> }
run({collStats: "none"})
//> {
//>   ns: 'test.none',
//>   size: 0,
//>   count: 0,
//>   numOrphanDocs: 0,
//>   storageSize: 0,
//>   totalSize: 0,
//>   nindexes: 0,
//>   totalIndexSize: 0,
//>   indexDetails: {},
//>   indexSizes: {},
//>   scaleFactor: 1,
//>   ok: 1
//> }
run({collStats: "m2", scale: 0})
//> 2 BadValue BSON field 'scale' value must be >= 1, actual value '0'
run({collStats: "m2", scale: -1})
//> 2 BadValue BSON field 'scale' value must be >= 1, actual value '-1'
run({dbStats: 1})
//> {
//>   db: 'test',
//>   collections: Long('1'),
//>   views: Long('0'),
//>   objects: Long('1'),
//>   avgObjSize: 14,
//>   dataSize: 14,
//>   storageSize: 16384,
//>   indexes: Long('1'),
//>   indexSize: 16384,
//>   totalSize: 32768,
//>   scaleFactor: Long('1'),
//>   ok: 1
//> }
run({dbStats: 1, scale: 1024}).scaleFactor
//> Long('1024')
run({dataSize: "test.m2"})
//> {
//>   size: Long('14'),
//>   numObjects: Long('1'),
//>   millis: <*>,
//>   estimate: false,
//>   ok: 1
//> }
run({dataSize: "test.none"})
//> {
//>   size: Long('0'),
//>   numObjects: Long('0'),
//>   millis: <*>,
//>   estimate: false,
//>   ok: 1
//> }
run({validate: "m2"})
//> {
//>   ns: 'test.m2',
//>   uuid: UUID('<*>'),
//>   nInvalidDocuments: 0,
//>   nNonCompliantDocuments: 0,
//>   nrecords: 1,
//>   nIndexes: 1,
//>   keysPerIndex: { _id_: 1 },
//>   indexDetails: {
//>     _id_: { valid: true, spec: { v: 2, key: { _id: 1 }, name: '_id_' } }
//>   },
//>   valid: true,
//>   repaired: false,
//>   repairMode: 'None',
//>   warnings: [],
//>   errors: [],
//>   extraIndexEntries: [],
//>   missingIndexEntries: [],
//>   corruptRecords: [],
//>   ok: 1
//> }
run({validate: "none"})
//> 26 NamespaceNotFound Collection 'test.none' does not exist to validate.
run({validate: "m2", full: true}).valid
//> true
run({explain: {find: "m2"}, verbosity: "x"})
//> 2 BadValue Enumeration value 'x' for field 'explain.verbosity' is not a valid value.
run({explain: {ping: 1}})
//> 20 IllegalOperation Cannot explain cmd: ping
run({explain: 5})
//> 14 TypeMismatch BSON field 'explain.explain' is the wrong type 'int', expected type 'object'
run({update: "c", updates: [{q: {_id: 1}, u: {$set: {"a.$[x]": 1}}, arrayFilters: [{x: 1}, 5]}]})
//> 14 TypeMismatch BSON field 'update.updates.arrayFilters.1' is the wrong type 'int', expected type 'object'
run({findAndModify: "c", query: {_id: 1}, update: {$set: {"a.$[x]": 1}}, arrayFilters: [5]})
//> 14 TypeMismatch BSON field 'findAndModify.arrayFilters.0' is the wrong type 'int', expected type 'object'
run({explain: {find: "c", $db: "other"}})
//> 73 InvalidNamespace Mismatched $db in explain command. Expected test but got other
run({explain: {find: "c", filter: {_id: 1}}, verbosity: "queryPlanner"}).command
//> { find: 'c', filter: { _id: 1 }, '$db': 'test' }
run({ping: 1, lsid: {id: UUID(), uid: BinData(0, "")}})
//> { ok: 1 }
run({ping: 1, lsid: {}})
//> 40414 IDLFailedToParse BSON field 'OperationSessionInfo.lsid.id' is missing but a required field
run({ping: 1, lsid: {id: 1}})
//> 14 TypeMismatch BSON field 'OperationSessionInfo.lsid.id' is the wrong type 'int', expected type 'binData'
run({ping: 1, lsid: {id: BinData(0, "AQ==")}})
//> 14 TypeMismatch BSON field 'OperationSessionInfo.lsid.id' is the wrong binData type, expected type 'UUID'
run({ping: 1, lsid: {id: UUID(), other: 1}})
//> 40415 IDLUnknownField BSON field 'OperationSessionInfo.lsid.other' is an unknown field.
// Sections of serverStatus may be switched off, those too that are not there.
Object.keys(run({serverStatus: 1, metrics: 0, quire: false, repl: 0, locks: 0}))
//> [
//>   'host',
//>   'version',
//>   'process',
//>   'pid',
//>   'uptime',
//>   'uptimeMillis',
//>   'uptimeEstimate',
//>   'localTime',
//>   'asserts',
//>   'catalogStats',
//>   'connections',
//>   'globalLock',
//>   'logicalSessionRecordCache',
//>   'network',
//>   'opLatencies',
//>   'opcounters',
//>   'opcountersRepl',
//>   'storageEngine',
//>   'transactions',
//>   'mem',
//>   'ok'
//> ]
run({serverStatus: 1, wiredTiger: 1})
//> 238 NotImplemented the section 'wiredTiger' of serverStatus is not supported
