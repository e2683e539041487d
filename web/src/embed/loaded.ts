/**
 * The code that a snippet fetches at the first focus or Run: the engine's part (`backend.ts`) and the drawing of
 * results.
 *
 * Invariant: fetched once a page, and asked for again after it failed.
 */
import type * as BackendModule from "./backend.ts";
import type * as ResultsModule from "./results.ts";

export type Loaded = readonly [typeof BackendModule, typeof ResultsModule];

let loading: Promise<Loaded> | null = null;

/** Fetches both parts. Rejects when one of them cannot be fetched; a later call tries again. */
export function load(): Promise<Loaded> {
  if (loading === null) {
    loading = Promise.all([import("./backend.ts"), import("./results.ts")]);
    loading.catch(() => (loading = null));
  }
  return loading;
}
