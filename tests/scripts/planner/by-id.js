// One value of `_id`: the express path, IDHACK below what that path does not do, and a plan like any other where
// neither may be.

db.items.insertMany([{ _id: 1, n: 5, tags: ["a", "b"] }, { _id: NumberLong(2), n: 6 }, { _id: { a: 1 }, n: 7 }])
//> {
//>   acknowledged: true,
//>   insertedIds: { '0': 1, '1': Long('2'), '2': { a: 1 } }
//> }
const stages = (cursor) => {
  const names = []
  for (let stage = cursor.explain().queryPlanner.winningPlan; stage; stage = stage.inputStage) names.push(stage.stage)
  return names.join(" over ")
}

// What the express path does.
stages(db.items.find({ _id: 1 }))
//> EXPRESS_IXSCAN
stages(db.items.find({ _id: 1 }, { n: 1 }))
//> EXPRESS_IXSCAN
stages(db.items.find({ _id: { $eq: 1 } }).sort({ n: 1 }))
//> EXPRESS_IXSCAN

// Projections that leave out or compute, index keys, and batches of a given size are made of what IDHACK finds.
stages(db.items.find({ _id: 1 }, { m: { $add: ["$n", 1] } }))
//> PROJECTION_DEFAULT over IDHACK
stages(db.items.find({ _id: 1 }, { n: 0 }))
//> EXPRESS_IXSCAN
stages(db.items.find({ _id: 1 }, { tags: { $slice: 1 } }))
//> PROJECTION_DEFAULT over IDHACK
stages(db.items.find({ _id: 1 }).batchSize(5))
//> IDHACK
stages(db.items.find({ _id: 1 }).returnKey())
//> RETURN_KEY over IDHACK
stages(db.items.find({ _id: 1 }, { r: { $meta: "recordId" } }))
//> PROJECTION_DEFAULT over IDHACK
db.items.find({ _id: 1 }, { m: { $add: ["$n", 1] } }).explain().queryPlanner.winningPlan
//> {
//>   isCached: false,
//>   stage: 'PROJECTION_DEFAULT',
//>   transformBy: { m: { '$add': [ '$n', 1 ] } },
//>   inputStage: { stage: 'IDHACK' }
//> }
db.items.find({ _id: 1 }, { m: { $add: ["$n", 1] } }).sort({ n: -1 }).limit(3)
//> [ { _id: 1, m: 6 } ]
db.items.find({ _id: 1 }, { r: { $meta: "recordId" }, k: { $meta: "indexKey" }, n: 1 })
//> [ { _id: 1, n: 5, r: Long('1') } ]
db.items.find({ _id: 9 }, { m: { $add: ["$n", 1] } })
//>

// A key is the document's, not the value that it was looked for by.
db.items.find({ _id: 2 }).returnKey()
//> [ { _id: Long('2') } ]
db.items.find({ _id: { a: 1 } }).returnKey()
//> [ { _id: { a: 1 } } ]
db.items.find({ _id: 1 }).returnKey().explain("executionStats").executionStats.executionStages
//> {
//>   isCached: false,
//>   stage: 'RETURN_KEY',
//>   nReturned: 1,
//>   executionTimeMillisEstimate: 0,
//>   works: 2,
//>   advanced: 1,
//>   needTime: 0,
//>   needYield: 0,
//>   saveState: 0,
//>   restoreState: 0,
//>   isEOF: 1,
//>   inputStage: {
//>     stage: 'IDHACK',
//>     nReturned: 1,
//>     executionTimeMillisEstimate: 0,
//>     works: 2,
//>     advanced: 1,
//>     needTime: 0,
//>     needYield: 0,
//>     saveState: 0,
//>     restoreState: 0,
//>     isEOF: 1,
//>     keysExamined: 1,
//>     docsExamined: 1
//>   }
//> }

// Rows' numbers, hints, skipping and what is no single value need a plan.
stages(db.items.find({ _id: 1 }).showRecordId())
//> FETCH over IXSCAN
stages(db.items.find({ _id: 1 }, { m: "$n" }).hint({ _id: 1 }))
//> PROJECTION_DEFAULT over FETCH over IXSCAN
stages(db.items.find({ _id: 1 }, { m: "$n" }).skip(1))
//> PROJECTION_DEFAULT over FETCH over SKIP over IXSCAN
stages(db.items.find({ _id: { $in: [1, 2] } }, { m: "$n" }))
//> PROJECTION_DEFAULT over FETCH over IXSCAN
stages(db.items.find({ _id: 1, n: 5 }, { m: "$n" }))
//> PROJECTION_DEFAULT over FETCH over IXSCAN

// A clustered collection has no such index.
db.createCollection("clustered", { clusteredIndex: { key: { _id: 1 }, unique: true } })
//> { ok: 1 }
db.clustered.insertOne({ _id: 1, n: 5 })
//> { acknowledged: true, insertedId: 1 }
stages(db.clustered.find({ _id: 1 }, { m: "$n" }))
//> PROJECTION_DEFAULT over CLUSTERED_IXSCAN

// A write by one `_id` is its own look-up, unless it may insert or more is asked of it.
db.items.explain("executionStats").update({ _id: 1 }, { $set: { n: 9 } }).executionStats.executionStages
//> {
//>   isCached: false,
//>   stage: 'EXPRESS_UPDATE',
//>   nReturned: 0,
//>   executionTimeMillisEstimate: 0,
//>   keyPattern: '{ _id: 1 }',
//>   indexName: '_id_',
//>   keysExamined: 1,
//>   docsExamined: 1,
//>   nMatched: 1,
//>   nWouldModify: 1,
//>   nWouldUpsert: 0
//> }
db.items.explain("executionStats").remove({ _id: 1 }).executionStats.executionStages
//> {
//>   isCached: false,
//>   stage: 'EXPRESS_DELETE',
//>   nReturned: 0,
//>   executionTimeMillisEstimate: 0,
//>   keyPattern: '{ _id: 1 }',
//>   indexName: '_id_',
//>   keysExamined: 1,
//>   docsExamined: 1,
//>   nWouldDelete: 1
//> }
db.items.explain("executionStats").remove({ _id: 99 }).executionStats.executionStages
//> {
//>   isCached: false,
//>   stage: 'EXPRESS_DELETE',
//>   nReturned: 0,
//>   executionTimeMillisEstimate: 0,
//>   keyPattern: '{ _id: 1 }',
//>   indexName: '_id_',
//>   keysExamined: 0,
//>   docsExamined: 0,
//>   nWouldDelete: 0
//> }
db.items.explain().update({ _id: 1 }, { $set: { n: 9 } }, { upsert: true }).queryPlanner.winningPlan
//> { isCached: false, stage: 'UPDATE', inputStage: { stage: 'IDHACK' } }
db.items.explain().update({ _id: 1 }, { $set: { n: 9 } }, { hint: { _id: 1 } }).queryPlanner.winningPlan.stage
//> UPDATE
db.items.explain().findAndModify({ query: { _id: 1 }, remove: true }).queryPlanner.winningPlan
//> {
//>   isCached: false,
//>   stage: 'EXPRESS_DELETE',
//>   keyPattern: '{ _id: 1 }',
//>   indexName: '_id_'
//> }
// What a findAndModify gives is a projection above the write; a document of its own, without one.
stages({ explain: () => db.items.explain().findAndModify({ query: { _id: 1 }, remove: true, fields: { n: 1 } }) })
//> PROJECTION_DEFAULT over DELETE over IDHACK
stages({ explain: () => db.items.explain().findAndModify({ query: { n: 5 }, update: { $inc: { n: 1 } }, fields: { n: 1 } }) })
//> PROJECTION_DEFAULT over UPDATE over COLLSCAN
db.items.explain("executionStats").findAndModify({ query: { _id: 1 }, update: { $inc: { n: 1 } }, fields: { n: 1 } }).executionStats.executionStages
//> {
//>   isCached: false,
//>   stage: 'PROJECTION_DEFAULT',
//>   nReturned: 1,
//>   executionTimeMillisEstimate: 0,
//>   works: 1,
//>   advanced: 1,
//>   needTime: 0,
//>   needYield: 0,
//>   saveState: 0,
//>   restoreState: 0,
//>   isEOF: 1,
//>   transformBy: { n: 1 },
//>   inputStage: {
//>     stage: 'UPDATE',
//>     nReturned: 1,
//>     executionTimeMillisEstimate: 0,
//>     works: 1,
//>     advanced: 1,
//>     needTime: 0,
//>     needYield: 0,
//>     saveState: 0,
//>     restoreState: 0,
//>     isEOF: 1,
//>     nMatched: 1,
//>     nWouldModify: 1,
//>     nWouldUpsert: 0,
//>     inputStage: {
//>       stage: 'IDHACK',
//>       nReturned: 1,
//>       executionTimeMillisEstimate: 0,
//>       works: 1,
//>       advanced: 1,
//>       needTime: 0,
//>       needYield: 0,
//>       saveState: 0,
//>       restoreState: 0,
//>       isEOF: 1,
//>       keysExamined: 1,
//>       docsExamined: 1
//>     }
//>   }
//> }
db.items.explain("executionStats").findAndModify({ query: { _id: 1 }, update: { $inc: { n: 1 } } }).executionStats.executionStages.nReturned
//> 1
const given = (options) => db.items.explain("executionStats").findAndModify({ query: { _id: 99 }, update: { $inc: { n: 1 } }, upsert: true, ...options }).executionStats.nReturned
given({})
//> 0
given({ new: true })
//> 1
// Nothing is done where there is no collection.
db.nowhere.explain().findAndModify({ query: { n: 1 }, remove: true, fields: { n: 1 } }).queryPlanner.winningPlan
//> { isCached: false, stage: 'EOF' }
db.nowhere.explain().update({ _id: 1 }, { n: 1 }, { upsert: true }).queryPlanner.winningPlan
//> { isCached: false, stage: 'EOF' }
db.clustered.explain().remove({ _id: 1 }).queryPlanner.winningPlan
//> { isCached: false, stage: 'EXPRESS_DELETE' }
// A projection that only leaves out top-level fields is as simple as one that only keeps some.
[stages(db.items.find({ _id: 1 }, { _id: 0 })), stages(db.items.find({ _id: 1 }, { "tags.x": 0 })), stages(db.items.find({ _id: 1 }, { n: 0, tags: { $slice: 1 } })), stages(db.clustered.find({ _id: 1 }, { n: 0 }))]
//> [
//>   'EXPRESS_IXSCAN',
//>   'PROJECTION_DEFAULT over IDHACK',
//>   'PROJECTION_DEFAULT over IDHACK',
//>   'EXPRESS_CLUSTERED_IXSCAN'
//> ]
[stages(db.items.find({ n: 9 }, { n: 0, _id: 0 })), stages(db.items.find({ n: 9 }, { "n.x": 0 })), stages(db.items.find({ _id: { $gt: 1 } }, { n: 0 }))]
//> [
//>   'PROJECTION_SIMPLE over COLLSCAN',
//>   'PROJECTION_DEFAULT over COLLSCAN',
//>   'PROJECTION_SIMPLE over FETCH over IXSCAN'
//> ]
db.items.find({ _id: 1 }, { tags: 0 }).explain("executionStats").executionStats.executionStages
//> {
//>   isCached: false,
//>   stage: 'EXPRESS_IXSCAN',
//>   nReturned: 1,
//>   executionTimeMillisEstimate: 0,
//>   keyPattern: '{ _id: 1 }',
//>   indexName: '_id_',
//>   projection: { tags: 0 },
//>   keysExamined: 1,
//>   docsExamined: 1
//> }
db.items.find({ _id: 2 }, { _id: 0 })
//> [ { n: 6 } ]
