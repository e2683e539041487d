/**
 * `<tab-list>`: the menu of all open scripts, and of those closed lately.
 *
 * Invariant: fetched when it is first opened; choosing a script puts the focus into it.
 */
import { customElement, property } from "lit/decorators.js";
import type { AppState } from "../state/model.ts";
import { MenuElement, type MenuItem } from "./data/menu-element.ts";
import { tabTitle } from "./tab-title.ts";

@customElement("tab-list")
export class TabList extends MenuElement {
  @property({ attribute: false }) app!: AppState;

  protected override get label(): string {
    return this.m["tabs.all"];
  }

  protected override entries(): readonly MenuItem[] {
    const { m, app, store, services } = this;
    const [closed] = app.closedTabs;
    return [
      ...app.tabs.map((tab) => ({
        label: tabTitle(m, tab),
        checked: tab.id === app.openTab,
        does: () => {
          store.dispatch({ kind: "tab-opened", tab: tab.id });
          services.act("focus");
        },
      })),
      { label: m["tabs.add"], apart: true, does: () => services.act("tab.new") },
      ...(closed === undefined
        ? []
        : [{ label: m["tabs.reopen"](tabTitle(m, closed.tab)), does: () => services.act("tab.reopen") }]),
    ];
  }
}
