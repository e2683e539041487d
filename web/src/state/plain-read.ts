/**
 * How a statement's plain value (that of `toArray()`, `findOne()`, `countDocuments()`, an update) was come by: the plan
 * of its one command, and the figures of the batches that the script fetched after the first.
 *
 * Invariants: pure; every figure is one that the engine counted while the statement ran; nothing is told of a statement
 * of several commands, whose plan would be that of one of them.
 */
import type { Document } from "bson";
import { rawField } from "../codec/members.ts";
import { PLANNED_READS } from "../engine/commands.generated.ts";
import type { StatementOutcome } from "../protocol/run.ts";
import { decodeCommand, decodeObservation, hasRepeatablePipeline } from "./decode.ts";
import type { Fetched } from "./fetched.ts";
import { countedIn } from "./insight.ts";
import { partsOf } from "./values.ts";

export interface PlainRead {
  readonly explain: Document;
  readonly observed: Document;
  /** The figures of the batches after the first; null where there were none. */
  readonly fetched: Fetched | null;
  /** All of it was read. */
  readonly ended: boolean;
  /** The command, where it only reads and so can be tried again; null where it writes. */
  readonly command: Uint8Array | null;
}

export function readPlain(
  statement: Pick<StatementOutcome, "observed" | "alone" | "account" | "commands" | "engineMillis">,
): PlainRead | null {
  const { alone, account, commands, engineMillis } = statement;
  const { observed } = statement;
  const seen =
    alone === undefined || observed === undefined ? null : decodeObservation({ observed, command: alone.command });
  if (alone === undefined || seen === null) return null;
  const first = countedIn(seen.observed);
  const fetched =
    first === null || commands < 2
      ? null
      : {
          batches: commands - 1,
          documents: alone.following,
          keysExamined: account.keysExamined - first.keysExamined,
          documentsExamined: account.documentsExamined - first.documentsExamined,
          millis: engineMillis - (first.millis ?? 0),
          pagesRead: account.pagesRead - first.pagesRead,
          differentPages: null,
          pages: null,
        };
  return { ...seen, fetched, ended: alone.ended, command: isRepeatable(alone.command) ? alone.command : null };
}

/** Whether a command can be run again on a fork and answers as before. */
function isRepeatable(command: Uint8Array): boolean {
  const decoded = decodeCommand({ command });
  const [name] = partsOf(decoded)[0] ?? [""];
  return PLANNED_READS.includes(name) && rawField(command, "$db") !== undefined && hasRepeatablePipeline(decoded);
}
