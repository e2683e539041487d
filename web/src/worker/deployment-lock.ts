/**
 * The Web Lock of a deployment: who holds it may write.
 *
 * Invariant: a lock that was taken is let go by calling what came with it; nobody waits here for another tab.
 */

/** The name of a deployment's lock. */
export const lockName = (deployment: string): string => `quire:${deployment}`;

/** Takes the lock where it is free; gives what lets it go, or null. */
export function seizeLock(deployment: string): Promise<(() => void) | null> {
  return new Promise((resolve) => {
    if (typeof navigator === "undefined" || (navigator as Partial<Navigator>).locks === undefined) return resolve(null);
    navigator.locks
      .request(lockName(deployment), { ifAvailable: true }, (lock) => {
        if (lock === null) return resolve(null);
        return new Promise<void>((letGo) => resolve(letGo));
      })
      .catch(() => resolve(null));
  });
}
