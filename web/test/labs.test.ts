/**
 * Runs every lab of `labs/` at a small scale: each script ends without an error, each read gives the same on all
 * designs before and after each change, no read changes anything, and a second run gives the same figures; and holds
 * its texts: each language has all parts and names the same figures, every one of which is known then.
 */
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { openSandboxed } from "../src/pkg/docs/sandboxed.ts";
import { filesOf, LAB_FILE, LAB_SCRIPTS, readLab } from "../src/lessons/lab/lab.ts";
import { readNamed, valueOf } from "../src/lessons/lab/measure.ts";
import { parseScripts } from "../src/lessons/lab/parse.ts";
import { measureLab } from "../src/lessons/lab/run.ts";
import { figuresIn, readLabText } from "../src/lessons/lab/text.ts";

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

describe.each(ids)("the lab %s", (id) => {
  const read = (name: string): string => readFileSync(resolve(folder, id, name), "utf8");
  const manifest = readLab(read(LAB_FILE));
  const lab = parseScripts(read(LAB_SCRIPTS));
  const texts = manifest.languages.map((language) => readLabText(language, read(`${language}.md`), lab));

  test("has its texts, which name the same figures", () => {
    expect(manifest.id).toBe(id);
    expect(manifest.languages).toEqual(["en", "zh-Hans"]);
    expect(readdirSync(resolve(folder, id)).sort()).toEqual([LAB_FILE, ...filesOf(manifest)].sort());
    expect(texts.flatMap(({ faults }) => faults)).toEqual([]);
    const [first, ...others] = texts.map(({ text }) => figuresIn(text));
    for (const other of others) expect(other).toEqual(first);
  });

  test("gives the same on all designs, and every figure of its text", async () => {
    const measure = await measureLab(lab, SCALE, { openHost });
    expect(measure.designs.flatMap(({ id: design, faults }) => faults.map((fault) => ({ design, ...fault })))).toEqual(
      [],
    );
    expect(measure.differences).toEqual([]);
    const operations = lab.operations.map((one) => one.id).sort();
    for (const { costs } of measure.designs) expect([...costs.keys()].sort()).toEqual(operations);
    for (const name of texts.flatMap(({ text }) => figuresIn(text))) {
      const named = readNamed(name, lab);
      expect(typeof named === "string" ? named : valueOf(named, measure), name).toBeTypeOf("number");
    }
    expect(await measureLab(lab, SCALE, { openHost })).toEqual(measure);
  });
});
