/** Places of errors as QuickJS's stacks tell them, moved to the call that failed. */
import { expect, test } from "vitest";
import { failedCall } from "./error-place.ts";

const scope = { db: { a: { count: () => 0 } }, print: () => undefined };

/** The text from the place on, of an error whose stack points at `mark` with these frames above. */
function placed(source: string, mark: string, above: readonly string[], error: Error): string {
  const before = source.slice(0, source.indexOf(mark)).split("\n");
  const given = { line: before.length, column: (before.at(-1) ?? "").length + 1 };
  const frames = above.map((name) => `    at ${name}`);
  const { line, column } = failedCall(source, given, { error, above: frames, scope });
  return source.split("\n")[line - 1]?.slice(column - 1) ?? "";
}

const INSERT = ["MongoServerError (prelude.js:6:5162)", "insertOne (prelude.js:14:14753)"];

test.each([
  ["a call by itself", "1; db.a.insertOne({})", "insertOne", INSERT, "insertOne({})"],
  ["a call in an argument", "db.a.insertOne({ at: new Date() })", "Date", INSERT, "insertOne({ at: new Date() })"],
  ["on another line", "db.a\n .insertOne(\n{ at: new Date() })", "Date", INSERT, "insertOne("],
  [
    "a text with brackets",
    "db.a.insertOne({ s: '({', n: Number(1) })",
    "Number",
    INSERT,
    "insertOne({ s: '({', n: Number(1) })",
  ],
  ["a name in brackets", "db.a['insertOne'](Number(1))", "Number", INSERT, "(Number(1))"],
  ["a callee in parentheses", "(0, f)(Number(1))", "Number", ["refuse (x)"], "(Number(1))"],
  ["two calls deep", "f(db.a.insertOne(g(h(1))))", "h", INSERT, "insertOne(g(h(1))))"],
  ["the argument itself", "f(g(1))", "g", ["g (native)"], "g(1))"],
  [
    "a name in other letters",
    "f(ISODate('x' + String(1)))",
    "String",
    ["isoDate (prelude.js:1:2)"],
    "ISODate('x' + String(1)))",
  ],
  ["another name", "sh.status(Number(1))", "Number", ["refuse (prelude.js:1:2)"], "status(Number(1))"],
  ["another name, of what is no builtin", "f(g(1))", "g", ["refuse (prelude.js:1:2)"], "g(1))"],
  ["in a callback", "[1].refuse(n => Number(n))", "Number", ["refuse (prelude.js:1:2)"], "Number(n))"],
])("%s", (_, source, mark, above, rest) => {
  expect(placed(source, mark, above, new RangeError("x"))).toBe(rest);
});

test.each([
  ["db.a.nofn(new Date())", "Date", "nofn(new Date())"],
  ["db.a.nofn(db.a.count())", "count", "nofn(db.a.count())"],
  ["db.a?.nofn(Math.max(1))", "max", "nofn(Math.max(1))"],
  ["if (x) { nofn(Number(1)) }", "Number", "nofn(Number(1)) }"],
  ["db['a b']['nofn'](Number(1))", "Number", "(Number(1))"],
  ["print(nofn())", "nofn", "nofn())"],
  ["print(f().count())", "count", "count())"],
])("no function: %s", (source, mark, rest) => {
  expect(placed(source, mark, [], new TypeError("not a function"))).toBe(rest);
});

test("an error of the script's own is where it was made", () => {
  expect(placed("throw new Error(String(Math.max(2)))", "max", [], new Error("2"))).toBe("Error(String(Math.max(2)))");
  expect(placed("f(g(1)).x", "g", [], new TypeError("cannot read property 'x' of null"))).toBe("g(1)).x");
});

test.each(["(", ".a", "f(", "{", "a?.", " ", "=>"])("takes no longer than the script for many of %s", (mark) => {
  expect(placed(`${mark.repeat(100_000)}\nf(Number(1)`, "Number", ["refuse (x)"], new Error("x"))).toBe("f(Number(1)");
});
