/**
 * `<model-facts>`: a model as a list: references with their figures, the reader's choices for each, and the fields of
 * every collection. Beside the drawing it is the place of details; on a phone it is the model.
 *
 * Invariant: everything that the drawing shows is here in words.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { longestName, unchosen, type Choice, type Choices } from "../../state/model-view/choices.ts";
import {
  kindOf,
  mostFew,
  mostMany,
  referenceKey,
  type FoundReference,
  type Model,
  type ModelCollection,
  type Range,
} from "../../state/model-view/model.ts";
import { rowsOf } from "../../state/model-view/rows.ts";
import { fewRows, figuresOf, isDrawn } from "../../state/model-view/scene.ts";
import { familyOf } from "../../state/values.ts";
import { properties } from "../../look/cssom.ts";
import { shared } from "../../look/shared.ts";
import { captionOf } from "./caption.ts";
import { isChosen, ModelElement, modelStyles, type ModelChoice } from "./model-element.ts";

/** A reader's change of a reference: confirmed, hidden or named. */
export interface ReferenceChange {
  readonly reference: FoundReference;
  readonly change: Partial<Choice>;
}

@customElement("model-facts")
export class ModelFacts extends ModelElement {
  @property({ attribute: false }) model!: Model;
  @property({ attribute: false }) choices!: Choices;
  @property({ attribute: false }) chosen: ModelChoice | null = null;
  /** The reason why the last choice was not kept; empty where it was. */
  @property() unkept = "";
  /** Boxes with all their rows in the drawing. */
  @property({ attribute: false }) expanded: ReadonlySet<string> = new Set();
  @state() private naming: string | null = null;

  static override styles = [
    shared,
    modelStyles,
    css`
      :host { min-width: 0; }
      h3 { margin: 0 0 0.35rem; font-size: var(--text); font-weight: 500; }
      section + section, details + section { margin-top: 1.25rem; }
      li { border-bottom: 1px solid var(--rule); }
      .item { display: block; width: 100%; padding: 0.5rem 0.25rem; }
      .item:hover { background: var(--paper-2); }
      .item[aria-expanded="true"] { background: var(--paper-2); box-shadow: inset 3px 0 0 var(--rubric); }
      .item code { display: block; overflow-wrap: anywhere; font-size: 0.8125rem; line-height: 1.5; }
      .item b { font-weight: 500; font-style: italic; color: var(--rubric); }
      .item b:lang(zh) { font-style: normal; }
      .item, .inside { padding-left: 0.6rem; }
      .mark { color: var(--good); }
      .warn { color: var(--warn); }
      .inside {
        display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.5rem; padding: 0.25rem 0.25rem 0.9rem 0.6rem;
        background: var(--paper-2); box-shadow: inset 3px 0 0 var(--rubric);
      }
      .inside p { font-size: var(--small); }
      form { display: flex; flex-wrap: wrap; gap: 0.5rem; }
      form input { flex: 1 1 9rem; }
      summary { padding: 0.4rem 0.25rem; font-size: var(--small); color: var(--ink-2); cursor: pointer; }
      details { margin-top: 0.75rem; }
      table { width: 100%; border-collapse: collapse; font-size: var(--small); }
      th, td { padding: 0.2rem 0.5rem 0.2rem 0; text-align: left; vertical-align: top; overflow-wrap: anywhere;
        border-bottom: 1px solid var(--rule); }
      th { font-weight: 500; color: var(--ink-2); }
      tbody th { font: 400 0.8125rem/1.5 var(--mono); color: var(--ink); }
      td code { font-size: 0.8125rem; }
      th:last-child, td:last-child { padding-right: 0; white-space: nowrap; }
      .scale { margin-top: 0.5rem; color: var(--ink-3); }
      @media (max-width: 759px) { .wide { display: none; } }
      .hint { padding: 0 0.25rem 0.35rem; }
    `,
  ];

  protected override updated(changed: PropertyValues): void {
    if (changed.has("chosen") && this.chosen !== null)
      this.renderRoot.querySelector('.item[aria-expanded="true"]')?.scrollIntoView({ block: "nearest" });
  }

  /** Brings the focus to the chosen reference or collection. */
  focusChosen(): void {
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLElement>('.item[aria-expanded="true"]')?.focus(),
    );
  }

  private choiceOf(reference: FoundReference): Choice {
    return this.choices.references.get(referenceKey(reference)) ?? unchosen;
  }

  protected override render(): TemplateResult {
    const { t, words, model } = this;
    const of = (wanted: (reference: FoundReference) => boolean): readonly FoundReference[] =>
      model.references.filter(wanted);
    const drawn = of((one) => isDrawn(one, this.choices));
    const hidden = of((one) => this.choiceOf(one).is === "hidden");
    const doubtful = of((one) => !drawn.includes(one) && !hidden.includes(one));
    const { unkept } = this;
    return html`${unkept === "" ? nothing : html`<p class="failure" role="alert">${t["facts.unkept"](unkept)}</p>`}
      <section aria-labelledby="references"><h3 id="references">${t["facts.references"]}</h3>
        ${
          drawn.length === 0
            ? html`<p class="facts">${t[model.isSearched ? "facts.none" : "facts.unsearched"]}</p>`
            : html`<ul>${drawn.map((one) => this.reference(one))}</ul>
              <p class="facts scale">${t["facts.scale"](words.number(mostFew), words.number(mostMany))}</p>`
        }
        ${this.folded(t["facts.doubtful"](words.number(doubtful.length)), doubtful, t["facts.doubtful.hint"])}
        ${
          model.untold === 0
            ? nothing
            : html`<p class="facts hint">${t["facts.untold"](words.number(model.untold))}</p>`
        }
        ${this.folded(t["facts.hidden"](words.number(hidden.length)), hidden, "")}
      </section>
      <section aria-labelledby="collections"><h3 id="collections">${t["facts.collections"]}</h3>
        <ul>${model.collections.map((collection) => this.collection(collection))}</ul>
      </section>`;
  }

  private folded(title: string, references: readonly FoundReference[], hint: string): TemplateResult | typeof nothing {
    if (references.length === 0) return nothing;
    const isOpen = references.some((one) => isChosen(this.chosen, "reference", referenceKey(one)));
    return html`<details ?open=${isOpen}><summary>${title}</summary>
      ${hint === "" ? nothing : html`<p class="facts hint">${hint}</p>`}
      <ul>${references.map((one) => this.reference(one))}</ul></details>`;
  }

  private choose(kind: ModelChoice["kind"], id: string): void {
    const choice = isChosen(this.chosen, kind, id) ? null : { kind, id };
    this.naming = null;
    this.dispatchEvent(new CustomEvent("chose", { detail: { choice, byKey: false } }));
  }

  private reference(reference: FoundReference): TemplateResult {
    const { t } = this;
    const id = referenceKey(reference);
    const { from, path, to, key, cardinality } = reference;
    const { is, name } = this.choiceOf(reference);
    const isOpen = isChosen(this.chosen, "reference", id);
    return html`<li><button class="item" aria-expanded=${String(isOpen)} data-id=${id}
        @click=${() => this.choose("reference", id)}>
        ${name === "" ? nothing : html`<b>${name}</b>`}
        <code>${from}.${path} → ${to}.${key}</code>
        <span class="facts">${
          is === "confirmed" ? html`<span class="mark">${t["line.confirmed"]}</span> · ` : nothing
        }${
          cardinality === null
            ? t["line.unmeasured"]
            : `${t[`kind.${cardinality.kind}`]} (${figuresOf(cardinality, true, this.words)})`
        }${
          cardinality !== null && cardinality.dangling > 0
            ? html` · <span class="warn">${t["line.dangles"](
                this.share(cardinality.dangling, cardinality.values),
              )}</span>`
            : nothing
        }</span>
      </button>${isOpen ? this.inside(reference, id) : nothing}</li>`;
  }

  private share(part: number, of: number): string {
    const share = of === 0 ? 0 : (100 * part) / of;
    return `${share > 0 && share < 1 ? "<1" : this.words.number(share > 99 && share < 100 ? 99 : Math.round(share))} %`;
  }

  private median(value: number): string {
    return Number.isInteger(value) ? this.words.number(value) : `${this.words.number(Math.floor(value))}.5`;
  }

  private inside(reference: FoundReference, id: string): TemplateResult {
    const { t } = this;
    const { is } = this.choiceOf(reference);
    const ask = (change: Partial<Choice>): void =>
      void this.dispatchEvent(new CustomEvent<ReferenceChange>("changed", { detail: { reference, change } }));
    return html`<div class="inside">
      ${this.figures(reference).map((line) => html`<p>${line}</p>`)}
      <div class="buttons">
        ${
          is === "confirmed"
            ? html`<button class="button" @click=${() => ask({ is: "found" })}>${t["line.unconfirm"]}</button>`
            : html`<button class="button" @click=${() => ask({ is: "confirmed" })}>${t["line.confirm"]}</button>`
        }
        ${
          is === "hidden"
            ? html`<button class="button" @click=${() => ask({ is: "found" })}>${t["line.show"]}</button>`
            : html`<button class="button" @click=${() => ask({ is: "hidden" })}>${t["line.hide"]}</button>`
        }
      </div>
      <form @submit=${(event: SubmitEvent) => {
        event.preventDefault();
        ask({ name: this.renderRoot.querySelector<HTMLInputElement>("#name")?.value ?? "" });
        this.naming = null;
      }}>
        <input id="name" type="text" maxlength=${longestName} aria-label=${t["line.name"]}
          placeholder=${t["line.name.placeholder"]} .value=${this.choiceOf(reference).name}
          @input=${() => (this.naming = id)}
          @keydown=${(event: KeyboardEvent) => this.onNameKey(event, reference)} />
        <button class="button" ?disabled=${this.naming !== id}>${t["line.name.save"]}</button>
      </form>
    </div>`;
  }

  /** Escape takes the typed name back, and does not close the panel. */
  private onNameKey(event: KeyboardEvent, reference: FoundReference): void {
    if (event.key !== "Escape" || this.naming === null) return;
    event.preventDefault();
    event.stopPropagation();
    this.naming = null;
    (event.target as HTMLInputElement).value = this.choiceOf(reference).name;
  }

  /** The matches and measures of a reference, as sentences. */
  private figures({ from, to, looked, matched, cardinality, failure }: FoundReference): readonly string[] {
    const { t, words } = this;
    const n = words.number;
    const found = t["line.matched"](n(matched), n(looked), this.share(matched, looked));
    if (cardinality === null) return [found, failure === null ? t["line.unmeasured"] : t["line.failed"](failure)];
    const { children, parents, targets, alone, values, uses, dangling, danglingUses } = cardinality;
    return [
      found,
      children.least === children.most
        ? t["line.children.same"](to, from, n(children.most))
        : t["line.children"](to, from, n(children.least), this.median(children.median), n(children.most)),
      parents.least === parents.most
        ? t["line.parents.same"](from, to, n(parents.most))
        : t["line.parents"](from, to, n(parents.least), this.median(parents.median), n(parents.most)),
      ...(alone === 0 ? [] : [t["line.alone"](n(alone), n(targets), to)]),
      dangling === 0
        ? t["line.sound"](n(values), words.one(values))
        : t["line.dangling"](n(dangling), n(values), n(danglingUses), n(uses)),
    ];
  }

  private collection(collection: ModelCollection): TemplateResult {
    const { t, words } = this;
    const { name, failure } = collection;
    const isOpen = isChosen(this.chosen, "collection", name);
    return html`<li><button class="item" aria-expanded=${String(isOpen)}
        @click=${() => this.choose("collection", name)}>
        <code>${name}</code><span class="facts">${captionOf(t, words, collection)}</span>
      </button>${
        !isOpen
          ? nothing
          : html`<div class="inside">${
              failure === null ? this.fields(collection) : html`<p class="failure">${failure}</p>`
            }</div>`
      }</li>`;
  }

  /** How many elements arrays have, and the word for that many, such as "few". */
  private lengths(lengths: Range): string {
    const { t, words } = this;
    const [least, most] = [words.number(lengths.least), words.number(lengths.most)];
    const kind = t[`kind.${kindOf(lengths, { least: 1, median: 1, most: 1 })}`];
    return `${t["facts.length"]}: ${t["facts.lengths"](least, this.median(lengths.median), most, kind)}`;
  }

  private fields(collection: ModelCollection): TemplateResult {
    const { t, words } = this;
    const rows = rowsOf(collection, words);
    const byPath = new Map(collection.fields.map((field) => [field.steps.join("\0"), field]));
    return html`<table aria-label=${t["facts.fields"](collection.name)}>
        <thead><tr><th scope="col">${t["facts.field"]}</th><th scope="col">${t["facts.types"]}</th><th
          scope="col">${t["facts.share"]}</th></tr></thead>
        <tbody>${rows.map((row) => {
          const lengths = byPath.get(row.steps.join("\0"))?.lengths ?? null;
          return html`<tr><th scope="row" ${properties({ "padding-inline-start": `${row.depth * 0.75}rem` })}><span
              class="unseen">${row.path.slice(0, row.path.length - row.name.length)}</span>${row.name}</th>
            <td class=${familyOf(row.main)}><code>${row.type}</code>${
              lengths === null ? nothing : html`<br /><span class="facts">${this.lengths(lengths)}</span>`
            }</td>
            <td>${row.share === "" ? t["facts.always"] : row.share}</td></tr>`;
        })}</tbody>
      </table>
      ${
        rows.length <= fewRows + 1
          ? nothing
          : html`<div class="buttons wide"><button class="button"
              @click=${() => this.dispatchEvent(new CustomEvent("expanded", { detail: collection.name }))}>${
                this.expanded.has(collection.name) ? t["facts.fold"] : t["facts.expand"]
              }</button></div>`
      }
      ${
        collection.omitted === 0
          ? nothing
          : html`<p class="facts">${t["facts.omitted"](words.number(collection.omitted))}</p>`
      }`;
  }
}
