/**
 * `<desk-history>`: the scripts that were run, newest first, to search and to open again in a tab.
 *
 * Invariant: opening one neither runs nor changes anything; the list is read from storage when the panel opens.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { keepRuns, readRuns, type PastRun } from "../../state/history.ts";
import { browserStorage } from "../../state/persistence.ts";
import { titleOf } from "../../state/title.ts";
import { shared } from "../../look/shared.ts";
import { DeskElement, panelStyles } from "./desk-element.ts";

/** Lines of a script that are shown. */
const shownLines = 4;

@customElement("desk-history")
export class DeskHistory extends DeskElement {
  @state() private runs: readonly PastRun[] = [];
  @state() private text = "";
  @state() private clearing = false;
  @query("input") private input!: HTMLInputElement | null;

  static override styles = [
    shared,
    panelStyles,
    css`
      .find { display: flex; gap: 0.5rem; margin-bottom: 0.75rem; }
      input[type="search"] { flex: 1; min-width: 0; }
      .inset { margin-bottom: 0.75rem; }
      .inset p + p { margin-top: 0.5rem; }
      li + li { border-top: 1px solid var(--rule); }
      li {
        display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.15rem 1rem; align-items: start;
        padding: 0.6rem 0 0.7rem;
      }
      h3 {
        font-size: var(--text); font-weight: 500; line-height: 1.3; overflow: hidden; text-overflow: ellipsis;
        white-space: nowrap;
      }
      .facts { grid-column: 1; font-size: var(--small); color: var(--ink-2); }
      .facts .bad { color: var(--rubric); }
      pre {
        grid-column: 1 / -1; max-height: 7.5em; overflow: hidden; padding: 0.4rem 0.75rem; margin-top: 0.25rem;
        white-space: pre-wrap; overflow-wrap: anywhere; font-size: var(--tiny); color: var(--ink-2);
      }
      li .button { grid-row: 1 / 3; grid-column: 2; }
      @media (max-width: 30rem) {
        li { grid-template-columns: minmax(0, 1fr); }
        li .button { grid-row: auto; grid-column: 1; justify-self: start; order: 1; margin-top: 0.35rem; }
      }
      .quietly { padding: 1rem 0; color: var(--ink-2); }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.runs = readRuns(browserStorage().local);
  }

  protected override firstUpdated(): void {
    this.input?.focus();
  }

  protected override render(): TemplateResult {
    const { t } = this;
    if (this.runs.length === 0) return html`<p class="quietly">${t["history.empty"]}</p>`;
    const wanted = this.text.trim().toLowerCase();
    const found = this.runs.filter((run) => run.source.toLowerCase().includes(wanted));
    return html`<div class="find">
        <input type="search" aria-label=${t["history.find"]} placeholder=${t["history.find"]}
          @input=${() => (this.text = this.input?.value ?? "")} />
        <button class="button" @click=${() => (this.clearing = true)}>${t["history.clear"]}</button>
      </div>
      ${
        this.clearing
          ? html`<div class="inset" role="alert"><p>${t["history.clear.sure"]}</p>
            <p class="buttons"><button class="button main"
              @click=${() => this.clear()}>${t["history.clear.yes"]}</button><button class="button"
              @click=${() => (this.clearing = false)}>${t["cancel"]}</button></p></div>`
          : nothing
      }
      ${
        found.length === 0
          ? html`<p class="quietly" role="status">${t["history.none"]}</p>`
          : html`<ul>${found.map((run) => this.run(run))}</ul>`
      }`;
  }

  private run(run: PastRun): TemplateResult {
    const { t, words } = this;
    const lines = run.source.trim().split("\n");
    const text = lines.slice(0, shownLines).join("\n");
    const day = new Intl.DateTimeFormat(words.language, { dateStyle: "medium", timeStyle: "short" }).format(run.at);
    return html`<li>
      <h3>${titleOf(run.source)}</h3>
      <p class="facts"><time
        datetime=${new Date(run.at).toISOString()}>${day}</time> · ${t["history.on"](run.database)} · <span
        class=${run.outcome === "done" ? "" : "bad"}>${t[`history.${run.outcome}`]}</span>${
          run.millis === null ? nothing : html` · ${words.duration(run.millis)}`
        }</p>
      <button class="button" @click=${() => this.open(run)}>${t["history.open"]}</button>
      ${
        lines.length === 1 && text === titleOf(run.source)
          ? nothing
          : html`<pre>${text}${lines.length > shownLines ? "\n…" : ""}</pre>`
      }
    </li>`;
  }

  private open(run: PastRun): void {
    this.close();
    this.store.dispatch({ kind: "database-chosen", database: run.database });
    this.store.dispatch({ kind: "tab-added", script: run.source, name: null });
    setTimeout(() => this.services.act("focus"), 0);
  }

  private clear(): void {
    keepRuns(browserStorage().local, []);
    this.runs = [];
    this.clearing = false;
  }
}
