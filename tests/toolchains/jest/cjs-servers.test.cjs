/** Mongoose under Jest: a server that this file starts within the realm of the tests, and the server of the run. */
const mongoose = require("mongoose8");
const { MongoMemoryServer } = require("quiredb/testing");

const schema = new mongoose.Schema({ at: Date, bytes: Buffer });

async function keeps(uri) {
  const connection = await mongoose
    .createConnection(uri, { dbName: `worker${process.env.JEST_WORKER_ID}` })
    .asPromise();
  const Cup = connection.model("Cup", schema);
  await Cup.create({ at: new Date(7), bytes: Buffer.from([1, 2]) });
  const { at, bytes } = await Cup.findOne();
  await connection.dropDatabase();
  await connection.close();
  expect([at.getTime(), ...bytes]).toEqual([7, 1, 2]);
}

test("a server of the file's own", async () => {
  const server = await MongoMemoryServer.create();
  await keeps(server.getUri());
  await server.stop();
});

test("the server of the run", () => keeps(process.env.MONGO_URL));
