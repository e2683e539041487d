/**
 * `<leaf-statements>`: the values of a run's statements, in order: the open one whole, the others folded to a line each
 * with their line number, writes and time.
 *
 * Invariants: one statement is open at a time, and on paper, where nothing can be opened, all of them; a line that has
 * a value is a button which opens it.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { DeploymentState } from "../../protocol/state.ts";
import { isDoubted } from "../../state/doubts/doubt.ts";
import { foundBy, type Leaf, type LeafStatement } from "../../state/model.ts";
import type { Settings } from "../../state/settings.ts";
import { longText } from "../../state/long-text.ts";
import { inOneLine, shownStatements, sourceOf, type ShownStatement } from "../../state/statements.ts";
import { preview } from "../../state/values.ts";
import { chevronDown, chevronRight } from "../../look/icons.ts";
import { isolated } from "../../look/isolated.ts";
import { shared } from "../../look/shared.ts";
import "./leaf-value.ts";
import { printedStyles } from "./leaf-styles.ts";
import { drawText } from "./long-text.ts";
import { Paper } from "./paper.ts";
import { ResultElement } from "./result-element.ts";

@customElement("leaf-statements")
export class LeafStatements extends ResultElement {
  @property({ attribute: false }) leaf!: Leaf;
  @property({ attribute: false }) settings!: Settings;
  @property({ attribute: false }) deployment: DeploymentState | null = null;
  readonly #paper = new Paper(this);

  static override styles = [
    shared,
    printedStyles,
    css`
      ol { margin: 0; padding: 0; list-style: none; }
      li { border-top: 1px solid var(--rule); }
      li:first-child { border-top: 0; }
      .line {
        display: flex; align-items: baseline; gap: 0.7rem; width: 100%; min-height: 2rem; padding: 0.25rem 0;
        text-align: start; font-size: var(--small); color: var(--ink-2); white-space: nowrap;
      }
      .line svg { flex: none; align-self: center; width: 0.75rem; height: 0.75rem; color: var(--ink-3); }
      button.line:hover { color: var(--ink); background: var(--paper-2); }
      .number { flex: none; min-width: 3.4rem; color: var(--ink-3); font-size: var(--tiny); }
      code { overflow: hidden; text-overflow: ellipsis; font-size: 0.8125rem; }
      .source { flex: 1 1 6rem; min-width: 4rem; color: var(--ink-2); }
      .gist { flex: 0 1 auto; max-width: 58%; overflow: hidden; text-overflow: ellipsis; color: var(--ink); }
      .gist code { color: var(--ink); }
      .written { color: var(--good); }
      .time { flex: none; color: var(--ink-3); font-size: var(--tiny); font-variant-numeric: tabular-nums; }
      .whole { padding: 0.2rem 0 0.9rem; }
      .printed { margin: 0.2rem 0 0.5rem; }
      .note { padding: 0.35rem 0; font-size: var(--small); font-style: italic; color: var(--ink-2); }
      .note:lang(zh) { font-style: normal; }
      @container results (max-width: 30rem) {
        .line { flex-wrap: wrap; gap: 0.1rem 0.6rem; }
        .source { flex-basis: 60%; }
        .gist { flex-basis: 100%; max-width: none; order: 1; }
        .pages { display: none; }
        button.line { position: relative; padding-inline-end: 1.1rem; }
        .line svg { position: absolute; inset: 0.6rem 0 auto auto; }
      }
      @media (pointer: coarse) { .line { min-height: 2.75rem; } }
      @media print {
        .line { break-after: avoid; }
        .line svg { display: none; }
        .source { white-space: normal; }
        .printed { max-height: none; overflow: visible; }
      }
    `,
  ];

  /** The open statement; where none is open, the last one. */
  get given(): HTMLElement | null {
    const lines = this.renderRoot;
    return lines.querySelector<HTMLElement>("li:has(> .whole:not(.unfolded))") ?? lines.querySelector("li:last-child");
  }

  protected override render(): TemplateResult {
    const { leaf, r, words } = this;
    const { statementsLeftOut: leftOut } = leaf;
    const shown = shownStatements(leaf);
    // The kept statements are as many from the beginning of the run as from its end.
    const behind = leftOut === 0 ? -1 : leaf.statements.length / 2;
    const gap = html`<li class="note">${r["statements.leftOut"](words.number(leftOut), leftOut === 1)}</li>`;
    const at = shown.findIndex(({ index }) => index >= behind);
    return html`<ol aria-label=${r["statements"]}>
      ${shown.map((one, place) => html`${leftOut > 0 && place === at ? gap : nothing}${this.statement(one)}`)}
    </ol>`;
  }

  private statement({ index, statement, printed }: ShownStatement): TemplateResult {
    const { leaf } = this;
    const open = index === leaf.open;
    const unfolded = !open && this.#paper.isPrinting && hasValue(statement);
    const lines =
      printed.length === 0
        ? nothing
        : html`<pre class="printed" tabindex="0" role="region"
          aria-label="${this.d["leaf.printed"]}: ${this.place(statement)}">${drawText(
            longText(printed.join("\n")),
          )}</pre>`;
    return html`<li>${this.line(index, statement, open || unfolded)}${lines}${doubtsOn(leaf, index, this.settings)}${
      open || unfolded
        ? html`<div class=${unfolded ? "whole unfolded" : "whole"}><leaf-value
            .leaf=${unfolded ? openedAlone(leaf, index, statement) : leaf} .settings=${this.settings}
            .deployment=${this.deployment} lang=${this.settings.language}></leaf-value></div>`
        : nothing
    }${missedBy(leaf, index, this.settings)}</li>`;
  }

  private line(index: number, statement: LeafStatement, open: boolean): TemplateResult {
    const { leaf, r, words } = this;
    const { engineMillis, commands } = statement;
    const inside = html`<span class="number">${this.place(statement)}</span>
      <code class="source">${inOneLine(sourceOf(leaf.source, statement))}</code>
      <span class="gist">${
        // The counts of written documents say more in a line than the reply of the write.
        statement.written.length > 0 ? this.written(statement) : open ? nothing : this.gist(statement)
      }</span>
      ${this.pages(statement)}<span class="time" title=${r["statement.engine"](
        words.duration(engineMillis),
        words.number(commands),
        commands === 1,
      )}>${words.duration(statement.elapsedMillis)}</span>`;
    if (!hasValue(statement)) return html`<div class="line">${inside}</div>`;
    return html`<button class="line" aria-expanded=${String(open)} @click=${() => this.open(index)}>${inside}${
      open ? chevronDown() : chevronRight()
    }</button>`;
  }

  /** A statement's line in the editor. */
  private place({ line }: LeafStatement): string {
    return this.r["statement.line"](this.words.number(line + this.leaf.offset.line));
  }

  /** A value in a few words. */
  private gist({ value }: LeafStatement): TemplateResult | string | typeof nothing {
    const { r, words } = this;
    switch (value.kind) {
      case "none":
        return nothing;
      case "lost":
        return r["statement.large"];
      case "text":
        return html`<code>${inOneLine(value.text)}</code>`;
      case "value":
        return html`<code>${isolated(inOneLine(preview(value.value, 160)))}</code>`;
      case "cursor": {
        const { count, more } = foundBy(value);
        return r["statement.documents"](words.number(count), more);
      }
    }
  }

  /** The pages of the data that its commands looked at. */
  private pages({ account }: LeafStatement): TemplateResult | typeof nothing {
    const { pagesRead } = account;
    if (pagesRead === 0) return nothing;
    const { r, words } = this;
    return html`<span class="time pages" title=${r["statement.account"](
      words.number(account.documentsExamined),
      words.number(account.keysExamined),
      words.number(account.pagesWritten),
    )}>${r["statement.pages"](words.number(pagesRead), pagesRead === 1)}</span>`;
  }

  private written(statement: LeafStatement): TemplateResult {
    return html`<span class="written">${this.wordWritten(statement.written, statement)}</span>`;
  }

  private open(index: number): void {
    this.store.dispatch({ kind: "statement-opened", leaf: this.leaf.number, statement: index });
    if (this.settings.explainResults) void this.controller.explain(this.leaf.number);
  }
}

/** Whether there is something to open. */
function hasValue({ value }: LeafStatement): boolean {
  return value.kind !== "none" && value.kind !== "lost";
}

/** The leaf as it would be with another statement open. */
function openedAlone(leaf: Leaf, index: number, { value }: LeafStatement): Leaf {
  return { ...leaf, open: index, value, insight: { kind: "none" }, view: null };
}

/** What is likely to be wrong in a statement. */
export function doubtsOn(leaf: Leaf, index: number | null, settings: Settings): TemplateResult | typeof nothing {
  const statement = index === null ? undefined : leaf.statements[index];
  return statement?.judged === undefined || !isDoubted(statement.judged)
    ? nothing
    : html`<doubt-lines .leaf=${leaf} .statement=${statement} lang=${settings.language}></doubt-lines>`;
}

/** The collection that may have been meant where a statement found nothing. */
export function missedBy(leaf: Leaf, index: number | null, settings: Settings): TemplateResult | typeof nothing {
  const statement = index === null ? undefined : leaf.statements[index];
  return statement?.missed == null
    ? nothing
    : html`<hint-line .leaf=${leaf} .missed=${statement.missed} .statement=${statement}
        lang=${settings.language}></hint-line>`;
}
