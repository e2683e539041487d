/**
 * Tabs open beside the open one, close with a way back, keep their order, and survive anything that storage holds.
 */
import { describe, expect, test } from "vitest";
import {
  addTab,
  changeTab,
  closeTab,
  keptClosed,
  moveTab,
  oneTab,
  openLesson,
  openTabOf,
  parseTabs,
  reopenTab,
  wordTabs,
  type Tabs,
} from "./tabs.ts";

const three = (): Tabs =>
  ["b", "c"].reduce((tabs, script) => addTab(tabs, { name: null, script, lesson: null }), oneTab("a", null));
const order = (tabs: Tabs): string =>
  tabs.tabs.map((tab) => (tab.id === tabs.openTab ? tab.script.toUpperCase() : tab.script)).join("");

describe("tabs", () => {
  test("a new one stands behind the open one", () => {
    expect(order(three())).toBe("abC");
    expect(order(addTab({ ...three(), openTab: 1 }, { name: null, script: "x", lesson: null }))).toBe("aXbc");
  });

  test.each([
    [3, 3, "aB"],
    [1, 1, "Bc"],
    [2, 3, "aC"],
  ])("closing %i with %i open", (id, openTab, left) => expect(order(closeTab({ ...three(), openTab }, id))).toBe(left));

  test("closing the last leaves an empty one, and what was closed comes back in its place", () => {
    const closed = closeTab(oneTab("a", "cms"), 1);
    expect(openTabOf(closed).script).toBe("");
    expect(reopenTab(closed).tabs).toEqual([{ id: 1, name: null, script: "a", lesson: "cms" }]);
    expect(order(reopenTab(closeTab(three(), 2)))).toBe("aBc");
    const many = Array.from({ length: keptClosed + 3 }).reduce<Tabs>(
      (tabs) => closeTab(addTab(tabs, { name: null, script: "x", lesson: null }), tabs.openTab),
      three(),
    );
    expect(many.closedTabs.length).toBe(keptClosed);
    expect(reopenTab(oneTab("a", null))).toEqual(oneTab("a", null));
  });

  test("ids are not used again while a closed tab could come back", () => {
    const again = addTab(closeTab(three(), 3), { name: null, script: "d", lesson: null });
    expect(again.openTab).toBe(4);
  });

  test.each([
    [1, 1, "baC"],
    [1, 9, "bCa"],
    [3, -1, "aCb"],
    [3, 1, "abC"],
  ])("tab %i moved by %i", (id, by, moved) => expect(order(moveTab(three(), id, by))).toBe(moved));

  test("an example opens once while it is unchanged", () => {
    const opened = openLesson(three(), "cms", "lesson");
    expect(opened.tabs.length).toBe(4);
    expect(openLesson({ ...opened, openTab: 1 }, "cms", "lesson").openTab).toBe(opened.openTab);
    expect(openLesson(changeTab(opened, opened.openTab, { script: "mine" }), "cms", "lesson").tabs.length).toBe(5);
  });

  test("names are trimmed, cut, and can be taken back", () => {
    expect(openTabOf(changeTab(oneTab("", null), 1, { name: "  seeds " })).name).toBe("seeds");
    expect(openTabOf(changeTab(oneTab("", null), 1, { name: "x".repeat(200) })).name?.length).toBe(60);
    expect(openTabOf(changeTab(oneTab("", null), 1, { name: " " })).name).toBeNull();
  });

  test("what is kept is read back; anything else is not", () => {
    const tabs = changeTab({ ...three(), openTab: 2 }, 2, { name: "two" });
    expect(parseTabs(wordTabs(tabs))).toEqual(tabs);
    for (const stored of [
      null,
      "",
      "{",
      "[]",
      "{}",
      '{"tabs":[]}',
      '{"tabs":[{"id":"1","script":""}]}',
      '{"tabs":[null,3]}',
    ])
      expect(parseTabs(stored)).toBeNull();
    expect(parseTabs('{"tabs":[{"id":4,"script":"x","name":3},{"id":4,"script":"y"}],"open":9}')).toEqual({
      tabs: [{ id: 4, name: null, script: "x", lesson: null }],
      openTab: 4,
      closedTabs: [],
    });
  });
});
