/**
 * Runs every lab of `labs/` at a small scale: each script ends without an error, each read gives the same on all
 * designs before and after each change, no read changes anything, and a second run gives the same figures.
 */
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { openSandboxed } from "../src/pkg/docs/sandboxed.ts";
import { parseScripts } from "../src/lessons/lab/parse.ts";
import { measureLab } from "../src/lessons/lab/run.ts";

const SCALE = 100;
const folder = resolve(import.meta.dirname, "../labs");
const wasm = (name: string): Uint8Array => readFileSync(resolve(import.meta.dirname, "../wasm", name));
const openHost = () =>
  openSandboxed(60_000, { engineWasm: () => wasm("quire_bg.wasm"), sandboxWasm: () => wasm("sandbox.wasm") });

describe.each(readdirSync(folder))("the lab %s", (id) => {
  const lab = parseScripts(readFileSync(resolve(folder, id, "scripts.md"), "utf8"));

  test("gives the same on all designs", async () => {
    const measure = await measureLab(lab, SCALE, { openHost });
    expect(measure.designs.flatMap(({ id: design, faults }) => faults.map((fault) => ({ design, ...fault })))).toEqual(
      [],
    );
    expect(measure.differences).toEqual([]);
    for (const { costs } of measure.designs)
      expect([...costs.keys()].sort()).toEqual(lab.operations.map((one) => one.id).sort());
    expect(await measureLab(lab, SCALE, { openHost })).toEqual(measure);
  });
});
