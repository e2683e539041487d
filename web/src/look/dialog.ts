/**
 * How a modal dialog and the forms in it look.
 *
 * Invariant: a native `<dialog>` with `.top` and `.inside`; colours and measures are the page's.
 */
import { css } from "lit";

/** The buttons below a dialog or a form. */
const buttonRow = css`.buttons { display: flex; flex-wrap: wrap; gap: 0.5rem; }`;

export const dialogStyles = css`
  dialog {
    width: min(34rem, calc(100vw - 2rem)); max-height: calc(100dvh - 2rem); padding: 0;
    border: 1px solid var(--rule-strong); border-radius: 6px; background: var(--paper); color: var(--ink);
    box-shadow: 0 1rem 3rem var(--shade); overflow: auto;
  }
  dialog::backdrop { background: rgb(30 22 12 / 0.45); }
  .top {
    display: flex; align-items: center; justify-content: space-between; gap: 0.5rem;
    padding: 0.9rem 0.75rem 0.25rem 1.5rem;
  }
  h2 { font-size: 1.4rem; font-weight: 500; min-width: 0; overflow-wrap: anywhere; }
  .inside { padding: 0.25rem 1.5rem 1.5rem; }
  .inside > * + * { margin-top: 0.9rem; }
  p { text-wrap: pretty; }
  select {
    min-height: 2.1rem; padding: 0 0.4rem; border: 1px solid var(--rule-strong); border-radius: var(--radius);
    background: var(--paper); color: var(--ink);
  }
  input[type="checkbox"], input[type="radio"] {
    width: 1.05rem; height: 1.05rem; flex: none; accent-color: var(--rubric-fill); translate: 0 0.12rem;
  }
  ${buttonRow}
  @media (pointer: coarse) { select { min-height: 2.75rem; font-size: 1rem; } }
`;

/** Forms inside such a dialog, in elements of their own. */
export const formStyles = css`
  p { text-wrap: pretty; }
  fieldset { border: 0; margin: 0; padding: 0; min-width: 0; }
  form > * + *, .stack > * + * { margin-top: 0.9rem; }
  .stack > label + label { margin-top: 0.35rem; }
  label, legend, .label { font-size: var(--small); color: var(--ink-2); }
  legend { padding: 0; }
  .field { display: grid; gap: 0.2rem; }
  .pair { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.5rem; align-items: end; }
  input:not([type="checkbox"]):not([type="radio"]), select, textarea {
    width: 100%; min-width: 0; min-height: 2.1rem; padding: 0.2rem 0.5rem; border: 1px solid var(--rule-strong);
    border-radius: var(--radius); background: var(--paper); color: var(--ink); font: 400 var(--code)/1.5 var(--mono);
  }
  select { font: inherit; font-size: var(--small); padding: 0 0.4rem; }
  textarea { resize: vertical; }
  small { font-size: var(--tiny); color: var(--ink-3); }
  label.check { display: flex; align-items: baseline; gap: 0.6rem; color: var(--ink); }
  label.check small { display: block; color: var(--ink-2); }
  input[type="checkbox"], input[type="radio"] {
    width: 1.05rem; height: 1.05rem; flex: none; accent-color: var(--rubric-fill); translate: 0 0.12rem;
  }
  ${buttonRow}
  .failure {
    padding: 0.5rem 0.75rem; background: var(--rubric-wash); border-left: 3px solid var(--rubric);
    border-radius: 0 var(--radius) var(--radius) 0; font-size: var(--small); overflow-wrap: anywhere;
  }
  .failure:empty { display: none; }
  .lost {
    padding: 0.6rem 0.85rem; background: var(--paper-2); border-left: 3px solid var(--thread);
    border-radius: 0 var(--radius) var(--radius) 0;
  }
  .lost li { overflow-wrap: anywhere; }
  .lost li + li { margin-top: 0.15rem; }
  @media (pointer: coarse) {
    input:not([type="checkbox"]):not([type="radio"]), select, textarea { min-height: 2.75rem; font-size: 1rem; }
  }
`;
