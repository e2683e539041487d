/** Members of documents read from their bytes, compared with the decoder's values. */
import * as bson from "bson";
import { describe, expect, it } from "vitest";
import { decode } from "./decode.ts";
import { encode } from "./encode.ts";
import { CodecError } from "./error.ts";
import { member, members, withDocument, withFields } from "./members.ts";

const document = {
  double: 0.5,
  text: "a reply",
  inner: { a: 1 },
  list: [1, "two"],
  binary: new bson.Binary(Uint8Array.of(1, 2, 3), 2),
  id: new bson.ObjectId("507f1f77bcf86cd799439011"),
  flag: true,
  date: new Date(5),
  none: null,
  pattern: new bson.BSONRegExp("^a", "im"),
  code: new bson.Code("x"),
  scoped: new bson.Code("y", { z: 1 }),
  symbol: new bson.BSONSymbol("s"),
  int32: 146,
  timestamp: new bson.Timestamp({ t: 1, i: 2 }),
  long: bson.Long.fromNumber(3),
  decimal: bson.Decimal128.fromString("1.5"),
  most: new bson.MaxKey(),
  least: new bson.MinKey(),
  ok: 1,
};

describe("members", () => {
  it("finds each, whatever stands before it", () => {
    const bytes = encode(document);
    expect([...members(bytes)].map(({ name }) => name)).toEqual(Object.keys(document));
    expect([...members(bytes)].at(-1)?.end).toBe(bytes.length - 1);
    expect(decode(member(bytes, "inner") as Uint8Array)).toEqual({ a: 1 });
    expect(decode(member(bytes, "absent", "list") as Uint8Array)).toEqual({ 0: 1, 1: "two" });
    expect(member(bytes, "absent")).toBeNull();
  });

  /** The names of a document's members, or null where its bytes are refused. */
  const names = (bytes: Uint8Array): string[] | null => {
    try {
      return [...members(bytes)].map(({ name, start, end }) => {
        expect(start).toBeLessThanOrEqual(end);
        expect(end).toBeLessThan(bytes.length);
        return name;
      });
    } catch (error) {
      expect(error).toBeInstanceOf(CodecError);
      return null;
    }
  };

  it.each(Object.keys(document))("ends at bytes of %s that are cut off", (kind) => {
    const bytes = encode({ [kind]: document[kind as keyof typeof document], behind: 1 });
    for (let length = 0; length < bytes.length; length += 1) {
      const cut = bytes.slice(0, length);
      expect(names(cut), `${length} bytes`).toBeNull();
      // The same with a length that fits and a closing zero.
      if (length < 5) continue;
      new DataView(cut.buffer).setInt32(0, length, true);
      cut[length - 1] = 0;
      names(cut);
      // And without any zero.
      for (let at = 4; at < length - 1; at += 1) cut[at] ||= 1;
      names(cut);
    }
  });

  it.each(Object.keys(document))("ends at bytes of %s that are damaged", (kind) => {
    const bytes = encode({ [kind]: document[kind as keyof typeof document], behind: 1 });
    for (let at = 0; at < bytes.length; at += 1) {
      for (const value of [0, 1, 0x7e, 0x80, 0xff, (bytes[at] as number) + 1, (bytes[at] as number) - 1]) {
        const damaged = bytes.slice();
        damaged[at] = value;
        names(damaged);
      }
    }
  });

  it("refuses a name without an end, a length that leads back, and an unknown type", () => {
    const damaged = (at: number, ...values: readonly number[]): Uint8Array => {
      const bytes = encode({ text: "abc", behind: 1 });
      bytes.set(values, at);
      return bytes;
    };
    for (const bytes of [
      new Uint8Array(),
      Uint8Array.of(5, 0, 0, 0),
      Uint8Array.of(9, 0, 0, 0, 16, 97, 97, 97, 0),
      damaged(10, 0xf0, 0xff, 0xff, 0xff),
      damaged(10, 0, 0, 0, 0),
      damaged(10, 0xff, 0xff, 0xff, 0x7f),
      damaged(4, 0x14),
    ])
      expect(() => [...members(bytes)], String(bytes)).toThrow(CodecError);
  });

  it("puts fields behind the others", () => {
    const bytes = withFields(encode(document), { writeConcernError: { code: 64 } });
    expect(bytes).toEqual(encode({ ...document, writeConcernError: { code: 64 } }));
    expect(withFields(encode({}), { a: 1 })).toEqual(encode({ a: 1 }));
  });

  it("puts a document behind the fields of another, byte for byte", () => {
    const inner = encode(
      new Map<string, unknown>([
        ["b", 1],
        ["2", "two"],
        ["1", {}],
      ]),
    );
    const bytes = withDocument(encode({ a: 1 }), "inner", inner);
    expect(bytes).toEqual(
      encode(
        new Map<string, unknown>([
          ["a", 1],
          [
            "inner",
            new Map<string, unknown>([
              ["b", 1],
              ["2", "two"],
              ["1", {}],
            ]),
          ],
        ]),
      ),
    );
    expect(member(bytes, "inner")).toEqual(inner);
  });
});
