/**
 * `<timeline-moment>`: one moment: its name, the actions on it, its changes, its difference from the present, and the
 * data as it was.
 *
 * Invariant: the outcome of each action is told here, a failure too; the list around it hears of it by `changed`.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import type { ChangeCounts } from "../../protocol/moments.ts";
import { wordFailure } from "../../state/controller.ts";
import type { AppState } from "../../state/model.ts";
import { dropMoment, nameMoment, restorePart, type Entry, type Part } from "../../state/timeline/timeline.ts";
import { undoIcon } from "../../look/icons.ts";
import { shared } from "../../look/shared.ts";
import { countsText } from "./counts-view.ts";
import "./timeline-changes.ts";
import "./timeline-data.ts";
import { TimelineElement, timelineStyles } from "./timeline-element.ts";
import { wordMoment } from "./word-deed.ts";

type View = "changed" | "now" | "data";
const views: readonly View[] = ["changed", "now", "data"];

/** The outcome of an action in words, and whether it can be undone. */
interface Outcome {
  readonly text: string;
  readonly undoable: boolean;
}

@customElement("timeline-moment")
export class TimelineMoment extends TimelineElement {
  @property({ attribute: false }) app!: AppState;
  @property({ attribute: false }) entry!: Entry;
  @property({ attribute: false }) counts: ChangeCounts | null = null;
  /** The present is not as it was at this moment. */
  @property({ type: Boolean }) differs = false;
  @state() private view: View = "changed";
  @state() private doing: "nothing" | "naming" | "dropping" | "working" = "nothing";
  @state() private outcome: Outcome | null = null;
  @state() private failure = "";
  @query("input") private input!: HTMLInputElement | null;

  static override styles = [
    shared,
    timelineStyles,
    css`
      :host > * + * { margin-top: 0.6rem; }
      h3 { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; line-clamp: 3; overflow: hidden; }
      .run { font: 400 var(--code)/1.5 var(--mono); white-space: pre-wrap; }
      .name { margin-right: 0.4rem; font: 600 var(--text)/1.3 var(--serif); color: var(--rubric); }
      .done { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; }
      .done > * + * { margin-top: 0; }
    `,
  ];

  private get isReadOnly(): boolean {
    return this.app.deployment?.mode === "read-only";
  }

  protected override willUpdate(changed: PropertyValues): void {
    const before = changed.get("entry") as Entry | undefined;
    if (before === undefined || before.moment.number === this.entry.moment.number) return;
    this.doing = "nothing";
    this.failure = "";
    this.outcome = null;
  }

  protected override render(): TemplateResult {
    const { t, words, entry } = this;
    const { moment } = entry;
    const day = new Intl.DateTimeFormat(words.language, { dateStyle: "medium", timeStyle: "medium" });
    const alone = words.number(moment.pages);
    return html`<h3>${moment.name === null ? nothing : html`<span class="name">${moment.name}</span>`}<span
        class=${moment.note.did === "run" ? "run" : ""}>${wordMoment(t, moment.note, entry.isFirst)}</span></h3>
      <p class="facts"><time datetime=${moment.time.toISOString()}>${day.format(moment.time)}</time> · ${
        this.counts === null ? t["moment.first"] : countsText(t, words, this.counts)
      } · ${t["moment.alone"](alone, words.one(moment.pages))}${
        entry.isHere ? html` · ${t["moment.here"]}` : nothing
      }</p>
      ${this.actions()}
      ${this.failure === "" ? nothing : html`<p class="failure" role="alert">${this.failure}</p>`}
      ${this.told()}
      <div class="views" role="group" aria-label=${t["moment.views"]}>${views.map(
        (view) =>
          html`<button aria-pressed=${String(view === this.view)}
            @click=${() => (this.view = view)}>${t[`moment.view.${view}`]}</button>`,
      )}</div>
      ${this.shown()}`;
  }

  private actions(): TemplateResult {
    const { t, m, entry } = this;
    const { name, pages } = entry.moment;
    const settle = (): void => void (this.doing = "nothing");
    if (this.doing === "naming")
      return html`<form class="buttons" @submit=${(event: SubmitEvent) => void this.name(event)}>
        <input type="text" maxlength="80" required .value=${name ?? ""} aria-label=${t["moment.name.label"]}
          placeholder=${t["moment.name.placeholder"]}
          @keydown=${(event: KeyboardEvent) => {
            if (event.key !== "Escape") return;
            event.preventDefault();
            event.stopPropagation();
            settle();
          }} />
        <button class="button main">${t["moment.name.save"]}</button>
        ${
          name === null
            ? nothing
            : html`<button type="button" class="button" @click=${() => void this.rename(null)}>${
                t["moment.name.remove"]
              }</button>`
        }
        <button type="button" class="button" @click=${settle}>${m["cancel"]}</button>
      </form>`;
    if (this.doing === "dropping")
      return html`<div class="inset" role="alert"><p>${t["moment.drop.sure"](
        this.words.number(pages),
        this.words.one(pages),
      )}</p><p class="buttons"><button class="button main" @click=${() => void this.drop()}>${
        t["moment.drop.yes"]
      }</button><button class="button" @click=${settle}>${m["cancel"]}</button></p></div>`;
    return html`<p class="buttons">
      <button class="button main" ?disabled=${!this.differs || this.isReadOnly}
        aria-disabled=${String(this.doing === "working")}
        @click=${() => void this.restore({})}>${t["moment.restore.all"]}</button>
      <button class="button" ?disabled=${this.isReadOnly} @click=${() => this.ask("naming")}>${
        t[name === null ? "moment.name" : "moment.rename"]
      }</button>
      <button class="button" ?disabled=${this.isReadOnly} @click=${() => this.ask("dropping")}>${
        t["moment.drop"]
      }</button>
    </p>`;
  }

  private ask(what: "naming" | "dropping"): void {
    this.doing = what;
    this.outcome = null;
    void this.updateComplete.then(() => {
      this.input?.select();
      (this.input ?? this.renderRoot.querySelector<HTMLElement>(".inset button"))?.focus();
    });
  }

  private told(): TemplateResult | typeof nothing {
    const { t, outcome } = this;
    if (outcome === null) return nothing;
    return html`<div class="inset done" role="status" tabindex="-1"><span>${outcome.text}</span>${
      outcome.undoable
        ? html`<button class="button" @click=${() => void this.undo()}>${undoIcon()}${t["go.undo"]}</button>`
        : nothing
    }</div>`;
  }

  private shown(): TemplateResult {
    const { t, entry } = this;
    const { number } = entry.moment;
    const onRestore = (event: CustomEvent<Part>): void => void this.restore(event.detail);
    if (this.view === "data")
      return html`<timeline-data .number=${number} ?fixed=${this.isReadOnly} @restore=${onRestore}></timeline-data>`;
    if (this.view === "now")
      return html`<timeline-changes .from=${number} .to=${null} .catalog=${this.app.catalog}
        ?restores=${!this.isReadOnly} @restore=${onRestore}></timeline-changes>`;
    return entry.before === null
      ? html`<p class="quietly">${t["moment.first"]}</p>`
      : html`<timeline-changes .from=${entry.before} .to=${number}></timeline-changes>`;
  }

  /** Does something, and tells of it; the list is read again, with another moment chosen where it says so. */
  private async attempt(work: () => Promise<Outcome>, choose?: number): Promise<void> {
    if (this.doing === "working") return;
    this.doing = "working";
    this.failure = "";
    try {
      this.outcome = await work();
      this.dispatchEvent(new CustomEvent("changed", { detail: choose }));
    } catch (error) {
      this.failure = wordFailure(error);
    } finally {
      this.doing = "nothing";
    }
    await this.updateComplete;
    const told = this.renderRoot.querySelector<HTMLElement>(".done");
    (told?.querySelector("button") ?? told)?.focus();
  }

  private restore(part: Part): Promise<void> {
    const { t, words, entry } = this;
    const { moment } = entry;
    return this.attempt(async () => {
      const what = moment.name ?? wordMoment(t, moment.note, entry.isFirst);
      const restored = await restorePart(this.controller, moment.number, part, what);
      await this.controller.wrote();
      if (restored.length === 0) return { text: t["moment.restored.same"], undoable: false };
      const text =
        restored.length <= 3
          ? t["moment.restored"](restored.join(", "))
          : t["moment.restored.many"](words.number(restored.length));
      return { text, undoable: true };
    }, moment.number);
  }

  private undo(): Promise<void> {
    const { t } = this;
    return this.attempt(async () => {
      const gone = await this.controller.travel({ to: "undo", of: null, sure: [] });
      const text =
        gone.kind === "done"
          ? t["moment.restore.undone"]
          : gone.kind === "asks"
            ? t["moment.restore.another"]
            : t["go.nothing"];
      return { text, undoable: false };
    }, this.entry.moment.number);
  }

  private name(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    return this.rename(this.input?.value.trim() ?? "");
  }

  private rename(name: string | null): Promise<void> {
    const { t } = this;
    return this.attempt(async () => {
      await nameMoment(this.controller, this.entry.moment.number, name);
      return { text: name === null ? t["moment.name.removed"] : t["moment.named"](name), undoable: false };
    }, this.entry.moment.number);
  }

  private drop(): Promise<void> {
    const { t, words } = this;
    return this.attempt(async () => {
      const freed = await dropMoment(this.controller, this.entry.moment.number);
      return { text: t["moment.dropped"](words.number(freed), words.one(freed)), undoable: false };
    });
  }
}
