// Who sees what: the present, a cursor, a moment and a fork over one document, step by step as crate/src/state/mod.rs tells it
const stock = (found) => found === undefined ? "gone" : found.stock
const present = () => stock(db.herbs.find({_id: 1}).toArray()[0])
const at = (name) => stock(db.runCommand({quireAt: name, command: {find: "herbs", filter: {_id: 1}}}).cursor.firstBatch[0])
const open = (command) => db.runCommand(command).cursor.id
const next = (id) => stock(db.runCommand({getMore: Long(id), collection: "herbs"}).cursor.nextBatch[0])
const set = (stock) => ({update: "herbs", updates: [{q: {_id: 1}, u: {$set: {stock}}}]})
const find = {find: "herbs", filter: {_id: 1}, batchSize: 0}
db.herbs.insertOne({_id: 1, stock: 3}).insertedId
//> 1
const [a, ended] = [open(find), open(find)]
db.runCommand(set(5)).nModified
//> 1
db.adminCommand({quireMoment: 1, name: "five"}).ok
//> 1
const {replies} = db.runCommand({quireFork: 1, commands: [set(9), {find: "herbs"}, find, {drop: "herbs"}, {find: "herbs"}]})
;[stock(replies[1].cursor.firstBatch[0]), stock(replies[4].cursor.firstBatch[0]), present()]
//> [ 9, 'gone', 5 ]
// A cursor that was opened in the fork is gone with it.
db.runCommand({getMore: Long(replies[2].cursor.id), collection: "herbs"})
//> MongoServerError[CursorNotFound]: cursor id <*> not found
db.runCommand(set(6)).nModified
//> 1
[present(), next(a), at("five")]
//> [ 6, 3, 5 ]
const b = open({quireAt: "five", command: find})
const views = open({quireAt: "five", command: {aggregate: "herbs", pipeline: [{$unionWith: "herbs"}], cursor: {batchSize: 0}}})
db.herbs.drop()
//> true
[present(), at("five")]
//> [ 'gone', 5 ]
next(ended)
//> MongoServerError[QueryPlanKilled]: collection dropped. UUID <*>
db.adminCommand({quireDropMoment: "five"}).ok
//> 1
[next(b), next(views)]
//> [ 5, 5 ]
// A function of a mapReduce on a moment is given the moment's documents, and explain plans by its indexes.
db.herbs.insertMany([{_id: 1, stock: 1}, {_id: 2, stock: 2}]).insertedIds
//> { '0': 1, '1': 2 }
db.herbs.createIndex({stock: 1})
//> stock_1
db.adminCommand({quireMoment: 1, name: "indexed"}).ok
//> 1
db.herbs.dropIndex("stock_1").nIndexesWas
//> 2
db.herbs.updateMany({}, {$inc: {stock: 10}}).modifiedCount
//> 2
const on = (command) => db.runCommand({quireAt: "indexed", command})
on({mapReduce: "herbs", map: "function() { emit('all', this.stock) }", reduce: "function(key, values) { return Array.sum(values) }", out: {inline: 1}}).results
//> [ { _id: 'all', value: 3 } ]
const {executionStats} = on({explain: {aggregate: "herbs", pipeline: [{$match: {stock: 2}}, {$lookup: {from: "herbs", localField: "stock", foreignField: "stock", as: "same"}}], cursor: {}}, verbosity: "executionStats"}).stages[0].$cursor
;[executionStats.nReturned, executionStats.totalKeysExamined]
//> [ 1, 1 ]
on({count: "herbs", query: {stock: {$gt: 10}}}).n
//> 0
on({distinct: "herbs", key: "stock"}).values
//> [ 1, 2 ]
// A cursor over a list has all of it: it goes on when the collection goes, of the present and of a moment.
const listed = [{listIndexes: "herbs", cursor: {batchSize: 0}}, {quireAt: "indexed", command: {listIndexes: "herbs", cursor: {batchSize: 0}}}].map(open)
db.herbs.drop()
//> true
listed.map((id) => db.runCommand({getMore: Long(id), collection: "herbs"}).cursor.nextBatch.map(({name}) => name))
//> [ [ '_id_' ], [ '_id_', 'stock_1' ] ]
