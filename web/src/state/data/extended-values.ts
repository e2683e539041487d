/**
 * The values that Extended JSON words as objects (`{ "$oid": "…" }`), of version 2 and of the older version 1, and
 * those that the shells word as calls (`ObjectId("…")`).
 *
 * Invariant: a wording that is not one of a type's is refused, as `REFUSED`; nothing is guessed, and nothing is left
 * out.
 */
import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  DBRef,
  Decimal128,
  Double,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  UUID,
  type Document,
} from "bson";

/** Given for a wording that is no value of its type. */
export const REFUSED = Symbol("refused");

type Fields = ReadonlyMap<string, unknown>;

const OBJECT_ID = /^[0-9a-f]{24}$/i;
const INTEGER = /^[+-]?\d+$/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const BASE64 = /^(?:[\w+/]{4})*(?:[\w+/]{2}==|[\w+/]{3}=)?$/;
const DAY = /^(?:\d{4}|[+-]\d{6})-\d\d-\d\d/;
const ISO_DATE = new RegExp(
  `${DAY.source}(?:[T ]\\d\\d:\\d\\d(?::\\d\\d(?:[.,]\\d+)?)?(?:Z|[+-]\\d\\d:?(?:\\d\\d)?)?)?$`,
);
const HEX_UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** A whole number as BSON has it: int32 where it fits, else int64; null where that does not hold it either. */
export function integer(digits: string): number | Long | null {
  const wide = BigInt(digits.replace("+", ""));
  if (BigInt.asIntN(32, wide) === wide) return Number(wide);
  return BigInt.asIntN(64, wide) === wide ? Long.fromBigInt(wide) : null;
}

function long(value: unknown): unknown {
  const whole =
    typeof value === "string" && INTEGER.test(value) ? integer(value) : Number.isInteger(value) ? value : null;
  if (typeof whole === "number") return Long.fromNumber(whole);
  return whole instanceof Long ? whole : value instanceof Long ? value : REFUSED;
}

function int32(value: unknown): unknown {
  const whole = typeof value === "string" && INTEGER.test(value) ? integer(value) : value;
  return typeof whole === "number" && (whole | 0) === whole ? whole : REFUSED;
}

function double(value: unknown): unknown {
  if (typeof value === "number") return new Double(value);
  if (value instanceof Double) return value;
  if (typeof value !== "string" || !(NUMBER.test(value) || /^(?:NaN|[+-]?Infinity)$/.test(value))) return REFUSED;
  const number = Number(value);
  return Number.isFinite(number) || /[a-df-z]/i.test(value) ? new Double(number) : REFUSED;
}

function decimal(value: unknown): unknown {
  try {
    return Decimal128.fromString(value instanceof Long ? String(value) : (value as string));
  } catch {
    return REFUSED;
  }
}

/** The instant of an ISO text; NaN for any other. Without a zone it is in UTC. */
export function instantOf(text: string): number {
  if (!ISO_DATE.test(text)) return NaN;
  const day = DAY.exec(text)?.[0] ?? "";
  const known = Date.parse(day);
  // `Date.parse` takes the 30th of February for the first of March.
  if (Number.isNaN(known) || !new Date(known).toISOString().includes(`${day.slice(-6)}T`)) return NaN;
  const plain = text.replace(" ", "T").replace(",", ".");
  const zone = /(?:Z|[+-]\d\d:?(?:\d\d)?)$/.exec(plain.slice(11))?.[0];
  if (!plain.includes("T")) return Date.parse(plain);
  if (zone === undefined) return Date.parse(`${plain}Z`);
  const hours = zone.slice(0, 3);
  const shift = zone === "Z" ? zone : `${hours}:${zone.slice(3).replace(":", "") || "00"}`;
  return Date.parse(plain.slice(0, plain.length - zone.length) + shift);
}

function date(value: unknown): unknown {
  const time =
    typeof value === "string" ? instantOf(value) : value instanceof Long ? value.toNumber() : (value as number);
  return typeof time === "number" && Number.isInteger(time) && Math.abs(time) <= 8.64e15 ? new Date(time) : REFUSED;
}

function id(value: unknown): unknown {
  return typeof value === "string" && OBJECT_ID.test(value) ? new ObjectId(value) : REFUSED;
}

/** A subtype as version 2 has it, two hexadecimal digits, or as a number. */
function subTypeOf(value: unknown): number | null {
  const kind =
    typeof value === "string" && /^[0-9a-f]{1,2}$/i.test(value)
      ? Number.parseInt(value, 16)
      : typeof value === "string" && /^ffffff[89a-f][0-9a-f]$/i.test(value)
        ? Number.parseInt(value.slice(-2), 16)
        : value;
  return typeof kind === "number" && Number.isInteger(kind) && kind >= 0 && kind <= 255 ? kind : null;
}

function binary(base64: unknown, subType: unknown): unknown {
  const kind = subTypeOf(subType);
  if (kind === null || typeof base64 !== "string" || !BASE64.test(base64)) return REFUSED;
  return Binary.createFromBase64(base64, kind);
}

function hexBinary(hex: unknown, subType: unknown): unknown {
  const kind = subTypeOf(subType);
  if (kind === null || typeof hex !== "string" || !/^(?:[0-9a-f]{2})*$/i.test(hex)) return REFUSED;
  return Binary.createFromHexString(hex, kind);
}

function uuid(value: unknown): unknown {
  return typeof value === "string" && HEX_UUID.test(value) ? new UUID(value) : REFUSED;
}

function timestamp(t: unknown, i: unknown): unknown {
  const [seconds, ordinal] = [t, i].map((part) => (part instanceof Long ? part.toNumber() : part)) as [number, number];
  const fits = (part: unknown): boolean =>
    Number.isInteger(part) && (part as number) >= 0 && (part as number) < 2 ** 32;
  return fits(seconds) && fits(ordinal) ? new Timestamp({ t: seconds, i: ordinal }) : REFUSED;
}

function pattern(source: unknown, options: unknown): unknown {
  if (typeof source !== "string" || source.includes("\0")) return REFUSED;
  if (typeof options !== "string" || !/^[a-z]*$/.test(options)) return REFUSED;
  try {
    return new BSONRegExp(source, [...new Set(options)].sort().join(""));
  } catch {
    return REFUSED;
  }
}

function code(text: unknown, scope?: unknown): unknown {
  if (typeof text !== "string" || (scope !== undefined && !isDocument(scope))) return REFUSED;
  return scope === undefined ? new Code(text) : new Code(text, scope as Document);
}

function isDocument(value: unknown): value is Document {
  return value instanceof Map || (typeof value === "object" && value !== null && isPlain(value));
}
function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype;
}
/** A member of a document inside a wording; undefined where it is none. */
function within(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && isPlain(value) && Object.hasOwn(value, name)
    ? (value as Document)[name]
    : undefined;
}
const sizeOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? Object.keys(value).length : 0;

interface Wording {
  /** Names that may stand beside it. */
  readonly beside?: readonly string[];
  /** How it is written, for those who wrote it otherwise. */
  readonly written: string;
  readonly value: (value: unknown, fields: Fields) => unknown;
}

/** Each wording by the name that tells it. */
export const WORDINGS: Readonly<Record<string, Wording>> = {
  $oid: { written: '{"$oid": "507f1f77bcf86cd799439011"}', value: id },
  $numberInt: {
    written: '{"$numberInt": "149"}',
    value: (value) => (typeof value === "string" ? int32(value) : REFUSED),
  },
  $numberLong: {
    written: '{"$numberLong": "149"}',
    value: (value) => (typeof value === "string" ? long(value) : REFUSED),
  },
  $numberDouble: {
    written: '{"$numberDouble": "1.5"}',
    value: (value) => (typeof value === "string" ? double(value) : REFUSED),
  },
  $numberDecimal: {
    written: '{"$numberDecimal": "1.50"}',
    value: (value) => (typeof value === "string" ? decimal(value) : REFUSED),
  },
  $date: { written: '{"$date": "2024-05-01T00:00:00Z"}', value: date },
  $binary: {
    beside: ["$type"],
    written: '{"$binary": {"base64": "aGk=", "subType": "00"}}',
    value: (value, fields) => {
      if (typeof value === "string") return binary(value, fields.get("$type"));
      return fields.has("$type") || sizeOf(value) !== 2
        ? REFUSED
        : binary(within(value, "base64"), within(value, "subType"));
    },
  },
  $uuid: { written: '{"$uuid": "00112233-4455-6677-8899-aabbccddeeff"}', value: uuid },
  $timestamp: {
    written: '{"$timestamp": {"t": 1, "i": 1}}',
    value: (value) => (sizeOf(value) === 2 ? timestamp(within(value, "t"), within(value, "i")) : REFUSED),
  },
  $minKey: { written: '{"$minKey": 1}', value: (value) => (value === 1 ? new MinKey() : REFUSED) },
  $maxKey: { written: '{"$maxKey": 1}', value: (value) => (value === 1 ? new MaxKey() : REFUSED) },
  $undefined: { written: '{"$undefined": true}', value: (value) => (value === true ? null : REFUSED) },
  $symbol: {
    written: '{"$symbol": "text"}',
    value: (value) => (typeof value === "string" ? new BSONSymbol(value) : REFUSED),
  },
  $code: {
    beside: ["$scope"],
    written: '{"$code": "text", "$scope": {}}',
    value: (value, fields) => code(value, fields.get("$scope")),
  },
  $regularExpression: {
    written: '{"$regularExpression": {"pattern": "text", "options": "i"}}',
    value: (value) => (sizeOf(value) === 2 ? pattern(within(value, "pattern"), within(value, "options")) : REFUSED),
  },
  $dbPointer: {
    written: '{"$dbPointer": {"$ref": "a.b", "$id": {"$oid": "507f1f77bcf86cd799439011"}}}',
    value: (value) => (value instanceof DBRef && value.oid instanceof ObjectId ? value : REFUSED),
  },
};

/**
 * The older wording of a pattern, which is an operator too: `{ "$regex": "a", "$options": "i" }` alone is a pattern,
 * anything else a document.
 */
export function olderPattern(fields: Fields): unknown {
  const source = fields.get("$regex");
  const alone = [...fields.keys()].every((name) => name === "$regex" || name === "$options");
  return alone && typeof source === "string" ? pattern(source, fields.get("$options") ?? "") : undefined;
}

/** A document that refers to another; undefined for any other. */
export function referenceOf(fields: Fields): unknown {
  const { $ref: collection, $id: of, $db: database, ...rest } = Object.fromEntries(fields) as Document;
  const others = Object.keys(rest);
  if (typeof collection !== "string" || !fields.has("$id") || others.some((name) => name.startsWith("$")))
    return undefined;
  if (database !== undefined && typeof database !== "string") return undefined;
  return new DBRef(collection, of as ObjectId, database, rest);
}

type Given = readonly unknown[];

const oneOf =
  (make: (value: unknown) => unknown) =>
  (given: Given): unknown =>
    given.length === 1 ? make(given[0]) : REFUSED;

/** The calls by which the shells word values, legacy and mongosh. */
export const CALLS: Readonly<Record<string, (given: Given) => unknown>> = {
  ObjectId: oneOf(id),
  ObjectID: oneOf(id),
  ISODate: oneOf(date),
  Date: oneOf(date),
  NumberInt: oneOf(int32),
  Int32: oneOf(int32),
  NumberLong: oneOf(long),
  Long: oneOf(long),
  "Long.fromString": oneOf(long),
  Double: oneOf(double),
  NumberDouble: oneOf(double),
  NumberDecimal: oneOf((value) => decimal(typeof value === "number" ? String(value) : value)),
  Decimal128: oneOf(decimal),
  "Decimal128.fromString": oneOf(decimal),
  BinData: ([kind, base64]) => binary(base64, kind),
  Binary: ([base64, kind]) => binary(base64, kind ?? 0),
  "Binary.createFromBase64": ([base64, kind]) => binary(base64, kind ?? 0),
  "Binary.createFromHexString": ([hex, kind]) => hexBinary(hex, kind ?? 0),
  HexData: ([kind, hex]) => hexBinary(hex, kind),
  MD5: ([hex]) => hexBinary(hex, 5),
  UUID: oneOf(uuid),
  Timestamp: ([first, ordinal]) =>
    ordinal === undefined ? timestamp(within(first, "t"), within(first, "i")) : timestamp(first, ordinal),
  MinKey: (given) => (given.length === 0 ? new MinKey() : REFUSED),
  MaxKey: (given) => (given.length === 0 ? new MaxKey() : REFUSED),
  RegExp: ([source, options]) => pattern(source, options ?? ""),
  BSONRegExp: ([source, options]) => pattern(source, options ?? ""),
  BSONSymbol: oneOf((value) => (typeof value === "string" ? new BSONSymbol(value) : REFUSED)),
  Code: ([text, scope]) => code(text, scope),
  DBRef: ([collection, of, database]) =>
    typeof collection === "string" && of !== undefined && (database === undefined || typeof database === "string")
      ? new DBRef(collection, of as ObjectId, database)
      : REFUSED,
  DBPointer: ([collection, of]) =>
    typeof collection === "string" && of instanceof ObjectId ? new DBRef(collection, of) : REFUSED,
};
