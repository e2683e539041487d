/** The streams of a page, which has none of Node's, as the driver's own streams and the manual's samples use them. */
import { describe, expect, it } from "vitest";
import { LightReadable, LightWritable } from "./light-streams.ts";

/** Gives the numbers up to `last`, each when it is asked for. */
class Numbers extends LightReadable {
  asked = 0;
  constructor(readonly last: number) {
    super();
  }
  override _read(): void {
    this.asked += 1;
    const next = this.asked;
    queueMicrotask(() => this.push(next > this.last ? null : next));
  }
}
class Kept extends LightWritable {
  readonly chunks: unknown[] = [];
  isFinal = false;
  constructor(readonly bad?: unknown) {
    super();
  }
  override _write(chunk: unknown, _encoding: string, callback: (error?: Error) => void): void {
    this.chunks.push(chunk);
    callback(chunk === this.bad ? new Error(`no ${String(chunk)}`) : undefined);
  }
  override _final(callback: () => void): void {
    this.isFinal = true;
    callback();
  }
}
const event = (stream: LightReadable | LightWritable, name: string): Promise<unknown> =>
  new Promise((resolve) => stream.once(name, resolve as () => void));
const upTo = (last: number): number[] => Array.from({ length: last }, (_, at) => at + 1);

describe("a stream to read from", () => {
  it("begins with a listener for data, and ends once", async () => {
    const stream = new Numbers(40);
    const seen: unknown[] = [];
    const events: string[] = [];
    for (const name of ["end", "close"]) stream.on(name, () => events.push(name));
    stream.on("data", (chunk) => seen.push(chunk));
    await event(stream, "close");
    expect(seen).toEqual(upTo(40));
    expect(events).toEqual(["end", "close"]);
    expect([stream.readable, stream.readableEnded, stream.destroyed, stream.closed]).toEqual([false, true, true, true]);
  });

  it("keeps what comes while it is paused, and asks for no more than it keeps", async () => {
    const stream = new Numbers(100);
    const seen: unknown[] = [];
    stream.on("data", (chunk) => {
      seen.push(chunk);
      if (chunk === 3) stream.pause();
    });
    await new Promise((resolve) => setTimeout(resolve));
    expect([seen, stream.isPaused()]).toEqual([[1, 2, 3], true]);
    const { asked } = stream;
    expect(asked).toBeLessThan(30);
    stream.resume();
    await event(stream, "end");
    expect(seen).toEqual(upTo(100));
  });

  it("is iterated, and destroyed by who leaves the loop", async () => {
    const all: unknown[] = [];
    for await (const chunk of new Numbers(20)) all.push(chunk);
    expect(all).toEqual(upTo(20));
    const stream = new Numbers(20);
    for await (const chunk of stream) if (chunk === 2) break;
    expect(stream.destroyed).toBe(true);
    const failing = new Numbers(20);
    const loop = (async () => {
      for await (const chunk of failing) if (chunk === 2) failing.destroy(new Error("lost"));
    })();
    await expect(loop).rejects.toThrow("lost");
  });

  it("is piped as fast as its target takes it, and stops when it is told", async () => {
    const target = new Kept();
    expect(new Numbers(60).pipe(target)).toBe(target);
    await event(target, "finish");
    expect([target.chunks, target.isFinal, target.writableFinished]).toEqual([upTo(60), true, true]);
    const open = new Kept();
    const source = new Numbers(5);
    source.pipe(open, { end: false });
    await event(source, "end");
    expect([open.chunks, open.writableEnded]).toEqual([upTo(5), false]);
    const other = new Numbers(5);
    other.pipe(open);
    other.unpipe(open);
    await new Promise((resolve) => setTimeout(resolve));
    expect(open.chunks).toEqual(upTo(5));
  });

  it("tells its error before its close, and throws one that nobody hears", async () => {
    const stream = new Numbers(5);
    const events: unknown[] = [];
    stream.on("error", (error) => events.push(error)).on("close", () => events.push("close"));
    stream.destroy(new Error("lost")).destroy(new Error("again"));
    await event(stream, "close");
    expect(events).toEqual([new Error("lost"), "close"]);
    expect(stream.push(1)).toBe(false);
    expect(() => stream.emit("error", new Error("unheard"))).not.toThrow();
    expect(() => new Numbers(1).emit("error", new Error("unheard"))).toThrow("unheard");
  });
});

describe("a stream to write into", () => {
  it("writes one chunk after another, calls back for each, and says when there is room", async () => {
    const stream = new Kept();
    const done: unknown[] = [];
    const rooms = upTo(20).map((chunk) => stream.write(chunk, () => done.push(chunk)));
    expect([rooms[0], rooms.at(-1)]).toEqual([true, false]);
    await event(stream, "drain");
    stream.end("last");
    await event(stream, "close");
    expect(stream.chunks).toEqual([...upTo(20), "last"]);
    expect(done).toEqual(upTo(20));
  });

  it("ends with the error of a write, and takes nothing behind its end", async () => {
    const stream = new Kept(2);
    stream.write(1);
    stream.write(2);
    expect(await event(stream, "error")).toEqual(new Error("no 2"));
    expect([stream.isFinal, stream.writable]).toEqual([false, false]);
    const ended = new Kept();
    ended.end();
    const late = event(ended, "error");
    expect(ended.write(1)).toBe(false);
    expect(await late).toEqual(new Error("write after end"));
  });
});

it("listeners are added, counted and taken away as on Node's emitters", () => {
  const stream = new Kept();
  const seen: string[] = [];
  const one = (): void => void seen.push("one");
  stream.on("x", one).prependListener("x", () => seen.push("first"));
  stream.prependOnceListener("x", () => seen.push("once"));
  expect([stream.emit("x"), stream.emit("x"), stream.emit("y")]).toEqual([true, true, false]);
  expect(seen).toEqual(["once", "first", "one", "first", "one"]);
  expect([stream.listenerCount("x"), stream.eventNames()]).toEqual([2, ["x"]]);
  expect(stream.off("x", one).removeAllListeners("x").listeners("x")).toEqual([]);
});
