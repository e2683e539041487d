/**
 * `<page-header>`: the mark, the examples, where the data is and whether it is saved, language, colours, settings.
 *
 * Invariant: the storage badge always says the worst thing that is true: not running, read-only, not saved, memory,
 * saving, saved.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { lessons } from "../lessons/lessons.ts";
import type { AppState } from "../state/model.ts";
import { languageNames, languages, themes } from "../state/settings.ts";
import { openTabOf } from "../state/tabs.ts";
import { commandKey, PageElement } from "./element.ts";
import { guides, siteAddress } from "./guides.ts";
import {
  asideIcon,
  bookIcon,
  chevronDown,
  databaseIcon,
  gearIcon,
  keyboardIcon,
  moonIcon,
  quireMark,
  searchIcon,
  sunIcon,
  systemIcon,
} from "../look/icons.ts";
import { shared } from "../look/shared.ts";

@customElement("page-header")
export class PageHeader extends PageElement {
  @property({ attribute: false }) app!: AppState;
  /** The data is to be seen. */
  @property({ type: Boolean }) dataOpen = false;
  @state() private menuOpen = false;

  static override styles = [
    shared,
    css`
      header { display: flex; align-items: center; gap: 0.35rem; min-height: 3.5rem; padding: 0 1rem 0 1.25rem; }
      h1 {
        display: flex; align-items: baseline; gap: 0.55rem; font-size: 1.6rem; font-weight: 520;
        letter-spacing: -0.01em; line-height: 1;
      }
      .mark {
        align-self: center; width: 1.9rem; height: 1.9rem; fill: var(--paper); stroke: var(--ink); stroke-width: 1.4;
      }
      .mark .thread { stroke: var(--thread); stroke-width: 2; fill: none; }
      .tagline {
        font-size: var(--small); font-style: italic; color: var(--ink-2); padding-left: 0.4rem; font-weight: 400;
      }
      .tagline:lang(zh) { font-style: normal; }
      .skip {
        position: absolute; left: 1rem; top: -4rem; z-index: 30; padding: 0.4rem 0.9rem; background: var(--paper);
        border-radius: var(--radius);
      }
      .skip:focus { top: 0.6rem; }
      .space { flex: 1; }
      .named { min-width: 0; max-width: 14rem; }
      .named span { min-width: 0; overflow: hidden; text-overflow: ellipsis; }
      .find kbd { border-width: 0; background: none; font-size: 0.75rem; padding: 0; }
      .menu { position: relative; display: flex; }
      .menu > .quiet svg:last-child { width: 0.75rem; height: 0.75rem; }
      .panel {
        position: absolute; z-index: 20; top: calc(100% + 0.4rem); right: 0; width: min(25rem, calc(100vw - 1.5rem));
        max-height: calc(100dvh - 5rem); overflow: auto; padding: 0.9rem 0.5rem 0.6rem; background: var(--paper);
        border: 1px solid var(--rule-strong); border-radius: 6px; box-shadow: 0 0.8rem 2.5rem var(--shade);
      }
      .panel p {
        padding: 0 0.75rem 0.5rem; font-size: var(--small); font-style: italic; color: var(--ink-2);
        border-bottom: 1px solid var(--rule); margin-bottom: 0.35rem;
      }
      .panel p:lang(zh) { font-style: normal; }
      .panel li button { display: block; width: 100%; padding: 0.4rem 0.75rem 0.45rem; border-radius: var(--radius); }
      .panel a {
        display: block; margin-bottom: 0.6rem; padding: 0.4rem 0.75rem; border-radius: var(--radius); color: inherit;
        text-decoration: none;
      }
      .panel a:hover { background: var(--paper-2); }
      .panel li button:hover { background: var(--paper-2); }
      .panel li button[aria-current] b { color: var(--rubric); }
      .panel b { display: block; font-weight: 550; line-height: 1.3; }
      .panel span { display: block; font-size: var(--small); line-height: 1.35; color: var(--ink-2); }
      .chip { border: 1px solid var(--rule-strong); border-radius: 1rem; padding: 0 0.7rem; min-height: 1.75rem; }
      .chip::before { content: ""; width: 0.55rem; height: 0.55rem; border-radius: 50%; background: var(--ink-3); }
      .chip.saved::before { background: var(--good); }
      .chip.saving::before { background: transparent; border: 2px solid var(--warn); }
      .chip.warn { color: var(--warn); border-color: currentColor; background: var(--warn-wash); }
      .chip.warn::before { background: var(--warn); }
      .chip.bad { color: var(--rubric); border-color: currentColor; background: var(--rubric-wash); }
      .chip.bad::before { background: var(--rubric); border-radius: 0; }
      .aside { margin-left: -0.4rem; }
      @media (max-width: 1099px), (max-height: 640px) {
        .tagline { display: none; }
        header { min-height: 3rem; }
        h1 { font-size: 1.4rem; }
      }
      @media (max-width: 759px) {
        header { padding: 0 0.5rem 0 0.75rem; gap: 0; }
        h1 { gap: 0.4rem; }
        .panel { position: fixed; top: 3.5rem; right: 0.75rem; }
        .wide, .find kbd, .menu > .quiet svg:last-child { display: none; }
        .chip { margin: 0 0.25rem; }
      }
      @media (max-width: 599px) { .aside { display: none; } header { min-height: 3.25rem; } }
      @media (max-width: 400px) {
        h1 .name { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
      }
      @media (forced-colors: active) { .chip::before { forced-color-adjust: none; } }
      @media (pointer: coarse) { .chip { min-height: 2rem; } }
    `,
  ];

  /** The focus comes back to the button of the data. */
  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>(".aside")?.focus();
  }

  protected override render(): TemplateResult {
    const { m, app } = this;
    const { settings } = app;
    const theme = settings.theme;
    const other = languages.find((language) => language !== settings.language) ?? "en";
    return html`<header>
      <button class="skip" @click=${() => this.dispatchEvent(new CustomEvent("skip"))}>${m["page.skip"]}</button>
      <button class="quiet icon aside" aria-expanded=${String(this.dataOpen)} aria-keyshortcuts="Control+B Meta+B"
        aria-label=${m["header.aside"]} title=${`${m["header.aside"]} (${commandKey} B)`}
        @click=${() => this.services.act("aside")}>${asideIcon()}</button>
      <h1>${quireMark()}<span class="name">Quire</span><span class="tagline">${m["page.tagline"]}</span></h1>
      <div class="space"></div>
      <button class="quiet wide named" aria-label=${m["header.deployment"](app.named.name || m["deployment.main"])}
        title=${m["header.deployment"](app.named.name || m["deployment.main"])}
        @click=${() => this.store.dispatch({ kind: "dialog-opened", dialog: "deployments" })}
      >${databaseIcon()}<span>${app.named.name || m["deployment.main"]}</span></button>
      ${this.chip()}
      <button class="quiet find" aria-keyshortcuts="Control+K Meta+K" title=${m["header.find"]}
        @click=${() => this.services.act("palette")}
      >${searchIcon()}<span class="unseen">${m["header.find"]}</span> <kbd>${commandKey} K</kbd></button>
      <div class="menu" @focusout=${(event: FocusEvent) => this.onFocusOut(event)}
        @keydown=${(event: KeyboardEvent) => this.onMenuKey(event)}>
        <button class="quiet" id="examples" aria-haspopup="true" aria-expanded=${String(this.menuOpen)}
          aria-controls="lessons" @click=${() => (this.menuOpen = !this.menuOpen)}
        >${bookIcon()}<span>${m["header.examples"]}</span>${chevronDown()}</button>
        <div class="panel" id="lessons" ?hidden=${!this.menuOpen}>
          ${guides.map(
            ({ href, name, about }) => html`<a href=${siteAddress(href)}><b>${m[name]}</b><span>${m[about]}</span></a>`,
          )}
          <p>${m["header.examples.intro"]}</p>
          <ul>${lessons.map(
            (lesson) => html`<li><button data-lesson=${lesson.id}
            aria-current=${openTabOf(app).lesson === lesson.id ? "true" : nothing}
            @click=${() => this.choose(lesson.id)}><b>${m[`lesson.${lesson.id}`]}</b><span>${
              m[`lesson.${lesson.id}.about`]
            }</span></button></li>`,
          )}</ul>
        </div>
      </div>
      <button class="quiet wide" lang=${other}
        @click=${() => void this.services.speak(other)}>${languageNames[other]}</button>
      <button class="quiet icon wide" aria-label=${m["header.theme.next"](m[`header.theme.${theme}`])}
        title=${m["header.theme.next"](m[`header.theme.${theme}`])} @click=${() => this.nextTheme()}>
        ${theme === "system" ? systemIcon() : theme === "light" ? sunIcon() : moonIcon()}
      </button>
      <button class="quiet icon wide" aria-label=${m["header.shortcuts"]} title=${m["header.shortcuts"]}
        @click=${() => this.services.act("keys")}>${keyboardIcon()}</button>
      <button class="quiet icon" aria-label=${m["header.settings"]} title=${m["header.settings"]}
        @click=${() => this.store.dispatch({ kind: "dialog-opened", dialog: "settings" })}>${gearIcon()}</button>
    </header>`;
  }

  private chip(): TemplateResult {
    const { m } = this;
    const [tone, text] = this.storageState();
    return html`<button class="quiet chip ${tone}" data-storage=${tone}
      title=${this.app.deployment?.reason ?? m["storage.title"]} aria-label=${m["storage.chip"](text)}
      @click=${() => this.store.dispatch({ kind: "dialog-opened", dialog: "storage" })}>${text}</button>`;
  }

  private storageState(): readonly [string, string] {
    const { m, app } = this;
    const deployment = app.deployment;
    if (app.engine.kind === "failed") return ["bad", m["storage.failed"]];
    if (deployment === null) return ["opening", m["storage.opening"]];
    if (deployment.mode === "read-only") return ["bad", m["storage.readOnly"]];
    if (deployment.mode === "full") return ["bad", m["storage.full"]];
    if (deployment.mode === "memory") return ["warn", m["storage.memory"]];
    return deployment.saved ? ["saved", m["storage.saved"]] : ["saving", m["storage.saving"]];
  }

  private nextTheme(): void {
    const next = themes[(themes.indexOf(this.app.settings.theme) + 1) % themes.length] ?? "system";
    this.store.dispatch({ kind: "settings-changed", change: { theme: next } });
  }

  private choose(id: string): void {
    this.menuOpen = false;
    this.dispatchEvent(new CustomEvent("lesson", { detail: id, bubbles: true, composed: true }));
  }

  private onFocusOut(event: FocusEvent): void {
    const to = event.relatedTarget as Node | null;
    if (to === null || !(event.currentTarget as HTMLElement).contains(to)) this.menuOpen = false;
  }

  private onMenuKey(event: KeyboardEvent): void {
    const entries = [...this.renderRoot.querySelectorAll<HTMLElement>("#lessons :is(a, button)")];
    const at = entries.indexOf(this.shadowRoot?.activeElement as HTMLElement);
    const move = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.key === "Escape" && this.menuOpen) {
      this.menuOpen = false;
      this.renderRoot.querySelector<HTMLButtonElement>("#examples")?.focus();
    } else if (move !== 0) {
      this.menuOpen = true;
      // From the button itself, up leads to the last.
      const to = at === -1 && move === -1 ? entries.length - 1 : (at + move + entries.length) % entries.length;
      void this.updateComplete.then(() => entries[to]?.focus());
    } else return;
    event.preventDefault();
  }
}
