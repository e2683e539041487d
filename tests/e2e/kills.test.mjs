/**
 * Browsers and tabs killed by their process ids lose nothing that was journaled; `cargo xtask soak --only kills` goes
 * on with other seeds.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { kill } from "./kills.mjs";

test("what was journaled survives kills of browsers and tabs, and tabs that stand still", async () => {
  const done = await kill({ seed: 7, rounds: 2 });
  assert.ok(done.journaled > 10, `only ${done.journaled} batches were journaled`);
});
