/**
 * The Web Lock of a deployment: the tab that holds it may write.
 *
 * Invariants: a lock that was taken is let go by `release`; nobody waits here for another tab. A lock can be taken away
 * from a tab that does not answer (`tab-lock.ts`): a batch that it writes then is refused by the fence inside the write
 * itself, so the lock orders tabs and keeps nothing safe.
 */

/** The name of a deployment's lock. */
export const lockName = (deployment: string): string => `quire:${deployment}`;

export interface HeldLock {
  release(): void;
  /** Another tab took the lock away. */
  readonly robbed: Promise<void>;
}

/**
 * Asks for the lock as `options` say; gives null where `ifAvailable` finds it taken. Rejects when the wish is given up
 * (`signal`).
 */
export function requestLock(deployment: string, options: LockOptions): Promise<HeldLock | null> {
  return new Promise((resolve, reject) => {
    let granted = false;
    let rob: () => void;
    const robbed = new Promise<void>((done) => (rob = done));
    navigator.locks
      .request(lockName(deployment), options, (lock) => {
        granted = true;
        if (lock === null) return resolve(null);
        return new Promise<void>((release) => resolve({ release, robbed }));
      })
      .catch((error: unknown) => (granted ? rob() : reject(error as Error)));
  });
}

/** Whether this browser has locks. */
export const hasLocks = (): boolean =>
  typeof navigator !== "undefined" && (navigator as Partial<Navigator>).locks !== undefined;

/** Takes the lock where it is free, or gives null. */
export async function seizeLock(deployment: string): Promise<HeldLock | null> {
  if (!hasLocks()) return null;
  return requestLock(deployment, { ifAvailable: true }).catch(() => null);
}
