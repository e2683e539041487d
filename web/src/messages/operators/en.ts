/**
 * One line in English on each `$` operator, by where it stands, and on each of the shell's methods, by what it is
 * called on; fetched with the first completion.
 *
 * Invariants: a line is the name, a space and its effect; an output of `$setWindowFields` that is not here is told as
 * the accumulator of that name, and `*` stands for every other name of its kind. `operator-help.test.ts` holds that
 * every name offered has its line in every language.
 */
import type { OperatorTexts } from "./texts.ts";

export const en: OperatorTexts = {
  kinds: {
    query: "query",
    update: "update",
    stage: "stage",
    accumulator: "accumulator",
    window: "window",
    expression: "expression",
    database: "of db",
    collection: "of a collection",
    cursor: "of a cursor",
    explain: "explained",
    quire: "of quire",
  },
  example: "Example",
  more: "Reference",

  query: `
$all The array holds every one of these values, in any order.
$alwaysFalse No document matches; written $alwaysFalse: 1.
$alwaysTrue Every document matches; written $alwaysTrue: 1.
$and All of these conditions hold.
$bitsAllClear All the named bits of the number are 0.
$bitsAllSet All the named bits of the number are 1.
$bitsAnyClear At least one of the named bits is 0.
$bitsAnySet At least one of the named bits is 1.
$comment A note that travels with the query into logs; it changes nothing.
$elemMatch One and the same array element meets all these conditions.
$eq Equals this value, or the array holds it.
$exists true: the field is there, even if null; false: it is not there.
$expr An aggregation expression that must be true; it can compare two fields of a document.
$geoIntersects A place has a point in common with this shape.
$geoNear Nearest first; the old name of $near.
$geoWithin A place lies within this shape.
$gt Greater than this value, among values of its type.
$gte Greater than or equal to this value, among values of its type.
$in Equals one of the listed values or matches one of the listed regular expressions.
$jsonSchema The document is valid under this JSON Schema.
$lt Less than this value, among values of its type.
$lte Less than or equal to this value, among values of its type.
$mod [divisor, remainder]: dividing the number leaves this remainder.
$ne Does not equal this value; a missing field qualifies too.
$near Nearest first, from this point; needs a 2dsphere or 2d index on the field.
$nearSphere Nearest first on the globe, from this point; needs a 2dsphere or 2d index on the field.
$nin Equals none of the listed values; a missing field qualifies too.
$nor None of these conditions holds.
$not The condition on this field does not hold; a missing field qualifies too.
$options Flags of $regex: i ignores case, m anchors at lines, s lets a dot match a line break, x allows spaces.
$or At least one of these conditions holds.
$regex The string matches this regular expression.
$sampleRate Takes each document with this probability, from 0 to 1.
$size The array has exactly this many elements.
$text The document's texts, in the collection's text index, have the words that are searched.
$type The value has this BSON type, by name or number; several can be listed.
$where A JavaScript function or expression decides, with the document as this; slow, no index helps.
$within A place lies within this shape; the old name of $geoWithin.`,

  update: `
$addToSet Adds a value to an array unless it is already in it; with $each, several.
$bit Applies and, or, xor with an integer to an integer field.
$currentDate Sets the field to the present time, as a date or a timestamp.
$each The values for $push or $addToSet to add one by one.
$inc Adds a number to the field; a missing field starts from 0.
$max Sets the field if the given value is greater than what it holds.
$min Sets the field if the given value is less than what it holds.
$mul Multiplies the field; a missing field becomes 0.
$pop Takes an element off an array: 1 the last, -1 the first.
$position The index at which $push with $each inserts; a negative one counts from the end.
$pull Removes every array element that equals a value or meets a condition.
$pullAll Removes every array element that equals one of the listed values.
$push Appends a value to an array; $each, $sort, $slice and $position refine it.
$rename Gives the field another name.
$set Sets the field to this value, creating it if missing.
$setOnInsert Sets the field only when an upsert inserts a document.
$slice After $push with $each, keeps only the first or, if negative, the last so many elements.
$sort After $push with $each, sorts the array: 1, -1, or by fields of its elements.
$unset Removes the field.`,

  stage: `
$_internalRank Puts each document into a field and its rank beside it; explain of $rankFusion shows it.
$_internalUnpackBucket Gives the measurements in a time series' buckets; explain shows it.
$addFields Adds or replaces fields by computed values and keeps all others.
$bucket Groups documents into ranges between given boundaries.
$bucketAuto Groups documents into a number of ranges of about equal size.
$changeStream Gives an event for each change, as they are made; must be the first stage.
$changeStreamSplitLargeEvent Splits events that are larger than a document may be; must be the last stage.
$collStats Gives counts and sizes of the collection; must be the first stage.
$count Gives one document with the number of documents, under this field name.
$currentOp Lists what the server is doing; on the admin database, and must be the first stage.
$densify Fills gaps in a sequence of numbers or dates with new documents.
$documents Starts the pipeline from documents written in it, without a collection.
$facet Runs several pipelines on the same documents, each into an array field of its own.
$fill Fills null and missing fields with a value, the last one seen, or by interpolation.
$geoNear Gives documents nearest first, and writes how far they are; the first stage of its pipeline.
$graphLookup Follows links through a collection, step by step, and gathers all it reaches.
$group Puts documents with the same _id together and accumulates over each group.
$indexStats Tells how often each index was used; must be the first stage.
$limit Passes the first so many documents on.
$listClusterCatalog Lists the collections of the database with their options; must be the first stage.
$listLocalSessions Lists the sessions this server knows; must be the first stage.
$listSessions Lists the stored sessions, on config.system.sessions; must be the first stage.
$lookup Joins another collection: its matching documents become an array field.
$match Passes on the documents that meet a filter; early in the pipeline it can use an index.
$merge Writes the results into a collection: inserts, merges, replaces or fails, as told.
$out Replaces a collection by the results; must be the last stage.
$planCacheStats Lists the query plans the collection keeps; must be the first stage.
$project Chooses, leaves out or computes the fields that go on.
$querySettings Lists the settings of query shapes; must be the first stage, of a pipeline over no collection.
$rankFusion Brings several ranked pipelines together: a document is worth more the higher it stands in each.
$redact Keeps or cuts off each level of a document by $$KEEP, $$PRUNE or $$DESCEND.
$replaceRoot Puts an embedded or computed document, newRoot, in place of each document.
$replaceWith Puts this document in place of each one; short for $replaceRoot.
$sample Picks so many documents at random.
$score Gives each document a score, which { $meta: "score" } reads.
$scoreFusion Brings several scored pipelines together, by the average of their scores or by an expression.
$set Adds or replaces fields by computed values; another name of $addFields.
$setMetadata Sets a score or its details beside each document; explain of hybrid searches shows it.
$setWindowFields Computes over a window of neighbouring documents, partition by partition, and keeps every document.
$skip Leaves out the first so many documents.
$sort Orders the documents: 1 ascending, -1 descending, field by field.
$sortByCount Counts the documents by a value and gives the most frequent first.
$unionWith Appends the documents of another collection or pipeline.
$unset Leaves out these fields.
$unwind Gives one document for each element of an array field.`,

  accumulator: `
$accumulator What JavaScript functions make of the group: init, accumulate, merge and finalize.
$addToSet An array of the group's distinct values, in no particular order.
$avg The average of the numbers; others are passed over.
$bottom The output of the last document under sortBy.
$bottomN The outputs of the last n documents under sortBy.
$concatArrays One array of the elements of all the arrays, in the order the documents come.
$count The number of documents; written $count: {}.
$first The value in the first document of the group.
$firstN The values in the first n documents of the group.
$last The value in the last document of the group.
$lastN The values in the last n documents of the group.
$max The greatest value; null and missing are passed over.
$maxN The n greatest values, greatest first.
$median The median of the numbers, as a double.
$mergeObjects One document of all fields; of equal names the later wins.
$min The least value; null and missing are passed over.
$minN The n least values, least first.
$percentile The numbers at the percentiles p, each from 0 to 1.
$push An array of all values, in the order the documents come.
$setUnion The distinct elements of all the arrays, in no particular order.
$stdDevPop The standard deviation, taking the numbers as the whole population.
$stdDevSamp The standard deviation, taking the numbers as a sample.
$sum The sum of the numbers; $sum: 1 counts documents.
$top The output of the first document under sortBy.
$topN The outputs of the first n documents under sortBy.`,

  window: `
$covariancePop The population covariance of two numbers over the window.
$covarianceSamp The sample covariance of two numbers over the window.
$denseRank The place in the order; equals share a place and no place is left out after them.
$derivative The average rate of change over the window, per unit of time if one is given.
$documentNumber The document's number in its partition, from 1.
$expMovingAvg The exponential moving average, weighted by N documents or by alpha.
$integral The area under the values over the window, per unit of time if one is given.
$linearFill Fills null and missing values on a line between the known neighbours.
$locf Fills null and missing values with the last known value.
$minMaxScaler Where the number lies between the least (0) and the greatest (1) of the window.
$rank The place in the order; equals share a place and as many places are left out after them.
$shift The value from the document so many places after (or, negative, before) this one.`,

  expression: `
$abs The number without its sign.
$acos The arc cosine, in radians.
$acosh The inverse hyperbolic cosine.
$add The sum of numbers, or a date moved on by milliseconds.
$allElementsTrue Whether no element of the array is false, 0, null or undefined.
$and Whether all of these are true.
$anyElementTrue Whether some element of the array is true.
$arrayElemAt The array's element at an index; a negative one counts from the end.
$arrayToObject A document from an array of [name, value] pairs or { k, v } documents.
$asin The arc sine, in radians.
$asinh The inverse hyperbolic sine.
$atan The arc tangent, in radians.
$atan2 The arc tangent of y / x, in radians, in the right quadrant.
$atanh The inverse hyperbolic tangent.
$avg The average of the listed numbers or of an array's; others are passed over.
$binarySize The bytes of a string in UTF-8, or of binary data.
$bitAnd Bitwise and of integers.
$bitNot An integer with all its bits turned over.
$bitOr Bitwise or of integers.
$bitXor Bitwise exclusive or of integers.
$bsonSize The bytes of a document as BSON.
$ceil The number rounded up to a whole one.
$cmp -1, 0 or 1, as the first value is less than, equal to or greater than the second.
$concat The strings joined end to end; null if one is null.
$concatArrays The arrays joined end to end; null if one is null.
$cond One of two values, by a condition: if, then, else.
$const The value as it stands; another name of $literal.
$convert The value as another type, with onError and onNull to fall back on.
$cos The cosine of an angle in radians.
$cosh The hyperbolic cosine.
$createObjectId A new ObjectId, another for each document.
$currentDate The time at which it is evaluated; $$NOW stays the same for the whole command.
$dateAdd The date moved on by an amount of a unit.
$dateDiff How many boundaries of a unit lie between two dates.
$dateFromParts A date from year, month, day and so on, or from an ISO week.
$dateFromString The date that a string tells, by a format if one is given.
$dateSubtract The date moved back by an amount of a unit.
$dateToParts The date as a document of year, month, day and so on.
$dateToString The date as a string, by a format and a time zone.
$dateTrunc The date rounded down to the beginning of a unit, or of several.
$dayOfMonth The day of the month, 1 to 31.
$dayOfWeek The day of the week, 1 (Sunday) to 7 (Saturday).
$dayOfYear The day of the year, 1 to 366.
$degreesToRadians The angle in radians.
$deserializeEJSON The value that Extended JSON stands for.
$divide The first number divided by the second.
$eq Whether two values are equal.
$exp e raised to this power.
$filter The array's elements for which cond is true.
$first The array's first element.
$firstN The array's first n elements.
$floor The number rounded down to a whole one.
$function What a JavaScript function gives for these arguments.
$getField A field of a document by its name, even if that has dots or begins with a dollar sign.
$gt Whether the first value is greater than the second.
$gte Whether the first value is greater than or equal to the second.
$hash The digest of a string or of bytes, as bytes: md5, sha256 or xxh64.
$hexHash The digest of a string or of bytes, as hexadecimal digits: md5, sha256 or xxh64.
$hour The hour of the day, 0 to 23.
$ifNull The first of these that is neither null nor missing.
$in Whether the array holds the value.
$indexOfArray Where the value first stands in the array, or -1.
$indexOfBytes Where one string first stands in another, counted in UTF-8 bytes, or -1.
$indexOfCP Where one string first stands in another, counted in code points, or -1.
$isArray Whether the value is an array.
$isNumber Whether the value is an int, long, double or decimal.
$isoDayOfWeek The day of the ISO week, 1 (Monday) to 7 (Sunday).
$isoWeek The ISO week of the year, 1 to 53.
$isoWeekYear The year the ISO week belongs to.
$last The array's last element.
$lastN The array's last n elements.
$let Names values with vars for use inside in.
$literal The value as it stands, with no dollar sign read.
$ln The natural logarithm.
$log The logarithm of a number to a base.
$log10 The logarithm to base 10.
$lt Whether the first value is less than the second.
$lte Whether the first value is less than or equal to the second.
$ltrim The string without spaces, or the given characters, at its beginning.
$map An array of what in gives for each element.
$max The greatest of the listed values or of an array's.
$maxN The n greatest elements of the array.
$median The median of the numbers, as a double.
$mergeObjects The documents merged into one; of equal names the later wins.
$meta What is known of the row besides its document: recordId, indexKey, sortKey or randVal.
$millisecond The milliseconds of the second, 0 to 999.
$min The least of the listed values or of an array's.
$minN The n least elements of the array.
$minute The minute of the hour, 0 to 59.
$mod The remainder of dividing the first number by the second.
$month The month, 1 to 12.
$multiply The product of the numbers.
$ne Whether two values differ.
$not The opposite: whether the value is not true.
$objectToArray The document's fields as an array of { k, v } documents.
$or Whether at least one of these is true.
$percentile The numbers at the percentiles p, each from 0 to 1.
$pow A number raised to a power.
$radiansToDegrees The angle in degrees.
$rand A random number from 0 up to 1, another each time.
$range Whole numbers from a start up to, without, an end, by a step.
$reduce One value from an array: in is applied to $$value and $$this, element by element.
$regexFind The first match of a regular expression: match, idx and captures; null if none.
$regexFindAll All matches of a regular expression, each with match, idx and captures.
$regexMatch Whether the string matches a regular expression.
$replaceAll The string with every occurrence of find replaced.
$replaceOne The string with the first occurrence of find replaced.
$reverseArray The array from back to front.
$round The number rounded to so many decimals, halves to the even digit.
$rtrim The string without spaces, or the given characters, at its end.
$second The second of the minute, 0 to 60.
$serializeEJSON A value as Extended JSON has it; relaxed: false tells the type of every number.
$setDifference The elements of the first set that are not in the second.
$setEquals Whether the arrays hold the same distinct elements.
$setField The document with a field set, even if its name has dots or begins with a dollar sign.
$setIntersection The elements that all the sets hold.
$setIsSubset Whether every element of the first set is in the second.
$setUnion The distinct elements of all the sets.
$sigmoid The logistic function: any number as one between 0 and 1.
$sin The sine of an angle in radians.
$sinh The hyperbolic sine.
$size How many elements the array has.
$slice Part of an array: so many elements, from a place if one is given.
$sortArray The array's elements sorted: 1, -1, or by their fields.
$split The string cut at a delimiter, as an array.
$sqrt The square root.
$stdDevPop The standard deviation, taking the numbers as the whole population.
$stdDevSamp The standard deviation, taking the numbers as a sample.
$strLenBytes The length of the string in UTF-8 bytes.
$strLenCP The length of the string in code points.
$strcasecmp -1, 0 or 1, comparing two strings without regard to case.
$substr Part of a string, by UTF-8 bytes; an older name of $substrBytes.
$substrBytes Part of a string from a place for a length, in UTF-8 bytes.
$substrCP Part of a string from a place for a length, in code points.
$subtract The difference of two numbers or dates, or a date moved back by milliseconds.
$subtype The subtype of binary data.
$sum The sum of the listed numbers or of an array's; others are passed over.
$switch The then of the first branch whose case is true, or default.
$tan The tangent of an angle in radians.
$tanh The hyperbolic tangent.
$toArray A JSON text as an array.
$toBool The value as a boolean.
$toDate The value as a date.
$toDecimal The value as a 128-bit decimal.
$toDouble The value as a double.
$toHashedIndexKey The key a hashed index would store for the value.
$toInt The value as a 32-bit integer.
$toLong The value as a 64-bit integer.
$toLower The string in lower case.
$toObject A JSON text as a document.
$toObjectId A string of 24 hexadecimal digits as an ObjectId.
$toString The value as a string.
$toUUID A string as a UUID.
$toUpper The string in upper case.
$trim The string without spaces, or the given characters, at both ends.
$trunc The number cut off after so many decimals.
$tsIncrement The counter in a timestamp, as a long.
$tsSecond The seconds in a timestamp, as a long.
$type The name of the value's BSON type, or "missing".
$unsetField The document without a field, even if its name has dots or begins with a dollar sign.
$week The week of the year, 0 to 53, each beginning on Sunday.
$year The year.
$zip The arrays transposed: the first elements together, then the second ones, and so on.`,

  database: `
adminCommand Runs a command on the admin database.
aggregate Runs a pipeline that needs no collection, such as one that begins with $documents.
changeUserPassword Gives a user another password, which is not kept.
commandHelp One line on a command, by its name.
createCollection Creates a collection, with options such as capped or validator.
createRole Keeps a role with its privileges and the roles that it holds.
createUser Keeps a user with roles; nobody can sign in here.
createView Creates a view: a pipeline over a collection, to be read like one.
currentOp Tells what the server is doing now.
dropAllRoles Removes the roles that are kept of the database.
dropAllUsers Removes the users that are kept of the database.
dropDatabase Deletes the database with all its collections.
dropRole Removes a role.
dropUser Removes a user.
getCollection The collection of this name, whatever characters are in it.
getCollectionInfos The collections and views with their options.
getCollectionNames The names of the collections and views.
getLogComponents How much is logged of each component.
getMongo The connection this database is reached by.
getName The name of the database.
getProfilingLevel The level of the profiler: 0, 1 or 2.
getProfilingStatus The level of the profiler, and from which time on a command is slow.
getRole A role by its name, or null.
getRoles The roles that are kept of the database.
getSiblingDB Another database, without changing to it.
getSisterDB The older name of getSiblingDB.
getUser A user by name, or null.
getUsers The users that are kept of the database.
grantPrivilegesToRole Gives a role privileges.
grantRolesToRole Gives a role other roles.
grantRolesToUser Gives a user roles.
hello Tells what the server is and what it allows.
hostInfo Tells of the machine, as far as it can be seen.
isMaster The older form of hello.
killOp Asks an operation to end, by its number.
listCommands The commands the server knows.
printCollectionStats Prints the sizes and counts of each collection.
revokePrivilegesFromRole Takes privileges from a role.
revokeRolesFromRole Takes other roles from a role.
revokeRolesFromUser Takes roles from a user.
runCommand Runs a command on this database and gives its reply.
serverBuildInfo Tells the version the server gives as its own, and its limits.
serverCmdLineOpts The options of the command line: there are none.
serverStatus Tells the state of the server, with its counters.
setLogLevel Sets how much is logged, of all or of one component.
setProfilingLevel Sets which commands are kept in system.profile.
stats The sizes and counts of the database, in units of scale bytes.
updateRole Gives a role other privileges or roles.
updateUser Changes roles or custom data of a user.
version The version the server gives as its own.
watch Tells the changes of the database, as they are made.`,

  collection: `
aggregate Runs a pipeline and gives a cursor over what comes out.
bulkWrite Does several inserts, updates and deletes in one go.
convertToCapped Makes the collection capped, at this many bytes.
count Counts documents; countDocuments and estimatedDocumentCount have taken its place.
countDocuments Counts the documents that meet a filter.
createIndex Creates an index, such as { name: 1, year: -1 }.
createIndexes Creates several indexes with the same options.
dataSize The bytes of all documents.
deleteMany Deletes all documents that meet a filter.
deleteOne Deletes the first document that meets a filter.
distinct The different values of a field, among the documents that meet a filter.
drop Deletes the collection with its indexes.
dropIndex Deletes an index, by its name or keys.
dropIndexes Deletes the named indexes, or all but that of _id.
ensureIndex The older form of createIndex.
estimatedDocumentCount The number of documents, without looking at them.
exists The collection's entry in the list of collections, or null.
explain Tells how the method that follows is carried out.
find Finds the documents that meet a filter and gives a cursor over them.
findAndModify Changes or removes one document and gives it back, as it was or as it is.
findOne The first document that meets a filter, or null.
findOneAndDelete Deletes one document and gives it back.
findOneAndReplace Replaces one document and gives it back, as it was or as it is.
findOneAndUpdate Updates one document and gives it back, as it was or as it is.
getCollection The collection whose name goes on with this one.
getDB The database of the collection.
getFullName The name of the collection, with that of its database.
getIndexKeys The keys of the collection's indexes.
getIndexSpecs The older name of getIndexes.
getIndexes The indexes of the collection.
getIndices The older name of getIndexes.
getMongo The connection this collection is reached by.
getName The name of the collection.
getPlanCache The cache of the collection's query plans.
hideIndex Keeps an index up to date, but from the planner's sight.
initializeOrderedBulkOp Gathers writes, to be done in order until one fails.
initializeUnorderedBulkOp Gathers writes, to be done in any order, whichever fail.
insert Inserts one document or several; insertOne and insertMany have taken its place.
insertMany Inserts several documents.
insertOne Inserts one document, with an ObjectId as _id if it has none.
isCapped Whether the collection is capped.
latencyStats How long reads, writes and commands on the collection took.
mapReduce Groups documents by JavaScript functions; $group does the same faster.
remove Deletes documents; deleteOne and deleteMany have taken its place.
renameCollection Gives the collection another name.
replaceOne Replaces the first document that meets a filter, all but its _id.
runCommand Runs a command whose first field is this collection.
save Inserts a document, or replaces the one with its _id.
stats The sizes and counts of the collection.
storageSize The bytes that storage has set aside for the documents.
totalIndexSize The bytes of all indexes.
totalSize The bytes of documents and indexes in storage.
unhideIndex Shows a hidden index to the planner again.
update Updates documents; updateOne and updateMany have taken its place.
updateMany Updates all documents that meet a filter.
updateOne Updates the first document that meets a filter.
validate Checks the collection and its indexes for damage.
watch Tells the changes of the collection, as they are made.`,

  cursor: `
addOption Sets an option of older scripts by its number.
allowDiskUse Lets a large sort hold more than the limit.
allowPartialResults For clusters, where shards may be away; it changes nothing here.
batchSize Sets how many documents are fetched at a time.
close Ends the cursor before it is read through.
collation Compares strings by the rules of a language.
comment Adds a note to the query.
count Counts what the query finds, without skip and limit unless asked to heed them.
explain Tells how the query is carried out.
forEach Calls a function with each document.
getId The number the cursor has on the server, 0 where it is read through.
hasNext Whether there is another document.
hint Has this index used.
isClosed Whether the cursor is closed on the server.
isExhausted Whether all has been read and nothing is left.
itcount Counts the documents by reading them.
length Counts the documents by reading them, as itcount does.
limit Gives at most so many documents.
map Gives what a function makes of each document.
max The upper end of the index range, itself left out; needs hint.
maxAwaitTimeMS How long a tailable cursor waits for what is added.
maxTimeMS Gives up after so many milliseconds.
min The lower end of the index range, itself included; needs hint.
next The next document.
noCursorTimeout Keeps the cursor open however long nobody reads.
objsLeftInBatch How many fetched documents are still unread.
pretty Changes nothing: documents are always laid out.
projection Chooses or leaves out fields.
readConcern Sets the read concern, such as local.
readPref Which member to read from; there is one here.
returnKey Gives the keys of the index in place of the documents.
showDiskLoc The older name of showRecordId.
showRecordId Adds each document's place in storage, as $recordId.
size Counts what the query finds, heeding skip and limit.
skip Leaves out the first so many documents.
sort Orders the documents, such as { year: -1, name: 1 }.
tailable Stays open at the end of a capped collection, for what is added.
toArray All documents in an array.
tryNext The next document, or null where there is none now.`,

  quire: `
bookmark Keeps all databases as they are now under a name, also over a reload.
moments The moments that are kept: number, name, time, what was done, pages.
restore Brings back all data, one database or one collection as a bookmark has it.`,

  explain: `
* Tells how this is carried out; nothing is changed.`,
};
