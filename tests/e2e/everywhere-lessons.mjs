/**
 * For `everywhere.test.mjs`: a lesson in Firefox and WebKit: a question is answered, a snippet run, a script typed into
 * an editor in a shadow root and passed, and kept, with no complaint of the browser's. Labs and the reference, which ask
 * nothing else of a browser, and what a lesson says of answers are tested in Chromium (`course`, `lab`, `reference`).
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { eventually } from "./browser.mjs";
import { ask, engines, firstOf, listen, press, shows } from "./engines.mjs";
import { serve } from "./server.mjs";

const scripts = readFileSync(new URL("../../web/courses/starter/first-steps/scripts.md", import.meta.url), "utf8");
const scriptOf = (words) => scripts.split(`\`\`\`js ${words}\n`)[1].split("\n```")[0];

/** Puts a script into a task's editor, as a paste would. Runs in a page. */
const typed = async (editor, text) => {
  editor.focus();
  editor.ownerDocument.getSelection().selectAllChildren(editor);
  document.execCommand("insertText", false, text);
  return editor.innerText.replace(/\s+/g, "");
};

let site;
before(async () => {
  site = await serve(fileURLToPath(new URL("../../web/dist/site", import.meta.url)));
});

for (const { name, skip, shared } of engines.filter((engine) => engine.name !== "Chromium")) {
  test(`${name}: a lesson is worked through, and kept`, { skip }, async () => {
    const browser = await shared();
    const tab = await browser.tab();
    const open = async (path) => {
      await tab.goto(new URL(path, site.url).href);
      await ask(tab, listen);
    };
    const isQuiet = async () => assert.deepEqual([...tab.errors, ...(await tab.evaluate("globalThis.complaints"))], []);

    await open("course.html?course=starter&lang=en");
    await shows(tab, "article[data-phase=ready]");
    await press(tab, "[data-question='by-year/1'] [data-skip]");
    await press(tab, "[data-question='by-year/2'] input[type=radio]");
    await press(tab, "[data-question='by-year/2'] button[type=submit]");
    const inside = (id, selector) =>
      `((${firstOf(`[data-script="${id}"]`)})?.shadowRoot?.querySelector(${JSON.stringify(selector)}) ?? null)`;
    const click = (id, selector) => eventually(() => tab.click(inside(id, selector)), true, `${id} ${selector}`);
    await click("by-year", ".run[aria-disabled=false]");
    await shows(tab, "[data-question='by-year/1'] .truth", "1,000");
    const attempt = async (source, says) => {
      const editor = inside("index-year", ".cm-content");
      await click("index-year", ".code");
      await click("index-year", ".cm-content");
      await eventually(
        () => tab.evaluate(`(${typed})(${editor}, ${JSON.stringify(source)})`),
        source.replace(/\s+/g, ""),
        "the script",
      );
      await click("index-year", ".check[aria-disabled=false]");
      await shows(tab, says);
    };
    await attempt(scriptOf("solution index-year"), "[data-task=index-year] [data-passed]");
    // The reader's work is done again.
    await tab.reload();
    await ask(tab, listen);
    await shows(tab, "[data-task=index-year].passed .done");
    // Leaving while the engine's code is on its way is an error in Firefox.
    await shows(tab, "article[data-phase=ready]");
    await isQuiet();
    await tab.close();
  });
}
