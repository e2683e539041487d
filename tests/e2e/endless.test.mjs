/**
 * Endless scripts and functions inside commands end with the first Stop and take nothing with them: a
 * page of snippets, whose data is in memory only, keeps its data. Endless printing does not hold the page
 * up.
 */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { eventually, withBrowser } from "./browser.mjs";
import { serve } from "./server.mjs";

const { visit } = withBrowser();
const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self' blob:; style-src 'self'";
let served;
before(async () => {
  served = await serve(fileURLToPath(new URL("../../pkg/dist", import.meta.url)));
});

const endless = {
  "a sparse join": "new Array(4e9).join()",
  "a sparse sort": "const a = []; a.length = 4294967295; a.sort()",
  "a search in what has no end": "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)",
  "a pattern": "/^(a+)+$/.test('a'.repeat(60) + 'b')",
  "an endless proxy":
    "Array.prototype.includes.call(new Proxy([], { get: (list, key) => (key === 'length' ? 2 ** 53 - 1 : undefined) }), 1)",
  "a function in a command": "db.kept.find({ $where: function () { new Array(4e9).join(); return true } }).toArray()",
  "endless emits":
    "db.kept.mapReduce(function () { for (;;) { const held = []; for (let n = 0; n < 1e5; n++) held.push(n) } }, function () { return 1 }, { out: { inline: 1 } })",
};

test("the first Stop ends what never ends, and memory keeps its data", async () => {
  const { context, close } = await visit();
  const snippets = Object.values(endless).map(
    (source, at) =>
      `<quire-snippet id="e${at}" db="one"><pre>db.kept.insertOne({ n: ${at} }); ${source.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</pre></quire-snippet>`,
  );
  const body = `${snippets.join("")}<quire-snippet id="count" db="one"><pre>print(db.kept.countDocuments())</pre></quire-snippet><script type="module" src="element.js"></script>`;
  await context.route("**/blank.html", (route) =>
    route.fulfill({
      contentType: "text/html",
      headers: { "content-security-policy": policy },
      body: `<!doctype html><html lang="en"><title>blank</title>${body}`,
    }),
  );
  const page = await context.newPage();
  const workers = [];
  page.on("worker", (worker) => workers.push(worker.url()));
  await page.goto(`${served.url}blank.html`);
  for (const at of Object.keys(snippets)) {
    const snippet = page.locator(`#e${at}`);
    await snippet.getByRole("button", { name: "Run" }).click();
    await snippet.getByText("Running…").waitFor();
    await snippet.getByRole("button", { name: "Stop" }).click();
    await snippet.getByText("Stopped", { exact: true }).waitFor();
  }
  const count = page.locator("#count");
  await count.getByRole("button", { name: "Run" }).click();
  await count.locator(".printed").getByText(String(snippets.length)).waitFor();
  assert.deepEqual(workers.length, 1, "the worker was not ended");
  await close();
});

test("functions meet unspoilt built-ins, and one that takes all memory is refused", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.succeed("db.rows.insertMany([{ _id: 1, a: 2 }, { _id: 2, a: 3 }, { _id: 3, a: 4 }])");
  const spoil =
    "db.rows.aggregate([{ $sort: { _id: 1 } }, { $project: { s: { $function: { body: function (a) { const text = JSON.stringify({ a }); JSON.stringify = null; delete Array.prototype.map; return text }, args: ['$a'], lang: 'js' } } } }]).toArray().map((one) => one.s).join()";
  assert.equal(
    await page.print(`print(${spoil}); print(${spoil})`),
    Array(2).fill('{"a":2},{"a":3},{"a":4}').join("\n"),
  );
  const refused = await page.print(`const codes = []
for (const map of [function () { for (;;) emit(1, 1) }, function () { for (;;) emit("x".repeat(1000000), 1) }, function () { const all = []; for (;;) all.push("x".repeat(100000) + all.length) }]) {
  try { db.rows.mapReduce(map, function () { return 1 }, { out: { inline: 1 } }) } catch (error) { codes.push(error.code) }
}
print(codes.join()); print(db.rows.find({ $where: "this.a === 3" }).toArray().length)`);
  assert.equal(refused, "31292,31292,139\n1");
  // QuickJS-ng 0.32 traps here, in a script as in a function: the sandbox's instance ends, and no more.
  const trap = "const held = []; function one(a) { arguments[0] = 5; held.push(() => a) } for (;;) one(1)";
  await page.run(trap);
  assert.match(await page.error(), /out of bounds/);
  assert.equal(
    await page.print(
      `let code = 0; try { db.rows.find({ $where: function () { ${trap} } }).toArray() } catch (error) { code = error.code } print(code, db.rows.find({ $where: "this.a === 3" }).toArray().length)`,
    ),
    "139 1",
  );
  await close();
});

test("what is printed without end does not hold the page up, and its last lines are kept", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.run('print("warm")');
  /** The longest time in which the page had no turn while a script ran, in milliseconds. */
  const longest = async (script) => {
    await page.page.evaluate(() => {
      globalThis.longestTask = 0;
      new PerformanceObserver((list) =>
        list
          .getEntries()
          .forEach(({ duration }) => (globalThis.longestTask = Math.max(globalThis.longestTask, duration))),
      ).observe({ type: "longtask" });
    });
    await page.succeed(script);
    return page.page.evaluate(() => globalThis.longestTask);
  };
  const lines = await longest("for (let n = 1; n <= 500000; n++) print(n)");
  const printed = (await page.printed()).trim().split("\n");
  assert.equal(printed.at(-1), "500000");
  await page.page.getByRole("button", { name: /^Show [\d,]+ earlier lines$/ }).click();
  await page.newest.getByText(/first [\d,]+ lines were let go/).waitFor();
  const one = await longest('print("x".repeat(50000000))');
  assert.match(await page.printed(), /x… and 49950000 more characters$/);
  const many = await longest('const line = "y".repeat(1000000); for (let n = 0; n < 60; n++) print(line)');
  const told = `longest tasks in ms: half a million lines ${lines}, one of 50 MB ${one}, 60 of 1 MB ${many}`;
  console.log(told);
  // The drawing is bounded, however much was printed.
  await eventually(
    () => page.newest.locator(".printed").evaluate((element) => element.textContent.length),
    (length) => length <= 120_000,
    told,
  );
  await close();
});
