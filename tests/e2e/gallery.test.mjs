/**
 * Named views of the playground and of a page with a snippet, light and dark, at 1440, 1024 and 720 pixels and on a
 * phone: axe finds nothing, and nothing sticks out. Where pictures are wanted (`pictures.mjs`) they are named
 * NAME-light.png, NAME-dark-720.png, NAME-phone-dark.png and so on.
 *
 * Invariants: a view is looked at once it shows the named state and nothing moves: motion is reduced, the
 * clock stands. The views of a look share a tab and its sample data, and each begins without dialogs and results;
 * those that change the data come last.
 */
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { eventually, isGone, Page, withBrowser } from "./browser.mjs";
import { picture } from "./pictures.mjs";
import { serve } from "./server.mjs";

const { visit } = withBrowser();
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Each with the names of its pictures, by scheme. */
const looks = {
  // At the widths between, nothing sticks out.
  wide: { options: {}, schemes: { light: "light", dark: "dark" }, widths: [1024, 720] },
  phone: {
    options: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
    schemes: { light: "phone", dark: "phone-dark" },
    widths: [],
  },
};

const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self' blob:; style-src 'self'";
let host;
before(async () => {
  host = await serve(here("../../pkg/site"), 0, { "content-security-policy": policy });
});

const query = 'use garden_shop\ndb.products.find({ kind: "tool", price: { $gt: 30 } }).sort({ price: -1 })';

/** Brings a part of the page into view where one shows at a time. */
const show = async (page, pane) => {
  const bar = page.page.getByRole("navigation").getByRole("button", { name: pane });
  if (await bar.isVisible()) await bar.click();
};

const loadShop = async (page) => {
  await show(page, "Data");
  await page.page.getByRole("button", { name: "Load sample data" }).click();
  await page.page
    .getByRole("region", { name: "Garden shop" })
    .getByRole("button", { name: "100 documents", exact: true })
    .click();
  await page.page.getByRole("button", { name: /^products/ }).waitFor();
  const dismiss = page.page.getByRole("status", { name: "Message" }).getByRole("button", { name: "Dismiss" });
  await page.dialog("Sample data").waitFor({ state: "hidden" });
  // The message is there before the dialog closes, and goes by itself when nobody dismisses it.
  const dismissed = async () => {
    if ((await dismiss.count()) > 0) await dismiss.click({ timeout: 2000 });
    return dismiss.count();
  };
  await eventually(dismissed, 0);
};

const leaves = (page) => page.page.locator("page-leaf");

/** Takes away what the view before has left: a dialog, the panels beside the script and the data, results. */
const begin = async (page) => {
  const dialogs = page.page.locator("dialog[open]");
  if ((await dialogs.count()) > 0) await page.page.keyboard.press("Escape");
  await isGone(dialogs);
  if ((await page.page.locator("pipeline-panel, schema-view").count()) > 0) await page.reload();
  if ((await leaves(page).count()) === 0) return;
  await show(page, "Results");
  await page.button("Clear", { exact: true }).click();
  await isGone(leaves(page));
};

/** Runs a script whose result is the only one then. */
const runShop = async (page, script = query) => {
  await show(page, "Script");
  await page.write(script);
  await page.pressRun();
  await show(page, "Results");
  await leaves(page)
    .getByRole("button", { name: /^Remove/ })
    .waitFor();
  await page.newest.locator(".body").waitFor();
};

const as = (view) => async (page) => {
  await runShop(page);
  await page.newest.getByRole("button", { name: view, exact: true }).click();
};

const menuOf = (entry, ready) => async (page) => {
  await show(page, "Data");
  await page.page.getByRole("button", { name: "Actions for products" }).click();
  await page.page.getByRole("menuitem", { name: entry, exact: true }).click();
  await ready(page.page);
};

/** The views that need no data: the name of each one's picture, and the steps to it. */
const bareViews = {
  empty: async () => {},
  share: async (page) => {
    await show(page, "Script");
    await page.page.getByRole("button", { name: "Share" }).click();
    await page.page.getByRole("dialog").getByRole("textbox").first().waitFor();
  },
};

/** Those of the sample data. */
const views = {
  "results-tree": async (page) => {
    await as("Tree")(page);
    await page.newest.getByRole("treeitem").first().click();
    await page.page.keyboard.press("ArrowRight");
    await page.newest.getByRole("treeitem", { name: /^details/ }).waitFor();
  },
  "results-table": async (page) => {
    await as("Table")(page);
    await page.newest.getByRole("grid").waitFor();
  },
  "results-json": async (page) => {
    await as("Text")(page);
    await page.newest.getByLabel("Wording").selectOption("relaxed");
    await page.newest.locator("value-text pre").waitFor();
  },
  explain: async (page) => {
    await runShop(page, `${query}.explain("executionStats")`);
    await page.newest.getByText(/SORT/).first().waitFor();
  },
  statements: async (page) => {
    await runShop(page, `${query.replace("\n", "\ndb.products.countDocuments()\nprint('dear tools:')\n")}`);
    await page.newest.locator("leaf-statements").getByText("dear tools:", { exact: true }).waitFor();
  },
  error: async (page) => {
    await runShop(
      page,
      `use garden_shop\nconst slugs = db.products.find().toArray().map((one) => one.slug)\nprint(slugs.length)\ndb.products.insertOne({ _id: 1, slug: slugs[0] })\n`,
    );
    await page.newest.locator(".error .message").waitFor();
  },
  cards: async (page) => {
    await show(page, "Script");
    await page.write(
      'use garden_shop\ndb.products.aggregate([{ $match: { kind: "tool" } }, { $group: { _id: "$kind", dear: { $max: "$price" } } }])',
    );
    await page.page.locator("[data-tool=pipeline]").click();
    await page.page.locator("pipeline-panel li.card").nth(1).getByText("dear").first().waitFor();
  },
  palette: async (page) => {
    await show(page, "Script");
    await page.page.getByRole("button", { name: "Find an action" }).click();
    await page.page.getByRole("option").first().waitFor();
  },
  import: async (page) => {
    await show(page, "Data");
    await page.page.getByRole("button", { name: "Add data" }).click();
    await page.page.getByRole("menuitem", { name: "Import…" }).click();
    const [chooser] = await Promise.all([
      page.page.waitForEvent("filechooser"),
      page.page.getByRole("button", { name: "Choose files" }).click(),
    ]);
    await chooser.setFiles({
      name: "beds.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(
        "bed,sown,herb.name,plants\nnorth,2024-05-01,rue,12\nsouth,2024-05-02,sage,7\nwest,2024-05-09,lavender,30\n",
      ),
    });
    await page.page.getByRole("combobox", { name: "herb.name" }).waitFor();
  },
  indexes: menuOf("New index…", async (page) => {
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Field 1", { exact: true }).fill("details");
    await dialog.getByLabel("Kind of field 1").selectOption("wildcard");
  }),
  schema: menuOf("Schema", (page) =>
    page
      .getByRole("complementary")
      .getByText(/^By \d+ documents/)
      .waitFor(),
  ),
  model: async (page) => {
    await show(page, "Data");
    await page.page.getByRole("button", { name: "Actions for garden_shop", exact: true }).click();
    await page.page.getByRole("menuitem", { name: "Model", exact: true }).click();
    const panel = page.page.locator("model-panel");
    await panel.getByText("3 collections · 2 references").waitFor();
    const line = panel.locator("model-facts").getByRole("button", { name: /orders\.customer/ });
    await line.click();
    await panel.getByText("All 10 different values are keys.").waitFor();
  },
  validators: async (page) => {
    await views.model(page);
    await page.button("Validators…").click();
    await page.button("Check the documents").click();
    await page.page.getByText("all 70 documents pass").waitFor();
  },
  tree: menuOf("Show its tree", (page) =>
    page
      .getByRole("dialog")
      .getByText(/entries on/)
      .waitFor(),
  ),
  plan: async (page) => {
    await runShop(page, `use garden_shop\ndb.products.createIndex({ kind: 1 })\n${query.split("\n")[1]}`);
    await page.newest.locator("page-insight summary").first().click();
    await page.newest.locator("plan-flow").getByText("IXSCAN", { exact: true }).first().waitFor();
  },
  pages: async (page) => {
    await views.plan(page);
    await page.newest.getByRole("button", { name: "Pages it touched" }).click();
    await page.page
      .getByRole("dialog")
      .getByText(/they are framed/)
      .waitFor();
  },
  timeline: async (page) => {
    await runShop(page, 'use garden_shop\ndb.products.updateMany({ kind: "tool" }, { $inc: { price: 1 } })');
    await show(page, "Script");
    await page.button("Timeline", { exact: true }).click();
    await page.page.locator("timeline-changes .documents li").first().waitFor();
  },
};

for (const [look, { options, schemes, widths }] of Object.entries(looks)) {
  test(`the playground, ${look}`, async (t) => {
    const { open, close } = await visit({ ...options, reducedMotion: "reduce" });
    const page = await open();
    // A phone shows the elements of a wide window, and a bar of its own, which is there in its first view already.
    let darkIsSeen = false;
    const shown = (name, go) =>
      t.test(name, async () => {
        await begin(page);
        await go(page);
        await keep(page, name, schemes, widths, { darkIsSeen });
        darkIsSeen = look === "phone";
      });
    for (const [name, go] of Object.entries(bareViews)) await shown(name, go);
    await begin(page);
    await loadShop(page);
    for (const [name, go] of Object.entries(views)) await shown(name, go);
    await close();
  });

  test(`snippet, ${look}`, async () => {
    const { context, close } = await visit({ ...options, reducedMotion: "reduce" });
    const sheet =
      ":root{color-scheme:light dark}body{font:1rem/1.6 Georgia,serif;margin:0;background:light-dark(#fff,#111);color:light-dark(#222,#eee)}main{max-width:44rem;margin:2rem auto;padding:0 1rem}";
    const text = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Herbs</title><link rel="stylesheet" href="page.css"><main><h1>Finding herbs</h1>
<p>A filter names fields and the values they should have. This one asks for the herbs that tea is made of, tallest first.</p>
<quire-snippet editable setup='db.herbs.insertMany([{ latin: "Salvia officinalis", uses: ["tea", "kitchen"], height: 60 }, { latin: "Mentha spicata", uses: ["tea"], height: 45 }, { latin: "Lavandula", height: 50 }])'><pre>db.herbs.find({ uses: "tea" })
  .sort({ height: -1 })</pre></quire-snippet>
<p>Change <code>"tea"</code> to <code>"kitchen"</code> and run it again.</p>
<quire-snippet><pre>db.herbs.countDocuments()</pre></quire-snippet></main><script type="module" src="element.js"></script></html>`;
    await context.route("**/page.html", (route) =>
      route.fulfill({ contentType: "text/html", headers: { "content-security-policy": policy }, body: text }),
    );
    await context.route("**/page.css", (route) => route.fulfill({ contentType: "text/css", body: sheet }));
    const page = new Page(await context.newPage());
    await page.page.goto(`${host.url}page.html`);
    const snippet = page.page.locator("quire-snippet").first();
    await snippet.getByRole("button", { name: "Run" }).click();
    await snippet.getByText(/Mentha spicata/).waitFor();
    await keep(page, "snippet", schemes, widths);
    await close();
  });
}

/** Looks at a view in both schemes, at other widths too; leaves the page as it was. */
async function keep(page, name, schemes, widths, options) {
  const size = page.page.viewportSize();
  await page.page.evaluate(() => document.fonts.ready.then(() => undefined));
  const look = async (scheme) => {
    await page.fits(`${name}, ${schemes[scheme]}`);
    await picture(page.page, `${name}-${schemes[scheme]}`);
  };
  await page.isAccessibleInBoth(name, look, options);
  for (const width of widths) {
    await page.page.setViewportSize({ width, height: 768 });
    for (const [colorScheme, look] of Object.entries(schemes)) {
      await page.page.emulateMedia({ colorScheme });
      await page.fits(`${name}, ${look}, ${width}`);
      await picture(page.page, `${name}-${look}-${width}`);
    }
  }
  await page.page.setViewportSize(size);
  await page.page.emulateMedia({ colorScheme: null });
}
