/**
 * How the pipeline's cards look: sheets sewn to one another by a thread, each with its sample beside it, or below it
 * where there is no room.
 */
import { css } from "lit";

export const pipelineStyles = css`
  :host { height: 100%; min-height: 0; display: flex; flex-direction: column; container: cards / inline-size; }
  .top {
    display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.75rem; min-height: 3rem;
    padding: 0.25rem 0.5rem 0.25rem 1rem; border-bottom: 1px solid var(--rule);
  }
  h2 { font-size: var(--small); font-weight: 500; font-style: italic; color: var(--ink-2); overflow-wrap: anywhere; }
  h2:lang(zh) { font-style: normal; }
  .close { order: 1; margin-left: auto; }
  .top label { margin-left: auto; display: flex; align-items: center; gap: 0.4rem; font-size: var(--small); }
  .top label { color: var(--ink-2); }
  .top label + .close { margin-left: 0; }
  select {
    min-height: 1.9rem; max-width: 100%; padding: 0 0.25rem; border: 1px solid var(--rule-strong);
    border-radius: var(--radius); background: var(--paper); color: var(--ink); font-size: var(--small);
  }
  .inside { flex: 1; min-height: 0; overflow: auto; padding: 0.75rem 1rem 4rem; }
  .told { font-size: var(--small); text-wrap: pretty; }
  .told {
    margin-bottom: 0.75rem; padding: 0.5rem 0.75rem; background: var(--paper-2); border-left: 3px solid var(--thread);
    border-radius: 0 var(--radius) var(--radius) 0;
  }
  ol { display: block; }
  .card {
    position: relative; border: 1px solid var(--rule-strong); border-radius: 5px; background: var(--paper);
    box-shadow: 0 1px 2px var(--shade);
  }
  .card + .card, ol .card:first-child, form + .card { margin-top: 1.5rem; }
  .card + form, ol > form { margin-top: 1rem; }
  li.card::before {
    content: ""; position: absolute; left: 1.6rem; top: -1.5rem; height: 1.5rem; border-left: 2px dashed var(--thread);
  }
  .card.off { border-style: dashed; background: var(--paper-2); box-shadow: none; }
  .card.off .name { text-decoration: line-through; color: var(--ink-2); }
  .card[data-dragged] { outline: 2px solid var(--focus); outline-offset: 2px; }
  .mark::after {
    content: ""; position: absolute; left: 0; right: 0; top: -0.85rem; border-top: 3px solid var(--rubric); z-index: 1;
  }
  .mark.below::after { top: auto; bottom: -0.85rem; }
  .bar {
    display: flex; flex-wrap: wrap; align-items: center; gap: 0.15rem 0.35rem; min-height: 2.25rem;
    padding: 0.1rem 0.35rem 0.1rem 0.25rem; border-bottom: 1px solid var(--rule);
  }
  .source .bar { padding-left: 0.75rem; border-bottom: 0; }
  .handle { cursor: grab; touch-action: none; color: var(--ink-2); }
  .handle svg { width: 0.95rem; height: 0.95rem; }
  .folio {
    font: italic 400 1.05rem/1 var(--serif); font-variant-numeric: oldstyle-nums; color: var(--rubric);
    min-width: 1.1rem; text-align: right;
  }
  .name { font: 600 var(--code)/1.4 var(--mono); margin: 0 0.25rem; overflow-wrap: anywhere; }
  h3 { font: inherit; }
  .switch { display: inline-flex; align-items: center; gap: 0.3rem; font-size: var(--small); color: var(--ink-2); }
  input[type="checkbox"] { width: 1rem; height: 1rem; margin: 0; accent-color: var(--rubric-fill); }
  .tools { margin-left: auto; display: flex; flex-wrap: wrap; }
  .tools .down svg { rotate: 90deg; }
  .tools .up svg { rotate: -90deg; }
  .tools .quiet:disabled { color: var(--ink-3); opacity: 0.6; }
  .body { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0.75rem; padding: 0.6rem 0.75rem; }
  .sample { min-width: 0; }
  .source .sample { padding: 0 0.75rem 0.6rem; }
  .source .sample .documents { max-height: 7.5rem; }
  .count { font-size: var(--small); color: var(--ink-2); font-variant-numeric: tabular-nums; }
  .sample .documents {
    max-height: 11rem; overflow: auto; margin-top: 0.25rem; border: 1px solid var(--rule); border-radius: var(--radius);
  }
  .why { font-size: var(--small); color: var(--ink-2); font-style: italic; text-wrap: pretty; }
  .why:lang(zh) { font-style: normal; }
  .failure {
    padding: 0.35rem 0.6rem; font-size: var(--small); background: var(--rubric-wash);
    border-left: 3px solid var(--rubric); border-radius: 0 var(--radius) var(--radius) 0; overflow-wrap: anywhere;
  }
  form { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; }
  ol + form, ol + .add { margin-top: 1.25rem; }
  form label { display: flex; align-items: center; gap: 0.4rem; font-size: var(--small); color: var(--ink-2); }
  @container cards (max-width: 40rem) { .body { grid-template-columns: minmax(0, 1fr); } }
  @container cards (max-width: 30rem) {
    .top label { order: 2; margin: 0 0 0.35rem; }
    .top label + .close { margin-left: auto; }
  }
  @media (pointer: coarse) {
    select { min-height: 2.5rem; font-size: 1rem; }
    input[type="checkbox"] { width: 1.35rem; height: 1.35rem; }
  }
`;
