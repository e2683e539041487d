// What a person does in mongosh, MongoDB's own shell, on the server whose address it is given. Prints "done".
const assert = require("node:assert/strict");
const sh = db.getSiblingDB("sh");
const refused = (work) => {
  try {
    work();
  } catch (error) {
    return error.code;
  }
  return assert.fail("it was to fail");
};

// Documents, indexes, aggregation.
sh.teas.insertMany([
  { name: "mint", price: 4 },
  { name: "oolong", price: Long("9") },
]);
assert.equal(sh.teas.createIndex({ name: 1 }, { unique: true }), "name_1");
assert.equal(sh.teas.getIndexes().length, 2);
assert.equal(sh.teas.updateOne({ name: "mint" }, { $inc: { price: 1 } }).modifiedCount, 1);
assert.equal(sh.teas.findOne({ name: "mint" }).price, 5);
const [{ sum }] = sh.teas.aggregate([{ $group: { _id: null, sum: { $sum: "$price" } } }]).toArray();
assert.equal(Number(sum), 14);
assert.equal(sh.teas.find({ name: "mint" }).explain("executionStats").executionStats.totalKeysExamined, 1);

// Errors.
assert.equal(
  refused(() => sh.teas.insertOne({ name: "mint" })),
  11000,
);
assert.equal(
  refused(() => sh.teas.find({ $nonsense: 1 }).toArray()),
  2,
);
assert.equal(
  refused(() => sh.runCommand({ nothing: 1 })),
  59,
);

// A batch of writes, and a cursor over many batches.
const bulk = sh.many.initializeUnorderedBulkOp();
for (let number = 0; number < 2000; number += 1) bulk.insert({ _id: number, text: "x".repeat(200) });
assert.equal(bulk.execute().insertedCount, 2000);
let total = 0;
sh.many
  .find()
  .batchSize(90)
  .forEach(({ _id }) => (total += _id));
assert.equal(total, 1999 * 1000);

// A session and its transactions.
const session = db.getMongo().startSession();
const moved = session.getDatabase("sh").moved;
sh.createCollection("moved");
session.startTransaction();
moved.insertOne({ _id: 0 });
assert.equal(sh.moved.countDocuments({}), 0);
session.abortTransaction();
const stream = sh.moved.watch();
session.withTransaction(() => moved.insertOne({ _id: 1 }));
assert.equal(sh.moved.countDocuments({}), 1);
session.endSession();

// The change that the transaction made.
let change = null;
while (change === null) change = stream.tryNext();
assert.deepEqual([change.operationType, change.documentKey._id], ["insert", 1]);
stream.close();

// What the shell tells of a server.
assert.ok(db.currentOp().inprog.length > 0);
assert.equal(rs.status().set, "quire");
assert.equal(db.hello().me, db.serverStatus().host);
assert.ok(db.getMongo().getDBNames().includes("sh"));
assert.equal(sh.getCollectionNames().sort().join(), "many,moved,teas");
sh.createUser({ user: "anna", pwd: "secret", roles: ["readWrite"] });
assert.ok(sh.auth("anna", "secret"));
assert.equal(db.runCommand({ connectionStatus: 1 }).authInfo.authenticatedUsers[0].user, "anna");
print("done");
