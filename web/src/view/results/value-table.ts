/**
 * `<value-table>`: documents as rows, a column a field, with the BSON types under each field's name.
 *
 * Invariants: a grid, whose rows are in the document only while they are in sight; columns keep their widths while it
 * is scrolled; where a column holds several types, each cell says its own. Says with `picked` which cell is current.
 */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import type { GoneDocument } from "../../state/model.ts";
import { isGenerated, leadColumns, Leading } from "../../state/lead.ts";
import { absent, cellOf, ColumnCounter, type TableColumn } from "../../state/table.ts";
import { familyOf, preview, typeOf, wordCell } from "../../state/values.ts";
import { properties } from "../cssom.ts";

import { shared } from "../styles/shared.ts";
import { ResultElement } from "./result-element.ts";
import { shortId, shortIdStyles } from "./short-id.ts";
import type { Picked } from "./value-bar.ts";
import { EvenRows, RowWindow } from "./window.ts";

/** Rows which a column's width is taken from. */
const measuredRows = 60;
/** Characters a column is at most wide. */
const widest = 34;

interface Shown {
  readonly columns: readonly TableColumn[];
  readonly omittedColumns: number;
  /** In characters. */
  readonly widths: readonly number[];
}

@customElement("value-table")
export class ValueTable extends ResultElement {
  @property({ attribute: false }) rows: readonly unknown[] = [];
  /** Those of the rows that were deleted: they keep their places. */
  @property({ attribute: false }) gone: readonly GoneDocument[] = [];
  /** More rows can be fetched: how many there are in all is not known. */
  @property({ type: Boolean }) more = false;
  /** Row and column of the current cell, from 0. */
  @state() private current: readonly [number, number] | null = null;
  @query(".scroll") private scroller!: HTMLElement | null;
  readonly #rows = new EvenRows();
  readonly #window = new RowWindow(
    this,
    this.#rows,
    () => this.scroller,
    () => this.dispatchEvent(new CustomEvent("near-end", { bubbles: true, composed: true })),
  );
  readonly #leading = new Leading();
  #counter = new ColumnCounter();
  #shown: Shown = { columns: [], omittedColumns: 0, widths: [] };

  static override styles = [
    shared,
    shortIdStyles,
    css`
      .scroll {
        position: relative; overflow: auto; overflow-anchor: none; max-height: 32rem; scroll-padding-block: 3.4rem 0;
        border: 1px solid var(--rule); border-radius: var(--radius);
      }
      table {
        border-collapse: separate; border-spacing: 0; table-layout: fixed; width: max-content; min-width: 100%;
        font: 400 var(--code)/1.45 var(--mono);
      }
      table:focus-visible { outline: none; }
      th, td {
        padding: 0 0.75rem; text-align: left; border-bottom: 1px solid var(--rule); white-space: nowrap;
        overflow: hidden; text-overflow: ellipsis;
      }
      tbody.drawn th, tbody.drawn td { height: 1.8rem; }
      tbody.space td { padding: 0; border: 0; }
      thead th {
        position: sticky; top: 0; z-index: 1; padding-block: 0.25rem; background: var(--paper-2); font-weight: 600;
        vertical-align: bottom; border-bottom-color: var(--rule-strong);
      }
      thead small {
        display: block; font-weight: 400; font-size: 0.75rem; color: var(--ink-3); overflow: hidden;
        text-overflow: ellipsis;
      }
      .row {
        color: var(--ink-3); font-weight: 400; text-align: right; padding-inline: 0.5rem; background: var(--paper);
      }
      thead .row { background: var(--paper-2); }
      tbody tr:hover > * { background: var(--paper-2); }
      td { cursor: default; }
      td.number { text-align: right; font-variant-numeric: tabular-nums; }
      td[aria-selected="true"] { background: var(--paper-2); box-shadow: inset 0 0 0 1px var(--thread); }
      table:focus-visible td[aria-selected="true"] { box-shadow: inset 0 0 0 2px var(--focus); }
      td.generated:hover, td.generated[aria-selected="true"] { overflow: visible; position: relative; z-index: 1; }
      td.generated:hover .short-id, td.generated[aria-selected="true"] .short-id {
        padding-right: 0.75rem; background: var(--paper-2);
      }
      .gone > * { text-decoration: line-through; color: var(--ink-3); }
      .type { margin-left: 0.4rem; font-size: 0.75rem; color: var(--ink-3); }
      .absent { color: var(--ink-3); }
      p { margin-top: 0.4rem; font-size: var(--small); color: var(--ink-2); }
      @media (pointer: coarse) { tbody.drawn th, tbody.drawn td { height: 2.5rem; } }
    `,
  ];

  protected override willUpdate(changed: PropertyValues): void {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.#rows.height = (matchMedia("(pointer: coarse)").matches ? 2.5 : 1.8) * rem;
    if (!changed.has("rows")) return;
    const before = (changed.get("rows") as readonly unknown[] | undefined) ?? [];
    const isMore =
      before.length > 0 &&
      this.rows.length > before.length &&
      this.rows[0] === before[0] &&
      this.rows[before.length - 1] === before[before.length - 1];
    if (!isMore) this.#counter = new ColumnCounter();
    this.#counter.add(this.rows, isMore ? before.length : 0);
    this.#leading.become(this.rows);
    const { columns: counted, omittedColumns } = this.#counter.columns();
    const columns = leadColumns(counted, this.#leading.lead);
    this.#shown = { columns, omittedColumns, widths: columns.map((column) => this.widthOf(column)) };
    this.#rows.count = this.rows.length;
  }

  private widthOf(column: TableColumn): number {
    let width = Math.max(6, column.name.length, Math.min(20, column.types.slice(0, 3).join(" · ").length * 0.9));
    for (const row of this.rows.slice(0, measuredRows)) {
      const value = cellOf(row, column.name);
      if (column.name === "_id" && isGenerated(value)) width = Math.max(width, 9);
      else if (value !== absent) width = Math.max(width, wordCell(value).length + (column.types.length > 1 ? 9 : 0));
    }
    return Math.min(widest, width);
  }

  protected override render(): TemplateResult {
    const { columns, omittedColumns, widths } = this.#shown;
    const { first, last, above, below } = this.#window;
    const rows = this.rows.slice(first, last);
    const numbers = String(this.words.number(this.rows.length)).length;
    const space = (height: number): TemplateResult | typeof nothing =>
      height === 0
        ? nothing
        : html`<tbody class="space" aria-hidden="true"><tr><td colspan=${columns.length + 1}
          ${properties({ height: `${height}px` })}></td></tr></tbody>`;
    return html`<div class="scroll">
        <table role="grid" tabindex="0" aria-label=${this.m["table.label"]}
          aria-rowcount=${this.more ? -1 : this.rows.length + 1} aria-colcount=${columns.length + 1}
          aria-activedescendant=${this.isCurrentDrawn() ? `cell-${this.current?.join("-")}` : nothing}
          @keydown=${(event: KeyboardEvent) => this.onKey(event)}
          @focus=${(event: Event) =>
            (event.target as HTMLElement).matches(":focus-visible") && this.pick(...(this.current ?? [0, 0]))}>
          <colgroup>
            <col ${properties({ width: `calc(${numbers}ch + 1.4rem)` })} />
            ${widths.map((width) => html`<col ${properties({ width: `calc(${width}ch + 1.6rem)` })} />`)}
          </colgroup>
          <thead>
            <tr aria-rowindex="1">
              <th class="row" scope="col"><span class="unseen">${this.m["table.row"]}</span></th>
              ${columns.map(
                (column) => html`<th scope="col"
                title=${column.name}>${column.name === "" ? this.m["table.value"] : column.name}<small>${column.types
                  .slice(0, 3)
                  .join(" · ")}</small></th>`,
              )}
            </tr>
          </thead>
          ${space(above)}
          <tbody class="drawn">
            ${rows.map((row, index) => this.row(row, first + index))}
          </tbody>
          ${space(below)}
        </table>
      </div>
      ${omittedColumns > 0 ? html`<p>${this.m["table.omitted"](this.words.number(omittedColumns))}</p>` : nothing}`;
  }

  private row(row: unknown, number: number): TemplateResult {
    const isGone = this.isGone(row);
    return html`<tr class=${isGone ? "gone" : ""} aria-rowindex=${number + 2}><th class="row" scope="row">${
      isGone ? html`<span class="unseen">${this.r["gone"]}</span>` : nothing
    }${this.words.number(number + 1)}</th>${this.#shown.columns.map((column, at) =>
      this.cell(cellOf(row, column.name), column, number, at),
    )}</tr>`;
  }

  private isGone(row: unknown): boolean {
    return this.gone.length > 0 && this.gone.some(({ shown }) => shown === row);
  }

  private isCurrentDrawn(): boolean {
    return this.current !== null && this.current[0] >= this.#window.first && this.current[0] < this.#window.last;
  }

  private cell(value: unknown, column: TableColumn, row: number, at: number): TemplateResult {
    const selected = this.current !== null && this.current[0] === row && this.current[1] === at;
    const pick = (): void => {
      this.renderRoot.querySelector<HTMLElement>("table")?.focus({ preventScroll: true });
      this.pick(row, at);
    };
    if (value === absent) {
      return html`<td id="cell-${row}-${at}" class="absent" aria-selected=${String(selected)} @click=${pick}><span
        aria-hidden="true">·</span><span class="unseen">${this.m["table.absent"]}</span></td>`;
    }
    const type = typeOf(value);
    const mixed = column.types.length > 1;
    if (column.name === "_id" && isGenerated(value))
      return html`<td id="cell-${row}-${at}" class="generated" aria-selected=${String(selected)} title=${type}
        @click=${pick}>${shortId(value)}</td>`;
    const text = mixed ? preview(value, 60) : wordCell(value);
    return html`<td id="cell-${row}-${at}" class=${familyOf(type)} aria-selected=${String(selected)} title=${type}
      @click=${pick}>${text.length > 200 ? `${text.slice(0, 200)}…` : text}${
        mixed ? html`<span class="type">${type}</span>` : nothing
      }</td>`;
  }

  private pick(row: number, at: number): void {
    const column = this.#shown.columns[at];
    if (column === undefined || row >= this.rows.length) return;
    this.current = [row, at];
    const value = cellOf(this.rows[row], column.name);
    const detail: Picked = {
      top: row,
      path: column.name === "" ? [] : [column.name],
      value: value === absent ? undefined : value,
    };
    this.dispatchEvent(new CustomEvent<Picked>("picked", { detail, bubbles: true, composed: true }));
  }

  private onKey(event: KeyboardEvent): void {
    if (event.metaKey || event.altKey) return;
    const [row, at] = this.current ?? [0, 0];
    const lastRow = this.rows.length - 1;
    const lastColumn = this.#shown.columns.length - 1;
    const page = Math.max(1, Math.floor((this.scroller?.clientHeight ?? 0) / this.#rows.height) - 2);
    let next: readonly [number, number];
    switch (event.key) {
      case "ArrowDown":
        next = [row + 1, at];
        break;
      case "ArrowUp":
        next = [row - 1, at];
        break;
      case "ArrowRight":
        next = [row, at + 1];
        break;
      case "ArrowLeft":
        next = [row, at - 1];
        break;
      case "PageDown":
        next = [row + page, at];
        break;
      case "PageUp":
        next = [row - page, at];
        break;
      case "Home":
        next = event.ctrlKey ? [0, 0] : [row, 0];
        break;
      case "End":
        next = event.ctrlKey ? [lastRow, lastColumn] : [row, lastColumn];
        break;
      default:
        return;
    }
    event.preventDefault();
    void this.goTo(Math.min(lastRow, Math.max(0, next[0])), Math.min(lastColumn, Math.max(0, next[1])));
  }

  private async goTo(row: number, at: number): Promise<void> {
    const header = this.renderRoot.querySelector("thead")?.clientHeight ?? 0;
    this.#window.reveal(row, header);
    this.pick(row, at);
    await this.updateComplete;
    this.renderRoot.querySelector(`[id="cell-${row}-${at}"]`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}
