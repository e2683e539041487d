/**
 * How a lab looks: a broadsheet of designs side by side, with its figures beneath.
 *
 * Invariant: colours are those of the elements' own sheet and of courses, so that both schemes hold on any page.
 */
import { css } from "lit";

export const labStyles = css`
  :host { --tone-0: var(--thread); --tone-1: var(--bar-2); --tone-2: var(--bar-3); --tone-3: var(--bar-4);
    --tone-4: var(--bar-5); --tone-5: var(--bar-6); }
  .lab { display: flex; flex-direction: column; gap: 1.6rem; }
  .lab > * { min-inline-size: 0; }
  .lab > .head { max-inline-size: 46rem; }
  .lab h2 { margin-block-end: 0.6rem; }
  .lab h3 { margin-block: 0 0.8rem; padding-block-start: 1.1rem; }
  .s0 { --tone: var(--tone-0); } .s1 { --tone: var(--tone-1); } .s2 { --tone: var(--tone-2); }
  .s3 { --tone: var(--tone-3); } .s4 { --tone: var(--tone-4); } .s5 { --tone: var(--tone-5); }
  .designs { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr)); gap: 1.2rem; }
  .design { display: flex; flex-direction: column; gap: 0.6rem; min-inline-size: 0; padding-block-start: 0.7rem;
    border-block-start: 3px solid var(--tone); }
  .design h4 { margin: 0; font-size: 1.15rem; font-weight: 560; }
  .design .text, .operation .text { color: var(--ink-2); font-size: 0.9375rem; line-height: 1.45; }
  .lab details > summary { display: block; color: var(--ink-2); font-size: 0.9375rem; }
  .lab details > summary .line { white-space: normal; }
  .lab details[open] > summary { margin-block-end: 0.4rem; }
  .sample { margin-block-start: 0.5rem; }
  .sample p { color: var(--ink-2); font-size: 0.8125rem; }
  .sample pre { max-block-size: 13rem; padding: 0.6rem 0.8rem; overflow: auto; background: var(--paper-2);
    border-radius: 4px; font: 400 0.8125rem/1.5 var(--mono); }
  .operations { display: grid; border-block-start: 1px solid var(--rule); }
  .operation { padding-block: 0.6rem 0.7rem; border-block-end: 1px solid var(--rule); }
  .operation h4 { display: flex; flex-wrap: wrap; gap: 0.2rem 0.7rem; align-items: baseline; margin: 0;
    font-size: 1.0625rem; font-weight: 560; }
  .kind { color: var(--ink-2); font-size: 0.875rem; font-style: italic; font-weight: 400; }
  :lang(zh) .kind { font-style: normal; }
  .operation .designs { margin-block: 0.4rem; gap: 0.9rem; }
  .operation .designs p { margin-block-end: 0.25rem; font-size: 0.875rem; color: var(--ink-2); }
  i.key { display: inline-block; inline-size: 0.7em; block-size: 0.7em; margin-inline-end: 0.4em; border-radius: 2px;
    background: var(--tone); }
  .controls { position: sticky; inset-block: 0; z-index: 2; display: flex; flex-wrap: wrap; align-items: center;
    gap: 0.5rem 1.4rem; padding: 0.7rem 1rem; border: 1px solid var(--rule); border-radius: 6px;
    background: var(--paper-2); }
  .scale { flex: 1 1 17rem; display: grid; grid-template-columns: auto 1fr auto; gap: 0 0.8rem; align-items: center;
    max-inline-size: 34rem; }
  .scale output { min-inline-size: 6.5rem; font-variant-numeric: tabular-nums; font-weight: 600; }
  .scale input { inline-size: 100%; min-inline-size: 6rem; min-block-size: 1.9rem; margin: 0;
    accent-color: var(--fill); }
  .controls .run { min-block-size: 2.1rem; font-size: 1rem; }
  .controls .status { flex: 1 1 14rem; font-size: 0.9375rem; line-height: 1.35; }
  .results > * + * { margin-block-start: 1rem; }
  .results .conclusion { max-inline-size: 46rem; padding: 0.9rem 1.2rem 1rem; border-inline-start: 3px solid
    var(--thread); border-radius: 0 6px 6px 0; background: var(--paper-2); }
  .stale { padding: 0.5rem 0.9rem; border-radius: 4px; background: var(--warn-wash); }
  .failure { margin: 0; font-size: 0.9375rem; line-height: 1.45; }
  .failure ul { padding-inline-start: 1.2rem; }
  .figures { overflow: auto; border-block-end: 1px solid var(--rule); }
  .figures table { inline-size: 100%; table-layout: fixed; font-size: 0.9375rem; line-height: 1.3; }
  .figures .names { inline-size: 20%; }
  .figures .each .amount { display: block; overflow-wrap: anywhere; }
  .crosses { padding-inline-start: 1.2rem; font-size: 0.9375rem; line-height: 1.45; }
  .figures th, .figures td { padding: 0.3rem 1.2rem 0.3rem 0; max-inline-size: none; vertical-align: baseline;
    background: none; }
  .figures thead th { position: static; border-block-end: 2px solid var(--ink); font-weight: 600; white-space: normal;
    vertical-align: bottom; }
  .figures tbody th { position: sticky; inset-inline-start: 0; inset-block-start: auto; inline-size: 1%;
    font-weight: 400; background: var(--paper); }
  .figures .group th { position: static; padding-block: 1rem 0.3rem; font-weight: 560; font-size: 1.0625rem;
    border-block-end-color: var(--rule-strong); }
  .figures td { min-inline-size: 5.5rem; }
  .figures .amount { font-variant-numeric: tabular-nums; }
  .figures .least .amount { font-weight: 650; }
  .figures .failed { color: var(--rubric); }
  .track { display: block; margin-block-start: 0.15rem; }
  i.bar, .figures i.bar { display: block; block-size: 0.3rem; min-inline-size: 1px; border-radius: 0 2px 2px 0;
    background: var(--tone); }
  .charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr));
    gap: 1.4rem 1.6rem; }
  .charts figure { min-inline-size: 0; max-inline-size: 32rem; }
  .charts figcaption { margin-block-end: 0.3rem; font-size: 0.9375rem; font-weight: 560; }
  .charts svg { inline-size: 100%; block-size: auto; overflow: visible; fill: none; stroke: none; }
  .charts .rule { stroke: var(--rule); stroke-width: 1; }
  .charts .notch { stroke: var(--rule-strong); stroke-width: 1; }
  .tick { fill: var(--ink-2); font: 400 11px/1 var(--mono); }
  .line path { stroke: var(--tone); stroke-width: 2; fill: none; }
  .line .dot { fill: var(--tone); stroke: var(--paper); stroke-width: 1; }
  .line .dot.open { fill: var(--paper); stroke: var(--tone); stroke-width: 2; }
  .line.s1 > path:not(.dot) { stroke-dasharray: 6 3; } .line.s2 > path:not(.dot) { stroke-dasharray: 2 3; }
  .line.s3 > path:not(.dot) { stroke-dasharray: 8 3 2 3; } .line.s4 > path:not(.dot) { stroke-dasharray: 1 4; }
  .line.s5 > path:not(.dot) { stroke-dasharray: 12 4; }
  .legend { display: flex; flex-wrap: wrap; gap: 0.3rem 1.4rem; list-style: none; font-size: 0.9375rem; }
  .legend li { display: flex; align-items: center; gap: 0.5rem; }
  .legend svg { inline-size: 2.1rem; block-size: 0.75rem; fill: none; }
  .choose { display: flex; flex-wrap: wrap; gap: 0.4rem 0.7rem; align-items: center; font-size: 0.9375rem; }
  select { min-block-size: 2rem; padding: 0 0.5rem; border: 1px solid var(--rule-strong); border-radius: 4px;
    font: inherit; color: var(--ink); background: var(--paper); }
  .charts .chart { margin-block: 0.4rem; }
  .charts .chart i.bar.s0 { background: var(--tone-0); } .charts .chart i.bar { block-size: 0.6rem; }
  .tools { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: center; margin: 0;
    padding-block-start: 1.2rem; border-block-start: 1px solid var(--rule); }
  .tools .note { flex: 1 1 100%; margin: 0; }
  .tools input[type="text"] { flex: 1 1 100%; inline-size: 100%; font-family: var(--mono); font-size: 0.8125rem; }
  @container (max-width: 38rem) {
    .controls { padding: 0.55rem 0.7rem; gap: 0.3rem 0.8rem; }
    .scale { flex-basis: 100%; grid-template-columns: 1fr auto; }
    .scale label { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }
    .scale output { order: 2; min-inline-size: 0; }
    .figures th, .figures td { padding-inline-end: 0.7rem; }
    .figures tbody th { min-inline-size: 5rem; max-inline-size: 8rem; white-space: normal; }
    .figures td { min-inline-size: 5.5rem; }
  }
  /* The controls stay in sight, and cover nothing that has the focus. */
  :focus-visible { scroll-margin-block: 6rem; }
  .results { scroll-margin-block: 5.5rem; }
  @media (pointer: coarse) {
    .controls .run, select { min-block-size: 2.75rem; }
    .scale input { min-block-size: 2.5rem; }
  }
  @media (prefers-reduced-motion: no-preference) { i.bar { transition: inline-size 200ms ease-out; } }
  @media print { .controls, .tools { display: none; } }
`;
