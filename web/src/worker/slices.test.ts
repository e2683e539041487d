/** Slices against an engine that only counts: when they are lent, which are confirmed, and which are given back. */
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Engine } from "../engine/engine.ts";
import { Flushing } from "./flushing.ts";
import { Slices } from "./slices.ts";
import { StopWatch } from "./stop.ts";

/**
 * A script's worker with a clock of its own, in a browser that gives out so many signals; `write` is a command that
 * changed something.
 */
function worker(signals: number) {
  const calls: string[] = [];
  const there = new Set<string>();
  let made = 0;
  const posted: number[] = [];
  let now = 0;
  let sequence = 0n;
  let unsaved = false;
  const engine = {
    get hasUnsaved() {
      return (
        unsaved ||
        calls.filter((call) => call.startsWith("lent")).length >
          calls.filter((call) => call.startsWith("stored")).length
      );
    },
    lendBatch() {
      if (!unsaved) return undefined;
      unsaved = false;
      sequence += 1n;
      calls.push(`lent ${sequence}`);
      const bytes = new Uint8Array(8);
      new DataView(bytes.buffer).setBigUint64(0, sequence, true);
      return bytes;
    },
    lentStored: (stored: number) => void calls.push(`stored ${stored}`),
    endLending: (stored: boolean) => void calls.push(`ended ${stored}`),
  };
  /** The page's answer to a slice, given while the worker waits. */
  let answer: (number: number) => void = () => undefined;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  const quiet = (): void => undefined;
  const flushing = new Flushing(() => engine as unknown as Engine, {
    told: quiet,
    stored: quiet,
    stuck: quiet,
    quiet,
    retry: quiet,
  });
  flushing.hold();
  const slices = new Slices(engine, {
    plan: flushing,
    lends: true,
    makeSignal: () => {
      if (made === signals) throw new Error("no blobs");
      const signal = `signal ${made++}`;
      there.add(signal);
      return signal;
    },
    dropSignal: (signal) => void there.delete(signal),
    post: (number) => posted.push(number),
    now: () => now,
    isThere: (url) => there.has(url),
    pause: (millis) => {
      now += millis;
      for (const number of posted) answer(number);
    },
  });
  return {
    slices,
    flushing,
    calls,
    posted,
    there,
    write(millis: number) {
      unsaved = true;
      now += millis;
      slices.afterCommand();
    },
    onPause: (given: typeof answer) => void (answer = given),
    change: () => void (unsaved = true),
  };
}

afterEach(() => vi.restoreAllMocks());

describe("a long script", () => {
  it("lends nothing at first, then ever more seldom", () => {
    const { write, posted } = worker(50);
    const at: number[] = [];
    for (let millis = 10; millis <= 20_000; millis += 10) {
      const before = posted.length;
      write(10);
      if (posted.length > before) at.push(millis);
    }
    expect(at[0]).toBe(250);
    expect(at[1]).toBe(500);
    const gaps = at.slice(1).map((moment, index) => moment - (at[index] ?? 0));
    expect(gaps.every((gap, index) => gap >= (gaps[index - 1] ?? 0))).toBe(true);
    expect(gaps.at(-1)).toBeGreaterThan(2000);
    expect(at.length).toBeLessThan(25);
  });

  it("lends nothing once it is over, and the next one as at first", () => {
    const { write, flushing, posted } = worker(50);
    write(2000);
    expect(posted.length).toBe(1);
    flushing.release();
    write(2000);
    expect(posted.length).toBe(1);
    flushing.hold();
    write(240);
    expect(posted.length).toBe(1);
    write(10);
    expect(posted.length).toBe(2);
  });

  it("counts a slice that a journal waited for", () => {
    const { slices, write, change, onPause, there, posted } = worker(50);
    onPause((number) => there.delete(`signal ${number}`));
    write(200);
    change();
    expect(slices.journal(null)).toBe(true);
    expect(posted.length).toBe(1);
    write(100);
    expect(posted.length).toBe(1);
    write(150);
    expect(posted.length).toBe(2);
  });

  it("confirms what the page stored, so that its pages can be used again", () => {
    const { write, there, calls } = worker(10);
    write(300);
    there.delete("signal 1");
    write(300);
    expect(calls).toEqual(["lent 1", "stored 1", "lent 2"]);
  });

  it("stops lending after a failure and gives everything back", async () => {
    const { slices, write, there, calls } = worker(10);
    write(300);
    there.delete("signal 0");
    write(300);
    write(5000);
    await slices.finish();
    expect(calls).toEqual(["lent 1", "ended false"]);
  });

  it("waits at its end for what is under way", async () => {
    const { slices, write, there, calls } = worker(10);
    write(300);
    write(600);
    const finished = slices.finish();
    slices.settled(1, true);
    await Promise.resolve();
    slices.settled(2, true);
    await finished;
    expect(calls).toEqual(["lent 1", "lent 2", "stored 1", "stored 2", "ended true"]);
    expect([...there]).toEqual([]);
  });

  it("lends nothing where the page cannot be seen to answer", async () => {
    const { slices, write, calls } = worker(0);
    write(10_000);
    await slices.finish();
    expect(calls).toEqual([]);
  });
});

describe("j: true", () => {
  it("waits until it is stored", () => {
    const { slices, change, onPause, there, calls } = worker(10);
    onPause((number) => there.delete(`signal ${number}`));
    change();
    expect(slices.journal(null)).toBe(true);
    expect(calls).toEqual(["lent 1", "stored 1"]);
    expect(slices.journal(null)).toBe(true);
  });

  it("is not taken for given when storage fails, or nobody answers, or Stop was pressed, or no signal is left", () => {
    const failing = worker(10);
    failing.onPause(() => failing.there.delete("signal 0"));
    failing.change();
    expect(failing.slices.journal(null)).toBe(false);
    const silent = worker(10);
    silent.change();
    expect(silent.slices.journal(null)).toBe(false);
    const stopped = worker(10);
    stopped.change();
    expect(stopped.slices.journal(new StopWatch(null, 0))).toBe(false);
    const spent = worker(1);
    spent.change();
    expect(spent.slices.journal(null)).toBe(false);
  });
});
