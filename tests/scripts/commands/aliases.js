// The small-letter names that some commands have beside their own.
//
// Manual: reference/command
db.c.insertMany([{_id: 1, n: 1}, {_id: 2, n: 2}]).acknowledged
//> true
[db.runCommand({collstats: "c"}).count, db.runCommand({dbstats: 1}).objects, db.runCommand({datasize: "test.c"}).numObjects, db.runCommand({buildinfo: 1}).ok, db.runCommand({ismaster: 1}).ok]
//> [ 2, Long('2'), Long('2'), 1, 1 ]
[db.runCommand({findandmodify: "c", query: {_id: 1}, update: {$inc: {n: 1}}, new: true}).value, db.runCommand({mapreduce: "c", map: function () { emit(1, this.n) }, reduce: (key, values) => Array.sum(values), out: {inline: 1}}).results]
//> [ { _id: 1, n: 2 }, [ { _id: 1, value: 4 } ] ]
[db.runCommand({mapreduce: "c", map: function () { emit(1, this.n) }, reduce: (key, values) => Array.sum(values), out: "totals"}).ok, db.totals.find().toArray()]
//> [ 1, [ { _id: 1, value: 4 } ] ]
db.runCommand({explain: {mapreduce: "c", map: function () { emit(1, this.n) }, reduce: (key, values) => Array.sum(values), out: {inline: 1}}}).ok
//> 1
db.runCommand({quireFork: 1, commands: [{collstats: "c"}, {dbstats: 1}, {datasize: "test.c"}]}).replies.map((one) => one.ok)
//> [ 1, 1, 1 ]
// Other spellings are no names.
["CollStats", "findandModify", "dropindexes", "listdatabases", "Hello"].map((name) => { try { return db.runCommand({[name]: "c"}).ok } catch (e) { return e.code + " " + e.message } })
//> [
//>   "59 no such command: 'CollStats'",
//>   "59 no such command: 'findandModify'",
//>   "59 no such command: 'dropindexes'",
//>   "59 no such command: 'listdatabases'",
//>   "59 no such command: 'Hello'"
//> ]
