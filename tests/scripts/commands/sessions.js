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
// Sessions of users: there are none, so that all sessions are nobody's.
db.c.insertMany([{_id: 10}, {_id: 11}, {_id: 12}]).acknowledged
//> true
const open = (more = {}) => run({find: "c", batchSize: 1, ...more}).cursor.id
const lives = (id, more = {}) => typeof run({getMore: id, collection: "c", batchSize: 1, ...more}) !== "string"
const nobody = BinData(0, "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
const other = {id: UUID("00000000-0000-4000-8000-000000000003")}
const tried = (command) => { const ids = [open({lsid}), open({lsid: other}), open()]; const reply = run(command); const left = [lives(ids[0], {lsid}), lives(ids[1], {lsid: other}), lives(ids[2])]; run({killCursors: "c", cursors: ids}); return [reply.ok ?? reply, ...left] }
tried({killAllSessions: [{user: "ann", db: "test"}]})
//> [ 1, true, true, true ]
tried({killAllSessions: []})
//> [ 1, false, false, true ]
tried({killAllSessions: [{user: "", db: ""}]})
//> [ 1, false, false, true ]
[[1], [{}], [{user: "ann"}], [{user: 1, db: "x"}], [{user: "ann", db: "x", more: 1}]].map((killAllSessions) => run({killAllSessions}))
//> [
//>   "14 TypeMismatch BSON field 'killAllSessions.killAllSessions.0' is the wrong type 'int', expected type 'object'",
//>   "40414 IDLFailedToParse BSON field 'killAllSessions.killAllSessions.user' is missing but a required field",
//>   "40414 IDLFailedToParse BSON field 'killAllSessions.killAllSessions.db' is missing but a required field",
//>   "14 TypeMismatch BSON field 'killAllSessions.killAllSessions.user' is the wrong type 'int', expected type 'string'",
//>   "40415 IDLUnknownField BSON field 'killAllSessions.killAllSessions.more' is an unknown field."
//> ]
run({killAllSessions: 1})
//> 14 TypeMismatch BSON field 'killAllSessions.killAllSessions' is the wrong type 'int', expected type 'array'
tried({killAllSessionsByPattern: [{lsid: other}]})
//> [ 1, true, false, true ]
tried({killAllSessionsByPattern: [{uid: nobody}]})
//> [ 1, false, false, true ]
tried({killAllSessionsByPattern: [{uid: BinData(0, "AAAA")}]})
//> [ 1, true, true, true ]
tried({killAllSessionsByPattern: []})
//> [ 1, false, false, true ]
tried({killAllSessionsByPattern: [{users: [{user: "ann", db: "test"}]}]})
//> [ 1, true, true, true ]
[[1], [{lsid: {}}], [{uid: 1}], [{users: 1}], [{other: 1}]].map((killAllSessionsByPattern) => run({killAllSessionsByPattern}))
//> [
//>   "14 TypeMismatch BSON field 'killAllSessionsByPattern.killAllSessionsByPattern.0' is the wrong type 'int', expected type 'object'",
//>   "40414 IDLFailedToParse BSON field 'killAllSessionsByPattern.killAllSessionsByPattern.lsid.id' is missing but a required field",
//>   "14 TypeMismatch BSON field 'killAllSessionsByPattern.killAllSessionsByPattern.uid' is the wrong type 'int', expected type 'binData'",
//>   "14 TypeMismatch BSON field 'killAllSessionsByPattern.killAllSessionsByPattern.users' is the wrong type 'int', expected type 'array'",
//>   "40415 IDLUnknownField BSON field 'killAllSessionsByPattern.killAllSessionsByPattern.other' is an unknown field."
//> ]
// What a session has open ends with it: ended by its client, or half an hour after its last use.
const ending = open({lsid: other, noCursorTimeout: true}), idle = open({lsid, noCursorTimeout: true})
run({endSessions: [other]}).ok
//> 1
lives(ending, {lsid: other})
//> true
// Without its session an open cursor is refused for that, and the session is not used by it.
const refusal = (id) => run({getMore: id, collection: "c"}).split(" ")[1]
run({endSessions: [other]}); clock.advance(300001); [ending, idle].map(refusal)
//> [ 'CursorNotFound', 'Location50737' ]
clock.advance(1800001); run({ping: 1}); refusal(idle)
//> CursorNotFound
// A cursor on a view ends with its session, too.
db.createView("v", "c", []).ok
//> 1
const onView = db.runCommand({find: "v", batchSize: 1, noCursorTimeout: true, lsid}).cursor.id; onView > 0
//> true
clock.advance(300001); run({ping: 1}); clock.advance(1800001); run({getMore: onView, collection: "v", lsid}).split(" ")[1]
//> CursorNotFound
