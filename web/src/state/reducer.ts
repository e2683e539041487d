/**
 * How each action changes the page's state.
 *
 * Invariants: a pure function; it returns the same object when nothing changed, so that views can compare by
 * identity; an answer for a leaf which is gone changes nothing.
 */
import type { ScriptCursor } from "../protocol/run.ts";
import type { Action } from "./actions.ts";
import {
  documentsLeft,
  keptCharacters,
  keptLeaves,
  keptLines,
  startOfLast,
  type AppState,
  type Leaf,
  type LeafValue,
} from "./model.ts";
import { follow } from "./pipeline/follow.ts";
import { resultViews } from "./settings.ts";
import { addTab, changeTab, closeTab, moveTab, openLesson, openTabOf, reopenTab } from "./tabs.ts";

export function reduce(state: AppState, action: Action): AppState {
  const next = reduced(state, action);
  const { pipeline } = next;
  if (pipeline === null || next === state) return next;
  // The cards are those of one script, and give way to a run's results.
  if (next.openTab !== pipeline.tab || action.kind === "run-started") return { ...next, pipeline: null };
  if (action.kind !== "script-edited") return next;
  return { ...next, pipeline: { ...pipeline, at: follow(pipeline.at, openTabOf(state).script, action.script) } };
}

function reduced(state: AppState, action: Action): AppState {
  switch (action.kind) {
    case "settings-changed":
      return { ...state, settings: { ...state.settings, ...action.change } };
    case "script-edited":
      return action.script === openTabOf(state).script
        ? state
        : { ...state, ...changeTab(state, state.openTab, { script: action.script }) };
    case "lesson-opened":
      return { ...state, ...openLesson(state, action.lesson, action.script), pane: "script" };
    case "tab-added":
      return { ...state, ...addTab(state, { name: action.name, script: action.script, lesson: null }), pane: "script" };
    case "tab-opened":
      return state.openTab === action.tab || !state.tabs.some((tab) => tab.id === action.tab)
        ? state
        : { ...state, openTab: action.tab };
    case "tab-closed":
      return { ...state, ...closeTab(state, action.tab) };
    case "tab-reopened":
      return { ...state, ...reopenTab(state), pane: "script" };
    case "tab-renamed":
      return { ...state, ...changeTab(state, action.tab, { name: action.name }) };
    case "tab-moved":
      return { ...state, ...moveTab(state, action.tab, action.by) };
    case "engine-opened":
      return { ...state, engine: { kind: "open" }, deployment: action.deployment };
    case "engine-failed":
      return { ...state, engine: { kind: "failed", message: action.message } };
    case "deployment-changed":
      return { ...state, deployment: action.deployment, leaves: savedLeaves(state.leaves, action.deployment.saved) };
    case "deployment-named":
      return state.named.name === action.name ? state : { ...state, named: { ...state.named, name: action.name } };
    case "database-chosen":
      return { ...state, database: action.database };
    case "run-started":
      return startRun(state, action);
    case "run-progressed":
      if (state.running === null) return state;
      return {
        ...changeLeaf(state, state.running.leaf, (leaf) => addPrinted(leaf, action)),
        running: { ...state.running, commands: action.commands },
      };
    case "run-stopping":
      return state.running === null ? state : { ...state, running: { ...state.running, stopping: true } };
    case "run-finished":
      if (state.running === null) return state;
      return {
        ...changeLeaf(state, state.running.leaf, (leaf) => ({
          ...addPrinted(leaf, action),
          state: "done",
          value: action.value,
          statements: action.statements ?? [],
          statementsLeftOut: action.statementsLeftOut ?? 0,
          result: action.result ?? null,
          open: action.result ?? null,
          error: action.error,
          failed: action.failed ?? null,
          statistics: action.statistics,
          saved: action.saved,
          touched: action.touched ?? null,
          kept: action.kept ?? null,
        })),
        running: null,
        database: action.database,
      };
    case "statement-opened":
      return changeLeaf(state, action.leaf, (leaf) => openStatement(leaf, action.statement));
    case "moments-lost":
      return changeLeaf(state, action.leaf, (leaf) =>
        leaf.kept === null ? leaf : { ...leaf, kept: { ...leaf.kept, number: null, unkept: action.reason } },
      );
    case "moments-found":
      return {
        ...state,
        leaves: state.leaves.map((leaf) => {
          if (leaf.moment == null) return leaf;
          const number = action.moments.get(leaf.number);
          return { ...leaf, moment: null, kept: number === undefined ? null : { number, changes: null, unkept: null } };
        }),
      };
    case "moments-unkept":
      return state.unkept === action.reason ? state : { ...state, unkept: action.reason };
    case "going-asked":
      // One undo or redo at a time: a reader who asks for a second has not yet seen the outcome of the first.
      return state.going === null ? { ...state, going: action.going } : state;
    case "going-over":
      return {
        ...state,
        going: null,
        leaves: state.leaves.map((leaf) =>
          leaf.kept?.number == null || !action.moments.includes(leaf.kept.number) || leaf.undone === action.undone
            ? leaf
            : { ...leaf, undone: action.undone },
        ),
      };
    case "batch-asked":
      return changeCursor(state, action.leaf, () => ({ fetching: true, failure: null }), action.cursor);
    case "batch-came":
      return changeCursor(
        state,
        action.leaf,
        ({ documents }) => ({
          batch: action.batch,
          documents: [...documents, ...action.batch.documents],
          fetched: action.fetched ?? null,
          fetching: false,
          failure: null,
        }),
        action.cursor,
      );
    case "batch-failed":
      return changeCursor(state, action.leaf, () => ({ fetching: false, failure: action.message }), action.cursor);
    case "document-replaced":
      return changeCursor(state, action.leaf, ({ documents }) => ({
        documents: documents.map((document) => (document === action.shown ? action.now : document)),
      }));
    case "document-gone":
      return changeCursor(state, action.leaf, ({ gone }) => ({ gone: [...gone, action.gone] }));
    case "document-back":
      return changeCursor(state, action.leaf, ({ documents, gone }) => ({
        documents: documents.map((document) => (document === action.shown ? (action.now ?? document) : document)),
        gone: gone.filter(({ shown }) => shown !== action.shown),
      }));
    case "insight-asked":
      return changeLeaf(state, action.leaf, (leaf) => ({ ...leaf, insight: { kind: "asking" } }));
    case "insight-came":
      return changeLeaf(state, action.leaf, (leaf) => ({
        ...leaf,
        insight: {
          kind: "explained",
          explain: action.explain,
          ...(action.observed === undefined ? {} : { observed: action.observed }),
          ...(action.plain === undefined ? {} : { plain: action.plain }),
        },
      }));
    case "collections-missed": {
      const of = (number: number | null) => action.hints.find(({ statement }) => statement === number)?.hint ?? null;
      return changeLeaf(state, action.leaf, (leaf) => ({
        ...leaf,
        collectionHint: of(null),
        statements: leaf.statements.map((one, index) => ({ ...one, missed: of(index) })),
      }));
    }
    case "statement-judged":
      return changeLeaf(state, action.leaf, (leaf) => ({
        ...leaf,
        statements: leaf.statements.map((one, index) =>
          index === action.statement ? { ...one, judged: action.judged } : one,
        ),
      }));
    case "insight-refused":
      return changeLeaf(state, action.leaf, (leaf) => ({
        ...leaf,
        insight: { kind: "refused", message: action.message },
      }));
    case "leaf-viewed":
      return viewLeaf(state, action.leaf, action.view);
    case "leaf-folded":
      return unfilled(
        changeLeaf(state, action.leaf, (leaf) => ({ ...swept(leaf), folded: action.folded })),
        action.folded ? action.leaf : null,
      );
    case "leaf-filled":
      return fillWith(state, action.leaf);
    case "leaf-removed":
      return {
        ...state,
        leaves: state.leaves.filter((leaf) => leaf.number !== action.leaf || leaf.state === "running"),
        filled: state.filled === action.leaf ? null : state.filled,
      };
    case "leaves-cleared":
      return { ...state, leaves: state.leaves.filter((leaf) => leaf.state === "running"), filled: null };
    case "leaves-restored":
      return restoreLeaves(state, action.leaves);
    case "catalog-came":
      return { ...state, catalog: { databases: action.databases, loaded: true, failure: null } };
    case "catalog-failed":
      return { ...state, catalog: { ...state.catalog, loaded: true, failure: action.message } };
    case "quota-came":
      return { ...state, quota: action.quota };
    case "pane-chosen":
      return unfilled(
        state.pane === action.pane ? state : { ...state, pane: action.pane },
        action.pane === "results" ? null : state.filled,
      );
    case "dialog-opened":
      return state.dialog === action.dialog ? state : { ...state, dialog: action.dialog };
    case "data-dialog-changed":
      return state.dataDialog === action.dialog ? state : { ...state, dataDialog: action.dialog };
    case "schema-shown":
      return state.schema === action.schema ? state : { ...state, schema: action.schema };
    case "watch-shown":
      return state.watch === action.watch ? state : { ...state, watch: action.watch };
    case "pipeline-opened":
      return {
        ...state,
        pipeline: action.at === null ? null : { tab: state.openTab, at: action.at },
        pane: action.at === null ? "script" : "results",
      };
    case "desk-opened":
      return state.desk === action.desk ? state : { ...state, desk: action.desk };
    case "update-taken":
      return state.updateTaken ? state : { ...state, updateTaken: true };
    case "noticed":
      return { ...state, notice: action.notice };
    case "notice-dismissed":
      return state.notice?.id === action.id ? { ...state, notice: null } : state;
  }
}

/** Opens a statement; the one that was open keeps its value with the batches and edits that came meanwhile. */
function openStatement(leaf: Leaf, number: number): Leaf {
  const { value } = leaf.statements[number] ?? {};
  if (number === leaf.open || value === undefined) return leaf;
  const statements = leaf.statements.map((one, index) => (index === leaf.open ? { ...one, value: leaf.value } : one));
  return { ...leaf, statements, value, open: number, insight: { kind: "none" }, view: null };
}

function startRun(state: AppState, action: Extract<Action, { kind: "run-started" }>): AppState {
  const number = state.runs + 1;
  const leaf: Leaf = {
    number,
    tab: state.openTab,
    source: action.source,
    offset: action.offset,
    database: state.database,
    ranAt: action.at,
    state: "running",
    printed: [],
    printedDropped: 0,
    value: { kind: "none" },
    statements: [],
    statementsLeftOut: 0,
    result: null,
    open: null,
    error: null,
    failed: null,
    statistics: null,
    saved: false,
    kept: null,
    undone: false,
    insight: { kind: "none" },
    collectionHint: null,
    view: null,
    folded: false,
  };
  return {
    ...state,
    runs: number,
    // Earlier runs fold to a line each, since the reader asked for the newest.
    leaves: [leaf, ...state.leaves.map((other) => (other.folded ? other : { ...swept(other), folded: true }))].slice(
      0,
      keptLeaves,
    ),
    filled: state.filled === null ? null : number,
    running: { leaf: number, startedAt: action.at, commands: 0, stopping: false },
    pane: "results",
  };
}

/** Earlier runs come behind those of this page, which may have begun meanwhile, and then fold to a line. */
function restoreLeaves(state: AppState, restored: readonly Leaf[]): AppState {
  const older = restored.filter(({ number }) => !state.leaves.some((leaf) => leaf.number === number));
  const fold = state.leaves.length > 0;
  return {
    ...state,
    restoring: false,
    leaves: [...state.leaves, ...(fold ? older.map((leaf) => ({ ...leaf, folded: true })) : older)].slice(
      0,
      keptLeaves,
    ),
    runs: fold ? state.runs : Math.max(0, ...older.map(({ number }) => number)),
  };
}

/** Fills the pane with a result, which is unfolded for it, or with all of them again. */
function fillWith(state: AppState, number: number | null): AppState {
  if (number === null || !state.leaves.some((leaf) => leaf.number === number)) return unfilled(state, state.filled);
  const { leaves } = changeLeaf(state, number, (leaf) => (leaf.folded ? { ...leaf, folded: false } : leaf));
  return { ...state, leaves, filled: number };
}

/** The state without a run filling the pane, where it is that run. */
function unfilled(state: AppState, number: number | null): AppState {
  return number === null || state.filled !== number ? state : { ...state, filled: null };
}

/** The reader's choice of a view is also the next run's default, except the plan, which not every result has. */
function viewLeaf(state: AppState, number: number, view: Leaf["view"]): AppState {
  const chosen = resultViews.find((name) => name === view);
  const next = changeLeaf(state, number, (leaf) => ({ ...swept(leaf), view }));
  return chosen === undefined ? next : { ...next, settings: { ...next.settings, resultView: chosen } };
}

function changeLeaf(state: AppState, number: number, change: (leaf: Leaf) => Leaf): AppState {
  if (!state.leaves.some((leaf) => leaf.number === number)) return state;
  return { ...state, leaves: state.leaves.map((leaf) => (leaf.number === number ? change(leaf) : leaf)) };
}

type CursorValue = Extract<Leaf["value"], { kind: "cursor" }>;

/** Changes the open statement's cursor, or this one where another statement was opened meanwhile. */
function changeCursor(
  state: AppState,
  number: number,
  change: (value: CursorValue) => Partial<CursorValue>,
  cursor?: ScriptCursor,
): AppState {
  const changed = (value: LeafValue): LeafValue =>
    value.kind === "cursor" && (cursor === undefined || value.cursor === cursor)
      ? { ...value, ...change(value) }
      : value;
  return changeLeaf(state, number, (leaf) => {
    const value = changed(leaf.value);
    if (value !== leaf.value) return { ...leaf, value };
    if (cursor === undefined) return leaf;
    return { ...leaf, statements: leaf.statements.map((one) => ({ ...one, value: changed(one.value) })) };
  });
}

/** The leaf without the places of deleted documents: it is about to be drawn anew, or not at all. */
function swept(leaf: Leaf): Leaf {
  const { value } = leaf;
  return value.kind === "cursor" && value.gone.length > 0
    ? { ...leaf, value: { ...value, documents: documentsLeft(value), gone: [] } }
    : leaf;
}

/** Once storage confirmed everything, every finished run is saved. */
function savedLeaves(leaves: readonly Leaf[], saved: boolean): readonly Leaf[] {
  if (!saved || leaves.every((leaf) => leaf.saved || leaf.state === "running")) return leaves;
  return leaves.map((leaf) => (leaf.state === "done" ? { ...leaf, saved: true } : leaf));
}

function addPrinted(
  leaf: Leaf,
  { printed, leftOut = 0 }: { readonly printed: readonly string[]; readonly leftOut?: number },
): Leaf {
  if (printed.length === 0) return leaf;
  // Lines before those that were left out are let go too: the end is kept, without a gap.
  const all = leftOut > 0 ? printed : [...leaf.printed, ...printed];
  const from = startOfLast(all, keptLines, keptCharacters);
  return {
    ...leaf,
    printed: from === 0 ? all : all.slice(from),
    printedDropped: leaf.printedDropped + from + leftOut + (leftOut > 0 ? leaf.printed.length : 0),
  };
}
