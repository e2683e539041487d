/**
 * Settings and the script survive a reload, and whatever else storage holds does no harm.
 */
import { describe, expect, test } from "vitest";
import { keep, restore, type Kept } from "./persistence.ts";
import { clampAside, clampSplit, defaultSettings, fontSizes, nextFontSize, parseSettings } from "./settings.ts";
import { oneTab } from "./tabs.ts";

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
  test.each([null, "", "not json", "null", "[]", "7", '{"theme":"blue","batchSize":3,"split":"wide"}'])(
    "%j gives the defaults",
    (stored) => expect(parseSettings(stored, defaults)).toEqual(defaults),
  );

  test("keeps what is allowed", () => {
    expect(parseSettings('{"theme":"dark","batchSize":50,"split":0.3,"numbersAsDouble":true}', defaults)).toEqual({
      ...defaults,
      theme: "dark",
      batchSize: 50,
      split: 0.3,
      numbersAsDouble: true,
    });
  });

  test("a split never hides a page", () => {
    expect(clampSplit(0)).toBe(0.2);
    expect(clampSplit(2)).toBe(0.8);
    expect([clampAside(0), clampAside(200.4), clampAside(9999)]).toEqual([150, 200, 480]);
  });
});

describe("storage", () => {
  test("gives back what was kept", () => {
    const held = new Map<string, string>();
    const storage = {
      getItem: (key: string) => held.get(key) ?? null,
      setItem: (key: string, value: string) => void held.set(key, value),
    };
    const kept: Kept = {
      settings: { ...defaults, theme: "dark" },
      tabs: oneTab("db.a.find()", "cms"),
      database: "cms",
    };
    keep({ local: storage, session: null }, kept, null);
    expect(restore({ local: storage, session: null }, ["en"])).toEqual(kept);
  });

  test("gives each window its own scripts, and a new one the newest", () => {
    const place = () => {
      const held = new Map<string, string>();
      return {
        getItem: (key: string) => held.get(key) ?? null,
        setItem: (key: string, value: string) => void held.set(key, value),
      };
    };
    const local = place();
    const [one, two] = [
      { local, session: place() },
      { local, session: place() },
    ];
    for (const [places, script] of [
      [one, "one"],
      [two, "two"],
    ] as const)
      keep(places, { settings: defaults, tabs: oneTab(script, null), database: script }, null);
    expect(restore(one, ["en"])).toMatchObject({ tabs: oneTab("one", null), database: "one" });
    expect(restore({ local, session: place() }, ["en"]).tabs).toEqual(oneTab("two", null));
  });

  test("which is blocked or full is no error", () => {
    const broken = {
      getItem: () => {
        throw new Error("blocked");
      },
      setItem: () => {
        throw new Error("full");
      },
    };
    const restored = restore({ local: broken, session: broken }, ["en"]);
    expect(restored).toEqual({ settings: defaults, tabs: null, database: null });
    expect(() => keep({ local: broken, session: null }, { ...restored, tabs: oneTab("x", null) }, null)).not.toThrow();
    expect(restore({ local: null, session: null }, ["en"]).tabs).toBeNull();
  });
});

test("the script's letters grow and shrink by the row of sizes, and stop at its ends", () => {
  expect([nextFontSize(14, 1), nextFontSize(14, -1), nextFontSize(17, 1)]).toEqual([15, 13, 18]);
  expect([nextFontSize(fontSizes[0], -1), nextFontSize(fontSizes.at(-1) ?? 0, 1)]).toEqual([11, 28]);
  expect(parseSettings('{"fontSize":20}', defaults).fontSize).toBe(20);
  expect(parseSettings('{"fontSize":200}', defaults).fontSize).toBe(14);
});
