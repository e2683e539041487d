// Whose a cursor is, and what getMore and killCursors take. Manual: reference/command/getMore, reference/command/killCursors
const run = (c) => { try { return db.runCommand(c) } catch (e) { return e.code + " " + e.codeName + " " + e.message } }
db.c.insertMany([...Array(9)].map((_, _id) => ({_id}))).acknowledged
//> true
const first = {id: UUID("00000000-0000-4000-8000-000000000001")}, second = {id: UUID("00000000-0000-4000-8000-000000000002")}
const open = (more) => db.runCommand({find: "c", batchSize: 1, ...more}).cursor.id
const more = (id, fields) => { const r = run({getMore: id, collection: "c", batchSize: 1, ...fields}); return r.cursor?.nextBatch ?? r.replace(id.toString(), "N") }
// A cursor is read on in its session alone, and stays open for it.
const own = open({lsid: first}), none = open({});
[more(own, {lsid: second}), more(own, {}), more(own, {lsid: first}), more(none, {lsid: first}), more(none, {})]
//> [
//>   '50738 Location50738 Cannot run getMore on cursor N, which was created in session 00000000-0000-4000-8000-000000000001 - 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= -  - , in session 00000000-0000-4000-8000-000000000002 - 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= -  - ',
//>   '50737 Location50737 Cannot run getMore on cursor N, which was created in session 00000000-0000-4000-8000-000000000001 - 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= -  - , without an lsid',
//>   [ { _id: 1 } ],
//>   '50736 Location50736 Cannot run getMore on cursor N, which was not created in a session, in session 00000000-0000-4000-8000-000000000001 - 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= -  - ',
//>   [ { _id: 1 } ]
//> ]
// It goes on when its session has ended.
db.runCommand({endSessions: [first]}).ok
//> 1
more(own, {lsid: first})
//> [ { _id: 2 } ]
// How long to wait for data is said of a cursor that waits.
[more(none, {maxTimeMS: 0}), more(none, {maxTimeMS: 5}), more(none, {maxTimeMS: null}), more(none, {maxTimeMS: "x"})]
//> [
//>   '2 BadValue cannot set maxTimeMS on getMore command for a non-awaitData cursor',
//>   '2 BadValue cannot set maxTimeMS on getMore command for a non-awaitData cursor',
//>   [ { _id: 2 } ],
//>   "14 TypeMismatch BSON field 'maxTimeMS' is the wrong type 'string', expected types '[long, int, decimal, double]'"
//> ]
[-1, NumberDecimal("-0.50001"), NumberDecimal("1.5"), 1.9].map(batchSize => more(none, {batchSize}))
//> [
//>   "2 BadValue BSON field 'batchSize' value must be >= 0, actual value '-1'",
//>   "2 BadValue BSON field 'batchSize' value must be >= 0, actual value '-1'",
//>   [ { _id: 3 }, { _id: 4 } ],
//>   [ { _id: 5 } ]
//> ]
[null, 5, "x"].map(id => run({getMore: id, collection: "c"}))
//> [
//>   "40414 IDLFailedToParse BSON field 'getMore.getMore' is missing but a required field",
//>   "14 TypeMismatch BSON field 'getMore.getMore' is the wrong type 'int', expected type 'long'",
//>   "14 TypeMismatch BSON field 'getMore.getMore' is the wrong type 'string', expected type 'long'"
//> ]
// Null items are passed over, and nothing may be killed.
[run({killCursors: "c", cursors: []}), run({killCursors: "c", cursors: [null, NumberLong(5)]}), run({killCursors: "c", cursors: [5]})]
//> [
//>   {
//>     cursorsKilled: [],
//>     cursorsNotFound: [],
//>     cursorsAlive: [],
//>     cursorsUnknown: [],
//>     ok: 1
//>   },
//>   {
//>     cursorsKilled: [],
//>     cursorsNotFound: [ Long('5') ],
//>     cursorsAlive: [],
//>     cursorsUnknown: [],
//>     ok: 1
//>   },
//>   "14 TypeMismatch BSON field 'killCursors.cursors.0' is the wrong type 'int', expected type 'long'"
//> ]
// A cursor on a view is of the session, too, and ends with it.
db.createView("v", "c", []).ok
//> 1
const seen = db.runCommand({find: "v", batchSize: 1, lsid: first}).cursor.id
run({getMore: seen, collection: "v", batchSize: 1, lsid: first}).cursor.nextBatch
//> [ { _id: 1 } ]
db.adminCommand({killSessions: [first]}).ok
//> 1
run({getMore: seen, collection: "v", lsid: first}).split(" ")[1]
//> CursorNotFound
