/**
 * Every operator and method that completion offers is told in one line, in every language, and is found where it is
 * written.
 */
import { javascriptLanguage } from "@codemirror/lang-javascript";
import { describe, expect, test } from "vitest";
import { en } from "../../messages/operators/en.ts";
import { zhHans } from "../../messages/operators/zh-hans.ts";
import type { Script } from "./completion.ts";
import { methodSignatures } from "../../reference/method-signatures.ts";
import type { NameKind } from "../../messages/operators/texts.ts";
import { methodTables, nameAt, OperatorHelp, operatorHelp, operatorTables } from "./operator-help.ts";

const tables: Readonly<Record<NameKind, readonly string[]>> = { ...operatorTables, ...methodTables };
const kinds = Object.keys(tables) as NameKind[];

describe.each([
  ["English", en],
  ["Chinese", zhHans],
] as const)("the lines in %s", (_language, texts) => {
  const help = new OperatorHelp(texts);

  test.each(kinds)("tell every name of kind %s, and none that is not offered", (kind) => {
    expect(tables[kind].filter((name) => help.line(kind, name) === undefined)).toEqual([]);
    // A stage that the server puts into pipelines by itself is told, and not offered.
    const own = (name: string): boolean => name === "*" || name.startsWith("$_");
    expect(help.names(kind).filter((name) => !own(name) && !tables[kind].includes(name))).toEqual([]);
  });

  test.each(kinds)("are one each, sorted: %s", (kind) => {
    const written = texts[kind].trim().split("\n");
    expect(help.names(kind)).toHaveLength(written.length);
    expect(help.names(kind)).toEqual([...help.names(kind)].sort());
  });

  test("are short, and end as a sentence does", () => {
    for (const kind of kinds) {
      for (const name of help.names(kind)) {
        const line = help.line(kind, name) ?? "";
        expect(line, name).toMatch(texts === en ? /^[\x20-\x7e]{8,110}\.$/ : /^.{2,60}。$/u);
      }
    }
  });

  test("have a word for every kind", () => expect(Object.keys(texts.kinds)).toEqual(kinds));
});

test("Chinese lines are Chinese", () => {
  const help = new OperatorHelp(zhHans);
  for (const kind of kinds)
    for (const name of help.names(kind)) expect(help.line(kind, name), name).toMatch(/[\u4e00-\u9fff]{2}/);
});

test("a language's lines are fetched once", async () => {
  expect(operatorHelp("en")).toBe(operatorHelp("en"));
  expect((await operatorHelp("zh-Hans")).line("query", "$or")).toContain("条件");
});

/** The script in which `|` marks a place, as the editor reads it. */
const script = (marked: string): Script => {
  const text = marked.replace("|", "");
  return { text, tree: javascriptLanguage.parser.parse(text) };
};

describe("nameAt", () => {
  const at = (marked: string) => nameAt(script(marked), marked.indexOf("|"));
  test.each([
    ["db.a.find({ n: { $g|t: 1 } })", "$gt", "query"],
    ["db.a.find({ n: { |$gt: 1 } })", "$gt", "query"],
    ["db.a.find({ n: { '$g|t' : 1 } })", "$gt", "query"],
    ["db.a.updateOne({}, { $s|et: { n: 1 } })", "$set", "update"],
    ["db.a.aggregate([{ $s|et: { n: 1 } }])", "$set", "stage"],
    ["db.a.aggregate([{ $group: { _id: 1, n: { $fir|st: '$n' } } }])", "$first", "accumulator"],
    ["db.a.aggregate([{ $project: { n: { $fir|st: '$n' } } }])", "$first", "expression"],
    ["const filter = { $o|r: [] }", "$or", undefined],
    ["db.cre|ateView('a', 'b', [])", "createView", "database"],
    ["db.a.fi|nd({})", "find", "collection"],
    ["db.a.find({}).so|rt({})", "sort", "cursor"],
    ["db.a.find({})\n  .so|rt({})", "sort", "cursor"],
    ["db.a.explain().fi|nd({})", "find", "explain"],
  ] as const)("%s", (marked, name, kind) => {
    const from = marked.replace("|", "").indexOf(name);
    expect(at(marked)).toEqual({ from: from, to: from + name.length, name, kind });
  });

  test.each([
    "db.a.find({ n: |1 })",
    "db.a.aggregate([{ $group: { _id: '$si|ze' } }])",
    "print('{ $g|t: 1 }')",
    "// { $g|t: 1 }",
    "let $|x = 1",
    "x.fi|nd(1)",
    "db.a.fi|nd",
    "db.a.nosu|ch()",
  ])("nothing in %s", (marked) => expect(at(marked)).toBeNull());
});

describe("what an operator is told as", () => {
  const help = new OperatorHelp(en);
  const kindsOf = (name: string, kind?: NameKind) => help.lines({ name, kind }).map((line) => line.kind);
  test("what it is where it stands", () => expect(kindsOf("$set", "stage")).toEqual(["stage"]));
  test("a window's accumulator is one of a window", () => expect(kindsOf("$sum", "window")).toEqual(["window"]));
  test("all it can be where nothing tells", () => expect(kindsOf("$set")).toEqual(["update", "stage"]));
  test("what it can be elsewhere, if it is nothing here", () =>
    expect(kindsOf("$concat", "update")).toEqual(["expression"]));
  test("nothing for a name that is none", () => expect(kindsOf("$nosuch")).toEqual([]));
  test("how it is written, and an example", () =>
    expect(help.lines({ name: "$gt", kind: "query" })[0]).toMatchObject({
      syntax: "{ $gt: value }",
      example: "{ $gt: 18 }",
    }));
});

test("every method is told with what it is given, and none that is not offered", () => {
  for (const kind of ["database", "collection", "cursor"] as const)
    expect([...methodSignatures[kind].keys()], kind).toEqual(methodTables[kind]);
  expect(methodTables.explain.filter((name) => !methodSignatures.collection.has(name))).toEqual([]);
  const help = new OperatorHelp(en);
  expect(help.lines({ name: "limit", kind: "cursor" })[0]?.title).toBe("limit(count)");
  expect(help.lines({ name: "distinct", kind: "explain" })[0]).toMatchObject({
    title: "distinct(field, filter?, options?)",
    example: 'db.teas.explain().distinct("type", { price: { $gt: 5 } })',
  });
});
