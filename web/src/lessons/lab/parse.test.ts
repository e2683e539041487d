/** The blocks of a lab's scripts, and those that are refused. */
import { describe, expect, test } from "vitest";
import { LabFault, parseScripts } from "./parse.ts";

const block = (info: string, source = "1"): string => `\`\`\`${info}\n${source}\n\`\`\`\n`;
const both = block("js design a") + block("js design b");

describe("a lab's scripts", () => {
  test("designs and operations in their order", () => {
    const lab = parseScripts(`For authors.\n\n${both}${block("js read see a", "2")}${block("js read see b", "3")}`);
    expect(lab.designs).toEqual([
      { id: "a", load: "1" },
      { id: "b", load: "1" },
    ]);
    expect(lab.operations.map(({ id, kind, scripts }) => [id, kind, [...scripts]])).toEqual([
      [
        "see",
        "read",
        [
          ["a", "2"],
          ["b", "3"],
        ],
      ],
    ]);
  });

  test.each([
    ["one design", block("js design a") + block("js read see a")],
    ["a design without the operation", both + block("js read see a")],
    ["an unknown design", both + block("js read see a") + block("js read see b") + block("js read see c")],
    ["a design twice", both + block("js design a")],
    ["two kinds", both + block("js read see a") + block("js write see b")],
    ["an operation called design", both + block("js read design a") + block("js read design b")],
    ["a block that is not closed", `${both}${block("js read see a").replace(/```\n$/, "")}\n${block("js read see b")}`],
    ["another block", both + block("js note x")],
  ])("%s is refused", (_, text) => expect(() => parseScripts(text)).toThrow(LabFault));
});
