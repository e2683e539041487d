/**
 * Documents in and out: files of every format, damaged files, large ones, sample data, and exports that come
 * back.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { eventually, phone, withBrowser } from "./browser.mjs";

const { visit, stay } = withBrowser();

/** Exports by the dialog that is open; gives the file's bytes. */
async function take(page, format) {
  const dialog = page.page.getByRole("dialog", { name: /^Export/ });
  await dialog.getByRole("radio", { name: format }).check();
  const [download] = await Promise.all([
    page.page.waitForEvent("download"),
    dialog.getByRole("button", { name: "Export", exact: true }).click(),
  ]);
  await dialog.waitFor({ state: "hidden" });
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

test("JSON and CSV come in, with what is wrong told by line", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.openImport();
  let dialog = await page.giveFiles([
    "herbs.json",
    '[{"_id":1,"name":"rue","n":{"$numberLong":"5"}},\n{"_id":2},\n{"_id":1}]',
  ]);
  await dialog.getByText('_id: 1, name: "rue"').waitFor();
  await page.isAccessible("a file");
  await page.fits("a file");
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await dialog.getByText("2 documents of herbs.json went into herbs.").waitFor();
  await dialog.getByText("Line 3:").waitFor();
  await page.isAccessible("failures");
  await dialog.getByRole("button", { name: "Import another" }).click();
  dialog = await page.giveFiles([
    "beds.csv",
    'bed.no,sown,note\n1,2024-05-01,"two\nlines"\nx,2024-05-02,b\n2,2024-05-03,c\n',
  ]);
  await dialog.getByRole("combobox", { name: "sown" }).waitFor();
  await eventually(() => dialog.getByRole("combobox", { name: "sown" }).inputValue(), "date");
  // The preview follows the type: a value that does not fit is told before anything is imported.
  await dialog.getByRole("region", { name: "The first documents" }).getByText('bed: { no: "x"').waitFor();
  await dialog.getByRole("combobox", { name: "bed.no" }).selectOption("int32");
  await dialog.getByRole("region", { name: "The first documents" }).getByText('bed.no: "x" is no int32').waitFor();
  await page.isAccessible("a table");
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await dialog.getByText("2 documents of beds.csv went into beds.").waitFor();
  await dialog.getByText("Line 4:").waitFor();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  assert.equal(
    await page.print(
      'print(EJSON.stringify(db.herbs.findOne().n, { relaxed: false }), db.beds.countDocuments({ sown: { $type: "date" }, "bed.no": { $type: "int" } }))',
    ),
    '{"$numberLong":"5"} 2',
  );
  page.isQuiet();
  await close();
});

test("no value is lost or altered without a word", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.openImport();
  const dialog = page.dialog("Import files");
  const again = async (name, content) => {
    await page.giveFiles([name, content]);
    await dialog.getByRole("combobox", { name: "Format" }).waitFor();
  };
  const ended = async (...texts) => {
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    for (const text of texts) await dialog.getByText(text).waitFor();
    await dialog.getByRole("button", { name: "Import another" }).click();
  };
  await again(
    "noise",
    Uint8Array.from({ length: 4000 }, (_, at) => (at * 7919 + (at >> 3) * 31) & 255),
  );
  await dialog.getByText("This is no text.").waitFor();
  await page.isAccessible("a file that is no text");
  await ended("0 documents of noise went into noise.", "This is no text.");
  // Leaving one of two columns out mends their header, before anything is imported.
  await again("twice.csv", "a,a\n1,2\n");
  await dialog.getByText("The header names a twice.").waitFor();
  await page.isAccessible("a header with a name twice");
  await dialog.getByRole("combobox", { name: "a", exact: true }).last().selectOption("skip");
  await dialog.getByRole("region", { name: "The first documents" }).getByText("{ a: 1 }").waitFor();
  await ended("1 document of twice.csv went into twice.");
  await again("rows.csv", 'd.date(2006/01/02),b\n2024/05/01,"HC 73 BOX 95, "D""\n2024/05/02,c\n');
  await ended("1 document of rows.csv went into rows.", "Line 2, column 27:", "A quotation mark inside a cell");
  const lines = ['{"c":9007199254740993}', '{"d":{"$date":{"$numberLong":149}}}', "{ c: NumberLong(5), n: NaN }"];
  await again("lines.ndjson", lines.join("\n"));
  await ended("2 documents of lines.ndjson went into lines.", "Line 2, column 15:", '{"$numberLong": "149"}');
  await dialog.getByRole("button", { name: "Close" }).last().click();
  assert.equal(
    await page.print(
      "print(EJSON.stringify([db.lines.find({}, { _id: 0 }).toArray(), db.rows.findOne({}, { _id: 0 })], { relaxed: false }))",
    ),
    '[[{"c":{"$numberLong":"9007199254740993"}},{"c":{"$numberLong":"5"},"n":{"$numberDouble":"NaN"}}],' +
      '{"d":{"$date":{"$numberLong":"1714608000000"}},"b":"c"}]',
  );
  page.isQuiet();
  await close();
});

test("what is exported comes back as it was: BSON, and a result as NDJSON", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.run(
    'for (let n = 0; n < 30; n++) db.herbs.insertOne({ _id: n, name: "herb " + n, half: Double(n), at: ISODate("2024-05-01") });\ndb.herbs.find({ _id: { $lt: 25 } })',
  );
  await page.newest.getByRole("button", { name: "Export…" }).click();
  await page
    .dialog(/^Export/)
    .getByRole("radio", { name: /^NDJSON/ })
    .waitFor();
  await page.isAccessible("export");
  const lines = await take(page, /^NDJSON/);
  assert.equal(lines.bytes.toString().trim().split("\n").length, 25);
  await page.page.getByRole("button", { name: "Actions for herbs" }).click();
  await page.page.getByRole("menuitem", { name: "Export…" }).click();
  const { name, bytes } = await take(page, /^BSON/);
  assert.equal(name, "herbs.bson");
  await page.openImport();
  const dialog = await page.giveFiles(["again.bson", bytes]);
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await dialog.getByText("30 documents of again.bson went into again.").waitFor();
  await page.page.keyboard.press("Escape");
  assert.equal(
    await page.print(
      'print(db.again.countDocuments({ half: { $type: "double" } }), EJSON.stringify(db.again.findOne({ _id: 7 })) === EJSON.stringify(db.herbs.findOne({ _id: 7 })))',
    ),
    "30 true",
  );
  page.isQuiet();
  await close();
});

test("strings that are no UTF-8 come in and go out byte for byte, and are shown with U+FFFD", async () => {
  const { open, close } = await stay();
  const page = await open();
  // `{ _id: 1, s: "a\xff" }`, as a dump may hold it.
  const given = Buffer.from("1800000010" + "5f69640001000000" + "0273000300000061ff00" + "00", "hex");
  assert.equal(given.readInt32LE(), given.length);
  await page.openImport();
  const dialog = await page.giveFiles(["bytes.bson", given]);
  await dialog.getByText('s: "a\ufffd"').waitFor();
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await dialog.getByText("1 document of bytes.bson went into bytes.").waitFor();
  await page.page.keyboard.press("Escape");
  await page.run("db.bytes.find()");
  await page.newest.getByText('"a\ufffd"').first().waitFor();
  // A script reads it so too, and what it writes elsewhere leaves the bytes as they are.
  assert.equal(
    await page.print(
      'db.bytes.updateOne({ _id: 1 }, { $set: { n: 1 } }); db.bytes.updateOne({ _id: 1 }, { $unset: { n: 1 } }); print(db.bytes.findOne().s, db.bytes.countDocuments({ s: "a\ufffd" }), db.bytes.aggregate({ $project: { n: { $strLenBytes: "$s" } } }).toArray()[0].n)',
    ),
    "a\ufffd 0 2",
  );
  await page.page.getByRole("button", { name: "Actions for bytes" }).click();
  await page.page.getByRole("menuitem", { name: "Export…" }).click();
  assert.deepEqual((await take(page, /^BSON/)).bytes, given);
  page.isQuiet();
  await close();
});

test("a file dropped on the page asks where to; a large one does not freeze the page, and stops", async () => {
  const { open, close } = await stay();
  const page = await open();
  await page.page.evaluate(() => {
    const line = (n) => `{"_id":${n},"text":"${"x".repeat(120)}"}\n`;
    const parts = Array.from({ length: 400_000 }, (_, n) => line(n));
    const data = new DataTransfer();
    data.items.add(new File(parts, "large.ndjson"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  const dialog = page.page.getByRole("dialog", { name: "Import files" });
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  const progress = dialog.getByText(/^[1-9][\d,]* documents inserted/);
  await progress.waitFor();
  // Between two turns of the page a batch or two of the four hundred are done, however fast the machine is.
  const [most, longest] = await progress.evaluate(async (element) => {
    const inserted = () => Number(element.textContent.replace(/ .*/s, "").replaceAll(",", ""));
    let [steps, times] = [0, 0];
    for (let turn = 0; turn < 30; turn++) {
      const [before, since] = [inserted(), performance.now()];
      await new Promise((resolve) => setTimeout(resolve));
      steps = Math.max(steps, inserted() - before);
      times = Math.max(times, performance.now() - since);
    }
    return [steps, times];
  });
  console.log(`# while importing, the page waits at most ${Math.round(longest)} ms, in which ${most} documents go in`);
  assert.ok(most < 20_000, `${most} documents in one turn of the page`);
  await dialog.getByRole("button", { name: "Stop" }).click();
  await dialog.getByText("The rest was not read.").waitFor();
  page.isQuiet();
  await close();
});

test("sample data from the empty state, and again from the menu", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.button("Load sample data").waitFor();
  await page.isAccessible("empty");
  await page.button("Load sample data").click();
  const dialog = page.page.getByRole("dialog", { name: "Sample data" });
  await dialog.getByRole("region").first().waitFor();
  await page.isAccessible("samples");
  await page.fits("samples");
  await dialog
    .getByRole("region", { name: "Garden shop" })
    .getByRole("button", { name: "100 documents", exact: true })
    .click();
  await dialog.waitFor({ state: "hidden" });
  // A script with questions to the data is open, and its first question has an answer.
  await page.page.getByRole("tab", { name: "Garden shop", selected: true }).waitFor();
  await page.run();
  await page.page.getByText("Turnover by month.").first().waitFor();
  await page.page
    .getByRole("button", { name: /^orders/ })
    .getByText("70", { exact: true })
    .waitFor();
  await page.page.getByRole("button", { name: "Add data" }).click();
  await page.page.getByRole("menuitem", { name: "Sample data…" }).click();
  await dialog.getByText("drops the database garden_shop").waitFor();
  await dialog
    .getByRole("region", { name: "Weather sensors" })
    .getByRole("button", { name: "100 documents", exact: true })
    .click();
  await dialog.waitFor({ state: "hidden" });
  await page.page
    .getByRole("button", { name: /^readings/ })
    .getByText("98", { exact: true })
    .waitFor();
  page.isQuiet();
  await close();
});

for (const colorScheme of ["light", "dark"]) {
  test(`the schema of a collection, ${colorScheme}: fields, shares, types and how values lie`, async () => {
    const { open, close } = await visit({ colorScheme });
    const page = await open();
    await page.page.getByRole("button", { name: "Load sample data" }).click();
    await page.page
      .getByRole("region", { name: "Weather sensors" })
      .getByRole("button", { name: "100 documents", exact: true })
      .click();
    await page.page.getByRole("button", { name: "Actions for readings" }).click();
    await page.page.getByRole("menuitem", { name: "Schema", exact: true }).click();
    const pane = page.page.getByRole("complementary", { name: "Schema" });
    await pane.getByText("By 98 documents").waitFor();
    const row = (name) =>
      pane.getByRole("row").filter({ has: page.page.getByRole("rowheader", { name, exact: true }) });
    await eventually(() => row("celsius").innerText(), /100 %[\s\S]*Double/);
    await row("celsius")
      .getByRole("img", { name: /How the values lie from/ })
      .waitFor();
    await row("at").getByText("Date").waitFor();
    await page.isAccessible("schema");
    await page.fits("schema");
    // It stays while one works, and follows the data and the chosen collection.
    await page.run("db.readings.insertMany([{ added: true }, { added: true }]); db.other.insertOne({ mine: 1 })");
    await pane.getByText("By 100 documents").waitFor();
    await row("added").getByText("2 %").waitFor();
    await page.page.getByRole("button", { name: /Find in other/ }).click();
    await pane.getByText("By the only document.").waitFor();
    await row("mine").waitFor();
    await page.page.setViewportSize(phone.viewport);
    await page.page.getByRole("navigation").getByRole("button", { name: "Data" }).click();
    await row("mine").waitFor();
    await page.isAccessible("schema on a phone");
    await page.fits("schema on a phone");
    await pane.getByRole("button", { name: "Close the schema" }).click();
    await page.page.getByRole("button", { name: /Find in other/ }).waitFor();
    page.isQuiet();
    await close();
  });
}
