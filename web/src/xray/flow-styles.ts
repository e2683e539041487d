/**
 * How a plan's flow looks: stages as slips of paper on a grid, sewn together by bands of thread and ink.
 *
 * Invariants: a cell's place comes by custom properties, and the container's width decides which of them is the column;
 * a band's width in pixels is the stroke's own and is never scaled.
 */
import { css } from "lit";

const down = css`
  .flow {
    grid-template-columns: repeat(var(--lanes), minmax(0, 1fr)); grid-template-rows: none; grid-auto-rows: auto;
  }
  .flow > li { grid-row: var(--step); grid-column: var(--lane) / span var(--span); }
  .flow > .band { min-height: 1.5rem; min-width: 0; }
  .band .across { display: none; }
  .band .down { display: inline; }
  .passed {
    left: calc(var(--start) * 100%); top: 50%; padding: 0; translate: calc(var(--half) + 0.35rem) -50%;
    background: none;
  }
  .stage { padding-inline: 0.2rem; }
  .stage button {
    display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.8rem; max-width: 20rem; margin-inline: auto;
  }
  .source, .result { justify-self: center; }
`;

export const flowStyles = css`
  :host { container: flow / inline-size; }
  .frame { overflow-x: auto; }
  .flow {
    display: grid; align-items: center; gap: 0; padding: 0.25rem 0;
    grid-template-columns: repeat(var(--pairs), minmax(min-content, 1fr) minmax(2.6rem, 0.45fr)) min-content;
    grid-template-rows: repeat(var(--lanes), minmax(3.6rem, auto));
  }
  .flow > li { grid-column: var(--step); grid-row: var(--lane) / span var(--span); min-width: 0; }
  .flow > .band { align-self: stretch; justify-self: stretch; position: relative; }
  .band svg { position: absolute; inset: 0; width: 100%; height: 100%; overflow: visible; }
  .band path { fill: none; stroke: var(--band-documents); stroke-linecap: butt; vector-effect: non-scaling-stroke; }
  .band.keys path { stroke: var(--band-keys); }
  .band.buckets path { stroke: var(--band-buckets); }
  .band path.none, .band path.unknown { stroke: var(--rule-strong); stroke-dasharray: 2 4; }
  .band .down { display: none; }
  .passed {
    position: absolute; left: 50%; top: calc(var(--start) * 100%); translate: -50% -50%; padding: 0 0.25rem;
    border-radius: 3px; background: var(--ground-here); font: 400 0.8125rem/1.3 var(--mono); color: var(--ink);
    font-variant-numeric: tabular-nums; white-space: nowrap;
  }
  :host {
    --ground-here: var(--paper-2);
    --band-keys: light-dark(#c98a5a, #a86a3e);
    --band-buckets: light-dark(#8a85ad, #6d6894);
    --band-documents: light-dark(#7d8f6b, #66794f);
  }
  .stage { position: relative; z-index: 1; }
  .stage button {
    display: grid; width: 100%; padding: 0.35rem 0.6rem 0.4rem; border: 1px solid var(--rule-strong);
    border-radius: var(--radius); background: var(--paper); line-height: 1.3;
  }
  .stage button:hover { border-color: var(--ink-2); background: var(--paper-3); }
  .stage button[aria-expanded="true"] { border-color: var(--thread); box-shadow: inset 0 0 0 1px var(--thread); }
  .name { font: 600 0.8125rem/1.5 var(--mono); overflow-wrap: anywhere; }
  .scan .name { color: var(--rubric); }
  .figure { font-size: var(--tiny); color: var(--ink-2); font-variant-numeric: tabular-nums; text-wrap: balance; }
  .source, .result {
    display: grid; justify-items: center; padding: 0.1rem 0.35rem; font-size: var(--tiny); color: var(--ink-2);
    line-height: 1.3; text-align: center;
  }
  .source { justify-self: end; }
  .source code { font-size: 0.8125rem; color: var(--ink); overflow-wrap: anywhere; }
  .sort, .result span { white-space: nowrap; }
  .sort { font-style: italic; }
  .sort:lang(zh) { font-style: normal; }
  .result b { font: 600 1rem/1.3 var(--mono); color: var(--ink); }
  .legend {
    display: flex; flex-wrap: wrap; gap: 0.1rem 1rem; margin-top: 0.4rem; font-size: var(--tiny); color: var(--ink-2);
  }
  .kind::before {
    content: ""; display: inline-block; width: 1.1rem; height: 0.5rem; margin-right: 0.35rem; border-radius: 2px;
    background: var(--band-documents);
  }
  .kind.keys::before { background: var(--band-keys); }
  .kind.buckets::before { background: var(--band-buckets); }
  @media (forced-colors: active) { .kind::before { forced-color-adjust: none; } }
  plan-stage { margin-top: 0.5rem; }
  .text { margin-top: 0.3rem; font-size: var(--small); color: var(--ink-2); }
  .text code { overflow-wrap: anywhere; white-space: pre-wrap; }
  details { margin-top: 0.3rem; font-size: var(--small); color: var(--ink-2); }
  summary { width: fit-content; cursor: pointer; }
  .rejected li { margin-top: 0.35rem; padding-left: 0.75rem; border-left: 2px dashed var(--thread); }
  .rejected code { color: var(--ink); overflow-wrap: anywhere; }
  .scroll { overflow-x: auto; }
  table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
  th, td {
    padding: 0.15rem 0.9rem 0.15rem 0; text-align: right; font-weight: 400; border-bottom: 1px solid var(--rule);
  }
  thead th { font-size: var(--tiny); font-style: italic; color: var(--ink-2); vertical-align: bottom; }
  thead th:lang(zh) { font-style: normal; }
  th:first-child { text-align: left; }
  tbody th code { color: var(--ink); }
  td { font-family: var(--mono); font-size: 0.8125rem; color: var(--ink); }
  @container flow (max-width: 599.98px) { ${down} }
  @container flow (max-width: 760px) { .middling { ${down} } }
  @container flow (max-width: 1100px) { .long { ${down} } }
  @media (pointer: coarse) { summary { padding: 0.5rem 0; } .stage button { min-height: 2.75rem; } }
`;
