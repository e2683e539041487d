/**
 * `<import-form>`: one file with a preview of its documents; several files, or an archive, are handed to
 * `<import-many>`.
 *
 * Invariant: the preview shows the documents that would be inserted, by the format and the column types chosen now.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { CellError, columnTypes, headerFault, type CsvColumn } from "../../state/data/csv.ts";
import { isPlain } from "../../state/data/dump-files.ts";
import {
  collectionNameOf,
  importFile,
  importFormats,
  look,
  rowsAs,
  type ImportOutcome,
  type ImportPreview,
} from "../../state/data/importing.ts";
import type { ImportProgress } from "../../state/data/inserter.ts";
import { LineError } from "../../state/data/line-error.ts";
import type { GivenFile } from "../../state/model.ts";
import { wordLine } from "../../state/values.ts";
import { dropped } from "../dropped.ts";
import { chosenFiles, droppedFiles } from "./given-files.ts";
import "./import-many.ts";
import { TransferForm } from "./transfer-form.ts";

@customElement("import-form")
export class ImportForm extends TransferForm {
  static override styles = [
    ...[TransferForm.styles].flat(),
    css`
      .drop {
        display: grid; justify-items: center; gap: 0.5rem; padding: 1.5rem 1rem; border: 1px dashed var(--rule-strong);
        border-radius: 6px; background: var(--paper-2); text-align: center;
      }
      .drop.over { border-color: var(--thread); border-style: solid; }
      .two { display: grid; grid-template-columns: 1fr 1fr; gap: 0.6rem; }
      .peek {
        max-height: 12rem; overflow: auto; padding: 0.4rem 0.6rem; background: var(--paper-2);
        border-radius: var(--radius); font: 400 0.8125rem/1.5 var(--mono);
      }
      .peek li {
        display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; line-clamp: 3; overflow: hidden;
        overflow-wrap: anywhere;
      }
      .peek li + li { margin-top: 0.25rem; padding-top: 0.25rem; border-top: 1px solid var(--rule); }
      .columns { max-height: 11rem; overflow: auto; border-block: 1px solid var(--rule); padding: 0.4rem 0; }
      .columns label {
        display: grid; grid-template-columns: minmax(0, 1fr) 9rem; gap: 0.5rem; align-items: center; color: var(--ink);
      }
      .columns label + label { margin-top: 0.25rem; }
      .columns span { font: 400 var(--code) var(--mono); overflow: hidden; text-overflow: ellipsis; }
      .peek .wrong { color: var(--rubric); }
    `,
  ];

  @property() database = "";
  @property() collection = "";
  @property({ attribute: false }) files: readonly GivenFile[] = [];
  /** The files for `<import-many>`: more than one, or an archive. */
  @state() private many: readonly GivenFile[] = [];
  @state() private file: File | null = null;
  @state() private seen: ImportPreview | null = null;
  @state() private columns: readonly CsvColumn[] = [];
  @state() private now: ImportProgress | null = null;
  @state() private outcome: ImportOutcome | null = null;
  @state() private over = false;
  /** The message after copying the broken lines: copied, or the failure. */
  @state() private copied = "";
  /** The collection that the last import went to. */
  #into = "";

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("files")) void this.give(this.files);
  }

  protected override updated(changed: PropertyValues): void {
    // The focused element is gone with the form.
    if (changed.has("outcome") && this.outcome !== null) this.focusFirst();
  }

  /** Takes the chosen or dropped files. */
  private async give(files: readonly GivenFile[]): Promise<void> {
    const [first] = files;
    if (first === undefined) return;
    try {
      if (files.length === 1 && (await isPlain(first.file))) await this.take(first.file);
      else this.many = files;
    } catch (error) {
      this.failure = this.word(error);
    }
  }

  private async take(file: File, format: ImportPreview["format"] | null = null): Promise<void> {
    this.outcome = null;
    this.copied = "";
    this.now = null;
    this.failure = "";
    try {
      const seen = await look(file, format);
      this.file = file;
      this.seen = seen;
      this.columns = seen.columns;
    } catch (error) {
      this.failure = this.word(error);
    }
  }

  protected override render(): TemplateResult {
    const { d, seen, file } = this;
    const failure = seen === null ? null : (seen.failure ?? (seen.format === "csv" ? headerFault(this.columns) : null));
    if (this.many.length > 0)
      return html`<import-many .app=${this.app} .database=${this.database} .files=${this.many}
        @again=${() => (this.many = [])}></import-many>`;
    if (this.outcome !== null && file !== null) return this.done(this.outcome, file);
    if (file === null || seen === null)
      return html`${this.dropping()}<p class="failure" role="alert">${this.failure}</p>`;
    const known = this.app.catalog.databases.find(({ summary }) => summary.name === this.database)?.collections ?? [];
    return html`<form novalidate @submit=${(event: SubmitEvent) => this.submit(event)}>
      <p><code>${file.name}</code>, ${this.words.size(file.size)}</p>
      <div class="two">
        <div class="field"><label for="database">${d["create.database"]}</label><input id="database" name="database"
          autocomplete="off" spellcheck="false" .value=${this.database} ?disabled=${this.working} /></div>
        <div class="field"><label for="collection">${d["import.into"]}</label><input id="collection" name="collection"
          list="known" autocomplete="off" spellcheck="false" .value=${this.collection || collectionNameOf(file.name)}
          ?disabled=${this.working} data-first />
          <datalist id="known">${known.map(({ name }) => html`<option value=${name}></option>`)}</datalist></div>
      </div>
      <div class="field"><label for="format">${d["import.format"]}</label>
        <select id="format" ?disabled=${this.working}
          @change=${(event: Event) =>
            void this.take(
              file,
              importFormats.find((name) => name === (event.target as HTMLSelectElement).value) ?? null,
            )}>
          ${importFormats.map(
            (format) => html`<option value=${format}
            ?selected=${format === seen.format}>${d[`import.format.${format}`]}</option>`,
          )}
        </select></div>
      ${seen.format === "csv" ? this.columnList() : nothing}
      ${
        failure !== null
          ? html`<p class="failure">${
              failure instanceof LineError
                ? this.failureOf(
                    { place: failure.line, message: failure.message, error: failure },
                    seen.format !== "bson",
                  )
                : failure.message
            }</p>`
          : this.peek(seen)
      }
      <label class="check"><input type="checkbox" name="stop"
        ?disabled=${this.working} />${d["import.stopAtFirst"]}</label>
      ${
        this.working
          ? this.under(
              this.now?.bytesRead ?? 0,
              file.size,
              d["import.progress"](
                this.words.number(this.now?.inserted ?? 0),
                this.words.number(this.now?.failed ?? 0),
              ),
            )
          : this.ending(d["import.do"])
      }
    </form>`;
  }

  /** The first documents as they would be inserted, and the mistakes in rows. */
  private peek(seen: ImportPreview): TemplateResult {
    const shown = seen.format === "csv" ? rowsAs(seen.rows, this.columns) : seen.documents;
    return html`<div class="peek" tabindex="0" role="region"
      aria-label=${this.d["import.peek"]}><ul>${shown.map((one) =>
        one instanceof CellError
          ? html`<li class="wrong">${this.d[`import.fault.${one.fault}`](one.shown, one.right)}</li>`
          : html`<li>${wordLine(one).slice(0, 600)}</li>`,
      )}</ul></div>`;
  }

  private dropping(): TemplateResult {
    const { d } = this;
    const choose = (folder: boolean): void => {
      // The input is in the document while the reader chooses, since a browser may forget one that nothing holds.
      this.renderRoot.querySelector("input[type=file]")?.remove();
      const input = document.createElement("input");
      input.type = "file";
      input.hidden = true;
      input.multiple = true;
      input.webkitdirectory = folder;
      if (!folder) input.accept = ".json,.ndjson,.jsonl,.csv,.tsv,.bson,.archive,.gz,application/json,text/csv";
      input.addEventListener("change", () => void this.give(chosenFiles(input.files)));
      this.renderRoot.append(input);
      input.click();
    };
    return html`<div class="drop ${this.over ? "over" : ""}"
        @dragover=${(event: DragEvent) => {
          event.preventDefault();
          this.over = true;
        }}
        @dragleave=${() => (this.over = false)}
        @drop=${(event: DragEvent) => {
          event.preventDefault();
          event.stopPropagation();
          this.over = false;
          void droppedFiles(dropped(event.dataTransfer)).then((files) => this.give(files));
        }}>
        <p>${d["import.drop"]}</p>
        <p class="buttons"><button type="button" class="button main" data-first
          @click=${() => choose(false)}>${d["import.choose"]}</button>
          <button type="button" class="button" @click=${() => choose(true)}>${d["import.chooseFolder"]}</button></p>
      </div>
      <p class="under">${d["import.kinds"]}</p>`;
  }

  private columnList(): TemplateResult {
    const { d } = this;
    return html`<fieldset class="columns"><legend>${d["import.columns"]}</legend>
      ${this.columns.map(
        (column, at) => html`<label><span>${column.name}</span><select ?disabled=${this.working}
          @change=${(event: Event) =>
            (this.columns = this.columns.with(at, {
              ...column,
              type: columnTypes.find((type) => type === (event.target as HTMLSelectElement).value) ?? "auto",
            }))}>
          ${columnTypes.map(
            (type) => html`<option value=${type}
            ?selected=${type === column.type}>${d[`import.type.${type}`]}</option>`,
          )}</select></label>`,
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
      const deed = { did: "import", on: `${database}.${collection}`, text: file.name } as const;
      this.outcome = await this.controller.keeping(deed, () =>
        importFile(this.controller, {
          file,
          format: seen.format,
          database,
          collection,
          columns: this.columns,
          stopAtFirst: given.has("stop"),
          signal,
          progress: (now) => (this.now = now),
        }),
      );
    });
  }

  private done(outcome: ImportOutcome, file: File): TemplateResult {
    const { d, words, seen } = this;
    const isText = seen?.format !== "bson";
    const lost = outcome.failures.flatMap(({ error }) => error?.lost ?? []);
    return html`<div class="stack">
      <p role="status"
        class=${outcome.failed === 0 && outcome.complete ? "good" : ""}>${d["import.done"](
          words.number(outcome.inserted),
          outcome.inserted === 1,
          this.#into,
          file.name,
        )}${outcome.complete ? "" : ` ${d["import.incomplete"]}`}</p>
      ${
        outcome.failed === 0
          ? nothing
          : html`<p>${d["import.failed"](words.number(outcome.failed), outcome.failed === 1)}</p>
            <div class="lost failures" tabindex="0" role="region"
              aria-label=${d["import.failures"]}><ul>${outcome.failures.map(
                (failure) => html`<li>${this.failureOf(failure, isText)}</li>`,
              )}</ul></div>`
      }
      <p class="buttons"><button type="button" class="button main" data-first
        @click=${() => this.closeDialog()}>${d["close"]}</button>
        <button type="button" class="button" @click=${() => {
          this.file = null;
          this.seen = null;
          this.outcome = null;
        }}>${d["import.another"]}</button>${
          lost.length === 0
            ? nothing
            : html`<button type="button" class="button"
                @click=${() => void this.copyLost(lost)}>${d["import.lost"]}</button>`
        }</p>
      <p class="under" role="status">${this.copied}</p>
    </div>`;
  }

  /** The lines that were no documents, to be mended and imported again. */
  private async copyLost(lost: readonly string[]): Promise<void> {
    const { d, words } = this;
    try {
      await navigator.clipboard.writeText(`${lost.join("\n")}\n`);
      this.copied = d["import.lost.copied"](words.number(lost.length), lost.length === 1);
    } catch {
      this.copied = d["menu.copyFailed"];
    }
  }
}
