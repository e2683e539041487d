/**
 * Waits for a moment in which the browser has nothing better to do. Invariant: it comes at the latest after a second,
 * also in a hidden tab.
 */

const patience = 1000;

export function idle(then: () => void): void {
  const request = (globalThis as Partial<Pick<typeof globalThis, "requestIdleCallback">>).requestIdleCallback;
  if (request === undefined) setTimeout(then, 50);
  else request(then, { timeout: patience });
}
