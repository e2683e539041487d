/**
 * `<model-panel>`: the model of a database, read from its data while the panel is there: a drawing, and a list beside
 * it.
 *
 * Invariants: one reading at a time, which ends with the panel. The reader's choices are kept by deployment and
 * database, and a choice that cannot be kept says so. After other tabs' changes the model is read again; where that is
 * much work, a button offers it.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { wordFailure } from "../../state/controller.ts";
import type { CatalogDatabase, AppState } from "../../state/model.ts";
import { browserStorage } from "../../state/persistence.ts";
import {
  changeChoices,
  choicesKey,
  chose,
  moved,
  noChoices,
  readChoices,
  type Choices,
} from "../../state/model-view/choices.ts";
import { referenceKey, type Model } from "../../state/model-view/model.ts";
import { measureOne, readModel, type Progress } from "../../state/model-view/reading.ts";
import { isDrawn, sceneOf, type Scene } from "../../state/model-view/scene.ts";
import { svgOf } from "../../state/model-view/svg-file.ts";
import { shared } from "../../look/shared.ts";
import { captionOf } from "./caption.ts";
import type { BoxMove, ModelDrawing } from "./model-drawing.ts";
import { ModelElement, modelStyles, type ModelChoice } from "./model-element.ts";
import type { ModelFacts, ReferenceChange } from "./model-facts.ts";
import { saveFile } from "../data/save-file.ts";
import "./model-drawing.ts";
import "./model-facts.ts";
import "./model-rules.ts";

/** The most documents of a database that are read again unasked when they change. */
const readUnasked = 20_000;

@customElement("model-panel")
export class ModelPanel extends ModelElement {
  @property({ attribute: false }) app!: AppState;
  @property() database = "";
  @state() private model: Model | null = null;
  @state() private choices: Choices = noChoices;
  @state() private chosen: ModelChoice | null = null;
  @state() private expanded: ReadonlySet<string> = new Set();
  @state() private progress: Progress | null = null;
  @state() private failure = "";
  @state() private unkept = "";
  @state() private stopped = false;
  /** The data is not as it was read. */
  @state() private stale = false;
  @state() private view: "drawing" | "list" = "drawing";
  /** Validators lie where the drawing is. */
  @state() private ruling = false;
  /** A box that is being dragged. */
  @state() private dragged: BoxMove | null = null;
  @query("model-drawing") private drawing!: ModelDrawing | null;
  @query("model-facts") private facts!: ModelFacts | null;
  #reading: AbortController | null = null;
  /** The catalog's words on the database when it was read, to see whether it changed since. */
  #read = "";
  #scene: { readonly of: readonly unknown[]; readonly scene: Scene } | null = null;

  static override styles = [
    shared,
    modelStyles,
    css`
      :host { display: flex; flex-direction: column; flex: 1; min-height: 0; gap: 0.6rem; }
      .head { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 1rem; min-height: 2rem; }
      .head .facts { flex: 1; min-width: 12rem; }
      .pick { display: none; gap: 0.1rem; border-bottom: 1px solid var(--rule); }
      .pick button {
        padding: 0.1rem 0.75rem 0.25rem; margin-bottom: -1px; border-bottom: 2px solid transparent;
        font-size: var(--small); color: var(--ink-2);
      }
      .pick button[aria-pressed="true"] { color: var(--ink); border-bottom-color: var(--thread); }
      .beside {
        display: grid; grid-template-columns: minmax(0, 1fr) clamp(17rem, 30%, 25rem); gap: 1.25rem; flex: 1;
        min-height: 0;
      }
      model-facts { overflow: auto; padding-right: 0.25rem; }
      model-rules { flex: 1; min-height: 0; }
      .legend { display: flex; flex-wrap: wrap; gap: 0.2rem 1.25rem; font-size: var(--tiny); color: var(--ink-2); }
      .legend span { display: inline-flex; align-items: center; gap: 0.4rem; }
      .legend i { width: 1.6rem; border-top: 2px dashed var(--thread); }
      .legend .confirmed i { border-top: 2px solid var(--ink); }
      .legend .dangling i { height: 0.8rem; border: 1px solid var(--warn); background: var(--warn-wash); }
      .legend .view i { border-top: 2px dotted var(--ink-3); }
      .empty { max-width: 28rem; margin: auto; text-align: center; color: var(--ink-2); text-wrap: balance; }
      .empty .large { margin-bottom: 0.5rem; font-size: 1.35rem; line-height: 1.3; color: var(--ink); }
      .stale {
        display: flex; align-items: center; gap: 0.75rem; padding: 0.3rem 0.75rem; background: var(--warn-wash);
      }
      @media (max-width: 759px) {
        :host { flex: none; }
        .pick { display: flex; }
        .pick button { min-height: 2.5rem; }
        .beside { display: block; }
        .list model-drawing, .list + .legend { display: none; }
        .drawing model-drawing { height: 60dvh; margin-bottom: 1rem; }
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    // A phone has room for the list.
    this.view = matchMedia("(max-width: 759px)").matches ? "list" : "drawing";
    addEventListener("storage", this.onStorage);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("database")) this.choices = readChoices(browserStorage().local, this.key);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("storage", this.onStorage);
    this.#reading?.abort();
  }

  private get key(): string {
    return choicesKey(this.store.state.named.id, this.database);
  }

  /** Another tab chose. */
  private readonly onStorage = (event: StorageEvent): void => {
    if (event.key === this.key) this.choices = readChoices(browserStorage().local, this.key);
  };

  protected override updated(changed: PropertyValues): void {
    // Where its code came after it, it knows its database only now.
    if (changed.has("database")) void this.read();
    const before = changed.get("app") as AppState | undefined;
    if (before === undefined || before.catalog === this.app.catalog || this.#read === "") return;
    if (wordsOfCatalog(this.listed) === this.#read) return;
    const documents = (this.listed?.collections ?? []).reduce((sum, { count }) => sum + count, 0);
    if (documents <= readUnasked) void this.read();
    else this.stale = true;
  }

  private get listed(): CatalogDatabase | null {
    return this.store.state.catalog.databases.find(({ summary }) => summary.name === this.database) ?? null;
  }

  private async read(): Promise<void> {
    this.#reading?.abort();
    const reading = new AbortController();
    this.#reading = reading;
    // A change of the catalog from here on is read by this reading, and must not start another one.
    this.#read = "";
    this.failure = "";
    this.stopped = false;
    this.stale = false;
    this.progress = { step: "sample", collection: "", done: 0, of: 0 };
    try {
      await this.controller.refresh();
      if (reading.signal.aborted) return;
      const { failure } = this.store.state.catalog;
      if (failure !== null) throw new Error(failure);
      this.#read = wordsOfCatalog(this.listed);
      const kept = new Set([...this.choices.references].flatMap(([key, { is }]) => (is === "confirmed" ? [key] : [])));
      await readModel(this.controller, this.database, this.listed?.collections ?? [], kept, {
        signal: reading.signal,
        progress: (progress) => {
          if (!reading.signal.aborted) this.progress = progress;
        },
        came: (model) => {
          if (!reading.signal.aborted) this.came(model);
        },
      });
    } catch (error) {
      if (!reading.signal.aborted) this.failure = wordFailure(error);
    }
    if (reading === this.#reading) this.progress = null;
  }

  private came(model: Model): void {
    const isFirst = this.model === null;
    this.model = model;
    if (isFirst) void this.focusDrawing();
  }

  private async focusDrawing(): Promise<void> {
    await this.updateComplete;
    await this.drawing?.updateComplete;
    this.drawing?.focusCurrent();
  }

  private stop(): void {
    this.#reading?.abort();
    this.progress = null;
    this.stopped = true;
  }

  protected override render(): TemplateResult {
    const { t, model } = this;
    if (this.failure !== "")
      return html`<p class="failure" role="alert">${this.failure}</p>
        <div class="buttons">${this.again()}</div>`;
    if (model === null) return html`<div class="head">${this.reading()}</div>`;
    if (model.collections.length === 0)
      return html`<div class="empty"><p class="large">${t["model.empty"]}</p><p>${t["model.empty.hint"]}</p></div>`;
    const scene = this.scene(model);
    if (this.ruling)
      return html`<div class="head">${this.reading()}<button class="button"
          @click=${() => this.endRuling()}>${t["rules.back"]}</button></div>
        <model-rules .model=${model} lang=${this.app.settings.language}
          .locked=${this.app.deployment?.mode === "read-only"}></model-rules>`;
    return html`<div class="head">${this.reading()}<div class="buttons">
        <button class="button" @click=${() => this.saveSvg(scene)}>${t["svg.save"]}</button>
        <button class="button" id="rules" @click=${() => (this.ruling = true)}>${t["rules.open"]}</button>
      </div></div>
      ${
        this.stale
          ? html`<p class="stale" role="status">${t["model.changed"]}
            ${this.again()}</p>`
          : nothing
      }
      <div class="pick" role="group" aria-label=${t["model.shown"]}>${(["drawing", "list"] as const).map(
        (view) =>
          html`<button aria-pressed=${String(this.view === view)}
            @click=${() => (this.view = view)}>${t[`model.${view}`]}</button>`,
      )}</div>
      <div class="beside ${this.view}">
        <model-drawing .scene=${scene} .chosen=${this.chosen} lang=${this.app.settings.language}
          @chose=${(event: CustomEvent<{ choice: ModelChoice; byKey: boolean }>) => this.onChose(event)}
          @moved=${(event: CustomEvent<BoxMove>) => this.onMoved(event.detail)}
          @expanded=${(event: CustomEvent<string>) => this.expand(event.detail)}></model-drawing>
        <model-facts .model=${model} .choices=${this.choices} .chosen=${this.chosen} .unkept=${this.unkept}
          .expanded=${this.expanded} @expanded=${(event: CustomEvent<string>) => this.expand(event.detail)}
          lang=${this.app.settings.language}
          @chose=${(event: CustomEvent<{ choice: ModelChoice | null; byKey: boolean }>) => this.onChose(event)}
          @changed=${(event: CustomEvent<ReferenceChange>) => void this.onChanged(event.detail)}></model-facts>
      </div>
      ${this.legend(scene)}`;
  }

  /** How far reading is, or how much was read. */
  private reading(): TemplateResult {
    const { t, words, progress } = this;
    const n = words.number;
    if (progress !== null) {
      const { step, collection, done, of } = progress;
      const text =
        of === 0
          ? t["model.reading"]
          : step === "match"
            ? t["model.match"](collection)
            : t[`model.${step}`](collection, n(step === "count" ? done : done + 1), n(of));
      return html`<p class="facts quietly" role="status">${text}</p>
        <button class="button" @click=${() => this.stop()}>${t["model.stop"]}</button>`;
    }
    const said = [this.summary(), ...(this.stopped ? [t["model.stopped"]] : [])];
    return html`<p class="facts" role="status">${said.join(" · ")}</p>
      ${this.stopped ? this.again() : nothing}
      ${
        this.choices.places.size === 0
          ? nothing
          : html`<button class="button" @click=${() => this.keep((all) => moved(all, null, { x: 0, y: 0 }))}>${
              t["model.tidy"]
            }</button>`
      }`;
  }

  private summary(): string {
    const { t, words, model } = this;
    const drawn = model?.references.filter((one) => isDrawn(one, this.choices)).length ?? 0;
    const collections = model?.collections.length ?? 0;
    return [
      t["model.collections"](words.number(collections), words.one(collections)),
      t["model.references"](words.number(drawn), words.one(drawn)),
    ].join(" · ");
  }

  private again(): TemplateResult {
    return html`<button class="button" @click=${() => void this.read()}>${this.t["model.again"]}</button>`;
  }

  private legend({ lines, views }: Scene): TemplateResult | typeof nothing {
    const { t } = this;
    const kinds = [
      ...(lines.some(({ isConfirmed }) => !isConfirmed) ? (["found"] as const) : []),
      ...(lines.some(({ isConfirmed }) => isConfirmed) ? (["confirmed"] as const) : []),
      ...(lines.some(({ dangles }) => dangles) ? (["dangling"] as const) : []),
      ...(views.length > 0 ? (["view"] as const) : []),
    ];
    return kinds.length === 0
      ? nothing
      : html`<p class="legend">${kinds.map(
          (kind) => html`<span class=${kind}><i aria-hidden="true"></i>${t[`model.legend.${kind}`]}</span>`,
        )}<span>${t["model.legend.figures"]}</span></p>`;
  }

  private scene(model: Model): Scene {
    const { t, words, choices, expanded, dragged } = this;
    const of = [model, choices, expanded, dragged, words];
    if (this.#scene === null || this.#scene.of.some((part, index) => part !== of[index])) {
      const placed = dragged === null ? choices : moved(choices, dragged.collection, dragged);
      const scene = sceneOf(model, placed, expanded, {
        number: words.number,
        documents: (collection) => captionOf(t, words, collection),
        more: t["box.more"],
        fewer: t["box.fewer"],
        nothing: t["box.nothing"],
      });
      this.#scene = { of, scene };
    }
    return this.#scene.scene;
  }

  private onChose({ detail }: CustomEvent<{ choice: ModelChoice | null; byKey: boolean }>): void {
    this.chosen = detail.choice;
    if (detail.byKey) void this.updateComplete.then(() => this.facts?.focusChosen());
  }

  private onMoved(move: BoxMove): void {
    this.dragged = move.done ? null : move;
    if (move.done) this.keep((all) => moved(all, move.collection, move));
  }

  private expand(collection: string): void {
    const expanded = new Set(this.expanded);
    if (!expanded.delete(collection)) expanded.add(collection);
    this.expanded = expanded;
  }

  private endRuling(): void {
    this.ruling = false;
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>("#rules")?.focus());
  }

  private saveSvg(scene: Scene): void {
    const { t, database } = this;
    const { language } = this.app.settings;
    const date = new Intl.DateTimeFormat(language, { dateStyle: "medium" }).format(new Date());
    const text = svgOf(scene, {
      language,
      title: database,
      about: t["svg.about"](this.summary(), date),
    });
    saveFile(new Blob([text], { type: "image/svg+xml" }), `${database}-model.svg`);
  }

  private async onChanged({ reference, change }: ReferenceChange): Promise<void> {
    const id = referenceKey(reference);
    this.keep((all) => chose(all, id, change));
    if (change.is !== "confirmed" || reference.cardinality !== null) return;
    const measured = await measureOne(this.controller, this.database, reference);
    const { model } = this;
    if (model === null) return;
    this.model = {
      ...model,
      references: model.references.map((other) => (referenceKey(other) === id ? measured : other)),
    };
  }

  /** Makes a choice, also where it cannot be kept. */
  private keep(change: (choices: Choices) => Choices): void {
    try {
      this.choices = changeChoices(browserStorage().local, this.key, change);
      this.unkept = "";
    } catch (error) {
      this.choices = change(this.choices);
      this.unkept = wordFailure(error);
    }
  }
}

/** The catalog's facts on a database from which its model follows, as one text to compare. */
function wordsOfCatalog(database: CatalogDatabase | null): string {
  return JSON.stringify(
    (database?.collections ?? []).map(({ name, type, count, sizeBytes, options, indexes }) => [
      name,
      type,
      count,
      sizeBytes,
      options["viewOn"],
      options["validator"] !== undefined,
      indexes.map((index) => index.name),
    ]),
  );
}
