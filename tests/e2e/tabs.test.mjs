/**
 * Two tabs on one deployment: each sees the other's writes, and nothing is lost when both write. A tab that dies while
 * it writes leaves its stored writes whole.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { withBrowser } from "./browser.mjs";
import { crashTab } from "./faults.mjs";

const { visit } = withBrowser();

test("what one tab writes, the other lists and reads", async () => {
  const { open, close } = await visit();
  const one = await open();
  const other = await open();
  await one.run("db.shared.insertMany([{ _id: 1 }, { _id: 2 }])");
  await one.isSaved();
  // The other tab's list follows without a key being pressed there.
  await other.page
    .getByRole("button", { name: /^shared/ })
    .getByText("2", { exact: true })
    .waitFor();
  assert.equal(await other.print("print(db.shared.estimatedDocumentCount())"), "2");
  await other.print("db.shared.insertOne({ _id: 3 })");
  assert.equal(await one.print("print(db.shared.find().toArray().map((d) => d._id).join())"), "1,2,3");
  one.isQuiet();
  other.isQuiet();
  await close();
});

test("both writing at once lose nothing", async () => {
  const { open, close } = await visit();
  const tabs = [await open(), await open()];
  const rounds = 5;
  for (let round = 0; round < rounds; round += 1) {
    await Promise.all(
      tabs.map((tab, index) =>
        tab.write(`for (let n = 0; n < 20; n++) db.both.insertOne({ tab: ${index}, round: ${round}, n })`),
      ),
    );
    await Promise.all(tabs.map((tab) => tab.pressRun()));
    await Promise.all(tabs.map((tab) => tab.ended(round + 1)));
    for (const tab of tabs) assert.equal(await tab.error(), "");
  }
  for (const tab of tabs)
    assert.equal(
      await tab.print("print(db.both.estimatedDocumentCount(), db.both.validate().valid)"),
      `${rounds * 20 * tabs.length} true`,
    );
  await close();
});

test("a tab killed amid its writes leaves what was saved, whole", async () => {
  const { open, close } = await visit();
  const doomed = await open();
  await doomed.run("for (let n = 0; n < 300; n++) db.ledger.insertOne({ _id: n, text: 'x'.repeat(200) })");
  await doomed.isSaved();
  await doomed.write(
    "for (let n = 300; ; n++) { db.ledger.insertOne({ _id: n, text: 'x'.repeat(200) }); if (n % 100 === 0) print(n) }",
  );
  await doomed.pressRun();
  await doomed.shows(/\d{3}/);
  await crashTab(doomed.page);

  const page = await open();
  await page.isSaved();
  const [count, last, valid] = (
    await page.print(
      "print(db.ledger.estimatedDocumentCount(), db.ledger.find().sort({ _id: -1 }).limit(1).next()._id, db.ledger.validate({ full: true }).valid)",
    )
  ).split(" ");
  assert.ok(Number(count) >= 300, `only ${count} of the 300 saved documents are there`);
  assert.equal(Number(last), Number(count) - 1, "the kept documents are the first ones, without a gap");
  assert.equal(valid, "true");
  await close();
});
