/** A script's value as a program gets it and as a reader sees it, over a real engine. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import {
  BSONRegExp,
  BSONSymbol,
  Binary,
  Code,
  DBRef,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  UUID,
} from "bson";
import { describe, expect, it } from "vitest";
import { loadEngine } from "../engine/load.ts";
import { Engine } from "./engine.ts";
import { createShell } from "./shell.ts";

const wasm = fileURLToPath(new URL("../../wasm/quire_bg.wasm", import.meta.url));

const document = {
  _id: 1,
  double: new Double(5),
  half: 0.5,
  zero: -0,
  text: "it's",
  inner: { a: [1, new Long(2), { b: new Int32(3) }] },
  long: Long.fromString("7"),
  longest: Long.fromString("9223372036854775807"),
  least: Long.fromString("-9007199254740992"),
  binary: new Binary(Uint8Array.of(1, 2), 0),
  uuid: new UUID("00112233-4455-6677-8899-aabbccddeeff"),
  id: new ObjectId("507f1f77bcf86cd799439011"),
  flag: true,
  date: new Date(0),
  none: null,
  pattern: /a.b/i,
  foreign: new BSONRegExp("a", "x"),
  code: new Code("f()"),
  scoped: new Code("f()", { z: new Long(1) }),
  reference: new DBRef("c", new ObjectId("507f1f77bcf86cd799439011"), undefined, { more: new Long(1) }),
  timestamp: new Timestamp({ t: 1, i: 2 }),
  decimal: Decimal128.fromString("1.50"),
  most: new MaxKey(),
  first: new MinKey(),
  numbers: [1, 2, 3, 4, 5, 6, 7, 8],
};

async function garden() {
  await loadEngine(() => readFileSync(wasm));
  const engine = await Engine.create();
  expect(engine.run({ insert: "c", documents: [document], $db: "test" })["ok"]).toBe(1);
  return { engine, shell: createShell(engine) };
}

describe.skipIf(!existsSync(wasm))("a script's value", () => {
  it("is what the driver gives, and its text what the shell prints", async () => {
    const { engine, shell } = await garden();
    const { firstBatch } = engine.run({ find: "c", $db: "test" })["cursor"];
    const { printed } = shell.evaluate("print(db.c.findOne()); print(db.c.find().toArray())");
    const one = shell.evaluate("db.c.findOne()");
    expect(one.value).toEqual(firstBatch[0]);
    expect(one.text).toBe(printed[0]);
    for (const source of ["db.c.find()", "db.c.find().toArray()", "db.c.aggregate([])"]) {
      const all = shell.evaluate(source);
      expect(all.error, source).toBeUndefined();
      expect(all.value, source).toEqual(firstBatch);
      expect(all.text, source).toBe(printed[1]);
    }
    for (const [source, value, text] of [
      ["NumberLong('5')", 5, "Long('5')"],
      ["NumberLong('9223372036854775807')", document.longest, "Long('9223372036854775807')"],
      ["Double(5)", 5, "5"],
      ["/a.b/i", /a.b/i, "/a.b/i"],
      ["BSONSymbol('s')", new BSONSymbol("s"), "BSONSymbol('s')"],
      ["'text'", "text", "text"],
    ] as const) {
      const outcome = shell.evaluate(source);
      expect([outcome.value, outcome.text], source).toEqual([value, text]);
    }
    engine.close();
  });

  it("goes on with a cursor, and tells what its first command failed of", async () => {
    const { engine } = await garden();
    const shell = createShell(engine, { batchSize: 2 });
    shell.evaluate("for (let n = 10; n < 13; n += 1) db.d.insertOne({ _id: n })");
    expect(shell.evaluate("db.d.find()")).toMatchObject({
      value: [{ _id: 10 }, { _id: 11 }],
      text: expect.stringContaining('Type "it" for more'),
    });
    expect(shell.evaluate("it").text).toBe("[ { _id: 12 } ]");
    const { error, value } = shell.evaluate("db.d.find({ $nothing: 1 })");
    expect(value).toBeUndefined();
    expect(error).toMatchObject({ name: "MongoServerError", code: 2, codeName: "BadValue" });
    engine.close();
  });

  it("takes nothing from a cursor that the script holds", async () => {
    const { engine } = await garden();
    const shell = createShell(engine, { batchSize: 2 });
    shell.evaluate("for (let n = 10; n < 15; n += 1) db.d.insertOne({ _id: n })");
    expect(shell.evaluate("c = db.d.find().sort({ _id: 1 }); c.next()").value).toEqual({ _id: 10 });
    expect(shell.evaluate("c").value).toEqual([{ _id: 11 }, { _id: 12 }]);
    expect(shell.evaluate("c.next()").value).toEqual({ _id: 11 });
    expect(shell.evaluate("it").value).toEqual([{ _id: 13 }, { _id: 14 }]);
    expect(shell.evaluate("it").text).toBe("no cursor");
    expect(shell.evaluate("c.toArray()").value).toEqual([{ _id: 12 }, { _id: 13 }, { _id: 14 }]);
    expect(shell.evaluate("const held = db.d.find().sort({ _id: 1 }); held").value).toEqual([{ _id: 10 }, { _id: 11 }]);
    expect(shell.evaluate("print(held); held.sort({ _id: -1 }).next()")).toMatchObject({
      value: { _id: 14 },
      printed: ['[ { _id: 10 }, { _id: 11 } ]\nType "it" for more'],
    });
    engine.close();
  });
});

describe("values of the caller's, which a script of this realm can reach", () => {
  const reach = globalThis as { reached?: unknown };

  it("are stored and shown for what they are, whichever realm and family they are of", async () => {
    const { engine, shell } = await garden();
    reach.reached = runInNewContext("({ d: new Date(5), r: /a/i, u: new Uint8Array([1]), m: new Map([['a', 1n]]) })");
    const shown =
      "{ d: ISODate('1970-01-01T00:00:00.005Z'), r: /a/i, u: Binary.createFromBase64('AQ==', 0), m: { a: Long('1') } }";
    const flat = (text: string): string => text.replace(/\s+/g, " ");
    expect(shell.evaluate("db.d.insertOne({ _id: 1, ...reached }); db.d.find({ d: reached.d }).count()").value).toBe(1);
    expect(flat(shell.evaluate("db.d.findOne({}, { _id: 0 })").text)).toBe(shown);
    expect(flat(shell.evaluate("EJSON.stringify(reached)").text)).toBe(
      '{"d":{"$date":"1970-01-01T00:00:00.005Z"},"r":{"$regularExpression":{"pattern":"a","options":"i"}},' +
        '"u":{"$binary":{"base64":"AQ==","subType":"00"}},"m":{"a":1}}',
    );
    reach.reached = new ObjectId("507f1f77bcf86cd799439011");
    expect(shell.evaluate("[reached]").text).toBe("[ ObjectId('507f1f77bcf86cd799439011') ]");
    expect(shell.evaluate("bsonsize({ reached })")).toMatchObject({ value: 26 });
    delete reach.reached;
    engine.close();
  });

  it("are refused with their place where they cannot be stored", async () => {
    const { engine, shell } = await garden();
    expect(shell.evaluate("db.d.insertOne({ a: [{ b: Symbol('x') }] })").error?.text).toBe(
      "TypeError: a JavaScript symbol cannot be stored (at documents.0.a.0.b)",
    );
    engine.close();
  });
});
