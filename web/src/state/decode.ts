/**
 * The bytes of a script's value as values to draw, and a cursor's command as a question about its plan.
 *
 * Invariants: pure; types are kept (`Int32`, `Double`, `Long`), since the page shows them; a command that could
 * write, wait or go on for ever is never asked again.
 */
import type { Document } from "bson";
import { decode } from "../codec/decode.ts";
import { EXPLAINED_CURSORS } from "../engine/commands.generated.ts";
import type { ScriptCursor } from "../protocol/run.ts";
import { pipelineOf, type PipelineSource } from "./pipeline/source.ts";
import { fieldOf, isNested, partsOf } from "./values.ts";

const keepTypes = { numbers: "typed" } as const;

/** The `value` of a `{ value: … }` document. */
export function decodeScriptValue(bytes: Uint8Array): unknown {
  return decode(bytes, keepTypes)["value"];
}

/** Bytes of a command that are told with its plan: what a longer one asks for is seldom an order. */
const mostCommand = 64 * 1024;

/**
 * The engine's observation of a command, and its plan with the command, as an explain has it; null where the run was
 * not observed or has no plan.
 */
export function decodeObservation({
  observed: bytes,
  command,
}: Pick<ScriptCursor, "observed"> & { readonly command?: Uint8Array | undefined }): {
  readonly explain: Document;
  readonly observed: Document;
} | null {
  if (bytes === undefined) return null;
  const { explain, ...observed } = decode(bytes, keepTypes);
  if (!isNested(explain) || Array.isArray(explain)) return null;
  const isTold = command !== undefined && command.length <= mostCommand;
  return { explain: isTold ? { ...explain, command: decode(command, keepTypes) } : explain, observed };
}

/** The command that opened a cursor. */
export function decodeCommand(cursor: Pick<ScriptCursor, "command">): Document {
  return decode(cursor.command, keepTypes);
}

/** The pipeline behind a cursor; null where it is a find's. */
export function pipelineOfCursor(cursor: Pick<ScriptCursor, "command">): PipelineSource | null {
  return pipelineOf(decode(cursor.command, keepTypes));
}

export interface PlanQuestion {
  readonly database: string;
  readonly command: Document;
}

/** Fields of a command that an explain of it does not take. */
const leftOut = new Set([
  "$db",
  "lsid",
  "$clusterTime",
  "$readPreference",
  "explain",
  "cursor",
  "batchSize",
  "maxTimeMS",
  "writeConcern",
]);

/** Stages that write, wait, or tell of a moment: a second run of them is another one. */
const unrepeatable = ["$out", "$merge", "$changeStream", "$currentOp", "$collStats", "$indexStats"];

/** Whether a command's pipeline, where it has one, can be run again and give the same. */
export function hasRepeatablePipeline(command: Document): boolean {
  const pipeline = fieldOf(command, "pipeline");
  return !(
    Array.isArray(pipeline) &&
    pipeline.some((stage) => unrepeatable.some((unwanted) => fieldOf(stage, unwanted) !== undefined))
  );
}

/** The explain of the command that opened a cursor; null where the command cannot or should not be run again. */
export function planQuestion(cursor: Pick<ScriptCursor, "command">): PlanQuestion | null {
  const command = decode(cursor.command, keepTypes);
  const database = fieldOf(command, "$db");
  const name = partsOf(command)[0]?.[0] ?? "";
  if (typeof database !== "string" || !EXPLAINED_CURSORS.includes(name)) return null;
  if (fieldOf(command, "tailable") === true || !hasRepeatablePipeline(command)) return null;
  const explained: Document = {};
  for (const [field, value] of partsOf(command)) if (!leftOut.has(field)) explained[field] = value;
  if ("pipeline" in explained) explained["cursor"] = {};
  return { database, command: { explain: explained, verbosity: "allPlansExecution" } };
}
