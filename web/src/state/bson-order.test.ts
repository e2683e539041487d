/** The order of values of every type, and rows in the order of a column. */
import { Binary, BSONRegExp, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from "bson";
import { describe, expect, test } from "vitest";
import { compareBson, orderBy } from "./bson-order.ts";

/** Each is less than the next. */
const rising: readonly (readonly [string, readonly unknown[]])[] = [
  [
    "types",
    [
      new MinKey(),
      undefined,
      null,
      new Int32(5),
      "",
      {},
      [],
      new Binary(new Uint8Array(0)),
      new ObjectId("000000000000000000000000"),
      false,
      new Date(-1),
      new Timestamp({ t: 0, i: 0 }),
      new BSONRegExp("a"),
      new MaxKey(),
    ],
  ],
  [
    "numbers of all types",
    [
      new Double(Number.NaN),
      new Double(Number.NEGATIVE_INFINITY),
      new Int32(-2),
      new Double(-1.5),
      new Long(0),
      Decimal128.fromString("1.25"),
      new Double(9007199254740992),
      Long.fromString("9007199254740993"),
      Decimal128.fromString("9007199254740993.5"),
      Decimal128.fromString("9007199254740993.50001"),
      Long.fromString("9223372036854775807"),
      Decimal128.fromString("1E+400"),
    ],
  ],
  ["texts", ["", "A", "a", "aa", "ä", "\uffee", "😀"]],
  ["documents", [{}, { a: new Int32(1) }, { b: new Int32(1) }, { b: new Int32(1), c: null }, { a: "x" }]],
  [
    "bytes",
    [new Binary(new Uint8Array([9])), new Binary(new Uint8Array([1, 1]), 0), new Binary(new Uint8Array([0, 0]), 5)],
  ],
  ["stamps", [new Timestamp({ t: 1, i: 9 }), new Timestamp({ t: 2, i: 0 })]],
];

describe("BSON's order", () => {
  test.each(rising)("%s", (_name, values) => {
    for (let one = 0; one < values.length; one++)
      for (let other = 0; other < values.length; other++)
        expect(Math.sign(compareBson(values[one], values[other])), `${one} with ${other}`).toBe(Math.sign(one - other));
  });

  test("equal numbers of different types are equal", () => {
    expect(compareBson(new Int32(3), Decimal128.fromString("3.00"))).toBe(0);
    expect(compareBson(new Double(-0), new Long(0))).toBe(0);
  });
});

describe("rows in the order of a column", () => {
  const rows = [
    { n: new Int32(2) },
    {},
    { n: [] },
    { n: [new Int32(1), new Int32(9)] },
    { n: null },
    { n: new Int32(2) },
  ];

  test("upwards: arrays by their least element, missing as null, equals as they were", () => {
    expect([...orderBy(rows, "n", 1)]).toEqual([2, 1, 4, 3, 0, 5]);
  });

  test("downwards: arrays by their greatest element", () => {
    expect([...orderBy(rows, "n", -1)]).toEqual([3, 0, 5, 1, 4, 2]);
  });
});
