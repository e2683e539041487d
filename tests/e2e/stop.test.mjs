/**
 * A script that never ends neither freezes the page nor outlives Stop, and earlier data stay.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, withBrowser } from "./browser.mjs";

const { stay } = withBrowser();

test("Stop ends while (true) {}, the page stays alive, and the next script runs", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.run("db.kept.insertOne({ _id: 1 })");
  await page.isSaved();
  await page.write("while (true) {}");
  await page.pressRun();
  const stop = page.page.getByRole("button", { name: "Stop" });
  await stop.waitFor();
  // The page draws while the worker spins: its clock goes on, and its buttons answer.
  const clock = page.page.locator(".progress");
  const first = await clock.innerText();
  await eventually(
    () => clock.innerText(),
    (text) => text !== first,
  );
  await stop.click();
  await page.ended(2);
  await page.shows("You stopped the script.");
  assert.equal(await page.print("print(db.kept.estimatedDocumentCount())"), "1");
  await close();
});

test("Stop ends a script that is writing; what is kept is whole", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.write('for (let n = 0; ; n++) { db.flood.insertOne({ _id: n }); if (n % 500 === 0) print("at", n) }');
  await page.pressRun();
  await page.shows(/at [1-9]/);
  await page.page.keyboard.press("ControlOrMeta+.");
  await page.ended(1);
  await page.run(
    "const count = db.flood.estimatedDocumentCount(); print(db.flood.validate().valid, count === 0 || db.flood.find().sort({ _id: -1 }).limit(1).next()._id === count - 1)",
  );
  assert.equal((await page.printed()).trim(), "true true");
  await close();
});

test("a script that eats all memory fails, and the next one runs", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.run('const held = []\nfor (;;) held.push("x".repeat(1000000) + held.length)');
  assert.notEqual(await page.error(), "");
  assert.equal(await page.print("print(1 + 1)"), "2");
  await close();
});
