/** MongoDB's driver under Vitest: the server of the run, and one whose state comes back before each test. */
import { MongoClient } from "mongodb7";
import { afterAll, beforeAll, beforeEach, expect, inject, test } from "vitest";
import { serverFor } from "quiredb/testing";

/** Uses the collection of a server. */
async function teas(uri, use) {
  const client = new MongoClient(uri);
  const result = await use(client.db("shop").collection("teas"));
  await client.close();
  return result;
}

const prepare = (uri) => teas(uri, (all) => all.insertOne({ _id: "mint" }));
const server = serverFor({ beforeAll, beforeEach, afterAll }, { prepare });

test.each([1, 2])("begins from the prepared state: %i", () =>
  teas(server.getUri(), async (all) => {
    expect(await all.find().toArray()).toEqual([{ _id: "mint" }]);
    await all.insertOne({ _id: "sen" });
  }),
);

test("reaches the server of the run", async () => {
  expect(inject("mongoUri")).toBe(process.env.MONGO_URL);
  expect(await teas(inject("mongoUri"), (all) => all.countDocuments())).toBe(0);
});
