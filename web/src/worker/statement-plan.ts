/**
 * Of the statement under way: the observation of its first command that has a plan, whether that was its only command,
 * and how many documents its commands were given, for runs that ask for them (`RunOptions.plans`).
 *
 * Invariant: no more commands are observed once one told its plan, so that a loop pays for its first round alone.
 */
import { members, nameOf, rawField } from "../codec/members.ts";
import { CURSOR_READERS, PLANNED } from "../engine/commands.generated.ts";
import type { StatementOutcome } from "../protocol/run.ts";

/** Names of a reply's fields that hold documents. */
const BATCHES = new Set(["firstBatch", "nextBatch"]);

export class StatementPlan {
  #observed: Uint8Array | null = null;
  #command: Uint8Array | null = null;
  #returned = 0;
  #following = 0;
  /** Commands that are neither the observed one nor a `getMore` after it. */
  #others = 0;
  #ended = true;

  /** Whether this command is to be observed. */
  wants(command: Uint8Array): boolean {
    return this.#observed === null && PLANNED.includes(nameOf(command));
  }

  /** A command was done. */
  saw(command: Uint8Array, reply: Uint8Array, observed?: Uint8Array): void {
    const before = this.#returned;
    for (const { name, start, end } of members(reply)) {
      if (name !== "cursor") continue;
      const cursor = reply.subarray(start, end);
      for (const batch of members(cursor)) {
        if (batch.name === "id") this.#ended = rawField(cursor, "id") === 0n;
        else if (BATCHES.has(batch.name))
          for (const _ of members(cursor.subarray(batch.start, batch.end))) this.#returned += 1;
      }
    }
    if (observed !== undefined && this.#observed === null && rawField(reply, "ok") === 1 && hasPlan(observed)) {
      this.#observed = observed;
      this.#command = command.slice();
    } else if (this.#observed !== null && CURSOR_READERS.includes(nameOf(command)))
      this.#following += this.#returned - before;
    else this.#others += 1;
  }

  /** A command was done whose bytes are not looked at. */
  passed(): void {
    this.#others += 1;
  }

  /** The facts about the statement, which ended; the next one begins with none. */
  take(): Pick<StatementOutcome, "observed" | "alone"> & { readonly returned: number } {
    const [returned, observed, command, following] = [this.#returned, this.#observed, this.#command, this.#following];
    const [isAlone, ended] = [this.#others === 0, this.#ended];
    this.#returned = 0;
    this.#following = 0;
    this.#others = 0;
    this.#ended = true;
    this.#observed = null;
    this.#command = null;
    if (observed === null || command === null) return { returned };
    return isAlone ? { returned, observed, alone: { command, following, ended } } : { returned, observed };
  }
}

function hasPlan(observed: Uint8Array): boolean {
  for (const { name } of members(observed)) if (name === "explain") return true;
  return false;
}
