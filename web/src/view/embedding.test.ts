/**
 * What the address of an embedded playground says is understood, and nothing else is.
 */
import { describe, expect, test } from "vitest";
import { encodeShared } from "../share/encode.ts";
import { defaultSettings } from "../state/settings.ts";
import { wishes } from "./embedding.ts";

const settings = defaultSettings(["en"]);

describe("an embedded playground", () => {
  test.each([
    ["?embedded=1", "system", "en"],
    ["?embedded=1&theme=dark&lang=zh-Hans", "dark", "zh-Hans"],
    ["?theme=purple&lang=en-GB", "system", "en"],
    ["?lang=zh-CN", "system", "zh-Hans"],
    ["?lang=", "system", "en"],
    ["?lang=fr", "system", "en"],
  ])("is dressed by %s", async (search, theme, language) => {
    expect(await wishes({ search, hash: "" }, settings)).toEqual({ settings: { ...settings, theme, language } });
  });

  test("shows the scripts of its fragment, the first one open", async () => {
    const hash = await encodeShared({
      scripts: [
        { name: "", source: "1" },
        { name: "second", source: "2" },
      ],
    });
    const { tabs } = await wishes({ search: "", hash }, settings);
    expect(tabs?.tabs.map(({ name, script }) => [name, script])).toEqual([
      [null, "1"],
      ["second", "2"],
    ]);
    expect(tabs?.openTab).toBe(1);
  });

  test("goes on without a fragment that cannot be read", async () => {
    expect((await wishes({ search: "", hash: "#q1.broken" }, settings)).tabs).toBeUndefined();
  });
});
