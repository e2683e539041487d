/**
 * `<quire-lab-view>`: a lab: its designs side by side, the operations on each, the run with its scale, and its figures.
 *
 * Invariants: it draws the session's state and passes the reader's wishes on to it; a design's errors stand at that
 * design; figures of scripts that were changed since say so.
 */
import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { icon, RUN_ICON, STOP_ICON } from "../../embed/styles.ts";
import { tableFor } from "../../embed/words.ts";
import { siteAddressOf } from "../../lessons/course/links.ts";
import { toneOf } from "../../look/tones.ts";
import type { Design, Operation } from "../../lessons/lab/parse.ts";
import type { ScriptPlace } from "../../lessons/lab/lab.ts";
import {
  SCALES,
  type DesignFault,
  type DesignMeasure,
  type LabMeasure,
  type Sample,
} from "../../lessons/lab/measure.ts";
import type { LabSession } from "../../lessons/lab/session.ts";
import { figuresIn } from "../../lessons/lab/text.ts";
import { labMessagesOf, type LabMessages } from "../../messages/lab/words.ts";
import { wordSize } from "../../messages/figures.ts";
import { isRead, worded } from "../../messages/syntax/told.ts";
import type { Language } from "../../state/settings.ts";
import { wordValue } from "../../state/wording.ts";
import { courseStyles } from "../course/course-styles.ts";
import { drawBlocks, type TextContext } from "../course/course-text.ts";
import { saveFile } from "../data/save-file.ts";
import { drawGrowths, GROWTH_FIGURES, sentencesOf, type GrowthFigure } from "./lab-growth.ts";
import { labStyles } from "./lab-styles.ts";
import { drawTable } from "./lab-table.ts";
import { designName, figureOfText, operationName, wordCost, wordFault } from "./lab-words.ts";
import { SessionView } from "../course/snippet-styled.ts";

/** Letters of a sample document that are shown. */
const SAMPLE_LETTERS = 1200;
/** The most designs whose scripts stand open at first. */
const OPEN_DESIGNS = 2;
/** The view's width in pixels from which two designs stand beside one another. */
const WIDE_PIXELS = 704;

export class LabView extends SessionView {
  @property({ attribute: false }) session!: LabSession;
  /** The page that links to a lab lead to; empty where there is none. */
  @property() page = "";
  @state() private note = "";
  @state() private link = "";
  @state() private figure: GrowthFigure = "main";
  @state() private opened: ReadonlySet<string> = new Set();
  readonly #worded = new WeakMap<object, { readonly shown: string; readonly left: number }>();
  /** The faults whose scripts were read for the reader's words; null while that is under way. */
  readonly #told = new WeakMap<DesignFault, { readonly language: Language; readonly fault: DesignFault | null }>();
  /** The reader pressed Run, so the results are scrolled into view when they come. */
  #awaits = false;

  static override styles = [courseStyles, labStyles];

  protected override updated(): void {
    const results = this.renderRoot.querySelector(".results");
    if (!this.#awaits || results === null) return;
    this.#awaits = false;
    results.scrollIntoView({ block: "start" });
  }

  private run(): void {
    this.#awaits = this.session.measures.size === 0;
    void this.session.run();
  }

  private get l(): LabMessages {
    return labMessagesOf(tableFor(this.session.language));
  }

  private number(value: number): string {
    return wordCost("n", value, this.session.language);
  }

  private context(): TextContext {
    const { scripts, measure, language } = this.session;
    return {
      c: this.l,
      language,
      link: (link, inside) =>
        this.page === ""
          ? html`${inside}`
          : html`<a href=${new URL(siteAddressOf(link), new URL(this.page, this.baseURI)).href}>${inside}</a>`,
      figure: (name) => (scripts === null ? undefined : figureOfText(name, scripts, measure, language)),
    };
  }

  protected override render(): TemplateResult {
    const { session, l } = this;
    const { scripts, text } = session;
    if (scripts === null || text === null)
      return session.phase === "failed"
        ? html`<p class="failure" role="alert">${l["lab.failed"]}\n${session.failure}</p>`
        : html`<p class="status" role="status">${l["phase.files"]}</p>`;
    return html`<div class="lab" tabindex="-1" data-main lang=${session.language} data-lab=${session.manifest?.id ?? ""}
      data-busy=${String(session.busy)}>
      <div class="head">
        <h2>${text.title}</h2>
        ${session.told === "" ? nothing : html`<p class="failure">${l["lab.faults"]}\n${session.told}</p>`}
        <div class="text">${drawBlocks(text.about, this.context())}</div>
      </div>
      <section aria-labelledby="designs"><h3 class="unseen" id="designs">${l.designs}</h3>
        <div class="designs">${scripts.designs.map((one, at) =>
          this.design(one, at, scripts.designs.length),
        )}</div></section>
      <section aria-labelledby="operations"><h3 id="operations">${l.operations}</h3>
        <div class="operations">${scripts.operations.map((one) => this.operation(one))}</div></section>
      ${this.controls()}
      ${this.results()}
      ${this.tools()}
    </div>`;
  }

  /** A design's figures and faults at the chosen scale; null before it was run. */
  private measured(design: string): DesignMeasure | null {
    const { measure } = this.session;
    return measure?.designs.find(({ id }) => id === design) ?? null;
  }

  private faultOf(design: string, script: string): DesignFault | null {
    return this.faultsOf(design).find((fault) => fault.script === script) ?? null;
  }

  /** A design's faults as the reader is told them; one whose script is being read for that comes when it was read. */
  private faultsOf(design: string): readonly DesignFault[] {
    return (this.measured(design)?.faults ?? []).map((fault) => this.told(fault)).filter((fault) => fault !== null);
  }

  private told(fault: DesignFault): DesignFault | null {
    if (!isRead(fault.error)) return fault;
    const language = tableFor(this.session.language);
    const known = this.#told.get(fault);
    if (known?.language === language) return known.fault;
    this.#told.set(fault, { language, fault: null });
    void worded(fault.error, fault.source, language).then((error) => {
      if (this.#told.get(fault)?.language !== language) return;
      this.#told.set(fault, { language, fault: { ...fault, error } });
      this.requestUpdate();
    });
    return null;
  }

  private isOpen(key: string, atFirst: boolean): boolean {
    return this.opened.has(key) !== atFirst;
  }

  /** Remembers which `<details>` the reader turned from their first state. */
  private toggled(event: Event, key: string, atFirst: boolean): void {
    const { open } = event.target as HTMLDetailsElement;
    if (open === this.isOpen(key, atFirst)) return;
    const opened = new Set(this.opened);
    if (open === atFirst) opened.delete(key);
    else opened.add(key);
    this.opened = opened;
  }

  private design({ id }: Design, at: number, count: number): TemplateResult {
    const { session, l } = this;
    const said = session.text?.designs.get(id);
    const fault = this.faultOf(id, "design");
    const atFirst = count <= OPEN_DESIGNS && (this.clientWidth === 0 || this.clientWidth >= WIDE_PIXELS);
    const key = `design ${id}`;
    const open = this.isOpen(key, atFirst) || fault !== null;
    return html`<article class="design ${toneOf(at)}" data-design=${id} aria-label=${designName(session.text, id)}>
      <h4>${designName(session.text, id)}</h4>
      <div class="text">${drawBlocks(said?.about ?? [], this.context())}</div>
      ${this.faults(id)}
      <details ?open=${open} data-scripts=${key} @toggle=${(event: Event) => this.toggled(event, key, atFirst)}>
        <summary><span class="line">${l["script.design"]}</span></summary>
        ${open ? this.script({ design: id, operation: null }, l["script.design"], fault) : nothing}
      </details>
      ${this.samples(this.measured(id)?.samples ?? [])}
    </article>`;
  }

  /** The faults of a design's scripts, shown at the design; nothing where none failed. */
  private faults(design: string): TemplateResult | typeof nothing {
    const { l, session } = this;
    const faults = this.faultsOf(design);
    if (faults.length === 0) return nothing;
    const what = (script: string): string =>
      script === "design" ? l["failed.design"] : l["failed.operation"](operationName(session.text, script));
    return html`<div class="failure" role="alert" data-faults>${faults.map(
      (fault) => html`<p>${what(fault.script)} ${wordFault(fault, l)}</p>`,
    )}</div>`;
  }

  /** A document's beginning; wording a large one for every drawing would make the page wait. */
  #wordSample(document: object): { readonly shown: string; readonly left: number } {
    let worded = this.#worded.get(document);
    if (worded === undefined) {
      const text = wordValue(document);
      worded = { shown: text.slice(0, SAMPLE_LETTERS), left: text.length - SAMPLE_LETTERS };
      this.#worded.set(document, worded);
    }
    return worded;
  }

  private samples(samples: readonly Sample[]): TemplateResult | typeof nothing {
    const { l } = this;
    if (samples.length === 0) return nothing;
    return html`<details class="samples" open><summary><span class="line">${l.sample}</span></summary>${samples.map(
      ({ collection, documents, document, bytes }) => {
        const { shown, left } = this.#wordSample(document);
        return html`<div class="sample"><p>${l["sample.of"](collection, this.number(documents), wordSize(bytes))}</p>
          <pre tabindex="0" role="group" aria-label=${collection}>${shown}${
            left > 0 ? `\n${l["sample.cut"](this.number(left))}` : ""
          }</pre></div>`;
      },
    )}</details>`;
  }

  private operation({ id, kind }: Operation): TemplateResult {
    const { session, l } = this;
    const { scripts, text } = session;
    const name = operationName(text, id);
    const failed = (scripts?.designs ?? []).some((design) => this.faultOf(design.id, id) !== null);
    const key = `operation ${id}`;
    const open = this.isOpen(key, false) || failed;
    return html`<article class="operation" data-operation=${id}>
      <h4>${name} <span class="kind">${l[`kind.${kind}`]}</span></h4>
      <div class="text">${drawBlocks(text?.operations.get(id)?.about ?? [], this.context())}</div>
      <details ?open=${open} data-scripts=${key} @toggle=${(event: Event) => this.toggled(event, key, false)}>
        <summary><span class="line">${l["script.designs"]}<span class="unseen">: ${name}</span></span></summary>
        ${
          open
            ? html`<div class="designs">${scripts?.designs.map(
                (design, at) =>
                  html`<div class="${toneOf(at)}"><p><i class="key" aria-hidden="true"></i>${designName(
                    text,
                    design.id,
                  )}</p>${this.script({ design: design.id, operation: id }, name, this.faultOf(design.id, id))}</div>`,
              )}</div>`
            : nothing
        }
      </details>
    </article>`;
  }

  private script(place: ScriptPlace, what: string, fault: DesignFault | null): TemplateResult {
    const { session, l } = this;
    return html`<quire-lab-script data-script=${`${place.operation ?? "design"} ${place.design}`} .l=${l}
      .language=${tableFor(session.language)} .label=${l["script.of"](what, designName(session.text, place.design))}
      .author=${session.author(place)} .source=${session.script(place)} .fault=${session.isStale ? null : fault}
      @edited=${(event: CustomEvent<string>) => session.edit(place, event.detail)}
      @run=${() => this.run()}
      @leave=${() => this.renderRoot.querySelector<HTMLElement>(".controls .run")?.focus()}></quire-lab-script>`;
  }

  /** How far the run is, or its outcome; only the outcome is read out. */
  private says(): string {
    const { session, l } = this;
    const { progress, text } = session;
    if (session.busy) {
      if (progress === null) return l["says.begins"];
      const [design, n] = [designName(text, progress.design), this.number(progress.scale)];
      return progress.script === "design"
        ? l["says.design"](design, n)
        : l["says.operation"](design, n, operationName(text, progress.script));
    }
    if (session.failure !== null) return l["run.failed"](session.failure);
    if (session.measures.size === 0) return l["says.none"];
    const n = this.number(session.scale);
    return session.measure === null ? l["says.more"](n) : l["says.done"](n);
  }

  private controls(): TemplateResult {
    const { session, l } = this;
    const { busy } = session;
    const scaleOf = (event: Event): number => SCALES[Number((event.target as HTMLInputElement).value)] ?? SCALES[0];
    return html`<div class="controls" role="group" aria-label=${l.run}>
      <div class="scale">
        <label for="scale" title=${l["scale.hint"]}>${l.scale}</label>
        <input type="range" id="scale" min="0" max=${SCALES.length - 1} step="1" aria-describedby="scale-hint"
          .value=${String((SCALES as readonly number[]).indexOf(session.scale))}
          aria-valuetext=${l["scale.is"](this.number(session.scale))}
          @input=${(event: Event) => {
            const output = this.renderRoot.querySelector("#scale-shown");
            if (output !== null) output.textContent = `n = ${this.number(scaleOf(event))}`;
          }}
          @change=${(event: Event) => session.choose(scaleOf(event))} />
        <output id="scale-shown" for="scale" .textContent=${`n = ${this.number(session.scale)}`}></output>
        <span class="unseen" id="scale-hint">${l["scale.hint"]}</span>
      </div>
      <button type="button" class=${busy ? "run busy" : "run"} @click=${() =>
        busy ? session.stop() : this.run()}>${icon(busy ? STOP_ICON : RUN_ICON)}${busy ? l.stop : l.run}</button>
      ${busy ? html`<span class="status">${this.says()}</span>` : nothing}
      <span class=${busy ? "unseen" : "status"} role="status">${busy ? l["says.begins"] : this.says()}</span>
    </div>`;
  }

  private results(): TemplateResult | typeof nothing {
    const { session, l } = this;
    const { scripts, text, measure, measures, language } = session;
    if (scripts === null || measures.size === 0) return nothing;
    const stale = session.isStale ? html`<p class="stale" data-stale>${l.stale}</p>` : nothing;
    return html`<section class="results" aria-labelledby="results" aria-busy=${String(session.busy)}>
      <h3 id="results">${l.results}</h3>
      ${stale}${this.differences()}
      ${measure === null ? nothing : html`<div class="conclusion text">${this.conclusion(measure)}</div>`}
      ${measure === null ? nothing : drawTable({ l, language, scripts, text, measure })}
      <h3>${l["growth.title"]}</h3>
      ${measures.size === 1 ? html`<p class="note">${l["growth.point"]}</p>` : nothing}
      <div class="choose"><label for="figure">${l["growth.figure"]}</label><select id="figure"
        @change=${(event: Event) => {
          this.figure = (event.target as HTMLSelectElement).value as GrowthFigure;
        }}>${GROWTH_FIGURES.map(
          (one) =>
            html`<option value=${one} ?selected=${one === this.figure}>${
              one === "main" ? l["growth.main"] : l[`cost.${one}`]
            }</option>`,
        )}</select></div>
      ${drawGrowths({ l, language, scripts, text, measures: [...measures.values()] }, this.figure)}
    </section>`;
  }

  /** The conclusion of the lab's text; where it has none, or a figure in it is not known, the figures in sentences. */
  private conclusion(measure: LabMeasure): unknown {
    const { scripts, text, language } = this.session;
    if (scripts === null) return nothing;
    const isKnown = (name: string): boolean => figureOfText(name, scripts, measure, language) !== undefined;
    if (text !== null && text.conclusion.length > 0 && figuresIn(text).every(isKnown))
      return drawBlocks(text.conclusion, this.context());
    const said = sentencesOf({ l: this.l, language, scripts, text, measures: [measure] });
    return said.map((one) => html`<p>${one}</p>`);
  }

  private differences(): TemplateResult | typeof nothing {
    const { session, l } = this;
    const { measure, text } = session;
    if (measure === null || measure.differences.length === 0) return nothing;
    const told = measure.differences.map(({ design, first, operation, after }) => {
      const names = [designName(text, design), designName(text, first), operationName(text, operation)] as const;
      return after === null ? l["differs.before"](...names) : l["differs.after"](...names, operationName(text, after));
    });
    return html`<div class="failure" role="alert" data-differs><p>${l["differs.title"]}</p>
      <ul>${told.map((one) => html`<li>${one}</li>`)}</ul></div>`;
  }

  private tools(): TemplateResult {
    const { session, l } = this;
    return html`<div class="tools">
      <button type="button" class="button" id="save" @click=${() => {
        const file = session.exported();
        if (file !== null) saveFile(new Blob([file.text], { type: "application/json" }), file.name);
      }}>${l.save}</button>
      <button type="button" class="button" @click=${() =>
        this.renderRoot.querySelector<HTMLInputElement>("#open")?.click()}>${l.open}</button>
      <input type="file" id="open" accept=".json,application/json" aria-label=${l.open} tabindex="-1"
        @change=${(event: Event) => void this.take(event)} />
      ${
        this.page === ""
          ? nothing
          : html`<button type="button" class="button" id="share" @click=${() => void this.share()}>${l.share}</button>`
      }
      ${
        session.isEdited
          ? html`<button type="button" class="button" id="reset" title=${l["reset.hint"]}
            @click=${() => this.resetAll()}>${l.reset}</button>`
          : nothing
      }
      <p class="note" role="status">${this.note}</p>
      ${
        this.link === ""
          ? nothing
          : html`<input type="text" id="link" readonly aria-label=${l["share.here"]} .value=${this.link}
            @focus=${(event: Event) => (event.target as HTMLInputElement).select()} />`
      }
    </div>`;
  }

  private resetAll(): void {
    this.session.reset();
    this.renderRoot.querySelector<HTMLElement>("#save")?.focus();
  }

  private async take(event: Event): Promise<void> {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    input.value = "";
    if (file === undefined) return;
    const { session, l } = this;
    const taken = session.take(await file.text());
    this.link = "";
    this.note = taken ? l["open.done"] : l["open.not"](session.failure ?? "");
    if (!taken) session.failure = null;
    this.requestUpdate();
  }

  private async share(): Promise<void> {
    const { l } = this;
    const link = await this.session.link(this.page);
    if (link === null) {
      this.link = "";
      this.note = l["share.long"];
      return;
    }
    try {
      await navigator.clipboard.writeText(link);
      this.note = l["share.done"];
      this.link = "";
    } catch {
      // The browser gives no clipboard to this page: the reader copies the link by hand.
      this.note = l["share.here"];
      this.link = link;
    }
  }
}
