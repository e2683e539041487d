/**
 * How the Watch panel looks: a line of controls, the list of events, and the open event beside it.
 *
 * Invariant: only `<watch-panel>` and `<watch-event>` use these; a kind is told by its word, which colours repeat.
 */
import { css } from "lit";

export const kindStyles = css`
  .kind { font: 400 var(--tiny)/1.4 var(--mono); color: var(--ink-2); }
  .kind.insert { color: var(--good); }
  .kind.update, .kind.replace { color: var(--warn); }
  .kind.delete { color: var(--rubric); }
`;

export const watchStyles = css`
  :host { display: flex; flex-direction: column; min-height: 0; container: watch / inline-size; }
  .head {
    display: flex; flex-wrap: wrap; align-items: center; gap: 0.15rem 0.75rem; padding: 0.3rem 0.5rem 0.3rem 1rem;
    border-bottom: 1px solid var(--rule);
  }
  h2 { min-width: 0; overflow-wrap: anywhere; line-height: 1.25; }
  h2:focus { outline: none; }
  h2 code { font-style: normal; color: var(--ink); }
  .status { flex: 1 1 12rem; min-width: 0; font-size: var(--tiny); color: var(--ink-2); text-wrap: pretty; }
  .status i {
    display: inline-block; width: 0.5rem; height: 0.5rem; margin-right: 0.4rem; border-radius: 50%;
    background: var(--ink-3);
  }
  .status span:not(:empty) ~ span::before { content: " · "; }
  .status.live i { background: var(--good); }
  .status.bad i { background: var(--rubric); }
  .kinds { display: flex; flex-wrap: wrap; }
  .kinds button { gap: 0.3rem; min-height: 1.75rem; }
  .kinds button[aria-pressed="false"] .kind { color: var(--ink-3); text-decoration: line-through; }
  .kinds .count { font-size: var(--tiny); font-variant-numeric: tabular-nums; color: var(--ink-2); }
  .actions { display: flex; align-items: center; gap: 0.15rem; margin-left: auto; }
  .actions [aria-disabled="true"] { color: var(--ink-3); cursor: default; }
  .actions [aria-disabled="true"]:hover { background: none; color: var(--ink-3); }
  .note {
    display: flex; flex-wrap: wrap; align-items: center; gap: 0.35rem 0.75rem; padding: 0.35rem 1rem;
    font-size: var(--small); border-bottom: 1px solid var(--rule);
  }
  .note.warn { background: var(--warn-wash); }
  .note.bad { background: var(--rubric-wash); }
  .note p { flex: 1 1 16rem; text-wrap: pretty; overflow-wrap: anywhere; }
  .room { padding: 0.2rem 1rem; font-size: var(--tiny); color: var(--ink-2); }
  .beside {
    flex: 1; min-height: 0; display: grid; grid-template-columns: minmax(18rem, 5fr) minmax(0, 6fr);
  }
  .rows { min-height: 0; overflow: auto; border-right: 1px solid var(--rule); }
  .rows:focus-visible { outline-offset: -2px; }
  .rows:focus-visible .current { box-shadow: inset 0 0 0 1px var(--focus); }
  [role="option"] {
    display: grid; grid-template-columns: 4.2rem 6.6rem minmax(0, 1fr); gap: 0 0.6rem; align-items: baseline;
    padding: 0.2rem 1rem 0.2rem calc(1rem - 3px); border-left: 3px solid transparent; cursor: pointer;
    content-visibility: auto; contain-intrinsic-size: auto 1.75rem; font-size: var(--small);
  }
  [role="option"]:hover { background: var(--paper-2); }
  [aria-selected="true"] { background: var(--paper-3); border-left-color: var(--rubric); }
  time { font-size: var(--tiny); color: var(--ink-2); font-variant-numeric: tabular-nums; }
  .told {
    overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font: 400 0.8125rem/1.5 var(--mono);
  }
  /* A value that turns the direction of writing turns no more than itself. */
  .told > * { unicode-bidi: isolate; }
  .told b { font-weight: 400; color: var(--type-id); }
  .told span { color: var(--ink-2); }
  .told span + span::before { content: " · "; color: var(--ink-3); }
  .told b + span { margin-left: 0.75em; }
  .empty { max-width: 34rem; margin: auto; padding: 1rem; text-align: center; color: var(--ink-2); text-wrap: balance; }
  .empty .large { font-size: 1.2rem; color: var(--ink); }
  .empty pre {
    display: inline-block; max-width: 100%; margin: 0.5rem 0; padding: 0.25rem 0.75rem; overflow-x: auto;
    background: var(--paper-2); border-radius: var(--radius); font: 400 var(--code)/1.5 var(--mono); text-align: left;
  }
  .all { grid-column: 1 / -1; display: grid; overflow: auto; }
  watch-event, .choose { min-height: 0; overflow: auto; padding: 0.6rem 1rem 0; }
  .choose { color: var(--ink-2); font-style: italic; font-size: var(--small); }
  .choose:lang(zh) { font-style: normal; }
  .back { display: none; }
  @container watch (max-width: 43rem) {
    .beside { grid-template-columns: minmax(0, 1fr); }
    .rows { border-right: 0; }
    .beside.open .rows, .beside:not(.open) > :is(watch-event, .choose) { display: none; }
    .beside.open { grid-template-rows: auto minmax(0, 1fr); }
    .back { display: inline-flex; justify-self: start; margin: 0.2rem 0.6rem 0; }
    .beside:not(.open) > .back { display: none; }
    [role="option"] { grid-template-columns: 4.1rem 6.5rem minmax(0, 1fr); gap: 0 0.3rem; padding-right: 0.5rem; }
    h2 { flex: 1; }
    .status { order: 1; flex-basis: 100%; }
    .kinds { order: 2; margin-left: -0.25rem; }
    .kinds button { padding: 0 0.25rem; }
  }
  @media (pointer: coarse) {
    [role="option"] { padding-block: 0.55rem; }
    .kinds button, .actions button { min-height: 2.5rem; }
  }
`;
