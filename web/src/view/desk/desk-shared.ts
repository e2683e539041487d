/**
 * `<desk-shared>`: the scripts of a link, to read before they are taken.
 *
 * Invariant: opening a link runs nothing and keeps nothing; its scripts become tabs when the reader says so, and run
 * when the reader presses Run.
 */
import { css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Desk } from "../../state/model.ts";
import type { SharedScript } from "../../share/encode.ts";
import { titleOf } from "../../state/title.ts";
import { shared } from "../../look/shared.ts";
import { DeskElement, panelStyles } from "./desk-element.ts";

@customElement("desk-shared")
export class DeskShared extends DeskElement {
  @property({ attribute: false }) desk!: Extract<Desk, { kind: "shared" }>;

  static override styles = [
    shared,
    panelStyles,
    css`
      :host > * + * { margin-top: 0.9rem; }
      h3 { font-size: var(--text); font-weight: 500; padding-bottom: 0.25rem; overflow-wrap: anywhere; }
      h3 small { font-size: var(--small); font-weight: 400; color: var(--ink-2); }
      pre { max-height: 40dvh; }
      li + li { margin-top: 0.9rem; }
    `,
  ];

  protected override render(): TemplateResult {
    const { t, desk, words } = this;
    if (desk.scripts === null)
      return html`<p class="failure">${t[`shared.${desk.fault}`]}</p><p class="buttons"><button class="button"
        @click=${() => this.close()}>${t["close"]}</button></p>`;
    const scripts = desk.scripts;
    return html`<p class="inset">${t["shared.about"]}</p>
      <ol>${scripts.map((script) => {
        const lines = script.source.trimEnd().split("\n").length;
        return html`<li><h3>${script.name || titleOf(script.source)} <small>${t["shared.lines"](
          words.number(lines),
          lines === 1,
        )}</small></h3><pre tabindex="0" role="region"
          aria-label=${script.name || titleOf(script.source)}>${script.source}</pre></li>`;
      })}</ol>
      <p class="buttons"><button class="button main"
        @click=${() => this.take(scripts)}>${t["shared.open"](
          words.number(scripts.length),
          scripts.length === 1,
        )}</button><button class="button"
        @click=${() => this.close()}>${t["shared.leave"]}</button></p>`;
  }

  private take(scripts: readonly SharedScript[]): void {
    this.close();
    let first: number | null = null;
    for (const { name, source } of scripts) {
      this.store.dispatch({ kind: "tab-added", script: source, name: name === "" ? null : name });
      first ??= this.store.state.openTab;
    }
    if (first !== null) this.store.dispatch({ kind: "tab-opened", tab: first });
    setTimeout(() => this.services.act("focus"), 0);
  }
}
