/**
 * The cost of a script, as its run reported it: the figures that lessons speak of.
 *
 * Invariants: pure; nothing is estimated. The figures of a statement of one command are those which `quireObserve` gave
 * of that command, so that they are the ones shown above its result; of several, they are the engine's account.
 */
import { decode } from "../../codec/decode.ts";
import type { RunOutcome, StatementCost, StatementOutcome } from "../../protocol/run.ts";
import { decodeObservation } from "../../state/decode.ts";
import { countedIn } from "../../state/insight.ts";
import { readPlan, stagesOf, type PlanStage } from "../../state/plan.ts";

/** The cost of a statement, or of a whole script, and the number of its writes. */
export interface ScriptAccount {
  readonly documentsReturned: number;
  readonly documentsExamined: number;
  readonly keysExamined: number;
  readonly pagesRead: number;
  readonly pagesWritten: number;
  readonly commands: number;
  /** The time in the engine alone. */
  readonly milliseconds: number;
  /** How documents were found: `COLLSCAN`, `IXSCAN`, `IDHACK`, …; null where no command had a plan. */
  readonly stage: string | null;
  /** The index that led to them; null where none did. */
  readonly index: string | null;
  /** Every stage of the plan, the one that gives the result first. */
  readonly stages: readonly string[];
  readonly written: { readonly inserted: number; readonly modified: number; readonly deleted: number };
}

/** A script's account: the sum of its statements, of the one that failed too, and the plan of the last that has one. */
export interface RunAccount extends ScriptAccount {
  /** The account of each statement that ended without an error, in order. */
  readonly statements: readonly ScriptAccount[];
  readonly last: ScriptAccount;
}

const NOTHING: ScriptAccount = {
  documentsReturned: 0,
  documentsExamined: 0,
  keysExamined: 0,
  pagesRead: 0,
  pagesWritten: 0,
  commands: 0,
  milliseconds: 0,
  stage: null,
  index: null,
  stages: [],
  written: { inserted: 0, modified: 0, deleted: 0 },
};

/** Where a plan begins to read. */
function leafOf(stage: PlanStage): PlanStage {
  const [input] = stage.inputs;
  return input === undefined ? stage : leafOf(input);
}

function accountOfStatement(
  statement: StatementCost & Partial<Pick<StatementOutcome, "observed" | "returned">>,
): ScriptAccount {
  const { account, observed, commands } = statement;
  const seen = observed === undefined ? null : decodeObservation({ observed });
  const plan = seen === null ? null : readPlan(seen.explain);
  const counted = commands === 1 ? countedIn(seen?.observed) : null;
  const stages = plan === null ? [] : stagesOf(plan.root);
  return {
    documentsReturned: statement.returned ?? 0,
    documentsExamined: counted?.documentsExamined ?? account.documentsExamined,
    keysExamined: counted?.keysExamined ?? account.keysExamined,
    pagesRead: counted?.pagesRead ?? account.pagesRead,
    pagesWritten: account.pagesWritten,
    commands,
    milliseconds: statement.engineMillis,
    stage: plan === null ? null : leafOf(plan.root).name,
    index: stages.find(({ indexName }) => indexName !== null)?.indexName ?? null,
    stages: stages.map(({ name }) => name),
    written: {
      inserted: account.documentsInserted,
      modified: account.documentsUpdated,
      deleted: account.documentsDeleted,
    },
  };
}

const planOf = ({ stage, index, stages }: ScriptAccount): Pick<ScriptAccount, "stage" | "index" | "stages"> => ({
  stage,
  index,
  stages,
});

/** The account of a script that was run with the option `plans`. */
export function accountOfRun(outcome: Pick<RunOutcome, "statements" | "failed">): RunAccount {
  const statements = outcome.statements.map(accountOfStatement);
  const all = outcome.failed === null ? statements : [...statements, accountOfStatement(outcome.failed)];
  const total = all.reduce<ScriptAccount>(
    (sum, one) => ({
      documentsReturned: sum.documentsReturned + one.documentsReturned,
      documentsExamined: sum.documentsExamined + one.documentsExamined,
      keysExamined: sum.keysExamined + one.keysExamined,
      pagesRead: sum.pagesRead + one.pagesRead,
      pagesWritten: sum.pagesWritten + one.pagesWritten,
      commands: sum.commands + one.commands,
      milliseconds: sum.milliseconds + one.milliseconds,
      ...planOf(one.stages.length > 0 ? one : sum),
      written: {
        inserted: sum.written.inserted + one.written.inserted,
        modified: sum.written.modified + one.written.modified,
        deleted: sum.written.deleted + one.written.deleted,
      },
    }),
    NOTHING,
  );
  return { ...total, statements, last: statements.at(-1) ?? NOTHING };
}

/**
 * A script's value without the types of numbers: a list of documents for a cursor, a text for a value that only the
 * shell can word.
 */
export function plainValue(value: RunOutcome["value"]): unknown {
  switch (value.kind) {
    case "none":
      return undefined;
    case "text":
      return value.text;
    case "value":
      return decode(value.bytes)["value"];
    case "cursor": {
      const { cursor } = decode(value.reply) as { readonly cursor?: { readonly firstBatch?: readonly unknown[] } };
      return cursor?.firstBatch ?? [];
    }
  }
}
