/** Long texts: where their beginning ends, and the pieces that the rest is drawn in. */
import { Binary, Double, Long, ObjectId } from "bson";
import { describe, expect, it } from "vitest";
import { cutText, longText, pieceAt } from "./long-text.ts";
import { textFormats } from "./settings.ts";
import { preview, wordLeaf, wordShortLine } from "./values.ts";
import { wordAs, wordStart } from "./wording.ts";

const piecesOf = (text: string): string[] => {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const piece = pieceAt(text, at);
    expect(piece.end).toBeGreaterThan(at);
    pieces.push(piece.text + (piece.end - at > piece.text.length ? "\n" : ""));
    at = piece.end;
  }
  return pieces;
};

describe("a long text", () => {
  it("is cut into pieces that make it up again, and cuts no character in two", () => {
    for (const text of [
      "",
      "a",
      "\n",
      "line\n".repeat(5000),
      "x".repeat(20_001),
      `a${"𝒳".repeat(9000)}`,
      `${"y".repeat(4095)}\n\n${"z".repeat(9000)}\n`,
    ]) {
      const pieces = piecesOf(text);
      expect(pieces.join("")).toBe(text);
      for (const piece of pieces) {
        expect(piece.length).toBeLessThanOrEqual(4097);
        expect(new TextDecoder().decode(new TextEncoder().encode(piece))).toBe(piece);
      }
    }
    expect(cutText("a𝒳b", 2)).toBe("a");
    expect(cutText("a𝒳b", 3)).toBe("a𝒳");
    expect(longText("abc", 3)).toMatchObject({ start: "abc", isWhole: true });
    expect(longText("abcd", 3)).toMatchObject({ start: "abc", isWhole: false });
    expect(longText("abcd", 3).whole()).toBe("abcd");
  });

  it("begins as the whole of it does, in each format", () => {
    const values: unknown[] = [
      "x".repeat(5000),
      { _id: 1, s: "word ".repeat(3000), after: 1 },
      Array.from({ length: 900 }, (_, at) => ({ at: new Double(at), name: `herb ${at}`, in: { bed: [at, at + 1] } })),
      { deep: Array.from({ length: 60 }).reduce<unknown>((inner) => ({ inner, also: [1, 2, 3] }), { end: true }) },
      new Map<string, unknown>([
        ["a", "b".repeat(4000)],
        ["c", [new Long(1), new ObjectId("0123456789abcdef01234567")]],
      ]),
      { bytes: new Binary(new Uint8Array(4000)), then: "t" },
      Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`field${at}`, at])),
      { small: true },
      [],
    ];
    for (const format of textFormats)
      for (const value of values)
        for (const indent of [0, 2]) {
          const whole = wordAs(format, value, indent);
          const text = wordStart(format, value, 1000, indent);
          expect(whole.startsWith(text.start)).toBe(true);
          expect(text.isWhole).toBe(whole.length <= 1000);
          expect(text.start.length).toBe(Math.min(1000, whole.length));
          expect(text.whole()).toBe(whole);
        }
  });

  it("looks at no more of a value than it words", () => {
    let looked = 0;
    const value = Array.from({ length: 50_000 }, (_, at) => ({
      get at() {
        looked += 1;
        return at;
      },
    }));
    wordStart("shell", value);
    expect(looked).toBeLessThan(20_000);
  });

  it("is a beginning and an ellipsis in a line", () => {
    const long = "x".repeat(1_000_000);
    expect(wordLeaf(long, 10)).toBe('"xxxxxxxxxx…');
    expect(wordLeaf("short", 10)).toBe('"short"');
    expect(preview(long).length).toBeLessThan(500);
    expect(preview({ a: long }).length).toBeLessThan(100);
    expect(wordShortLine(long).length).toBeLessThan(2100);
    expect(wordShortLine({ a: [long] }).length).toBeLessThan(2100);
    expect(wordShortLine({ a: 1 })).toBe("{ a: 1 }");
  });
});
