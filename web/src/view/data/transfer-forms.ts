/**
 * `<import-form>`, `<export-form>` and `<samples-form>`: what takes a while, with its progress and a way to stop it.
 *
 * Invariants: one thing at a time; leaving the dialog stops it; what was done before stays and is told.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { wordFailure } from "../../state/controller.ts";
import { columnTypes, type CsvColumn } from "../../state/data/csv.ts";
import { collectionSource, documentsSource, exportFile, exportFormats, type ExportFormat } from "../../state/data/exporting.ts";
import { collectionNameOf, importFile, importFormats, look, type ImportOutcome, type ImportPreview, type ImportProgress } from "../../state/data/importing.ts";
import { loadSample, samples, sampleSizes, type Sample } from "../../state/data/samples.ts";
import { preview } from "../../state/values.ts";
import { DataForm } from "./data-form.ts";

class TransferForm extends DataForm {
  protected stopper: AbortController | null = null;

  static override styles = [
    ...[DataForm.styles].flat(),
    css`
      progress { width: 100%; height: 0.5rem; accent-color: var(--rubric-fill); }
      .under { font-size: var(--small); color: var(--ink-2); font-variant-numeric: tabular-nums; }
      .drop { display: grid; justify-items: center; gap: 0.5rem; padding: 1.5rem 1rem; border: 1px dashed var(--rule-strong); border-radius: 6px; background: var(--paper-2); text-align: center; }
      .drop.over { border-color: var(--thread); border-style: solid; }
      .two { display: grid; grid-template-columns: 1fr 1fr; gap: 0.6rem; }
      .peek { max-height: 8rem; overflow: auto; padding: 0.4rem 0.6rem; background: var(--paper-2); border-radius: var(--radius); font: 400 0.8125rem/1.5 var(--mono); }
      .peek li { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
      .columns { max-height: 11rem; overflow: auto; border-block: 1px solid var(--rule); padding: 0.4rem 0; }
      .columns label { display: grid; grid-template-columns: minmax(0, 1fr) 9rem; gap: 0.5rem; align-items: center; color: var(--ink); }
      .columns label + label { margin-top: 0.25rem; }
      .columns span { font: 400 var(--code) var(--mono); overflow: hidden; text-overflow: ellipsis; }
      .failures { max-height: 12rem; overflow: auto; font-size: var(--small); }
      .failures li { overflow-wrap: anywhere; }
      .failures b { font-weight: 550; }
      .set { padding: 0.6rem 0; border-top: 1px solid var(--rule); }
      .set h3 { font-size: 1.15rem; font-weight: 500; }
      .set p { font-size: var(--small); color: var(--ink-2); }
      .set .buttons { margin-top: 0.4rem; }
      .good { color: var(--good); }
    `,
  ];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopper?.abort();
  }

  /** Runs something with a signal to stop it. */
  protected async long(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.working) return;
    this.working = true;
    this.failure = "";
    const stopper = (this.stopper = new AbortController());
    try {
      await work(stopper.signal);
    } catch (error) {
      this.failure = wordFailure(error);
    } finally {
      this.working = false;
      this.stopper = null;
      void this.controller.wrote();
    }
  }

  protected under(value: number, most: number | null, text: string): TemplateResult {
    return html`<div><progress aria-label=${this.d["transfer.progress"]} max=${most ?? nothing} value=${most === null ? nothing : value}></progress><p class="under" role="status">${text}</p></div>
      <p class="buttons"><button type="button" class="button" @click=${() => this.stopper?.abort()}>${this.d["transfer.stop"]}</button></p>`;
  }
}

@customElement("import-form")
export class ImportForm extends TransferForm {
  @property() database = "";
  @property() collection = "";
  @property({ attribute: false }) files: readonly File[] = [];
  @state() private file: File | null = null;
  @state() private seen: ImportPreview | null = null;
  @state() private columns: readonly CsvColumn[] = [];
  @state() private now: ImportProgress | null = null;
  @state() private outcome: ImportOutcome | null = null;
  @state() private over = false;
  /** Where the last import went. */
  #into = "";

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("files") && this.files[0] !== undefined) void this.take(this.files[0]);
  }

  private async take(file: File | null, format: ImportPreview["format"] | null = null): Promise<void> {
    this.outcome = null;
    this.now = null;
    this.failure = "";
    if (file === null) return;
    try {
      const seen = await look(file, format);
      this.file = file;
      this.seen = seen;
      this.columns = seen.columns;
    } catch (error) {
      this.failure = wordFailure(error);
    }
  }

  protected override render(): TemplateResult {
    const { d, seen, file } = this;
    if (this.outcome !== null && file !== null) return this.done(this.outcome, file);
    if (file === null || seen === null) return html`${this.dropping()}<p class="failure" role="alert">${this.failure}</p>`;
    const known = this.app.catalog.databases.find(({ summary }) => summary.name === this.database)?.collections ?? [];
    return html`<form novalidate @submit=${(event: SubmitEvent) => this.submit(event)}>
      <p><code>${file.name}</code>, ${this.words.size(file.size)}</p>
      <div class="two">
        <div class="field"><label for="database">${d["create.database"]}</label><input id="database" name="database" autocomplete="off" spellcheck="false" .value=${this.database} ?disabled=${this.working} /></div>
        <div class="field"><label for="collection">${d["import.into"]}</label><input id="collection" name="collection" list="known" autocomplete="off" spellcheck="false" .value=${this.collection || collectionNameOf(file.name)} ?disabled=${this.working} data-first />
          <datalist id="known">${known.map(({ name }) => html`<option value=${name}></option>`)}</datalist></div>
      </div>
      <div class="field"><label for="format">${d["import.format"]}</label>
        <select id="format" ?disabled=${this.working} @change=${(event: Event) => void this.take(file, importFormats.find((name) => name === (event.target as HTMLSelectElement).value) ?? null)}>
          ${importFormats.map((format) => html`<option value=${format} ?selected=${format === seen.format}>${d[`import.format.${format}`]}</option>`)}
        </select></div>
      ${seen.format === "csv" ? this.columnList() : nothing}
      ${seen.failure !== null
        ? html`<p class="failure">${"line" in seen.failure ? d["import.line"](this.words.number(seen.failure.line)) : ""} ${seen.failure.message}</p>`
        : html`<div class="peek" tabindex="0" role="region" aria-label=${d["import.peek"]}><ul>${seen.documents.map((document) => html`<li>${preview(document, 200)}</li>`)}</ul></div>`}
      <label class="check"><input type="checkbox" name="stop" ?disabled=${this.working} />${d["import.stopAtFirst"]}</label>
      ${this.working
        ? this.under(this.now?.bytesRead ?? 0, file.size, d["import.progress"](this.words.number(this.now?.inserted ?? 0), this.words.number(this.now?.failed ?? 0)))
        : this.ending(d["import.do"])}
    </form>`;
  }

  private dropping(): TemplateResult {
    const { d } = this;
    const choose = (): void => {
      const input = document.createElement("input");
      input.type = "file";
      input.accept = ".json,.ndjson,.jsonl,.csv,.tsv,.bson,.gz,application/json,text/csv";
      input.addEventListener("change", () => void this.take(input.files?.[0] ?? null));
      input.click();
    };
    return html`<div class="drop ${this.over ? "over" : ""}"
        @dragover=${(event: DragEvent) => { event.preventDefault(); this.over = true; }}
        @dragleave=${() => (this.over = false)}
        @drop=${(event: DragEvent) => { event.preventDefault(); event.stopPropagation(); this.over = false; void this.take(event.dataTransfer?.files[0] ?? null); }}>
        <p>${d["import.drop"]}</p>
        <button type="button" class="button" data-first @click=${choose}>${d["import.choose"]}</button>
      </div>
      <p class="under">${d["import.kinds"]}</p>`;
  }

  private columnList(): TemplateResult {
    const { d } = this;
    return html`<fieldset class="columns"><legend>${d["import.columns"]}</legend>
      ${this.columns.map(
        (column, at) => html`<label><span>${column.name}</span><select ?disabled=${this.working} @change=${(event: Event) => (this.columns = this.columns.with(at, { ...column, type: columnTypes.find((type) => type === (event.target as HTMLSelectElement).value) ?? "auto" }))}>
          ${columnTypes.map((type) => html`<option value=${type} ?selected=${type === column.type}>${d[`import.type.${type}`]}</option>`)}</select></label>`,
      )}
    </fieldset>`;
  }

  private submit(event: SubmitEvent): void {
    event.preventDefault();
    const { d, file, seen } = this;
    const given = new FormData(event.target as HTMLFormElement);
    const database = String(given.get("database") ?? "").trim();
    const collection = String(given.get("collection") ?? "").trim();
    if (file === null || seen === null) return;
    if (database === "") return void (this.failure = d["create.needsDatabase"]);
    if (collection === "") return void (this.failure = d["create.needsName"]);
    this.#into = collection;
    void this.long(async (signal) => {
      this.outcome = await importFile(this.controller, { file, format: seen.format, database, collection, columns: this.columns, stopAtFirst: given.has("stop"), signal, progress: (now) => (this.now = now) });
    });
  }

  private done(outcome: ImportOutcome, file: File): TemplateResult {
    const { d, words, seen } = this;
    const isText = seen?.format !== "bson";
    return html`<div class="stack">
      <p role="status" class=${outcome.failed === 0 && outcome.complete ? "good" : ""}>${d["import.done"](words.number(outcome.inserted), outcome.inserted === 1, this.#into, file.name)}${outcome.complete ? "" : ` ${d["import.incomplete"]}`}</p>
      ${outcome.failed === 0
        ? nothing
        : html`<p>${d["import.failed"](words.number(outcome.failed), outcome.failed === 1)}</p>
            <div class="lost failures" tabindex="0" role="region" aria-label=${d["import.failures"]}><ul>${outcome.failures.map(({ place, message }) => html`<li><b>${isText ? d["import.line"](words.number(place)) : d["import.document"](words.number(place))}</b> ${message}</li>`)}</ul></div>`}
      <p class="buttons"><button type="button" class="button main" @click=${() => this.closeDialog()}>${d["close"]}</button>
        <button type="button" class="button" @click=${() => { this.file = null; this.seen = null; this.outcome = null; }}>${d["import.another"]}</button></p>
    </div>`;
  }
}

@customElement("export-form")
export class ExportForm extends TransferForm {
  @property() database = "";
  @property() collection = "";
  /** A run whose documents are exported, instead of a collection. */
  @property({ attribute: false }) leaf: number | null = null;
  @state() private format: ExportFormat = "json";
  @state() private written = 0;

  private get total(): number | null {
    const value = this.app.leaves.find(({ number }) => number === this.leaf)?.value;
    if (value?.kind === "cursor") return value.batch.cursorId === 0n ? value.documents.length : null;
    return this.app.catalog.databases.find(({ summary }) => summary.name === this.database)?.collections.find(({ name }) => name === this.collection)?.count ?? null;
  }

  protected override render(): TemplateResult {
    const { d, words, total } = this;
    return html`<form @submit=${(event: SubmitEvent) => this.submit(event)}>
      <p>${total === null ? d["export.unknown"] : d["export.count"](words.number(total), total === 1)}</p>
      <fieldset class="stack"><legend>${d["import.format"]}</legend>
        ${exportFormats.map(
          (format) => html`<label class="check"><input type="radio" name="format" value=${format} ?checked=${format === "json"} ?disabled=${this.working} ?data-first=${format === "json"} @change=${() => (this.format = format)} /><span>${d[`export.format.${format}`]}<small>${d[`export.about.${format}`]}</small></span></label>`,
        )}</fieldset>
      ${this.format === "json" || this.format === "ndjson" ? html`<label class="check"><input type="checkbox" name="canonical" ?disabled=${this.working} /><span>${d["export.canonical"]}<small>${d["export.canonical.about"]}</small></span></label>` : nothing}
      ${this.working ? this.under(this.written, total, d["export.progress"](words.number(this.written))) : this.ending(d["export.do"])}
    </form>`;
  }

  private submit(event: SubmitEvent): void {
    event.preventDefault();
    const canonical = new FormData(event.target as HTMLFormElement).has("canonical");
    const { format, leaf } = this;
    void this.long(async (signal) => {
      this.written = 0;
      if (leaf !== null) await this.controller.all(leaf, () => signal.aborted);
      const value = this.store.state.leaves.find(({ number }) => number === leaf)?.value;
      const source = value?.kind === "cursor" ? documentsSource(value.documents) : collectionSource(this.controller, this.database, this.collection);
      const blob = await exportFile(source, { format, canonical, signal, progress: (written) => (this.written = written) });
      if (blob === null) return;
      const name = `${leaf === null ? this.collection : `result-${leaf}`}.${format}`;
      const link = document.createElement("a");
      link.href = URL.createObjectURL(blob);
      link.download = name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
      this.controller.notice("good", this.d["export.done"](this.words.number(this.written), name, this.words.size(blob.size)));
      this.closeDialog();
    });
  }
}

@customElement("samples-form")
export class SamplesForm extends TransferForm {
  @state() private made: { readonly sample: Sample; readonly size: number; readonly documents: number } | null = null;

  protected override render(): TemplateResult {
    const { d, words, made } = this;
    if (made !== null && this.working) return html`<div class="stack"><p>${d[`sample.${made.sample.id}`]}</p>${this.under(made.documents, made.size, d["sample.progress"](words.number(made.documents), words.number(made.size)))}</div>`;
    return html`<div class="stack">
      <p>${d["sample.about"]}</p>
      <p class="failure" role="alert">${this.failure}</p>
      ${samples.map((sample) => {
        const exists = this.app.catalog.databases.some(({ summary }) => summary.name === sample.database);
        return html`<section class="set" aria-label=${d[`sample.${sample.id}`]}>
          <h3>${d[`sample.${sample.id}`]}</h3>
          <p>${d[`sample.${sample.id}.about`]}</p>
          ${exists ? html`<p>${d["sample.replaces"](sample.database)}</p>` : nothing}
          <p class="buttons">${sampleSizes.map((size) => html`<button class="button" @click=${() => void this.load(sample, size)}>${d["sample.load"](words.number(size))}</button>`)}</p>
        </section>`;
      })}
    </div>`;
  }

  private async load(sample: Sample, size: number): Promise<void> {
    await this.long(async (signal) => {
      this.made = { sample, size, documents: 0 };
      const complete = await loadSample(this.controller, sample, size, signal, (documents) => (this.made = { sample, size, documents }));
      this.store.dispatch({ kind: "database-chosen", database: sample.database });
      if (!complete) return;
      this.controller.notice("good", this.d["sample.done"](sample.database));
      this.closeDialog();
    });
  }
}
