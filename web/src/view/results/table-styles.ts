/**
 * How a table of documents looks.
 *
 * Invariant: only `<value-table>` uses these. A column's width is in the table's own characters.
 */
import { css } from "lit";

export const tableStyles = css`
  .scroll {
    position: relative; overflow: auto; overflow-anchor: none; max-height: var(--room, 32rem);
    scroll-padding-block: 3.4rem 0; border: 1px solid var(--rule); border-radius: var(--radius);
  }
  table {
    border-collapse: separate; border-spacing: 0; table-layout: fixed; min-width: 100%;
    font: 400 var(--code)/1.45 var(--mono);
    /* Not max-content, with which browsers leave the fixed layout and make columns as wide as their cells. */
    width: min-content;
  }
  table.sized { min-width: 0; }
  table:focus-visible { outline: none; }
  .measure { position: absolute; visibility: hidden; font: 400 var(--code)/1.45 var(--mono); }
  th, td {
    padding: 0 0.75rem; text-align: left; border-bottom: 1px solid var(--rule); white-space: nowrap;
    overflow: hidden; text-overflow: ellipsis;
  }
  tbody.drawn th, tbody.drawn td { height: 1.8rem; }
  tbody.space td { padding: 0; border: 0; }
  thead th {
    position: sticky; top: 0; z-index: 2; padding: 0; background: var(--paper-2); font-weight: 600;
    vertical-align: bottom; border-bottom-color: var(--rule-strong);
  }
  .by {
    display: block; width: 100%; padding: 0.25rem 0.75rem; font-weight: 600; overflow: hidden; text-overflow: ellipsis;
  }
  .by small {
    display: block; font-weight: 400; font-size: 0.75rem; color: var(--ink-3); overflow: hidden;
    text-overflow: ellipsis;
  }
  .by b { margin-left: 0.35rem; color: var(--rubric); font-weight: 400; }
  .menu {
    position: absolute; top: 0.2rem; right: 0.45rem; display: grid; place-items: center; width: 1.5rem; height: 1.5rem;
    border-radius: var(--radius); background: var(--paper-2); color: var(--ink-2); opacity: 0;
  }
  .menu svg { width: 0.8rem; height: 0.8rem; }
  .menu:hover { background: var(--paper-3); color: var(--ink); }
  th:hover .menu, .menu:focus-visible, .menu[aria-expanded="true"], th[aria-selected="true"] .menu { opacity: 1; }
  .grip {
    position: absolute; inset: 0 0 0 auto; width: 0.45rem; cursor: col-resize; touch-action: none;
    border-right: 1px solid var(--rule);
  }
  .grip:hover, .grip.held { border-right: 2px solid var(--thread); }
  thead th[aria-selected="true"] { box-shadow: inset 0 0 0 1px var(--thread); }
  table:focus-visible thead th[aria-selected="true"] { box-shadow: inset 0 0 0 2px var(--focus); }
  .row {
    color: var(--ink-3); font-weight: 400; text-align: right; padding-inline: 0.5rem; background: var(--paper);
  }
  thead .row { background: var(--paper-2); }
  .pinned { position: sticky; z-index: 1; background: var(--paper); }
  thead .pinned { z-index: 3; background: var(--paper-2); }
  .pinned.edge { border-right: 1px solid var(--rule-strong); }
  tbody tr:hover > * { background: var(--paper-2); }
  td { cursor: default; }
  td.figure { text-align: right; font-variant-numeric: tabular-nums; }
  td[aria-selected="true"] { background: var(--paper-2); box-shadow: inset 0 0 0 1px var(--thread); }
  table:focus-visible td[aria-selected="true"] { box-shadow: inset 0 0 0 2px var(--focus); }
  td.generated:hover, td.generated[aria-selected="true"] { overflow: visible; position: relative; z-index: 1; }
  td.generated:hover .short-id, td.generated[aria-selected="true"] .short-id {
    padding-right: 0.75rem; background: var(--paper-2);
  }
  .gone > * { text-decoration: line-through; color: var(--ink-3); }
  .type { margin-left: 0.4rem; font-size: 0.75rem; color: var(--ink-3); }
  .absent { color: var(--ink-3); }
  p {
    display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.6rem; margin-top: 0.4rem; font-size: var(--small);
    color: var(--ink-2);
  }
  p .quiet { padding: 0; min-height: 1.5rem; text-decoration: underline; text-underline-offset: 3px; }
  p .quiet code { font-size: 0.8125rem; }
  @container results (max-width: 30rem) {
    .pinned.further { position: static; }
    thead .pinned.further { position: sticky; left: auto !important; z-index: 2; }
  }
  .unprinted { display: none; }
  @media print {
    .scroll { max-height: none; overflow: visible; border: 0; }
    table, table.sized { width: 100%; min-width: 0; table-layout: auto; font-size: 0.6875rem; }
    col { width: auto !important; }
    th, td { padding: 0.1rem 0.35rem; white-space: normal; overflow-wrap: break-word; vertical-align: top; }
    .broad :is(th, td) { overflow-wrap: anywhere; }
    tbody.drawn th, tbody.drawn td { height: auto; }
    tr { break-inside: avoid; }
    .pinned, thead th { position: static; }
    td[aria-selected="true"], thead th[aria-selected="true"] { box-shadow: none; }
    .menu, .grip, p .quiet { display: none; }
    .by { padding: 0.1rem 0.35rem; }
    .unprinted { display: block; font-style: italic; }
  }
  @media (pointer: coarse) {
    tbody.drawn th, tbody.drawn td { height: 2.5rem; }
    .menu { opacity: 1; width: 2rem; height: 2rem; }
    .by { padding-right: 2.6rem; }
    .grip { width: 0.9rem; }
    p .quiet { min-height: 2.25rem; }
  }
`;
