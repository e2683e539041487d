/** The least and greatest coordinates of a ring: west, south, east, north. */
export function boxOf(ring) {
  const [x, y] = [0, 1].map((axis) => ring.map((corner) => corner[axis]));
  return [Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y)];
}
