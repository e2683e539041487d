/**
 * Degrees as a map words them.
 *
 * Invariant: pure; a figure has no more digits than it needs.
 */

/** `12.5°E`; `signs` are the letters of positive and of negative degrees. */
export function wordDegrees(value: number, signs: "EW" | "NS", digits = 4): string {
  const turned = signs === "EW" ? value - 360 * Math.round(value / 360) : value;
  // Both ends of the map are the same meridian.
  const rounded = Number((signs === "EW" && Math.abs(turned) === 180 ? 180 : turned).toFixed(digits));
  const letter = rounded === 0 || Math.abs(rounded) === 180 ? "" : signs.charAt(rounded > 0 ? 0 : 1);
  return `${Math.abs(rounded)}°${letter}`;
}

/** How many digits behind the point tell places apart that are this far from one another. */
export function digitsFor(span: number): number {
  return span > 20 ? 1 : span > 2 ? 2 : span > 0.05 ? 3 : 5;
}
