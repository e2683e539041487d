/**
 * How an error looks: words on a wash of the rubricator's red, its place, the hint, the document.
 *
 * Invariant: `<error-block>` uses these, and `<page-leaf>` until that one's code has come.
 */
import { css } from "lit";

export const errorStyles = css`
  .error {
    padding: 0.6rem 0.85rem; background: var(--rubric-wash); border-left: 3px solid var(--rubric);
    border-radius: 0 var(--radius) var(--radius) 0;
  }
  .error > * + * { margin-top: 0.45rem; }
  .message {
    font: 400 var(--code)/1.55 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere; color: var(--ink);
  }
  .message.sentence { font: inherit; line-height: 1.45; white-space: normal; }
  .sentence code, .hint code { overflow-wrap: anywhere; }
  .where {
    display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.1rem 1rem; font-size: var(--small);
    color: var(--ink-2);
  }
  .where .quiet, .hint .quiet {
    min-height: 1.5rem; padding: 0; color: var(--rubric); text-decoration: underline; text-underline-offset: 3px;
  }
  /* A call that is written whole wraps, in a narrow pane and on a phone. */
  .hint .quiet { white-space: normal; text-align: start; overflow-wrap: anywhere; }
  .where .quiet:hover, .hint .quiet:hover { background: none; color: var(--ink); }
  .hint { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1rem; color: var(--ink); text-wrap: pretty; }
  .query {
    margin: 0; padding: 0.45rem 0.7rem; background: var(--paper); border: 1px solid var(--rule);
    border-radius: var(--radius); font: 400 var(--code)/1.55 var(--mono); white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .acts { display: flex; flex-wrap: wrap; gap: 0.5rem; }
  .acts svg { width: 0.9rem; height: 0.9rem; }
  .offending { background: var(--paper); border: 1px solid var(--rule); border-radius: var(--radius); padding: 0.3rem; }
  .offending h3 {
    padding: 0 0.4rem; font-size: var(--small); font-weight: 500; font-style: italic; color: var(--ink-2);
  }
  .offending h3:lang(zh) { font-style: normal; }
  summary { font-size: var(--small); color: var(--ink-2); cursor: pointer; }
  summary:hover { color: var(--ink); }
  .said {
    margin: 0.3rem 0 0; max-height: 20rem; overflow: auto; font: 400 var(--code)/1.55 var(--mono);
    white-space: pre-wrap; overflow-wrap: anywhere;
  }
`;
