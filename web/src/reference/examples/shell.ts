/**
 * Examples of bulk writes, connections, plan caches, the clock, and the names that stand alone in a script.
 *
 * Invariant: a script makes its own data in an empty database, and its last value or its printed lines show the effect
 * of its name.
 */
import { scripts } from "./read.ts";

const BULK = `db.teas.insertMany([{ _id: 1, name: "Gyokuro", price: 12 }, { _id: 2, name: "Bancha", price: 5 }])
const bulk = db.teas.initializeOrderedBulkOp()`;

/** The script of a bulk write of one operation, with the documents that it leaves; lines `name operation`. */
const bulkOperations = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .trim()
      .split("\n")
      .map((line) => {
        const at = line.indexOf(" ");
        return [line.slice(0, at), `${BULK}\n${line.slice(at + 1)}\nbulk.execute()\ndb.teas.find()`];
      }),
  );

export const bulkScripts: ReadonlyMap<string, string> = new Map([
  ...bulkOperations(`
find bulk.find({ price: 5 }).update({ $set: { cheap: true } })
find.collation bulk.find({ name: "bancha" }).collation({ locale: "en", strength: 2 }).update({ $set: { found: true } })
find.delete bulk.find({ price: { $gt: 5 } }).delete()
find.deleteOne bulk.find({ price: { $gt: 0 } }).deleteOne()
find.hint bulk.find({ _id: 2 }).hint({ _id: 1 }).update({ $set: { found: true } })
find.remove bulk.find({ price: { $gt: 5 } }).remove()
find.removeOne bulk.find({ price: { $gt: 0 } }).removeOne()
find.replaceOne bulk.find({ _id: 2 }).replaceOne({ name: "Sencha" })
find.update bulk.find({}).update({ $inc: { price: 1 } })
find.updateOne bulk.find({}).updateOne({ $inc: { price: 1 } })
find.upsert bulk.find({ _id: 3 }).upsert().updateOne({ $set: { name: "Sencha" } })
insert bulk.insert({ _id: 3, name: "Sencha" })`),
  ...scripts(`
# execute
const bulk = db.teas.initializeOrderedBulkOp()
bulk.insert({ _id: 1, name: "Sencha" })
bulk.find({ _id: 1 }).updateOne({ $set: { price: 5 } })
bulk.execute()

# find.arrayFilters
db.teas.insertOne({ _id: 1, scores: [3, 5, 9] })
const bulk = db.teas.initializeOrderedBulkOp()
bulk.find({ _id: 1 }).arrayFilters([{ high: { $gt: 4 } }]).updateOne({ $set: { "scores.$[high]": 4 } })
bulk.execute()
db.teas.find()

# toJSON
const bulk = db.teas.initializeOrderedBulkOp()
bulk.insert({ _id: 1 }).insert({ _id: 2 })
bulk.toJSON()
`),
]);

export const mongoScripts = scripts(`
# adminCommand
db.getMongo().adminCommand({ ping: 1 })

# bulkWrite
db.getMongo().bulkWrite([
  { namespace: \`\${db}.teas\`, name: "insertOne", document: { _id: 1, name: "Sencha" } },
  { namespace: \`\${db}.orders\`, name: "insertOne", document: { _id: 1, tea: 1 } },
])

# getDB
db.getMongo().getDB("shop").getName()

# getDBNames
db.teas.insertOne({ _id: 1 })
db.getMongo().getDBNames()

# getDBs
db.teas.insertOne({ _id: 1 })
db.getMongo().getDBs()

# getReadPrefMode
db.getMongo().getReadPrefMode()

# setReadPref
db.getMongo().setReadPref("primary")
db.getMongo().getReadPrefMode()

# startSession
const session = db.getMongo().startSession()
const teas = session.getDatabase(db.getName()).teas
session.startTransaction()
teas.insertOne({ _id: 1 })
const outside = db.teas.countDocuments()
session.commitTransaction()
const counts = [outside, db.teas.countDocuments()]
counts

# watch
const stream = db.getMongo().watch()
db.teas.insertOne({ _id: 1 })
stream.tryNext().ns
`);

const PLANS = `db.teas.createIndexes([{ a: 1 }, { b: 1 }])
for (let n = 0; n < 50; n++) db.teas.insertOne({ _id: n, a: n % 5, b: n % 7 })
db.teas.find({ a: 1, b: 1 }).toArray()`;

export const planCacheScripts = scripts(`
# clear
${PLANS}
db.teas.getPlanCache().clear()
db.teas.getPlanCache().list().length

# clearPlansByQuery
${PLANS}
db.teas.getPlanCache().clearPlansByQuery({ a: 2, b: 2 })
db.teas.getPlanCache().list().length

# list
${PLANS}
db.teas.getPlanCache().list([{ $project: { isActive: 1, works: 1 } }])
`);

export const clockScripts = scripts(`
# advance
db.visits.createIndex({ at: 1 }, { expireAfterSeconds: 3600 })
db.visits.insertOne({ _id: 1, at: new Date() })
clock.advance("2h")
const left = db.visits.countDocuments()
clock.reset()
left

# now
clock.now()

# offset
clock.advance("90s")
const moved = clock.offset()
clock.reset()
moved

# reset
clock.advance("1d")
clock.reset()
clock.offset()
`);

export const globalScripts = scripts(`
# BSONRegExp
db.items.insertOne({ _id: 1, pattern: BSONRegExp("^tea", "ix") })
db.items.findOne()

# BSONSymbol
db.items.insertOne({ _id: 1, kind: BSONSymbol("green") })
db.items.findOne({ kind: { $type: "symbol" } })

# BinData
db.items.insertOne({ _id: 1, data: BinData(0, "aGVsbG8=") })
db.items.findOne()

# Binary
db.items.insertOne({ _id: 1, data: Binary(new Uint8Array([1, 2, 3])) })
db.items.findOne()

# Code
db.items.insertOne({ _id: 1, code: Code("function () { return 1; }") })
db.items.findOne({ code: { $type: "javascript" } })

# DBQuery
DBQuery.shellBatchSize = 2
DBQuery.shellBatchSize

# DBRef
db.items.insertOne({ _id: 1, tea: DBRef("teas", 7) })
db.items.find({ "tea.$id": 7 })

# Date
db.items.insertOne({ _id: 1, at: new Date("2024-05-01") })
db.items.find({ at: { $lt: new Date() } })

# Decimal128
db.items.insertOne({ _id: 1, price: Decimal128("0.10") })
db.items.aggregate([{ $set: { sum: { $add: ["$price", Decimal128("0.20")] } } }])

# Double
db.items.insertMany([{ _id: 1, n: 5 }, { _id: 2, n: Double(5) }])
db.items.aggregate([{ $set: { type: { $type: "$n" } } }])

# EJSON
const text = EJSON.stringify({ n: Long(5), at: ISODate("2024-05-01") })
print(text)
EJSON.parse(text)

# HexData
db.items.insertOne({ _id: 1, data: HexData(0, "68656c6c6f") })
db.items.findOne()

# ISODate
db.items.insertMany([{ _id: 1, at: ISODate("2024-05-01T14:30:00Z") }, { _id: 2, at: ISODate("2023-01-01") }])
db.items.find({ at: { $gte: ISODate("2024-01-01") } })

# Int32
db.items.insertOne({ _id: 1, n: Int32(5) })
db.items.find({ n: { $type: "int" } })

# Long
db.items.insertOne({ _id: 1, n: Long("9007199254740993") })
db.items.findOne()

# MD5
MD5("5d41402abc4b2a76b9719d911017c592")

# MaxKey
db.items.insertMany([{ _id: 1, n: MaxKey() }, { _id: 2, n: 1e300 }, { _id: 3, n: "z" }])
db.items.find().sort({ n: -1 })

# MinKey
db.items.insertMany([{ _id: 1, n: MinKey() }, { _id: 2, n: -1e300 }, { _id: 3, n: null }])
db.items.find().sort({ n: 1 })

# Mongo
Mongo().getDBNames()

# NumberDecimal
db.items.insertOne({ _id: 1, price: NumberDecimal("5.20") })
db.items.find({ price: NumberDecimal("5.2") })

# NumberInt
db.items.insertOne({ _id: 1, n: NumberInt(5) })
db.items.find({ n: { $type: "int" } })

# NumberLong
db.items.insertOne({ _id: 1, n: NumberLong("9007199254740993") })
db.items.findOne()

# ObjectID
ObjectID("507f1f77bcf86cd799439011")

# ObjectId
const id = ObjectId("507f1f77bcf86cd799439011")
db.items.insertOne({ _id: id })
id.getTimestamp()

# Timestamp
db.items.insertOne({ _id: 1, ts: Timestamp(1714573800, 7) })
db.items.aggregate([{ $set: { seconds: { $tsSecond: "$ts" } } }])

# UUID
db.items.insertOne({ _id: UUID("7b6b9a3e-3a51-4d0e-9c3f-0a4b5c6d7e8f") })
db.items.findOne()

# assert
db.items.insertOne({ _id: 1 })
assert(db.items.countDocuments() === 1, "one item")
assert.eq(2, 1 + 1)
"all is well"

# bsonsize
bsonsize({ name: "Sencha", price: 5 })

# cls
cls()
"nothing was cleared"

# config
config.set("displayBatchSize", 5)
config.get("displayBatchSize")

# connect
connect("mongodb://localhost:27017/shop").getName()

# console
console.log("tea", { price: 5 })

# doassert
try {
  doassert("no tea left")
} catch (error) {
  print(error.message)
}

# exit
print("before")
exit()

# help
help()

# hex_md5
hex_md5("tea")

# isInteractive
isInteractive()

# it
for (let n = 0; n < 25; n++) db.items.insertOne({ _id: n })
const first = db.items.find().batchSize(20)
first.next()
it

# load
load("data.js")

# passwordPrompt
passwordPrompt()

# print
print("tea", { _id: 1, price: 5 })

# printjson
printjson({ _id: 1, tags: ["green", "new"] })

# printjsononeline
printjsononeline({ _id: 1, tags: ["green", "new"] })

# quit
print("before")
quit()

# rs
rs.hello()

# sh
let told
try {
  sh.status()
} catch (error) {
  told = error.message
}
told

# show
db.teas.insertOne({ _id: 1 })
show collections

# sleep
const before = Date.now()
sleep(50)
Date.now() - before >= 50

# tojson
tojson({ _id: 1, tags: ["green"] })

# tojsononeline
tojsononeline({ _id: 1, tags: ["green"] })

# use
use reference_shop
db.getName()

# version
version()
`);
