/**
 * The frames of the wire protocol: a stream of bytes in, whole messages out.
 *
 * ```text
 *  0        4         8           12      16
 *  │ length │ request │ responds to │ kind │ … │      all int32, little endian
 * ```
 * Invariants: a byte is copied a bounded number of times, however small the pieces are that it comes in; the room taken
 * follows the bytes that came, never a length that was only told; a message handed out is not written to any more.
 */
import { broken } from "./error.ts";

/** The longest message, its header included: `maxMessageSizeBytes`. */
export const MAX_MESSAGE_BYTES = 48_000_000;
export const HEADER_BYTES = 16;

/** The kinds of messages that are known here. */
export const Opcode = { Reply: 1, Query: 2004, Compressed: 2012, Msg: 2013 } as const;

export interface Frame {
  readonly request: number;
  readonly respondsTo: number;
  readonly opcode: number;
  /** The message with its header. */
  readonly bytes: Uint8Array;
}

const FIRST_ROOM = 1 << 16;
const NOTHING = new Uint8Array(0);

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

/** Reads the header of a whole message. */
export function frameOf(bytes: Uint8Array): Frame {
  const view = viewOf(bytes);
  return {
    request: view.getInt32(4, true),
    respondsTo: view.getInt32(8, true),
    opcode: view.getInt32(12, true),
    bytes,
  };
}

export class FrameReader {
  /** Holds what is not handed out yet, from `#start` to `#end`. */
  #bytes: Uint8Array = NOTHING;
  #start = 0;
  #end = 0;
  /** Whether `#bytes` was made here and may be written to behind `#end`. */
  #own = false;

  /** How many bytes wait here. */
  get pending(): number {
    return this.#end - this.#start;
  }

  /** Takes the next bytes of the stream, which their giver leaves as they are. */
  push(piece: Uint8Array): void {
    const had = this.pending;
    if (had === 0) {
      [this.#bytes, this.#start, this.#end, this.#own] = [piece, 0, piece.length, false];
      return;
    }
    const needed = had + piece.length;
    if (!this.#own || this.#bytes.length - this.#end < piece.length) {
      // Twice as much each time, and no more than the message at hand is long.
      const told = had >= 4 ? this.#length() : 0;
      const room = Math.max(needed, Math.min(Math.max(needed * 2, FIRST_ROOM), told));
      const larger = new Uint8Array(room);
      larger.set(this.#bytes.subarray(this.#start, this.#end));
      [this.#bytes, this.#start, this.#end, this.#own] = [larger, 0, had, true];
    }
    this.#bytes.set(piece, this.#end);
    this.#end += piece.length;
  }

  #length(): number {
    return viewOf(this.#bytes).getInt32(this.#start, true);
  }

  /**
   * The next whole message; null where more bytes are needed. Throws a fatal `WireError` for a length that no message
   * has, as soon as it is told.
   */
  next(): Frame | null {
    if (this.pending < 4) return null;
    const length = this.#length();
    if (length < HEADER_BYTES || length > MAX_MESSAGE_BYTES)
      throw broken(`a message of ${length} bytes: messages have ${HEADER_BYTES} to ${MAX_MESSAGE_BYTES}`);
    if (this.pending < length) return null;
    const frame = frameOf(this.#bytes.subarray(this.#start, this.#start + length));
    this.#start += length;
    if (this.pending === 0) this.#bytes = NOTHING;
    if (this.pending === 0) this.#start = this.#end = 0;
    return frame;
  }
}

/** A message of these parts. */
export function frame(
  request: number,
  respondsTo: number,
  opcode: number,
  ...parts: readonly Uint8Array[]
): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, HEADER_BYTES);
  const whole = new Uint8Array(length);
  const view = viewOf(whole);
  view.setInt32(0, length, true);
  view.setInt32(4, request, true);
  view.setInt32(8, respondsTo, true);
  view.setInt32(12, opcode, true);
  let at = HEADER_BYTES;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
