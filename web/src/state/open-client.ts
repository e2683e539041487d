/**
 * How the page gets its client. A module of its own, so that tests of the page alone can put a client without an
 * engine in its place.
 */
import type { QuireClient } from "../client/client.ts";
import { openClient } from "../client/open.ts";

/** The deployment which every visit to the playground opens again. */
export const playgroundDeployment = "playground";

/** Starts the worker and opens the deployment. Rejects where the engine cannot start. */
export function openPlayground(firstRun: Promise<void>): Promise<QuireClient> {
  return openClient({ deployment: { name: playgroundDeployment, storage: "indexeddb" }, firstRun });
}
