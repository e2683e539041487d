// What a change stream may not be. Manual: changeStreams, reference/operator/aggregation/changeStream
let run = (options, more = [], on = 'herbs', at = db) =>
  at.runCommand({ aggregate: on, pipeline: [{ $changeStream: options }, ...more], cursor: {} })
run(5)
//> MongoServerError[Location6188500]: $changeStream must take a nested object but found: $changeStream: 5
run({ unknown: 1 })
//> MongoServerError[IDLUnknownField]: BSON field '$changeStream.unknown' is an unknown field.
run({ fullDocument: 'always' })
//> MongoServerError[BadValue]: Enumeration value 'always' for field '$changeStream.fullDocument' is not a valid value.
run({ fullDocument: 1 })
//> MongoServerError[TypeMismatch]: BSON field '$changeStream.fullDocument' is the wrong type 'int', expected type 'string'
run({ fullDocumentBeforeChange: 'updateLookup' })
//> MongoServerError[BadValue]: Enumeration value 'updateLookup' for field '$changeStream.fullDocumentBeforeChange' is not a valid value.
run({ showExpandedEvents: 'yes' })
//> MongoServerError[TypeMismatch]: BSON field '$changeStream.showExpandedEvents' is the wrong type 'string', expected type 'bool'
run({ allChangesForCluster: true })
//> MongoServerError[InvalidOptions]: A $changeStream with 'allChangesForCluster:true' may only be opened on the 'admin' database, and with no collection name; found test.herbs
run({}, [], 1, db.getSiblingDB('admin'))
//> MongoServerError[InvalidNamespace]: $changeStream may not be opened on the internal admin database
run({}, [], 'a', db.getSiblingDB('config'))
//> MongoServerError[InvalidNamespace]: $changeStream may not be opened on the internal config database
run({}, [], 'a', db.getSiblingDB('local'))
//> MongoServerError[InvalidNamespace]: $changeStream may not be opened on the internal local database
run({}, [], 'system.views')
//> MongoServerError[InvalidNamespace]: $changeStream may not be opened on the internal test.system.views collection
db.createView('seen', 'herbs', [])
run({}, [], 'seen')
//> MongoServerError[CommandNotSupportedOnView]: Namespace test.seen is a view, not a collection
run({}, [{ $group: { _id: 1 } }])
//> MongoServerError[IllegalOperation]: $group is not permitted in a $changeStream pipeline
run({}, [{ $out: 'x' }])
//> MongoServerError[IllegalOperation]: $out is not permitted in a $changeStream pipeline
run({}, [{ $sort: { a: 1 } }])
//> MongoServerError[IllegalOperation]: $sort is not permitted in a $changeStream pipeline
run({}, [{ $lookup: { from: 'a', as: 'b', localField: 'c', foreignField: 'd' } }])
//> MongoServerError[IllegalOperation]: $lookup is not permitted in a $changeStream pipeline
db.runCommand({ aggregate: 'herbs', pipeline: [{ $match: {} }, { $changeStream: {} }], cursor: {} })
//> MongoServerError[Location40602]: $changeStream is only valid as the first stage in a pipeline
db.runCommand({ aggregate: 'herbs', pipeline: [{ $facet: { a: [{ $changeStream: {} }] } }], cursor: {} })
//> MongoServerError[Location40600]: $changeStream is not allowed to be used within a $facet stage
db.runCommand({ aggregate: 'herbs', pipeline: [{ $unionWith: { coll: 'a', pipeline: [{ $changeStream: {} }] } }], cursor: {} })
//> MongoServerError[Location51047]: $changeStream is not allowed within a $unionWith's sub-pipeline
db.runCommand({ aggregate: 'herbs', pipeline: [{ $changeStreamSplitLargeEvent: {} }], cursor: {} })
//> MongoServerError[IllegalOperation]: $changeStreamSplitLargeEvent can only be used in a $changeStream pipeline
run({}, [{ $changeStreamSplitLargeEvent: {} }, { $match: {} }])
//> MongoServerError[Location7182802]: $changeStreamSplitLargeEvent must be the last stage in the pipeline
run({}, [{ $changeStreamSplitLargeEvent: { a: 1 } }])
//> MongoServerError[Location7182800]: $changeStreamSplitLargeEvent spec should be an empty object
run({}, [{ $changeStreamSplitLargeEvent: {} }]).ok
//> 1
// Behind it may stand stages that leave the token alone.
let opened = run({}, [{ $match: { operationType: 'insert' } }, { $addFields: { seen: true } }, { $project: { documentKey: 1, seen: 1 } }])
db.herbs.insertOne({ _id: 1 })
db.herbs.deleteOne({ _id: 1 })
Object.keys(db.runCommand({ getMore: opened.cursor.id, collection: 'herbs' }).cursor.nextBatch[0])
//> [ '_id', 'documentKey', 'seen' ]
let cut = run({}, [{ $unset: '_id' }])
db.herbs.insertOne({ _id: 1 })
try { db.runCommand({ getMore: cut.cursor.id, collection: 'herbs' }) } catch (error) { [error.codeName, error.message.slice(40, 130)] }
//> [
//>   'ChangeStreamFatalError',
//>   'by :: Encountered an event whose _id field, which contains the resume token, was modified '
//> ]
db.runCommand({ explain: { aggregate: 'herbs', pipeline: [{ $changeStream: {} }, { $match: { a: 1 } }], cursor: {} }, verbosity: 'queryPlanner' }).stages
//> [
//>   { '$changeStream': {} },
//>   { '$match': { a: { '$eq': 1 } } }
//> ]
// The oplog is read as any capped collection, and written by nobody.
let local = db.getSiblingDB('local')
local.oplog.rs.find({ op: 'i' }).count()
//> 2
local.oplog.rs.insertOne({ a: 1 })
//> MongoServerError[InvalidNamespace]: cannot write to 'local.oplog.rs'
local.oplog.rs.updateMany({}, { $set: { a: 1 } })
//> MongoServerError[InvalidNamespace]: cannot write to 'local.oplog.rs'
local.oplog.rs.deleteMany({})
//> MongoServerError[InvalidNamespace]: cannot write to 'local.oplog.rs'
local.oplog.rs.drop()
//> MongoServerError[IllegalOperation]: can't drop live oplog while replicating
local.dropDatabase()
//> MongoServerError[IllegalOperation]: Cannot drop 'local' database while replication is active
local.oplog.rs.createIndex({ ns: 1 })
//> MongoServerError[InvalidNamespace]: cannot write to 'local.oplog.rs'
local.runCommand({ collMod: 'oplog.rs', cappedSize: 512 })
//> MongoServerError[InvalidNamespace]: cannot write to 'local.oplog.rs'
db.adminCommand({ renameCollection: 'local.oplog.rs', to: 'test.a' })
//> MongoServerError[IllegalOperation]: can't rename live oplog while replicating
db.adminCommand({ renameCollection: 'test.herbs', to: 'local.oplog.rs', dropTarget: true })
//> MongoServerError[IllegalOperation]: can't rename live oplog while replicating
local.oplog.rs.validate().valid
//> true
local.oplog.rs.isCapped()
//> true
// Of a token that was cut off or spoilt the first part that is not as it should be is told.
const token = (digits) => { try { return run({ resumeAfter: { _data: digits } }) } catch (error) { return `${error.codeName}: ${error.message}` } }
const whole = '8200000005000000012B042C0100296E14'
;[17, 18, 20, 22, 24, 28, 30, 32, 34].map((length) => token(whole.slice(0, length)))
//> [
//>   'FailedToParse: resume token string was not a valid hex string',
//>   'Location50796: Resume Token does not contain version',
//>   'Overflow: the resume token ends too early',
//>   'Location51055: Resume Token does not contain tokenType',
//>   'Overflow: the resume token ends too early',
//>   'Location50793: Resume Token does not contain txnOpIndex',
//>   'Location50872: Resume Token does not contain fromInvalidate',
//>   'Location6189500: Expected UUID or null',
//>   'Location6189501: Expected an eventIdentifier for an event resume token'
//> ]
;[token('82'), token('6E04'), token('04'), token(whole + '296E04'), token('8200000005000000012B0429296E1404'.replace('2929', '296E'))]
//> [
//>   'Overflow: the resume token ends too early',
//>   'Location50811: KeyString format error: not a resume token',
//>   'Location40649: invalid empty resume token',
//>   'Location6189503: Resume Token eventIdentifier is not an object',
//>   'Location50855: Resume Token txnOpIndex is not an integer'
//> ]
run({ resumeAfter: { _data: whole, _typeBits: 1 } })
//> MongoServerError[Location40648]: Bad resume token: _typeBits of wrong type { _data: "8200000005000000012B042C0100296E14", _typeBits: 1 }
// The Stable API has no more than the plain options.
const strict = (options) => db.runCommand({ aggregate: 'herbs', pipeline: [{ $changeStream: options }], cursor: {}, apiVersion: '1', apiStrict: true })
strict({ showExpandedEvents: false })
//> MongoServerError[APIStrictError]: The 'showExpandedEvents' parameter to $changeStream is not supported in API Version 1
strict({ showRawUpdateDescription: true })
//> MongoServerError[APIStrictError]: The 'showRawUpdateDescription' parameter to $changeStream is not supported in API Version 1
strict({ showSystemEvents: true })
//> MongoServerError[APIStrictError]: The 'showSystemEvents' parameter to $changeStream is not supported in API Version 1
strict({ fullDocument: 'updateLookup' }).ok
//> 1
