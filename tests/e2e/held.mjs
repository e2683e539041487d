/**
 * The servers, browsers and other programs that a file of tests holds open. All are closed when the file's tests are
 * over, also those that a failed test left behind, so that the file's process ends.
 *
 * Invariant: a thing that cannot be closed is not waited for for ever; a program of a test's own (`kills.mjs`) closes
 * by itself what it opens.
 */
import { after } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

/** How long all of it may take to close, in milliseconds. */
const PATIENCE = 60_000;
const held = new Set();

/**
 * Holds something open until it is closed, here or at the end of the file.
 * @param {() => unknown} close
 * @returns {() => Promise<void>} closes it; a second call does nothing
 */
export function hold(close) {
  held.add(close);
  return async () => {
    if (held.delete(close)) await close();
  };
}

async function closeAll() {
  const closing = Promise.allSettled([...held].map(async (close) => close()));
  held.clear();
  if ((await Promise.race([closing, pause(PATIENCE, "late", { ref: false })])) !== "late") return;
  console.error("# something that a test opened cannot be closed");
  process.exit(1);
}

// Only in a process of the test runner: elsewhere `after` would begin a run of tests.
if (process.env.NODE_TEST_CONTEXT !== undefined) after(closeAll);
