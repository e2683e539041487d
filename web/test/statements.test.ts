/** The statements of a script in the real sandbox over the real engine: their values, places and costs. */
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { valueText } from "../src/client/values.ts";
import { openSandboxed } from "../src/pkg/docs/sandboxed.ts";
import { STATEMENTS_KEPT, type RunOutcome, type StatementOutcome } from "../src/protocol/run.ts";

const file = (name: string) => (): Uint8Array => readFileSync(new URL(`../wasm/${name}`, import.meta.url));
let client: Awaited<ReturnType<typeof openSandboxed>>;
beforeEach(async () => {
  client = await openSandboxed(20_000, { engineWasm: file("quire_bg.wasm"), sandboxWasm: file("sandbox.wasm") });
  return () => client.close();
});

const run = (source: string): Promise<RunOutcome> => client.run(source, { database: "garden" }).outcome;
const textOf = ({ value }: StatementOutcome, outcome: RunOutcome): string =>
  value.kind === "result"
    ? `=> ${valueText(outcome.value)}`
    : value.kind === "left-out"
      ? "left out"
      : valueText(value);
const texts = async (source: string): Promise<readonly string[]> => {
  const outcome = await run(source);
  return [
    ...outcome.statements.map((statement) => textOf(statement, outcome)),
    ...(outcome.error === null ? [] : [`${outcome.error.text} at ${outcome.error.line}:${outcome.error.column}`]),
  ];
};

describe("values", () => {
  it.each([
    ["1\n'two'\n;[3]", ["1", "two", "=> [ 3 ]"]],
    ["1; 'two'; [3]", ["", "", "=> [ 3 ]"]],
    ["1; let b = 5; 2; let c = 6\n3; 4", ["", "", "2", "", "", "=> 4"]],
    ["1; [\n2\n]; 3\n4", ["", "", "3", "=> 4"]],
    ["'use strict'", ["=> use strict"]],
    ["{ a: 1 }", ["=> { a: 1 }"]],
    ["let a = 1; const b = 2; a + b", ["", "", "=> 3"]],
    ["1; let a = 2", ["=> 1", ""]],
    ["function f() { return 1 }\nclass A {}\nf();\nnew A().x", ["", "=> 1", ""]],
    ["for (let i = 0; i < 3; i++) i\n7", ["2", "=> 7"]],
    ["7\nfor (let i = 0; i < 3; i++) i", ["7", "=> 2"]],
    ["7; for (let i = 0; i < 3; i++) i", ["", "=> 2"]],
    ["if (true) { print('x'); 4 } else 5\n6", ["4", "=> 6"]],
    ["if (false) 1\nelse 2\n3", ["2", "=> 3"]],
    ["await Promise.resolve(1)\nawait 2", ["1", "=> 2"]],
    [
      "db.a.insertOne({ _id: 1 })\ndb.a.find()\ndb.a.find({ _id: 2 })",
      ["{ acknowledged: true, insertedId: 1 }", "[ { _id: 1 } ]", "=> "],
    ],
    ["use shop\nshow collections\ndb.getName()", ["switched to db shop", "", "=> shop"]],
    ["x = 5;\n(x, 6);\n(function () { return 8 })()", ["5", "6", "=> 8"]],
    ["var s = `a\nb`; s\nvar t = 1", ["", "=> a\nb", ""]],
    ["do { 1 } while (false) 2", ["", "=> 2"]],
    ["a: for (const q of [1, 2]) { q; continue a }\nq2 = 1", ["2", "=> 1"]],
    ["try { nowhere } catch (e) { e.message }\n1", ["'nowhere' is not defined", "=> 1"]],
  ])("%s", async (source, expected) => {
    expect((await texts(source)).map((text) => text.replace(/^nowhere is/, "'nowhere' is"))).toEqual(expected);
  });

  it("of a cursor that goes on are the documents of its first batch, and the script has them still", async () => {
    await run("db.n.insertMany([...Array(50).keys()].map(_id => ({ _id })))");
    const [, shown, first, more, second] = await texts(
      "const c = db.n.find().sort({ _id: 1 })\nc\nc.next()._id\nit\nc.next()._id",
    );
    expect(shown).toMatch(/^\[\n {2}{ _id: 0 },[\s\S]* {1,2}{ _id: 19 }\n\]\nType "it" for more$/);
    expect(more).toMatch(/^\[\n {2}{ _id: 20 },[\s\S]* {1,2}{ _id: 39 }\n\]$/);
    expect([first, second]).toEqual(["0", "=> 1"]);
  });

  it("of a cursor that was begun are those to come, and the script has them still", async () => {
    await run("db.n.insertMany([...Array(50).keys()].map(_id => ({ _id })))");
    const [, , shown, more, second] = await texts(
      "const c = db.n.find().sort({ _id: 1 }).map(({ _id }) => ({ _id: -_id }))\nc.next()._id\nc\nit\nc.next()._id",
    );
    expect(shown).toMatch(/^\[\n {2}{ _id: -1 },[\s\S]* {1,2}{ _id: -20 }\n\]/);
    expect(more).toMatch(/^\[\n {2}{ _id: -21 },[\s\S]* {1,2}{ _id: -40 }\n\]/);
    expect(second).toBe("=> -1");
    expect(await texts("c.itcount()")).toEqual(["=> 48"]);
  });

  it("of a line are the last: a cursor before it is not run", async () => {
    await run("db.n.insertMany([...Array(30).keys()].map(_id => ({ _id })))");
    expect(await texts("c = db.n.find().sort({ _id: 1 }); c.next()")).toEqual(["", "=> { _id: 0 }"]);
    expect(await texts("db.n.find({ $x: 1 }); 2")).toEqual(["", "=> 2"]);
    expect(await texts("c = db.n.find().sort({ _id: 1 })")).toEqual([expect.stringContaining("{ _id: 19 }")]);
    expect(await texts("c.next()")).toEqual(["=> { _id: 0 }"]);
    expect(await texts("print(c); c.next()")).toEqual(["", "=> { _id: 1 }"]);
  });
});

describe("errors", () => {
  it("of a cursor that is run at its statement end the script there", async () => {
    expect(await texts("1\n\n  db.a.find({ n: { $foo: 1 } })\n2")).toEqual([
      "=> 1",
      "MongoServerError[BadValue]: unknown operator: $foo at 3:20",
    ]);
    expect(await texts("db.a.aggregate([{ $nowhere: 1 }])")).toEqual([
      expect.stringMatching(/^MongoServerError\[Location40324\]: .* at 1:19$/),
    ]);
  });
  it("of a script's own keep their line and column", async () => {
    expect(await texts("1; let a = 1;\n  a.b.c")).toEqual([
      "=> 1",
      "",
      "TypeError: Cannot read properties of undefined (reading 'c') at 2:3",
    ]);
    expect(await texts("1; throw 'word'")).toEqual(["=> 1", "Uncaught 'word' at 1:4"]);
  });
});

describe("the place of a server's error", () => {
  beforeEach(() => run("db.a.insertMany([{ _id: 1, n: 1, word: 'x' }])").then(() => undefined));
  it.each([
    ["is that of the operator", "1\ndb.a.find({\n  n: { $gtt: 1 } })", "3:8"],
    ["also in quotes", "db.a.findOne({ n: { '$gtt': 1 } })", "1:21"],
    ["also in a callback of the statement", "[1].map(n => db.a.findOne({ n: { $gtt: n } }))", "1:34"],
    ["of a stage", "db.a.aggregate([{ $match: {} },\n  { $mach: { n: 1 } }])", "2:5"],
    ["without its dollar", "db.a.aggregate([{ match: {} }])", "1:19"],
    ["of an expression", "db.a.aggregate([{ $project: { m: { $concatt: ['$n'] } } }])", "1:36"],
    ["of an expression that fails", "db.a.aggregate([{ $project: { m: { $add: ['$word', 1] } } }])", "1:36"],
    ["of an update", "db.a.updateOne({}, { $sett: { n: 1 } })", "1:22"],
    ["of one that has another value than it takes", "db.a.findOne({ $or: 1 })", "1:16"],
    ["of one that is not supported", "db.a.findOne({ $text: { $search: 'a' } })", "1:16"],
    ["of an index's kind", "db.a.createIndex({ n: '2dsphere_bucket' })", "1:23"],
    ["of a bulk write", "db.a.bulkWrite([{ updateOne: { filter: {}, update: { $sett: { n: 1 } } } }])", "1:54"],
    ["in a block", "for (const n of [1])\n  db.a.findOne({ n: { $gtt: n } })", "2:23"],
  ])("%s: %s", async (_, source, place) => {
    const { error, failed } = await run(source);
    expect(`${error?.line}:${error?.column} ${error?.text}`).toMatch(new RegExp(`^${place} Mongo`));
    expect(failed).not.toBeNull();
  });
  it.each([
    ["two can be meant", "db.a.findOne({ n: { $gtt: 1 }, m: { $gtt: 2 } })", "1:6"],
    ["it stands in another statement", "const q = { n: { $gtt: 1 } }; db.a.findOne(q)", "1:36"],
    ["a document's field has the name", "db.a.insertOne({ _id: 1, $gtt: 1 })", "1:6"],
    ["it is no error of the server's", "db.a.findOne({ $gtt: 1 }, nowhere)", "1:6"],
  ])("stays where %s: %s", async (_, source, place) => {
    const { error } = await run(source);
    expect(`${error?.line}:${error?.column}`).toBe(place);
  });
});

describe("the place of an error with a call among the arguments", () => {
  it.each([
    ["db.a.insertOne({ _id: 1, at: new Date() })", "1:6", "E11000"],
    ["1\ndb.a\n  .insertOne({ _id: 1, at: ISODate() })", "3:4", "E11000"],
    ["[1].forEach((_id) => db.a.insertOne({ _id, n: Math.max(1) }))", "1:27", "E11000"],
    ["function f() { db.a.insertOne({ _id: Number(1) }) }\nf(String(2))", "1:21", "E11000"],
    ["db.a.insertOne({ _id: ObjectId('x' + String(1)) })", "1:23", "BSONError"],
    ["db.a.nofn(new Date())", "1:6", "TypeError: db.a.nofn is not a function"],
    ["db.a.nofn(db.a.count())", "1:6", "TypeError: db.a.nofn is not a function"],
    ["1; throw new Error(String(Math.max(2)))", "1:14", "Error: 2"],
    ["1\n2; JSON.parse('{' + String(1))", "2:9", "SyntaxError"],
  ])("%s", async (source, place, text) => {
    await run("db.a.insertOne({ _id: 1 })");
    const { error } = await run(source);
    expect(`${error?.line}:${error?.column} ${error?.text}`).toMatch(new RegExp(`^${place} .*${text}`));
  });
});

describe("the statement that failed", () => {
  it.each([
    ["1; 2", null],
    ["1;\n  db.a.fnid(\n )", [2, 3, 3, 3]],
    ["1\ndb.a.find({ $x: 1 })\n2", [2, 1, 2, 21]],
    ["use shop\nthrow 5", [2, 1, 2, 8]],
    ["1; if (true) { nowhere }", [1, 4, 1, 25]],
    ["1; (", null],
    ["1; while (true) {}", [1, 4, 1, 19]],
  ])("of %j", async (source, place) => {
    const { outcome } = client.run(source, { database: "garden", timeLimitMillis: 300 });
    const { failed, error } = await outcome;
    expect(error === null).toBe(source === "1; 2");
    expect(failed === null ? null : [failed.line, failed.column, failed.endLine, failed.endColumn]).toEqual(place);
  });
});

describe("what a statement that failed had written", () => {
  const stayed = async (source: string): Promise<unknown> => {
    const { outcome } = client.run(source, { database: "garden", timeLimitMillis: 300 });
    const { failed } = await outcome;
    return failed?.written.map(({ kind, namespace, count, from = "" }) => `${kind} ${namespace} ${count}${from}`);
  };
  it.each([
    ["db.a.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 1 }, { _id: 3 }])", ["inserted garden.a 2"]],
    ["db.a.insertMany([{ _id: 1 }, { _id: 1 }, { _id: 3 }], { ordered: false })", ["inserted garden.a 2"]],
    ["db.a.insertOne({ _id: 1 }); db.a.insertMany([{ _id: 2 }, { _id: 1 }])", ["inserted garden.a 1"]],
    [
      "db.a.bulkWrite([{ insertOne: { document: { _id: 1 } } }, { deleteOne: { filter: {} } }, " +
        "{ updateOne: { filter: {}, update: { $x: 1 } } }])",
      ["inserted garden.a 1", "deleted garden.a 1"],
    ],
    ["for (let n = 0; n < 9; n++) { db.b.insertOne({ _id: n % 5 }) }", ["inserted garden.b 5"]],
    ["{ db.b.insertOne({}); db.b.drop(); while (true) {} }", ["inserted garden.b 1", "dropped garden.b 1"]],
    ["db.a.insertOne({ _id: 1 }); db.a.insertOne({ _id: 1 })", []],
  ])("%s", async (source, written) => expect(await stayed(source)).toEqual(written));

  it("has a cost", async () => {
    const { outcome } = client.run("1\ndb.a.insertMany([{ _id: 1 }, { _id: 1 }])", { database: "garden" });
    const { failed } = await outcome;
    expect([failed?.commands, failed?.account.documentsInserted]).toEqual([1, 1]);
  });
});

describe("places and costs", () => {
  it("are told of each statement", async () => {
    const { statements } = await run("db.a.insertMany([{}, {}]);\n  db.a.find(\n  );\nuse shop\nprint(1); print(2)");
    expect(statements.map(({ line, column, endLine, endColumn }) => [line, column, endLine, endColumn])).toEqual([
      [1, 1, 1, 27],
      [2, 3, 3, 5],
      [4, 1, 4, expect.any(Number)],
      [5, 1, 5, 10],
      [5, 11, 5, 19],
    ]);
    expect(statements.map(({ commands }) => commands)).toEqual([1, 1, 0, 0, 0]);
    expect(statements.map(({ account }) => account.documentsExamined)).toEqual([0, 2, 0, 0, 0]);
    expect(statements.map(({ account }) => account.documentsInserted)).toEqual([2, 0, 0, 0, 0]);
    expect(statements.map(({ account }) => account.pagesRead > 0)).toEqual([true, true, false, false, false]);
    expect(statements.map(({ printedUntil }) => printedUntil)).toEqual([0, 0, 0, 1, 2]);
    expect(statements[0]?.written).toEqual([{ kind: "inserted", namespace: "garden.a", count: 2 }]);
    expect(statements.every(({ elapsedMillis }) => elapsedMillis >= 0)).toBe(true);
  });

  const written = async (source: string): Promise<readonly string[]> => {
    const { statements, error } = await run(source);
    expect(error).toBeNull();
    return statements.flatMap(({ written }) =>
      written.map(
        ({ kind, namespace, count, from }) => `${kind} ${count} ${from === undefined ? "" : `${from} > `}${namespace}`,
      ),
    );
  };

  it("name what was written, by namespace", async () => {
    expect(
      await written("for (let i = 0; i < 5; i++) { db.a.insertOne({ _id: i }); db.b.insertOne({ _id: i }) }"),
    ).toEqual(["inserted 5 garden.a", "inserted 5 garden.b"]);
    expect(
      await written(
        "db.a.updateMany({ _id: { $gt: 1 } }, { $set: { n: 1 } }); db.a.updateOne({ _id: 0 }, { $set: { _id: 0 } })",
      ),
    ).toEqual(["updated 3 garden.a"]);
    expect(
      await written("db.a.updateOne({ _id: 9 }, { $set: { n: 1 } }, { upsert: true }); db.a.deleteMany({ n: 1 })"),
    ).toEqual(["inserted 1 garden.a", "deleted 4 garden.a"]);
    expect(
      await written(
        `db.a.findOneAndUpdate({ _id: 0 }, { $set: { n: 2 } }); db.a.findOneAndDelete({ _id: 0 })
        db.a.findOneAndDelete({ _id: 0 })`,
      ),
    ).toEqual(["updated 1 garden.a", "deleted 1 garden.a"]);
    expect(
      await written(
        `db.a.createIndex({ n: 1 }); db.a.createIndex({ n: 1 })
        db.a.renameCollection("c"); db.c.drop(); db.c.drop(); db.dropDatabase(); db.dropDatabase()`,
      ),
    ).toEqual(["indexed 1 garden.a", "renamed 1 garden.a > garden.c", "dropped 1 garden.c", "dropped 1 garden"]);
    expect(
      await written("db.createCollection('d'); db.createCollection('d'); db.d.dropIndexes(); db.d.drop()"),
    ).toEqual(["created 1 garden.d", "dropped 1 garden.d"]);
    expect(
      await written("db.a.bulkWrite([{ insertOne: { document: {} } }, { deleteMany: { filter: {} } }]); db.a.find()"),
    ).toEqual(["inserted 1 garden.a", "deleted 1 garden.a"]);
  });

  it("name where an aggregation wrote, and how much, as the engine counted it", async () => {
    await run("db.a.insertMany([...Array(9).keys()].map(_id => ({ _id, n: _id % 3 })))");
    expect(await written("db.a.aggregate([{ $match: { n: 1 } }, { $out: 'b' }])")).toEqual(["replaced 3 garden.b"]);
    expect(await written("db.a.aggregate([{ $match: { n: 9 } }, { $out: { db: 'shop', coll: 'b' } }])")).toEqual([
      "replaced 0 shop.b",
    ]);
    expect(
      await written(
        `const into = { db: "shop", coll: "totals" }
        db.a.aggregate([{ $group: { _id: "$n" } }, { $merge: { into } }])
        db.a.aggregate([{ $group: { _id: "$n", sum: { $sum: 1 } } }, { $match: { _id: { $gt: 0 } } },
          { $unionWith: { coll: "none", pipeline: [] } }, { $merge: { into } }]).toArray()
        db.a.aggregate([{ $match: { _id: 7 } }, { $merge: "b" }])
        db.a.aggregate([{ $match: { _id: 7 } }, { $merge: "b" }])
        db.a.aggregate([{ $match: { $expr: "$out" } }]).toArray()`,
      ),
    ).toEqual(["inserted 3 shop.totals", "updated 2 shop.totals"]);
    expect(
      await written(
        `db.a.mapReduce(function () { emit(this.n, 1) }, (n, all) => all.length, { out: { merge: "m" } })
        db.runCommand({ quireObserve: 1, command: { insert: "a", documents: [{ _id: "o" }] } })
        db.adminCommand({ quireMoment: 1, name: "m" }); db.b.drop(); db.adminCommand({ quireRestore: "m" })`,
      ),
    ).toEqual(["inserted 3 garden.m", "inserted 1 garden.a", "dropped 1 garden.b", "restored 1 garden.b"]);
    expect(await written("db.b.updateOne({ _id: 7 }, { $set: { n: 8 } })")).toEqual(["updated 1 garden.b"]);
  });

  it("name each collection of writes to several", async () => {
    const bulk = (models: string, options = "{}"): Promise<readonly string[]> =>
      written(`try { db.getMongo().bulkWrite(${models}, ${options}) } catch (e) { print(e.message) }`);
    const [a, b] = ["namespace: 'garden.a'", "namespace: 'shop.b'"];
    expect(
      await bulk(`[{ name: "insertOne", ${a}, document: { _id: 1 } }, { name: "insertOne", ${b}, document: { _id: 1 } },
        { name: "insertOne", ${b}, document: { _id: 2 } },
        { name: "updateMany", ${b}, filter: {}, update: { $set: { n: 1 } } },
        { name: "updateOne", ${a}, filter: { _id: 9 }, update: { $set: { n: 1 } }, upsert: true }]`),
    ).toEqual(["inserted 2 garden.a", "inserted 2 shop.b", "updated 2 shop.b"]);
    // The second insert fails: what follows is not done, or is.
    const twice = `[{ name: "insertOne", ${a}, document: { _id: 2 } },
      { name: "insertOne", ${b}, document: { _id: 2 } },
      { name: "insertOne", ${b}, document: { _id: 3 } }]`;
    expect(await bulk(twice)).toEqual(["inserted 1 garden.a"]);
    expect(await bulk(twice.replace("_id: 2", "_id: 4"), "{ ordered: false }")).toEqual([
      "inserted 1 garden.a",
      "inserted 1 shop.b",
    ]);
    const remove = `[{ name: "deleteMany", ${a}, filter: { _id: { $gt: 0 } } },
      { name: "deleteMany", ${b}, filter: { _id: 1 } }, { name: "deleteOne", ${b}, filter: { _id: 2 } }]`;
    const keep = "db.adminCommand({ quireMoment: 1, name: 'bulk' });";
    await run(keep);
    expect(await bulk(remove)).toEqual(["deleted 4 garden.a", "deleted 2 shop.b"]);
    expect(await written("db.adminCommand({ quireRestore: 'bulk' })")).toEqual([
      "restored 1 garden.a",
      "restored 1 shop.b",
    ]);
    expect(await bulk(remove, "{ verboseResults: true }")).toEqual(["deleted 4 garden.a", "deleted 2 shop.b"]);
  });

  it("name what commands wrote whose replies do not say it", async () => {
    expect(
      await written(
        `db.a.findOneAndUpdate({ _id: 1 }, { $set: { n: 1 } }, { upsert: true })
        db.a.findOneAndUpdate({ _id: 1 }, { $set: { n: 1 } }); db.a.findOneAndUpdate({ _id: 2 }, { $set: { n: 1 } })`,
      ),
    ).toEqual(["inserted 1 garden.a"]);
    expect(
      await written(
        `db.createCollection("log", { capped: true, size: 4096, max: 3 })
        db.log.insertMany([...Array(5).keys()].map((_id) => ({ _id })))`,
      ),
    ).toEqual(["created 1 garden.log", "inserted 5 garden.log", "overwritten 2 garden.log"]);
    expect(
      await written(
        `db.b.insertOne({}); db.log.renameCollection("b", true)
        db.createView("v", "b", []); db.v.drop()
        db.runCommand({ convertToCapped: "b", size: 4096 })
        db.b.createIndexes([{ x: 1 }, { y: 1 }]); db.b.dropIndexes()`,
      ),
    ).toEqual([
      "inserted 1 garden.b",
      "renamed 1 garden.log > garden.b",
      "created 1 garden.v",
      "dropped 1 garden.v",
      "replaced 3 garden.b",
      "indexed 2 garden.b",
      "unindexed 2 garden.b",
    ]);
    expect(
      await written(
        "try { db.b.insertMany([{ _id: 'x' }, { _id: 'x' }, { _id: 'y' }], { ordered: false }) } catch (e) { e.code }",
      ),
    ).toEqual(["inserted 2 garden.b"]);
    expect(
      await written(
        `db.a.mapReduce(function () { emit(1, 1) }, (key, all) => all.length, { out: { replace: "m" } })
        try { db.a.aggregate([{ $unionWith: "a" }, { $out: "m" }]) } catch (e) { e.code }`,
      ),
    ).toEqual(["replaced 1 garden.m"]);
  });

  it("name documents that expired before a command", async () => {
    await run(
      `db.s.createIndex({ at: 1 }, { expireAfterSeconds: 60 })
      db.s.insertMany([{ at: new Date() }, { at: new Date() }, {}])`,
    );
    const wait = "db.adminCommand({ quireClock: 1, advanceMillis: 200000 })";
    expect(await written(`${wait}; db.s.countDocuments()`)).toEqual(["expired 2 garden.s"]);
  });

  it("are kept of the first and the last where there are many", async () => {
    const outcome = await run([...Array(3 * STATEMENTS_KEPT).keys()].map((n) => `${n};`).join("\n"));
    expect(outcome.statements).toHaveLength(2 * STATEMENTS_KEPT);
    expect(outcome.statementsLeftOut).toBe(STATEMENTS_KEPT);
    expect(outcome.statements.map(({ line }) => line).slice(STATEMENTS_KEPT - 1, STATEMENTS_KEPT + 1)).toEqual([
      STATEMENTS_KEPT,
      2 * STATEMENTS_KEPT + 1,
    ]);
    expect(textOf(outcome.statements.at(-1) as StatementOutcome, outcome)).toBe(`=> ${3 * STATEMENTS_KEPT - 1}`);
  });

  it("keep a bounded number of bytes of values, and the result's", async () => {
    const outcome = await run("'a'.repeat(3e6)\n'b'.repeat(3e6)\n'c'.repeat(3e6)\n'd'.repeat(9e6)");
    expect(outcome.statements.map(({ value }) => value.kind)).toEqual(["value", "value", "left-out", "result"]);
  });
});

it("a script cannot tell its hooks from the language, nor spoil them", async () => {
  expect(await texts("JSON.stringify = () => 'x'\nObject.keys(this).filter(n => n.includes('$')).length\n3")).toEqual([
    "[Function (anonymous)]",
    "0",
    "=> 3",
  ]);
  expect(await texts("typeof __quireStatement")).toEqual(["=> undefined"]);
});

describe("plans", () => {
  const alone = async (source: string): Promise<readonly (readonly [number, boolean] | null)[]> => {
    const { statements } = await client.run(source, { database: "garden", plans: true }).outcome;
    return statements.map(({ alone: one }) => (one === undefined ? null : [one.following, one.ended]));
  };

  it("keep a bounded number of bytes of commands too, and none of a statement without a value", async () => {
    const update = (letter: string): string => `db.big.updateOne({ a: '${letter}'.repeat(3e6) }, { $set: { b: 1 } })`;
    await run("db.big.insertOne({})");
    expect(await alone(`${["a", "b", "c", "d"].map(update).join("\n")}\nconst e = ${update("e")}\n1`)).toEqual([
      [0, true],
      [0, true],
      null,
      null,
      null,
      null,
    ]);
  });

  it("tell whether a statement was one command, and what came after its first batch", async () => {
    await run("db.n.insertMany([...Array(250).keys()].map(_id => ({ _id, odd: _id % 2 })))");
    expect(await alone("db.n.find().toArray()\ndb.n.findOne()\ndb.n.countDocuments({ odd: 1 })\n1")).toEqual([
      [149, true],
      [0, true],
      [0, true],
      null,
    ]);
    expect(await alone("const c = db.n.find(); c.next()\nfor (let i = 0; i < 120; i++) c.next()")).toEqual([
      null,
      [0, false],
      null,
    ]);
    expect(
      await alone("db.n.findOne() && db.n.findOne(); db.n.insertOne({}); db.n.updateMany({}, { $inc: { n: 1 } })"),
    ).toEqual([null, null, [0, true]]);
  });
});
