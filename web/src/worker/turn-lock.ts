/**
 * The lock of a deployment as turns over it use it: shared with other tabs (`tab-lock.ts`), or held by one process for
 * as long as it has the deployment open.
 */

export interface TurnLock {
  /** Whether nobody took the lock away since the turn began. */
  readonly isOurs: boolean;
  /** Whether another tab waits for the lock that this one holds. */
  readonly isWanted: boolean;
  /** Begins a turn; tells whether others may have written since the last one, at once where the lock is held. */
  begin(): boolean | Promise<boolean>;
  /** Says that the turn goes on; false when others may have written meanwhile: `begin` again. */
  goesOn(): boolean;
  /** Ends a turn; `letGo` lets others in although nobody asked. */
  end(letGo: boolean): void;
  /** Tells the other tabs of a commit. */
  committed(sequence: number): void;
  close(): void;
}

/** The lock of a deployment that no other writer can open meanwhile. */
export const soleWriter: TurnLock = {
  isOurs: true,
  isWanted: false,
  begin: () => false,
  goesOn: () => true,
  end: () => undefined,
  committed: () => undefined,
  close: () => undefined,
};
