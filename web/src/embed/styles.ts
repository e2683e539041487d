/**
 * How the elements look: the playground's paper, ink and rubric, in the page's own sizes.
 *
 * Invariants: one constructed sheet for the whole page, so a strict `style-src` suffices; every colour is a
 * `light-dark()` pair that follows the `color-scheme` of the place, and can be replaced through a `--quire-…` property;
 * the direction of writing is never the page's: code and the interface's languages go from left to right, and
 * a name or a text that does not turns no more than itself.
 */

const STYLE = `
:host {
  display: block; margin-block: 1em; direction: ltr !important; text-align: start;
  --paper: var(--quire-paper, light-dark(#fcf9f0, #1e1b18));
  --paper-2: var(--quire-paper-2, light-dark(#f4edde, #26221e));
  --paper-3: light-dark(#e9dfca, #332d27);
  --rule: var(--quire-rule, light-dark(#dfd4be, #38322b));
  --rule-strong: light-dark(#877a64, #8a7e6c);
  --ink: var(--quire-ink, light-dark(#231f1a, #ece4d5));
  --ink-2: light-dark(#544b3e, #c3b9a7);
  --ink-3: light-dark(#665b4b, #a89d8b);
  --rubric: light-dark(#98291b, #f2937d);
  --fill: var(--quire-accent, light-dark(#98291b, #a83523));
  --on-fill: var(--quire-on-accent, #fffaf1);
  --rubric-wash: light-dark(#f7e3da, #3a211b);
  --focus: light-dark(#1d4f83, #8fbdea);
  --selection: light-dark(#e6d3a8, #4d4028);
  --line: light-dark(rgb(90 70 30 / 0.055), rgb(255 240 215 / 0.04));
  --shade: light-dark(rgb(70 50 20 / 0.16), rgb(0 0 0 / 0.5));
  --type-string: light-dark(#46591f, #bccb8d);
  --type-number: light-dark(#1d4f83, #93bfe8);
  --type-date: light-dark(#7a450f, #e0ac72);
  --type-id: light-dark(#6a3a77, #d3aadf);
  --type-word: light-dark(#8b2747, #f09db5);
  --type-binary: light-dark(#295d5a, #8fcac4);
  --rem: 1rem;
  --mono: var(--quire-mono, "Plex Mono", ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, monospace);
}
:host([hidden]), [hidden] { display: none !important; }
:host([theme="light" i]) { color-scheme: light; }
:host([theme="dark" i]) { color-scheme: dark; }
*, ::before, ::after { box-sizing: border-box; }
::selection { background: var(--selection); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 2px; }
.frame {
  container-type: inline-size; border: 1px solid var(--rule); border-radius: 6px; overflow: hidden; color: var(--ink);
  background: var(--paper);
}
.frame.tall { display: flex; flex-direction: column; }
.code { position: relative; padding: 0.8rem 1rem; font: 400 0.875rem/1.6 var(--mono); }
.code:focus-within { box-shadow: inset 3px 0 var(--fill); }
.tall .code { overflow: auto; min-block-size: 4.5rem; }
pre {
  margin: 0; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 2; outline: none; color: inherit;
  background: none; border: 0; padding: 0;
}
.code pre:focus-visible { outline: none; }
.bar {
  display: flex; flex-wrap: wrap; flex: none; align-items: center; gap: 0.3rem 0.4rem;
  padding: 0.4rem 0.6rem 0.4rem 1rem; border-block-start: 1px solid var(--rule); background: var(--paper-2);
  font-size: 0.875rem; line-height: 1.3;
}
button, a { font: inherit; color: inherit; cursor: pointer; text-decoration: none; background: none; border: 0; }
.run {
  display: inline-flex; align-items: center; gap: 0.4rem; min-block-size: 1.9rem; padding: 0 0.85rem 0 0.65rem;
  border-radius: 4px; background: var(--fill); color: var(--on-fill); font-weight: 600;
}
.run:hover { filter: brightness(1.12) saturate(1.05); }
.run.busy { background: none; color: var(--ink); box-shadow: inset 0 0 0 1px var(--rule-strong); }
svg {
  display: block; flex: none; inline-size: 0.95em; block-size: 0.95em; fill: none; stroke: currentColor;
  stroke-width: 1.7; stroke-linecap: round; stroke-linejoin: round;
}
.run svg { fill: currentColor; }
.state { flex: 1 1 0; min-inline-size: 5rem; padding-inline: 0.4rem; color: var(--ink-2); overflow-wrap: anywhere; }
.state.bad { color: var(--rubric); }
.quiet {
  display: inline-flex; align-items: center; gap: 0.35rem; min-block-size: 1.9rem; padding: 0 0.5rem;
  border-radius: 4px; color: var(--ink-2); white-space: nowrap;
}
.quiet:hover { background: var(--paper-3); color: var(--ink); }
.output {
  border-block-start: 1px solid var(--rule); padding: 0.7rem 1rem 0.8rem; max-block-size: 26rem; overflow: auto;
  font-size: 0.875rem; line-height: 1.3;
}
.output slot, .printed, .result:not(:has(> .map)), .error { font: 400 0.8125rem/1.55 var(--mono); }
.output:focus-visible { outline-offset: -2px; }
.tall .output { flex: 1 1 45%; min-block-size: 4rem; max-block-size: none; }
.output > * + *, .drawn > * + *, .value > * + *, .result > * + * { margin-block-start: 0.6rem; }
.insight {
  padding: 0.15rem 0.7rem; border-inline-start: 3px solid var(--rule-strong); background: var(--paper-2);
  border-radius: 0 4px 4px 0;
}
.doubts {
  padding: 0.3rem 0.7rem; border-inline-start: 3px solid var(--rubric); background: var(--paper-2);
  border-radius: 0 4px 4px 0;
}
.doubts p { margin: 0; }
.doubts code { font: 400 0.8125rem/1.55 var(--mono); overflow-wrap: anywhere; }
.doubts .quiet {
  display: inline-block; padding: 0; white-space: normal; text-align: start; color: var(--rubric);
  text-decoration: underline; text-underline-offset: 3px;
}
.doubts ul { max-inline-size: 34rem; margin: 0; padding: 0; list-style: none; }
.doubts li { display: flex; gap: 1rem; justify-content: space-between; font-variant-numeric: tabular-nums; }
.doubts .none span { color: var(--rubric); font-weight: 500; }
.insight.wrong { border-inline-start-color: var(--rubric); }
.insight summary { flex-wrap: wrap; justify-content: flex-start; gap: 0 0.8rem; padding-inline-start: 1.1rem; }
.insight .verdict { flex: 1 1 14rem; }
.insight .figures { color: var(--ink-2); font-size: 0.8125rem; }
.insight table { font-size: 0.8125rem; }
.insight th { background: none; font-weight: 400; }
.insight td { text-align: end; font-variant-numeric: tabular-nums; }
.earlier { font: 400 0.8125rem/1.55 var(--mono); }
div.earlier { display: flex; gap: 0.75rem; }
.earlier .number { flex: none; min-inline-size: 3.2rem; color: var(--ink-3); font-size: 0.75rem; }
.earlier summary { justify-content: flex-start; padding-inline-start: 1.1rem; }
.earlier summary .line { padding: 0; }
.earlier[open] summary .line { visibility: hidden; }
.piece { display: block; min-block-size: 1lh; content-visibility: auto; contain-intrinsic-size: auto 8lh; }
.earlier > pre { min-inline-size: 0; }
details.earlier > pre { padding-inline-start: 1.1rem; }
slot { display: block; }
::slotted(*) { margin: 0 !important; }
::slotted(output) { display: block; white-space: pre-wrap; overflow-wrap: anywhere; }
.printed { padding-inline-start: 0.75rem; border-inline-start: 2px solid var(--rule); }
.error {
  padding: 0.55rem 0.8rem; border-inline-start: 3px solid var(--rubric); border-radius: 0 4px 4px 0;
  background: var(--rubric-wash); white-space: pre-wrap; overflow-wrap: anywhere;
}
.place {
  display: block; padding: 0; font-size: inherit; font-weight: 400; color: var(--ink-2); text-align: start;
}
button.place { text-decoration: underline; text-underline-offset: 3px; }
.code mark { color: inherit; background: var(--rubric-wash); box-shadow: 0 2px var(--rubric); }
.difference .lines { font: 400 0.8125rem/1.55 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere; }
.difference .same { padding-inline-start: 1.5em; color: var(--ink-2); }
del, ins { display: block; padding-inline-start: 1.5em; text-decoration: none; text-indent: -1.1em; }
del { background: var(--rubric-wash); }
ins { background: var(--paper-3); }
del::before { content: "− " / ""; color: var(--rubric); }
ins::before { content: "+ " / ""; }
.views { display: flex; flex-wrap: wrap; gap: 0.1rem; margin-inline-start: -0.5rem; }
.views button {
  min-block-size: 1.75rem; padding: 0 0.5rem; border-block-end: 2px solid transparent; color: var(--ink-2);
}
.views button:hover { color: var(--ink); border-color: var(--rule-strong); }
.views button[aria-pressed="true"] { color: var(--ink); border-color: var(--fill); }
.line > span { unicode-bidi: isolate; }
span:is(.string, .comment) { unicode-bidi: plaintext; }
.comment { color: var(--ink-3); font-style: italic; }
.keyword { color: var(--rubric); }
.string { color: var(--type-string); }
.number { color: var(--type-number); }
.word { color: var(--type-word); }
.call, .id { color: var(--type-id); }
.date { color: var(--type-date); }
.binary { color: var(--type-binary); }
.part, summary { position: relative; }
.part > .line, summary .line { display: block; padding-inline-start: 1.1rem; overflow-wrap: anywhere; }
.part:not(details), summary {
  display: flex; justify-content: space-between; gap: 0.75rem; padding-block: 1px; min-block-size: 1.5rem;
}
summary { cursor: pointer; list-style: none; border-radius: 3px; }
summary::-webkit-details-marker { display: none; }
summary::before {
  content: ""; position: absolute; inset: 0.6rem auto auto 0.15rem; border: solid var(--ink-3);
  border-width: 0 1.5px 1.5px 0; padding: 2px; transform: rotate(-45deg);
}
details[open] > summary::before { transform: rotate(45deg); inset-block-start: 0.5rem; }
summary:hover { background: var(--paper-2); }
summary .line { min-inline-size: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
details[open] > summary .preview { display: none; }
.preview, .nest { color: var(--ink-2); }
.inside { padding-inline-start: 1.1rem; }
.type { flex: none; font-size: 0.75rem; color: var(--ink-3); }
.scroller { position: relative; overflow: auto; max-block-size: 24rem; }
table { border-collapse: collapse; font: inherit; }
th, td {
  padding: 0.2rem 0.9rem 0.2rem 0; border-block-end: 1px solid var(--rule); text-align: start; vertical-align: top;
  white-space: nowrap; max-inline-size: 22rem; overflow: hidden; text-overflow: ellipsis;
}
th { font-weight: 600; position: sticky; inset-block-start: 0; background: var(--paper); }
th .type { display: block; font-weight: 400; }
.note { margin: 0.4rem 0 0; color: var(--ink-2); }
.unseen {
  position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}
.cm-editor { background: none; }
.invite {
  display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 0.8rem; padding: 0.7rem 1rem;
  background: var(--paper-2); color: var(--ink-2); font-size: 0.875rem;
}
.invite .state { flex-basis: 11rem; }
.code + .invite { border-block-start: 1px solid var(--rule); }
iframe {
  display: block; inline-size: 100%; block-size: 36rem; border: 0; background: var(--paper); color-scheme: inherit;
}
@container (max-width: 27rem) {
  .quiet.icon span { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }
  .code, .output { padding-inline: 0.75rem; }
  .bar { padding-inline-start: 0.75rem; }
}
@media (pointer: coarse) {
  .run, .quiet, .views button { min-block-size: 2.5rem; }
  .quiet.icon { min-inline-size: 2.5rem; justify-content: center; }
  summary { padding-block: 0.35rem; }
  summary::before { inset-block-start: 0.95rem; }
  .code { font-size: 1rem; }
}
@media (forced-colors: active) { .run { border: 1px solid; } }
@media print { .bar, .invite { display: none; } .output, .scroller { max-block-size: none; } }
`;

/**
 * How many of the page's rems ours is. Some pages shrink the root's font, so that 1rem is 10 pixels, and set their text
 * in more of them (mdBook does): a size readable beside 16 pixels would be tiny there.
 */
function scaleOfRem(): number {
  const size = (element: Element): number => Number.parseFloat(getComputedStyle(element).fontSize);
  const ratio = size(document.body ?? document.documentElement) / size(document.documentElement);
  return ratio > 1.3 ? ratio : 1;
}

let sheet: CSSStyleSheet | null = null;

/** The sheet, made when the first element is. */
export function styles(): CSSStyleSheet {
  if (sheet === null) {
    sheet = new CSSStyleSheet();
    const scale = scaleOfRem();
    sheet.replaceSync(
      scale === 1 ? STYLE : STYLE.replace(/([\d.]+)rem\b/g, (_, count: string) => `${Number(count) * scale}rem`),
    );
  }
  return sheet;
}

const SVG = "http://www.w3.org/2000/svg";

/** An icon of one path on a ground of 16 by 16. */
export function icon(path: string): SVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

/** Gives a button or a link its icon and word; the hint is its name. */
export function labelled(element: HTMLElement, path: string, text: string, hint: string): void {
  const span = document.createElement("span");
  span.textContent = text;
  element.replaceChildren(icon(path), span);
  element.title = hint;
  element.setAttribute("aria-label", hint);
}

export const RUN_ICON = "M4.5 3v10l8-5z";
export const STOP_ICON = "M4 4h8v8H4z";
export const COPY_ICON = "M6 5.5h7v8H6zM10.5 5.5v-3h-7v8H6";
export const RESET_ICON = "M3 8a5 5 0 1 0 1.6-3.7M3 2.5v2.6h2.6";
export const OPEN_ICON = "M6.5 3.5h-3v9h9v-3M9.5 2.5h4v4M13 3 7.5 8.5";
