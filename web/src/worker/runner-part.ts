/**
 * The worker's part for scripts, fetched when the first of them is to run.
 *
 * Invariant: the npm package's build puts `pkg/runner-part.ts` in this module's place, where bundlers move the part to
 * an address that only the page knows.
 */
import type { WorkerAssets } from "../protocol/messages.ts";
import type { makeMoments, Runner } from "./runner.ts";

/** What the part gives. */
export interface RunnerPart {
  readonly Runner: typeof Runner;
  readonly makeMoments: typeof makeMoments;
}

/** Fetches the part. Its members are taken out of the module, of which an object would be made otherwise. */
export const runnerPart = (_assets: WorkerAssets | null): Promise<RunnerPart> =>
  import("./runner.ts").then(({ Runner, makeMoments }) => ({ Runner, makeMoments }));
