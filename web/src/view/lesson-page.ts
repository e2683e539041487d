/**
 * The base class of the pages of courses, labs and the reference: the playground's running head, its settings, and the
 * address's wishes.
 *
 * Invariants: language and colours are the playground's own settings; the address's `lang` and `theme` come before
 * them, and the address follows the language that the reader chooses.
 */
import { css, html, LitElement, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { tableFor } from "../embed/words.ts";
import { quireMark } from "../look/icons.ts";
import { shared } from "../look/shared.ts";
import { skipWords } from "../messages/skip.ts";
import { scriptAddress } from "../start/trusted.ts";
import { browserStorage, keep, restore } from "../state/persistence.ts";
import { languageNames, languages, type Language, type Settings } from "../state/settings.ts";
import { siteAddress } from "./guides.ts";

/** A page that the head leads to. */
export interface HeadLink {
  readonly href: string;
  readonly text: string;
  /** Left out where the head is narrow: the page leads there, too. */
  readonly wide?: boolean;
}

export abstract class LessonPage extends LitElement {
  readonly #places = browserStorage();
  protected readonly wished = new URLSearchParams(location.search);
  @state() protected settings: Settings = restore(this.#places, navigator.languages).settings;

  static override styles = [
    shared,
    css`
      :host { display: block; min-height: 100dvh; background: var(--paper); }
      header {
        display: flex; align-items: center; gap: 0.6rem; min-height: 3.25rem; padding: 0 1.25rem;
        border-bottom: 1px solid var(--rule); background: var(--ground);
      }
      header a {
        display: flex; align-items: center; gap: 0.55rem; min-height: 2rem; padding: 0 0.4rem; color: inherit;
        text-decoration: none; border-radius: var(--radius); white-space: nowrap;
      }
      header a:hover { background: var(--paper-3); }
      .name { font-size: 1.35rem; font-weight: 520; letter-spacing: -0.01em; }
      .mark { width: 1.7rem; height: 1.7rem; fill: var(--paper); stroke: var(--ink); stroke-width: 1.4; }
      .mark .thread { stroke: var(--thread); stroke-width: 2; fill: none; }
      .space { flex: 1; }
      .skip {
        position: absolute; inset-inline-start: 0.5rem; inset-block-start: 0.5rem; z-index: 3;
        padding: 0.5rem 0.9rem; background: var(--paper); color: var(--ink);
        border: 1px solid var(--rule-strong); border-radius: var(--radius);
      }
      .skip:not(:focus) { inline-size: 1px; block-size: 1px; padding: 0; border: 0; overflow: hidden;
        clip-path: inset(50%); }
      main { outline: none; }
      @media print { :host { background: none; } header, .skip { display: none; } main { padding: 0; } }
      main { padding: 1.75rem 1.25rem 3rem; }
      .unknown { max-width: 36rem; margin: 3rem auto; }
      @media (max-width: 599px) {
        header { padding: 0 0.5rem; gap: 0.2rem; } main { padding: 1.1rem 0.9rem 2rem; }
      }
      @media (max-width: 420px) {
        header a.wide { display: none; }
        header { flex-wrap: wrap; gap: 0 0.1rem; font-size: 0.9375rem; }
        header a, header .quiet { padding-inline: 0.3rem; }
        header .name { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
      }
    `,
  ];

  constructor() {
    super();
    const wished = this.wished.get("lang");
    if (wished !== null) this.settings = { ...this.settings, language: tableFor(wished) };
    this.dress();
  }

  /** The page's title in a language. */
  protected abstract titleIn(language: Language): string;
  protected abstract links(): readonly HeadLink[];
  protected abstract main(): TemplateResult;

  /** Has the document say its language, its title and its colours. */
  protected dress(): void {
    document.documentElement.lang = this.settings.language;
    document.title = this.titleIn(this.settings.language);
    const { theme } = this.settings;
    const shown = this.wished.get("theme") ?? theme;
    if (shown === "light" || shown === "dark") document.documentElement.dataset["theme"] = shown;
    else delete document.documentElement.dataset["theme"];
  }

  private speak(): void {
    const before = { settings: this.settings, tabs: null, database: null };
    const language = languages.find((one) => one !== this.settings.language) ?? "en";
    this.settings = { ...this.settings, language };
    keep(this.#places, { ...before, settings: this.settings }, before);
    this.dress();
    this.address("lang", language);
  }

  /** Sets a parameter of the address, as the open lesson, without a new entry in the browser's history. */
  protected address(name: string, value: string, place = location.hash.slice(1)): void {
    const query = new URLSearchParams(location.search);
    query.set(name, value);
    history.replaceState(null, "", `${location.pathname}?${query}${place === "" ? "" : `#${place}`}`);
  }

  /** Leads past the head and the column of names to what the page is about, through the elements' shadow roots. */
  private skip(event: Event): void {
    event.preventDefault();
    const main = this.renderRoot.querySelector<HTMLElement>("main");
    const place = (main === null ? null : mainIn(main)) ?? main;
    place?.focus({ preventScroll: true });
    place?.scrollIntoView({ block: "start" });
  }

  protected override render(): TemplateResult {
    const other = languages.find((one) => one !== this.settings.language) ?? "en";
    return html`<header>
        <a class="skip" href="#main" @click=${(event: Event) => this.skip(event)}>${
          skipWords[this.settings.language]
        }</a>
        <a href=${siteAddress("./index.html")} aria-label="Quire">${quireMark()}<span class="name">Quire</span></a>
        <div class="space"></div>
        ${this.links().map(
          ({ href, text, wide }) => html`<a class=${wide === true ? "wide" : ""} href=${siteAddress(href)}>${text}</a>`,
        )}
        <button class="quiet" lang=${other} @click=${() => this.speak()}>${languageNames[other]}</button>
      </header>
      <main tabindex="-1">${this.main()}</main>`;
  }
}

/** The element that says it is what the page is about; null where none is there yet. */
function mainIn(root: ParentNode): HTMLElement | null {
  for (const one of root.querySelectorAll<HTMLElement>("*")) {
    if ("main" in one.dataset) return one;
    const found = one.shadowRoot === null ? null : mainIn(one.shadowRoot);
    if (found !== null) return found;
  }
  return null;
}

/** Kept for visits without a network, as the playground is; a newer version is taken over by the playground. */
export function keepOffline(): void {
  addEventListener("load", () => {
    const container = (navigator as Partial<Navigator>).serviceWorker;
    void container?.register(scriptAddress("./sw.js"), { updateViaCache: "none" })?.catch(() => undefined);
  });
}
