/**
 * Mongoose under Jest: a server of this file's own, outside the realm of the tests, whose state comes back before each.
 *
 * @jest-environment quiredb/testing/jest-environment
 */
const mongoose = require("mongoose8");

const { __MONGO_SERVER__: server, __MONGO_URI__: uri } = globalThis;
const Tea = mongoose.model("Tea", new mongoose.Schema({ name: { type: String, unique: true }, at: Date }));

beforeAll(async () => {
  await mongoose.connect(process.env.MONGO_URL);
  await Tea.init();
  await Tea.create({ name: "mint", at: new Date(5) });
  await server.snapshot();
});
beforeEach(() => server.restore());
afterAll(() => mongoose.disconnect());

test.each([1, 2])("begins from the prepared state: %i", async () => {
  expect(uri).toBe(process.env.MONGO_URL);
  expect((await Tea.findOne()).at.getTime()).toBe(5);
  await Tea.create({ name: "sen" });
  await expect(Tea.create({ name: "mint" })).rejects.toMatchObject({ code: 11000 });
  expect(await Tea.countDocuments()).toBe(2);
});
