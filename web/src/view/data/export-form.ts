/**
 * `<export-form>`: a collection or a result as a file; `<dump-form>`: a database, or all of them, as an archive for
 * mongorestore.
 *
 * Invariant: nothing is handed to the browser that was stopped halfway.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Document } from "bson";
import { dump, type DumpProgress } from "../../state/data/dumping.ts";
import {
  collectionSource,
  documentsSource,
  elementsSource,
  exportFile,
  exportFormats,
  type ExportFormat,
} from "../../state/data/exporting.ts";
import { documentsLeft } from "../../state/model.ts";
import { typeOf } from "../../state/values.ts";
import { saveFile } from "./save-file.ts";
import { TransferForm } from "./transfer-form.ts";

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
    if (value?.kind === "cursor") return value.batch.cursorId === 0n ? documentsLeft(value).length : null;
    if (this.elements !== null) return this.elements.length;
    return (
      this.app.catalog.databases
        .find(({ summary }) => summary.name === this.database)
        ?.collections.find(({ name }) => name === this.collection)?.count ?? null
    );
  }

  /** The elements of the run's value, where it is an array. */
  private get elements(): readonly unknown[] | null {
    const value = this.app.leaves.find(({ number }) => number === this.leaf)?.value;
    return value?.kind === "value" && Array.isArray(value.value) ? value.value : null;
  }

  /** BSON is a row of documents. */
  private get formats(): readonly ExportFormat[] {
    const isPlain = this.elements?.every((element) => typeOf(element) === "Object") ?? true;
    return isPlain ? exportFormats : exportFormats.filter((format) => format !== "bson");
  }

  protected override render(): TemplateResult {
    const { d, words, total } = this;
    const counted = this.formats.includes("bson") ? "export.count" : "export.values";
    return html`<form @submit=${(event: SubmitEvent) => this.submit(event)}>
      <p>${total === null ? d["export.unknown"] : d[counted](words.number(total), total === 1)}</p>
      <fieldset class="stack"><legend>${d["import.format"]}</legend>
        ${this.formats.map(
          (format) =>
            html`<label class="check"><input type="radio" name="format" value=${format} ?checked=${format === "json"}
              ?disabled=${this.working} ?data-first=${format === "json"}
              @change=${() => (this.format = format)} /><span>${d[`export.format.${format}`]}<small>${
                d[`export.about.${format}`]
              }</small></span></label>`,
        )}</fieldset>
      ${
        this.format === "json" || this.format === "ndjson"
          ? html`<label class="check"><input type="checkbox" name="canonical"
        ?disabled=${this.working} /><span>${d["export.canonical"]}<small>${
          d["export.canonical.about"]
        }</small></span></label>`
          : nothing
      }
      ${
        this.working
          ? this.under(this.written, total, d["export.progress"](words.number(this.written)))
          : this.ending(d["export.do"])
      }
    </form>`;
  }

  private submit(event: SubmitEvent): void {
    event.preventDefault();
    const canonical = new FormData(event.target as HTMLFormElement).has("canonical");
    const { format, leaf, elements } = this;
    const areDocuments = this.formats.includes("bson");
    void this.long(async (signal) => {
      this.written = 0;
      if (leaf !== null) await this.controller.all(leaf, () => signal.aborted);
      const value = this.store.state.leaves.find(({ number }) => number === leaf)?.value;
      const source =
        value?.kind === "cursor"
          ? documentsSource(documentsLeft(value))
          : elements !== null
            ? (areDocuments ? documentsSource : elementsSource)(elements as readonly Document[])
            : collectionSource(this.controller, this.database, this.collection);
      const blob = await exportFile(source, {
        format,
        canonical,
        elements: !areDocuments,
        signal,
        progress: (written) => (this.written = written),
      });
      if (blob === null) return;
      const name = `${leaf === null ? this.collection : `result-${leaf}`}.${format}`;
      saveFile(blob, name);
      this.controller.notice(
        "good",
        this.d[areDocuments ? "export.done" : "export.done.values"](
          this.words.number(this.written),
          name,
          this.words.size(blob.size),
        ),
      );
      this.closeDialog();
    });
  }
}

@customElement("dump-form")
export class DumpForm extends TransferForm {
  static override styles = [
    ...[TransferForm.styles].flat(),
    css`small code { display: block; font-size: var(--tiny); overflow-wrap: anywhere; margin-top: 0.15rem; }`,
  ];

  /** Null for all databases. */
  @property({ attribute: false }) database: string | null = null;
  @state() private now: DumpProgress = { collections: 0, documents: 0 };

  protected override render(): TemplateResult {
    const { d, words, database } = this;
    const databases = this.app.catalog.databases.filter(({ summary: { name } }) =>
      database === null ? name !== "local" && name !== "config" : name === database,
    );
    const collections = databases.flatMap((one) => one.collections);
    const documents = collections.reduce((total, { count }) => total + count, 0);
    const file = `${database ?? "quire"}.archive.gz`;
    return html`<form @submit=${(event: SubmitEvent) => this.submit(event)}>
      <p>${d["dump.about"]}</p>
      ${
        databases.length === 0
          ? html`<p class="lost">${d["dump.nothing"]}</p>`
          : html`<ul class="lost"
            aria-label=${d["dump.holds"]}>${databases.map(
              ({ summary, collections: own }) =>
                html`<li><code>${summary.name}</code> ${d["dump.line"](
                  words.number(own.length),
                  own.length === 1,
                  this.documents(own.reduce((total, { count }) => total + count, 0)),
                )}</li>`,
            )}</ul>`
      }
      <label class="check"><input type="checkbox" name="gzip" checked data-first
        ?disabled=${this.working} /><span>${d["dump.gzip"]}<small>${
          d["dump.gzip.about"]
        } <code>mongorestore --gzip --archive=${file}</code></small></span></label>
      ${
        this.working
          ? this.under(
              this.now.documents,
              documents,
              d["dump.progress"](
                words.number(this.now.collections),
                words.number(collections.length),
                words.number(this.now.documents),
              ),
            )
          : this.ending(d["export.do"])
      }
    </form>`;
  }

  private documents(count: number): string {
    return this.d["many.documents"](this.words.number(count), count === 1);
  }

  private submit(event: SubmitEvent): void {
    event.preventDefault();
    const gzip = new FormData(event.target as HTMLFormElement).has("gzip");
    const { database } = this;
    void this.long(async (signal) => {
      const blob = await dump(this.controller, { database, gzip, signal, progress: (now) => (this.now = now) });
      if (blob === null) return;
      const name = `${database ?? "quire"}.archive${gzip ? ".gz" : ""}`;
      saveFile(blob, name);
      this.controller.notice(
        "good",
        this.d["export.done"](this.words.number(this.now.documents), name, this.words.size(blob.size)),
      );
      this.closeDialog();
    });
  }
}
