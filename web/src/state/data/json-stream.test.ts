/** JSON comes apart into documents however it was cut, and complaints name their line. */
import { Long, ObjectId } from "bson";
import { describe, expect, test } from "vitest";
import { JsonSplitter, parsePiece } from "./json-stream.ts";
import { LineError } from "./line-error.ts";

function split(text: string, size = text.length): [string, number][] {
  const splitter = new JsonSplitter();
  const pieces = [];
  for (let at = 0; at < text.length; at += size) pieces.push(...splitter.push(text.slice(at, at + size)));
  pieces.push(...splitter.end());
  return pieces.map((piece) =>
    piece instanceof LineError
      ? [`${piece.fault} ${piece.column}${piece.final ? "" : `: ${piece.lost}`}`, piece.line]
      : [piece.text, piece.line],
  );
}

describe("splitting", () => {
  test.each([1, 3, 1000])("texts in single quotes and patterns may hold any sign, in pieces of %i", (size) => {
    const lines = [`{a: '}"\\'{', b: /["/}]/i, c: [/\\/{/]}`, `{b: "it's", c: ObjectId('{')}`];
    expect(split(lines.join("\n"), size)).toEqual(lines.map((line, at) => [line, at + 1]));
  });

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

  test.each([1, 3, 1000])("a mistake in an array is the last that is told, in pieces of %i", (size) => {
    const last = (text: string): [string, number] | undefined => split(text, size).at(-1);
    expect(last("[{}\n, 5]")).toEqual(["unexpected 3", 2]);
    expect(last("[{}]\n{}")).toEqual(["unexpected 1", 2]);
    expect(last("[{},\n")).toEqual(["array 1", 2]);
    expect(last('[{"a": [1, 2}, {}]')).toEqual(["bracket 13", 1]);
    expect(last('[{},\n  {"a": "x\n"}, {}]')).toEqual(["quote 9", 2]);
    expect(last('[{},\n {"a": 1')).toEqual(["document 2", 2]);
    expect(split('[{"a":1},\n {"a": ]}, {"b": 2}]', size)[0]).toEqual(['{"a":1}', 1]);
  });

  test.each([1, 4, 1000])("outside an array a broken line loses itself alone, in pieces of %i", (size) => {
    const good = (line: number): [string, number] => [`{"n":${line}}`, line];
    const broken = (line: string, told: string): void =>
      expect(split(`{"n":1}\n${line}\n{"n":3}\n{"n":4}\n`, size)).toEqual([good(1), [told, 2], good(3), good(4)]);
    broken("oops", "unexpected 1: oops");
    broken('"text"', 'unexpected 1: "text"');
    broken('{"n": 2', 'document 1: {"n": 2');
    broken('{"n": 2,', 'document 1: {"n": 2,');
    broken('{"n": [1, 2}', 'bracket 12: {"n": [1, 2}');
    broken('{"n": [1, 2', 'document 1: {"n": [1, 2');
    broken('{"n": "two}', 'quote 7: {"n": "two}');
    broken('{"n": "two\\', 'quote 7: {"n": "two\\');
    broken('{"n": {"m": 2}', 'document 1: {"n": {"m": 2}');
    broken('  {"n": 2]', 'bracket 10: {"n": 2]');
    broken("}", "unexpected 1: }");
  });

  test.each([1, 4, 1000])("the first and the last line may be the broken one, in pieces of %i", (size) => {
    expect(split('{"a":\n{"a":[1\n{"a":2}\n{"b"', size)).toEqual([
      // A document may begin behind a colon; that it did not shows later.
      ['document 1: {"a":', 1],
      ['document 1: {"a":[1', 2],
      ['{"a":2}', 3],
      ['document 1: {"b"', 4],
    ]);
  });

  test.each([1, 4, 1000])("a broken document of many lines is lost until the next begins, in pieces of %i", (size) => {
    expect(split('{\n  "a": 1\n]\n"b": 2\n}\n{\n  "a": 2\n}', size)).toEqual([
      ['bracket 1: {\n  "a": 1\n]\n"b": 2\n}', 3],
      ['{\n  "a": 2\n}', 6],
    ]);
  });

  test("documents of many lines without indentation are no broken lines", () => {
    expect(split('{"a": [\n{"b": 1},\n{"b":\n{"c": 1}}\n]}\n{"d": 1}')).toEqual([
      ['{"a": [\n{"b": 1},\n{"b":\n{"c": 1}}\n]}', 1],
      ['{"d": 1}', 6],
    ]);
  });
});

describe("documents", () => {
  const parse = (text: string) => parsePiece({ text, line: 10, column: 5 });

  test("plain JSON, relaxed and canonical Extended JSON", () => {
    expect(parse('{"a":1,"b":[null,"x"]}')).toEqual({ a: 1, b: [null, "x"] });
    expect(parse('{"_id":{"$oid":"4c4b1476238d3b4dd5000001"},"n":{"$numberLong":"5"},"m":7}')).toEqual({
      _id: new ObjectId("4c4b1476238d3b4dd5000001"),
      n: Long.fromNumber(5),
      m: 7,
    });
    expect(parse('{"at":{"$date":"2024-05-01T00:00:00Z"}}')).toEqual({ at: new Date(Date.UTC(2024, 4, 1)) });
  });

  test("whole numbers beyond int32 are longs, not doubles", () => {
    expect(parse('{"n":5000000000}')).toEqual({ n: Long.fromNumber(5_000_000_000) });
  });

  test.each([
    ['{\n"a": 1,\n"b": oops\n}', 12, 6],
    ['{\n"a": [1,\n2,\n],\n"b": 2}', 13, 1],
    ['{"a": 1\n"b": 2}', 11, 1],
    ["{'a': 1, b c}", 10, 16],
    ['{"a": "line\nbreak"}', 10, 11],
    ['{"a":\n{"$oid": "no"}}', 11, 1],
  ])("a mistake in %j is at its own place", (text, line, column) => {
    try {
      parse(text);
      expect.unreachable();
    } catch (error) {
      expect([(error as LineError).line, (error as LineError).column]).toEqual([line, column]);
    }
  });
});
