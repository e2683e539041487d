/**
 * How mongosh words each BSON type: `ObjectId('…')`, `Long('5')`, `Binary.createFromBase64('…', 0)`.
 *
 * Invariant: reads values by `_bsontype` and the few members both class families share; one row a type.
 */

interface Tagged {
  readonly _bsontype: string;
}

type Inner = (value: unknown) => string;
type Rule = (value: Tagged & Record<string, unknown>, inner: Inner) => string;

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let index = 0; index < bytes.length; index += 3) {
    const group = ((bytes[index] ?? 0) << 16) | ((bytes[index + 1] ?? 0) << 8) | (bytes[index + 2] ?? 0);
    text += ALPHABET.charAt(group >> 18) + ALPHABET.charAt((group >> 12) & 63);
    text += index + 1 < bytes.length ? ALPHABET.charAt((group >> 6) & 63) : "=";
    text += index + 2 < bytes.length ? ALPHABET.charAt(group & 63) : "=";
  }
  return text;
}

function formatBinary(value: Tagged & Record<string, unknown>): string {
  const subType = Number(value["sub_type"]);
  const whole = value["buffer"] as Uint8Array;
  const bytes = whole.subarray(0, Number(value["position"]));
  if (subType === 4 && bytes.length === 16) {
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    return `UUID('${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}')`;
  }
  return `Binary.createFromBase64('${base64(bytes)}', ${subType})`;
}

const RULES: Readonly<Record<string, Rule>> = {
  Binary: formatBinary,
  BSONRegExp: (value, inner) => `BSONRegExp(${inner(value["pattern"])}, ${inner(value["options"])})`,
  BSONSymbol: (value, inner) => `BSONSymbol(${inner(value["value"])})`,
  Code: (value, inner) => {
    const scope = value["scope"];
    return scope === null || scope === undefined
      ? `Code(${inner(value["code"])})`
      : `Code(${inner(value["code"])}, ${inner(scope)})`;
  },
  DBRef: (value, inner) => {
    const db = value["db"];
    const head = `DBRef(${inner(value["collection"])}, ${inner(value["oid"])}`;
    return db === undefined || db === null ? `${head})` : `${head}, ${inner(db)})`;
  },
  Decimal128: (value) => `Decimal128('${String(value)}')`,
  Double: (value) => doubleText(Number(value["value"])),
  Int32: (value) => String(value["value"]),
  Long: (value) => `Long('${String(value)}')`,
  MaxKey: () => "MaxKey()",
  MinKey: () => "MinKey()",
  ObjectId: (value) => `ObjectId('${String(value)}')`,
  Timestamp: (value) => {
    const { t, i } = value as unknown as { t: number; i: number };
    return `Timestamp({ t: ${t}, i: ${i} })`;
  },
};

function doubleText(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

/** The type's wording, or null for a tag nobody knows. */
export function formatBson(value: Tagged, inner: Inner): string | null {
  const rule = Object.hasOwn(RULES, value._bsontype) ? RULES[value._bsontype] : undefined;
  return rule === undefined ? null : rule(value as Tagged & Record<string, unknown>, inner);
}
