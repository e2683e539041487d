/**
 * The arguments of the shell's methods, by the object that they are called on; `?` marks those that can be left out.
 *
 * Invariant: every method of `shell-words.ts` is here once, but for those of `explain()`, whose arguments are those of
 * the collection's method.
 */

const signatures = (text: string): ReadonlyMap<string, string> =>
  new Map([...text.matchAll(/^(\w+)(\(.*\))$/gm)].map((line) => [line[1] ?? "", line[2] ?? ""]));

/** Each method's arguments, with their parentheses. */
export const methodSignatures = {
  database: signatures(`
adminCommand(command)
aggregate(pipeline, options?)
changeUserPassword(name, password)
commandHelp(command)
createCollection(name, options?)
createRole(role)
createUser(user)
createView(name, source, pipeline, options?)
currentOp(filter?)
dropAllRoles()
dropAllUsers()
dropDatabase()
dropRole(name)
dropUser(name)
getCollection(name)
getCollectionInfos(filter?, options?)
getCollectionNames()
getLogComponents()
getMongo()
getName()
getProfilingLevel()
getProfilingStatus()
getRole(name, options?)
getRoles(options?)
getSiblingDB(name)
getSisterDB(name)
getUser(name, options?)
getUsers(options?)
grantPrivilegesToRole(name, privileges)
grantRolesToRole(name, roles)
grantRolesToUser(name, roles)
hello()
hostInfo()
isMaster()
killOp(number)
listCommands()
printCollectionStats()
revokePrivilegesFromRole(name, privileges)
revokeRolesFromRole(name, roles)
revokeRolesFromUser(name, roles)
runCommand(command, options?)
serverBuildInfo()
serverCmdLineOpts()
serverStatus(options?)
setLogLevel(level, component?)
setProfilingLevel(level, options?)
stats(scale?)
updateRole(name, changes)
updateUser(name, changes)
version()
watch(pipeline?, options?)`),

  quire: signatures(`
bookmark(name)
moments()
restore(name, options?)`),

  collection: signatures(`
aggregate(pipeline, options?)
bulkWrite(operations, options?)
convertToCapped(bytes)
count(filter?, options?)
countDocuments(filter?, options?)
createIndex(keys, options?)
createIndexes([keys, …], options?)
dataSize()
deleteMany(filter, options?)
deleteOne(filter, options?)
distinct(field, filter?, options?)
drop()
dropIndex(nameOrKeys)
dropIndexes(names?)
ensureIndex(keys, options?)
estimatedDocumentCount(options?)
exists()
explain(verbosity?)
find(filter?, projection?, options?)
findAndModify({ query, update, … })
findOne(filter?, projection?, options?)
findOneAndDelete(filter, options?)
findOneAndReplace(filter, replacement, options?)
findOneAndUpdate(filter, update, options?)
getCollection(name)
getDB()
getFullName()
getIndexKeys()
getIndexSpecs()
getIndexes()
getIndices()
getMongo()
getName()
getPlanCache()
hideIndex(nameOrKeys)
initializeOrderedBulkOp()
initializeUnorderedBulkOp()
insert(documents, options?)
insertMany([document, …], options?)
insertOne(document, options?)
isCapped()
latencyStats(options?)
mapReduce(map, reduce, options?)
remove(filter, options?)
renameCollection(to, dropTarget?)
replaceOne(filter, replacement, options?)
runCommand(command, options?)
save(document, options?)
stats(options?)
storageSize()
totalIndexSize()
totalSize()
unhideIndex(nameOrKeys)
update(filter, update, options?)
updateMany(filter, update, options?)
updateOne(filter, update, options?)
validate(options?)
watch(pipeline?, options?)`),

  cursor: signatures(`
addOption(flag)
allowDiskUse(allow?)
allowPartialResults()
batchSize(count)
close()
collation({ locale, … })
comment(text)
count(applySkipLimit?)
explain(verbosity?)
forEach(document => …)
getId()
hasNext()
hint(nameOrKeys)
isClosed()
isExhausted()
itcount()
length()
limit(count)
map(document => …)
max(keys)
maxAwaitTimeMS(milliseconds)
maxTimeMS(milliseconds)
min(keys)
next()
noCursorTimeout()
objsLeftInBatch()
pretty()
projection(fields)
readConcern(level)
readPref(mode)
returnKey(enabled?)
showDiskLoc()
showRecordId(enabled?)
size()
skip(count)
sort(order)
tailable(options?)
toArray()
tryNext()`),
} as const;

/** How an argument is begun, by the word for it in the signature. */
const begun: Readonly<Record<string, string>> = {
  filter: "{ ${} }",
  keys: "{ ${} }",
  order: "{ ${} }",
  fields: "{ ${} }",
  command: "{ ${} }",
  document: "{ ${} }",
  documents: "{ ${} }",
  replacement: "{ ${} }",
  update: "{ ${} }",
  pipeline: "[${}]",
  operations: "[${}]",
  "[document, …]": "[{ ${} }]",
  "[keys, …]": "[{ ${} }]",
  "{ locale, … }": '{ locale: "${}" }',
  "{ query, update, … }": "{ query: { ${} }, update: { ${} } }",
  "document => …": "(document) => ${}",
  name: '"${}"',
  source: '"${}"',
  to: '"${}"',
  field: '"${}"',
  text: '"${}"',
};

/** A call to be filled in: the arguments which have to be given, and a filter where one can be. */
export function methodTemplate(name: string, signature: string): string {
  const written = [...signature.slice(1, -1).matchAll(/\{[^}]*\}|\[[^\]]*\]|[^,\s][^,]*/g)].map(([word]) => word);
  const given = written.filter((word, index) => !word.endsWith("?") || (index === 0 && word === "filter?"));
  const parts = given.map((word) => begun[word.replace(/\?$/, "")] ?? "${}");
  return `${name}(${parts.length === 0 && signature !== "()" ? "${}" : parts.join(", ")})`;
}
