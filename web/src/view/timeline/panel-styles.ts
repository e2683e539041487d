/**
 * How the timeline's panel looks: the thread with its stitches, the list, and the moment beside it.
 *
 * Invariant: only `<timeline-panel>` uses these.
 */
import { css } from "lit";

export const panelStyles = css`
  :host { display: flex; flex-direction: column; flex: 1; min-height: 0; gap: 0.6rem; }
  .head { display: flex; align-items: center; gap: 0.75rem 1.5rem; }
  .head .button { flex: none; }
  .room { flex: 1; min-width: 0; }
  .meter { height: 3px; max-width: 22rem; margin-bottom: 0.3rem; background: var(--paper-3); border-radius: 2px; }
  .meter i { display: block; height: 100%; min-width: 1px; background: var(--thread); border-radius: 2px; }
  .hint { color: var(--ink-3); }
  .slide { display: flex; align-items: center; gap: 0.35rem; }
  .back svg { rotate: 180deg; }
  .place { min-width: 4rem; text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
  .track { position: relative; flex: 1; min-width: 0; height: 1.75rem; }
  .track svg {
    position: absolute; left: 8px; width: calc(100% - 16px); height: 100%; stroke-width: 1; overflow: visible;
  }
  .line { stroke: var(--thread); stroke-dasharray: 7 4; stroke-width: 1.5; }
  .tick { stroke: var(--ink-3); }
  .named { stroke: var(--rubric); stroke-width: 2.5; }
  input[type="range"] {
    position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; background: none; appearance: none;
    cursor: pointer;
  }
  input[type="range"]::-webkit-slider-runnable-track { height: 100%; background: none; }
  input[type="range"]::-moz-range-track { height: 100%; background: none; }
  input[type="range"]::-webkit-slider-thumb {
    appearance: none; width: 16px; height: 16px; margin-top: calc(0.875rem - 8px); border: 2px solid var(--paper);
    border-radius: 50%; background: var(--rubric-fill); box-shadow: 0 0 0 1px var(--rubric);
  }
  input[type="range"]::-moz-range-thumb {
    width: 12px; height: 12px; border: 2px solid var(--paper); border-radius: 50%; background: var(--rubric-fill);
    box-shadow: 0 0 0 1px var(--rubric);
  }
  .since { padding: 0.3rem 0.75rem; background: var(--warn-wash); font-size: var(--small); }
  .beside {
    display: grid; grid-template-columns: minmax(15rem, 22rem) minmax(0, 1fr); gap: 1.5rem; flex: 1; min-height: 0;
    border-top: 1px solid var(--rule);
  }
  .rows { overflow: auto; padding: 0.25rem 0; border-right: 1px solid var(--rule); outline-offset: -2px; }
  .rows [role="option"] {
    display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 0.75rem; align-items: baseline;
    padding: 0.4rem 0.75rem 0.45rem; border-left: 3px solid transparent; cursor: default;
    content-visibility: auto; contain-intrinsic-size: auto 3.2rem;
  }
  .rows [role="option"]:hover { background: var(--paper-2); }
  .rows [aria-selected="true"] { background: var(--paper-3); border-left-color: var(--rubric); }
  .what {
    grid-column: 1 / -1; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: var(--small);
  }
  .what.run { font: 400 0.8125rem/1.5 var(--mono); }
  .what b { font-family: var(--serif); font-size: var(--small); font-weight: 600; color: var(--rubric); }
  .rows .facts { font-size: var(--tiny); font-variant-numeric: tabular-nums; }
  .rows .facts i { margin-left: 0.35rem; color: var(--good); }
  .rows .facts i:lang(zh) { font-style: normal; }
  timeline-moment { min-height: 0; overflow: auto; padding: 0.75rem 0.25rem 0.25rem 0; }
  .empty { max-width: 28rem; margin: auto; text-align: center; color: var(--ink-2); text-wrap: balance; }
  .empty .large { margin-bottom: 0.5rem; font-size: 1.35rem; line-height: 1.3; color: var(--ink); }
  @media (max-width: 759px) {
    /* One thing scrolls, the panel: two halves of a phone's screen would be too little for either. */
    :host { flex: none; }
    .head { flex-wrap: wrap; }
    .room { flex-basis: 100%; }
    .hint { display: none; }
    .beside { display: block; }
    .rows { max-height: 11rem; border-right: 0; border-bottom: 1px solid var(--rule); }
    .place { min-width: 0; }
  }
`;
