/**
 * Functions inside commands in real QuickJS: each call meets the language as it was, whatever an earlier one did to it,
 * and whatever ends a function ends nothing else.
 */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { layImage } from "../src/start/prelude-image.ts";
import { FunctionStopped } from "../src/worker/function-realm.ts";
import { Sandbox, sandboxLoader } from "../src/worker/sandbox.ts";
import { StopWatch } from "../src/worker/stop.ts";
import { scriptedHost } from "./scripted.ts";

const MEMORY_BYTES = 48 * 1024 * 1024;
const wasm = new WebAssembly.Module(readFileSync(new URL("../wasm/sandbox.wasm", import.meta.url)));
const image = new Uint8Array(readFileSync(new URL("../wasm/prelude.image", import.meta.url))).buffer;

describe.each([
  ["from the prelude's image", image],
  ["from the prelude", null],
])("%s", (_name, given) => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = new Sandbox(
      sandboxLoader(wasm, given === null ? null : (memory) => layImage(memory, given)),
      scriptedHost(),
    );
    await sandbox.ready(MEMORY_BYTES);
  });
  const call = (source: string, watch = new StopWatch(null, 20_000), ...values: string[]): string =>
    sandbox.functions.call(source, undefined, values, watch);

  /** Gives what tells that the language works, from many sides. */
  const sound = `function(list) {
    const sorted = [...list].sort().map((one) => one + 1).join();
    const object = JSON.parse(JSON.stringify({ a: [1, { b: "c" }], d: null }));
    const keys = []; for (const key in object) keys.push(key);
    return {
      sorted, keys, object, id: ObjectId("507f1f77bcf86cd799439011"), when: new Date(5),
      text: "a-b".split("-").reverse().join("+"), max: Math.max(1, 3), map: [...new Map([["x", 1]])],
      match: /b(.)/.exec("abc")[1], plain: Object.getOwnPropertyNames({}).length,
      own: Object.keys(Object.prototype).length,
    };
  }`;
  const SPOILS = [
    "JSON.stringify = null",
    "JSON.parse = JSON.stringify = undefined; JSON = 5",
    "delete Array.prototype.map; Array.prototype.push = 1",
    "Array.prototype[0] = 'first'; Array.prototype.length = 7",
    "Object.prototype.inherited = 1",
    "Object.defineProperty(Object.prototype, 'a', { set() { throw new Error('no') }, configurable: true })",
    "Object.defineProperty(Object.prototype, 'value', { get() { throw new Error('no') }, configurable: true })",
    "Object.keys = Object.entries = Reflect.ownKeys = Object.getOwnPropertyDescriptor = null",
    "Object.defineProperty(Array.prototype, Symbol.iterator, { value: null })",
    "Object.setPrototypeOf(Array.prototype, null)",
    "Object.setPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()), {}); " +
      "([])[Symbol.iterator]().__proto__.next = () => ({ done: true })",
    "String.prototype.split = Math.max = RegExp.prototype.exec = 1",
    "Object.defineProperty(RegExp.prototype, 'flags', { get: () => 'zz' })",
    "ObjectId.prototype.toHexString = () => 'spoilt'; ObjectId.prototype._bsontype = 'no'",
    "Map.prototype.set = Map.prototype.get = Map = null; Set = undefined",
    "Function.prototype.call = Function.prototype.apply = Reflect.apply = null",
    "globalThis.Object = globalThis.Array = undefined; delete globalThis.Error",
    "Object.freeze(Object.prototype); Object.freeze(Array.prototype); Object.freeze(JSON)",
    "Object.preventExtensions(Map.prototype)",
    "Date.prototype.getTime = () => 7; Date.now = null; Date = null",
    "isNumber = print = null; Array.sum = 1",
    "Object.prototype.toBSON = () => 'spoilt'; Object.prototype.toJSON = () => 'spoilt'",
    "Promise.prototype.then = Symbol = WeakMap = BigInt = null",
    "quireShell = null",
  ];

  it.each(SPOILS)("after %s", (spoil) => {
    const list = '["2","1"]';
    sandbox.functions.begin();
    const before = call(sound, undefined, list);
    expect(before).toContain('"sorted":"11,21"');
    for (const how of [
      "try { X } catch {} return 'done'",
      "X; return { get a() { X; return 1 } }",
      "try { X } finally { throw new Error('thrown') }",
    ]) {
      try {
        call(`function() { ${how.replaceAll("X", spoil)} }`);
      } catch {
        // What this one gives is its own affair.
      }
      expect(call(sound, undefined, list), how).toBe(before);
    }
    if (/freeze|preventExtensions/.test(spoil))
      expect(() => call(`function() { ${spoil}; return "said" }`)).toThrow("for good");
    else expect(call(`function() { ${spoil}; return "said" }`)).toBe('"said"');
  });

  it("keeps what is not the language's for the command, and for no other", () => {
    sandbox.functions.begin();
    expect(call("function() { count = 1; for (i = 0; i < 3; i++) count++; return count }")).toBe('{"$numberInt":"4"}');
    expect(call("function() { return count + i }")).toBe('{"$numberInt":"7"}');
    expect(
      call("function() { Array.prototype.last = function () { return this[this.length - 1] }; return [1, 2].last() }"),
    ).toBe('{"$numberInt":"2"}');
    sandbox.functions.begin();
    expect(call("function() { return typeof count + typeof i }")).toBe('"undefinedundefined"');
  });

  it("after it took all memory, or all of the stack", () => {
    for (const greedy of [
      "const held = []; for (;;) held.push('x'.repeat(100000) + held.length)",
      "const held = []; for (;;) try { held.push(new Uint8Array(1e6)) } catch (error) { if (held.over++) throw " +
        "error; held.over = 1 }",
      "(function f() { f() })()",
      "const text = 'x'.repeat(1e8); return text + text + text",
    ]) {
      expect(() => call(`function() { ${greedy} }`, new StopWatch(null, 100_000)), greedy).toThrow(
        /memory|allocation|call stack|invalid string length/i,
      );
      sandbox.functions.begin();
      expect(call("function(n) { return [n].concat(n) }", undefined, "3")).toBe(
        '[{"$numberInt":"3"},{"$numberInt":"3"}]',
      );
    }
  });

  // A fault of QuickJS-ng 0.32, found with 0.32.0 of its package, the newest there is: to be looked at again with each
  // newer one.
  it("after QuickJS itself trapped over arguments objects", () => {
    for (let turn = 0; turn < 3; turn++) {
      expect(() =>
        call(
          "function() { const held = []; function one(a) { arguments[0] = 5; held.push(() => a) } for (;;) one(1) }",
        ),
      ).toThrow(WebAssembly.RuntimeError);
      expect(call("function(n) { return [n].concat(n) }", undefined, "3")).toBe(
        '[{"$numberInt":"3"},{"$numberInt":"3"}]',
      );
    }
  });

  it("after it was stopped inside a built-in function", () => {
    for (const endless of [
      "new Array(4e9).join()",
      "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)",
      "/^(a+)+$/.test('a'.repeat(60) + 'b')",
      "for (;;);",
    ]) {
      const began = performance.now();
      expect(() => call(`function() { ${endless} }`, new StopWatch(null, 100))).toThrow(FunctionStopped);
      expect(performance.now() - began, endless).toBeLessThan(5000);
      expect(call("function() { return [3, 1].sort().join() }")).toBe('"1,3"');
    }
  });

  it("a function that slept its time away has failed, although it came to an end", () => {
    const slept = "function() { sleep(2000); return true }";
    expect(() => call(slept, new StopWatch(null, 20))).toThrow(FunctionStopped);
    expect(() => call("sleep(40), true", new StopWatch(null, 20))).toThrow(FunctionStopped);
    expect(call("sleep(1), true", new StopWatch(null, 20_000))).toBe("true");
  });
});
