/**
 * How the dialogs that show insides look: a drawing beside its words, buttons, lists of documents.
 *
 * Invariant: colours and measures are the page's.
 */
import { css } from "lit";

export const xrayStyles = css`
  :host { container: xray / inline-size; }
  .beside {
    display: grid; grid-template-columns: minmax(12rem, 20rem) minmax(0, 1fr); gap: 0.5rem 2rem; align-items: start;
  }
  @container xray (max-width: 599.98px) { .beside { grid-template-columns: minmax(0, 1fr); justify-items: stretch; } }
  .drawing { width: 100%; max-width: 20rem; height: auto; margin: 0 auto; overflow: visible; }
  .said { text-wrap: pretty; }
  .said + .said { margin-top: 0.3rem; }
  .quietly { color: var(--ink-2); font-size: var(--small); }
  .buttons { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; margin-top: 0.75rem; }
  label { font-size: var(--small); color: var(--ink-2); }
  input[type="number"], input[type="text"] {
    width: 7rem; min-height: 2rem; padding: 0 0.5rem; border: 1px solid var(--rule-strong);
    border-radius: var(--radius); background: var(--paper); color: var(--ink); font: 400 var(--code)/1.5 var(--mono);
  }
  input[type="range"] { width: 100%; accent-color: var(--rubric-fill); }
  .list { max-height: 16rem; margin-top: 0.5rem; overflow: auto; border-top: 1px solid var(--rule); }
  .list li {
    display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: 0.15rem 0.25rem;
    border-bottom: 1px solid var(--rule); font-size: var(--small);
  }
  .list code { flex: 1 1 12rem; min-width: 0; overflow-wrap: anywhere; color: var(--ink); }
  .list span { color: var(--ink-2); font-variant-numeric: tabular-nums; }
  .list .next { background: var(--rubric-wash); }
  .list .gone code, .list .gone span { color: var(--ink-3); text-decoration: line-through; }
  .failure {
    padding: 0.5rem 0.75rem; background: var(--rubric-wash); border-left: 3px solid var(--rubric);
    margin-bottom: 0.6rem; border-radius: 0 var(--radius) var(--radius) 0; font-size: var(--small);
    overflow-wrap: anywhere;
  }
  .failure:empty { display: none; }
  @media (pointer: coarse) { input[type="number"], input[type="text"], input[type="range"] { min-height: 2.75rem; } }
`;
