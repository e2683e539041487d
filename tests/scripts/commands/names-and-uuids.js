// A collection is named by its UUID too, so that a command does nothing to another one of the same name.
//
// Manual: reference/command/renameCollection, reference/command/drop, reference/command/dropDatabase
const said = (command, on = db) => { try { const { ok, ...rest } = on.runCommand(command); return rest } catch (x) { return x.code + " " + x.message } }
const uuidOf = (name) => db.getCollectionInfos({ name })[0].info.uuid
const other = UUID("00112233-4455-4677-8899-aabbccddeeff")
db.a.insertOne({ _id: 1 }).acknowledged && db.b.insertOne({ _id: 2 }).acknowledged
//> true
// The wrong one is refused, with the name of the collection that has the UUID.
const caught = (command, on = db) => { try { return on.runCommand(command) } catch (x) { const { code, codeName, db, expectedCollection, actualCollection } = x.errorResponse ?? {}; return [code ?? x.code, codeName ?? x.codeName, db, expectedCollection, actualCollection] } }
const admin = db.getSiblingDB("admin");
[caught({ drop: "a", collectionUUID: other }), caught({ drop: "a", collectionUUID: uuidOf("b") }), caught({ renameCollection: "test.a", to: "test.c", collectionUUID: uuidOf("b") }, admin), caught({ renameCollection: "test.a", to: "test.b", dropTarget: uuidOf("a") }, admin), caught({ renameCollection: "test.a", to: "test.none", dropTarget: other }, admin), caught({ renameCollection: "test.a", to: "else.b", dropTarget: other }, admin)]
//> [
//>   [ 361, 'CollectionUUIDMismatch', 'test', 'a', null ],
//>   [ 361, 'CollectionUUIDMismatch', 'test', 'a', 'b' ],
//>   [ 361, 'CollectionUUIDMismatch', 'test', 'a', 'b' ],
//>   [ 361, 'CollectionUUIDMismatch', 'test', 'b', 'a' ],
//>   [ 361, 'CollectionUUIDMismatch', 'test', 'none', null ],
//>   [ 72, 'InvalidOptions', undefined, undefined, undefined ]
//> ]
[said({ drop: "a", collectionUUID: 5 }), said({ drop: "a", collectionUUID: BinData(3, "AAAAAAAAAAAAAAAAAAAAAA==") }), said({ drop: "a", collectionUUID: BinData(4, "AAAA") }), said({ renameCollection: "test.a", to: "test.b", dropTarget: BinData(0, "AAAA") }, admin), said({ renameCollection: "test.a", to: "test.b", stayTemp: 1 }, admin)]
//> [
//>   "14 BSON field 'drop.collectionUUID' is the wrong type 'int', expected type 'binData'",
//>   "14 BSON field 'drop.collectionUUID' is the wrong binData type, expected type 'UUID'",
//>   '207 uuid must be a 16-byte binary field with UUID (4) subtype',
//>   '207 uuid must be a 16-byte binary field with UUID (4) subtype',
//>   "14 BSON field 'renameCollection.stayTemp' is the wrong type 'int', expected type 'bool'"
//> ]
// The right one is taken; the UUID of the target lets it be dropped.
[said({ renameCollection: "test.a", to: "test.b", dropTarget: uuidOf("b"), collectionUUID: uuidOf("a"), stayTemp: true }, admin), db.b.find().toArray(), said({ drop: "b", collectionUUID: uuidOf("b") })]
//> [ {}, [ { _id: 1 } ], { nIndexesWas: 1, ns: 'test.b' } ]
// The argument of dropDatabase is 1: a fraction is cut off, a decimal is rounded.
[0, 2, -1, NaN, true, "1", null, [1]].map((one) => said({ dropDatabase: one }))
//> [
//>   "5255100 Have to pass 1 as 'drop' parameter",
//>   "5255100 Have to pass 1 as 'drop' parameter",
//>   "5255100 Have to pass 1 as 'drop' parameter",
//>   "5255100 Have to pass 1 as 'drop' parameter",
//>   "14 BSON field 'dropDatabase.dropDatabase' is the wrong type 'bool', expected types '[long, int, decimal, double']",
//>   "14 BSON field 'dropDatabase.dropDatabase' is the wrong type 'string', expected types '[long, int, decimal, double']",
//>   "40414 BSON field 'dropDatabase.dropDatabase' is missing but a required field",
//>   "14 BSON field 'dropDatabase.dropDatabase' is the wrong type 'array', expected types '[long, int, decimal, double']"
//> ]
db.a.insertOne({ _id: 1 }).acknowledged
//> true
[1.9, NumberDecimal("0.9"), NumberLong(1)].map((one) => db.runCommand({ dropDatabase: one }))
//> [ { ok: 1 }, { ok: 1 }, { ok: 1 } ]
// Unknown fields are left alone by the two commands whose parser is open in the server.
db.a.insertOne({ _id: 1 }).acknowledged
//> true
[said({ cloneCollectionAsCapped: "a", toCollection: "capped", size: 4096, unknown: 1 }), said({ convertToCapped: "a", size: 4096, unknown: null }), db.a.isCapped(), db.capped.isCapped()]
//> [ {}, {}, true, true ]
// Views that version 1 of the Stable API does not have, of a database and of one collection.
db.createView("v", "a", [{ $indexStats: {} }]).ok
//> 1
[{}, { db: "test" }, { db: "none" }, { collection: "v" }, { collection: "a" }, { collection: "$x" }, { collection: "" }, { collection: ".a" }, { collection: "a\u0000" }, { collections: ["v"] }].map((one) => { const reply = said({ validateDBMetadata: "any", apiParameters: { version: "1", strict: true }, ...one }); return reply.apiVersionErrors ? reply.apiVersionErrors.map((x) => x.ns + " " + x.code) : reply })
//> [
//>   [ 'test.v 323' ],
//>   [ 'test.v 323' ],
//>   [],
//>   [ 'test.v 323' ],
//>   [],
//>   [],
//>   "73 Invalid collection name: ''",
//>   "73 Invalid collection name: '.a'",
//>   "73 Invalid collection name: 'a\x00'",
//>   "40415 BSON field 'validateDBMetadata.collections' is an unknown field."
//> ]
// And indexes: those of texts, and sparse ones.
db.w.createIndexes([{ t: "text" }, { n: 1 }]).length + db.w.createIndex({ s: 1 }, { sparse: true }).length
//> 5
[true, false].map((strict) => said({ validateDBMetadata: 1, apiParameters: { version: "1", strict }, db: "test", collection: "w" }).apiVersionErrors)
//> [
//>   [
//>     {
//>       ns: 'test.w',
//>       code: 323,
//>       codeName: 'APIStrictError',
//>       errmsg: 'The index with name t_text is not allowed in API version 1.'
//>     },
//>     {
//>       ns: 'test.w',
//>       code: 323,
//>       codeName: 'APIStrictError',
//>       errmsg: 'The index with name s_1 is not allowed in API version 1.'
//>     }
//>   ],
//>   []
//> ]
