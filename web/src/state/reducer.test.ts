/**
 * The page's state goes through a run, its batches, and failures of both.
 */
import type { Document } from "bson";
import { describe, expect, test } from "vitest";
import type { CursorBatch } from "../client/client.ts";
import type { Action } from "./actions.ts";
import { initialState, keptLeaves, keptLines, type AppState, type LeafValue } from "./model.ts";
import { reduce } from "./reducer.ts";
import { defaultSettings } from "./settings.ts";
import { openTabOf } from "./tabs.ts";

const start = initialState(defaultSettings(["en-GB"]), "db.a.find()", null, "test");
const stateAfter = (state: AppState, ...actions: readonly Action[]): AppState => actions.reduce(reduce, state);
const ran: Action = { kind: "run-started", source: "db.a.find()", offset: { line: 0, column: 0 }, at: 1000 };
const batch = (ids: readonly number[], cursorId: bigint): CursorBatch => ({
  documents: ids.map((_id) => ({ _id })),
  namespace: "test.a",
  cursorId,
});
const cursor = (first: CursorBatch): LeafValue => ({
  kind: "cursor",
  cursor: { kind: "cursor", command: new Uint8Array(), reply: new Uint8Array() },
  batch: first,
  documents: first.documents,
  gone: [],
  fetching: false,
  failure: null,
});
const finished = (value: LeafValue, error: AppState["leaves"][number]["error"] = null): Action => ({
  kind: "run-finished",
  value,
  printed: ["last"],
  error,
  database: "other",
  saved: false,
  statistics: null,
});

describe("a run", () => {
  test("opens a leaf, gathers what is printed, and closes it", () => {
    const running = stateAfter(start, ran, { kind: "run-progressed", printed: ["first"], commands: 3 });
    expect(running.running).toMatchObject({ leaf: 1, commands: 3, stopping: false });
    expect(running.pane).toBe("results");
    const done = stateAfter(running, finished({ kind: "none" }));
    expect(done.running).toBeNull();
    expect(done.database).toBe("other");
    expect(done.leaves[0]).toMatchObject({ number: 1, state: "done", printed: ["first", "last"] });
  });

  test("folds the runs before it and keeps the newest", () => {
    let state = start;
    for (let run = 0; run < keptLeaves + 5; run += 1) state = stateAfter(state, ran, finished({ kind: "none" }));
    expect(state.leaves).toHaveLength(keptLeaves);
    expect(state.leaves[0]).toMatchObject({ number: keptLeaves + 5, folded: false });
    expect(state.leaves.slice(1).every((leaf) => leaf.folded)).toBe(true);
  });

  test("which prints for ever keeps its last lines and counts the others", () => {
    const lines = Array.from({ length: keptLines }, (_, index) => String(index));
    const leaf = stateAfter(
      start,
      ran,
      { kind: "run-progressed", printed: lines, commands: 0 },
      { kind: "run-progressed", printed: ["a", "b"], commands: 0 },
    ).leaves[0];
    expect(leaf?.printed).toHaveLength(keptLines);
    expect(leaf?.printed.at(-1)).toBe("b");
    expect(leaf?.printedDropped).toBe(2);
  });

  test("is stopping until its outcome comes", () => {
    expect(stateAfter(start, ran, { kind: "run-stopping" }).running?.stopping).toBe(true);
    expect(stateAfter(start, { kind: "run-stopping" })).toBe(start);
  });

  test("cannot be removed or cleared while it runs", () => {
    const running = stateAfter(start, ran, finished({ kind: "none" }), ran);
    expect(stateAfter(running, { kind: "leaf-removed", leaf: 2 }).leaves).toHaveLength(2);
    expect(stateAfter(running, { kind: "leaves-cleared" }).leaves.map((leaf) => leaf.number)).toEqual([2]);
  });
});

describe("a cursor", () => {
  const shown = stateAfter(start, ran, finished(cursor(batch([1, 2], 7n))));

  test("takes the next batch after the ones it has", () => {
    const more = stateAfter(
      shown,
      { kind: "batch-asked", leaf: 1 },
      { kind: "batch-came", leaf: 1, batch: batch([3], 0n) },
    );
    expect(more.leaves[0]?.value).toMatchObject({
      documents: [{ _id: 1 }, { _id: 2 }, { _id: 3 }],
      fetching: false,
      batch: { cursorId: 0n },
    });
  });

  test("keeps its documents when the next batch fails", () => {
    const failed = stateAfter(
      shown,
      { kind: "batch-asked", leaf: 1 },
      { kind: "batch-failed", leaf: 1, message: "cursor id 7 not found" },
    );
    expect(failed.leaves[0]?.value).toMatchObject({
      documents: [{ _id: 1 }, { _id: 2 }],
      fetching: false,
      failure: "cursor id 7 not found",
    });
  });

  test("keeps the place of a deleted document until it is drawn anew", () => {
    const value = shown.leaves[0]?.value;
    const [first, second] = (value?.kind === "cursor" ? value.documents : []) as [Document, Document];
    const gone = { shown: first, whole: { ...first, hidden: 1 } };
    const deleted = stateAfter(shown, { kind: "document-gone", leaf: 1, gone });
    expect(deleted.leaves[0]?.value).toMatchObject({ documents: [first, second], gone: [gone] });

    const changed = { _id: 1, n: 2 };
    expect(
      stateAfter(deleted, { kind: "document-back", leaf: 1, shown: first, now: changed }).leaves[0]?.value,
    ).toMatchObject({ documents: [changed, second], gone: [] });
    for (const action of [
      { kind: "leaf-folded", leaf: 1, folded: true },
      { kind: "leaf-viewed", leaf: 1, view: "table" },
      ran,
    ] as const)
      expect(stateAfter(deleted, action).leaves.at(-1)?.value, action.kind).toMatchObject({
        documents: [second],
        gone: [],
      });
    expect(
      stateAfter(shown, { kind: "document-replaced", leaf: 1, shown: second, now: changed }).leaves[0]?.value,
    ).toMatchObject({ documents: [first, changed] });
  });

  test("which is gone changes nothing", () => {
    expect(stateAfter(shown, { kind: "batch-came", leaf: 9, batch: batch([3], 0n) })).toBe(shown);
  });
});

describe("a result that fills the pane", () => {
  const two = stateAfter(start, ran, finished(cursor(batch([1], 0n))), ran, finished(cursor(batch([2], 0n))));
  const filled = stateAfter(two, { kind: "leaf-filled", leaf: 1 });

  test("is unfolded, and the next run takes its place", () => {
    expect(filled).toMatchObject({ filled: 1, leaves: [{ number: 2 }, { number: 1, folded: false }] });
    expect(stateAfter(filled, ran).filled).toBe(3);
    expect(stateAfter(two, ran).filled).toBeNull();
  });

  test("makes room for who goes elsewhere, folds it or takes it away", () => {
    for (const action of [
      { kind: "leaf-filled", leaf: null },
      { kind: "leaf-filled", leaf: 9 },
      { kind: "pane-chosen", pane: "script" },
      { kind: "leaf-folded", leaf: 1, folded: true },
      { kind: "leaf-removed", leaf: 1 },
      { kind: "leaves-cleared" },
    ] as const)
      expect(stateAfter(filled, action).filled, action.kind).toBeNull();
    expect(stateAfter(filled, { kind: "leaf-removed", leaf: 2 }).filled).toBe(1);
    expect(stateAfter(filled, { kind: "pane-chosen", pane: "results" }).filled).toBe(1);
  });
});

describe("choices", () => {
  test("the view of one result is the default of the next, but the plan is not", () => {
    const shown = stateAfter(start, ran, finished(cursor(batch([1], 0n))));
    expect(stateAfter(shown, { kind: "leaf-viewed", leaf: 1, view: "table" }).settings.resultView).toBe("table");
    expect(stateAfter(shown, { kind: "leaf-viewed", leaf: 1, view: "plan" }).settings.resultView).toBe("tree");
  });

  test("what changes nothing gives the same state", () => {
    expect(stateAfter(start, { kind: "script-edited", script: openTabOf(start).script })).toBe(start);
    expect(stateAfter(start, { kind: "pane-chosen", pane: start.pane })).toBe(start);
    expect(stateAfter(start, { kind: "notice-dismissed", id: 1 })).toBe(start);
  });
});

test("a saved deployment saves every finished run", () => {
  const shown = stateAfter(start, ran, finished({ kind: "none" }), ran);
  const deployment = {
    name: "playground",
    mode: "indexeddb",
    reason: null,
    damaged: false,
    lost: null,
    saved: true,
    sequence: 2,
    memoryBytes: 0,
    pageBytes: 0,
    clockOffsetMillis: 0,
    gentleStop: true,
  } as const;
  const saved = stateAfter(shown, { kind: "deployment-changed", deployment });
  expect(saved.leaves.map((leaf) => leaf.saved)).toEqual([false, true]);
});

describe("the pipeline's cards", () => {
  const opened = stateAfter(
    start,
    { kind: "script-edited", script: "db.a.aggregate([])" },
    { kind: "pipeline-opened", at: 16 },
  );

  test("stand in the results' place, and keep to their array while the script is typed in", () => {
    expect(opened.pane).toBe("results");
    const typed = stateAfter(opened, { kind: "script-edited", script: "use b\ndb.a.aggregate([])" });
    expect(typed.pipeline).toEqual({ tab: opened.openTab, at: 22 });
    expect(stateAfter(typed, { kind: "script-edited", script: "use b\ndb.a.aggregate([{}])" }).pipeline?.at).toBe(22);
  });

  test("give way to a run, to another script, and when they are closed", () => {
    expect(stateAfter(opened, ran).pipeline).toBeNull();
    expect(stateAfter(opened, { kind: "tab-added", script: "", name: null }).pipeline).toBeNull();
    const closed = stateAfter(opened, { kind: "pipeline-opened", at: null });
    expect([closed.pipeline, closed.pane]).toEqual([null, "script"]);
  });
});
