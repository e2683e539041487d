// mapReduce: totals by script functions, into the reply and into collections; scope, finalize, and what it refuses.
//
// Manual: reference/command/mapReduce, tutorial/perform-incremental-map-reduce
const mr = (fields) => { try { return db.runCommand({mapReduce: "orders", map, reduce, out: {inline: 1}, ...fields}) } catch (x) { return x.code + " " + x.message } }
const map = function() { emit(this.cust, this.amount) }
const reduce = function(key, amounts) { return Array.sum(amounts) }
db.orders.insertMany([{_id: 1, cust: "ann", amount: 25, items: ["tea", "mug"]}, {_id: 2, cust: "ann", amount: 70, items: ["tea"]}, {_id: 3, cust: "bo", amount: 50, items: ["pot", "tea"]}, {_id: 4, cust: "cy", amount: 35, items: []}]).acknowledged
//> true
mr({})
//> {
//>   results: [
//>     { _id: 'ann', value: 95 },
//>     { _id: 'bo', value: 50 },
//>     { _id: 'cy', value: 35 }
//>   ],
//>   ok: 1
//> }
db.orders.mapReduce(map, reduce, {out: {inline: 1}, query: {amount: {$gt: 30}}, sort: {_id: -1}, limit: 2}).results
//> [ { _id: 'cy', value: 35 }, { _id: 'bo', value: 50 } ]
// A document may emit many times or not at all; a missing key is null; numbers that are equal are one key.
mr({map: function() { for (const item of this.items) emit(item, 1) }}).results
//> [
//>   { _id: 'tea', value: 3 },
//>   { _id: 'mug', value: 1 },
//>   { _id: 'pot', value: 1 }
//> ]
mr({map: function() { emit(this.nothing, 1) }}).results
//> [ { _id: null, value: 4 } ]
mr({map: function() { emit(this._id === 1 ? NumberLong(7) : 7, this._id) }, reduce: function(key, values) { return values.join("-") }}).results
//> [ { _id: Long('7'), value: '4-3-2-1' } ]
// finalize sees key and value; the scope's variables are seen by all three functions.
mr({finalize: function(key, total) { return key + ":" + total * rate }, scope: {rate: 2}}).results
//> [
//>   { _id: 'ann', value: 'ann:190' },
//>   { _id: 'bo', value: 'bo:100' },
//>   { _id: 'cy', value: 'cy:70' }
//> ]
mr({map: "function() { count += 1; emit(double(this.amount) > 90, count) }", reduce: "(k, v) => v.length", finalize: "(k, v) => [v, count]", scope: {count: 0, double: function(n) { return n * 2 }}}).results
//> [ { _id: false, value: [ 2, 4 ] }, { _id: true, value: [ 2, 4 ] } ]
// Into a collection: its place is taken, or results are merged into it, or reduced with what is there.
db.orders.mapReduce(map, reduce, "totals")
//> { result: 'totals', ok: 1 }
[db.totals.find().sort({_id: 1}).toArray(), mr({out: {replace: "totals", db: "reports"}}), db.getSiblingDB("reports").totals.countDocuments()]
//> [
//>   [
//>     { _id: 'ann', value: 95 },
//>     { _id: 'bo', value: 50 },
//>     { _id: 'cy', value: 35 }
//>   ],
//>   { result: { db: 'reports', collection: 'totals' }, ok: 1 },
//>   3
//> ]
db.orders.insertMany([{_id: 5, cust: "ann", amount: 5, items: []}, {_id: 6, cust: "dee", amount: 8, items: []}]).acknowledged
//> true
[mr({query: {_id: {$gt: 4}}, out: {reduce: "totals"}}), db.totals.find().sort({_id: 1}).toArray()]
//> [
//>   { result: 'totals', ok: 1 },
//>   [
//>     { _id: 'ann', value: 100 },
//>     { _id: 'bo', value: 50 },
//>     { _id: 'cy', value: 35 },
//>     { _id: 'dee', value: 8 }
//>   ]
//> ]
[mr({query: {_id: {$gt: 4}}, out: {reduce: "totals"}, finalize: function(key, total) { return total + offset }, scope: {offset: 1000}}), db.totals.find().sort({_id: 1}).toArray()]
//> [
//>   { result: 'totals', ok: 1 },
//>   [
//>     { _id: 'ann', value: 2105 },
//>     { _id: 'bo', value: 50 },
//>     { _id: 'cy', value: 35 },
//>     { _id: 'dee', value: 2016 }
//>   ]
//> ]
[mr({query: {_id: 6}, out: {merge: "totals"}}), db.totals.find({_id: {$in: ["ann", "dee"]}}).sort({_id: 1}).toArray()]
//> [
//>   { result: 'totals', ok: 1 },
//>   [ { _id: 'ann', value: 2105 }, { _id: 'dee', value: 8 } ]
//> ]
[mr({query: {_id: 6}, out: {replace: "totals"}}), db.totals.find().toArray()]
//> [ { result: 'totals', ok: 1 }, [ { _id: 'dee', value: 8 } ] ]
db.runCommand({mapReduce: "nothing", map, reduce, out: {inline: 1}})
//> { results: [], ok: 1 }
// The index of the query is used, and counted.
db.orders.createIndex({cust: 1}); mr({query: {cust: "bo"}}).results.concat(db.orders.aggregate([{$indexStats: {}}, {$match: {name: "cust_1"}}]).toArray().map((d) => d.accesses.ops))
//> [ { _id: 'bo', value: 50 }, Long('1') ]
[mr({map: 5}), mr({map: undefined}), mr({reduce: null}), mr({finalize: 5}), mr({scope: 5}), mr({sort: {}}), mr({limit: 0}), mr({verbose: 1}), mr({foo: 1}), mr({jsMode: true, verbose: true}).ok]
//> [
//>   "2 'map' must be of string or code type",
//>   "2 'map' must be of string or code type",
//>   "2 'reduce' must be of string or code type",
//>   "2 'finalize' must be of string or code type",
//>   "2 'scope' must be an object",
//>   '15976 The mapReduce sort option must have at least one sort key',
//>   '15958 The limit specified to mapReduce must be positive',
//>   "14 BSON field 'mapReduce.verbose' is the wrong type 'int', expected type 'bool'",
//>   "40415 BSON field 'mapReduce.foo' is an unknown field.",
//>   1
//> ]
[mr({out: undefined}), mr({out: 5}), mr({out: {}}), mr({out: {inline: 2}}), mr({out: {inline: 1, db: "x"}}), mr({out: {replace: 5}}), mr({out: {merge: "x", db: 5}}), mr({out: {merge: "x", more: 1}})]
//> [
//>   "2 'out' must be either a string or an object",
//>   "2 'out' must be either a string or an object",
//>   "2 'out' requires 'replace', 'merge' or 'reduce'",
//>   "2 'inline' takes only numeric '1'",
//>   "72 'inline' must be specified alone",
//>   "2 'replace' supports only string consisting of output collection name",
//>   '2 db field value must be string',
//>   "2 'out' supports only output type with collection name, optional 'sharded' and optional 'db'"
//> ]
[mr({out: {merge: "x", sharded: true}}), mr({out: {replace: "x", sharded: true}}), mr({out: {merge: "x", sharded: 1}}), mr({out: {merge: "x", nonAtomic: false}}), mr({out: {merge: "x", db: "admin"}}), mr({out: "system.x"}), mr({out: "$x"})]
//> [
//>   '72 Cannot use mapReduce to create a new sharded collection. Please create and shard the target collection before proceeding.',
//>   "72 Combination of 'out.sharded' and 'replace' output mode is not supported. Cannot replace an existing sharded collection or create a new sharded collection. Please create the sharded collection first and use a different output mode or consider using an unsharded collection.",
//>   '2 sharded field value must be boolean',
//>   '2 nonAtomic field value must be true',
//>   '115 cannot target internal database as output',
//>   "17385 Can't output mapReduce results to special collection system.x",
//>   '73 Invalid output namespace test.$x for MapReduce'
//> ]
[mr({map: function() { emit(1) }}), mr({map: function() { throw new Error("no") }}), mr({reduce: function() { return missing }}), mr({query: {$foo: 1}})]
//> [
//>   '31220 MapReduce internal error :: caused by :: emit takes 2 args',
//>   '139 MapReduce internal error :: caused by :: Error: no',
//>   '139 MapReduce internal error :: caused by :: ReferenceError: missing is not defined',
//>   "2 MapReduce internal error :: caused by :: unknown top level operator: $foo. If you have a field name that starts with a '$' symbol, consider using $getField or $setField."
//> ]
db.createView("v", "orders", []); mr({mapReduce: "v"})
//> 166 mapReduce on a view is not supported
db.runCommand({mapReduce: "v", map, reduce, out: {inline: 1}})
//> MongoServerError[CommandNotSupportedOnView]: mapReduce on a view is not supported
// What a server's own scripts add to Array is there for functions, and for them only; all else of Array is as ever.
mr({map: function() { emit(1, this.amount) }, reduce: function(key, values) { return [Array.sum(values), Array.avg(values), Math.round(Array.stdDev(values) * 100), Array.contains(values, "70"), Array.unique([1, 2, "1"]), Array.sum([]), Array.isArray(values), values instanceof Array, new Array(2).length, Array.from("ab")].map((value) => tojson(value)).join(" ") }}).results[0].value
//> 193 32.166666666666664 2284 true [ 1, 2 ] null true true 2 [ "a", "b" ]
typeof Array.sum
//> undefined
