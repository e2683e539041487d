/**
 * The designs' costs at one scale: a table whose cells hold a number and a bar, so that a screen reader tells the same.
 *
 * Invariants: a bar is as long as its figure, measured by the largest of those that count the same (`mostOf`), in
 * columns of one width; the least of a row, where the designs differ, is set apart by weight as well; collections have
 * no average in common; the cell of an operation that failed says so.
 */
import { html, nothing, type TemplateResult } from "lit";
import { COSTS_OF, figureAt, mostOf, SIZES, type LabMeasure, type Sample } from "../../lessons/lab/measure.ts";
import type { LabScripts } from "../../lessons/lab/parse.ts";
import type { LabText } from "../../lessons/lab/text.ts";
import type { LabMessages } from "../../messages/lab/words.ts";
import { properties } from "../../look/cssom.ts";
import { toneOf } from "../../look/tones.ts";
import { designName, operationName, wordCost } from "./lab-words.ts";

export interface TableContext {
  readonly l: LabMessages;
  readonly language: string;
  readonly scripts: LabScripts;
  readonly text: LabText | null;
  readonly measure: LabMeasure;
}

export function drawTable(context: TableContext): TemplateResult {
  const { l, scripts, text } = context;
  const { designs, operations } = scripts;
  return html`<div class="figures" tabindex="0" role="group" aria-label=${l["results.table"]}><table ${properties({
    "min-inline-size": `${7 + 7 * designs.length}rem`,
  })}>
    <colgroup><col class="names" />${designs.map(
      () => html`<col ${properties({ width: `${80 / designs.length}%` })} />`,
    )}</colgroup>
    <thead><tr><th scope="col"><span class="unseen">${l["results.figure"]}</span></th>${designs.map(
      ({ id }, at) =>
        html`<th scope="col"><i class="key ${toneOf(at)}" aria-hidden="true"></i>${designName(text, id)}</th>`,
    )}</tr></thead>
    <tbody>
      <tr class="group"><th scope="rowgroup" colspan=${designs.length + 1}>${l["size.title"]}</th></tr>
      ${SIZES.map((size) => row(context, null, size))}
    </tbody>
    ${operations.map(
      ({ id, kind }) => html`<tbody data-operation=${id}>
        <tr class="group"><th scope="rowgroup" colspan=${designs.length + 1}>${operationName(
          text,
          id,
        )} <span class="kind">${l[`kind.${kind}`]}</span></th></tr>
        ${COSTS_OF[kind].map((cost) => row(context, id, cost))}
      </tbody>`,
    )}
  </table></div>`;
}

function row(context: TableContext, operation: string | null, name: string): TemplateResult {
  const { l, language, scripts, measure } = context;
  const values = scripts.designs.map(({ id }) => figureAt(measure, id, operation, name));
  const known = values.filter((value) => value !== null);
  const [least, largest] = [Math.min(...known), Math.max(0, ...known)];
  const most = mostOf(measure, operation, name);
  const label = operation === null ? l[`size.${name as "documents"}`] : l[`cost.${name as "commands"}`];
  const averages = (design: string | undefined): readonly Sample[] =>
    name === "averageBytes" ? (measure.designs.find(({ id }) => id === design)?.samples ?? []) : [];
  return html`<tr data-figure=${name}><th scope="row">${label}</th>${values.map((value, at) =>
    value === null && averages(scripts.designs[at]?.id).length > 0
      ? html`<td class="each" data-design=${scripts.designs[at]?.id ?? ""}>${averages(scripts.designs[at]?.id).map(
          ({ collection, averageBytes }) =>
            html`<span class="amount"><code>${collection}</code> ${wordCost(name, averageBytes, language)}</span>`,
        )}</td>`
      : value === null
        ? html`<td class="failed">${l["failed.cell"]}</td>`
        : html`<td data-design=${scripts.designs[at]?.id ?? ""} data-value=${value}
          class=${value === least && least < largest ? "least" : nothing}><span class="amount">${wordCost(
            name,
            value,
            language,
          )}</span><span class="track"><i class="bar ${toneOf(at)}" aria-hidden="true" ${properties({
            width: most === 0 ? "0" : `${(value / most) * 100}%`,
          })}></i></span></td>`,
  )}</tr>`;
}
