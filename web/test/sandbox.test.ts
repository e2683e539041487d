/** The sandbox in real QuickJS: what a script can do, and above all what it cannot reach. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { Sandbox, sandboxLoader } from "../src/worker/sandbox.ts";
import { StopWatch } from "../src/worker/stop.ts";
import type { Evaluated } from "../src/shell/shell.ts";
import { batch, scriptedHost } from "./scripted.ts";

const MEMORY_BYTES = 48 * 1024 * 1024;
let sandbox: Sandbox;
const host = scriptedHost({ find: batch([{ n: 1 }]) });

async function run(source: string, timeLimitMillis?: number): Promise<Evaluated> {
  await sandbox.ready(MEMORY_BYTES);
  return sandbox.evaluate(source, {}, new StopWatch(null, timeLimitMillis));
}

async function value(source: string): Promise<unknown> {
  const { value: given, error } = await run(source);
  if (error !== null) return error.text;
  return given.kind === "value" ? (JSON.parse(given.json) as unknown) : given.kind === "text" ? given.text : undefined;
}

beforeAll(async () => {
  sandbox = new Sandbox(
    sandboxLoader(new WebAssembly.Module(readFileSync(new URL("../wasm/sandbox.wasm", import.meta.url)))),
    host,
  );
  await sandbox.ready(MEMORY_BYTES);
});

describe("what a script can do", () => {
  it("runs the shell, awaits true promises, keeps names", async () => {
    expect(await value("db.c.find().toArray()[0].n")).toEqual({ $numberInt: "1" });
    expect(await value("await Promise.all([1, Promise.resolve(2)])")).toEqual([
      { $numberInt: "1" },
      { $numberInt: "2" },
    ]);
    expect(await value("async function f() { await null; return 7 } f()")).toEqual({ $numberInt: "7" });
    expect(await value("f().then(n => n + 1)")).toEqual({ $numberInt: "8" });
  });

  it("is told line and column of its errors in V8's words", async () => {
    expect((await run("let a = 1;\n  null.x")).error).toMatchObject({
      text: "TypeError: Cannot read properties of null (reading 'x')",
      line: 2,
    });
    expect((await run("\n\ndb.c.nothing()")).error).toMatchObject({
      text: "TypeError: db.c.nothing is not a function",
      line: 3,
      column: 6,
    });
    expect((await run("class A {} throw new RangeError('r')")).error).toMatchObject({ line: 1, name: "RangeError" });
  });
});

describe("what a script cannot reach", () => {
  const NAMES = [
    "fetch",
    "XMLHttpRequest",
    "WebSocket",
    "indexedDB",
    "postMessage",
    "importScripts",
    "navigator",
    "location",
    "self",
    "window",
    "document",
    "caches",
    "crypto",
    "process",
    "Worker",
    "WebAssembly",
    "setTimeout",
    "Atomics",
    "BroadcastChannel",
    "__quireCommand",
    "__quirePrint",
    "__quireRewrite",
    "__quireRunJobs",
    "__quireSleep",
    "std",
    "os",
    "bjson",
  ];

  it.each(NAMES)("%s", async (name) => {
    expect(await value(`typeof ${name}`)).toBe("undefined");
    expect(await value(`typeof globalThis.${name}`)).toBe("undefined");
    expect(await value(`typeof Function("return this")().${name}`)).toBe("undefined");
    expect(await value(`typeof (0, eval)("this").${name}`)).toBe("undefined");
  });

  it("the host by any constructor it can get hold of", async () => {
    const roots = [
      "db",
      "db.c",
      "print",
      "quireShell.evaluate",
      "(async () => 1)",
      "(function* () {})",
      "ObjectId",
      "clock.advance",
      "db.c.find",
      "new Error()",
      "[]",
      "db.getMongo()",
    ];
    for (const root of roots) {
      for (const path of [
        `(${root}).constructor.constructor`,
        `Object.getPrototypeOf(${root}).constructor.constructor`,
      ]) {
        expect(await value(`typeof (${path} === Function ? ${path} : Function)("return this")().fetch`), path).toBe(
          "undefined",
        );
      }
    }
    expect(await value("try { import('fs').then(() => 'in', () => 'refused') } catch (e) { 'refused' }")).not.toBe(
      "in",
    );
    expect(await value("Object.getOwnPropertyNames(globalThis).filter(n => /quire/i.test(n))")).toEqual(["quireShell"]);
  });

  it("the next script, by spoiling what the shell is made of", async () => {
    await run(
      "JSON.stringify = JSON.parse = Object.entries = Array.isArray = () => { throw new Error('spoilt') }; " +
        "Array.prototype.push = null; delete String.prototype.includes",
    );
    expect(await value("db.c.find().toArray()[0].n")).toEqual({ $numberInt: "1" });
    expect(await value("Array.prototype.last = function () { return this.at(-1) }; [1, 2].last()")).toEqual({
      $numberInt: "2",
    });
    await run("Object.defineProperty(Object.prototype, 'then', { value: 1, configurable: true }); Object.freeze(JSON)");
    expect(await value("1")).toEqual({ $numberInt: "1" });
  });
});

describe("a function inside a command", () => {
  const watch = (millis?: number): StopWatch => new StopWatch(null, millis);
  const call = (source: string, self?: unknown, watching = watch()): string =>
    sandbox.functions.call(source, self === undefined ? undefined : JSON.stringify(self), [], watching);

  it("sees the document as this and as obj, with the shell's types", () => {
    const document = { a: { $numberInt: "3" }, big: { $numberLong: "5" }, when: { $date: { $numberLong: "0" } } };
    expect(
      call("function() { return this.a === 3 && obj.a === 3 && this.big == 5 && this.when.getTime() === 0 }", document),
    ).toBe("true");
    expect(call("() => obj.a + 1", document)).toBe('{"$numberInt":"4"}');
    expect(
      call("function() { return isNumber(this.a) && tojson(ObjectId('507f1f77bcf86cd799439011')) }", document),
    ).toBe('"ObjectId(\\"507f1f77bcf86cd799439011\\")"');
    expect(call("function() {}")).toBe("null");
  });

  it("has what a server's functions may call", () => {
    const began = performance.now();
    expect(call("function() { sleep(30); return hex_md5(version()) }")).toBe('"ce267f3653936506950ae9448202043a"');
    expect(performance.now() - began).toBeGreaterThanOrEqual(29);
    expect(call("() => DBPointer('c', ObjectId('507f1f77bcf86cd799439011'))")).toBe(
      '{"$dbPointer":{"$ref":"c","$id":{"$oid":"507f1f77bcf86cd799439011"}}}',
    );
    expect(() => call("() => hex_md5()")).toThrow("hex_md5 takes a single string argument");
  });

  it("is given its arguments, with their types", () => {
    const given = ['{"$numberInt":"2"}', '{"d":{"$date":{"$numberLong":"5"}}}', '[{"$numberLong":"7"}]', "null"];
    const source =
      "function(n, o, list, none) { return { n: n + 1, at: o.d.getTime(), long: list[0], none, self: typeof this.x } }";
    expect(JSON.parse(sandbox.functions.call(source, undefined, given, watch()))).toEqual({
      n: { $numberInt: "3" },
      at: { $numberInt: "5" },
      long: { $numberLong: "7" },
      none: null,
      self: "undefined",
    });
  });

  it("tells what it throws, and what nobody can read", () => {
    expect(() => call("function() { return missing }")).toThrow("ReferenceError: missing is not defined");
    expect(call("1 + 1")).toBe('{"$numberInt":"2"}');
    expect(() => call("")).toThrow("SyntaxError");
    expect(() => call("function( {")).toThrow("SyntaxError");
  });

  it("reaches neither the engine, nor the script's names, nor the host", async () => {
    await run("secret = 1; globalThis.left = 2");
    expect(() => call("function() { return db.c.count() }")).toThrow("db is not defined");
    expect(
      call("function() { return [typeof secret, typeof left, typeof fetch, typeof use, typeof clock].join() }"),
    ).toBe('"undefined,undefined,undefined,undefined,undefined"');
    const through =
      "function() { try { return quireShell.evaluate('db.c.find().toArray().length') } catch (e) { return " +
      "String(e) } }";
    // Nobody makes a script evaluable there.
    expect(JSON.parse(JSON.parse(call(through)) as string)).toMatchObject({
      value: { kind: "none" },
      error: { name: "SyntaxError" },
    });
    expect(await value("secret + left")).toEqual({ $numberInt: "3" });
  });

  it("is ended at its time limit and leaves the script's own sandbox alone", async () => {
    expect(() => call("function() { for (;;); }", {}, watch(100))).toThrow("time limit");
    expect(await value("1 + 1")).toEqual({ $numberInt: "2" });
    expect(call("function() { return true }")).toBe("true");
  });
});

describe("limits", () => {
  it("ends an endless script at its time limit", async () => {
    expect((await run("let n = 0;\nwhile (true) n++", 2000)).error).toMatchObject({ name: "ScriptTimeout" });
    expect((await run("try { for (;;) {} } catch { } finally { for (;;) {} }", 200)).error).toMatchObject({
      name: "ScriptTimeout",
    });
    expect((await run("sleep(60000)", 200)).error).toMatchObject({ name: "ScriptTimeout" });
    expect(await value("n > 0")).toBe(true);
  });

  const ENDLESS = {
    "a sparse join": "new Array(4e9).join()",
    "a sparse sort": "const a = []; a.length = 4294967295; a.sort()",
    "a search in what has no end": "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)",
    "moving what has no end": "Array.prototype.splice.call({ length: 2 ** 53 - 1 }, 0, 1)",
    "an endless proxy":
      "Array.prototype.includes.call(new Proxy([], { get: (list, key) => (key === 'length' ? 2 ** 53 - 1 : " +
      "undefined) }), 1)",
    "proxies of proxies":
      "const grow = (p) => new Proxy(p, { get: (inner, key) => inner[key] + inner[key] }); let p = { x: 1 }; " +
      "for (let n = 0; n < 60; n++) p = grow(p); p.x",
    "a built-in called for ever": "Array.prototype.some.call({ length: 2 ** 53 - 1 }, isNaN)",
    "an iterator without end": "new Set(Array.prototype.values.call({ length: 2 ** 53 - 1 }))",
    "a pattern": "/^(a+)+$/.test('a'.repeat(60) + 'b')",
    "a quadratic search": "'a'.repeat(1 << 24).indexOf('a'.repeat(1 << 22) + 'b')",
    "what unfolds without end": "let d = [1]; for (let n = 0; n < 60; n++) d = [d, d]; d.flat(Infinity)",
    "what is said over and over": "let g = {}; for (let n = 0; n < 60; n++) g = { a: g, b: g }; JSON.stringify(g)",
    promises: "await (async () => { for (;;) await 1 })()",
    "what catches everything": "for (;;) try { new Array(4e9).join() } catch {} finally { continue }",
  };

  it.each(Object.entries(ENDLESS))("ends %s, and the next script runs", async (_name, source) => {
    const began = performance.now();
    const { error } = await run(source, 150);
    expect(error).toMatchObject({ name: "ScriptTimeout" });
    expect(performance.now() - began).toBeLessThan(5000);
    expect(await value("db.c.find().toArray()[0].n + [1, 2].indexOf(2)")).toEqual({ $numberInt: "2" });
  });

  it("survives scripts that take all memory, recurse for ever or trap", async () => {
    expect(
      (await run("const all = []; while (true) all.push('x'.repeat(100000) + all.length)", 110_000)).error?.text,
    ).toMatch(/out of memory/i);
    expect((await run("const held = []; for (;;) held.push(new Uint8Array(1000000))", 110_000)).error?.text).toMatch(
      /out of memory|allocation failed/i,
    );
    // A trap of QuickJS's own.
    expect(
      (await run("const all = []; function one(a) { arguments[0] = 5; all.push(() => a) } for (;;) one(1)")).error
        ?.text,
    ).toMatch(/^InternalError: .*out of bounds/);
    expect(await value("db.c.find().toArray()[0].n")).toEqual({ $numberInt: "1" });
    expect((await run("function f() { return f() + 1 } f()")).error?.text).toMatch(/call stack|stack overflow/);
    expect(await value("1 + 1")).toEqual({ $numberInt: "2" });
  });
});
