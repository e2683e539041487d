/**
 * Makes `src/xray/map/land-110m.ts`, the coast lines of the map of places. Run once, by hand:
 * `node scripts/make-land.mjs …/world-atlas/land-110m.json`, the file of the npm package `world-atlas`.
 *
 * Source: Natural Earth, 1:110m land, in the public domain (https://www.naturalearthdata.com/about/terms-of-use/);
 * the package which cuts it into TopoJSON is under the ISC licence.
 *
 * A ring is a line of text: its first point as two numbers in four marks, and then the step to each further point, a
 * mark for `x` and a mark for `y`, in fifths of a degree. A step which is too long for a mark is several.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Marks of a step, -43 to 43: those of ASCII that need no escape in a template and begin no comment. */
const left = "\"'`\\$*/";
const marks = [...Array(94).keys()].map((at) => String.fromCharCode(33 + at)).filter((mark) => !left.includes(mark));
const HALF = (marks.length - 1) / 2;

const topology = JSON.parse(readFileSync(process.argv[2], "utf8"));
const { scale, translate } = topology.transform;
const arcs = topology.arcs.map((arc) => {
  let [x, y] = [0, 0];
  return arc.map(([dx, dy]) => {
    x += dx;
    y += dy;
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
  });
});
const ringOf = (indexes) =>
  indexes.flatMap((index, at) => {
    const points = index < 0 ? arcs[~index].toReversed() : arcs[index];
    return at === 0 ? points : points.slice(1);
  });
const rings = topology.objects.land.geometries.flatMap(({ arcs: polygons, type }) =>
  (type === "Polygon" ? [polygons] : polygons).flatMap((polygon) => polygon.map(ringOf)),
);

/** Parts of a degree that points are rounded to. */
const PARTS = 5;
/** How many of them a line may pass its points by, and how wide an island has to be. */
const TOLERANCE = 2;
const LEAST = 6;

/** A line without the points that are hardly beside it (Ramer, Douglas and Peucker). */
function simplified(line) {
  const [first, last] = [line[0], line.at(-1)];
  const [dx, dy] = [last[0] - first[0], last[1] - first[1]];
  const length = Math.hypot(dx, dy);
  let [most, far] = [0, 0];
  for (const [at, [x, y]] of line.entries()) {
    const [px, py] = [x - first[0], y - first[1]];
    const away = length === 0 ? Math.hypot(px, py) : Math.abs(px * dy - py * dx) / length;
    if (away > far) [most, far] = [at, away];
  }
  if (far <= TOLERANCE || line.length < 3) return [first, last];
  return [...simplified(line.slice(0, most + 1)), ...simplified(line.slice(most)).slice(1)];
}

const word = (number) => marks[Math.floor(number / marks.length)] + marks[number % marks.length];
let points = 0;
const lines = rings.flatMap((ring) => {
  let last = ring[0][0];
  // Over the antimeridian longitudes go on.
  const rounded = ring.map(([x, y]) => {
    last = x + 360 * Math.round((last - x) / 360);
    return [Math.round(PARTS * last), Math.round(PARTS * y)];
  });
  const wide = (axis) => Math.max(...rounded.map((at) => at[axis])) - Math.min(...rounded.map((at) => at[axis]));
  if (Math.max(wide(0), wide(1)) < LEAST) return [];
  const kept = simplified(rounded);
  if (kept.length < 4) return [];
  points += kept.length;
  let [x, y] = kept[0];
  let text = word(x + 180 * PARTS) + word(y + 90 * PARTS);
  for (const [nextX, nextY] of kept.slice(1)) {
    const steps = Math.max(1, Math.ceil(Math.max(Math.abs(nextX - x), Math.abs(nextY - y)) / HALF));
    const from = [x, y];
    for (let step = 1; step <= steps; step++) {
      const to = [nextX, nextY].map((end, axis) => from[axis] + Math.round(((end - from[axis]) * step) / steps));
      text += marks[to[0] - x + HALF] + marks[to[1] - y + HALF];
      [x, y] = to;
    }
  }
  return [text];
});
// A ring that is longer than a line goes on in the next one, behind a space.
const text = lines.join("\n").replaceAll(/[^\n]{97}(?=[^\n])/g, "$&\n ");
writeFileSync(
  fileURLToPath(new URL("../src/xray/map/land-110m.ts", import.meta.url)),
  `/**
 * The coast lines of the map of places, made by \`scripts/make-land.mjs\` and read by \`state/map/land.ts\`: a line a
 * ring, and what is too long for one goes on behind a space.
 *
 * Natural Earth, 1:110m land: in the public domain. Fetched with the map.
 */
export const marks = ${JSON.stringify(marks.join(""))};
export const land = \`${text}\`;
`,
);
console.log(`${lines.length} rings, ${points} points, ${text.length} bytes`);
