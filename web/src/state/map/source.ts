/**
 * The parts of a result that its map is made of: the documents, the command, its plan, the fields.
 *
 * Invariant: pure; the plan is that of the batches so far, as the line above the result has it.
 */
import type { IndexSummary } from "../../client/client.ts";
import type { Fetched } from "../fetched.ts";
import { countedIn } from "../insight.ts";
import { readPlan, type Plan } from "../plan.ts";
import { readSoFar } from "../so-far.ts";
import { fieldOf } from "../values.ts";
import { knownFields, offersMap } from "./offered.ts";

/** The parts of a result that its map is made of. */
export interface MapSource {
  readonly values: readonly unknown[];
  readonly command: unknown;
  readonly plan: Plan | null;
  /** The plan is that of the first batch alone. */
  readonly isFirstOnly: boolean;
  /** The fields of geospatial indexes. */
  readonly known: readonly string[];
  /** More documents can be fetched. */
  readonly more: boolean;
}

/** A result, and what is known of how it came about. */
export interface Found {
  readonly values: readonly unknown[];
  /** The command; null where only its explain has it. */
  readonly command: unknown;
  readonly explain: unknown;
  readonly observed: unknown;
  readonly fetched: Fetched | null;
  readonly isEnd: boolean;
  readonly indexes: readonly Pick<IndexSummary, "key">[];
}

/** The source of a result's map; null where there is nothing to draw. */
export function mapSourceOf({ values, explain, observed, fetched, isEnd, indexes, ...found }: Found): MapSource | null {
  const command = found.command ?? fieldOf(explain, "command");
  const known = knownFields(values, indexes);
  if (!offersMap(values, command, known)) return null;
  const plan = explain === null ? null : readPlan(explain);
  const soFar = plan === null ? null : readSoFar(plan, countedIn(observed), fetched, isEnd);
  return {
    values,
    command,
    plan: soFar?.plan ?? null,
    isFirstOnly: soFar?.isFirstOnly ?? false,
    known,
    more: !isEnd,
  };
}
