/** Traps in tasks of the engine's own, which no call of anybody's meets. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CLOSURES, telling } from "../src/engine/load.ts";

describe("an instance's own tasks", () => {
  it("go through exports that are known by their names", () => {
    const module = new WebAssembly.Module(readFileSync(new URL("../wasm/quire_bg.wasm", import.meta.url)));
    const names = WebAssembly.Module.exports(module).filter(({ name }) => CLOSURES.test(name));
    // Four kinds: of promises, of events, of futures, and of nothing given.
    expect(names.length).toBeGreaterThanOrEqual(4);
    const glue = readFileSync(new URL("../wasm/engine-glue.js", import.meta.url), "utf8");
    for (const { name } of names) expect(glue).toContain(`wasm.${name}(`);
  });

  it("tell what ends them and throw it on, which calls do not", () => {
    const trap = (): void => {
      throw new WebAssembly.RuntimeError("unreachable");
    };
    const heard: unknown[] = [];
    const { exports } = telling({ exports: { a_convert__closures_b: trap, run: trap } }, (error) => heard.push(error));
    const { a_convert__closures_b: task, run } = exports as Record<string, () => void>;
    expect(run).toThrow("unreachable");
    expect(heard).toEqual([]);
    expect(task).toThrow("unreachable");
    expect(heard).toHaveLength(1);
  });
});
