/**
 * Charts of growth: for each operation, and for the data, a line for each design over the scales that were measured.
 *
 * Invariants: both axes go in tenfold steps and say so by their marks; designs differ in colour, in dashes and in the
 * shape of their points; the same figures stand in a table beneath, and the chart is named by a sentence.
 */
import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import { TONES, toneOf } from "../../look/tones.ts";
import { GROWTH_HEIGHT, GROWTH_WIDTH, layOutGrowth, type Dot } from "../../lessons/lab/growth.ts";
import {
  crossingsOf,
  figureAt,
  growthOf,
  isBytes,
  MAIN_COST,
  type Growth,
  type LabMeasure,
} from "../../lessons/lab/measure.ts";
import type { LabScripts } from "../../lessons/lab/parse.ts";
import type { LabText } from "../../lessons/lab/text.ts";
import type { LabMessages } from "../../messages/lab/words.ts";
import { drawChart } from "../course/course-chart.ts";
import { designName, operationName, wordCost } from "./lab-words.ts";

/** The figures that the charts of operations can show: each operation's main one, or the same one for all. */
export const GROWTH_FIGURES = ["main", "commands", "documentsExamined", "documentsWritten", "keysExamined"] as const;
export type GrowthFigure = (typeof GROWTH_FIGURES)[number];

export interface GrowthContext {
  readonly l: LabMessages;
  readonly language: string;
  readonly scripts: LabScripts;
  readonly text: LabText | null;
  readonly measures: readonly LabMeasure[];
}

export function drawGrowths(context: GrowthContext, figure: GrowthFigure): TemplateResult {
  const { l, scripts, text } = context;
  const { designs, operations } = scripts;
  return html`<ul class="legend" aria-hidden="true">${designs.map(
    ({ id }, at) =>
      html`<li><svg viewBox="0 0 34 12" class="line ${toneOf(at)}">${svg`<path d="M1 6H33"></path>`}${mark(
        at,
        17,
        6,
      )}</svg>${designName(text, id)}</li>`,
  )}</ul>
  ${crossings(context, figure)}
  <div class="charts">
    ${drawOne(context, null, "storageBytes", l["growth.of"](l["size.title"], l["size.storageBytes"]))}
    ${operations.map(({ id, kind }) => {
      const cost = figure === "main" ? MAIN_COST[kind] : figure;
      return drawOne(context, id, cost, l["growth.of"](operationName(text, id), l[`cost.${cost}`]));
    })}
  </div>`;
}

/** Where designs cross: what is cheapest at one scale is not at another. */
function crossings({ l, language, scripts, text, measures }: GrowthContext, figure: GrowthFigure): TemplateResult {
  const designs = scripts.designs.map(({ id }) => id);
  const told = scripts.operations.flatMap(({ id, kind }) => {
    const cost = figure === "main" ? MAIN_COST[kind] : figure;
    const title = l["growth.of"](operationName(text, id), l[`cost.${cost}`]);
    return crossingsOf(growthOf(measures, designs, id, cost)).map(({ before, until, behind, from }) =>
      l["growth.crosses"](
        title,
        [designName(text, before), wordCost("n", until, language)],
        [designName(text, behind), wordCost("n", from, language)],
      ),
    );
  });
  return told.length === 0 ? html`` : html`<ul class="crosses">${told.map((one) => html`<li>${one}</li>`)}</ul>`;
}

function drawOne(
  { l, language, scripts, text, measures }: GrowthContext,
  operation: string | null,
  name: string,
  title: string,
): TemplateResult {
  const growth = growthOf(
    measures,
    scripts.designs.map(({ id }) => id),
    operation,
    name,
  );
  const layout = layOutGrowth(growth, isBytes(name));
  if (layout === null) return html``;
  const word = (value: number): string => wordCost(name, value, language);
  const rows = (growth[0]?.points ?? []).map(({ scale }, at) => ({
    label: wordCost("n", scale, language),
    values: growth.map(({ points }) => points[at]?.value ?? null),
  }));
  return html`<figure data-growth=${operation ?? "data"}>
    <figcaption>${title}</figcaption>
    <svg viewBox="0 0 ${GROWTH_WIDTH} ${GROWTH_HEIGHT}" role="img" aria-label=${sentence(growth, title, text, l, word)}>
      ${layout.up.map(
        ({ at, value }) => svg`<path class="rule" d="M46 ${at}H${GROWTH_WIDTH - 6}"></path>
          <text class="tick" x="40" y=${at + 3.5} text-anchor="end">${word(value)}</text>`,
      )}
      ${layout.across.map(
        ({ at, value }) =>
          svg`<path class="notch" d="M${at} ${layout.ground}v4"></path>
          <text class="tick" x=${at} y=${layout.ground + 16} text-anchor=${
            at > GROWTH_WIDTH - 40 ? "end" : "middle"
          }>${short(value)}</text>`,
      )}
      ${layout.lines.map(
        ({ runs }, at) => svg`<g class="line ${toneOf(at)}">${runs.map((run) => drawRun(run, at))}</g>`,
      )}
    </svg>
    <details><summary><span class="line">${l["growth.table"]}</span></summary>${drawChart(
      operation ?? "data",
      { series: scripts.designs.map(({ id }) => designName(text, id)), rows },
      l,
      language,
      word,
    )}</details>
  </figure>`;
}

/** A scale in few letters, which fit beside one another: 20k. */
const short = (scale: number): string => (scale >= 1000 ? `${scale / 1000}k` : String(scale));

const drawRun = (run: readonly Dot[], design: number): SVGTemplateResult =>
  svg`${
    run.length < 2
      ? nothing
      : svg`<path d=${`M${run.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`}></path>`
  }${run.map(({ x, y }) => mark(design, x, y))}`;

/** The point of a design: a circle, square, diamond, triangle, ring or frame. */
function mark(design: number, x: number, y: number): SVGTemplateResult {
  switch (design % TONES) {
    case 0:
      return svg`<circle class="dot" cx=${x} cy=${y} r="3.4"></circle>`;
    case 1:
      return svg`<rect class="dot" x=${x - 3.1} y=${y - 3.1} width="6.2" height="6.2"></rect>`;
    case 2:
      return svg`<path class="dot" d="M${x} ${y - 4.4}l4.4 4.4l-4.4 4.4l-4.4 -4.4z"></path>`;
    case 3:
      return svg`<path class="dot" d="M${x} ${y - 4.2}l4.2 7.4h-8.4z"></path>`;
    case 4:
      return svg`<circle class="dot open" cx=${x} cy=${y} r="3.2"></circle>`;
    default:
      return svg`<rect class="dot open" x=${x - 2.8} y=${y - 2.8} width="5.6" height="5.6"></rect>`;
  }
}

/** Each operation's main figure at one scale, a sentence each: for a lab whose text says nothing of it. */
export function sentencesOf(context: GrowthContext): readonly string[] {
  const { l, language, scripts, text, measures } = context;
  const designs = scripts.designs.map(({ id }) => id);
  return scripts.operations.flatMap(({ id, kind }) => {
    const cost = MAIN_COST[kind];
    if (designs.every((design) => measures.every((one) => figureAt(one, design, id, cost) === null))) return [];
    const title = l["growth.of"](operationName(text, id), l[`cost.${cost}`]);
    const growth = growthOf(measures, designs, id, cost);
    return [sentence(growth, title, text, l, (value) => wordCost(cost, value, language))];
  });
}

/** The chart in words: each design from its first value to its last. */
function sentence(
  growth: readonly Growth[],
  title: string,
  text: LabText | null,
  l: LabMessages,
  word: (value: number) => string,
): string {
  const designs = growth.flatMap(({ design, points }) => {
    const known = points.flatMap(({ value }) => (value === null ? [] : [value]));
    const [first, last] = [known[0], known.at(-1)];
    if (first === undefined || last === undefined) return [];
    const name = designName(text, design);
    return [
      known.length === 1 ? l["growth.one"](name, word(first)) : l["growth.design"](name, word(first), word(last)),
    ];
  });
  return l["growth.says"](title, designs.join(", "));
}
