/**
 * The words of `quiredb check-docs`: its options, and how a difference is told. The rest is tried as a program, in
 * `tests/e2e/check-docs.test.mjs`.
 */
import { describe, expect, test } from "vitest";
import { differenceOf } from "../../embed/expected.ts";
import { readCheckOptions, wordDifference } from "./command.ts";
import { snippetsOf } from "./page.ts";

describe("options", () => {
  test("a folder, and a time limit", () => {
    expect(readCheckOptions(["site"])).toEqual({ folder: "site", timeLimitMillis: 60_000 });
    expect(readCheckOptions(["--time-limit", "2.5", "site"])).toEqual({ folder: "site", timeLimitMillis: 2500 });
  });
  test.each([
    [[]],
    [["a", "b"]],
    [["--time-limit", "a"]],
    [["--time-limit", "-1", "a"]],
    [["a", "--time-limit"]],
    [["a", "--quiet"]],
  ])("%j is refused", (words) => expect(typeof readCheckOptions(words)).toBe("string"));
});

test("lines far from a difference are left out", () => {
  const lines = [...Array(20).keys()].map(String);
  const difference = differenceOf(lines.join("\n"), lines.toSpliced(10, 1, "x").join("\n")) ?? [];
  expect(wordDifference(difference)).toBe("  …\n  8\n  9\n- 10\n+ x\n  11\n  12\n  …");
});

test("snippets are read as the element reads them", () => {
  const [one, two] = snippetsOf(`<!doctype html><html><body>
    <quire-snippet id="one" db="garden" topology="standalone" check="false" depends-on="two" setup=" herbs "><pre><code>
      <span class="linenos">1</span>db.a.find()
      db.b.find()</code></pre><output>[ <b>1</b> ]</output></quire-snippet>
    <div><quire-snippet check>db.<b>c</b>.find()<output>[]</output></quire-snippet></div></body></html>`);
  expect([
    one?.source,
    one?.db,
    one?.dependsOn,
    one?.setup,
    one?.checked,
    one?.expected,
    one?.title,
    one?.topology,
  ]).toEqual(["db.a.find()\ndb.b.find()", "garden", "two", "herbs", false, "[ 1 ]", "#one: db.a.find()", "standalone"]);
  expect([two?.source, two?.db, two?.checked, two?.expected, two?.title, two?.topology]).toEqual([
    "db.c.find()",
    "test",
    true,
    "[]",
    "snippet 2: db.c.find()",
    "replicaSet",
  ]);
});
