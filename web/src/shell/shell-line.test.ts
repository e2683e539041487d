/** Which lines are the shell's, and that running, layout and copying agree on them. */
import { describe, expect, it } from "vitest";
import { statementAt } from "../copy/parse.ts";
import { formatScript } from "../view/editor/format.ts";
import { rewrite } from "./rewrite.ts";
import { readScript } from "./shell-line.ts";

const lines = (source: string): string[] => {
  const found: string[] = [];
  readScript(source, ({ word, argument }) => {
    found.push(`${word} ${argument}`);
    return ";";
  });
  return found;
};

describe("what a shell line is", () => {
  it.each([
    ["use shop", "shop"],
    ["  use shop;", "shop"],
    ["use shop; // main", "shop"],
    ["use shop // main", "shop"],
    ["use my shop", "my shop"],
    ["use shop\r", "shop"],
  ])("%j is one for running, laying out and copying alike", async (line, database) => {
    const script = `db.a.find()\n${line}\ndb.products.find()`;
    expect(lines(script)).toEqual([`use ${database}`]);
    expect(rewrite(script).code.split("\n")[1]?.trim()).toBe(`use(${JSON.stringify(database)});`);
    expect(statementAt(script, { from: script.length, to: script.length }, "test").database).toBe(database);
    expect((await formatScript(script)).split("\n")[1]).toBe(line.trim());
  });

  it("is none inside a text, of which nothing is changed", async () => {
    const script = "const text = `\n  use shop\n`\nshow dbs\n";
    expect(lines(script)).toEqual(["show dbs"]);
    expect(await formatScript(script)).toBe(script);
  });

  it("is none where JavaScript can go on", () => {
    expect(lines("use(1)\nuse = 2\nshow")).toEqual([]);
    const failure = readScript("use shop\ndb.(", () => "        ");
    expect(failure).toMatchObject({ line: 2, column: 4, position: 12 });
  });
});
