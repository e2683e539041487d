/**
 * Completion offers the names that can stand at the cursor, marked `|`.
 */
import { javascriptLanguage } from "@codemirror/lang-javascript";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { wantedAt, type Script } from "./completion.ts";
import * as tables from "./shell-words.ts";

/** The script in which `|` marks a place, as the editor reads it. */
const script = (marked: string): Script => {
  const text = marked.replace("|", "");
  return { text, tree: javascriptLanguage.parser.parse(text) };
};
const at = (marked: string) => wantedAt(script(marked), marked.indexOf("|"));

describe("wantedAt", () => {
  test.each([
    ["db.|", "database", null],
    ["db.use|", "database", null],
    ["db.users.|", "collection", "users"],
    ["db.users.fin|", "collection", "users"],
    ["db.system.indexes.|", "collection", "system.indexes"],
    ["db.getCollection('my log').|", "collection", "my log"],
    ["db['my log'].|", "collection", "my log"],
    ["db.users.find({ a: 1 }).|", "cursor", null],
    ["db.users.find({ a: { $in: [1, 2] } }).sort({ a: 1 }).li|", "cursor", null],
    ["db.users.explain().|", "explain", null],
    ["db.getSiblingDB('cms').|", "database", null],
    ["Math.max(1, 2).|", "none", null],
    ["let a = Obj|", "global", null],
    ["print('db.|')", "none", null],
    ["// db.|", "none", null],
    ["db.users.find({ |", "key", "users"],
    ["db.users.find({ a: 1, na|", "key", "users"],
    ['db.users.aggregate([{ $group: { _id: "$co|', "field-path", "users"],
    ["x.|", "none", null],
    ["use shop\ndb.users.find({ |", "key", "users"],
    ["db.users.|\ndb.teas.find({})", "collection", "users"],
    ["db.users.find({ // by name\n na|", "key", "users"],
    ["db.users.find({ // by name\n |", "key", "users"],
    ["db.users.find({ n: [1, na|", "global", null],
    ["db.users.find({}).forEach((user) => { pri|", "global", null],
    ["db.users.find({ _id: db.teas.findOne({ |", "key", "teas"],
    ["`${db.|}`", "database", null],
    ["`db.|", "none", null],
    ["/* db.|", "none", null],
    ["'a'.|", "none", null],
    ['db.users.find({});\nconst stages = [{ $group: { _id: "$co|', "field-path", "users"],
    ['db.users.aggregate([{ $group: { _id: "$co|" } }])', "field-path", "users"],
  ] as const)("%s", (text, kind, collection) => {
    const wanted = at(text);
    expect(wanted.kind).toBe(kind);
    expect(wanted.collection).toBe(collection);
  });

  test("a half-written name is replaced from its beginning", () => {
    expect(at("db.users.fin|").from).toBe("db.users.".length);
    expect(at('db.a.aggregate([{ $group: { _id: "$co|').from).toBe('db.a.aggregate([{ $group: { _id: "$'.length);
  });

  test.each([
    ["db.a.find({ n: { $g|", tables.fieldOperators],
    ["db.a.updateOne({ $|", tables.filterOperators],
    ["db.a.updateOne({ _id: 1 }, { $|", tables.topUpdateOperators],
    ["db.a.updateMany({ n: { $gt: 1, $lt: 3 } }, { $set: { n: 1 }, $|", tables.topUpdateOperators],
    ["db.a.aggregate([{ $|", tables.stages],
    ["db.a.aggregate([{ $match: {} }, { $|", tables.stages],
    ["db.a.aggregate([{ $group: { _id: null, n: { $|", tables.accumulators],
    ["db.a.aggregate([{ $group: { _id: { $|", tables.expressionOperators],
    ["db.a.aggregate([{ $group: { _id: null, n: { $sum: { $|", tables.expressionOperators],
    ["db.a.aggregate([{ $bucket: { groupBy: '$n', output: { n: { $|", tables.accumulators],
    ["db.a.aggregate([{ $setWindowFields: { output: { n: { $|", tables.windowOperators],
    ["db.a.aggregate([{ $setWindowFields: { partitionBy: { $|", tables.expressionOperators],
    ["db.a.aggregate([{ $facet: { n: [{ $|", tables.stages],
    ["db.a.aggregate([{ $facet: { n: [{ $match: { n: { $|", tables.fieldOperators],
    ["db.a.aggregate([{ $facet: { n: [{ $match: {} }, { $|", tables.stages],
    ["db.a.aggregate([{ $match: { $or: [{ n: 1 }, { $|", tables.filterOperators],
    ["db.a.updateOne({ n: { $gt: 1 } }, { $| }, { upsert: true })", tables.topUpdateOperators],
    ["db.a.aggregate([{ $lookup: { from: 'b', pipeline: [{ $match: { $expr: { $|", tables.expressionOperators],
    ["db.a.aggregate([{ $lookup: { from: 'b', pipeline: [{ $|", tables.stages],
    ["db.a.aggregate([{ $project: { n: { $|", tables.expressionOperators],
    ["db.a.insertOne({ $|", []],
    ["db.a.find({ $|", tables.filterOperators],
    ["db.a.find({ $and: [{ n: { $not: { $|", tables.fieldOperators],
    ["db.a.find({ items: { $elemMatch: { $|", tables.queryOperators],
    ["db.a.find({ $expr: { $|", tables.expressionOperators],
    ["db.a.find({}, { n: { $|", tables.projectionOperators],
    ["db.a.updateOne({}, { $push: { n: { $|", tables.pushModifiers],
    ["db.a.updateOne({}, { $addToSet: { n: { $|", tables.setModifiers],
    ["db.a.updateOne({}, { $pull: { n: { $|", tables.queryOperators],
    ["db.a.updateOne({}, [{ $|", tables.updateStages],
    ["db.a.updateOne({}, [{ $set: { n: { $|", tables.expressionOperators],
    ["db.a.findAndModify({ query: { n: { $|", tables.fieldOperators],
    ["db.a.findAndModify({ query: {}, update: { $|", tables.topUpdateOperators],
    ["db.a.bulkWrite([{ updateOne: { filter: { n: { $|", tables.fieldOperators],
    ["db.a.createIndex({ n: 1 }, { partialFilterExpression: { n: { $|", tables.fieldOperators],
    ["db.createView('v', 'a', [{ $|", tables.stages],
    ["db.aggregate([{ $|", tables.stages],
    ["db.a.explain().find({ n: { $|", tables.fieldOperators],
    ["const stages = [{ $match: {} }, { $group: { n: { $|", tables.accumulators],
    ["const other = [{ a: 1 }, { n: { $|", []],
  ])("%s has its operators", (text, operators) => expect(at(text).operators).toEqual(operators));
});

describe("a key", () => {
  /** The offers at a place as one text: fields below a path, and fixed names. */
  const told = (marked: string): string => {
    const { kind, collection, fields, path, options, quoted } = at(marked);
    const parts = [kind, collection ?? "-", fields ? `fields of ${path === "" ? "it" : path}` : "", options.join(",")];
    return [...parts.filter((part) => part !== ""), ...(quoted ? ["quoted"] : [])].join(" ");
  };
  test.each([
    ["db.a.find({ |", "key a fields of it"],
    ['db.a.find({ "ad|" })', "key a fields of it quoted"],
    ['db.a.find({ "address.ci|", n: 1 })', "key a fields of it quoted"],
    ["db.a.find({ 'ad|", "key a fields of it quoted"],
    ["db.a.find({ address: { ci|", "key a fields of address"],
    ["db.a.find({ items: { $elemMatch: { sk|", "key a fields of items"],
    ['db.a.find({ "x.items": { $elemMatch: { $or: [{ sk|', "key a fields of x.items"],
    ["db.a.find({}, { na|", "key a fields of it"],
    ["db.a.find({}).sort({ na|", "key a fields of it"],
    ["db.a.createIndex({ na|", "key a fields of it"],
    [
      "db.a.createIndex({ n: 1 }, { un|",
      "key a unique,name,sparse,expireAfterSeconds,partialFilterExpression,hidden," + "collation,wildcardProjection",
    ],
    ["db.a.updateOne({}, { $set: { na|", "key a fields of it"],
    ["db.a.updateOne({}, { $pull: { items: { sk|", "key a fields of items"],
    ["db.a.insertOne({ na|", "key a fields of it"],
    ["db.a.aggregate([{ $match: { na|", "key a fields of it"],
    ["db.a.aggregate([{ $project: { address: { ci|", "key a fields of address"],
    ["db.a.aggregate([{ $group: { |", "key a _id"],
    ["db.a.aggregate([{ $lookup: { fr|", "key a from,localField,foreignField,let,pipeline,as"],
    ["db.a.aggregate([{ $lookup: { from: 'b', pipeline: [{ $match: { na|", "key b fields of it"],
    ["db.a.aggregate([{ $lookup: { from: 'b', foreignField: '|", "field b quoted"],
    ["db.a.aggregate([{ $lookup: { from: 'b', localField: '|' } }])", "field a quoted"],
    ["db.a.aggregate([{ $lookup: { from: '|", "collection-name - quoted"],
    ["db.a.aggregate([{ $unset: ['|", "field a quoted"],
    ["db.a.aggregate([{ $unionWith: { coll: 'b', pipeline: [{ $sort: { na|", "key b fields of it"],
    ["db.a.distinct('|')", "field a quoted"],
    ["db.getCollection('|", "collection-name - quoted"],
    ["db['|", "collection-name - quoted"],
    ["db.getSiblingDB('|", "database-name - quoted"],
    ["use sh|", "database-name -"],
    ["db.a.aggregate([|", "stage a"],
    ["db.a.aggregate([{ $match: {} }, gr|])", "stage a"],
    ["db.a.aggregate([{ $facet: { x: [|] } }])", "stage a"],
    ["db.a.find({ n: '|", "none - quoted"],
    ["db.a.find({ n: '$|' })", "none - quoted"],
    ["db.a.find({ $expr: { $gt: ['$|', 1] } })", "field-path a quoted"],
    ["db.a.aggregate([{ $unwind: '$it|' }])", "field-path a quoted"],
    ["db.a.aggregate([{ $addFields: { n: '$it|' } }])", "field-path a quoted"],
  ])("%s", (marked, expected) => expect(told(marked)).toBe(expected));

  test("knows the stages that its documents went through", () => {
    const stages = (marked: string): string => JSON.stringify(at(marked).stages);
    expect(stages("db.a.aggregate([{ $unwind: '$x' }, { $match: { |")).toBe('[{"$unwind":"$x"}]');
    expect(stages("db.a.aggregate([{ $unwind: '$x' }, { $facet: { y: [{ $count: 'n' }, { $match: { |")).toBe(
      '[{"$unwind":"$x"},{"$count":"n"}]',
    );
    expect(stages("db.a.aggregate([{ $count: 'n' }, { $lookup: { from: 'b', pipeline: [{ $match: { |")).toBe("[]");
    expect(stages('db.a.aggregate([{ $group: { _id: "$x", n: { $sum: -1 } } }, { $sort: { "|" } }])')).toBe(
      '[{"$group":{"_id":"$x","n":{"$sum":-1}}}]',
    );
  });
});

test("what is offered is never refused: each name is in COMPAT.md and not absent there", () => {
  const compat = readFileSync(new URL("../../../../COMPAT.md", import.meta.url), "utf8");
  const had = (...sections: readonly string[]): ReadonlySet<string> =>
    new Set(
      sections.flatMap((section) =>
        [
          ...(compat.split(`\n## ${section}\n`)[1]?.split("\n## ")[0] ?? "").matchAll(
            /^\| `(\$\w+)` \| (supported|partial) \|/gm,
          ),
        ].map((row) => row[1] ?? ""),
      ),
    );
  const offered: readonly (readonly [readonly string[], ReadonlySet<string>])[] = [
    [tables.queryOperators, had("Query operators")],
    [tables.updateOperators, had("Update operators")],
    [tables.stages, had("Stages")],
    [tables.accumulators, had("Accumulators")],
    [tables.windowOperators, had("Accumulators", "Window operators")],
    [tables.expressionOperators, had("Expressions")],
  ];
  for (const [names, known] of offered) {
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  }
});

test("the tables are sorted, so that a missing name is seen", () => {
  for (const [name, table] of Object.entries(tables)) expect([...table].sort(), name).toEqual(table);
});
