/**
 * The size of a rem in the drawings. Some pages shrink the root's font and set their text in more rems; drawings in
 * them are to be as large as the text around.
 *
 * Invariant: set before the first drawing is defined, and then the same for all of a page. No style has a rem in the
 * condition of a query, where no property can stand.
 */
import { unsafeCSS, type CSSResultOrNative } from "lit";

let rem = "1rem";

/** A length of CSS that is to stand for a rem. */
export function setRem(length: string): void {
  rem = length;
}

/** A style with its rems as large as they are to be. */
export function scaled(style: CSSResultOrNative): CSSResultOrNative {
  if (rem === "1rem" || style instanceof CSSStyleSheet) return style;
  return unsafeCSS(style.cssText.replace(/([\d.]+)rem\b/g, `calc($1 * ${rem})`));
}
