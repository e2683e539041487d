/**
 * How a leaf of the results looks: a folio number in the rubricator's red, the source as its running head, its parts
 * in reading order.
 *
 * Invariant: only `<page-leaf>` uses these, and its parts those of printed lines.
 */
import { css } from "lit";

/** The lines that a script printed. */
export const printedStyles = css`
  .printed {
    margin: 0; padding-left: 0.75rem; border-left: 1px solid var(--rule-strong); color: var(--ink);
    font: 400 var(--code)/1.55 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere; max-height: 26rem;
    overflow: auto;
  }
`;

export const leafStyles = css`
  article { border-bottom: 1px solid var(--rule); padding: 0.35rem 0 1.1rem; }
  article.folded { padding: 0; }
  header { display: flex; align-items: center; gap: 0.5rem; min-height: 2.5rem; }
  .title { display: flex; align-items: baseline; gap: 0.6rem; flex: 1; min-width: 0; padding: 0.3rem 0; }
  .title svg { flex: none; align-self: center; width: 0.85rem; height: 0.85rem; color: var(--ink-3); }
  .folio {
    flex: none; min-width: 1.4rem; font: italic 500 1.35rem/1 var(--serif); font-variant-numeric: oldstyle-nums;
    color: var(--rubric);
  }
  .title code {
    min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: 0.8125rem;
    color: var(--ink-2);
  }
  .title:hover code { color: var(--ink); }
  .folded .folio { color: var(--ink-3); font-size: 1.15rem; }
  .cost {
    display: flex; align-items: baseline; gap: 0.8rem; flex: none; font-size: var(--tiny); color: var(--ink-3);
    white-space: nowrap;
  }
  .cost .state { font-style: italic; }
  .cost .bad { color: var(--rubric); }
  .undone { flex: none; font-size: var(--tiny); font-style: italic; color: var(--ink-2); }
  .undone:lang(zh) { font-style: normal; }
  .undo { flex: none; font-size: var(--tiny); }
  .undo svg { width: 0.9rem; height: 0.9rem; }
  .saved { color: var(--good); }
  .unsaved { color: var(--warn); }
  .body { padding-left: 2rem; }
  .body > * + * { margin-top: 0.6rem; }
  .nothing { color: var(--ink); font-style: italic; text-wrap: pretty; }
  .nothing:lang(zh) { font-style: normal; }
  .nothing span { color: var(--ink-2); }
  .stayed { color: var(--good); font-size: var(--small); overflow-wrap: anywhere; }
  .stopped { color: var(--ink-2); font-style: italic; }
  .stopped:lang(zh) { font-style: normal; }
  @media print {
    .quiet, header svg, article.folded { display: none; }
    article { padding: 0.5rem 0; border-bottom-color: var(--rule-strong); }
    header { break-after: avoid; }
    .title code { white-space: normal; }
    .body { padding-left: 0; }
    .printed { max-height: none; overflow: visible; }
  }
  @container results (max-width: 36rem) {
    .roomy { display: none; }
  }
  @container results (max-width: 30rem) {
    .body { padding-left: 0.25rem; }
    .cost { gap: 0.6rem; }
    /* The running head has a line of its own: beside what the run came to no room would be left for it. */
    article:not(.folded) header { flex-wrap: wrap; row-gap: 0; }
    article:not(.folded) .title { flex-basis: 100%; }
    article:not(.folded) .cost { margin-inline: 2rem auto; }
  }
`;
