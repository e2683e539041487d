/** The list of completion at a place: names with their kinds, in the order that the field's type gives. */
import { javascriptLanguage } from "@codemirror/lang-javascript";
import { describe, expect, test } from "vitest";
import { en } from "../../messages/operators/en.ts";
import type { Field } from "../../state/fields.ts";
import { wantedAt } from "./completion.ts";
import { methodTemplate } from "../../reference/method-signatures.ts";
import { optionsFor, rank, type Known } from "./offering.ts";
import { OperatorHelp } from "./operator-help.ts";

const fields: Readonly<Record<string, readonly Field[]>> = {
  teas: [
    { path: "name", types: ["String"] },
    { path: "address", types: ["Object"] },
    { path: "address.city", types: ["String", "Null"] },
    { path: "tags", types: ["Array"] },
    { path: "items", types: ["Array"] },
    { path: "items.sku", types: ["Int32"] },
  ],
  makers: [{ path: "town", types: ["String"] }],
};
const known: Known = {
  database: "test",
  databases: async () => [
    { summary: { name: "test" }, collections: ["teas", "my-log", "shop.log"].map((name) => ({ name, count: 3 })) },
    { summary: { name: "cms" }, collections: [] },
  ],
  help: new OperatorHelp(en),
  number: String,
  fields: async (collection) => fields[collection] ?? [],
};
const offered = async (marked: string) => {
  const text = marked.replace("|", "");
  return optionsFor(wantedAt({ text, tree: javascriptLanguage.parser.parse(text) }, marked.indexOf("|")), known);
};
const named = async (marked: string, kind: string): Promise<string> =>
  (await offered(marked))
    .filter(({ type }) => type === kind)
    .map(({ label }) => label)
    .join(" ");

describe("names by place", () => {
  test.each([
    ["db.|", "collection", "teas shop.log"],
    ["db.getCollection('|')", "collection", "teas my-log shop.log"],
    ["use |", "database", "test cms"],
    ["db.teas.find({ |", "field", "name address address.city tags items items.sku"],
    ["db.teas.find({ items: { $elemMatch: { |", "field", "sku"],
    ["db.teas.find({ address: { |", "field", "city"],
    ["db.teas.aggregate([{ $group: { _id: '$name', n: { $sum: 1 } } }, { $sort: { |", "field", "_id n"],
    ["db.teas.aggregate([{ $unwind: '$items' }, { $replaceWith: '$items' }, { $match: { |", "field", "sku"],
    [
      "db.teas.aggregate([{ $lookup: { from: 'makers', as: 'by', localField: 'name', foreignField: 'town' } }, " +
        "{ $project: { 'by.|",
      "field",
      "name address address.city tags items items.sku by by.town",
    ],
    ["db.teas.aggregate([{ $count: 'n' }, { $match: { $expr: { $gt: ['$|", "field", "n"],
    ["db.teas.aggregate([{ $lookup: { from: 'makers', foreignField: '|", "field", "town"],
    ["db.teas.find({ |", "operator", "$and $comment $expr $jsonSchema $nor $or $sampleRate $text $where"],
    ["db.teas.updateOne({}, { $push: { tags: { |", "operator", "$each $position $slice $sort"],
    ["db.teas.updateOne({}, [{ |", "stage", "$addFields $project $replaceRoot $replaceWith $set $unset"],
  ])("%s %s", async (marked, kind, names) => expect(await named(marked, kind)).toBe(names));

  test("show lists what the shell can show", async () => {
    expect(await named("show |", "word")).toBe("collections databases dbs log logs profile roles tables users");
    expect(await named("x = 1\n  show co|", "word")).toContain("collections");
  });

  test("a pipeline's brackets get whole stages", async () => {
    expect(await named("db.teas.aggregate([|", "snippet")).toContain("$group $indexStats $limit");
  });
  test("a field shows its types, and is quoted where it has to be", async () => {
    const [found] = (await offered("db.teas.find({ |")).filter(({ label }) => label === "address.city");
    expect(found).toMatchObject({ detail: "String | Null", apply: '"address.city"' });
    const [quoted] = (await offered("db.teas.find({ 'ad|' })")).filter(({ label }) => label === "address.city");
    expect(quoted).toMatchObject({ apply: "address.city" });
  });
});

test("operators that a field's type can answer go first, the others last", async () => {
  const boosts = async (marked: string) =>
    Object.fromEntries((await offered(marked)).map(({ label, boost }) => [label, boost]));
  expect(await boosts("db.teas.find({ tags: { |")).toMatchObject({ $size: 1, $gt: 0, $mod: 0 });
  expect(await boosts("db.teas.find({ name: { |")).toMatchObject({ $regex: 1, $size: -40, $mod: -40 });
  expect(await boosts("db.teas.find({ price: { |")).toMatchObject({ $gt: 0, $mod: 0, $bitsAllSet: -2 });
  expect(await boosts("db.teas.aggregate([{ $gr|")).toMatchObject({ $group: 1, $graphLookup: 0 });
  expect(rank("$regex", ["Null"])).toBe(0);
  expect(rank("$regex", [])).toBe(0);
});

test("a method is begun with what it has to be given", () => {
  expect(methodTemplate("find", "(filter?, projection?, options?)")).toBe("find({ ${} })");
  expect(methodTemplate("updateOne", "(filter, update, options?)")).toBe("updateOne({ ${} }, { ${} })");
  expect(methodTemplate("insertMany", "([document, …], options?)")).toBe("insertMany([{ ${} }])");
  expect(methodTemplate("findAndModify", "({ query, update, … })")).toBe(
    "findAndModify({ query: { ${} }, update: { ${} } })",
  );
  expect(methodTemplate("toArray", "()")).toBe("toArray()");
  expect(methodTemplate("explain", "(verbosity?)")).toBe("explain(${})");
  expect(methodTemplate("limit", "(count)")).toBe("limit(${})");
});
