/**
 * Running a script: its options, its progress and its outcome.
 *
 * Invariant: lines and columns are 1-based and those of the user's own text. A script that failed still has its printed
 * lines, the database it ended in, and the writes before its failure.
 */
import type { Account } from "../engine/account.ts";
import type { StatementPlace } from "../shell/rewritten.ts";
import type { KeptChange, MomentWish } from "./moments.ts";

export interface RunOptions {
  /** The database `db` names at the start. */
  readonly database: string;
  /** Store every plain number as a double, as the legacy shell did. Default false. */
  readonly numbersAsDouble?: boolean;
  /** Documents in a first batch, and after `it`. Default 20. */
  readonly batchSize?: number;
  /**
   * Have each shown cursor's command observed: the keys and documents it examined, the pages it touched, and its plan.
   * Default false.
   */
  readonly observed?: boolean;
  /**
   * Have each statement's first command that reads by a plan observed, and the documents counted that its commands
   * were given. Default false.
   */
  readonly plans?: boolean;
  /** Tell which pages the script's commands read and wrote. Default false. */
  readonly pages?: boolean;
  /** Wall-clock limit in milliseconds. Default none: Stop ends a script. */
  readonly timeLimitMillis?: number;
  /**
   * Limit of the sandbox's memory in bytes, at least 16 MiB. Default 256 MiB. Another than the last run's starts
   * afresh.
   */
  readonly memoryLimitBytes?: number;
  /** Forget the names which earlier scripts declared at top level. Default false. */
  readonly fresh?: boolean;
  /** The name of a set of declared names, which the script sees and adds to. Default: one set for all scripts. */
  readonly names?: string;
  /** Keep the states before and after the script's changes, with this note. Default: no moments are made. */
  readonly moment?: MomentWish;
}

export interface RunProgress {
  /** Lines printed since the last message, the last of them where there were many; one that is very long is cut. */
  readonly printed: readonly string[];
  /** How many lines before those were left out. */
  readonly leftOut: number;
  /** Commands run since the script began. */
  readonly commands: number;
  readonly elapsedMillis: number;
}

/** The value of a statement. */
export type ScriptValue =
  /** `undefined`, a declaration, an assignment of nothing: shows nothing. */
  | { readonly kind: "none" }
  /** Already worded as the shell prints it: `WriteResult({ "nInserted" : 1 })`, help, a function. */
  | { readonly kind: "text"; readonly text: string }
  /** BSON of `{ value: … }`, decoded where it is shown. */
  | { readonly kind: "value"; readonly bytes: Uint8Array }
  /** A cursor that the script did not start to iterate: its first reply, as the engine gave it. */
  | ScriptCursor;

export interface ScriptCursor {
  readonly kind: "cursor";
  /** The BSON command that opened it, to word or to explain it again. */
  readonly command: Uint8Array;
  /** The whole reply: `{ cursor: { firstBatch, id, ns }, ok: 1, … }`. */
  readonly reply: Uint8Array;
  /** The reply of `quireObserve` to that run of the command, where the run's options asked for it. */
  readonly observed?: Uint8Array;
}

/** The kinds of changes that a statement can make to a namespace. */
export const WRITTEN_KINDS = [
  "inserted",
  "updated",
  "deleted",
  "expired",
  "overwritten",
  "created",
  "dropped",
  "indexed",
  "unindexed",
  "renamed",
  "changed",
  "replaced",
  "restored",
] as const;

/** Documents that a statement wrote to one namespace, or another change that it made there. */
export interface Written {
  readonly kind: (typeof WRITTEN_KINDS)[number];
  /** Database and collection: `shop.teas`. A database alone where all of it was dropped. */
  readonly namespace: string;
  /** Documents, indexes or collections; the documents that a collection has now, where they were `replaced`. */
  readonly count: number;
  /** The name before, of a `renamed` collection. */
  readonly from?: string;
}

/** What the commands of a statement cost and wrote. */
export interface StatementCost {
  readonly elapsedMillis: number;
  readonly engineMillis: number;
  readonly commands: number;
  /** The growth of the engine's totals by this statement's commands. */
  readonly account: Account;
  /** In the order of the first command to each namespace. */
  readonly written: readonly Written[];
}

/** The value and the cost of a top-level statement; its place is the one in the script's text. */
export interface StatementOutcome extends StatementPlace, StatementCost {
  /** `result`: the outcome's own value is this statement's; `left-out`: there were too many bytes of values. */
  readonly value: ScriptValue | { readonly kind: "result" } | { readonly kind: "left-out" };
  /** How many lines the script had printed when the statement ended. */
  readonly printedUntil: number;
  /** Documents that its cursors gave; absent where the run's options did not ask for `plans`. */
  readonly returned?: number;
  /** The reply of `quireObserve` to its first command that has a plan; absent as `returned`, and where none has one. */
  readonly observed?: Uint8Array;
  /** The statement's command where it had no other, but for the `getMore`s of its cursor, and its value is here. */
  readonly alone?: AloneCommand;
}

/** The statement that an error ended: what it had written by then stays. */
export interface FailedStatement extends StatementPlace, StatementCost {}

/** A statement's command, where it had one only. */
export interface AloneCommand {
  readonly command: Uint8Array;
  /** Documents that its cursor gave after the first batch. */
  readonly following: number;
  /** The cursor is exhausted. */
  readonly ended: boolean;
}

/** Outcomes are kept of so many statements, the first and the last; and so many bytes of values and commands. */
export const STATEMENTS_KEPT = 100;
export const STATEMENT_BYTES_KEPT = 8 * 1024 * 1024;

/** An error as the shell words it. */
export interface ScriptError {
  /** `MongoServerError`, `MongoBulkWriteError`, `SyntaxError`, `TypeError`, `ScriptStopped`, … */
  readonly name: string;
  readonly message: string;
  /** The whole first line: `MongoServerError[DuplicateKey]: E11000 …`. */
  readonly text: string;
  readonly code: number | null;
  readonly codeName: string | null;
  readonly line: number | null;
  readonly column: number | null;
  /**
   * The server's facts on a duplicate key or an invalid document, as canonical Extended JSON (`state/error-facts.ts`
   * reads it); absent for any other error.
   */
  readonly detail?: string;
}

/** Accounting of all commands of one script. */
export interface RunStatistics {
  readonly commands: number;
  readonly elapsedMillis: number;
  /** The part of `elapsedMillis` that was spent in the engine. */
  readonly engineMillis: number;
}

export interface RunOutcome {
  /** The value of the last statement that has one to show. */
  readonly value: ScriptValue;
  /**
   * The outcome of each top-level statement that ended without an error, in their order; where they are many, the first
   * and the last `STATEMENTS_KEPT`.
   */
  readonly statements: readonly StatementOutcome[];
  /** How many were left out between the first and the last. */
  readonly statementsLeftOut: number;
  /** Lines not yet sent as progress, and how many before those were left out. */
  readonly printed: readonly string[];
  readonly leftOut: number;
  readonly error: ScriptError | null;
  /** The top-level statement that the error ended; null where there is no error, or it is of no statement. */
  readonly failed: FailedStatement | null;
  /** The database `db` names at the end, after any `use`. */
  readonly database: string;
  /** True once the script's last batch is confirmed by storage; false in memory. */
  readonly saved: boolean;
  readonly statistics: RunStatistics;
  /**
   * The pages that its commands touched, where the run's options asked for them: ascending numbers, each times four,
   * plus 1 where it was read and 2 where it was written by a command that did not fail.
   */
  readonly touched?: Uint32Array;
  /** The moments of the script's changes; null where it tried to change nothing, or moments were not asked for. */
  readonly kept: KeptChange | null;
}
