/**
 * `<import-many>`: the collections of archives, of mongodump's folders and of several files, as a list to choose from.
 *
 * Invariants: nothing is imported that is not ticked; each collection's target is shown and can be changed; problems
 * are told collection by collection.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { gather, type GatheredParts, type ImportPart } from "../../state/data/dump-files.ts";
import { restore, type RestoreOutcome, type RestoreProgress, type RestoreTarget } from "../../state/data/restoring.ts";
import type { GivenFile } from "../../state/model.ts";
import { TransferForm } from "./transfer-form.ts";

/** A part, whether it is wanted, and where it is to go as the reader wrote it. */
interface Row {
  readonly part: ImportPart;
  readonly wanted: boolean;
  readonly into: string;
}

@customElement("import-many")
export class ImportMany extends TransferForm {
  @property() database = "";
  @property({ attribute: false }) files: readonly GivenFile[] = [];
  @state() private gathered: GatheredParts | null = null;
  @state() private rows: readonly Row[] = [];
  @state() private now: RestoreProgress = { inserted: 0, failed: 0, bytesRead: 0, done: 0 };
  @state() private outcomes: readonly RestoreOutcome[] | null = null;

  static override styles = [
    ...[TransferForm.styles].flat(),
    css`
      .parts { max-height: min(22rem, 45dvh); overflow: auto; border-block: 1px solid var(--rule); }
      .part {
        display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0.75rem; align-items: center;
        padding: 0.4rem 0;
      }
      .part + .part { border-top: 1px solid var(--line); }
      .part .check span { min-width: 0; }
      .part code { overflow-wrap: anywhere; }
      .part + .part:last-child { padding-bottom: 0.5rem; }
      .part[data-off] code { color: var(--ink-2); }
      .heads {
        display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0.75rem; align-items: end;
        font-size: var(--small); color: var(--ink-2); padding-bottom: 0.3rem;
      }
      .told li { padding: 0.4rem 0; }
      .told li + li { border-top: 1px solid var(--line); }
      .told p { font-size: var(--small); }
      .told .bad { color: var(--rubric); overflow-wrap: anywhere; }
      @media (pointer: coarse) { .part .check { min-height: 2.5rem; align-items: center; } }
      @media (max-width: 480px) {
        .part, .heads { grid-template-columns: minmax(0, 1fr); gap: 0.25rem; }
        .heads > :last-child { display: none; }
      }
    `,
  ];

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("files")) void this.read();
  }

  private async read(): Promise<void> {
    this.gathered = null;
    const gathered = await gather(this.files, this.database);
    this.rows = gathered.parts.map((part) => ({ part, wanted: true, into: `${part.database}.${part.collection}` }));
    this.gathered = gathered;
    await this.updateComplete;
    this.focusFirst();
  }

  protected override updated(changed: PropertyValues): void {
    // The focused element is gone with the form.
    if (changed.has("outcomes") && this.outcomes !== null) this.focusFirst();
  }

  protected override render(): TemplateResult {
    const { d, gathered, rows, words } = this;
    if (gathered === null) return html`<p role="status">${d["many.reading"]}</p>`;
    if (this.outcomes !== null) return this.told(this.outcomes);
    const wanted = rows.filter((row) => row.wanted);
    const left = html`${gathered.faults.map(
      ({ label, error }) => html`<p class="failure"><b>${label}</b> ${this.word(error)}</p>`,
    )}
      ${
        gathered.leftOut.length === 0
          ? nothing
          : html`<p class="under">${d["many.leftOut"](gathered.leftOut.join(", "))}</p>`
      }`;
    if (rows.length === 0)
      return html`<div class="stack">${left}<p>${d["many.none"]}</p><p class="buttons"><button type="button"
        class="button" data-first @click=${() => this.again()}>${d["import.another"]}</button></p></div>`;
    const every = wanted.length === rows.length;
    return html`<form novalidate @submit=${(event: SubmitEvent) => this.submit(event)}>
      ${left}
      <div>
        <div class="heads"><label class="check"><input type="checkbox" data-first .checked=${every}
          .indeterminate=${!every && wanted.length > 0} ?disabled=${this.working}
          @change=${(event: Event) => this.all((event.target as HTMLInputElement).checked)} />${d["many.chosen"](
            words.number(wanted.length),
            words.number(rows.length),
          )}</label><span
          aria-hidden="true">${d["many.into"]}</span></div>
        <div class="parts" role="group" aria-label=${d["many.parts"]}>${rows.map((row, at) => this.row(row, at))}</div>
      </div>
      <label class="check"><input type="checkbox" name="drop"
        ?disabled=${this.working} /><span>${d["many.drop"]}<small>${d["many.drop.about"]}</small></span></label>
      <label class="check"><input type="checkbox" name="stop"
        ?disabled=${this.working} />${d["import.stopAtFirst"]}</label>
      ${
        this.working
          ? this.under(
              this.now.bytesRead,
              this.size(wanted),
              d["many.progress"](
                words.number(this.now.done),
                words.number(wanted.length),
                words.number(this.now.inserted),
                words.number(this.now.failed),
              ),
            )
          : this.ending(d["import.do"])
      }
    </form>`;
  }

  /** Bytes of the files that are read. */
  private size(rows: readonly Row[]): number {
    const files = new Set(rows.flatMap(({ part: { source } }) => (source.kind === "nothing" ? [] : [source.file])));
    return [...files].reduce((total, file) => total + file.size, 0);
  }

  private row({ part, wanted, into }: Row, at: number): TemplateResult {
    const { d, words } = this;
    const indexes = (part.metadata?.indexes ?? []).filter(({ name }) => name !== "_id_").length;
    const about = [
      part.metadata?.type === "view" ? d["many.view"] : "",
      part.metadata?.options["capped"] === true ? d["many.capped"] : "",
      part.sizeBytes > 0 ? words.size(part.sizeBytes) : "",
      indexes > 0 ? d["many.indexes"](words.number(indexes), indexes === 1) : "",
    ].filter((text) => text !== "");
    return html`<div class="part" ?data-off=${!wanted}>
      <label class="check"><input type="checkbox" .checked=${wanted} ?disabled=${this.working}
        @change=${(event: Event) =>
          this.change(at, { wanted: (event.target as HTMLInputElement).checked })} /><span><code>${
          part.label
        }</code><small>${about.join(" · ")}</small></span></label>
      <input aria-label=${d["many.target"](part.label)} autocomplete="off" autocapitalize="none" spellcheck="false"
        .value=${into} ?disabled=${this.working || !wanted}
        @input=${(event: Event) => this.change(at, { into: (event.target as HTMLInputElement).value.trim() })} />
    </div>`;
  }

  private change(at: number, what: Partial<Row>): void {
    this.rows = this.rows.map((row, other) => (other === at ? { ...row, ...what } : row));
  }

  private all(wanted: boolean): void {
    this.rows = this.rows.map((row) => ({ ...row, wanted }));
  }

  private again(): void {
    this.dispatchEvent(new CustomEvent("again"));
  }

  private submit(event: SubmitEvent): void {
    event.preventDefault();
    const { d } = this;
    const given = new FormData(event.target as HTMLFormElement);
    const targets: RestoreTarget[] = [];
    const names = new Set<string>();
    for (const { part, into } of this.rows.filter(({ wanted }) => wanted)) {
      const dot = into.indexOf(".");
      if (dot < 1 || dot === into.length - 1) return void (this.failure = d["many.needsName"](part.label));
      if (names.has(into)) return void (this.failure = d["many.twice"](into));
      names.add(into);
      targets.push({ part, database: into.slice(0, dot), collection: into.slice(dot + 1) });
    }
    if (targets.length === 0) return void (this.failure = d["many.needsOne"]);
    void this.long(async (signal) => {
      const deed = { did: "dump", text: targets.map(({ collection }) => collection).join(", ") } as const;
      this.outcomes = await this.controller.keeping(deed, () =>
        restore(this.controller, {
          targets,
          drop: given.has("drop"),
          stopAtFirst: given.has("stop"),
          signal,
          progress: (now) => (this.now = now),
        }),
      );
      const [first] = targets;
      if (first !== undefined) this.store.dispatch({ kind: "database-chosen", database: first.database });
    });
  }

  private told(outcomes: readonly RestoreOutcome[]): TemplateResult {
    const { d, words } = this;
    const good = outcomes.every(({ complete, failed, problems }) => complete && failed === 0 && problems.length === 0);
    const inserted = outcomes.reduce((total, one) => total + one.inserted, 0);
    return html`<div class="stack">
      <p role="status"
        class=${good ? "good" : ""}>${d["many.done"](
          words.number(inserted),
          inserted === 1,
          words.number(outcomes.length),
          outcomes.length === 1,
        )}</p>
      <div class="parts told" tabindex="0" role="region"
        aria-label=${d["many.told"]}><ul>${outcomes.map((one) => this.line(one))}</ul></div>
      <p class="buttons"><button type="button" class="button main" data-first
        @click=${() => this.closeDialog()}>${d["close"]}</button>
        <button type="button" class="button" @click=${() => this.again()}>${d["import.another"]}</button></p>
    </div>`;
  }

  private line({ target, inserted, failed, failures, indexes, problems, complete }: RestoreOutcome): TemplateResult {
    const { d, words } = this;
    const numbers = [
      target.part.metadata?.type === "view"
        ? complete
          ? d["many.viewMade"]
          : ""
        : d["many.documents"](words.number(inserted), inserted === 1),
      indexes > 0 ? d["many.indexes"](words.number(indexes), indexes === 1) : "",
      complete ? "" : d["import.incomplete"],
    ].filter((text) => text !== "");
    const isText = target.part.source.kind === "file" && target.part.source.format !== "bson";
    return html`<li><code>${target.database}.${target.collection}</code> <p>${numbers.join(" · ")}</p>
      ${problems.map((problem) => html`<p class="bad">${this.word(problem)}</p>`)}
      ${failed === 0 ? nothing : html`<p class="bad">${d["import.failed"](words.number(failed), failed === 1)}</p>`}
      ${failures.slice(0, 5).map((failure) => html`<p class="bad">${this.failureOf(failure, isText)}</p>`)}</li>`;
  }
}
