/**
 * `<reference-view>`: the names, to search and to filter, beside the entry that the address names, whose example runs.
 *
 * Invariants: it draws its properties; which entry is open the address alone says (`#/stage/$match`, `#/$match`); an
 * entry's example is run by the page's snippets, in an empty database of its own.
 */
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { highlighted } from "../../embed/highlight.ts";
import { QuireSnippet } from "../../embed/snippet.ts";
import { chevronLeft, searchIcon } from "../../look/icons.ts";
import { shared } from "../../look/shared.ts";
import { noteInChinese } from "../../messages/reference/notes-zh-hans.ts";
import { referenceMessagesOf, type ReferenceMessages } from "../../messages/reference/words.ts";
import type { Support } from "../../reference/compat.ts";
import { belonging, entriesAt, operatorNamed, remarkOf, type Entry, type Sentences } from "../../reference/entries.ts";
import { kinds, type ReferenceKind } from "../../reference/kinds.ts";
import { findEntries } from "../../reference/search.ts";
import { encodeShared } from "../../share/encode.ts";
import { languages, type Language } from "../../state/settings.ts";
import { siteAddress } from "../guides.ts";
import { referenceStyles } from "./reference-styles.ts";

if (customElements.get("quire-snippet") === undefined) customElements.define("quire-snippet", QuireSnippet);

/** The database of examples that are opened in the playground: there they may run again and again. */
const DATABASE = "quire_reference";
const supports: readonly Support[] = ["supported", "partial", "absent"];

/** The most lessons that an entry leads to. */
const MOST_LESSONS = 5;

/** A lesson with the names that its text explains. */
export interface TaughtLesson {
  readonly id: string;
  readonly title: Readonly<Record<string, string>>;
  readonly names: readonly string[];
}

/** The address of an entry. */
export const addressOf = ({ id }: Pick<Entry, "id">): string => `#/${encodeURI(id)}`;

/** The entry that an address's fragment names: `kind/name` or a name; empty for none. */
export function wantedIn(hash: string): string {
  try {
    return decodeURIComponent(hash.replace(/^#\/?/, ""));
  } catch {
    return hash.replace(/^#\/?/, "");
  }
}

@customElement("reference-view")
export class ReferenceView extends LitElement {
  @property({ attribute: false }) entries: readonly Entry[] = [];
  @property({ attribute: false }) sentences!: Readonly<Record<Language, Sentences>>;
  @property({ attribute: false }) lessons: readonly TaughtLesson[] = [];
  @property() language: Language = "en";
  /** The entry that the address names, as `wantedIn` reads it. */
  @property() wanted = "";
  @state() private text = "";
  @state() private kind: ReferenceKind | "" = "";
  @state() private support: Support | "" = "";
  @query("input[type=search]") private input!: HTMLInputElement;
  #focusEntry = false;
  #last = "";

  static override styles = [shared, referenceStyles];

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.#slash);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.#slash);
  }

  /** `/` leads to the search, unless something is being typed. */
  readonly #slash = (event: KeyboardEvent): void => {
    const path = event.composedPath()[0];
    const types = path instanceof HTMLElement && (path.isContentEditable || /^(?:INPUT|SELECT)$/.test(path.tagName));
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || types) return;
    // On a narrow page the search stands on the page of names.
    if (this.input.offsetParent === null) location.hash = "#/";
    event.preventDefault();
    void this.updateComplete.then(() => requestAnimationFrame(() => this.input.focus()));
  };

  private get w(): ReferenceMessages {
    return referenceMessagesOf(this.language);
  }

  private number(value: number): string {
    return new Intl.NumberFormat(this.language).format(value);
  }

  private kindName(kind: ReferenceKind, language: Language = this.language): string {
    const w = referenceMessagesOf(language);
    return w[`kind.${kind}`];
  }

  private sentence(entry: Entry): string {
    return this.sentences[this.language].of(entry);
  }

  /** The entries that are listed. */
  private get listed(): readonly Entry[] {
    const filtered = this.entries.filter(
      ({ kind, support }) =>
        (this.kind === "" || kind === this.kind) && (this.support === "" || support === this.support),
    );
    return findEntries(this.text, filtered, (entry) =>
      languages.flatMap((language) => [this.sentences[language].of(entry), this.kindName(entry.kind, language)]),
    );
  }

  private get open(): readonly Entry[] {
    return this.wanted === "" ? [] : entriesAt(this.entries, this.wanted);
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has("wanted")) return;
    const narrow = this.input.offsetParent === null;
    if (this.wanted !== "" && this.#focusEntry) {
      const article = this.renderRoot.querySelector<HTMLElement>("article");
      article?.focus({ preventScroll: true });
      if (narrow || (article?.getBoundingClientRect().top ?? 0) < 0) article?.scrollIntoView({ block: "start" });
    } else if (this.wanted === "" && this.#last !== "") {
      // Back among the names, where the reader left them.
      const link = this.renderRoot.querySelector<HTMLElement>(`nav a[href="${CSS.escape(this.#last)}"]`);
      link?.focus();
    }
    this.#focusEntry = false;
    if (!narrow && this.wanted !== "") this.#showCurrent();
  }

  /** Brings the open entry's name into sight in the column of names; the page itself stays where it is. */
  #showCurrent(): void {
    const column = this.renderRoot.querySelector("aside");
    const link = this.renderRoot.querySelector("nav a[aria-current]")?.getBoundingClientRect();
    if (column === null || link === undefined) return;
    const { bottom } = column.getBoundingClientRect();
    const top = this.renderRoot.querySelector(".asking")?.getBoundingClientRect().bottom ?? 0;
    if (link.top < top) column.scrollTop += link.top - top;
    else if (link.bottom > bottom) column.scrollTop += link.bottom - bottom + link.height;
  }

  /** A link to an entry was followed: the entry gets the focus. */
  #follow(entry: Entry): void {
    this.#focusEntry = true;
    this.#last = addressOf(entry);
  }

  #keys(event: KeyboardEvent, listed: readonly Entry[]): void {
    const [first] = listed;
    if (event.isComposing) return;
    if (event.key === "Enter" && first !== undefined) {
      this.#follow(first);
      location.hash = addressOf(first);
    } else if (event.key === "ArrowDown") this.renderRoot.querySelector<HTMLElement>("nav a")?.focus();
    else return;
    event.preventDefault();
  }

  /** Arrows go from name to name; the list is one stop of the tabulator. */
  #walk(event: KeyboardEvent): void {
    const links = [...this.renderRoot.querySelectorAll<HTMLElement>("nav a")];
    const at = links.indexOf(event.composedPath()[0] as HTMLElement);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: Math.min(links.length - 1, at + 10),
      PageUp: Math.max(0, at - 10),
      Home: 0,
      End: links.length - 1,
    };
    const to = moves[event.key];
    if (at < 0 || to === undefined) return;
    if (to < 0) this.input.focus();
    else links[to]?.focus();
    event.preventDefault();
  }

  protected override render(): TemplateResult {
    const { w, open, listed } = this;
    return html`<div class="reference ${this.wanted === "" ? "" : "open"}">
      <aside>
        <h1>${w.title}</h1>
        <p class="about">${w.about}</p>
        ${this.asking(listed)}
        ${this.names(listed, open[0])}
      </aside>
      ${
        this.wanted === ""
          ? html`<article tabindex="-1" data-main>${this.overview()}</article>`
          : html`<article tabindex="-1" data-main>
            <a class="back" href="#/">${chevronLeft()}${w.back}</a>
            ${
              open[0] === undefined
                ? html`<p role="status">${w.unknown(this.wanted)}</p>`
                : keyed(open[0].id, this.entry(open[0]))
            }
          </article>`
      }
    </div>`;
  }

  private asking(listed: readonly Entry[]): TemplateResult {
    const { w } = this;
    return html`<div class="asking" role="search">
      <div class="field">${searchIcon()}<input type="search" aria-label=${w.search} placeholder=${w.search}
        aria-keyshortcuts="/" autocomplete="off" spellcheck="false" .value=${this.text}
        @input=${() => (this.text = this.input.value)}
        @keydown=${(event: KeyboardEvent) => this.#keys(event, listed)} /></div>
      <div class="filters">
        <select aria-label=${w["filter.kind"]} @change=${(event: Event) => {
          this.kind = (event.target as HTMLSelectElement).value as ReferenceKind | "";
        }}>
          <option value="" ?selected=${this.kind === ""}>${w["filter.all"]}</option>
          ${kinds.map(
            (kind) => html`<option value=${kind} ?selected=${kind === this.kind}>${this.kindName(kind)}</option>`,
          )}
        </select>
        <select aria-label=${w["filter.support"]} @change=${(event: Event) => {
          this.support = (event.target as HTMLSelectElement).value as Support | "";
        }}>
          <option value="">${w["support.all"]}</option>
          ${supports.map(
            (one) => html`<option value=${one} ?selected=${one === this.support}>${w[`support.${one}`]}</option>`,
          )}
        </select>
      </div>
      <p class="found" role="status">${listed.length === 0 ? w["found.none"] : w.found(this.number(listed.length))}</p>
    </div>`;
  }

  private names(listed: readonly Entry[], current: Entry | undefined): TemplateResult {
    const { w } = this;
    const reachable = current !== undefined && listed.includes(current) ? current : listed[0];
    // Answers to a query stand by how well they answer; names without one by their kind.
    const parts: readonly (readonly [ReferenceKind | null, readonly Entry[]])[] =
      this.text.trim() === ""
        ? kinds.map((kind) => [kind, listed.filter((entry) => entry.kind === kind)] as const)
        : [[null, listed]];
    return html`<nav aria-label=${w.names} @keydown=${(event: KeyboardEvent) => this.#walk(event)}>${parts
      .filter(([, list]) => list.length > 0)
      .map(
        ([kind, list]) => html`${kind === null ? nothing : html`<h2>${this.kindName(kind)}</h2>`}
        <ul>${list.map((entry) => this.name(entry, kind === null, entry === current, entry === reachable))}</ul>`,
      )}</nav>`;
  }

  private name(entry: Entry, withKind: boolean, isOpen: boolean, isReachable: boolean): TemplateResult {
    const { w } = this;
    const does = entry.support === "absent" ? w["support.absent"] : this.sentence(entry);
    return html`<li><a href=${addressOf(entry)} class=${entry.support} tabindex=${isReachable ? 0 : -1}
      aria-current=${isOpen ? "page" : nothing} @click=${() => this.#follow(entry)}><span class="head"><span
        class="called">${entry.name}</span>${
          withKind ? html`<span class="kind">${this.kindName(entry.kind)}</span>` : nothing
        }</span><span class="does">${does}</span></a></li>`;
  }

  private overview(): TemplateResult {
    const { w } = this;
    const counted = (kind: ReferenceKind, support: Support): number =>
      this.entries.filter((entry) => entry.kind === kind && entry.support === support).length;
    return html`<table class="overview">
      <thead><tr><th scope="col">${w["filter.kind"]}</th>${supports.map(
        (support) => html`<th scope="col">${w[`support.${support}`]}</th>`,
      )}</tr></thead>
      <tbody>${kinds.map(
        (kind) =>
          html`<tr><th scope="row"><button
            @click=${() => this.#choose(kind)}>${this.kindName(kind)}</button></th>${supports.map((support) => {
              const count = counted(kind, support);
              return html`<td class=${count === 0 ? "none" : ""}>${count === 0 ? "–" : this.number(count)}</td>`;
            })}</tr>`,
      )}</tbody>
    </table>`;
  }

  #choose(kind: ReferenceKind): void {
    this.kind = kind;
    this.text = "";
    this.support = "";
    void this.updateComplete.then(() => {
      this.renderRoot.querySelector("aside")?.scrollTo({ top: 0 });
      this.renderRoot.querySelector<HTMLElement>("nav a")?.focus();
    });
  }

  private entry(entry: Entry): TemplateResult {
    const { w, language } = this;
    const { name, kind, support, syntax, example } = entry;
    const same = this.entries.filter((other) => other.name === name && other.kind !== kind);
    const isAbsent = support === "absent";
    return html`
      <h1><code>${name}</code><span class="kind">${this.kindName(kind)}</span><span
        class="mark ${support}">${w[`support.${support}`]}</span></h1>
      ${isAbsent ? nothing : html`<p class="sentence">${this.sentence(entry)}</p>`}
      ${this.note(entry)}
      ${syntax === null ? nothing : html`<h2>${w.syntax}</h2><pre class="written">${highlighted(syntax)}</pre>`}
      ${this.belonging(entry)}
      <h2 id="example">${isAbsent ? w["entry.refusal"] : w.example}</h2>
      <quire-snippet db="isolate" autorun playground="none" lang=${language}
        aria-labelledby="example"><pre>${example}</pre></quire-snippet>
      <div class="under"><a href=${siteAddress("./index.html")} target="_blank" rel="noopener" title=${w["open.hint"]}
        @pointerenter=${this.#prepare} @pointerdown=${this.#prepare} @focus=${this.#prepare}>${w.open}</a></div>
      ${this.taught(entry)}
      ${
        same.length === 0
          ? nothing
          : html`<div class="also"><p>${w.also}</p><ul>${same.map(
              (other) => html`<li><a href=${addressOf(other)}
                @click=${() => this.#follow(other)}>${this.kindName(other.kind)}</a></li>`,
            )}</ul></div>`
      }`;
  }

  /** The lessons that explain the name. */
  private taught({ key }: Entry): TemplateResult | typeof nothing {
    const found = this.lessons.filter(({ names }) => names.includes(key)).slice(0, MOST_LESSONS);
    if (found.length === 0) return nothing;
    return html`<div class="also" data-lessons><p>${this.w["entry.lessons"]}</p><ul>${found.map(
      ({ id, title }) =>
        html`<li><a href=${siteAddress(`./course.html?lesson=${id}`)}>${title[this.language] ?? id}</a></li>`,
    )}</ul></div>`;
  }

  /** The methods that take an option, or the options of a method. */
  private belonging(entry: Entry): TemplateResult | typeof nothing {
    const { w } = this;
    const others = belonging(entry, this.entries);
    if (others.length === 0) return nothing;
    return html`<h2>${entry.kind === "option" ? w["entry.methods"] : w["entry.options"]}</h2>
      <ul class="belonging">${others.map(
        (other) =>
          html`<li><a href=${addressOf(other)} @click=${() => this.#follow(other)}><code>${other.name}</code></a></li>`,
      )}</ul>`;
  }

  private note(entry: Entry): TemplateResult | typeof nothing {
    const { support } = entry;
    const note = remarkOf(entry);
    if (note === "") return nothing;
    const text = this.language === "zh-Hans" ? (noteInChinese(note) ?? note) : note;
    return html`<p class="note ${support}"><b>${this.w["entry.note"]}</b>${text
      .split(/`([^`]+)`/)
      .map((part, at) => (at % 2 === 1 ? this.named(part, entry) : part))}</p>`;
  }

  /** Code of a note, which leads to the operator that it names. */
  private named(code: string, entry: Entry): TemplateResult {
    const other = operatorNamed(this.entries, code, entry);
    return other === null
      ? html`<code>${code}</code>`
      : html`<a href=${addressOf(other)} @click=${() => this.#follow(other)}><code>${code}</code></a>`;
  }

  /** Before the link is followed, it gets the script as the reader left it. */
  readonly #prepare = async (event: Event): Promise<void> => {
    const link = event.currentTarget as HTMLAnchorElement;
    const [entry] = this.open;
    const source = this.renderRoot.querySelector<QuireSnippet>("quire-snippet")?.source ?? entry?.example ?? "";
    const script = `use ${DATABASE}\ndb.dropDatabase()\n\n${source}\n`;
    const shared = await encodeShared({ scripts: [{ name: entry?.name ?? "", source: script }] });
    link.href = siteAddress(`./index.html${shared}`);
  };
}
