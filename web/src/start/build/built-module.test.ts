/** What is read of a built module. */
import { describe, expect, it } from "vitest";
import { readModule, replaced } from "./built-module.ts";

const code =
  'import{a as b,default as c}from"./one.js";import"./two.js";export{d as e}from"./three.js";const w=(f)=>f();' +
  "let d=b+c;" +
  'w(()=>import(`./four.js`),[],import.meta.url);import("./five.js");import(d);d="import(`./no.js`) import.meta.url";' +
  "d=import.meta.resolve;w(import.meta.url);export{d as default,w};";

describe("a built module", () => {
  it("is read: imports, exports, and what it asks for", () => {
    const { imports, exports, asked, addresses, resolvers } = readModule(code);
    expect([...imports]).toEqual([
      ["one.js", ["a", "default"]],
      ["two.js", []],
      ["three.js", ["d"]],
    ]);
    expect(exports).toEqual(["e", "default", "w"]);
    expect(asked.map(({ file, whole }) => [file, code.slice(whole.start, whole.end)])).toEqual([
      ["four.js", "w(()=>import(`./four.js`),[],import.meta.url)"],
      ["five.js", 'import("./five.js")'],
    ]);
    expect([addresses.length, resolvers.length]).toEqual([2, 1]);
  });

  it("has its stretches replaced, the outer before the inner", () => {
    const { asked, addresses } = readModule(code);
    const changes = [
      ...asked.map(({ whole, file }) => ({ start: whole.start, end: whole.end, text: `give("${file}")` })),
      ...addresses.map(({ start, end }) => ({ start, end, text: "own" })),
    ];
    expect(replaced(code, changes)).toContain(
      'give("four.js");give("five.js");import(d);d="import(`./no.js`) import.meta.url"',
    );
    expect(replaced(code, changes)).toContain("w(own)");
    expect(replaced("abc", [])).toBe("abc");
  });

  it("is refused where names could not be told", () => {
    for (const wrong of ['import*as a from"./a.js";', 'export*from"./a.js";', "export const a=1;"])
      expect(() => readModule(wrong), wrong).toThrow("a built module");
  });
});
