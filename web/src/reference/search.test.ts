/** Entries are found by name, by sentence in either language, and by kind; addresses lead to them. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { en as englishOperators } from "../messages/operators/en.ts";
import { zhHans as chineseOperators } from "../messages/operators/zh-hans.ts";
import { en as englishLines } from "../messages/reference/lines-en.ts";
import { zhHans as chineseLines } from "../messages/reference/lines-zh-hans.ts";
import { entriesAt, entriesOf, operatorNamed, Sentences } from "./entries.ts";
import { findEntries } from "./search.ts";
import { answers } from "./synonyms.ts";

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

/** What learners ask, as many questions in each language, and the entry that answers. */
const QUESTIONS: Readonly<Record<string, string>> = {
  "group by": "stage/$group",
  increment: "update/$inc",
  ttl: "index/expireAfterSeconds",
  "array contains": "query/$all",
  pagination: "cursor/cursor.limit()",
  "unique index": "index/unique",
  "capped collection": "option/capped",
  "left join": "stage/$lookup",
  "order by": "cursor/cursor.sort()",
  "distinct values": "collection/db.collection.distinct()",
  "rename field": "update/$rename",
  "if else": "expression/$cond",
  "time zone": "expression/$dateToString",
  "case insensitive": "option/collation",
  "running total": "stage/$setWindowFields",
  "append to array": "update/$push",
  "slow query": "collection/db.collection.explain()",
  "create if missing": "update/upsert",
  "auto increment": "collection/db.collection.findOneAndUpdate()",
  "how to remove field": "update/$unset",
  geospatial: "query/$geoWithin",
  longitude: "index/kind:2dsphere",
  GeoJSON: "index/kind:2dsphere",
  legacy: "index/kind:2d",
  "full text": "query/$text",
  search: "query/$text",
  "time series": "option/timeseries",
  分组: "stage/$group",
  唯一索引: "index/unique",
  分页: "cursor/cursor.limit()",
  固定集合: "option/capped",
  自增: "update/$inc",
  过期: "index/expireAfterSeconds",
  数组包含: "query/$all",
  联表: "stage/$lookup",
  排序: "cursor/cursor.sort()",
  去重: "collection/db.collection.distinct()",
  模糊查询: "query/$regex",
  字段改名: "update/$rename",
  条件判断: "expression/$cond",
  时区: "expression/$dateToString",
  不区分大小写: "option/collation",
  批量插入: "collection/db.collection.bulkWrite()",
  执行计划: "collection/db.collection.explain()",
  平均值: "accumulator/$avg",
  清空集合: "collection/db.collection.deleteMany()",
  怎样删除字段: "update/$unset",
  地理: "query/$geoWithin",
  经度: "index/kind:2dsphere",
  坐标: "index/kind:2dsphere",
  传统坐标: "index/kind:2d",
  全文: "query/$text",
  搜索关键词: "query/$text",
  时间序列: "option/timeseries",
};

test("learners' questions are answered first, as many in each language", () => {
  const asked = Object.keys(QUESTIONS);
  expect(asked.filter((question) => /\p{Script=Han}/u.test(question)).length).toBe(27);
  expect(asked.length).toBe(54);
  expect(Object.fromEntries(asked.map((question) => [question, found(question)[0]]))).toEqual(QUESTIONS);
});

test("a question about places leads to their operators and to both kinds of index", () => {
  for (const query of ["GeoJSON", "longitude", "经纬度"])
    expect(found(query).slice(0, 4), query).toEqual(
      expect.arrayContaining(["index/kind:2dsphere", "query/$near", "query/$geoWithin", "query/$geoIntersects"]),
    );
  for (const query of ["geospatial index", "地理索引"])
    expect(found(query).slice(0, 2), query).toEqual(["index/kind:2dsphere", "index/kind:2d"]);
});

test("the stage that is not here comes first by its name, and the operator that searches next", () => {
  expect(found("$search").slice(0, 2)).toEqual(["stage/$search", "query/$text"]);
});

test("every entry that a question leads to is there, and a question stands once", () => {
  const ids = new Set(entries.map(({ id }) => id));
  expect([...answers.values()].flat().filter((id) => !ids.has(id))).toEqual([]);
  const asked = readFileSync(new URL("./synonyms.ts", import.meta.url), "utf8")
    .split("LINES = `")[1]
    ?.split("`;")[0]
    ?.trim()
    .split("\n")
    .flatMap((line) => line.slice(0, line.lastIndexOf(": ")).split(" | "));
  expect(asked?.filter((question, at) => asked.indexOf(question) !== at)).toEqual([]);
});

test("an empty query finds all, in their order", () => {
  expect(found(" ")).toEqual(entries.map(({ id }) => id));
});

test("nothing is found by letters that merely follow one another in a sentence", () => {
  expect(found("xqzjk")).toEqual([]);
});

test("a note's code leads to the one operator that it names", () => {
  const [own] = entriesAt(entries, "stage/$search");
  const named = (code: string): string | undefined => own && operatorNamed(entries, code, own)?.id;
  expect(own?.note).toContain("`$text`");
  // Two kinds of operator are called `$set`, and an option is no operator.
  expect(["$text", "$search", "$set", "timeseries"].map(named)).toEqual(["query/$text", ...Array(3).fill(undefined)]);
});

test("an address names an entry by kind and name, or all of a name", () => {
  const at = (wanted: string): readonly string[] => entriesAt(entries, wanted).map(({ id }) => id);
  expect(at("projection/$elemMatch")).toEqual(["projection/$elemMatch"]);
  expect(at("$elemmatch")).toEqual(["query/$elemMatch", "projection/$elemMatch"]);
  expect(at("insertOne")).toEqual(["collection/db.collection.insertOne()"]);
  expect(at("nosuch")).toEqual([]);
});
