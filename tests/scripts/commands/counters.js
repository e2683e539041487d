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
