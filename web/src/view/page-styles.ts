/**
 * The page's layout: header, then the data beside an open spread; stacked below 1100 px; below 760 px the data lies
 * over script and results when it is asked for; one pane and a bar of tabs below 600 px.
 *
 * Invariant: only `<quire-page>` uses these; nothing scrolls but the panes themselves.
 */
import { css } from "lit";

export const pageStyles = css`
  :host { display: flex; flex-direction: column; height: 100dvh; overflow: hidden; }
  .stage { flex: 1; min-height: 0; display: flex; flex-direction: column; }
  .watch {
    position: relative; flex: 0 0 var(--rest); min-height: 0; border-top: 1px solid var(--rule-strong);
    background: var(--paper);
  }
  .watch > page-splitter { position: absolute; inset: -13px 1rem auto; height: 12px; background: none; }
  watch-panel { height: 100%; }
  main {
    flex: 1; min-height: 0; display: grid; grid-template-columns: min(var(--aside, 264px), 30vw) 12px minmax(0, 1fr);
    padding: 0 1rem 1rem 0;
  }
  main.closed > .data { visibility: hidden; }
  main > page-splitter { margin-right: 4px; }
  .data:focus, .results:focus { outline: none; }
  .data, .script, .results { min-height: 0; min-width: 0; }
  page-sidebar { height: 100%; }

  .schema { min-height: 0; min-width: 0; margin-right: 0.75rem; border: 1px solid var(--rule); border-radius: 5px; }
  .schema { background: var(--paper-2); }
  schema-view { height: 100%; }
  main.described { grid-template-columns: min(var(--aside, 264px), 30vw) 12px minmax(17rem, 22rem) minmax(0, 1fr); }

  .panes {
    min-height: 0; display: grid;
    grid-template-columns: minmax(0, calc(var(--split, 0.5) * (100% - 28px))) 28px minmax(0, 1fr);
    background: var(--paper); border-radius: 5px;
    box-shadow:
      0 1px 0 var(--rule-strong), 3px 3px 0 -1px var(--paper), 3px 3px 0 0 var(--rule), 6px 6px 0 -1px var(--paper),
      6px 6px 0 0 var(--rule), 0 0.5rem 1.75rem var(--shade);
    margin: 0 6px 6px 0;
  }
  .stacked {
    grid-template-columns: minmax(0, 1fr);
    grid-template-rows: minmax(0, calc(var(--split, 0.5) * (100% - 18px))) 18px minmax(0, 1fr);
  }
  .stacked.filled { grid-template-rows: minmax(0, 1fr); }
  .stacked.filled > :not(.results) { display: none; }
  .stacked .head { min-height: 2.5rem; }
  .stacked .foot { min-height: 2rem; }
  .script { display: flex; flex-direction: column; }
  page-editor { flex: 1; min-height: 0; }
  page-results { height: 100%; }
  .head {
    position: relative; display: flex; align-items: center; gap: 0.75rem; min-height: 3rem; padding: 0 0.25rem 0 0;
    border-bottom: 1px solid var(--rule);
  }
  .foot {
    display: flex; align-items: center; gap: 0.5rem; min-height: 2.25rem; padding: 0 0.25rem 0 1rem;
    border-top: 1px solid var(--rule); container: foot / inline-size;
  }
  .stacked .head, .stacked .foot { padding-right: 0.75rem; }
  .on {
    flex: 0 1 auto; min-width: 4rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
    font-size: var(--small); color: var(--ink-2);
  }
  .foot > [data-tool] { flex: none; }
  .on code { color: var(--ink); }
  .moved {
    flex: 0 1 auto; min-width: 4rem; overflow: hidden; text-overflow: ellipsis; font-size: var(--small);
    font-style: italic; color: var(--warn); white-space: nowrap;
  }
  .moved:lang(zh) { font-style: normal; }
  .space { flex: 1; min-width: 0; display: flex; }
  .fault { min-width: 0; color: var(--rubric); }
  .fault:hover:not(:disabled) { color: var(--rubric); }
  /* A script's database, clock and fault go before the names of tools, which the tools' titles tell too. */
  @container foot (max-width: 27rem) {
    .foot > [data-tool] span {
      position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
    }
  }
  @container foot (max-width: 44rem) {
    [role="status"]:has(.fault) ~ [data-tool] span, [data-tool="pipeline"] ~ [data-tool] span,
    .moved ~ [data-tool] span {
      position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
    }
  }
  .fault span { overflow: hidden; text-overflow: ellipsis; }
  .progress {
    font-size: var(--small); color: var(--ink-2); font-variant-numeric: tabular-nums; white-space: nowrap;
    overflow: hidden; text-overflow: ellipsis;
  }
  .run { min-width: 5.5rem; }
  .run svg { fill: currentColor; stroke: none; width: 0.9rem; height: 0.9rem; }
  .stop { min-width: 5.5rem; color: var(--rubric); border-color: currentColor; }
  .stop svg { fill: currentColor; stroke: none; width: 0.85rem; height: 0.85rem; }
  .busy::after {
    content: ""; position: absolute; inset: auto 0 -2px; height: 3px;
    background: repeating-linear-gradient(to right, var(--thread) 0 16px, transparent 16px 30px);
    animation: sew 1.2s linear infinite;
  }
  @keyframes sew { to { background-position: 30px 0; } }

  .drop-target {
    position: fixed; z-index: 30; inset: 0.5rem; display: grid; place-items: end center; padding-bottom: 2.5rem;
    border: 3px dashed var(--thread); border-radius: 10px; pointer-events: none;
  }
  .drop-target p {
    max-width: calc(100% - 2rem); padding: 0.6rem 1.25rem; border-radius: var(--radius); background: var(--ink);
    color: var(--paper); box-shadow: 0 0.5rem 1.5rem var(--shade); font-size: 1.1rem; overflow-wrap: anywhere;
    text-align: center;
  }

  nav { display: none; }
  /* Above the line of tools below the script, which a notice would cover for as long as it is there. */
  .notices {
    position: fixed; z-index: 40; left: 50%; bottom: 4.25rem; translate: -50% 0; width: max-content;
    max-width: calc(100vw - 2rem);
  }
  .notice {
    display: flex; align-items: center; gap: 0.75rem; padding: 0.35rem 0.5rem 0.35rem 1rem; background: var(--ink);
    color: var(--paper); border: 1px solid transparent; border-radius: var(--radius);
    box-shadow: 0 0.5rem 1.5rem var(--shade); font-size: var(--small); overflow-wrap: anywhere;
  }
  .notice .quiet { color: inherit; }
  .notice .quiet:hover { background: transparent; color: inherit; }
  .notice .offer { text-decoration: underline; text-underline-offset: 3px; font-weight: 550; }
  /* With two remedies: on a narrow page they stand below the text. */
  .notice.missing { flex-wrap: wrap; justify-content: flex-end; }
  .notice.missing > span { flex: 1 1 15rem; }
  .notice.bad { background: var(--rubric-fill); color: var(--on-rubric); }

  /* There the schema shares the column of the data. */
  @media (max-width: 1599px) {
    main.described {
      grid-template-columns: max(min(var(--aside, 264px), 30vw), 16rem) 12px minmax(0, 1fr);
      grid-template-rows: minmax(0, 2fr) minmax(0, 3fr);
    }
    main.described > .schema { grid-area: 2 / 1; margin: 0 0 0 0.5rem; }
    main.described > page-splitter { grid-area: 1 / 2 / 3 / 3; }
    main.described > .panes { grid-area: 1 / 3 / 3 / 4; }
    main.described.closed > .schema { grid-area: 1 / 1 / 3 / 2; }
  }
  @media (max-width: 1099px) {
    main { grid-template-columns: min(var(--aside, 264px), 13.5rem) 12px minmax(0, 1fr); }
  }
  @media (max-width: 759px) {
    main, main.described {
      position: relative; grid-template-columns: minmax(0, 1fr); grid-template-rows: minmax(0, 1fr); padding: 0;
    }
    main.described > .panes { grid-area: auto; }
    main.described > .schema { display: none; }
    [data-pane="data"].described > .schema {
      display: block; position: absolute; z-index: 7; inset: 0 auto 0 0; width: min(24rem, 90%); margin: 0;
      border-radius: 0; box-shadow: 0 0.5rem 1.75rem var(--shade);
    }
    .panes { margin: 0; border-radius: 0; box-shadow: none; border-top: 1px solid var(--rule); }
    main > page-splitter, .data { display: none; }
    main.closed > .data { visibility: visible; }
    [data-pane="data"] > .data {
      display: block; position: absolute; z-index: 6; inset: 0 auto 0 0; width: min(20rem, 80%);
      background: var(--ground); border-right: 1px solid var(--rule-strong); box-shadow: 0 0.5rem 1.75rem var(--shade);
    }
  }
  @media (max-width: 599px) {
    main { display: block; }
    .watch { flex-basis: 50%; }
    .panes { display: block; height: 100%; }
    page-splitter, .data, .script, .results { display: none; }
    [data-pane="data"].described > .data { display: none; }
    [data-pane="data"].described > .schema { position: static; height: 100%; width: auto; border: 0; }
    [data-pane="data"] > .data { position: static; width: auto; border: 0; box-shadow: none; }
    .data, .script, .results { height: 100%; }
    [data-pane="data"] .panes { display: none; }
    [data-pane="data"] .data, [data-pane="results"] .results { display: block; }
    [data-pane="script"] .script { display: flex; }
    .head { padding: 0 0.75rem 0 0; gap: 0.5rem; }
    .foot { padding: 0 0.5rem 0 1rem; gap: 0; }
    .foot .quiet { font-size: var(--tiny); padding: 0 0.3rem; }
    nav {
      display: grid; grid-template-columns: repeat(3, 1fr); background: var(--ground);
      border-top: 1px solid var(--rule); padding-bottom: env(safe-area-inset-bottom);
    }
    nav button {
      display: grid; justify-items: center; gap: 0.1rem; padding: 0.45rem 0 0.4rem; font-size: var(--tiny);
      color: var(--ink-2); border-top: 3px solid transparent; margin-top: -1px;
    }
    nav button[aria-current] { color: var(--rubric); border-top-color: var(--thread); }
    .notices { bottom: calc(7rem + env(safe-area-inset-bottom)); }
  }
`;
