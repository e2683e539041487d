/** Watches: a part ends when its own time is over, and with the whole's. */
import { expect, it } from "vitest";
import { StopWatch } from "./stop.ts";

it("ends by its time limit", () => {
  const watch = new StopWatch(null, 0);
  expect(watch.shouldStop()).toBe(true);
  expect(watch.reason).toBe("time limit");
});

it("ends a part before the whole, and not the whole with it", () => {
  const whole = new StopWatch(null, undefined);
  const part = new StopWatch(null, 0, performance.now(), whole);
  expect(part.shouldStop()).toBe(true);
  expect(whole.shouldStop()).toBe(false);
});

it("ends a part with the whole, for the same reason", () => {
  const whole = new StopWatch(null, 0);
  const part = new StopWatch(null, undefined, performance.now(), whole);
  expect(part.shouldStop()).toBe(true);
  expect(part.reason).toBe("time limit");
});
