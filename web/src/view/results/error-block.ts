/**
 * `<error-block>`: why a run ended: one sentence, the place, a hint at another name, the document that was refused.
 *
 * Invariants: errors are judged by `state/` (`error-facts`, `hints`); a mistake in the syntax, and SQL, are worded as
 * they are under the editor. No word of the server is lost: where a sentence stands in its place, it is folded below.
 * The sentence is told to the page (`worded`), which says it to a screen reader.
 */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { joinSentences } from "../../messages/sentences.ts";
import { errorMessagesOf, type ErrorMessages } from "../../messages/errors/words.ts";
import type { SyntaxFault } from "../../messages/syntax/fault.ts";
import { faultOf, isRead } from "../../messages/syntax/told.ts";
import type { ScriptError } from "../../protocol/run.ts";
import { errorFacts, type ErrorFacts, type RuleFault } from "../../state/error-facts.ts";
import { errorMend, type ErrorMend } from "../../state/error-mends.ts";
import { errorHint, type Hint } from "../../state/hints.ts";
import type { AppState, CatalogDatabase, Leaf } from "../../state/model.ts";
import type { Language } from "../../state/settings.ts";
import { wordShortLine } from "../../state/values.ts";
import * as names from "../editor/shell-words.ts";
import { copyIcon, penIcon } from "../../look/icons.ts";
import { longText } from "../../state/long-text.ts";
import { shared } from "../../look/shared.ts";
import { drawText } from "./long-text.ts";
import { coded, drawCoded, uncoded } from "./coded.ts";
import { errorStyles } from "./error-styles.ts";
import { mend, shortened } from "./hint-line.ts";
import "./hint-line.ts";
import { ResultElement } from "./result-element.ts";
import "./value-tree.ts";

/** Faults named in the sentence; the rest is counted. */
const mostFaults = 4;
const longestValue = 60;

@customElement("error-block")
export class ErrorBlock extends ResultElement {
  @property({ attribute: false }) leaf!: Leaf;
  @property({ attribute: false }) error!: ScriptError;
  /** What the script itself tells of the error; null until it was read, or where that is nothing. */
  @state() private fault: SyntaxFault | null = null;
  #facts: ErrorFacts | null = null;
  #hint: Hint | null = null;
  #mend: ErrorMend | null = null;
  #language: string | null = null;
  #told: string | null = null;
  #databases: readonly CatalogDatabase[] = [];

  static override styles = [shared, errorStyles];

  private get e(): ErrorMessages {
    return errorMessagesOf(this.store.state.settings.language);
  }

  protected override willUpdate(changed: PropertyValues): void {
    const { error, leaf } = this;
    const { language } = this.store.state.settings;
    const { databases } = this.store.state.catalog;
    if (changed.has("error") || databases !== this.#databases) {
      this.#databases = databases;
      const own = databases.find(({ summary }) => summary.name === leaf.database)?.collections ?? [];
      this.#mend = isRead(error)
        ? null
        : errorMend(error, leaf.source, leaf.failed, {
            collections: own.map(({ name }) => name),
            updateOperators: names.updateOperators,
            indexes: own.flatMap(({ name, indexes }) => indexes.map(({ key }) => ({ collection: name, key }))),
          });
    }
    if (changed.has("error")) {
      this.#facts = errorFacts(error);
      this.#hint = isRead(error) ? null : errorHint(error, leaf.source, names);
    }
    if (!changed.has("error") && this.#language === language) return;
    this.#language = language;
    this.fault = null;
    void this.read(error, language);
  }

  /** The catalog comes after the error of a page's first run. */
  protected override follows(now: AppState, before: AppState): boolean {
    return now.catalog !== before.catalog || super.follows(now, before);
  }

  private async read(error: ScriptError, language: Language): Promise<void> {
    const { source, offset } = this.leaf;
    const fault = await faultOf(error, source, language, offset.line);
    if (this.error === error && this.#language === language) this.fault = fault;
  }

  protected override updated(): void {
    const sentence = uncoded(this.fault?.message ?? this.sentence() ?? this.error.text);
    if (sentence === this.#told) return;
    this.#told = sentence;
    const detail: Worded = { leaf: this.leaf.number, sentence };
    this.dispatchEvent(new CustomEvent("worded", { detail, bubbles: true, composed: true }));
  }

  protected override render(): TemplateResult {
    const { error, e } = this;
    const sentence = this.sentence();
    return html`<div class="error">
      ${
        sentence === null
          ? html`<p class="message">${drawText(longText(error.text))}</p>`
          : html`<p class="message sentence">${drawCoded(sentence)}</p>`
      }
      ${this.sql()} ${this.where()} ${this.hint()} ${this.document()}
      ${
        this.#facts === null
          ? nothing
          : html`<details><summary>${e["rest"]}</summary><pre class="said" tabindex="0">${drawText(
              longText(error.text),
            )}</pre></details>`
      }
    </div>`;
  }

  /** The sentence that stands for the server's words or the parser's. */
  private sentence(): string | null {
    return this.#facts === null
      ? (this.fault?.sql?.sentence ?? this.fault?.message ?? null)
      : wordFacts(this.#facts, this.e, (count) => this.words.number(count));
  }

  private where(): TemplateResult | typeof nothing {
    const { leaf, error, d } = this;
    if (error.line === null && error.code === null) return nothing;
    const place = this.fault ?? error;
    const line = place.line === null ? null : place.line + leaf.offset.line;
    const column = place.column === null ? 1 : place.column + (place.line === 1 ? leaf.offset.column : 0);
    return html`<p class="where">
      ${
        line === null
          ? nothing
          : html`<button class="quiet" @click=${() => this.services.goTo(leaf.tab, line, column)}>${joinSentences([
              d["leaf.errorAt"],
              d["leaf.goToError"](String(line), String(column)),
            ])}</button>`
      }
      ${
        error.code === null
          ? nothing
          : html`<span>${d["leaf.error.code"](String(error.code))}${
              error.codeName === null ? nothing : html` <code>${error.codeName}</code>`
            }</span>`
      }
    </p>`;
  }

  private hint(): TemplateResult | typeof nothing {
    const hint = this.#hint;
    const { e, leaf } = this;
    const slip = this.fault?.mending ?? null;
    if (slip !== null) return html`<hint-line .leaf=${leaf} .mending=${slip}></hint-line>`;
    const call = this.#mend;
    if (call !== null)
      return html`<hint-line .leaf=${leaf} .mending=${call.mending}
        .text=${e[`mend.${call.kind}`](coded(shortened(call.mending.text.trim().replace(/[,;]$/, ""))))}></hint-line>`;
    if (hint !== null)
      return html`<hint-line .leaf=${leaf} .text=${wordHint(hint, e)}
        .instead=${hint.kind === "similar" ? hint : null}></hint-line>`;
    return leaf.collectionHint === null
      ? nothing
      : html`<hint-line .leaf=${leaf} .missed=${leaf.collectionHint}></hint-line>`;
  }

  private sql(): TemplateResult | typeof nothing {
    const sql = this.fault?.sql ?? null;
    const { e, m, leaf } = this;
    if (sql === null) return nothing;
    const { statement, sentence, query } = sql;
    const { from, to } = statement;
    return html`<pre class="query" tabindex="0" role="region" aria-label=${sentence}>${query}</pre>
      ${
        statement.query === null
          ? nothing
          : html`<p class="acts">
              <button class="button" @click=${() => mend(this.services, leaf, { from, to, text: query })}>${penIcon()}${
                e["sql.replace"]
              }</button>
              <button class="quiet" @click=${() => void this.copy(query)}>${copyIcon()}${m["leaf.copy"]}</button>
            </p>`
      }`;
  }

  private async copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.controller.notice("good", this.m["leaf.copied"]);
    } catch {
      this.controller.notice("bad", this.m["leaf.copyFailed"]);
    }
  }

  private document(): TemplateResult | typeof nothing {
    const facts = this.#facts;
    const { e } = this;
    if (facts === null) return nothing;
    if (facts.document === null) return facts.leftOut ? html`<p class="where">${e["leftOut"]}</p>` : nothing;
    const { q, u } = facts.document;
    const isUpdate = u !== undefined && q !== undefined && Object.keys(facts.document).every((key) => key !== "_id");
    return html`<div class="offending">
      <h3>${e[isUpdate ? "update" : "document"]}</h3>
      <value-tree .values=${[isUpdate ? { filter: q as unknown, update: u as unknown } : facts.document]}
        shape="value"></value-tree>
    </div>`;
  }
}

/** The detail of `worded`: a leaf's number, and the sentence on its error for a screen reader. */
export interface Worded {
  readonly leaf: number;
  readonly sentence: string;
}

function wordFacts(facts: ErrorFacts, e: ErrorMessages, number: (count: number) => string): string {
  const place = facts.place === null ? [] : [e["place"](number(facts.place + 1))];
  const others = facts.others === 0 ? [] : [e["others"](number(facts.others), facts.others === 1)];
  if (facts.kind === "duplicate") {
    const values = facts.values.map(([path, value]) => coded(`${path}: ${short(value)}`)).join(", ");
    const namespace = coded(facts.namespace ?? "");
    if (facts.building) return e["duplicate.building"](namespace, values);
    const unique = facts.index === "_id_" ? [] : [e["duplicate.unique"](coded(facts.index))];
    return joinSentences([e["duplicate"](namespace, values), ...unique, ...place, ...others]);
  }
  const named = facts.faults.slice(0, mostFaults).map((fault) => wordFault(fault, e));
  const more = facts.faults.length - named.length;
  const faults = [...named, ...(more === 0 ? [] : [e["fault.more"](number(more))])].join(e["list"]);
  const first = facts.namespace === null ? e["invalid.here"](faults) : e["invalid"](coded(facts.namespace), faults);
  return joinSentences([first, ...place, ...others]);
}

function short(value: unknown): string {
  return wordShortLine(value, longestValue);
}

function wordFault(fault: RuleFault, e: ErrorMessages): string {
  const path = coded(fault.path);
  switch (fault.kind) {
    case "missing":
      return e["fault.missing"](path);
    case "extra":
      return e["fault.extra"](path);
    case "type":
      return e["fault.type"](path, coded(fault.found), fault.wanted.map(coded).join(e["or"]));
    case "rule": {
      const isBare =
        typeof fault.wanted === "object" && fault.wanted !== null && Object.keys(fault.wanted).length === 0;
      const rule = coded(isBare ? fault.rule : `${fault.rule}: ${short(fault.wanted)}`);
      if (fault.path === "") return e["fault.whole"](rule);
      return "found" in fault ? e["fault.value"](path, coded(short(fault.found)), rule) : e["fault.rule"](path, rule);
    }
  }
}

/** An index for each kind of point, where it is not known on which field. */
const geoIndexes = [coded('createIndex({ field: "2dsphere" })'), coded('createIndex({ field: "2d" })')] as const;

function wordHint(hint: Hint, e: ErrorMessages): string {
  switch (hint.kind) {
    case "similar":
      return e["hint.similar"](coded(hint.right));
    case "of-collection":
      return e["hint.ofCollection"](coded(hint.right));
    case "geo-index":
      return e["hint.geoIndex"](...geoIndexes);
    case "unsupported":
      return e["hint.unsupported"](coded(hint.name));
    case "text":
      return hint.isStage
        ? e["hint.textStage"](coded("$search"), coded('{ $match: { $text: { $search: "…" } } }'))
        : e["hint.text"](coded('{ $text: { $search: "…" } }'));
    case "series-option":
      return e["hint.seriesOption"](coded(hint.name), coded(`timeseries: { ${hint.name}: … }`));
    case "at-top":
      return e["hint.atTop"](coded(hint.name));
    case "under-field":
      return e["hint.underField"](coded(`{ field: { ${hint.name}: … } }`));
    case "degrees":
      return hint.right === null ? e["hint.degrees"] : e["hint.longitude"](coded(hint.right));
  }
}
