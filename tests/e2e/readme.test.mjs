/**
 * The examples of the three READMEs work: each block of JavaScript runs in Node as it stands there, each block of HTML
 * is served as a page and its snippet run, and the script that the front page has its reader type is typed.
 *
 * Invariant: the blocks are read from the files; a block is only left out by a reason that stands here.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { patience, withBrowser } from "./browser.mjs";
import { serve } from "./server.mjs";

const { visit } = withBrowser();
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const files = ["../../README.md", "../../pkg/npm/README.md", "../../docs/embedding/README.md"];

/** The fenced blocks of a language, without the indentation of the list they stand in. */
function blocks(file, language) {
  const fence = new RegExp(`^( *)\`\`\`${language}\\n([^]*?)^\\1\`\`\`$`, "gm");
  return [...readFileSync(here(file), "utf8").matchAll(fence)].map(([, indent, text]) =>
    text.replace(new RegExp(`^${indent}`, "gm"), ""),
  );
}

/** Blocks that need what others publish: `tests/toolchains/drivers` has the same as programs, with these installed. */
const NEEDS_OTHERS = /from "mongodb"|from "quiredb\/net\/aliases"/;

const name = (file) => file.replaceAll("../", "");
const folder = mkdtempSync(join(tmpdir(), "quire-readme-"));
let served;

before(async () => {
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(here("../../pkg"), join(folder, "node_modules/quiredb"));
  symlinkSync(here("../../pkg/site"), join(folder, "quire"));
  served = await serve(folder);
});
after(() => rmSync(folder, { recursive: true, force: true }));

let number = 0;
for (const file of files) {
  for (const text of blocks(file, "js").filter((each) => !NEEDS_OTHERS.test(each))) {
    const title = `${name(file)}, JavaScript: ${text.split("\n").find((line) => line !== "" && !line.startsWith("import"))}`;
    test(title, async () => {
      const script = join(folder, `block-${++number}.mjs`);
      writeFileSync(script, text);
      await promisify(execFile)(process.execPath, [script], { timeout: patience });
    });
  }
  const pages = blocks(file, "html");
  // A block that only loads the script belongs to the page of the next one.
  const whole = pages
    .filter((text) => text.includes("<quire-snippet"))
    .map((text) => (text.includes("<script") ? text : pages.find((other) => other.includes("<script")) + text));
  for (const text of whole) {
    test(`${name(file)}, HTML`, async () => {
      const page = `page-${++number}.html`;
      // The test's server is no site's root.
      writeFileSync(
        join(folder, page),
        `<!doctype html><html lang="en"><meta charset="utf-8"><title>page</title>${text.replace('"/quire/', '"quire/')}`,
      );
      const { context, close } = await visit();
      const tab = await context.newPage();
      const complaints = [];
      tab.on("pageerror", (error) => complaints.push(error.message));
      await tab.goto(served.url + page);
      const snippet = tab.locator("quire-snippet");
      await snippet.getByRole("button", { name: "Run" }).click();
      // A snippet with `check` tells its time alone.
      await snippet
        .locator(".state")
        .getByText(/\d (document|ms)/)
        .waitFor();
      await snippet.getByText("Salvia").last().waitFor();
      assert.deepEqual(complaints, []);
      await close();
    });
  }
}

test("what the front page has its reader type", async () => {
  const [, typed] = /Then write over it:\n\n((?: {4}.*\n)+)/.exec(readFileSync(here("../../README.md"), "utf8")) ?? [];
  assert.ok(typed !== undefined, "README.md has a script to type");
  const { open, close } = await visit();
  const page = await open();
  await page.succeed();
  await page.succeed(typed.replace(/^ {4}/gm, ""));
  await page.shows("my first");
  await page.isSaved();
  await page.reload();
  await page.run("db.notes.countDocuments()");
  await page.shows("1");
  await close();
});
