/**
 * Places on the sphere, and the questions for them, the same for the same seed.
 *
 * Half of the places lie around 200 towns, half anywhere between 60 degrees south and 70 north. A polygon has twelve
 * corners at unequal distances from its centre; it is small enough that edges on a map and edges on the sphere differ
 * by few places, so each adapter is checked against the answer for its own kind of edge.
 */
import { generator } from "./products.mjs";
import { repeat } from "./workload.mjs";

const NEAREST = 20;
/** Questions that are checked against all places. */
const CHECKED = 12;
const RAD = Math.PI / 180;

export function makePlaces(count) {
  const random = generator(17);
  const within = (low, high) => low + random() * (high - low);
  const bell = () => random() + random() + random() + random() - 2;
  const towns = Array.from({ length: 200 }, () => [within(-170, 170), within(-55, 65)]);
  return Array.from({ length: count }, (_, i) => {
    const [longitude, latitude] = towns[Math.floor(random() * towns.length)];
    const coordinates =
      i % 2 === 0 ? [longitude + bell() / 2, latitude + bell() / 2] : [within(-179, 179), within(-60, 70)];
    return {
      _id: i,
      name: `Place ${i}`,
      kind: ["shop", "garden", "nursery", "park"][Math.floor(random() * 4)],
      stars: 1 + Math.floor(random() * 5),
      where: { type: "Point", coordinates },
    };
  });
}

/** A ring of twelve corners around a point, closed. */
function around([longitude, latitude], degrees, random) {
  const corners = Array.from({ length: 12 }, (_, i) => {
    const reach = degrees * (0.6 + 0.4 * random());
    const angle = (i / 12) * 2 * Math.PI;
    return [longitude + (reach * Math.cos(angle)) / Math.cos(latitude * RAD), latitude + reach * Math.sin(angle)];
  });
  return [...corners, corners[0]];
}

export function questionsOf(places) {
  const random = generator(23);
  // Not near the date line or a pole, where a map has no answer.
  const centre = () => {
    for (;;) {
      const [longitude, latitude] = places[Math.floor(random() * places.length)].where.coordinates;
      if (Math.abs(longitude) < 150 && Math.abs(latitude) < 50)
        return [longitude + random() / 10, latitude + random() / 10];
    }
  };
  const times = { length: 200 };
  return {
    nearest: Array.from(times, centre),
    small: Array.from(times, () => around(centre(), 0.3, random)),
    large: Array.from(times, () => around(centre(), 6, random)),
  };
}

function distance([one, other], [longitude, latitude]) {
  const sine = (degrees) => Math.sin((degrees * RAD) / 2) ** 2;
  return sine(latitude - other) + Math.cos(other * RAD) * Math.cos(latitude * RAD) * sine(longitude - one);
}

/** Whether a point is inside of a ring with straight edges on the plane. */
function isInside([x, y], ring) {
  let inside = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i, i += 1) {
    const [[ax, ay], [bx, by]] = [ring[i], ring[j]];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

/** A plane on which great circles are straight, that touches the sphere at a point; undefined for the far side. */
const onPlaneAt =
  ([longitude, latitude]) =>
  ([x, y]) => {
    const [turn, up, own] = [(x - longitude) * RAD, y * RAD, latitude * RAD];
    const near = Math.sin(own) * Math.sin(up) + Math.cos(own) * Math.cos(up) * Math.cos(turn);
    if (near <= 0.5) return undefined;
    const north = Math.cos(own) * Math.sin(up) - Math.sin(own) * Math.cos(up) * Math.cos(turn);
    return [(Math.cos(up) * Math.sin(turn)) / near, north / near];
  };

function insideOf(places, ring, planar) {
  if (planar) return places.filter(({ where }) => isInside(where.coordinates, ring)).length;
  const onPlane = onPlaneAt(ring[0]);
  const corners = ring.map(onPlane);
  return places.filter(({ where }) => {
    const point = onPlane(where.coordinates);
    return point && isInside(point, corners);
  }).length;
}

/** Rows of an adapter over places that are indexed. */
export async function measurePlaces(adapter, places, budget, row, check) {
  const asked = questionsOf(places);
  const one = (list) => {
    let at = 0;
    return () => list[at++ % list.length];
  };
  for (const centre of asked.nearest.slice(0, CHECKED)) {
    const wanted = places
      .map(({ _id, where }) => [distance(centre, where.coordinates), _id])
      .sort(([less], [more]) => less - more)
      .slice(0, NEAREST);
    const found = await adapter.nearest(centre, NEAREST);
    const same = found.every(({ _id, name }, i) => _id === wanted[i][1] && name === places[_id].name);
    check(found.length === NEAREST && same, "nearest");
  }
  const nearest = one(asked.nearest);
  await row("nearest", () => repeat(2000, budget, () => adapter.nearest(nearest(), NEAREST)));
  for (const size of ["small", "large"]) {
    let documents = 0;
    for (const ring of asked[size].slice(0, CHECKED)) {
      const found = await adapter.within(ring);
      documents += found.length;
      const wanted = insideOf(places, ring, adapter.planar);
      check(found.length === wanted, `${size} polygon: ${found.length} and not ${wanted}`);
      check(
        found.every(({ _id, name }) => name === places[_id].name),
        `${size} polygon: another document`,
      );
    }
    await row(`${size}Found`, () => documents / CHECKED);
    const ring = one(asked[size]);
    await row(`${size}Polygon`, () => repeat(2000, budget, () => adapter.within(ring())));
  }
  // What a command that gives twenty documents takes without any geometry.
  if (adapter.twenty) {
    const random = generator(3);
    await row("twenty", () => repeat(2000, budget, () => adapter.twenty(Math.floor(random() * (places.length - 20)))));
  }
}
