/** SELECT is written for the shell where it is known, and given up where it is not. */
import { describe, expect, test } from "vitest";
import { tryRewrite } from "../../shell/rewrite.ts";
import { sqlAt } from "./select.ts";

const asQuery = (sql: string): string | null | undefined => sqlAt(sql, { line: 1, column: 1 })?.query;

describe("as find, countDocuments and distinct", () => {
  test.each([
    ["SELECT * FROM herbs", "db.herbs.find()"],
    ["select * from herbs;", "db.herbs.find()"],
    ["SELECT name, price FROM herbs", "db.herbs.find({}, { name: 1, price: 1, _id: 0 })"],
    ["SELECT _id, name AS label FROM herbs", 'db.herbs.find({}, { _id: 1, label: "$name" })'],
    ["SELECT * FROM herbs WHERE price > 3 AND price <= 9", "db.herbs.find({ price: { $gt: 3, $lte: 9 } })"],
    ["SELECT * FROM herbs WHERE 3 < price", "db.herbs.find({ price: { $gt: 3 } })"],
    ["SELECT * FROM herbs WHERE name = 'It''s'", 'db.herbs.find({ name: "It\'s" })'],
    ['SELECT * FROM herbs WHERE name = "Rue"', 'db.herbs.find({ name: "Rue" })'],
    [
      "SELECT * FROM herbs WHERE a = 1 OR b = 2 AND c <> 3",
      "db.herbs.find({ $or: [{ a: 1 }, { b: 2, c: { $ne: 3 } }] })",
    ],
    [
      "SELECT * FROM herbs WHERE (a = 1 OR b = 2) AND NOT c = 3",
      "db.herbs.find({ $or: [{ a: 1 }, { b: 2 }], $nor: [{ c: 3 }] })",
    ],
    ["SELECT * FROM herbs WHERE a = 1 AND a = 2 AND b = 3", "db.herbs.find({ $and: [{ a: 1 }, { a: 2 }, { b: 3 }] })"],
    ["SELECT * FROM herbs WHERE name LIKE 'R%'", "db.herbs.find({ name: /^R/ })"],
    ["SELECT * FROM herbs WHERE name LIKE '%mint%'", "db.herbs.find({ name: /mint/ })"],
    ["SELECT * FROM herbs WHERE name NOT LIKE '%a_b.c'", "db.herbs.find({ name: { $not: /a.b\\.c$/s } })"],
    ["SELECT * FROM herbs WHERE name ILIKE 'r_e'", "db.herbs.find({ name: /^r.e$/is })"],
    ["SELECT * FROM herbs WHERE name LIKE 'a/b%'", "db.herbs.find({ name: /^a\\/b/ })"],
    [
      "SELECT * FROM herbs WHERE kind IN ('a', 'b') AND n NOT IN (1, -2)",
      'db.herbs.find({ kind: { $in: ["a", "b"] }, n: { $nin: [1, -2] } })',
    ],
    [
      "SELECT * FROM herbs WHERE n BETWEEN 1 AND 5 AND x IS NULL AND y IS NOT NULL",
      "db.herbs.find({ n: { $gte: 1, $lte: 5 }, x: null, y: { $ne: null } })",
    ],
    ["SELECT * FROM herbs WHERE low < high", 'db.herbs.find({ $expr: { $lt: ["$low", "$high"] } })'],
    [
      "SELECT * FROM herbs WHERE dried = TRUE AND at >= DATE '2024-05-01'",
      'db.herbs.find({ dried: true, at: { $gte: ISODate("2024-05-01") } })',
    ],
    [
      "SELECT * FROM herbs WHERE _id = '507f1f77bcf86cd799439011'",
      'db.herbs.find({ _id: ObjectId("507f1f77bcf86cd799439011") })',
    ],
    [
      "SELECT h.name FROM herbs h WHERE h.price > 1 ORDER BY h.price DESC, name",
      "db.herbs.find({ price: { $gt: 1 } }, { name: 1, _id: 0 }).sort({ price: -1, name: 1 })",
    ],
    [
      "SELECT name AS n FROM herbs ORDER BY n LIMIT 5 OFFSET 10",
      'db.herbs.find({}, { n: "$name", _id: 0 }).sort({ name: 1 }).skip(10).limit(5)',
    ],
    ["SELECT * FROM herbs ORDER BY a.b LIMIT 10, 5", 'db.herbs.find().sort({ "a.b": 1 }).skip(10).limit(5)'],
    ["SELECT name FROM herbs ORDER BY 1", "db.herbs.find({}, { name: 1, _id: 0 }).sort({ name: 1 })"],
    ["SELECT * FROM `my herbs`", 'db.getCollection("my herbs").find()'],
    ["SELECT * FROM stats", 'db.getCollection("stats").find()'],
    ["SELECT * FROM garden.herbs", 'db.getSiblingDB("garden").herbs.find()'],
    ["SELECT COUNT(*) FROM herbs", "db.herbs.countDocuments()"],
    ["SELECT COUNT(*) AS n FROM herbs WHERE a = 1", "db.herbs.countDocuments({ a: 1 })"],
    ["SELECT COUNT(price) FROM herbs", "db.herbs.countDocuments({ price: { $ne: null } })"],
    ["SELECT DISTINCT kind FROM herbs WHERE a = 1", 'db.herbs.distinct("kind", { a: 1 })'],
  ])("%s", (sql, query) => expect(asQuery(sql)).toBe(query));
});

describe("as aggregate", () => {
  test.each([
    [
      "SELECT kind, COUNT(*) AS n, AVG(price) FROM herbs WHERE a = 1 GROUP BY kind " +
        "HAVING COUNT(*) > 1 ORDER BY n DESC LIMIT 3",
      `db.herbs.aggregate([
  { $match: { a: 1 } },
  { $group: { _id: "$kind", n: { $sum: 1 }, avg_price: { $avg: "$price" } } },
  { $match: { n: { $gt: 1 } } },
  { $sort: { n: -1 } },
  { $limit: 3 },
  { $project: { _id: 0, kind: "$_id", n: 1, avg_price: 1 } }
])`,
    ],
    [
      "SELECT a.x, b, SUM(n) FROM t GROUP BY a.x, b ORDER BY b",
      `db.t.aggregate([
  { $group: { _id: { a_x: "$a.x", b: "$b" }, sum_n: { $sum: "$n" } } },
  { $sort: { "_id.b": 1 } },
  { $project: { _id: 0, a_x: "$_id.a_x", b: "$_id.b", sum_n: 1 } }
])`,
    ],
    [
      "SELECT MAX(price), COUNT(a) FROM herbs",
      `db.herbs.aggregate([
  { $group: { _id: null, max_price: { $max: "$price" }, count_a: { $sum: { $cond: [{ $gt: ["$a", null] }, 1, 0] } } } },
  { $project: { _id: 0, max_price: 1, count_a: 1 } }
])`,
    ],
    [
      "SELECT DISTINCT kind, place FROM herbs",
      `db.herbs.aggregate([
  { $group: { _id: { kind: "$kind", place: "$place" } } },
  { $project: { _id: 0, kind: "$_id.kind", place: "$_id.place" } }
])`,
    ],
  ])("%s", (sql, query) => expect(asQuery(sql)).toBe(query));
});

test.each([
  "SELECT * FROM a JOIN b ON a.x = b.x",
  "SELECT * FROM a, b",
  "SELECT UPPER(name) FROM a",
  "SELECT a + b FROM c",
  "SELECT * FROM a WHERE x = NULL",
  "SELECT * FROM a WHERE x IN (SELECT y FROM b)",
  "SELECT * FROM a UNION SELECT * FROM b",
  "SELECT kind, price, COUNT(*) FROM a GROUP BY kind",
  "SELECT COUNT(DISTINCT kind) FROM a",
  "SELECT * FROM a LIMIT 0",
  "SELECT * FROM a LIMIT 1.5",
  "SELECT * FROM",
  "SELECT 'open FROM a",
  "INSERT INTO a VALUES (1)",
  "DELETE FROM a",
  "UPDATE a SET b = 1",
])("not known: %s", (sql) => expect(asQuery(sql)).toBeNull());

test.each(["select(1)", "db.a.find()", "const select = 1", "update.run()"])("no SQL: %s", (script) =>
  expect(asQuery(script)).toBeUndefined(),
);

test("it is found at its line, over several lines, and ends where it ends", () => {
  const source = "use garden\nprint(1)\n  SELECT name\n  FROM herbs -- of the garden\n  WHERE price > 1;\nprint(2)\n";
  const found = sqlAt(source, { line: 3, column: 10 });
  expect(found?.query).toBe("db.herbs.find({ price: { $gt: 1 } }, { name: 1, _id: 0 })");
  expect(source.slice(found?.from, found?.to)).toMatch(/^SELECT name[\s\S]*price > 1$/);
  expect(sqlAt("SELECT * FROM a\nSELECT * FROM b", { line: 2, column: 8 })?.query).toBe("db.b.find()");
  expect(sqlAt("print(`a\nb`)\nSELECT * FROM a", { line: 3, column: 8 })?.query).toBe("db.a.find()");
  expect(sqlAt("SELECT * FROM a\nprint(1)", { line: 1, column: 15 })?.query).toBe("db.a.find()");
});

test.each([
  ["/*\n select the herbs\n*/\ndb.a.find({ a: 1 ]", 4, 18],
  ["// select herbs\nf(", 2, 3],
  ["print(`\nselect a from b\n`) )", 3, 4],
  ["UPDATE a SET b = 1;\nf(]", 2, 3],
  ["UPDATE a SET b = 1\n\nf(]", 3, 3],
])("a mistake elsewhere is none of the SQL: %j", (source, line, column) =>
  expect(sqlAt(source, { line, column })).toBeNull(),
);

test("what is written can be run", () => {
  for (const sql of [
    "SELECT * FROM a WHERE \"odd name\" = 'x\ny' AND n = 9007199254740993",
    "SELECT * FROM a WHERE n LIKE '%'",
  ])
    expect(tryRewrite(asQuery(sql) ?? "("), sql).not.toHaveProperty("syntaxError");
});
