/**
 * What a page does with a script's value: decodes it, or words it as the shell prints it.
 *
 * Invariant: pure; never talks to the worker.
 */
import type { Document } from "bson";

/** Whether a decoded value is an explain reply, to be drawn as a plan. */
export function isExplain(value: unknown): value is Document {
  return typeof value === "object" && value !== null && ("queryPlanner" in value || ("stages" in value && "explainVersion" in value));
}
