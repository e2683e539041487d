/**
 * The names a script can use, for completion: shell methods by what they are called on, and `$` operators by where they
 * stand.
 *
 * Invariant: names only, sorted within their table; what a name does is the manual's to say. The tables list what the
 * shell and the engine have, so completion never offers what would be refused.
 */

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Called on `db`. */
export const databaseMethods = words(`
  adminCommand aggregate createCollection createView dropDatabase getCollection getCollectionInfos getCollectionNames getMongo
  getName getSiblingDB hello isMaster listCommands runCommand serverStatus stats version`);

/** Called on a collection. */
export const collectionMethods = words(`
  aggregate bulkWrite convertToCapped count countDocuments createIndex createIndexes dataSize deleteMany deleteOne distinct drop
  dropIndex dropIndexes ensureIndex estimatedDocumentCount explain find findAndModify findOne findOneAndDelete findOneAndReplace
  findOneAndUpdate getIndexes hideIndex initializeOrderedBulkOp initializeUnorderedBulkOp insert insertMany insertOne isCapped
  remove renameCollection replaceOne save stats storageSize totalIndexSize totalSize unhideIndex update updateMany updateOne
  validate`);

/** Called on what `find` or `aggregate` gives. */
export const cursorMethods = words(`
  batchSize close collation comment count explain forEach hasNext hint isExhausted itcount limit map max maxTimeMS min
  next objsLeftInBatch pretty projection readConcern size skip sort tailable toArray`);

/** Called on `db.collection.explain()`. */
export const explainMethods = words("aggregate count deleteMany deleteOne distinct find findAndModify remove update updateMany updateOne");

/** Names that stand alone. */
export const globalNames = words(`
  BinData Binary Code DBRef Date Decimal128 Double ISODate Int32 JSON Long Math MaxKey MinKey NumberDecimal NumberInt NumberLong Object ObjectId
  Timestamp UUID assert clock const db for function help if it let print printjson return show sleep use while`);

/** Inside a filter. */
export const queryOperators = words(`
  $all $and $elemMatch $eq $exists $expr $gt $gte $in $lt $lte $mod $ne $nin $nor $not $options $or $regex $size $type`);

/** Inside an update. */
export const updateOperators = words(`
  $addToSet $currentDate $each $inc $max $min $mul $pop $position $pull $pullAll $push $rename $set $setOnInsert $slice $sort $unset`);

/** A pipeline's stages. */
export const stages = words(`
  $addFields $count $group $limit $lookup $match $project $replaceRoot $set $skip $sort $unset $unwind`);

/** Inside an expression or an accumulator. */
export const expressionOperators = words(`
  $abs $add $addToSet $and $arrayElemAt $avg $ceil $cmp $concat $concatArrays $cond $count $dateToString $dayOfMonth $divide $eq $filter
  $first $floor $gt $gte $hour $ifNull $in $indexOfArray $last $let $literal $lt $lte $map $max $mergeObjects $min $minute $mod $month
  $multiply $ne $not $or $push $range $reduce $round $size $slice $split $strLenCP $substrCP $subtract $sum $switch $toDate $toInt
  $toLower $toString $toUpper $trim $trunc $type $year`);
