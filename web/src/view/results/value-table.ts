/**
 * `<value-table>`: documents as rows, a column a field, with the BSON types under each field's name.
 *
 * Invariants: at most `step` rows are drawn before the reader asks for more; where a column holds several types, each
 * cell says its own.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { absent, layOut, type TableColumn } from "../../state/table.ts";
import { familyOf, preview, typeOf, wordCell } from "../../state/values.ts";
import { wordValue } from "../../state/wording.ts";
import { PageElement } from "../element.ts";
import { shared } from "../styles/shared.ts";

const step = 100;

@customElement("value-table")
export class ValueTable extends PageElement {
  @property({ attribute: false }) rows: readonly unknown[] = [];
  @state() private shown = step;

  static override styles = [
    shared,
    css`
      .scroll { position: relative; overflow: auto; max-height: 32rem; border: 1px solid var(--rule); border-radius: var(--radius); }
      table { border-collapse: separate; border-spacing: 0; font: 400 var(--code)/1.45 var(--mono); min-width: 100%; }
      th, td { padding: 0.25rem 0.75rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); white-space: nowrap; max-width: 22rem; overflow: hidden; text-overflow: ellipsis; }
      tbody tr:last-child > * { border-bottom: 0; }
      thead th { position: sticky; top: 0; z-index: 1; background: var(--paper-2); font-weight: 600; vertical-align: bottom; border-bottom-color: var(--rule-strong); }
      thead small { display: block; font-weight: 400; font-size: 0.75rem; color: var(--ink-3); }
      .row { color: var(--ink-3); font-weight: 400; text-align: right; padding-inline: 0.5rem; background: var(--paper); }
      thead .row { background: var(--paper-2); }
      tbody tr:hover > * { background: var(--paper-2); }
      td.number { text-align: right; font-variant-numeric: tabular-nums; }
      .type { margin-left: 0.4rem; font-size: 0.75rem; color: var(--ink-3); }
      .absent { color: var(--ink-3); }
      p { margin-top: 0.4rem; font-size: var(--small); color: var(--ink-2); }
    `,
  ];

  protected override render(): TemplateResult {
    const { columns, rows, omittedColumns } = layOut(this.rows);
    const drawn = rows.slice(0, this.shown);
    const hidden = rows.length - drawn.length;
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${this.m["table.label"]}>
        <table>
          <thead>
            <tr>
              <th class="row" scope="col"><span class="unseen">${this.m["table.row"]}</span></th>
              ${columns.map((column) => html`<th scope="col">${column.name === "" ? this.m["table.value"] : column.name}<small>${column.types.slice(0, 3).join(" · ")}</small></th>`)}
            </tr>
          </thead>
          <tbody>
            ${drawn.map((row, index) => html`<tr><th class="row" scope="row">${this.words.number(index + 1)}</th>${row.map((value, at) => this.cell(value, columns[at]))}</tr>`)}
          </tbody>
        </table>
      </div>
      ${hidden > 0 ? html`<p><button class="quiet" @click=${() => (this.shown += step)}>${this.m["leaf.showMore"](this.words.number(Math.min(step, hidden)))}</button></p>` : nothing}
      ${omittedColumns > 0 ? html`<p>${this.m["table.omitted"](this.words.number(omittedColumns))}</p>` : nothing}`;
  }

  private cell(value: unknown, column: TableColumn | undefined): TemplateResult {
    if (value === absent) return html`<td class="absent"><span aria-hidden="true">·</span><span class="unseen">${this.m["table.absent"]}</span></td>`;
    const type = typeOf(value);
    const mixed = (column?.types.length ?? 1) > 1;
    return html`<td class=${familyOf(type)} title="${type}: ${wordValue(value)}">${mixed ? preview(value, 60) : wordCell(value)}${mixed ? html`<span class="type">${type}</span>` : nothing}</td>`;
  }
}
