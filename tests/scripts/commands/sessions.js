// What drivers say of their sessions: startSession, refreshSessions, endSessions, killSessions.
// Manual: reference/command/startSession, refreshSessions, endSessions, killSessions
const run = (c) => { try { return db.runCommand(c) } catch (e) { return e.code + " " + e.codeName + " " + e.message } }
const started = run({startSession: 1})
started
//> {
//>   id: { id: UUID('f204a1d5-8a93-4062-89ff-98071e9ca6ca') },
//>   timeoutMinutes: 30,
//>   ok: 1
//> }
const local = () => db.aggregate([{$listLocalSessions: {}}]).toArray().length
local()
//> 1
run({refreshSessions: [started.id]})
//> { ok: 1 }
run({refreshSessions: [{id: UUID("00000000-0000-4000-8000-000000000001")}]})
//> { ok: 1 }
local()
//> 2
run({endSessions: [started.id]})
//> { ok: 1 }
local()
//> 2
clock.advance(300000)
local()
//> 0
db.getSiblingDB("config").runCommand({aggregate: "system.sessions", pipeline: [{$listSessions: {}}], cursor: {}}).cursor.firstBatch.map(s => s._id.id)
//> [ UUID('00000000-0000-4000-8000-000000000001') ]
run({endSessions: []})
//> { ok: 1 }
run({endSessions: 1})
//> 14 TypeMismatch BSON field 'endSessions.endSessions' is the wrong type 'int', expected type 'array'
run({endSessions: [{}]})
//> 40414 IDLFailedToParse BSON field 'endSessions.endSessions.id' is missing but a required field
run({endSessions: [], x: 1})
//> 40415 IDLUnknownField BSON field 'endSessions.x' is an unknown field.
// Cursors that were opened in a session end with it; without a list those of all.
db.c.insertMany([{_id: 1}, {_id: 2}, {_id: 3}]).acknowledged
//> true
const lsid = {id: UUID("00000000-0000-4000-8000-000000000002")}
const inside = run({find: "c", batchSize: 1, lsid}).cursor.id
const outside = run({find: "c", batchSize: 1}).cursor.id
run({killSessions: [lsid]})
//> { ok: 1 }
run({getMore: inside, collection: "c", lsid}).replace(/[0-9]{5,}/, "N")
//> 43 CursorNotFound cursor id N not found
run({getMore: outside, collection: "c", batchSize: 1}).cursor.nextBatch
//> [ { _id: 2 } ]
run({killSessions: []}).ok
//> 1
run({getMore: outside, collection: "c"}).replace(/[0-9]{5,}/, "N")
//> 43 CursorNotFound cursor id N not found
