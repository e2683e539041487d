/** Errors are worded by the script where that tells them better, and by the shell elsewhere. */
import { expect, test } from "vitest";
import type { ScriptError } from "../../protocol/run.ts";
import { tryRewrite } from "../../shell/rewrite.ts";
import { isRead, worded } from "./told.ts";

const error = (name: string, message: string, line: number | null, column: number | null): ScriptError => ({
  name,
  message,
  text: `${name}: ${message}`,
  code: null,
  codeName: null,
  line,
  column,
});

/** The error that the shell ends a script with whose syntax is wrong. */
function syntaxError(source: string): ScriptError {
  const outcome = tryRewrite(source);
  if (!("syntaxError" in outcome)) throw new Error(`it can be read: ${source}`);
  return error("SyntaxError", outcome.syntaxError, outcome.line, outcome.column);
}

test.each([
  ["db.teas.find({ a: 1 ]", "Unexpected ]", "这里不该有 ]", 1, 21],
  ["print(1)\n\ndb.teas.find(", "This ( of line 3 is never closed.", "第 3 行的 ( 没有闭合。", 3, 13],
  [
    "print(1)\nSELECT * FROM teas",
    "That is SQL. Written for here:\ndb.teas.find()",
    "这是 SQL。在这里写作：\ndb.teas.find()",
    2,
    1,
  ],
])("%j", async (source, english, chinese, line, column) => {
  expect(await worded(syntaxError(source), source, "en")).toMatchObject({ text: english, line, column });
  expect(await worded(syntaxError(source), source, "zh-Hans")).toMatchObject({ text: chinese, line, column });
});

test("of SQL, too, whose first word the shell took for a name", async () => {
  const source = "SELECT *\nFROM\nteas";
  const told = await worded(error("ReferenceError", "'SELECT' is not defined", 1, 1), source, "en");
  expect(told.text).toBe("That is SQL. Written for here:\ndb.teas.find()");
});

test.each([
  error("TypeError", "db.teas.fnid is not a function", 1, 9),
  error("ReferenceError", "'update' is not defined", 1, 1),
  error("SyntaxError", "Unexpected token", null, null),
  error("SyntaxError", "JSON: unexpected token", 1, 1),
])("everything else stays as the shell words it: %j", async (failed) => {
  expect(await worded(failed, "update.all()", "en")).toBe(failed);
});

test("only those are read whose script may tell more", () => {
  expect(isRead(error("SyntaxError", "Unexpected token", 1, 2))).toBe(true);
  expect(isRead(error("ReferenceError", "'teas' is not defined", 1, 1))).toBe(false);
});
