/**
 * How the page gets its client. A module of its own, so that tests of the page alone can put a client without an
 * engine in its place.
 */
import type { QuireClient } from "../client/client.ts";
import { openClient } from "../client/reading.ts";
import { isEarly, takeEarly } from "../start/early.ts";
import { deploymentOf } from "../start/deployment.ts";

/** Whether the worker was started before the page, so that opening costs nothing any more. */
export const isBegun = isEarly;

/**
 * Opens the deployment, in the worker that was started before the page or in one of its own. Rejects where the engine
 * cannot start.
 */
export function openPlayground(firstRun: Promise<void>): Promise<QuireClient> {
  return openClient({ deployment: deploymentOf(location.search), firstRun, early: takeEarly() });
}
