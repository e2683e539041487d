/** Results that survive a reload: packed, bounded, and given back as they were. */
import { Decimal128, Double, Int32, Long, ObjectId, type Document } from "bson";
import { describe, expect, test } from "vitest";
import { decode } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import { packLeaf, repackLeaf, sizeOf, unpackLeaf } from "./kept-results.ts";
import { foundBy, initialState, type Leaf, type LeafValue } from "./model.ts";
import { readPlain } from "./plain-read.ts";
import { reduce } from "./reducer.ts";
import { defaultSettings } from "./settings.ts";

const leaf: Leaf = {
  number: 7,
  tab: 2,
  source: "db.a.find()",
  offset: { line: 3, column: 1 },
  database: "test",
  ranAt: 1_700_000_000_000,
  state: "done",
  printed: ["one", "two"],
  printedDropped: 4,
  value: { kind: "text", text: "two" },
  statements: ["one", "two"].map((text, index) => ({
    line: index + 1,
    column: 1,
    endLine: index + 1,
    endColumn: 5,
    value: { kind: "text", text },
    elapsedMillis: 1.5,
    engineMillis: 0.5,
    commands: 1,
    account: {
      keysExamined: 1,
      documentsExamined: 2,
      pagesRead: 3,
      pagesWritten: 4,
      documentsInserted: 5,
      documentsUpdated: 6,
      documentsDeleted: 7,
    },
    written: [{ kind: "inserted", namespace: "test.a", count: 2 }],
    printedUntil: index,
    missed: index === 0 ? { wrong: "a", right: "ab", elsewhere: false } : null,
  })),
  statementsLeftOut: 0,
  result: 1,
  open: 1,
  error: null,
  failed: null,
  statistics: { commands: 2, elapsedMillis: 1.5, engineMillis: 0.5 },
  saved: true,
  kept: null,
  undone: false,
  insight: { kind: "none" },
  collectionHint: { wrong: "a", right: "ab", elsewhere: false },
  view: "table",
  folded: true,
};
/** As they come out of bytes: js-bson itself makes some with Node's buffers. */
const documents = [
  { _id: new ObjectId(), n: new Int32(1), wide: Long.fromString("9007199254740993") },
  { _id: new Int32(2), n: new Double(1), price: Decimal128.fromString("1.10"), at: new Date(5) },
].map((document) => decode(encode(document), { numbers: "typed" }));
const cursor = (cursorId: bigint, gone: readonly Document[] = []): LeafValue => ({
  kind: "cursor",
  cursor: { kind: "cursor", command: encode({ find: "a", $db: "test" }), reply: new Uint8Array(9) },
  batch: { documents, namespace: "test.a", cursorId },
  documents,
  gone: gone.map((shown) => ({ shown, whole: shown })),
  fetching: true,
  failure: "x",
});
const back = (value: LeafValue, most?: number): LeafValue | undefined =>
  unpackLeaf(structuredClone(packLeaf({ ...leaf, value }, most)))?.value;

describe("a leaf that was kept", () => {
  test("comes back as it was", () => {
    expect(unpackLeaf(packLeaf(leaf))).toEqual(leaf);
    const error = { name: "E", message: "m", text: "E: m", code: 5, codeName: null, line: 1, column: 2 };
    const written = [{ kind: "renamed" as const, namespace: "a.b", count: 1, from: "a.c" }];
    const failed = { line: 1, column: 1, endLine: 2, endColumn: 3, written };
    const explained: Leaf = {
      ...leaf,
      error,
      failed,
      insight: { kind: "explained", explain: { stages: [new Int32(1)] } },
    };
    expect(unpackLeaf(packLeaf(explained))).toEqual(explained);
  });

  test("how plain values were read is there, of the open statement and of folded ones", () => {
    const counts = { keysExamined: 0, documentsExamined: 2, pagesRead: 1, millis: 0.25 };
    const observed = encode({ explain: { queryPlanner: {} }, ...counts });
    const command = encode({ find: "a", $db: "test" });
    const alone = { command, following: 2, ended: true };
    const statements = leaf.statements.map((one) => ({ ...one, commands: 2, observed, alone }));
    const [open] = statements.map((one) => readPlain(one));
    if (open == null) throw new Error("no plan");
    const { explain, observed: seen, ...plain } = open;
    const insight = { kind: "explained", explain, observed: seen, plain } as const;
    const whole: Leaf = { ...leaf, statements, insight };
    expect(unpackLeaf(packLeaf(whole))).toEqual(whole);
    expect(unpackLeaf(repackLeaf({ ...whole, folded: false }, packLeaf(whole)))).toEqual({ ...whole, folded: false });
    // Where nobody asked how the open one was read, nobody is told.
    const unasked: Leaf = { ...whole, insight: { kind: "none" } };
    expect(unpackLeaf(packLeaf(unasked))).toEqual(unasked);
    // Of very many the open one's is there.
    const many = Array.from({ length: 40 }, (_, index) => ({
      ...(statements[index % 2] as (typeof statements)[0]),
      observed: encode({ explain: { queryPlanner: {} }, ...counts, filler: "x".repeat(60_000) }),
    }));
    const cut = unpackLeaf(packLeaf({ ...whole, statements: many, open: 39 }));
    const kept = cut?.statements.flatMap((one, index) => (one.alone === undefined ? [] : [index])) ?? [];
    expect([kept.length, kept.at(-1), cut?.insight.kind]).toEqual([17, 39, "explained"]);
  });

  test("values keep their types", () => {
    for (const value of [documents, new Double(3), null, "text", [new Int32(1)]])
      expect(back({ kind: "value", value })).toEqual({ kind: "value", value });
    expect(back({ kind: "text", text: "help" })).toEqual({ kind: "text", text: "help" });
  });

  test("a cursor has its documents and is closed", () => {
    expect(back(cursor(0n))).toMatchObject({ documents, batch: { cursorId: 0n }, fetching: false, ended: null });
    expect(back(cursor(5n))).toMatchObject({ documents, batch: { cursorId: 0n }, ended: { of: 2, more: true } });
    expect(back(cursor(5n, [documents[0] as Document]))).toMatchObject({ documents: [documents[1]], gone: [] });
  });

  test("what its batches took is known, too", () => {
    const fetched = {
      batches: 2,
      documents: 40,
      keysExamined: 41,
      documentsExamined: 40,
      millis: 1.5,
      pagesRead: 9,
      differentPages: 7,
      pages: null,
    };
    expect(back({ ...cursor(0n), fetched: { ...fetched, pages: new Set([1, 2]) } } as LeafValue)).toMatchObject({
      fetched,
    });
    expect(back(cursor(0n))).toMatchObject({ fetched: null });
  });

  test("a run's moment is known by its number until it is looked for", () => {
    const kept = { number: 12, changes: null, unkept: null };
    const first = unpackLeaf(packLeaf({ ...leaf, kept }));
    expect(first).toMatchObject({ kept: null, moment: 12 });
    expect(unpackLeaf(packLeaf(first as Leaf))).toMatchObject({ kept: null, moment: 12 });
    const state = { ...initialState(defaultSettings([]), "", null, "test"), leaves: [first as Leaf] };
    const { leaves } = reduce(state, { kind: "moments-found", moments: new Map([[leaf.number, 12]]) });
    expect(leaves[0]).toMatchObject({ kept, moment: null });
    const [lost] = reduce(state, { kind: "moments-found", moments: new Map() }).leaves;
    expect(lost).toMatchObject({ kept: null, moment: null });
  });

  test("what is too large is cut or lost, and stays so over another reload", () => {
    const first = encode(documents[0] as Document).length;
    const cut = back(cursor(0n), first + 3);
    expect(cut).toMatchObject({ documents: [documents[0]], ended: { of: 2, more: false } });
    expect(back(cut as LeafValue)).toMatchObject({ documents: [documents[0]], ended: { of: 2, more: false } });
    expect(back(cursor(0n), 0)).toMatchObject({ documents: [], ended: { of: 2, more: false } });
    // It still says what it found, and does not say that it found nothing.
    const found = (value: LeafValue | undefined): unknown => (value?.kind === "cursor" ? foundBy(value) : null);
    expect(found(cursor(0n))).toEqual({ count: 2, more: false, isCut: false });
    expect(found(back(cursor(0n)))).toEqual({ count: 2, more: false, isCut: false });
    expect(found(back(cursor(5n)))).toEqual({ count: 2, more: true, isCut: false });
    expect(found(back(cursor(0n), 0))).toEqual({ count: 2, more: false, isCut: true });
    expect(found(back(cursor(5n), first + 3))).toEqual({ count: 2, more: true, isCut: true });
    expect(back({ kind: "value", value: "x".repeat(100) }, 50)).toEqual({ kind: "lost" });
    expect(back({ kind: "text", text: "x".repeat(100) }, 50)).toEqual({ kind: "lost" });
    expect(back({ kind: "lost" })).toEqual({ kind: "lost" });
    const printed = unpackLeaf(packLeaf({ ...leaf, printed: Array.from({ length: 5000 }, (_, at) => String(at)) }));
    expect([printed?.printed.length, printed?.printed.at(-1), printed?.printedDropped]).toEqual([1000, "4999", 4004]);
  });

  test("a value that BSON cannot hold is lost", () => {
    const circle: Document = {};
    circle["self"] = circle;
    expect(back({ kind: "value", value: circle })).toEqual({ kind: "lost" });
  });

  test("is folded without its value being read again", () => {
    const packed = packLeaf({ ...leaf, value: cursor(5n) });
    const folded = repackLeaf({ ...leaf, value: cursor(5n), folded: false }, packed);
    expect(folded.values).toBe(packed.values);
    expect(unpackLeaf(folded)).toMatchObject({ folded: false, value: { documents } });
    expect(sizeOf(folded)).toBeGreaterThan(100);
  });
});

describe("what is no kept leaf", () => {
  const good = packLeaf({ ...leaf, value: cursor(0n) });
  const words = JSON.parse(good.words) as Record<string, unknown>;
  const changed = (change: Record<string, unknown>) => ({ ...good, words: JSON.stringify({ ...words, ...change }) });

  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["a number", 5],
    ["no words", { values: [] }],
    ["words that are no JSON", { words: "{", values: [] }],
    ["another version", changed({ version: 1 })],
    ["values that are no bytes", { ...good, values: good.values.map(() => "x") }],
    ["bytes that are no BSON", { ...good, values: good.values.map(() => new Uint8Array([255, 255, 255, 127, 0, 0])) }],
    ["bytes cut off", { ...good, values: good.values.map((bytes) => bytes.subarray(0, bytes.length - 2)) }],
    ["no values", { ...good, values: [] }],
    ["printed that is no list of lines", changed({ printed: [1] })],
    ["a number of another type", changed({ number: "7" })],
    ["an error without words", changed({ error: {} })],
    ["an insight of no kind", changed({ insight: "other" })],
    ["a value of no kind", changed({ value: { kind: "other" } })],
    ["a count that is another", changed({ value: { ...(words["value"] as object), count: 1 } })],
  ])("%s", (_name, kept) => expect(unpackLeaf(kept)).toBeNull());
});
