/** A pipeline is read from a script and changed by its stages; read again, it has the changes. */
import { describe, expect, test } from "vitest";
import {
  addStage,
  duplicateStage,
  editStage,
  enableStage,
  moveStage,
  removeStage,
  type PipelineText,
  type TextChange,
} from "../state/pipeline/edit.ts";
import { follow } from "../state/pipeline/follow.ts";
import { operatorOf, pipelineAt, Refused, stageDocument, stageFault } from "./pipeline.ts";

const found = (source: string, at = source.indexOf("aggregate")): PipelineText => {
  const pipeline = pipelineAt(source, at, "test");
  if (typeof pipeline === "string") throw new Error(pipeline);
  return pipeline;
};
const apply = (source: string, change: TextChange | null): string =>
  change === null ? source : source.slice(0, change.from) + change.insert + source.slice(change.to);
/** Stages as a reader sees them, disabled ones in brackets. */
const stages = (source: string): string =>
  found(source)
    .stages.map(({ text, enabled }) => (enabled ? text : `(${text})`))
    .join(" ");

const tall = `use shop
db.teas.aggregate([
  // only what is sold
  { $match: { sold: true } },
  { $sort: { price: 1 } }, // cheap ones first
  /* { $limit: 3 }, */
  { $project: { name: 1 } },
])`;
const flat = "x = db.teas.aggregate([{ $match: {} }, { $sort: { a: 1 } }]).toArray()";

describe("a pipeline is found", () => {
  test("with its collection and database, by the cursor", () => {
    expect(found(tall)).toMatchObject({ database: "shop", collection: "teas", indent: "" });
    expect(found("db.getSiblingDB('a').getCollection('b-c').aggregate([])")).toMatchObject({
      database: "a",
      collection: "b-c",
    });
    expect(found("db.aggregate([{ $documents: [] }])").collection).toBeNull();
    expect(found("db[name].aggregate([])").collection).toBeUndefined();
    expect(found("db.teas.explain().aggregate([])").collection).toBe("teas");
  });
  test("the innermost around the cursor, or that of its statement", () => {
    const two = "db.a.aggregate([])\ndb.b.aggregate([])";
    expect(found(two, two.length - 2).collection).toBe("b");
    expect(found("const r = db.a.aggregate([])", 2).collection).toBe("a");
    expect(pipelineAt("db.a.find({})\n", 3, "test")).toBe("none");
    expect(pipelineAt("db.a.aggregate([{)", 3, "test")).toBe("syntax");
  });
  test.each([
    [tall, "{ $match: { sold: true } } { $sort: { price: 1 } } ({ $limit: 3 }) { $project: { name: 1 } }"],
    ["db.a.aggregate([/* { $limit: 1 } */])", "({ $limit: 1 })"],
    [
      "db.a.aggregate([\n// { $facet: {\n//   a: [{ $limit: 1 },\n//   ],\n// } },\n{ $skip: 1 }])",
      "({ $facet: {\n" + "  a: [{ $limit: 1 },\n  ],\n} }) { $skip: 1 }",
    ],
    ["db.a.aggregate([\n// { $limit: 1 },\n// { $skip: 2 }\n])", "({ $limit: 1 }) ({ $skip: 2 })"],
    ["db.a.aggregate([{ $limit: 1 } /* why */, /* { not: 1 } */ { $skip: 2 }])", "{ $limit: 1 } { $skip: 2 }"],
    ["db.a.aggregate([...first, { $skip: 2 }])", "...first { $skip: 2 }"],
  ])("with the stages of %s", (source, expected) => expect(stages(source)).toBe(expected));
});

describe("a change is one of exactly that part", () => {
  const changed = (source: string, change: (pipeline: PipelineText) => TextChange | null): string =>
    apply(source, change(found(source)));

  test("a stage's text", () => {
    const change = editStage(found(tall), 1, "{ $sort: { price: -1 } }");
    expect(change?.insert).toBe("-");
    expect(apply(tall, change)).toBe(tall.replace("price: 1", "price: -1"));
    expect(editStage(found(tall), 1, "{ $sort: { price: 1 } }")).toBeNull();
  });
  test("disabling makes a comment, enabling the stage again", () => {
    const off = changed(tall, (pipeline) => enableStage(pipeline, 0, false));
    expect(off).toBe(tall.replace("{ $match: { sold: true } },", "/* { $match: { sold: true } }, */"));
    expect(changed(off, (pipeline) => enableStage(pipeline, 0, true))).toBe(tall);
    expect(changed(flat, (pipeline) => enableStage(pipeline, 1, false))).toBe(
      "x = db.teas.aggregate([{ $match: {} }, /* { $sort: { a: 1 } }, */]).toArray()",
    );
  });
  test("a stage that would end a comment is one of lines", () => {
    const source = "db.a.aggregate([{ $match: { a: /.*/ } }, { $skip: 1 }])";
    const off = changed(source, (pipeline) => enableStage(pipeline, 0, false));
    expect(off).toBe("db.a.aggregate([// { $match: { a: /.*/ } },\n { $skip: 1 }])");
    expect(stages(off)).toBe("({ $match: { a: /.*/ } }) { $skip: 1 }");
    expect(stages(changed(off, (pipeline) => enableStage(pipeline, 0, true)))).toBe(
      "{ $match: { a: /.*/ } } { $skip: 1 }",
    );
  });
  test("adding, to nothing, at the ends and between", () => {
    expect(changed("  db.a.aggregate([])", (pipeline) => addStage(pipeline, 0, "{ $limit: 1 }"))).toBe(
      "  db.a.aggregate([\n    { $limit: 1 }\n  ])",
    );
    expect(changed(flat, (pipeline) => addStage(pipeline, 2, "{ $limit: 1 }"))).toBe(
      "x = db.teas.aggregate([{ $match: {} }, { $sort: { a: 1 } }, { $limit: 1 }]).toArray()",
    );
    expect(changed(tall, (pipeline) => addStage(pipeline, 4, "{ $limit: 1 }"))).toBe(
      tall.replace("{ $project: { name: 1 } },", "{ $project: { name: 1 } },\n  { $limit: 1 },"),
    );
    expect(changed(flat, (pipeline) => addStage(pipeline, 0, "{ $limit: 1 }"))).toContain("[{ $limit: 1 }, { $match");
  });
  test("duplicating and removing", () => {
    expect(stages(changed(flat, (pipeline) => duplicateStage(pipeline, 0)))).toBe(
      "{ $match: {} } { $match: {} } { $sort: { a: 1 } }",
    );
    expect(changed(flat, (pipeline) => removeStage(pipeline, 1))).toBe(
      "x = db.teas.aggregate([{ $match: {} }]).toArray()",
    );
    expect(changed(flat, (pipeline) => removeStage(pipeline, 0))).toBe(
      "x = db.teas.aggregate([{ $sort: { a: 1 } }]).toArray()",
    );
    expect(changed(tall, (pipeline) => removeStage(pipeline, 1))).toContain("// cheap ones first\n");
    expect(changed("db.a.aggregate([{ $limit: 1 }])", (pipeline) => removeStage(pipeline, 0))).toBe(
      "db.a.aggregate([])",
    );
  });
  test("moving", () => {
    expect(changed(flat, (pipeline) => moveStage(pipeline, 1, 0))).toBe(
      "x = db.teas.aggregate([{ $sort: { a: 1 } }, { $match: {} }]).toArray()",
    );
    expect(stages(changed(tall, (pipeline) => moveStage(pipeline, 3, 0)))).toBe(
      "{ $project: { name: 1 } } { $match: { sold: true } } { $sort: { price: 1 } } ({ $limit: 3 })",
    );
    expect(moveStage(found(flat), 0, -3)).toBeNull();
  });
  test("whatever is done, what is read again is what was meant", () => {
    // A generator of its own, so that a failure comes again.
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31;
      return Math.floor((seed / 2 ** 31) * below);
    };
    const texts = [
      "{ $limit: 1 }",
      "{ $match: { a: /.*/ } }",
      "{\n  $sort: {\n    a: 1, // up\n  },\n}",
      "{ $skip: 2, }",
    ];
    for (let round = 0; round < 60; round += 1) {
      let source = [tall, flat, "db.a.aggregate([\n])", "db.a.aggregate([ // none yet\n])"][round % 4] ?? "";
      for (let step = 0; step < 12; step += 1) {
        const pipeline = found(source);
        const model = pipeline.stages.map(({ text, enabled }) => ({ text, enabled }));
        const at = random(Math.max(1, model.length));
        const text = texts[random(texts.length)] ?? "";
        const kind = model.length === 0 ? 0 : random(6);
        let change: TextChange | null = null;
        if (kind === 0) {
          const place = random(model.length + 1);
          change = addStage(pipeline, place, text);
          model.splice(place, 0, { text, enabled: true });
        } else if (kind === 1) {
          change = removeStage(pipeline, at);
          model.splice(at, 1);
        } else if (kind === 2) {
          const to = random(model.length);
          change = moveStage(pipeline, at, to);
          model.splice(to, 0, ...model.splice(at, 1));
        } else if (kind === 3) {
          const enabled = random(2) === 0;
          change = enableStage(pipeline, at, enabled);
          model[at] = { text: model[at]?.text ?? "", enabled };
        } else if (kind === 4) {
          change = editStage(pipeline, at, text);
          model[at] = { text, enabled: model[at]?.enabled ?? true };
        } else {
          change = duplicateStage(pipeline, at);
          model.splice(at + 1, 0, { text: model[at]?.text ?? "", enabled: true });
        }
        const next = apply(source, change);
        const read = found(next).stages.map((stage) => ({ text: stage.text, enabled: stage.enabled }));
        expect(read, `${round}.${step}: ${kind}\n${source}\n=>\n${next}`).toEqual(model);
        source = next;
      }
    }
  });
});

test("a place is followed through the script's changes", () => {
  expect(follow(10, "0123456789ab", "X0123456789ab")).toBe(11);
  expect(follow(2, "0123456789ab", "0123456789abX")).toBe(2);
  expect(follow(10, "0123456789ab", "01ab")).toBe(2);
});

test("a stage's text is a document, or it is said why not", () => {
  expect(stageDocument("{ $match: { a: 1, b: /x/i } } // yes")).toMatchObject({ $match: { a: 1 } });
  expect(stageDocument("{ $match: { a: limit } }")).toEqual(new Refused("variable", "limit"));
  expect(stageDocument("{ $match: ")).toEqual(new Refused("syntax", ""));
  expect(operatorOf('{ "$sort": 1 }')).toBe("$sort");
  expect(operatorOf("{ a: 1 }")).toBeNull();
  expect(stageFault("{ $match: {} }")).toBeNull();
  expect(stageFault("{ $match: {} }, 1")?.at).toBe(14);
  expect(stageFault("{ $match: { }")?.at).toBe(13);
});
