// A transaction in the oplog: one entry with all its operations, at its commit; nothing of one that was aborted. Manual: core/replica-set-oplog, core/transactions-production-consideration
const lsid = (n) => ({id: UUID("00000000-0000-4000-8000-00000000000" + n)})
const tell = (e) => [e.codeName, e.message, ...(e.errorResponse?.errorLabels ?? [])]
const told = (run) => { try { return run() } catch (e) { return tell(e) } }
const within = (session, number, command, more) => told(() => db.runCommand({...command, lsid: lsid(session), txnNumber: Long(number), autocommit: false, ...more}))
const start = (session, number, command, more) => within(session, number, command, {startTransaction: true, ...more})
const end = (session, number, name, more) => told(() => db.adminCommand({[name]: 1, lsid: lsid(session), txnNumber: Long(number), autocommit: false, ...more}))
const commit = (session, number, more) => end(session, number, "commitTransaction", more)
const abort = (session, number) => end(session, number, "abortTransaction")
const log = db.getSiblingDB("local").oplog.rs
const entries = () => log.find({op: {$ne: "n"}}, {ts: 0, wall: 0, "o.applyOps.ui": 0, ui: 0, t: 0, v: 0}).toArray()
log.countDocuments()
//> 1
db.herbs.insertOne({_id: 1, stock: 3}).insertedId
//> 1
start(1, 1, {update: "herbs", updates: [{q: {_id: 1}, u: {$inc: {stock: 1}}}]}).n
//> 1
within(1, 1, {insert: "teas", documents: [{_id: 1}, {_id: 2}]}).n
//> 2
within(1, 1, {delete: "teas", deletes: [{q: {_id: 1}, limit: 1}]}).n
//> 1
start(2, 1, {insert: "herbs", documents: [{_id: 9}]}).n
//> 1
db.herbs.insertOne({_id: 2}).insertedId
//> 2
[abort(2, 1).ok, commit(1, 1).ok]
//> [ 1, 1 ]
entries()
//> [
//>   {
//>     op: 'c',
//>     ns: 'test.$cmd',
//>     o: {
//>       create: 'herbs',
//>       idIndex: { v: 2, key: { _id: 1 }, name: '_id_' }
//>     }
//>   },
//>   {
//>     op: 'i',
//>     ns: 'test.herbs',
//>     o: { _id: 1, stock: 3 },
//>     o2: { _id: 1 }
//>   },
//>   { op: 'i', ns: 'test.herbs', o: { _id: 2 }, o2: { _id: 2 } },
//>   {
//>     lsid: {
//>       id: UUID('00000000-0000-4000-8000-000000000001'),
//>       uid: Binary.createFromBase64('47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=', 0)
//>     },
//>     txnNumber: Long('1'),
//>     op: 'c',
//>     ns: 'admin.$cmd',
//>     o: {
//>       applyOps: [
//>         {
//>           op: 'u',
//>           ns: 'test.herbs',
//>           o: { '$v': 2, diff: { u: [Object] } },
//>           o2: { _id: 1 }
//>         },
//>         {
//>           op: 'c',
//>           ns: 'test.$cmd',
//>           o: {
//>             create: 'teas',
//>             idIndex: { v: 2, key: [Object], name: '_id_' }
//>           }
//>         },
//>         { op: 'i', ns: 'test.teas', o: { _id: 1 }, o2: { _id: 1 } },
//>         { op: 'i', ns: 'test.teas', o: { _id: 2 }, o2: { _id: 2 } },
//>         { op: 'd', ns: 'test.teas', o: { _id: 1 } }
//>       ]
//>     },
//>     prevOpTime: { ts: Timestamp({ t: 0, i: 0 }), t: Long('-1') }
//>   }
//> ]
// The collection's identity is that which the transaction gave it.
log.findOne({"o.applyOps.op": "i"}).o.applyOps.map(({ui}) => ui.toString()).includes(db.getCollectionInfos({name: "teas"})[0].info.uuid.toString())
//> true
