/** Faults are found where they are, and never in a script that the shell runs. */
import { describe, expect, test } from "vitest";
import { en } from "./en.ts";
import { errorFault, syntaxFault } from "./fault.ts";
import { zhHans } from "./zh-hans.ts";

describe("what the shell runs has no fault", () => {
  test.each([
    "",
    "use shop",
    "use my-shop\nshow dbs\nshow collections;\nit\nhelp",
    "const all = await db.herbs.find().toArray()\nfor await (const one of db.herbs.find()) print(one)",
    "{ a: 1, b: [2, 3] }",
    "let a = 1; let b = 2\n// let a = 1;",
    "#!/usr/bin/env mongosh\nprint(1)",
    "db.herbs.find({ name: /^r/i }).forEach((h) => print(`${h.name}: ${h.price ?? '-'}`))",
    "db['my herbs'].find()[0]?.name",
    "undefined_name.call()",
  ])("%s", (source) => expect(syntaxFault(source, en)).toBeNull());
});

test.each([
  ["db.herbs.find({ a: 1 ]", 1, 22, "]", "Unexpected ]"],
  ["use shop\ndb.herbs.find({ a: 1 }", 2, 14, "(", "This ( of line 2 is never closed."],
  ["db.herbs.find({\n  a: 1,\n", 1, 15, "{", "This { of line 1 is never closed."],
  ["print(`a ${1} b)", 1, 7, "`a ${1} b)", "This template is not ended: its closing ` is missing."],
  ["const x =", 1, 9, "=", "The script ends too early."],
  ["print('open)\nprint(2)", 1, 7, "'open)", "This text is not ended: its closing quote is missing."],
  ["/* never\nprint(1)", 1, 1, "/* never", "This comment is not ended: */ is missing."],
  ["let a = 1\nlet a = 2", 2, 5, "a", "a is declared already."],
  ["1 = 2", 1, 1, "1", "This cannot be assigned to."],
  ["return 5", 1, 1, "return", "return stands outside a function."],
  ["const class = 1", 1, 7, "class", "class is a word of the language and no name."],
  ["print(1) print(2)", 1, 10, "print", "Unexpected print"],
  ["print(1 @ 2)", 1, 9, "@", "Unexpected @"],
] as const)("%s", (source, line, column, text, message) => {
  const fault = syntaxFault(source, en);
  expect(fault).toMatchObject({ line, column, message });
  expect(source.slice(fault?.from, fault?.to)).toBe(text);
});

test.each([
  ["/(/", "This regular expression is not valid."],
  ["3abc", "This is not a number."],
  ["0xg", "This is not a number."],
  ["break", "break stands outside a loop."],
  ["try { }", "try has neither catch nor finally."],
  ["'\\u12'", "What follows the \\ is not an escape sequence."],
  ["throw\n1", "The value of throw is missing on its line."],
  ["import a from 'a'", "A script has neither import nor export."],
  ["export const a = 1", "A script has neither import nor export."],
  ["class A { f() { this.#x } }", "#x is not declared in a class around it."],
  ["const [...a, b] = c", "Nothing may follow the rest element (...)."],
  ["switch (1) { default: default: }", "switch has more than one default."],
  ["f({ a = b })", "In an object, a colon stands between name and value: { name: value }."],
  ["super.f()", "super stands outside a method of a class."],
  ["a: a: for (;;) {}", "a is declared already."],
  ["class A { constructor() {} constructor() {} }", "This name is given twice."],
  ["for (let { a }; ; ) {}", "A pattern of names needs a value: = is missing."],
  ["for (1 of a) {}", "This cannot be assigned to."],
])("in the reader's words: %s", (source, message) => {
  expect(syntaxFault(source, en)?.message).toBe(message);
  expect(syntaxFault(source, zhHans)?.message).toMatch(/[\u4e00-\u9fff]/);
});

describe("a slip is named and mended", () => {
  test.each<[string, string, string]>([
    [
      "db.o.find({ a: { $gt: 5 )",
      "} } is missing here: the { of line 1 is still open.",
      "db.o.find({ a: { $gt: 5 } })",
    ],
    [
      "use x\ndb.o.find({ a: { $gt: 5 })",
      "} is missing here: the { of line 2 is still open.",
      "use x\ndb.o.find({ a: { $gt: 5 } })",
    ],
    [
      "db.o.aggregate([{ $match: { a: 1 } ])",
      "} is missing here: the { of line 1 is still open.",
      "db.o.aggregate([{ $match: { a: 1 } }])",
    ],
    [
      "db.o.find({ total > 500 })",
      "In a document this is written total: { $gt: 500 }",
      "db.o.find({ total: { $gt: 500 } })",
    ],
    [
      "db.o.find({ total: >= 500 })",
      "In a document this is written total: { $gte: 500 }",
      "db.o.find({ total: { $gte: 500 } })",
    ],
    [
      "db.o.find({ total => 500, a: 1 })",
      "In a document this is written total: { $gte: 500 }",
      "db.o.find({ total: { $gte: 500 }, a: 1 })",
    ],
    ["db.o.find({ 'a.b' == \"x\" })", 'In a document this is written "a.b": "x"', 'db.o.find({ "a.b": "x" })'],
    ["db.o.find({ state = 'CA' })", "In a document this is written state: 'CA'", "db.o.find({ state: 'CA' })"],
    [
      "db.o.find({ state !== 'CA' })",
      "In a document this is written state: { $ne: 'CA' }",
      "db.o.find({ state: { $ne: 'CA' } })",
    ],
    [
      "db.o.find({ lines.product: 3 })",
      'A name with dots stands in quotes: "lines.product"',
      'db.o.find({ "lines.product": 3 })',
    ],
    [
      "db.o.updateOne({}, { $set: { lines.$[l].qty: 3 } })",
      'A name with dots stands in quotes: "lines.$[l].qty"',
      'db.o.updateOne({}, { $set: { "lines.$[l].qty": 3 } })',
    ],
    ["db.o.find({ a: { $gt: 6 $lt: 9 } })", "A comma is missing before $lt.", "db.o.find({ a: { $gt: 6, $lt: 9 } })"],
    ["db.o.find({ a: 'x' \"b\": 1 })", 'A comma is missing before "b".', "db.o.find({ a: 'x', \"b\": 1 })"],
    ["db.o.insertMany([{ a: 1 } { a: 2 }])", "A comma is missing before {.", "db.o.insertMany([{ a: 1 }, { a: 2 }])"],
  ])("%s", (source, message, expected) => {
    const fault = syntaxFault(source, en);
    expect(fault?.message).toBe(message);
    expect(syntaxFault(source, zhHans)?.message).toMatch(/[\u4e00-\u9fff]/);
    const { from, to, text } = fault?.mending ?? { from: 0, to: 0, text: "" };
    expect(source.slice(0, from) + text + source.slice(to)).toBe(expected);
  });

  test("a bracket that closes nothing has no mending", () => {
    const fault = syntaxFault("db.o.find())", en);
    expect(fault).toMatchObject({ message: "Nothing is open here that ) could close.", mending: null });
  });
});

test("what the parser says and the tables do not, it says itself", () => {
  expect(syntaxFault("function f() { new.target = 1 }", en)?.message).toBeTypeOf("string");
  expect(syntaxFault("new.target", en)?.message).toMatch(/new\.target/);
  expect(syntaxFault("new.target", zhHans)?.message).toMatch(/无法读懂.*new\.target/);
});

test("lines above what was read are counted", () =>
  expect(syntaxFault("f(", en, 4)?.message).toBe("This ( of line 5 is never closed."));

test("in Chinese too", () => expect(syntaxFault("f(", zhHans)?.message).toBe("第 1 行的 ( 没有闭合。"));

describe("SQL is said to be that, and nothing else", () => {
  const query = "That is SQL. Written for here:";
  const unknown = "That is SQL. Queries are written like this here:\ndb.herbs.find({ price: { $gt: 3 } })";
  test.each([
    ["SELECT * FROM teas", 1, 1, "SELECT * FROM teas", `${query}\ndb.teas.find()`],
    [
      "print(1)\n  select name\n  from teas;\nprint(2)",
      2,
      3,
      "select name",
      `${query}\ndb.teas.find({}, { name: 1, _id: 0 })`,
    ],
    ["INSERT INTO teas\nVALUES (1)", 1, 1, "INSERT INTO teas", unknown],
    ["SELECT\n  UPPER(name)\nFROM teas", 1, 1, "SELECT", unknown],
  ] as const)("%j", (source, line, column, text, message) => {
    const fault = syntaxFault(source, en);
    expect(fault).toMatchObject({ line, column, message });
    expect(source.slice(fault?.from, fault?.to)).toBe(text);
    expect(syntaxFault(source, zhHans)?.message).toMatch(/^这是 SQL。/);
  });

  test("also where the shell takes its first word for a name", () => {
    const error = { name: "ReferenceError", line: 1, column: 1 };
    expect(errorFault(error, "SELECT *\nFROM\nteas", en)?.sql?.statement.query).toBe("db.teas.find()");
    expect(errorFault(error, "missing.call()", en)).toBeNull();
  });

  test("and a mistake behind it is told as ever", () =>
    expect(syntaxFault("// select the teas\nf(]", en)?.message).toBe("Unexpected ]"));
});
