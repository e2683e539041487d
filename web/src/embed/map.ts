/**
 * A snippet's result as a map of its places: whether it can be one, and the place of the drawing, whose code is fetched
 * when the reader wants it.
 *
 * Invariant: small, since every result asks; without the drawing's code the result is shown as text.
 */
import { decodeCommand } from "../state/decode.ts";
import { offersMap } from "../state/map/offered.ts";
import type { ResultValue } from "./results.ts";

/** Whether a value has places. */
export function hasMap({ values, cursor }: ResultValue): boolean {
  return values !== null && offersMap(values, cursor === null ? null : decodeCommand(cursor), []);
}

/**
 * A place for the map, which comes with its code; `instead` where that cannot be had. The class `map` keeps the font of
 * code from the drawing: it is prose and names.
 */
export function placeMap(map: Promise<HTMLElement>, instead: () => Node): HTMLElement {
  const place = document.createElement("div");
  map.then(
    (drawn) => {
      place.className = "map";
      place.replaceChildren(drawn);
    },
    () => place.replaceChildren(instead()),
  );
  return place;
}
