/**
 * An example of each command.
 *
 * Invariant: a script makes its own data in an empty database, and its last value shows the command's reply.
 */
import { scripts } from "./read.ts";

export const commandScripts = scripts(`
# abortTransaction
const { id } = db.adminCommand({ startSession: 1 })
db.runCommand({
  insert: "teas",
  documents: [{ _id: 1 }],
  lsid: id,
  txnNumber: NumberLong(1),
  startTransaction: true,
  autocommit: false,
})
db.adminCommand({ abortTransaction: 1, lsid: id, txnNumber: NumberLong(1), autocommit: false })
db.teas.countDocuments()

# aggregate
db.teas.insertMany([{ _id: 1, type: "green" }, { _id: 2, type: "black" }, { _id: 3, type: "green" }])
db.runCommand({
  aggregate: "teas",
  pipeline: [{ $group: { _id: "$type", n: { $sum: 1 } } }, { $sort: { _id: 1 } }],
  cursor: {},
})

# buildInfo
db.runCommand({ buildInfo: 1 })

# buildinfo
db.runCommand({ buildinfo: 1 })

# bulkWrite
db.adminCommand({
  bulkWrite: 1,
  ops: [
    { insert: 0, document: { _id: 1, name: "Sencha" } },
    { insert: 1, document: { _id: 1, tea: 1 } },
    { update: 0, filter: { _id: 1 }, updateMods: { $set: { price: 5 } } },
  ],
  nsInfo: [{ ns: \`\${db}.teas\` }, { ns: \`\${db}.orders\` }],
})

# cloneCollectionAsCapped
db.log.insertMany([{ _id: 1 }, { _id: 2 }])
db.runCommand({ cloneCollectionAsCapped: "log", toCollection: "recent", size: 65536 })
db.recent.isCapped()

# collMod
db.teas.createIndex({ price: 1 })
db.runCommand({ collMod: "teas", index: { keyPattern: { price: 1 }, hidden: true } })

# collStats
db.teas.insertMany([{ _id: 1, name: "Sencha" }, { _id: 2, name: "Gyokuro" }])
db.runCommand({ collStats: "teas" })

# collstats
db.teas.insertMany([{ _id: 1, name: "Sencha" }, { _id: 2, name: "Gyokuro" }])
db.runCommand({ collstats: "teas" })

# commitTransaction
const { id } = db.adminCommand({ startSession: 1 })
db.runCommand({
  insert: "teas",
  documents: [{ _id: 1 }],
  lsid: id,
  txnNumber: NumberLong(1),
  startTransaction: true,
  autocommit: false,
})
db.adminCommand({ commitTransaction: 1, lsid: id, txnNumber: NumberLong(1), autocommit: false })
db.teas.countDocuments()

# compact
for (let n = 0; n < 500; n++) db.teas.insertOne({ _id: n, text: "leaf ".repeat(50) })
db.teas.deleteMany({ _id: { $gte: 50 } })
db.runCommand({ compact: "teas", force: true })

# connectionStatus
db.runCommand({ connectionStatus: 1 })

# convertToCapped
db.log.insertMany([{ _id: 1 }, { _id: 2 }])
db.runCommand({ convertToCapped: "log", size: 65536 })

# count
db.teas.insertMany([{ _id: 1, price: 5 }, { _id: 2, price: 12 }])
db.runCommand({ count: "teas", query: { price: { $gt: 5 } } })

# create
db.runCommand({ create: "log", capped: true, size: 65536, max: 100 })
db.runCommand({ listCollections: 1 })

# createIndexes
db.teas.insertOne({ _id: 1, name: "Sencha" })
db.runCommand({ createIndexes: "teas", indexes: [{ key: { name: 1 }, name: "by name", unique: true }] })

# createRole
db.runCommand({ createRole: "keeper", privileges: [], roles: ["read"] })

# createUser
db.runCommand({ createUser: "ada", pwd: "secret", roles: ["readWrite"] })

# currentOp
db.adminCommand({ currentOp: 1 })

# dataSize
db.teas.insertMany([{ _id: 1, name: "Sencha" }, { _id: 2, name: "Gyokuro" }])
db.runCommand({ dataSize: \`\${db}.teas\` })

# datasize
db.teas.insertOne({ _id: 1, name: "Sencha" })
db.runCommand({ datasize: \`\${db}.teas\` })

# dbHash
db.teas.insertOne({ _id: 1, name: "Sencha" })
db.runCommand({ dbHash: 1 })

# dbStats
db.teas.insertOne({ _id: 1, name: "Sencha" })
db.runCommand({ dbStats: 1, scale: 1024 })

# dbhash
db.teas.insertOne({ _id: 1, name: "Sencha" })
db.runCommand({ dbhash: 1 })

# dbstats
db.teas.insertOne({ _id: 1, name: "Sencha" })
db.runCommand({ dbstats: 1 })

# delete
db.teas.insertMany([{ _id: 1, sold: true }, { _id: 2 }])
db.runCommand({ delete: "teas", deletes: [{ q: { sold: true }, limit: 0 }] })

# deleteIndexes
db.teas.createIndex({ name: 1 })
db.runCommand({ deleteIndexes: "teas", index: "name_1" })

# distinct
db.teas.insertMany([{ _id: 1, type: "green" }, { _id: 2, type: "black" }, { _id: 3, type: "green" }])
db.runCommand({ distinct: "teas", key: "type" })

# drop
db.teas.insertOne({ _id: 1 })
db.runCommand({ drop: "teas" })

# dropAllRolesFromDatabase
db.runCommand({ createRole: "keeper", privileges: [], roles: [] })
db.runCommand({ dropAllRolesFromDatabase: 1 })

# dropAllUsersFromDatabase
db.runCommand({ createUser: "ada", pwd: "secret", roles: [] })
db.runCommand({ dropAllUsersFromDatabase: 1 })

# dropDatabase
db.teas.insertOne({ _id: 1 })
db.runCommand({ dropDatabase: 1 })

# dropIndexes
db.teas.createIndexes([{ name: 1 }, { price: 1 }])
db.runCommand({ dropIndexes: "teas", index: { name: 1 } })

# dropRole
db.runCommand({ createRole: "keeper", privileges: [], roles: [] })
db.runCommand({ dropRole: "keeper" })

# dropUser
db.runCommand({ createUser: "ada", pwd: "secret", roles: [] })
db.runCommand({ dropUser: "ada" })

# endSessions
const { id } = db.adminCommand({ startSession: 1 })
db.adminCommand({ endSessions: [id] })

# explain
db.teas.createIndex({ price: 1 })
db.teas.insertMany([{ _id: 1, price: 5 }, { _id: 2, price: 12 }])
db.runCommand({ explain: { find: "teas", filter: { price: 5 } }, verbosity: "executionStats" })

# features
db.runCommand({ features: 1 })

# find
db.teas.insertMany([{ _id: 1, price: 5 }, { _id: 2, price: 12 }, { _id: 3, price: 8 }])
db.runCommand({ find: "teas", filter: { price: { $gt: 5 } }, sort: { price: 1 }, limit: 5 })

# findAndModify
db.teas.insertOne({ _id: 1, stock: 3 })
db.runCommand({ findAndModify: "teas", query: { _id: 1 }, update: { $inc: { stock: -1 } }, new: true })

# findandmodify
db.teas.insertOne({ _id: 1, stock: 3 })
db.runCommand({ findandmodify: "teas", query: { _id: 1 }, remove: true })

# fsync
db.adminCommand({ fsync: 1 })

# fsyncUnlock
let refusal
try {
  db.adminCommand({ fsyncUnlock: 1 })
} catch (error) {
  refusal = error.codeName
}
refusal

# getClusterParameter
db.adminCommand({ getClusterParameter: "changeStreamOptions" })

# getCmdLineOpts
db.adminCommand({ getCmdLineOpts: 1 })

# getDefaultRWConcern
db.adminCommand({ getDefaultRWConcern: 1 })

# getLog
db.adminCommand({ getLog: "*" })

# getMore
db.teas.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }])
const { cursor } = db.runCommand({ find: "teas", batchSize: 2 })
db.runCommand({ getMore: cursor.id, collection: "teas" })

# getParameter
db.adminCommand({ getParameter: 1, cursorTimeoutMillis: 1 })

# grantPrivilegesToRole
db.runCommand({ createRole: "keeper", privileges: [], roles: [] })
db.runCommand({
  grantPrivilegesToRole: "keeper",
  privileges: [{ resource: { db: "shop", collection: "teas" }, actions: ["find"] }],
})

# grantRolesToRole
db.runCommand({ createRole: "keeper", privileges: [], roles: [] })
db.runCommand({ grantRolesToRole: "keeper", roles: ["read"] })

# grantRolesToUser
db.runCommand({ createUser: "ada", pwd: "secret", roles: [] })
db.runCommand({ grantRolesToUser: "ada", roles: ["read"] })

# hello
db.runCommand({ hello: 1 })

# hostInfo
db.adminCommand({ hostInfo: 1 })

# insert
db.runCommand({ insert: "teas", documents: [{ _id: 1, name: "Sencha" }, { _id: 2, name: "Gyokuro" }] })

# isMaster
db.runCommand({ isMaster: 1 })

# ismaster
db.runCommand({ ismaster: 1 })

# killAllSessions
db.adminCommand({ killAllSessions: [] })

# killAllSessionsByPattern
const { id } = db.adminCommand({ startSession: 1 })
db.adminCommand({ killAllSessionsByPattern: [{ lsid: id }] })

# killCursors
db.teas.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }])
const { cursor } = db.runCommand({ find: "teas", batchSize: 2 })
db.runCommand({ killCursors: "teas", cursors: [cursor.id] })

# killOp
db.adminCommand({ killOp: 1, op: 1 })

# killSessions
const { id } = db.adminCommand({ startSession: 1 })
db.adminCommand({ killSessions: [id] })

# listCollections
db.teas.insertOne({ _id: 1 })
db.runCommand({ listCollections: 1, nameOnly: true })

# listCommands
Object.keys(db.runCommand({ listCommands: 1 }).commands)

# listDatabases
db.teas.insertOne({ _id: 1 })
db.adminCommand({ listDatabases: 1, nameOnly: true })

# listIndexes
db.teas.createIndex({ name: 1 })
db.runCommand({ listIndexes: "teas" })

# lockInfo
db.adminCommand({ lockInfo: 1 })

# mapReduce
db.teas.insertMany([{ _id: 1, type: "green", n: 3 }, { _id: 2, type: "black", n: 1 }, { _id: 3, type: "green", n: 4 }])
db.runCommand({
  mapReduce: "teas",
  map: function () { emit(this.type, this.n) },
  reduce: function (type, counts) { return Array.sum(counts) },
  out: { inline: 1 },
})

# mapreduce
db.teas.insertMany([{ _id: 1, type: "green", n: 3 }, { _id: 2, type: "green", n: 4 }])
db.runCommand({
  mapreduce: "teas",
  map: function () { emit(this.type, this.n) },
  reduce: function (type, counts) { return Array.sum(counts) },
  out: { inline: 1 },
})

# ping
db.runCommand({ ping: 1 })

# planCacheClear
db.teas.createIndexes([{ a: 1 }, { b: 1 }])
for (let n = 0; n < 50; n++) db.teas.insertOne({ _id: n, a: n % 5, b: n % 7 })
db.teas.find({ a: 1, b: 1 }).toArray()
db.runCommand({ planCacheClear: "teas" })

# planCacheClearFilters
db.teas.createIndexes([{ a: 1 }, { b: 1 }])
db.runCommand({ planCacheSetFilter: "teas", query: { a: 1, b: 1 }, indexes: [{ b: 1 }] })
db.runCommand({ planCacheClearFilters: "teas" })

# planCacheListFilters
db.teas.createIndexes([{ a: 1 }, { b: 1 }])
db.runCommand({ planCacheSetFilter: "teas", query: { a: 1, b: 1 }, indexes: [{ b: 1 }] })
db.runCommand({ planCacheListFilters: "teas" })

# planCacheSetFilter
db.teas.createIndexes([{ a: 1 }, { b: 1 }])
db.runCommand({ planCacheSetFilter: "teas", query: { a: 1, b: 1 }, indexes: [{ b: 1 }] })
db.teas.find({ a: 1, b: 1 }).explain().queryPlanner.winningPlan

# profile
db.runCommand({ profile: 2 })
db.teas.find({ price: 5 })
db.runCommand({ profile: 0 })

# quireAt
db.teas.insertOne({ _id: 1, stock: 3 })
const { number } = db.adminCommand({ quireMoment: 1 })
db.teas.updateOne({ _id: 1 }, { $set: { stock: 0 } })
db.runCommand({ quireAt: number, command: { find: "teas" } })

# quireClock
db.adminCommand({ quireClock: 1, advanceMillis: NumberLong(60000) })
db.adminCommand({ quireClock: 1, reset: true })

# quireDifference
db.teas.insertMany([{ _id: 1, stock: 3 }, { _id: 2, stock: 8 }])
const { number } = db.adminCommand({ quireMoment: 1 })
db.teas.updateOne({ _id: 1 }, { $set: { stock: 0 } })
db.runCommand({ quireDifference: "teas", from: number })

# quireDropMoment
db.teas.insertOne({ _id: 1, stock: 3 })
const { number } = db.adminCommand({ quireMoment: 1 })
db.adminCommand({ quireDropMoment: number })

# quireFork
db.teas.insertMany([{ _id: 1, price: 5 }, { _id: 2, price: 12 }])
db.runCommand({
  quireFork: 1,
  commands: [
    { delete: "teas", deletes: [{ q: {}, limit: 0 }] },
    { count: "teas" },
  ],
})
db.teas.countDocuments()

# quireMoment
db.teas.insertOne({ _id: 1, stock: 3 })
db.adminCommand({ quireMoment: 1, what: "one tea" })

# quireMoments
db.teas.insertOne({ _id: 1, stock: 3 })
db.adminCommand({ quireMoment: 1, what: "one tea" })
db.adminCommand({ quireMoments: 1 }).moments.at(-1)

# quireNameMoment
db.teas.insertOne({ _id: 1, stock: 3 })
const { number } = db.adminCommand({ quireMoment: 1 })
db.adminCommand({ quireNameMoment: number, name: \`stock of \${number}\` })

# quireObserve
db.teas.createIndex({ price: 1 })
db.teas.insertMany([{ _id: 1, price: 5 }, { _id: 2, price: 12 }])
const { observed } = db.runCommand({ quireObserve: 1, command: { find: "teas", filter: { price: 5 } } })
const { keysExamined, documentsExamined, pagesRead } = observed
;({ keysExamined, documentsExamined, pagesRead })

# quireOplog
db.adminCommand({ quireOplog: 1, enabled: true })

# quirePage
db.teas.insertOne({ _id: 1, name: "Sencha" })
const { root } = db.runCommand({ quireTree: "teas", index: "_id_" })
const { owner, fields } = db.runCommand({ quirePage: root })
;({ owner, fields: fields.slice(0, 5) })

# quirePages
db.teas.insertOne({ _id: 1, name: "Sencha" })
const { pages, pageBytes, owners } = db.runCommand({ quirePages: 1 })
;({ pages, pageBytes, own: owners.filter((owner) => owner.ns === \`\${db}.teas\`) })

# quireRestore
db.teas.insertOne({ _id: 1, stock: 3 })
const { number } = db.adminCommand({ quireMoment: 1 })
db.teas.updateOne({ _id: 1 }, { $set: { stock: 0 } })
db.adminCommand({ quireRestore: number, database: db.getName() })
db.teas.find()

# quireRun
db.adminCommand({ quireRun: "begin" })
db.teas.insertOne({ _id: 1, stock: 3 })
db.teas.updateOne({ _id: 1 }, { $inc: { stock: 1 } })
db.adminCommand({ quireRun: "end", what: "one tea" })

# quireSalvage
try {
  db.adminCommand({ quireSalvage: 1 })
} catch (error) {
  print(error.message)
}

# quireTree
db.teas.createIndex({ price: 1 })
db.teas.insertMany([{ _id: 1, price: 5 }, { _id: 2, price: 12 }])
db.runCommand({ quireTree: "teas", index: "price_1" })

# reIndex
db.teas.insertOne({ _id: 1, price: 5 })
let answer
try {
  answer = db.runCommand({ reIndex: "teas" })
} catch (error) {
  answer = error.codeName
}
answer

# refreshSessions
const { id } = db.adminCommand({ startSession: 1 })
db.adminCommand({ refreshSessions: [id] })

# removeQuerySettings
db.teas.insertOne({ _id: 1, a: 1, b: 1 })
const query = { find: "teas", filter: { a: 1, b: 1 }, $db: \`\${db}\` }
db.adminCommand({ setQuerySettings: query, settings: { reject: true } })
db.adminCommand({ removeQuerySettings: query })
db.teas.find({ a: 1, b: 1 })

# renameCollection
db.teas.insertOne({ _id: 1 })
db.adminCommand({ renameCollection: \`\${db}.teas\`, to: \`\${db}.herbs\` })
db.getCollectionNames()

# replSetGetConfig
db.adminCommand({ replSetGetConfig: 1 })

# replSetGetStatus
db.adminCommand({ replSetGetStatus: 1 })

# replSetInitiate
let refusal
try {
  db.adminCommand({ replSetInitiate: {} })
} catch (error) {
  refusal = error.codeName
}
refusal

# revokePrivilegesFromRole
db.runCommand({ createRole: "keeper", privileges: [], roles: [] })
db.runCommand({
  revokePrivilegesFromRole: "keeper",
  privileges: [{ resource: { db: "shop", collection: "teas" }, actions: ["find"] }],
})

# revokeRolesFromRole
db.runCommand({ createRole: "keeper", privileges: [], roles: ["read"] })
db.runCommand({ revokeRolesFromRole: "keeper", roles: ["read"] })

# revokeRolesFromUser
db.runCommand({ createUser: "ada", pwd: "secret", roles: ["read"] })
db.runCommand({ revokeRolesFromUser: "ada", roles: ["read"] })

# rolesInfo
db.runCommand({ rolesInfo: 1, showBuiltinRoles: true })

# serverStatus
db.runCommand({ serverStatus: 1, metrics: 0 })

# setClusterParameter
db.adminCommand({ setClusterParameter: { changeStreamOptions: { preAndPostImages: { expireAfterSeconds: 100 } } } })

# setDefaultRWConcern
db.adminCommand({ setDefaultRWConcern: 1, defaultWriteConcern: { w: "majority" } })

# setFeatureCompatibilityVersion
db.adminCommand({ setFeatureCompatibilityVersion: "8.2", confirm: true })

# setParameter
db.adminCommand({ setParameter: 1, cursorTimeoutMillis: 300000 })

# setQuerySettings
db.teas.createIndexes([{ a: 1 }, { b: 1 }])
db.adminCommand({
  setQuerySettings: { find: "teas", filter: { a: 1, b: 1 }, $db: \`\${db}\` },
  settings: { indexHints: { ns: { db: \`\${db}\`, coll: "teas" }, allowedIndexes: ["b_1"] } },
})
db.teas.find({ a: 5, b: 7 }).explain().queryPlanner.winningPlan.inputStage.indexName

# startSession
db.adminCommand({ startSession: 1 })

# top
db.teas.insertOne({ _id: 1, name: "Sencha" })
db.adminCommand({ top: 1 })

# update
db.teas.insertMany([{ _id: 1, price: 5 }, { _id: 2, price: 12 }])
db.runCommand({ update: "teas", updates: [{ q: { price: { $gt: 5 } }, u: { $inc: { price: 1 } }, multi: true }] })

# updateRole
db.runCommand({ createRole: "keeper", privileges: [], roles: [] })
db.runCommand({ updateRole: "keeper", roles: ["read"] })

# updateUser
db.runCommand({ createUser: "ada", pwd: "secret", roles: [] })
db.runCommand({ updateUser: "ada", roles: ["read"] })

# usersInfo
db.runCommand({ createUser: "ada", pwd: "secret", roles: ["read"] })
db.runCommand({ usersInfo: 1 })

# validate
db.teas.createIndex({ price: 1 })
db.teas.insertMany([{ _id: 1, price: 5 }, { _id: 2, price: 12 }])
db.runCommand({ validate: "teas", full: true })

# validateDBMetadata
db.runCommand({ validateDBMetadata: 1, apiParameters: { version: "1", strict: true } })

# whatsmyuri
db.runCommand({ whatsmyuri: 1 })
`);
