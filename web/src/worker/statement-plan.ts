/**
 * Of the statement under way: the observation of its first command that has a plan, and how many documents its
 * commands were given, for who asked for both (`RunOptions.plans`).
 *
 * Invariant: no more commands are observed once one told its plan, so that a loop pays for its first round alone.
 */
import { members, rawField } from "../codec/members.ts";
import { nameOf } from "./written.ts";

/** Commands that read by a plan. */
const PLANNED = new Set(["find", "aggregate", "count", "distinct", "update", "delete", "findAndModify"]);

/** Names of a reply's fields that hold documents. */
const BATCHES = new Set(["firstBatch", "nextBatch"]);

export class StatementPlan {
  #observed: Uint8Array | null = null;
  #returned = 0;

  /** Whether this command is to be observed. */
  wants(command: Uint8Array): boolean {
    return this.#observed === null && PLANNED.has(nameOf(command));
  }

  /** A command was done. */
  saw(reply: Uint8Array, observed?: Uint8Array): void {
    if (observed !== undefined && this.#observed === null && rawField(reply, "ok") === 1 && hasPlan(observed))
      this.#observed = observed;
    for (const { name, start, end } of members(reply)) {
      if (name !== "cursor") continue;
      const cursor = reply.subarray(start, end);
      for (const batch of members(cursor))
        if (BATCHES.has(batch.name))
          for (const _ of members(cursor.subarray(batch.start, batch.end))) this.#returned += 1;
    }
  }

  /** What is known of the statement, which ended. */
  take(): { readonly returned: number; readonly observed?: Uint8Array } {
    const [returned, observed] = [this.#returned, this.#observed];
    this.#returned = 0;
    this.#observed = null;
    return observed === null ? { returned } : { returned, observed };
  }
}

function hasPlan(observed: Uint8Array): boolean {
  for (const { name } of members(observed)) if (name === "explain") return true;
  return false;
}
