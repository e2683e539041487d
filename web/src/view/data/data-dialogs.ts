/**
 * `<data-dialogs>`: the modal dialog around every change of the data.
 *
 * Invariants: a native `<dialog>`, which traps the focus and gives it back; where the element that had it is gone, the
 * list of databases gets it. Which dialog is open is in the state.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { insightMessagesOf } from "../../messages/xray/insight-words.ts";
import { shownCommand, type AppState, type DataDialog, type Leaf } from "../../state/model.ts";
import type { Inside } from "../../state/xray/insides.ts";
import { titleOfInside, type InsideOf } from "../../xray/inside-view.ts";
import { closeIcon } from "../../look/icons.ts";
import { dialogStyles } from "../../look/dialog.ts";
import { shared } from "../../look/shared.ts";
import { xrayHost } from "../xray-host.ts";
import { DataElement } from "./data-element.ts";
import "./collection-forms.ts";
import "./drop-forms.ts";
import "./export-form.ts";
import "./import-form.ts";
import "./index-form.ts";
import "./samples-form.ts";

/** The dialogs that show more than a form. */
const wide = new Set<DataDialog["kind"] | undefined>(["ring", "dial", "pipeline", "tree", "pages", "lookup"]);

@customElement("data-dialogs")
export class DataDialogs extends DataElement {
  @property({ attribute: false }) app!: AppState;
  @query("dialog") private dialog!: HTMLDialogElement;

  static override styles = [shared, dialogStyles, css`dialog.wide { width: min(58rem, calc(100vw - 2rem)); }`];

  protected override updated(changed: PropertyValues): void {
    const before = changed.get("app") as AppState | undefined;
    const open = this.app.dataDialog !== null;
    if (open && !this.dialog.open) this.dialog.showModal();
    else if (!open && this.dialog.open && before !== undefined) this.dialog.close();
  }

  private forget(): void {
    this.store.dispatch({ kind: "data-dialog-changed", dialog: null });
  }

  /** The event comes some time after the dialog closed: it may be open again by then. */
  private closed(): void {
    if (this.dialog.open) return;
    this.forget();
    // The row that opened it may be gone, as that of a dropped collection.
    setTimeout(() => {
      if (document.activeElement === null || document.activeElement === document.body)
        this.dispatchEvent(new CustomEvent("focus-lost", { bubbles: true, composed: true }));
    });
  }

  protected override render(): TemplateResult {
    const { app, d } = this;
    const dialog = app.dataDialog;
    return html`<dialog class=${wide.has(dialog?.kind) ? "wide" : ""} aria-labelledby="title"
      @close=${() => this.closed()}
      @cancel=${(event: Event) => event.target === this.dialog && this.forget()}
      @click=${(event: MouseEvent) => event.target === this.dialog && this.dialog.close()}>
      ${
        dialog === null
          ? nothing
          : html`<div class="top"><h2 id="title">${this.heading(dialog)}</h2><button class="quiet icon"
            aria-label=${d["close"]} title=${d["close"]}
            @click=${() => this.dialog.close()}>${closeIcon()}</button></div>
            <div class="inside">${keyed(dialog, this.content(dialog))}</div>`
      }
    </dialog>`;
  }

  private heading(dialog: DataDialog): string {
    const { d } = this;
    switch (dialog.kind) {
      case "create-collection":
        return d["create.title"];
      case "rename-collection":
        return d["rename.title"](dialog.collection);
      case "drop-collection":
        return d["drop.collection.title"](dialog.collection);
      case "drop-database":
        return d["drop.database.title"](dialog.database);
      case "create-index":
        return d["index.title"](dialog.collection);
      case "drop-index":
        return d["drop.index.title"](dialog.index);
      case "import":
        return d["import.title"];
      case "export":
        return d["export.title"](dialog.collection);
      case "dump":
        return dialog.database === null ? d["dump.title.all"] : d["dump.title"](dialog.database);
      case "export-result":
        return d["export.result"](this.words.number(dialog.leaf));
      case "samples":
        return d["sample.title"];
      case "pipeline":
        return d["xray.pipeline"](this.words.number(dialog.leaf));
      case "ring":
      case "dial":
      case "tree":
      case "pages":
      case "lookup":
        return titleOfInside(dialog, insightMessagesOf(this.words.language));
    }
  }

  private content(dialog: DataDialog): TemplateResult {
    const { app } = this;
    switch (dialog.kind) {
      case "create-collection":
        return html`<create-collection-form .app=${app} .database=${dialog.database}></create-collection-form>`;
      case "rename-collection":
        return html`<rename-collection-form .app=${app} .database=${dialog.database}
          .collection=${dialog.collection}></rename-collection-form>`;
      case "drop-collection":
        return html`<drop-collection-form .app=${app} .database=${dialog.database}
          .collection=${dialog.collection}></drop-collection-form>`;
      case "drop-database":
        return html`<drop-database-form .app=${app} .database=${dialog.database}></drop-database-form>`;
      case "create-index":
        return html`<create-index-form .app=${app} .database=${dialog.database}
          .collection=${dialog.collection}></create-index-form>`;
      case "drop-index":
        return html`<drop-index-form .app=${app} .database=${dialog.database} .collection=${dialog.collection}
          .index=${dialog.index}></drop-index-form>`;
      case "import":
        return html`<import-form .app=${app} .database=${dialog.database} .collection=${dialog.collection}
          .files=${dialog.files}></import-form>`;
      case "export":
        return html`<export-form .app=${app} .database=${dialog.database}
          .collection=${dialog.collection}></export-form>`;
      case "dump":
        return html`<dump-form .app=${app} .database=${dialog.database}></dump-form>`;
      case "export-result":
        return html`<export-form .app=${app} .leaf=${dialog.leaf}></export-form>`;
      case "samples":
        return html`<samples-form .app=${app}></samples-form>`;
      case "ring":
      case "dial":
      case "tree":
        return this.inside(dialog, null);
      case "pipeline":
      case "lookup":
        return this.inside(dialog, this.app.leaves.find(({ number }) => number === dialog.leaf) ?? null);
      case "pages":
        return this.inside(dialog, this.touching(dialog.leaf));
    }
  }

  private inside(inside: Inside, leaf: Leaf | null): TemplateResult {
    return html`<inside-view .host=${xrayHost(this.controller, this.words)} .inside=${inside}
      .run=${leaf === null ? null : runOf(leaf)}
      @page-wanted=${({ detail }: CustomEvent<number>) => this.openPage(detail)}></inside-view>`;
  }

  /** The run whose pages are shown: the one that was asked for, or the last that is known to have touched any. */
  private touching(number: number | null): Leaf | null {
    const { leaves } = this.app;
    const leaf =
      number === null ? leaves.find(({ touched }) => touched != null) : leaves.find((each) => each.number === number);
    return leaf ?? null;
  }

  private openPage(page: number): void {
    this.store.dispatch({ kind: "data-dialog-changed", dialog: { kind: "pages", page, leaf: null } });
  }
}

/** A run as drawings know it. */
function runOf(leaf: Leaf): InsideOf {
  const { number, touched, value } = leaf;
  const given = value.kind === "cursor" ? value.documents.length : 0;
  return { number, pages: touched ?? null, cursor: shownCommand(leaf), given };
}
