/** Every operator and method that completion offers has its syntax and an example that can be read. */
import { parse } from "acorn";
import { describe, expect, test } from "vitest";
import type { OperatorKind } from "../../messages/operators/texts.ts";
import { methodTables, operatorTables } from "./operator-help.ts";
import { methodExamples, operatorSyntax, snippetOf, syntaxOf } from "../../reference/operator-syntax.ts";

const kinds = Object.keys(operatorTables) as readonly OperatorKind[];
const reads = (source: string): void => void parse(source, { ecmaVersion: "latest" });

describe.each(kinds)("operators of kind %s", (kind) => {
  const known = (name: string): boolean =>
    operatorSyntax[kind].has(name) || (kind === "window" && operatorSyntax.accumulator.has(name));

  test("are all there, and none that is not offered", () => {
    expect(operatorTables[kind].filter((name) => !known(name))).toEqual([]);
    // A stage that the server puts into pipelines by itself is told, and not offered.
    const offered = (name: string): boolean => name.startsWith("$_") || operatorTables[kind].includes(name);
    expect([...operatorSyntax[kind].keys()].filter((name) => !offered(name))).toEqual([]);
    expect([...operatorSyntax[kind].keys()]).toEqual([...operatorSyntax[kind].keys()].sort());
  });

  test("have a syntax without marks, an example that parses, and a snippet", () => {
    for (const name of operatorTables[kind]) {
      const { syntax, example } = syntaxOf(kind, name);
      expect(syntax, name).not.toMatch(/[<>|]/);
      expect(() => reads(`(${example})`), example).not.toThrow();
      expect(syntax.length, name).toBeLessThan(170);
      // Parts of one name would be filled in as one.
      const parts = [...snippetOf(kind, name).matchAll(/\$\{(\w+)\}/g)].map((found) => found[1]);
      expect(new Set(parts).size, name).toBe(parts.length);
    }
  });
});

test.each(["database", "collection", "cursor"] as const)("every method of a %s has an example that parses", (kind) => {
  expect([...methodExamples[kind].keys()]).toEqual(methodTables[kind]);
  for (const [name, example] of methodExamples[kind]) {
    expect(() => reads(example), example).not.toThrow();
    expect(example).toContain(name);
  }
});

test("an operator's parts are named in its syntax and filled in its example", () => {
  expect(syntaxOf("stage", "$match")).toEqual({
    syntax: "{ $match: { field: value } }",
    example: '{ $match: { city: "Kyoto" } }',
  });
  expect(syntaxOf("window", "$sum").example).toBe('{ $sum: "$price" }');
  expect(snippetOf("stage", "$unwind")).toBe('$unwind: "$${field}"');
});
