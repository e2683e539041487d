import { readFileSync } from "node:fs";
import { test } from "vitest";
import { en as englishOperators } from "../messages/operators/en.ts";
import { zhHans as chineseOperators } from "../messages/operators/zh-hans.ts";
import { en as englishLines } from "../messages/reference/lines-en.ts";
import { zhHans as chineseLines } from "../messages/reference/lines-zh-hans.ts";
import { entriesOf, Sentences } from "./entries.ts";
import { findEntries } from "./search.ts";
const entries = entriesOf(readFileSync(new URL("../../../COMPAT.md", import.meta.url), "utf8"));
const english = new Sentences(englishOperators, englishLines);
const chinese = new Sentences(chineseOperators, chineseLines);
const found = (query: string) => findEntries(query, entries, (entry) => [english.of(entry), chinese.of(entry), `${entry.kind} operator`]).map(({ id }) => id);
test("x", () => {
  const ids = entries.map((e) => e.id);
  console.log(ids.filter((id) => /geo|near|2d|text|search|center|box|polygon|collstats|timeseries|index\/kind|max?distance|mindist|uniquedocs|language|weights|wildcard/i.test(id)).join(" "));
  for (const q of ["legacy","longitude","latitude","full text","full-text search","GeoJSON","地理","经度","纬度","全文","全文搜索","全文检索","search","$search","text search","time series","timeseries","时间序列","时序","stop words","relevance","score","stemming","coordinates","坐标","polygon","point","radius","circle","圆","半径","legacy coordinates","geospatial","geo","spherical","flat","km","kilometers","公里","nearby","关键词","搜索","停用词","相关度","metafield","granularity","bucket","iot","sensor","传感器","粒度","测量","atlas search","wildcard index","hashed","sparse","geo index","地理索引","坐标对","球面","平面","earth", "经纬度", "text index", "文本索引", "phrase", "短语", "language", "语言"]) console.log(q, "=>", found(q).slice(0,5).join(" "), found(q).length);
});
