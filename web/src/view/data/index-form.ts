/**
 * `<create-index-form>`: the fields of a new index in order, and its options.
 *
 * Invariant: field paths are offered from a sample of the collection, but any can be typed.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import {
  coversAll,
  createIndex,
  indexKinds,
  indexName,
  namedFields,
  type NewIndex,
} from "../../state/data/administer.ts";
import { readExtended, shortly, TextFault } from "../../state/data/extended-json.ts";
import { closeIcon } from "../../look/icons.ts";
import { DataForm } from "./data-form.ts";

type Field = NewIndex["fields"][number];

@customElement("create-index-form")
export class CreateIndexForm extends DataForm {
  @property() database = "";
  @property() collection = "";
  @state() private fields: readonly Field[] = [{ path: "", kind: "ascending" }];
  @state() private known: readonly string[] = [];

  static override styles = [
    ...[DataForm.styles].flat(),
    css`
      .row { display: grid; grid-template-columns: minmax(0, 1fr) 9.5rem auto; gap: 0.4rem; align-items: center; }
      .row + .row { margin-top: 0.4rem; }
      fieldset .quiet:not(.icon) {
        margin-top: 0.3rem; color: var(--rubric); text-decoration: underline; text-underline-offset: 3px;
        padding-inline: 0;
      }
      fieldset legend { margin-bottom: 0.2rem; }
      fieldset p { margin-top: 0.3rem; }
      fieldset p small { color: var(--ink-2); }
      @media (max-width: 480px) { .row { grid-template-columns: minmax(0, 1fr) 7rem auto; } }
    `,
  ];

  protected override firstUpdated(): void {
    super.firstUpdated();
    void this.controller
      .fields(this.collection, this.database)
      .then((fields) => (this.known = fields.map(({ path }) => path)));
  }

  protected override render(): TemplateResult {
    const { d, words, fields } = this;
    return html`<form novalidate @submit=${(event: SubmitEvent) => this.submit(event)}>
      <fieldset>
        <legend>${d["index.fields"]}</legend>
        ${fields.map((field, at) => this.row(field, at, words.number(at + 1)))}
        <datalist id="paths">${this.known.map((path) => html`<option value=${path}></option>`)}</datalist>
        <button type="button" class="quiet" @click=${() => void this.add()}>${d["index.add"]}</button>
        ${this.kindHint()}
      </fieldset>
      ${
        coversAll(fields)
          ? html`<div class="field"><label
        for="projection">${d["index.projection"]} <small>${d["index.projection.hint"]}</small></label><textarea
        id="projection" name="projection" rows="2" spellcheck="false"
        placeholder='{ "details": 1, "tags": 1 }'></textarea></div>`
          : nothing
      }
      <div class="stack">
        <label class="check"><input type="checkbox" name="unique" />${d["index.unique"]}</label>
        <label class="check"><input type="checkbox" name="sparse" />${d["index.sparse"]}</label>
        <label class="check"><input type="checkbox" name="hidden" />${d["index.hidden"]}</label>
      </div>
      <div class="field"><label for="seconds">${d["index.ttl"]} <small>${d["index.ttl.hint"]}</small></label><input
        id="seconds" name="seconds" inputmode="numeric" /></div>
      <div class="field"><label
        for="filter">${d["index.partial"]} <small>${d["index.partial.hint"]}</small></label><textarea id="filter"
        name="filter" rows="2" spellcheck="false" placeholder='{ "year": { "$gt": 1900 } }'></textarea></div>
      <div class="field"><label for="name">${d["index.name"]}</label><input id="name" name="name" autocomplete="off"
        autocapitalize="none" spellcheck="false" placeholder=${indexName(fields)} /></div>
      ${this.ending(d["index.do"])}
    </form>`;
  }

  private row(field: Field, at: number, number: string): TemplateResult {
    const { d } = this;
    return html`<div class="row">
      <input aria-label=${d["index.field"](number)} list="paths" autocomplete="off" autocapitalize="none"
        spellcheck="false" placeholder=${field.kind === "wildcard" ? d["index.whole"] : ""} .value=${field.path}
        ?data-first=${at === 0}
        @input=${(event: Event) => this.change(at, { path: (event.target as HTMLInputElement).value.trim() })} />
      <select aria-label=${d["index.direction"](number)}
        @change=${(event: Event) =>
          this.change(at, {
            kind: indexKinds.find((kind) => kind === (event.target as HTMLSelectElement).value) ?? "ascending",
          })}>
        ${indexKinds.map(
          (kind) => html`<option value=${kind} ?selected=${kind === field.kind}>${d[`index.kind.${kind}`]}</option>`,
        )}
      </select>
      ${
        this.fields.length < 2
          ? nothing
          : html`<button type="button" class="quiet icon" aria-label=${d["index.remove"](number)}
        @click=${() => (this.fields = this.fields.filter((_, other) => other !== at))}>${closeIcon()}</button>`
      }
    </div>`;
  }

  /** A sentence on the use of hashed and wildcard keys, once a field has that kind. */
  private kindHint(): TemplateResult | typeof nothing {
    const kinds = new Set(this.fields.map(({ kind }) => kind));
    return html`${(["hashed", "wildcard"] as const)
      .filter((kind) => kinds.has(kind))
      .map((kind) => html`<p><small>${this.d[`index.about.${kind}`]}</small></p>`)}`;
  }

  private change(at: number, change: Partial<Field>): void {
    this.fields = this.fields.map((field, other) => (other === at ? { ...field, ...change } : field));
  }

  private async add(): Promise<void> {
    this.fields = [...this.fields, { path: "", kind: "ascending" }];
    await this.updateComplete;
    [...this.renderRoot.querySelectorAll<HTMLInputElement>(".row input")].at(-1)?.focus();
  }

  private submit(event: SubmitEvent): void {
    event.preventDefault();
    const { d } = this;
    const given = new FormData(event.target as HTMLFormElement);
    const text = (name: string): string => String(given.get(name) ?? "").trim();
    const fields = namedFields(this.fields);
    const seconds = text("seconds");
    if (fields.length === 0) return void (this.failure = d["index.needsField"]);
    if (seconds !== "" && !/^\d+$/.test(seconds)) return void (this.failure = d["index.needsSeconds"]);
    try {
      for (const name of ["filter", "projection"]) readExtended(text(name) || "{}");
    } catch (error) {
      if (!(error instanceof TextFault)) throw error;
      return void (this.failure = d["index.badFilter"](shortly(error.shown)));
    }
    const index: NewIndex = {
      fields,
      name: text("name"),
      unique: given.has("unique"),
      sparse: given.has("sparse"),
      hidden: given.has("hidden"),
      expireAfterSeconds: seconds === "" ? null : Number(seconds),
      partialFilter: text("filter"),
      wildcardProjection: text("projection"),
    };
    void this.attempt(
      () => createIndex(this.controller, this.database, this.collection, index),
      d["index.done"](index.name || indexName(fields)),
    );
  }
}
