/**
 * Everything the page shows, as one immutable value.
 *
 * Invariants: plain data, no DOM and no client; views read it and never write it; only `reducer.ts` makes a new one.
 */
import type { Document } from "bson";
import type { CollectionSummary, CursorBatch, DatabaseSummary } from "../client/client.ts";
import type { KeptChange, Travel } from "../protocol/moments.ts";
import type { StatementPlace } from "../shell/rewritten.ts";
import type { FailedStatement, RunStatistics, ScriptCursor, ScriptError, StatementOutcome } from "../protocol/run.ts";
import type { DeploymentState } from "../protocol/state.ts";
import type { ShareFault } from "../share/decode.ts";
import type { SharedScript } from "../share/encode.ts";
import { mainDeployment } from "../start/deployment.ts";
import type { Action } from "./actions.ts";
import type { NamedDeployment } from "./deployments.ts";
import type { Judged } from "./doubts/doubt.ts";
import type { Fetched } from "./fetched.ts";
import type { CollectionHint } from "./hints.ts";
import type { Plan } from "./plan.ts";
import type { PlainRead } from "./plain-read.ts";
import type { LeafView, Settings } from "./settings.ts";
import { oneTab, type Tabs } from "./tabs.ts";

/** Which pane a narrow screen shows. */
export type Pane = "script" | "results" | "data";

/** The engine's life as a reader sees it. */
export type EngineStatus =
  | { readonly kind: "opening" }
  | { readonly kind: "open" }
  /** The engine did not start: no WebAssembly, a missing file, or no memory. `message` is the browser's. */
  | { readonly kind: "failed"; readonly message: string };

/** A script under way. */
export interface RunningScript {
  readonly leaf: number;
  /** The start in milliseconds of the page's clock, to show elapsed time between two progress messages. */
  readonly startedAt: number;
  readonly commands: number;
  /** Stop was pressed and the outcome has not come yet. */
  readonly stopping: boolean;
}

/** A decoded value and how it may be drawn. */
export type LeafValue =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "value"; readonly value: unknown }
  /** The value was too large to be kept over a reload. */
  | { readonly kind: "lost" }
  | {
      readonly kind: "cursor";
      readonly cursor: ScriptCursor;
      /** The last batch asked for, which says whether there is more. */
      readonly batch: CursorBatch;
      /** Documents of all batches so far, in order; deleted ones keep their places until the result is drawn anew. */
      readonly documents: readonly Document[];
      readonly gone: readonly GoneDocument[];
      readonly fetching: boolean;
      readonly failure: string | null;
      /**
       * After a reload, where not all is here: how many documents had been fetched, and whether there were more to
       * fetch. The cursor is closed.
       */
      readonly ended?: { readonly of: number; readonly more: boolean } | null;
      /** The figures of the batches after the first, where the run was observed. */
      readonly fetched?: Fetched | null;
    };

/** A document that was deleted where the result shows it. */
export interface GoneDocument {
  /** The document as the result shows it, which a projection may have cut. */
  readonly shown: Document;
  /** The document as it was stored, to be put back. */
  readonly whole: Document;
}

/** The plan behind a cursor, asked for after the result was drawn. */
export type Insight =
  | { readonly kind: "none" }
  | { readonly kind: "asking" }
  | {
      readonly kind: "explained";
      readonly explain: Document;
      /** The engine's counts of the run; absent where the command was explained by itself. */
      readonly observed?: Document;
      /** Of a plain value: the figures after its first batch, whether all was read, and the command to try again. */
      readonly plain?: Pick<PlainRead, "fetched" | "ended" | "command">;
    }
  | { readonly kind: "refused"; readonly message: string };

/** A top-level statement of a script that came to its end; see `StatementOutcome`. */
export interface LeafStatement extends Omit<StatementOutcome, "value"> {
  readonly value: LeafValue;
  /** The collection that may have been meant where it found nothing; judged after the run. */
  readonly missed?: CollectionHint | null;
  /** What is likely to be wrong in its command; absent until that was judged, after the run. */
  readonly judged?: Judged;
}

/** The statement that a run ended in with an error, and what it had written. */
export type FailedLeafStatement = StatementPlace & Pick<FailedStatement, "written">;

/** The result of one press of Run. */
export interface Leaf {
  /** Counts runs from 1; also the leaf's folio number on the page. */
  readonly number: number;
  /** The tab it ran from, where its error is shown. */
  readonly tab: number;
  readonly source: string;
  /** Where `source` begins in the editor; zero unless a selection ran. */
  readonly offset: SourceOffset;
  readonly database: string;
  /** Milliseconds since 1970. */
  readonly ranAt: number;
  readonly state: "running" | "done";
  /** The last `keptLines` lines at most. */
  readonly printed: readonly string[];
  /** The number of older lines that were dropped. */
  readonly printedDropped: number;
  /** The value of the open statement; `none` where no statement is open. */
  readonly value: LeafValue;
  readonly statements: readonly LeafStatement[];
  /** The number of statements left out between the first and the last. */
  readonly statementsLeftOut: number;
  /** Which of `statements` gave the result, and which is open; null where there is none. */
  readonly result: number | null;
  readonly open: number | null;
  readonly error: ScriptError | null;
  /** The statement that the error ended; null where there is none. */
  readonly failed: FailedLeafStatement | null;
  readonly statistics: RunStatistics | null;
  readonly saved: boolean;
  /** The pages that it read and wrote: `RunOutcome.touched`; absent where that is not known, as after a reload. */
  readonly touched?: Uint32Array | null;
  /** The moment kept after its change, with the counts of the change; null where it changed nothing. */
  readonly kept: KeptChange | null;
  /** The number of that moment as it was before a reload, until it is known whether it is there still. */
  readonly moment?: number | null;
  /** Its change was undone. */
  readonly undone: boolean;
  readonly insight: Insight;
  /** The collection that may have been meant where the error says that there is none; judged after the run. */
  readonly collectionHint: CollectionHint | null;
  /** The view that the reader last chose for the result; null follows the settings. */
  readonly view: LeafView | null;
  /** Folded to one line. */
  readonly folded: boolean;
}

/** Lines and columns are counted from 0 here: they are added to a script's own position. */
export interface SourceOffset {
  readonly line: number;
  /** Added on the first line only. */
  readonly column: number;
}

/** Databases and collections of the sidebar. */
export interface Catalog {
  readonly databases: readonly CatalogDatabase[];
  /** False before the first answer. */
  readonly loaded: boolean;
  readonly failure: string | null;
}

export interface CatalogDatabase {
  readonly summary: DatabaseSummary;
  readonly collections: readonly CollectionSummary[];
}

/** The browser's figures of its storage; each is null where the browser does not tell it. */
export interface Quota {
  readonly usageBytes: number | null;
  readonly quotaBytes: number | null;
  readonly persisted: boolean | null;
}

export type Dialog = "none" | "storage" | "settings" | "deployments";

/** The panel on the desk, over the page; its code and words are fetched when it is first opened. */
export type Desk =
  | { readonly kind: "none" }
  | { readonly kind: "palette" }
  | { readonly kind: "keys" }
  | { readonly kind: "history" }
  | { readonly kind: "timeline" }
  /** Collections, fields and references of a database, drawn. */
  | { readonly kind: "model"; readonly database: string }
  | { readonly kind: "share" }
  /** A script, and the place of the statement to copy as a driver's code. */
  | { readonly kind: "copy"; readonly source: string; readonly from: number; readonly to: number }
  /** The scripts of a link; null with the reason when the link cannot be read. */
  | { readonly kind: "shared"; readonly scripts: readonly SharedScript[]; readonly fault: null }
  | { readonly kind: "shared"; readonly scripts: null; readonly fault: ShareFault };

/** A file that was chosen or dropped, with its path where it came in a folder. */
export interface GivenFile {
  readonly file: File;
  readonly path: string;
}

/** A dialog about the data, and its subject. Its code is fetched when the first one is opened. */
export type DataDialog =
  | { readonly kind: "create-collection"; readonly database: string }
  | { readonly kind: "rename-collection"; readonly database: string; readonly collection: string }
  | { readonly kind: "drop-collection"; readonly database: string; readonly collection: string }
  | { readonly kind: "drop-database"; readonly database: string }
  | { readonly kind: "create-index"; readonly database: string; readonly collection: string }
  | { readonly kind: "drop-index"; readonly database: string; readonly collection: string; readonly index: string }
  | {
      readonly kind: "import";
      readonly database: string;
      readonly collection: string;
      readonly files: readonly GivenFile[];
    }
  | { readonly kind: "export"; readonly database: string; readonly collection: string }
  /** An archive of one database, or of all of them. */
  | { readonly kind: "dump"; readonly database: string | null }
  /** All documents of a run's cursor. */
  | { readonly kind: "export-result"; readonly leaf: number }
  | { readonly kind: "samples" }
  /** A capped collection as a ring, a TTL index under a dial, the pipeline of a run's cursor. */
  | { readonly kind: "ring"; readonly database: string; readonly collection: string }
  | { readonly kind: "dial"; readonly database: string; readonly collection: string; readonly index: string }
  | { readonly kind: "pipeline"; readonly leaf: number }
  /** The B+tree of an index, or of a collection's documents. */
  | { readonly kind: "tree"; readonly database: string; readonly collection: string; readonly index: string | null }
  /** The cells that a run read in a geospatial index, on a map. */
  | { readonly kind: "lookup"; readonly plan: Plan; readonly leaf: number }
  /** The map of all pages: one of them open, those framed that a run read. */
  | { readonly kind: "pages"; readonly page: number | null; readonly leaf: number | null };

/** The collection whose schema is described beside the data. */
export interface SchemaSubject {
  readonly database: string;
  readonly collection: string;
}

/** The collection whose changes are watched. */
export interface WatchSubject {
  readonly database: string;
  readonly collection: string;
}

/** The Watch panel as it is open. */
export interface OpenWatch extends WatchSubject {
  /** Where it was before a reload; null where the reader has opened it. */
  readonly behind: { readonly token: string | null; readonly seen: number } | null;
}

/** An undo or redo that the reader asked for. */
export type Going = Omit<Travel, "tab">;

/** A short message that goes away by itself or when dismissed. */
export interface Notice {
  readonly id: number;
  readonly tone: "plain" | "good" | "bad";
  readonly text: string;
  /** The remedy, as a button. */
  readonly offer?: { readonly label: string; readonly action: Action };
  /** A part of the page is missing, which a reload of the page fetches. */
  readonly reload?: true;
}

/** The pipeline that is edited as cards: its tab, and a place inside of its array. */
export interface OpenPipeline {
  readonly tab: number;
  readonly at: number;
}

export interface AppState extends Tabs {
  readonly settings: Settings;
  readonly engine: EngineStatus;
  readonly deployment: DeploymentState | null;
  /** The deployment's id, and the reader's name for it. */
  readonly named: NamedDeployment;
  readonly database: string;
  readonly running: RunningScript | null;
  /** Newest first. */
  readonly leaves: readonly Leaf[];
  readonly runs: number;
  /** The run whose result fills the pane. */
  readonly filled: number | null;
  /** Results from before a reload are being read. */
  readonly restoring: boolean;
  readonly catalog: Catalog;
  readonly quota: Quota | null;
  readonly pane: Pane;
  readonly dialog: Dialog;
  readonly dataDialog: DataDialog | null;
  /** Null while its pane is closed. */
  readonly schema: SchemaSubject | null;
  /** Null while its panel is closed. */
  readonly watch: OpenWatch | null;
  readonly desk: Desk;
  readonly pipeline: OpenPipeline | null;
  /** Being done. */
  readonly going: Going | null;
  /** Why the last change cannot be undone, until that was told. */
  readonly unkept: string | null;
  /** The reader wants the new version of the page. */
  readonly updateTaken: boolean;
  readonly notice: Notice | null;
}

/** The command behind the value that a leaf shows, to be run again; null where there is none, or it writes. */
export function shownCommand({ value, insight }: Leaf): Pick<ScriptCursor, "command"> | null {
  if (value.kind === "cursor") return value.cursor;
  const command = insight.kind === "explained" ? insight.plain?.command : null;
  return command == null ? null : { command };
}

/** The documents of a cursor that were not deleted. */
export function documentsLeft({
  documents,
  gone,
}: Pick<Extract<LeafValue, { kind: "cursor" }>, "documents" | "gone">): readonly Document[] {
  return gone.length === 0 ? documents : documents.filter((document) => !gone.some(({ shown }) => shown === document));
}

/**
 * How many documents a cursor gave so far, and whether there were more to fetch: of one that a reload closed, as it was
 * before. `isCut`: not all of those are here.
 */
export function foundBy({ documents, gone, batch, ended }: Extract<LeafValue, { kind: "cursor" }>): {
  readonly count: number;
  readonly more: boolean;
  readonly isCut: boolean;
} {
  const here = documents.length - gone.length;
  const count = ended == null ? here : ended.of - gone.length;
  return { count, more: batch.cursorId !== 0n || ended?.more === true, isCut: count > here };
}

/** How many runs stay on the page; older ones are dropped so that their documents can be freed. */
export const keptLeaves = 20;

/** How many printed lines a run keeps: a script that prints for ever must not fill the page's memory. */
export const keptLines = 10_000;
export const keptCharacters = 1_000_000;

/** The index of the first of the last lines, `most` of them at most and about `characters` long; one line at least. */
export function startOfLast(lines: readonly string[], most: number, characters: number): number {
  let from = lines.length;
  for (
    let left = characters;
    from > 0 && lines.length - from < most && left > 0;
    left -= (lines[from] as string).length
  )
    from -= 1;
  return from;
}

/** The page before anything was opened or run, with one script. */
export function initialState(settings: Settings, script: string, lesson: string | null, database: string): AppState {
  return {
    settings,
    ...oneTab(script, lesson),
    engine: { kind: "opening" },
    deployment: null,
    named: { id: mainDeployment, name: "" },
    database,
    running: null,
    leaves: [],
    runs: 0,
    filled: null,
    restoring: false,
    catalog: { databases: [], loaded: false, failure: null },
    quota: null,
    pane: "script",
    dialog: "none",
    dataDialog: null,
    schema: null,
    watch: null,
    desk: { kind: "none" },
    pipeline: null,
    going: null,
    unkept: null,
    updateTaken: false,
    notice: null,
  };
}
