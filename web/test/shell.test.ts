/** The shell against a scripted host: what each method sends, and how its outcome is worded. */
import { describe, expect, it } from "vitest";
import { Long } from "../src/shell/bson/numbers.ts";
import { tryRewrite } from "../src/shell/rewrite.ts";
import { Shell, type Evaluated } from "../src/shell/shell.ts";
import { batch, scriptedHost, type Json, type ScriptedHost } from "./scripted.ts";

function shellOf(answers?: Parameters<typeof scriptedHost>[0]): {
  shell: Shell;
  host: ScriptedHost;
  run(source: string): Evaluated;
  text(source: string): string;
} {
  const host = scriptedHost(answers);
  const shell = new Shell(host, tryRewrite);
  return {
    shell,
    host,
    run: (source) => shell.evaluate(source),
    text(source) {
      const { value, error } = shell.evaluate(source, { asText: true });
      return error !== null ? error.text : value.kind === "text" ? value.text : "";
    },
  };
}

const ID = { $oid: "507f1f77bcf86cd799439011" };
const int = (value: number): Json => ({ $numberInt: String(value) });

describe("commands", () => {
  const cases: readonly (readonly [string, Json])[] = [
    ["db.c.insertOne({ _id: 1 })", { insert: "c", documents: [{ _id: int(1) }], $db: "test" }],
    [
      "db.c.find({ a: 1 }, { b: 1 }).sort({ a: -1 }).skip(2).limit(5).toArray()",
      {
        find: "c",
        filter: { a: int(1) },
        projection: { b: int(1) },
        sort: { a: int(-1) },
        skip: int(2),
        limit: int(5),
        $db: "test",
      },
    ],
    [
      "db.c.findOne({ _id: ObjectId('507f1f77bcf86cd799439011') })",
      { find: "c", filter: { _id: ID }, limit: int(1), singleBatch: true, $db: "test" },
    ],
    ["db.c.find().limit(-3).toArray()", { find: "c", filter: {}, limit: int(3), singleBatch: true, $db: "test" }],
    [
      "db.c.updateOne({ a: 1 }, { $set: { b: 2 } }, { upsert: true })",
      { update: "c", updates: [{ q: { a: int(1) }, u: { $set: { b: int(2) } }, upsert: true }], $db: "test" },
    ],
    [
      "db.c.updateMany({}, [{ $set: { b: 2 } }])",
      { update: "c", updates: [{ q: {}, u: [{ $set: { b: int(2) } }], multi: true }], $db: "test" },
    ],
    [
      "db.c.update({ a: 1 }, { b: 1 }, true)",
      { update: "c", updates: [{ q: { a: int(1) }, u: { b: int(1) }, upsert: true, multi: false }], $db: "test" },
    ],
    ["db.c.deleteMany({ a: 1 })", { delete: "c", deletes: [{ q: { a: int(1) }, limit: int(0) }], $db: "test" }],
    ["db.c.remove({ a: 1 }, true)", { delete: "c", deletes: [{ q: { a: int(1) }, limit: int(1) }], $db: "test" }],
    [
      "db.c.findOneAndUpdate({ a: 1 }, { $inc: { n: 1 } }, { returnDocument: 'after', projection: { n: 1 } })",
      {
        findAndModify: "c",
        query: { a: int(1) },
        update: { $inc: { n: int(1) } },
        new: true,
        fields: { n: int(1) },
        $db: "test",
      },
    ],
    [
      "db.c.createIndex({ a: 1, b: -1 }, { unique: true })",
      {
        createIndexes: "c",
        indexes: [{ key: { a: int(1), b: int(-1) }, name: "a_1_b_-1", unique: true }],
        $db: "test",
      },
    ],
    [
      "db.c.ensureIndex({ a: 1 }, true)",
      { createIndexes: "c", indexes: [{ key: { a: int(1) }, name: "a_1", unique: true }], $db: "test" },
    ],
    ["db.c.count({ a: 1 })", { count: "c", query: { a: int(1) }, $db: "test" }],
    ["db.c.distinct('a')", { distinct: "c", key: "a", $db: "test" }],
    [
      "db.c.aggregate({ $match: {} }, { $out: 'd' })",
      { aggregate: "c", pipeline: [{ $match: {} }, { $out: "d" }], cursor: {}, $db: "test" },
    ],
    ["db.c.renameCollection('d')", { renameCollection: "test.c", to: "test.d", dropTarget: false, $db: "admin" }],
    [
      "db.c.explain('executionStats').find({ a: 1 })",
      { explain: { find: "c", filter: { a: int(1) } }, verbosity: "executionStats", $db: "test" },
    ],
    [
      "db.c.find({ a: 1 }).explain(true)",
      { explain: { find: "c", filter: { a: int(1) } }, verbosity: "allPlansExecution", $db: "test" },
    ],
    [
      "db.createCollection('log', { capped: true, size: 16384 })",
      { create: "log", capped: true, size: int(16384), $db: "test" },
    ],
    ["db.getSiblingDB('shop').a.b.find().toArray()", { find: "a.b", filter: {}, $db: "shop" }],
    ["db.system.indexes.find().toArray()", { find: "system.indexes", filter: {}, $db: "test" }],
    ["db.adminCommand('ping')", { ping: int(1), $db: "admin" }],
  ];
  it.each(cases)("%s", (source, command) => {
    const reply = batch([]);
    const { run, host } = shellOf({
      find: reply,
      aggregate: reply,
      explain: { ok: 1, queryPlanner: {} },
      distinct: { ok: 1, values: [] },
    });
    expect(run(source).error).toBeNull();
    expect(host.commands.at(-1)).toEqual(command);
  });

  it("sends plain numbers as doubles when asked", () => {
    const { shell, host } = shellOf();
    shell.evaluate("db.c.insertOne({ _id: 1, n: NumberInt(2) })", { numbersAsDouble: true });
    expect(host.commands[0]?.["documents"]).toEqual([{ _id: { $numberDouble: "1.0" }, n: int(2) }]);
  });
});

describe("cursors", () => {
  it("hands an untouched cursor out, with the page's batch size", () => {
    const { run, host } = shellOf();
    const { value } = run("db.c.find({ a: 1 })");
    expect(host.commands).toEqual([]);
    expect(value.kind === "cursor" && JSON.parse(value.command)).toEqual({
      find: "c",
      filter: { a: int(1) },
      batchSize: int(20),
      $db: "test",
    });
  });

  it("goes through batches, by callback, index and iteration", () => {
    const { text, host } = shellOf({
      find: batch([{ n: 1 }, { n: 2 }], new Long("77")),
      getMore: { ok: 1, cursor: { nextBatch: [{ n: 3 }], id: 0, ns: "test.c" } },
    });
    expect(text("db.c.find().map(d => d.n).toArray()")).toBe("[ 1, 2, 3 ]");
    expect(host.commands.at(-1)).toEqual({ getMore: { $numberLong: "77" }, collection: "c", $db: "test" });
    expect(text("db.c.find()[2]")).toBe("{ n: 3 }");
    expect(text("let s = 0; for (const d of db.c.find()) s += d.n; s")).toBe("6");
    expect(text("db.c.find().itcount()")).toBe("3");
    expect(text("const seen = []; db.c.find().forEach(d => { seen.push(d.n); return d.n < 2 }); seen")).toBe(
      "[ 1, 2 ]",
    );
  });

  it("continues with it, in the shell and after the page fetched the first batch", () => {
    const { shell, text, host } = shellOf({
      find: batch([{ n: 1 }, { n: 2 }], new Long("77")),
      getMore: { ok: 1, cursor: { nextBatch: [{ n: 3 }], id: 0, ns: "test.c" } },
    });
    expect(shell.evaluate("db.c.find()", { asText: true, batchSize: 2 }).value).toEqual({
      kind: "text",
      text: '[ { n: 1 }, { n: 2 } ]\nType "it" for more',
    });
    expect(text("it")).toBe("[ { n: 3 } ]");
    expect(text("it")).toBe("no cursor");
    shell.adoptCursor("test", "c", "99");
    expect(text("it")).toBe("[ { n: 3 } ]");
    expect(host.commands.at(-1)).toMatchObject({ getMore: { $numberLong: "99" } });
  });

  it("refuses options once started", () => {
    const { text } = shellOf({ find: batch([{ n: 1 }]) });
    expect(text("const c = db.c.find(); c.next(); c.limit(1)")).toBe(
      "MongoInvalidArgumentError: Cursor is already initialized",
    );
  });
});

describe("results and errors", () => {
  const duplicate = {
    index: 0,
    code: 11000,
    keyPattern: { _id: 1 },
    keyValue: { _id: 1 },
    errmsg: "E11000 duplicate key error collection: test.c index: _id_ dup key: { _id: 1 }",
  };

  it("gives mongosh's results for its methods and WriteResult for the legacy names", () => {
    const { text } = shellOf({ update: { ok: 1, n: 1, nModified: 0, upserted: [{ index: 0, _id: 5 }] } });
    expect(text("db.c.insertOne({ _id: 1 })")).toBe("{ acknowledged: true, insertedId: 1 }");
    expect(text("db.c.insertMany([{ _id: 1 }, { _id: 2 }])")).toBe(
      "{ acknowledged: true, insertedIds: { '0': 1, '1': 2 } }",
    );
    expect(text("db.c.insert({ _id: 1 })")).toBe('WriteResult({ "nInserted" : 1 })');
    expect(text("db.c.update({}, { $set: { a: 1 } }, true)")).toBe(
      'WriteResult({ "nMatched" : 0, "nUpserted" : 1, "nModified" : 0, "_id" : 5 })',
    );
    expect(text("db.c.remove({})")).toBe('WriteResult({ "nRemoved" : 1 })');
    expect(text("db.c.insert([{ _id: 1 }])")).toContain('"nInserted" : 1');
  });

  it("words errors as mongosh does, with line and column", () => {
    const { run, text } = shellOf({
      insert: { ok: 1, n: 0, writeErrors: [duplicate] },
      find: { ok: 0, errmsg: "unknown operator: $foo", code: 2, codeName: "BadValue" },
    });
    expect(run("1;\n  db.c.insertOne({ _id: 1 })").error).toMatchObject({
      text: `MongoServerError: ${duplicate.errmsg}`,
      code: 11000,
      line: 2,
    });
    expect(run("db.c.findOne({ $foo: 1 })").error?.text).toBe("MongoServerError[BadValue]: unknown operator: $foo");
    expect(text("db.c.insertMany([{ _id: 1 }])")).toMatch(
      /^MongoBulkWriteError: E11000[^\n]*\nResult: BulkWriteResult \{[\s\S]*Write Errors: \[\n {2}WriteError \{/,
    );
    expect(text("db.c.insert({ _id: 1 })")).toMatch(/^MongoBulkWriteError: E11000/);
    expect(run("function f() {\n  return undefined.x;\n}\n\nf()").error).toMatchObject({ name: "TypeError", line: 2 });
  });

  it("keeps a batch's indexes those of the caller's list", () => {
    const { text } = shellOf({
      insert: { ok: 1, n: 1 },
      delete: { ok: 1, n: 0, writeErrors: [{ index: 0, code: 1, errmsg: "no" }] },
    });
    expect(
      text(
        "try { db.c.bulkWrite([{ insertOne: { document: { _id: 1 } } }, { deleteOne: { filter: {} } }]) } " +
          "catch (e) { e.writeErrors[0].index }",
      ),
    ).toBe("1");
  });

  it("refuses what it does not have", () => {
    const { text } = shellOf();
    expect(text("load('x.js')")).toBe("false");
    expect(text("db.c.group({})")).toMatch(/removed in MongoDB 4.2/);
    expect(text("db.c.updateOne({}, { a: 1 })")).toBe(
      "MongoInvalidArgumentError: Update document requires atomic operators",
    );
    expect(text("db.c.bulkWrite([{ insert: {} }])")).toMatch(/only supports/);
  });
});

describe("scripts", () => {
  it("keeps apart the names of scripts that share none", () => {
    const { shell } = shellOf();
    const ask = (source: string, options: { names?: string; fresh?: boolean } = {}): string => {
      const { value, error } = shell.evaluate(source, { ...options, asText: true });
      return error?.text ?? (value.kind === "text" ? value.text : "");
    };
    ask("var a = 1", { names: "left" });
    ask("var a = 2", { names: "right" });
    expect(ask("a", { names: "left" })).toBe("1");
    expect(ask("a", { names: "right", fresh: true })).toBe("ReferenceError: a is not defined");
    expect(ask("a++; a", { names: "left" })).toBe("2");
    expect(ask("a")).toBe("ReferenceError: a is not defined");
  });

  it("keeps top-level names for the next script, until a fresh start", () => {
    const { shell, text } = shellOf();
    text("const a = 1; let b = 2; class C { n() { return a + b } } function f() { return new C().n() }");
    expect(text("f()")).toBe("3");
    expect(text("const a = 5; f()")).toBe("7");
    expect(shell.evaluate("a", { fresh: true }).error?.text).toBe("ReferenceError: a is not defined");
    expect("a" in globalThis).toBe(false);
  });

  it("switches databases by line and by function", () => {
    const { run, text } = shellOf();
    expect(run("use garden").database).toBe("garden");
    expect(text("db")).toBe("garden");
    expect(text("db = db.getSiblingDB('shop'); db.c")).toBe("shop.c");
    expect(text("use 'a b'")).toMatch(/SyntaxError|Invalid database name/);
  });

  it("makes connections to its deployment, and to no other", () => {
    const { text } = shellOf();
    expect(text("const one = new Mongo(); db = one.getDB('garden'); db.c")).toBe("garden.c");
    expect(text("Mongo().getDB('shop').c")).toBe("shop.c");
    expect(text("[one instanceof Mongo, db.getMongo() instanceof Mongo, one === new Mongo()]")).toBe(
      "[ true, true, false ]",
    );
    expect(text("new Mongo('mongodb://localhost:27017')")).toBe("quire://this-page");
    expect(text("new Mongo('quire://this-page')")).toBe("quire://this-page");
  });

  it("prints and shows", () => {
    const { text, host } = shellOf({
      listCollections: {
        ok: 1,
        cursor: {
          firstBatch: [
            { name: "users", type: "collection" },
            { name: "adults", type: "view" },
          ],
          id: 0,
          ns: "x",
        },
      },
      listDatabases: {
        ok: 1,
        databases: [
          { name: "admin", sizeOnDisk: 40960 },
          { name: "garden", sizeOnDisk: 1572864 },
        ],
      },
    });
    text("print('a', { b: 1 }, [1]); printjson({ c: ISODate('2020-01-02T03:04:05Z') })");
    expect(host.printed).toEqual(["a { b: 1 } [ 1 ]", "{ c: ISODate('2020-01-02T03:04:05.000Z') }"]);
    expect(text("show collections")).toBe("adults  [view]\nusers");
    expect(text("show dbs")).toBe("admin   40.00 KiB\ngarden   1.50 MiB");
    expect(text("show nothing")).toMatch(/is not a valid argument for "show"/);
  });

  it("keeps the data under a name, and brings it back", () => {
    const time = { $date: { $numberLong: "0" } };
    const { run, text, host } = shellOf({
      quireMoment: { number: int(7), reused: false, ok: 1 },
      quireRestore: { number: int(7), restored: ["test.a"], ok: 1 },
      quireMoments: {
        moments: [
          { number: int(6), time, what: '{"did":"run","text":"x"}', pages: int(2) },
          { number: int(7), time, name: "start", pages: int(0) },
        ],
        ok: 1,
      },
    });
    expect(text('quire.bookmark("start")')).toBe("{ name: 'start', number: 7 }");
    expect(host.commands.at(-1)).toEqual({ quireMoment: int(1), name: "start", $db: "admin" });
    expect(text('quire.restore("start")')).toBe("{ number: 7, restored: [ 'test.a' ] }");
    text('use("shop"); quire.restore(7, { collection: "a" })');
    expect(host.commands.at(-1)).toEqual({
      quireRestore: int(7),
      database: "shop",
      collection: "a",
      $db: "admin",
    });
    expect(text("quire.moments().map(({ number, name, what }) => [number, name, what?.text].join())")).toBe(
      "[ '6,,x', '7,start,' ]",
    );
    expect(text("quire.help()")).toContain("bookmark(name)");
    const sent = host.commands.length;
    for (const [script, message] of [
      ["quire.bookmark()", /takes the name/],
      ['quire.bookmark("")', /takes the name/],
      ["quire.bookmark({})", /takes the name/],
      ["quire.restore()", /takes the name of a bookmark/],
      ["quire.restore(null)", /takes the name of a bookmark/],
      ['quire.restore("a", "herbs")', /takes its options as an object/],
      ['quire.restore("a", { table: "herbs" })', /no option "table"/],
      ['quire.restore("a", { collection: 1 })', /takes a name as collection/],
    ] as const)
      expect(run(script).error?.text, script).toMatch(message);
    expect(host.commands).toHaveLength(sent);
  });

  it("moves the clock, and scripts with it", () => {
    let offset = 0;
    const { text } = shellOf({
      quireClock: (command) => {
        offset = command["reset"] === true ? 0 : offset + Number(command["advanceMillis"]);
        return { ok: 1, offsetMillis: new Long(offset) };
      },
    });
    text("var before = new Date(); clock.advance('1h 30m')");
    expect(Number(text("Math.round((new Date() - before) / 60000)"))).toBe(90);
    expect(Number(text("Math.round((ObjectId().getTimestamp() - before) / 60000)"))).toBe(90);
    expect(text("new Date() instanceof Date")).toBe("true");
    text("clock.reset()");
    expect(Number(text("Math.round((Date.now() - before) / 60000)"))).toBe(0);
    expect(text("clock.advance('soon')")).toMatch(/is not a duration/);
  });

  it("awaits plain values", () => {
    const { text } = shellOf({ find: batch([{ n: 1 }]) });
    expect(text("(await db.c.find().toArray()).length")).toBe("1");
    expect(text("let t = 0; for await (const d of db.c.find()) t += d.n; t")).toBe("1");
  });
});
