// distinct gives each value once, items of arrays one by one; an index that the field leads gives one
// key a value. Manual: reference/command/distinct.
db.items.insertMany([{ _id: 1, a: 1, t: ["x", "y"] }, { _id: 2, a: 1.0, t: "x" }, { _id: 3, a: null }, { _id: 4 }, { _id: 5, a: { b: 2 } }])
//> {
//>   acknowledged: true,
//>   insertedIds: { '0': 1, '1': 2, '2': 3, '3': 4, '4': 5 }
//> }
db.items.distinct("a")
//> [ null, 1, { b: 2 } ]
db.items.distinct("t")
//> [ 'x', 'y' ]
db.items.distinct("a.b")
//> [ 2 ]
db.items.createIndex({ a: 1 })
//> a_1
db.items.distinct("a")
//> [ null, 1, { b: 2 } ]
// In keys an absent field is null, so it is given too where they are asked.
db.items.deleteOne({ _id: 3 })
//> { acknowledged: true, deletedCount: 1 }
db.items.distinct("a")
//> [ null, 1, { b: 2 } ]
db.items.explain().distinct("a").queryPlanner.winningPlan
//> {
//>   isCached: false,
//>   stage: 'PROJECTION_COVERED',
//>   transformBy: { _id: 0, a: 1 },
//>   inputStage: {
//>     stage: 'DISTINCT_SCAN',
//>     keyPattern: { a: 1 },
//>     indexName: 'a_1',
//>     isMultiKey: false,
//>     multiKeyPaths: { a: [] },
//>     isUnique: false,
//>     isSparse: false,
//>     isPartial: false,
//>     indexVersion: 2,
//>     direction: 'forward',
//>     indexBounds: { a: [ '[MinKey, MaxKey]' ] }
//>   }
//> }
db.items.distinct("a", { _id: { $lt: 2 } })
//> [ 1 ]
db.items.distinct("a", { a: { $gte: 1 } })
//> [ 1 ]
db.items.distinct()
//> MongoshInvalidInputError: [COMMON-10001] Missing required argument at position 0 (Collection.distinct)
db.runCommand({ distinct: "items", key: 1 })
//> MongoServerError[TypeMismatch]: BSON field 'distinct.key' is the wrong type 'int', expected type 'string'
db.nothing.distinct("a")
//> []
