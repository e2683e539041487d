/**
 * The documents on which the example of each expression, accumulator and window operator is shown.
 *
 * Invariant: one line a name; the fields are those of the example in `operator-syntax.ts`, which is applied to them
 * (`example.ts`). Names whose example needs more than documents have a script in `scripts.ts`.
 */
import { documentLines } from "./read.ts";

export const expressionDocuments = documentLines(`
$abs { change: -3 } ; { change: 4.5 } ; { change: null }
$acos { x: 1 } ; { x: 0 }
$acosh { x: 1 } ; { x: 3 }
$add { price: 5, tax: 0.4 } ; { price: 12, tax: 1 }
$allElementsTrue { checks: [true, 1, "yes"] } ; { checks: [true, 0] }
$and { open: true, paid: true } ; { open: true, paid: false }
$anyElementTrue { checks: [false, 0, null] } ; { checks: [false, "yes"] }
$arrayElemAt { tags: ["new", "hot", "green"] } ; { tags: [] }
$arrayToObject { pairs: [["name", "Sencha"], ["price", 5]] } ; { pairs: [{ k: "stock", v: 3 }] }
$asin { x: 0 } ; { x: 1 }
$asinh { x: 0 } ; { x: 1 }
$atan { x: 0 } ; { x: 1 }
$atan2 { y: 1, x: 1 } ; { y: 1, x: -1 }
$atanh { x: 0 } ; { x: 0.5 }
$avg { scores: [7, 9, 8] } ; { scores: [4, "ill", null] }
$binarySize { picture: BinData(0, "aGVsbG8=") } ; { picture: "hé" }
$bitAnd { flags: 5 } ; { flags: 3 }
$bitNot { flags: 5 } ; { flags: 0 }
$bitOr { flags: 5 } ; { flags: 3 }
$bitXor { flags: 5 } ; { flags: 3 }
$bsonSize { name: "Sencha" } ; { name: "Sencha", price: 5 }
$ceil { price: 4.2 } ; { price: -4.2 }
$cmp { a: 1, b: 2 } ; { a: 2, b: 2 } ; { a: "x", b: 2 }
$concat { first: "Ada", last: "Lovelace" } ; { first: "Plato", last: null }
$concatArrays { tags: ["new"], more: ["hot", "green"] } ; { tags: [], more: ["old"] }
$cond { paid: true } ; { paid: false }
$const { price: 5 }
$convert { n: "12" } ; { n: 12.9 } ; { n: "a dozen" } ; { n: null }
$cos { x: 0 } ; { x: 3.141592653589793 }
$cosh { x: 0 } ; { x: 1 }
$createObjectId { name: "Sencha" } ; { name: "Matcha" }
$currentDate { name: "Sencha" }
$dateAdd { at: ISODate("2024-02-27") } ; { at: ISODate("2024-12-30T08:00:00Z") }
$dateDiff { from: ISODate("2024-02-27"), to: ISODate("2024-03-02") }
$dateFromParts { note: "a date from constants" }
$dateFromString { text: "2024-05-01" } ; { text: "1999-12-31" }
$dateSubtract { at: ISODate("2024-03-02") } ; { at: ISODate("2025-01-01T08:00:00Z") }
$dateToParts { at: ISODate("2024-05-01T14:30:05.250Z") }
$dateToString { at: ISODate("2024-05-01T14:30:00Z") } ; { at: null }
$dateTrunc { at: ISODate("2024-05-17T14:30:00Z") } ; { at: ISODate("2024-12-31") }
$dayOfMonth { at: ISODate("2024-05-17") } ; { at: ISODate("2024-12-31") }
$dayOfWeek { at: ISODate("2024-05-17") } ; { at: ISODate("2024-05-19") }
$dayOfYear { at: ISODate("2024-02-01") } ; { at: ISODate("2024-12-31") }
$degreesToRadians { angle: 180 } ; { angle: 45 }
$deserializeEJSON { text: { price: "5" } } ; { text: [1, true] }
$divide { total: 9 } ; { total: 10 }
$eq { a: 1 } ; { a: 2 } ; { a: "1" }
$exp { x: 0 } ; { x: 1 }
$filter { items: [{ n: 1, open: true }, { n: 2, open: false }, { n: 3, open: true }] }
$first { tags: ["new", "hot", "green"] } ; { tags: [] }
$firstN { tags: ["new", "hot", "green", "old"] } ; { tags: ["new"] }
$floor { price: 4.8 } ; { price: -4.2 }
$gt { a: 0 } ; { a: 1 } ; { a: 2 }
$gte { a: 0 } ; { a: 1 } ; { a: 2 }
$hash { name: "Sencha" }
$hexHash { name: "Sencha" } ; { name: null }
$hour { at: ISODate("2024-05-17T14:30:00Z") } ; { at: ISODate("2024-05-17") }
$ifNull { name: "Sencha" } ; { name: null } ; { price: 5 }
$in { tags: ["new", "hot"] } ; { tags: ["old"] }
$indexOfArray { tags: ["hot", "new"] } ; { tags: ["old"] }
$indexOfBytes { name: "Sencha" } ; { name: "Gyokuro" }
$indexOfCP { name: "Thé vert à l'eau" } ; { name: "Gyokuro" }
$isArray { tags: ["new"] } ; { tags: "new" }
$isNumber { price: 5 } ; { price: NumberDecimal("5.20") } ; { price: "5" }
$isoDayOfWeek { at: ISODate("2024-05-17") } ; { at: ISODate("2024-05-19") }
$isoWeek { at: ISODate("2024-05-17") } ; { at: ISODate("2024-12-31") }
$isoWeekYear { at: ISODate("2024-05-17") } ; { at: ISODate("2024-12-31") }
$last { tags: ["new", "hot", "green"] } ; { tags: [] }
$lastN { tags: ["new", "hot", "green", "old"] } ; { tags: ["new"] }
$let { price: 5 } ; { price: 12 }
$literal { price: 5 }
$ln { x: 1 } ; { x: 10 }
$log { x: 8 } ; { x: 10 }
$log10 { x: 100 } ; { x: 5 }
$lt { a: 0 } ; { a: 1 } ; { a: 2 }
$lte { a: 0 } ; { a: 1 } ; { a: 2 }
$ltrim { name: "  Sencha " } ; { name: "Gyokuro" }
$map { items: [{ name: "Sencha", price: 5 }, { name: "Gyokuro", price: 12 }] }
$max { a: 3, b: 8 } ; { a: 3, b: null }
$maxN { scores: [7, 9, 4, 8] } ; { scores: [5] }
$median { scores: [7, 9, 4, 8, 100] } ; { scores: [5] }
$mergeObjects { defaults: { size: "M", gift: false }, own: { size: "L" } }
$millisecond { at: ISODate("2024-05-17T14:30:05.250Z") }
$min { a: 3, b: 8 } ; { a: 3, b: null }
$minN { scores: [7, 9, 4, 8] } ; { scores: [5] }
$minute { at: ISODate("2024-05-17T14:30:05Z") } ; { at: ISODate("2024-05-17") }
$mod { n: 7 } ; { n: 8 } ; { n: -7 }
$month { at: ISODate("2024-05-17") } ; { at: ISODate("2024-12-31") }
$multiply { price: 5, count: 3 } ; { price: 12, count: 1 }
$ne { a: 1 } ; { a: 2 }
$not { paid: true } ; { paid: false } ; { note: "no paid" }
$objectToArray { details: { colour: "green", origin: "Uji" } }
$or { open: false, paid: true } ; { open: false, paid: false }
$percentile { scores: [7, 9, 4, 8, 100] }
$pow { x: 3 } ; { x: 0.5 }
$radiansToDegrees { angle: 3.141592653589793 } ; { angle: 1 }
$rand { name: "Sencha" } ; { name: "Gyokuro" }
$range { note: "numbers from constants" }
$reduce { items: [1, 2, 3] } ; { items: [] }
$regexFind { name: "Baarish" } ; { name: "Sencha" } ; { name: "Oolong" }
$regexFindAll { name: "Baarish blend a" } ; { name: "Oolong" }
$regexMatch { name: "Sencha" } ; { name: "Oolong" }
$replaceAll { name: "banana" } ; { name: "tea" }
$replaceOne { name: "banana" } ; { name: "tea" }
$reverseArray { tags: ["new", "hot", "green"] } ; { tags: [] }
$round { price: 4.255 } ; { price: 12.3456 }
$rtrim { name: "Sencha  " } ; { name: "Gyokuro" }
$second { at: ISODate("2024-05-17T14:30:05Z") } ; { at: ISODate("2024-05-17") }
$serializeEJSON { at: [5, "Uji"] } ; { at: { price: 2.5 } }
$setDifference { all: ["S", "M", "L"], sold: ["M"] } ; { all: ["S"], sold: ["S"] }
$setEquals { a: [1, 2, 2], b: [2, 1] } ; { a: [1], b: [1, 2] }
$setField { name: "Sencha" } ; { name: "Gyokuro" }
$setIntersection { a: [1, 2, 3], b: [2, 3, 4] } ; { a: [1], b: [2] }
$setIsSubset { a: [1, 2], b: [1, 2, 3] } ; { a: [1, 4], b: [1, 2, 3] }
$setUnion { a: [1, 2], b: [2, 3] } ; { a: [], b: [1, 1] }
$sigmoid { x: 0 } ; { x: 4 }
$sin { x: 0 } ; { x: 1.5707963267948966 }
$sinh { x: 0 } ; { x: 1 }
$size { tags: ["new", "hot"] } ; { tags: [] }
$slice { tags: ["new", "hot", "green", "old"] } ; { tags: ["new"] }
$sortArray { items: [{ name: "Sencha", price: 5 }, { name: "Gyokuro", price: 12 }] }
$split { name: "Earl Grey Supreme" } ; { name: "Sencha" }
$sqrt { x: 9 } ; { x: 2 }
$stdDevPop { scores: [2, 4, 4, 4, 5, 5, 7, 9] } ; { scores: [5] }
$stdDevSamp { scores: [2, 4, 4, 4, 5, 5, 7, 9] } ; { scores: [5] }
$strLenBytes { name: "Sencha" } ; { name: "煎茶" }
$strLenCP { name: "Sencha" } ; { name: "煎茶" }
$strcasecmp { a: "sencha", b: "SENCHA" } ; { a: "a", b: "b" }
$substr { name: "Sencha" } ; { name: "Gyokuro" }
$substrBytes { name: "Sencha" } ; { name: "煎茶" }
$substrCP { name: "Sencha" } ; { name: "煎茶煎茶" }
$subtract { price: 12, discount: 2 } ; { price: 5, discount: 0.5 }
$subtype { picture: BinData(0, "aGVsbG8=") } ; { picture: null }
$sum { scores: [7, 9, 8] } ; { scores: [4, "ill"] }
$switch { paid: true } ; { paid: false }
$tan { x: 0 } ; { x: 0.7853981633974483 }
$tanh { x: 0 } ; { x: 1 }
$toArray { text: "[1, 2.5, null]" }
$toBool { flag: 1 } ; { flag: 0 } ; { flag: "false" }
$toDate { text: "2024-05-01" } ; { text: "2024-05-01T14:30:00+02:00" }
$toDecimal { price: "5.20" } ; { price: 5 }
$toDouble { price: "5.2" } ; { price: NumberDecimal("5.20") }
$toHashedIndexKey { name: "Sencha" } ; { name: "Gyokuro" }
$toInt { n: "12" } ; { n: 12.9 }
$toLong { n: "9007199254740993" } ; { n: 12.9 }
$toLower { name: "SENCHA" } ; { name: "Gyokuro" }
$toObject { text: '{"price": 5}' }
$toObjectId { text: "507f1f77bcf86cd799439011" }
$toString { _id: 12 } ; { _id: ObjectId("507f1f77bcf86cd799439011") }
$toUUID { text: "7b6b9a3e-3a51-4d0e-9c3f-0a4b5c6d7e8f" }
$toUpper { name: "Sencha" } ; { name: "Gyokuro" }
$trim { name: "  Sencha " } ; { name: "Gyokuro" }
$trunc { price: 4.28 } ; { price: -4.28 }
$tsIncrement { ts: Timestamp(1714573800, 7) }
$tsSecond { ts: Timestamp(1714573800, 7) }
$type { value: 5 } ; { value: "5" } ; { note: "no value" }
$week { at: ISODate("2024-05-17") } ; { at: ISODate("2024-01-01") }
$year { at: ISODate("2024-05-17") } ; { at: ISODate("1999-12-31") }
$zip { a: ["S", "M"], b: [3, 8] }`);

export const accumulatorDocuments = documentLines(`
$addToSet { city: "Uji", tag: "green" } ; { city: "Uji", tag: "green" } ; { city: "Kyoto", tag: "black" }
$avg { city: "Uji", price: 5 } ; { city: "Uji", price: 8 } ; { city: "Kyoto", price: null }
$bottom { city: "Uji", name: "Sencha", price: 5 } ; { city: "Uji", name: "Gyokuro", price: 12 }
$bottomN { city: "Uji", name: "Sencha", price: 5 } ; { city: "Uji", name: "Gyokuro", price: 12 }
$concatArrays { city: "Uji", tags: ["green", "new"] } ; { city: "Uji", tags: ["green"] } ; { city: "Kyoto", tags: [] }
$count { city: "Uji" } ; { city: "Uji" } ; { city: "Kyoto" }
$first { city: "Uji", name: "Sencha" } ; { city: "Uji", name: "Gyokuro" } ; { city: "Kyoto", name: "Hojicha" }
$firstN { city: "Uji", name: "Sencha" } ; { city: "Uji", name: "Gyokuro" } ; { city: "Kyoto", name: "Hojicha" }
$last { city: "Uji", name: "Sencha" } ; { city: "Uji", name: "Gyokuro" } ; { city: "Kyoto", name: "Hojicha" }
$lastN { city: "Uji", name: "Sencha" } ; { city: "Uji", name: "Gyokuro" } ; { city: "Kyoto", name: "Hojicha" }
$max { city: "Uji", price: 5 } ; { city: "Uji", price: 12 } ; { city: "Kyoto", price: 4 }
$maxN { city: "Uji", price: 5 } ; { city: "Uji", price: 12 } ; { city: "Uji", price: 8 } ; { city: "Uji", price: 4 }
$median { city: "Uji", price: 5 } ; { city: "Uji", price: 12 } ; { city: "Uji", price: 100 }
$mergeObjects { city: "Uji", details: { rain: 3 } } ; { city: "Uji", details: { wind: 2, rain: 4 } }
$min { city: "Uji", price: 5 } ; { city: "Uji", price: 12 } ; { city: "Kyoto", price: 4 }
$minN { city: "Uji", price: 5 } ; { city: "Uji", price: 12 } ; { city: "Uji", price: 8 } ; { city: "Uji", price: 4 }
$percentile { city: "Uji", price: 5 } ; { city: "Uji", price: 12 } ; { city: "Uji", price: 100 }
$push { city: "Uji", name: "Sencha" } ; { city: "Uji", name: "Gyokuro" } ; { city: "Kyoto", name: "Hojicha" }
$setUnion { city: "Uji", tags: ["green", "steamed"] } ; { city: "Uji", tags: ["green"] } ; { city: "Kyoto", tags: [] }
$stdDevPop { city: "Uji", score: 2 } ; { city: "Uji", score: 4 } ; { city: "Uji", score: 9 }
$stdDevSamp { city: "Uji", score: 2 } ; { city: "Uji", score: 4 } ; { city: "Uji", score: 9 }
$sum { city: "Uji", price: 5 } ; { city: "Uji", price: 12 } ; { city: "Kyoto", price: 4 }
$top { city: "Uji", name: "Sencha", price: 5 } ; { city: "Uji", name: "Gyokuro", price: 12 }
$topN { city: "Uji", name: "Sencha", price: 5 } ; { city: "Uji", name: "Gyokuro", price: 12 }`);

export const windowDocuments = documentLines(`
$covariancePop { at: 1, x: 1, y: 2 } ; { at: 2, x: 2, y: 4 } ; { at: 3, x: 3, y: 9 }
$covarianceSamp { at: 1, x: 1, y: 2 } ; { at: 2, x: 2, y: 4 } ; { at: 3, x: 3, y: 9 }
$denseRank { at: 10 } ; { at: 20 } ; { at: 20 } ; { at: 30 }
$derivative { at: ISODate("2024-05-01T08:00:00Z"), distance: 0 } ; { at: ISODate("2024-05-01T08:30:00Z"), distance: 12 }
$documentNumber { at: 10 } ; { at: 20 } ; { at: 20 } ; { at: 30 }
$expMovingAvg { at: 1, price: 5 } ; { at: 2, price: 8 } ; { at: 3, price: 20 }
$integral { at: ISODate("2024-05-01T08:00:00Z"), power: 2 } ; { at: ISODate("2024-05-01T09:00:00Z"), power: 4 }
$linearFill { at: 1, heat: 20 } ; { at: 2, heat: null } ; { at: 3, heat: 26 }
$locf { at: 1, heat: 20 } ; { at: 2, heat: null } ; { at: 3, heat: 26 } ; { at: 4 }
$minMaxScaler { at: 1, x: 1 } ; { at: 2, x: 5 } ; { at: 3, x: 21 }
$rank { at: 10 } ; { at: 20 } ; { at: 20 } ; { at: 30 }
$shift { at: 1, price: 5 } ; { at: 2, price: 8 } ; { at: 3, price: 20 }`);
