/**
 * `<timeline-changes>`: the difference between two moments, or a moment and the present: by collection, and opened, by
 * document and field.
 *
 * Invariant: documents are asked for when a collection is opened, some at a time.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { wordFailure } from "../../state/controller.ts";
import type { Catalog } from "../../state/model.ts";
import {
  readDifference,
  readDocuments,
  type CollectionDifference,
  type DocumentChange,
} from "../../state/timeline/timeline.ts";
import { preview } from "../../state/values.ts";
import { chevronDown, chevronRight } from "../../look/icons.ts";
import { shared } from "../../look/shared.ts";
import { countsView } from "./counts-view.ts";
import { fieldStyles, fieldsView } from "./fields-view.ts";
import { TimelineElement, timelineStyles } from "./timeline-element.ts";

/** Letters of a document or value in a line. */
const LINE_LETTERS = 160;
const signs = { added: "+", removed: "−", changed: "~" } as const;
const classes = { added: "plus", removed: "minus", changed: "tilde" } as const;

/** An opened collection. */
interface Opened {
  readonly documents: readonly DocumentChange[];
  readonly next: unknown;
  readonly reading: boolean;
}

@customElement("timeline-changes")
export class TimelineChanges extends TimelineElement {
  @property({ attribute: false }) from = 0;
  /** The later moment's number; null for the present. */
  @property({ attribute: false }) to: number | null = null;
  /** The present's catalog; a change of it has the difference from the present read again. */
  @property({ attribute: false }) catalog: Catalog | null = null;
  /** Each collection can be brought back as it was at `from`. */
  @property({ type: Boolean }) restores = false;
  @state() private collections: readonly CollectionDifference[] | null = null;
  @state() private opened: ReadonlyMap<string, Opened> = new Map();
  @state() private failure = "";

  static override styles = [
    shared,
    timelineStyles,
    fieldStyles,
    css`
      .collection { border-bottom: 1px solid var(--rule); }
      .collection > .row {
        display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.9rem; padding: 0.3rem 0;
      }
      .title { display: flex; align-items: center; gap: 0.5rem; flex: 1 1 12rem; min-width: 0; min-height: 2rem; }
      .title svg { width: 0.85rem; height: 0.85rem; color: var(--ink-3); }
      .title code { overflow-wrap: anywhere; }
      .title small { font-size: var(--tiny); color: var(--ink-2); }
      .documents { padding: 0 0 0.6rem 1.35rem; font: 400 var(--code)/1.5 var(--mono); }
      .documents li { padding: 0.2rem 0; overflow-wrap: anywhere; }
      .documents li + li { border-top: 1px dotted var(--rule-strong); }
      .sign { display: inline-block; width: 1.2em; font-weight: 600; }
      dl { padding-left: 1.2em; }
    `,
  ];

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("from") || changed.has("to") || changed.has("catalog")) void this.read();
  }

  private async read(): Promise<void> {
    const { from, to } = this;
    const isOther = (): boolean => from !== this.from || to !== this.to;
    this.opened = new Map();
    try {
      const collections = await readDifference(this.controller, from, to);
      if (isOther()) return;
      this.collections = collections;
      this.failure = "";
      // A single collection is opened at once: the reader wants to see its documents.
      if (collections.length === 1) void this.more(collections[0] as CollectionDifference);
    } catch (error) {
      if (!isOther()) this.failure = wordFailure(error);
    }
  }

  /** The first documents of a collection, or the next. */
  private async more({ ns }: CollectionDifference): Promise<void> {
    const { from, to } = this;
    const before = this.opened.get(ns) ?? { documents: [], next: null, reading: false };
    if (before.reading) return;
    const become = (opened: Opened): void => void (this.opened = new Map(this.opened).set(ns, opened));
    become({ ...before, reading: true });
    try {
      const { documents, next } = await readDocuments(this.controller, ns, from, to, before.next);
      if (from !== this.from || to !== this.to) return;
      become({ documents: [...before.documents, ...documents], next, reading: false });
    } catch (error) {
      this.failure = wordFailure(error);
      become({ ...before, reading: false });
    }
  }

  private toggle(collection: CollectionDifference): void {
    if (!this.opened.has(collection.ns)) return void this.more(collection);
    const opened = new Map(this.opened);
    opened.delete(collection.ns);
    this.opened = opened;
  }

  protected override render(): TemplateResult {
    const { t, collections } = this;
    if (this.failure !== "") return html`<p class="failure" role="alert">${this.failure}</p>`;
    if (collections === null) return html`<p class="quietly" role="status">${t["timeline.reading"]}</p>`;
    if (collections.length === 0) return html`<p class="quietly" role="status">${t["changes.none"]}</p>`;
    return html`${this.to === null ? html`<p class="facts">${t["changes.now"]}</p>` : nothing}<ul>${collections.map(
      (one) => this.collection(one),
    )}</ul>`;
  }

  private collection(one: CollectionDifference): TemplateResult {
    const { t, words } = this;
    const opened = this.opened.get(one.ns);
    const dot = one.ns.indexOf(".");
    const part = { database: one.ns.slice(0, dot), collection: one.ns.slice(dot + 1) };
    const notes = [
      ...(one.state === "changed" ? [] : [t[`changes.${one.state}`]]),
      ...(one.definition && one.state === "changed" ? [t["changes.definition"]] : []),
    ];
    return html`<li class="collection"><div class="row">
      <button class="title" aria-expanded=${String(opened !== undefined)} @click=${() => this.toggle(one)}>${
        opened === undefined ? chevronRight() : chevronDown()
      }<code>${one.ns}</code>${notes.map((note) => html`<small>${note}</small>`)}</button>
      ${countsView(t, words, one)}
      ${
        this.restores
          ? html`<button class="quiet" aria-label=${t["moment.restore.one"](one.ns)}
            @click=${() => this.dispatchEvent(new CustomEvent("restore", { detail: part }))}>${
              t["moment.restore"]
            }</button>`
          : nothing
      }</div>
      ${opened === undefined ? nothing : this.documents(one, opened)}
    </li>`;
  }

  private documents(one: CollectionDifference, { documents, next, reading }: Opened): TemplateResult {
    const { t } = this;
    return html`<div class="documents">
      ${documents.length === 0 && !reading ? html`<p class="quietly">${t["changes.noDocuments"]}</p>` : nothing}
      <ul>${documents.map((document) => this.document(document))}</ul>
      ${
        next === null
          ? nothing
          : html`<button class="button" aria-disabled=${String(reading)}
            @click=${() => void this.more(one)}>${t["changes.more"]}</button>`
      }
    </div>`;
  }

  private document(one: DocumentChange): TemplateResult {
    const { t } = this;
    const sign = html`<span class="sign ${classes[one.change]}" aria-hidden="true">${signs[one.change]}</span><span
      class="unseen">${t[`change.${one.change}`]}: </span>`;
    if (one.change !== "changed") return html`<li>${sign}${preview(one.document, LINE_LETTERS)}</li>`;
    return html`<li>${sign}_id: ${preview(one.id)}${fieldsView(t, one.fields, (value) =>
      preview(value, LINE_LETTERS),
    )}</li>`;
  }
}
