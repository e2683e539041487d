/**
 * The page of courses, `course.html?course=modelling&lesson=documents`: a course under the playground's running head.
 *
 * Invariants: language and colours are the playground's own settings; the address always names the open lesson, and its
 * `lang` comes before the setting.
 */
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { tableFor } from "../../embed/words.ts";
import { courseMessagesOf } from "../../messages/course/words.ts";
import { browserStorage, keep, restore } from "../../state/persistence.ts";
import { languageNames, languages, type Settings } from "../../state/settings.ts";
import { scriptAddress } from "../../start/trusted.ts";
import { quireMark } from "../../look/icons.ts";
import { shared } from "../../look/shared.ts";
import { QuireCourse } from "./quire-course.ts";

/** The course of an address that names none, as the build found it (`scripts/course-files.ts`). */
declare const QUIRE_COURSE: string;

if (customElements.get("quire-course") === undefined) customElements.define("quire-course", QuireCourse);

@customElement("course-page")
export class CoursePage extends LitElement {
  readonly #places = browserStorage();
  readonly #wished = new URLSearchParams(location.search);
  @state() private settings: Settings = restore(this.#places, navigator.languages).settings;

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
        text-decoration: none; border-radius: var(--radius);
      }
      header a:hover { background: var(--paper-3); }
      .name { font-size: 1.35rem; font-weight: 520; letter-spacing: -0.01em; }
      .mark { width: 1.7rem; height: 1.7rem; fill: var(--paper); stroke: var(--ink); stroke-width: 1.4; }
      .mark .thread { stroke: var(--thread); stroke-width: 2; fill: none; }
      .space { flex: 1; }
      main { padding: 1.75rem 1.25rem 3rem; }
      .unknown { max-width: 36rem; margin: 3rem auto; }
      @media (max-width: 599px) { header { padding: 0 0.5rem; } main { padding: 1.1rem 0.9rem 2rem; } }
    `,
  ];

  constructor() {
    super();
    const wished = this.#wished.get("lang");
    if (wished !== null) this.settings = { ...this.settings, language: tableFor(wished) };
    this.#dress();
  }

  #dress(): void {
    document.documentElement.lang = this.settings.language;
    document.title = courseMessagesOf(this.settings.language)["page.title"];
    const { theme } = this.settings;
    const shown = this.#wished.get("theme") ?? theme;
    if (shown === "light" || shown === "dark") document.documentElement.dataset["theme"] = shown;
    else delete document.documentElement.dataset["theme"];
  }

  private speak(): void {
    const before = { settings: this.settings, tabs: null, database: null };
    const language = languages.find((one) => one !== this.settings.language) ?? "en";
    this.settings = { ...this.settings, language };
    keep(this.#places, { ...before, settings: this.settings }, before);
    this.#dress();
    this.#address("lang", language);
  }

  #address(name: string, value: string): void {
    const query = new URLSearchParams(location.search);
    query.set(name, value);
    history.replaceState(null, "", `${location.pathname}?${query}`);
  }

  protected override render(): TemplateResult {
    const c = courseMessagesOf(this.settings.language);
    const other = languages.find((one) => one !== this.settings.language) ?? "en";
    const id = this.#wished.get("course") ?? QUIRE_COURSE;
    return html`<header>
        <a href="./index.html" aria-label="Quire">${quireMark()}<span class="name">Quire</span></a>
        <div class="space"></div>
        <a href="./index.html">${c["page.playground"]}</a>
        <button class="quiet" lang=${other} @click=${() => this.speak()}>${languageNames[other]}</button>
      </header>
      <main>${
        /^[a-z][a-z0-9-]*$/.test(id)
          ? html`<quire-course src=${`./courses/${id}/course.json`} lang=${this.settings.language}
            lesson=${this.#wished.get("lesson") ?? nothing}
            @quire-lesson=${(event: CustomEvent<{ readonly lesson: string }>) =>
              this.#address("lesson", event.detail.lesson)}></quire-course>`
          : html`<p class="unknown">${c["page.unknown"]}</p>`
      }</main>`;
  }
}

document.body.append(document.createElement("course-page"));

// Kept for visits without a network, as the playground is; a newer version is taken over by the playground.
addEventListener("load", () => {
  const container = (navigator as Partial<Navigator>).serviceWorker;
  void container?.register(scriptAddress("./sw.js"), { updateViaCache: "none" })?.catch(() => undefined);
});
