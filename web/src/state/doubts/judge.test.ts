/**
 * Names and values of a command that no document has, and why nothing was found, over a collection that answers as the
 * engine does.
 */
import { Double, Int32, ObjectId, type Document } from "bson";
import { describe, expect, test } from "vitest";
import { decode } from "../../codec/decode.ts";
import { encode } from "../../codec/encode.ts";
import type { Commander } from "../data/ask.ts";
import { judge } from "./judge.ts";
import { keptJudgement } from "./kept-judgement.ts";
import { mendingIn, mendingOf } from "./places.ts";
import { sourceDoubts } from "./source-doubts.ts";
import type { Change } from "./doubt.ts";

const orders: readonly Document[] = [
  {
    _id: new ObjectId("65a000000000000000000001"),
    state: "CA",
    total: new Double(12.5),
    zip: "90210",
    ordered: new Date(0),
    paid: true,
    tags: ["new"],
    lines: [{ product: new Int32(3), qty: new Int32(1) }],
    customer: { name: "Ada", address: { city: "Paris" } },
  },
];
/** A path that is in no sampled document, and in another one. */
const rare = "coupon";

/** A collection of these documents: counts are told by a table, and are 0 of any other filter. */
function collection(counts: Readonly<Record<string, number | null>> = {}): Commander & { readonly asked: Document[] } {
  const asked: Document[] = [];
  return {
    asked,
    commandBytes(bytes) {
      const command = decode(bytes, { numbers: "plain" } as never);
      asked.push(command);
      if (command["listCollections"] !== undefined) {
        const firstBatch = ["orders", "customers", "empty"].map((name) => ({ name, type: "collection" }));
        return Promise.resolve(encode({ cursor: { firstBatch, id: 0n, ns: "shop.$cmd.listCollections" }, ok: 1 }));
      }
      const others = { customers: [{ _id: 1, email: "a@b.c", boss: 2 }], empty: [] } as Readonly<
        Record<string, Document[]>
      >;
      const firstOf = others[String(command["find"])];
      if (firstOf !== undefined)
        return Promise.resolve(encode({ cursor: { firstBatch: firstOf, id: 0n, ns: "shop.other" }, ok: 1 }));
      if (command["find"] !== undefined)
        return Promise.resolve(encode({ cursor: { firstBatch: orders, id: 0n, ns: "shop.orders" }, ok: 1 }));
      const query = JSON.stringify(command["query"]);
      const n = query.startsWith(`{"${rare}"`) ? 1 : query in counts ? (counts[query] as number | null) : 0;
      return Promise.resolve(encode(n === null ? { ok: 0, code: 50, errmsg: "too long" } : { n, ok: 1 }));
    },
  };
}

const find = (filter: Document, more: Document = {}): Document => ({ find: "orders", filter, ...more, $db: "shop" });
const aggregate = (...pipeline: Document[]): Document => ({ aggregate: "orders", pipeline, cursor: {}, $db: "shop" });
const update = (q: Document, u: unknown, more: Document = {}): Document => ({
  update: "orders",
  updates: [{ q, u, ...more }],
  $db: "shop",
});

async function doubts(
  command: Document,
  isEmpty = true,
): Promise<readonly (readonly [string, string, Change | null])[]> {
  const judged = await judge(collection(), command, isEmpty);
  return judged.doubts.map((doubt) => [
    doubt.kind,
    doubt.kind === "constant" || doubt.kind === "unsegmented"
      ? doubt.text
      : doubt.kind === "function"
        ? ""
        : doubt.kind === "unknown-collection"
          ? doubt.collection
          : [...("collection" in doubt ? [doubt.collection] : []), doubt.path].join(": "),
    doubt.change,
  ]);
}
const key = (wrong: string, right: string): Change => ({ at: "key", wrong, right });
const text = (wrong: string, right: string): Change => ({ at: "text", wrong, right });
const of = (member: string, wrong: string, right: string): Change => ({ at: "text", wrong, right, of: member });
const value = (wrong: string | number, right: string): Change => ({ at: "value", wrong, right });

describe("a command is doubted", () => {
  test.each<[string, Document, readonly (readonly [string, string, Change | null])[]]>([
    ["a wrong name", find({ totl: { $gt: 500 } }), [["unknown-path", "totl", key("totl", "total")]]],
    ["a name without a like", find({ weight: 1 }), [["unknown-path", "weight", null]]],
    ["a name that lies deeper", find({ product: 3 }), [["unknown-path", "product", key("product", "lines.product")]]],
    [
      "a dotted name",
      find({ "lines.0.prodct": 3 }),
      [["unknown-path", "lines.0.prodct", key("lines.0.prodct", "lines.product")]],
    ],
    [
      "inside of $or",
      find({ $or: [{ stat: "CA" }, { state: "NY" }] }),
      [["unknown-path", "stat", key("stat", "state")]],
    ],
    [
      "inside of $elemMatch",
      find({ lines: { $elemMatch: { prodct: 3 } } }),
      [["unknown-path", "lines.prodct", key("prodct", "product")]],
    ],
    ["in $expr", find({ $expr: { $gt: ["$totl", 3] } }), [["unknown-path", "totl", text("$totl", "$total")]]],
    ["in a sort", find({}, { sort: { totl: -1 } }), [["unknown-path", "totl", key("totl", "total")]]],
    ["in a projection", find({}, { projection: { stat: 1 } }), [["unknown-path", "stat", key("stat", "state")]]],
    [
      "of distinct",
      { distinct: "orders", key: "stat", $db: "shop" },
      [["unknown-path", "stat", text("stat", "state")]],
    ],
    [
      "of a count",
      { count: "orders", query: { stat: 1 }, $db: "shop" },
      [["unknown-path", "stat", key("stat", "state")]],
    ],
    [
      "of a findAndModify by its other name",
      { findandmodify: "orders", query: { stat: 1 }, remove: true, $db: "shop" },
      [["unknown-path", "stat", key("stat", "state")]],
    ],
    [
      "of a delete",
      { delete: "orders", deletes: [{ q: { stat: 1 }, limit: 1 }], $db: "shop" },
      [["unknown-path", "stat", key("stat", "state")]],
    ],
    ["an operator without $", find({ total: { gt: 500 } }), [["no-dollar", "total", key("gt", "$gt")]]],
    ["or without $", find({ or: [{ total: 1 }, { total: 2 }] }), [["no-dollar", "", key("or", "$or")]]],
    [
      "a whole document",
      find({ lines: { product: 3 } }),
      [["whole", "lines", { at: "members", wrong: "lines", right: "lines.product" }]],
    ],
    [
      "a wrong name in a whole document",
      find({ customer: { nam: "Ada" } }),
      [["unknown-path", "customer.nam", key("nam", "name")]],
    ],
    [
      "a text against a date",
      find({ ordered: { $gte: "2024-01-01" } }),
      [["type", "ordered", value("2024-01-01", 'new Date("2024-01-01")')]],
    ],
    ["a text against a number", find({ total: "12.5" }), [["type", "total", value("12.5", "12.5")]]],
    ["a number against a text", find({ zip: new Int32(90210) }), [["type", "zip", value(90210, '"90210"')]]],
    ["a text against true", find({ paid: "true" }), [["type", "paid", value("true", "true")]]],
    [
      "a text against an ObjectId",
      find({ _id: "65a000000000000000000001" }),
      [["type", "_id", value("65a000000000000000000001", 'ObjectId("65a000000000000000000001")')]],
    ],
    ["texts in a list", find({ total: { $in: ["1", "2"] } }), [["type", "total", value("1", "1")]]],
    [
      "a list against a text",
      find({ state: ["CA", "NY"] }),
      [["type", "state", { at: "list", wrong: "state", right: "$in" }]],
    ],
    ["a pattern against a number", find({ total: /5/ }), [["type", "total", null]]],
    [
      "a group of a text",
      aggregate({ $group: { _id: "state", n: { $sum: "total" } } }),
      [
        ["constant", "state", text("state", "$state")],
        ["constant", "total", text("total", "$total")],
      ],
    ],
    [
      "a group of several texts",
      aggregate({ $group: { _id: { s: "stat" } } }),
      [["constant", "stat", text("stat", "$state")]],
    ],
    [
      "an unknown path in a group",
      aggregate({ $group: { _id: "$stat" } }),
      [["unknown-path", "stat", text("$stat", "$state")]],
    ],
    [
      "a name that the group did not make",
      aggregate({ $group: { _id: "$state", n: { $sum: 1 } } }, { $sort: { totl: 1 } }),
      [["unknown-path", "totl", null]],
    ],
    [
      "a name that the projection left out",
      aggregate({ $project: { state: 1 } }, { $match: { total: 3 } }),
      [["unknown-path", "total", null]],
    ],
    [
      "behind $unwind",
      aggregate({ $unwind: "$lines" }, { $match: { "lines.prodct": 3 } }),
      [["unknown-path", "lines.prodct", key("lines.prodct", "lines.product")]],
    ],
    [
      "of $lookup",
      aggregate({ $lookup: { from: "customers", localField: "stat", foreignField: "_id", as: "c" } }),
      [["unknown-path", "stat", of("localField", "stat", "state")]],
    ],
    [
      "the collection of $lookup",
      aggregate({ $lookup: { from: "custmers", localField: "state", foreignField: "emial", as: "c" } }),
      [["unknown-collection", "custmers", of("from", "custmers", "customers")]],
    ],
    [
      "a collection without a like",
      aggregate({ $lookup: { from: "warehouses", localField: "state", foreignField: "_id", as: "c" } }),
      [["unknown-collection", "warehouses", null]],
    ],
    [
      "the foreign field of $lookup",
      aggregate({ $lookup: { from: "customers", localField: "state", foreignField: "emial", as: "c" } }),
      [["unknown-path", "customers: emial", of("foreignField", "emial", "email")]],
    ],
    [
      "what $graphLookup walks",
      aggregate({
        $graphLookup: {
          from: "customers",
          startWith: "$stat",
          connectFromField: "bos",
          connectToField: "_id",
          as: "c",
        },
      }),
      [
        ["unknown-path", "stat", text("$stat", "$state")],
        ["unknown-path", "customers: bos", of("connectFromField", "bos", "boss")],
      ],
    ],
    [
      "what is united with, inside of $facet",
      aggregate({ $facet: { all: [{ $unionWith: "custmers" }], some: [{ $unionWith: { coll: "ordrs" } }] } }),
      [
        ["unknown-collection", "custmers", of("$unionWith", "custmers", "customers")],
        ["unknown-collection", "ordrs", of("coll", "ordrs", "orders")],
      ],
    ],
    [
      "a filter of an array",
      update({}, { $set: { "lines.$[line].qty": 2 } }, { arrayFilters: [{ "line.prodct": 3 }] }),
      [["unknown-path", "lines.prodct", key("line.prodct", "line.product")]],
    ],
    ["a removed field", update({}, { $unset: { stat: 1 } }), [["unknown-path", "stat", key("stat", "state")]]],
  ])("%s", async (_name, command, expected) => expect(await doubts(command)).toEqual(expected));

  test.each<[string, Document]>([
    ["known names", find({ state: "CA", "lines.product": 3, total: { $gt: 5, $lt: 6 }, "customer.address.city": "x" })],
    ["an element of an array", find({ tags: "new" })],
    ["null", find({ total: null })],
    ["a field that a document outside the sample has", find({ coupon: "x" })],
    ["a new field", update({ state: "CA" }, { $set: { weight: 1 }, $inc: { visits: 1 } })],
    ["an upsert", update({ weight: 1 }, { $set: { a: 1 } }, { upsert: true })],
    [
      "what a group made",
      aggregate(
        { $group: { _id: "$state", n: { $sum: 1 }, all: { $push: "$$ROOT" } } },
        { $match: { n: 3, "all.x": 1, "_id.y": 2 } },
      ),
    ],
    [
      "what a join made",
      aggregate(
        { $lookup: { from: "customers", localField: "state", foreignField: "_id", as: "c" } },
        { $match: { "c.name": 1 } },
      ),
    ],
    [
      "behind a stage that is not told",
      aggregate({ $replaceRoot: { newRoot: "$customer" } }, { $match: { weight: 1 } }),
    ],
    [
      "a collection that is joined and has no documents",
      aggregate({ $lookup: { from: "empty", localField: "state", foreignField: "emial", as: "c" } }),
    ],
    ["a join without a collection", aggregate({ $lookup: { pipeline: [{ $documents: [{ a: 1 }] }], as: "c" } })],
    ["a variable", aggregate({ $group: { _id: "$$NOW", n: { $sum: "$total" } } })],
    ["a text that means itself", aggregate({ $addFields: { kind: "order" } })],
  ])("and not %s", async (_name, command) => expect(await doubts(command)).toEqual([]));

  test("only where nothing was found, if a whole document may be meant", async () =>
    expect(await doubts(find({ lines: { product: 3 } }), false)).toEqual([]));

  test("where a search that found nothing has words which no space parts", async () => {
    const search = (words: string): Document => find({ $text: { $search: words } });
    expect(await doubts(search("tea 北京大学 x"))).toEqual([["unsegmented", "北京大学", null]]);
    expect(await doubts(search("お茶"))).toEqual([["unsegmented", "お茶", null]]);
    expect(await doubts(search("ชาเขียว"))).toEqual([["unsegmented", "ชาเขียว", null]]);
    expect(await doubts(search("green чай"))).toEqual([]);
    expect(await doubts(search("北京"), false)).toEqual([]);
  });

  test("by as many documents as were looked at, where looking at all took too long", async () => {
    const { doubts: found } = await judge(
      collection({ '{"totl":{"$exists":true}}': null }),
      find({ totl: 1 }, { sort: { stat: 1 } }),
      false,
    );
    expect(found).toMatchObject([
      { path: "totl", seen: 1 },
      { path: "stat", seen: null },
    ]);
  });
});

describe("an empty result", () => {
  test("is told by each condition alone", async () => {
    const counts = { "{}": 70_000, '{"state":"CA"}': 19_950, '{"total":{"$gt":5}}': 300, '{"total":{"$lt":2}}': null };
    const { why } = await judge(collection(counts), find({ state: "CA", $and: [{ total: { $gt: 5, $lt: 2 } }] }), true);
    expect(why).toEqual({
      documents: 70_000,
      conditions: [
        { text: 'state: "CA"', count: 19_950 },
        { text: "total: { $gt: 5 }", count: 300 },
        { text: "total: { $lt: 2 }", count: null },
      ],
      more: 0,
    });
  });

  test("is not told where the filter leaves documents, or there is none", async () => {
    const skipped = await judge(collection({ '{"state":"CA"}': 1 }), find({ state: "CA" }, { skip: 5 }), true);
    expect(skipped.why).toBeNull();
    expect((await judge(collection(), find({}), true)).why).toBeNull();
  });

  test("of a pipeline is told by its leading filters", async () => {
    const { why } = await judge(
      collection({ "{}": 9 }),
      aggregate({ $match: { state: "CA" } }, { $match: { total: 3 } }, { $group: { _id: null, n: { $sum: 1 } } }),
      true,
    );
    expect(why?.conditions.map(({ text: words }) => words)).toEqual(['state: "CA"', "total: 3"]);
  });

  test("takes a bounded time", async () => {
    const counter = collection({ "{}": null });
    await judge(counter, find({ state: "x", zip: "y" }), true);
    const limits = counter.asked.flatMap(({ maxTimeMS }) => (maxTimeMS === undefined ? [] : Number(maxTimeMS)));
    expect(limits.every((limit) => limit > 0 && limit <= 500)).toBe(true);
    expect(limits.at(-1)).toBeLessThan(100);
  });
});

describe("a change of the script", () => {
  const mended = (script: string, change: Change): string | null => {
    const mending = mendingIn(script, [change]);
    return mending === null ? null : script.slice(0, mending.from) + mending.text + script.slice(mending.to);
  };
  test.each<[string, Change, string | null]>([
    [
      "db.o.find({ totl: { $gt: 5 } }).sort({ 'totl': 1 }) // totl",
      key("totl", "total"),
      "db.o.find({ total: { $gt: 5 } }).sort({ 'total': 1 }) // totl",
    ],
    ["db.o.find({ product: 3 })", key("product", "lines.product"), 'db.o.find({ "lines.product": 3 })'],
    ["db.o.find({ total: { gt: 5 } })", key("gt", "$gt"), "db.o.find({ total: { $gt: 5 } })"],
    [
      "db.o.find({ lines: { product: 3, qty: 1 } })",
      { at: "members", wrong: "lines", right: "lines.product" },
      'db.o.find({ "lines.product": 3, "lines.qty": 1 })',
    ],
    [
      'db.o.find({ d: { $gt: "2024-01-01" } })',
      value("2024-01-01", 'new Date("2024-01-01")'),
      'db.o.find({ d: { $gt: new Date("2024-01-01") } })',
    ],
    ["db.o.find({ zip: 90210 })", value(90210, '"90210"'), 'db.o.find({ zip: "90210" })'],
    ["db.o.find({ a: 1, b: 1 })", value(1, '"1"'), null],
    [
      'db.o.find({ state: ["CA"] })',
      { at: "list", wrong: "state", right: "$in" },
      'db.o.find({ state: { $in: ["CA"] } })',
    ],
    [
      "db.o.aggregate([{ $group: { _id: 'state' } }])",
      text("state", "$state"),
      "db.o.aggregate([{ $group: { _id: '$state' } }])",
    ],
    ["db.o.find().sort('totl')", key("totl", "total"), "db.o.find().sort('total')"],
    ["db.o.find(filter)", key("totl", "total"), null],
    [
      "db.o.aggregate([{ $lookup: { from: 'author', as: 'author' } }, { $unwind: '$author' }])",
      of("from", "author", "authors"),
      "db.o.aggregate([{ $lookup: { from: 'authors', as: 'author' } }, { $unwind: '$author' }])",
    ],
  ])("%s", (script, change, expected) => expect(mended(script, change)).toBe(expected));

  test("several are made as one, where they have places of their own", () => {
    const script = 'db.o.find({ stat: "CA", d: { $gt: "2024-01-01" } })';
    const changes = [value("2024-01-01", "new Date(0)"), key("stat", "state")];
    const { from, to, text: right } = mendingIn(script, changes) ?? { from: 0, to: 0, text: "" };
    expect(script.slice(0, from) + right + script.slice(to)).toBe(
      'db.o.find({ state: "CA", d: { $gt: new Date(0) } })',
    );
    expect(mendingIn(script, [key("stat", "state"), key("stat", "status")])).toBeNull();
    expect(mendingIn(script, [key("stat", "state"), key("weight", "total")])).toBeNull();
  });

  test("a filter that stands in a line before is changed there", () => {
    const source = "use shop\nconst filter = { totl: 5 }\ndb.o.find(filter)";
    const place = { line: 3, column: 1, endLine: 3, endColumn: 18 };
    const { from, to, text: right } = mendingOf(source, place, [key("totl", "total")]) ?? { from: 0, to: 0, text: "" };
    expect([source.slice(from, to), right]).toEqual(["totl", "total"]);
  });
});

describe("a function in the place of a filter", () => {
  test.each<[string, string | null]>([
    ["db.orders.find(o => o.total > 500)", "{ total: { $gt: 500 } }"],
    ["db.orders.find((o) => { return o.customer.name == 'Ada' })", "{ \"customer.name\": 'Ada' }"],
    ["db.getCollection('orders').countDocuments((o) => 5 < o.total)", "{ total: { $gt: 5 } }"],
    ["db.orders.find(o => o.total > limit)", null],
  ])("%s", (script, right) => {
    const [doubt, ...more] = sourceDoubts(script);
    expect([doubt?.kind, doubt?.change?.right ?? null, more]).toEqual(["function", right, []]);
    if (doubt?.change != null) expect(mendingIn(script, [doubt.change])?.text).toBe(right);
  });

  test.each([
    "db.orders.find().toArray().find(o => o.total > 5)",
    "list.find((o) => o.total > 5)",
    "db.orders.find({ total: 5 })",
  ])("none: %s", (script) => expect(sourceDoubts(script)).toEqual([]));
});

test("a judgement is kept over a reload as it was, and nothing else is taken for one", async () => {
  const judged = await judge(
    collection({ "{}": 5 }),
    find({ totl: 1, lines: { product: 3 }, zip: 5, $text: { $search: "茶" } }),
    true,
  );
  const kept: unknown = JSON.parse(JSON.stringify(judged));
  expect(keptJudgement(kept)).toEqual(judged);
  expect(judged.doubts).toHaveLength(4);
  for (const other of [
    null,
    undefined,
    {},
    { doubts: [{ kind: "x", change: null }], why: null },
    { doubts: [], why: 5 },
  ])
    expect(keptJudgement(other)).toBeNull();
});
