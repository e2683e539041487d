/**
 * A browser with so much room, and tabs of it that speak to the worker as the page does.
 *
 * Invariant: a command that is to be stored has failed where it was not.
 */
import assert from "node:assert/strict";
import { LockManager } from "./channels.mjs";
import { Client } from "./moments.mjs";
import { Browser, loadCode } from "./realm.mjs";
import { Disk } from "./storage.mjs";
import { World } from "./world.mjs";

const PATIENCE_MILLIS = 120_000;
const code = await loadCode({}, "client/open.ts");

/** A browser and its disk, and a function that opens a tab. */
export async function begin(quota = Infinity, countsPuts = false) {
  const world = new World(1);
  const disk = new Disk(world);
  Object.assign(disk, { quota, countsPuts });
  const run = {
    world,
    browser: new Browser(world, code, disk, new LockManager(world)),
    async wait(promise, what) {
      let outcome = null;
      promise.then(
        (value) => (outcome = { value }),
        (error) => (outcome = { error }),
      );
      await world.until(() => outcome !== null, PATIENCE_MILLIS, what);
      if ("error" in outcome) throw outcome.error;
      return outcome.value;
    },
  };
  let tabs = 0;
  const open = () => new Client(run, ++tabs).ready();
  return { world, disk, run, open };
}

/** A command that is to succeed and to be stored. */
export const stored = async (client, command) => {
  const reply = await client.command({ ...command, writeConcern: { j: true } });
  assert.deepEqual([reply.ok, reply.writeErrors, reply.writeConcernError], [1, undefined, undefined]);
  return reply;
};
