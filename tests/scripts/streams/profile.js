// What the profiler writes is of this server alone: no stream tells it, and no oplog has it. Manual: reference/command/profile
let all = db.getMongo().watch([{ $project: { operationType: 1, ns: 1 } }], { showExpandedEvents: true, showSystemEvents: true })
db.setProfilingLevel(2, { slowms: 0 }).ok
//> 1
db.herbs.insertOne({ _id: 1 })
//> { acknowledged: true, insertedId: 1 }
db.setProfilingLevel(0).ok
//> 1
db.system.profile.countDocuments({ op: 'insert' })
//> 1
while (all.hasNext()) { let event = all.next(); print(event.operationType, event.ns.db, event.ns.coll) }
//> create test herbs
//> insert test herbs
db.system.profile.drop()
//> true
all.tryNext()
//> null
db.getSiblingDB('local').oplog.rs.find({}, { _id: 0, op: 1, ns: 1 })
//> [
//>   { op: 'n', ns: '' },
//>   { op: 'c', ns: 'test.$cmd' },
//>   { op: 'i', ns: 'test.herbs' }
//> ]
