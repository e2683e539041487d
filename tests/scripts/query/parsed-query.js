// The canonical form that explain shows of a filter.
const parsed = (filter) => JSON.stringify(db.t.find(filter).explain().queryPlanner.parsedQuery)
parsed({})
//> {}
parsed({ b: 1, a: 1 })
//> {"$and":[{"a":{"$eq":1}},{"b":{"$eq":1}}]}
parsed({ quantity: { $gte: 100, $lte: 300 } })
//> {"$and":[{"quantity":{"$lte":300}},{"quantity":{"$gte":100}}]}
parsed({ a: { $ne: 1 }, b: { $exists: false } })
//> {"$and":[{"a":{"$not":{"$eq":1}}},{"b":{"$not":{"$exists":true}}}]}
parsed({ a: { $in: [3, 1, 3] } })
//> {"a":{"$in":[1,3]}}
parsed({ $or: [{ a: 1 }, { a: 2 }] })
//> {"a":{"$in":[1,2]}}
parsed({ $nor: [{ a: 1 }, { b: 2 }] })
//> {"$nor":[{"a":{"$eq":1}},{"b":{"$eq":2}}]}
parsed({ a: /^x/i })
//> {"a":{"$regex":"^x","$options":"i"}}
parsed({ a: { $elemMatch: { c: 1, b: 2 } } })
//> {"a":{"$elemMatch":{"$and":[{"b":{"$eq":2}},{"c":{"$eq":1}}]}}}
