/** A data file survives kills of its process: nothing acknowledged with its journal is lost. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { campaign } from "./data-file-kills.mjs";

test("twenty kills of a writing process lose nothing acknowledged", async () => {
  const { killed, acknowledged } = await campaign({ seed: 20, kills: 20 });
  assert.equal(killed, 20);
  assert.ok(acknowledged > 20, `${acknowledged} documents were acknowledged`);
});
