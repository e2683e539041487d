/** JSON comes apart into documents however it was cut, and complaints name their line. */
import { Int32, Long, ObjectId } from "bson";
import { describe, expect, test } from "vitest";
import { JsonSplitter, LineError, parsePiece } from "./json-stream.ts";

function split(text: string, size = text.length): [string, number][] {
  const splitter = new JsonSplitter();
  const pieces = [];
  for (let at = 0; at < text.length; at += size) pieces.push(...splitter.push(text.slice(at, at + size)));
  splitter.end();
  return pieces.map((piece) => [piece.text, piece.line]);
}

describe("splitting", () => {
  const nasty = '{"a": "}] \\" \\\\", "b": [{"c": 1}]}';
  const array = `\ufeff[\n  ${nasty},\n  {\n"x": 1\n}\n]\n`;
  const expected = [
    [nasty, 2],
    ['{\n"x": 1\n}', 3],
  ];

  test.each([1, 2, 3, 7, 1000])("an array in pieces of %i", (size) => expect(split(array, size)).toEqual(expected));

  test.each([1, 5, 1000])("a document a line, or next to each other, in pieces of %i", (size) => {
    expect(split(`${nasty}\n\n{"x":1}{"y":2}\r\n`, size)).toEqual([
      [nasty, 1],
      ['{"x":1}', 3],
      ['{"y":2}', 3],
    ]);
  });

  test("an empty array and an empty file hold nothing", () => {
    expect(split("[]")).toEqual([]);
    expect(split(" \n", 1)).toEqual([]);
  });

  test.each([
    ["[{}\n, 5]", 2],
    ['{}\n{}\n"text"', 3],
    ["[{}]\n{}", 2],
    ["{\n", 1],
    ["[{},\n", 2],
  ])("%j is refused at its line", (text, line) => {
    try {
      split(text);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(LineError);
      expect((error as LineError).line).toBe(line);
    }
  });
});

describe("documents", () => {
  const parse = (text: string) => parsePiece({ text, line: 10 });

  test("plain JSON, relaxed and canonical Extended JSON", () => {
    expect(parse('{"a":1,"b":[null,"x"]}')).toEqual({ a: 1, b: [null, "x"] });
    expect(parse('{"_id":{"$oid":"4c4b1476238d3b4dd5000001"},"n":{"$numberLong":"5"},"m":7}')).toEqual({
      _id: new ObjectId("4c4b1476238d3b4dd5000001"),
      n: Long.fromNumber(5),
      m: new Int32(7),
    });
    expect(parse('{"at":{"$date":"2024-05-01T00:00:00Z"}}')).toEqual({ at: new Date(Date.UTC(2024, 4, 1)) });
  });

  test("whole numbers beyond int32 are longs, not doubles", () => {
    expect(parse('{"n":5000000000}')).toEqual({ n: Long.fromNumber(5_000_000_000) });
  });

  test.each([
    ['{\n"a": 1,\n"b": oops\n}', 12],
    ['{\n"a": [1,\n2,\n],\n"b": 2}', 13],
    ['{"a": 1\n"b": 2}', 11],
    ["{'a': 1}", 10],
    ['{"a": "line\nbreak"}', 10],
    ['{"a":\n{"$oid": "no"}}', 10],
  ])("a mistake in %j is at its own line", (text, line) => {
    try {
      parse(text);
      expect.unreachable();
    } catch (error) {
      expect((error as LineError).line).toBe(line);
    }
  });
});
