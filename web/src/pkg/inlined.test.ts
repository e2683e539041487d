/** The files of `quiredb-inline` are those of this very version, whatever else the realm holds. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { inlined } from "./inlined.ts";

const key = Symbol.for("quiredb-inline");
const files = (version: string) => ({ engine: version, sandbox: "", worker: "" });
beforeEach(() => vi.stubGlobal("QUIRE_VERSION", "1.2.3"));
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(globalThis, key);
});

test("two versions in one page have their own files, and one without has none of another's", () => {
  expect(inlined()).toBeUndefined();
  Reflect.set(globalThis, key, { "1.2.2": files("1.2.2") });
  expect(inlined()).toBeUndefined();
  Reflect.set(globalThis, key, { "1.2.2": files("1.2.2"), "1.2.3": files("1.2.3") });
  expect(inlined()?.engine).toBe("1.2.3");
});
