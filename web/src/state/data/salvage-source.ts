/** A copy in memory of all that can be read of a stored deployment, opened in a worker of its own. */
import { openEngine } from "../../client/open.ts";
import type { SalvageSource } from "./salvaging.ts";

/**
 * Rejects where nothing of this format is stored. With `repair`, and where something was lost, the copy takes the place
 * of all that is stored.
 */
export const openSalvaged = (name: string, repair = false): Promise<SalvageSource> =>
  openEngine({ deployment: { name, storage: "indexeddb", salvage: true, repair } });
