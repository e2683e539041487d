/**
 * `<page-dialogs>`: where the data is, the deployments there are, and the settings, each in a native modal dialog.
 *
 * Invariants: the browser's own `<dialog>` traps the focus and closes on Escape; which one is open is in the state;
 * erasing asks once more in the dialog itself.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import type { AppState, DataDialog } from "../state/model.ts";
import { batchSizes, fontSizes, languageNames, languages, themes } from "../state/settings.ts";
import { properties } from "../look/cssom.ts";
import { DataElement } from "./data/data-element.ts";
import "./data/deployments-view.ts";
import { closeIcon } from "../look/icons.ts";
import { dialogStyles } from "../look/dialog.ts";
import { undoOf } from "./data/undo-of.ts";
import { shared } from "../look/shared.ts";

@customElement("page-dialogs")
export class PageDialogs extends DataElement {
  @property({ attribute: false }) app!: AppState;
  @state() private erasing = false;
  @state() private persistRefused = false;
  @query("dialog") private dialog!: HTMLDialogElement;

  static override styles = [
    shared,
    dialogStyles,
    css`
      .state { display: flex; align-items: baseline; gap: 0.6rem; font-weight: 550; }
      .reason {
        padding: 0.5rem 0.75rem; background: var(--warn-wash); color: var(--ink); border-left: 3px solid var(--warn);
        overflow-wrap: anywhere;
      }
      dl {
        display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.2rem 1rem;
        border-block: 1px solid var(--rule); padding: 0.6rem 0;
      }
      dt { color: var(--ink-2); }
      dd { font-family: var(--mono); font-size: var(--code); text-align: right; }
      dd.wide { grid-column: 1 / -1; }
      .meter { height: 6px; border-radius: 3px; background: var(--paper-3); overflow: hidden; }
      .meter i { display: block; height: 100%; min-width: 3px; background: var(--thread); }
      .buttons .danger { margin-left: auto; }
      .sure {
        padding: 0.75rem; border: 1px solid var(--rubric); border-radius: var(--radius); background: var(--rubric-wash);
      }
      .sure p { margin-bottom: 0.5rem; }
      .field { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: center; gap: 0.5rem 1rem; }
      label.check { display: flex; align-items: baseline; gap: 0.6rem; }
    `,
  ];

  protected override updated(changed: PropertyValues): void {
    const before = changed.get("app") as AppState | undefined;
    const open = this.app.dialog !== "none";
    if (open && !this.dialog.open) {
      this.erasing = false;
      this.persistRefused = false;
      this.dialog.showModal();
      if (this.app.dialog === "storage") void this.controller.readQuota();
    } else if (!open && this.dialog.open && before !== undefined) this.dialog.close();
  }

  /** The event comes some time after the dialog closed: it may be open again by then. */
  private closed(): void {
    if (!this.dialog.open) this.close();
  }

  private close(): void {
    this.store.dispatch({ kind: "dialog-opened", dialog: "none" });
  }

  protected override render(): TemplateResult {
    const { m, app } = this;
    const title =
      app.dialog === "deployments"
        ? this.d["deployments.title"]
        : app.dialog === "settings"
          ? this.d["settings.title"]
          : app.engine.kind === "failed"
            ? this.d["storage.failed.title"]
            : m["storage.title"];
    return html`<dialog aria-labelledby="title" @close=${() => this.closed()}
      @cancel=${(event: Event) => event.target === this.dialog && this.close()}
      @click=${(event: MouseEvent) => event.target === this.dialog && this.close()}>
      <div class="top"><h2 id="title">${title}</h2><button class="quiet icon" aria-label=${m["close"]}
        title=${m["close"]} @click=${() => this.close()}>${closeIcon()}</button></div>
      <div class="inside">${
        app.dialog === "deployments"
          ? html`<deployments-view .app=${app}></deployments-view>`
          : app.dialog === "settings"
            ? this.settings()
            : app.dialog === "storage"
              ? this.storage()
              : nothing
      }</div>
    </dialog>`;
  }

  private storage(): TemplateResult {
    const { m, words, app } = this;
    const deployment = app.deployment;
    if (app.engine.kind === "failed") {
      return html`<p>${m["storage.explain.failed"]} ${this.d["storage.failed.hint"]}</p>
        <p class="reason">${this.d["storage.reason"]}: ${app.engine.message}</p>
        <p class="buttons"><button class="button main"
          @click=${() => location.reload()}>${this.d["storage.reload"]}</button></p>`;
    }
    if (deployment === null) return html`<p>${this.d["storage.explain.opening"]}</p>`;
    const explain =
      this.d[
        (
          {
            memory: "storage.explain.memory",
            full: "storage.explain.full",
            "read-only": "storage.explain.readOnly",
            indexeddb: "storage.explain.indexeddb",
          } as const
        )[deployment.mode]
      ];
    return html`<p>${explain}</p>
      ${
        deployment.reason === null
          ? nothing
          : html`<p class="reason">${this.d["storage.reason"]}: ${deployment.reason}</p>`
      }
      <dl>
        <dt>${this.d["storage.pages"]}</dt><dd>${words.size(deployment.pageBytes)}</dd>
        <dt>${this.d["storage.memoryBytes"]}</dt><dd>${words.size(deployment.memoryBytes)}</dd>
        ${
          deployment.mode === "memory"
            ? nothing
            : html`<dt>${this.d["storage.sequence"]}</dt><dd>${words.number(deployment.sequence)}</dd>`
        }
        ${
          deployment.clockOffsetMillis === 0
            ? nothing
            : html`<dt>${this.d["storage.clock"]}</dt><dd>${m[
                deployment.clockOffsetMillis > 0 ? "storage.clock.ahead" : "storage.clock.behind"
              ](words.duration(Math.abs(deployment.clockOffsetMillis)))}</dd>`
        }
        ${deployment.mode === "memory" ? nothing : this.quota()}
      </dl>
      ${deployment.mode === "memory" ? nothing : this.promise()}
      <p class="buttons">
        <button class="button" @click=${() =>
          this.store.dispatch({ kind: "dialog-opened", dialog: "deployments" })}>${this.d["deployments.all"]}</button>
        <button class="button"
          @click=${() => this.goTo({ kind: "dump", database: null })}>${this.d["storage.export"]}</button>
        ${
          deployment.mode === "read-only"
            ? nothing
            : html`<button class="button"
              @click=${() => this.goTo({ kind: "import", database: app.database, collection: "", files: [] })}>${
                this.d["storage.import"]
              }</button>
            <button class="button danger" @click=${() => (this.erasing = true)}>${this.d["storage.erase"]}</button>`
        }
      </p>
      ${
        this.erasing
          ? html`<div class="sure" role="alert"><p>${this.d["storage.erase.sure"]}</p>
            <p class="buttons"><button class="button main"
              @click=${() => void this.erase()}>${this.d["storage.erase.yes"]}</button><button class="button"
              @click=${() => (this.erasing = false)}>${m["cancel"]}</button></p></div>`
          : nothing
      }`;
  }

  private quota(): TemplateResult | typeof nothing {
    const { words, app } = this;
    const quota = app.quota;
    if (quota === null) return nothing;
    const known = quota.usageBytes !== null && quota.quotaBytes !== null;
    return html`<dt>${this.d["storage.quota"]}</dt><dd>${
      known
        ? this.d["storage.quota.of"](words.size(quota.usageBytes), words.size(quota.quotaBytes))
        : this.d["storage.quota.unknown"]
    }</dd>
      ${
        known
          ? html`<dd class="wide"><div class="meter" aria-hidden="true"><i
        ${properties({ width: `${(100 * quota.usageBytes) / Math.max(1, quota.quotaBytes)}%` })}></i></div></dd>`
          : nothing
      }`;
  }

  private promise(): TemplateResult | typeof nothing {
    const { app } = this;
    const persisted = app.quota?.persisted ?? null;
    if (persisted === null) return nothing;
    if (persisted) return html`<p>${this.d["storage.persisted"]}</p>`;
    return html`<p>${this.d["storage.notPersisted"]} <button class="button"
      @click=${() => void this.persist()}>${this.d["storage.persist"]}</button></p>
      ${this.persistRefused ? html`<p role="status">${this.d["storage.persist.refused"]}</p>` : nothing}`;
  }

  private async persist(): Promise<void> {
    const granted = await this.controller.persist();
    this.persistRefused = !granted;
    if (granted) this.controller.notice("good", this.d["storage.persist.granted"]);
  }

  /** Goes over to a dialog about the data. */
  private goTo(dialog: DataDialog): void {
    this.close();
    this.store.dispatch({ kind: "data-dialog-changed", dialog });
  }

  private async erase(): Promise<void> {
    this.erasing = false;
    const moment = await this.controller.momentOf(() => this.controller.eraseAll());
    this.controller.notice("plain", this.d["storage.erased"], undoOf(this.m, moment));
  }

  private settings(): TemplateResult {
    const { m, app } = this;
    const { settings } = app;
    const change = (what: Partial<AppState["settings"]>): void =>
      this.store.dispatch({ kind: "settings-changed", change: what });
    const chosen = (event: Event): string => (event.target as HTMLSelectElement).value;
    return html`<label class="field">${this.d["settings.language"]}
        <select @change=${(event: Event) =>
          void this.services.speak(languages.find((name) => name === chosen(event)) ?? "en")}>
          ${languages.map(
            (language) =>
              html`<option value=${language}
            ?selected=${language === settings.language}>${languageNames[language]}</option>`,
          )}
        </select></label>
      <label class="field">${this.d["settings.theme"]}
        <select @change=${(event: Event) =>
          change({ theme: themes.find((name) => name === chosen(event)) ?? "system" })}>
          ${themes.map(
            (theme) => html`<option value=${theme}
            ?selected=${theme === settings.theme}>${m[`header.theme.${theme}`]}</option>`,
          )}
        </select></label>
      <label class="field">${this.d["settings.batch"]}
        <select @change=${(event: Event) => change({ batchSize: Number(chosen(event)) })}>
          ${batchSizes.map(
            (size) => html`<option value=${size} ?selected=${size === settings.batchSize}>${size}</option>`,
          )}
        </select></label>
      <label class="field">${this.d["settings.fontSize"]}
        <select @change=${(event: Event) => change({ fontSize: Number(chosen(event)) })}>
          ${fontSizes.map(
            (size) => html`<option value=${size} ?selected=${size === settings.fontSize}>${size}</option>`,
          )}
        </select></label>
      <label class="check"><input type="checkbox" .checked=${settings.explainResults}
        @change=${(event: Event) => change({ explainResults: (event.target as HTMLInputElement).checked })} />${
          this.d["settings.explain"]
        }</label>
      <label class="check"><input type="checkbox" .checked=${settings.numbersAsDouble}
        @change=${(event: Event) => change({ numbersAsDouble: (event.target as HTMLInputElement).checked })} />${
          this.d["settings.doubles"]
        }</label>`;
  }
}
