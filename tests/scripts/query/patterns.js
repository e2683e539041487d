// Regular expressions are PCRE2's, and can be stopped. Follows the manual's "$regex" page and PCRE2's "pcre2pattern".
db.p.insertMany([{_id: 1, s: "foobar"}, {_id: 2, s: "FOO baz"}, {_id: 3, s: "(a(b)c)"}, {_id: 4, s: "aaa"}, {_id: 5, s: "line one\nline two"}, {_id: 6, s: "Ärger"}])
//> {
//>   acknowledged: true,
//>   insertedIds: { '0': 1, '1': 2, '2': 3, '3': 4, '4': 5, '5': 6 }
//> }
const of = (pattern, options = "") => db.p.find({s: {$regex: pattern, $options: options}}).toArray().map((d) => d._id).join(" ")
of("foo(?=bar)")
//> 1
of("(?<!foo)ba[rz]")
//> 2
of("^foo", "i")
//> 1 2
of("^a++a")
//>
of("^a++$")
//> 4
of("(?>a+)a|foo")
//> 1
of("^(\\((?:[^()]|(?1))*+\\))$")
//> 3
of("^(\\()?[^()]+(?(1)\\))$")
//> 1 2 4 5 6
of("one$")
//>
of("one$", "m")
//> 5
of("^line two", "m")
//> 5
of("one.line", "s")
//> 5
of("f o o # comment", "xi")
//> 1 2
of("^ä", "i")
//> 6
of("^\\p{Lu}")
//> 2 6
of("(?i)BAR|(?-i)BAZ")
//> 1
of("foo\\Kbar")
//> 1
of("\\Gfoo")
//> 1
of("^(.)\\1\\1$")
//> 4
of("(?|(f)oo|(l)ine) ?\\1")
//>
db.p.find({s: {$in: [/^foo/, /a{3}/]}}).toArray().map((d) => d._id)
//> [ 1, 4 ]
const first = (regex, options) => db.p.aggregate([{$match: {_id: 1}}, {$project: {_id: 0, r: {$regexFind: {input: "$s", regex, options}}}}]).toArray()[0].r
first("(?<half>o+)(x)?b")
//> { match: 'oob', idx: 1, captures: [ 'oo', null ] }
first("o\\Kb")
//> { match: 'b', idx: 3, captures: [] }
db.p.aggregate([{$match: {_id: 6}}, {$project: {_id: 0, all: {$regexFindAll: {input: "ÄöÄ", regex: "ä", options: "i"}}}}]).toArray()[0].all.map((m) => m.idx)
//> [ 0, 2 ]
//
// What is no pattern is refused in PCRE2's words.
const refusal = (pattern) => { try { of(pattern); return "taken" } catch (e) { return `${e.code} ${e.message}` } }
refusal("(")
//> 51091 Regular expression is invalid: missing closing parenthesis
refusal("a)")
//> 51091 Regular expression is invalid: unmatched closing parenthesis
refusal("a**")
//> 51091 Regular expression is invalid: quantifier does not follow a repeatable item
refusal("^*")
//> 51091 Regular expression is invalid: quantifier does not follow a repeatable item
refusal("[b-a]")
//> 51091 Regular expression is invalid: range out of order in character class
refusal("[\\d-z]")
//> 51091 Regular expression is invalid: invalid range in character class
refusal("a{2,1}")
//> 51091 Regular expression is invalid: numbers out of order in {} quantifier
refusal("(?<=a+)b")
//> 51091 Regular expression is invalid: lookbehind assertion is not fixed length
refusal("\\2(a)")
//> 51091 Regular expression is invalid: reference to non-existent subpattern
refusal("(?<n>a)(?<n>b)")
//> 51091 Regular expression is invalid: two named subpatterns have the same name (PCRE2_DUPNAMES not set)
refusal("\\p{Nonsense}")
//> 51091 Regular expression is invalid: unknown property after \P or \p
refusal("(((a{1000}b){1000}){1000})")
//> 51091 Regular expression is invalid: regular expression is too large
refusal("(".repeat(251) + ")".repeat(251))
//> 51091 Regular expression is invalid: parentheses are too deeply nested
// What PCRE2 has and the engine has not is refused by its name.
refusal("\\X")
//> 51091 Regular expression is invalid: \X is not supported
refusal("a(*COMMIT)b")
//> 51091 Regular expression is invalid: verbs other than (*FAIL) are not supported
//
// Nested repetitions take linear time.
db.q.insertOne({_id: 1, s: "a".repeat(5000) + "b"})
//> { acknowledged: true, insertedId: 1 }
["^(a+)+$", "(a|aa)+$", "(.*)*x", "(a|a)*[xy]", "(\\w+\\s?)+[!?]"].map((s) => db.q.countDocuments({s: {$regex: s}}, {maxTimeMS: 60000}))
//> [ 0, 0, 0, 0, 0 ]
// What cannot be linear ends at a limit: no match for a filter, an error for an expression.
db.q.insertMany(Array.from({length: 300}, (_, i) => ({_id: i + 2, s: "a".repeat(40) + "!b"}))).acknowledged
//> true
db.q.find({_id: 2, s: /^(a+)+\1b/}).toArray()
//> []
db.q.aggregate([{$match: {_id: 2}}, {$project: {r: {$regexMatch: {input: "$s", regex: /^(a+)+\1b/}}}}]).toArray()
//> MongoServerError[Location51156]: Executor error during aggregate command on namespace: test.q :: caused by :: Error occurred while executing the regular expression in $regexMatch. Result code: match limit exceeded
// It ends sooner when the time is over, and leaves no trace.
db.q.find({s: /^(a+)+\1b/}).maxTimeMS(40).toArray()
//> MongoServerError[MaxTimeMSExpired]: Executor error during find command: test.q :: caused by :: operation exceeded time limit
db.q.find({s: {$not: /^(a+)+\1b/}}).maxTimeMS(40).toArray()
//> MongoServerError[MaxTimeMSExpired]: Executor error during find command: test.q :: caused by :: operation exceeded time limit
db.q.find({$jsonSchema: {properties: {s: {pattern: "^(a+)+\\1b"}}}}).maxTimeMS(40).toArray()
//> MongoServerError[MaxTimeMSExpired]: Executor error during find command: test.q :: caused by :: operation exceeded time limit
db.q.aggregate([{$project: {r: {$regexFindAll: {input: "$s", regex: "a(?=(a+)+[xy])"}}}}], {maxTimeMS: 1}).toArray()
//> MongoServerError[MaxTimeMSExpired]: Executor error during aggregate command on namespace: test.q :: caused by :: operation exceeded time limit
try { db.runCommand({update: "q", updates: [{q: {s: /^(a+)+\1b/}, u: {$set: {hit: true}}, multi: true}], maxTimeMS: 40}) } catch (e) { print(e.codeName) }
//> MaxTimeMSExpired
db.q.countDocuments({hit: true})
//> 0
