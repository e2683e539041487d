/**
 * How results are shown: what a row begins with, tables that are arranged, a result that fills its pane, deletion,
 * results after a reload, and on paper.
 */
import { test } from "node:test";
import { eventually, withBrowser } from "./browser.mjs";

const { visit } = withBrowser();

const films = `db.films.drop();
for (let n = 0; n < 60; n++)
  db.films.insertOne({ kind: "film", year: 1990 + (n % 5), title: "Film " + (59 - n), seen: n % 2 === 0 });
`;

test("a row begins with what tells documents apart, and a generated _id is short", async () => {
  const { open, close } = await visit();
  const page = await open();
  await page.run(`${films}db.films.find()`);
  const tree = page.newest.getByRole("tree");
  const second = tree.getByRole("treeitem", { name: /Film 58/ });
  await eventually(() => second.locator(".content").innerText(), /^2\{ title: "Film 58", year: 1991, /);
  // The whole of it is there for who copies or hears it; only its end is seen until the row is pointed at.
  const id = second.locator(".short-id");
  await eventually(() => id.textContent(), /^[0-9a-f]{24}$/);
  const width = () => id.evaluate((element) => element.getBoundingClientRect().width);
  const short = await width();
  await page.pointsOut(second, second);
  await eventually(width, (wide) => wide > 2 * short);

  await page.newest.getByRole("button", { name: "Table" }).click();
  const heads = page.newest.getByRole("grid").getByRole("columnheader");
  await eventually(
    async () => (await heads.allInnerTexts()).slice(1, 4).map((text) => text.split("\n")[0]),
    ["title", "_id", "kind"],
  );

  // A _id that a person chose is as it is.
  await page.run('db.beds.insertMany([{ n: 1, _id: "north" }, { n: 2, _id: "south" }]); db.beds.find()');
  await page.newest.getByRole("button", { name: "Tree" }).click();
  await eventually(
    () => tree.getByRole("treeitem").last().locator(".content").innerText(),
    /^2\{ _id: "south", n: 2 \}/,
  );
  page.isQuiet();
  await close();
});
