/**
 * The npm package in a browser, as a clean page imports it by path: driver, engine and element, with a strict policy
 * and no bundler; what it says of its elements to editors and to TypeScript.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { withBrowser } from "./browser.mjs";
import { serve } from "./server.mjs";

const { visit } = withBrowser();
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self' blob:";
let served;
before(async () => {
  served = await serve(here("../../pkg/dist"));
});

/** A page of another project, with nothing in it but the given files. */
async function blank(body = "", options = {}) {
  const { context, close } = await visit(options);
  await context.route("**/blank.html", (route) =>
    route.fulfill({
      contentType: "text/html",
      headers: { "content-security-policy": policy },
      body: `<!doctype html><html lang="${options.lang ?? "en"}"><title>blank</title>${body}`,
    }),
  );
  const page = await context.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on(
    "console",
    (message) => message.type() === "error" && !message.text().includes("404") && complaints.push(message.text()),
  );
  await page.goto(`${served.url}blank.html`);
  return { context, page, complaints, close };
}

test("MongoClient keeps data over a reload, runs $where, and journals", async () => {
  const { page, complaints, close } = await blank();
  const first = await page.evaluate(async () => {
    const { MongoClient } = await import("./index.js");
    const client = new MongoClient("quire://shop");
    const rakes = client.db("garden").collection("rakes");
    await rakes.createIndex({ slug: 1 }, { unique: true });
    await rakes.insertMany(
      [
        { _id: 1, slug: "a", tines: 10 },
        { _id: 2, slug: "b", tines: 14 },
      ],
      { writeConcern: { j: true } },
    );
    const twice = await rakes.insertOne({ _id: 3, slug: "a" }).catch((error) => error.code);
    // No script has run: the sandbox comes with the function, and an update before it is made once.
    const bulk = await client.db("garden").command({
      update: "rakes",
      updates: [
        { q: { _id: 1 }, u: { $inc: { tines: 1 } } },
        { q: { $where: "this.tines === 14" }, u: { $inc: { tines: 1 } }, multi: true },
      ],
    });
    const over = await client.bulkWrite(
      [
        { namespace: "garden.hoes", name: "insertOne", document: { _id: 1 } },
        { namespace: "garden.rakes", name: "deleteMany", filter: { _id: 9 } },
      ],
      { verboseResults: true },
    );
    const refused = await client
      .bulkWrite([{ namespace: "garden.hoes", name: "insertOne", document: { _id: 1 } }])
      .catch((error) => error.name + error.writeErrors.get(0).code);
    const all = await rakes.find().sort({ _id: 1 }).toArray();
    await client.close();
    return {
      twice,
      modified: bulk.nModified,
      over: [over.insertedCount, over.insertResults.get(0).insertedId],
      refused,
      tines: all.map((rake) => rake.tines),
    };
  });
  assert.deepEqual(first, {
    twice: 11000,
    modified: 2,
    over: [1, 1],
    refused: "MongoClientBulkWriteError11000",
    tines: [11, 15],
  });
  await page.reload();
  const again = await page.evaluate(async () => {
    const { MongoClient } = await import("./index.js");
    const client = new MongoClient("quire://shop");
    const found = await client.db("garden").collection("rakes").find({ slug: "b" }).toArray();
    await client.close();
    return found;
  });
  assert.deepEqual(again, [{ _id: 2, slug: "b", tines: 15 }]);
  assert.deepEqual(complaints, []);
  await close();
});

test("the page compiles the engine's code while the worker starts; the worker asks for it where the page could not", async () => {
  for (const refused of [0, 1]) {
    const { context, page, close } = await blank();
    let asked = 0;
    await context.route(/quire_bg\.wasm$/, (route) => (asked++ < refused ? route.abort() : route.continue()));
    const found = await page.evaluate(async () => {
      const { MongoClient } = await import("./index.js");
      const client = new MongoClient("quire://code", { storage: "memory" });
      await client.db("test").collection("herbs").insertOne({ _id: 1 });
      const herb = await client.db("test").collection("herbs").findOne({});
      await client.close();
      // A second worker of this page needs no second request.
      const other = new MongoClient("quire://other", { storage: "memory" });
      await other.db("test").command({ ping: 1 });
      await other.close();
      return herb;
    });
    assert.deepEqual(found, { _id: 1 });
    // The page asks again, for the second worker, for the file that it was refused.
    assert.equal(asked, refused === 0 ? 1 : 3);
    await close();
  }
});

test("a tailable cursor that awaits data is answered when something is written, or empty at its time", async () => {
  const { page, close } = await blank();
  await page.evaluate(async () => {
    const { MongoClient } = await import("./index.js");
    globalThis.client = new MongoClient("quire://log");
    await client.db("test").createCollection("log", { capped: true, size: 65536 });
    await client.db("test").collection("log").insertOne({ n: 0 });
  });
  // Others are answered while it waits, and a write ends the waiting, long before its time.
  const here = await page.evaluate(async () => {
    const log = client.db("test").collection("log");
    const cursor = log.find({}, { tailable: true, awaitData: true, maxAwaitTimeMS: 600_000 });
    const first = await cursor.next();
    let waits = true;
    const next = cursor.next().finally(() => (waits = false));
    await client.db("test").collection("other").findOne({});
    const waited = waits;
    await log.insertOne({ n: 1 });
    const second = await next;
    await cursor.close();
    return { first: first.n, second: second.n, waited };
  });
  assert.deepEqual(here, { first: 0, second: 1, waited: true });

  // Nothing comes: the reply comes at its time, empty.
  const idle = await page.evaluate(async () => {
    const cursor = client
      .db("test")
      .collection("log")
      .find({}, { tailable: true, awaitData: true, maxAwaitTimeMS: 700 });
    for (let n = 0; n < 2; n++) await cursor.next();
    const started = performance.now();
    const nothing = await cursor.tryNext();
    return { nothing, waited: performance.now() - started };
  });
  assert.equal(idle.nothing, null);
  assert.ok(idle.waited >= 650, `an empty reply after ${idle.waited} ms`);
  await close();
});

test("values that a frame made are stored as the page's own", async () => {
  const { page, complaints, close } = await blank();
  const told = await page.evaluate(async () => {
    const { MongoClient } = await import("./index.js");
    const { Engine } = await import("./engine.js");
    const frame = document.body.appendChild(document.createElement("iframe")).contentWindow;
    const made = () => ({
      d: new frame.Date(5),
      r: new frame.RegExp("a", "i"),
      u: new frame.Uint8Array([1, 2]),
      m: new frame.Map([["a", new frame.Date(6)]]),
      o: frame.Object.assign(new frame.Object(), { list: frame.Array.of(new frame.Date(7)) }),
    });
    const worded = (found) => ({
      d: found.d.toISOString(),
      r: String(found.r),
      u: [...found.u.buffer.slice(0, found.u.position)],
      m: found.m.a.toISOString(),
      o: found.o.list[0].toISOString(),
    });
    const client = new MongoClient("quire://frames", { storage: "memory" });
    const c = client.db("test").collection("c");
    await c.insertOne({ _id: 1, ...made() });
    const found = worded(await c.findOne({ d: new frame.Date(5), r: { $exists: true } }));
    const lost = await c.insertOne({ a: [frame.Symbol("s")] }).catch((error) => error.message);
    await client.close();
    const engine = await Engine.create();
    engine.run({ insert: "c", documents: [made()], $db: "test" });
    const [here] = engine.run({ find: "c", $db: "test" }).cursor.firstBatch;
    engine.close();
    return { isOther: !(made().d instanceof Date), found, here: worded(here), lost };
  });
  const same = {
    d: "1970-01-01T00:00:00.005Z",
    r: "/a/i",
    u: [1, 2],
    m: "1970-01-01T00:00:00.006Z",
    o: "1970-01-01T00:00:00.007Z",
  };
  assert.deepEqual(told, {
    isOther: true,
    found: same,
    here: same,
    lost: "a JavaScript symbol cannot be stored (at documents.0.a.0)",
  });
  assert.deepEqual(complaints, []);
  await close();
});

test("Engine answers any bytes in the page's own thread", async () => {
  const { page, complaints, close } = await blank();
  const outcome = await page.evaluate(async () => {
    const [{ Engine }, { decode, encode }] = await Promise.all([import("./engine.js"), import("./index.js")]);
    const engine = await Engine.create({ now: () => 1_700_000_000_000 });
    let state = 42;
    const random = () => (state = (state * 48271) % 2147483647);
    const good = encode({ insert: "c", documents: [{ a: 1, b: "text", c: [1, 2, { d: null }] }], $db: "test" });
    let oks = 0;
    for (let round = 0; round < 3000; round++) {
      const bytes =
        round % 2 === 0
          ? Uint8Array.from({ length: random() % 120 }, () => random() & 255)
          : good.slice(0, random() % 3 === 0 ? random() % good.length : good.length);
      if (round % 2 === 1)
        for (let flips = random() % 4; flips >= 0; flips--) bytes[random() % bytes.length] = random() & 255;
      const reply = decode(engine.command(bytes));
      if (reply.ok !== 0 && reply.ok !== 1) throw new Error(`round ${round}: ${JSON.stringify(reply)}`);
      oks += reply.ok;
    }
    const ping = decode(engine.command(encode({ ping: 1, $db: "admin" }))).ok;
    const valid = decode(engine.command(encode({ validate: "c", full: true, $db: "test" }))).valid;
    engine.close();
    return { ping, valid, some: oks > 0 && oks < 3000 };
  });
  assert.deepEqual(outcome, { ping: 1, valid: true, some: true });
  assert.deepEqual(complaints, []);
  await close();
});

for (const [lang, run] of [
  ["en", "Run"],
  ["zh-Hans", "运行"],
]) {
  test(`snippets share one engine and run under a strict policy, in ${lang}`, async () => {
    const snippets =
      "<main><h1>Tutorial</h1><quire-snippet><pre>db.herbs.insertOne({ _id: 1, latin: 'Salvia' })</pre></quire-snippet><quire-snippet id=second><pre>db.herbs.findOne()</pre></quire-snippet></main><script type=module src=element.js></script>";
    const { page, complaints, close } = await blank(snippets, { lang });
    const buttons = page.getByRole("button", { name: run });
    await buttons.first().click();
    await page.locator("quire-snippet").first().getByText("acknowledged: true").waitFor();
    await buttons.nth(1).click();
    await page.locator("#second").getByText("Salvia").last().waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });
}

test("the manifest of the elements says what the elements observe", async () => {
  const { page, close } = await blank(`<script type="module" src="element.js"></script>`);
  const manifest = JSON.parse(readFileSync(here("../../pkg/npm/custom-elements.json"), "utf8"));
  const declared = Object.fromEntries(
    manifest.modules[0].declarations.map(({ tagName, attributes }) => [
      tagName,
      attributes.map(({ name }) => name).sort(),
    ]),
  );
  await page.waitForFunction(() => customElements.get("quire-playground"));
  const observed = await page.evaluate(() =>
    Object.fromEntries(
      ["quire-snippet", "quire-playground"].map((name) => [
        name,
        [...customElements.get(name).observedAttributes].sort(),
      ]),
    ),
  );
  assert.deepEqual(declared, observed);
  await close();
});

/** What the compiler says of one file that imports entries of the package, whose own declarations it checks too. */
function typesOf(file, names) {
  const folder = mkdtempSync(join(tmpdir(), "quire-types-"));
  const imports = names.map((name, n) => `import * as n${n} from "${name}";`).join("\n");
  writeFileSync(join(folder, file), `${imports}\nexport const all = [${names.map((_, n) => `n${n}`).join(", ")}];\n`);
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(here("../../pkg"), join(folder, "node_modules/quiredb"), "dir");
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: "es2022",
    module: "nodenext",
    lib: ["es2023", "dom", "dom.iterable"],
    types: [],
    skipLibCheck: false,
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [file] }));
  const done = spawnSync(process.execPath, [here("../../web/node_modules/typescript/bin/tsc"), "-p", folder], {
    encoding: "utf8",
  });
  rmSync(folder, { recursive: true });
  return done.stdout + done.stderr;
}

test("the types of every entry stand alone, for modules and for CommonJS", () => {
  const entries = ["", "/engine", "/shell", "/element", "/inline", "/inline/element"].map((name) => `quiredb${name}`);
  assert.equal(typesOf("modules.mts", [...entries, "quiredb/course", "quiredb/lab"]), "");
  assert.equal(typesOf("common.cts", entries), "");
});

test("the package's types know the elements, their properties and their events", () => {
  const folder = mkdtempSync(join(tmpdir(), "quire-types-"));
  writeFileSync(
    join(folder, "page.ts"),
    `import { type QuireErrorDetail, QuirePlayground } from "quiredb/element";
const snippet = document.createElement("quire-snippet");
snippet.db = "isolate";
snippet.view = "tree";
const done: Promise<boolean> = snippet.run();
snippet.addEventListener("result", ({ detail }) => detail.printed.join("").concat(String(detail.milliseconds)));
snippet.addEventListener("error", (event) => { const detail: QuireErrorDetail = event.detail; return detail.stage === "setup" && detail.line; });
snippet.addEventListener("click", (event) => event.clientX);
const open: boolean = document.querySelector("quire-playground")!.open && new QuirePlayground().open;
// @ts-expect-error: no such view
snippet.view = "sphere";
// @ts-expect-error: not to be set
snippet.running = true;
export { done, open };
`,
  );
  const paths = { "quiredb/element": [here("../../pkg/dist/element.d.ts")] };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        target: "es2022",
        module: "esnext",
        moduleResolution: "bundler",
        lib: ["es2023", "dom", "dom.iterable"],
        types: [],
        skipLibCheck: false,
        paths,
      },
      files: ["page.ts"],
    }),
  );
  const done = spawnSync(process.execPath, [here("../../web/node_modules/typescript/bin/tsc"), "-p", folder], {
    encoding: "utf8",
  });
  rmSync(folder, { recursive: true });
  assert.equal(done.stdout + done.stderr, "");
});
