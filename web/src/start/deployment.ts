/**
 * The deployment which every visit to the playground opens again. Invariant: it is all there is here, for who begins
 * before the page.
 */
import type { Deployment } from "../protocol/messages.ts";

/** Where it cannot be stored, the page works in memory and says so. */
export const playgroundDeployment: Deployment = { name: "playground", storage: "indexeddb", orMemory: true };
