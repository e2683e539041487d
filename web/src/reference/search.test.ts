/** Entries are found by name, by sentence in either language, and by kind; addresses lead to them. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { en as englishOperators } from "../messages/operators/en.ts";
import { zhHans as chineseOperators } from "../messages/operators/zh-hans.ts";
import { en as englishLines } from "../messages/reference/lines-en.ts";
import { zhHans as chineseLines } from "../messages/reference/lines-zh-hans.ts";
import { entriesAt, entriesOf, Sentences } from "./entries.ts";
import { findEntries } from "./search.ts";

const entries = entriesOf(readFileSync(new URL("../../../COMPAT.md", import.meta.url), "utf8"));
const english = new Sentences(englishOperators, englishLines);
const chinese = new Sentences(chineseOperators, chineseLines);
const found = (query: string): readonly string[] =>
  findEntries(query, entries, (entry) => [english.of(entry), chinese.of(entry), `${entry.kind} operator`]).map(
    ({ id }) => id,
  );

test("a whole name comes first, with or without its dollar sign", () => {
  expect(found("$elemMatch").slice(0, 2)).toEqual(["query/$elemMatch", "projection/$elemMatch"]);
  expect(found("elemmatch").slice(0, 2)).toEqual(["query/$elemMatch", "projection/$elemMatch"]);
  expect(found("find")[0]).toBe("command/find");
  expect(found("insertMany")[0]).toBe("collection/db.collection.insertMany()");
});

test("words of a sentence find it, in either language", () => {
  expect(found("joins another collection")).toContain("stage/$lookup");
  expect(found("关联 数组字段")).toContain("stage/$lookup");
  expect(found("median stage")).toEqual([]);
  expect(found("first element window")).not.toContain("window/$rank");
});

test("an empty query finds all, in their order", () => {
  expect(found(" ")).toEqual(entries.map(({ id }) => id));
});

test("nothing is found by letters that merely follow one another in a sentence", () => {
  expect(found("xqzjk")).toEqual([]);
});

test("an address names an entry by kind and name, or all of a name", () => {
  const at = (wanted: string): readonly string[] => entriesAt(entries, wanted).map(({ id }) => id);
  expect(at("projection/$elemMatch")).toEqual(["projection/$elemMatch"]);
  expect(at("$elemmatch")).toEqual(["query/$elemMatch", "projection/$elemMatch"]);
  expect(at("insertOne")).toEqual(["collection/db.collection.insertOne()"]);
  expect(at("nosuch")).toEqual([]);
});
