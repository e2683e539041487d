/**
 * Where the Watch panel goes on after a reload: the collection, and the place behind the last event that was seen.
 *
 * Invariants: kept for this window alone and until the panel is closed; text that is no place is none.
 */
import type { Places } from "../persistence.ts";
import type { WatchSubject } from "../model.ts";

export interface WatchPlace extends WatchSubject {
  readonly token: string | null;
  /** When the panel was last at that place, in milliseconds since 1970. */
  readonly seen: number;
}

type Storage = Places["session"];

export const watchKey = (deployment: string): string => `quire.watch.${deployment}`;

export function readPlace(storage: Storage, deployment: string): WatchPlace | null {
  try {
    const found = JSON.parse(storage?.getItem(watchKey(deployment)) ?? "null") as Partial<WatchPlace> | null;
    const { database, collection, token = null, seen } = found ?? {};
    if (typeof database !== "string" || typeof collection !== "string" || typeof seen !== "number") return null;
    return { database, collection, seen, token: typeof token === "string" ? token : null };
  } catch {
    return null;
  }
}

/** Keeps the place; null: the panel is closed. */
export function keepPlace(storage: Storage, deployment: string, place: WatchPlace | null): void {
  try {
    storage?.setItem(watchKey(deployment), JSON.stringify(place));
  } catch {
    // After a reload the panel is closed, then.
  }
}
