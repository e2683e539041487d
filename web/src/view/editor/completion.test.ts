/**
 * Completion offers what can stand at the cursor, marked `|`.
 */
import { describe, expect, test } from "vitest";
import { wantedAt } from "./completion.ts";
import * as tables from "./shell-words.ts";

const at = (marked: string) => wantedAt(marked.replace("|", ""), marked.indexOf("|"));

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
    ["db.users.aggregate([{ $group: { _id: \"$co|", "field-path", "users"],
    ["x.|", "none", null],
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
    ["db.a.find({ n: { $g|", tables.queryOperators],
    ["db.a.updateOne({ $|", tables.queryOperators],
    ["db.a.updateOne({ _id: 1 }, { $|", tables.updateOperators],
    ["db.a.updateMany({ n: { $gt: 1, $lt: 3 } }, { $set: { n: 1 }, $|", tables.updateOperators],
    ["db.a.aggregate([{ $|", tables.stages],
    ["db.a.aggregate([{ $match: {} }, { $|", tables.stages],
    ["db.a.aggregate([{ $group: { _id: null, n: { $|", tables.expressionOperators],
    ["db.a.insertOne({ $|", []],
  ])("%s has its operators", (text, operators) => expect(at(text).operators).toEqual(operators));
});

test("the tables are sorted, so that a missing name is seen", () => {
  for (const [name, table] of Object.entries(tables)) expect([...table].sort(), name).toEqual(table);
});
