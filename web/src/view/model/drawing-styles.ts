/**
 * How the drawing of a model looks: slips of paper sewn together by thread.
 *
 * Invariant: sizes of texts are those that `state/model-view/scene.ts` counts with.
 */
import { css } from "lit";

/** The shapes alone, wherever they are drawn. */
export const drawingShapes = css`
  svg text { fill: var(--ink); stroke: none; }
  .frame { fill: var(--paper); stroke: var(--rule-strong); }
  svg .head { fill: var(--paper-3); stroke: none; }
  .beneath { stroke: var(--rule-strong); }
  svg .title { font: 600 16px/1 var(--serif); }
  svg .caption { font: 400 12.5px/1 var(--serif); fill: var(--ink-2); font-variant-numeric: tabular-nums; }
  svg .row { font: 400 12px/1 var(--mono); }
  .row.key { font-weight: 600; }
  .guide { stroke: var(--rule); }
  svg .type { font: 400 12px/1 var(--mono); fill: currentColor; }
  .share { font: 400 12px/1 var(--mono); fill: var(--ink-3); }
  svg .more { font: italic 400 13px/1 var(--serif); fill: var(--ink-2); }
  .more:lang(zh) { font-style: normal; }
  .box.view .frame, .box.view .head { stroke-dasharray: 5 4; }
  .way, .ends, .guide, .beneath { fill: none; }
  .way { stroke: var(--thread); stroke-width: 1.6; stroke-dasharray: 7 4; }
  .ends { stroke: var(--thread); stroke-width: 1.6; }
  svg .label { fill: var(--paper-2); stroke: none; }
  .line.dangles .label { fill: var(--warn-wash); stroke: var(--warn); }
  .figures { font: 400 12px/1 var(--mono); }
  svg .name { font: italic 500 14px/1 var(--serif); fill: var(--rubric); }
  .name:lang(zh) { font-style: normal; }
  .source { stroke: var(--ink-3); stroke-dasharray: 2 4; }
`;

/** The sheet on which boxes are moved. */
export const drawingStyles = css`
  text { user-select: none; }
  :host { position: relative; min-width: 0; min-height: 0; }
  .scroller {
    position: absolute; inset: 0; overflow: auto; background: var(--paper-2); border: 1px solid var(--rule);
    border-radius: var(--radius); cursor: grab; overscroll-behavior: contain;
  }
  .scroller.panning { cursor: grabbing; user-select: none; }
  .sheet { display: grid; place-items: center; min-width: 100%; min-height: 100%; width: max-content; }
  .sheet.pinned { place-items: start; }
  .sheet svg { width: auto; height: auto; stroke-width: 1; overflow: visible; }
  .box, .line { cursor: pointer; outline: none; }
  .box:hover .frame { stroke: var(--ink-2); }
  .box.chosen .frame { stroke: var(--rubric); stroke-width: 2; }
  .box > :focus-visible { outline: none; }
  .box > :focus-visible .frame { stroke: var(--focus); stroke-width: 3; }
  .box.moving { cursor: grabbing; }
  .line.confirmed .way, .line.confirmed .ends { stroke: var(--ink); stroke-width: 1.9; stroke-dasharray: none; }
  .target { stroke: transparent; stroke-width: 14; }
  .line:hover .way, .line.chosen .way, .line.chosen .ends { stroke: var(--rubric); stroke-width: 2.6; }
  .line.chosen .figures { font-weight: 600; }
  .line:focus-visible .way, .line:focus-visible .ends { stroke: var(--focus); stroke-width: 3; }
  .zoom {
    position: absolute; right: 0.75rem; bottom: 0.75rem; display: flex; gap: 1px; padding: 2px;
    border: 1px solid var(--rule-strong); border-radius: var(--radius); background: var(--paper);
  }
  .zoom svg { width: 1.05rem; height: 1.05rem; }
  @media (forced-colors: active) {
    .frame, .way, .ends { stroke: CanvasText; }
    .box > :focus-visible .frame, .line:focus-visible .way { stroke: Highlight; }
  }
`;
