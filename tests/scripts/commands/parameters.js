// Server parameters: which there are, what they do, and what is refused.
//
// Manual: reference/command/getParameter, reference/command/setParameter, reference/parameters
const admin = (c) => { try { return db.adminCommand(c) } catch (e) { return e.code + " " + e.codeName + " " + e.message } }
Object.keys(admin({getParameter: "*"}))
//> [
//>   'authenticationMechanisms',
//>   'cursorTimeoutMillis',
//>   'enableTestCommands',
//>   'featureCompatibilityVersion',
//>   'localLogicalSessionTimeoutMinutes',
//>   'logComponentVerbosity',
//>   'logLevel',
//>   'notablescan',
//>   'transactionLifetimeLimitSeconds',
//>   'ttlMonitorEnabled',
//>   'ttlMonitorSleepSecs',
//>   'ok'
//> ]
admin({getParameter: 1, cursorTimeoutMillis: 1, ttlMonitorEnabled: 1, comment: "two"})
//> { cursorTimeoutMillis: Long('600000'), ttlMonitorEnabled: true, ok: 1 }
admin({getParameter: {showDetails: true}, notablescan: 1, localLogicalSessionTimeoutMinutes: 1})
//> {
//>   notablescan: { value: false, settableAtRuntime: true, settableAtStartup: false },
//>   localLogicalSessionTimeoutMinutes: { value: 30, settableAtRuntime: false, settableAtStartup: false },
//>   ok: 1
//> }
Object.keys(admin({getParameter: {allParameters: true, setAt: "runtime"}}))
//> [
//>   'cursorTimeoutMillis',
//>   'logComponentVerbosity',
//>   'logLevel',
//>   'notablescan',
//>   'transactionLifetimeLimitSeconds',
//>   'ttlMonitorEnabled',
//>   'ttlMonitorSleepSecs',
//>   'ok'
//> ]
admin({getParameter: {allParameters: true, setAt: "never"}})
//> 2 BadValue Enumeration value 'never' for field 'getParameter.setAt' is not a valid value.
admin({getParameter: {all: true}})
//> 40415 IDLUnknownField BSON field 'getParameter.all' is an unknown field.
admin({getParameter: 1, featureCompatibilityVersion: 1, authenticationMechanisms: 1})
//> {
//>   featureCompatibilityVersion: { version: '8.2' },
//>   authenticationMechanisms: [],
//>   ok: 1
//> }
admin({getParameter: 1})
//> 72 InvalidOptions no option found to get
admin({getParameter: 1, nope: 1})
//> 72 InvalidOptions no option found to get
try { db.runCommand({getParameter: "*"}) } catch (e) { e.code }
//> 13
admin({setParameter: 1, nope: 1})
//> 72 InvalidOptions attempted to set unrecognized parameter [nope], use help:true to see options
admin({setParameter: 1})
//> 72 InvalidOptions no option found to set, use help:true to see options
admin({setParameter: 1, cursorTimeoutMillis: 0})
//> 2 BadValue Invalid value for parameter cursorTimeoutMillis: 0 is not greater than or equal to 1
admin({setParameter: 1, logLevel: 9})
//> 2 BadValue Invalid value for parameter logLevel: 9 is not less than or equal to 5
admin({setParameter: 1, ttlMonitorEnabled: "maybe"})
//> 2 BadValue Failed to coerce '"maybe"' to the type of parameter ttlMonitorEnabled
admin({setParameter: 1, localLogicalSessionTimeoutMinutes: 5})
//> 20 IllegalOperation not allowed to change [localLogicalSessionTimeoutMinutes] at runtime
admin({setParameter: 1, transactionLifetimeLimitSeconds: 30})
//> { was: 60, ok: 1 }
admin({getParameter: 1, transactionLifetimeLimitSeconds: 1})
//> { transactionLifetimeLimitSeconds: 30, ok: 1 }
// Nothing is set where one of several is refused.
admin({setParameter: 1, transactionLifetimeLimitSeconds: 20, nope: 1})
//> 72 InvalidOptions attempted to set unrecognized parameter [nope], use help:true to see options
admin({getParameter: 1, transactionLifetimeLimitSeconds: 1}).transactionLifetimeLimitSeconds
//> 30
// Expired documents stay while the monitor is off, and go within the time between two passes.
db.mail.createIndex({sent: 1}, {expireAfterSeconds: 10})
//> sent_1
db.mail.insertOne({_id: 1, sent: new Date()}).acknowledged
//> true
admin({setParameter: 1, ttlMonitorEnabled: false})
//> { was: true, ok: 1 }
clock.advance("10m")
//> ISODate('2026-01-01T00:10:00.000Z')
db.mail.countDocuments()
//> 1
admin({setParameter: 1, ttlMonitorEnabled: true, ttlMonitorSleepSecs: 5})
//> { was: false, ok: 1 }
clock.advance("6s")
//> ISODate('2026-01-01T00:10:06.000Z')
db.mail.countDocuments()
//> 0
admin({setParameter: 1, ttlMonitorSleepSecs: 60}).was
//> 5
// A cursor that nobody uses is closed.
db.teas.insertMany([{_id: 1, a: 1}, {_id: 2, a: 2}, {_id: 3, a: 3}]).acknowledged
//> true
admin({setParameter: 1, cursorTimeoutMillis: 60000}).was
//> Long('600000')
const cursor = db.teas.find().batchSize(1)
cursor.next()._id
//> 1
clock.advance("2m")
//> ISODate('2026-01-01T00:12:06.000Z')
try { cursor.toArray() } catch (e) { e.code + " " + e.codeName }
//> 43 CursorNotFound
db.serverStatus().metrics.cursor.timedOut
//> Long('1')
// No collection is scanned where that is forbidden.
admin({setParameter: 1, notablescan: true})
//> { was: false, ok: 1 }
try { db.teas.find({a: 1}).toArray() } catch (e) { e.code + " " + e.message }
//> 291 error processing query: planner returned error :: caused by :: No indexed plans available, and running with 'notablescan'
try { db.teas.aggregate([{$match: {a: 1}}]).toArray() } catch (e) { e.code }
//> 291
try { db.teas.updateOne({a: 1}, {$set: {b: 1}}) } catch (e) { e.code }
//> 291
try { db.teas.countDocuments({a: 1}) } catch (e) { e.code }
//> 291
try { db.teas.distinct("a") } catch (e) { e.code }
//> 291
db.teas.find({_id: 2}).toArray()
//> [ { _id: 2, a: 2 } ]
db.teas.find({_id: {$gt: 2}}).toArray()
//> [ { _id: 3, a: 3 } ]
db.teas.estimatedDocumentCount()
//> 3
admin({setParameter: 1, notablescan: false}).was
//> true
db.teas.find({a: 1}).toArray()
//> [ { _id: 1, a: 1 } ]
// How much is logged: nothing of commands that take no time, or all.
admin({getLog: "*"})
//> { names: [ 'global', 'startupWarnings' ], ok: 1 }
admin({getLog: "startupWarnings"})
//> { totalLinesWritten: 0, log: [], ok: 1 }
admin({getLog: "nope"})
//> 96 OperationFailed No log named 'nope'
admin({getLog: 1})
//> 14 TypeMismatch BSON field 'getLog.getLog' is the wrong type 'int', expected type 'string'
JSON.parse(admin({getLog: "global"}).log.at(-1)).attr
//> { parameterName: 'notablescan', oldValue: true, newValue: false }
admin({setParameter: 1, logLevel: 1})
//> { was: 0, ok: 1 }
db.teas.find({a: 2}).comment("logged").toArray().length
//> 1
const lines = admin({getLog: "global"}).log.map((line) => JSON.parse(line)).filter((line) => line.attr.command?.comment === "logged")
lines.map((line) => [line.t.$date, line.s, line.c, line.id, line.ctx, line.msg, line.attr])
//> [
//>   [
//>     '2026-01-01T00:12:06Z',
//>     'I',
//>     'COMMAND',
//>     51803,
//>     'conn1',
//>     'Slow query',
//>     {
//>       type: 'query',
//>       ns: 'test.teas',
//>       command: {
//>         find: 'teas',
//>         filter: { a: 2 },
//>         comment: 'logged',
//>         '$db': 'test'
//>       },
//>       durationMillis: 0
//>     }
//>   ]
//> ]
admin({setParameter: 1, logComponentVerbosity: {verbosity: 0, command: {verbosity: 2}, storage: {journal: {verbosity: 1}}}}).was.verbosity
//> 1
const levels = admin({getParameter: 1, logComponentVerbosity: 1}).logComponentVerbosity;
[levels.verbosity, levels.command, levels.storage]
//> [
//>   0,
//>   { verbosity: 2 },
//>   {
//>     verbosity: -1,
//>     journal: { verbosity: 1 },
//>     recovery: { verbosity: -1 },
//>     wt: { verbosity: -1 }
//>   }
//> ]
admin({setParameter: 1, logComponentVerbosity: {nope: {verbosity: 1}}})
//> 2 BadValue Invalid component name in log component verbosity: nope
admin({setParameter: 1, logComponentVerbosity: {command: {verbosity: 7}}})
//> 2 BadValue Invalid level in log component verbosity: verbosity
admin({setParameter: 1, logComponentVerbosity: 3})
//> 14 TypeMismatch log component verbosity is not a BSON object: 3
