/**
 * `<pipeline-panel>`: the pipeline at a place of the script as cards, each with a sample of its stage's output.
 *
 * Invariants: the script holds the pipeline, and nothing else does: each change of a card is one change of the script's
 * text, told with `changed`, and the cards are read from the script again; while the script cannot be read the cards
 * stand still. Previews are asked for one after the other, and those which a change made stale are dropped.
 */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { operatorOf, pipelineAt, Refused, stageDocument, type NoPipeline } from "../../copy/pipeline.ts";
import type { AppState } from "../../state/model.ts";
import {
  addStage,
  duplicateStage,
  editStage,
  enableStage,
  moveStage,
  removeStage,
  type PipelineText,
  type StageText,
  type TextChange,
} from "../../state/pipeline/edit.ts";
import {
  inputFor,
  inputs,
  isPart,
  preview,
  type Input,
  type Preview,
  type PreviewStage,
} from "../../state/pipeline/samples.ts";
import { openTabOf } from "../../state/tabs.ts";
import type { Known } from "../editor/offering.ts";
import { stages as stageNames } from "../editor/shell-words.ts";
import { syntaxOf } from "../../reference/operator-syntax.ts";
import { chevronRight, closeIcon, copyIcon, moreIcon, plusIcon, trashIcon } from "../../look/icons.ts";
import "../results/value-tree.ts";
import { shared } from "../../look/shared.ts";
import { followCard } from "./card-drag.ts";
import { PipelineElement } from "./pipeline-element.ts";
import { pipelineStyles } from "./pipeline-styles.ts";
import type { StageEditor } from "./stage-editor.ts";
import "./stage-editor.ts";

/** Milliseconds without a change after which samples are asked for. */
const pause = 350;
/** Samples are kept by the command that asked for them, so many: a change of the last stage asks for that alone. */
const keptSamples = 60;

@customElement("pipeline-panel")
export class PipelinePanel extends PipelineElement {
  @property({ attribute: false }) app!: AppState;
  @state() private input: Input = 10_000;
  /** By stage; the first is the sample of the pipeline's input. Null while it is asked for. */
  @state() private previews: readonly (Preview | null)[] = [];
  /** The position at which a stage is being added; null while none is. */
  @state() private adding: number | null = null;
  @state() private mark: number | null = null;
  @state() private told = "";
  @query(".inside") private scroller!: HTMLElement;
  #found: PipelineText | NoPipeline = "none";
  /** The last pipeline that could be read. */
  #last: PipelineText | null = null;
  #read = "";
  #asked = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #turn = 0;
  readonly #samples = new Map<string, Preview>();

  static override styles = [shared, pipelineStyles];

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("app") || this.app.pipeline === null) return;
    const { script } = openTabOf(this.app);
    const key = JSON.stringify([script, this.app.pipeline.at, this.app.database]);
    if (key !== this.#read) {
      this.#read = key;
      this.#found = pipelineAt(script, this.app.pipeline.at, this.app.database);
      if (typeof this.#found !== "string") this.#last = this.#found;
      else if (this.#found === "none") this.#last = null;
    }
    this.#ask();
  }

  protected override firstUpdated(): void {
    this.focus();
    // From now on the place is that of the array, which the script's changes move.
    const at = typeof this.#found === "string" ? null : this.#found.from;
    if (at !== null && at !== this.app.pipeline?.at) this.store.dispatch({ kind: "pipeline-opened", at });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
    this.#turn += 1;
  }

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>("h2")?.focus();
  }

  /** How many documents the catalog counts in the collection; null where it does not say. */
  get #count(): number | null {
    const pipeline = this.#last;
    const database = this.app.catalog.databases.find(({ summary }) => summary.name === pipeline?.database);
    return database?.collections.find(({ name }) => name === pipeline?.collection)?.count ?? null;
  }

  /** Asks for the samples once nothing has changed for a while. */
  #ask(): void {
    const pipeline = this.#last;
    if (pipeline === null || this.app.running !== null || this.app.engine.kind !== "open") return;
    const sequence = this.app.deployment?.sequence ?? 0;
    const input = inputFor(this.input, this.#count);
    const texts = pipeline.stages.map(({ text, enabled }) => [text, enabled]);
    const asked = JSON.stringify([pipeline.database, pipeline.collection ?? "", sequence, input, texts]);
    if (asked === this.#asked) return;
    this.#asked = asked;
    clearTimeout(this.#timer);
    const turn = ++this.#turn;
    this.#timer = setTimeout(() => void this.#sample(pipeline, input, sequence, turn), pause);
  }

  async #sample(pipeline: PipelineText, input: Input, sequence: number, turn: number): Promise<void> {
    const { database, collection } = pipeline;
    if (collection === undefined) {
      this.previews = [];
      return;
    }
    const stages = pipeline.stages.map((stage): PreviewStage => {
      if (!stage.enabled) return { kind: "disabled" };
      const document = stageDocument(stage.text);
      return document instanceof Refused ? { kind: "unknown" } : { kind: "stage", document };
    });
    const found: (Preview | null)[] = Array.from({ length: stages.length + 1 }, (_, at) => this.previews[at] ?? null);
    for (let at = -1; at < stages.length; at += 1) {
      const before = pipeline.stages.slice(0, at + 1).filter(({ enabled }) => enabled);
      const key = JSON.stringify([database, collection, sequence, input, at, before.map(({ text }) => text)]);
      const known = pipeline.stages[at]?.enabled === false ? undefined : this.#samples.get(key);
      const sample = known ?? (await preview(this.controller, database, collection, stages, at, input));
      if (turn !== this.#turn) return;
      this.#samples.set(key, sample);
      if (this.#samples.size > keptSamples) this.#samples.delete(this.#samples.keys().next().value ?? "");
      found[at + 1] = sample;
      this.previews = [...found];
    }
  }

  #change(change: TextChange | null): void {
    if (change !== null) this.dispatchEvent(new CustomEvent("changed", { detail: change }));
  }

  #close(): void {
    this.store.dispatch({ kind: "pipeline-opened", at: null });
    this.services.act("focus");
  }

  protected override render(): TemplateResult {
    const { w, words } = this;
    const pipeline = this.#last;
    const count = this.#count;
    const name = pipeline?.collection;
    return html`<div class="top"><h2 tabindex="-1">${typeof name === "string" ? w["title.on"](name) : w["title"]}</h2>
        ${count === null || count > inputs[0] ? this.reading() : nothing}
        <button class="quiet icon close" aria-label=${w["close"]} title=${w["close"]}
          @click=${() => this.#close()}>${closeIcon()}</button></div>
      <div class="inside">
        <p class="unseen" role="status">${this.told}</p>
        ${typeof this.#found === "string" ? html`<p class="told" role="status">${w[this.#found]}</p>` : nothing}
        ${
          pipeline !== null && pipeline.collection === undefined
            ? html`<p class="told">${w["unknownCollection"]}</p>`
            : nothing
        }
        ${
          isPart(this.input, count) && count !== null && this.input !== null
            ? html`<p class="told">${w["part"](words.number(this.input), words.number(count))}</p>`
            : nothing
        }
        ${pipeline === null ? nothing : this.cards(pipeline)}
      </div>`;
  }

  /** How much of a large collection the samples are made of. */
  private reading(): TemplateResult {
    const { w, words } = this;
    const choose = (event: Event): void => {
      const { value } = event.target as HTMLSelectElement;
      this.input = inputs.find((input) => String(input) === value) ?? null;
      this.#ask();
    };
    return html`<label>${w["input"]} <select @change=${choose}>${inputs.map(
      (input) =>
        html`<option value=${String(input)} ?selected=${input === this.input}>${
          input === null ? w["input.all"] : w["input.some"](words.number(input))
        }</option>`,
    )}</select></label>`;
  }

  private cards(pipeline: PipelineText): TemplateResult {
    const { w } = this;
    const { stages } = pipeline;
    return html`<section class="card source" aria-label=${w["source"]}>
        <div class="bar"><h3 class="running-head">${w["source"]}</h3></div>
        ${this.sample(this.previews[0] ?? null, w["preview.label.source"], null)}
      </section>
      <ol ?inert=${this.#found === "syntax"} aria-label=${w["stages"]}>
        ${stages.map((stage, at) => {
          const adds = this.adding === at + 1 && at + 1 < stages.length;
          return [this.card(pipeline, stage, at), adds ? html`<li>${this.addForm(pipeline)}</li>` : nothing];
        })}
      </ol>
      ${
        this.adding === stages.length
          ? this.addForm(pipeline)
          : html`<button class="button add" ?disabled=${this.#found === "syntax"}
            @click=${() => this.#add(stages.length)}>${plusIcon()}${w["add"]}</button>`
      }`;
  }

  private card(pipeline: PipelineText, stage: StageText, at: number): TemplateResult {
    const { w, words } = this;
    const number = words.number(at + 1);
    const name = operatorOf(stage.text) ?? w["card.other"];
    const tool = (word: string, icon: () => TemplateResult, act: () => void, kind = "", off = false): TemplateResult =>
      html`<button class="quiet icon ${kind}" title=${word} aria-label=${`${word}: ${w["card"](number, name)}`}
        ?disabled=${off} @click=${act}>${icon()}</button>`;
    const last = pipeline.stages.length - 1;
    const mark = this.mark === at ? "mark" : this.mark === at + 1 && at === last ? "mark below" : "";
    return html`<li class="card ${stage.enabled ? "" : "off"} ${mark}" aria-label=${w["card"](number, name)}>
      <div class="bar">
        <button class="quiet icon handle" aria-label=${w["card.move"](number)} title=${w["card.move"](number)}
          @pointerdown=${(event: PointerEvent) => this.#drag(event, at)}
          @keydown=${(event: KeyboardEvent) => this.#moveKey(event, at)}>${moreIcon()}</button>
        <h3><span class="folio">${number}</span> <span class="name">${name}</span></h3>
        <label class="switch"><input type="checkbox" .checked=${stage.enabled}
          aria-label=${`${w["card.enabled"]}: ${w["card"](number, name)}`}
          @change=${(event: Event) =>
            this.#change(enableStage(pipeline, at, (event.target as HTMLInputElement).checked))} />${
            w["card.enabled"]
          }</label>
        <span class="tools">
          ${tool(w["card.up"], chevronRight, () => void this.#move(at, at - 1, ".up"), "up", at === 0)}
          ${tool(w["card.down"], chevronRight, () => void this.#move(at, at + 1, ".down"), "down", at === last)}
          ${tool(w["card.below"], plusIcon, () => this.#add(at + 1))}
          ${tool(w["card.duplicate"], copyIcon, () => this.#change(duplicateStage(pipeline, at)))}
          ${tool(w["card.delete"], trashIcon, () => void this.#remove(pipeline, at), "delete")}
        </span>
      </div>
      <div class="body">
        <stage-editor .text=${stage.text} .label=${w["card.text"](number)}
          .around=${this.#around(pipeline, at)} .known=${() => this.#known()}
          @edited=${(event: CustomEvent<string>) => this.#change(editStage(pipeline, at, event.detail))}></stage-editor>
        ${this.sample(this.previews[at + 1] ?? null, w["preview.label"](number), stage)}
      </div>
    </li>`;
  }

  private sample(sample: Preview | null, label: string, stage: StageText | null): TemplateResult {
    return html`<div class="sample" role="group" aria-label=${label}>${this.sampled(sample, label, stage)}</div>`;
  }

  private sampled(sample: Preview | null, label: string, stage: StageText | null): TemplateResult | typeof nothing {
    const { w, words } = this;
    const why = (text: string): TemplateResult => html`<p class="why">${text}</p>`;
    if (stage?.enabled === false) return why(w["preview.disabled"]);
    if (this.#last?.collection === undefined) return nothing;
    if (sample === null) return why(w["preview.waiting"]);
    switch (sample.kind) {
      case "disabled":
      case "writes":
      case "behind":
        return why(w[`preview.${sample.kind}`]);
      case "unknown": {
        const refused = stage === null ? null : stageDocument(stage.text);
        if (!(refused instanceof Refused)) return why(w["preview.behind"]);
        return why(w[refused.reason === "variable" ? "preview.variable" : "preview.value"](refused.what));
      }
      case "failed":
        return html`<p class="failure">${
          sample.late ? w["preview.late"] : html`${w["preview.failed"]} ${sample.message}`
        }</p>`;
      case "documents": {
        const count = words.number(sample.documents.length);
        if (sample.documents.length === 0) return why(w["preview.none"]);
        return html`<p class="count">${
          sample.more ? w["preview.more"](count) : w["preview.count"](count, sample.documents.length === 1)
        }</p><div class="documents"><value-tree .values=${sample.documents} aria-label=${label}></value-tree></div>`;
      }
    }
  }

  /** The pipeline before and behind a stage, so that completion knows its place and the fields there. */
  #around({ collection, stages }: PipelineText, at: number): readonly [string, string] {
    const before = stages.slice(0, at).filter(({ enabled }) => enabled);
    const target = typeof collection === "string" ? `db.getCollection(${JSON.stringify(collection)})` : "db";
    return [`${target}.aggregate([${before.map(({ text }) => `${text}, `).join("")}`, "])"];
  }

  async #known(): Promise<Known> {
    const { controller, words, app } = this;
    const { operatorHelp } = await import("../editor/operator-help.ts");
    const database = this.#last?.database ?? app.database;
    return {
      database,
      help: await operatorHelp(app.settings.language),
      number: (count) => words.number(count),
      databases: () => controller.databases(),
      fields: (collection) => controller.fields(collection, database),
    };
  }

  private addForm(pipeline: PipelineText): TemplateResult {
    const { w } = this;
    return html`<form @submit=${(event: SubmitEvent) => void this.#added(event, pipeline)}
      @keydown=${(event: KeyboardEvent) => event.key === "Escape" && this.#stopAdding()}>
      <label>${w["add.which"]} <select name="stage">${stageNames.map(
        (name) => html`<option ?selected=${name === "$match"}>${name}</option>`,
      )}</select></label>
      <button class="button main">${w["add.done"]}</button>
      <button type="button" class="button" @click=${() => this.#stopAdding()}>${w["add.cancel"]}</button>
    </form>`;
  }

  #add(at: number): void {
    this.adding = at;
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>("form select")?.focus());
  }

  #stopAdding(): void {
    this.adding = null;
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(".add")?.focus());
  }

  async #added(event: SubmitEvent, pipeline: PipelineText): Promise<void> {
    event.preventDefault();
    const name = String(new FormData(event.target as HTMLFormElement).get("stage"));
    const at = Math.min(this.adding ?? pipeline.stages.length, pipeline.stages.length);
    this.adding = null;
    this.#change(addStage(pipeline, at, syntaxOf("stage", name).example));
    await this.#settled();
    this.#cards[at]?.querySelector<StageEditor>("stage-editor")?.focus();
  }

  async #remove(pipeline: PipelineText, at: number): Promise<void> {
    this.#change(removeStage(pipeline, at));
    await this.#settled();
    const next = this.#cards[Math.min(at, this.#cards.length - 1)]?.querySelector<HTMLElement>(".handle");
    (next ?? this.renderRoot.querySelector<HTMLElement>(".add"))?.focus();
  }

  get #cards(): readonly HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>("li.card")];
  }

  /** The script has taken the change, and the cards are read from it again. */
  async #settled(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    await this.updateComplete;
  }

  async #move(from: number, to: number, then: string): Promise<void> {
    const pipeline = this.#last;
    if (pipeline === null || to < 0 || to >= pipeline.stages.length) return;
    this.#change(moveStage(pipeline, from, to));
    this.told = this.w["moved"](this.words.number(to + 1), this.words.number(pipeline.stages.length));
    await this.#settled();
    const card = this.#cards[to];
    const control = card?.querySelector<HTMLButtonElement>(then);
    (control?.disabled === false ? control : card?.querySelector<HTMLElement>(".handle"))?.focus();
  }

  #moveKey(event: KeyboardEvent, at: number): void {
    const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    if (by === 0) return;
    event.preventDefault();
    void this.#move(at, at + by, ".handle");
  }

  #drag(event: PointerEvent, at: number): void {
    const cards = this.#cards;
    const card = cards[at];
    if (card === undefined || event.button !== 0) return;
    const drag = {
      handle: event.currentTarget as HTMLElement,
      ...{ card, cards, scroller: this.scroller },
      shows: (before: number | null) => (this.mark = before),
      moved: (from: number, to: number) => void this.#move(from, to, ".handle"),
    };
    followCard(drag, event);
  }
}
