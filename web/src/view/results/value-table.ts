/**
 * `<value-table>`: documents as rows, a column a field, with the BSON types under each field's name; columns are sorted
 * by, resized, hidden and pinned.
 *
 * Invariants: a grid, whose rows are in the document only while they are in sight; columns keep their widths while it
 * is scrolled; where a column holds several types, each cell says its own. Sorting changes the rows' order and nothing
 * else, and says so where more could be fetched. The table has the focus itself: its current cell may be a column's
 * head. Says with `picked` which value is current, and with `edit-asked` (a double click, Enter, F2) that it is to be
 * changed.
 */
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import {
  arrange,
  fitted,
  hid,
  pinned,
  resized,
  unarranged,
  unhid,
  unpinned,
  type Arranged,
  type Arrangement,
} from "../../state/arrangement.ts";
import { orderBy, type Direction } from "../../state/bson-order.ts";
import { isGenerated, leadColumns, Leading } from "../../state/lead.ts";
import type { GoneDocument } from "../../state/model.ts";
import { absent, cellOf, ColumnCounter, isOfNumbers, type TableColumn } from "../../state/table.ts";
import { familyOf, preview, typeOf, wordCell } from "../../state/values.ts";
import { properties } from "../../look/cssom.ts";
import { chevronDown } from "../../look/icons.ts";
import { isolated } from "../../look/isolated.ts";
import { shared } from "../../look/shared.ts";
import { arrangementOf, keepArrangement } from "./arrangements.ts";
import type { ColumnWish } from "./column-menu.ts";
import "./column-menu.ts";
import { ResultElement } from "./result-element.ts";
import { shortId, shortIdStyles } from "./short-id.ts";
import { tableStyles } from "./table-styles.ts";
import type { Picked } from "./value-bar.ts";
import { unprinted } from "./unprinted.ts";
import { EvenRows, RowWindow } from "./window.ts";

/** Rows which a column's width is taken from. */
const measuredRows = 60;
/** Characters a column is at most wide by itself. */
const widest = 34;
/** Characters by which a key changes a width. */
const step = 2;
/** More columns than this fit on paper only where words may be broken. */
const broad = 8;
/** The row of the columns' heads. */
const head = -1;

export interface Sorting {
  readonly column: string;
  readonly direction: Direction;
}

@customElement("value-table")
export class ValueTable extends ResultElement {
  @property({ attribute: false }) rows: readonly unknown[] = [];
  /** The deleted documents among the rows; they keep their places. */
  @property({ attribute: false }) gone: readonly GoneDocument[] = [];
  /** More rows can be fetched: how many there are in all is not known. */
  @property({ type: Boolean }) more = false;
  /** The collection of the rows, whose arrangement is remembered; empty for rows of none. */
  @property() collection = "";
  @property({ attribute: false }) sorting: Sorting | null = null;
  /** Whether the engine can be asked for another order (`ask-sorted`). */
  @property({ type: Boolean }) askable = false;
  /** Row and column of the current cell, from 0. */
  @state() private current: readonly [number, number] | null = null;
  @state() private menu: { readonly at: number; readonly anchor: HTMLElement } | null = null;
  @query(".scroll") private scroller!: HTMLElement | null;
  @query("table") private table!: HTMLElement;
  readonly #rows = new EvenRows();
  readonly #window = new RowWindow(
    this,
    this.#rows,
    () => this.scroller,
    // Rows that come in between would move the others away from the reader.
    () => this.sorting === null && this.dispatchEvent(new CustomEvent("near-end", { bubbles: true, composed: true })),
  );
  readonly #leading = new Leading();
  #counter = new ColumnCounter();
  #columns: readonly TableColumn[] = [];
  #natural = new Map<string, number>();
  #arrangement: Arrangement = unarranged;
  #shown: Arranged<TableColumn> = { columns: [], pinned: 0, hidden: [], omitted: 0 };
  /** The rows' numbers in the order in which they are shown; null for their own. */
  #order: Uint32Array | null = null;

  static override styles = [shared, shortIdStyles, tableStyles];

  protected override willUpdate(changed: PropertyValues): void {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.#rows.height = (matchMedia("(pointer: coarse)").matches ? 2.5 : 1.8) * rem;
    if (changed.has("rows")) this.become((changed.get("rows") as readonly unknown[] | undefined) ?? []);
    if (changed.has("collection")) this.#arrangement = arrangementOf(this.collection);
    this.#shown = arrange(this.#columns, this.#arrangement);
    const { sorting, rows } = this;
    // A row that was changed in place keeps it: it must not leave from under the pointer.
    if (changed.has("sorting") || (this.#order !== null && this.#order.length !== rows.length))
      this.#order = sorting === null ? null : orderBy(rows, sorting.column, sorting.direction);
  }

  private become(before: readonly unknown[]): void {
    const isMore =
      before.length > 0 &&
      this.rows.length > before.length &&
      this.rows[0] === before[0] &&
      this.rows[before.length - 1] === before[before.length - 1];
    if (!isMore) this.#counter = new ColumnCounter();
    this.#counter.add(this.rows, isMore ? before.length : 0);
    this.#leading.become(this.rows);
    this.#columns = leadColumns(this.#counter.columns(), this.#leading.lead);
    this.#natural = new Map();
    this.#rows.count = this.rows.length;
  }

  /** A column's width in characters. */
  private widthOf(column: TableColumn): number {
    return this.#arrangement.widths.get(column.name) ?? this.naturalWidth(column);
  }

  private naturalWidth(column: TableColumn): number {
    const known = this.#natural.get(column.name);
    if (known !== undefined) return known;
    let width = Math.max(6, column.name.length + 2, Math.min(20, column.types.slice(0, 3).join(" · ").length * 0.9));
    for (const row of this.rows.slice(0, measuredRows)) {
      const value = cellOf(row, column.name);
      if (column.name === "_id" && isGenerated(value)) width = Math.max(width, 9);
      else if (value !== absent) width = Math.max(width, wordCell(value).length + (column.types.length > 1 ? 9 : 0));
    }
    this.#natural.set(column.name, Math.min(widest, width));
    return Math.min(widest, width);
  }

  /** The number of the row that is shown in a place. */
  private sourceOf(place: number): number {
    return this.#order?.[place] ?? place;
  }

  private nameOf(column: TableColumn): string {
    return column.name === "" ? this.m["table.value"] : column.name;
  }

  protected override render(): TemplateResult {
    const { columns } = this.#shown;
    const { first, last, above, below } = this.#window;
    const places = Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at);
    const numbers = String(this.words.number(this.rows.length)).length;
    const space = (height: number): TemplateResult | typeof nothing =>
      height === 0
        ? nothing
        : html`<tbody class="space" aria-hidden="true"><tr><td colspan=${columns.length + 1}
          ${properties({ height: `${height}px` })}></td></tr></tbody>`;
    const lefts = this.lefts(numbers);
    const isSized = columns.some(({ name }) => this.#arrangement.widths.has(name));
    const kind = `${isSized ? "sized" : ""} ${columns.length > broad ? "broad" : ""}`;
    return html`<div class="scroll"><span class="measure" aria-hidden="true">0000000000</span>
        <table role="grid" tabindex="0" aria-label=${this.m["table.label"]} class=${kind}
          aria-rowcount=${this.more ? -1 : this.rows.length + 1} aria-colcount=${columns.length + 1}
          aria-activedescendant=${this.isCurrentDrawn() ? `cell-${this.current?.join("-")}` : nothing}
          @keydown=${(event: KeyboardEvent) => this.onKey(event)}
          @focus=${(event: Event) =>
            (event.target as HTMLElement).matches(":focus-visible") && this.pick(...(this.current ?? [0, 0]))}>
          <colgroup>
            <col ${properties({ width: `calc(${numbers}ch + 1.4rem)` })} />
            ${columns.map(
              (column) => html`<col ${properties({ width: `calc(${this.widthOf(column)}ch + 1.6rem)` })} />`,
            )}
          </colgroup>
          <thead>
            <tr aria-rowindex="1">
              <th class="row pinned" scope="col" ${properties({ left: "0" })}><span
                class="unseen">${this.m["table.row"]}</span></th>
              ${columns.map((column, at) => this.head(column, at, lefts[at]))}
            </tr>
          </thead>
          ${space(above)}
          <tbody class="drawn">${places.map((place) => this.row(place, lefts))}</tbody>
          ${space(below)}
        </table>
      </div>
      ${unprinted(this.r, this.words, this.#window, this.rows.length)} ${this.notes()} ${this.columnMenu()}`;
  }

  /** The left edge of each pinned column, as CSS. */
  private lefts(numbers: number): readonly string[] {
    let characters = numbers;
    return this.#shown.columns.slice(0, this.#shown.pinned).map((column, at) => {
      const left = `calc(${characters}ch + ${(1.4 + at * 1.6).toFixed(1)}rem)`;
      characters += this.widthOf(column);
      return left;
    });
  }

  private pinClass(at: number): string {
    const { pinned: count } = this.#shown;
    return at >= count ? "" : `pinned ${at > 0 ? "further" : ""} ${at === count - 1 ? "edge" : ""}`;
  }

  private head(column: TableColumn, at: number, left: string | undefined): TemplateResult {
    const name = this.nameOf(column);
    const direction = this.sorting?.column === column.name ? this.sorting.direction : 0;
    const label = this.r["column.menu"](name);
    return html`<th id="cell-${head}-${at}" scope="col" class=${this.pinClass(at)} title=${name}
      aria-sort=${direction === 0 ? "none" : direction === 1 ? "ascending" : "descending"}
      aria-selected=${String(this.isCurrent(head, at))} ${properties({ left: left ?? "auto" })}
      @contextmenu=${(event: Event) => {
        event.preventDefault();
        this.openMenu(at, event.currentTarget as HTMLElement);
      }}><button class="by" tabindex="-1" @click=${() => this.onHead(column, at)}>${name}${
        direction === 0 ? nothing : html`<b aria-hidden="true">${direction === 1 ? "↑" : "↓"}</b>`
      }<small>${column.types.slice(0, 3).join(" · ")}</small></button><button class="menu" tabindex="-1"
        aria-haspopup="menu" aria-expanded=${String(this.menu?.at === at)} aria-label=${label} title=${label}
        @click=${(event: Event) => this.openMenu(at, event.currentTarget as HTMLElement)}
      >${chevronDown()}</button><span class="grip" @pointerdown=${(event: PointerEvent) => this.onGrip(event, at)}
        @dblclick=${() => this.wish("fit", column)}></span></th>`;
  }

  /** Sentences on the rows and columns that are not shown as the result has them: sorted, hidden, left out. */
  private notes(): TemplateResult {
    const { r, words, sorting } = this;
    const { hidden, omitted } = this.#shown;
    return html`${
      sorting === null
        ? nothing
        : html`<p role="status"><span>${r[sorting.direction === 1 ? "sorted.up" : "sorted.down"](
            sorting.column === "" ? this.m["table.value"] : sorting.column,
          )}${this.more ? ` ${r["sorted.fetched"](words.number(this.rows.length))}` : ""}</span>
          <button class="quiet" @click=${() => this.sort(null)}>${r["column.unsorted"]}</button>
          ${
            this.askable
              ? html`<button class="quiet"
            @click=${() => this.dispatchEvent(new CustomEvent("ask-sorted"))}>${r["sorted.ask"]}</button>`
              : nothing
          }</p>`
    }
    ${
      hidden.length === 0
        ? nothing
        : html`<p><span>${r["hidden.count"](words.number(hidden.length), hidden.length === 1)}</span>${hidden.map(
            (column) =>
              html`<button class="quiet" aria-label=${r["hidden.show"](this.nameOf(column))}
              @click=${() => this.rearrange(unhid(this.#arrangement, column.name))}><code>${this.nameOf(
                column,
              )}</code></button>`,
          )}</p>`
    }
    ${omitted > 0 ? html`<p>${this.m["table.omitted"](words.number(omitted))}</p>` : nothing}`;
  }

  private columnMenu(): TemplateResult | typeof nothing {
    const { menu } = this;
    const column = menu === null ? undefined : this.#shown.columns[menu.at];
    if (menu === null || column === undefined) return nothing;
    const direction = this.sorting?.column === column.name ? this.sorting.direction : 0;
    const wishes: readonly (ColumnWish | false)[] = [
      direction !== 1 && "up",
      direction !== -1 && "down",
      direction !== 0 && "unsorted",
      menu.at < this.#shown.pinned ? "unpin" : "pin",
      this.#shown.columns.length > 1 && "hide",
      "wider",
      "narrower",
      this.#arrangement.widths.has(column.name) && "fit",
    ];
    return html`${keyed(
      menu,
      html`<column-menu .name=${this.nameOf(column)} .anchor=${menu.anchor} .table=${this.table}
        .wishes=${wishes.filter((wish) => wish !== false)}
        @chosen=${(event: CustomEvent<ColumnWish>) => this.wish(event.detail, column)}
        @closed=${() => this.menu === menu && ((this.menu = null))}></column-menu>`,
    )}`;
  }

  private row(place: number, lefts: readonly string[]): TemplateResult {
    const source = this.sourceOf(place);
    const row = this.rows[source];
    const isGone = this.gone.length > 0 && this.gone.some(({ shown }) => shown === row);
    const mark = isGone ? html`<span class="unseen">${this.r["gone"]}</span>` : nothing;
    return html`<tr class=${isGone ? "gone" : ""} aria-rowindex=${place + 2}>
      <th class="row pinned" scope="row" ${properties({ left: "0" })}>${mark}${this.words.number(source + 1)}</th>
      ${this.#shown.columns.map((column, at) => this.cell(cellOf(row, column.name), column, place, at, lefts[at]))}
    </tr>`;
  }

  private isCurrent(place: number, at: number): boolean {
    return this.current !== null && this.current[0] === place && this.current[1] === at;
  }

  private isCurrentDrawn(): boolean {
    if (this.current === null) return false;
    const [place] = this.current;
    return place === head || (place >= this.#window.first && place < this.#window.last);
  }

  private cell(
    value: unknown,
    column: TableColumn,
    place: number,
    at: number,
    left: string | undefined,
  ): TemplateResult {
    const selected = String(this.isCurrent(place, at));
    const pin = this.pinClass(at);
    const stays = properties({ left: left ?? "auto" });
    const pick = (): void => {
      this.table.focus({ preventScroll: true });
      this.pick(place, at);
    };
    const edit = (): void => this.askEdit(place, at);
    if (value === absent) {
      return html`<td id="cell-${place}-${at}" class="absent ${pin}" aria-selected=${selected} ${stays}
        @click=${pick}><span aria-hidden="true">·</span><span class="unseen">${this.m["table.absent"]}</span></td>`;
    }
    const type = typeOf(value);
    const mixed = column.types.length > 1;
    if (column.name === "_id" && isGenerated(value))
      return html`<td id="cell-${place}-${at}" class="generated ${pin}" aria-selected=${selected} title=${type} ${stays}
        @click=${pick} @dblclick=${edit}>${shortId(value)}</td>`;
    const text = mixed ? preview(value, 60) : wordCell(value);
    const look = `${familyOf(type)} ${isOfNumbers(column) ? "figure" : ""} ${pin}`;
    return html`<td id="cell-${place}-${at}" class=${look} aria-selected=${selected} title=${type}
      ${stays} @click=${pick} @dblclick=${edit}>${isolated(text.length > 200 ? `${text.slice(0, 200)}…` : text)}${
        mixed ? html`<span class="type">${type}</span>` : nothing
      }</td>`;
  }

  private pick(place: number, at: number): void {
    const column = this.#shown.columns[at];
    if (column === undefined || place >= this.rows.length) return;
    this.current = [place, at];
    if (place === head) return;
    const source = this.sourceOf(place);
    const value = cellOf(this.rows[source], column.name);
    const detail: Picked = {
      top: source,
      path: column.name === "" ? [] : [column.name],
      value: value === absent ? undefined : value,
    };
    this.dispatchEvent(new CustomEvent<Picked>("picked", { detail, bubbles: true, composed: true }));
  }

  /** Asks for the value of a cell to be changed where it is shown whole. */
  private askEdit(place: number, at: number): void {
    if (place === head) return;
    this.pick(place, at);
    // The press chose words of the cell, which the reader did not mean.
    getSelection()?.removeAllRanges();
    this.dispatchEvent(new CustomEvent("edit-asked", { bubbles: true, composed: true }));
  }

  private sort(sorting: Sorting | null): void {
    this.dispatchEvent(new CustomEvent<Sorting | null>("sorted", { detail: sorting }));
  }

  /** Upwards, then downwards, then as it came. */
  private onHead(column: TableColumn, at: number): void {
    this.table.focus({ preventScroll: true });
    this.current = [head, at];
    const direction = this.sorting?.column === column.name ? this.sorting.direction : 0;
    this.sort(direction === -1 ? null : { column: column.name, direction: direction === 0 ? 1 : -1 });
  }

  private openMenu(at: number, anchor: HTMLElement): void {
    this.current = [head, at];
    this.menu = { at, anchor };
  }

  private rearrange(arrangement: Arrangement): void {
    const name = this.#shown.columns[this.current?.[1] ?? -1]?.name;
    this.#arrangement = arrangement;
    keepArrangement(this.collection, arrangement);
    this.#shown = arrange(this.#columns, arrangement);
    // The current column stays current where it went to.
    if (this.current !== null) {
      const at = this.#shown.columns.findIndex((column) => column.name === name);
      this.current = [this.current[0], at >= 0 ? at : Math.min(this.current[1], this.#shown.columns.length - 1)];
    }
    this.requestUpdate();
  }

  private wish(wish: ColumnWish, column: TableColumn): void {
    const { name } = column;
    const arrangement = this.#arrangement;
    switch (wish) {
      case "up":
        return this.sort({ column: name, direction: 1 });
      case "down":
        return this.sort({ column: name, direction: -1 });
      case "unsorted":
        return this.sort(null);
      case "pin":
        return this.rearrange(pinned(arrangement, name));
      case "unpin":
        return this.rearrange(unpinned(arrangement, name));
      case "hide":
        return this.rearrange(hid(arrangement, name));
      case "fit":
        return this.rearrange(fitted(arrangement, name));
      case "wider":
        return this.resize(name, 3 * step);
      case "narrower":
        return this.resize(name, -3 * step);
    }
  }

  /** Changes a width by so many characters, or from so many; the others stay as they are seen, so that none moves. */
  private resize(name: string, by: number, from?: number): void {
    const heads = [...this.renderRoot.querySelectorAll<HTMLElement>("thead th:not(.row)")];
    let arrangement = this.#arrangement;
    for (const [at, { name: other }] of this.#shown.columns.entries()) {
      const seen = heads[at]?.offsetWidth;
      if (seen !== undefined && !arrangement.widths.has(other))
        arrangement = resized(arrangement, other, this.charactersIn(seen));
    }
    this.rearrange(resized(arrangement, name, (from ?? arrangement.widths.get(name) ?? 0) + by));
  }

  private charactersIn(pixels: number): number {
    const character = (this.renderRoot.querySelector<HTMLElement>(".measure")?.offsetWidth ?? 80) / 10;
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    return (pixels - 1.6 * rem) / character;
  }

  private onGrip(event: PointerEvent, at: number): void {
    const column = this.#shown.columns[at];
    const grip = event.currentTarget as HTMLElement;
    const width = grip.parentElement?.offsetWidth;
    if (column === undefined || width === undefined || event.button !== 0) return;
    event.preventDefault();
    grip.setPointerCapture(event.pointerId);
    grip.classList.add("held");
    const from = event.clientX;
    const characters = this.charactersIn(width);
    const move = (moved: PointerEvent): void =>
      this.resize(column.name, this.charactersIn(width + moved.clientX - from) - characters, characters);
    const end = (): void => {
      grip.classList.remove("held");
      grip.removeEventListener("pointermove", move);
      grip.removeEventListener("lostpointercapture", end);
    };
    grip.addEventListener("pointermove", move);
    grip.addEventListener("lostpointercapture", end);
  }

  /** Keys on a column's head; true where it was one. */
  private onHeadKey(event: KeyboardEvent, at: number): boolean {
    const column = this.#shown.columns[at];
    if (column === undefined) return false;
    if (event.shiftKey && (event.key === "ArrowLeft" || event.key === "ArrowRight"))
      this.resize(column.name, event.key === "ArrowLeft" ? -step : step);
    else if (event.key === "Enter" || event.key === " ") this.onHead(column, at);
    else return false;
    return true;
  }

  private onKey(event: KeyboardEvent): void {
    if (event.target !== this.table || event.metaKey) return;
    const [row, at] = this.current ?? [0, 0];
    const asksMenu =
      event.key === "ContextMenu" ||
      (event.key === "F10" && event.shiftKey) ||
      (event.key === "ArrowDown" && event.altKey);
    if (asksMenu || (row === head && !event.altKey && !event.ctrlKey && this.onHeadKey(event, at))) {
      event.preventDefault();
      const anchor = this.renderRoot.querySelector<HTMLElement>(`[id="cell-${head}-${at}"]`);
      if (asksMenu && anchor !== null) {
        anchor.scrollIntoView({ block: "nearest", inline: "nearest" });
        this.openMenu(at, anchor);
      }
      return;
    }
    if (event.altKey) return;
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
      case "Enter":
      case "F2":
        event.preventDefault();
        return this.askEdit(row, at);
      case "PageDown":
        next = [row + page, at];
        break;
      case "PageUp":
        next = [Math.max(0, row - page), at];
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
    void this.goTo(Math.min(lastRow, Math.max(head, next[0])), Math.min(lastColumn, Math.max(0, next[1])));
  }

  private async goTo(place: number, at: number): Promise<void> {
    const header = this.renderRoot.querySelector("thead")?.clientHeight ?? 0;
    if (place !== head) this.#window.reveal(place, header);
    this.pick(place, at);
    await this.updateComplete;
    const cell = this.renderRoot.querySelector(`[id="cell-${place}-${at}"]`);
    cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}
