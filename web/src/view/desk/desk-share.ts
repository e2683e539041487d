/**
 * `<desk-share>`: makes a link that holds scripts, and small collections when wanted.
 *
 * Invariant: nothing is sent anywhere; the link is made here, again after each choice, and a link that is too long is
 * not given out.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { wordFailure } from "../../state/controller.ts";
import type { AppState } from "../../state/model.ts";
import { comfortableLink, dataScript, linkTo, longestLink, mostSharedDocuments, TooMany } from "../../state/share.ts";
import { openTabOf } from "../../state/tabs.ts";
import { tabTitle } from "../tab-title.ts";
import { shared } from "../../look/shared.ts";
import { DeskElement, panelStyles } from "./desk-element.ts";

@customElement("desk-share")
export class DeskShare extends DeskElement {
  @property({ attribute: false }) app!: AppState;
  @state() private all = false;
  @state() private withData: ReadonlySet<string> = new Set();
  @state() private link = "";
  @state() private failure: string | null = null;
  @state() private copied: boolean | null = null;
  @query("input[type=text]") private field!: HTMLInputElement | null;
  #making = 0;

  static override styles = [
    shared,
    panelStyles,
    css`
      :host > * + * { margin-top: 0.9rem; }
      fieldset { border: 0; margin: 0; padding: 0; min-width: 0; }
      legend { padding: 0 0 0.2rem; font-size: var(--small); color: var(--ink-2); }
      label { display: flex; align-items: baseline; gap: 0.6rem; min-height: 1.75rem; }
      label small { font-size: var(--small); color: var(--ink-2); }
      input[type="radio"] {
        width: 1.05rem; height: 1.05rem; flex: none; accent-color: var(--rubric-fill); translate: 0 0.12rem;
      }
      input[type="checkbox"] { translate: 0 0.12rem; }
      .list { max-height: 12rem; overflow: auto; }
      .made { display: flex; gap: 0.5rem; }
      input[type="text"] { flex: 1; min-width: 0; font: 400 var(--code)/1.5 var(--mono); }
      small.note { display: block; color: var(--ink-2); font-size: var(--small); }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    void this.make();
  }

  private get database() {
    return this.app.catalog.databases.find(({ summary }) => summary.name === this.app.database);
  }

  private async make(): Promise<void> {
    const number = ++this.#making;
    const { app, m, t } = this;
    this.copied = null;
    const tabs = (this.all ? app.tabs : [openTabOf(app)]).filter((tab) => tab.script.trim() !== "");
    const scripts = tabs.map((tab) => ({
      name: tab.name ?? (tab.lesson === null ? "" : tabTitle(m, tab)),
      source: tab.script,
    }));
    try {
      const names = [...this.withData];
      if (names.length > 0)
        scripts.unshift({
          name: t["share.dataName"](app.database),
          source: await dataScript(this.controller, app.database, names, t["share.dataTitle"](app.database)),
        });
      const link = await linkTo(location.href, scripts);
      if (number !== this.#making) return;
      this.link = link.length > longestLink ? "" : link;
      this.failure =
        link.length > longestLink
          ? t["share.tooLong"](this.words.number(link.length), this.words.number(longestLink))
          : null;
    } catch (error) {
      if (number !== this.#making) return;
      this.link = "";
      this.failure =
        error instanceof TooMany
          ? t["share.tooMany"](error.collection, this.words.number(mostSharedDocuments))
          : wordFailure(error);
    }
  }

  protected override render(): TemplateResult {
    const { t, app, words } = this;
    const written = app.tabs.filter((tab) => tab.script.trim() !== "").length;
    const collections = (this.database?.collections ?? []).filter((one) => one.type === "collection");
    const scope = (all: boolean, text: string): TemplateResult =>
      html`<label><input type="radio" name="scope" .checked=${this.all === all} @change=${() => {
        this.all = all;
        void this.make();
      }} />${text}</label>`;
    return html`<p>${t["share.about"]}</p>
      ${
        written < 2
          ? nothing
          : html`<fieldset><legend>${t["share.scripts"]}</legend>${scope(false, t["share.this"])}${scope(
              true,
              t["share.all"](words.number(written)),
            )}</fieldset>`
      }
      ${
        collections.length === 0
          ? nothing
          : html`<fieldset><legend>${t["share.data"](app.database)}</legend>
            <div class="list">${collections.map(
              ({ name, count }) => html`<label><input type="checkbox" .checked=${this.withData.has(name)}
                ?disabled=${count > mostSharedDocuments} @change=${() => this.toggle(name)} />${name}
                <small>${
                  count > mostSharedDocuments
                    ? t["share.tooMany.short"](words.number(count), words.number(mostSharedDocuments))
                    : this.m["data.count"](words.number(count), count === 1)
                }</small></label>`,
            )}</div></fieldset>`
      }
      ${this.failure === null ? nothing : html`<p class="failure" role="alert">${this.failure}</p>`}
      ${
        this.link === ""
          ? nothing
          : html`<p class="made"><input type="text" readonly aria-label=${t["share.link"]} .value=${this.link}
            @focus=${() => this.field?.select()} /><button class="button main"
            @click=${() => void this.copy()}>${t["share.copy"]}</button></p>
            <small class="note">${t["share.length"](words.number(this.link.length))}${
              this.link.length > comfortableLink ? ` ${t["share.long"]}` : ""
            }</small>`
      }
      <p class="unseen"
        role="status">${this.copied === null ? "" : this.copied ? t["share.copied"] : t["share.copyFailed"]}</p>
      ${
        this.copied === null
          ? nothing
          : html`<small class="note"
        aria-hidden="true">${this.copied ? t["share.copied"] : t["share.copyFailed"]}</small>`
      }`;
  }

  private toggle(name: string): void {
    const chosen = new Set(this.withData);
    if (!chosen.delete(name)) chosen.add(name);
    this.withData = chosen;
    void this.make();
  }

  private async copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.link);
      this.copied = true;
    } catch {
      this.copied = false;
      this.field?.select();
    }
  }
}
