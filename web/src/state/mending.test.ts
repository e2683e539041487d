/** A wrong text is replaced where it stood, and nowhere else. */
import { expect, test } from "vitest";
import { mended, onlyPlace, onlyPlaceIn, placeAt } from "./mending.ts";

test.each([
  ["db.users.fnid()", "fnid", [9, 13]],
  ["{ a: { $gtt: 1 }, $gttx: 2 }", "$gtt", [7, 11]],
  ["db.user.find({ user: 1 })", "user", null],
  ["db.users.find()", "user", null],
  ["", "a", null],
] as const)("%s has %s once", (source, name, place) =>
  expect(onlyPlace(source, name)).toEqual(place === null ? null : { from: place[0], to: place[1] }),
);

test.each([
  ["// $gtt\ndb.a.find({ n: { $gtt: 1 } })", 2, 18, "$gtt", [25, 29]],
  ['db.a.find({ "$gtt": 1 })', 1, 13, "$gtt", [13, 17]],
  ["db.a.find({ $gttx: 1 })", 1, 13, "$gtt", null],
  ["db.a.find()", 1, 1, "$gtt", null],
  ["db.a.find()", 9, 1, "db", null],
  ["db.a.find()", null, null, "db", null],
] as const)("%s at %s:%s", (source, line, column, name, place) =>
  expect(placeAt(source, line, column, name)).toEqual(place === null ? null : { from: place[0], to: place[1] }),
);

test("a name that stands in several statements, in one of them", () => {
  const source = "db.user.find()\n  db.user\n.find(); db.user.find()";
  const second = { line: 2, column: 3, endLine: 3, endColumn: 8 };
  expect(onlyPlaceIn(source, second, "user")).toEqual({ from: 20, to: 24 });
  expect(onlyPlaceIn(source, second, "users")).toBeNull();
  expect(onlyPlaceIn(source, { ...second, endColumn: 30 }, "user")).toBeNull();
});

const mending = { from: 9, to: 13, text: "find" };
const ran = "db.users.fnid()";

test("a whole script, and a selection in one", () => {
  expect(mended(ran, ran, { line: 0, column: 0 }, mending)).toBe("db.users.find()");
  expect(mended(`a\n  ${ran}; b`, ran, { line: 1, column: 2 }, mending)).toBe("a\n  db.users.find(); b");
  expect(mended(`${ran}\nprint(1)`, ran, { line: 0, column: 0 }, mending)).toBe("db.users.find()\nprint(1)");
});

test("nothing where the script is no longer as it ran", () => {
  expect(mended(`a${ran}`, ran, { line: 0, column: 0 }, mending)).toBeNull();
  expect(mended(ran, ran, { line: 3, column: 0 }, mending)).toBeNull();
  expect(mended("", ran, { line: 0, column: 0 }, mending)).toBeNull();
});
