/**
 * `<model-rules>`: validators for the collections of a model: the choice of collections, the script, and the documents
 * that the validators would refuse.
 *
 * Invariants: no validator is applied that was not checked against all documents as they are, or that some document
 * fails; a change of the validators makes the verdicts void.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { wordFailure } from "../../state/controller.ts";
import type { Model, ModelCollection } from "../../state/model-view/model.ts";
import {
  apply,
  check,
  isDescribed,
  scriptFor,
  type ValidatorOptions,
  type Verdict,
} from "../../state/model-view/validators.ts";
import { preview } from "../../state/values.ts";
import { shared } from "../../look/shared.ts";
import { saveFile } from "../data/save-file.ts";
import { ModelElement, modelStyles } from "./model-element.ts";

@customElement("model-rules")
export class ModelRules extends ModelElement {
  @property({ attribute: false }) model!: Model;
  @property({ type: Boolean }) locked = false;
  /** Collections that are left out. */
  @state() private without: ReadonlySet<string> = new Set();
  @state() private anyNumber = true;
  @state() private verdicts: ReadonlyMap<string, Verdict> = new Map();
  /** The collection that is being checked. */
  @state() private checking = "";
  @state() private told = "";
  @state() private failure = "";
  @query("pre") private pre!: HTMLElement | null;
  #checks = new AbortController();
  /** The script of the validators that were checked last. */
  #checked = "";

  static override styles = [
    shared,
    modelStyles,
    css`
      :host { display: grid; grid-template-columns: minmax(17rem, 26rem) minmax(0, 1fr); gap: 1.25rem; min-height: 0; }
      .side, .script { display: flex; flex-direction: column; gap: 0.75rem; min-height: 0; }
      .side { overflow: auto; padding: 2px; }
      h3 { font-size: var(--text); font-weight: 500; }
      h3:focus { outline: none; }
      label { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 0.5rem; align-items: start; }
      li { padding: 0.4rem 0; border-bottom: 1px solid var(--rule); }
      li code { overflow-wrap: anywhere; }
      li .facts { grid-column: 2; }
      input[type="checkbox"] { width: 1.05rem; height: 1.05rem; margin: 0.25rem 0 0; accent-color: var(--rubric-fill); }
      .good { color: var(--good); }
      .bad { color: var(--rubric); overflow-wrap: anywhere; }
      pre {
        flex: 1; margin: 0; min-height: 8rem; padding: 0.75rem 1rem; overflow: auto; background: var(--paper-2);
        border-radius: var(--radius); font: 400 0.8125rem/1.55 var(--mono); tab-size: 4;
      }
      @media (max-width: 759px) {
        :host { display: block; }
        .side { overflow: visible; margin-bottom: 1rem; }
        pre { max-height: 60dvh; }
        label { min-height: 2.5rem; }
      }
    `,
  ];

  protected override firstUpdated(): void {
    this.renderRoot.querySelector<HTMLElement>("h3")?.focus();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#checks.abort();
  }

  protected override willUpdate(changed: PropertyValues): void {
    // After a new reading the verdicts hold only where the script is still the one that was checked.
    if (changed.has("model") && this.#checked !== "" && this.#checked !== this.script) this.uncheck();
  }

  private uncheck(): void {
    this.#checks.abort();
    this.#checks = new AbortController();
    this.#checked = "";
    this.verdicts = new Map();
    this.checking = "";
    this.told = "";
    this.failure = "";
  }

  private get options(): ValidatorOptions {
    return { anyNumber: this.anyNumber };
  }

  private get described(): readonly ModelCollection[] {
    return this.model.collections.filter(isDescribed);
  }

  private get picked(): readonly ModelCollection[] {
    return this.described.filter(({ name }) => !this.without.has(name));
  }

  /** The collections whose validators all documents pass. */
  private get sound(): readonly ModelCollection[] {
    return this.picked.filter(({ name }) => this.verdicts.get(name)?.failing === 0);
  }

  private get script(): string {
    const { t, model } = this;
    return scriptFor(model.database, this.picked, this.options, {
      head: t["rules.head"](model.database),
      about: (collection) => `${collection.name}: ${this.lookedAt(collection)}`,
    });
  }

  private lookedAt({ count, documents, isWhole }: ModelCollection): string {
    const { t, words } = this;
    const all = t["box.documents"](words.number(count), words.one(count));
    return isWhole ? t["rules.whole"](all) : t["rules.part"](all, words.number(documents));
  }

  protected override render(): TemplateResult {
    const { t, words, described, sound } = this;
    const isIdle = this.checking === "";
    const nothingPicked = this.picked.length === 0;
    return html`<div class="side">
        <h3 tabindex="-1">${t["rules.title"]}</h3>
        <p class="facts">${t["rules.about"]}</p>
        ${
          described.length === 0
            ? html`<p>${t["rules.none"]}</p>`
            : html`<ul aria-label=${t["rules.collections"]}>${described.map((one) => this.row(one))}</ul>
              <label><input type="checkbox" .checked=${this.anyNumber} @change=${() => {
                this.anyNumber = !this.anyNumber;
                this.uncheck();
              }} />${t["rules.anyNumber"]}</label>`
        }
        <p class="facts" role="status">${isIdle ? this.told : t["rules.checking"](this.checking)}</p>
        ${this.failure === "" ? nothing : html`<p class="failure" role="alert">${this.failure}</p>`}
        <div class="buttons">
          <button class="button" ?disabled=${!isIdle || nothingPicked}
            @click=${() => void this.check()}>${t["rules.check"]}</button>
          ${
            sound.length === 0 || this.locked
              ? nothing
              : html`<button class="button main" ?disabled=${!isIdle} @click=${() => void this.apply()}>${t[
                  "rules.apply"
                ](words.number(sound.length), words.one(sound.length))}</button>`
          }
        </div>
      </div>
      <div class="script">
        <div class="buttons">
          <button class="button" ?disabled=${nothingPicked} @click=${() => this.openTab()}>${t["rules.tab"]}</button>
          <button class="button" ?disabled=${nothingPicked} @click=${() => void this.copy()}>${t["rules.copy"]}</button>
          <button class="button" ?disabled=${nothingPicked} @click=${() => this.save()}>${t["rules.save"]}</button>
        </div>
        <pre tabindex="0" role="region" aria-label=${t["rules.script"]}>${this.script}</pre>
      </div>`;
  }

  private row(collection: ModelCollection): TemplateResult {
    const { t, words } = this;
    const { name, validated } = collection;
    const verdict = this.verdicts.get(name);
    return html`<li><label><input type="checkbox" .checked=${!this.without.has(name)}
        @change=${() => this.pick(name)} /><code>${name}</code>
      <span class="facts">${this.lookedAt(collection)}${validated ? ` · ${t["rules.replaces"]}` : ""}</span>
      ${
        verdict === undefined
          ? nothing
          : verdict.failing === 0
            ? html`<span class="facts good">${t["rules.passes"](
                words.number(verdict.documents),
                words.one(verdict.documents),
              )}</span>`
            : html`<span class="facts bad">${t["rules.fails"](
                words.number(verdict.failing),
                words.number(verdict.documents),
                preview(verdict.example, 60),
              )}</span>`
      }</label></li>`;
  }

  private pick(name: string): void {
    const without = new Set(this.without);
    if (!without.delete(name)) without.add(name);
    this.without = without;
    this.told = "";
  }

  private async check(): Promise<void> {
    this.uncheck();
    this.#checked = this.script;
    const { signal } = this.#checks;
    const stoppable = { commandBytes: (command: Uint8Array) => this.controller.commandBytes(command, signal) };
    try {
      for (const collection of this.picked) {
        this.checking = collection.name;
        const verdict = await check(stoppable, this.model.database, collection, this.options);
        if (signal.aborted) return;
        this.verdicts = new Map([...this.verdicts, [collection.name, verdict]]);
      }
    } catch (error) {
      if (!signal.aborted) this.failure = wordFailure(error);
    }
    if (!signal.aborted) this.checking = "";
  }

  private async apply(): Promise<void> {
    const { model, sound, options } = this;
    const done: string[] = [];
    const on = sound.map(({ name }) => `${model.database}.${name}`).join(", ");
    this.failure = "";
    try {
      await this.controller.keeping({ did: "validate", on }, async () => {
        for (const collection of sound) {
          this.checking = collection.name;
          // Since they were checked another tab may have written.
          const verdict = await apply(this.controller, model.database, collection, options);
          this.verdicts = new Map([...this.verdicts, [collection.name, verdict]]);
          if (verdict.failing === 0) done.push(collection.name);
        }
      });
    } catch (error) {
      this.failure = wordFailure(error);
    }
    this.checking = "";
    if (done.length === 0) return;
    this.told = this.t["rules.applied"](done.join(", "));
    await this.controller.wrote();
  }

  private openTab(): void {
    this.store.dispatch({ kind: "desk-opened", desk: { kind: "none" } });
    this.store.dispatch({ kind: "tab-added", script: this.script, name: null });
    setTimeout(() => this.services.act("focus"), 0);
  }

  private async copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.script);
      this.told = this.t["rules.copied"];
    } catch {
      this.told = this.t["rules.copyFailed"];
      if (this.pre !== null) getSelection()?.selectAllChildren(this.pre);
    }
  }

  private save(): void {
    saveFile(new Blob([this.script], { type: "text/javascript" }), `${this.model.database}-validators.js`);
  }
}
