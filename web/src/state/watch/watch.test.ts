/** The Watch panel's list stays within its bounds, differences are found by bytes, kept places are read with care. */
import { Double, Int32, type Document } from "bson";
import { describe, expect, test } from "vitest";
import { encode } from "../../codec/encode.ts";
import { differenceOf } from "./difference.ts";
import { eventOf, Fragments, type WatchEvent } from "./event.ts";
import { keepPlace, readPlace, watchKey } from "./kept-watch.ts";
import { cleared, countsOf, emptyWatch, KEPT_BYTES, KEPT_EVENTS, listed, toggled, withEvents } from "./watch.ts";

const event = (number: number, operationType = "insert", more: Document = {}): WatchEvent =>
  eventOf(number, [encode({ operationType, wallTime: new Date(0), documentKey: { _id: number }, ...more })]);
const many = (from: number, count: number): WatchEvent[] =>
  Array.from({ length: count }, (_, index) => event(from + index));
const empty = emptyWatch({ kind: "now", at: 0 });

describe("the list", () => {
  test("keeps the newest events, and counts those that gave way", () => {
    const full = withEvents(withEvents(empty, many(1, KEPT_EVENTS)), many(KEPT_EVENTS + 1, 2));
    expect([full.events.length, full.events[0]?.number, full.dropped, full.came]).toEqual([
      KEPT_EVENTS,
      3,
      2,
      KEPT_EVENTS + 2,
    ]);
    expect(cleared(full)).toMatchObject({ events: [], dropped: 0, came: KEPT_EVENTS + 2 });
  });
  test("keeps no more bytes than it may, and the newest event however large it is", () => {
    const large = (number: number): WatchEvent => ({ ...event(number), bytes: KEPT_BYTES / 2 });
    const state = withEvents(empty, [large(1), large(2), large(3)]);
    expect([state.events.map(({ number }) => number), state.dropped]).toEqual([[2, 3], 1]);
    const huge = withEvents(state, [{ ...event(4), bytes: 2 * KEPT_BYTES }]);
    expect([huge.events.map(({ number }) => number), huge.dropped]).toEqual([[4], 3]);
  });
  test("has no gap: events before those that were skipped go too", () => {
    const state = withEvents({ ...withEvents(empty, many(1, 3)), opened: 2 }, many(8, 2), 4);
    expect([state.events.map(({ number }) => number), state.dropped, state.came, state.opened]).toEqual([
      [8, 9],
      7,
      9,
      null,
    ]);
  });
  test("shows chosen kinds, the newest first", () => {
    const state = withEvents(empty, [event(1), event(2, "drop"), event(3, "update"), event(4, "modify")]);
    expect(listed(toggled(state, "other")).map(({ number }) => number)).toEqual([3, 1]);
    expect(listed(toggled(toggled(state, "other"), "other"))).toHaveLength(4);
    expect(countsOf(state)).toEqual({ insert: 1, update: 1, replace: 0, delete: 0, other: 2 });
  });
});

describe("a line", () => {
  test("names the first fields of a document, cut, but not the one that the key names", () => {
    const fullDocument = {
      _id: 7,
      name: "mint".repeat(50),
      long: "sage".repeat(2000),
      beds: Array.from({ length: 2000 }, () => 1),
      ok: true,
    };
    const { key, line } = event(7, "insert", { fullDocument });
    expect(key).toBe("_id: 7");
    expect(event(7, "insert", { fullDocument: { _id: 7 } }).line).toBe("");
    expect(line).toMatch(/^\{ name: "(?:mint){15}…, long: "(?:sage){15}…, beds: \[…\], ok: true \}$/);
  });
  test("tells what an update touched, and how much more", () => {
    const updatedFields = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`f${index}`, index]));
    const updateDescription = { updatedFields, removedFields: ["old"], truncatedArrays: [{ field: "a", newSize: 2 }] };
    const { touched, touchedCount } = event(1, "update", { updateDescription });
    expect([touched[0], touched.length, touchedCount]).toEqual([{ how: "set", text: "f0: 0" }, 6, 10]);
    const few = event(1, "update", { updateDescription: { ...updateDescription, updatedFields: {} } });
    expect(few.touched).toEqual([
      { how: "removed", text: "old" },
      { how: "cut", text: "a", size: 2 },
    ]);
  });
  test("is short, however long names are", () => {
    const name = "n".repeat(100_000);
    const updateDescription = {
      updatedFields: { [name]: 1 },
      removedFields: [name],
      truncatedArrays: [{ field: name, newSize: 2 }],
    };
    const { touched } = event(1, "update", { updateDescription });
    expect(touched.map(({ text }) => text)).toEqual([
      `${"n".repeat(60)}…: 1`,
      `${"n".repeat(60)}…`,
      `${"n".repeat(60)}…`,
    ]);
    expect(event(2, "insert", { fullDocument: { [name]: 1 } }).line).toBe(`{ "${"n".repeat(60)}…": 1 }`);
  });
  test("tells the name after a renaming", () => {
    expect(event(1, "rename", { to: { db: "d", coll: "other" } })).toMatchObject({ kind: "other", line: "→ d.other" });
  });
});

test("fragments are put together, and those whose first is missing are left out", () => {
  const fragments = new Fragments();
  const part = (fragment: number): Uint8Array => encode({ splitEvent: { fragment: new Int32(fragment), of: 2 } });
  expect(fragments.add(part(2))).toBeNull();
  expect(fragments.add(part(1))).toBeNull();
  expect(fragments.add(part(2))).toEqual([part(1), part(2)]);
  expect(fragments.add(part(1))).toBeNull();
  expect(fragments.isWaiting).toBe(true);
  expect(fragments.add(encode({ a: 1 }))).toHaveLength(1);
  expect(fragments.isWaiting).toBe(false);
});

test("a difference looks into documents, tells arrays whole, and types apart", () => {
  const difference = (before: Document, after: Document) => differenceOf(encode(before), encode(after));
  expect(
    difference(
      { _id: 1, soil: { ph: 6, wet: true }, beds: [1, 2], n: new Int32(1), gone: "x" },
      { _id: 1, soil: { ph: 7, wet: true }, beds: [1], n: new Double(1), come: null },
    ),
  ).toEqual({
    fields: [
      { field: "soil.ph", before: new Int32(6), after: new Int32(7) },
      { field: "beds", before: [new Int32(1), new Int32(2)], after: [new Int32(1)] },
      { field: "n", before: new Int32(1), after: new Double(1) },
      { field: "come", before: undefined, after: null },
      { field: "gone", before: "x", after: undefined },
    ],
    more: 0,
  });
  const wide = (value: number): Document =>
    Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`f${index}`, value]));
  const { fields, more } = difference(wide(1), wide(2));
  expect([fields.length, more]).toEqual([200, 50]);
});

test("a place is kept over a reload, and other text is none", () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  const place = { database: "d", collection: "c", token: "82", seen: 5 };
  keepPlace(storage, "one", place);
  expect([readPlace(storage, "one"), readPlace(storage, "other"), readPlace(null, "one")]).toEqual([place, null, null]);
  for (const text of ["null", "{", "7", '{"database":"d","collection":1,"seen":5}', '{"database":"d"}']) {
    kept.set(watchKey("one"), text);
    expect(readPlace(storage, "one"), text).toBeNull();
  }
});
