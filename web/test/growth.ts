/**
 * How the time of some work grows with its size: what tells a slow machine from slow work.
 *
 * Invariant: no bound in milliseconds; the shortest of several times is what counts, of this process alone: other
 * programs' turns on the processor are not counted.
 */
const TRIES = 7;

function shortest(work: () => void): number {
  let least = Infinity;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const started = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(started);
    least = Math.min(least, user + system);
  }
  return least;
}

/** How many times longer the second takes than the first. */
export function times(one: () => void, other: () => void): number {
  one();
  other();
  return shortest(other) / shortest(one);
}

/** How many times longer work of eight times the size takes: 8 when it grows with the size, 64 when with its square. */
export function growth(size: number, work: (size: number) => void): number {
  return times(
    () => work(size),
    () => work(8 * size),
  );
}
