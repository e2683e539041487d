/**
 * A deployment's life and its messages: it is opened as asked or not at all, a write acknowledged as journaled
 * is stored, and full storage, tabs that stand still and traps pass without a reload.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { eventually, withBrowser } from "./browser.mjs";
import { connect, freeze, limitStorage, tamper } from "./faults.mjs";
import { serve } from "./server.mjs";

const { visit } = withBrowser();
let served;
before(async () => {
  served = await serve(fileURLToPath(new URL("../../pkg/dist", import.meta.url)));
});

/**
 * Put before the worker's own code: another page can make its storage fail, its clock trap, and take IndexedDB away.
 */
const faulty = `
  const faults = new Set();
  new BroadcastChannel("faults").onmessage = ({ data: [name, on] }) => (on ? faults.add(name) : faults.delete(name));
  const put = IDBObjectStore.prototype.put;
  IDBObjectStore.prototype.put = function (...given) {
    if (faults.has("full")) throw new DOMException("no room", "QuotaExceededError");
    return put.apply(this, given);
  };
  const now = Date.now;
  Date.now = () => {
    if (faults.delete("trap")) throw new WebAssembly.RuntimeError("unreachable");
    return now();
  };
`;

/** A page of another project; `worker` is put before the worker's code. */
async function blank(context, worker) {
  if (worker !== undefined) {
    await context.route(/\/worker\.js$/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: worker + (await response.text()) });
    });
  }
  const page = await context.newPage();
  await page.goto(`${served.url}blank.html`);
  return page;
}

/** Runs a command of the open client on database `shop`; an error reply or `writeConcernError` is given, not thrown. */
const command = (page, given, database = "shop") =>
  page.evaluate(
    ([given, database]) =>
      client
        .db(database)
        .command(given)
        .then(
          (reply) => ({ ok: reply.ok }),
          ({ name, code, message, result }) => ({ name, code, message, ok: result?.ok ?? 0 }),
        ),
    [given, database],
  );

/** Makes a fault of every worker of the context, or takes it away. */
const fault = (page, name, on) =>
  page.evaluate((said) => void (globalThis.faults ??= new BroadcastChannel("faults")).postMessage(said), [name, on]);

const j = { writeConcern: { j: true } };

test("a deployment that cannot be opened as asked is an error, and stays as it is", async () => {
  const { context, close } = await visit();
  const page = await blank(context);
  assert.equal(await connect(page, "shop"), "open");
  assert.deepEqual(await command(page, { insert: "teas", documents: [{ _id: 1 }], ...j }), { ok: 1 });
  await page.evaluate(() => client.close());
  const [first, second] = await tamper(
    context,
    served.url,
    "shop",
    [0, -1].map((key) => ({ do: "get", store: "meta", key })),
  );
  const put = (...headers) =>
    tamper(
      context,
      served.url,
      "shop",
      headers.map((value, index) => ({ do: value === null ? "delete" : "put", store: "meta", key: -index, value })),
    );

  const unknown = [...first];
  // The format's version stands behind the magic; docs/format.md.
  unknown[8] = 99;
  for (const [headers, said] of [
    [[[1, 2, 3], [4]], /page 0 is corrupt/],
    [[null, null], /header is missing although pages are stored/],
    [[unknown, unknown], /format version 99 is not supported/],
  ]) {
    await put(...headers);
    assert.match(await connect(page, "shop"), /^MongoServerSelectionError: the deployment "shop" cannot be opened: /);
    // The first operation says the same, and nothing is written over the stored data.
    const refused = await command(page, { insert: "teas", documents: [{ _id: 2 }] });
    assert.match(refused.message, said);
    assert.deepEqual(
      await tamper(
        context,
        served.url,
        "shop",
        [0, -1].map((key) => ({ do: "get", store: "meta", key })),
      ),
      headers,
    );
  }
  // A damaged catalog: every page is flipped.
  await put(first, second);
  const [keys] = await tamper(context, served.url, "shop", [{ do: "keys", store: "pages" }]);
  const flips = keys.map((key) => ({ do: "flip", store: "pages", key, at: 200, mask: 1 }));
  await tamper(context, served.url, "shop", flips);
  assert.match(await connect(page, "shop"), /page \d+ is corrupt/);
  // Put right again it holds the same data.
  await tamper(context, served.url, "shop", flips);
  assert.equal(await connect(page, "shop"), "open");
  assert.deepEqual(await page.evaluate(() => client.db("shop").collection("teas").find().toArray()), [{ _id: 1 }]);
  await page.evaluate(() => client.close());
  // A later build's database.
  await tamper(context, served.url, "shop", [{ do: "keys", store: "meta" }], 7);
  assert.match(await connect(page, "shop"), /newer/);
  await close();
});

test("no IndexedDB, or one that does not answer, is an error too; the playground says so and goes on in memory", async () => {
  const { context, open, close } = await visit();
  const none =
    "delete WorkerGlobalScope.prototype.indexedDB; Object.defineProperty(globalThis, 'indexedDB', { value: undefined });\n";
  const page = await blank(context, none);
  assert.match(await connect(page, "shop"), /this browser gives the page no IndexedDB/);
  assert.equal(await connect(page, "shop", { storage: "memory" }), "open");
  assert.deepEqual(await command(page, { insert: "teas", documents: [{ _id: 1 }], ...j }), { ok: 1 });
  await context.route(/worker-.*\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: none + (await response.text()) });
  });
  const playground = await open();
  await playground.page.locator("[data-storage=warn]").waitFor();
  await playground.run("db.teas.insertOne({ _id: 1 }); db.teas.insertOne({ _id: 2 }, { writeConcern: { j: true } })");
  assert.match(await playground.error(), /storage has not confirmed it/);
  assert.equal(await playground.print("print(db.teas.countDocuments())"), "2");
  await close();

  const hanging = await visit();
  const slow = await blank(
    hanging.context,
    "const open = IDBFactory.prototype.open; IDBFactory.prototype.open = function (name) { return name.startsWith('quire:') ? new EventTarget() : open.apply(this, arguments); };\n",
  );
  assert.match(await connect(slow, "shop", { serverSelectionTimeoutMS: 500 }), /opening IndexedDB takes too long/);
  await hanging.close();
});

test("the playground tells what is damaged, saves what can be read, and repairs", async () => {
  const { context, open, close } = await visit({ acceptDownloads: true });
  const before = await open();
  await before.succeed(
    "db.teas.insertMany([{ _id: 1, name: 'assam' }, { _id: 2, name: 'darjeeling' }]); db.teas.createIndex({ name: 1 })",
  );
  await before.isSaved();
  await before.page.close();
  await tamper(
    context,
    before.page.url(),
    "playground",
    [0, -1].map((key) => ({ do: "delete", store: "meta", key })),
  );
  const page = await open();
  const banner = page.page.locator("page-banner section");
  await banner.getByText("Your stored data is damaged").waitFor();
  await page.isAccessible("the banner");
  await page.fits("the banner");
  // Writes made meanwhile are in memory, and neither seen nor changed by later steps.
  await page.succeed("db.teas.insertOne({ _id: 3 })");
  const [file] = await Promise.all([
    page.page.waitForEvent("download"),
    banner.getByRole("button", { name: "Save what can be read" }).click(),
  ]);
  assert.equal(file.suggestedFilename(), "playground-salvaged.archive.gz");
  await banner.getByRole("button", { name: "Repair…" }).click();
  await Promise.all([
    page.page.waitForEvent("download"),
    page.page.waitForEvent("load"),
    banner.getByRole("button", { name: "Yes, repair it" }).click(),
  ]);
  await page.isOpen();
  await page.isSaved();
  assert.equal(
    await page.print(
      "print(db.teas.find().sort({ _id: 1 }).toArray().map(({ name }) => name).join(), db.teas.getIndexes().length)",
    ),
    "assam,darjeeling 2",
  );
  await page.isSaved();
  await close();
});

test("what can be read of a damaged deployment is salvaged by the package", async () => {
  const { context, close } = await visit();
  const page = await blank(context);
  assert.equal(await connect(page, "wreck"), "open");
  assert.deepEqual(await command(page, { insert: "teas", documents: [{ _id: 1 }, { _id: 2 }], ...j }), { ok: 1 });
  await page.evaluate(() => client.close());
  await tamper(
    context,
    served.url,
    "wreck",
    [0, -1].map((key) => ({ do: "delete", store: "meta", key })),
  );
  const salvaged = await page.evaluate(async () => {
    const { MongoClient } = await import("./index.js");
    const { archive, documents, lost } = await MongoClient.salvage("quire://wreck");
    const text = await new Response(archive.stream().pipeThrough(new DecompressionStream("gzip"))).text();
    return { documents, told: Array.isArray(lost), names: text.includes("teas") };
  });
  assert.deepEqual(salvaged, { documents: 2, told: true, names: true });
  assert.match(
    await page.evaluate(async () =>
      (await import("./index.js")).MongoClient.salvage("quire://nothing").catch(({ name }) => name),
    ),
    /MongoServerSelectionError/,
  );
  // It was only read.
  assert.match(await connect(page, "wreck"), /header is missing/);
  const repaired = await page.evaluate(async () => {
    const { MongoClient } = await import("./index.js");
    const { documents, lost } = await MongoClient.salvage("quire://wreck", { repair: true });
    const again = await MongoClient.salvage("quire://wreck", { repair: true });
    return { documents, lost, again: again.lost };
  });
  assert.deepEqual(repaired, { documents: 2, lost: ["the header"], again: [] });
  assert.equal(await connect(page, "wreck"), "open");
  assert.deepEqual(await command(page, { insert: "teas", documents: [{ _id: 3 }], ...j }), { ok: 1 });
  await page.evaluate(() => client.close());
  assert.equal(await connect(page, "wreck"), "open");
  assert.deepEqual(await page.evaluate(() => client.db("shop").collection("teas").find().sort({ _id: 1 }).toArray()), [
    { _id: 1 },
    { _id: 2 },
    { _id: 3 },
  ]);
  await close();
});

/** A command of each kind that writes, on collections that `prepare` made. */
const WRITES = {
  aggregate: { aggregate: "teas", pipeline: [{ $out: "copies" }], cursor: {} },
  bulkWrite: { bulkWrite: 1, ops: [{ insert: 0, document: { a: 1 } }], nsInfo: [{ ns: "shop.teas" }] },
  cloneCollectionAsCapped: { cloneCollectionAsCapped: "teas", toCollection: "capped", size: 4096 },
  collMod: { collMod: "teas", index: { name: "a_1", hidden: true } },
  compact: { compact: "teas" },
  convertToCapped: { convertToCapped: "teas", size: 4096 },
  create: { create: "more" },
  createIndexes: { createIndexes: "teas", indexes: [{ key: { b: 1 }, name: "b_1" }] },
  createRole: { createRole: "another", privileges: [], roles: [] },
  createUser: { createUser: "another", pwd: "x", roles: [] },
  delete: { delete: "teas", deletes: [{ q: { _id: 1 }, limit: 1 }] },
  deleteIndexes: { deleteIndexes: "teas", index: "a_1" },
  drop: { drop: "teas" },
  dropAllRolesFromDatabase: { dropAllRolesFromDatabase: 1 },
  dropAllUsersFromDatabase: { dropAllUsersFromDatabase: 1 },
  dropDatabase: { dropDatabase: 1 },
  dropIndexes: { dropIndexes: "teas", index: "a_1" },
  dropRole: { dropRole: "keeper" },
  dropUser: { dropUser: "ada" },
  findAndModify: { findAndModify: "teas", query: { _id: 1 }, update: { $inc: { a: 1 } } },
  findandmodify: { findandmodify: "teas", query: { _id: 1 }, remove: true },
  grantPrivilegesToRole: {
    grantPrivilegesToRole: "keeper",
    privileges: [{ resource: { db: "shop", collection: "" }, actions: ["find"] }],
  },
  grantRolesToRole: { grantRolesToRole: "keeper", roles: ["read"] },
  grantRolesToUser: { grantRolesToUser: "ada", roles: ["read"] },
  insert: { insert: "teas", documents: [{ a: 2 }] },
  mapReduce: {
    mapReduce: "teas",
    map: "function () { emit(this.a, 1); }",
    reduce: "function (key, values) { return values.length; }",
    out: "reduced",
  },
  mapreduce: {
    mapreduce: "teas",
    map: "function () { emit(this.a, 1); }",
    reduce: "function (key, values) { return values.length; }",
    out: "reduced",
  },
  quireDropMoment: { quireDropMoment: "planted" },
  quireMoment: { quireMoment: 1 },
  quireNameMoment: { quireNameMoment: "planted", name: "early" },
  quireObserve: { quireObserve: 1, command: { insert: "teas", documents: [{ _id: 7 }] } },
  quireOplog: { quireOplog: 1, enabled: true },
  quireRestore: { quireRestore: "planted" },
  quireRun: { quireRun: "end" },
  renameCollection: { renameCollection: "shop.teas", to: "shop.herbs" },
  revokePrivilegesFromRole: {
    revokePrivilegesFromRole: "keeper",
    privileges: [{ resource: { db: "shop", collection: "" }, actions: ["insert"] }],
  },
  revokeRolesFromRole: { revokeRolesFromRole: "keeper", roles: ["dbAdmin"] },
  revokeRolesFromUser: { revokeRolesFromUser: "ada", roles: ["dbAdmin"] },
  setDefaultRWConcern: { setDefaultRWConcern: 1, defaultReadConcern: { level: "local" } },
  update: { update: "teas", updates: [{ q: { _id: 1 }, u: { $inc: { a: 1 } } }] },
  updateRole: { updateRole: "keeper", roles: [] },
  updateUser: { updateUser: "ada", roles: [] },
};
const OF_ADMIN = ["bulkWrite", "renameCollection", "setDefaultRWConcern"];
/** Those that end a transaction; one that is aborted has nothing to store. */
const ENDS = ["abortTransaction", "commitTransaction"];

/** A list of the file that the engine's table of commands is handed on in. */
async function commands(list) {
  const facts = await readFile(new URL("../../web/src/engine/commands.generated.ts", import.meta.url), "utf8");
  const found = new RegExp(`export const ${list}: readonly string\\[\\] = \\[([^\\]]*)\\]`).exec(facts);
  return found[1].match(/\w+/g);
}

test("every command that writes says that its journal failed", async () => {
  const { context, close } = await visit();
  const page = await blank(context, faulty);
  assert.equal(await connect(page, "table"), "open");
  // Each command is tried: those that write take a write concern, and each of them has an example here.
  const writers = await commands("WITH_WRITE_CONCERN");
  assert.deepEqual([...Object.keys(WRITES), ...ENDS].sort(), writers.sort());
  for (const name of await commands("COMMANDS")) {
    const reply = await command(page, { [name]: 1, ...j }, "admin");
    assert.equal(
      reply.code !== 72 || !/writeConcern/.test(reply.message),
      writers.includes(name),
      `${name}: ${JSON.stringify(reply)}`,
    );
  }
  for (const [name, given] of Object.entries(WRITES)) {
    // Room comes back by itself, which is waited for here.
    await eventually(() => command(page, { dropDatabase: 1, ...j }), { ok: 1 }, `before ${name}`);
    await eventually(
      () => command(page, { insert: "teas", documents: [{ _id: 1, a: 1 }], ...j }),
      ({ ok, code }) => ok === 1 || code === 11000,
      name,
    );
    assert.deepEqual(
      await command(page, { createIndexes: "teas", indexes: [{ key: { a: 1 }, name: "a_1" }], ...j }),
      { ok: 1 },
      name,
    );
    if (/User|Role/.test(name)) {
      for (const dropped of ["another", "ada"]) await command(page, { dropUser: dropped, ...j });
      for (const dropped of ["another", "keeper"]) await command(page, { dropRole: dropped, ...j });
      const resource = { db: "shop", collection: "" };
      const held = { privileges: [{ resource, actions: ["insert"] }], roles: ["dbAdmin"] };
      assert.deepEqual(await command(page, { createRole: "keeper", ...held, ...j }), { ok: 1 }, name);
      const user = { createUser: "ada", pwd: "x", roles: ["dbAdmin"] };
      assert.deepEqual(await command(page, { ...user, ...j }), { ok: 1 }, name);
    }
    if (name.startsWith("quire")) {
      await command(page, { quireDropMoment: "planted", ...j });
      await command(page, { quireMoment: 1, name: "planted", ...j });
      // A run that did not write ends without a moment.
      if (name === "quireRun") await command(page, { quireRun: "begin", ...j });
      assert.deepEqual(await command(page, { insert: "teas", documents: [{ a: 2 }], ...j }), { ok: 1 }, name);
    }
    await fault(page, "full", true);
    const reply = await command(page, { ...given, ...j }, OF_ADMIN.includes(name) ? "admin" : "shop");
    assert.deepEqual(
      [reply.name, reply.code, reply.ok],
      ["MongoWriteConcernError", 64, 1],
      `${name}: ${JSON.stringify(reply)}`,
    );
    assert.match(reply.message, /no more storage/);
    await fault(page, "full", false);
  }
  await eventually(() => command(page, { dropDatabase: 1, ...j }), { ok: 1 }, "before a commit");
  await page.evaluate(async () => {
    globalThis.session = client.startSession();
    session.startTransaction({ writeConcern: { j: true } });
    await client.db("shop").collection("teas").insertOne({ a: 1 }, { session });
  });
  await fault(page, "full", true);
  const committed = await page.evaluate(() =>
    session.commitTransaction().then(
      () => "stored",
      ({ name, code }) => `${name} ${code}`,
    ),
  );
  assert.equal(committed, "MongoWriteConcernError 64");
  await fault(page, "full", false);
  await close();
});

test("full storage takes what frees room, and saving goes on by itself", async () => {
  const { context, close } = await visit();
  const page = await blank(context);
  await limitStorage(page, 2_000_000);
  assert.equal(await connect(page, "full"), "open");
  const bulk = (count) =>
    page.evaluate(
      (count) =>
        client
          .db("shop")
          .collection("bulk")
          .insertMany(
            Array.from({ length: count }, (_, n) => ({ n, text: String(Math.random()).repeat(500) })),
            { writeConcern: { j: true } },
          )
          .then(
            () => "stored",
            (error) => `${error.name} ${error.code}`,
          ),
      count,
    );
  assert.deepEqual(await command(page, { insert: "kept", documents: [{ _id: 1 }], ...j }), { ok: 1 });
  assert.equal(await bulk(2000), "MongoBulkWriteError 64");
  assert.match(await bulk(1), /14031/);
  // Reading goes on, and a drop, which frees room, is taken: with it the rest is small enough to be stored.
  assert.equal(await page.evaluate(() => client.db("shop").collection("bulk").countDocuments()), 2000);
  await eventually(
    () => command(page, { drop: "bulk", ...j }),
    ({ ok, code }) => ok === 1 || code === 26,
  );
  await eventually(
    () => command(page, { insert: "kept", documents: [{ _id: 2 }], ...j }),
    ({ ok, code }) => ok === 1 || code === 11000,
  );
  // Writes that found no room are stored once there is some, although nobody writes any more.
  assert.equal(await bulk(2000), "MongoBulkWriteError 64");
  await limitStorage(page, null);
  await eventually(
    () => command(page, { insert: "kept", documents: [{ _id: 3 }], ...j }),
    ({ ok, code }) => ok === 1 || code === 11000,
  );
  await page.evaluate(() => client.close());
  await page.reload();
  assert.equal(await connect(page, "full"), "open");
  assert.deepEqual(
    await page.evaluate(async () => [
      await client.db("shop").collection("kept").countDocuments(),
      await client.db("shop").collection("bulk").countDocuments(),
    ]),
    [3, 2000],
  );
  await close();
});

test("the playground tells that storage is full, and that it has room again", async () => {
  const { open, close } = await visit();
  const page = await open();
  await limitStorage(page.page, 2_000_000);
  await page.run("db.kept.insertOne({ _id: 1 })");
  await page.isSaved();
  await page.run("for (let n = 0; n < 2000; n++) db.bulk.insertOne({ n, text: String(Math.random()).repeat(500) })");
  await page.storage.and(page.page.getByText("not saved")).waitFor();
  await limitStorage(page.page, null);
  await page.isSaved();
  await page.reload();
  assert.equal(await page.print("print(db.kept.countDocuments(), db.bulk.countDocuments())"), "1 2000");
  await close();
});

test("a tab that is frozen while it holds the lock is passed by, and goes on later", async () => {
  const { open, close } = await visit();
  const frozen = await open();
  const other = await open();
  await frozen.run("db.ledger.insertOne({ _id: 'first' }, { writeConcern: { j: true } })");
  await frozen.write("for (let n = 0; ; n++) { db.ledger.insertOne({ _id: n }); sleep(20); print(n) }");
  await frozen.pressRun();
  await frozen.shows(/\d/);
  const { thaw } = await freeze(frozen.page);
  try {
    // Without the lock being taken away this would never end.
    await other.print("db.ledger.insertOne({ _id: 'second' }, { writeConcern: { j: true } })");
  } finally {
    thaw();
  }
  // Writes that the frozen tab had not stored are refused, and the tab works on over the stored data.
  await frozen.button("Stop").click();
  await frozen.ended(2);
  assert.match(await frozen.error(), /another tab took over/);
  assert.equal(
    await frozen.print(
      "print(db.ledger.find({ _id: { $in: ['first', 'second'] } }).toArray().length, db.ledger.validate({ full: true }).valid)",
    ),
    "2 true",
  );
  await frozen.print("db.ledger.insertOne({ _id: 'third' }, { writeConcern: { j: true } })");
  assert.equal(await other.print("print(db.ledger.countDocuments({ _id: 'third' }))"), "1");
  await close();
});

test("a tab inside a long command is passed by, and its command runs over what the other stored", async () => {
  const { context, close } = await visit();
  const [busy, other] = [await blank(context), await blank(context)];
  for (const page of [busy, other]) assert.equal(await connect(page, "busy"), "open");
  assert.deepEqual(
    await command(busy, { insert: "numbers", documents: Array.from({ length: 40 }, (_, n) => ({ _id: n })), ...j }),
    { ok: 1 },
  );
  const slow = (steps) => ({
    $reduce: { input: { $range: [0, steps] }, initialValue: 0, in: { $add: ["$$value", { $mod: ["$$this", 7] }] } },
  });
  // So many steps as take this machine twice as long as a tab waits for an answer before it takes the lock.
  const FEW = 20_000;
  const began = performance.now();
  const pipeline = [{ $set: { sum: slow(FEW) } }, { $group: { _id: null, sum: { $sum: "$sum" } } }];
  assert.equal((await command(busy, { aggregate: "numbers", pipeline, cursor: {} })).ok, 1);
  const steps = Math.ceil((FEW * 3000) / (performance.now() - began));
  // Commands are answered in their order: with the first one's answer the engine goes on to the second.
  const first = command(busy, { ping: 1 });
  const long = command(busy, {
    aggregate: "numbers",
    pipeline: [{ $set: { sum: slow(steps) } }, { $out: "sums" }],
    cursor: {},
    ...j,
  });
  let ended = false;
  void long.then(() => (ended = true));
  await first;
  assert.deepEqual(await command(other, { insert: "numbers", documents: [{ _id: "other" }], ...j }), { ok: 1 });
  const overtook = !ended;
  const reply = await long;
  assert.ok(reply.ok === 1 || reply.code === 112, JSON.stringify(reply));
  // Where it was overtaken, it ran again and saw the other's writes.
  const sums = await other.evaluate(() => client.db("shop").collection("sums").countDocuments());
  if (reply.ok === 1 && overtook) assert.equal(sums, 41);
  await close();
});

test("a trap is one error: the deployment is opened again by its worker", async () => {
  const { context, close } = await visit();
  const page = await blank(context, faulty);
  assert.equal(await connect(page, "traps"), "open");
  assert.deepEqual(await command(page, { insert: "teas", documents: [{ _id: 1 }], ...j }), { ok: 1 });
  for (let round = 0; round < 3; round += 1) {
    await fault(page, "trap", true);
    // The fault is heard between two commands.
    const trapped = await eventually(
      () => command(page, { insert: "teas", documents: [{ a: round }] }),
      ({ ok }) => ok === 0,
    );
    assert.equal(trapped.code, 1);
    assert.match(trapped.message, /open it again/);
    assert.doesNotMatch(trapped.message, /unsafe aliasing/);
    assert.deepEqual(await command(page, { insert: "teas", documents: [{ _id: 10 + round }], ...j }), { ok: 1 });
  }
  await page.evaluate(() => client.close());
  assert.equal(await connect(page, "traps"), "open");
  assert.equal(
    await page.evaluate(() =>
      client
        .db("shop")
        .collection("teas")
        .countDocuments({ _id: { $in: [1, 10, 11, 12] } }),
    ),
    4,
  );
  await close();
});

test("in Node, clients of one address share a deployment until the last is closed", async () => {
  const { MongoClient } = await import("../../pkg/dist/index.js");
  const [one, two] = [new MongoClient("quire://node"), new MongoClient("quire://node/other")];
  await one
    .db("shop")
    .collection("teas")
    .insertOne({ _id: 1 }, { writeConcern: { w: "majority", j: true } });
  assert.equal(await two.db("shop").collection("teas").countDocuments(), 1);
  await assert.rejects(new MongoClient("quire://node", { now: () => 1 }).connect(), /another clock/);
  await assert.rejects(new MongoClient("quire://node", { storage: "indexeddb" }).connect(), {
    name: "MongoServerSelectionError",
  });
  await one.close();
  await assert.rejects(one.db("shop").command({ ping: 1 }), {
    name: "MongoNotConnectedError",
    message: "Client must be connected before running operations",
  });
  assert.equal(await two.db("shop").collection("teas").countDocuments(), 1);
  await two.close();
  await one.connect();
  assert.equal(await one.db("shop").collection("teas").countDocuments(), 0);
  await one.close();
});
