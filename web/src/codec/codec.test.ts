/** The codec against js-bson, both ways, over every type and over bytes that are no BSON. */
import * as bson from "bson";
import { describe, expect, it } from "vitest";
import { decode, makeDecoder } from "./decode.ts";
import { Encoder, encode, type ByteTarget } from "./encode.ts";
import { CodecError } from "./error.ts";

/** A small seeded generator; the seed is in every failure's message. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const TEXTS = [
  "",
  "a",
  "slug",
  "Wheelbarrow 9092",
  "ünï",
  "🌱 plant",
  "x".repeat(70),
  "é".repeat(90),
  "\ud83c\udf31".repeat(40),
];

function value(random: () => number, depth: number): unknown {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, () => Math.floor(random() * 256));
  const kinds: readonly (() => unknown)[] = [
    () => pick(TEXTS),
    () => pick([0, 1, -1, 2147483647, -2147483648, 2147483648, 0.5, -0, 1e300, NaN, Infinity, -Infinity, 5e-324]),
    () => random() < 0.5,
    () => null,
    () => new Date(Math.floor((random() - 0.5) * 8.64e15)),
    () => new bson.ObjectId(bytes(12)),
    () => new bson.Long(Math.floor(random() * 2 ** 32) | 0, Math.floor(random() * 2 ** 32) | 0),
    () => new bson.Int32(7),
    () => new bson.Double(5),
    () => bson.Decimal128.fromString(pick(["1.50", "-0", "NaN", "1E+6000", "123456789012345678901234567890.1234"])),
    () => new bson.Binary(bytes(Math.floor(random() * 40)), pick([0, 1, 2, 5, 128])),
    () => new bson.UUID(),
    () => new bson.Timestamp({ t: 12345, i: 4294967295 }),
    () => new bson.MinKey(),
    () => new bson.MaxKey(),
    () => new RegExp(pick(["^a.*b$", "ü+", "[/]"]), pick(["", "i", "m", "im"])),
    () => new bson.BSONRegExp("a(b)", "i"),
    () => new bson.Code("function () { return 1; }"),
    () => new bson.Code("x + y", { x: 1, y: "z" }),
    () => new bson.DBRef("products", new bson.ObjectId(bytes(12)), random() < 0.5 ? "shop" : undefined),
    () => BigInt(Math.floor(random() * 1e15)),
    () => undefined,
  ];
  if (depth < 4 && random() < 0.25) return random() < 0.5 ? list(random, depth + 1) : document(random, depth + 1);
  return pick(kinds)();
}

const list = (random: () => number, depth: number): unknown[] =>
  Array.from({ length: Math.floor(random() * 12) }, () => value(random, depth));

function document(random: () => number, depth: number): bson.Document {
  const made: bson.Document = {};
  for (let count = Math.floor(random() * 8); count > 0; count--)
    made[`${TEXTS[Math.floor(random() * 5)]}${count}`] = value(random, depth);
  return made;
}

describe("encoder", () => {
  it("writes what js-bson writes", () => {
    for (let seed = 1; seed <= 3000; seed++) {
      const made = document(generator(seed), 0);
      const theirs = bson.serialize(made, { ignoreUndefined: false });
      expect(Buffer.from(encode(made)).equals(theirs), `seed ${seed}`).toBe(true);
    }
  });

  it("keeps what was written when the target moves as it grows", () => {
    let memory = new Uint8Array(0);
    const moving: ByteTarget = {
      grow(length) {
        if (length > memory.length) {
          const larger = new Uint8Array(length);
          larger.set(memory);
          memory.fill(0xee);
          memory = larger;
        }
        return memory;
      },
    };
    const encoder = new Encoder(moving);
    const made = { list: Array.from({ length: 500 }, (_, index) => ({ index, text: "é".repeat(index) })) };
    const length = encoder.encode(made);
    expect(Buffer.from(memory.subarray(0, length)).equals(bson.serialize(made))).toBe(true);
  });

  it("puts a command's database last, or where the command has it", () => {
    const bytes: ByteTarget = new (class {
      memory = new Uint8Array(4096);
      grow = (): Uint8Array => this.memory;
    })();
    const encoder = new Encoder(bytes);
    for (const command of [
      { find: "c", filter: { a: 1 } },
      { find: "c", $db: "other", limit: 1 },
    ]) {
      const length = encoder.encodeCommand(command, "shop");
      expect(Buffer.from(bytes.grow(0).subarray(0, length)).equals(bson.serialize({ ...command, $db: "shop" }))).toBe(
        true,
      );
    }
    expect(() => encoder.encodeCommand([1] as unknown as bson.Document, "shop")).toThrow(CodecError);
  });

  it("writes batches into wasm memory that moves, whatever it foresaw", () => {
    const memory = new WebAssembly.Memory({ initial: 1 });
    let view = new Uint8Array(0);
    let asked = 0;
    const encoder = new Encoder({
      grow(length) {
        asked++;
        const short = length - memory.buffer.byteLength;
        if (short > 0) memory.grow(Math.ceil(short / 65536));
        if (view.length === 0 || view.length < length)
          view = new Uint8Array(memory.buffer, 0, memory.buffer.byteLength);
        return view;
      },
    });
    const random = generator(4);
    for (let round = 0; round < 60; round++) {
      // Fields of the same names in another order, some left out, some nested otherwise than before.
      const documents = Array.from({ length: Math.floor(random() * 1200) }, (_, index) => {
        const names = ["_id", "slug", "a.b", "ü", "inner", "x".repeat(70), "9"].filter(() => random() < 0.9);
        if (random() < 0.2) names.reverse();
        return Object.fromEntries(
          names.map((name) => [
            name,
            name === "inner"
              ? random() < 0.8
                ? { slug: index, list: [{ deep: { er: index } }, "é"] }
                : value(random, 2)
              : value(random, 3),
          ]),
        );
      });
      const made = { insert: "products", documents, ordered: true };
      const length = encoder.encodeCommand(made, "db");
      const theirs = bson.serialize({ ...made, $db: "db" }, { ignoreUndefined: false });
      expect(Buffer.from(memory.buffer, 0, length).equals(theirs), `round ${round}`).toBe(true);
    }
    const large = {
      insert: "c",
      documents: Array.from({ length: 20000 }, (_, index) => ({ _id: index, text: "n".repeat(100) })),
    };
    asked = 0;
    encoder.encodeCommand(large, "db");
    expect(asked).toBeLessThan(12);
  });

  it("writes own fields alone, whatever they inherit", () => {
    const own = encode({ a: 1, b: { c: 2 } });
    const made = Object.assign(Object.create({ inherited: 1 }) as bson.Document, {
      a: 1,
      b: Object.assign(Object.create(null) as bson.Document, { c: 2 }),
    });
    expect(encode(made)).toEqual(own);
    const everything = Object.prototype as unknown as Record<string, unknown>;
    everything["polluted"] = 1;
    try {
      expect(encode({ a: 1, b: { c: 2 } })).toEqual(own);
    } finally {
      delete everything["polluted"];
    }
    expect(encode(Object.defineProperty({ a: 1, b: { c: 2 } }, "hidden", { value: 1 }))).toEqual(own);
  });

  it("follows the shell's number and undefined rules", () => {
    const types = (made: bson.Document, options?: Parameters<typeof encode>[1]): bson.Document =>
      bson.deserialize(encode(made, options), { promoteValues: false });
    expect(types({ a: 1, b: 1.5, c: 2 ** 31, d: -0, e: 5n })).toEqual({
      a: new bson.Int32(1),
      b: new bson.Double(1.5),
      c: new bson.Double(2 ** 31),
      d: new bson.Double(-0),
      e: bson.Long.fromNumber(5),
    });
    expect(types({ a: 1 }, { numbersAsDouble: true })).toEqual({ a: new bson.Double(1) });
    expect(decode(encode({ a: undefined, b: [undefined] }))).toEqual({ a: null, b: [null] });
    expect(decode(encode({ a: undefined, b: [undefined] }, { ignoreUndefined: true }))).toEqual({ b: [null] });
    expect(decode(encode({ f: () => 1 }))).toEqual({});
    expect(decode(encode({ f: () => 1 }, { serializeFunctions: true }))).toEqual({ f: new bson.Code("() => 1") });
    expect(decode(encode(JSON.parse('{"__proto__": 1}') as bson.Document))).toEqual(JSON.parse('{"__proto__": 1}'));
    expect(decode(encode({ r: /a.b/s }))).toEqual({ r: /a.b/s });
    expect(decode(encode({ r: new bson.BSONRegExp("a(?x)b", "x") }))).toEqual({
      r: new bson.BSONRegExp("a(?x)b", "x"),
    });
  });

  it("refuses what BSON cannot hold", () => {
    const circular: bson.Document = {};
    circular["self"] = circular;
    expect(() => encode(circular)).toThrow(CodecError);
    expect(() => encode({ "a\0b": 1 })).toThrow(CodecError);
    expect(() => encode({ a: new Date(NaN) })).toThrow(CodecError);
    expect(() => encode({ a: Symbol("s") })).toThrow(CodecError);
    expect(() => encode([1] as unknown as bson.Document)).toThrow(CodecError);
    expect(() => encode({ a: { _bsontype: "Nothing" } })).toThrow(CodecError);
  });
});

describe("decoder", () => {
  it("reads what js-bson reads, whatever it read before", () => {
    for (let seed = 1; seed <= 3000; seed++) {
      const bytes = bson.serialize(document(generator(seed), 0), { ignoreUndefined: false });
      expect(decode(bytes), `seed ${seed}`).toEqual(bson.deserialize(bytes));
    }
  });

  it("reads the same out of memory that it keeps, at any offset", () => {
    const memory = Buffer.alloc(1 << 16, 0xee);
    const decoder = makeDecoder(true);
    for (let seed = 1; seed <= 1000; seed++) {
      const bytes = bson.serialize(document(generator(seed), 0), { ignoreUndefined: false });
      // The last document ends where the memory does.
      const offset = seed % 2 === 0 ? seed % 7 : memory.length - bytes.length;
      memory.set(bytes, offset);
      expect(decoder.decode(memory, {}, offset), `seed ${seed}`).toEqual(bson.deserialize(bytes));
    }
  });

  it("reads documents that leave fields out, order them otherwise or use data as names", () => {
    const names = ["_id", "a", "bb", "ccc", "dddd", "eeeee", "__proto", "a.b", "0", "ü"];
    const random = generator(5);
    for (let round = 0; round < 2000; round++) {
      const some = names.filter(() => random() < 0.6);
      if (random() < 0.1) some.reverse();
      if (round % 50 === 0) for (let more = 0; more < 60; more++) some.push(`user${Math.floor(random() * 1e6)}`);
      const bytes = bson.serialize(Object.fromEntries(some.map((name) => [name, { [name]: some.length }])));
      expect(decode(bytes)).toEqual(bson.deserialize(bytes));
    }
  });

  it("keeps every number's type when asked", () => {
    const bytes = encode({ a: new bson.Int32(1), b: new bson.Double(1), c: bson.Long.fromNumber(1) });
    expect(decode(bytes, { numbers: "typed" })).toEqual({
      a: new bson.Int32(1),
      b: new bson.Double(1),
      c: bson.Long.fromNumber(1),
    });
    expect(decode(bytes, { numbers: "shell" })).toEqual({ a: 1, b: 1, c: bson.Long.fromNumber(1) });
    expect(decode(bytes)).toEqual({ a: 1, b: 1, c: 1 });
  });

  it("shares no memory with the bytes", () => {
    const bytes = encode({
      b: new bson.Binary(Uint8Array.of(1, 2, 3)),
      o: new bson.ObjectId("507f1f77bcf86cd799439011"),
    });
    const read = decode(bytes);
    const shared = Buffer.from(bytes);
    const other = decode(shared);
    bytes.fill(0);
    shared.fill(0);
    expect(other["b"]).toEqual(new bson.Binary(Buffer.of(1, 2, 3)));
    expect(read).toEqual({
      b: new bson.Binary(Uint8Array.of(1, 2, 3)),
      o: new bson.ObjectId("507f1f77bcf86cd799439011"),
    });
  });

  it("gives an error for bytes that are no BSON, and only ever its own error", () => {
    const random = generator(99);
    for (let round = 0; round < 4000; round++) {
      const bytes = encode(document(random, 0));
      for (let flips = 1 + Math.floor(random() * 4); flips > 0; flips--) {
        if (bytes.length > 0) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      }
      const cut = random() < 0.3 ? bytes.subarray(0, Math.floor(random() * bytes.length)) : bytes;
      try {
        decode(cut);
      } catch (error) {
        if (!(error instanceof CodecError) && !(error instanceof bson.BSONError)) throw error;
      }
    }
    for (const bad of [[], [4, 0, 0, 0], [5, 0, 0, 0, 1], [255, 255, 255, 127, 0], [8, 0, 0, 0, 0x10, 0x61, 0, 0]]) {
      expect(() => decode(Uint8Array.from(bad))).toThrow(CodecError);
    }
  });
});
