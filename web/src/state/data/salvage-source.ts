/** A copy in memory of all that can be read of a stored deployment, opened in a worker of its own. */
import { openEngine } from "../../client/open.ts";
import type { SalvageSource } from "./salvaging.ts";

/** Rejects where nothing of this format is stored. */
export const openSalvaged = (name: string): Promise<SalvageSource> =>
  openEngine({ deployment: { name, storage: "indexeddb", salvage: true } });
