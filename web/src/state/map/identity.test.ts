/** A chosen place is its document, wherever that stands among newer ones. */
import { expect, test } from "vitest";
import { placeAgain } from "./identity.ts";
import { placesIn } from "./places.ts";

const at = (x: number) => ({ type: "Point", coordinates: [x, 0] });
const again = (document: unknown, values: readonly unknown[]) =>
  placeAgain(document, values, placesIn(values, "at").places);

test("a chosen place follows its document, and goes with it", () => {
  const [one, two, three] = [1, 2, 3].map((x) => ({ _id: x, at: at(x) }));
  // Documents before it are gone, more came behind it, one without a place stands before it.
  expect(again(two, [two, three])).toBe(0);
  expect(again(two, [one, two, three, { _id: 4, at: at(4) }])).toBe(1);
  expect(again(two, [{ _id: 9 }, one, two])).toBe(1);
  // The document itself is deleted: the next one is not chosen in its place.
  expect(again(two, [one, three])).toBeNull();
  // It was edited: another object with the same _id, or without a place.
  expect(again(two, [one, { _id: 2, at: at(7) }, three])).toBe(1);
  expect(again(two, [one, { _id: 2 }, three])).toBeNull();
  // Without an _id a document is the same as itself alone.
  const plain = { at: at(5) };
  expect(again(plain, [one, plain])).toBe(1);
  expect(again(plain, [one, { at: at(5) }])).toBeNull();
});
