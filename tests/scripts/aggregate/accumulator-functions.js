// $accumulator: a state that script functions begin, feed and finish, in $group, $bucket and $bucketAuto; what it refuses.
//
// Manual: reference/operator/aggregation/accumulator
const run = (stages) => { try { return db.books.aggregate(stages).toArray() } catch (x) { return x.code + " " + x.message } }
db.books.insertMany([{_id: 1, author: "Bo", copies: 2}, {_id: 2, author: "Bo", copies: 1}, {_id: 3, author: "Ann", copies: 2}, {_id: 4, author: "Ann", copies: 10}, {_id: 5, author: "Bo"}]).acknowledged
//> true
const average = {init: function() { return {count: 0, sum: 0} }, accumulate: function(state, copies) { return {count: state.count + 1, sum: state.sum + (copies || 0)} }, accumulateArgs: ["$copies"], merge: function(a, b) { return {count: a.count + b.count, sum: a.sum + b.sum} }, finalize: function(state) { return state.sum / state.count }, lang: "js"}
run([{$group: {_id: "$author", mean: {$accumulator: average}}}, {$sort: {_id: 1}}])
//> [ { _id: 'Ann', mean: 6 }, { _id: 'Bo', mean: 1 } ]
// Without finalize the state itself is the value.
(({finalize, ...rest}) => run([{$group: {_id: "$author", all: {$accumulator: rest}}}, {$sort: {_id: 1}}]))(average)
//> [
//>   { _id: 'Ann', all: { count: 2, sum: 12 } },
//>   { _id: 'Bo', all: { count: 3, sum: 3 } }
//> ]
// initArgs sees the group's _id, accumulateArgs each document.
const names = {init: function(author, limit) { return {author, limit, ids: []} }, initArgs: ["$name", {$add: [1, 1]}], accumulate: function(state, id, next) { if (state.ids.length < state.limit) state.ids.push([id, next]); return state }, accumulateArgs: ["$_id", {$add: ["$_id", 1]}], merge: function(a, b) { return a }, finalize: function(state) { return state.author + ":" + JSON.stringify(state.ids) }, lang: "js"}
run([{$group: {_id: {name: "$author"}, ids: {$accumulator: names}}}, {$sort: {_id: 1}}])
//> [
//>   { _id: { name: 'Ann' }, ids: 'Ann:[[3,4],[4,5]]' },
//>   { _id: { name: 'Bo' }, ids: 'Bo:[[1,2],[2,3]]' }
//> ]
run([{$bucket: {groupBy: "$_id", boundaries: [1, 3, 6], output: {ids: {$accumulator: names}}}}])
//> [
//>   { _id: 1, ids: 'null:[[1,2],[2,3]]' },
//>   { _id: 3, ids: 'null:[[3,4],[4,5]]' }
//> ]
run([{$bucketAuto: {groupBy: "$_id", buckets: 2, output: {ids: {$accumulator: names}}}}])
//> [
//>   { _id: { min: 1, max: 4 }, ids: 'null:[[1,2],[2,3]]' },
//>   { _id: { min: 4, max: 5 }, ids: 'null:[[4,5],[5,6]]' }
//> ]
// BSON types come as the shell has them and stay.
run([{$group: {_id: null, r: {$accumulator: {init: "function() { return [] }", accumulate: "(state, v) => state.concat([v])", accumulateArgs: [{$literal: [NumberLong("9007199254740993"), new Date(0), null]}], merge: "function(a, b) { return a }", lang: "js"}}}}, {$project: {r: {$slice: ["$r", 1]}}}])
//> [
//>   {
//>     _id: null,
//>     r: [
//>       [
//>         Long('9007199254740993'),
//>         ISODate('1970-01-01T00:00:00.000Z'),
//>         null
//>       ]
//>     ]
//>   }
//> ]
const only = (fields) => run([{$group: {_id: null, r: {$accumulator: fields}}}])
const rest = {accumulate: average.accumulate, accumulateArgs: ["$copies"], merge: average.merge, lang: "js"};
[only(5), only({...rest, init: "$x"}), only({...rest, init: 5}), only({...rest, init: average.init, lang: 5}), only({...rest, init: average.init, lang: "py"}), only({...rest, init: average.init, more: 1})]
//> [
//>   '4544703 $accumulator expects an object as an argument; found: int',
//>   "4544701 $accumulator 'init' must be a constant expression",
//>   "4544702 $accumulator 'init' must be a String or Code",
//>   '4544704 $accumulator lang must be a string; found: int',
//>   "4544705 $accumulator only supports lang: 'js'",
//>   '4544706 $accumulator got an unexpected field: more'
//> ]
[only(rest), only({init: average.init, merge: average.merge, accumulateArgs: []}), only({init: average.init, accumulate: average.accumulate, accumulateArgs: []}), only({init: average.init, accumulate: average.accumulate, merge: average.merge})]
//> [
//>   "4544707 $accumulator missing required argument 'init'",
//>   "4544708 $accumulator missing required argument 'accumulate'",
//>   "4544709 $accumulator missing required argument 'merge'",
//>   "4544710 $accumulator missing required argument 'accumulateArgs'"
//> ]
[only({...average, initArgs: "$_id"}), only({...average, accumulateArgs: "$copies"}), only({...average, accumulate: function() { throw new Error("no") }}), only({...average, init: "function("})]
//> [
//>   '4544711 Executor error during aggregate command on namespace: test.books :: caused by :: $accumulator initArgs must evaluate to an array: MISSING',
//>   '4544712 Executor error during aggregate command on namespace: test.books :: caused by :: $accumulator accumulateArgs must evaluate to an array: 2',
//>   '139 Executor error during aggregate command on namespace: test.books :: caused by :: Error: no',
//>   '139 Executor error during aggregate command on namespace: test.books :: caused by :: SyntaxError: Unexpected end of input'
//> ]
// Not in windows, and not as an expression.
[run([{$setWindowFields: {output: {r: {$accumulator: average}}}}]), run([{$project: {r: {$accumulator: average}}}])]
//> [
//>   '9 Unrecognized window function, $accumulator',
//>   '31325 Invalid $project :: caused by :: Unknown expression $accumulator'
//> ]
db.books.explain().aggregate([{$group: {_id: "$author", r: {$accumulator: {init: "function() { return 0 }", accumulate: "function(s, n) { return s + n }", accumulateArgs: [{$add: ["$copies", 1]}], merge: "function(a, b) { return a + b }", lang: "js"}}}}]).stages[1]
//> {
//>   '$group': {
//>     _id: '$author',
//>     r: {
//>       '$accumulator': {
//>         init: 'function() { return 0 }',
//>         initArgs: { '$const': [] },
//>         accumulate: 'function(s, n) { return s + n }',
//>         accumulateArgs: [ { '$add': [ '$copies', [Object] ] } ],
//>         merge: 'function(a, b) { return a + b }',
//>         lang: 'js'
//>       }
//>     },
//>     '$willBeMerged': false
//>   }
//> }
