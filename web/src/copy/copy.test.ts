/** Statements and literals in each language, and the statements that are refused. */
import { describe, expect, test } from "vitest";
import { tokensOf } from "./highlight.ts";
import { driverLanguages, type DriverLanguage } from "./languages.ts";
import { Untranslatable } from "./model.ts";
import { statementAt } from "./parse.ts";

const names = Object.keys(driverLanguages) as DriverLanguage[];
const at = (source: string, from = 0, to = from) => statementAt(source, { from, to }, "test");
const all = (source: string): string =>
  names.map((name) => `${driverLanguages[name].translate(at(source)).statement}`).join("\n--\n");
const programs = (source: string): string =>
  names.map((name) => driverLanguages[name].translate(at(source)).program).join("\n--\n");

test.each([
  ["null", "null"],
  ["booleans", "true"],
  ["ints", "5"],
  ["negative ints", "-5"],
  ["whole doubles", "Double(5)"],
  ["doubles beyond int32", "3000000000"],
  ["fractions", "1.5"],
  ["infinity", "-Infinity"],
  ["minus zero", "-0"],
  ["longs", 'NumberLong("9007199254740993")'],
  ["shell ints", 'NumberInt("7")'],
  ["decimals", 'NumberDecimal("1.50")'],
  ["texts", '"a\\"b\\\\\\n\\u0001é"'],
  ["what cannot be seen", '"\\u2028\\u2029 \\ufeff \\u202ex\\u2066 \\x7f\\x85 \\b\\f\\v \\0"'],
  ["names that need quotes", "{ 'a\"b': 1, 'k-é': 2, '': 3, class: 4, 7: 5 }"],
  ["object ids", 'ObjectId("65a1b2c3d4e5f60718293a4b")'],
  ["dates", 'ISODate("2024-02-03T04:05:06.789Z")'],
  ["days", 'new Date("2024-02-03")'],
  ["now", "new Date()"],
  ["patterns", "/^a\\/b$/i"],
  ["UUIDs", 'UUID("00112233445566778899aabbccddeeff")'],
  ["nested", "{ b: [1, { c: null }], 'd.e': [] }"],
  ["arithmetic", "60 * 60"],
])("literals: %s", (_name, literal) => {
  expect(all(`db.c.insertOne({ a: ${literal} })`)).toMatchSnapshot();
});

test.each([
  "db.c.find()",
  "db.c.find({ a: { $gt: 1 } }, { a: 1, _id: 0 }).sort({ a: -1, b: 1 }).skip(10).limit(5).toArray()",
  "db.c.findOne({ a: 1 }, { b: 1 }, { sort: { c: 1 } })",
  'db.c.aggregate([{ $match: { status: "paid" } }, { $group: { _id: "$customer", total: { $sum: "$amount" } } ' +
    "}, { $sort: { total: -1 } }], { allowDiskUse: true })",
  "db.c.insertMany([{ a: 1 }, { a: 2 }], { ordered: false })",
  'db.c.updateOne({ _id: 1 }, { $set: { "a.$[x].b": 2 } }, { upsert: true, arrayFilters: [{ "x.c": 3 }] })',
  'db.c.updateMany({}, [{ $set: { a: "$b" } }])',
  "db.c.replaceOne({ _id: 1 }, { a: 1 }, { upsert: true })",
  "db.c.deleteOne({ a: 1 })",
  "db.c.deleteMany({})",
  "db.c.countDocuments()",
  'db.c.distinct("a.b", { c: true })',
  'db.c.createIndex({ a: 1, b: "text" }, { name: "n", unique: true, sparse: false, expireAfterSeconds: 60, ' +
    "partialFilterExpression: { a: { $exists: true } } })",
])("statements: %s", (source) => {
  expect(all(source)).toMatchSnapshot();
});

test.each([
  'db.getSiblingDB("shop").getCollection("my orders").find({ _id: ObjectId("65a1b2c3d4e5f60718293a4b") })',
  "db.a.b.findOne()",
  "db.c.aggregate([])",
  "db.c.insertOne({ a: '\\u2028indented?' })",
  "db.c.deleteOne({ p: NumberDecimal('1') })",
  "db.c.createIndex({ a: 1 }, { expireAfterSeconds: 5 })",
])("programs: %s", (source) => {
  expect(programs(source)).toMatchSnapshot();
});

describe("finding the statement", () => {
  const script =
    "use shop\ndb.a.find()\n\nconst x = await db.b.countDocuments({});\nuse other;\nfor (const y of []) y;\n" +
    "db.c.deleteMany({});";
  test.each([
    ["on the use line", 2, "shop", "a"],
    ["inside the first", script.indexOf("find"), "shop", "a"],
    ["behind it", script.indexOf("find") + 6, "shop", "a"],
    ["on the empty line", script.indexOf("\n\n") + 1, "shop", "b"],
    ["inside the second", script.indexOf("await"), "shop", "b"],
    ["at the end", script.length, "other", "c"],
  ])("%s", (_name, from, database, collection) => expect(at(script, from)).toMatchObject({ database, collection }));

  test("a selection holds one", () => {
    expect(at(script, script.indexOf("db.c"), script.length)).toMatchObject({ collection: "c" });
    expect(() => at(script, 0, script.length)).toThrow(new Untranslatable("several", "4"));
  });

  test("keys which look like array indexes come first, and the last of two wins", () => {
    expect(at("db.c.insertOne({ b: 1, 2: 1, b: 3 })").operation).toMatchObject({
      document: {
        fields: [
          ["2", { value: 1 }],
          ["b", { value: 3 }],
        ],
      },
    });
  });
});

test.each([
  ["db.c.find({ a: limit })", "variable", "limit"],
  ["db.c.find({ ...more })", "variable", "more"],
  ["db[name].find()", "variable", "name"],
  ["db.c.find({ a: `x${y}` })", "variable", "y"],
  ["db.c.find().forEach((d) => print(d))", "callback", "forEach"],
  ["db.c.find({ $where: function () { return true; } })", "callback", "function () { return true; }"],
  ["db.c.find().hint({ a: 1 })", "method", "hint"],
  ["db.c.mapReduce(1)", "method", "mapReduce"],
  ["db.c.updateOne({}, {}, { collation: {} })", "option", "collation"],
  ["db.c.find({}, {}, { limit: -1 })", "option", "limit"],
  ["db.c.find().limit(-1)", "arguments", "limit"],
  ["db.c.insertOne()", "arguments", "insertOne"],
  ["db.c.deleteMany({}, {})", "arguments", "deleteMany"],
  ["db.c.find({ a: Timestamp(1, 2) })", "value", "Timestamp(1, 2)"],
  ['db.c.find({ a: ObjectId("x") })', "value", 'ObjectId("x")'],
  ["db.c.find({ a: /x/g })", "value", "/x/g"],
  ["db.c.find({ a: undefined })", "variable", "undefined"],
  ['db.c.find({ a: new Date("Feb 3 2024") })', "value", 'new Date("Feb 3 2024")'],
  ["print(1)", "no-call", "print(1)"],
  ["for (;;) {}", "no-call", "for (;;) {}"],
  ["// only this", "nothing", ""],
  ["db.c.find(", "syntax", "Unexpected token (1:10)"],
] as const)("refused: %s", (source, refusal, what) => {
  expect(() => at(source)).toThrow(new Untranslatable(refusal, what));
});

describe("colours", () => {
  const source =
    "db.c.find({ a: 'it\\'s // no # comment', b: /x\\/y/i, n: -1.5e-7, " +
    "d: new Date('2024-02-03'), k: NumberLong('7') })";

  test.each(names)("%s: no letter is lost, and each kind is found", (name) => {
    const { program } = driverLanguages[name].translate(at(source));
    const tokens = tokensOf(program, name);
    expect(tokens.map(({ text }) => text).join("")).toBe(program);
    const of = (kind: string): readonly string[] => tokens.filter((one) => one.kind === kind).map(({ text }) => text);
    expect(of("string").some((text) => text.includes("// no # comment"))).toBe(true);
    expect(of("comment")).toEqual([]);
    expect(of("number").some((text) => text.startsWith("1.5e"))).toBe(true);
    expect([...of("word"), ...of("type")].length).toBeGreaterThan(0);
  });

  test("comments are those of the language", () => {
    expect(tokensOf("x // a", "java").at(-1)).toEqual({ kind: "comment", text: "// a" });
    expect(tokensOf("x # a", "ruby").at(-1)).toEqual({ kind: "comment", text: "# a" });
    expect(tokensOf("#[tokio::main]\nasync fn main", "rust")[0]).toEqual({ kind: "plain", text: "#[tokio::" });
  });
});
