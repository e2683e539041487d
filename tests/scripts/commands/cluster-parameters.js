// Parameters and concerns that are kept with the data. Manual: reference/command/setClusterParameter, reference/cluster-parameters/changeStreamOptions,
// reference/command/setDefaultRWConcern
const run = (command, database = "admin") => { try { return db.getSiblingDB(database).runCommand(command) } catch (e) { return `${e.code} ${e.codeName} ${e.message}` } }
const set = (value) => run({setClusterParameter: {changeStreamOptions: value}})
const seconds = (expireAfterSeconds) => ({preAndPostImages: {expireAfterSeconds}})
const get = (name) => { const reply = run({getClusterParameter: name}); return reply.clusterParameters?.map(({_id, preAndPostImages}) => ({_id, preAndPostImages})) ?? reply }
get("changeStreamOptions")
//> [
//>   {
//>     _id: 'changeStreamOptions',
//>     preAndPostImages: { expireAfterSeconds: 'off' }
//>   }
//> ]
get("*")
//> [
//>   {
//>     _id: 'changeStreamOptions',
//>     preAndPostImages: { expireAfterSeconds: 'off' }
//>   }
//> ]
run({getClusterParameter: "changeStreamOptions"}).clusterParameters[0].clusterParameterTime
//> Timestamp({ t: 0, i: 0 })
[get("other"), get(["changeStreamOptions", "other"]), get([]), get(7), run({getClusterParameter: "*"}, "test")]
//> [
//>   '4 NoSuchKey Unknown server parameter: other',
//>   '4 NoSuchKey Unknown server parameter: other',
//>   '2 BadValue Must supply at least one cluster parameter name',
//>   "14 TypeMismatch BSON field 'getClusterParameter.getClusterParameter' is the wrong type 'int', expected types '[string, array']",
//>   '13 Unauthorized getClusterParameter may only be run against the admin database.'
//> ]
[set({}), set("off"), set({more: 1}), set({$more: 1}), set({preAndPostImages: null}), set({preAndPostImages: {}}), set({...seconds(1), more: 1})]
//> [
//>   "2 BadValue BSON field 'changeStreamOptions.preAndPostImages' is missing but a required field",
//>   "2 BadValue BSON field 'changeStreamOptions' is the wrong type 'string', expected type 'object'",
//>   "2 BadValue BSON field 'changeStreamOptions.more' is an unknown field.",
//>   "52 DollarPrefixedFieldName The dollar ($) prefixed field '$more' is not allowed",
//>   "2 BadValue BSON field 'changeStreamOptions.preAndPostImages' is the wrong type 'null', expected type 'object'",
//>   "2 BadValue BSON field 'changeStreamOptions.preAndPostImages.expireAfterSeconds' is missing but a required field",
//>   "2 BadValue BSON field 'changeStreamOptions.more' is an unknown field."
//> ]
[set(seconds("on")), set(seconds(true)), set(seconds(0)), set(seconds(-1))]
//> [
//>   "2 BadValue Expected 'off' or a number of seconds for 'changeStreamOptions.preAndPostImages.expireAfterSeconds', found 'on'",
//>   "2 BadValue BSON field 'changeStreamOptions.preAndPostImages.expireAfterSeconds' is the wrong type 'bool', expected types '[string, long]'",
//>   "2 BadValue 'changeStreamOptions.preAndPostImages.expireAfterSeconds' must be greater than 0, found 0",
//>   "2 BadValue 'changeStreamOptions.preAndPostImages.expireAfterSeconds' must be greater than 0, found -1"
//> ]
[run({setClusterParameter: {}}), run({setClusterParameter: null}), run({setClusterParameter: 1}), run({setClusterParameter: {other: {}}}), run({setClusterParameter: {changeStreamOptions: seconds(1), other: {}}})]
//> [
//>   '4 NoSuchKey Unknown server parameter: ',
//>   "40414 IDLFailedToParse BSON field 'setClusterParameter.setClusterParameter' is missing but a required field",
//>   "14 TypeMismatch BSON field 'setClusterParameter.setClusterParameter' is the wrong type 'int', expected type 'object'",
//>   '4 NoSuchKey Unknown server parameter: other',
//>   '72 InvalidOptions setClusterParameter only supports setting exactly one parameter'
//> ]
[run({setClusterParameter: {changeStreamOptions: seconds(1)}, writeConcern: {w: 1}}), run({setClusterParameter: {changeStreamOptions: seconds(1)}, apiVersion: "1", apiStrict: true}), run({getParameter: 1, changeStreamOptions: 1})]
//> [
//>   '72 InvalidOptions Command does not support writeConcern',
//>   '323 APIStrictError Provided apiStrict:true, but the command setClusterParameter is not in API Version 1. Information on supported commands and migrations in API Version 1 can be found at https://dochub.mongodb.org/core/manual-versioned-api.',
//>   '72 InvalidOptions no option found to get'
//> ]
db.createCollection("herbs", {changeStreamPreAndPostImages: {enabled: true}})
const stream = db.herbs.watch([], {fullDocument: "whenAvailable", fullDocumentBeforeChange: "whenAvailable"})
const required = db.herbs.watch([], {fullDocumentBeforeChange: "required"})
const images = (e) => e && [e.operationType, e.fullDocumentBeforeChange, e.fullDocument]
set(seconds(100))
//> { ok: 1 }
get(["changeStreamOptions"])
//> [
//>   {
//>     _id: 'changeStreamOptions',
//>     preAndPostImages: { expireAfterSeconds: Long('100') }
//>   }
//> ]
db.herbs.insertOne({_id: 1, n: 1}).acknowledged
//> true
db.herbs.updateOne({_id: 1}, {$set: {n: 2}}).modifiedCount
//> 1
[images(stream.tryNext()), images(stream.tryNext())]
//> [
//>   [ 'insert', undefined, { _id: 1, n: 1 } ],
//>   [ 'update', { _id: 1, n: 1 }, { _id: 1, n: 2 } ]
//> ]
db.herbs.updateOne({_id: 1}, {$set: {n: 3}}).modifiedCount
//> 1
// Images go by the engine's clock.
clock.advance(99_000)
db.herbs.updateOne({_id: 1}, {$set: {n: 4}}).modifiedCount
//> 1
clock.advance(1000);
[images(stream.tryNext()), images(stream.tryNext())]
//> [
//>   [ 'update', null, null ],
//>   [ 'update', { _id: 1, n: 3 }, { _id: 1, n: 4 } ]
//> ]
try { required.tryNext() } catch (error) { error.codeName }
//> NoMatchingDocument
// They are there again for who asks for them no more by time, as long as the oplog has them.
set(seconds("off"))
//> { ok: 1 }
const again = db.herbs.watch([], {resumeAfter: required.getResumeToken(), fullDocumentBeforeChange: "required"});
[images(again.tryNext()), images(again.tryNext())]
//> [
//>   [ 'insert', undefined, { _id: 1, n: 1 } ],
//>   [ 'update', { _id: 1, n: 1 }, undefined ]
//> ]
// The concerns of commands that come without.
const shown = ({updateOpTime, ok, ...rest}) => rest
shown(run({getDefaultRWConcern: 1}))
//> {
//>   defaultReadConcern: { level: 'local' },
//>   defaultWriteConcern: { w: 1, wtimeout: 0 },
//>   defaultWriteConcernSource: 'implicit',
//>   defaultReadConcernSource: 'implicit',
//>   localUpdateWallClockTime: ISODate('2026-01-01T00:01:40.000Z')
//> }
[run({setDefaultRWConcern: 1}), run({setDefaultRWConcern: 1, defaultReadConcern: {level: "snapshot"}}), run({setDefaultRWConcern: 1, defaultWriteConcern: {w: 0}}), run({setDefaultRWConcern: 1, defaultWriteConcern: {w: 2}}), run({setDefaultRWConcern: 1, defaultWriteConcern: {x: 1}}), run({getDefaultRWConcern: 1}, "test")]
//> [
//>   '2 BadValue At least one of the "defaultReadConcern" or "defaultWriteConcern" fields must be present',
//>   "2 BadValue level: 'snapshot' is not suitable for the default read concern",
//>   '2 BadValue Unacknowledged write concern is not allowed as the default',
//>   '100 UnsatisfiableWriteConcern Not enough data-bearing nodes',
//>   "40415 IDLUnknownField BSON field 'writeConcern.x' is an unknown field.",
//>   '13 Unauthorized getDefaultRWConcern may only be run against the admin database.'
//> ]
shown(run({setDefaultRWConcern: 1, defaultWriteConcern: {w: "majority"}}))
//> {
//>   defaultReadConcern: { level: 'local' },
//>   defaultWriteConcern: { w: 'majority', wtimeout: 0 },
//>   updateWallClockTime: ISODate('2026-01-01T00:01:40.000Z'),
//>   defaultWriteConcernSource: 'global',
//>   defaultReadConcernSource: 'implicit'
//> }
shown(run({setDefaultRWConcern: 1, defaultReadConcern: {level: "majority"}}))
//> {
//>   defaultReadConcern: { level: 'majority' },
//>   defaultWriteConcern: { w: 'majority', wtimeout: 0 },
//>   updateWallClockTime: ISODate('2026-01-01T00:01:40.000Z'),
//>   defaultWriteConcernSource: 'global',
//>   defaultReadConcernSource: 'global'
//> }
run({setDefaultRWConcern: 1, defaultWriteConcern: {}})
//> 20 IllegalOperation The global default write concern cannot be unset once it is set.
shown(run({setDefaultRWConcern: 1, defaultReadConcern: {}, defaultWriteConcern: {w: 1, j: true}}))
//> {
//>   defaultReadConcern: { level: 'local' },
//>   defaultWriteConcern: { w: 1, j: true, wtimeout: 0 },
//>   updateWallClockTime: ISODate('2026-01-01T00:01:40.000Z'),
//>   defaultWriteConcernSource: 'global',
//>   defaultReadConcernSource: 'implicit'
//> }
shown(run({getDefaultRWConcern: 1, inMemory: true}))
//> {
//>   defaultReadConcern: { level: 'local' },
//>   defaultWriteConcern: { w: 1, j: true, wtimeout: 0 },
//>   updateWallClockTime: ISODate('2026-01-01T00:01:40.000Z'),
//>   defaultWriteConcernSource: 'global',
//>   defaultReadConcernSource: 'implicit',
//>   localUpdateWallClockTime: ISODate('2026-01-01T00:01:40.000Z')
//> }
