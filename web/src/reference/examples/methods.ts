/**
 * Examples of the shell's methods: the lines before and after the statement of `operator-syntax.ts`.
 *
 * Invariant: `@` stands for that statement; a method that is not here is called on the three teas of `TEAS`, and one of
 * `written` is followed by a look at them.
 */
import type { MethodKind } from "../../messages/operators/texts.ts";
import { scripts } from "./read.ts";

/** The documents that the methods' statements read and change. */
export const TEAS = `db.teas.insertMany([
  { _id: 1, name: "Sencha", type: "green", price: 12, stock: 3 },
  { _id: 2, name: "Hojicha", type: "roasted", price: 5, stock: 0 },
  { _id: 3, name: "Bancha", type: "green", price: 5, stock: 8, sold: true },
])`;

/** Methods after which the documents are shown. */
export const written = new Set(
  `bulkWrite deleteMany deleteOne findAndModify findOneAndDelete findOneAndReplace findOneAndUpdate insert insertMany
  insertOne remove replaceOne save update updateMany updateOne`.split(/\s+/),
);

export const methodScripts: Readonly<Partial<Record<MethodKind, ReadonlyMap<string, string>>>> = {
  database: scripts(`
# adminCommand
@

# aggregate
@

# changeUserPassword
db.createUser({ user: "ada", pwd: "secret", roles: ["readWrite"] })
@

# commandHelp
@

# createCollection
@
db.log.isCapped()

# createRole
@

# createUser
@

# createView
db.teas.insertMany([{ _id: 1, price: 4 }, { _id: 2, price: 12 }])
@
db.cheap.find()

# dropAllRoles
db.createRole({ role: "keeper", privileges: [], roles: [] })
@

# dropAllUsers
db.createUser({ user: "ada", pwd: "secret", roles: ["readWrite"] })
@

# dropDatabase
@

# dropRole
db.createRole({ role: "keeper", privileges: [], roles: [] })
@

# dropUser
db.createUser({ user: "ada", pwd: "secret", roles: ["readWrite"] })
@

# getCollection
db.getCollection("my-log").insertOne({ _id: 1 })
@

# getLogComponents
@

# getMongo
@

# getName
@

# getProfilingLevel
@

# getProfilingStatus
@

# getRole
db.createRole({ role: "keeper", privileges: [], roles: [] })
@

# getRoles
@

# getSiblingDB
db.getSiblingDB("reference_shop").teas.replaceOne({ _id: 1 }, { name: "Sencha" }, { upsert: true })
db.getSiblingDB("reference_shop").teas.find()

# getSisterDB
@

# getUser
db.createUser({ user: "ada", pwd: "secret", roles: ["readWrite"] })
@

# getUsers
db.createUser({ user: "ada", pwd: "secret", roles: ["readWrite"] })
@

# grantPrivilegesToRole
db.createRole({ role: "keeper", privileges: [], roles: [] })
@

# grantRolesToRole
db.createRole({ role: "keeper", privileges: [], roles: [] })
@

# grantRolesToUser
db.createUser({ user: "ada", pwd: "secret", roles: ["readWrite"] })
@

# hello
@

# hostInfo
@

# isMaster
@

# killOp
@

# listCommands
Object.keys(db.listCommands())

# revokePrivilegesFromRole
db.createRole({ role: "keeper", privileges: [], roles: [] })
@

# revokeRolesFromRole
db.createRole({ role: "keeper", privileges: [], roles: [] })
@

# revokeRolesFromUser
db.createUser({ user: "ada", pwd: "secret", roles: ["readWrite"] })
@

# serverBuildInfo
@

# serverCmdLineOpts
@

# serverStatus
@

# setLogLevel
@

# setProfilingLevel
@

# updateRole
db.createRole({ role: "keeper", privileges: [], roles: [] })
@

# updateUser
db.createUser({ user: "ada", pwd: "secret", roles: ["readWrite"] })
@

# version
@

# watch
const stream = db.watch()
db.teas.insertOne({ _id: 1 })
stream.tryNext().ns
`),

  collection: scripts(`
# convertToCapped
db.log.insertMany([{ _id: 1 }, { _id: 2 }])
@
db.log.isCapped()

# drop
db.teas.insertOne({ _id: 1 })
@

# dropIndex
db.teas.createIndex({ type: 1 })
@
db.teas.getIndexes()

# dropIndexes
db.teas.createIndexes([{ type: 1 }, { price: 1 }])
@
db.teas.getIndexes()

# hideIndex
db.teas.createIndex({ type: 1 })
@
db.teas.getIndexes()

# unhideIndex
db.teas.createIndex({ type: 1 }, { hidden: true })
@
db.teas.getIndexes()

# findOneAndDelete
db.teas.insertMany([{ _id: 1, stock: 0, at: 8 }, { _id: 2, stock: 0, at: 3 }])
@
db.teas.find()

# initializeOrderedBulkOp
@
bulk.insert({ _id: 1, name: "Sencha" })
bulk.find({ _id: 1 }).updateOne({ $set: { price: 5 } })
bulk.execute()

# initializeUnorderedBulkOp
@
bulk.insert({ _id: 1, name: "Sencha" })
bulk.insert({ _id: 2, name: "Gyokuro" })
bulk.execute()

# mapReduce
db.teas.insertMany([{ _id: 1, type: "green", n: 3 }, { _id: 2, type: "black", n: 1 }, { _id: 3, type: "green", n: 4 }])
const map = function () { emit(this.type, this.n) }
const reduce = function (type, counts) { return Array.sum(counts) }
@

# renameCollection
db.teas.insertOne({ _id: 1 })
@
db.getCollectionNames()

# getPlanCache
db.teas.createIndexes([{ a: 1 }, { b: 1 }])
for (let n = 0; n < 50; n++) db.teas.insertOne({ _id: n, a: n % 5, b: n % 7 })
db.teas.find({ a: 1, b: 1 }).toArray()
@.map((plan) => plan.createdFromQuery)
`),

  cursor: scripts(`
# batchSize
for (let n = 1; n <= 300; n++) db.teas.insertOne({ _id: n })
const cursor = @
cursor.next()
cursor.objsLeftInBatch()

# limit
for (let n = 1; n <= 12; n++) db.teas.insertOne({ _id: n })
@

# close
db.teas.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }])
const cursor = db.teas.find().batchSize(2)
cursor.next()
cursor.close()
cursor.isClosed()

# collation
db.teas.insertMany([{ _id: 1, name: "zimt" }, { _id: 2, name: "Ähre" }, { _id: 3, name: "Anis" }])
@

# hasNext
db.teas.insertMany([{ _id: 1 }, { _id: 2 }])
const cursor = db.teas.find()
@

# hint
db.teas.createIndex({ type: 1 })
db.teas.insertMany([{ _id: 1, type: "green" }, { _id: 2, type: "black" }])
@

# max
db.teas.createIndex({ price: 1 })
db.teas.insertMany([{ _id: 1, price: 5 }, { _id: 2, price: 12 }])
@

# min
db.teas.createIndex({ price: 1 })
db.teas.insertMany([{ _id: 1, price: 4 }, { _id: 2, price: 12 }])
@

# maxAwaitTimeMS
db.createCollection("log", { capped: true, size: 65536 })
db.log.insertOne({ _id: 1, line: "started" })
@

# returnKey
db.teas.createIndex({ type: 1 })
db.teas.insertMany([{ _id: 1, type: "green" }, { _id: 2, type: "black" }])
@

# skip
for (let n = 1; n <= 22; n++) db.teas.insertOne({ _id: n, name: "tea " + String(n).padStart(2, "0") })
@

# size
for (let n = 1; n <= 12; n++) db.teas.insertOne({ _id: n })
@

# tailable
db.createCollection("log", { capped: true, size: 65536 })
db.log.insertOne({ _id: 1, line: "started" })
@
`),

  quire: scripts(`
# bookmark
db.teas.insertOne({ _id: 1, stock: 3 })
quire.bookmark("start " + ObjectId())

# moments
db.teas.insertOne({ _id: 1, stock: 3 })
quire.bookmark("start " + ObjectId())
quire.moments().length

# restore
db.teas.insertOne({ _id: 1, stock: 3 })
const { number } = quire.bookmark("start " + ObjectId())
db.teas.updateOne({ _id: 1 }, { $set: { stock: 0 } })
quire.restore(number, { collection: "teas" })
db.teas.find()
`),
};
