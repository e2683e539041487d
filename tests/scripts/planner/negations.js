// Negated predicates and the bounds they make; each answer is compared with that of a collection scan.
// Manual: reference/operator/query/not, nin, nor
db.c.insertMany([{_id:1,b:1},{_id:2,b:2},{_id:3,b:null},{_id:4},{_id:5,b:"x"}]).acknowledged
db.c.createIndex({b:1})
const b = (q) => { let s = db.c.find(q).explain().queryPlanner.winningPlan; const f = []; while (s) { f.push(s.stage + (s.filter ? " " + EJSON.stringify(s.filter) : "") + (s.indexBounds ? " " + EJSON.stringify(s.indexBounds) : "")); s = s.inputStage } const ids = (c) => EJSON.stringify(c.toArray().map(d => d._id).sort()); const one = ids(db.c.find(q)), two = ids(db.c.find(q).hint({$natural: 1})); return f.join(" < ") + " " + one + (one === two ? "" : " NOT " + two) }
b({b:{$not:{$in:[1,null]}}})
//> FETCH < IXSCAN {"b":["[MinKey, null)","(null, 1)","(1, MaxKey]"]} [2,5]
b({b:{$nin:[1,null,"x"]}})
//> FETCH < IXSCAN {"b":["[MinKey, null)","(null, 1)","(1, \"x\")","(\"x\", MaxKey]"]} [2]
b({b:{$not:{$gt:null}}})
//> FETCH < IXSCAN {"b":["[MinKey, MaxKey]"]} [1,2,3,4,5]
b({b:{$not:{$gte:null}}})
//> FETCH < IXSCAN {"b":["[MinKey, null)","(null, MaxKey]"]} [1,2,5]
b({b:{$not:{$lt:null}}})
//> FETCH < IXSCAN {"b":["[MinKey, MaxKey]"]} [1,2,3,4,5]
b({b:{$ne:null}})
//> FETCH < IXSCAN {"b":["[MinKey, null)","(null, MaxKey]"]} [1,2,5]
b({b:{$nin:[null]}})
//> FETCH < IXSCAN {"b":["[MinKey, null)","(null, MaxKey]"]} [1,2,5]
b({b:{$nin:[null,[]]}})
//> FETCH {"b":{"$not":{"$in":[null,[]]}}} < IXSCAN {"b":["[MinKey, MaxKey]"]} [1,2,5]
b({b:{$not:{$lte:1}}})
//> FETCH < IXSCAN {"b":["[MinKey, -inf.0)","(1, MaxKey]"]} [2,3,4,5]
b({b:{$not:{$lt:NaN}}})
//> FETCH < IXSCAN {"b":["[MinKey, MaxKey]"]} [1,2,3,4,5]
b({b:{$not:{$gte:NaN}}})
//> FETCH < IXSCAN {"b":["[MinKey, nan.0)","(nan.0, MaxKey]"]} [1,2,3,4,5]
b({b:{$not:{$gt:MinKey}}})
//> COLLSCAN {"b":{"$not":{"$gt":{"$minKey":1}}}} []
b({b:{$gt:MinKey}})
//> FETCH {"b":{"$gt":{"$minKey":1}}} < IXSCAN {"b":["(MinKey, MaxKey]"]} [1,2,3,4,5]
b({b:{$lt:MinKey}})
//> FETCH {"b":{"$lt":{"$minKey":1}}} < IXSCAN {"b":[]} []
b({b:{$lte:MinKey}})
//> FETCH {"b":{"$lte":{"$minKey":1}}} < IXSCAN {"b":["[MinKey, MinKey]"]} []
b({b:{$lt:MaxKey}})
//> FETCH {"b":{"$lt":{"$maxKey":1}}} < IXSCAN {"b":["[MinKey, MaxKey)"]} [1,2,3,4,5]
b({b:{$gte:MaxKey}})
//> FETCH {"b":{"$gte":{"$maxKey":1}}} < IXSCAN {"b":["[MaxKey, MaxKey]"]} []
b({b:{$ne:MinKey}})
//> FETCH < IXSCAN {"b":["(MinKey, MaxKey]"]} [1,2,3,4,5]
b({b:{$not:{$type:"int"}}})
//> COLLSCAN {"b":{"$not":{"$type":[16]}}} [3,4,5]
b({b:{$not:{$mod:[2,1]}}})
//> COLLSCAN {"b":{"$not":{"$mod":[2,1]}}} [2,3,4,5]
b({b:{$not:{$exists:true}}})
//> FETCH {"b":{"$not":{"$exists":true}}} < IXSCAN {"b":["[null, null]"]} [4]
b({b:{$not:{$exists:false}}})
//> FETCH {"b":{"$exists":true}} < IXSCAN {"b":["[MinKey, MaxKey]"]} [1,2,3,5]
b({b:{$not:{$not:{$gt:1}}}})
//> FETCH < IXSCAN {"b":["(1, inf.0]"]} [2]
b({b:{$not:{$elemMatch:{$gt:1}}}})
//> COLLSCAN {"b":{"$not":{"$elemMatch":{"$gt":1}}}} [1,2,3,4,5]
b({b:{$not:{$gt:1,$lt:5}}})
//> COLLSCAN {"$nor":[{"$and":[{"b":{"$lt":5}},{"b":{"$gt":1}}]}]} [1,3,4,5]
b({b:{$not:{$in:[]}}})
//> COLLSCAN [1,2,3,4,5]
b({$nor:[{b:1}]})
//> FETCH < IXSCAN {"b":["[MinKey, 1)","(1, MaxKey]"]} [2,3,4,5]
b({$nor:[{b:null}]})
//> FETCH < IXSCAN {"b":["[MinKey, null)","(null, MaxKey]"]} [1,2,5]
b({$nor:[{b:{$gt:1}}]})
//> FETCH < IXSCAN {"b":["[MinKey, 1]","(inf.0, MaxKey]"]} [1,3,4,5]
