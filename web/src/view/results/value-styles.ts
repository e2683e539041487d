/**
 * How a result's value looks: its words, the choice of views, the actions below it.
 *
 * Invariant: only `<leaf-value>` uses these.
 */
import { css } from "lit";

export const valueStyles = css`
  :host > * + * { margin-top: 0.6rem; }
  .worded {
    margin: 0; font: 400 var(--code)/1.55 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere;
    max-height: var(--room, 26rem); overflow: auto;
  }
  .columns { white-space: pre; }
  .nothing { color: var(--ink); font-style: italic; text-wrap: pretty; }
  .nothing:lang(zh) { font-style: normal; }
  .nothing span { color: var(--ink-2); }
  .views { display: flex; gap: 0.1rem; border-bottom: 1px solid var(--rule); }
  .views button {
    padding: 0.1rem 0.6rem 0.25rem; margin-bottom: -1px; border-bottom: 2px solid transparent; font-size: var(--small);
    color: var(--ink-2);
  }
  .views button:hover { color: var(--ink); border-bottom-color: var(--rule-strong); }
  .views button[aria-pressed="true"] { color: var(--ink); border-bottom-color: var(--thread); }
  .paging {
    display: flex; flex-wrap: wrap; align-items: center; gap: 0.3rem 0.9rem; font-size: var(--small);
    color: var(--ink-2);
  }
  .ended { display: flex; flex-wrap: wrap; align-items: center; gap: 0.3rem 0.9rem; color: var(--warn); }
  .nothing.ended span { color: inherit; }
  .failure { color: var(--rubric); }
  @media print {
    .views, value-bar, .paging button, .ended button { display: none; }
    .worded { max-height: none; overflow: visible; }
  }
  @media (pointer: coarse) { .views button { min-height: 2.5rem; padding-inline: 0.9rem; } }
`;
