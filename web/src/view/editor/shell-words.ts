/**
 * The names a script can use, for completion: shell methods by the objects that have them, and `$` operators by their
 * places.
 *
 * Invariant: names only, sorted within their table; the manual describes them. The tables list the names that the shell
 * and the engine have, so completion never offers one that would be refused.
 */

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Methods of `db`. */
export const databaseMethods = words(`
  adminCommand aggregate changeUserPassword commandHelp createCollection createRole createUser createView currentOp
  dropAllRoles dropAllUsers dropDatabase dropRole dropUser getCollection getCollectionInfos getCollectionNames
  getLogComponents getMongo getName getProfilingLevel getProfilingStatus getRole getRoles getSiblingDB getSisterDB
  getUser getUsers grantPrivilegesToRole grantRolesToRole grantRolesToUser hello hostInfo isMaster killOp
  listCommands printCollectionStats revokePrivilegesFromRole revokeRolesFromRole revokeRolesFromUser runCommand
  serverBuildInfo serverCmdLineOpts serverStatus setLogLevel setProfilingLevel stats updateRole updateUser version
  watch`);

/** Methods of a collection. */
export const collectionMethods = words(`
  aggregate bulkWrite convertToCapped count countDocuments createIndex createIndexes dataSize deleteMany deleteOne
  distinct drop dropIndex dropIndexes ensureIndex estimatedDocumentCount exists explain find findAndModify findOne
  findOneAndDelete findOneAndReplace findOneAndUpdate getCollection getDB getFullName getIndexKeys getIndexSpecs
  getIndexes getIndices getMongo getName getPlanCache hideIndex initializeOrderedBulkOp initializeUnorderedBulkOp
  insert insertMany insertOne isCapped latencyStats mapReduce remove renameCollection replaceOne runCommand save stats
  storageSize totalIndexSize totalSize unhideIndex update updateMany updateOne validate watch`);

/** Methods of a cursor, as `find` or `aggregate` gives it. */
export const cursorMethods = words(`
  addOption allowDiskUse allowPartialResults batchSize close collation comment count explain forEach getId hasNext
  hint isClosed isExhausted itcount length limit map max maxAwaitTimeMS maxTimeMS min next noCursorTimeout
  objsLeftInBatch pretty projection readConcern readPref returnKey showDiskLoc showRecordId size skip sort tailable
  toArray tryNext`);

/** Methods of `db.collection.explain()`. */
export const explainMethods = words(
  "aggregate count deleteMany deleteOne distinct find findAndModify remove update updateMany updateOne",
);

/** Methods of `quire`. */
export const quireMethods = words("bookmark moments restore");

/** Names that stand alone. */
export const globalNames = words(`
  BinData Binary Code DBRef Date Decimal128 Double ISODate Int32 JSON Long Math MaxKey MinKey NumberDecimal
  NumberInt NumberLong Object ObjectId Timestamp UUID assert bsonsize clock const db for function help if it let
  print printjson quire return show sleep use while`);

/** The names behind `show`. */
export const shownNames = words("collections databases dbs log logs profile roles tables users");

/** All operators of a filter, at its top and in values. */
export const queryOperators = words(`
  $all $alwaysFalse $alwaysTrue $and $bitsAllClear $bitsAllSet $bitsAnyClear $bitsAnySet $comment $elemMatch $eq
  $exists $expr $geoIntersects $geoNear $geoWithin $gt $gte $in $jsonSchema $lt $lte $mod $ne $near $nearSphere
  $nin $nor $not $options $or $regex $sampleRate $size $text $type $where $within`);

/** Operators at the top of a filter, outside a field's value. */
export const filterOperators = words("$and $comment $expr $jsonSchema $nor $or $sampleRate $text $where");

/** Operators in a field's value inside a filter. */
export const fieldOperators = words(`
  $all $bitsAllClear $bitsAllSet $bitsAnyClear $bitsAnySet $elemMatch $eq $exists $geoIntersects $geoNear $geoWithin $gt
  $gte $in $lt $lte $mod $ne $near $nearSphere $nin $not $options $regex $size $type $within`);

/** Operators at the top of an update. */
export const topUpdateOperators = words(`
  $addToSet $bit $currentDate $inc $max $min $mul $pop $pull $pullAll $push $rename $set $setOnInsert $unset`);

/** Modifiers in a field's value inside `$push`. */
export const pushModifiers = words("$each $position $slice $sort");

/** Modifiers in a field's value inside `$addToSet`. */
export const setModifiers = words("$each");

/** The stages of an update that is a pipeline. */
export const updateStages = words("$addFields $project $replaceRoot $replaceWith $set $unset");

/** Inside an update. */
export const updateOperators = words(`
  $addToSet $bit $currentDate $each $inc $max $min $mul $pop $position $pull $pullAll $push $rename $set
  $setOnInsert $slice $sort $unset`);

/** A pipeline's stages. */
export const stages = words(`
  $_internalRank $addFields $bucket $bucketAuto $changeStream $changeStreamSplitLargeEvent $collStats $count
  $currentOp $densify $documents $facet $fill $geoNear $graphLookup $group $indexStats $limit $listClusterCatalog
  $listLocalSessions $listSessions $lookup $match $merge $out $planCacheStats $project $querySettings $rankFusion
  $redact $replaceRoot $replaceWith $sample $score $scoreFusion $set $setMetadata $setWindowFields $skip $sort
  $sortByCount $unionWith $unset $unwind`);

/** The values of a group's fields. */
export const accumulators = words(`
  $accumulator $addToSet $avg $bottom $bottomN $concatArrays $count $first $firstN $last $lastN $max $maxN $median
  $mergeObjects $min $minN $percentile $push $setUnion $stdDevPop $stdDevSamp $sum $top $topN`);

/** The outputs of `$setWindowFields`. */
export const windowOperators = words(`
  $addToSet $avg $bottom $bottomN $concatArrays $count $covariancePop $covarianceSamp $denseRank $derivative
  $documentNumber $expMovingAvg $first $firstN $integral $last $lastN $linearFill $locf $max $maxN $median
  $mergeObjects $min $minMaxScaler $minN $percentile $push $rank $setUnion $shift $stdDevPop $stdDevSamp $sum $top
  $topN`);

/** Inside an expression. */
export const expressionOperators = words(`
  $abs $acos $acosh $add $allElementsTrue $and $anyElementTrue $arrayElemAt $arrayToObject $asin $asinh $atan $atan2
  $atanh $avg $binarySize $bitAnd $bitNot $bitOr $bitXor $bsonSize $ceil $cmp $concat $concatArrays $cond $const
  $convert $cos $cosh $createObjectId $currentDate $dateAdd $dateDiff $dateFromParts $dateFromString $dateSubtract
  $dateToParts $dateToString $dateTrunc $dayOfMonth $dayOfWeek $dayOfYear $degreesToRadians $deserializeEJSON $divide
  $eq $exp $filter $first $firstN $floor $function $getField $gt $gte $hash $hexHash $hour $ifNull $in $indexOfArray
  $indexOfBytes $indexOfCP $isArray $isNumber $isoDayOfWeek $isoWeek $isoWeekYear $last $lastN $let $literal $ln $log
  $log10 $lt $lte $ltrim $map $max $maxN $median $mergeObjects $meta $millisecond $min $minN $minute $mod $month
  $multiply $ne $not $objectToArray $or $percentile $pow $radiansToDegrees $rand $range $reduce $regexFind
  $regexFindAll $regexMatch $replaceAll $replaceOne $reverseArray $round $rtrim $second $serializeEJSON $setDifference
  $setEquals $setField $setIntersection $setIsSubset $setUnion $sigmoid $sin $sinh $size $slice $sortArray $split
  $sqrt $stdDevPop $stdDevSamp $strLenBytes $strLenCP $strcasecmp $substr $substrBytes $substrCP $subtract $subtype
  $sum $switch $tan $tanh $toArray $toBool $toDate $toDecimal $toDouble $toHashedIndexKey $toInt $toLong $toLower
  $toObject $toObjectId $toString $toUUID $toUpper $trim $trunc $tsIncrement $tsSecond $type $unsetField $week $year
  $zip`);

/** Operators in a field's value inside a find's projection. */
export const projectionOperators = [...expressionOperators, "$elemMatch"].sort();
