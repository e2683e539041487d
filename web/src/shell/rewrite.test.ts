/** Rewriting scripts: shell lines, declarations, await, positions. */
import { describe, expect, it } from "vitest";
import { rewrite, tryRewrite } from "./rewrite.ts";
import { originalColumn, wordAsV8 } from "./rewritten.ts";

describe("rewrite", () => {
  it("turns shell lines into calls", () => {
    expect(rewrite("use garden\nshow collections").code).toBe('use("garden");\nshow("collections");');
    expect(rewrite("  show dbs // all\n1").code).toBe('  print(show("dbs"));\n1');
    expect(rewrite("it").code).toBe("it()");
    expect(rewrite("const it = 1; it + 1").code).toBe("var   it = 1; it + 1");
  });

  it("leaves texts and comments that look like shell lines alone", () => {
    for (const source of ["`\nuse garden\n`", "/*\nuse garden\n*/ 1", "use('garden')", "const use = 1"]) {
      expect(rewrite(source).code.includes('use("')).toBe(false);
    }
  });

  it("makes top-level names those of the scope", () => {
    const { code, variables, functions, assigned } = rewrite(
      "let a, { b, c: [d = 1, ...e] } = x;\nclass F {}\nfunction g() { let inner = 1; }\nfor (var h of []) {}\ni = 5",
    );
    expect(variables).toEqual(["a", "b", "d", "e", "F", "h"]);
    expect(functions).toEqual(["g"]);
    expect(assigned).toEqual(["i"]);
    expect(code).toBe(
      "__declare$({g});var a=undefined, { b, c: [d = 1, ...e] } = x;\nvar F=class F {};\n" +
        "function g() { let inner = 1; }\nfor (var h of []) {}\ni = 5",
    );
  });

  it("rewrites await outside functions only", () => {
    expect(rewrite("await db.c.find()").code).toBe("__await$( db.c.find())");
    expect(rewrite("for await (const x of c) { x }").code).toBe("for       (const x of c) { x }");
    expect(rewrite("async function f() { await 1 }").code).toContain("await 1");
  });

  it("takes one object literal for an object", () => {
    expect(rewrite("{ a: 1, b: 2 }").code).toBe("({ a: 1, b: 2 })");
    expect(rewrite("{ a: 1 };").code).toBe("({ a: 1 });");
    expect(rewrite("{ f(); g() }").code).toBe("{ f(); g() }");
  });

  it("tells where the syntax is wrong", () => {
    expect(tryRewrite("1;\n  foo(;")).toEqual({ syntaxError: "Unexpected token", line: 2, column: 7 });
    expect(tryRewrite("use garden\n}")).toMatchObject({ line: 2, column: 1 });
  });

  it("maps columns back to the user's", () => {
    const source = "class X {}; await boom(); x()\nawait  a.b()";
    const { code, shifts } = rewrite(source);
    for (const [line, mark] of [
      [1, "boom"],
      [1, "x()"],
      [2, "a.b"],
    ] as const) {
      const [ours, theirs] = [code, source].map((text) => (text.split("\n")[line - 1] ?? "").indexOf(mark) + 1) as [
        number,
        number,
      ];
      expect(originalColumn(shifts, line, ours), mark).toBe(theirs);
    }
  });
});

describe("wordAsV8", () => {
  it("words common mistakes as V8 does", () => {
    expect(wordAsV8("cannot read property 'a' of null", "", null)).toBe("Cannot read properties of null (reading 'a')");
    expect(wordAsV8("anything else", "", { line: 1, column: 1 })).toBe("anything else");
    expect(wordAsV8("not a function", "f()", null)).toBe("not a function");
  });

  it.each(["'", '"', "`", "/*", "\\'", "x", "(", ".a"])("takes no longer than the script for many of %s", (mark) => {
    const source = `${mark.repeat(300_000)}\n;db.c.foo()`;
    expect(wordAsV8("not a function", source, { line: 2, column: 7 })).toMatch(/\.foo is not a function$/);
  });

  it.each([
    ["db.c.foo()", "foo", "db.c.foo"],
    ["db.c.find({ a: (1) }).sort().lmit(3)", ".lmit", "db.c.find(...).sort(...).lmit"],
    ["  .lmit(3)", ".lmit", ".lmit"],
    ["x) .lmit(3)", ".lmit", ".lmit"],
    ["db.c.find()\n  .lmit(3)", ".lmit", "db.c.find(...).lmit"],
    ["db.c\n  .find({\n    a: 1,\n  })\n  .sort()\n\n  .lmit(3)", ".lmit", "db.c.find(...).sort(...).lmit"],
    ["db.c.find().\n  lmit(3)", "lmit", "db.c.find(...).lmit"],
    ["db.c.find() // all (of them\n  /* but */ .lmit(3)", ".lmit", "db.c.find(...).lmit"],
    ["db.c.find({ a: ')', b: \"http://(\" })\n  .lmit(3)", ".lmit", "db.c.find(...).lmit"],
    ["db['my teas'].find()\n  .lmit(3)", ".lmit", "db['my teas'].find(...).lmit"],
    ["db.c.find()\nlmit(3)", "lmit", "lmit"],
    ["f(...db.c.lmit())", ".lmit", "...db.c.lmit"],
  ])("names what %j calls", (source, at, callee) => {
    const before = source.slice(0, source.indexOf(at)).split("\n");
    const place = { line: before.length, column: (before.at(-1) ?? "").length + 1 };
    expect(wordAsV8("not a function", source, place)).toBe(`${callee} is not a function`);
  });
});
