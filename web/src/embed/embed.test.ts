/**
 * The pure parts of the elements: attributes, code blocks, colours.
 */
import { describe, expect, test } from "vitest";
import { growth } from "../../test/growth.ts";
import { cssLength, flag, oneOf, readIds, readReference, snippetViews } from "./attributes.ts";
import { parts } from "./highlight.ts";
import { tidy } from "./source.ts";
import { wordsFor } from "./words.ts";

describe("attributes", () => {
  test("a view that is none is the default", () => {
    expect([oneOf(null, snippetViews), oneOf("TREE ", snippetViews), oneOf("cube", snippetViews)]).toEqual([
      "text",
      "tree",
      "text",
    ]);
  });
  test("flags are on when present, but for the word false", () => {
    expect([flag(null, false), flag(null, true), flag("", false), flag("true", false), flag("False", true)]).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
  });
  test("a plain number is pixels", () => {
    expect([cssLength("240"), cssLength("12rem"), cssLength(null)]).toEqual(["240px", "12rem", ""]);
  });
  test.each([
    ["herbs", "id"],
    ["herb-garden_2", "id"],
    ["#herbs", "selector"],
    [".setup", "selector"],
    ["db.herbs.drop()", "script"],
    ["db.a.drop(); db.a.insertOne({ n: 1 })", "script"],
    ["use garden", "script"],
  ])("setup %s is the %s", (text, kind) => expect(readReference(text)).toEqual({ kind, text }));
  test("depends-on is a list of ids", () => {
    expect(readIds(" #one two,three ")).toEqual(["one", "two", "three"]);
    expect(readIds(null)).toEqual([]);
  });
});

describe("a code block", () => {
  test("loses its indentation and its outer lines", () => {
    expect(tidy("\n    db.a.find({\n      n: 1,\n\n    })\r\n  ")).toBe("db.a.find({\n  n: 1,\n\n})");
    expect(tidy("  \n ")).toBe("");
  });
});

describe("colours", () => {
  const kinds = (text: string): string =>
    parts(text)
      .filter(([, kind]) => kind !== null)
      .map(([part, kind]) => `${kind ?? ""}:${part}`)
      .join(" ");
  test.each([
    ["db.a.find({ n: { $gt: 12.5 } }) // all", "call:find number:12.5 comment:// all"],
    ["const x = 'it\\'s' + \"a // b\"", "keyword:const string:'it\\'s' string:\"a // b\""],
    ["db.a.find({ s: /a\\/[/]b/i, t: a / b / c })", "call:find string:/a\\/[/]b/i"],
    ["`two\nlines`", "string:`two\nlines`"],
    ["/* open", "comment:/* open"],
    ["{ default: true, of: null }", "word:true word:null"],
    ["use garden", "keyword:use"],
    ["db.in2.x", ""],
    ["author_1_date_-1, x_-25", ""],
    ["[-1, a-1, {n:-2}]", "number:1 number:1 number:2"],
  ])("%s", (text, expected) => {
    expect(kinds(text)).toBe(expected);
    expect(
      parts(text)
        .map(([part]) => part)
        .join(""),
    ).toBe(text);
  });
  test("take no long time over a long line", () => {
    for (const line of [
      (n: number) => "/".repeat(n),
      (n: number) => `${"(".repeat(n)}/`,
      (n: number) => "'".repeat(n + 1),
      (n: number) => " ".repeat(n),
    ]) {
      expect(
        growth(1000, (n) => void parts(line(n))),
        line(5),
      ).toBeLessThan(40);
    }
  });
});

describe("words", () => {
  test.each([
    ["en-GB", "Run"],
    ["zh", "运行"],
    ["zh-Hans-CN", "运行"],
    ["zh-TW", "Run"],
    ["", "Run"],
  ])("%s", (language, word) => expect(wordsFor(language).run).toBe(word));
  test("Chinese words are Chinese", () => {
    const { json, ...chinese } = wordsFor("zh-Hans");
    expect(json).toBe("JSON");
    for (const [key, message] of Object.entries(chinese)) {
      const text = typeof message === "string" ? message : (message as (...words: unknown[]) => string)("1", "2");
      expect(/[\u4e00-\u9fff]/.test(text), `${key}: ${text}`).toBe(true);
    }
  });
});
