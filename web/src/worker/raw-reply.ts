/**
 * Single fields of a reply, read from its bytes: the page decodes the whole reply when it shows it, and the worker
 * needs to know only whether it is an error, and which cursor it came from.
 *
 * Invariant: the bytes are the engine's own, and so a whole document.
 */
import * as type from "../codec/types.ts";

const utf8 = new TextDecoder();
/** Bytes of a value whose length its type tells. */
const FIXED: Readonly<Record<number, number>> = {
  [type.DOUBLE]: 8,
  [type.UNDEFINED]: 0,
  [type.OBJECT_ID]: 12,
  [type.BOOLEAN]: 1,
  [type.DATE]: 8,
  [type.NULL]: 0,
  [type.INT32]: 4,
  [type.TIMESTAMP]: 8,
  [type.INT64]: 8,
  [type.DECIMAL128]: 16,
  [type.MIN_KEY]: 0,
  [type.MAX_KEY]: 0,
};
/** What a value has besides the bytes that the length before it counts. */
const BESIDES: Readonly<Record<number, number>> = {
  [type.STRING]: 4,
  [type.CODE]: 4,
  [type.SYMBOL]: 4,
  [type.BINARY]: 5,
  [type.DB_POINTER]: 16,
  [type.DOCUMENT]: 0,
  [type.ARRAY]: 0,
  [type.CODE_WITH_SCOPE]: 0,
};

/**
 * The value at a path of names, for example `rawField(reply, "cursor", "ns")`: a number, an int64 as a bigint, or a
 * text; undefined where there is none, or one of another type.
 */
export function rawField(bytes: Uint8Array, ...path: readonly string[]): number | bigint | string | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 4;
  for (let depth = 0; bytes[at] !== 0; ) {
    const kind = bytes[at] as number;
    const nameEnd = bytes.indexOf(0, at + 1);
    const value = nameEnd + 1;
    if (utf8.decode(bytes.subarray(at + 1, nameEnd)) !== path[depth]) {
      at = value + lengthOf(bytes, view, kind, value);
    } else if (++depth < path.length) {
      if (kind !== type.DOCUMENT) return undefined;
      at = value + 4;
    } else {
      return valueOf(bytes, view, kind, value);
    }
  }
  return undefined;
}

function lengthOf(bytes: Uint8Array, view: DataView, kind: number, at: number): number {
  if (kind === type.REGULAR_EXPRESSION) return bytes.indexOf(0, bytes.indexOf(0, at) + 1) + 1 - at;
  return FIXED[kind] ?? view.getInt32(at, true) + (BESIDES[kind] as number);
}

function valueOf(bytes: Uint8Array, view: DataView, kind: number, at: number): number | bigint | string | undefined {
  switch (kind) {
    case type.DOUBLE:
      return view.getFloat64(at, true);
    case type.INT32:
      return view.getInt32(at, true);
    case type.INT64:
      return view.getBigInt64(at, true);
    case type.STRING:
      return utf8.decode(bytes.subarray(at + 4, at + 3 + view.getInt32(at, true)));
    default:
      return undefined;
  }
}
