/**
 * Settings and the script survive a reload, and whatever else storage holds does no harm.
 */
import { describe, expect, test } from "vitest";
import { keep, restore, type Kept } from "./persistence.ts";
import { clampSplit, defaultSettings, parseSettings } from "./settings.ts";

const defaults = defaultSettings(["en"]);

describe("the language of a first visit", () => {
  test.each([
    [["zh-CN", "en"], "zh-Hans"],
    [["de", "en-GB"], "en"],
    [["de", "zh"], "zh-Hans"],
    [["fr"], "en"],
    [[], "en"],
  ] as const)("%j", (preferred, language) => expect(defaultSettings(preferred).language).toBe(language));
});

describe("parseSettings", () => {
  test.each([null, "", "not json", "null", "[]", "7", '{"theme":"blue","batchSize":3,"split":"wide"}'])("%j gives the defaults", (stored) =>
    expect(parseSettings(stored, defaults)).toEqual(defaults),
  );

  test("keeps what is allowed", () => {
    expect(parseSettings('{"theme":"dark","batchSize":50,"split":0.3,"numbersAsDouble":true}', defaults)).toEqual({ ...defaults, theme: "dark", batchSize: 50, split: 0.3, numbersAsDouble: true });
  });

  test("a split never hides a page", () => {
    expect(clampSplit(0)).toBe(0.2);
    expect(clampSplit(2)).toBe(0.8);
  });
});

describe("storage", () => {
  test("gives back what was kept", () => {
    const held = new Map<string, string>();
    const storage = { getItem: (key: string) => held.get(key) ?? null, setItem: (key: string, value: string) => void held.set(key, value) };
    const kept: Kept = { settings: { ...defaults, theme: "dark" }, script: "db.a.find()", lesson: "cms", database: "cms" };
    keep(storage, kept, null);
    expect(restore(storage, ["en"])).toEqual(kept);
  });

  test("which is blocked or full is no error", () => {
    const broken = { getItem: () => { throw new Error("blocked"); }, setItem: () => { throw new Error("full"); } };
    const restored = restore(broken, ["en"]);
    expect(restored).toEqual({ settings: defaults, script: null, lesson: null, database: null });
    expect(() => keep(broken, { ...restored, script: "x" }, null)).not.toThrow();
    expect(restore(null, ["en"]).script).toBeNull();
  });
});
