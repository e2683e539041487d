/** Every value that js-bson, mongoimport or a shell words is read as it, and nothing as another. */
import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  DBRef,
  Decimal128,
  Double,
  EJSON,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  UUID,
  type Document,
} from "bson";
import { describe, expect, it, test } from "vitest";
import { encode } from "../../codec/encode.ts";
import { extendedText } from "../extended-text.ts";
import { readExtended, readTyped, TextFault } from "./extended-json.ts";

const ID = "507f1f77bcf86cd799439011";
const id = new ObjectId(ID);
const hi = new Binary(Uint8Array.of(104, 105), 0);
const year = new Date(Date.UTC(2024, 4, 1));

/** The bytes: they tell every type apart. */
const bytes = (value: unknown): Uint8Array => encode({ value } as Document);

describe("numbers", () => {
  it.each<[string, unknown]>([
    ["5", new Int32(5)],
    ["-2147483648", new Int32(-2147483648)],
    ["2147483648", Long.fromNumber(2147483648)],
    ["9007199254740993", Long.fromString("9007199254740993")],
    ["-9223372036854775808", Long.MIN_VALUE],
    ["5.0", new Double(5)],
    ["1e3", new Double(1000)],
    ["1.5", new Double(1.5)],
    ["-0", new Double(-0)],
    ["100000000000000000000", new Double(1e20)],
    ["NaN", new Double(NaN)],
    ["-Infinity", new Double(-Infinity)],
    ["+7", new Int32(7)],
    ["0xff", new Int32(255)],
  ])("%s", (text, value) => expect(bytes(readExtended(text))).toEqual(bytes(value)));
});

describe("wordings", () => {
  it.each<[string, unknown]>([
    // Version 1.
    ['{"$binary":"aGk=","$type":"00"}', hi],
    ['{"$type":0,"$binary":"aGk="}', hi],
    ['{"$date":149}', new Date(149)],
    ['{"$date":"2024-05-01T02:00:00.000+0200"}', year],
    ['{"$date":{"$numberLong":"149"}}', new Date(149)],
    ['{"$regex":"a","$options":"mi"}', new BSONRegExp("a", "im")],
    ['{"$undefined":true}', null],
    [`{"$ref":"c","$id":{"$oid":"${ID}"}}`, new DBRef("c", id)],
    // The legacy shell and its exports.
    [`ObjectId("${ID}")`, id],
    ['ISODate("2024-05-01T00:00:00Z")', year],
    ["new Date(149)", new Date(149)],
    ["NumberLong(5)", Long.fromNumber(5)],
    ['NumberLong("9007199254740993")', Long.fromString("9007199254740993")],
    ["NumberInt(5)", new Int32(5)],
    ['NumberDecimal("1.50")', Decimal128.fromString("1.50")],
    ['BinData(0,"aGk=")', hi],
    ['HexData(0, "6869")', hi],
    ["Timestamp(1, 2)", new Timestamp({ t: 1, i: 2 })],
    ["MinKey", new MinKey()],
    ["/a[/]b/i", new BSONRegExp("a[/]b", "i")],
    [`DBRef("c", ObjectId("${ID}"), "d")`, new DBRef("c", id, "d")],
    ["undefined", null],
    // mongosh.
    ["Long('-5')", Long.fromNumber(-5)],
    ["Decimal128('1.50')", Decimal128.fromString("1.50")],
    ["Binary.createFromBase64('aGk=', 0)", hi],
    ["UUID('00112233-4455-6677-8899-aabbccddeeff')", new UUID("00112233-4455-6677-8899-aabbccddeeff")],
    ["Timestamp({ t: 4294967295, i: 2 })", new Timestamp({ t: 4294967295, i: 2 })],
    ["MaxKey()", new MaxKey()],
    ["Code('f()', { a: 1 })", new Code("f()", { a: 1 })],
    ["{ a: 'it\\'s', $b: [\"\\u00e9\"], 'c-d': { _e: null } }", { a: "it's", $b: ["é"], "c-d": { _e: null } }],
  ])("%s", (text, value) => expect(bytes(readExtended(text))).toEqual(bytes(value)));

  it("that are operators are documents", () => {
    for (const filter of [{ a: { $regex: /x/ } }, { $type: 2 }, { $options: "i" }, { $regex: "a", $ne: "b" }])
      expect(bytes(readExtended(EJSON.stringify(filter, { relaxed: false })))).toEqual(bytes(filter));
  });
});

describe("what is no value of its type", () => {
  it.each([
    ['{"a":{"$date":{"$numberLong":149}}}', "wording", '{"$numberLong":149}', '{"$numberLong": "149"}'],
    ['{"$date":"yesterday"}', "wording", '{"$date":"yesterday"}', '{"$date": "2024-05-01T00:00:00Z"}'],
    ['{"$date":"2024-02-30T00:00:00Z"}', "wording", '{"$date":"2024-02-30T00:00:00Z"}', null],
    ['{"$oid":"12"}', "wording", '{"$oid":"12"}', null],
    ['{"$numberLong":"9223372036854775808"}', "wording", '{"$numberLong":"9223372036854775808"}', null],
    ['{"$binary":"aGk"}', "wording", '{"$binary":"aGk"}', null],
    [`{"$oid":"${ID}","x":1}`, "beside", `{"$oid":"${ID}","x":1}`, "$oid"],
    ["ObjectId('12')", "wording", "ObjectId('12')", ""],
    ["9223372036854775808", "wide", "9223372036854775808", '{"$numberDecimal": "9223372036854775808"}'],
    ["1e400", "wide", "1e400", ""],
    ['{"a":1,"a":2}', "twice", '"a"', ""],
    ["[1 2]", "unexpected", "2]", ""],
    ["process.exit()", "unexpected", "process.exit()", ""],
    ["{a: 01}", "unexpected", "01}", ""],
    [`${"[".repeat(200)}`, "deep", "[", ""],
  ])("%s", (text, fault, shown, right) => {
    try {
      readExtended(text);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(TextFault);
      expect(error).toMatchObject({ fault, shown, ...(right === null ? {} : { right }) });
    }
  });
});

test("fields keep their order, and none is another thing's name", () => {
  const read = readExtended('{"b":1,"10":2,"2":3,"__proto__":{"x":1}}') as ReadonlyMap<string, unknown>;
  expect([...read.keys()]).toEqual(["b", "10", "2", "__proto__"]);
  expect(readExtended('{"__proto__":1,"constructor":2}')).toEqual(JSON.parse('{"__proto__":1,"constructor":2}'));
});

describe("what is written is read again", () => {
  const every = {
    double: new Double(5),
    large: new Double(1e300),
    zero: new Double(-0),
    not: new Double(NaN),
    most: new Double(Infinity),
    int: new Int32(-5),
    wide: Long.fromString("9007199254740993"),
    least: Long.MIN_VALUE,
    decimal: Decimal128.fromString("1.50"),
    id,
    hi,
    uuid: new UUID("00112233-4455-6677-8899-aabbccddeeff"),
    year,
    early: new Date(-5),
    late: new Date(253402300800000),
    pattern: new BSONRegExp("a/b", "im"),
    code: new Code("f()", { a: Long.fromNumber(5) }),
    reference: new DBRef("c", id, "d", { x: Long.fromNumber(3) }),
    symbol: new BSONSymbol("s"),
    time: new Timestamp({ t: 4294967295, i: 1 }),
    keys: [new MinKey(), new MaxKey(), null, true, 'a "b"\n', {}, []],
    ordered: new Map<string, unknown>([
      ["b", new Int32(1)],
      ["1", new Int32(2)],
    ]),
    nested: { a: [new Double(2), { b: Long.fromNumber(2 ** 40) }] },
  };

  it.each([{ canonical: true }, { canonical: false }, { indent: 2 }])("%j", (options) => {
    expect(bytes(readExtended(extendedText(every, options)))).toEqual(bytes(every));
  });

  it("with the type of a short int64 where it is to be kept", () => {
    const short = { a: Long.fromNumber(5), b: Long.fromNumber(2 ** 40) };
    expect(extendedText(short)).toBe('{"a":5,"b":1099511627776}');
    expect(extendedText(short, { keepTypes: true })).toBe('{"a":{"$numberLong":"5"},"b":1099511627776}');
    expect(readTyped(extendedText(short, { keepTypes: true }))).toEqual(short);
  });

  it("and js-bson reads the canonical text as the same", () => {
    const { ordered: _, ...plain } = every;
    expect(bytes(EJSON.parse(extendedText(plain, { canonical: true }), { relaxed: false }))).toEqual(bytes(plain));
  });
});
