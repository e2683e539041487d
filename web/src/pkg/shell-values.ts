/**
 * The shell's values as BSON and back, where shell and engine share a realm, and a script's value as its caller gets
 * it.
 *
 * Invariant: a command that only its text can say, or whose values have an error to tell in their own words, is not
 * encoded here.
 */
import { Code, DBRef, Decimal128, Double as BsonDouble, Int32 as BsonInt32, Long, type Document } from "bson";
import { Decoder, type TypeMakers } from "../codec/decoder.ts";
import { encode, type EncodeOptions } from "../codec/encode.ts";
import { CodecError } from "../codec/error.ts";
import { Decimal128 as ShellDecimal128 } from "../shell/bson/decimal128.ts";
import { Double, Int32 } from "../shell/bson/numbers.ts";
import { shellMakers } from "../shell/border.ts";

const makers: TypeMakers = {
  ...shellMakers,
  int32: (value) => new Int32(value),
  double: (value) => new Double(value),
  decimal128: (bytes) => new ShellDecimal128(new Decimal128(bytes).toString()),
};
const decoder = new Decoder(makers);

/** A command of the shell's as bytes; undefined where only its text will do. */
export function bytesOf(
  command: Document,
  options: Pick<EncodeOptions, "numbersAsDouble" | "cut">,
): Uint8Array | undefined {
  try {
    return encode(command, { serializeFunctions: true, ...options });
  } catch (error) {
    if (error instanceof CodecError) return undefined;
    throw error;
  }
}

/** A reply as the shell's values. */
export function valueOf(reply: Uint8Array): Document {
  return decoder.decode(reply, { numbers: "shell" });
}

/**
 * js-bson's values, whose types are kept, as the driver gives them: plain numbers where these hold the same. Documents
 * and arrays, which are their owner's, are changed in place.
 */
export function promoted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof BsonInt32 || value instanceof BsonDouble) return value.value;
  // A Timestamp of js-bson's is a Long, too.
  if (value instanceof Long && value._bsontype === "Long") {
    const number = value.toNumber();
    return Number.isSafeInteger(number) ? number : value;
  }
  if (value instanceof Code) promoted(value.scope);
  else if (value instanceof DBRef) {
    value.oid = promoted(value.oid) as DBRef["oid"];
    promoted(value.fields);
  } else if (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype) {
    const holder = value as Record<string, unknown>;
    for (const key of Object.keys(holder)) holder[key] = promoted(holder[key]);
  }
  return value;
}
