// distinct from the keys of an index: DISTINCT_SCAN, and what keeps a plan from being one.
// Manual: reference/command/distinct, reference/explain-results
const plan = (e) => { const w=(s)=> s.inputStages? s.stage+"("+s.inputStages.map(w).join(", ")+")": s.stage+(s.indexName?":"+s.indexName:"")+(s.inputStage?" < "+w(s.inputStage):""); return w(e.queryPlanner.winningPlan)}
db.c.createIndex({a: 1})
db.c.insertMany([{a:[1,2,3]},{a:[2,3,4]},{a:[5,6,7]}]).acknowledged
db.c.distinct("a")
plan(db.c.explain().distinct("a"))
db.c.distinct("a",{a:3})
plan(db.c.explain().distinct("a",{a:3}))
db.d.createIndex({a: 1, b:1})
db.d.insertMany([{a:1,b:[2,3]},{a:8,b:[3,4]},{a:7,b:[4,5]}]).acknowledged
db.d.distinct("a",{a:{$gte:2}})
plan(db.d.explain().distinct("a",{a:{$gte:2}}))
db.d.distinct("b",{a:{$gte:2}})
plan(db.d.explain().distinct("b",{a:{$gte:2}}))
plan(db.d.explain().distinct("a",{b:4}))
plan(db.d.explain().distinct("b"))
plan(db.d.explain().distinct("_id"))
db.e.createIndex({a: 1, "b.c":1})
db.e.insertMany([{a:[2,3],b:{c:1}},{a:[3,4],b:{c:8}},{a:[3,5],b:{c:7}}]).acknowledged
db.e.distinct("b.c",{a:3})
plan(db.e.explain().distinct("b.c",{a:3}))
db.f.createIndex({"a.b.c":1})
db.f.insertMany([{a: {b: {c: 1}}},{a: {b: {c: 2}}},{a: {b: {c: 3}}},{a: {b: {notRelevant: 3}}},{a: {notRelevant: 3}}]).acknowledged
db.f.distinct("a.b.c")
plan(db.f.explain().distinct("a.b.c"))
db.f.distinct("a.b.c",{"a.b.c": {$gt: 0}})
db.f.insertMany([{a: {b: [{c: 4}, {c: 5}]}},{a: {b: [{c: 4}, {c: 6}]}},{a: {b: {c: []}}}]).acknowledged
db.f.distinct("a.b.c")
plan(db.f.explain().distinct("a.b.c"))
plan(db.f.explain().distinct("a.b.c",{"a.b.c":4}))
db.f.createIndex({"a.b":1})
db.f.distinct("a.b")
db.f.distinct("a.b", {"a.b": {$type: "array"}})
plan(db.f.explain().distinct("a.b", {"a.b": {$type: "array"}}))
plan(db.f.explain().distinct("a.b.0"))
db.f.distinct("a.b.0")
db.f.createIndex({"a.b.0": 1})
db.f.insertOne({a: {b: {0: "hello world"}}}).acknowledged
db.f.distinct("a.b.0")
plan(db.f.explain().distinct("a.b.0"))
plan(db.f.explain().distinct("a.b.0",{"a.b.0": {$type: "object"}}))
plan(db.runCommand({explain:{distinct:"c",key:"a",hint:"a_1"}}))
plan(db.runCommand({explain:{distinct:"c",key:"a",hint:"_id_"}}))
//> FETCH < IXSCAN:_id_
