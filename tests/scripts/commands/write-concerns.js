// Write concerns as a standalone takes them. (standalone)
//
// Manual: reference/write-concern
const put = (writeConcern) => { try { return db.runCommand({insert: "c", documents: [{}], writeConcern}).ok } catch (e) { return e.code + " " + e.codeName + " " + e.message } }
[0, 1, 1.5, 0.5, -0, NumberLong(1), NumberDecimal("1"), "majority", {dc1: 1}].map((w) => put({w}))
//> [
//>   1, 1, 1, 1, 1,
//>   1, 1, 1, 1
//> ]
[NaN, -NaN, NumberDecimal("NaN"), Infinity, -Infinity, -1, 51, NumberLong("9223372036854775807"), NumberDecimal("-Infinity")].map((w) => put({w}))
//> [
//>   '9 FailedToParse w has to be a non-negative number and not greater than 50',
//>   '9 FailedToParse w has to be a non-negative number and not greater than 50',
//>   '9 FailedToParse w has to be a non-negative number and not greater than 50',
//>   '9 FailedToParse w has to be a non-negative number and not greater than 50',
//>   '9 FailedToParse w has to be a non-negative number and not greater than 50',
//>   '9 FailedToParse w has to be a non-negative number and not greater than 50',
//>   '9 FailedToParse w has to be a non-negative number and not greater than 50',
//>   '9 FailedToParse w has to be a non-negative number and not greater than 50',
//>   '9 FailedToParse w has to be a non-negative number and not greater than 50'
//> ]
[2, 50, null, "", "Majority"].map((w) => put({w}))
//> [
//>   "2 BadValue cannot use 'w' > 1 when a host is not replicated",
//>   "2 BadValue cannot use 'w' > 1 when a host is not replicated",
//>   "2 BadValue cannot use non-majority 'w' mode  when a host is not a member of a replica set",
//>   "2 BadValue cannot use non-majority 'w' mode  when a host is not a member of a replica set",
//>   "2 BadValue cannot use non-majority 'w' mode Majority when a host is not a member of a replica set"
//> ]
[{}, {dc1: "x"}, {dc1: {a: 1}}, true, [1], ObjectId("5f0000000000000000000000"), new Date(0)].map((w) => put({w}))
//> [
//>   '9 FailedToParse tagged write concern requires tags',
//>   '9 FailedToParse tags must be a single level document with only number values',
//>   '9 FailedToParse tags must be a single level document with only number values',
//>   '9 FailedToParse w has to be a number, string, or object',
//>   '9 FailedToParse w has to be a number, string, or object',
//>   '9 FailedToParse w has to be a number, string, or object',
//>   '9 FailedToParse w has to be a number, string, or object'
//> ]
[0, -1, 2147483647, "x", null, true, -Infinity, NaN, [1]].map((wtimeout) => put({w: 1, wtimeout}))
//> [
//>   1, 1, 1, 1, 1,
//>   1, 1, 1, 1
//> ]
[2147483648, NumberLong(2147483648), 2147483648.5, Infinity, NumberDecimal("1E10")].map((wtimeout) => put({w: 1, wtimeout}))
//> [
//>   '9 FailedToParse wtimeout must be a 32-bit integer',
//>   '9 FailedToParse wtimeout must be a 32-bit integer',
//>   '9 FailedToParse wtimeout must be a 32-bit integer',
//>   '9 FailedToParse wtimeout must be a 32-bit integer',
//>   '9 FailedToParse wtimeout must be a 32-bit integer'
//> ]
["clientSupplied", "implicitDefault", null, "mine", 42].map((provenance) => put({w: 1, provenance}))
//> [
//>   1,
//>   1,
//>   1,
//>   "2 BadValue Enumeration value 'mine' for field 'writeConcern.provenance' is not a valid value.",
//>   "14 TypeMismatch BSON field 'writeConcern.provenance' is the wrong type 'int', expected type 'string'"
//> ]
// What is only explained is not written.
const explained = (command) => { try { return db.runCommand(command).ok } catch (e) { return e.code + " " + e.codeName + " " + e.message } }
[{}, {w: 1}, {w: "majority"}].map((writeConcern) => explained({aggregate: "c", pipeline: [], explain: true, writeConcern}))
//> [
//>   "9 FailedToParse Aggregation explain does not support the'writeConcern' option",
//>   "9 FailedToParse Aggregation explain does not support the'writeConcern' option",
//>   "9 FailedToParse Aggregation explain does not support the'writeConcern' option"
//> ]
[explained({aggregate: "c", pipeline: [{$out: "d"}], explain: true, writeConcern: {w: 1}}), explained({explain: {aggregate: "c", pipeline: [], cursor: {}, writeConcern: {w: 1}}}), explained({aggregate: "c", pipeline: [], explain: true}), explained({aggregate: "c", pipeline: [], explain: false}), explained({aggregate: "c", pipeline: [], cursor: {}, writeConcern: {w: 1}}), explained({aggregate: "c", pipeline: []})]
//> [
//>   "9 FailedToParse Aggregation explain does not support the'writeConcern' option",
//>   "9 FailedToParse Aggregation explain does not support the'writeConcern' option",
//>   1,
//>   "9 FailedToParse The 'cursor' option is required, except for aggregate with the explain argument",
//>   1,
//>   "9 FailedToParse The 'cursor' option is required, except for aggregate with the explain argument"
//> ]
