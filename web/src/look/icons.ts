/**
 * The page's few icons, drawn with one pen: 16 units, round ends, the text's colour.
 *
 * Invariant: decoration only (`aria-hidden`); the button around an icon carries its name.
 */
import { html, svg, type TemplateResult } from "lit";

const drawn = (d: string): TemplateResult =>
  html`<svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">${svg`<path d=${d} />`}</svg>`;

const icon = (d: string) => (): TemplateResult => drawn(d);

export const runIcon = icon("M4.5 2.8v10.4L13 8z");
export const stopIcon = icon("M4 4h8v8H4z");
export const chevronLeft = icon("M10 3.5 5.5 8 10 12.5");
export const asideIcon = icon("M2.5 3h11v10h-11zM6.2 3v10");
export const chevronRight = icon("M6 3.5 10.5 8 6 12.5");
export const chevronDown = icon("M3.5 6 8 10.5 12.5 6");
export const closeIcon = icon("M4 4l8 8M12 4l-8 8");
export const refreshIcon = icon("M13 8a5 5 0 1 1-1.6-3.7M13 2.5v2.6h-2.6");
export const moreIcon = icon("M3.5 8h.1M8 8h.1M12.5 8h.1");
export const fillIcon = icon("M9.5 2.5h4v4M13.3 2.7 9.3 6.7M6.5 13.5h-4v-4M2.7 13.3l4-4");
export const unfillIcon = icon("M9.3 2.9v3.8h3.8M9.5 6.5l4-4M6.7 13.1V9.3H2.9M6.5 9.5l-4 4");
export const copyIcon = icon("M5.5 5.5h7v7h-7zM3.5 10.5v-7h7");
export const bookIcon = icon(
  "M8 4.2C6.5 3 4.5 2.8 2.5 3v9.3c2-.2 4 0 5.5 1.2 1.5-1.2 3.5-1.4 5.5-1.2V3c-2-.2-4 0-5.5 1.2zM8 4.2v9.3",
);
export const sunIcon = icon(
  "M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.3v1.4M8 13.3v1.4M1.3 8h1.4M13.3 8h1.4M3.3 3.3l1 1M11.7 " +
    "11.7l1 1M3.3 12.7l1-1M11.7 4.3l1-1",
);
export const moonIcon = icon("M13.2 9.6A5.7 5.7 0 0 1 6.4 2.8a5.7 5.7 0 1 0 6.8 6.8z");
export const systemIcon = icon("M8 2.3a5.7 5.7 0 1 0 0 11.4zM8 2.3a5.7 5.7 0 0 1 0 11.4");
export const gearIcon = icon("M2.5 4.5h6M12 4.5h1.5M2.5 11.5h1.5M7.5 11.5h6M10.3 2.8v3.4M5.7 9.8v3.4");
export const keyboardIcon = icon("M1.8 4.2h12.4v7.6H1.8zM4.2 6.7h.1M6.7 6.7h.1M9.2 6.7h.1M11.7 6.7h.1M5 9.4h6");
export const databaseIcon = icon(
  "M3 4c0-1.1 2.2-2 5-2s5 .9 5 2-2.2 2-5 2-5-.9-5-2zM3 4v8c0 1.1 2.2 2 5 2s5-.9 5-2V4M3 8c0 1.1 2.2 2 5 2s5-.9 5-2",
);
export const penIcon = icon("M10.8 2.7l2.5 2.5-7.8 7.8-3.2.7.7-3.2z");
export const trashIcon = icon("M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5");
export const plusIcon = icon("M8 3v10M3 8h10");
export const minusIcon = icon("M3 8h10");
export const shareIcon = icon("M8 9.5V2.5M5.2 5 8 2.2 10.8 5M4.5 7.5h-1v6h9v-6h-1");
export const historyIcon = icon("M3 8a5 5 0 1 0 1.6-3.7M3 2.5v2.6h2.6M8 5.3V8l1.9 1.2");
export const timelineIcon = icon("M1.8 8h12.4M4.5 8v-3M8 8v4M11.5 8v-3M8 12.6v.1");
export const undoIcon = icon("M5.5 3 2.8 5.7l2.7 2.7M3 5.7h6.2a3.6 3.6 0 0 1 0 7.2H6");
export const codeIcon = icon("M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5");
export const cardsIcon = icon("M3 2.5h10v3.4H3zM3 10.1h10v3.4H3zM8 5.9v4.2");
export const formatIcon = icon("M2.5 3.5h11M5.5 6.5h8M5.5 9.5h6M2.5 12.5h11");
export const searchIcon = icon("M7 2.8a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.4zM10.2 10.2l3.3 3.3");
export const keyIcon = icon("M5.5 7.5a3 3 0 1 0 0 .1zM8.5 7.5h5M12 7.5v2.2");

/** The mark: three folded sheets, one inside the other, and the thread through the fold. */
export function quireMark(): TemplateResult {
  return html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <path d="M16 8 3 5v19l13 4 13-4V5z" /><path d="M16 11 6 8.4v14.4l10 3 10-3V8.4z" /><path
      d="M16 14 9 12v9.4l7 2.2 7-2.2V12z" />
    <path class="thread" d="M16 10v3.4M16 16.4v3.4M16 22.6v3" />
  </svg>`;
}
