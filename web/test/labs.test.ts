/**
 * Runs every lab of `labs/` at a small scale: each script ends without an error, each read gives the same on all
 * designs before and after each change, no read changes anything, and a second run gives the same figures; and holds
 * its texts: each language has all parts and names the same figures, every one of which is known then.
 */
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { openSandboxed } from "../src/pkg/docs/sandboxed.ts";
import { tryLab } from "../src/lessons/lab/check.ts";
import { filesOf, LAB_FILE, LAB_SCRIPTS, readLab } from "../src/lessons/lab/lab.ts";
import { TONES } from "../src/look/tones.ts";
import type { LabMeasure } from "../src/lessons/lab/measure.ts";
import { parseScripts } from "../src/lessons/lab/parse.ts";
import { measureLab } from "../src/lessons/lab/run.ts";

const SCALE = 100;
const folder = resolve(import.meta.dirname, "../labs");
const wasm = (name: string): Uint8Array => readFileSync(resolve(import.meta.dirname, "../wasm", name));
const openHost = () =>
  openSandboxed(60_000, { engineWasm: () => wasm("quire_bg.wasm"), sandboxWasm: () => wasm("sandbox.wasm") });

const ids = JSON.parse(readFileSync(resolve(folder, "labs.json"), "utf8")) as readonly string[];

test("every lab has its place in the list", () => {
  const folders = readdirSync(folder).filter((name) => name !== "labs.json");
  expect([...ids].sort()).toEqual(folders.sort());
});

/** A measure without the documents that are shown: the name of a bucket is another each time. */
const figuresOf = ({ designs, ...rest }: LabMeasure) => ({
  ...rest,
  designs: designs.map(({ samples, ...one }) => ({
    ...one,
    samples: samples.map((sample) => ({ ...sample, document: null })),
  })),
});

describe.each(ids)("the lab %s", (id) => {
  const read = (name: string): string => readFileSync(resolve(folder, id, name), "utf8");
  const manifest = readLab(read(LAB_FILE));

  test("gives the same on all designs, and every figure of its texts", async () => {
    expect(manifest.id).toBe(id);
    expect(manifest.languages).toEqual(["en", "zh-Hans"]);
    expect(parseScripts(read(LAB_SCRIPTS)).designs.length, "designs that can be told apart").toBeLessThanOrEqual(TONES);
    expect(readdirSync(resolve(folder, id)).sort()).toEqual([LAB_FILE, ...filesOf(manifest)].sort());
    const files = Object.fromEntries(filesOf(manifest).map((name) => [name, read(name)]));
    const { faults, measure } = await tryLab(manifest, files, SCALE, { openHost });
    expect(faults).toEqual([]);
    if (measure === null) throw new Error("nothing was measured");
    const again = await measureLab(parseScripts(read(LAB_SCRIPTS)), SCALE, { openHost });
    expect(figuresOf(again)).toEqual(figuresOf(measure));
  });
});
