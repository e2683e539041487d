/**
 * How each command, index option, projection, form of an update and name of the shell is written, with the fields it is
 * mostly given.
 *
 * Invariant: one line a name, the same in every language; `…` stands for fields that are left out here. Operators and
 * the methods that the editor offers have theirs in `operator-syntax.ts` and `method-signatures.ts`.
 */

const lines = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .trim()
      .split("\n")
      .map((line) => {
        const at = line.indexOf(" ");
        return [line.slice(0, at), line.slice(at + 1)];
      }),
  );

export const commandSyntax = lines(`
abortTransaction { abortTransaction: 1, lsid, txnNumber, autocommit: false }
aggregate { aggregate: collection, pipeline: [stage, …], cursor: { batchSize }, let, hint, collation, … }
buildInfo { buildInfo: 1 }
buildinfo { buildinfo: 1 }
bulkWrite { bulkWrite: 1, ops: [{ insert: 0, document }, …], nsInfo: [{ ns: "db.collection" }], ordered, … }
cloneCollectionAsCapped { cloneCollectionAsCapped: collection, toCollection: collection, size: bytes }
collMod { collMod: collection, index: { keyPattern, hidden, expireAfterSeconds }, validator, viewOn, pipeline, … }
collStats { collStats: collection, scale }
collstats { collstats: collection, scale }
commitTransaction { commitTransaction: 1, lsid, txnNumber, autocommit: false, writeConcern }
compact { compact: collection, dryRun, freeSpaceTargetMB, force }
connectionStatus { connectionStatus: 1, showPrivileges }
convertToCapped { convertToCapped: collection, size: bytes }
count { count: collection, query, limit, skip, hint, collation }
create { create: collection, capped, size, max, validator, viewOn, pipeline, clusteredIndex, collation, … }
createIndexes { createIndexes: collection, indexes: [{ key, name, unique, … }, …] }
createRole { createRole: name, privileges: [{ resource, actions }], roles: [role, …] }
createUser { createUser: name, pwd, roles: [role, …], customData }
currentOp { currentOp: 1, … }
dataSize { dataSize: "db.collection", keyPattern, min, max, estimate }
datasize { datasize: "db.collection", keyPattern, min, max, estimate }
dbHash { dbHash: 1, collections: [name, …] }
dbStats { dbStats: 1, scale, freeStorage }
dbhash { dbhash: 1, collections: [name, …] }
dbstats { dbstats: 1, scale, freeStorage }
delete { delete: collection, deletes: [{ q: filter, limit: 0 or 1, hint, collation }, …], ordered, let, … }
deleteIndexes { deleteIndexes: collection, index: nameOrKeys }
distinct { distinct: collection, key: field, query, collation, hint }
drop { drop: collection }
dropAllRolesFromDatabase { dropAllRolesFromDatabase: 1 }
dropAllUsersFromDatabase { dropAllUsersFromDatabase: 1 }
dropDatabase { dropDatabase: 1 }
dropIndexes { dropIndexes: collection, index: nameOrKeys or "*" }
dropRole { dropRole: name }
dropUser { dropUser: name }
endSessions { endSessions: [{ id: uuid }, …] }
explain { explain: command, verbosity: "queryPlanner" or "executionStats" or "allPlansExecution" }
features { features: 1 }
find { find: collection, filter, sort, projection, skip, limit, hint, batchSize, let, collation, … }
findAndModify { findAndModify: collection, query, update or remove, sort, fields, new, upsert, arrayFilters, … }
findandmodify { findandmodify: collection, query, update or remove, sort, fields, new, upsert, … }
fsync { fsync: 1 }
fsyncUnlock { fsyncUnlock: 1 }
getClusterParameter { getClusterParameter: name | [name, …] | "*" }
getCmdLineOpts { getCmdLineOpts: 1 }
getDefaultRWConcern { getDefaultRWConcern: 1, inMemory }
getLog { getLog: "global" }
getMore { getMore: cursorId, collection: collection, batchSize, maxTimeMS }
getParameter { getParameter: 1 | "*" | { allParameters, showDetails }, name: 1, … }
grantPrivilegesToRole { grantPrivilegesToRole: role, privileges: [{ resource, actions }] }
grantRolesToRole { grantRolesToRole: role, roles: [role, …] }
grantRolesToUser { grantRolesToUser: user, roles: [role, …] }
hello { hello: 1 }
hostInfo { hostInfo: 1 }
insert { insert: collection, documents: [document, …], ordered, bypassDocumentValidation, … }
isMaster { isMaster: 1 }
ismaster { ismaster: 1 }
killAllSessions { killAllSessions: [{ user: <name>, db: <database> }, …] }
killAllSessionsByPattern { killAllSessionsByPattern: [{ lsid: { id: uuid } }, …] }
killCursors { killCursors: collection, cursors: [cursorId, …] }
killOp { killOp: 1, op: number }
killSessions { killSessions: [{ id: uuid }, …] }
listCollections { listCollections: 1, filter, nameOnly }
listCommands { listCommands: 1 }
listDatabases { listDatabases: 1, filter, nameOnly }
listIndexes { listIndexes: collection }
lockInfo { lockInfo: 1 }
mapReduce { mapReduce: collection, map: function, reduce: function, out: { inline: 1 }, query, finalize, … }
mapreduce { mapreduce: collection, map: function, reduce: function, out: { inline: 1 }, query, finalize, … }
ping { ping: 1 }
planCacheClear { planCacheClear: collection, query, projection, sort }
planCacheClearFilters { planCacheClearFilters: collection, query, projection, sort }
planCacheListFilters { planCacheListFilters: collection }
planCacheSetFilter { planCacheSetFilter: collection, query, indexes: [nameOrKeys, …] }
profile { profile: -1 | 0 | 1 | 2, slowms, sampleRate, filter }
quireAt { quireAt: moment, command: command }
quireClock { quireClock: 1, advanceMillis or reset }
quireDifference { quireDifference: 1 or collection, from: moment, to: moment, limit, after }
quireDropMoment { quireDropMoment: moment }
quireFork { quireFork: 1, commands: [command, …] }
quireMoment { quireMoment: 1, name, what, from: number, limitPages }
quireMoments { quireMoments: 1 }
quireNameMoment { quireNameMoment: moment, name: text or null }
quireObserve { quireObserve: 1, command: command }
quireOplog { quireOplog: 1, enabled, size }
quirePage { quirePage: number }
quirePages { quirePages: 1 }
quireRestore { quireRestore: moment, database, collection }
quireRun { quireRun: "begin" or "end", what, limitPages }
quireSalvage { quireSalvage: 1 }
quireTree { quireTree: collection, index: name, descend: key, walk: count }
reIndex { reIndex: collection }
refreshSessions { refreshSessions: [{ id: uuid }, …] }
removeQuerySettings { removeQuerySettings: query | hash }
renameCollection { renameCollection: "db.from", to: "db.to", dropTarget }
replSetGetConfig { replSetGetConfig: 1, commitmentStatus }
replSetGetStatus { replSetGetStatus: 1 }
replSetInitiate { replSetInitiate: configuration }
revokePrivilegesFromRole { revokePrivilegesFromRole: role, privileges: [{ resource, actions }] }
revokeRolesFromRole { revokeRolesFromRole: role, roles: [role, …] }
revokeRolesFromUser { revokeRolesFromUser: user, roles: [role, …] }
rolesInfo { rolesInfo: 1 | role | { role, db }, showBuiltinRoles }
serverStatus { serverStatus: 1, metrics: 0, … }
setClusterParameter { setClusterParameter: { changeStreamOptions: { preAndPostImages: { expireAfterSeconds } } } }
setDefaultRWConcern { setDefaultRWConcern: 1, defaultReadConcern: { level }, defaultWriteConcern: { w, j, wtimeout } }
setFeatureCompatibilityVersion { setFeatureCompatibilityVersion: "8.2", confirm: true }
setParameter { setParameter: 1, name: value, … }
setQuerySettings { setQuerySettings: query | hash, settings: { indexHints, queryFramework, reject, comment } }
startSession { startSession: 1 }
top { top: 1 }
update { update: collection, updates: [{ q: filter, u: update, multi, upsert, arrayFilters, … }, …], ordered, … }
updateRole { updateRole: name, privileges, roles }
updateUser { updateUser: name, pwd, roles, customData }
usersInfo { usersInfo: 1 | user | { user, db } | { forAllDBs: true }, filter }
validate { validate: collection, full, repair }
validateDBMetadata { validateDBMetadata: 1, apiParameters: { version: "1", strict }, db, collection }
whatsmyuri { whatsmyuri: 1 }`);

export const projectionSyntax = lines(`
$ { "array.$": 1 }
$elemMatch { array: { $elemMatch: { field: value } } }
$meta { name: { $meta: "recordId" } }
$slice { array: { $slice: count } } or { array: { $slice: [from, count] } }
exclusion { field: 0 }
expressions { name: expression }
inclusion { field: 1 }`);

export const updateFormSyntax = lines(`
$ { $set: { "array.$": value } }
$[<identifier>] { $set: { "array.$[identifier]": value } }, { arrayFilters: [{ identifier: condition }] }
$[] { $set: { "array.$[]": value } }
arrayFilters updateMany(filter, update, { arrayFilters: [{ identifier: condition }] })
pipeline updateMany(filter, [{ $set: { field: expression } }, …])
replacement replaceOne(filter, document)
upsert updateOne(filter, update, { upsert: true })`);

export const indexSyntax = lines(`
2dsphereIndexVersion createIndex({ field: "2dsphere" }, { "2dsphereIndexVersion": version })
background createIndex(keys, { background: true })
bits createIndex({ field: "2d" }, { bits: number })
coarsestIndexedLevel createIndex({ field: "2dsphere" }, { coarsestIndexedLevel: level })
collation createIndex(keys, { collation: { locale, strength } })
default_language createIndex({ field: "text" }, { default_language: "none" })
expireAfterSeconds createIndex({ date: 1 }, { expireAfterSeconds: seconds })
finestIndexedLevel createIndex({ field: "2dsphere" }, { finestIndexedLevel: level })
hidden createIndex(keys, { hidden: true })
kind:2d createIndex({ field: "2d" })
kind:2dsphere createIndex({ field: "2dsphere" })
kind:clustered createCollection(name, { clusteredIndex: { key: { _id: 1 }, unique: true } })
kind:compound createIndex({ field: 1, other: -1 })
kind:hashed createIndex({ field: "hashed" })
kind:multikey createIndex({ array: 1 })
kind:single createIndex({ field: 1 })
kind:text createIndex({ field: "text", other: "text" })
kind:wildcard createIndex({ "$**": 1 }) or createIndex({ "field.$**": 1 })
language_override createIndex({ field: "text" }, { language_override: "field" })
max createIndex({ field: "2d" }, { max: number })
min createIndex({ field: "2d" }, { min: number })
name createIndex(keys, { name: text })
partialFilterExpression createIndex(keys, { partialFilterExpression: filter })
prepareUnique createIndex(keys, { prepareUnique: true })
sparse createIndex(keys, { sparse: true })
textIndexVersion createIndex({ field: "text" }, { textIndexVersion: 3 })
unique createIndex(keys, { unique: true })
v createIndex(keys, { v: 2 })
weights createIndex({ field: "text", other: "text" }, { weights: { field: 10 } })
wildcardProjection createIndex({ "$**": 1 }, { wildcardProjection: { field: 1 } })`);

export const bulkSyntax = lines(`
execute bulk.execute(options?)
find bulk.find(filter)
find.arrayFilters bulk.find(filter).arrayFilters([filter, …])
find.collation bulk.find(filter).collation({ locale, … })
find.delete bulk.find(filter).delete()
find.deleteOne bulk.find(filter).deleteOne()
find.hint bulk.find(filter).hint(nameOrKeys)
find.remove bulk.find(filter).remove()
find.removeOne bulk.find(filter).removeOne()
find.replaceOne bulk.find(filter).replaceOne(document)
find.update bulk.find(filter).update(update)
find.updateOne bulk.find(filter).updateOne(update)
find.upsert bulk.find(filter).upsert()
insert bulk.insert(document)
toJSON bulk.toJSON()`);

export const mongoSyntax = lines(`
adminCommand db.getMongo().adminCommand(command)
bulkWrite db.getMongo().bulkWrite([operation, …], options?)
getDB db.getMongo().getDB(name)
getDBNames db.getMongo().getDBNames()
getDBs db.getMongo().getDBs()
getReadPrefMode db.getMongo().getReadPrefMode()
setReadPref db.getMongo().setReadPref(mode)
startSession db.getMongo().startSession({ causalConsistency })
watch db.getMongo().watch(pipeline, options)`);

export const planCacheSyntax = lines(`
clear db.collection.getPlanCache().clear()
clearPlansByQuery db.collection.getPlanCache().clearPlansByQuery(filter, projection?, sort?)
list db.collection.getPlanCache().list(pipeline?)`);

export const clockSyntax = lines(`
advance clock.advance(duration)
now clock.now()
offset clock.offset()
reset clock.reset()`);

export const globalSyntax = lines(`
BSONRegExp BSONRegExp(pattern, flags?)
BSONSymbol BSONSymbol(text)
BinData BinData(subtype, base64)
Binary Binary(bytes, subtype?)
Code Code(source, scope?)
DBQuery DBQuery.shellBatchSize = number
DBRef DBRef(collection, id, database?)
Date new Date(value?)
Decimal128 Decimal128(text)
Double Double(number)
EJSON EJSON.stringify(value, options?) or EJSON.parse(text)
HexData HexData(subtype, digits)
ISODate ISODate(text?)
Int32 Int32(number)
Long Long(numberOrText)
MD5 MD5(digits)
MaxKey MaxKey()
MinKey MinKey()
Mongo Mongo()
NumberDecimal NumberDecimal(text)
NumberInt NumberInt(number)
NumberLong NumberLong(numberOrText)
ObjectID ObjectID(digits?)
ObjectId ObjectId(digits?)
Timestamp Timestamp(seconds, counter)
UUID UUID(text?)
assert assert(value, message?)
bsonsize bsonsize(document)
cls cls()
config config.set(name, value), config.get(name), config.reset(name)
connect connect(address?)
console console.log(value, …)
doassert doassert(message)
exit exit()
help help()
hex_md5 hex_md5(text)
isInteractive isInteractive()
it it
load load(name)
passwordPrompt passwordPrompt()
print print(value, …)
printjson printjson(value, …)
printjsononeline printjsononeline(value, …)
quit quit()
rs rs.status(), rs.conf(), rs.hello()
sh sh.status()
show show dbs or show collections
sleep sleep(milliseconds)
tojson tojson(value)
tojsononeline tojsononeline(value)
use use name
version version()`);

export const optionSyntax = lines(`
allowDiskUse find(filter, projection, { allowDiskUse: true })
allowPartialResults find(filter, projection, { allowPartialResults: true })
arrayFilters updateMany(filter, update, { arrayFilters: [{ identifier: condition }] })
authorizedCollections getCollectionInfos(filter, { nameOnly: true, authorizedCollections: true })
authorizedDatabases getDBs({ nameOnly: true, authorizedDatabases: true })
awaitData find(filter, projection, { tailable: true, awaitData: true })
batchSize find(filter, projection, { batchSize: count })
bypassDocumentValidation insertOne(document, { bypassDocumentValidation: true })
capped createCollection(name, { capped: true, size: bytes })
changeStreamPreAndPostImages createCollection(name, { changeStreamPreAndPostImages: { enabled: true } })
clusteredIndex createCollection(name, { clusteredIndex: { key: { _id: 1 }, unique: true } })
collation find(filter, projection, { collation: { locale, strength } })
comment find(filter, projection, { comment: text })
commitQuorum createIndexes([keys, …], options, commitQuorum)
cursor aggregate(pipeline, { cursor: { batchSize: count } })
dropTarget renameCollection(to, dropTarget)
expireAfterSeconds createCollection(name, { clusteredIndex, expireAfterSeconds: seconds })
explain aggregate(pipeline, { explain: true })
filter getDBs({ filter: { name: condition } })
freeStorage db.stats({ freeStorage: 1 })
fullDocument watch(pipeline, { fullDocument: "updateLookup" })
fullDocumentBeforeChange watch(pipeline, { fullDocumentBeforeChange: "whenAvailable" })
hint find(filter, projection, { hint: nameOrKeys })
includeResultMetadata findOneAndUpdate(filter, update, { includeResultMetadata: true })
indexOptionDefaults createCollection(name, { indexOptionDefaults: { storageEngine } })
j insertOne(document, { writeConcern: { w: 1, j: true } })
let find(filter, projection, { let: { name: value } })
limit find(filter, projection, { limit: count })
max find(filter, projection, { hint, max: keys }) or createCollection(name, { capped, size, max: count })
maxAwaitTimeMS find(filter, projection, { tailable: true, awaitData: true, maxAwaitTimeMS: milliseconds })
maxTimeMS find(filter, projection, { maxTimeMS: milliseconds })
min find(filter, projection, { hint, min: keys })
nameOnly getCollectionInfos(filter, { nameOnly: true })
noCursorTimeout find(filter, projection, { noCursorTimeout: true })
ordered insertMany([document, …], { ordered: false })
pipeline createCollection(name, { viewOn: collection, pipeline: [stage, …] })
projection findOneAndUpdate(filter, update, { projection: fields })
readConcern aggregate(pipeline, { readConcern: { level } })
resumeAfter watch(pipeline, { resumeAfter: token })
returnDocument findOneAndUpdate(filter, update, { returnDocument: "after" })
returnKey find(filter, projection, { returnKey: true })
scale db.stats({ scale: 1024 })
showExpandedEvents watch(pipeline, { showExpandedEvents: true })
showRecordId find(filter, projection, { showRecordId: true })
singleBatch find(filter, projection, { batchSize: count, singleBatch: true })
size createCollection(name, { capped: true, size: bytes })
skip find(filter, projection, { skip: count })
sort findOneAndDelete(filter, { sort: order })
startAfter watch(pipeline, { startAfter: token })
startAtOperationTime watch(pipeline, { startAtOperationTime: timestamp })
storageEngine createCollection(name, { storageEngine: { wiredTiger: { configString } } })
tailable find(filter, projection, { tailable: true })
timeseries createCollection(name, { timeseries: { timeField: field, metaField: field, granularity: name } })
upsert updateOne(filter, update, { upsert: true })
validationAction createCollection(name, { validator, validationAction: "warn" })
validationLevel createCollection(name, { validator, validationLevel: "moderate" })
validator createCollection(name, { validator: filter })
verboseResults Mongo.bulkWrite([operation, …], { verboseResults: true })
viewOn createCollection(name, { viewOn: collection, pipeline })
w insertOne(document, { writeConcern: { w: 1 } })
writeConcern insertOne(document, { writeConcern: { w, j, wtimeout } })
wtimeout insertOne(document, { writeConcern: { w, wtimeout: milliseconds } })`);
