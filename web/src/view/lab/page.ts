/**
 * The page of labs, `lab.html?lab=carts&n=1000`: the built-in labs and the one that is open, or the lab of a link.
 *
 * Invariants: the address always names the open lab; a link's lab is read and shown, and runs when the reader says so.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { labOfShared } from "../../lessons/lab/lab.ts";
import { labMessagesOf } from "../../messages/lab/words.ts";
import { decodeShared } from "../../share/decode.ts";
import type { Language } from "../../state/settings.ts";
import { keepOffline, LessonPage, type HeadLink } from "../lesson-page.ts";
import { QuireLab } from "./quire-lab.ts";

/** The built-in labs with their titles, as the build found them (`scripts/lab-files.ts`). */
declare const QUIRE_LABS: readonly { readonly id: string; readonly title: Readonly<Record<string, string>> }[];

if (customElements.get("quire-lab") === undefined) customElements.define("quire-lab", QuireLab);

@customElement("lab-page")
export class LabPage extends LessonPage {
  @state() private lab = this.wished.get("lab") ?? QUIRE_LABS[0]?.id ?? "";
  /** The lab of a link: its file, or why it cannot be read; null where the address is none. */
  @state() private linked: { readonly file: string } | { readonly failure: string } | null = null;
  @state() private reading = location.hash !== "";

  #seen: HTMLElement | null = null;

  static override styles = [
    ...LessonPage.styles,
    css`
      .desk { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.4rem; max-width: 90rem; margin: 0 auto; }
      h1 { font-size: 1.15rem; font-weight: 560; line-height: 1.3; }
      .about { margin-block: 0.3rem 1rem; color: var(--ink-2); font-size: 0.9375rem; line-height: 1.45; }
      nav ol { display: flex; gap: 0.4rem; overflow-x: auto; padding-bottom: 0.4rem; }
      nav a {
        display: block; padding: 0.4rem 0.6rem; border: 1px solid var(--rule); border-radius: var(--radius);
        color: inherit; font-size: 0.9375rem; line-height: 1.35; text-decoration: none; white-space: nowrap;
      }
      nav a:hover { background: var(--paper-3); }
      nav [aria-current] { background: var(--paper-2); border-color: var(--thread); font-weight: 600; }
      @media (pointer: coarse) { nav a { padding-block: 0.65rem; } }
      @media (min-width: 1000px) {
        .desk { grid-template-columns: 15rem minmax(0, 1fr); gap: 2.5rem; }
        aside { position: sticky; inset-block-start: 1rem; align-self: start; max-block-size: calc(100dvh - 2rem);
          overflow: auto; }
        nav ol { display: block; padding: 0; border-block-start: 1px solid var(--rule); }
        nav li { border-block-end: 1px solid var(--rule); }
        nav a { border: 0; border-radius: 0; white-space: normal; }
        nav [aria-current] { box-shadow: inset 3px 0 var(--thread); }
      }
    `,
  ];

  constructor() {
    super();
    if (this.reading) void this.#read();
    addEventListener("popstate", () => {
      this.lab = new URLSearchParams(location.search).get("lab") ?? this.lab;
      void this.#read();
    });
  }

  /** On a narrow page the list is a line, in which the open lab is brought into sight. */
  protected override updated(): void {
    const list = this.renderRoot.querySelector<HTMLElement>("nav ol");
    const open = list?.querySelector<HTMLElement>("[aria-current]") ?? null;
    if (list === null || open === null || open === this.#seen) return;
    this.#seen = open;
    list.scrollLeft = open.offsetLeft - list.offsetLeft - (list.clientWidth - open.offsetWidth) / 2;
  }

  /** Reads the lab in the address's fragment; a new fragment, too, comes with `popstate`. */
  async #read(): Promise<void> {
    try {
      const shared = await decodeShared(location.hash);
      this.linked = shared === null ? null : { file: labOfShared(shared.scripts) };
    } catch (error) {
      this.linked = { failure: error instanceof Error ? error.message : String(error) };
    }
    this.reading = false;
  }

  protected override titleIn(language: Language): string {
    return labMessagesOf(language)["page.title"];
  }

  protected override links(): readonly HeadLink[] {
    const l = labMessagesOf(this.settings.language);
    return [
      { href: "./course.html", text: l["page.tutorial"] },
      { href: "./reference.html", text: l["page.reference"] },
      { href: "./index.html", text: l["page.playground"] },
    ];
  }

  /** Opens a lab in its place; a new tab is the browser's own affair. */
  private open(event: MouseEvent, id: string): void {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const url = new URL(location.href);
    url.search = "";
    url.searchParams.set("lab", id);
    url.hash = "";
    history.pushState(null, "", url.href.replace(/#$/, ""));
    this.linked = null;
    this.lab = id;
  }

  protected override main(): TemplateResult {
    const l = labMessagesOf(this.settings.language);
    const { linked, lab } = this;
    return html`<div class="desk">
      <aside>
        <h1>${l["page.labs"]}</h1>
        <p class="about">${l["page.about"]}</p>
        <nav aria-label=${l["page.labs"]}><ol>
          ${
            linked === null ? nothing : html`<li><a href=${location.href} aria-current="true">${l["page.own"]}</a></li>`
          }
          ${QUIRE_LABS.map(
            ({ id, title }) =>
              html`<li><a href=${`?lab=${id}`} data-lab=${id} aria-current=${
                linked === null && id === lab ? "true" : nothing
              } @click=${(event: MouseEvent) => this.open(event, id)}>${title[this.settings.language] ?? id}</a></li>`,
          )}
        </ol></nav>
      </aside>
      ${this.reading ? nothing : this.shown()}
    </div>`;
  }

  private shown(): TemplateResult {
    const l = labMessagesOf(this.settings.language);
    const { linked, lab } = this;
    const page = new URL("lab.html", location.href).href;
    const scale = this.wished.get("n") ?? nothing;
    if (linked !== null && "failure" in linked)
      return html`<p class="unknown" role="alert">${l["page.unknown"]} ${linked.failure}</p>`;
    if (linked !== null)
      return keyed(
        linked.file,
        html`<quire-lab lang=${this.settings.language} page=${page} scale=${scale} .file=${linked.file}></quire-lab>`,
      ) as unknown as TemplateResult;
    if (!QUIRE_LABS.some(({ id }) => id === lab)) return html`<p class="unknown">${l["page.unknown"]}</p>`;
    return keyed(
      lab,
      html`<quire-lab src=${`./labs/${lab}/lab.json`} lang=${this.settings.language} page=${page}
        scale=${scale}></quire-lab>`,
    ) as unknown as TemplateResult;
  }
}

document.body.append(document.createElement("lab-page"));
keepOffline();
