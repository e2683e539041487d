/**
 * Functions inside commands where there is no worker: the package in Node runs them in the same sandbox as a page, and
 * refuses them without one.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import { MongoClient, decode, encode } from "../../pkg/dist/index.js";
import { Engine, createShell } from "../../pkg/dist/shell.js";

const DOCUMENTS = [
  { _id: 1, a: 1, b: 1 },
  { _id: 2, a: 1, b: 2 },
  { _id: 3, a: 3, b: 3 },
];

/** An engine with those documents, and a function that runs a command of it. */
async function opened(options = { functions: "sandbox" }) {
  const engine = await Engine.create(options);
  const run = (command) => decode(engine.command(encode({ ...command, $db: "shop" })));
  assert.equal(run({ insert: "pairs", documents: DOCUMENTS }).n, 3);
  return { engine, run };
}

const where = (source, more = {}) => ({ find: "pairs", filter: { $where: source }, projection: { _id: 1 }, ...more });
const call = (body) => ({
  aggregate: "pairs",
  pipeline: [{ $match: { _id: 1 } }, { $project: { _id: 0, is: { $function: { body, args: ["$a"], lang: "js" } } } }],
  cursor: {},
});
const said = (reply) => reply.cursor?.firstBatch[0].is ?? reply.errmsg;

test("MongoClient loads the sandbox with the first command that has a function, and keeps the order", async () => {
  const { readFileSync } = fs;
  const read = [];
  fs.readFileSync = (path, ...rest) => {
    read.push(String(path).replace(/.*\//, ""));
    return readFileSync(path, ...rest);
  };
  try {
    const client = new MongoClient("quire://shop");
    const pairs = client.db("shop").collection("pairs");
    await pairs.insertMany(DOCUMENTS);
    assert.equal(await pairs.countDocuments({ a: { $gt: 0 } }), 3);
    assert.deepEqual(read, ["quire_bg.wasm"]);
    // A command sent behind a function is answered as if it had run at once.
    const [deleted, left] = await Promise.all([
      pairs.deleteMany({ $where: "this.a === this.b && obj.b === 3" }),
      pairs.find().sort({ _id: 1 }).toArray(),
    ]);
    assert.deepEqual([deleted.deletedCount, left.map(({ _id }) => _id)], [1, [1, 2]]);
    assert.deepEqual(read, ["quire_bg.wasm", "sandbox.wasm"]);
    const summed = await pairs
      .aggregate([
        {
          $group: {
            _id: "$a",
            all: {
              $accumulator: {
                init: "() => 0",
                accumulate: "(n, b) => n + b",
                accumulateArgs: ["$b"],
                merge: "(n, m) => n + m",
                lang: "js",
              },
            },
          },
        },
      ])
      .toArray();
    assert.deepEqual(summed, [{ _id: 1, all: 3 }]);
    const timed = await pairs
      .find({ $where: "for (;;);" }, { maxTimeMS: 50 })
      .toArray()
      .catch((error) => error);
    assert.deepEqual([timed.name, timed.code], ["MongoServerError", 50]);
    assert.equal(await pairs.countDocuments(), 2);
    await client.close();
    assert.deepEqual(read, ["quire_bg.wasm", "sandbox.wasm"]);
  } finally {
    fs.readFileSync = readFileSync;
  }
});

// A copy of the package of its own takes its files from `quiredb-inline`, once that was imported; it is the last here.
for (const place of ["dist/index.cjs", "dist/index.js?inlined"]) {
  test(`${place} has the sandbox as well`, async () => {
    if (place.includes("inlined")) await import("../../pkg/inline/index.js");
    const client = new (await import(`../../pkg/${place}`)).MongoClient("quire://inside");
    const pairs = client.db("shop").collection("pairs");
    await pairs.insertMany(DOCUMENTS);
    const sent = { $set: { seen: 1 } };
    const updated = pairs.updateMany(
      {
        $where: function () {
          return this.a === this.b;
        },
      },
      sent,
    );
    // Written down when it was given, although it waits for the sandbox.
    sent.$set.seen = 2;
    assert.equal((await updated).modifiedCount, 2);
    assert.equal(await pairs.countDocuments({ seen: 1 }), 2);
    await client.close();
  });
}

test("an engine that was asked for it runs every kind of function, one after another", async () => {
  const { engine, run } = await opened();
  assert.deepEqual(run(where("this.a === this.b")).cursor.firstBatch, [{ _id: 1 }, { _id: 3 }]);
  assert.equal(said(run(call("function(a) { return a + 1 }"))), 2);
  const counted = run({
    mapReduce: "pairs",
    map: "function() { emit(this.a, this.b) }",
    reduce: "function(key, values) { return Array.sum(values) }",
    out: { inline: 1 },
  });
  assert.deepEqual(counted.results, [
    { _id: 1, value: 3 },
    { _id: 3, value: 3 },
  ]);
  // A command's functions share their undeclared names; those of the next one do not see them, nor do those of another
  // engine.
  assert.equal(
    run(where("count = typeof count === 'number' ? count + 1 : 1; return count === 3")).cursor.firstBatch[0]._id,
    3,
  );
  assert.equal(said(run(call("function() { left = 1; return typeof count }"))), "undefined");
  const other = await opened();
  assert.equal(said(other.run(call("function() { return typeof left }"))), "undefined");
  other.engine.close();
  assert.equal(said(run(call("function() { return typeof left }"))), "undefined");
  engine.close();
});

test("an engine that was not asked refuses them and says how to ask; what it cannot be asked for is an error", async () => {
  const { engine, run } = await opened({});
  for (const command of [where("true"), call("function() { return 1 }")]) {
    const reply = run(command);
    assert.deepEqual([reply.code, reply.codeName], [139, "JSInterpreterFailure"]);
    assert.match(reply.errmsg, /Engine\.create\(\{ functions: "sandbox" \}\)/);
  }
  assert.equal(
    createShell(engine, { database: "shop" }).evaluate('db.pairs.find({ $where: "true" }).toArray()').error.code,
    139,
  );
  engine.close();
  for (const functions of [true, null, "", "Sandbox", "realm", {}])
    await assert.rejects(Engine.create({ functions }), {
      name: "TypeError",
      message: /^functions must be "sandbox" or left out, got /,
    });
});

test("functions reach nothing of Node", async () => {
  const { engine, run } = await opened();
  const names = [
    "process",
    "require",
    "module",
    "Buffer",
    "fetch",
    "setTimeout",
    "WebAssembly",
    "console",
    "navigator",
    "db",
    "Deno",
    "Bun",
  ];
  const roads = [
    "globalThis",
    "Function('return this')()",
    "(0, eval)('this')",
    "obj.constructor.constructor('return this')()",
    "print.constructor('return this')()",
  ];
  for (const road of roads)
    assert.equal(
      said(
        run(
          call(
            `function(obj) { return ${JSON.stringify(names)}.filter((name) => (${road})[name] !== undefined).join() }`,
          ),
        ),
      ),
      "",
      road,
    );
  // It never comes to pass: nothing runs promises here, and no module is found.
  assert.equal(said(run(call("function() { import('node:fs').then(() => { throw 1 }, () => 2); return 'no' }"))), "no");
  engine.close();
});

test("a function that never ends, takes all memory, traps the sandbox or spoils the language ends alone", async () => {
  const { engine, run } = await opened();
  const forever = {
    "a loop": "for (;;);",
    "a built-in": "new Array(4e9).join()",
    "a pattern": "return /^(a+)+$/.test('a'.repeat(60) + 'b')",
    "a sleep": "sleep(60000)",
  };
  for (const [name, source] of Object.entries(forever))
    assert.equal(run(where(source, { maxTimeMS: 50 })).code, 50, name);
  // Without a limit of the command's, each call has one of its own.
  assert.match(run(where(forever["a loop"])).errmsg, /the function ran longer than its time limit$/);
  const ended = {
    "all memory": "const held = []; for (;;) held.push('x'.repeat(100000) + held.length)",
    "all of the stack": "(function deeper() { deeper() })()",
    // A fault of QuickJS-ng 0.32: its collector loses arguments that a function which makes an arguments object shares
    // with another.
    "a trap": "const held = []; function one(a) { arguments[0] = 5; held.push(() => a) } for (;;) one(1)",
  };
  for (const [name, source] of Object.entries(ended)) {
    const reply = run(where(source));
    assert.deepEqual([reply.code, reply.codeName], [139, "JSInterpreterFailure"], `${name}: ${reply.errmsg}`);
    assert.deepEqual(run(where("this.a === this.b")).cursor.firstBatch, [{ _id: 1 }, { _id: 3 }], name);
  }
  const spoils = [
    "JSON.stringify = null",
    "delete Array.prototype.map",
    "Object.prototype.inherited = 1",
    "globalThis.Object = undefined",
    "Function.prototype.call = null",
    "isNumber = null; Array.sum = 1",
  ];
  for (const spoil of spoils) assert.deepEqual(run(where(`${spoil}; return true`)).cursor.firstBatch.length, 3, spoil);
  assert.equal(
    said(
      run(
        call("function(a) { return JSON.stringify([a].map((n) => n + 1)) + isNumber(a) + Object.keys({ a }).join() }"),
      ),
    ),
    "[2]truea",
  );
  assert.equal(run({ validate: "pairs", full: true }).valid, true);
  engine.close();
});

test("a shell over such an engine runs them too, and shows what they print", async () => {
  const { engine } = await opened();
  const shell = createShell(engine, { database: "shop" });
  const { value, printed, error } = shell.evaluate(
    'db.pairs.find({ $where: function () { print("seen", this._id); return this.a < this.b } }).toArray()',
  );
  assert.deepEqual([error, value, printed], [undefined, [{ _id: 2, a: 1, b: 2 }], ["seen 1", "seen 2", "seen 3"]]);
  // A script has `Object.bsonsize`, and the realm, which is this one, has not.
  assert.equal(shell.evaluate("Object.bsonsize({ a: 1 }) + bsonsize(db.pairs.findOne({ _id: 1 }))").value, 12 + 28);
  assert.equal("bsonsize" in Object, false);
  engine.close();
});
