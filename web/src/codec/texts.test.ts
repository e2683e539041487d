/**
 * Texts out of bytes: every length, ASCII and not, seen before and new, with others between that differ in one byte.
 */
import { describe, expect, it } from "vitest";
import { InvalidText } from "./error.ts";
import { FIRST_CONFIDENCE, textAt, textOf, type Place } from "./texts.ts";

const encoder = new TextEncoder();

/** Reads a text as it stands in a document: its length before it, a zero behind it, and nothing more. */
function read(text: string | Uint8Array, place: Place, strict = true): string {
  const encoded = typeof text === "string" ? encoder.encode(text) : text;
  const bytes = new Uint8Array(encoded.length + 5);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, encoded.length + 1, true);
  bytes.set(encoded, 4);
  return textAt(bytes, view, 4, 4 + encoded.length, place, strict);
}

const lucky = (): Place => ({ confidence: FIRST_CONFIDENCE });

describe("texts", () => {
  it("are read at every length, at first and again", () => {
    for (const filling of ["a", "\u007f", "é", "语", "😀"]) {
      const place = lucky();
      for (let length = 0; length < 300; length++) {
        const text = "x".repeat(length) + filling;
        for (const one of [text, filling.repeat(length), text]) expect(read(one, place)).toBe(one);
      }
    }
  });

  it("that differ in one byte are told apart", () => {
    const place = lucky();
    for (let length = 1; length <= 40; length++) {
      for (let changed = 0; changed < length; changed++) {
        for (const other of "abc") {
          place.confidence = FIRST_CONFIDENCE;
          const text = "a".repeat(changed) + other + "a".repeat(length - changed - 1);
          expect(read(text, place)).toBe(text);
        }
      }
    }
  });

  it("that are always new are no longer looked for, and after a while they are again", () => {
    const place = lucky();
    for (let index = 0; index <= FIRST_CONFIDENCE; index++) read(`new ${index}`, place);
    expect(place.confidence).toBeLessThan(0);
    let reads = 0;
    for (; place.confidence < 0; reads++) expect(read("the same", place)).toBe("the same");
    expect(reads).toBeGreaterThan(900);
    read("the same", place);
    const confidence = place.confidence;
    expect(read("the same", place)).toBe("the same");
    expect(place.confidence).toBeGreaterThan(confidence);
  });

  it("of any length have replacement characters of their own, and none for bytes that are wrong", () => {
    const place = lucky();
    for (const length of [3, 63, 64, 65, 127, 128, 129, 1000]) {
      const before = "a".repeat(length);
      expect(read(`${before}\ufffd\ufeff`, place)).toBe(`${before}\ufffd\ufeff`);
      const cut = Uint8Array.of(...encoder.encode(before), 0xc3);
      expect(() => read(cut, place)).toThrow(InvalidText);
      expect(read(cut, place, false)).toBe(`${before}\ufffd`);
    }
  });

  it("contain zeros, and bytes that are no UTF-8 are refused, or become U+FFFD", () => {
    const place = lucky();
    for (const text of ["\0", "a\0b", "\0\0\0\0"]) expect(read(text, place)).toBe(text);
    for (const [bytes, shown] of [
      [[0xff], "\ufffd"],
      [[0x61, 0xc3], "a\ufffd"],
      [[0xed, 0xa0, 0x80], "\ufffd\ufffd\ufffd"],
    ] as const) {
      const text = Uint8Array.from(bytes);
      place.confidence = FIRST_CONFIDENCE;
      // A text that was read leniently is not given again to who asks for UTF-8.
      for (let again = 0; again < 2; again++) {
        expect(read(text, place, false)).toBe(shown);
        expect(() => read(text, place)).toThrow(InvalidText);
      }
    }
    expect(textOf(encoder.encode("\ufeffa"), 0, 4, true)).toBe("\ufeffa");
    expect(textOf(encoder.encode("\ufeffa"), 0, 4, false)).toBe("\ufeffa");
  });
});
