/**
 * Examples of projections and of kinds and options of indexes.
 *
 * Invariant: a script makes its own data in an empty database, and its last value shows the effect of its name.
 */
import { scripts } from "./read.ts";

export const projectionScripts = scripts(`
# $
db.items.insertOne({ _id: 1, scores: [70, 81, 95] })
db.items.find({ scores: { $gt: 80 } }, { "scores.$": 1 })

# $elemMatch
db.items.insertOne({ _id: 1, sizes: [{ size: "S", stock: 0 }, { size: "M", stock: 3 }, { size: "L", stock: 8 }] })
db.items.find({}, { sizes: { $elemMatch: { stock: { $gt: 0 } } } })

# $meta
db.items.insertMany([{ _id: "a" }, { _id: "b" }])
db.items.find({}, { record: { $meta: "recordId" } })

# $slice
db.items.insertOne({ _id: 1, notes: ["a", "b", "c", "d"] })
db.items.find({}, { notes: { $slice: -2 } })

# exclusion
db.items.insertOne({ _id: 1, name: "Sencha", price: 5, supplier: { name: "Ito", phone: "0774" } })
db.items.find({}, { price: 0, "supplier.phone": 0 })

# expressions
db.items.insertOne({ _id: 1, name: "Sencha", price: 5, count: 3 })
db.items.find({}, { name: { $toUpper: "$name" }, total: { $multiply: ["$price", "$count"] } })

# inclusion
db.items.insertOne({ _id: 1, name: "Sencha", price: 5, supplier: { name: "Ito", phone: "0774" } })
db.items.find({}, { name: 1, "supplier.name": 1, _id: 0 })
`);

export const indexScripts = scripts(`
# 2dsphereIndexVersion
db.places.createIndex({ at: "2dsphere" }, { "2dsphereIndexVersion": 2 })
db.places.getIndexes()

# background
db.teas.createIndex({ name: 1 }, { background: true })
db.teas.getIndexes()

# bits
db.maps.createIndex({ at: "2d" }, { bits: 20 })
db.maps.insertOne({ _id: 1, at: [3, 4] })
db.maps.find({ at: { $near: [0, 0] } })

# coarsestIndexedLevel
db.places.createIndex({ at: "2dsphere" }, { coarsestIndexedLevel: 4 })
db.places.getIndexes()

# collation
db.teas.createIndex({ name: 1 }, { collation: { locale: "de", strength: 1 } })
db.teas.insertMany([{ _id: 1, name: "Öl" }, { _id: 2, name: "ol" }, { _id: 3, name: "tee" }])
db.teas.find({ name: "OL" }).collation({ locale: "de", strength: 1 })

# default_language
db.teas.createIndex({ about: "text" }, { default_language: "none" })
db.teas.insertMany([{ _id: 1, about: "The teas of Uji" }, { _id: 2, about: "A tea" }])
db.teas.find({ $text: { $search: "the" } })

# expireAfterSeconds
db.sessions.createIndex({ seen: 1 }, { expireAfterSeconds: 3600 })
db.sessions.insertOne({ _id: 1, seen: new Date() })
clock.advance("2h")
const left = db.sessions.countDocuments()
clock.reset()
left

# finestIndexedLevel
db.places.createIndex({ at: "2dsphere" }, { finestIndexedLevel: 20 })
db.places.getIndexes()

# hidden
db.teas.createIndex({ name: 1 }, { hidden: true })
db.teas.insertOne({ _id: 1, name: "Sencha" })
db.teas.find({ name: "Sencha" }).explain().queryPlanner.winningPlan.stage

# kind:2d
db.maps.createIndex({ at: "2d" })
db.maps.insertMany([{ _id: "near", at: [3, 4] }, { _id: "far", at: [30, 40] }])
db.maps.find({ at: { $near: [0, 0], $maxDistance: 10 } })

# kind:2dsphere
db.places.createIndex({ at: "2dsphere" })
db.places.insertMany([
  { _id: "Nara", at: { type: "Point", coordinates: [135.83, 34.69] } },
  { _id: "Uji", at: { type: "Point", coordinates: [135.8, 34.88] } },
])
db.places.find({ at: { $near: { $geometry: { type: "Point", coordinates: [135.77, 35.01] } } } })

# kind:clustered
db.createCollection("teas", { clusteredIndex: { key: { _id: 1 }, unique: true } })
db.teas.insertMany([{ _id: 2 }, { _id: 1 }])
db.teas.getIndexes()

# kind:compound
db.teas.createIndex({ type: 1, price: -1 })
db.teas.insertMany([{ _id: 1, type: "green", price: 5 }, { _id: 2, type: "green", price: 12 }])
db.teas.find({ type: "green" }).sort({ price: -1 })

# kind:hashed
db.teas.createIndex({ name: "hashed" })
db.teas.insertMany([{ _id: 1, name: "Sencha" }, { _id: 2, name: "Gyokuro" }])
db.teas.find({ name: "Sencha" }).explain().queryPlanner.winningPlan.inputStage

# kind:multikey
db.teas.createIndex({ tags: 1 })
db.teas.insertMany([{ _id: 1, tags: ["green", "new"] }, { _id: 2, tags: ["black"] }])
db.teas.find({ tags: "new" }).explain().queryPlanner.winningPlan.inputStage

# kind:single
db.teas.createIndex({ price: 1 })
db.teas.insertMany([{ _id: 1, price: 5 }, { _id: 2, price: 12 }])
db.teas.find({ price: { $gt: 5 } })

# kind:text
db.teas.createIndex({ name: "text", about: "text" })
db.teas.insertMany([{ _id: 1, name: "Sencha", about: "A green tea" }, { _id: 2, name: "Assam", about: "Black" }])
db.teas.find({ $text: { $search: "teas" } }, { score: { $meta: "textScore" } })

# kind:wildcard
db.teas.createIndex({ "$**": 1 })
db.teas.insertMany([{ _id: 1, origin: { town: "Uji" } }, { _id: 2, origin: { town: "Kyoto" } }])
db.teas.find({ "origin.town": "Uji" }).explain().queryPlanner.winningPlan.inputStage

# language_override
db.teas.createIndex({ about: "text" }, { language_override: "speech" })
db.teas.insertOne({ _id: 1, about: "Grüner Tee aus Japan", speech: "german" })
db.teas.find({ $text: { $search: "grünes", $language: "german" } })

# max
db.maps.createIndex({ at: "2d" }, { max: 1000 })
db.maps.insertOne({ _id: 1, at: [900, 4] })
db.maps.find({ at: { $near: [1000, 0] } })

# min
db.maps.createIndex({ at: "2d" }, { min: 0 })
try {
  db.maps.insertOne({ _id: 1, at: [-3, 4] })
} catch (error) {
  print(error.message)
}
db.maps.countDocuments()

# name
db.teas.createIndex({ name: 1 }, { name: "by name" })
db.teas.find().hint("by name").toArray()
db.teas.getIndexes()

# partialFilterExpression
db.teas.createIndex({ price: 1 }, { partialFilterExpression: { sold: false } })
db.teas.insertMany([{ _id: 1, price: 5, sold: false }, { _id: 2, price: 12, sold: true }])
db.teas.find({ price: 5, sold: false }).explain().queryPlanner.winningPlan.inputStage

# prepareUnique
db.teas.insertMany([{ _id: 1, code: "S" }, { _id: 2, code: "T" }])
db.teas.createIndex({ code: 1 }, { prepareUnique: true })
db.runCommand({ collMod: "teas", index: { keyPattern: { code: 1 }, unique: true } })

# sparse
db.teas.createIndex({ code: 1 }, { sparse: true, unique: true })
db.teas.insertMany([{ _id: 1, code: "S" }, { _id: 2 }, { _id: 3 }])
db.teas.find({ code: { $exists: true } })

# textIndexVersion
db.teas.createIndex({ about: "text" }, { textIndexVersion: 2 })
db.teas.insertOne({ _id: 1, about: "Crème" })
db.teas.countDocuments({ $text: { $search: "creme" } })

# unique
db.teas.createIndex({ name: 1 }, { unique: true })
db.teas.insertOne({ _id: 1, name: "Sencha" })
try {
  db.teas.insertOne({ _id: 2, name: "Sencha" })
} catch (error) {
  print(error.message)
}
db.teas.countDocuments()

# v
db.teas.createIndex({ name: 1 }, { v: 2 })
db.teas.getIndexes()

# weights
db.teas.createIndex({ name: "text", about: "text" }, { weights: { name: 10 } })
db.teas.insertMany([{ _id: 1, name: "Green Uji", about: "A tea" }, { _id: 2, name: "Sencha", about: "A green tea" }])
db.teas.find({ $text: { $search: "green" } }, { name: 1, score: { $meta: "textScore" } })
  .sort({ score: { $meta: "textScore" } })

# wildcardProjection
db.teas.createIndex({ "$**": 1 }, { wildcardProjection: { origin: 1 } })
db.teas.insertOne({ _id: 1, name: "Sencha", origin: { town: "Uji" } })
db.teas.find({ "origin.town": "Uji" }).explain().queryPlanner.winningPlan.inputStage
`);
