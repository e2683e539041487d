/** Addresses say which example, database, language and colours they are about, and nothing that is kept. */
import { expect, test } from "vitest";
import { carrying, dressed, exampleOf, undressed, wishesOf, withoutWishes } from "./links.ts";
import { defaultSettings } from "./settings.ts";

test.each([
  ["", null, null, null],
  ["?theme=dark&lang=zh-CN&db=shop", "dark", "zh-Hans", "shop"],
  ["?theme=system&lang=en-GB", "system", "en", null],
  ["?theme=purple&lang=fr&db=a.b", null, null, null],
  ["?lang=english&db=", null, null, null],
  ["?deployment=x&db=%E5%BA%93", null, null, "库"],
  [`?db=${"x".repeat(64)}`, null, null, null],
])("%s", (search, theme, language, database) => expect(wishesOf(search)).toEqual({ theme, language, database }));

test.each([
  ["./lab.html", "?lang=zh&theme=dark&db=shop", "./lab.html?theme=dark&lang=zh"],
  ["./index.html#q1.x", "?lang=zh", "./index.html?lang=zh#q1.x"],
  ["./course.html?lesson=a", "?theme=dark", "./course.html?lesson=a&theme=dark"],
  ["./course.html?lang=en", "?lang=zh", "./course.html?lang=en"],
  ["/quire/", "", "/quire/"],
])("%s after %s keeps the language and colours of the visit", (address, search, carried) =>
  expect(carrying(address, search)).toBe(carried),
);

test("a wish is not kept, and a choice is", () => {
  const own = defaultSettings(["en"]);
  const wishes = wishesOf("?theme=dark&lang=zh");
  const shown = dressed(own, wishes);
  expect([shown.theme, shown.language]).toEqual(["dark", "zh-Hans"]);
  expect(undressed({ ...shown, batchSize: 50 }, wishes, own)).toEqual({ ...own, batchSize: 50 });
  expect(undressed({ ...shown, theme: "light" }, wishes, own)).toEqual({ ...own, theme: "light" });
  expect(withoutWishes("https://x.example/a?theme=dark&lang=zh&db=shop#q1.x", ["theme", "language"])).toBe(
    "https://x.example/a?db=shop#q1.x",
  );
});

test.each([
  ["#example=garden-shop", "garden-shop"],
  ["#example=", null],
  ["#q1.abc", null],
  ["#example=a/b", null],
])("%s", (hash, example) => expect(exampleOf(hash)).toBe(example));
