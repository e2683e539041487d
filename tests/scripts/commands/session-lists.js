// Lists of sessions that are none. Manual: reference/command/killSessions, reference/command/killAllSessions
const run = (c) => { try { return db.runCommand(c).ok } catch (e) { return e.code + " " + e.codeName + " " + e.message } }
const id = UUID("00000000-0000-4000-8000-000000000001");
["killSessions", "endSessions", "refreshSessions", "killAllSessions", "killAllSessionsByPattern"].map(name => run({[name]: null}))
//> [
//>   "40414 IDLFailedToParse BSON field 'killSessions.killSessions' is missing but a required field",
//>   "40414 IDLFailedToParse BSON field 'endSessions.endSessions' is missing but a required field",
//>   "40414 IDLFailedToParse BSON field 'refreshSessions.refreshSessions' is missing but a required field",
//>   "40414 IDLFailedToParse BSON field 'killAllSessions.killAllSessions' is missing but a required field",
//>   "40414 IDLFailedToParse BSON field 'killAllSessionsByPattern.killAllSessionsByPattern' is missing but a required field"
//> ]
[1, "x", {}, {id: 1}, {id: null}, {x: id}, {id, x: 1}, {id: BinData(0, "AAAA")}, {id: BinData(4, "AAAA")}, {id: BinData(3, "AAAAAAAAAAAAAAAAAAAAAA==")}].map(session => run({killSessions: [session]}))
//> [
//>   "14 TypeMismatch BSON field 'killSessions.killSessions' is the wrong type 'int', expected type 'object'",
//>   "14 TypeMismatch BSON field 'killSessions.killSessions' is the wrong type 'string', expected type 'object'",
//>   "40414 IDLFailedToParse BSON field 'killSessions.killSessions.id' is missing but a required field",
//>   "14 TypeMismatch BSON field 'killSessions.killSessions.id' is the wrong type 'int', expected type 'binData'",
//>   "40414 IDLFailedToParse BSON field 'killSessions.killSessions.id' is missing but a required field",
//>   "40415 IDLUnknownField BSON field 'killSessions.killSessions.x' is an unknown field.",
//>   "40415 IDLUnknownField BSON field 'killSessions.killSessions.x' is an unknown field.",
//>   "14 TypeMismatch BSON field 'killSessions.killSessions.id' is the wrong binData type, expected type 'UUID'",
//>   '207 InvalidUUID uuid must be a 16-byte binary field with UUID (4) subtype',
//>   "14 TypeMismatch BSON field 'killSessions.killSessions.id' is the wrong binData type, expected type 'UUID'"
//> ]
[null, {id}, {id, uid: BinData(0, "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")}].map(session => ["killSessions", "endSessions", "refreshSessions"].map(name => run({[name]: [session]})))
//> [ [ 1, 1, 1 ], [ 1, 1, 1 ], [ 1, 1, 1 ] ]
[run({killAllSessions: [null]}), run({killAllSessions: [5]}), run({killAllSessionsByPattern: [null, {lsid: {id}}]}), run({killAllSessionsByPattern: [{lsid: {id: 5}}]}), run({killAllSessionsByPattern: [{lsid: {}}]})]
//> [
//>   1,
//>   "14 TypeMismatch BSON field 'killAllSessions.killAllSessions.0' is the wrong type 'int', expected type 'object'",
//>   1,
//>   "14 TypeMismatch BSON field 'killAllSessionsByPattern.killAllSessionsByPattern.lsid.id' is the wrong type 'int', expected type 'binData'",
//>   "40414 IDLFailedToParse BSON field 'killAllSessionsByPattern.killAllSessionsByPattern.lsid.id' is missing but a required field"
//> ]
// The session of a command is checked alike.
[{id: BinData(4, "AAAA")}, {x: id}, {id, x: 1}].map(lsid => run({ping: 1, lsid}))
//> [
//>   '207 InvalidUUID uuid must be a 16-byte binary field with UUID (4) subtype',
//>   "40415 IDLUnknownField BSON field 'OperationSessionInfo.lsid.x' is an unknown field.",
//>   "40415 IDLUnknownField BSON field 'OperationSessionInfo.lsid.x' is an unknown field."
//> ]
