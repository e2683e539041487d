// An item by its position beside what lies above and below every value: the whole index is read, since a document among the
// items stands for an absent field, too, which is in no key.
// Manual: core/index-multikey, reference/bson-type-comparison-order
db.trays.createIndex({ "slots.0": 1 })
//> slots.0_1
db.trays.insertMany([{ _id: 1, slots: [MinKey(), { size: 3 }] }, { _id: 2, slots: [MinKey()] }, { _id: 3, slots: [7] }, { _id: 4 }, { _id: 5, slots: [MaxKey(), { size: 5 }] }]).acknowledged
//> true
db.trays.find({ "slots.0": { $gt: MinKey() } }, { _id: 1 }).sort({ _id: 1 }).toArray().map((tray) => tray._id)
//> [ 1, 3, 4, 5 ]
db.trays.find({ "slots.0": { $gt: MinKey() } }, { _id: 1 }).hint({ $natural: 1 }).toArray().map((tray) => tray._id)
//> [ 1, 3, 4, 5 ]
db.trays.find({ "slots.0": { $gt: MinKey() } }, { _id: 1 }).hint("slots.0_1").toArray().map((tray) => tray._id).sort()
//> [ 1, 3, 4, 5 ]
db.trays.find({ "slots.0": { $lt: MaxKey() } }, { _id: 1 }).hint("slots.0_1").toArray().map((tray) => tray._id).sort()
//> [ 1, 2, 3, 4, 5 ]
db.trays.find({ "slots.0": { $lt: MaxKey() } }, { _id: 1 }).hint({ $natural: 1 }).toArray().map((tray) => tray._id)
//> [ 1, 2, 3, 4, 5 ]
db.trays.find({ "slots.0": { $gt: MinKey() } }).explain().queryPlanner.winningPlan.inputStage.indexBounds
//> { 'slots.0': [ '[MinKey, MaxKey]' ] }
