/** Commands that travel together. */
import { describe, expect, it } from "vitest";
import { Packet, unpack } from "./packet.ts";

describe("a packet", () => {
  it("gives its entries again, in order, and is empty once it was taken", () => {
    const packet = new Packet();
    const entries: [number, number[]][] = [
      [7, [1, 2, 3]],
      [4_000_000_000, []],
      [1, [255]],
    ];
    for (const [id, bytes] of entries) packet.add(id, Uint8Array.from(bytes));
    const taken: [number, number[]][] = [];
    unpack(packet.take(), (id, bytes) => taken.push([id, [...bytes]]));
    expect(taken).toEqual(entries);
    expect(packet.isEmpty).toBe(true);
    expect(packet.take().length).toBe(0);
  });

  it("is full before it is too long to be copied at once", () => {
    const packet = new Packet();
    expect([packet.isEmpty, packet.isFull]).toEqual([true, false]);
    packet.add(1, new Uint8Array(1 << 18));
    expect([packet.isEmpty, packet.isFull]).toEqual([false, true]);
  });
});
