/**
 * The conversions of values that the decoder has no mode for: the options `promoteValues`, `promoteBuffers` and
 * `useBigInt64`.
 *
 * Invariant: `promote` is given documents that were decoded with types (`Int32`, `Long`), and changes them in place.
 */
import { Binary, BSONSymbol, Code, DBRef, Double, Int32, Long, type Document } from "bson";
import type { Settings } from "./settings.ts";

/** The values of a reply as the settings ask for them. */
export function promote<Value>(value: Value, settings: Settings): Value {
  return promoted(value, settings) as Value;
}

function promoted(value: unknown, settings: Settings): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Int32 || value instanceof Double) return settings.promoteValues ? value.value : value;
  if (value instanceof Long) return long(value, settings);
  if (value instanceof BSONSymbol) return settings.promoteValues ? value.value : value;
  if (value instanceof Binary)
    return settings.promoteBuffers && value.sub_type === Binary.SUBTYPE_DEFAULT
      ? value.buffer.slice(0, value.position)
      : value;
  if (value instanceof DBRef) return inside(value as unknown as Document, ["oid", "fields"], settings);
  if (value instanceof Code) return inside(value as unknown as Document, ["scope"], settings);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) value[index] = promoted(value[index], settings);
    return value;
  }
  return Object.getPrototypeOf(value) === Object.prototype
    ? inside(value as Document, Object.keys(value), settings)
    : value;
}

function inside(holder: Document, names: readonly string[], settings: Settings): Document {
  for (const name of names) {
    const before: unknown = holder[name];
    const after = promoted(before, settings);
    if (after === before) continue;
    if (name === "__proto__")
      Object.defineProperty(holder, name, { value: after, writable: true, enumerable: true, configurable: true });
    else holder[name] = after;
  }
  return holder;
}

function long(value: Long, { useBigInt64, promoteLongs, promoteValues }: Settings): unknown {
  if (useBigInt64) return value.toBigInt();
  if (!promoteLongs || !promoteValues) return value;
  const number = value.toNumber();
  return Number.isSafeInteger(number) ? number : value;
}
