// quireObserve: a command's reply, and what its run examined and touched. See docs/xray.md
const observe = (command) => {
  try {
    const { reply, observed } = db.runCommand({ quireObserve: 1, command })
    const { explain, read, written, millis, more, ...counts } = observed
    return { reply, counts, read: read.length, written: written.length, explain, more: more && more.length }
  } catch (e) { return e.code + " " + e.codeName + " " + e.message }
}
const stages = (stage) => stage === undefined ? [] :
  [[stage.stage, stage.nReturned, stage.keysExamined ?? stage.docsExamined ?? null, stage.quire?.pagesRead ?? null],
    ...stages(stage.inputStage), ...(stage.inputStages ?? []).flatMap(stages)]
const plan = (command) => {
  const { reply, counts, explain, more } = observe(command)
  const stats = explain.executionStats
  if (counts.pagesWritten > 0) [counts.pagesRead, counts.pagesWritten] = ["some", "some"]
  return { counts, more, returned: stats.nReturned, keys: stats.totalKeysExamined, docs: stats.totalDocsExamined,
    rejected: explain.queryPlanner.rejectedPlans.length, stages: stages(stats.executionStages) }
}
db.teas.insertMany([...Array(7000)].map((_, i) => ({ _id: i, price: i % 100, kind: "k" + i % 7, tags: [i % 3, i % 5] })))
db.teas.createIndex({ price: 1 })
db.teas.createIndex({ kind: 1, price: 1 })
//> kind_1_price_1
plan({ find: "teas", filter: {}, limit: 5 })
//> {
//>   counts: {
//>     keysExamined: 0,
//>     documentsExamined: 5,
//>     pagesRead: 2,
//>     pagesWritten: 0,
//>     documentsInserted: 0,
//>     documentsUpdated: 0,
//>     documentsDeleted: 0
//>   },
//>   more: 0,
//>   returned: 5,
//>   keys: 0,
//>   docs: 5,
//>   rejected: 0,
//>   stages: [ [ 'LIMIT', 5, null, 0 ], [ 'COLLSCAN', 5, 5, 2 ] ]
//> }
plan({ find: "teas", filter: { price: { $gte: 90 } }, batchSize: 20 })
//> {
//>   counts: {
//>     keysExamined: 20,
//>     documentsExamined: 20,
//>     pagesRead: 13,
//>     pagesWritten: 0,
//>     documentsInserted: 0,
//>     documentsUpdated: 0,
//>     documentsDeleted: 0
//>   },
//>   more: 0,
//>   returned: 20,
//>   keys: 20,
//>   docs: 20,
//>   rejected: 0,
//>   stages: [ [ 'FETCH', 20, 20, 11 ], [ 'IXSCAN', 20, 20, 2 ] ]
//> }
plan({ find: "teas", filter: { price: 5, kind: "k1" }, limit: 3 })
//> {
//>   counts: {
//>     keysExamined: 3,
//>     documentsExamined: 3,
//>     pagesRead: 6,
//>     pagesWritten: 0,
//>     documentsInserted: 0,
//>     documentsUpdated: 0,
//>     documentsDeleted: 0
//>   },
//>   more: 0,
//>   returned: 3,
//>   keys: 3,
//>   docs: 3,
//>   rejected: 1,
//>   stages: [
//>     [ 'LIMIT', 3, null, 0 ],
//>     [ 'FETCH', 3, 3, 4 ],
//>     [ 'IXSCAN', 3, 3, 2 ]
//>   ]
//> }
plan({ find: "teas", filter: { $or: [{ price: 3 }, { kind: "k2", price: { $lt: 4 } }] }, sort: { _id: 1 }, limit: 4 })
//> {
//>   counts: {
//>     keysExamined: 104,
//>     documentsExamined: 104,
//>     pagesRead: 4,
//>     pagesWritten: 0,
//>     documentsInserted: 0,
//>     documentsUpdated: 0,
//>     documentsDeleted: 0
//>   },
//>   more: 0,
//>   returned: 4,
//>   keys: 104,
//>   docs: 104,
//>   rejected: 0,
//>   stages: [
//>     [ 'SUBPLAN', 4, null, 0 ],
//>     [ 'LIMIT', 4, null, 0 ],
//>     [ 'FETCH', 4, 104, 2 ],
//>     [ 'IXSCAN', 104, 104, 2 ]
//>   ]
//> }
plan({ count: "teas", query: { price: 4 } })
//> {
//>   counts: {
//>     keysExamined: 70,
//>     documentsExamined: 0,
//>     pagesRead: 2,
//>     pagesWritten: 0,
//>     documentsInserted: 0,
//>     documentsUpdated: 0,
//>     documentsDeleted: 0
//>   },
//>   more: 0,
//>   returned: 0,
//>   keys: 70,
//>   docs: 0,
//>   rejected: 0,
//>   stages: [ [ 'COUNT', 0, null, null ], [ 'COUNT_SCAN', 70, 70, 2 ] ]
//> }
plan({ count: "teas", query: {} })
//> {
//>   counts: {
//>     keysExamined: 0,
//>     documentsExamined: 0,
//>     pagesRead: 0,
//>     pagesWritten: 0,
//>     documentsInserted: 0,
//>     documentsUpdated: 0,
//>     documentsDeleted: 0
//>   },
//>   more: 0,
//>   returned: 0,
//>   keys: 0,
//>   docs: 0,
//>   rejected: 0,
//>   stages: [ [ 'RECORD_STORE_FAST_COUNT', 0, null, null ] ]
//> }
plan({ distinct: "teas", key: "kind", query: { price: { $lt: 50 } } })
//> {
//>   counts: {
//>     keysExamined: 3500,
//>     documentsExamined: 3500,
//>     pagesRead: 42,
//>     pagesWritten: 0,
//>     documentsInserted: 0,
//>     documentsUpdated: 0,
//>     documentsDeleted: 0
//>   },
//>   more: 0,
//>   returned: 3500,
//>   keys: 3500,
//>   docs: 3500,
//>   rejected: 0,
//>   stages: [ [ 'FETCH', 3500, 3500, 36 ], [ 'IXSCAN', 3500, 3500, 6 ] ]
//> }
plan({ update: "teas", updates: [{ q: { price: 7 }, u: { $set: { sold: true } }, multi: true }] })
//> {
//>   counts: {
//>     keysExamined: 70,
//>     documentsExamined: 70,
//>     pagesRead: 'some',
//>     pagesWritten: 'some',
//>     documentsInserted: 0,
//>     documentsUpdated: 70,
//>     documentsDeleted: 0
//>   },
//>   more: 0,
//>   returned: 0,
//>   keys: 70,
//>   docs: 70,
//>   rejected: 0,
//>   stages: [
//>     [ 'UPDATE', 0, null, null ],
//>     [ 'FETCH', 70, 70, 36 ],
//>     [ 'IXSCAN', 70, 70, 2 ]
//>   ]
//> }
plan({ update: "teas", updates: [{ q: { _id: 7 }, u: { $inc: { price: 1 } } }, { q: { _id: 8 }, u: { $inc: { price: 1 } } }] })
//> {
//>   counts: {
//>     keysExamined: 2,
//>     documentsExamined: 2,
//>     pagesRead: 'some',
//>     pagesWritten: 'some',
//>     documentsInserted: 0,
//>     documentsUpdated: 2,
//>     documentsDeleted: 0
//>   },
//>   more: 1,
//>   returned: 1,
//>   keys: 1,
//>   docs: 1,
//>   rejected: 0,
//>   stages: [ [ 'EXPRESS_IXSCAN', 1, 1, 4 ] ]
//> }
plan({ delete: "teas", deletes: [{ q: { _id: 9 }, limit: 1 }] })
//> {
//>   counts: {
//>     keysExamined: 1,
//>     documentsExamined: 1,
//>     pagesRead: 'some',
//>     pagesWritten: 'some',
//>     documentsInserted: 0,
//>     documentsUpdated: 0,
//>     documentsDeleted: 1
//>   },
//>   more: 0,
//>   returned: 0,
//>   keys: 1,
//>   docs: 1,
//>   rejected: 0,
//>   stages: [ [ 'EXPRESS_DELETE', 0, 1, 4 ] ]
//> }
plan({ findAndModify: "teas", query: { kind: "k3" }, sort: { price: 1 }, update: { $set: { sold: 1 } }, fields: { sold: 1 }, new: true })
//> {
//>   counts: {
//>     keysExamined: 1,
//>     documentsExamined: 1,
//>     pagesRead: 'some',
//>     pagesWritten: 'some',
//>     documentsInserted: 0,
//>     documentsUpdated: 1,
//>     documentsDeleted: 0
//>   },
//>   more: 0,
//>   returned: 1,
//>   keys: 1,
//>   docs: 1,
//>   rejected: 0,
//>   stages: [
//>     [ 'PROJECTION_DEFAULT', 1, null, null ],
//>     [ 'UPDATE', 1, null, null ],
//>     [ 'LIMIT', 1, null, 0 ],
//>     [ 'FETCH', 1, 1, 2 ],
//>     [ 'IXSCAN', 1, 1, 2 ]
//>   ]
//> }
const { reply, counts, explain } = observe({ insert: "teas", documents: [{ _id: "new" }] })
;[reply.n, counts.documentsInserted, explain]
//> [ 1, 1, undefined ]
const group = observe({ aggregate: "teas", pipeline: [{ $match: { price: { $lt: 2 } } }, { $group: { _id: "$kind", n: { $sum: 1 } } }, { $sort: { n: -1 } }, { $limit: 2 }], cursor: {} })
;[group.counts.keysExamined, group.counts.documentsExamined]
//> [ 140, 140 ]
group.explain.stages.map((stage) => [Object.keys(stage)[0], stage.nReturned ?? stage.$cursor.executionStats.nReturned])
//> [
//>   [ '$cursor', Long('140') ],
//>   [ '$group', Long('7') ],
//>   [ '$sort', Long('2') ]
//> ]
// A first page: only what it needed was read, and the cursor goes on.
const page = observe({ aggregate: "teas", pipeline: [{ $set: { double: { $multiply: ["$price", 2] } } }], cursor: { batchSize: 20 } })
page.counts.documentsExamined
//> 20
page.explain.stages.map((stage) => stage.nReturned ?? stage.$cursor.executionStats.totalDocsExamined)
//> [ Long('20'), Long('20') ]
const next = db.runCommand({ getMore: page.reply.cursor.id, collection: "teas", batchSize: 3 })
next.cursor.nextBatch.map((tea) => tea.double)
//> [ 42, 44, 46 ]
observe({ find: "nothing" }).explain.executionStats.executionStages.stage
//> EOF
db.createView("cheap", "teas", [{ $match: { price: 1 } }])
plan({ count: "cheap", query: { kind: "k1" } })
//> {
//>   counts: {
//>     keysExamined: 10,
//>     documentsExamined: 10,
//>     pagesRead: 13,
//>     pagesWritten: 0,
//>     documentsInserted: 0,
//>     documentsUpdated: 0,
//>     documentsDeleted: 0
//>   },
//>   more: 0,
//>   returned: 10,
//>   keys: 10,
//>   docs: 10,
//>   rejected: 1,
//>   stages: [ [ 'FETCH', 10, 10, 11 ], [ 'IXSCAN', 10, 10, 2 ] ]
//> }
// What fails, fails as it does alone; what cannot be observed is refused.
observe({ insert: "teas", documents: [{ _id: 1 }] }).reply.writeErrors[0].code
//> 11000
;[{ find: "teas", filter: { $no: 1 } }, { quireMoment: 1 }, { quireObserve: 1, command: { ping: 1 } }, { nothing: 1 }, {}, 5,
  { find: "teas", maxTimeMS: -1 }, { find: "teas", $db: "" }].map(observe)
//> [
//>   "2 BadValue unknown top level operator: $no. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.",
//>   "20 IllegalOperation quireObserve cannot run 'quireMoment'",
//>   "20 IllegalOperation quireObserve cannot run 'quireObserve'",
//>   "59 CommandNotFound no such command: 'nothing'",
//>   "59 CommandNotFound no such command: ''",
//>   "14 TypeMismatch BSON field 'quireObserve.command' is the wrong type 'int', expected type 'object'",
//>   '2 BadValue -1 value for maxTimeMS is out of range [0, 2147483647]',
//>   "73 InvalidNamespace Invalid database name: ''"
//> ]
db.runCommand({ quireObserve: 1, command: { ping: 1 }, other: 1 })
//> MongoServerError[IDLUnknownField]: BSON field 'quireObserve.other' is an unknown field.
// A command that changes a definition alone writes the catalog's row; one that changes nothing writes no page. Building
// an index examines every document.
const cost = (command) => { const { counts } = observe(command); return [counts.documentsExamined, Math.sign(counts.pagesWritten)] }
db.cups.insertMany([{ _id: 1, a: 1 }, { _id: 2, a: [1, 2] }, { _id: 3 }]).insertedIds
//> { '0': 1, '1': 2, '2': 3 }
cost({ createIndexes: "cups", indexes: [{ key: { a: 1 }, name: "a_1" }, { key: { b: 1 }, name: "b_1" }] })
//> [ 6, 1 ]
cost({ createIndexes: "cups", indexes: [{ key: { a: 1 }, name: "a_1" }] })
//> [ 0, 0 ]
cost({ collMod: "cups", validator: { a: { $exists: true } } })
//> [ 0, 1 ]
cost({ collMod: "cups", validator: { a: { $exists: true } } })
//> [ 0, 0 ]
cost({ collMod: "cups", index: { name: "b_1", hidden: true } })
//> [ 0, 1 ]
db.cups.updateOne({ _id: 1 }, { $set: { a: 2 } }).modifiedCount
//> 1
cost({ collMod: "cups", index: { name: "b_1", hidden: true } })
//> [ 0, 0 ]
cost({ dropIndexes: "cups", index: "b_1" })
//> [ 0, 1 ]
cost({ dropIndexes: "cups", index: [] })
//> [ 0, 0 ]
cost({ renameCollection: "test.cups", to: "test.mugs", $db: "admin" })
//> [ 0, 1 ]
db.createView("v", "mugs", []).ok
//> 1
cost({ create: "w", viewOn: "mugs", pipeline: [] })
//> [ 0, 1 ]
cost({ collMod: "w", pipeline: [{ $match: { a: 1 } }] })
//> [ 0, 1 ]
cost({ drop: "w" })
//> [ 0, 1 ]
cost({ drop: "mugs" })
//> [ 0, 1 ]
cost({ drop: "mugs" })
//> [ 0, 0 ]
// A read on a moment is told as the read that it runs is, over the moment's collection; writes in several collections by the collection of each.
db.pots.insertMany([{ _id: 1, n: 1 }, { _id: 2, n: 2 }]).insertedIds
//> { '0': 1, '1': 2 }
db.adminCommand({ quireMoment: 1, name: "two pots" }).ok
//> 1
db.pots.drop()
//> true
const past = (command) => { const { explain } = observe({ quireAt: "two pots", command }); return [explain.queryPlanner.namespace, stages(explain.executionStats.executionStages).map(([name, returned]) => name + " " + returned)] }
past({ find: "pots", filter: { n: 1 } })
//> [ 'test.pots', [ 'COLLSCAN 1' ] ]
past({ count: "pots", query: { n: 1 } })
//> [ 'test.pots', [ 'COUNT 0', 'COLLSCAN 1' ] ]
past({ count: "pots" })
//> [ 'test.pots', [ 'RECORD_STORE_FAST_COUNT 0' ] ]
past({ distinct: "pots", key: "n" })
//> [ 'test.pots', [ 'COLLSCAN 2' ] ]
const one = { _id: 1, n: 1 }
const several = db.getSiblingDB("admin").runCommand({ quireObserve: 1, command: { bulkWrite: 1, nsInfo: [{ ns: "test.a" }, { ns: "test.b" }], ops: [{ insert: 0, document: one }, { insert: 1, document: one }, { update: 0, filter: one, updateMods: { $set: { n: 2 } } }, { delete: 1, filter: one }] } }).observed
;[several.explain, ...several.more].map(({ queryPlanner }) => queryPlanner.namespace)
//> [ 'test.a', 'test.b' ]
