/**
 * The previews on a pipeline's cards: the command that asks the engine for a stage's output, and the reading of its
 * answer.
 *
 * Invariants: pure but for the asking; a stage that writes is never run; a preview reads so many documents at most and
 * ends after so long, and says so.
 */
import type { Document } from "bson";
import { ask, cursorOf, Refusal, type Commander } from "../data/ask.ts";
import { leading, stageName, unrepeatable } from "./preview.ts";

/** Documents that are shown of each stage's output; one more is asked for, to know whether there are more. */
export const shown = 10;
/** How many documents of the collection a preview reads; null for all. */
export const inputs = [1000, 10_000, 100_000, null] as const;
export type Input = (typeof inputs)[number];
/** Milliseconds after which a preview gives up. */
export const patience = 3000;

/** A stage as the preview meets it. */
export type PreviewStage =
  | { readonly kind: "stage"; readonly document: Document }
  | { readonly kind: "disabled" }
  /** The stage cannot be told without running the script; the view words the reason. */
  | { readonly kind: "unknown" };

/** The preview on a card: documents, or the reason why there are none. */
export type Preview =
  | { readonly kind: "documents"; readonly documents: readonly Document[]; readonly more: boolean }
  | { readonly kind: "disabled" }
  | { readonly kind: "writes" }
  | { readonly kind: "unknown" }
  /** A stage before it has a fault, so there is nothing to run. */
  | { readonly kind: "behind" }
  | { readonly kind: "failed"; readonly message: string; readonly late: boolean };

/** The command for the output of the stage at a place, -1 for the pipeline's input; or the reason why none is run. */
export function previewCommand(
  collection: string | null,
  stages: readonly PreviewStage[],
  at: number,
  input: Input,
): Document | Exclude<Preview, { kind: "documents" | "failed" }> {
  const own = stages[at];
  if (at >= 0 && own?.kind !== "stage") return { kind: own?.kind ?? "unknown" };
  if (own?.kind === "stage" && unrepeatable.has(stageName(own.document))) return { kind: "writes" };
  const before = stages.slice(0, Math.max(0, at + 1));
  if (before.some(({ kind }) => kind === "unknown")) return { kind: "behind" };
  const run = before.flatMap((stage) => (stage.kind === "stage" ? [stage.document] : []));
  if (run.some((stage) => unrepeatable.has(stageName(stage)))) return { kind: "behind" };
  const limits =
    input === null || collection === null || leading.has(stageName(run[0] ?? {})) ? [] : [{ $limit: input }];
  return {
    aggregate: collection ?? 1,
    pipeline: [...limits, ...run, { $limit: shown + 1 }],
    cursor: { batchSize: shown + 1 },
    maxTimeMS: patience,
  };
}

/** Asks the engine for the output of the stage at a place; -1 asks for the pipeline's input. */
export async function preview(
  commander: Commander,
  database: string,
  collection: string | null,
  stages: readonly PreviewStage[],
  at: number,
  input: Input,
): Promise<Preview> {
  const command = previewCommand(collection, stages, at, input);
  if ("kind" in command && typeof command["kind"] === "string") return command as Preview;
  try {
    const { documents } = cursorOf(await ask(commander, database, command as Document));
    return { kind: "documents", documents: documents.slice(0, shown), more: documents.length > shown };
  } catch (error) {
    const late = error instanceof Refusal && error.code === 50;
    return { kind: "failed", message: error instanceof Error ? error.message : String(error), late };
  }
}

/** Whether a preview reads less than all of a collection of so many documents. */
export const isPart = (input: Input, count: number | null): boolean =>
  input !== null && (count === null || count > input);

/** The limit for a collection of `count` documents; null, so that indexes serve, where it would not be reached. */
export const inputFor = (input: Input, count: number | null): Input => (isPart(input, count) ? input : null);
