/**
 * `sleep` of scripts and of functions inside commands: blocks the thread, and comes back early once its watch says
 * stop.
 */
import type { StopWatch } from "./stop.ts";

/** The watch is asked at least so often, in milliseconds. */
const LOOK_EVERY_MILLIS = 50;

/** Sleeps without burning the processor, where there is shared memory to wait on and the thread may wait. */
function makePause(): (millis: number) => void {
  try {
    const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    const cell = new Int32Array(buffer);
    Atomics.wait(cell, 0, 0, 0);
    return (millis) => void Atomics.wait(cell, 0, 0, millis);
  } catch {
    return (millis) => {
      const end = performance.now() + millis;
      while (performance.now() < end);
    };
  }
}

/** Made by the first sleep. */
let pause: ((millis: number) => void) | null = null;

/** Sleeps for a while; `tick` is called now and then meanwhile. */
export function sleep(millis: number, watch: StopWatch | null, tick: () => void): void {
  pause ??= makePause();
  const end = performance.now() + (Number.isFinite(millis) ? millis : 0);
  for (let left = end - performance.now(); left > 0; left = end - performance.now()) {
    if (watch?.shouldStop() === true) return;
    tick();
    pause(Math.min(left, LOOK_EVERY_MILLIS));
  }
}
