/**
 * The syntax and an example of each `$` operator and of each of the shell's methods: both are shown with its line, and
 * completion writes the syntax.
 *
 * Invariants: one line a name, the same in every language; `<name|example>` is a part to fill in, whose name stands in
 * the syntax and whose example in the example. `operator-syntax.test.ts` holds that none is missing and that every
 * example can be read.
 */
import type { MethodKind, OperatorKind } from "../messages/operators/texts.ts";

const lines = (text: string): ReadonlyMap<string, string> =>
  new Map([...text.matchAll(/^(\$?\w+) (.+)$/gm)].map((line) => [line[1] ?? "", line[2] ?? ""]));

const query = lines(`
$all [<value|"red">, <value2|"blue">]
$alwaysFalse <one|1>
$alwaysTrue <one|1>
$and [{ <condition|price: 5> }, { <condition2|stock: 0> }]
$bitsAllClear <mask|5>
$bitsAllSet <mask|5>
$bitsAnyClear [<bit|0>, <bit2|3>]
$bitsAnySet [<bit|0>, <bit2|3>]
$comment <text|"why this is asked">
$elemMatch { <field|size>: <value|"M">, <field2|stock>: { $gt: <value2|0> } }
$eq <value|18>
$exists <flag|true>
$expr { $gt: ["$<field|spent>", "$<field2|budget>"] }
$geoIntersects { $geometry: { type: "Polygon", coordinates: [<ring|[[0, 0], [4, 0], [4, 4], [0, 0]]>] } }
$geoNear { $geometry: { type: "Point", coordinates: [<longitude|135.77>, <latitude|35.01>] } }
$geoWithin { $centerSphere: [[<longitude|135.77>, <latitude|35.01>], <radius|10 / 6378.1>] }
$gt <value|18>
$gte <value|18>
$in [<value|"red">, <value2|"blue">]
$jsonSchema { required: ["<field|name>"], properties: { <field2|year>: { bsonType: "<type|int>" } } }
$lt <value|18>
$lte <value|18>
$mod [<divisor|4>, <remainder|0>]
$ne <value|"sold">
$near { $geometry: { type: "Point", coordinates: [<longitude|135.77>, <latitude|35.01>] }, $maxDistance: <metres|5000> }
$nearSphere [<longitude|135.77>, <latitude|35.01>]
$nin [<value|"sold">, <value2|"lost">]
$nor [{ <condition|price: 5> }, { <condition2|sold: true> }]
$not { <condition|$gt: 5> }
$options "<flags|i>"
$or [{ <condition|price: 5> }, { <condition2|stock: 0> }]
$regex /<pattern|^Ear>/
$sampleRate <share|0.1>
$size <count|3>
$text { $search: "<words|green tea>" }
$type "<type|string>"
$where function () { return <condition|this.a === this.b>; }
$within { $box: [[<left|0>, <bottom|0>], [<right|4>, <top|4>]] }`);

const update = lines(`
$addToSet { <field|tags>: <value|"new"> }
$bit { <field|flags>: { <operation|or>: <mask|4> } }
$currentDate { <field|changed>: <type|true> }
$each [<value|1>, <value2|2>]
$inc { <field|count>: <amount|1> }
$max { <field|best>: <value|90> }
$min { <field|least>: <value|10> }
$mul { <field|price>: <factor|1.1> }
$pop { <field|queue>: <end|1> }
$position <index|0>
$pull { <field|tags>: <value|"old"> }
$pullAll { <field|tags>: [<value|"old">, <value2|"sold">] }
$push { <field|notes>: <value|"read"> }
$rename { <field|nmae>: "<name|name>" }
$set { <field|price>: <value|5> }
$setOnInsert { <field|made>: <value|new Date()> }
$slice <count|-10>
$sort { <field|score>: <order|-1> }
$unset { <field|draft>: "" }`);

const stage = lines(`
$_internalRank { as: "<name|rank>", sortBy: { <field|price>: 1 } }
$_internalUnpackBucket { exclude: [], timeField: "<field|at>", metaField: "<field2|sensor>", \
bucketMaxSpanSeconds: <seconds|3600> }
$addFields { <field|total>: <expression|"$price"> }
$bucket { groupBy: "$<field|price>", boundaries: [<from|0>, <to|10>], default: "<other|more>" }
$bucketAuto { groupBy: "$<field|price>", buckets: <count|4> }
$changeStream { fullDocument: "<mode|updateLookup>" }
$changeStreamSplitLargeEvent {}
$collStats { count: {}, storageStats: { scale: <scale|1> } }
$count "<name|total>"
$currentOp {}
$densify { field: "<field|at>", range: { step: <step|1>, unit: "<unit|hour>", bounds: "<bounds|full>" } }
$documents [{ <field|n>: <value|1> }, { <field2|n>: <value2|2> }]
$facet { <name|byTag>: [{ $sortByCount: "$<field|tag>" }] }
$fill { sortBy: { <field|at>: 1 }, output: { <field2|heat>: { method: "<method|linear>" } } }
$geoNear { near: { type: "Point", coordinates: [<longitude|135.77>, <latitude|35.01>] }, distanceField: "<name|away>" }
$graphLookup { from: "<collection|people>", startWith: "$<field|boss>", connectFromField: "<field2|boss>", \
connectToField: "<field3|_id>", as: "<name|bosses>" }
$group { _id: "$<field|city>", <name|total>: { $sum: <expression|1> } }
$indexStats {}
$limit <count|10>
$listClusterCatalog {}
$listLocalSessions {}
$listSessions {}
$lookup { from: "<collection|teas>", localField: "<field|tea>", foreignField: "<field2|_id>", as: "<name|found>" }
$match { <field|city>: <value|"Kyoto"> }
$merge { into: "<collection|totals>", on: "<field|_id>", whenMatched: "<action|replace>" }
$out "<collection|totals>"
$planCacheStats {}
$project { <field|name>: <value|1> }
$querySettings { showDebugQueryShape: true }
$rankFusion { input: { pipelines: { <name|cheap>: [{ $sort: { <field|price>: 1 } }] } } }
$redact { $cond: [{ $eq: ["$<field|secret>", true] }, "$$PRUNE", "$$DESCEND"] }
$replaceRoot { newRoot: "$<field|address>" }
$replaceWith "$<field|address>"
$sample { size: <count|10> }
$score { score: "$<field|price>", normalization: "<normalization|sigmoid>" }
$scoreFusion { input: { pipelines: { <name|cost>: [{ $score: { score: "$<field|price>" } }] }, normalization: "none" } }
$set { <field|total>: <expression|"$price"> }
$setMetadata { score: "$<field|price>" }
$setWindowFields { partitionBy: "$<field|city>", sortBy: { <field2|at>: 1 }, output: { <name|sum>: { $sum: 1 } } }
$skip <count|10>
$sort { <field|price>: <order|-1> }
$sortByCount "$<field|tag>"
$unionWith { coll: "<collection|archive>", pipeline: [] }
$unset "<field|draft>"
$unwind "$<field|tags>"`);

const accumulator = lines(`
$accumulator { init: <init|function () { return 1; }>, \
accumulate: <accumulate|function (all, price) { return all * price; }>, accumulateArgs: ["$<field|price>"], \
merge: <merge|function (a, b) { return a * b; }>, lang: "js" }
$addToSet "$<field|tag>"
$avg "$<field|price>"
$bottom { sortBy: { <field|price>: 1 }, output: "$<field2|name>" }
$bottomN { n: <count|3>, sortBy: { <field|price>: 1 }, output: "$<field2|name>" }
$concatArrays "$<field|tags>"
$count {}
$first "$<field|name>"
$firstN { input: "$<field|name>", n: <count|3> }
$last "$<field|name>"
$lastN { input: "$<field|name>", n: <count|3> }
$max "$<field|price>"
$maxN { input: "$<field|price>", n: <count|3> }
$median { input: "$<field|price>", method: "approximate" }
$mergeObjects "$<field|details>"
$min "$<field|price>"
$minN { input: "$<field|price>", n: <count|3> }
$percentile { input: "$<field|price>", p: [<share|0.95>], method: "approximate" }
$push "$<field|name>"
$setUnion "$<field|tags>"
$stdDevPop "$<field|score>"
$stdDevSamp "$<field|score>"
$sum "$<field|price>"
$top { sortBy: { <field|price>: -1 }, output: "$<field2|name>" }
$topN { n: <count|3>, sortBy: { <field|price>: -1 }, output: "$<field2|name>" }`);

const window = lines(`
$covariancePop ["$<field|x>", "$<field2|y>"]
$covarianceSamp ["$<field|x>", "$<field2|y>"]
$denseRank {}
$derivative { input: "$<field|distance>", unit: "<unit|hour>" }, window: { documents: [-1, 0] }
$documentNumber {}
$expMovingAvg { input: "$<field|price>", N: <count|5> }
$integral { input: "$<field|power>", unit: "<unit|hour>" }
$linearFill "$<field|heat>"
$locf "$<field|heat>"
$minMaxScaler "$<field|x>"
$rank {}
$shift { output: "$<field|price>", by: <places|-1>, default: <value|null> }`);

const expression = lines(`
$abs "$<field|change>"
$acos "$<field|x>"
$acosh "$<field|x>"
$add ["$<field|price>", "$<field2|tax>"]
$allElementsTrue ["$<field|checks>"]
$and [<condition|"$open">, <condition2|"$paid">]
$anyElementTrue ["$<field|checks>"]
$arrayElemAt ["$<field|tags>", <index|0>]
$arrayToObject "$<field|pairs>"
$asin "$<field|x>"
$asinh "$<field|x>"
$atan "$<field|x>"
$atan2 ["$<field|y>", "$<field2|x>"]
$atanh "$<field|x>"
$avg "$<field|scores>"
$binarySize "$<field|picture>"
$bitAnd ["$<field|flags>", <mask|4>]
$bitNot "$<field|flags>"
$bitOr ["$<field|flags>", <mask|4>]
$bitXor ["$<field|flags>", <mask|4>]
$bsonSize "$$<variable|ROOT>"
$ceil "$<field|price>"
$cmp ["$<field|a>", "$<field2|b>"]
$concat ["$<field|first>", "<text| >", "$<field2|last>"]
$concatArrays ["$<field|tags>", "$<field2|more>"]
$cond { if: <condition|"$paid">, then: <value|"yes">, else: <value2|"no"> }
$const <value|"$5">
$convert { input: "$<field|n>", to: "<type|int>", onError: <value|null>, onNull: <value2|null> }
$cos "$<field|x>"
$cosh "$<field|x>"
$createObjectId {}
$currentDate {}
$dateAdd { startDate: "$<field|at>", unit: "<unit|day>", amount: <amount|3> }
$dateDiff { startDate: "$<field|from>", endDate: "$<field2|to>", unit: "<unit|day>" }
$dateFromParts { year: <year|2024>, month: <month|5>, day: <day|1> }
$dateFromString { dateString: "$<field|text>", format: "<format|%Y-%m-%d>" }
$dateSubtract { startDate: "$<field|at>", unit: "<unit|day>", amount: <amount|3> }
$dateToParts { date: "$<field|at>" }
$dateToString { date: "$<field|at>", format: "<format|%Y-%m-%d>" }
$dateTrunc { date: "$<field|at>", unit: "<unit|month>" }
$dayOfMonth "$<field|at>"
$dayOfWeek "$<field|at>"
$dayOfYear "$<field|at>"
$degreesToRadians "$<field|angle>"
$deserializeEJSON { input: "$<field|text>", onError: <value|null> }
$divide ["$<field|total>", <divisor|2>]
$eq ["$<field|a>", <value|1>]
$exp "$<field|x>"
$filter { input: "$<field|items>", as: "<name|item>", cond: <condition|"$$item.open"> }
$first "$<field|tags>"
$firstN { input: "$<field|tags>", n: <count|3> }
$floor "$<field|price>"
$function { body: <body|function (name) { return name.length; }>, args: ["$<field|name>"], lang: "js" }
$getField "<field|a.b>"
$gt ["$<field|a>", <value|1>]
$gte ["$<field|a>", <value|1>]
$hash { input: "$<field|name>", algorithm: "<algorithm|sha256>" }
$hexHash { input: "$<field|name>", algorithm: "<algorithm|md5>" }
$hour "$<field|at>"
$ifNull ["$<field|name>", <value|"unknown">]
$in [<value|"new">, "$<field|tags>"]
$indexOfArray ["$<field|tags>", <value|"new">]
$indexOfBytes ["$<field|name>", "<text|a>"]
$indexOfCP ["$<field|name>", "<text|a>"]
$isArray "$<field|tags>"
$isNumber "$<field|price>"
$isoDayOfWeek "$<field|at>"
$isoWeek "$<field|at>"
$isoWeekYear "$<field|at>"
$last "$<field|tags>"
$lastN { input: "$<field|tags>", n: <count|3> }
$let { vars: { <name|net>: "$<field|price>" }, in: <expression|"$$net"> }
$literal <value|"$5">
$ln "$<field|x>"
$log ["$<field|x>", <base|2>]
$log10 "$<field|x>"
$lt ["$<field|a>", <value|1>]
$lte ["$<field|a>", <value|1>]
$ltrim { input: "$<field|name>" }
$map { input: "$<field|items>", as: "<name|item>", in: <expression|"$$item.price"> }
$max ["$<field|a>", "$<field2|b>"]
$maxN { input: "$<field|scores>", n: <count|3> }
$median { input: "$<field|scores>", method: "approximate" }
$mergeObjects ["$<field|defaults>", "$<field2|own>"]
$meta "<name|indexKey>"
$millisecond "$<field|at>"
$min ["$<field|a>", "$<field2|b>"]
$minN { input: "$<field|scores>", n: <count|3> }
$minute "$<field|at>"
$mod ["$<field|n>", <divisor|2>]
$month "$<field|at>"
$multiply ["$<field|price>", "$<field2|count>"]
$ne ["$<field|a>", <value|1>]
$not [<condition|"$paid">]
$objectToArray "$<field|details>"
$or [<condition|"$open">, <condition2|"$paid">]
$percentile { input: "$<field|scores>", p: [<share|0.95>], method: "approximate" }
$pow ["$<field|x>", <exponent|2>]
$radiansToDegrees "$<field|angle>"
$rand {}
$range [<from|0>, <to|10>, <step|2>]
$reduce { input: "$<field|items>", initialValue: <value|0>, in: { $add: ["$$value", "$$this"] } }
$regexFind { input: "$<field|name>", regex: /<pattern|a+>/ }
$regexFindAll { input: "$<field|name>", regex: /<pattern|a+>/ }
$regexMatch { input: "$<field|name>", regex: /<pattern|a+>/ }
$replaceAll { input: "$<field|name>", find: "<text|a>", replacement: "<text2|b>" }
$replaceOne { input: "$<field|name>", find: "<text|a>", replacement: "<text2|b>" }
$reverseArray "$<field|tags>"
$round ["$<field|price>", <places|2>]
$rtrim { input: "$<field|name>" }
$second "$<field|at>"
$serializeEJSON { input: "$<field|at>", relaxed: <flag|true> }
$setDifference ["$<field|all>", "$<field2|sold>"]
$setEquals ["$<field|a>", "$<field2|b>"]
$setField { field: "<field|a.b>", input: "$$<variable|ROOT>", value: <value|1> }
$setIntersection ["$<field|a>", "$<field2|b>"]
$setIsSubset ["$<field|a>", "$<field2|b>"]
$setUnion ["$<field|a>", "$<field2|b>"]
$sigmoid "$<field|x>"
$sin "$<field|x>"
$sinh "$<field|x>"
$size "$<field|tags>"
$slice ["$<field|tags>", <count|3>]
$sortArray { input: "$<field|items>", sortBy: { <field2|price>: <order|-1> } }
$split ["$<field|name>", "<text| >"]
$sqrt "$<field|x>"
$stdDevPop "$<field|scores>"
$stdDevSamp "$<field|scores>"
$strLenBytes "$<field|name>"
$strLenCP "$<field|name>"
$strcasecmp ["$<field|a>", "$<field2|b>"]
$substr ["$<field|name>", <from|0>, <count|3>]
$substrBytes ["$<field|name>", <from|0>, <count|3>]
$substrCP ["$<field|name>", <from|0>, <count|3>]
$subtract ["$<field|price>", "$<field2|discount>"]
$subtype "$<field|picture>"
$sum "$<field|scores>"
$switch { branches: [{ case: <condition|"$paid">, then: <value|"yes"> }], default: <value2|"no"> }
$tan "$<field|x>"
$tanh "$<field|x>"
$toArray "$<field|text>"
$toBool "$<field|flag>"
$toDate "$<field|text>"
$toDecimal "$<field|price>"
$toDouble "$<field|price>"
$toHashedIndexKey "$<field|name>"
$toInt "$<field|n>"
$toLong "$<field|n>"
$toLower "$<field|name>"
$toObject "$<field|text>"
$toObjectId "$<field|text>"
$toString "$<field|_id>"
$toUUID "$<field|text>"
$toUpper "$<field|name>"
$trim { input: "$<field|name>" }
$trunc ["$<field|price>", <places|1>]
$tsIncrement "$<field|ts>"
$tsSecond "$<field|ts>"
$type "$<field|value>"
$unsetField { field: "<field|a.b>", input: "$$<variable|ROOT>" }
$week "$<field|at>"
$year "$<field|at>"
$zip { inputs: ["$<field|a>", "$<field2|b>"] }`);

/** How the value of each operator is written, by where the operator stands. */
export const operatorSyntax: Readonly<Record<OperatorKind, ReadonlyMap<string, string>>> = {
  query,
  update,
  stage,
  accumulator,
  window,
  expression,
};

/** A statement with each method. */
export const methodExamples: Readonly<Record<Exclude<MethodKind, "explain">, ReadonlyMap<string, string>>> = {
  database: lines(`
adminCommand db.adminCommand({ listDatabases: 1 })
aggregate db.aggregate([{ $documents: [{ n: 1 }, { n: 2 }] }])
changeUserPassword db.changeUserPassword("ada", "new secret")
commandHelp db.commandHelp("find")
createCollection db.createCollection("log", { capped: true, size: 65536 })
createRole db.createRole({ role: "keeper", privileges: [], roles: ["read"] })
createUser db.createUser({ user: "ada", pwd: "secret", roles: ["read"] })
createView db.createView("cheap", "teas", [{ $match: { price: { $lt: 5 } } }])
currentOp db.currentOp()
dropAllRoles db.dropAllRoles()
dropAllUsers db.dropAllUsers()
dropDatabase db.getSiblingDB("old").dropDatabase()
dropRole db.dropRole("keeper")
dropUser db.dropUser("ada")
getCollection db.getCollection("my-log").find()
getCollectionInfos db.getCollectionInfos({ name: "teas" })
getCollectionNames db.getCollectionNames()
getLogComponents db.getLogComponents()
getMongo db.getMongo()
getName db.getName()
getProfilingLevel db.getProfilingLevel()
getProfilingStatus db.getProfilingStatus()
getRole db.getRole("keeper")
getRoles db.getRoles({ showBuiltinRoles: true })
getSiblingDB db.getSiblingDB("shop").teas.find()
getSisterDB db.getSisterDB("shop").getName()
getUser db.getUser("ada")
getUsers db.getUsers()
grantPrivilegesToRole db.grantPrivilegesToRole("keeper", [{ resource: { cluster: true }, actions: ["top"] }])
grantRolesToRole db.grantRolesToRole("keeper", ["read"])
grantRolesToUser db.grantRolesToUser("ada", ["read"])
hello db.hello()
hostInfo db.hostInfo()
isMaster db.isMaster()
killOp db.killOp(1)
listCommands db.listCommands()
printCollectionStats db.printCollectionStats()
revokePrivilegesFromRole db.revokePrivilegesFromRole("keeper", [{ resource: { cluster: true }, actions: ["top"] }])
revokeRolesFromRole db.revokeRolesFromRole("keeper", ["read"])
revokeRolesFromUser db.revokeRolesFromUser("ada", ["read"])
runCommand db.runCommand({ count: "teas" })
serverBuildInfo db.serverBuildInfo()
serverCmdLineOpts db.serverCmdLineOpts()
serverStatus db.serverStatus()
setLogLevel db.setLogLevel(1, "command")
setProfilingLevel db.setProfilingLevel(1, { slowms: 20 })
stats db.stats(1024)
updateRole db.updateRole("keeper", { roles: ["read"] })
updateUser db.updateUser("ada", { roles: ["read"] })
version db.version()
watch db.watch([{ $match: { operationType: "insert" } }]).tryNext()`),

  collection: lines(`
aggregate db.teas.aggregate([{ $group: { _id: "$type", n: { $sum: 1 } } }])
bulkWrite db.teas.bulkWrite([{ deleteOne: { filter: { sold: true } } }])
convertToCapped db.log.convertToCapped(65536)
count db.teas.count({ price: 5 })
countDocuments db.teas.countDocuments({ price: { $gt: 5 } })
createIndex db.teas.createIndex({ type: 1, price: -1 })
createIndexes db.teas.createIndexes([{ type: 1 }, { price: 1 }])
dataSize db.teas.dataSize()
deleteMany db.teas.deleteMany({ sold: true })
deleteOne db.teas.deleteOne({ _id: 3 })
distinct db.teas.distinct("type", { price: { $gt: 5 } })
drop db.teas.drop()
dropIndex db.teas.dropIndex({ type: 1 })
dropIndexes db.teas.dropIndexes()
ensureIndex db.teas.ensureIndex({ type: 1 })
estimatedDocumentCount db.teas.estimatedDocumentCount()
exists db.teas.exists()
explain db.teas.explain("executionStats").find({ price: 5 })
find db.teas.find({ price: { $gt: 5 } }, { name: 1 })
findAndModify db.teas.findAndModify({ query: { _id: 3 }, update: { $inc: { stock: -1 } } })
findOne db.teas.findOne({ name: "Sencha" })
findOneAndDelete db.teas.findOneAndDelete({ stock: 0 }, { sort: { at: 1 } })
findOneAndReplace db.teas.findOneAndReplace({ _id: 3 }, { name: "Sencha" })
findOneAndUpdate db.teas.findOneAndUpdate({ _id: 3 }, { $inc: { stock: -1 } })
getCollection db.teas.getCollection("old")
getDB db.teas.getDB()
getFullName db.teas.getFullName()
getIndexKeys db.teas.getIndexKeys()
getIndexSpecs db.teas.getIndexSpecs()
getIndexes db.teas.getIndexes()
getIndices db.teas.getIndices()
getMongo db.teas.getMongo()
getName db.teas.getName()
getPlanCache db.teas.getPlanCache().list()
hideIndex db.teas.hideIndex("type_1")
initializeOrderedBulkOp const bulk = db.teas.initializeOrderedBulkOp()
initializeUnorderedBulkOp const bulk = db.teas.initializeUnorderedBulkOp()
insert db.teas.insert({ name: "Sencha" })
insertMany db.teas.insertMany([{ name: "Sencha" }, { name: "Gyokuro" }])
insertOne db.teas.insertOne({ name: "Sencha", price: 5 })
isCapped db.teas.isCapped()
latencyStats db.teas.latencyStats()
mapReduce db.teas.mapReduce(map, reduce, { out: { inline: 1 } })
remove db.teas.remove({ sold: true })
renameCollection db.teas.renameCollection("herbs")
replaceOne db.teas.replaceOne({ _id: 3 }, { name: "Sencha" })
runCommand db.teas.runCommand("count")
save db.teas.save({ _id: 3, name: "Sencha" })
stats db.teas.stats()
storageSize db.teas.storageSize()
totalIndexSize db.teas.totalIndexSize()
totalSize db.teas.totalSize()
unhideIndex db.teas.unhideIndex("type_1")
update db.teas.update({ _id: 3 }, { $set: { price: 5 } })
updateMany db.teas.updateMany({ sold: true }, { $unset: { price: "" } })
updateOne db.teas.updateOne({ _id: 3 }, { $set: { price: 5 } }, { upsert: true })
validate db.teas.validate({ full: true })
watch db.teas.watch([{ $match: { operationType: "insert" } }]).tryNext()`),

  quire: lines(`
bookmark quire.bookmark("start of the lesson")
moments quire.moments()
restore quire.restore("start of the lesson", { collection: "teas" })`),

  cursor: lines(`
addOption db.teas.find().addOption(16)
allowDiskUse db.teas.find().sort({ price: 1 }).allowDiskUse()
allowPartialResults db.teas.find().allowPartialResults()
batchSize db.teas.find().batchSize(100)
close db.teas.find().close()
collation db.teas.find().sort({ name: 1 }).collation({ locale: "de" })
comment db.teas.find().comment("the shop's list")
count db.teas.find({ price: 5 }).count()
explain db.teas.find({ price: 5 }).explain("executionStats")
forEach db.teas.find().forEach((tea) => print(tea.name))
getId db.teas.find().getId()
hasNext while (cursor.hasNext()) printjson(cursor.next())
hint db.teas.find({ type: "green" }).hint({ type: 1 })
isClosed db.teas.find().isClosed()
isExhausted db.teas.find().isExhausted()
itcount db.teas.find({ price: 5 }).itcount()
length db.teas.find({ price: 5 }).length()
limit db.teas.find().limit(10)
map db.teas.find().map((tea) => tea.name)
max db.teas.find().max({ price: 10 }).hint({ price: 1 })
maxAwaitTimeMS db.log.find().tailable({ awaitData: true }).maxAwaitTimeMS(500)
maxTimeMS db.teas.find().maxTimeMS(500)
min db.teas.find().min({ price: 5 }).hint({ price: 1 })
next db.teas.find().next()
noCursorTimeout db.teas.find().noCursorTimeout()
objsLeftInBatch db.teas.find().objsLeftInBatch()
pretty db.teas.find().pretty()
projection db.teas.find().projection({ name: 1, _id: 0 })
readConcern db.teas.find().readConcern("local")
readPref db.teas.find().readPref("primary")
returnKey db.teas.find({ type: "green" }).hint({ type: 1 }).returnKey()
showDiskLoc db.teas.find().showDiskLoc()
showRecordId db.teas.find().showRecordId()
size db.teas.find().skip(5).limit(10).size()
skip db.teas.find().sort({ name: 1 }).skip(20)
sort db.teas.find().sort({ price: -1, name: 1 })
tailable db.log.find().tailable()
toArray db.teas.find({ price: 5 }).toArray()
tryNext db.teas.find().tryNext()`),
};

const part = /<(\w+)\|([^<>]*)>/g;

/**
 * The line of an operator of a kind, if it is known. For an output of a window it may be the accumulator of its name.
 */
function valueOf(kind: OperatorKind, name: string): string | undefined {
  return operatorSyntax[kind].get(name) ?? (kind === "window" ? accumulator.get(name) : undefined);
}

/** The syntax and an example of an operator, as an object with its name. */
export function syntaxOf(kind: OperatorKind, name: string): { readonly syntax: string; readonly example: string } {
  const value = valueOf(kind, name) ?? "";
  const word = (named: string): string => named.replace(/\d$/, "");
  return {
    syntax: `{ ${name}: ${value.replace(part, (_all, named: string) => word(named))} }`,
    example: `{ ${name}: ${value.replace(part, (_all, _name, example: string) => example)} }`,
  };
}

/** The operator with its value as CodeMirror's snippets word it, the first part selected. */
export function snippetOf(kind: OperatorKind, name: string): string {
  const value = valueOf(kind, name);
  return value === undefined
    ? `${name}: \${}`
    : `${name}: ${value.replace(part, (_all, named: string) => `\${${named}}`)}`;
}
