/** `check-lab`: its words, and the faults it finds in a lab that has some. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { openSandboxed } from "../docs/sandboxed.ts";
import { checkLab, readCheckLabOptions } from "./check-lab.ts";

const root = new URL("../../../", import.meta.url);
const wasm = (name: string): Uint8Array => readFileSync(fileURLToPath(new URL(`wasm/${name}`, root)));
const openHost = () =>
  openSandboxed(20_000, { engineWasm: () => wasm("quire_bg.wasm"), sandboxWasm: () => wasm("sandbox.wasm") });
const folder = mkdtempSync(join(tmpdir(), "quire-labs-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function check(change: (file: string, text: string) => string): Promise<{ code: number; text: string }> {
  const lab = join(folder, "carts");
  cpSync(fileURLToPath(new URL("labs/carts", root)), lab, { recursive: true });
  for (const file of ["lab.json", "scripts.md", "en.md", "zh-Hans.md"])
    writeFileSync(join(lab, file), change(file, readFileSync(join(lab, file), "utf8")));
  let text = "";
  const code = await checkLab({ labs: [lab], scale: 100, timeLimitMillis: 20_000 }, openHost, (more) => {
    text += more;
  });
  return { code, text };
}

const only =
  (name: string, from: string, to: string) =>
  (file: string, text: string): string =>
    file === name ? text.replace(from, to) : text;

test("a lab that is right", async () => {
  const { code, text } = await check((_, same) => same);
  expect(text).toMatch(/^ok {6}\S+carts {2}\(en, zh-Hans: 2 designs, 2 operations\)\nnothing is wrong\n$/);
  expect(code).toBe(0);
});

test.each([
  ["scripts.md", 'name": "renamed"', 'name": "other"', /answers otherwise than/],
  ["scripts.md", "amount: 1 + k", "amount: 2 + k", /scripts\.md: cart: referenced answers otherwise than embedded/],
  ["scripts.md", "db.carts.insertMany", "db.carts.insertSome", /design of embedded, line 3: /],
  ["scripts.md", "js write rename referenced", "js write rename", /has to be `js write OPERATION DESIGN`/],
  ["zh-Hans.md", "{{referenced.cart.commands}}", "", /zh-Hans\.md: the text leaves out {{referenced\.cart\.commands}}/],
  ["en.md", "{{n}}", "{{m}}", /en\.md:\d+: there is no design `m`/],
])("%s with %s changed", async (name, from, to, told) => {
  const { code, text } = await check(only(name, from, to));
  expect(text).toMatch(told);
  expect(code).toBe(1);
});

test("what is no lab cannot be checked", async () => {
  const { code, text } = await check(only("lab.json", "quireLab", "other"));
  expect([code, text]).toEqual([2, expect.stringMatching(/"quireLab": 1/)]);
});

test.each([
  [["a", "b", "--scale", "50"], { labs: ["a", "b"], scale: 50, timeLimitMillis: 60_000 }],
  [[], "the folder or the file of a lab is missing"],
  [["a", "--scale", "x"], "--scale needs a whole number up to 1000000"],
  [["a", "--fast"], "--fast is no option of check-lab"],
])("the words %j", (words, read) => expect(readCheckLabOptions(words)).toEqual(read));
