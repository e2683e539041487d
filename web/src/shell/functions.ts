/**
 * Functions inside commands (`$where`, `$function`, `$accumulator`, `mapReduce`): run where scripts run, with the BSON
 * types and without the shell.
 *
 * Invariants: such a function sees the document as `this` and `obj`, and no `db`: the engine is at work while it runs.
 * Its value travels back as canonical Extended JSON. Where the host can find changed objects of the language
 * (`nextSpoilt`), each call meets the language as it was: a function's changes of it are undone before its value is
 * read and before the next call.
 */
import { makeAssert } from "./assert.ts";
import { ObjectId } from "./bson/object-id.ts";
import { DBPointer } from "./bson/special.ts";
import { sleep } from "./cursor.ts";
import { parse, stringify } from "./ejson.ts";
import { formatTop } from "./format.ts";
import { bsonTypes, callable, constructs, type Scope } from "./globals.ts";
import type { ShellHost } from "./host.ts";
import { hexMd5 } from "./md5.ts";
import { legacyJson } from "./results.ts";
import { Unspoilt } from "./unspoilt.ts";

export type CallFunction = (source: string, thisJson: string | undefined, argumentsJson: string) => string;

/**
 * The methods that a server's own scripts add to `Array`; the manual's `reduce` functions call them. Scripts, whose
 * realm is another, see the language's `Array`.
 */
const ARRAY_HELPERS: Readonly<Record<string, (items: readonly unknown[], item?: unknown) => unknown>> = {
  sum: (items) => (items.length === 0 ? null : items.reduce((left, right) => (left as number) + (right as number))),
  avg: (items) => (items.length === 0 ? null : (ARRAY_HELPERS["sum"]?.(items) as number) / items.length),
  stdDev: (items) => {
    const average = ARRAY_HELPERS["avg"]?.(items) as number;
    const squares = items.map((item) => ((item as number) - average) ** 2);
    return Math.sqrt(squares.reduce((left, right) => left + right, 0) / items.length);
  },
  // Loosely equal, as the server's helpers are.
  // biome-ignore-start lint/suspicious/noDoubleEquals: see above
  contains: (items, item) => items.some((one) => one == item),
  unique: (items) => items.filter((item, position) => items.findIndex((one) => one == item) === position),
  // biome-ignore-end lint/suspicious/noDoubleEquals: see above
  tojson: (items) => legacyJson(items),
};

/** Adds the helpers to the realm's own `Array`, which is the constructor of every array that a function meets. */
function installArrayHelpers(): void {
  for (const [name, value] of Object.entries(ARRAY_HELPERS))
    Object.defineProperty(Array, name, { value, writable: true, configurable: true, enumerable: false });
}

const evaluateIn = new Function("with(arguments[0]){return eval(arguments[1])}") as (
  scope: Scope,
  code: string,
) => unknown;
/** Compiled functions kept; a query has one. */
const MOST_KEPT = 50;

/** As `buildInfo` has it; no command can be asked while a function runs. */
const SERVER_VERSION = "8.2.0";

/** Refuses arguments as the server words it. */
function requires(holds: boolean, message: string): void {
  if (!holds) throw new Error(message);
}

/** `DBPointer` checks its arguments here, where a script makes one. */
class CheckedPointer extends DBPointer {
  constructor(...given: unknown[]) {
    const [ns, id] = given;
    requires(given.length === 2, "DBPointer needs 2 arguments");
    requires(typeof ns === "string", "DBPointer 1st parameter must be a string");
    requires(id instanceof ObjectId, "DBPointer 2nd parameter must be an ObjectId");
    super(ns as string, id as ObjectId);
  }
}

/** `self` gives the document of the call under way. */
function makeScope(host: ShellHost, self: () => unknown): Scope {
  const worded = (...values: unknown[]): void => host.print(values.map((value) => formatTop(value)).join(" "));
  const scope = Object.assign(Object.create(null) as Scope, bsonTypes(), {
    gc: () => undefined,
    assert: makeAssert(),
    doassert: (message: unknown) => {
      throw new Error(String(message));
    },
    print: worded,
    printjson: worded,
    printjsononeline: worded,
    tojson: legacyJson,
    tojsononeline: legacyJson,
    tojsonObject: legacyJson,
    hex_md5: (...given: unknown[]) => {
      const [text] = given;
      requires(
        given.length === 1 && typeof text === "string",
        "hex_md5 takes a single string argument -- hex_md5(string)",
      );
      return hexMd5(text as string);
    },
    sleep: (...given: unknown[]) => {
      requires(
        given.length === 1 && typeof given[0] === "number",
        "sleep takes a single numeric argument -- sleep(milliseconds)",
      );
      sleep(host, given[0] as number);
    },
    version: () => SERVER_VERSION,
    DBPointer: callable(CheckedPointer),
    isNumber: (value: unknown) => typeof value === "number",
    isString: (value: unknown) => typeof value === "string",
    isObject: (value: unknown) => typeof value === "object",
  });
  // Of the names that a class has, a server knows these; and a document's dates have the constructor `Date`.
  for (const name of ["Date", "NumberInt", "NumberLong", "NumberDecimal"])
    constructs(scope[name] as { readonly prototype: object });
  return Object.defineProperty(scope, "obj", { get: self, enumerable: true });
}

/** The error that tells the host to make the realm anew: a function's change of the language cannot be undone. */
const SPOILT = "a function changed the language's own objects for good";

/** `functionText` is `function-text.ts`'s function, here or, for the sandbox, in the worker outside. */
export function makeCallFunction(host: ShellHost, functionText: (code: string) => string): CallFunction {
  let self: unknown;
  installArrayHelpers();
  const scope = makeScope(host, () => self);
  const compiled = new Map<string, (...values: unknown[]) => unknown>();
  const texts = new Map<string, string>();
  const textOf = (code: string): string => {
    let text = texts.get(code);
    if (text === undefined) {
      text = `(${functionText(code)}\n)`;
      if (texts.size >= MOST_KEPT) texts.clear();
      texts.set(code, text);
    }
    return text;
  };
  // The engine's own functions around those of an operator (`step` of an `accumulate`) make them where they are called.
  Object.defineProperty(scope, "__function$", { value: textOf, enumerable: false });
  const { apply } = Reflect;
  const { hold, nextSpoilt } = host;
  let mend = (): void => undefined;
  if (hold !== undefined && nextSpoilt !== undefined) {
    const unspoilt = new Unspoilt(globalThis, scope, hold);
    mend = () => {
      let whole = true;
      for (let number = nextSpoilt(0); number >= 0; number = nextSpoilt(number + 1))
        if (!unspoilt.restore(number)) whole = false;
      if (!whole) throw new Error(SPOILT);
    };
  }
  return (source, thisJson, argumentsJson) => {
    try {
      let called = compiled.get(source);
      if (called === undefined) {
        const value = evaluateIn(scope, textOf(source));
        mend();
        if (typeof value !== "function") throw new TypeError("the code is not a function");
        called = value as typeof called & object;
        if (compiled.size >= MOST_KEPT) compiled.clear();
        compiled.set(source, called);
      }
      self = thisJson === undefined ? undefined : parse(thisJson);
      const value = apply(called, self, parse(argumentsJson) as unknown[]);
      mend();
      return stringify(value);
    } finally {
      mend();
    }
  };
}
