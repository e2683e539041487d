/**
 * The styles that every view's shadow root shares: focus, buttons, headings that read like a book's running heads.
 *
 * Invariant: colours and measures come from `page.css`'s custom properties only, so both schemes hold everywhere.
 */
import { css } from "lit";

/**
 * Forced colours take every background away: an empty `<i>` (a bar, a level, a swatch of a legend) is one, and keeps
 * its own. A choice that is told by a background alone is framed.
 */
export const fills = css`
  @media (forced-colors: active) {
    i:empty { forced-color-adjust: none; }
    :is([aria-selected="true"], [aria-pressed="true"], [aria-current]):not(:focus-visible) {
      outline: 1px solid Highlight; outline-offset: -1px;
    }
  }
`;

export const shared = css`
  ${fills}
  *, *::before, *::after { box-sizing: border-box; }
  :host { display: block; }
  :host([hidden]), [hidden] { display: none !important; }
  ::selection { background: var(--selection); }
  :focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 2px; }
  h1, h2, h3, h4, p, ul, ol, dl, dd, figure { margin: 0; padding: 0; }
  ul, ol { list-style: none; }
  .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

  button, select, input { font: inherit; color: inherit; }
  button { background: none; border: 0; padding: 0; cursor: pointer; text-align: inherit; touch-action: manipulation; }
  button:disabled { cursor: default; }

  .button {
    display: inline-flex; align-items: center; justify-content: center; gap: 0.4rem; min-height: 2rem;
    padding: 0.1rem 0.75rem;
    border: 1px solid var(--rule-strong); border-radius: var(--radius); font-size: var(--small); line-height: 1.2;
    color: var(--ink);
    background: var(--paper); white-space: nowrap;
  }
  .button:hover:not(:disabled) { background: var(--paper-2); border-color: var(--ink-2); }
  .button:disabled { color: var(--ink-3); border-color: var(--rule); }
  .button.main {
    background: var(--rubric-fill); border-color: var(--rubric-fill); color: var(--on-rubric); font-weight: 550;
  }
  .button.main:hover:not(:disabled) { background: var(--rubric-fill-2); border-color: var(--rubric-fill-2); }
  .button.main:disabled { background: var(--paper-3); border-color: var(--paper-3); color: var(--ink-2); }
  .button.danger { color: var(--rubric); border-color: currentColor; }

  .quiet {
    display: inline-flex; align-items: center; gap: 0.35rem; min-height: 1.75rem; padding: 0 0.4rem;
    border-radius: var(--radius);
    color: var(--ink-2); font-size: var(--small); white-space: nowrap;
  }
  .quiet:hover:not(:disabled) { background: var(--paper-3); color: var(--ink); }
  .icon { width: 1.75rem; justify-content: center; padding: 0; }
  svg {
    display: block; flex: none; width: 1.05rem; height: 1.05rem; fill: none; stroke: currentColor; stroke-width: 1.6;
    stroke-linecap: round; stroke-linejoin: round;
  }

  .running-head {
    font-size: var(--small); font-weight: 500; font-style: italic; color: var(--ink-2); letter-spacing: 0.01em;
  }
  :lang(zh) .running-head, .running-head:lang(zh) { font-style: normal; }
  code, kbd, .mono { font-family: var(--mono); font-size: var(--code); }
  kbd {
    display: inline-block; padding: 0 0.35em; border: 1px solid var(--rule-strong); border-bottom-width: 2px;
    border-radius: 3px; background: var(--paper); color: var(--ink-2); font-size: 0.8em; line-height: 1.5;
  }

  .badge {
    display: inline-block; padding: 0 0.35rem; border-radius: 3px; font: 400 0.75rem/1.35 var(--mono);
    color: var(--ink-2); background: var(--paper-3); white-space: nowrap;
  }
  .badge.ttl { color: var(--warn); background: var(--warn-wash); }
  .badge.capped { color: var(--type-id); background: var(--paper-3); }

  .string { color: var(--type-string); }
  .number { color: var(--type-number); }
  .date { color: var(--type-date); }
  .id { color: var(--type-id); }
  .word { color: var(--type-word); }
  .binary { color: var(--type-binary); }
  .nest { color: var(--ink-2); }

  @media (pointer: coarse) {
    .button, .quiet { min-height: 2.5rem; }
    .icon { width: 2.5rem; }
  }
  @media (prefers-reduced-motion: reduce) {
    *, *::before, *::after { animation: none !important; transition: none !important; }
  }
`;
