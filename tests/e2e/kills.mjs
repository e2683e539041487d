/**
 * Kills of real processes: tabs of one deployment write, and now the whole browser is killed by its process id, now one
 * tab, and now one tab stands still while it may hold the lock. Every write acknowledged as journaled before is there
 * afterwards, and all is sound.
 *
 * By hand, for as long as one likes: `node tests/e2e/kills.mjs [--minutes N] [--rounds N] [--seed N]`. The seed decides
 * which process is killed and when, and not how far the machine has come by then.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Random } from "../simulation/random.mjs";
import { eventually } from "./browser.mjs";
import { freeze, killRenderer, startBrowser } from "./faults.mjs";
import { serve } from "./server.mjs";

/**
 * Writes until the end, with so many batches on their way at once, and tells the acknowledged writes. Runs in the page.
 */
async function write({ name, lanes }) {
  const { MongoClient } = await import("./index.js");
  const client = new MongoClient("quire://kills");
  const notes = client.db("garden").collection("notes");
  await client.connect();
  globalThis.opened = true;
  const lane = async (first) => {
    for (let n = first; ; n += lanes) await batch(n);
  };
  const batch = async (n) => {
    const journaled = n % 3 !== 0;
    const options = journaled ? { writeConcern: { w: 1, j: true } } : {};
    const documents = Array.from({ length: 1 + (n % 4) }, (_, index) => ({
      _id: `${name} ${n} ${index}`,
      n,
      of: 1 + (n % 4),
      pad: "x".repeat((n * 97) % 3000),
    }));
    try {
      await notes.insertMany(documents, options);
      if (n % 7 === 0) await notes.deleteMany({ _id: { $in: documents.map(({ _id }) => _id) } }, options);
    } catch (error) {
      await acknowledged({ name, n, failed: String(error) });
      return;
    }
    await acknowledged({ name, n, journaled });
  };
  await Promise.all(Array.from({ length: lanes }, (_, first) => lane(first + 1)));
}

/** The stored documents. Runs in the page. */
async function read() {
  const { MongoClient } = await import("./index.js");
  const client = new MongoClient("quire://kills");
  const notes = client.db("garden").collection("notes");
  const found = await notes.find({}, { projection: { n: 1, of: 1 } }).toArray();
  const { valid, errors } =
    found.length === 0
      ? { valid: true, errors: [] }
      : await client.db("garden").command({ validate: "notes", full: true });
  await client.close();
  return { found: found.map(({ _id, n, of }) => [_id, n, of]), valid, errors };
}

/**
 * Kills until so many rounds or so many milliseconds are over. Gives its counts; throws at the first thing that is
 * lost or torn.
 */
export async function kill({ seed, rounds = Infinity, millis = Infinity }) {
  const random = new Random(seed);
  const served = await serve(fileURLToPath(new URL("../../pkg/dist", import.meta.url)));
  const profile = mkdtempSync(join(tmpdir(), "quire-kills-"));
  const end = Date.now() + millis;
  const done = { rounds: 0, browsers: 0, tabs: 0, freezes: 0, journaled: 0, refused: 0 };
  /** By batch: whether it was journaled, where it was acknowledged. */
  const batches = new Map();
  let lastTab = 0;
  let browser = null;
  try {
    while (done.rounds < rounds && Date.now() < end) {
      browser = await startBrowser(profile);
      const { context } = browser;
      await context.exposeFunction("acknowledged", ({ name, n, journaled, failed }) => {
        if (failed !== undefined) done.refused += 1;
        else {
          batches.set(`${name} ${n}`, journaled);
          if (journaled) done.journaled += 1;
        }
      });
      /** Waits until so many more batches have been answered: a fault comes amid writes, however slow they are. */
      const written = (more) => {
        const answered = () => batches.size + done.refused;
        const enough = answered() + more;
        return eventually(answered, (count) => count >= enough, "answers");
      };
      const open = async () => {
        const page = await context.newPage();
        await page.goto(`${served.url}blank.html`);
        const name = `tab${++lastTab}`;
        // It never ends by itself.
        page.evaluate(write, { name, lanes: random.chance(0.5) ? 1 : 2 + random.below(15) }).catch(() => undefined);
        await page.waitForFunction(() => globalThis.opened === true);
        return { page, name };
      };
      const tabs = [];
      for (let count = 1 + random.below(3); count > 0; count -= 1) tabs.push(await open());
      for (let events = random.below(3); events > 0; events -= 1) {
        await written(random.below(12));
        const victim = random.pick(tabs);
        if (random.chance(0.5)) {
          await killRenderer(victim.page);
          done.tabs += 1;
          tabs.splice(tabs.indexOf(victim), 1, await open());
        } else {
          const frozen = await freeze(victim.page);
          done.freezes += 1;
          // Nothing is waited for here: how long a tab stands still is part of the trial, since others take its lock
          // after a time.
          await pause(random.chance(0.5) ? 2500 : 200);
          frozen.thaw();
        }
      }
      await written(random.below(20));
      await browser.kill();
      done.browsers += 1;
      browser = await startBrowser(profile);
      const page = await browser.context.newPage();
      await page.goto(`${served.url}blank.html`);
      const { found, valid, errors } = await page.evaluate(read);
      assert.ok(valid, `seed ${seed}, round ${done.rounds}: not valid: ${JSON.stringify(errors)}`);
      const there = new Map();
      for (const [id, , of] of found) {
        const batch = id.slice(0, id.lastIndexOf(" "));
        const entry = there.get(batch) ?? { count: 0, of };
        entry.count += 1;
        there.set(batch, entry);
      }
      for (const [batch, { count, of }] of there)
        assert.equal(
          count,
          of,
          `seed ${seed}, round ${done.rounds}: of one insert of ${of} documents ${count} are there: ${batch}`,
        );
      for (const [batch, journaled] of batches) {
        const n = Number(batch.slice(batch.lastIndexOf(" ") + 1));
        if (!journaled) continue;
        if (n % 7 === 0)
          assert.ok(!there.has(batch), `seed ${seed}, round ${done.rounds}: a journaled deletion is undone: ${batch}`);
        else assert.ok(there.has(batch), `seed ${seed}, round ${done.rounds}: a journaled insert is lost: ${batch}`);
      }
      await browser.close();
      browser = null;
      done.rounds += 1;
    }
    return done;
  } finally {
    await browser?.kill().catch(() => undefined);
    await served.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { minutes: { type: "string" }, rounds: { type: "string" }, seed: { type: "string" } },
  });
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
  const options = {
    seed,
    rounds: Number(values.rounds ?? (values.minutes === undefined ? 5 : Infinity)),
    millis: values.minutes === undefined ? Infinity : Number(values.minutes) * 60_000,
  };
  console.log(`kills: seed ${seed}`);
  const done = await kill(options);
  console.log(
    `kills: seed ${seed}: ${done.rounds} rounds: ${done.browsers} browsers and ${done.tabs} tabs killed, ${done.freezes} tabs stopped for a while; ${done.journaled} journaled batches, ${done.refused} refused; nothing lost, nothing torn`,
  );
  process.exit(0);
}
