/** The formatter against Node's `util.inspect`, whose layout mongosh uses, and the wording of BSON types. */
import { inspect } from "node:util";
import * as bson from "bson";
import { describe, expect, it } from "vitest";
import { format, formatTop } from "./format.ts";
import { Binary, UUID } from "./bson/binary.ts";
import { Decimal128 } from "./bson/decimal128.ts";
import { Long } from "./bson/numbers.ts";
import { ObjectId } from "./bson/object-id.ts";
import { MaxKey, MinKey, Timestamp } from "./bson/special.ts";

function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const WORDS = [
  "a",
  "slug",
  "it's",
  'say "hi"',
  "Wheelbarrow 9092",
  "long ".repeat(12),
  "tab\there",
  "x\\y",
  "ünï",
  "line\nbreak",
  "many\nlines ".repeat(9),
];
const KEYS = ["a", "slug", "price_history", "details.color", "with space", "$set", "n1", "it's", "_id"];

function value(random: () => number, depth: number): unknown {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const kind = random();
  if (depth < 5 && kind < 0.25)
    return Object.fromEntries(
      Array.from({ length: Math.floor(random() * 6) }, () => [pick(KEYS), value(random, depth + 1)]),
    );
  if (depth < 5 && kind < 0.4) return Array.from({ length: Math.floor(random() * 14) }, () => value(random, depth + 1));
  if (depth < 5 && kind < 0.5)
    return Array.from({ length: Math.floor(random() * 40) }, () => Math.floor(random() * 1000));
  return pick<unknown>([...WORDS, 1, -0, 1.5, NaN, true, null, undefined, 123456789, /a.b/i, 10n]);
}

describe("format", () => {
  it("lays values out as util.inspect does", () => {
    for (let seed = 1; seed <= 4000; seed++) {
      const made = value(generator(seed), 0);
      const theirs = inspect(made, {
        depth: 6,
        compact: 3,
        breakLength: 80,
        maxArrayLength: Infinity,
        maxStringLength: Infinity,
      });
      expect(format(made), `seed ${seed}`).toBe(theirs);
    }
  });

  it("words the shell's types and js-bson's alike", () => {
    const id = "507f1f77bcf86cd799439011";
    const uuid = "0e1b2c3d-4e5f-4a6b-8c7d-0123456789ab";
    const pairs: readonly (readonly [unknown, unknown, string])[] = [
      [new ObjectId(id), new bson.ObjectId(id), `ObjectId('${id}')`],
      [new Long("9007199254740993"), bson.Long.fromString("9007199254740993"), "Long('9007199254740993')"],
      [new Decimal128("1.50"), bson.Decimal128.fromString("1.50"), "Decimal128('1.50')"],
      [new Binary("AQID", 5), bson.Binary.createFromBase64("AQID", 5), "Binary.createFromBase64('AQID', 5)"],
      [new UUID(uuid), new bson.UUID(uuid), `UUID('${uuid}')`],
      [new Timestamp({ t: 5, i: 6 }), new bson.Timestamp({ t: 5, i: 6 }), "Timestamp({ t: 5, i: 6 })"],
      [new MinKey(), new bson.MinKey(), "MinKey()"],
      [new MaxKey(), new bson.MaxKey(), "MaxKey()"],
      [new Date(0), new Date(0), "ISODate('1970-01-01T00:00:00.000Z')"],
    ];
    for (const [ours, theirs, text] of pairs) {
      expect(format(ours)).toBe(text);
      expect(format(theirs)).toBe(text);
    }
    expect(format({ _id: new ObjectId(id), n: 1 })).toBe(`{ _id: ObjectId('${id}'), n: 1 }`);
  });

  it("leaves a string by itself without quotes", () => {
    expect(formatTop("it's")).toBe("it's");
    expect(format("it's")).toBe('"it\'s"');
  });

  it("shows what refers to itself", () => {
    const circular: Record<string, unknown> = { a: 1 };
    circular["self"] = circular;
    expect(format(circular)).toContain("[Circular *1]");
  });
});
