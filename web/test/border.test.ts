/**
 * The sandbox's border in real QuickJS: each kind of value goes in and comes out as its text would, and scripts cannot
 * make it misread.
 *
 * The reference is the other way across, by Extended JSON text (`shell/ejson.ts`). Random documents are seeded; a
 * failure prints the seed.
 */
import {
  BSONRegExp,
  BSONSymbol,
  Binary,
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
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { MAX_COMMAND_BYTES } from "../src/codec/cut.ts";
import { decode } from "../src/codec/decode.ts";
import { encode } from "../src/codec/encode.ts";
import { bytesOf, valueOf } from "../src/pkg/shell-values.ts";
import { parse, stringify } from "../src/shell/ejson.ts";
import type { EvaluateOptions } from "../src/shell/shell.ts";
import { Sandbox, sandboxLoader } from "../src/worker/sandbox.ts";
import { StopWatch } from "../src/worker/stop.ts";

const MEMORY_BYTES = 128 * 1024 * 1024;
let sandbox: Sandbox;
/** What commands are answered. */
let reply: Uint8Array = encode({ ok: 1 });
/** The commands that came as bytes, and those that came as texts. */
let inBytes: Uint8Array[] = [];
let inTexts: string[] = [];

beforeAll(async () => {
  const wasm = new WebAssembly.Module(readFileSync(new URL("../wasm/sandbox.wasm", import.meta.url)));
  sandbox = new Sandbox(sandboxLoader(wasm), {
    command: (text) => {
      inTexts.push(text);
      return EJSON.stringify(decode(reply, { numbers: "typed", bsonRegExp: true }), { relaxed: false });
    },
    commandBytes: (command) => {
      inBytes.push(command.slice());
      return reply;
    },
    print: () => undefined,
  });
});

/** A script's value: decoded from bytes where it crossed so, else its text. */
async function run(source: string, options: EvaluateOptions = {}, timeLimitMillis?: number): Promise<unknown> {
  inBytes = [];
  inTexts = [];
  await sandbox.ready(MEMORY_BYTES);
  const { value, error } = sandbox.evaluate(source, options, new StopWatch(null, timeLimitMillis));
  if (error !== null) throw new Error(error.text);
  if (value.kind === "shown") return decode(sandbox.takeShown(), { numbers: "typed", bsonRegExp: true })["value"];
  return value.kind === "value"
    ? EJSON.parse(value.json, { relaxed: false })
    : value.kind === "text"
      ? value.text
      : undefined;
}

const hex = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString("hex");

/** What the text says of a command whose `v` is a value that the shell has. */
function byText(value: unknown, numbersAsDouble = false): string {
  return hex(
    encode(
      EJSON.parse(stringify({ echo: 1, v: value, $db: "test" }, { numbersAsDouble }), { relaxed: false }) as Document,
    ),
  );
}

/**
 * Makes a script send `v`, an expression of its; gives the bytes of the command, or its text as bytes where that was
 * needed.
 */
async function sent(expression: string, options: EvaluateOptions = {}): Promise<{ bytes: string; asText: boolean }> {
  await run(`db.runCommand({ echo: 1, v: ${expression} }); 1`, options);
  const [bytes] = inBytes;
  if (bytes !== undefined) return { bytes: hex(bytes), asText: false };
  return { bytes: hex(encode(EJSON.parse(inTexts[0] ?? "", { relaxed: false }) as Document)), asText: true };
}

describe("values that go out", () => {
  const AS_BYTES: readonly [expression: string, value: unknown][] = [
    ["1", 1],
    ["-1", -1],
    ["1.5", 1.5],
    ["2.5 + 2.5", 5],
    ["-0", -0],
    ["NaN", NaN],
    ["-Infinity", -Infinity],
    ["2 ** 31", 2 ** 31],
    ["-(2 ** 31)", -(2 ** 31)],
    ["5e-324", 5e-324],
    ["true", true],
    ["null", null],
    ["undefined", undefined],
    ["12n", 12n],
    ["-12n", -12n],
    ["''", ""],
    ["'abc'", "abc"],
    ["'né'", "né"],
    ["'日本\\0𝒳'", "日本\0𝒳"],
    ["'\\ud83d'", "\ud83d"],
    ["'a\\udc00b'", "a\udc00b"],
    ["'é'.repeat(700)", "é".repeat(700)],
    ["('a'.repeat(900) + '\\ud83d') + ('\\ude00' + 'b'.repeat(900))", `${"a".repeat(900)}\u{1f600}${"b".repeat(900)}`],
    ["'x'.repeat(9000) + 'y'.repeat(9000)", "x".repeat(9000) + "y".repeat(9000)],
    ["{}", {}],
    ["[]", []],
    ["[1, [2, [3.5, {}]], 'x']", [1, [2, [3.5, {}]], "x"]],
    ["{ b: 1, 10: 2, a: 3, 9: 4, '01': 5, '-1': 6 }", { b: 1, 10: 2, a: 3, 9: 4, "01": 5, "-1": 6 }],
    ["{ ['__proto__']: 1, constructor: 2 }", JSON.parse('{"__proto__":1,"constructor":2}')],
    ["Object.assign(Object.create(null), { a: 1 })", { a: 1 }],
    ["(() => { const d = { a: 1, b: 2, c: 3 }; delete d.b; return d })()", { a: 1, c: 3 }],
    ["Object.defineProperty({ a: 1 }, 'hidden', { value: 2 })", { a: 1 }],
    ["Object.freeze({ a: 1 })", { a: 1 }],
    ["{ 'é日': 1, '': 2 }", { é日: 1, "": 2 }],
    ["new Date(0)", new Date(0)],
    ["new Date(-1)", new Date(-1)],
    ["new Date(8.64e15)", new Date(8.64e15)],
    ["ISODate('2026-01-01T00:00:00.123Z')", new Date("2026-01-01T00:00:00.123Z")],
    ["{ $oid: 'no id' }", null],
  ];

  it.each(AS_BYTES)("%s, without a text", async (expression, value) => {
    const { bytes, asText } = await sent(expression);
    expect(asText).toBe(false);
    expect(bytes).toBe(
      expression.includes("$oid") ? hex(encode({ echo: 1, v: { $oid: "no id" }, $db: "test" })) : byText(value),
    );
  });

  const TYPES: readonly [expression: string, value: unknown][] = [
    ["ObjectId('0123456789abcdefABCDEF01')", new ObjectId("0123456789abcdefabcdef01")],
    ["NumberInt(-7)", new Int32(-7)],
    ["Double(7)", new Double(7)],
    ["NumberLong('9223372036854775807')", Long.MAX_VALUE],
    ["NumberLong('-9223372036854775808')", Long.MIN_VALUE],
    ["NumberLong(-1)", Long.fromNumber(-1)],
    ["NumberLong('4294967296')", Long.fromString("4294967296")],
    ["NumberLong('3000000000')", Long.fromString("3000000000")],
    ["NumberDecimal('-1.50E-7')", new Decimal128("-1.50E-7")],
    ["BinData(5, 'AAEC/w==')", new Binary(Buffer.from([0, 1, 2, 255]), 5)],
    ["BinData(2, 'AAEC')", new Binary(Buffer.from([0, 1, 2]), 2)],
    ["UUID('00112233-4455-6677-8899-aabbccddeeff')", new UUID("00112233-4455-6677-8899-aabbccddeeff")],
    ["Timestamp(4294967295, 7)", new Timestamp({ t: 4294967295, i: 7 })],
    ["MinKey()", new MinKey()],
    ["MaxKey()", new MaxKey()],
  ];
  it.each(TYPES)("%s, without a text", async (expression, value) => {
    expect(await sent(`[${expression}]`)).toEqual({
      bytes: hex(encode({ echo: 1, v: [value], $db: "test" })),
      asText: false,
    });
  });

  it("plain numbers as doubles where that is asked", async () => {
    const { bytes, asText } = await sent("[1, 2.5, NumberInt(3)]", { numbersAsDouble: true });
    expect(asText).toBe(false);
    expect(bytes).toBe(hex(encode({ echo: 1, v: [1, 2.5, new Int32(3)], $db: "test" }, { numbersAsDouble: true })));
  });

  const AS_TEXT: readonly [expression: string, value: unknown][] = [
    ["/a+/i", new BSONRegExp("a+", "i")],
    ["(function () { return 1 })", new Code("function () { return 1 }")],
    ["{ toBSON: () => 5 }", 5],
    ["new (class { toBSON() { return 'made' } })()", "made"],
    ["new (class Point { x = 1; y = 2 })()", { x: 1, y: 2 }],
    ["{ get a() { return 3 } }", { a: 3 }],
    ["new Map([['k', 1]])", { k: 1 }],
    ["new Proxy({ a: 1 }, {})", { a: 1 }],
    ["Object.assign([1], { name: 'x' })", [1]],
    ["(() => { const a = [1]; a[3] = 2; return a })()", [1, null, null, 2]],
    ["new Array(2)", [null, null]],
    ["Object.freeze([1, 2])", [1, 2]],
    ["new Uint8Array([1, 2])", new Binary(Buffer.from([1, 2]), 0)],
    ["Object.assign(NumberInt(5), { more: 1 })", new Int32(5)],
    ["Object.assign(ObjectId('0123456789abcdef01234567'), { more: 1 })", new ObjectId("0123456789abcdef01234567")],
    ["BSONSymbol('s')", new BSONSymbol("s")],
    ["BSONRegExp('(?<', 'x')", new BSONRegExp("(?<", "x")],
    ["Code('f', { a: 1 })", new Code("f", { a: 1 })],
    ["DBRef('c', 1)", new DBRef("c", 1 as unknown as ObjectId)],
    ["{ 3000000000: 1, a: 2 }", { 3000000000: 1, a: 2 }],
    ["{ a: 1, [Symbol('s')]: 2 }", { a: 1 }],
  ];
  it.each(AS_TEXT)("%s, by its text", async (expression, value) => {
    const { bytes, asText } = await sent(expression);
    expect(asText).toBe(true);
    expect(bytes).toBe(hex(encode({ echo: 1, v: value, $db: "test" })));
  });

  it("with the errors that they have as texts", async () => {
    await expect(sent("(() => { const a = {}; a.a = a; return a })()")).rejects.toThrow(
      "nested too deeply, or refers to itself",
    );
    await expect(sent("{ 'a\\0b': 1 }")).rejects.toThrow("null bytes");
    await expect(sent("new Date(NaN)")).rejects.toThrow("invalid date");
    await expect(sent("Symbol('x')")).rejects.toThrow("cannot be stored");
    await expect(sent("{ _bsontype: 'ObjectId' }")).rejects.toThrow("_bsontype");
    await expect(sent("{ get a() { throw new Error('asked') } }")).rejects.toThrow("asked");
  });

  it("as their text says, once a script gave all objects a toBSON", async () => {
    const give = "Object.defineProperty(Date.prototype, 'toBSON', { value() { return 'a date' }, configurable: true })";
    expect(await sent(`(${give}, new Date(0))`)).toEqual({
      bytes: hex(encode({ echo: 1, v: "a date", $db: "test" })),
      asText: true,
    });
    expect((await sent("(delete Date.prototype.toBSON, new Date(0))")).asText).toBe(false);
  });

  it("nested as deeply as any", async () => {
    const nest = (depth: number): string =>
      `(() => { let d = {}; for (let i = 0; i < ${depth}; i++) d = { d }; return d })()`;
    expect((await sent(nest(190))).asText).toBe(false);
    await expect(sent(nest(210))).rejects.toThrow("nested too deeply");
  });
});

describe("values that come in", () => {
  /** Gives a script a reply and shows what it finds in it. */
  async function given(value: unknown): Promise<unknown> {
    reply = encode({ ok: 1, value });
    return run("db.runCommand({ give: 1 }).value");
  }
  /** Some give what js-bson cannot: bytes that a reply consists of, behind the first four. */
  function raw(...elements: readonly (readonly number[])[]): void {
    const flat = elements.flat();
    reply = Uint8Array.from([flat.length + 5, 0, 0, 0, ...flat, 0]);
  }
  const name = (text: string): number[] => [...Buffer.from(`${text}\0`)];
  const ok = [0x10, ...name("ok"), 1, 0, 0, 0];

  it.each<[unknown]>([
    [1],
    [-1],
    [1.5],
    [-0],
    [new Double(5)],
    [true],
    [null],
    ["x"],
    ["né"],
    ["日本\0𝒳"],
    ["\ufeffx"],
    [Long.MAX_VALUE],
    [Long.fromNumber(-2)],
    [new Decimal128("1.50")],
    [new Date(-5)],
    [new ObjectId("0123456789abcdef01234567")],
    [new UUID("00112233-4455-6677-8899-aabbccddeeff")],
    [new Binary(Buffer.from([1, 2, 3]), 2)],
    [new Binary(Buffer.alloc(0), 0)],
    [new Timestamp({ t: 4294967295, i: 4000000000 })],
    [new MinKey()],
    [new MaxKey()],
    [new BSONRegExp("a+", "i")],
    [new BSONRegExp("(?<", "x")],
    [new Code("f")],
    [new Code("f", { a: 1, d: new Double(2) })],
    [new BSONSymbol("s")],
    [new DBRef("c", new ObjectId("0123456789abcdef01234567"), "d", { e: 1 })],
    [{ $ref: 5, $id: 1 }],
    [{ $oid: "no id" }],
    [{ $ref: "c" }],
    [[]],
    [{}],
    [{ a: [{ b: [new Double(1), 2, new Double(3)] }], d: new Double(4) }],
    [{ b: 1, 7: 2, "": 3, é日: 4 }],
    [JSON.parse('{"__proto__":{"a":1},"constructor":1}')],
  ])("%s", async (value) => {
    const shown = await given([value]);
    const typed = decode(encode({ value: [value] }), { numbers: "typed", bsonRegExp: true })["value"];
    // Numbers go before other names in JavaScript, and so in what is shown.
    expect(hex(encode({ value: shown }))).toBe(hex(encode({ value: typed })));
  });

  it("with all that they have of their kind", async () => {
    reply = encode({
      ok: 1,
      id: new ObjectId("0123456789abcdef01234567"),
      long: Long.fromString("5000000000"),
      when: new Date(1),
      uuid: new UUID("00112233-4455-6677-8899-aabbccddeeff"),
      bytes: new Binary(Buffer.from([9, 8]), 0),
      re: new BSONRegExp("^a", "i"),
    });
    const source =
      "const r = db.runCommand({ give: 1 }); [r.id instanceof ObjectId, r.id.toString(), " +
      "r.id.getTimestamp().getTime(), r.long.add(1).toString(), r.when.getTime(), r.when instanceof Date, " +
      "r.uuid instanceof UUID, r.uuid.toString(), r.bytes.buffer[0], r.re.test('Ab'), Object.keys(r).join()]";
    expect((await run(source)) as unknown[]).toEqual(
      [
        true,
        "0123456789abcdef01234567",
        null,
        "5000000001",
        new Int32(1),
        true,
        true,
        "00112233-4455-6677-8899-aabbccddeeff",
        new Int32(9),
        true,
        "ok,id,long,when,uuid,bytes,re",
      ].map((value, at) => (at === 2 ? new Double(19088743000) : value)),
    );
  });

  it("binary of the old kind without its second length, as it is", async () => {
    raw(
      ok,
      [0x05, ...name("short"), 2, 0, 0, 0, 2, 9, 8],
      [0x05, ...name("other"), 5, 0, 0, 0, 2, 7, 0, 0, 0, 6],
      [0x10, ...name("after"), 7, 0, 0, 0],
    );
    expect(
      await run(
        "const { short, other, after } = db.runCommand({ give: 1 }); " +
          "[short.sub_type, short.buffer.join(), other.buffer.join(), after].join(' ')",
      ),
    ).toBe("2 9,8 7,0,0,0,6 7");
  });

  it("that have a name twice: the last value, at the first one's place", async () => {
    raw(
      ok,
      [0x03, ...name("a"), 5, 0, 0, 0, 0],
      [0x07, ...name("b"), ...Buffer.alloc(12)],
      [0x10, ...name("a"), 7, 0, 0, 0],
      [0x10, ...name("b"), 8, 0, 0, 0],
    );
    expect(await run("const r = db.runCommand({ give: 1 }); [Object.keys(r).join(), r.a, r.b]")).toEqual([
      "ok,a,b",
      new Int32(7),
      new Int32(8),
    ]);
    // The same, around a document that has the name too.
    raw(
      ok,
      [0x10, ...name("a"), 1, 0, 0, 0],
      [0x03, ...name("d"), 12, 0, 0, 0, 0x10, ...name("a"), 2, 0, 0, 0, 0],
      [0x10, ...name("a"), 3, 0, 0, 0],
    );
    expect(await run("const r = db.runCommand({ give: 1 }); [r.a, r.d.a]")).toEqual([new Int32(3), new Int32(2)]);
  });

  it("that hold undefined, an instant there is none of, a reference of the old kind, and no UTF-8", async () => {
    raw(
      ok,
      [0x06, ...name("u")],
      [0x09, ...name("t"), 0, 0, 0, 0, 0, 0, 0, 0x7f],
      [0x0c, ...name("p"), 2, 0, 0, 0, ...name("c"), ...Buffer.from("0123456789abcdef01234567", "hex")],
      [0x02, ...name("s"), 4, 0, 0, 0, 0x61, 0xff, 0x62, 0],
    );
    const source =
      "const r = db.runCommand({ give: 1 }); ['u' in r, r.u === undefined, isNaN(r.t.getTime()), " +
      "r.p.collection, r.p.oid.toString(), r.s]";
    expect(await run(source)).toEqual([true, true, true, "c", "0123456789abcdef01234567", "a\ufffdb"]);
  });

  it("with more fields than a byte counts, and with more names than are told at once", async () => {
    for (const count of [127, 128, 129, 20_000]) {
      reply = encode({ ok: 1, value: Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at])) });
      expect(
        await run(
          "const v = db.runCommand({ give: 1 }).value; const k = Object.keys(v); [k.length, k[0], k.at(-1), " +
            "v[k.at(-1)]]",
        ),
      ).toEqual([new Int32(count), "k0", `k${count - 1}`, new Int32(count - 1)]);
    }
    const names = 100_010;
    const elements = new Uint8Array(names * 10);
    for (let at = 0; at < names; at++) {
      elements[at * 10] = 0x0a;
      elements.set(Buffer.from(String(at + 10_000_000)), at * 10 + 1);
    }
    reply = Buffer.concat([encode({ ok: 1 }).subarray(0, -1), elements, Buffer.from([0])]);
    new DataView(reply.buffer, reply.byteOffset).setInt32(0, reply.length, true);
    expect(await run("Object.keys(db.runCommand({ give: 1 })).length")).toEqual(new Int32(names + 1));
  });

  it("of 16 MB", async () => {
    reply = encode({ ok: 1, value: "é".repeat(8_000_000) });
    expect(await run("db.runCommand({ give: 1 }).value.length")).toEqual(new Int32(8_000_000));
    expect((await sent("db.runCommand({ give: 1 }).value")).asText).toBe(false);
    expect(inBytes[1]?.length).toBeGreaterThan(16_000_000);
  });

  it("and leave the language alone, whatever a script did to it", async () => {
    reply = encode({ ok: 1, id: new ObjectId("0123456789abcdef01234567"), n: new Double(3) });
    await run(
      "Object.defineProperty(Object.prototype, 'id', { set() { throw new Error('set') }, configurable: true })",
    );
    expect(await run("const r = db.runCommand({ give: 1 }); [r.id.toString()].concat(r.n)")).toEqual([
      "0123456789abcdef01234567",
      new Int32(3),
    ]);
    await run("delete Object.prototype.id");
  });
});

describe("what a script shows", () => {
  it("keeps the doubles that came from the engine, and no others", async () => {
    reply = encode({
      ok: 1,
      value: { a: new Double(1), b: [new Double(2), 3, new Double(4)], c: { d: new Double(5) } },
    });
    expect(
      await run("const v = db.runCommand({ give: 1 }).value; v.e = 2.5 + 2.5; v.b[2] = 8 / 2 + 1; v.c.d = v.c.d; v"),
    ).toEqual({
      a: new Double(1),
      b: [new Double(2), new Int32(3), new Int32(5)],
      c: { d: new Double(5) },
      e: new Int32(5),
    });
    expect(await run("v.b.shift(); v.b.push(1, 2, 3, 4); v.b")).toEqual(
      [3, 5, 1, 2, 3, 4].map((value) => new Int32(value)),
    );
  });

  it("is read safely where a script changed the marks", async () => {
    reply = encode({ ok: 1, value: { a: new Double(1) } });
    const mark = "Object.getOwnPropertySymbols(db.runCommand({ give: 1 }).value)[0]";
    for (const value of [
      "5",
      "'text'",
      "null",
      "[]",
      "{ get a() { return 1 } }",
      "new Date(0)",
      "new Map()",
      "{ a: {} }",
    ]) {
      expect(await run(`Object.defineProperty({ a: 1.5 - 0.5 }, ${mark}, { value: ${value} })`)).toEqual({
        a: new Int32(1),
      });
    }
    expect(await run(`const w = db.runCommand({ give: 1 }).value; w[${mark}].a = 'x'; w`)).toEqual({ a: new Int32(1) });
  });

  it.each([["[undefined]"], ["({ f() {} })"], ["[1n]"], ["new (class Point { x = 1 })()"], ["[new Date(NaN)]"]])(
    "%s as text, as before",
    async (source) => {
      expect(typeof (await run(source))).toBe("string");
    },
  );

  it("may refer to one thing so often that nothing could hold it", async () => {
    await expect(
      run(
        "let a = ['x'.repeat(1000)]; for (let i = 0; i < 40; i++) a = [a, a]; db.runCommand({ echo: 1, a })",
        {},
        1000,
      ),
    ).rejects.toThrow("ScriptTimeout");
  });
});

/** A generator of numbers from a seed. */
function random(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
}

describe("random documents", () => {
  const NAMES = ["a", "b", "_id", "né", "日本", "", "0", "7", "12", "length", "__proto__", "$x", "a b", "constructor"];

  function value(next: () => number, depth: number): unknown {
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)] as Item;
    const bits = (): number => Math.floor(next() * 4294967296) | 0;
    switch (Math.floor(next() * (depth > 4 ? 16 : 20))) {
      case 0:
        return new Int32(bits());
      case 1:
        return new Int32(pick([0, 1, -1, 127, 128, -128]));
      case 2:
        return new Double(pick([0, -0, NaN, Infinity, -Infinity, 1, 2, -3, 1.5, 1e300, 2 ** 31, -(2 ** 31), 2 ** 53]));
      case 3:
        return new Double(next() * 1000);
      case 4:
        return new Long(bits(), bits());
      case 5:
        return pick(["", "x", "né", "日本", "𝒳", "a\0b", "long ".repeat(200), "é".repeat(100)]);
      case 6:
        return next() < 0.5;
      case 7:
        return null;
      case 8:
        return new Date(Math.floor((next() - 0.5) * 1e14));
      case 9:
        return new ObjectId(Uint8Array.from({ length: 12 }, () => next() * 256));
      case 10:
        return new Binary(
          Uint8Array.from({ length: Math.floor(next() * 40) }, () => next() * 256),
          pick([0, 1, 2, 5, 128]),
        );
      case 11:
        return new UUID(Uint8Array.from({ length: 16 }, () => next() * 256));
      case 12:
        return new Timestamp({ t: bits() >>> 0, i: bits() >>> 0 });
      case 13:
        return new Decimal128(
          pick(["0", "-0", "1.50", "NaN", "Infinity", "1E+6000", "-9.999E-6000", "12345678901234567890.12345"]),
        );
      case 14:
        return pick([
          new MinKey(),
          new MaxKey(),
          new BSONRegExp("a.b", "im"),
          new BSONRegExp("[", ""),
          new Code("f"),
          new BSONSymbol("s"),
        ]);
      case 15:
        return pick([new Code("f", { a: new Double(1) }), new DBRef("c", new ObjectId("0123456789abcdef01234567"))]);
      case 16:
        return Array.from({ length: Math.floor(next() * 6) }, () => value(next, depth + 1));
      default:
        return document(next, depth + 1);
    }
  }
  function document(next: () => number, depth: number): Document {
    const made: Document = {};
    for (let count = Math.floor(next() * 7); count > 0; count -= 1) {
      const key = next() < 0.2 ? `k${Math.floor(next() * 300)}` : (NAMES[Math.floor(next() * NAMES.length)] as string);
      Object.defineProperty(made, key, {
        value: value(next, depth),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return made;
  }

  it("come in, are shown as they are, and go out as by their text", async () => {
    for (let seed = 1; seed <= 150; seed++) {
      const next = random(seed * 7919);
      const values = Array.from({ length: 5 }, () => document(next, 0));
      reply = encode({ ok: 1, values });
      const shown = await run("const r = db.runCommand({ give: 1 }).values; r");
      expect(hex(encode({ values: shown })), `seed ${seed}`).toBe(
        hex(encode({ values: decode(encode({ values }), { numbers: "typed", bsonRegExp: true })["values"] })),
      );
      for (let at = 0; at < values.length; at++) {
        const text = EJSON.stringify(values[at], { relaxed: false });
        // As where shell and engine share a realm.
        expect(
          hex(bytesOf({ echo: 1, v: valueOf(encode(values[at] as Document)), $db: "test" }, {})),
          `seed ${seed}, document ${at}`,
        ).toBe(byText(parse(text)));
        const { bytes } = await sent(`r[${at}]`);
        expect(bytes, `seed ${seed}, document ${at}`).toBe(byText(parse(text)));
      }
    }
  });
});

describe("a batch of many bytes", () => {
  it("leaves the sandbox as commands of at most a message each", async () => {
    reply = encode({ ok: 1, n: 1 });
    await run(
      'const text = "x".repeat(1000000); db.c.insertMany(Array.from({ length: 60 }, (_, _id) => ({ _id, text }))); 1',
    );
    expect(inTexts).toEqual([]);
    const ids = inBytes.map((bytes) => (decode(bytes)["documents"] as Document[]).map(({ _id }) => _id as number));
    expect(ids.map(({ length }) => length)).toEqual([47, 13]);
    expect(ids.flat()).toEqual(Array.from({ length: 60 }, (_, id) => id));
    for (const { length } of inBytes) expect(length).toBeLessThanOrEqual(MAX_COMMAND_BYTES);
  });

  it("is cut nowhere else", async () => {
    await run(
      'const text = "x".repeat(1000000); db.runCommand({ insert: "c", documents: Array(60).fill({ text }) }); 1',
    );
    expect(inBytes.map((bytes) => (decode(bytes)["documents"] as Document[]).length)).toEqual([60]);
  });
});
