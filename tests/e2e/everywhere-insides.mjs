/**
 * For `everywhere.test.mjs`: the views of the insides in Firefox and WebKit: plan, pages, tree and split, ring, dial,
 * pipeline cards, timeline and model open, draw something, and the browser complains of nothing. Their contents are tested
 * in Chromium (`xray`, `insides`, `plan`, `pipeline`, `timeline`, `model`).
 */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { eventually } from "./browser.mjs";
import { ask, engines, firstOf, found, listen, press, shows, write } from "./engines.mjs";
import { serve } from "./server.mjs";

const data = `
db.teas.insertMany(Array.from({ length: 3000 }, (_, n) => ({ _id: n, price: n % 90, name: "tea " + n })));
db.teas.createIndex({ price: 1 });
db.createCollection("log", { capped: true, size: 4096, max: 20 });
for (let n = 0; n < 30; n++) db.log.insertOne({ n });
db.sessions.createIndex({ at: 1 }, { expireAfterSeconds: 3600 });
db.sessions.insertMany(Array.from({ length: 8 }, (_, n) => ({ n, at: new Date(Date.now() - n * 60000) })));
const shop = db.getSiblingDB("shop");
shop.users.insertMany(["ada", "bo", "cy"].map((name) => ({ _id: new ObjectId(), name })));
shop.orders.insertMany(shop.users.find().toArray().flatMap(({ _id }) => [{ user: _id }, { user: _id }]));
db.teas.find({ price: 7 });
`;

/** How large the first element of a selector is drawn. */
const sizeOf = (selector) =>
  `((element) => element === null ? 0 : element.getBoundingClientRect().width * element.getBoundingClientRect().height)(${firstOf(selector)})`;

/** How many colours the first canvas shows. */
const colours = `((canvas) => {
  if (canvas === null || canvas.width === 0) return 0;
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, Math.min(canvas.height, 64));
  const seen = new Set();
  for (let at = 0; at < data.length; at += 4) seen.add(data.slice(at, at + 4).join());
  return seen.size;
})(${firstOf("canvas")})`;

let site;
before(async () => {
  site = await serve(fileURLToPath(new URL("../../web/dist/site", import.meta.url)));
});

for (const { name, skip, shared } of engines.filter((engine) => engine.name !== "Chromium")) {
  test(`${name}: each view of the insides opens and draws`, { skip }, async () => {
    const browser = await shared();
    const tab = await browser.tab();
    await tab.goto(site.url);
    await ask(tab, listen);
    await shows(tab, "[data-storage]:not([data-storage=opening])");
    const isDrawn = (selector) =>
      eventually(
        () => tab.evaluate(sizeOf(selector)),
        (size) => size > 100,
        `${selector} is drawn`,
      );
    const count = (selector) => tab.evaluate(`(${found})(${JSON.stringify(selector)}, null).length`);
    const close = async () => {
      await press(tab, "dialog button", "Close");
      await eventually(() => count("dialog[open]"), 0);
    };
    const choose = async (collection, item) => {
      await press(tab, "button", `Actions for ${collection}`);
      await press(tab, "[role=menuitem]", item);
    };

    await write(tab, data);
    await press(tab, "button.run");
    await shows(tab, "page-leaf", "price_1");
    await press(tab, "page-insight summary, summary:has(.verdict)");
    await shows(tab, ".name", "IXSCAN");
    await isDrawn("plan-flow");
    await press(tab, "button", "Pages it touched");
    await shows(tab, "xray-pages", "Run 1 read");
    await eventually(
      () => tab.evaluate(colours),
      (count) => count > 5,
      "the map's colours",
    );
    await close();

    await choose("teas", "Show its tree");
    await isDrawn(".node.branch");
    await press(tab, "button", "Insert until a page splits");
    await shows(tab, "split-steps", "The separator");
    await isDrawn(".page.full");
    await press(tab, "split-steps button, .buttons button", "Next step");
    await isDrawn(".page.new");
    await close();

    await choose("log", "Show as a ring");
    await isDrawn("path.document");
    assert.equal(await count("path.document"), 20);
    await close();

    await choose("sessions", "When documents expire");
    await isDrawn("ttl-dial svg, svg.drawing");
    await close();

    await choose("shop", "Model");
    await shows(tab, "svg", "orders");
    await shows(tab, "[role=status]", "2 collections · 1 reference");
    await close();

    await write(tab, "db.teas.aggregate([{ $match: { price: 7 } }, { $sort: { _id: -1 } }, { $limit: 3 }])");
    await press(tab, "[data-tool=pipeline]");
    await isDrawn("li.card");
    await eventually(() => count("li.card"), 3);
    await shows(tab, "li.card", "2977");

    await press(tab, "button", "Timeline");
    await shows(tab, "timeline-panel", "Before the first change");
    await isDrawn("timeline-panel input[type=range], input[type=range]");

    assert.deepEqual([...tab.errors, ...(await tab.evaluate("globalThis.complaints"))], []);
    await tab.close();
  });
}
