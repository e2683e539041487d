/**
 * `<page-desk>`: the panels which lie over the page for a moment, in one native modal dialog.
 *
 * Invariants: the browser's `<dialog>` holds the focus and closes on Escape; which panel is open is in the state; a
 * panel that is heavy is fetched when it is first opened.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import type { AppState, Desk } from "../../state/model.ts";
import { closeIcon } from "../../look/icons.ts";
import { shared } from "../../look/shared.ts";
import { tellMissed } from "../missed-part.ts";
import { DeskElement } from "./desk-element.ts";
import "./desk-copy.ts";
import "./desk-history.ts";
import "./desk-keys.ts";
import "./desk-palette.ts";
import "./desk-share.ts";
import "./desk-shared.ts";

@customElement("page-desk")
export class PageDesk extends DeskElement {
  @property({ attribute: false }) app!: AppState;
  /** Text typed while this was on its way; to be asked for once a panel has the focus. */
  @property({ attribute: false }) typed: () => string = () => "";
  @query("dialog") private dialog!: HTMLDialogElement;

  static override styles = [
    shared,
    css`
      dialog {
        width: min(42rem, calc(100vw - 2rem)); max-height: calc(100dvh - 2rem); padding: 0;
        border: 1px solid var(--rule-strong); border-radius: 6px; background: var(--paper); color: var(--ink);
        box-shadow: 0 1rem 3rem var(--shade); overflow: hidden;
      }
      dialog[open] { display: flex; flex-direction: column; }
      dialog::backdrop { background: rgb(30 22 12 / 0.45); }
      dialog.timeline { width: min(76rem, calc(100vw - 2rem)); height: calc(100dvh - 2rem); }
      dialog.model { width: calc(100vw - 2rem); height: calc(100dvh - 2rem); }
      dialog:is(.timeline, .model) .inside { flex: 1; display: flex; flex-direction: column; overflow: hidden; }
      dialog.palette { margin-top: 12vh; width: min(36rem, calc(100vw - 2rem)); max-height: 70dvh; }
      .top {
        display: flex; align-items: center; justify-content: space-between; gap: 0.5rem;
        padding: 0.9rem 0.75rem 0.25rem 1.5rem;
      }
      h2 { font-size: 1.4rem; font-weight: 500; }
      .inside { min-height: 0; overflow: auto; padding: 0.25rem 1.5rem 1.5rem; }
      @media (max-width: 759px) {
        dialog, dialog.palette, dialog.timeline, dialog.model {
          width: calc(100vw - 1rem); max-width: none; max-height: calc(100dvh - 1rem);
        }
        dialog.palette { margin-top: 0.5rem; }
        dialog:is(.timeline, .model) { height: calc(100dvh - 1rem); }
        dialog:is(.timeline, .model) .inside { overflow: auto; }
        .top { padding: 0.6rem 0.5rem 0.25rem 1rem; }
        .inside { padding: 0.25rem 1rem 1rem; }
      }
    `,
  ];

  protected override willUpdate(): void {
    // The panels' elements upgrade in place once their code is there.
    if (this.app.desk.kind === "timeline") this.fetched(import("../timeline/timeline-panel.ts"));
    else if (this.app.desk.kind === "model") this.fetched(import("../model/model-panel.ts"));
  }

  private fetched(panel: Promise<unknown>): void {
    const { desk } = this.app;
    panel.catch((failure: unknown) => {
      this.close();
      tellMissed(this.services, failure, { kind: "desk-opened", desk });
    });
  }

  protected override updated(_changed: PropertyValues): void {
    const open = this.app.desk.kind !== "none";
    if (open && !this.dialog.open) this.dialog.showModal();
    else if (!open && this.dialog.open) this.dialog.close();
    // The palette takes it itself.
    if (this.app.desk.kind !== "palette") this.typed();
  }

  protected override render(): TemplateResult {
    const { t } = this;
    const { desk } = this.app;
    const title = this.title_(desk);
    return html`<dialog
      class=${desk.kind}
      aria-label=${title ?? t["palette.label"]}
      @close=${() => this.closed()}
      @cancel=${(event: Event) => event.target === this.dialog && this.close()}
      @click=${(event: MouseEvent) => event.target === this.dialog && this.close()}
    >
      ${
        title === null
          ? nothing
          : html`<div class="top"><h2>${title}</h2><button class="quiet icon"
              aria-label=${t["close"]} title=${t["close"]} @click=${() => this.close()}>${closeIcon()}</button></div>`
      }
      ${
        desk.kind === "palette"
          ? html`<desk-palette .app=${this.app} .typed=${this.typed}></desk-palette>`
          : html`<div class="inside" tabindex=${desk.kind === "keys" ? 0 : nothing}>${this.panel(desk)}</div>`
      }
    </dialog>`;
  }

  /** The event comes some time after the dialog closed: it may be open again by then, with another panel. */
  private closed(): void {
    if (!this.dialog.open && this.app.desk.kind !== "none") this.close();
  }

  /** The panel's heading; the palette has none. */
  private title_(desk: Desk): string | null {
    const { t } = this;
    switch (desk.kind) {
      case "none":
      case "palette":
        return null;
      case "keys":
        return t["keys.title"];
      case "history":
        return t["history.title"];
      case "timeline":
        return t["timeline.title"];
      case "model":
        return t["model.title"](desk.database);
      case "share":
        return t["share.title"];
      case "copy":
        return t["copy.title"];
      case "shared":
        return desk.scripts === null ? t["shared.failed"] : t["shared.title"];
    }
  }

  private panel(desk: Desk): TemplateResult | typeof nothing {
    switch (desk.kind) {
      case "none":
      case "palette":
        return nothing;
      case "keys":
        return html`<desk-keys></desk-keys>`;
      case "history":
        return html`<desk-history></desk-history>`;
      case "timeline":
        return html`<timeline-panel .app=${this.app}></timeline-panel>`;
      case "model":
        return html`<model-panel .app=${this.app} .database=${desk.database}></model-panel>`;
      case "share":
        return html`<desk-share .app=${this.app}></desk-share>`;
      case "copy":
        return html`<desk-copy .desk=${desk} .database=${this.app.database}></desk-copy>`;
      case "shared":
        return html`<desk-shared .desk=${desk}></desk-shared>`;
    }
  }
}
