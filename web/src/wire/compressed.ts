/**
 * OP_COMPRESSED: another message, compressed.
 *
 * ```text
 *  header │ the other message's kind │ its length without header │ compressor │ bytes
 * ```
 * The compressors are given from outside. Invariant: a message is never unpacked to more than it says, nor beyond the
 * longest that a message may be.
 */
import { broken } from "./error.ts";
import { frame, frameOf, HEADER_BYTES, MAX_MESSAGE_BYTES, Opcode, viewOf, type Frame } from "./frames.ts";

export interface Compressor {
  /** As in the field `compression` of a hello. */
  readonly name: string;
  /** As in a message. */
  readonly id: number;
  compress(bytes: Uint8Array): Uint8Array;
  /** May throw; never gives more than `length` bytes. */
  decompress(bytes: Uint8Array, length: number): Uint8Array;
}

/** Bytes as they are: no client asks for it, and each may send it. */
export const noop: Compressor = { name: "noop", id: 0, compress: (bytes) => bytes, decompress: (bytes) => bytes };

const HEAD_BYTES = 9;

export interface Unpacked {
  readonly frame: Frame;
  readonly compressor: Compressor;
}

/** Unpacks a message. */
export function decompress(given: Frame, compressors: readonly Compressor[]): Unpacked {
  const start = HEADER_BYTES + HEAD_BYTES;
  if (given.bytes.length < start) throw broken("an OP_COMPRESSED that ends too early");
  const view = viewOf(given.bytes);
  const opcode = view.getInt32(HEADER_BYTES, true);
  const length = view.getInt32(HEADER_BYTES + 4, true);
  const id = view.getUint8(HEADER_BYTES + 8);
  const compressor = compressors.find((each) => each.id === id);
  if (compressor === undefined) throw broken(`an OP_COMPRESSED by compressor ${id}, which was not agreed on`);
  if (opcode === Opcode.Compressed) throw broken("an OP_COMPRESSED inside another");
  if (length < 0 || length > MAX_MESSAGE_BYTES - HEADER_BYTES)
    throw broken(`an OP_COMPRESSED of ${length} bytes, unpacked`);
  let unpacked: Uint8Array;
  try {
    unpacked = compressor.decompress(given.bytes.subarray(start), length);
  } catch {
    throw broken("an OP_COMPRESSED that cannot be unpacked");
  }
  if (unpacked.length !== length) throw broken("an OP_COMPRESSED of another length than it says");
  return { frame: frameOf(frame(given.request, given.respondsTo, opcode, unpacked)), compressor };
}

/** A message compressed. */
export function compress(whole: Uint8Array, compressor: Compressor): Uint8Array {
  const { request, respondsTo, opcode } = frameOf(whole);
  const body = whole.subarray(HEADER_BYTES);
  const head = new Uint8Array(HEAD_BYTES);
  const view = viewOf(head);
  view.setInt32(0, opcode, true);
  view.setInt32(4, body.length, true);
  view.setUint8(8, compressor.id);
  return frame(request, respondsTo, Opcode.Compressed, head, compressor.compress(body));
}
