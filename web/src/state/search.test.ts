/** A few letters find the names they are meant for, the likeliest first. */
import { describe, expect, test } from "vitest";
import { matchScore, searchBy } from "./search.ts";

describe("searching names", () => {
  test.each([
    ["new", "New script", true],
    ["scr new", "New script", true],
    ["nscr", "New script", true],
    ["运行", "运行脚本", true],
    ["xyz", "New script", false],
    ["new old", "New script", false],
  ])("%s in %s", (query, text, found) => expect(matchScore(query, text) > 0).toBe(found));

  test("beginnings come first", () => {
    const names = ["Bring back a script", "Rename this script", "Script 2", "Describe"];
    expect(searchBy("scr", names, (name) => [name])).toEqual([
      "Script 2",
      "Bring back a script",
      "Rename this script",
      "Describe",
    ]);
    expect(searchBy(" ", names, (name) => [name])).toEqual(names);
  });
});
