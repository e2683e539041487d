/**
 * A snippet's result as a map of its places: whether it can be one, and the place of the drawing, whose code is fetched
 * when the reader wants it.
 *
 * Invariant: small, since every result asks; without the drawing's code the result is shown as text.
 */
import { decodeCommand } from "../state/decode.ts";
import { offersMap } from "../state/map/offered.ts";
import type { Language } from "../state/settings.ts";
import type { ResultValue } from "./results.ts";
import type { DrawnEngine } from "./xray.ts";

/** Whether a value has places. */
export function hasMap({ values, cursor }: ResultValue): boolean {
  return values !== null && offersMap(values, cursor === null ? null : decodeCommand(cursor), []);
}

/** A place for the map, which is drawn when its code has come; `instead` where that cannot be had. */
export function drawMap(value: ResultValue, language: Language, engine: DrawnEngine, instead: () => Node): HTMLElement {
  const place = document.createElement("div");
  place.className = "map";
  import("./xray.ts")
    .then(({ drawGeoMap }) => drawGeoMap(value, language, engine))
    .then(
      (map) => place.replaceChildren(map),
      () => place.replaceChildren(instead()),
    );
  return place;
}
