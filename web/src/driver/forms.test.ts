/** The ways of writing keys of indexes and orders, the arguments that are no arguments, and cursors that are in use. */
import { Int32, ObjectId, type Document } from "bson";
import { expect, it, test } from "vitest";
import { recorded } from "../../test/recorded.ts";
import type { IndexSpecification } from "../shell/index-key.ts";
import type { Sort } from "../shell/sort.ts";

const pairs = (value: unknown): unknown[] => Object.entries(value as Document);

it.each<[unknown, unknown[], string]>([
  ["a", [["a", 1]], "a_1"],
  [["a"], [["a", 1]], "a_1"],
  [
    ["a", "b"],
    [
      ["a", 1],
      ["b", 1],
    ],
    "a_1_b_1",
  ],
  [["a", -1], [["a", -1]], "a_-1"],
  [["a", "text"], [["a", "text"]], "a_text"],
  [["a", new Int32(-1)], [["a", -1]], "a_-1"],
  [
    [
      ["a", 1],
      ["b", -1],
    ],
    [
      ["a", 1],
      ["b", -1],
    ],
    "a_1_b_-1",
  ],
  [[["a"]], [["a", 1]], "a_1"],
  [
    { a: 1, b: "2dsphere" },
    [
      ["a", 1],
      ["b", "2dsphere"],
    ],
    "a_1_b_2dsphere",
  ],
  [
    new Map<string, unknown>([
      ["a", 1],
      ["b", "hashed"],
    ]),
    [
      ["a", 1],
      ["b", "hashed"],
    ],
    "a_1_b_hashed",
  ],
  [
    ["a", { b: -1 }, new Map([["c", 1]]), ["d", -1]],
    [
      ["a", 1],
      ["b", -1],
      ["c", 1],
      ["d", -1],
    ],
    "a_1_b_-1_c_1_d_-1",
  ],
])("createIndex(%j)", async (specification, key, name) => {
  const { client, last } = recorded();
  expect(
    await client
      .db()
      .collection("c")
      .createIndex(specification as IndexSpecification),
  ).toBe(name);
  const [index] = last()["indexes"] as Document[];
  expect([pairs(index?.["key"]), index?.["name"]]).toEqual([key, name]);
});

it.each([[[]], [{}], [5], [null], [[[1, 2]]], [[["a", 1, 2]]], [[new ObjectId()]]])(
  "createIndex(%j) is refused",
  async (specification) => {
    const { client, commands } = recorded();
    await expect(
      client
        .db()
        .collection("c")
        .createIndex(specification as unknown as IndexSpecification),
    ).rejects.toMatchObject({ name: "MongoInvalidArgumentError" });
    expect(commands).toEqual([]);
  },
);

test("createIndexes takes keys as objects and Maps", async () => {
  const { client, last } = recorded();
  const c = client.db().collection("c");
  expect(
    await c.createIndexes([
      {
        key: new Map([
          ["b", 1],
          ["a", -1],
        ]),
      },
      { key: { c: 1 }, unique: true, name: "n" },
    ]),
  ).toEqual(["b_1_a_-1", "n"]);
  expect(last()["indexes"]).toEqual([
    { name: "b_1_a_-1", key: { b: 1, a: -1 } },
    { name: "n", key: { c: 1 }, unique: true },
  ]);
  for (const wrong of [{ key: { a: 1 } }, [{ key: [["a", 1]] }], [{ key: "a" }]])
    await expect(c.createIndexes(wrong as never)).rejects.toMatchObject({ name: "MongoInvalidArgumentError" });
});

it.each<[Sort, unknown[]]>([
  ["name", [["name", 1]]],
  [["name", "desc"], [["name", -1]]],
  [["name", -1], [["name", -1]]],
  [
    ["a", "b"],
    [
      ["a", 1],
      ["b", 1],
    ],
  ],
  [
    ["a", "b", "c"],
    [
      ["a", 1],
      ["b", 1],
      ["c", 1],
    ],
  ],
  [
    [
      ["b", "ascending"],
      ["a", "DESCENDING" as "descending"],
    ],
    [
      ["b", 1],
      ["a", -1],
    ],
  ],
  [
    { b: "asc", a: -1 },
    [
      ["b", 1],
      ["a", -1],
    ],
  ],
  [{ score: { $meta: "textScore" } }, [["score", { $meta: "textScore" }]]],
  [
    new Map<string, 1 | "desc">([
      ["b", 1],
      ["a", "desc"],
    ]),
    [
      ["b", 1],
      ["a", -1],
    ],
  ],
])("sort(%j)", async (sort, order) => {
  const { client, last } = recorded();
  const c = client.db().collection("c");
  await c.find().sort(sort).toArray();
  expect(pairs(last()["sort"])).toEqual(order);
  await c.find({}, { sort }).toArray();
  expect(pairs(last()["sort"])).toEqual(order);
  await c.aggregate().sort(sort).toArray();
  expect(pairs((last()["pipeline"] as Document[])[0]?.["$sort"])).toEqual(order);
  await c.findOneAndDelete({}, { sort });
  expect(pairs(last()["sort"])).toEqual(order);
  await c.bulkWrite([{ updateOne: { filter: {}, update: { $set: { a: 1 } }, sort } }]);
  expect(pairs((last()["updates"] as Document[])[0]?.["sort"])).toEqual(order);
  await client.bulkWrite([{ namespace: "d.c", name: "updateOne", filter: {}, update: { $set: { a: 1 } }, sort }]);
  expect(pairs((last()["ops"] as Document[])[0]?.["sort"])).toEqual(order);
});

test("an order keeps the caller's order of fields that are digits, and one without fields is none", async () => {
  const sent: [string, number][][] = [];
  const { client, last } = recorded();
  const cursor = client
    .db()
    .collection("c")
    .find()
    .sort([
      ["b", 1],
      ["a", -1],
    ]);
  await cursor.sort({}).toArray();
  expect(last()).toEqual({ find: "c", filter: {} });
  const { asSort } = await import("../shell/sort.ts");
  sent.push([
    ...(asSort(
      [
        ["10", 1],
        ["2", -1],
      ],
      undefined,
      Error,
    ) as Map<string, number>),
  ]);
  expect(sent).toEqual([
    [
      ["10", 1],
      ["2", -1],
    ],
  ]);
});

it.each([[5], [{ a: 2 }], [{ a: "up" }], [["a", ["b", "up"]]], [[["a", 0]]], [[{ a: 1 }]], [{ a: null }], [true]])(
  "sort(%j) is refused",
  (sort) => {
    const c = recorded().client.db().collection("c");
    expect(() => c.find().sort(sort as never)).toThrow(expect.objectContaining({ name: "MongoInvalidArgumentError" }));
    expect(() => c.find({}, { sort: sort as never })).toThrow(
      expect.objectContaining({ name: "MongoInvalidArgumentError" }),
    );
  },
);

test("arguments that are none are refused before anything is sent", async () => {
  const { client, commands } = recorded();
  const c = client.db().collection<Document>("c");
  const set = { $set: { a: 1 } };
  const calls: (() => Promise<unknown>)[] = [
    () => c.insertOne(undefined as never),
    () => c.insertOne([] as never),
    () => c.insertMany({ a: 1 } as never),
    () => c.insertMany([]),
    () => c.insertMany([5 as never]),
    () => c.bulkWrite({ insertOne: {} } as never),
    () => c.bulkWrite([]),
    () => c.bulkWrite([{ insertone: { document: {} } } as never]),
    () => c.bulkWrite([{ insertOne: { doc: {} } } as never]),
    () => c.bulkWrite([{ insertOne: { document: {} }, deleteOne: { filter: {} } }]),
    () => c.bulkWrite([{ updateOne: { filter: {}, update: set, upsrt: true } } as never]),
    () => c.bulkWrite([{ replaceOne: { filter: {}, replacement: {}, arrayFilters: [] } } as never]),
    () => c.bulkWrite([{ deleteOne: { filter: {}, limit: 1 } } as never]),
    () => c.updateOne(undefined as never, set),
    () => c.updateOne({}, { a: 1 }),
    () => c.updateMany("a" as never, set),
    () => c.replaceOne({}, set),
    () => c.replaceOne(null as never, {}),
    () => c.deleteOne(null as never),
    () => c.deleteMany(5 as never),
    () => c.findOneAndUpdate(undefined as never, set),
    () => c.findOneAndUpdate({}, set, { returnDocument: "After" as never }),
    () => c.findOneAndDelete(undefined as never),
    () => c.findOne("text" as never),
    () => c.aggregate({ $match: {} } as never).toArray(),
    () => client.bulkWrite([{ namespace: "d.c", name: "insertOne", document: {}, ordred: true } as never]),
    () => client.bulkWrite([{ namespace: "d.c", name: "deleteOne", filter: {}, upsert: true } as never]),
  ];
  for (const call of calls) {
    const error = await Promise.resolve()
      .then(call)
      .catch((thrown: unknown) => thrown);
    expect([String(call), (error as Error).name]).toEqual([String(call), "MongoInvalidArgumentError"]);
  }
  expect(commands).toEqual([]);
});

test("an ObjectId stands for the filter of its _id, of any version of the library", async () => {
  const { client, last } = recorded();
  const id = new ObjectId();
  await client
    .db()
    .collection("c")
    .findOne(id as never);
  expect(last()).toEqual({ find: "c", filter: { _id: id }, limit: 1, singleBatch: true });
});

test("a cursor that was asked for documents cannot be changed any more", async () => {
  const { client } = recorded();
  const cursor = client.db().collection("c").find();
  await cursor.next();
  const changes: (() => unknown)[] = [
    () => cursor.sort("a"),
    () => cursor.limit(1),
    () => cursor.batchSize(1),
    () => cursor.filter({}),
    () => cursor.map((x) => x),
    () => cursor.maxTimeMS(1),
    () => cursor.maxAwaitTimeMS(1),
    () => cursor.project({}),
  ];
  for (const change of changes)
    expect(change).toThrow(
      expect.objectContaining({ name: "MongoCursorInUseError", message: "Cursor is already initialized" }),
    );
  const fresh = client.db().collection("c").find();
  for (const change of [
    () => fresh.limit("5" as never),
    () => fresh.skip(null as never),
    () => fresh.batchSize("1" as never),
  ])
    expect(change).toThrow(/requires an integer/);
});
