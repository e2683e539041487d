/**
 * Commands, or replies, that travel in one message: the messages of one task cross together, in one buffer.
 *
 * Layout: for each entry its request's `id` and its length, little-endian u32 both, then its bytes. Invariant: entries
 * keep their order; one that is as long as `ALONE_BYTES` travels in a message of its own, whose buffer is handed over
 * and not copied.
 */

/** From this length on an entry is not copied into a packet. */
export const ALONE_BYTES = 1 << 16;
/** A packet of this length is sent although more may come. */
const FULL_BYTES = 1 << 18;
const HEAD_BYTES = 8;

/** Gathers entries. */
export class Packet {
  readonly #entries: (readonly [id: number, bytes: Uint8Array])[] = [];
  #length = 0;

  /** Bytes so far. */
  get length(): number {
    return this.#length;
  }
  get isEmpty(): boolean {
    return this.#length === 0;
  }
  get isFull(): boolean {
    return this.#length >= FULL_BYTES;
  }

  add(id: number, bytes: Uint8Array): void {
    this.#entries.push([id, bytes]);
    this.#length += HEAD_BYTES + bytes.length;
  }

  /** All entries as they are sent; the packet is empty again. */
  take(): Uint8Array<ArrayBuffer> {
    const packed = new Uint8Array(this.#length);
    const view = new DataView(packed.buffer);
    let at = 0;
    for (const [id, bytes] of this.#entries) {
      view.setUint32(at, id, true);
      view.setUint32(at + 4, bytes.length, true);
      packed.set(bytes, at + HEAD_BYTES);
      at += HEAD_BYTES + bytes.length;
    }
    this.#entries.length = 0;
    this.#length = 0;
    return packed;
  }
}

/** Hands out the entries of a packet in order; their bytes are views of it. */
export function unpack(packed: Uint8Array, take: (id: number, bytes: Uint8Array) => void): void {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  for (let at = 0; at < packed.length; ) {
    const end = at + HEAD_BYTES + view.getUint32(at + 4, true);
    take(view.getUint32(at, true), packed.subarray(at + HEAD_BYTES, end));
    at = end;
  }
}
