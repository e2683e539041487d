/**
 * `<value-bar>`: below a result, the value which is current in it: its path, its type, the whole of it, and the actions
 * on it: copy it, change it, delete its document.
 *
 * Invariants: changing and deleting are offered only where `state/data/edit.ts` allows them, go to the engine at once,
 * and can be taken back; a refusal stands here as the engine words it. After a deletion nothing moves and the same
 * document stays chosen, so that a second press never reaches another one.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Document } from "bson";
import { wordFailure } from "../../state/controller.ts";
import {
  deleteDocument,
  insertDocument,
  isTyped,
  NotOfType,
  readAgain,
  setValue,
  textFor,
  typedTypes,
  updatePath,
  valueAt,
  valueFrom,
  type Origin,
  type TypedType,
} from "../../state/data/edit.ts";
import type { GoneDocument, Leaf } from "../../state/model.ts";
import { textFormats, type TextFormat } from "../../state/settings.ts";
import { familyOf, fieldOf, typeOf, type BsonType } from "../../state/values.ts";
import type { LongText } from "../../state/long-text.ts";
import { wordAs, wordStart } from "../../state/wording.ts";
import { DataElement } from "../data/data-element.ts";
import { closeIcon, copyIcon, penIcon, trashIcon } from "../../look/icons.ts";
import { dialogStyles, formStyles } from "../../look/dialog.ts";
import { shared } from "../../look/shared.ts";
import { drawText } from "./long-text.ts";

/** The value which a view of a result says is current. */
export interface Picked {
  /** The index of the result's value that the chosen one belongs to. */
  readonly top: number;
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Characters of a value that can be changed in a field, which lays all of them out. */
const longestEdited = 100_000;

@customElement("value-bar")
export class ValueBar extends DataElement {
  @property({ attribute: false }) leaf!: Leaf;
  @property({ attribute: false }) values: readonly unknown[] = [];
  /** Deleted ones of the values, which keep their places. */
  @property({ attribute: false }) gone: readonly GoneDocument[] = [];
  @property({ attribute: false }) picked!: Picked;
  /** The collection and database that changes go to; null where the value cannot be changed. */
  @property({ attribute: false }) origin: Origin | null = null;
  @state() private editing: { readonly type: TypedType; readonly text: string } | null = null;
  @state() private working = false;
  @state() private failure = "";
  #start: { readonly format: TextFormat; readonly text: LongText } | null = null;
  @state() private outcome: { readonly text: string; readonly undo: (() => Promise<void>) | null } | null = null;

  static override styles = [
    shared,
    dialogStyles,
    formStyles,
    css`
      :host { position: sticky; bottom: -2rem; z-index: 3; }
      section {
        padding: 0.4rem 0.75rem 0.6rem; border: 1px solid var(--rule); border-left: 3px solid var(--thread);
        border-radius: 0 var(--radius) var(--radius) 0; background: var(--paper);
        box-shadow: 0 -0.4rem 1rem -0.6rem var(--shade);
      }
      .top { justify-content: flex-start; padding: 0; gap: 0.5rem; }
      .where { min-width: 0; overflow-wrap: anywhere; font-size: 0.8125rem; }
      .top { flex-wrap: wrap; }
      .top .icon { margin-left: auto; }
      .actions [aria-disabled="true"] { color: var(--ink-3); cursor: default; text-decoration: line-through; }
      .actions [aria-disabled="true"]:hover { background: none; color: var(--ink-3); }
      .actions { display: flex; flex-wrap: wrap; align-items: center; gap: 0 0.75rem; }
      .actions .quiet { font-size: var(--tiny); min-height: 1.6rem; }
      .actions svg { width: 0.9rem; height: 0.9rem; color: var(--ink-2); }
      .copies { display: inline-flex; flex-wrap: wrap; align-items: center; gap: 0 0.1rem; }
      .copies select { width: auto; max-width: 9rem; min-height: 1.6rem; font-size: var(--tiny); }
      pre {
        margin: 0.25rem 0 0; max-height: 9rem; overflow: auto; font: 400 var(--code)/1.5 var(--mono);
        white-space: pre-wrap; overflow-wrap: anywhere;
      }
      pre:focus-visible { outline-offset: -1px; }
      form {
        display: grid; grid-template-columns: 8.5rem minmax(0, 1fr); gap: 0.4rem; margin-top: 0.35rem;
        align-items: start;
      }
      form > * + * { margin: 0; }
      form .buttons, form .failure { grid-column: 1 / -1; }
      .outcome {
        display: flex; flex-wrap: wrap; gap: 0 0.6rem; align-items: baseline; font-size: var(--small);
        color: var(--good);
      }
      .outcome .quiet { padding: 0; color: var(--rubric); text-decoration: underline; text-underline-offset: 3px; }
      .danger:hover { color: var(--rubric); }
      @media (pointer: coarse) { .actions .quiet, .copies select { min-height: 2.25rem; } }
      @media (max-height: 50rem) { pre { max-height: 4.5rem; } }
      @container results (max-width: 30rem) { form { grid-template-columns: minmax(0, 1fr); } }
    `,
  ];

  protected override willUpdate(changed: PropertyValues): void {
    const before = changed.get("picked") as Picked | undefined;
    if (
      before === undefined ||
      (before.top === this.picked.top && before.path.join("\0") === this.picked.path.join("\0"))
    )
      return;
    this.editing = null;
    this.failure = "";
    this.outcome = null;
  }

  private get document(): unknown {
    return this.values[this.picked.top];
  }

  private get value(): unknown {
    return this.picked.path.length === 0 ? this.document : valueAt(this.document, this.picked.path);
  }

  protected override render(): TemplateResult {
    const { d, picked } = this;
    const value = this.value;
    const isGone = this.document === undefined;
    return html`<section aria-label=${d["value.label"]}>
      <div class="top">
        ${
          isGone
            ? nothing
            : html`<code class="where">${
                picked.path.length === 0
                  ? d["value.document"](this.words.number(picked.top + 1))
                  : picked.path.join(".")
              }</code><span class="badge">${typeOf(value)}</span>`
        }
        <p class="outcome" role="status">${this.told()}</p>
        <button class="quiet icon" aria-label=${d["close"]} title=${d["close"]}
          @click=${() => this.dispatchEvent(new CustomEvent("unpicked"))}>${closeIcon()}</button>
      </div>
      ${isGone || this.editing !== null ? nothing : this.actions(value)}
      ${isGone ? nothing : this.editing === null ? this.whole(value) : this.form(this.editing)}
      ${
        this.editing === null && this.failure !== ""
          ? html`<p class="failure" role="alert">${this.failure}</p>`
          : nothing
      }
    </section>`;
  }

  /** The entry of the chosen document, where it was deleted. */
  private get goneNow(): GoneDocument | undefined {
    return this.gone.find(({ shown }) => shown === this.document);
  }

  /** The last change of the chosen value, with the button that undoes it. */
  private told(): TemplateResult | typeof nothing {
    const { d, goneNow } = this;
    const outcome =
      goneNow === undefined ? this.outcome : { text: d["value.deleted"], undo: () => this.bringBack(goneNow) };
    if (outcome === null) return nothing;
    return html`<span>${outcome.text}</span>${
      outcome.undo === null
        ? nothing
        : html`<button class="quiet" ?disabled=${this.working}
          @click=${() => void outcome.undo?.()}>${d["value.undo"]}</button>`
    }`;
  }

  private actions(value: unknown): TemplateResult {
    const { d, m, picked } = this;
    const copies: readonly (readonly [string, string, () => string])[] = [
      [d["value.copy"], d["value.copy.short"], () => this.worded(value)],
      ...(picked.path.length === 0
        ? []
        : [
            [d["value.copyPath"], d["value.copyPath.short"], () => picked.path.join(".")] as const,
            [d["value.copyDocument"], d["value.copyDocument.short"], () => this.worded(this.document)] as const,
          ]),
    ];
    return html`<div class="actions">
      <span class="copies">${copyIcon()}${copies.map(
        ([label, short, text]) =>
          html`<button class="quiet" aria-label=${label} @click=${() => void this.copy(text())}>${short}</button>`,
      )}
        <select aria-label=${d["value.format"]}
          @change=${(event: Event) => this.onFormat(event)}>${textFormats.map(
            (format) => html`<option value=${format}
          ?selected=${format === this.store.state.settings.textFormat}>${m[`leaf.text.${format}`]}</option>`,
          )}</select></span>
      ${this.changes(value)}
    </div>`;
  }

  private whole(value: unknown): TemplateResult {
    return html`<pre tabindex="0" role="region" aria-label=${this.d["value.whole"]}
      class=${familyOf(typeOf(value))}>${drawText(this.start(value))}</pre>`;
  }

  /** The value's text, worded once. */
  private start(value: unknown): LongText {
    const format = this.store.state.settings.textFormat;
    if (this.#start === null || this.#start.format !== format || !Object.is(this.#start.text.of, value))
      this.#start = { format, text: wordStart(format, value) };
    return this.#start.text;
  }

  private worded(value: unknown): string {
    return wordAs(this.store.state.settings.textFormat, value);
  }

  private changes(value: unknown): TemplateResult | typeof nothing {
    const { d } = this;
    if (this.origin === null || fieldOf(this.document, "_id") === undefined) return nothing;
    const type = typeOf(value);
    const isGone = String(this.goneNow !== undefined);
    return html`${
      this.canEdit(value, type)
        ? html`<button class="quiet" aria-disabled=${isGone}
      @click=${() => void this.edit(type, value)}>${penIcon()}${d["value.edit"]}</button>`
        : nothing
    }
      <button class="quiet danger" aria-disabled=${isGone}
        @click=${() => void this.deleteIt()}>${trashIcon()}${d["value.delete"]}</button>`;
  }

  private canEdit(value: unknown, type: BsonType): type is TypedType {
    return (
      this.origin !== null &&
      this.editing === null &&
      fieldOf(this.document, "_id") !== undefined &&
      updatePath(this.picked.path) !== null &&
      isTyped(type) &&
      value !== undefined
    );
  }

  /** Opens the field to change the chosen value in, where it can be changed. */
  async editNow(): Promise<void> {
    await this.updateComplete;
    const { value } = this;
    const type = typeOf(value);
    if (this.canEdit(value, type)) await this.edit(type, value);
  }

  private form(editing: { readonly type: TypedType; readonly text: string }): TemplateResult {
    const { d } = this;
    const hasText = editing.type !== "Null" && editing.type !== "MinKey" && editing.type !== "MaxKey";
    const rows = Math.min(10, editing.text.split("\n").length);
    return html`<form @submit=${(event: SubmitEvent) => this.submit(event)}
      @keydown=${(event: KeyboardEvent) => this.onFormKey(event)}>
      <select name="type" aria-label=${d["value.type"]}
        @change=${(event: Event) => this.onType(event)}>${typedTypes.map(
          (type) => html`<option ?selected=${type === editing.type}>${type}</option>`,
        )}</select>
      ${
        hasText
          ? html`<textarea name="text" rows=${rows} spellcheck="false" aria-label=${d["value.new"]}
            .value=${editing.text}
            @input=${(event: Event) =>
              (this.editing = { ...editing, text: (event.target as HTMLTextAreaElement).value })}
            @keydown=${(event: KeyboardEvent) => {
              if (event.key !== "Enter" || event.shiftKey || rows > 1 || editing.type === "String") return;
              event.preventDefault();
              void this.save();
            }}></textarea>`
          : html`<span></span>`
      }
      <p class="failure" role="alert">${this.failure}</p>
      <p class="buttons"><button class="button main"
        aria-disabled=${String(this.working)}>${d["value.save"]}</button><button type="button" class="button"
        @click=${() => this.stopEditing()}>${d["cancel"]}</button></p>
    </form>`;
  }

  private onFormat(event: Event): void {
    const format = textFormats.find((name) => name === (event.target as HTMLSelectElement).value);
    if (format !== undefined) this.store.dispatch({ kind: "settings-changed", change: { textFormat: format } });
  }

  private onType(event: Event): void {
    const type = typedTypes.find((name) => name === (event.target as HTMLSelectElement).value);
    if (type !== undefined && this.editing !== null) this.editing = { ...this.editing, type };
  }

  private async edit(type: TypedType, value: unknown): Promise<void> {
    if (this.goneNow !== undefined) return;
    if (!wordStart("relaxed", value, longestEdited).isWhole) {
      this.failure = this.d["value.long"](this.words.number(longestEdited));
      return;
    }
    this.editing = { type, text: textFor(value) };
    this.failure = "";
    this.outcome = null;
    await this.updateComplete;
    this.renderRoot.querySelector("textarea")?.select();
  }

  private stopEditing(): void {
    this.editing = null;
    this.failure = "";
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>("pre")?.focus());
  }

  private onFormKey(event: KeyboardEvent): void {
    if (event.key !== "Escape") return;
    // Taken here: it also ends a result's filling the pane.
    event.preventDefault();
    this.stopEditing();
  }

  private submit(event: SubmitEvent): void {
    event.preventDefault();
    void this.save();
  }

  /** Runs a change of stored documents; a refusal is shown. */
  private async attempt(work: (origin: Origin, document: Document) => Promise<void>): Promise<void> {
    const { origin } = this;
    if (origin === null || this.working) return;
    this.working = true;
    this.failure = "";
    try {
      await work(origin, this.document as Document);
      await this.controller.wrote();
    } catch (error) {
      this.failure = error instanceof NotOfType ? this.d["value.notOfType"](error.message) : wordFailure(error);
    } finally {
      this.working = false;
    }
  }

  private async save(): Promise<void> {
    const { editing, picked, value: before } = this;
    const path = updatePath(picked.path);
    if (editing === null || path === null) return;
    await this.attempt(async (origin, document) => {
      const after = valueFrom(editing.type, editing.text, before);
      await this.set(origin, document, path, after);
      this.editing = null;
      this.outcome = {
        text: this.d["value.saved"],
        undo: () =>
          this.attempt(async (_, changed) => {
            await this.set(origin, changed, path, before);
            this.outcome = { text: this.d["value.undone"], undo: null };
          }),
      };
    });
    if (this.editing === null) this.stopEditing();
  }

  private async set(origin: Origin, document: Document, path: string, value: unknown): Promise<void> {
    if (!(await setValue(this.controller, origin, document, path, value))) throw new Error(this.d["value.gone"]);
    const now = await readAgain(this.controller, origin, document);
    if (now !== null) this.store.dispatch({ kind: "document-replaced", leaf: this.leaf.number, shown: document, now });
  }

  /** The focus stays on the button, which has nothing more to do: a key held down deletes one document. */
  private async deleteIt(): Promise<void> {
    if (this.goneNow !== undefined) return;
    await this.attempt(async (origin, document) => {
      const whole = await deleteDocument(this.controller, origin, document);
      if (whole === null) throw new Error(this.d["value.gone"]);
      this.editing = null;
      this.outcome = null;
      this.store.dispatch({ kind: "document-gone", leaf: this.leaf.number, gone: { shown: document, whole } });
    });
  }

  private async bringBack({ shown, whole }: GoneDocument): Promise<void> {
    await this.attempt(async (origin) => {
      await insertDocument(this.controller, origin, whole);
      const now = await readAgain(this.controller, origin, whole);
      this.outcome = { text: this.d["value.undeleted"], undo: null };
      this.store.dispatch({ kind: "document-back", leaf: this.leaf.number, shown, now });
    });
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(".danger, pre")?.focus();
  }

  private async copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.controller.notice("good", this.m["leaf.copied"]);
    } catch {
      this.controller.notice("bad", this.m["leaf.copyFailed"]);
    }
  }
}
