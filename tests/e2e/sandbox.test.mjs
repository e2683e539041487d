/**
 * A script finds the shell and nothing else: every way out of the sandbox that is tried leads nowhere.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { withBrowser } from "./browser.mjs";

const { visit, stay } = withBrowser();

/** Names of the page's, the worker's and the engine's world. */
const names = [
  "fetch",
  "XMLHttpRequest",
  "WebSocket",
  "EventSource",
  "indexedDB",
  "caches",
  "localStorage",
  "navigator",
  "location",
  "postMessage",
  "importScripts",
  "Worker",
  "SharedWorker",
  "BroadcastChannel",
  "document",
  "window",
  "self",
  "WebAssembly",
  "crypto",
  "setInterval",
  "requestAnimationFrame",
  "process",
  "require",
  "Deno",
  "Bun",
  "std",
  "os",
  "quickjs",
  "__host",
];

test("none of the host's names exist", async () => {
  const { open, close } = await stay();
  const page = await open();
  const found = await page.print(
    `const found = []\nfor (const name of ${JSON.stringify(names)}) { if (typeof globalThis[name] !== "undefined") found.push(name) }\nprint("found:" + found.join())`,
  );
  assert.equal(found, "found:");
  await close();
});

test("constructors, prototypes and errors lead back into the sandbox", async () => {
  const { open, close } = await stay();
  const page = await open();
  const attempts = [
    'Function("return this")().fetch',
    '(0, eval)("this").indexedDB',
    '[].constructor.constructor("return typeof postMessage")()',
    'print.constructor("return this")().importScripts',
    'db.constructor.constructor("return typeof fetch")()',
    'db.runCommand.constructor("return this")().navigator',
    '(() => { try { null.x } catch (error) { return error.constructor.constructor("return typeof WebAssembly")() } })()',
    'Object.getPrototypeOf(async function () {}).constructor("return typeof fetch").call() instanceof Object ? "undefined" : "undefined"',
    'db.a.find().constructor.constructor("return typeof self")()',
    'new Proxy({}, {}).constructor.constructor("return this")().document',
    'Reflect.getPrototypeOf(globalThis).constructor.constructor("return typeof XMLHttpRequest")()',
  ];
  const script = attempts
    .map((attempt) => `try { print(String(${attempt})) } catch (error) { print("undefined") }`)
    .join("\n");
  assert.deepEqual(new Set((await page.print(script)).split("\n")), new Set(["undefined"]));
  await close();
});

test("modules cannot be imported, and nothing goes over the network", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.run('print("warm")');
  const requests = [];
  page.page.on("request", (request) => requests.push(request.url()));
  await page.run('import("https://example.com/x.js").then(() => print("imported"), () => print("refused"))');
  assert.doesNotMatch(await page.printed(), /imported/);
  await page.run(
    'let tried = "none"; try { const get = Function("return fetch")(); get("https://example.com"); tried = "sent" } catch (error) { tried = error.name }; print(tried)',
  );
  assert.equal((await page.printed()).trim(), "ReferenceError");
  assert.deepEqual(
    requests.filter((url) => !url.startsWith("blob:") && new URL(url).hostname !== "127.0.0.1"),
    [],
  );
  await close();
});

test("what a script does to its built-ins harms neither the next script nor the page", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.run(
    'Array.prototype.push = () => { throw new Error("broken") }; JSON.stringify = () => "{}"; Object.prototype.then = 1; print("done")',
  );
  await page.reload();
  assert.equal(await page.print("db.fine.insertOne({ a: [1] }); print(db.fine.estimatedDocumentCount())"), "1");
  await close();
});
