/**
 * `<column-menu>`: the menu of a table's column: sort by it, pin it, hide it, give it another width.
 *
 * Invariant: tells the reader's wish by the event `chosen`; the table carries it out.
 */
import { customElement, property } from "lit/decorators.js";
import { resultMessagesOf, type ResultMessages } from "../../messages/results/words.ts";
import { MenuElement, type MenuItem } from "../data/menu-element.ts";

export type ColumnWish = "up" | "down" | "unsorted" | "pin" | "unpin" | "hide" | "wider" | "narrower" | "fit";

@customElement("column-menu")
export class ColumnMenu extends MenuElement {
  /** The column's name as it is shown. */
  @property() name = "";
  @property({ attribute: false }) wishes: readonly ColumnWish[] = [];
  /** The table's element that takes the focus back when the menu closes. */
  @property({ attribute: false }) table!: HTMLElement;

  private get r(): ResultMessages {
    return resultMessagesOf(this.store.state.settings.language);
  }

  protected override get origin(): HTMLElement {
    return this.table;
  }

  protected override get label(): string {
    return this.r["column.menu"](this.name);
  }

  protected override entries(): readonly MenuItem[] {
    return this.wishes.map((wish) => ({
      label: this.r[`column.${wish}`],
      does: () => this.dispatchEvent(new CustomEvent<ColumnWish>("chosen", { detail: wish })),
      apart: wish === "pin" || wish === "unpin" || wish === "wider",
    }));
  }
}
