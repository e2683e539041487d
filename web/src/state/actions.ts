/**
 * Everything that can happen to the page, as data.
 *
 * Invariant: actions tell events, and never how to draw them; times and ids are put in by the controller, so that the
 * reducer stays a function.
 */
import type { Document } from "bson";
import type { CursorBatch } from "../client/client.ts";
import type { KeptChange } from "../protocol/moments.ts";
import type { RunStatistics, ScriptCursor, ScriptError } from "../protocol/run.ts";
import type { DeploymentState } from "../protocol/state.ts";
import type { Fetched } from "./fetched.ts";
import type { Judged } from "./doubts/doubt.ts";
import type { MissedCollection } from "./missed-collections.ts";
import type {
  CatalogDatabase,
  DataDialog,
  Desk,
  Dialog,
  GoneDocument,
  Leaf,
  Going,
  Insight,
  LeafStatement,
  LeafValue,
  Notice,
  OpenWatch,
  Pane,
  Quota,
  SchemaSubject,
  SourceOffset,
} from "./model.ts";
import type { LeafView, Settings } from "./settings.ts";

export type Action =
  | { readonly kind: "settings-changed"; readonly change: Partial<Settings> }
  | { readonly kind: "script-edited"; readonly script: string }
  | { readonly kind: "lesson-opened"; readonly lesson: string; readonly script: string }
  | { readonly kind: "tab-added"; readonly script: string; readonly name: string | null }
  | { readonly kind: "tab-opened"; readonly tab: number }
  | { readonly kind: "tab-closed"; readonly tab: number }
  | { readonly kind: "tab-reopened" }
  | { readonly kind: "tab-renamed"; readonly tab: number; readonly name: string }
  | { readonly kind: "tab-moved"; readonly tab: number; readonly by: number }
  | { readonly kind: "engine-opened"; readonly deployment: DeploymentState }
  | { readonly kind: "engine-failed"; readonly message: string }
  | { readonly kind: "deployment-changed"; readonly deployment: DeploymentState }
  | { readonly kind: "deployment-named"; readonly name: string }
  | { readonly kind: "database-chosen"; readonly database: string }
  | { readonly kind: "run-started"; readonly source: string; readonly offset: SourceOffset; readonly at: number }
  | {
      readonly kind: "run-progressed";
      readonly printed: readonly string[];
      readonly leftOut?: number;
      readonly commands: number;
    }
  | { readonly kind: "run-stopping" }
  | {
      readonly kind: "run-finished";
      readonly value: LeafValue;
      readonly statements?: readonly LeafStatement[];
      readonly statementsLeftOut?: number;
      /** Which of the statements gave the value. */
      readonly result?: number | null;
      readonly printed: readonly string[];
      readonly leftOut?: number;
      readonly error: ScriptError | null;
      /** The statement that the error ended. */
      readonly failed?: Leaf["failed"];
      readonly database: string;
      readonly saved: boolean;
      readonly touched?: Uint32Array | null;
      readonly kept?: KeptChange | null;
      readonly statistics: RunStatistics | null;
    }
  | { readonly kind: "statement-opened"; readonly leaf: number; readonly statement: number }
  /** The moments of a run went for want of room. */
  | { readonly kind: "moments-lost"; readonly leaf: number; readonly reason: string }
  /** The moments of results from before a reload that are there still, by their leaves. */
  | { readonly kind: "moments-found"; readonly moments: ReadonlyMap<number, number> }
  /** A change cannot be undone; null once that was told. */
  | { readonly kind: "moments-unkept"; readonly reason: string | null }
  | { readonly kind: "going-asked"; readonly going: Going }
  /** `moments`: the changes that were taken back, or done again. */
  | { readonly kind: "going-over"; readonly moments: readonly number[]; readonly undone: boolean }
  /** `cursor` is the cursor that the batch is of; absent for the cursor of the open statement. */
  | { readonly kind: "batch-asked"; readonly leaf: number; readonly cursor?: ScriptCursor }
  | {
      readonly kind: "batch-came";
      readonly leaf: number;
      readonly cursor?: ScriptCursor;
      readonly batch: CursorBatch;
      /** The figures of all batches after the first, this one included. */
      readonly fetched?: Fetched | null;
    }
  | {
      readonly kind: "batch-failed";
      readonly leaf: number;
      readonly cursor?: ScriptCursor;
      readonly message: string;
    }
  /** A document of a result was changed where it is stored: the result on screen follows. */
  | { readonly kind: "document-replaced"; readonly leaf: number; readonly shown: Document; readonly now: Document }
  /** A document was deleted: its place stays, so that no other document comes to be under the pointer. */
  | { readonly kind: "document-gone"; readonly leaf: number; readonly gone: GoneDocument }
  | { readonly kind: "document-back"; readonly leaf: number; readonly shown: Document; readonly now: Document | null }
  | { readonly kind: "insight-asked"; readonly leaf: number }
  | {
      readonly kind: "insight-came";
      readonly leaf: number;
      readonly explain: Document;
      /** The figures that the engine counted during the run; absent where the command was explained afterwards. */
      readonly observed?: Document;
      readonly plain?: Extract<Insight, { readonly kind: "explained" }>["plain"];
    }
  | { readonly kind: "insight-refused"; readonly leaf: number; readonly message: string }
  | { readonly kind: "statement-judged"; readonly leaf: number; readonly statement: number; readonly judged: Judged }
  | { readonly kind: "collections-missed"; readonly leaf: number; readonly hints: readonly MissedCollection[] }
  | { readonly kind: "leaf-viewed"; readonly leaf: number; readonly view: LeafView }
  | { readonly kind: "leaf-folded"; readonly leaf: number; readonly folded: boolean }
  | { readonly kind: "leaf-filled"; readonly leaf: number | null }
  | { readonly kind: "leaf-removed"; readonly leaf: number }
  | { readonly kind: "leaves-cleared" }
  /** The results kept of earlier runs, newest first; empty where none were kept, or none could be read. */
  | { readonly kind: "leaves-restored"; readonly leaves: readonly Leaf[] }
  | { readonly kind: "catalog-came"; readonly databases: readonly CatalogDatabase[] }
  | { readonly kind: "catalog-failed"; readonly message: string }
  | { readonly kind: "quota-came"; readonly quota: Quota }
  | { readonly kind: "pane-chosen"; readonly pane: Pane }
  | { readonly kind: "dialog-opened"; readonly dialog: Dialog }
  | { readonly kind: "data-dialog-changed"; readonly dialog: DataDialog | null }
  | { readonly kind: "schema-shown"; readonly schema: SchemaSubject | null }
  | { readonly kind: "watch-shown"; readonly watch: OpenWatch | null }
  /** The cards of the pipeline at a place of the open script; null closes them. */
  | { readonly kind: "pipeline-opened"; readonly at: number | null }
  | { readonly kind: "desk-opened"; readonly desk: Desk }
  | { readonly kind: "update-taken" }
  | { readonly kind: "noticed"; readonly notice: Notice }
  | { readonly kind: "notice-dismissed"; readonly id: number };
