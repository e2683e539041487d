/**
 * The statements of a running script: each one's value, and its cost since the one before ended.
 *
 * Invariants: the first and the last outcomes are kept, and a bounded number of bytes of their values and commands, so
 * that a script of a hundred thousand statements takes no more than its page can show; the last value that is not
 * `none` is always kept, since it is the script's result.
 */
import { accountSince, type Account } from "../engine/account.ts";
import type { StatementPlace } from "../shell/rewritten.ts";
import {
  STATEMENT_BYTES_KEPT,
  STATEMENTS_KEPT,
  type ScriptValue,
  type StatementCost,
  type StatementOutcome,
  type Written,
} from "../protocol/run.ts";

/** Running totals of the script, as they stand when a statement ends. */
export interface Totals {
  readonly elapsedMillis: number;
  readonly engineMillis: number;
  readonly commands: number;
  readonly printed: number;
  readonly account: Account;
}

/** The writes and the plan of a statement's commands. */
export type Told = Pick<StatementOutcome, "written" | "returned" | "observed" | "alone">;

interface Ended extends Omit<StatementOutcome, "value" | keyof StatementPlace> {
  readonly number: number;
  readonly value: ScriptValue;
}

function bytesOf({ value, alone }: Ended): number {
  return bytesOfValue(value) + (alone?.command.length ?? 0);
}

function bytesOfValue(value: ScriptValue): number {
  switch (value.kind) {
    case "none":
      return 0;
    case "text":
      return value.text.length * 2;
    case "value":
      return value.bytes.length;
    case "cursor":
      return value.command.length + value.reply.length;
  }
}

export class Statements {
  #first: Ended[] = [];
  #last: Ended[] = [];
  #bytes = 0;
  #leftOut = 0;
  #before: Totals;
  #result: Ended | null = null;
  readonly #dropped = new Set<Ended>();

  /** `account` is the engine's as the script begins. */
  constructor(account: Account) {
    this.#before = { elapsedMillis: 0, engineMillis: 0, commands: 0, printed: 0, account };
  }

  /** A statement ended: `told` is of its own commands, `totals` are those of the script so far. */
  ended(number: number, value: ScriptValue, told: Told, totals: Totals): void {
    const { alone, written, ...rest } = told;
    const ended: Ended = {
      number,
      value,
      ...rest,
      ...this.#cost(written, totals),
      // The command tells how the value was read; a statement without a value needs none.
      ...(alone === undefined || value.kind === "none" ? {} : { alone }),
      printedUntil: totals.printed,
    };
    this.#before = totals;
    if (this.#first.length < STATEMENTS_KEPT) this.#first.push(ended);
    else {
      this.#last.push(ended);
      // Moved seldom, so that each statement costs the same.
      if (this.#last.length >= 2 * STATEMENTS_KEPT) this.#shorten();
    }
    if (value.kind === "none") return;
    // The result so far is one value of many from now on, and counts to the bytes that are kept.
    if (this.#result !== null) {
      this.#bytes += bytesOf(this.#result);
      if (this.#bytes > STATEMENT_BYTES_KEPT) {
        this.#bytes -= bytesOf(this.#result);
        this.#dropped.add(this.#result);
      }
    }
    this.#result = ended;
  }

  /** The script ended inside a statement, whose commands wrote this. */
  failed(written: readonly Written[], totals: Totals): StatementCost {
    return this.#cost(written, totals);
  }

  /** The cost since the statement before ended. */
  #cost(written: readonly Written[], totals: Totals): StatementCost {
    const before = this.#before;
    return {
      elapsedMillis: totals.elapsedMillis - before.elapsedMillis,
      engineMillis: totals.engineMillis - before.engineMillis,
      commands: totals.commands - before.commands,
      account: accountSince(before.account, totals.account),
      written,
    };
  }

  /** All that is kept, and the script's own value. */
  take(places: readonly StatementPlace[]): {
    readonly value: ScriptValue;
    readonly statements: readonly StatementOutcome[];
    readonly statementsLeftOut: number;
  } {
    this.#shorten();
    const result = this.#result;
    const statements = [...this.#first, ...this.#last].flatMap((ended): StatementOutcome[] => {
      const { number, value, alone, ...rest } = ended;
      const place = places[number];
      if (place === undefined) return [];
      if (this.#dropped.has(ended)) return [{ ...place, ...rest, value: { kind: "left-out" } }];
      const shown = ended === result ? { kind: "result" as const } : value;
      return [{ ...place, ...rest, ...(alone === undefined ? {} : { alone }), value: shown }];
    });
    return { value: result?.value ?? { kind: "none" }, statements, statementsLeftOut: this.#leftOut };
  }

  #shorten(): void {
    const over = this.#last.length - STATEMENTS_KEPT;
    if (over <= 0) return;
    for (const ended of this.#last.splice(0, over)) {
      if (ended !== this.#result && !this.#dropped.delete(ended)) this.#bytes -= bytesOf(ended);
      this.#leftOut += 1;
    }
  }
}
