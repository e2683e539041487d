/**
 * One sentence in English on each command, projection, form of an update and index option: what the reference tells
 * and the editor's help does not.
 *
 * Invariant: a line is the name, a space and its effect; operators and methods have theirs in `messages/operators`.
 */
import type { ReferenceLines } from "./lines.ts";

export const en: ReferenceLines = {
  command: `
abortTransaction Undoes what the commands of a transaction did.
aggregate Runs a pipeline over a collection or a database, and gives the first batch of a cursor.
buildInfo Tells the version the server gives as its own, and its limits.
buildinfo The older spelling of buildInfo.
bulkWrite Inserts, updates and deletes in several collections, in one command.
cloneCollectionAsCapped Copies a collection into a new capped one.
collMod Changes options of a collection, of a view or of an index.
collStats Tells counts and sizes of a collection.
collstats The older spelling of collStats.
commitTransaction Makes all that a transaction did visible at once.
compact Moves pages together so that storage can be given back.
connectionStatus Tells who is logged in on this connection: nobody, as there are no users.
convertToCapped Makes a collection capped, at this many bytes.
count Counts the documents that meet a filter, or all by the collection's own count.
create Creates a collection or a view, with its options.
createIndexes Builds one or several indexes.
createRole Keeps a role with its privileges and the roles that it holds; nothing here asks for it.
createUser Keeps a user with roles, but no password: nobody can sign in.
currentOp Tells what the server is doing now.
dataSize Tells how many bytes a collection's documents take, or those between two keys.
datasize The older spelling of dataSize.
dbHash Digests of each collection and of the database, to compare two of them.
dbStats Tells counts and sizes of a database.
dbhash The older spelling of dbHash.
dbstats The older spelling of dbStats.
delete Deletes the documents that meet filters: the first of each, or all.
deleteIndexes The older name of dropIndexes.
distinct Gives the different values of a field.
drop Deletes a collection with its indexes.
dropAllRolesFromDatabase Removes the roles that are kept of a database.
dropAllUsersFromDatabase Removes the users that are kept of a database.
dropDatabase Deletes a database with all its collections.
dropIndexes Deletes one index, several, or all but that of _id.
dropRole Removes a role, also from the users and roles that hold it.
dropUser Removes a user.
endSessions Ends sessions, with their cursors.
explain Tells how a command would be carried out, or what it took.
features Tells old drivers what the server can do.
find Finds documents and gives the first batch of a cursor.
findAndModify Changes or removes one document and gives it back, as it was or as it is.
findandmodify The older spelling of findAndModify.
fsync Has all changes stored before it answers.
fsyncUnlock Takes the lock of fsync off, which is not given here.
getClusterParameter The parameters that are kept with the data.
getCmdLineOpts The options of the command line: there are none.
getDefaultRWConcern The concerns of commands that come without.
getLog The newest lines of the log, or the names of the logs.
getMore Gives the next batch of a cursor.
getParameter The values of server parameters.
grantPrivilegesToRole Gives a role privileges: actions on resources.
grantRolesToRole Gives a role the roles that it is to hold.
grantRolesToUser Gives a user roles.
hello Tells what the server is and what it allows.
hostInfo Tells of the machine, as far as WebAssembly lets it be seen.
insert Inserts documents.
isMaster The older form of hello.
ismaster The older form of hello.
killAllSessions Ends the cursors and transactions of users' sessions.
killAllSessionsByPattern Ends those of the sessions that match a pattern.
killCursors Closes cursors before they are read through.
killOp Asks an operation to end; one runs at a time, so it has ended already.
killSessions Ends sessions at once, with their cursors.
listCollections Lists the collections and views of a database, with their options.
listCommands Lists the commands the server knows.
listDatabases Lists the databases, with their sizes.
listIndexes Lists the indexes of a collection.
lockInfo The locks that are held: none, as one thread serves one client.
mapReduce Groups documents by JavaScript functions; $group does the same faster.
mapreduce The older spelling of mapReduce.
ping Answers, and does nothing else.
planCacheClear Forgets the plans kept for a collection, or for one shape of query.
planCacheClearFilters Takes index filters off a collection, or off one shape of query.
planCacheListFilters Lists the index filters of a collection.
planCacheSetFilter Has a shape of query consider only the named indexes.
profile Sets which commands on a database are kept in system.profile, or tells it.
quireAt Runs a command that reads on the data of a kept moment.
quireClock Moves the engine's clock on, or sets it back to the real time.
quireDifference Tells how two moments differ, or a moment and the present.
quireDropMoment Drops a kept moment and frees what only it held.
quireFork Runs commands on a copy of all data that is gone afterwards.
quireMoment Keeps the state of all data, under a name if one is given.
quireMoments Lists the moments that are kept.
quireNameMoment Gives a kept moment a name, or takes it away.
quireObserve Runs a command and tells what it examined: keys, documents, pages, and its plan.
quireOplog Begins or ends the list of changes that change streams read, and tells its size.
quirePage Shows one page of the engine's storage: its fields, records and bytes.
quirePages Maps all pages: what each holds, and which collection or index it belongs to.
quireRestore Brings all data, a database or a collection back to a kept moment.
quireRun Begins or ends commands whose states before and behind are kept as moments.
quireSalvage Tells what was lost of a deployment that was opened damaged.
quireTree Shows the B+tree of an index or a collection, and the way down to a key.
reIndex Builds all indexes of a collection anew.
refreshSessions Marks sessions as used, so that they do not expire.
removeQuerySettings Removes the settings of a query shape.
renameCollection Gives a collection another name, also in another database.
replSetGetConfig The configuration of the replica set, whose only member this is.
replSetGetStatus The state of the replica set and of its one member.
replSetInitiate Begins a replica set: refused, since it is there from the start.
revokePrivilegesFromRole Takes privileges from a role.
revokeRolesFromRole Takes roles from a role that holds them.
revokeRolesFromUser Takes roles from a user.
rolesInfo The roles that are kept, and the names of those that each database has.
serverStatus Tells the state of the server, with its counters.
setClusterParameter Sets a parameter that is kept with the data.
setDefaultRWConcern Sets the concerns of commands that come without.
setFeatureCompatibilityVersion Says which version's features are used: those of 8.2.
setParameter Sets server parameters, such as notablescan.
setQuerySettings Has all queries of a shape consider only the named indexes, or refuses them.
startSession Starts a session and gives its id.
top How often each collection was used, and for how long.
update Updates or replaces documents, and inserts where told to if none is found.
updateRole Gives a role other privileges or other roles.
updateUser Changes the roles or the custom data of a user.
usersInfo The users that are kept.
validate Checks a collection and its indexes for damage, and repairs where told to.
validateDBMetadata Names views and indexes that version 1 of the Stable API does not have.
whatsmyuri The address by which the server knows this client.`,

  projection: `
$ Keeps only the array's first element that met the filter.
$elemMatch Keeps only the array's first element that meets this condition.
$meta Adds what is known of the row besides its document, such as recordId.
$slice Keeps part of an array: the first or, if negative, the last so many elements, or some from a place.
exclusion Leaves out the fields given as 0 and keeps all others.
expressions Computes fields by aggregation expressions, in a find as in $project.
inclusion Keeps the fields given as 1, and _id unless it is given as 0.`,

  update: `
$ The array's first element that met the filter.
$[<identifier>] Every element of the array that meets the array filter of this name.
$[] Every element of the array.
arrayFilters Names, by conditions, the elements that $[<identifier>] means.
pipeline An update written as stages, which can compute from the document's other fields.
replacement A document without operators takes the old one's place; _id stays.
upsert Inserts a document made of filter and update when the filter finds none.`,

  index: `
2dsphereIndexVersion The version of the keys: 3, or 1 and 2 of older servers.
background Kept for older scripts; it changes nothing.
bits How many bits of each coordinate the keys of a 2d index hold: 26, or 1 to 32.
coarsestIndexedLevel The level of the largest cells that cover a geometry.
collation Has the index order strings by the rules of a language.
default_language The language of a text index: its stop words and stems; none has neither.
expireAfterSeconds Deletes documents so many seconds after the date in the field.
finestIndexedLevel The level of the smallest cells that cover a geometry.
hidden Keeps the index up to date, but from the planner's sight.
kind:2d Holds points on a plane, for distances and shapes there.
kind:2dsphere Holds places on the globe, as GeoJSON or pairs, for distances and shapes there.
kind:clustered Keeps the documents in the order of _id, without an index beside them.
kind:compound Orders by several fields, one after the other.
kind:hashed Holds the hash of a field's value: good for equality, of no use for ranges.
kind:multikey Holds a key for each element where the field has an array; it becomes so by itself.
kind:single Orders by one field.
kind:text Holds a key for each word of the texts in its fields, for $text; one a collection.
kind:wildcard Holds keys of all fields, or of all below a path, whatever their names.
language_override The field in which a document names the language of its texts.
max The greatest coordinate that a 2d index holds: 180.
min The least coordinate that a 2d index holds: -180.
name The index's own name, in place of one made of its fields.
partialFilterExpression Holds only the documents that meet this filter.
prepareUnique Refuses new duplicates, so that collMod can make the index unique.
sparse Leaves out the documents that lack the fields.
textIndexVersion The version of a text index: 3, or an older one.
unique Refuses a second document with the same key.
v The version of the index's format.
weights How much a word counts in each field of a text index; 1 where nothing is said.
wildcardProjection Chooses the fields of a wildcard index, or leaves some out.`,

  bulk: `
execute Sends all the gathered writes and tells what they did.
find Begins an update or delete of the documents that meet a filter.
find.arrayFilters Names the elements that $[<identifier>] means in the next update.
find.collation Compares strings by the rules of a language in the next write.
find.delete Gathers the deletion of all documents that meet the filter.
find.deleteOne Gathers the deletion of the first document that meets the filter.
find.hint Has the next write use this index.
find.remove The older name of find.delete.
find.removeOne The older name of find.deleteOne.
find.replaceOne Gathers the replacement of the first document that meets the filter.
find.update Gathers an update of all documents that meet the filter.
find.updateOne Gathers an update of the first document that meets the filter.
find.upsert Has the next update insert a document where it finds none.
insert Gathers the insertion of a document.
toJSON How many writes of each kind are gathered.`,

  mongo: `
adminCommand Runs a command on the admin database.
bulkWrite Inserts, updates and deletes in several collections.
getDB A database of this connection.
getDBNames The names of the databases.
getDBs The databases with their sizes.
getReadPrefMode Which member reads go to, as it was set.
setReadPref Sets which member reads go to; there is one here.
startSession Starts a session, in which transactions are possible.
watch Tells the changes of all databases, as they are made.`,

  planCache: `
clear Forgets all plans of the collection.
clearPlansByQuery Forgets the plans of one shape of query.
list The plans that are kept, one for each shape of query.`,

  clock: `
advance Moves the engine's clock on, so that TTL indexes expire now.
now The time of the engine's clock.
offset By how many milliseconds the clock was moved.
reset Sets the clock back to the real time.`,

  global: `
BSONRegExp A regular expression as it is stored, with flags that JavaScript lacks.
BSONSymbol A symbol: an old type of BSON, like a string.
BinData Binary data of a subtype, from a base64 text.
Binary Binary data from bytes.
Code JavaScript code as a value.
DBQuery Settings of the older shell: shellBatchSize is how many documents are shown.
DBRef A reference to a document of another collection.
Date A date; Date() without new is a text.
Decimal128 A decimal number of 34 digits, from a text.
Double A number that is stored as a double, even if it is whole.
EJSON Extended JSON: stringify and parse keep the types of BSON.
HexData Binary data of a subtype, from hexadecimal digits.
ISODate A date from a text in ISO form, or the present time.
Int32 A 32-bit integer.
Long A 64-bit integer.
MD5 Binary data of the subtype for MD5 sums, from hexadecimal digits.
MaxKey A value that is greater than all others.
MinKey A value that is less than all others.
Mongo The connection of the shell.
NumberDecimal A decimal number of 34 digits; another name of Decimal128.
NumberInt A 32-bit integer; another name of Int32.
NumberLong A 64-bit integer; another name of Long.
ObjectID Another spelling of ObjectId.
ObjectId A new ObjectId, or one of 24 hexadecimal digits.
Timestamp A timestamp of seconds and a counter.
UUID A new UUID, or one from a text.
assert Throws unless the value is true.
bsonsize How many bytes a document takes as BSON.
cls Clears the screen in mongosh; here it changes nothing.
config Settings of the shell, of which displayBatchSize has an effect here.
connect The database that a local address names, of the one deployment there is.
console Prints, as print does.
doassert Throws an error of this message.
exit Ends the script; the page stays open.
help Lists what the shell has; db.help() and others list methods.
hex_md5 The MD5 digest of a text, in hexadecimal digits.
isInteractive Whether somebody types; always true here.
it Shows the next documents of the last cursor.
load Prints that files cannot be read here, and gives false.
passwordPrompt Prints that no password is asked, since none is kept.
print Prints values, as the shell words them.
printjson Prints values, laid out.
printjsononeline Prints values; another name of printjson.
quit Ends the script; the page stays open.
rs The replica set: its state and its configuration.
sh The sharded cluster, which this is not.
show Lists databases or collections.
sleep Waits for so many milliseconds.
tojson The value as a text, in the older shell's form.
tojsononeline The same on one line.
use Makes another database the current one.
version The version the server gives as its own.`,

  option: `
allowDiskUse Lets a large sort hold more than the limit.
allowPartialResults For clusters, where shards may be away; it changes nothing here.
arrayFilters Names, by conditions, the elements that $[<identifier>] means.
authorizedCollections Lists only collections that the user may read: all, as there are no users.
authorizedDatabases Lists only databases that the user may read: all, as there are no users.
awaitData Has a tailable cursor wait for what is added before it gives an empty batch.
batchSize Sets how many documents are fetched at a time.
bypassDocumentValidation Writes documents that the collection's validator would refuse.
capped Makes a collection of a fixed size, whose oldest documents give way to new ones.
changeStreamPreAndPostImages Keeps documents as they were before and after changes, for change streams.
clusteredIndex Keeps the documents in the order of _id.
collation Compares strings by the rules of a language.
comment A note that travels with the command; it changes nothing.
commitQuorum How many members have to finish the build; there is one.
cursor An older place of batchSize.
dropTarget Drops a collection that has the new name already.
expireAfterSeconds Deletes documents of a clustered collection so long after the date in _id.
explain Tells how the pipeline is carried out in place of doing it.
filter Lists only the databases that meet a condition.
freeStorage Adds the bytes that are set aside and free.
fullDocument Whether events of updates have the document too, and as of when.
fullDocumentBeforeChange Whether events have the document as it was before.
hint Has this index used.
includeResultMetadata Gives the command's whole reply in place of the document.
indexOptionDefaults Takes index options of WiredTiger that ask for nothing.
j Acknowledges a write only once it is stored.
let Names values for use in expressions, as $$name.
limit Gives or counts at most so many documents.
max Of find: the upper end of an index range, left out. Of createCollection: the most documents.
maxAwaitTimeMS How long a tailable cursor waits for what is added.
maxTimeMS Gives up after so many milliseconds.
min The lower end of an index range, itself included; needs hint.
nameOnly Gives names and types alone, which is quicker.
noCursorTimeout Keeps the cursor open however long nobody reads.
ordered false: goes on after a write that failed, with the others.
pipeline The stages of a view.
projection Chooses or leaves out fields.
readConcern Sets the read concern, such as local.
resumeAfter Goes on after the event with this token.
returnDocument "after": gives the document as it is after the change, in place of as it was.
returnKey Gives the keys of the index in place of the documents.
scale Gives sizes in units of so many bytes.
showExpandedEvents Tells new collections, indexes and other options, too.
showRecordId Adds each document's place in storage, as $recordId.
singleBatch Closes the cursor after its first batch.
size The bytes that a capped collection may take.
skip Leaves out the first so many documents.
sort Orders the documents, or says which of several is the first.
startAfter Goes on after the event with this token, also where that ended the stream.
startAtOperationTime Tells the changes from this time on.
storageEngine Takes options of WiredTiger that ask for nothing.
tailable Stays open at the end of a capped collection, for what is added.
timeseries Gathers measurements in buckets by their time: timeField, metaField and granularity.
upsert Inserts a document when the filter finds none.
validationAction Says whether an invalid document is refused (error, errorAndLog) or stored (warn).
validationLevel Says whether documents that were invalid before are checked (strict) or not (moderate).
validator The condition or JSON Schema that documents must meet.
verboseResults Tells the result of each single write.
viewOn The collection that a view reads.
w How many members acknowledge a write; 0: nobody, and no outcome is told.
writeConcern When a write counts as done: w, j and wtimeout.
wtimeout How long to wait for members to acknowledge a write.`,
};
