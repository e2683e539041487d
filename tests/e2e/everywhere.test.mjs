/**
 * The promises that hold in every browser, in Chromium, Firefox and WebKit: data is kept in IndexedDB, tabs share it,
 * the playground starts and runs, snippets run under the strictest policy that can run them; and, of the modules beside
 * this one, the pages that are drawn in Firefox and WebKit too. All of it shares one start of each browser.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { eventually } from "./browser.mjs";
import { ask, engines, press, shows, write } from "./engines.mjs";
import { serve } from "./server.mjs";
import "./everywhere-firefox.mjs";
import "./everywhere-insides.mjs";
import "./everywhere-lessons.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self' blob:; style-src 'self'";
const folder = mkdtempSync(join(tmpdir(), "quire-everywhere-"));
/** The script of a page of a project that uses the package; it notes the browser's complaints. */
const clientScript = `
import * as quire from "./quire/index.js";
globalThis.quire = quire;
globalThis.complaints = [];
// Browsers ask for an icon by themselves, which the policy rightly refuses.
addEventListener("securitypolicyviolation", (event) => event.blockedURI.endsWith("/favicon.ico") || complaints.push(event.violatedDirective + " " + event.blockedURI));
addEventListener("error", (event) => complaints.push(String(event.message)));
`;
/** Lets the playground's tabs read the stored data and not write, until `holding` is false. Runs in a page. */
async function holdWrites() {
  const database = await new Promise((resolve, reject) => {
    const request = indexedDB.open("quire:playground");
    Object.assign(request, { onsuccess: () => resolve(request.result), onerror: () => reject(request.error) });
  });
  globalThis.holding = true;
  // A transaction that only reads keeps those that write waiting, as long as it goes on reading.
  const transaction = database.transaction([...database.objectStoreNames], "readonly");
  transaction.oncomplete = () => database.close();
  const store = transaction.objectStore("meta");
  await new Promise((begun) => {
    const read = () => {
      begun();
      if (holding) store.get(0).onsuccess = read;
    };
    store.get(0).onsuccess = read;
  });
  return null;
}
let site;
let host;

before(async () => {
  symlinkSync(here("../../pkg/site"), join(folder, "quire"));
  const page = (name, head, body) =>
    writeFileSync(
      join(folder, name),
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>Herbs</title><script type="module" src="${head}"></script>${body}</html>`,
    );
  page(
    "snippets.html",
    "quire/element.js",
    `<quire-snippet id="first" db="garden" setup='db.herbs.insertOne({ latin: "Salvia" })'><pre>db.herbs.find()</pre></quire-snippet><quire-snippet id="second" db="garden"><pre>print(db.herbs.countDocuments() + " herb")</pre></quire-snippet>`,
  );
  page("client.html", "client.js", "");
  writeFileSync(join(folder, "client.js"), clientScript);
  [site, host] = await Promise.all([
    serve(here("../../web/dist/site")),
    serve(folder, 0, { "content-security-policy": policy }),
  ]);
});
after(() => rmSync(folder, { recursive: true, force: true }));

for (const { name, skip, shared } of engines) {
  if (skip) console.log(`# skipped: ${name}: ${skip}`);
  let browser;
  before(async () => {
    if (!skip) browser = await shared();
  });

  /** The first page with the package's driver, which stays open for the next test. */
  let first = null;
  /** A page with the package's driver, and a client of one deployment. */
  const client = async (deployment, another = false) => {
    const tab = (another ? null : first) ?? (await browser.tab());
    if (tab !== first) await tab.goto(`${host.url}client.html`);
    if (!another) first = tab;
    await connects(tab, deployment);
    return tab;
  };
  const connects = async (tab, deployment) => {
    await eventually(() => tab.evaluate("typeof globalThis.quire"), "object", "the package");
    await ask(
      tab,
      (address) => (
        (globalThis.client = new quire.MongoClient(address)),
        (globalThis.herbs = client.db("garden").collection("herbs")),
        null
      ),
      `quire://${deployment}`,
    );
  };
  const isQuiet = async (tab) => assert.deepEqual(await tab.evaluate("globalThis.complaints"), []);

  test(`${name}: MongoClient keeps what is journaled over a reload`, { skip }, async () => {
    const tab = await client("kept");
    const before = await ask(tab, async () => {
      await herbs.createIndex({ latin: 1 }, { unique: true });
      await herbs.insertMany(
        Array.from({ length: 500 }, (_, n) => ({ _id: n, latin: `Salvia ${n}`, notes: "x".repeat(400) })),
        { writeConcern: { j: true } },
      );
      const twice = await herbs.insertOne({ _id: 900, latin: "Salvia 7" }).catch((error) => error.code);
      await herbs.updateMany({ _id: { $lt: 10 } }, { $set: { picked: true } }, { writeConcern: { w: "majority" } });
      await herbs.deleteOne({ _id: 499 }, { writeConcern: { j: true } });
      return twice;
    });
    assert.equal(before, 11000);
    await tab.reload();
    await connects(tab, "kept");
    const kept = await ask(tab, async () => ({
      count: await herbs.countDocuments({}),
      picked: await herbs.countDocuments({ picked: true }),
      found: (await herbs.findOne({ latin: "Salvia 498" }))._id,
      valid: (await client.db("garden").command({ validate: "herbs", full: true })).valid,
    }));
    assert.deepEqual(kept, { count: 499, picked: 10, found: 498, valid: true });
    await isQuiet(tab);
    await tab.evaluate("client.close().then(() => null)");
  });

  test(`${name}: each page is a record of its own bytes and no more`, { skip }, async () => {
    const tab = await client("layout");
    await ask(
      tab,
      async () => (await herbs.insertOne({ _id: 1 }, { writeConcern: { j: true } }), await client.close(), null),
    );
    const records = await ask(tab, async () => {
      const settled = (request) =>
        new Promise((resolve, reject) =>
          Object.assign(request, { onsuccess: () => resolve(request.result), onerror: () => reject(request.error) }),
        );
      const database = await settled(indexedDB.open("quire:layout"));
      const transaction = database.transaction(["pages", "meta"]);
      const pages = await settled(transaction.objectStore("pages").getAll());
      const header = await settled(transaction.objectStore("meta").get(0));
      database.close();
      return {
        pages:
          pages.length > 0 &&
          pages.every(
            (page) => page instanceof Uint8Array && page.length === 16384 && page.buffer.byteLength === 16384,
          ),
        header: header instanceof Uint8Array,
      };
    });
    assert.deepEqual(records, { pages: true, header: true });
  });

  test(`${name}: two tabs write at once, lose nothing and see each other's writes`, { skip }, async () => {
    const tabs = [await client("shared"), await client("shared", true)];
    for (const [number, tab] of tabs.entries()) {
      await ask(
        tab,
        (number) => {
          globalThis.work = (async () => {
            for (let n = 0; n < 25; n += 1) await herbs.insertOne({ tab: number, n }, { writeConcern: { j: true } });
          })();
          return null;
        },
        number,
      );
    }
    for (const tab of tabs) await tab.evaluate("work.then(() => null)");
    for (const tab of tabs) {
      const seen = await ask(tab, async () => [
        await herbs.countDocuments({}),
        (await client.db("garden").command({ validate: "herbs", full: true })).valid,
      ]);
      assert.deepEqual(seen, [50, true]);
    }
    // Data that one tab wrote under its lock are there for the other when it is gone.
    await ask(tabs[0], async () => (await herbs.insertOne({ _id: "last" }, { writeConcern: { j: true } }), null));
    await tabs[0].close();
    first = null;
    assert.equal(await ask(tabs[1], () => herbs.countDocuments({ _id: "last" })), 1);
    await isQuiet(tabs[1]);
    await tabs[1].close();
  });

  test(`${name}: the playground starts, runs, stops a script, and keeps its data over a reload`, { skip }, async () => {
    const tab = await browser.tab();
    await tab.goto(site.url);
    await shows(tab, "[data-storage]:not([data-storage=opening])");
    const run = async (script, shown) => {
      await write(tab, script);
      await press(tab, "button.run");
      await shows(tab, "page-leaf", shown);
    };
    await run(
      'for (const name of ["rue", "sage"]) db.herbs.insertOne({ name }); print(db.herbs.countDocuments() + " herbs")',
      "2 herbs",
    );
    await shows(tab, "[data-storage=saved]");
    await run("print('begun'); for (;;) {}", "begun");
    await press(tab, "button", "Stop");
    await shows(tab, "page-leaf", "You stopped the script.");
    await tab.reload();
    await shows(tab, "[data-storage=saved]");
    // Every script was run once.
    await run('print(db.herbs.countDocuments({ name: "sage" }) + " sage")', "1 sage");
    // A second tab lists the first one's data. Its own write is told as not saved as long as that is so, also where the
    // script takes so long that another worker is to store it: the page's own doing, which one browser shows.
    const other = await browser.tab();
    await other.goto(site.url);
    await shows(other, "[data-storage=saved]");
    const holds = name === "Chromium";
    if (holds) await ask(tab, holdWrites);
    await write(
      other,
      'db.herbs.insertOne({ name: "mint" }); sleep(400); print(db.herbs.countDocuments() + " in all")',
    );
    await press(other, "button.run");
    await shows(other, "page-leaf", "3 in all");
    if (holds) {
      await shows(other, "span.unsaved");
      await ask(tab, () => ((globalThis.holding = false), null));
    }
    // Data it told as saved is there for the first tab when the second is gone.
    await shows(other, "span.saved");
    await other.close();
    await run('print("[" + db.herbs.find().toArray().map(({ name }) => name).join("+") + "]")', "[rue+sage+mint]");
    await tab.close();
  });

  test(`${name}: snippets run under a strict policy and share their data`, { skip }, async () => {
    const tab = await browser.tab();
    await tab.goto(`${host.url}snippets.html`);
    await shows(tab, "#first");
    const runs = (id) =>
      eventually(
        () => tab.click(`document.querySelector("#${id}")?.shadowRoot?.querySelector("button.run") ?? null`),
        true,
        `the button of ${id}`,
      );
    await runs("first");
    await shows(tab, "#first", "Salvia");
    await runs("second");
    await shows(tab, "#second", "1 herb");
    await tab.close();
  });
}
