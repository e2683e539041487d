// $where over code of every shape, and where it is refused: manual, reference/operator/query/where.
db.w.insertMany([
  { _id: 1, x: 1, tags: ["a", "b"], at: new Date(5), n: Long(7), who: { a: 1 } },
  { _id: 2, x: 2, tags: "a" },
])
//> { acknowledged: true, insertedIds: { '0': 1, '1': 2 } }
const ids = (code) => { try { return db.w.find({ $where: code }).toArray().map((d) => d._id).join(" ") } catch (x) { return `${x.code} ${x.message.split(":")[0]}` } }
ids("this.x == 1")
//> 1
ids("this.x == 1;")
//> 1
ids("return this.x == 1")
//> 1
ids("var a = 1; this.x == a")
//> 1
ids("var a = 1;\nvar b = 1\nthis.x == a * b // the last value\n")
//> 1
ids("let least = 2; if (this.x >= least) { return true }")
//> 2
// A function is called; one that is called already gives its value; one that is named is called too.
ids("function() { return this.x == 1 }")
//> 1
ids("function() { return obj.x == 1 };  ;")
//> 1
ids("function named() { return this.x == 1 }")
//> 1
ids("(function(){ return true })()")
//> 1 2
ids("(function(that){ return that.x == 2 })(this);")
//> 2
ids(function () { return this.x == 2 })
//> 2
ids("() => obj.x == 2")
//> 2
ids("/* the first */ this.x == 1")
//> 1
ids("// the first\nthis.x == 1")
//> 1
ids("/* the first */ function() { return this.x == 1 }")
//> 1
ids("// return\nthis.x == 1")
//> 1
ids("'return;' && this.x == 1")
//> 1
// Statements without a last expression have no value, and a function itself is true.
ids("if (this.x) { true }")
//>
ids("var a = true")
//>
ids("(function(){ return false })")
//> 1 2
// Code that nobody can read, or that is none.
ids("this.x ==")
//> 139 Executor error during find command
ids("")
//> 2 code for $where cannot be empty
ids(" ;")
//> 139 Executor error during find command
ids(Code("this.x == 1"))
//> 1
ids(Code("this.x == one", { one: 1 }))
//> 4649201 $where no longer supports deprecated BSON type CodeWScope
ids(Code("this.x == 1", {}))
//> 4649201 $where no longer supports deprecated BSON type CodeWScope
// Values are of the types whose names the function sees.
ids("this.tags.constructor == Array")
//> 1
ids("this.tags instanceof Array && Array.contains(this.tags, 'b') && Array.isArray(this.tags)")
//> 1
ids("Object.keys(Array).length == 0 && [].constructor === Array")
//> 1 2
ids("this.at && this.at.constructor == Date && this.at instanceof Date")
//> 1
ids("this.n instanceof NumberLong && this.n.constructor == NumberLong")
//> 1
ids("this.who && this.who.constructor == Object")
//> 1
const body = "function(tags) { return tags.constructor == Array };"
db.w.aggregate([{ $project: { is: { $function: { body, args: ["$tags"], lang: "js" } } } }])
//> [ { _id: 1, is: true }, { _id: 2, is: false } ]
db.w.aggregate([{ $project: { is: { $function: { body: "'a' + 1", args: [], lang: "js" } } } }])
//> [ { _id: 1, is: 'a1' }, { _id: 2, is: 'a1' } ]
db.w.mapReduce("function() { emit(this.tags.constructor == Array, 1) };", "function(k, v) { return v.length };", { out: { inline: 1 }, finalize: "function(k, v) { return v + least };", scope: { least: 10 } })
//> {
//>   results: [ { _id: true, value: 11 }, { _id: false, value: 11 } ],
//>   ok: 1
//> }
db.w.aggregate([{ $group: { _id: null, all: { $accumulator: { init: "[]", accumulate: "function(all, t) { return all.concat([t.constructor == Array]) };", accumulateArgs: ["$tags"], merge: "function(a, b) { return a.concat(b) };", finalize: "/* how many */ function(all) { return all };", lang: "js" } } } }])
//> [ { _id: null, all: [ true, false ] } ]
// Pipelines, and what is made of them, allow no $where; nor do the filters of updates and lists.
const fails = (f) => { try { return f() } catch (x) { return `${x.code} ${x.message}` } }
fails(() => db.w.aggregate([{ $match: { $where: "true" } }]).toArray())
//> 2 $where is not allowed in this context
fails(() => db.w.aggregate([{ $limit: 1 }, { $match: { $or: [{ x: 1 }, { $where: "true" }] } }]).toArray())
//> 2 $where is not allowed in this context
fails(() => db.w.aggregate([{ $lookup: { from: "w", pipeline: [{ $match: { $where: "true" } }], as: "all" } }]).toArray())
//> 2 $where is not allowed in this context
fails(() => db.w.aggregate([{ $facet: { all: [{ $match: { $where: "true" } }] } }]).toArray())
//> 2 $where is not allowed in this context
fails(() => db.w.aggregate([{ $graphLookup: { from: "w", startWith: 1, connectFromField: "x", connectToField: "x", as: "all", restrictSearchWithMatch: { $where: "true" } } }]).toArray())
//> 2 $where is not allowed in this context
fails(() => db.createView("v", "w", [{ $match: { $where: "true" } }]))
//> 2 Invalid pipeline for view test.v :: caused by :: $where is not allowed in this context
db.createView("plain", "w", [])
fails(() => db.plain.find({ $where: "true" }).toArray())
//> 2 $where is not allowed in this context
fails(() => db.plain.countDocuments({ $where: "true" }))
//> 2 $where is not allowed in this context
fails(() => db.runCommand({ count: "plain", query: { $where: "true" } }))
//> 2 $where is not allowed in this context
fails(() => db.plain.distinct("x", { $where: "true" }))
//> 2 $where is not allowed in this context
fails(() => db.w.mapReduce("emit(1, 1)", "1", { out: { inline: 1 }, query: { $where: "true" } }))
//> 2 MapReduce internal error :: caused by :: $where is not allowed in this context
fails(() => db.w.updateOne({}, { $pull: { tags: { $where: "true" } } }))
//> 2 $where is not allowed in this context
fails(() => db.getCollectionInfos({ $where: "true" }))
//> 2 $where is not allowed in this context
// `countDocuments` is a pipeline; a command by a find's filter runs it.
fails(() => db.w.countDocuments({ $where: "true" }))
//> 2 $where is not allowed in this context
db.runCommand({ count: "w", query: { $where: "this.x == 1" } }).n
//> 1
db.w.distinct("x", { $where: "this.x == 2" })
//> [ 2 ]
// Scripts make these with `new` and without.
[new NumberLong("5"), NumberInt(3), new NumberDecimal("1.5"), NumberLong(7) instanceof NumberLong, new ObjectId().constructor == ObjectId]
//> [ Long('5'), 3, Decimal128('1.5'), true, true ]
