/**
 * The documents on which the example of each query operator, update operator and stage is shown.
 *
 * Invariant: one line a name, and of a query operator the field that it stands in before its documents (`-`: none, the
 * operator stands at the top); the fields are those of the example in `operator-syntax.ts`.
 */
import { documentLines } from "./read.ts";

export const queryDocuments = documentLines(`
$all colours ; { colours: ["red", "blue", "green"] } ; { colours: ["red"] }
$alwaysTrue - ; { name: "Sencha" } ; { name: "Gyokuro" }
$and - ; { price: 5, stock: 0 } ; { price: 5, stock: 3 }
$bitsAllClear flags ; { flags: 2 } ; { flags: 5 } ; { flags: 7 }
$bitsAllSet flags ; { flags: 2 } ; { flags: 5 } ; { flags: 7 }
$bitsAnyClear flags ; { flags: 9 } ; { flags: 1 } ; { flags: 15 }
$bitsAnySet flags ; { flags: 9 } ; { flags: 6 } ; { flags: 1 }
$comment - ; { name: "Sencha" } ; { name: "Gyokuro" }
$elemMatch sizes ; { sizes: [{ size: "M", stock: 3 }] } ; { sizes: [{ size: "M", stock: 0 }, { size: "L", stock: 8 }] }
$eq age ; { age: 18 } ; { age: 21 } ; { age: [18, 30] }
$exists email ; { name: "Ada", email: null } ; { name: "Bo" }
$expr - ; { spent: 12, budget: 10 } ; { spent: 8, budget: 10 }
$geoIntersects at ; { at: { type: "Point", coordinates: [3, 1] } } ; { at: { type: "Point", coordinates: [9, 9] } }
$geoWithin at ; { at: [135.78, 35.0] } ; { at: { type: "Point", coordinates: [139.7, 35.7] } }
$gt age ; { age: 18 } ; { age: 21 } ; { age: "30" }
$gte age ; { age: 18 } ; { age: 21 } ; { age: 12 }
$in colour ; { colour: "red" } ; { colour: "green" } ; { colour: ["blue", "green"] }
$jsonSchema - ; { name: "Dune", year: 1965 } ; { name: "Dune", year: "1965" } ; { year: 1965 }
$lt age ; { age: 12 } ; { age: 18 } ; { age: "9" }
$lte age ; { age: 12 } ; { age: 18 } ; { age: 21 }
$mod year ; { year: 2024 } ; { year: 2023 }
$ne state ; { state: "open" } ; { state: "sold" } ; { name: "no state" }
$nin state ; { state: "open" } ; { state: "sold" } ; { state: "lost" }
$nor - ; { price: 5 } ; { price: 8, sold: true } ; { price: 8 }
$not price ; { price: 5 } ; { price: 8 } ; { name: "no price" }
$or - ; { price: 5, stock: 3 } ; { price: 8, stock: 0 } ; { price: 8, stock: 3 }
$regex name ; { name: "Earl Grey" } ; { name: "Sencha" }
$size tags ; { tags: ["new", "hot", "green"] } ; { tags: ["new"] }
$type value ; { value: "5" } ; { value: 5 } ; { value: ["a", 1] }
$where - ; { a: 1, b: 1 } ; { a: 1, b: 2 }
$within at ; { at: [1, 2] } ; { at: [5, 2] }`);

export const updateDocuments = documentLines(`
$addToSet { tags: ["hot"] } ; { tags: ["new", "hot"] }
$bit { flags: 1 } ; { flags: 4 }
$currentDate { name: "Sencha" }
$inc { count: 4 } ; { name: "no count" }
$max { best: 70 } ; { best: 95 }
$min { least: 4 } ; { least: 12 }
$mul { price: 10 } ; { name: "no price" }
$pop { queue: ["Ada", "Bo", "Cy"] } ; { queue: [] }
$pull { tags: ["old", "hot", "old"] } ; { tags: ["new"] }
$pullAll { tags: ["old", "hot", "sold"] } ; { tags: ["new"] }
$push { notes: ["bought"] } ; { name: "no notes" }
$rename { nmae: "Sencha" } ; { name: "Gyokuro" }
$set { name: "Sencha" } ; { name: "Gyokuro", price: 12 }
$unset { name: "Sencha", draft: true } ; { name: "Gyokuro" }`);

export const stageDocuments = documentLines(`
$_internalRank { price: 4 } ; { price: 4 } ; { price: 9 }
$addFields { name: "Sencha", price: 5 } ; { name: "Gyokuro", price: 12 }
$bucket { price: 5 } ; { price: 8 } ; { price: 12 }
$bucketAuto { price: 5 } ; { price: 8 } ; { price: 12 } ; { price: 20 } ; { price: 21 }
$count { name: "Sencha" } ; { name: "Gyokuro" }
$facet { tag: "green" } ; { tag: "black" } ; { tag: "green" }
$fill { at: 1, heat: 20 } ; { at: 2 } ; { at: 3, heat: 26 }
$group { city: "Uji" } ; { city: "Kyoto" } ; { city: "Uji" }
$match { name: "Hojicha", city: "Kyoto" } ; { name: "Sencha", city: "Uji" }
$project { name: "Sencha", price: 5, stock: 3 } ; { name: "Gyokuro", price: 12 }
$rankFusion { _id: 1, price: 4, days: 9 } ; { _id: 2, price: 5, days: 1 } ; { _id: 3, price: 9, days: 2 }
$redact { name: "Sencha", supplier: { name: "Ito", secret: true } } ; { name: "Blend 7", secret: true }
$replaceRoot { name: "Ada", address: { city: "Uji", zip: "611" } }
$replaceWith { name: "Ada", address: { city: "Uji", zip: "611" } }
$score { _id: 1, price: 4 } ; { _id: 2, price: 0 }
$scoreFusion { _id: 1, price: 4 } ; { _id: 2, price: 9 }
$set { name: "Sencha", price: 5 } ; { name: "Gyokuro", price: 12 }
$setMetadata { price: 4 } ; { price: 9 }
$setWindowFields { city: "Uji", at: 1 } ; { city: "Uji", at: 2 } ; { city: "Kyoto", at: 1 }
$sort { name: "Sencha", price: 5 } ; { name: "Gyokuro", price: 12 }
$sortByCount { tag: "green" } ; { tag: "black" } ; { tag: "green" }
$unset { name: "Sencha", draft: true } ; { name: "Gyokuro" }
$unwind { name: "Sencha", tags: ["green", "new"] } ; { name: "Bancha", tags: ["hot"] } ; { name: "Blend", tags: [] }`);
