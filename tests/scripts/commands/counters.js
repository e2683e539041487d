// Which counter of `serverStatus` each command adds to, and how long a collection's own counts stay with its name.
//
// Manual: reference/command/serverStatus (opcounters), reference/operator/aggregation/collStats (latencyStats),
// reference/command/listCommands
db.c.insertMany([{_id: 1, n: 1}, {_id: 2, n: 2}]).acknowledged
//> true
const counts = () => Object.values(db.serverStatus().opcounters).slice(0, 6).map(Number)
// What a command adds to insert, query, update, delete, getmore and command; the second `serverStatus` counts the first.
const added = (command, on = db) => { const before = counts(); on.runCommand(command); return counts().map((n, at) => n - before[at] - (at === 5 ? 1 : 0)) }
added({ping: 1})
//> [ 0, 0, 0, 0, 0, 1 ]
[added({find: "c"}), added({aggregate: "c", pipeline: [], cursor: {}}), added({aggregate: "c", pipeline: [{$out: "d"}], cursor: {}})]
//> [ [ 0, 1, 0, 0, 0, 0 ], [ 0, 1, 0, 0, 0, 0 ], [ 0, 1, 0, 0, 0, 0 ] ]
[added({count: "c"}), added({distinct: "c", key: "n"}), added({explain: {find: "c"}}), added({listCollections: 1})]
//> [
//>   [ 0, 0, 0, 0, 0, 1 ],
//>   [ 0, 0, 0, 0, 0, 1 ],
//>   [ 0, 0, 0, 0, 0, 1 ],
//>   [ 0, 0, 0, 0, 0, 1 ]
//> ]
[added({insert: "c", documents: [{}, {}]}), added({update: "c", updates: [{q: {_id: 1}, u: {$inc: {n: 1}}}]}), added({delete: "c", deletes: [{q: {n: null}, limit: 0}]})]
//> [ [ 2, 0, 0, 0, 0, 0 ], [ 0, 0, 1, 0, 0, 0 ], [ 0, 0, 0, 1, 0, 0 ] ]
added({bulkWrite: 1, ops: [{insert: 0, document: {_id: 3}}, {delete: 0, filter: {_id: 3}}], nsInfo: [{ns: "test.c"}]}, db.getSiblingDB("admin"))
//> [ 1, 0, 0, 1, 0, 0 ]
[added({findAndModify: "c", query: {_id: 1}, update: {$inc: {n: 1}}}), added({findandmodify: "c", query: {_id: 9}, remove: true})]
//> [ [ 0, 0, 1, 0, 0, 1 ], [ 0, 0, 0, 0, 0, 1 ] ]
// A collection that takes the name of one that was renamed begins to count anew.
const kinds = (name) => Object.values(db[name].aggregate([{$collStats: {latencyStats: {}}}]).toArray()[0].latencyStats).map((kind) => Number(kind.ops)).slice(0, 3)
db.old.insertOne({_id: 1}); db.old.find().toArray(); kinds("old")
//> [ 1, 1, 0 ]
db.old.renameCollection("new"); db.old.insertOne({_id: 1}); [kinds("old"), kinds("new")]
//> [ [ 0, 1, 0 ], [ 0, 0, 0 ] ]
// A command is listed once, by the manual's name.
const listed = Object.keys(db.runCommand({listCommands: 1}).commands);
[listed.filter((name) => /^(find.?and.?modify|coll.?stats|dropIndexes|deleteIndexes|map.?reduce|is.?master)$/i.test(name)), listed.length > 50]
//> [
//>   [
//>     'collStats',
//>     'dropIndexes',
//>     'findAndModify',
//>     'isMaster',
//>     'mapReduce'
//>   ],
//>   true
//> ]
// Another name of a command is of the Stable API where the command is.
[{findandmodify: "c", query: {_id: 1}, remove: true}, {deleteIndexes: "c", index: "none"}, {collstats: "c"}].map((command) => { try { return db.runCommand({...command, apiVersion: "1", apiStrict: true}).ok } catch (e) { return e.code + " " + e.codeName + " " + e.message.slice(0, 70) } })
//> [
//>   1,
//>   '27 IndexNotFound index not found with name [none]',
//>   '323 APIStrictError Provided apiStrict:true, but the command collStats is not in API Versi'
//> ]
// What was tried counts too: all of an unordered command, of an ordered one those up to the refused document.
[added({insert: "c", documents: [{_id: 70}, {_id: 70}, {_id: 71}]}), added({insert: "c", documents: [{_id: 72}, {_id: 72}, {_id: 73}], ordered: false}), added({update: "c", updates: [{q: {_id: 70}, u: {$set: {_id: 1}}}]}), added({delete: "c", deletes: [{q: {_id: {$invalid: 1}}, limit: 0}]})]
//> [
//>   [ 2, 0, 0, 0, 0, 0 ],
//>   [ 3, 0, 0, 0, 0, 0 ],
//>   [ 0, 0, 1, 0, 0, 0 ],
//>   [ 0, 0, 0, 1, 0, 0 ]
//> ]
const unknowns = () => Number(db.serverStatus().metrics.commands["<UNKNOWN>"])
const known = unknowns()
try { db.runCommand({noSuchCommand: 1}) } catch (e) { e.codeName }
//> CommandNotFound
unknowns() - known
//> 1
// What `listCommands` says of a command.
const {find, hello, serverStatus} = db.runCommand({listCommands: 1}).commands;
[find, hello, serverStatus].map(({help, ...facts}) => facts)
//> [
//>   {
//>     requiresAuth: true,
//>     secondaryOk: true,
//>     adminOnly: false,
//>     apiVersions: [ '1' ],
//>     deprecatedApiVersions: []
//>   },
//>   {
//>     requiresAuth: false,
//>     secondaryOk: true,
//>     adminOnly: false,
//>     apiVersions: [ '1' ],
//>     deprecatedApiVersions: []
//>   },
//>   {
//>     requiresAuth: true,
//>     secondaryOk: true,
//>     adminOnly: false,
//>     apiVersions: [],
//>     deprecatedApiVersions: []
//>   }
//> ]
// The sections of `serverStatus` that tell what a deployment does, or that there is nothing to tell.
const {asserts, globalLock, locks, mem, network, transactions, logicalSessionRecordCache} = db.serverStatus();
[asserts.user > 0, asserts.regular, globalLock.currentQueue, locks, Object.keys(mem), mem.supported]
//> [
//>   true,
//>   0,
//>   { total: 0, readers: 0, writers: 0 },
//>   {},
//>   [ 'bits', 'resident', 'virtual', 'supported' ],
//>   true
//> ]
const traffic = ({network: {bytesIn, bytesOut, numRequests}}) => [bytesIn, bytesOut, numRequests].map(Number);
const first = traffic(db.serverStatus()), second = traffic(db.serverStatus());
second.map((n, at) => n > first[at])
//> [ true, true, true ]
const session = db.getMongo().startSession()
const shop = session.getDatabase("test")
session.startTransaction(); shop.c.insertOne({_id: 80}); session.abortTransaction()
session.startTransaction(); shop.c.insertOne({_id: 81}); session.commitTransaction()
session.startTransaction(); shop.c.insertOne({_id: 82})
const retried = {insert: "c", documents: [{_id: 90}, {_id: 91}], lsid: {id: UUID("00000000-0000-4000-8000-000000000001")}, txnNumber: NumberLong(1)}
db.runCommand(retried); db.runCommand(retried)
const told = db.serverStatus().transactions;
Object.entries(told).filter(([, n]) => Number(n) > 0).map(([name, n]) => `${name} ${n}`)
//> [
//>   'retriedCommandsCount 1',
//>   'retriedStatementsCount 2',
//>   'transactionsCollectionWriteCount 1',
//>   'currentInactive 1',
//>   'currentOpen 1',
//>   'totalAborted 1',
//>   'totalCommitted 1',
//>   'totalStarted 3'
//> ]
db.serverStatus().logicalSessionRecordCache
//> {
//>   activeSessionsCount: 2,
//>   sessionsCollectionJobCount: 0,
//>   lastSessionsCollectionJobDurationMillis: 0,
//>   lastSessionsCollectionJobEntriesRefreshed: 0,
//>   lastSessionsCollectionJobEntriesEnded: 0,
//>   sessionCatalogSize: 2
//> }
clock.advance(301_000)
session.abortTransaction()
db.serverStatus().logicalSessionRecordCache
//> {
//>   activeSessionsCount: 1,
//>   sessionsCollectionJobCount: 1,
//>   lastSessionsCollectionJobDurationMillis: 0,
//>   lastSessionsCollectionJobTimestamp: ISODate('2026-01-01T00:05:01.000Z'),
//>   lastSessionsCollectionJobEntriesRefreshed: 2,
//>   lastSessionsCollectionJobEntriesEnded: 0,
//>   sessionCatalogSize: 2
//> }
db.serverStatus({mem: 0, network: false, transactions: 0}).mem === undefined
//> true
