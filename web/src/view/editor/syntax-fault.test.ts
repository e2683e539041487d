/** Faults are found where they are, and never in what the shell runs. */
import { describe, expect, test } from "vitest";
import { en } from "../../messages/syntax/en.ts";
import { zhHans } from "../../messages/syntax/zh-hans.ts";
import { syntaxFault } from "./syntax-fault.ts";

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

test("in Chinese too", () => expect(syntaxFault("f(", zhHans)?.message).toBe("第 1 行的 ( 没有闭合。"));
