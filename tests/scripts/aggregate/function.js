// $function: what its specification must be, and its value.
//
// Manual: reference/operator/aggregation/function
const fails = (f) => { try { return db.f.aggregate([{$project: {x: {$function: f}}}]).toArray() } catch (x) { return x.code + " " + x.message } }
db.f.insertOne({_id: 1, a: 2}).acknowledged
//> true
fails({args: ["$a"], lang: "js"})
//> 31261 Invalid $project :: caused by :: The body function must be specified.
fails({body: "$a", args: [], lang: "js"})
//> 31432 Invalid $project :: caused by :: The body function must be a constant expression
fails({body: 5, args: [], lang: "js"})
//> 31262 Invalid $project :: caused by :: The body function must evaluate to type string or code
fails({body: function(a) { return a }, lang: "js"})
//> 31263 Invalid $project :: caused by :: The args field must be specified.
fails({body: function(a) { return a }, args: ["$a"]})
//> 31418 Invalid $project :: caused by :: The lang field must be specified.
fails({body: function(a) { return a }, args: ["$a"], lang: "py"})
//> 31419 Invalid $project :: caused by :: Currently the only supported language specifier is 'js'.
fails({body: function(a) { return a }, args: "$a", lang: "js"})
//> 31266 Executor error during aggregate command on namespace: test.f :: caused by :: The args field must be of type array
fails({body: function(a) { return a }, args: ["$a"], lang: "js"})
//> [ { _id: 1, x: 2 } ]
fails(5)
//> 31260 Invalid $project :: caused by :: $function requires an object as an argument, found: int
