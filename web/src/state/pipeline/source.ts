/**
 * A pipeline as a command holds it.
 *
 * Invariant: keeps the fields of the command that change its documents. The others, such as `cursor`, are set anew when
 * the pipeline is run again.
 */
import type { Document } from "bson";
import { fieldOf } from "../values.ts";

export interface PipelineSource {
  readonly database: string;
  /** Null for a pipeline that reads no collection (`{ aggregate: 1 }`). */
  readonly collection: string | null;
  readonly pipeline: readonly Document[];
  /** The command's `let`, `collation` and `hint`, those that it has. */
  readonly options: Document;
}

/** The pipeline of an aggregate command; null for another command. */
export function pipelineOf(command: Document): PipelineSource | null {
  const database = fieldOf(command, "$db");
  const collection = fieldOf(command, "aggregate");
  const pipeline = fieldOf(command, "pipeline");
  if (typeof database !== "string" || !Array.isArray(pipeline)) return null;
  const options: Document = {};
  for (const name of ["let", "collation", "hint"]) {
    const value = fieldOf(command, name);
    if (value !== undefined) options[name] = value;
  }
  return {
    database,
    collection: typeof collection === "string" ? collection : null,
    pipeline: pipeline as readonly Document[],
    options,
  };
}
