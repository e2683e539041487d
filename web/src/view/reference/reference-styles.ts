/**
 * How the reference looks: a dictionary's column of names beside the open entry.
 *
 * Invariant: colours and measures are the page's custom properties, so both schemes hold.
 */
import { css } from "lit";

export const referenceStyles = css`
  :host { container-type: inline-size; }
  .reference { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.5rem; }
  aside, article { min-width: 0; }
  h1 { font-size: 1.5rem; font-weight: 520; line-height: 1.25; letter-spacing: -0.01em; }
  .about { margin-top: 0.35rem; color: var(--ink-2); text-wrap: pretty; }
  .asking { display: grid; gap: 0.5rem; padding: 1rem 0 0.6rem; background: var(--paper); }
  .field { position: relative; }
  .field svg { position: absolute; top: 0.7rem; left: 0.7rem; color: var(--ink-3); pointer-events: none; }
  input[type="search"] {
    width: 100%; min-height: 2.45rem; padding: 0 0.6rem 0 2.2rem; border: 1px solid var(--rule-strong);
    border-radius: var(--radius); background: var(--paper); font-size: 1rem;
  }
  .filters { display: grid; grid-template-columns: 1fr 1fr; gap: 0.5rem; }
  select {
    width: 100%; min-width: 0; min-height: 2.1rem; padding: 0 0.4rem; border: 1px solid var(--rule-strong);
    border-radius: var(--radius); background: var(--paper); font-size: var(--small);
  }
  .found { font-size: var(--small); color: var(--ink-2); font-variant-numeric: tabular-nums; }
  nav h2 {
    padding: 0.9rem 0.6rem 0.2rem; font-size: var(--small); font-weight: 500; font-style: italic; color: var(--ink-2);
  }
  :lang(zh) nav h2 { font-style: normal; }
  nav ul { border-top: 1px solid var(--rule); }
  nav li { border-bottom: 1px solid var(--rule); }
  nav a {
    display: block; padding: 0.35rem 0.6rem 0.4rem; color: inherit; text-decoration: none; line-height: 1.35;
  }
  nav a:hover { background: var(--paper-2); }
  nav a:focus-visible, .asking :focus-visible { outline-offset: -2px; }
  nav a[aria-current] { background: var(--paper-2); box-shadow: inset 3px 0 var(--thread); }
  nav .head { display: flex; align-items: baseline; justify-content: space-between; gap: 0.6rem; }
  nav .called { font: 600 0.875rem/1.4 var(--mono); overflow-wrap: anywhere; }
  nav .absent .called { font-weight: 400; color: var(--ink-2); }
  nav .kind { flex: none; font-size: 0.8125rem; font-style: italic; color: var(--ink-2); }
  :lang(zh) nav .kind { font-style: normal; }
  nav .does { display: block; font-size: var(--small); color: var(--ink-2); }

  .back { display: inline-flex; align-items: center; gap: 0.3rem; min-height: 2rem; margin-bottom: 0.8rem; }
  article a { color: var(--rubric); text-decoration: underline; text-underline-offset: 3px; }
  article { outline: none; max-width: 46rem; }
  article h1 { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.2rem 0.8rem; }
  article h1 code { font-size: 1.55rem; font-weight: 600; overflow-wrap: anywhere; }
  article h1 .kind { font-size: 1.0625rem; font-weight: 400; font-style: italic; color: var(--ink-2); }
  :lang(zh) article h1 .kind { font-style: normal; }
  .mark {
    align-self: center; padding: 0 0.5rem; border-radius: 3px; font-size: 0.875rem; line-height: 1.55;
    white-space: nowrap;
  }
  .mark.supported { color: var(--good); background: var(--good-wash); }
  .mark.partial { color: var(--warn); background: var(--warn-wash); }
  .mark.absent { color: var(--rubric); background: var(--rubric-wash); }
  .sentence { margin-top: 0.7rem; font-size: 1.1875rem; line-height: 1.5; text-wrap: pretty; }
  .note { margin-top: 1rem; padding: 0.6rem 1rem 0.7rem; border-left: 3px solid var(--warn); background: var(--paper-2);
    border-radius: 0 var(--radius) var(--radius) 0; color: var(--ink-2); overflow-wrap: anywhere; text-wrap: pretty; }
  .note.supported { border-left-color: var(--rule-strong); }
  .note b { display: block; font-weight: 550; color: var(--ink); }
  .note code { color: var(--ink); }
  article h2 { margin-top: 1.6rem; font-size: 1.0625rem; font-weight: 550; }
  .belonging { display: flex; flex-wrap: wrap; gap: 0.15rem 1.1rem; margin-top: 0.3rem; line-height: 1.7; }
  pre.written {
    margin: 0.4rem 0 0; padding: 0.7rem 1rem; border-radius: var(--radius); background: var(--paper-2);
    font: 400 0.875rem/1.6 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere;
  }
  quire-snippet { margin-block: 0.4rem 0.5rem; }
  .under { font-size: var(--small); }
  .also { margin-top: 1.8rem; padding-top: 0.9rem; border-top: 1px solid var(--rule); }
  .also ul { display: flex; flex-wrap: wrap; gap: 0.2rem 1.2rem; margin-top: 0.2rem; }
  .overview { width: 100%; max-width: 40rem; border-collapse: collapse; font-variant-numeric: tabular-nums; }
  .overview th, .overview td { padding: 0.35rem 0.6rem; border-bottom: 1px solid var(--rule); text-align: right; }
  .overview th:first-child { padding-left: 0; text-align: left; font-weight: 400; }
  .overview thead th { vertical-align: bottom; font-size: var(--small); font-weight: 500; color: var(--ink-2); }
  .overview button { color: var(--rubric); text-decoration: underline; text-underline-offset: 3px; }
  .overview .none { color: var(--ink-3); }

  .reference.open aside { display: none; }
  .reference:not(.open) article { display: none; }
  @container (min-width: 58rem) {
    .reference { grid-template-columns: 23rem minmax(0, 46rem); gap: 3rem; justify-content: center; }
    .reference.open aside, .reference:not(.open) article { display: block; }
    .back { display: none; }
    aside { position: sticky; top: 1rem; align-self: start; max-height: calc(100dvh - 2rem); overflow: auto;
      scrollbar-gutter: stable; }
    .asking { position: sticky; top: 0; z-index: 1; }
  }
  @media (pointer: coarse) {
    nav a { padding-block: 0.55rem; }
    select, .overview button { min-height: 2.75rem; }
  }
  @media print { aside, .back, .under { display: none !important; } article { display: block !important; } }
`;
