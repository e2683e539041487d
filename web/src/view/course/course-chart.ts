/**
 * A lesson's chart: a table whose cells hold a bar and its number, so that it reads the same without eyes.
 *
 * Invariant: bars are as long as their values, measured by the largest of the whole chart, in columns of one width.
 */
import { html, nothing, type TemplateResult } from "lit";
import { wordFigure } from "../../lessons/course/figures.ts";
import type { Chart } from "../../lessons/course/run.ts";
import type { CourseMessages } from "../../messages/course/words.ts";
import { properties } from "../../look/cssom.ts";
import { toneOf } from "../../look/tones.ts";

/** The words that a chart is drawn with. */
export type ChartWords = Pick<CourseMessages, "chart" | "chart.label" | "chart.value" | "chart.waits" | "chart.none">;

export function drawChart(
  id: string,
  chart: Chart | string | null,
  c: ChartWords,
  language: string,
  word: (value: number) => string | null = (value) => wordFigure(value, language),
): TemplateResult {
  if (chart === null) return html`<p class="note chart waits" data-chart=${id}>${c["chart.waits"]}</p>`;
  if (typeof chart === "string") return html`<p class="failure" data-chart=${id}>${chart}</p>`;
  const most = Math.max(0, ...chart.rows.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const several = chart.series.length > 1 || chart.series[0] !== "";
  // Many series are wider than a phone: they are scrolled, by keys too.
  return html`<div class="chart" data-chart=${id} role=${several ? "group" : nothing}
    aria-label=${several ? c.chart : nothing} tabindex=${several ? 0 : nothing}><table
      class=${several ? "several" : ""} aria-label=${c.chart}>
    ${
      several
        ? html`<colgroup><col class="labels" />${chart.series.map(
            () => html`<col ${properties({ width: `${78 / chart.series.length}%` })} />`,
          )}</colgroup>`
        : nothing
    }
    <thead class=${several ? "" : "unseen"}><tr><th scope="col">${c["chart.label"]}</th>${chart.series.map(
      (name) => html`<th scope="col">${name === "" ? c["chart.value"] : name}</th>`,
    )}</tr></thead>
    <tbody>${chart.rows.map(
      ({ label, values }) =>
        html`<tr><th scope="row">${label}</th>${values.map(
          (value, at) =>
            html`<td>${
              value === null
                ? html`<span class="unseen">${c["chart.none"]}</span>`
                : html`<span class="bar-row"><i class="bar ${toneOf(at)}" aria-hidden="true" ${properties({
                    width: most === 0 ? "0" : `${(value / most) * 100}%`,
                  })}></i></span><span class="bar-value">${word(value)}</span>`
            }</td>`,
        )}</tr>`,
    )}</tbody></table></div>`;
}
