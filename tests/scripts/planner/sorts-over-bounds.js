// Which sorts an index gives whose fields are bound: an array bound to one value breaks no order and makes none; constants stand anywhere.
// Manual: core/indexes/index-types/index-multikey, tutorial/sort-results-with-indexes
const plan = (c) => { const w=(s)=> s.inputStages? s.stage+"("+s.inputStages.map(w).join(", ")+")": s.stage+(s.indexName?":"+s.indexName:"")+(s.inputStage?" < "+w(s.inputStage):""); return w(c.explain().queryPlanner.winningPlan)}
db.c.insertMany(Array.from({length:60},(_, i)=>({_id:i,c:["abc"[i%3],"abc"[(i+1)%3]],n:(i*7)%60,m:i%4,x:i%2}))).length
db.c.insertOne({_id:60,c:["a","a"],n:3.5,m:9,x:0}).acknowledged
db.c.createIndex({c:1,n:1})
db.c.createIndex({x:1,c:1,m:-1})
//> x_1_c_1_m_-1
plan(db.c.find({c:"a"}).sort({n:1}))
//> FETCH < IXSCAN:c_1_n_1
plan(db.c.find({c:"a"}).sort({n:-1}).limit(3))
//> LIMIT < FETCH < IXSCAN:c_1_n_1
db.c.find({c:"a"}).sort({n:-1}).limit(4).toArray().map(d=>d.n)
//> [ 59, 57, 56, 54 ]
db.c.find({c:"a"}).sort({n:1}).toArray().filter(d=>d._id===60).length
//> 1
// The array itself is no part of the order, though each document has the value.
plan(db.c.find({c:"a"}).sort({c:1,n:1}))
//> SORT < FETCH < IXSCAN:c_1_n_1
plan(db.c.find({c:"a"}).sort({c:1}))
//> SORT < FETCH < IXSCAN:c_1_n_1
plan(db.c.find({c:{$gte:"b"}}).sort({n:1}).hint("c_1_n_1"))
//> FETCH < SORT < IXSCAN:c_1_n_1
plan(db.c.find({c:{$gte:"b"}}).sort({c:1}).hint("c_1_n_1"))
//> SORT < FETCH < IXSCAN:c_1_n_1
plan(db.c.find().sort({c:1,n:1}))
//> FETCH < IXSCAN:c_1_n_1
plan(db.c.find({x:1,c:"b"}).sort({m:-1}).hint("x_1_c_1_m_-1"))
//> FETCH < IXSCAN:x_1_c_1_m_-1
plan(db.c.find({x:1,c:"b"}).sort({m:1,x:1}).hint("x_1_c_1_m_-1"))
//> FETCH < IXSCAN:x_1_c_1_m_-1
plan(db.c.find({x:1,c:"b"}).sort({c:1,m:-1}).hint("x_1_c_1_m_-1"))
//> SORT < FETCH < IXSCAN:x_1_c_1_m_-1
db.c.find({x:1,c:"b"}).sort({m:-1,_id:1}).limit(3).toArray().map(d=>[d._id,d.m])
//> [ [ 3, 3 ], [ 7, 3 ], [ 15, 3 ] ]
// Several values: the scans of each are merged, and no document comes twice.
plan(db.c.find({c:{$in:["a","b"]}}).sort({n:1}).hint("c_1_n_1"))
//> FETCH < SORT_MERGE(IXSCAN:c_1_n_1, IXSCAN:c_1_n_1)
db.c.find({c:{$in:["a","b"]}}).sort({n:1}).hint("c_1_n_1").toArray().map(d=>d.n).join() === db.c.find({c:{$in:["a","b"]}}).sort({n:1}).hint({$natural:1}).toArray().map(d=>d.n).join()
//> true
// Two fields of one array: bounds of one choose among the items of which the other is the order.
db.d.insertMany([{_id:1,k:1,a:[{b:1,c:5},{b:9,c:1}]},{_id:2,k:1,a:[{b:2,c:1}]},{_id:3,k:1,a:{b:5,c:1}}]).acknowledged
db.d.createIndex({k:1,"a.b":1,"a.c":1})
//> k_1_a.b_1_a.c_1
plan(db.d.find({k:1}).sort({"a.b":1}))
//> FETCH < IXSCAN:k_1_a.b_1_a.c_1
plan(db.d.find({k:1,"a.c":1}).sort({"a.b":1}))
//> SORT < FETCH < IXSCAN:k_1_a.b_1_a.c_1
db.d.find({k:1,"a.c":1}).sort({"a.b":1}).toArray().map(d=>d._id)
//> [ 1, 2, 3 ]
// A constant field stands anywhere in the sort.
db.e.createIndex({p:1,q:1,r:1})
//> p_1_q_1_r_1
plan(db.e.find({q:1}).sort({q:-1,p:1,r:1}).hint("p_1_q_1_r_1"))
//> FETCH < IXSCAN:p_1_q_1_r_1
plan(db.e.find({q:1}).sort({p:-1,r:-1,q:1}).hint("p_1_q_1_r_1"))
//> FETCH < IXSCAN:p_1_q_1_r_1
plan(db.e.find({q:{$gt:1}}).sort({p:1,r:1}).hint("p_1_q_1_r_1"))
//> FETCH < SORT < IXSCAN:p_1_q_1_r_1
