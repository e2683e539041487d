/**
 * A pipeline seen from inside: the documents that come out of each of its stages, by running its beginnings.
 *
 * Invariants: reads only: a stage that writes is never run, nor one that waits; each run gives a few documents and ends
 * after a while; a count is exact or absent, never estimated.
 */
import type { Document } from "bson";
import { ask, cursorOf, type Commander } from "../data/ask.ts";
import { partsOf } from "../values.ts";
import type { PipelineSource } from "./source.ts";

/** The first documents that come out of a stage; the collection itself stands before the first stage. */
export interface StagePreview {
  /** How many stages were run: 0 for the documents that the pipeline reads. */
  readonly at: number;
  /** `$match`; null for the collection. */
  readonly name: string | null;
  readonly stage: Document | null;
  /** The first documents that come out of the stage. */
  readonly documents: readonly Document[];
  /** The number of all documents that come out; null where counting took too long, or was not asked for. */
  readonly count: number | null;
  /** The reason why no documents can be shown; null where they are. */
  readonly refusal: { readonly kind: "writes" } | { readonly kind: "failed"; readonly message: string } | null;
}

export interface PreviewOptions {
  /** Documents of each stage. */
  readonly documents?: number;
  /** Count all that come out, by a run of its own. */
  readonly counted?: boolean;
  /** Milliseconds after which a run is given up. */
  readonly patience?: number;
}

/** Stages which change data or never end. */
export const unrepeatable: ReadonlySet<string> = new Set(["$out", "$merge", "$changeStream"]);
/** Stages that must be the first of a pipeline. */
export const leading: ReadonlySet<string> = new Set([
  "$documents",
  "$collStats",
  "$indexStats",
  "$planCacheStats",
  "$currentOp",
  "$listSessions",
  "$listLocalSessions",
  "$listClusterCatalog",
  "$querySettings",
  "$geoNear",
]);

/** The name of a stage: its first field. */
export function stageName(stage: Document): string {
  return partsOf(stage)[0]?.[0] ?? "";
}

/** Runs the beginnings of a pipeline, the shortest first, and gives each stage's preview as soon as it is known. */
export async function* previewPipeline(
  commander: Commander,
  source: PipelineSource,
  { documents = 3, counted = true, patience = 3000 }: PreviewOptions = {},
): AsyncGenerator<StagePreview> {
  const { pipeline } = source;
  const run = async (stages: readonly Document[]): Promise<readonly Document[]> =>
    cursorOf(
      await ask(commander, source.database, {
        aggregate: source.collection ?? 1,
        pipeline: stages,
        cursor: { batchSize: documents },
        ...source.options,
        maxTimeMS: patience,
      }),
    ).documents;
  const begins = pipeline[0] !== undefined && leading.has(stageName(pipeline[0]));
  for (let at = source.collection === null || begins ? 1 : 0; at <= pipeline.length; at += 1) {
    const stage = at === 0 ? null : (pipeline[at - 1] ?? null);
    const name = stage === null ? null : stageName(stage);
    const preview = { at, name, stage, documents: [], count: null, refusal: null };
    if (name !== null && unrepeatable.has(name)) {
      yield { ...preview, refusal: { kind: "writes" } };
      return;
    }
    const beginning = pipeline.slice(0, at);
    try {
      const first = await run([...beginning, { $limit: documents }]);
      const all = first.length < documents ? first.length : counted ? await countOf(run, beginning) : null;
      yield { ...preview, documents: first, count: all };
    } catch (error) {
      yield {
        ...preview,
        refusal: { kind: "failed", message: error instanceof Error ? error.message : String(error) },
      };
      return;
    }
  }
}

async function countOf(
  run: (stages: readonly Document[]) => Promise<readonly Document[]>,
  beginning: readonly Document[],
): Promise<number | null> {
  try {
    const [counted] = await run([...beginning, { $count: "n" }]);
    return counted === undefined ? 0 : Number(counted["n"]);
  } catch {
    return null;
  }
}
