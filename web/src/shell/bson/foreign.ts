/**
 * Values of another family of BSON classes as the shell's own: a script that runs in its caller's realm
 * (`createShell`) meets js-bson's there.
 *
 * Invariant: as the codec reads them (`codec/foreign.ts`), which knows each version's fields.
 */
import {
  binaryBytes,
  halvesOf,
  numberIn,
  objectIdBytes,
  subTypeOf,
  tagOf,
  textIn,
  type Tagged,
} from "../../codec/foreign.ts";
import { Binary, toHexadecimal } from "./binary.ts";
import { Decimal128 } from "./decimal128.ts";
import { Double, Int32, Long } from "./numbers.ts";
import { ObjectId } from "./object-id.ts";
import { BSONRegExp, BSONSymbol, Code, DBRef, MaxKey, MinKey, Timestamp } from "./special.ts";

const MAKERS: Readonly<Record<string, (value: Tagged) => object>> = {
  ObjectId: (value) => new ObjectId(toHexadecimal(Uint8Array.from(objectIdBytes(value)))),
  Int32: (value) => new Int32(numberIn(value)),
  Double: (value) => new Double(numberIn(value)),
  Long: (value) => Long.fromBits(...halvesOf(value)),
  Decimal128: (value) => new Decimal128(String(value)),
  Binary: (value) => new Binary(binaryBytes(value), subTypeOf(value)),
  Timestamp: (value) => {
    const [low, high] = halvesOf(value);
    return new Timestamp({ t: high >>> 0, i: low >>> 0 });
  },
  MinKey: () => new MinKey(),
  MaxKey: () => new MaxKey(),
  BSONSymbol: (value) => new BSONSymbol(textIn(value, "value")),
  BSONRegExp: (value) => new BSONRegExp(textIn(value, "pattern"), textIn(value, "options")),
  Code: (value) => new Code(value["code"], (value["scope"] ?? null) as Record<string, unknown> | null),
  DBRef: (value) =>
    new DBRef(
      textIn(value, "collection", "namespace"),
      value["oid"],
      (value["db"] ?? undefined) as string | undefined,
      (value["fields"] ?? {}) as Record<string, unknown>,
    ),
};
/** Names that old versions of js-bson have for a type. */
const OLD_NAMES: Readonly<Record<string, string>> = { ObjectID: "ObjectId", Symbol: "BSONSymbol", UUID: "Binary" };

/** The value as one of the shell's classes; undefined where its tag is no type's. */
export function asOwn(value: Tagged): object | undefined {
  const tag = tagOf(value);
  const name = Object.hasOwn(OLD_NAMES, tag) ? (OLD_NAMES[tag] as string) : tag;
  return Object.hasOwn(MAKERS, name) ? MAKERS[name]?.(value) : undefined;
}
