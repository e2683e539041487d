/**
 * For `everywhere.test.mjs`: courses, labs, the model view and the reference in Firefox and WebKit: a question is
 * answered, a snippet run, a task refused and passed, a lab measured, and each page draws with no complaint of the
 * browser's. Their contents are tested in Chromium (`course`, `lab`, `model`, `reference`).
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { eventually } from "./browser.mjs";
import { ask, engines, firstOf, found, listen, press, shows, write } from "./engines.mjs";
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

const model = `
db = db.getSiblingDB("shop");
db.users.insertMany(["ada", "bo", "cy"].map((name) => ({ _id: new ObjectId(), name })));
db.orders.insertMany(db.users.find().toArray().flatMap(({ _id }) => [{ user: _id }, { user: _id }]));
`;

let site;
before(async () => {
  site = await serve(fileURLToPath(new URL("../../web/dist/site", import.meta.url)));
});

for (const { name, skip, shared } of engines.filter((engine) => engine.name !== "Chromium")) {
  test(`${name}: a lesson is worked through, a lab measured, a model and the reference drawn`, { skip }, async () => {
    const browser = await shared();
    const tab = await browser.tab();
    const open = async (path) => {
      await tab.goto(new URL(path, site.url).href);
      await ask(tab, listen);
    };
    const isQuiet = async () => assert.deepEqual([...tab.errors, ...(await tab.evaluate("globalThis.complaints"))], []);
    const count = (selector) => tab.evaluate(`(${found})(${JSON.stringify(selector)}, null).length`);

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
    await attempt(scriptOf("wrong index-year other-field"), "[data-task=index-year] [data-hint=other-field]");
    await attempt(scriptOf("solution index-year"), "[data-task=index-year] [data-passed]");
    // The reader's work is done again.
    await tab.reload();
    await ask(tab, listen);
    await shows(tab, "[data-task=index-year].passed .done");
    // Leaving while the engine's code is on its way is an error in Firefox.
    await shows(tab, "article[data-phase=ready]");
    await isQuiet();

    await open("lab.html?lab=carts&n=100&lang=en");
    await press(tab, ".controls .run");
    await shows(tab, "[data-busy=false] .conclusion", "cart page reads");
    await shows(tab, ".results svg");
    assert.equal(await count("[data-faults], [data-differs]"), 0);
    await press(tab, "[data-operation=rename] summary");
    await shows(tab, ".code", "updateMany");
    await isQuiet();

    await open("reference.html?lang=en");
    await shows(tab, ".reference");
    await isQuiet();

    await open("index.html?lang=en");
    await shows(tab, "[data-storage]:not([data-storage=opening])");
    await write(tab, model);
    await press(tab, "button.run");
    await press(tab, "button", "Actions for shop");
    await press(tab, "[role=menuitem]", "Model");
    await shows(tab, "svg", "orders");
    await shows(tab, "[role=status]", "2 collections · 1 reference");
    await isQuiet();
    await tab.close();
  });
}
