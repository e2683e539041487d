/**
 * How a course looks: a page of a book with its contents beside it.
 *
 * Invariant: colours are those of the elements' own sheet (`embed/styles.ts`), so that a course keeps its looks on any
 * page and in both schemes.
 */
import { css } from "lit";
import { fills } from "../../look/shared.ts";

export const courseStyles = css`
  ${fills}
  :host {
    --serif: var(--quire-serif, "Newsreader", "Iowan Old Style", Palatino, "Songti SC", "Noto Serif CJK SC",
      "Source Han Serif SC", "PingFang SC", "Microsoft YaHei", Georgia, serif);
    --thread: light-dark(#b0452f, #c65d47);
    --good: light-dark(#3a5f33, #a3c590);
    --good-wash: light-dark(#e3ebd6, #232d1e);
    --warn-wash: light-dark(#f5e8c8, #352a14);
    --bar-2: light-dark(#1d4f83, #93bfe8); --bar-3: light-dark(#76510a, #e2b660); --bar-4: light-dark(#295d5a, #8fcac4);
    --bar-5: light-dark(#6a3a77, #d3aadf);
    --bar-6: light-dark(#5b564c, #c6bfb1);
    margin: 0; color: var(--ink); font: 400 1.0625rem/1.6 var(--serif); container-type: inline-size;
  }
  h1, h2, h3, h4, p, ul, ol, figure { margin: 0; padding: 0; }
  .course { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.5rem; }
  @container (min-width: 58rem) {
    .course { grid-template-columns: 17rem minmax(0, 46rem); gap: 3rem; justify-content: center; }
    /* The list of lessons gives way, so that what stands below it is in sight, too. */
    aside { position: sticky; inset-block-start: 1rem; align-self: start; max-block-size: calc(100dvh - 6rem);
      display: flex; flex-direction: column; overflow: auto; }
    aside > * { flex: none; }
    aside > .contents { flex: 0 1 auto; min-block-size: 9rem; overflow: auto; scrollbar-width: thin; }
    aside > .contents:not([open]) { min-block-size: 0; }
    aside > .contents > summary { position: sticky; inset-block-start: 0; z-index: 1; background: var(--paper); }
  }
  h1 { font-size: 1.15rem; font-weight: 560; line-height: 1.3; }
  .about { margin-block: 0.3rem 1rem; color: var(--ink-2); font-size: 0.9375rem; line-height: 1.45; }
  .lessons { list-style: none; border-block-start: 1px solid var(--rule); }
  .lessons li { border-block-end: 1px solid var(--rule); }
  .lessons button {
    display: grid; grid-template-columns: 1.7rem 1fr auto; gap: 0 0.2rem; inline-size: 100%; padding: 0.4rem 0.3rem;
    font-size: 0.9375rem; line-height: 1.35; text-align: start;
  }
  .lessons button:hover { background: var(--paper-3); }
  .lessons .number { color: var(--ink-3); font-variant-numeric: tabular-nums; font-size: inherit; }
  .lessons [aria-current="true"] { background: var(--paper-2); box-shadow: inset 3px 0 var(--thread); }
  .lessons [aria-current="true"] .title { font-weight: 600; }
  .lessons .mark { color: var(--ink-3); font-size: 0.8125rem; white-space: nowrap; }
  .lessons .mark.whole { color: var(--good); }
  .search input { inline-size: 100%; min-block-size: 2.1rem; padding: 0 0.6rem; border: 1px solid var(--rule-strong);
    border-radius: 4px; font: inherit; font-size: 0.9375rem; color: var(--ink); background: var(--paper); }
  .search { margin-block-end: 0.6rem; }
  .search input:focus-visible { outline-offset: -2px; }
  .found { list-style: none; max-block-size: 60vh; overflow: auto; border-block-start: 1px solid var(--rule);
    margin-block-start: 0.5rem; }
  .found button { display: grid; gap: 0.1rem; inline-size: 100%; padding: 0.45rem 0.3rem; text-align: start;
    font-size: 0.9375rem; line-height: 1.35; border-block-end: 1px solid var(--rule); border-radius: 0; }
  .found button:hover { background: var(--paper-3); }
  .found .where { color: var(--ink-2); font-size: 0.8125rem; }
  .found .title { font-weight: 600; }
  .found .around { color: var(--ink-2); font-size: 0.875rem; overflow-wrap: anywhere; }
  mark { background: var(--warn-wash); color: inherit; border-radius: 2px; }
  #glossary { margin-block-start: 0.8rem; align-self: flex-start; padding: 0.2rem 0.3rem; font-size: 0.9375rem; }
  #glossary[aria-current] { font-weight: 600; }
  #whole { margin-block-start: 0.8rem; align-self: flex-start; padding: 0.2rem 0.3rem; font-size: 0.9375rem; }
  #whole[aria-current] { font-weight: 600; }
  .besides ul { list-style: none; }
  aside .besides { margin-block-start: 0.6rem; padding-inline: 0.3rem; font-size: 0.9375rem; }
  .besides a { color: var(--rubric); text-decoration: underline; text-underline-offset: 3px; }
  .besides .about { display: block; margin: 0; font-size: 0.875rem; }
  .filters { display: flex; flex-wrap: wrap; gap: 0.5rem 1.2rem; margin-block: 1.2rem 0.4rem; }
  .filters label { display: grid; gap: 0.15rem; font-size: 0.9375rem; color: var(--ink-2); }
  select { min-block-size: 2.1rem; padding: 0 0.5rem; border: 1px solid var(--rule-strong); border-radius: 4px;
    font: inherit; font-size: 0.9375rem; color: var(--ink); background: var(--paper); }
  #unfiltered { margin-block-start: 0.4rem; }
  .problems ul { list-style: none; }
  .problems h3 { margin-block: 1.4rem 0.3rem; padding-block-start: 0.6rem; font-size: 1.15rem; }
  .problems li { border-block-end: 1px solid var(--rule); }
  .problems button { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 0.8rem; inline-size: 100%;
    padding: 0.45rem 0.3rem; line-height: 1.35; text-align: start; }
  .problems button:hover { background: var(--paper-3); }
  .problems .about { grid-column: 1; margin: 0; font-size: 0.875rem; }
  .problems .mark { grid-area: 1 / 2 / span 2; align-self: center; color: var(--ink-2); font-size: 0.875rem; }
  .problems .mark.whole, .under > .passed { color: var(--good); }
  .under.start { justify-content: flex-start; align-items: center; margin-block-start: 0.8rem; }
  .under.start > .link { margin-inline-start: 0.5rem; }
  .recalls { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; margin-block-start: 1.2rem;
    padding: 0.6rem 0.9rem; border-radius: 4px; background: var(--warn-wash); }
  article.card { max-inline-size: 62rem; margin-inline: auto; }
  .card h1 { font-size: 2rem; font-weight: 500; line-height: 1.2; margin-block-end: 0.35rem; }
  .card summary h2 { display: inline; font: inherit; letter-spacing: 0; }
  .card h3 { font-size: 1.15rem; margin-block: 1.6rem 0.4rem; }
  .card .scroller { max-block-size: none; }
  .card table { inline-size: 100%; min-inline-size: 42rem; font-size: 0.9375rem; }
  .card th, .card td { background: none; position: static; white-space: normal; text-align: start;
    vertical-align: top; max-inline-size: none; }
  .card thead th::first-letter { text-transform: uppercase; }
  .card td code, .card tbody th code, [data-task] > .passes, [data-task] > .fails { white-space: nowrap; }
  .card .claims td { overflow-wrap: anywhere; min-inline-size: 14rem; }
  .card .right { text-align: end; font-variant-numeric: tabular-nums; }
  .card .fails { color: var(--rubric); } .card .passes { color: var(--good); }
  .card dl { display: grid; grid-template-columns: minmax(5rem, auto) minmax(0, 1fr); gap: 0.2rem 1rem;
    margin: 0.4rem 0 0; font-size: 0.9375rem; }
  .card dt { color: var(--ink-2); } .card dd { margin: 0; overflow-wrap: anywhere; }
  .card section, .card figure { break-inside: avoid; }
  .card figure { margin: 0; }
  .card figure dl { margin-block-start: 0.6rem; }
  .card svg.model { display: block; margin-inline: auto; stroke-width: 1; overflow: visible; }
  .drop { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: center; margin-block: 1rem; padding: 1.2rem;
    border: 1px dashed var(--rule-strong); border-radius: 6px; }
  [data-details] { margin-block-start: 0.8rem; }
  .drop .about { margin: 0; }
  .drop.over { background: var(--paper-3); }
  .costs, .discussion { margin-block-start: 0.8rem; }
  .discussion h3 { margin-block: 1rem 0.3rem; padding: 0; border: 0; font-size: 1.0625rem; font-weight: 600; }
  .costs table { margin-block-start: 0.4rem; font-size: 0.9375rem; }
  .costs th, .costs td { background: none; position: static; white-space: normal; padding: 0.25rem 1rem 0.25rem 0; }
  .costs th { font-weight: 400; text-align: start; }
  .costs .right { text-align: end; }
  .text.glossary ul { list-style: none; padding: 0; }
  .glossary li { padding-block: 0.35rem; border-block-end: 1px solid var(--rule); }
  .left { padding-inline-start: 1.4rem; }
  .left li + li { margin-block-start: 0.3rem; }
  .link, .left a { display: inline; padding: 0; min-block-size: 0; color: var(--rubric); text-decoration: underline;
    text-underline-offset: 3px; font: inherit; text-align: start; }
  h3 { scroll-margin-block-start: 1rem; outline: none; }
  .anchor { margin-inline-start: 0.5rem; color: var(--ink-3); text-decoration: none; font-weight: 400; opacity: 0; }
  h3:hover .anchor, h3:focus .anchor, .anchor:focus-visible { opacity: 1; }
  @media (hover: none) { .anchor { opacity: 1; } }
  details.contents > summary { padding-block: 0.4rem; padding-inline-start: 1.1rem; font-weight: 560; display: block; }
  details.contents > summary::before { inset-block-start: 1rem; }
  .tools { margin-block-start: 1.2rem; font-size: 0.9375rem; }
  .tools > summary { display: block; padding-inline-start: 1.1rem; color: var(--ink-2); }
  .tools label { display: block; margin-block: 0.6rem 0.2rem; color: var(--ink-2); }
  .tools input[type="text"] { inline-size: 100%; }
  .tools .buttons { display: flex; flex-direction: column; align-items: flex-start; gap: 0.4rem;
    margin-block-start: 0.6rem; }
  input[type="text"], input[type="number"] {
    min-block-size: 2.1rem; padding: 0 0.6rem; border: 1px solid var(--rule-strong); border-radius: 4px; font: inherit;
    color: var(--ink); background: var(--paper);
  }
  input[type="radio"] { inline-size: 1.05rem; block-size: 1.05rem; margin: 0.3rem 0 0; flex: none;
    accent-color: var(--fill); }
  input[type="file"] { display: none; }
  .button {
    display: inline-flex; align-items: center; min-block-size: 2rem; padding: 0 0.75rem;
      border: 1px solid var(--rule-strong);
    border-radius: 4px; background: var(--paper); font-size: 0.9375rem; color: var(--ink);
  }
  .button:hover { background: var(--paper-2); border-color: var(--ink-2); }
  .button.main { background: var(--fill); border-color: var(--fill); color: var(--on-fill); font-weight: 560; }
  .button.main:hover { filter: brightness(1.12); }
  article { min-inline-size: 0; outline: none; }
  h2 { font-size: 2rem; font-weight: 500; line-height: 1.2; letter-spacing: -0.01em; margin-block-end: 0.35rem;
    text-wrap: balance; }
  h3 {
    margin-block: 2.4rem 0.6rem; padding-block-start: 1.2rem; border-block-start: 1px solid var(--rule);
      font-size: 1.35rem;
    font-weight: 540; line-height: 1.3; text-wrap: balance;
  }
  h4 { margin-block: 1.4rem 0.4rem; font-size: 1.0625rem; font-weight: 600; }
  .text > * + *, .text li > * + * { margin-block-start: 0.75rem; }
  .text ul, .text ol { padding-inline-start: 1.4rem; }
  .text li + li { margin-block-start: 0.3rem; }
  .text p { text-wrap: pretty; }
  .text + .text { margin-block-start: 0.75rem; }
  .text a { color: var(--rubric); text-decoration: underline; text-underline-offset: 3px; }
  blockquote { margin: 0; padding-inline-start: 1rem; border-inline-start: 3px solid var(--rule-strong);
    color: var(--ink-2); }
  em:lang(zh) { font-style: normal; text-emphasis: filled dot; text-emphasis-position: under right; }
  code { font-family: var(--mono); font-size: 0.85em; overflow-wrap: anywhere; }
  .text code, .hint code, .question code { padding: 0.08em 0.3em; border-radius: 3px; background: var(--paper-3); }
  pre.plain {
    padding: 0.75rem 1rem; overflow: auto; white-space: pre; background: var(--paper-2); border-radius: 4px;
    font: 400 0.875rem/1.55 var(--mono);
  }
  .text td.right, .text th.right { text-align: end; }
  .text td.center, .text th.center { text-align: center; }
  .text table { font-size: 0.9375rem; }
  .text th { background: none; }
  .text th, .text td { white-space: normal; }
  .text td code { overflow-wrap: break-word; }
  .figure { font-variant-numeric: tabular-nums; font-weight: 600; }
  .figure.waits { color: var(--ink-3); font-weight: 400; }
  code .figure { font-weight: inherit; }
  .box {
    margin-block: 1.2rem; padding: 0.85rem 1.1rem 1rem; border-inline-start: 3px solid var(--thread);
      background: var(--paper-2);
    border-radius: 0 6px 6px 0;
  }
  .box.passed { border-inline-start-color: var(--good); }
  .box > header, legend { font-size: 0.9375rem; font-style: italic; color: var(--ink-2); padding: 0; }
  .box > header:lang(zh), legend:lang(zh) { font-style: normal; }
  .box > header { display: flex; justify-content: space-between; gap: 1rem; }
  .box > header .passed { color: var(--good); font-style: normal; font-weight: 600; }
  fieldset { margin: 0; padding: 0; border: 0; min-inline-size: 0; }
  .choices { display: grid; gap: 0.35rem; margin-block: 0.7rem; }
  .choices label { display: flex; gap: 0.6rem; align-items: flex-start; }
  .answering { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; margin-block-start: 0.7rem; }
  .answering input { inline-size: 9rem; }
  .truth { margin-block-start: 0.7rem; padding: 0.5rem 0.8rem; border-radius: 4px; background: var(--paper); }
  .truth dl { display: grid; grid-template-columns: auto 1fr; gap: 0.15rem 1rem; margin: 0; }
  .truth dt { color: var(--ink-2); }
  .truth dd { margin: 0; }
  .truth .verdict { font-weight: 600; }
  .truth.right .verdict { color: var(--good); }
  .truth.wrong .verdict { color: var(--rubric); }
  .hint, .done, .failure {
    margin-block-start: 0.8rem; padding: 0.6rem 0.9rem; border-radius: 4px; background: var(--warn-wash);
  }
  .hint b { font-weight: 600; }
  .hint .told { white-space: pre-line; }
  .hint.earlier { margin-block-start: 0.3rem; font-size: 0.9375rem; }
  .hint > * + * { margin-block-start: 0.5rem; }
  .race { padding-block-start: 0.5rem; border-block-start: 1px solid var(--rule-strong); }
  .race ol { list-style: none; display: grid; gap: 0.35rem; margin-block-start: 0.5rem; font-size: 0.9375rem; }
  .race li { padding: 0.15rem 0 0.15rem 0.7rem; border-inline-start: 3px solid var(--thread); overflow-wrap: anywhere; }
  .race li.second { margin-inline-start: 1.4rem; border-inline-start-color: var(--bar-2); }
  .race li.cut { border: 0; padding: 0.15rem 0.6rem; font-weight: 600; color: var(--on-fill); background: var(--fill); }
  .race li.left { border-inline-start-color: var(--rule-strong); color: var(--ink-2); }
  .race .calls { margin-block-start: 0.3rem; font-size: 0.9375rem; }
  .race .calls { display: grid; gap: 0.15rem; }
  .solution pre.plain { background: var(--paper); }
  .race b { font-family: var(--mono); }
  .race .given { color: var(--ink-2); }
  .race .refused { color: var(--rubric); }
  .solution { margin-block-start: 0.8rem; }
  .solution > summary { padding-inline-start: 1.1rem; display: block; color: var(--ink-2); }
  .solution[open] > summary { margin-block-end: 0.5rem; }
  .solution .text { margin-block: 0.6rem; }
  .done { background: var(--good-wash); }
  .failure { background: var(--rubric-wash); overflow-wrap: anywhere; white-space: pre-line; }
  .under { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.5rem; margin-block-start: 0.5rem; }
  .chart { margin-block: 1.1rem; overflow: auto hidden; }
  .chart table { inline-size: 100%; font-size: 0.9375rem; line-height: 1.35; }
  .chart .several { table-layout: fixed; min-inline-size: 34rem; }
  .chart .several .labels { inline-size: 22%; }
  .chart th, .chart td { border: 0; padding: 0.2rem 0.7rem 0.2rem 0; vertical-align: middle; background: none; }
  .chart tbody th { inline-size: 1%; font-weight: 400; white-space: normal; min-inline-size: 6rem;
    max-inline-size: 14rem; position: static; }
  .chart thead th { position: static; color: var(--ink-2); font-weight: 500; }
  .chart td { overflow: visible; max-inline-size: none; }
  .bar-row { display: inline-block; inline-size: calc(100% - 5.5rem); vertical-align: middle; }
  i.bar { display: block; block-size: 0.85rem; min-inline-size: 2px; padding: 0; border: 0;
    border-radius: 0 3px 3px 0; background: var(--thread); }
  i.bar.s1 { background: var(--bar-2); } i.bar.s2 { background: var(--bar-3); } i.bar.s3 { background: var(--bar-4); }
  i.bar.s4 { background: var(--bar-5); } i.bar.s5 { background: var(--bar-6); }
  .bar-value { display: inline-block; inline-size: 5rem; margin-inline-start: 0.5rem; vertical-align: middle;
    font-variant-numeric: tabular-nums; }
  .chart thead.unseen { position: absolute; }
  footer {
    display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: 0.6rem;
      margin-block: 2.5rem 1rem;
    padding-block-start: 1.2rem; border-block-start: 1px solid var(--rule);
  }
  .sure { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
  /* Its line is there while it is empty, so that nothing moves under a pointer that is pressed. */
  .status { min-block-size: 1.5em; font-size: 0.875rem; line-height: 1.5; font-style: italic; color: var(--ink-2); }
  .status:lang(zh) { font-style: normal; }
  .review table { inline-size: 100%; font-size: 0.9375rem; }
  .review td, .review th { white-space: normal; background: none; position: static; }
  .review .fails { color: var(--rubric); }
  .review .passes { color: var(--good); }
  .review ul { list-style: none; }
  @container (max-width: 30rem) {
    h2 { font-size: 1.65rem; }
    .box { padding-inline: 0.8rem; }
    .bar-row { inline-size: calc(100% - 4.2rem); } .bar-value { inline-size: 3.9rem; margin-inline-start: 0.3rem; }
    .chart tbody th { min-inline-size: 4.5rem; }
  }
  @media (pointer: coarse) { .button, .lessons button, .problems button, select { min-block-size: 2.75rem; } }
  @media print {
    .scroller { overflow: visible; max-block-size: none; }
    .card table { min-inline-size: 0; font-size: 8.5pt; }
    /* The whole drawing on the width of the paper, in ink on white. */
    .card svg.model { inline-size: auto; max-inline-size: 100%; block-size: auto; max-block-size: 24cm; }
    .card svg .label { fill: var(--paper); }
    aside, footer, .answering, .under, .filters, .anchor, .status { display: none; }
    .course { display: block; }
    :host { font-size: 11pt; }
    .box, .chart, h2, h3 { break-inside: avoid; }
    h2, h3 { break-after: avoid; }
  }
`;
