/** A reader's arrangement of a table's columns (pinned, hidden, widths), and its way through storage. */
import { describe, expect, test } from "vitest";
import {
  arrange,
  arrangedAs,
  fitted,
  hid,
  parseArrangements,
  pinned,
  resized,
  unarranged,
  unhid,
  unpinned,
  wordArrangements,
  type Arrangements,
} from "./arrangement.ts";

const columns = ["_id", "title", "year", "plot"].map((name) => ({ name }));
const namesOf = (list: readonly { readonly name: string }[]): readonly string[] => list.map(({ name }) => name);

describe("columns as a reader arranged them", () => {
  test("pinned first, in their order; hidden not at all", () => {
    const arrangement = hid(pinned(pinned(unarranged, "year"), "title"), "plot");
    const { columns: shown, pinned: atLeft, hidden } = arrange(columns, arrangement);
    expect([namesOf(shown), atLeft, namesOf(hidden)]).toEqual([["year", "title", "_id"], 2, ["plot"]]);
    expect(namesOf(arrange(columns, unhid(unpinned(arrangement, "year"), "plot")).columns)).toEqual([
      "title",
      "_id",
      "year",
      "plot",
    ]);
  });

  test("a hidden column is not pinned, and one stays whatever is hidden", () => {
    const all = columns.reduce((arrangement, { name }) => hid(arrangement, name), pinned(unarranged, "plot"));
    expect(all.pinned).toEqual([]);
    expect(namesOf(arrange(columns, all).columns)).toEqual(["_id"]);
  });

  test("more than fit are counted, and hiding makes room", () => {
    const many = Array.from({ length: 30 }, (_, at) => ({ name: `f${at}` }));
    expect(arrange(many, unarranged)).toMatchObject({ omitted: 6, pinned: 0 });
    const room = arrange(many, hid(pinned(unarranged, "f29"), "f0"));
    expect([room.omitted, room.columns[0]?.name, room.columns.length]).toEqual([5, "f29", 24]);
  });

  test("a width keeps within what can be read", () => {
    expect(resized(unarranged, "a", -3).widths.get("a")).toBe(4);
    expect(resized(unarranged, "a", 1e9).widths.get("a")).toBe(120);
    expect(fitted(resized(unarranged, "a", 9), "a").widths.size).toBe(0);
  });
});

describe("kept over a reload", () => {
  test("as they were", () => {
    const all = arrangedAs(new Map(), "test.films", pinned(hid(resized(unarranged, "__proto__", 12.34), "a"), "b"));
    expect(parseArrangements(wordArrangements(all))).toEqual(
      new Map([["test.films", { widths: new Map([["__proto__", 12.3]]), hidden: ["a"], pinned: ["b"] }]]),
    );
  });

  test("only those arranged last", () => {
    let all: Arrangements = new Map();
    for (let at = 0; at < 50; at++) all = arrangedAs(all, `c${at}`, unarranged);
    all = arrangedAs(all, "c20", unarranged);
    expect([all.size, [...all.keys()].at(0), [...all.keys()].at(-1)]).toEqual([40, "c10", "c20"]);
  });

  test.each([null, "", "{", "7", '"x"', "[1]", '[["a"]]', '[["a",[["b"],["c","x"],["d",null]],{"e":1},[5]]]'])(
    "what is foreign is passed over: %s",
    (stored) => {
      for (const arrangement of parseArrangements(stored).values())
        expect(arrangement).toEqual({ widths: new Map(), hidden: [], pinned: [] });
    },
  );
});
