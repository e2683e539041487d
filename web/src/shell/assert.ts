/** `assert` and its helpers, as scripts for the mongo shells use them. */
import { stringify } from "./ejson.ts";
import { format } from "./format.ts";

export class AssertionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "AssertionError";
  }
}

function fail(message: string, note: unknown): never {
  const text = typeof note === "function" ? String((note as () => unknown)()) : note === undefined ? "" : String(note);
  throw new AssertionError(text === "" ? message : `${message} : ${text}`);
}

/** Equal as values: same Extended JSON, so that documents compare with their types and key order. */
function same(left: unknown, right: unknown): boolean {
  return Object.is(left, right) || stringify(left) === stringify(right);
}

type Assertion = (...parts: never[]) => unknown;

const HELPERS: Readonly<Record<string, Assertion>> = {
  commandFailed: (reply: { ok?: number }, note?: unknown) =>
    Number(reply.ok) === 0 ? reply : fail(`command worked when it should have failed: ${format(reply)}`, note),
  commandWorked: (reply: { ok?: number }, note?: unknown) =>
    Number(reply.ok) === 1 ? reply : fail(`command failed: ${format(reply)}`, note),
  doesNotThrow: (callback: () => unknown) => callback(),
  eq: (left: unknown, right: unknown, note?: unknown) =>
    same(left, right) || fail(`[${format(left)}] and [${format(right)}] are not equal`, note),
  gt: (left: number, right: number, note?: unknown) =>
    left > right || fail(`${format(left)} is not greater than ${format(right)}`, note),
  gte: (left: number, right: number, note?: unknown) =>
    left >= right || fail(`${format(left)} is not greater than or eq ${format(right)}`, note),
  isnull: (value: unknown, note?: unknown) =>
    value === null || value === undefined || fail(`supposed to be null (${format(value)})`, note),
  lt: (left: number, right: number, note?: unknown) =>
    left < right || fail(`${format(left)} is not less than ${format(right)}`, note),
  lte: (left: number, right: number, note?: unknown) =>
    left <= right || fail(`${format(left)} is not less than or eq ${format(right)}`, note),
  neq: (left: unknown, right: unknown, note?: unknown) =>
    !same(left, right) || fail(`[${format(left)}] and [${format(right)}] are equal`, note),
  throws: (callback: () => unknown, _parameters?: unknown, note?: unknown) => {
    try {
      callback();
    } catch (error) {
      return error;
    }
    return fail("did not throw exception", note);
  },
};

/** `assert(condition, note)` with the helpers as its members. */
export function makeAssert(): Assertion {
  const assert = (condition: unknown, note?: unknown): void => {
    if (!condition) fail("assert failed", note);
  };
  return Object.assign(assert, HELPERS) as Assertion;
}
