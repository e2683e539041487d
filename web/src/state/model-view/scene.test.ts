/** The drawing of a model: rows and their texts, lines that end at their rows, labels apart, and its file. */
import { parseHTML } from "linkedom";
import { describe, expect, test } from "vitest";
import { chose, moved, noChoices } from "./choices.ts";
import type { FoundReference, Model, ModelCollection, ModelField } from "./model.ts";
import { pathOf, referenceKey } from "./model.ts";
import { sceneOf, textWidth, type SceneWords } from "./scene.ts";
import { escaped, svgOf } from "./svg-file.ts";
import type { BsonType } from "../values.ts";

const words: SceneWords = {
  number: String,
  documents: ({ count }) => `${count} documents`,
  more: (count) => `${count} more`,
  fewer: "fewer",
  nothing: "nothing",
};

const field = (path: string, type: BsonType, present = 10, lengths: ModelField["lengths"] = null): ModelField => {
  const steps = path.split(".");
  const name = steps.at(-1) as string;
  const types = [{ type, count: present }];
  return { steps, path: pathOf(steps), depth: steps.length - 1, name, present, of: 10, types, lengths };
};

const collection = (
  name: string,
  fields: readonly ModelField[],
  more: Partial<ModelCollection> = {},
): ModelCollection => ({
  name,
  kind: "collection",
  source: null,
  count: 10,
  documents: 10,
  isWhole: true,
  unique: ["_id"],
  validated: false,
  failure: null,
  omitted: 0,
  fields: [field("_id", "ObjectId"), ...fields],
  ...more,
});

const reference = (from: string, path: string, to: string): FoundReference => ({
  from,
  steps: path.split("."),
  path: pathOf(path.split(".")),
  to,
  key: "_id",
  byDbRef: false,
  looked: 10,
  matched: 9,
  isLikely: true,
  failure: null,
  cardinality: {
    kind: "one-to-few",
    children: { least: 0, median: 2, most: 9 },
    parents: { least: 1, median: 1, most: 1 },
    targets: 10,
    alone: 1,
    values: 9,
    uses: 20,
    dangling: 0,
    danglingUses: 0,
  },
});

const many = Array.from({ length: 60 }, (_, n) => field(`f${n}`, "String"));
const model: Model = {
  database: "shop",
  isSearched: true,
  untold: 0,
  collections: [
    collection("users", [field("name", "String", 3)]),
    collection("orders", [
      ...many,
      field("lines", "Array", 10, { least: 0, median: 1, most: 4 }),
      field("lines.[]", "Object"),
      field("lines.[].product", "ObjectId"),
      field("user", "ObjectId"),
    ]),
    collection("products", [field("parent", "ObjectId", 1)]),
    collection("paid", [], { kind: "view", source: "orders", unique: [] }),
    collection("nobody", [], { fields: [], count: 0 }),
  ],
  references: [
    reference("orders", "lines.[].product", "products"),
    reference("orders", "user", "users"),
    reference("products", "parent", "products"),
    { ...reference("users", "name", "products"), isLikely: false },
    reference("orders", "user", "dropped"),
  ],
};
const key = (at: number): string => referenceKey(model.references[at] as FoundReference);

describe("the scene", () => {
  const scene = sceneOf(model, noChoices, new Set(), words);
  const box = (name: string) => scene.boxes.find((one) => one.name === name) as (typeof scene.boxes)[number];

  test("rows tell types, shares and elements, and the fields of lines are among them", () => {
    expect(box("users").rows.map(({ name, type, share, isKey }) => [name, type, share, isKey])).toEqual([
      ["_id", "ObjectId", "", true],
      ["name", "String", "30 %", false],
    ]);
    const rows = box("orders").rows;
    expect(rows).toHaveLength(14);
    expect(rows.slice(-3).map(({ path, type, indent }) => [path, type, indent])).toEqual([
      ["lines", "[Object] 0–4", 0],
      ["lines[].product", "ObjectId", 12],
      ["user", "ObjectId", 0],
    ]);
    expect(box("orders").more).toBe("50 more");
    expect(box("nobody").more).toBe("nothing");
    const all = sceneOf(model, noChoices, new Set(["orders"]), words).boxes.find(({ name }) => name === "orders");
    expect([all?.rows.length, all?.more, all?.isExpanded]).toEqual([64, "fewer", true]);
  });

  test("lines begin and end at their rows", () => {
    expect(scene.lines.map(({ reference: { from, path, to } }) => `${from}.${path} ${to}`)).toEqual([
      "orders.lines[].product products",
      "orders.user users",
      "products.parent products",
    ]);
    const [first] = scene.lines;
    const orders = box("orders");
    const row = orders.rows.find(({ path }) => path === "lines[].product");
    const start = /^M(\S+) ([^C]+)C/.exec(first?.d ?? "");
    expect([Number(start?.[1]), Number(start?.[2])]).toEqual([orders.x, orders.y + (row?.y ?? 0) + 10]);
    const products = box("products");
    expect(first?.d.endsWith(` ${products.x + products.width} ${products.y + 46 + 10}`)).toBe(true);
    expect(first?.figures).toBe("1 : 0–9");
    expect(scene.views.map(({ from, to }) => [from, to])).toEqual([["paid", "orders"]]);
    for (const { x, y } of scene.boxes) expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
  });

  test("what is hidden is not drawn, what is confirmed is, and names and places stay", () => {
    let choices = chose(noChoices, key(0), { is: "hidden" });
    choices = chose(choices, key(3), { is: "confirmed" });
    choices = chose(choices, key(1), { name: "placed by" });
    choices = moved(choices, "users", { x: 900, y: 40 });
    const chosen = sceneOf(model, choices, new Set(), words);
    expect(chosen.lines.map(({ id, isConfirmed, name }) => [id, isConfirmed, name])).toEqual([
      [key(1), false, "placed by"],
      [key(2), false, ""],
      [key(3), true, ""],
    ]);
    const users = chosen.boxes.find(({ name }) => name === "users");
    expect([users?.x, users?.y, users?.wasMoved]).toEqual([900 + chosen.origin.x, 40 + chosen.origin.y, true]);
    // The figures change sides with the boxes.
    expect(chosen.lines[0]?.figures).toBe("0–9 : 1");
  });

  test("labels do not cover one another", () => {
    const crowd: Model = {
      ...model,
      references: Array.from({ length: 8 }, (_, n) => reference("orders", `f${n}`, "users")),
    };
    const labels = sceneOf(crowd, noChoices, new Set(), words).lines.map(({ label }) => label);
    for (const [index, one] of labels.entries())
      for (const other of labels.slice(index + 1))
        expect(Math.abs(one.y - other.y) >= 20 || Math.abs(one.x - other.x) >= one.width).toBe(true);
  });

  test("the width of a text counts Chinese characters whole", () => {
    expect(textWidth("ab", 16, 8)).toBe(16);
    expect(textWidth("集合", 16, 8)).toBe(32);
  });
});

describe("the file", () => {
  const title = 'a <b> & "c" \u0000\ud800';
  const text = svgOf(sceneOf(model, noChoices, new Set(), words), { language: "en", title, about: "drawn" });

  test("is one piece of XML with everything in it and nothing else to fetch", () => {
    const { document } = parseHTML(text.replace(/^<\?xml[^>]*>\n/, ""));
    expect(document.querySelector("svg")?.getAttribute("viewBox")).toMatch(/^0 0 \d/);
    expect(document.querySelector("title")?.textContent).toBe('a <b> & "c" ');
    expect(document.querySelectorAll(".box")).toHaveLength(5);
    expect(document.querySelectorAll(".line")).toHaveLength(3);
    expect(document.querySelectorAll(".source")).toHaveLength(1);
    expect(text).not.toMatch(/var\(|url\(|href|light-dark|<script/);
    expect(text).toMatch(/@media print/);
    expect(text).toMatch(/prefers-color-scheme:dark/);
  });

  test("texts are escaped", () => {
    expect(escaped('<&>"\u0008\uffff😀')).toBe("&lt;&amp;&gt;&quot;😀");
  });
});
