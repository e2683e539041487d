/**
 * `<timeline-panel>`: the moments that are kept, on a slider and in a list, with one of them beside it.
 *
 * Invariants: slider and list have one chosen moment; the changes of the moments are asked for one after another, the
 * newest first, while the panel is there; whatever changes the data or the moments has the list read again.
 */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { limitPages, type ChangeCounts } from "../../protocol/moments.ts";
import { wordFailure } from "../../state/controller.ts";
import type { AppState } from "../../state/model.ts";
import {
  bookmark,
  entriesOf,
  readDifference,
  readKept,
  sumOf,
  type Entry,
  type Kept,
} from "../../state/timeline/timeline.ts";
import { properties } from "../../look/cssom.ts";
import { chevronRight } from "../../look/icons.ts";
import { shared } from "../../look/shared.ts";
import { countsText, countsView } from "./counts-view.ts";
import { TimelineElement, timelineStyles } from "./timeline-element.ts";
import "./timeline-moment.ts";
import { panelStyles } from "./panel-styles.ts";
import { wordMoment } from "./word-deed.ts";

/** The most moments that the slider marks; of more it marks only the named ones, else the marks would be a band. */
const MARKED = 60;

/** How many counts come between two drawings of the list. */
const COUNTS_A_DRAWING = 8;

@customElement("timeline-panel")
export class TimelinePanel extends TimelineElement {
  @property({ attribute: false }) app!: AppState;
  @state() private kept: Kept | null = null;
  @state() private entries: readonly Entry[] = [];
  /** The chosen moment's number; null before there is one. */
  @state() private chosen: number | null = null;
  @state() private failure = "";
  /** The present differs from the newest moment by these. */
  @state() private since: ChangeCounts | null = null;
  /** A name for the present is being typed. */
  @state() private naming = false;
  @query("[role=listbox]") private list!: HTMLElement | null;
  @query("#mark") private mark!: HTMLInputElement | null;
  /** By a moment's number: the counts of its change against the moment before, which never alter. */
  readonly #counts = new Map<number, ChangeCounts>();
  #reading = 0;

  static override styles = [shared, timelineStyles, panelStyles];

  override connectedCallback(): void {
    super.connectedCallback();
    void this.controller.readQuota();
    void this.read();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#reading += 1;
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("chosen")) this.list?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
    const before = changed.get("app") as AppState | undefined;
    // Another tab wrote, or an undo came to its end.
    if (before !== undefined && before.catalog !== this.app.catalog) void this.read();
  }

  /** Reads the kept moments, and then the changes of each. */
  private async read(choose?: number): Promise<void> {
    this.#reading += 1;
    const reading = this.#reading;
    try {
      const kept = await readKept(this.controller);
      if (reading !== this.#reading) return;
      const isFirst = this.kept === null;
      this.kept = kept;
      this.entries = entriesOf(kept);
      const known = this.entries.some(({ moment }) => moment.number === (choose ?? this.chosen));
      const here = this.entries.find(({ isHere }) => isHere) ?? this.entries.at(-1);
      if (choose !== undefined && known) this.chosen = choose;
      else if (!known) this.chosen = here?.moment.number ?? null;
      this.failure = "";
      if (isFirst) void this.updateComplete.then(() => this.list?.focus());
      await this.count(reading, kept);
    } catch (error) {
      if (reading === this.#reading) this.failure = wordFailure(error);
    }
  }

  private async count(reading: number, kept: Kept): Promise<void> {
    const newest = kept.moments.at(-1);
    if (newest !== undefined) {
      const since = await readDifference(this.controller, newest.number, null);
      if (reading !== this.#reading) return;
      this.since = since.length === 0 ? null : sumOf(since);
    }
    let left = COUNTS_A_DRAWING;
    for (const { moment, before } of this.entries.toReversed()) {
      if (before === null || this.#counts.has(moment.number)) continue;
      const counts = sumOf(await readDifference(this.controller, before, moment.number));
      if (reading !== this.#reading) return;
      this.#counts.set(moment.number, counts);
      left -= 1;
      if (left > 0) continue;
      left = COUNTS_A_DRAWING;
      this.requestUpdate();
    }
    this.requestUpdate();
  }

  protected override render(): TemplateResult {
    const { t, kept, entries } = this;
    if (this.failure !== "") return html`<p class="failure" role="alert">${this.failure}</p>`;
    if (kept === null) return html`<p class="quietly" role="status">${t["timeline.reading"]}</p>`;
    const at = entries.findIndex(({ moment }) => moment.number === this.chosen);
    const entry = entries[at];
    if (entry === undefined)
      return html`${this.head()}<div class="empty"><p class="large">${t["timeline.empty"]}</p>
        <p>${t["timeline.empty.hint"]}</p></div>`;
    return html`${this.head()} ${this.slider(at)} ${this.changedSince()}
      <div class="beside">
        ${this.rows(at)}
        <timeline-moment .app=${this.app} .entry=${entry} .counts=${this.#counts.get(entry.moment.number) ?? null}
          .differs=${!entry.isHere || this.since !== null} lang=${this.app.settings.language}
          @changed=${(event: CustomEvent<number | undefined>) => void this.read(event.detail)}></timeline-moment>
      </div>`;
  }

  /** How much room moments take, and keeping the present. */
  private head(): TemplateResult {
    const { t, words, kept } = this;
    const { pages = 0, unnamedPages = 0, pageBytes = 0 } = kept ?? {};
    const inMemory = this.app.deployment?.mode === "memory";
    const most = limitPages(inMemory ? null : (this.app.quota?.quotaBytes ?? null));
    const share = Math.min(1, unnamedPages / most);
    return html`<div class="head">
      <div class="room">
        <div class="meter" aria-hidden="true"><i ${properties({ width: `${100 * share}%` })}></i></div>
        <p class="facts">${t["timeline.room"](
          words.size(pages * pageBytes),
          words.size(unnamedPages * pageBytes),
          words.size(most * pageBytes),
        )} <span class="hint">${t["timeline.room.hint"]}</span></p>
      </div>
      ${
        this.naming
          ? html`<form class="buttons" @submit=${(event: SubmitEvent) => void this.keepPresent(event)}>
            <input id="mark" type="text" maxlength="80" required aria-label=${t["moment.name.label"]}
              placeholder=${t["moment.name.placeholder"]}
              @keydown=${(event: KeyboardEvent) => this.onNameKey(event)} />
            <button class="button main">${t["moment.name.save"]}</button>
            <button type="button" class="button" @click=${() => (this.naming = false)}>${this.m["cancel"]}</button>
          </form>`
          : html`<button class="button" ?disabled=${this.app.deployment?.mode === "read-only"}
            @click=${() => this.startNaming()}>${t["timeline.bookmark"]}</button>`
      }
    </div>`;
  }

  private startNaming(): void {
    this.naming = true;
    void this.updateComplete.then(() => this.mark?.focus());
  }

  private onNameKey(event: KeyboardEvent): void {
    if (event.key !== "Escape") return;
    // The dialog stays.
    event.preventDefault();
    event.stopPropagation();
    this.naming = false;
  }

  private async keepPresent(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    try {
      const number = await bookmark(this.controller, this.mark?.value.trim() ?? "");
      this.naming = false;
      await this.read(number);
      this.list?.focus();
    } catch (error) {
      this.mark?.setCustomValidity(wordFailure(error));
      this.mark?.reportValidity();
      this.mark?.addEventListener("input", () => this.mark?.setCustomValidity(""), { once: true });
    }
  }

  private changedSince(): TemplateResult | typeof nothing {
    const { t, words, since } = this;
    return since === null ? nothing : html`<p class="since">${t["timeline.since"](countsText(t, words, since))}</p>`;
  }

  private heading({ moment: { name, note }, isFirst }: Entry): string {
    const what = wordMoment(this.t, note, isFirst);
    return name === null ? what : `${name}: ${what}`;
  }

  private time({ time }: Entry["moment"]): string {
    const at = time.getTime();
    const isToday = new Date().toDateString() === time.toDateString();
    const { language } = this.app.settings;
    return isToday
      ? this.words.clock(at)
      : new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(at);
  }

  /** Ticks lie where the thumb is at each moment; a name makes one tall. */
  private slider(at: number): TemplateResult {
    const { t, words, entries } = this;
    const last = entries.length - 1;
    const entry = entries[at] as Entry;
    const step = (to: number): void => this.choose(Math.min(last, Math.max(0, to)));
    const x = (index: number): number => (last === 0 ? 500 : (1000 * index) / last);
    return html`<div class="slide">
      <button class="quiet icon back" aria-label=${t["timeline.older"]} title=${t["timeline.older"]}
        ?disabled=${at === 0} @click=${() => step(at - 1)}>${chevronRight()}</button>
      <div class="track">
        <svg viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true">
          <path class="line" vector-effect="non-scaling-stroke" d="M0 6H1000"></path>
          <path class="tick" vector-effect="non-scaling-stroke" d=${entries
            .map(({ moment }, index) => (moment.name === null && last < MARKED ? `M${x(index)} 3.5v5` : ""))
            .join("")}></path>
          <path class="named" vector-effect="non-scaling-stroke" d=${entries
            .map(({ moment }, index) => (moment.name === null ? "" : `M${x(index)} 0v12`))
            .join("")}></path>
        </svg>
        <input type="range" min="0" max=${last} step="1" .value=${String(at)} aria-label=${t["timeline.slider"]}
          aria-valuetext=${t["timeline.position"](
            words.number(at + 1),
            words.number(entries.length),
            this.heading(entry),
            this.time(entry.moment),
          )}
          @input=${(event: Event) => step(Number((event.target as HTMLInputElement).value))} />
      </div>
      <button class="quiet icon" aria-label=${t["timeline.newer"]} title=${t["timeline.newer"]}
        ?disabled=${at === last} @click=${() => step(at + 1)}>${chevronRight()}</button>
      <span class="facts place" aria-hidden="true">${words.number(at + 1)} / ${words.number(entries.length)}</span>
    </div>`;
  }

  private choose(index: number): void {
    this.chosen = this.entries[index]?.moment.number ?? this.chosen;
  }

  /** The newest first, as results are. */
  private rows(at: number): TemplateResult {
    const { t, entries } = this;
    return html`<div class="rows" role="listbox" tabindex="0" aria-label=${t["timeline.list"]}
      aria-activedescendant="m${this.chosen}" @keydown=${(event: KeyboardEvent) => this.onKey(event, at)}>
      ${entries.toReversed().map((entry) => this.row(entry))}
    </div>`;
  }

  private row(entry: Entry): TemplateResult {
    const { t, words } = this;
    const { moment, isHere } = entry;
    const counts = this.#counts.get(moment.number);
    const { did } = moment.note;
    return html`<div role="option" id="m${moment.number}" class=${isHere ? "here" : ""}
      aria-selected=${String(moment.number === this.chosen)}
      @click=${() => (this.chosen = moment.number)}>
      <span class="what ${did === "run" ? "run" : ""}">${
        moment.name === null ? nothing : html`<b>${moment.name}</b> `
      }${wordMoment(t, moment.note, entry.isFirst)}</span>
      <span class="facts"><time datetime=${moment.time.toISOString()}>${this.time(moment)}</time>${
        isHere ? html` <i>${t["moment.here"]}</i>` : nothing
      }</span>
      ${counts === undefined ? html`<span></span>` : countsView(t, words, counts)}
    </div>`;
  }

  private onKey(event: KeyboardEvent, at: number): void {
    const last = this.entries.length - 1;
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: at - 1,
      ArrowUp: at + 1,
      PageDown: at - 10,
      PageUp: at + 10,
      Home: last,
      End: 0,
    };
    const to = moves[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.choose(Math.min(last, Math.max(0, to)));
  }
}
