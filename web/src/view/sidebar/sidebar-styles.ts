/**
 * How the list of databases looks: a table of contents, names to the left and counts to the right.
 *
 * Invariant: only `<page-sidebar>` uses these.
 */
import { css } from "lit";

export const sidebarStyles = css`
  :host { display: flex; flex-direction: column; min-height: 0; }
  .head {
    display: flex; align-items: center; justify-content: space-between; min-height: 3rem; padding: 0 0.5rem 0 1rem;
  }
  .list { flex: 1; min-height: 0; overflow: auto; padding: 0 0.5rem 1.5rem; }
  input {
    flex: none; min-height: 2rem; margin: 0 0.5rem 0.5rem 1rem; padding: 0 0.6rem; font-size: var(--small);
    border: 1px solid var(--rule); border-radius: var(--radius); background: var(--paper);
  }
  input::placeholder { color: var(--ink-2); font-style: italic; opacity: 1; }
  :host(:lang(zh)) input::placeholder { font-style: normal; }
  .note, .failure { padding: 0.25rem 0.5rem; font-size: var(--small); color: var(--ink-2); font-style: italic; }
  :host(:lang(zh)) .note { font-style: normal; }
  .failure { color: var(--rubric); font-style: normal; overflow-wrap: anywhere; }
  .empty { padding: 0.5rem; color: var(--ink-2); font-size: var(--small); text-wrap: pretty; }
  .empty h3 { font-size: 1.2rem; font-weight: 450; color: var(--ink); line-height: 1.3; margin-bottom: 0.3rem; }
  .empty .or { margin-top: 0.6rem; }
  .empty .or + ul { margin-top: 0.1rem; }
  .empty ul { margin-top: 0.6rem; }
  .empty li button {
    padding: 0.2rem 0; color: var(--rubric); text-decoration: underline; text-decoration-thickness: 1px;
    text-underline-offset: 3px;
  }
  .empty li button:hover { color: var(--ink); }

  .database + .database { margin-top: 0.9rem; }
  .dbname {
    position: relative; display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.45rem; flex: 1; min-width: 0;
    padding: 0.2rem 0.5rem 0.2rem 1.9rem; border-radius: var(--radius); font-size: 1.1rem; font-weight: 500;
  }
  .dbname svg { position: absolute; left: 0.5rem; top: 0.5rem; width: 0.95rem; height: 0.95rem; color: var(--ink-3); }
  /* Counts and sizes that do not fit beside the name go below it. */
  .dbname span { max-width: 100%; overflow-wrap: anywhere; }
  .dbname em:lang(zh) { font-style: normal; }
  .dbname em { font-size: var(--tiny); font-weight: 400; color: var(--rubric); }
  .dbname small {
    margin-left: auto; font-size: var(--tiny); font-weight: 400; color: var(--ink-3); white-space: nowrap;
  }
  .dbname:hover { background: var(--paper-3); }
  .dbname[aria-current] svg { color: var(--rubric); }

  .row { position: relative; display: flex; align-items: center; border-radius: var(--radius); }
  .row:hover { background: var(--paper-3); }
  .twist {
    display: grid; place-items: center; flex: none; width: 1.5rem; height: 1.8rem; color: var(--ink-3);
    border-radius: var(--radius);
  }
  .twist svg { width: 0.8rem; height: 0.8rem; transition: transform 0.12s; }
  .twist[aria-expanded="true"] svg { transform: rotate(90deg); }
  .name {
    display: flex; align-items: center; gap: 0.4rem; flex: 1; min-width: 0; min-height: 1.8rem; padding-right: 0.5rem;
    font: 400 var(--code) var(--mono); border-radius: var(--radius);
  }
  .label { min-width: 0; overflow-wrap: anywhere; padding: 0.15rem 0; line-height: 1.3; }
  .row.meant { background: var(--paper); outline: 2px dashed var(--thread); outline-offset: -2px; }
  .count { margin-left: auto; padding-left: 0.4rem; color: var(--ink-2); font-variant-numeric: tabular-nums; }
  .space { flex: 1; }
  .running-head:focus { outline: none; }
  .more { flex: none; color: var(--ink-2); }
  @media (hover: hover) {
    /* Over the figure while the row is pointed at, so that figures stay in one column. */
    .more { position: absolute; right: 0; opacity: 0; background: var(--paper-3); }
    .row:hover > .more, .more:focus-visible, .more[aria-expanded="true"] { opacity: 1; }
    .row:hover .figure:not(:last-child), .row:hover .name .figure { visibility: hidden; }
  }

  .indexes {
    margin: 0 0.25rem 0.4rem 0.72rem; padding-left: 0.8rem; border-left: 1px dashed var(--thread);
    font-size: var(--tiny);
  }
  .indexes li { padding: 0.15rem 0; }
  .indexes .row { align-items: baseline; gap: 0.4rem; padding-left: 0.3rem; margin-left: -0.3rem; }
  .indexes .row > span { flex: 1; min-width: 0; }
  .indexes .more { align-self: center; }
  .indexes .figure { flex: none; color: var(--ink-3); white-space: nowrap; padding-right: 0.25rem; font-size: 0.75rem; }
  .indexes code { font-size: 0.8125rem; overflow-wrap: anywhere; color: var(--ink-2); }
  .flags { display: inline-flex; flex-wrap: wrap; gap: 0.25rem; }
  .sizes { color: var(--ink-3); }
  @media (pointer: coarse) {
    .twist { width: 2.25rem; height: 2.5rem; }
    .name, .dbname { min-height: 2.5rem; align-items: center; }
    input { min-height: 2.75rem; font-size: 1rem; }
  }
`;
