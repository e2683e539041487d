/** Code that came with a command, as a function. */
import { expect, test } from "vitest";
import { functionText } from "./function-text.ts";

test.each([
  ["this.a", "function() { return this.a\n}"],
  [" this.a ;; \n", "function() {  return this.a ;\n}"],
  ["var a = 1; this.a == a", "function() { var a = 1; return this.a == a\n}"],
  ["var a = 1\nthis.a == a // so", "function() { var a = 1\nreturn this.a == a\n}"],
  ["// first\nthis.a", "function() { // first\nreturn this.a\n}"],
  ["(function() { return 1 })()", "function() { return (function() { return 1 })()\n}"],
  ["({ a: 1 })", "function() { return ({ a: 1 })\n}"],
  ["'return'; 1", "function() { 'return'; return 1\n}"],
])("the last expression of %j is its value", (code, text) => {
  expect(functionText(code)).toBe(text);
});

test.each([
  ["function() { return 1 };", "function() { return 1 }"],
  ["/* so */ function() { return 1 }", "/* so */ function() { return 1 }"],
  ["function named() { return 1 };", "function named() { return 1 }"],
  ["(a) => a.b;", "(a) => a.b"],
  ["((a) => a.b) ;;", "((a) => a.b)"],
  ["async () => 1", "async () => 1"],
])("%j is a function", (code, text) => {
  expect(functionText(code)).toBe(text);
});

test.each(["return this.a;", "if (this.a) return 1; return 2", "if (this.a) { 1 }", "var a = 1", "for (;;);"])(
  "%j has the value that it returns",
  (code) => {
    expect(functionText(code)).toBe(`function() { ${code}\n}`);
  },
);

test.each(["", "// nothing", "this.a ==", "function("])("%j is left as it is", (code) => {
  expect(functionText(code)).toBe(code);
});
