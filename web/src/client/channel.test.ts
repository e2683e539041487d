/** The channel to a worker: commands that travel in one message, commands that wait, and their order. */
import { describe, expect, it } from "vitest";
import { Packet, unpack } from "../protocol/packet.ts";
import { Channel, ENDED, MISSING } from "./channel.ts";

interface Message {
  readonly kind: string;
  readonly id?: number;
  readonly packet?: Uint8Array;
}

/** A worker that keeps its messages, and answers when it is told to. */
class FakeWorker {
  readonly sent: Message[] = [];
  #listener: (event: { data: unknown }) => void = () => undefined;
  /** The channel's listener for errors of the worker; a test calls it to have the worker fail. */
  fail: (event: Event | ErrorEvent) => void = () => undefined;

  addEventListener(name: string, listener: (event: never) => void): void {
    if (name === "message") this.#listener = listener as (event: { data: unknown }) => void;
    if (name === "error") this.fail = listener as (event: Event | ErrorEvent) => void;
  }
  terminate(): void {
    // There is nothing to be ended.
  }
  postMessage(message: Message): void {
    this.sent.push(message);
  }
  /** The ids of the commands in each message. */
  get ids(): (number | number[] | undefined)[] {
    return this.sent.map(({ id, packet }) => {
      if (packet === undefined) return id;
      const ids: number[] = [];
      unpack(packet, (one) => ids.push(one));
      return ids;
    });
  }
  /** Answers commands with their own number, and says that it began with so many messages. */
  answer(ids: readonly number[], taken: number): void {
    const packet = new Packet();
    for (const id of ids) packet.add(id, new Uint8Array([id]));
    this.#listener({ data: { kind: "answers", packet: packet.take(), taken } });
  }
}

const task = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

function channel(): { worker: FakeWorker; ask: () => Promise<Uint8Array>; channel: Channel } {
  const worker = new FakeWorker();
  const made = new Channel(worker as unknown as Worker, () => undefined);
  return { worker, channel: made, ask: () => made.command(new Uint8Array(8)) };
}

describe("commands to a worker", () => {
  it("travel together when they are asked in one task, also a microtask apart", async () => {
    const { worker, ask } = channel();
    void ask();
    void Promise.resolve().then(ask);
    await task();
    expect(worker.ids).toEqual([[1, 2]]);
  });

  it("wait while the worker has two messages before it, and then leave with what the answers ask for", async () => {
    const { worker, ask } = channel();
    for (let n = 0; n < 4; n += 1) {
      void ask().then(ask);
      await task();
    }
    expect(worker.ids).toEqual([[1], [2]]);
    worker.answer([1], 1);
    await task();
    expect(worker.ids).toEqual([[1], [2], [3, 4, 5]]);
    worker.answer([2], 0);
    await task();
    expect(worker.ids).toHaveLength(3);
    worker.answer([], 1);
    await task();
    expect(worker.ids.at(-1)).toEqual([6]);
  });

  it("leave before whatever else is asked after them", async () => {
    const { worker, ask, channel: made } = channel();
    for (let n = 0; n < 3; n += 1) {
      void ask();
      await task();
    }
    void made.send<"status">({ kind: "status" });
    expect(worker.ids).toEqual([[1], [2], [3], 4]);
  });

  it("are each answered by their own reply", async () => {
    const { worker, ask } = channel();
    const asked = [ask(), ask(), ask()];
    await task();
    worker.answer([2, 3], 1);
    worker.answer([1], 0);
    expect((await Promise.all(asked)).map((reply) => reply[0])).toEqual([1, 2, 3]);
  });
});

describe("a worker that fails", () => {
  it("is missing where its script was not to be had, and ended where it failed", async () => {
    const missing = channel();
    const asked = missing.ask();
    missing.worker.fail(new Event("error"));
    await expect(asked).rejects.toMatchObject({
      name: MISSING,
      message: "the engine's worker failed: it could not be loaded",
    });
    const ended = channel();
    const last = ended.ask();
    ended.worker.fail(Object.assign(new Event("error"), { message: "out of memory" }));
    await expect(last).rejects.toMatchObject({ name: ENDED, message: "the engine's worker failed: out of memory" });
  });
});
