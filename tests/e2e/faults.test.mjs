/**
 * The faults that other tests make (`faults.mjs`) are there when they are made, and gone when they are taken away: a
 * test that waits for a fault which never came would pass for nothing.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { eventually, withBrowser } from "./browser.mjs";
import { freeze, killRenderer, limitStorage, startBrowser, tamper } from "./faults.mjs";
import { serve } from "./server.mjs";

const { visit } = withBrowser();
let served;
before(async () => {
  served = await serve(fileURLToPath(new URL("../../pkg/dist", import.meta.url)));
});

/** An empty page of the origin. */
async function blank(context) {
  const page = await context.newPage();
  await page.goto(`${served.url}blank.html`);
  return page;
}

/** Stores bytes under a key; "stored", or the error's name. Runs in the page. */
const store = (page, key, length) =>
  page.evaluate(
    ([key, length]) =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open("quire:faults", 1);
        opening.onupgradeneeded = () => ["pages", "meta"].forEach((name) => opening.result.createObjectStore(name));
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const database = opening.result;
          const transaction = database.transaction("pages", "readwrite", { durability: "strict" });
          const bytes = new Uint8Array(length);
          for (let at = 0; at < length; at += 65536) crypto.getRandomValues(bytes.subarray(at, at + 65536));
          transaction.objectStore("pages").put(bytes, key);
          const end = (outcome) => () => (database.close(), resolve(outcome ?? transaction.error?.name));
          transaction.oncomplete = end("stored");
          transaction.onabort = end();
        };
      }),
    [key, length],
  );

test("full storage refuses and has room again, records are changed and lost, a frozen page stands still, a killed one is gone", async () => {
  const { context, close } = await visit();
  const page = await blank(context);
  await limitStorage(page, 1_000_000);
  assert.equal(await store(page, 1, 100), "stored");
  await eventually(() => store(page, 2, 4_000_000), "QuotaExceededError");
  await limitStorage(page, null);
  await eventually(() => store(page, 2, 4_000_000), "stored");

  const [, changed, , keys] = await tamper(context, served.url, "faults", [
    { do: "put", store: "pages", key: 3, value: [1, 2, 3] },
    { do: "flip", store: "pages", key: 3, at: -1, mask: 0x80 },
    { do: "delete", store: "pages", key: 2 },
    { do: "keys", store: "pages" },
  ]);
  assert.deepEqual([changed, keys], [3, [1, 3]]);
  assert.deepEqual(await tamper(context, served.url, "faults", [{ do: "get", store: "pages", key: 3 }]), [
    [1, 2, 0x83],
  ]);

  const other = await blank(context);
  const counts = async (page) => page.evaluate(() => (globalThis.count = (globalThis.count ?? 0) + 1));
  assert.equal(await counts(other), 1);
  const frozen = await freeze(other);
  let answered = false;
  const late = counts(other).then((count) => ((answered = true), count));
  // The frozen page was asked first; the other answers all the same.
  for (let n = 1; n <= 20; n += 1) assert.equal(await counts(page), n);
  assert.equal(answered, false);
  frozen.thaw();
  assert.equal(await late, 2);

  await killRenderer(other);
  assert.equal(await counts(page), 21);
  await close();
});

test("a browser killed by its process id leaves its profile to the next", async () => {
  const profile = mkdtempSync(join(tmpdir(), "quire-profile-"));
  const first = await startBrowser(profile);
  assert.equal(await store(await blank(first.context), 1, 100), "stored");
  await first.kill();
  const second = await startBrowser(profile);
  assert.deepEqual(await tamper(second.context, served.url, "faults", [{ do: "keys", store: "pages" }]), [[1]]);
  await second.close();
  rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
});
