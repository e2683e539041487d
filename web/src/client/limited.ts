/**
 * How many documents a cursor's command lets come: the engine may keep a cursor open that gave all of them, as of a
 * pipeline or a time series whose last batch was full.
 *
 * Invariant: pure; told only where the command itself says it.
 */
import type { Document } from "bson";
import type { CursorBatch } from "./client.ts";

/** Stages that give one document for each. */
const oneForOne = new Set([
  "$project",
  "$addFields",
  "$set",
  "$unset",
  "$lookup",
  "$sort",
  "$replaceRoot",
  "$replaceWith",
]);

/** The limit of a command; null where it has none. */
export function limitOf(command: Document): number | null {
  if (Array.isArray(command["pipeline"])) {
    const stages = (command["pipeline"] as readonly Document[]).toReversed();
    const last = stages.find((stage) => !oneForOne.has(Object.keys(stage)[0] ?? ""));
    return positive(last?.["$limit"]);
  }
  return positive(command["limit"]);
}

function positive(value: unknown): number | null {
  const limit = Math.abs(Number(value ?? 0));
  return Number.isSafeInteger(limit) && limit > 0 ? limit : null;
}

/** A batch of a cursor whose command lets so many documents come from this batch on; null: any number. */
export function limitedBatch(batch: CursorBatch, limit: number | null): CursorBatch {
  if (limit === null) return batch;
  const left = Math.max(0, limit - batch.documents.length);
  return { ...batch, left, cursorId: left === 0 ? 0n : batch.cursorId };
}
