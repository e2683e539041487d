/** A data file survives kills of its process, and is one process's at a time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { campaign, contend } from "./data-file-kills.mjs";
import { campaign as killServers } from "./serve-kills.mjs";

test("twenty kills of a writing process lose nothing acknowledged", async () => {
  const { killed, acknowledged } = await campaign({ seed: 20, kills: 20 });
  assert.equal(killed, 20);
  assert.ok(acknowledged > 20, `${acknowledged} documents were acknowledged`);
});

test("eight kills of a server lose nothing that four clients were told is stored", async () => {
  const { killed, acknowledged } = await killServers({ seed: 8, kills: 8 });
  assert.equal(killed, 8);
  assert.ok(acknowledged > 50, `${acknowledged} commands were acknowledged`);
});

test("of five processes that find a dead one's lock, one gets the file", async () => {
  const { writers, complaints } = await contend(5);
  assert.equal(writers, 1, complaints.join("\n"));
  for (const complaint of complaints) assert.match(complaint, /DBPathInUse.*in use by process/);
});
