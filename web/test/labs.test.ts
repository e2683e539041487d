/**
 * Runs every lab of `labs/` at a small scale: each script ends without an error, each read gives the same on all
 * designs before and after the writes, and no read changes anything.
 */
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { loadEngine } from "../src/engine/load.ts";
import { accountSince, Engine } from "../src/pkg/engine.ts";
import { createShell, type Shell } from "../src/pkg/shell.ts";
import { parseScripts } from "../src/lessons/lab/parse.ts";

const SCALE = 100;
const folder = resolve(import.meta.dirname, "../labs");

/** Operations declare names of their own, each time anew. */
function evaluate(shell: Shell, source: string): unknown {
  const { value, error } = shell.evaluate(`{\n${source}\n}`);
  if (error !== undefined) throw new Error(error.text);
  return value;
}

describe.each(readdirSync(folder))("the lab %s", (id) => {
  const lab = parseScripts(readFileSync(resolve(folder, id, "scripts.md"), "utf8"));

  test("gives the same on all designs", async () => {
    const answers = new Map<string, Map<string, unknown>>();
    for (const design of lab.designs) {
      await loadEngine(() => readFileSync(resolve(import.meta.dirname, "../wasm/quire_bg.wasm")));
      const engine = await Engine.create({ now: () => Date.UTC(2024, 0, 1) });
      const shell = createShell(engine, { database: "lab" });
      shell.evaluate(`const n = ${SCALE}`);
      evaluate(shell, design.load);
      const given = new Map<string, unknown>();
      const readAll = (when: string): void => {
        for (const { id: operation, kind, scripts } of lab.operations) {
          if (kind !== "read") continue;
          const before = engine.account();
          given.set(`${operation} ${when}`, evaluate(shell, scripts.get(design.id) ?? ""));
          expect(accountSince(engine.account(), before).pagesWritten, operation).toBe(0);
        }
      };
      readAll("before");
      for (const { kind, scripts } of lab.operations)
        if (kind === "write") evaluate(shell, scripts.get(design.id) ?? "");
      readAll("after");
      answers.set(design.id, given);
      engine.close();
    }
    const [first, ...others] = [...answers.values()];
    expect([...(first ?? [])].every(([, value]) => value !== undefined && value !== null)).toBe(true);
    for (const other of others) expect([...other]).toEqual([...(first ?? [])]);
  });
});
