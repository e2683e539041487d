/**
 * Faults that a browser and a machine have by their own means: storage that is full, records of IndexedDB that were
 * lost or changed, tabs and browsers whose processes are killed, tabs that stand still.
 *
 * Invariants: nothing of the page's own code is replaced here. The test that stops a request lets it go or ends it.
 * Only processes that these functions started, or that belong to a page they were given, get signals.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { eventually, executablePath, flags } from "./browser.mjs";
import { hold } from "./held.mjs";

const require = createRequire(new URL("../../web/package.json", import.meta.url));
const { chromium } = require("playwright-core");

/** The name of a deployment's IndexedDB database. */
export const databaseOf = (deployment) => `quire:${deployment}`;

/** Opens a client in the page as `globalThis.client`; gives "open", or the name and message of the error. */
export const connect = (page, name, options = {}) =>
  page.evaluate(
    async ([name, options]) => {
      const { MongoClient } = await import("./index.js");
      globalThis.client = new MongoClient(`quire://${name}`, options);
      return client.connect().then(
        () => "open",
        (error) => `${error.name}: ${error.message}`,
      );
    },
    [name, options],
  );

/** The session that limits a page's origin: the limit ends with it. */
const limits = new WeakMap();

/**
 * Limits what the page's origin may store, to so many bytes more than it stores now; null takes the limit away. Gives
 * the limit. It holds for all pages of the context, until it is taken away or the page is closed. Chromium remembers
 * for half a minute how much room there was when it last asked: a test that limits before the first write need not wait
 * for that.
 */
export async function limitStorage(page, more) {
  await limits.get(page)?.detach();
  limits.delete(page);
  if (more === null) return null;
  const session = await page.context().newCDPSession(page);
  limits.set(page, session);
  const { origin } = new URL(page.url());
  const { usage } = await session.send("Storage.getUsageAndQuota", { origin });
  const quotaSize = Math.max(1, Math.ceil(usage + more));
  await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize });
  return quotaSize;
}

/** The size of the origin's storage, in bytes, as the browser counts it. */
export async function storedBytes(page) {
  const session = await page.context().newCDPSession(page);
  const { usage } = await session.send("Storage.getUsageAndQuota", { origin: new URL(page.url()).origin });
  await session.detach();
  return usage;
}

/** Takes all that the page's origin stores away, as a reader does in the browser's settings. */
export async function clearSiteData(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Storage.clearDataForOrigin", { origin: new URL(page.url()).origin, storageTypes: "all" });
  await session.detach();
}

/** Runs in the page: changes a database's records, as anything else at this origin could. */
async function changeRecords({ database, version, steps }) {
  const settled = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
      request.onblocked = () => reject(new Error("blocked"));
    });
  if (steps.length === 1 && steps[0].do === "deleteDatabase") {
    await settled(indexedDB.deleteDatabase(database));
    return [null];
  }
  const opened = await settled(indexedDB.open(database, version));
  const answers = [];
  for (const { do: what, store, key, value, at, mask } of steps) {
    const transaction = opened.transaction(store, "readwrite", { durability: "strict" });
    const ended = new Promise((resolve, reject) =>
      Object.assign(transaction, { oncomplete: resolve, onabort: () => reject(transaction.error) }),
    );
    const records = transaction.objectStore(store);
    if (what === "keys") answers.push(await settled(records.getAllKeys()));
    else if (what === "get") {
      const bytes = await settled(records.get(key));
      answers.push(bytes === undefined ? null : [...bytes]);
    } else if (what === "put") answers.push(await settled(records.put(Uint8Array.from(value), key)));
    else if (what === "delete") answers.push((await settled(records.delete(key))) ?? null);
    else if (what === "clear") answers.push((await settled(records.clear())) ?? null);
    else if (what === "flip") {
      const bytes = await settled(records.get(key));
      if (bytes === undefined) throw new Error(`${store} has no record ${key}`);
      bytes[at < 0 ? bytes.length + at : at] ^= mask;
      answers.push(await settled(records.put(bytes, key)));
    } else throw new Error(`no such step: ${what}`);
    await ended;
  }
  opened.close();
  return answers;
}

/**
 * Changes or reads records of a deployment's database through another page of the same origin, each step in a
 * transaction of its own: `{ do: "keys" | "clear", store }`, `{ do: "get" | "delete", store, key }`, `{ do: "put",
 * store, key, value: [bytes] }`, `{ do: "flip", store, key, at, mask }` (an `at` below 0 counts from the end), or `{
 * do: "deleteDatabase" }` alone. Gives an answer a step. With a `version` the database is opened with that one, and so
 * made newer. The stores are `pages` and `meta`.
 */
export async function tamper(context, url, deployment, steps, version) {
  const page = await context.newPage();
  try {
    // A path where nothing is: of the origin, and without any of the playground's code.
    await page.goto(new URL("no-such-page", url).href);
    return await page.evaluate(changeRecords, { database: databaseOf(deployment), version, steps });
  } finally {
    await page.close();
  }
}

/** Processor time of a browser's renderers in seconds, by process id. */
async function rendererTimes(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  return new Map(processInfo.filter(({ type }) => type === "renderer").map(({ id, cpuTime }) => [id, cpuTime]));
}

/**
 * The process id of the renderer that a page and its workers run in: the one whose processor time grows when the page
 * is told to work.
 */
export async function rendererOf(page) {
  const browser = page.context().browser();
  let [likeliest, times] = [undefined, 0];
  for (let tries = 0; tries < 20; tries += 1) {
    const before = await rendererTimes(browser);
    const spun = 0.5 * (tries + 1);
    await page.evaluate((seconds) => {
      const end = performance.now() + seconds * 1000;
      while (performance.now() < end);
    }, spun);
    const after = await rendererTimes(browser);
    const grown = [...after]
      .map(([id, time]) => ({ id, grown: time - (before.get(id) ?? time) }))
      .sort((a, b) => b.grown - a.grown);
    // On a busy machine the page has little of the processor, so it is held against the others alone.
    const [first, second] = grown;
    if (first !== undefined && (second === undefined || (first.grown > 0.1 && second.grown < 0.5 * first.grown)))
      return first.id;
    // Where other tabs work as hard, no renderer but the page's own stays ahead each time.
    times = first?.id === likeliest ? times + 1 : 1;
    likeliest = first?.id;
    if (times === 6) return likeliest;
    await pause(200);
  }
  throw new Error("no renderer is clearly this page's");
}

/** Kills a page's renderer by its process id: page and workers end where they are. */
export async function killRenderer(page) {
  const id = await rendererOf(page);
  const gone = page.waitForEvent("crash");
  process.kill(id, "SIGKILL");
  await gone;
}

/**
 * Ends a tab's process from inside, at once, as a crash ends it: page and workers end where they are. The browser is
 * asked again until the tab is gone: it refuses where a navigation has not quite ended, and a tab that dies does not
 * answer.
 */
export async function crashTab(page) {
  let isGone = false;
  page.once("crash", () => (isGone = true));
  const session = await page.context().newCDPSession(page);
  let refused = "";
  const ask = async () => {
    session.send("Page.crash").catch((error) => (refused = error.message));
    return isGone ? "gone" : refused;
  };
  await eventually(ask, "gone", "the crash of the tab");
}

/**
 * Stops a page's renderer where it is, workers and all. Gives `thaw()`, which lets it go on. Nothing of the page
 * answers meanwhile.
 */
export async function freeze(page) {
  const id = await rendererOf(page);
  process.kill(id, "SIGSTOP");
  let frozen = true;
  return {
    id,
    thaw() {
      if (frozen) process.kill(id, "SIGCONT");
      frozen = false;
    },
  };
}

/**
 * Tabs of a context of their own, of which only the last one opened is in sight. Playwright has every page that it
 * drives taken for a visible one, and the browser freezes none of those, so these are driven past it. A tab has
 * `evaluate(expression)` and `freeze()`, which freezes it and its workers as the browser freezes tabs in the
 * background, and `thaw()`.
 */
export async function backgroundTabs(browser) {
  const root = await browser.newBrowserCDPSession();
  const { browserContextId } = await root.send("Target.createBrowserContext");
  const waiting = new Map();
  root.on("Target.receivedMessageFromTarget", ({ message }) => {
    const answer = JSON.parse(message);
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  let last = 0;
  return {
    async open(url) {
      const { targetId } = await root.send("Target.createTarget", { url, browserContextId });
      const { sessionId } = await root.send("Target.attachToTarget", { targetId, flatten: false });
      const send = async (method, params = {}) => {
        const id = (last += 1);
        const answer = new Promise((resolve) => waiting.set(id, resolve));
        await root.send("Target.sendMessageToTarget", { sessionId, message: JSON.stringify({ id, method, params }) });
        const { error, result } = await answer;
        if (error !== undefined) throw new Error(`${method}: ${error.message}`);
        return result;
      };
      const evaluate = async (expression) => {
        const { exceptionDetails, result } = await send("Runtime.evaluate", {
          expression: `(async () => (${expression}))()`,
          awaitPromise: true,
          returnByValue: true,
        });
        if (exceptionDetails !== undefined)
          throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result.value;
      };
      await eventually(
        () => evaluate("[location.href, document.readyState]").catch(() => null),
        [url, "complete"],
        "the tab's page",
      );
      const become = (state) => send("Page.setWebLifecycleState", { state });
      return { evaluate, freeze: () => become("frozen"), thaw: () => become("active") };
    },
    close: () => root.send("Target.disposeBrowserContext", { browserContextId }),
  };
}

/**
 * A browser of its own over a profile's folder, which outlives it: `kill()` ends all its processes at once, as a loss
 * of power ends them; `close()` ends it in order. The context is the profile's: data that one browser stored are there
 * for the next.
 */
export async function startBrowser(profile) {
  const active = join(profile, "DevToolsActivePort");
  rmSync(active, { force: true });
  const child = spawn(
    executablePath,
    [...flags, `--user-data-dir=${profile}`, "--remote-debugging-port=0", "about:blank"],
    { stdio: "ignore", detached: true },
  );
  const ended = new Promise((resolve) => child.once("exit", resolve));
  let exited = false;
  void ended.then(() => (exited = true));
  const address = await eventually(
    () => (exited ? "ended" : existsSync(active) ? readFileSync(active, "utf8").split("\n") : null),
    (lines) => lines === "ended" || (lines !== null && lines.length >= 2),
    "the browser's address",
  );
  if (address === "ended") throw new Error("the browser ended at its start");
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${address[0].trim()}`);
  const [context] = browser.contexts();
  const kill = hold(async () => {
    // A group of its own: children that run in namespaces of theirs end with their parent.
    if (!exited) process.kill(-child.pid, "SIGKILL");
    await ended;
    await browser.close().catch(() => undefined);
  });
  return {
    id: child.pid,
    browser,
    context,
    kill,
    async close() {
      const session = await browser.newBrowserCDPSession().catch(() => null);
      await session?.send("Browser.close").catch(() => undefined);
      await ended;
      await browser.close().catch(() => undefined);
    },
  };
}
