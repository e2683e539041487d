/**
 * The base class of the drawings of the insides, in the playground's page and in snippets of other pages.
 *
 * Invariants: a drawing knows nothing of the page around it but its host; it asks the page for a run or for another
 * drawing by an event; a drawing among a page's own text has no heading. An element that another copy of this code
 * defined is used as it is.
 */
import { LitElement, type CSSResultGroup, type CSSResultOrNative } from "lit";
import { property } from "lit/decorators.js";
import { shared } from "../look/shared.ts";
import type { Figures } from "../messages/figures.ts";
import type { Changer } from "../state/data/ask.ts";
import type { Language } from "../state/settings.ts";
import { scaled } from "./rem.ts";

/** A drawing's access to the engine and to the words of the page or snippet that shows it. */
export interface XrayHost {
  /** The way of its commands to the engine. */
  readonly changer: Changer;
  /** How numbers, times and sizes are worded, and the language that the rest is worded in. */
  readonly words: Figures;
  /** Hears that the drawing changed data. */
  wrote(): Promise<void>;
}

export abstract class XrayElement extends LitElement {
  @property({ attribute: false }) host!: XrayHost;

  static override styles: CSSResultGroup = shared;
  /** Tells these elements from others that have their names in a page. */
  static readonly isXray = true;

  protected static override finalizeStyles(styles?: CSSResultGroup): CSSResultOrNative[] {
    return LitElement.finalizeStyles(styles).map(scaled);
  }

  protected get words(): XrayHost["words"] {
    return this.host.words;
  }

  protected get language(): Language {
    return this.host.words.language;
  }
}

/** Defines a class as the element of a name, once. Fails where the page has an element of its own by that name. */
export function xrayElement(name: string): (element: CustomElementConstructor & { readonly isXray: true }) => void {
  return (element) => {
    const known = customElements.get(name);
    if (known === undefined) customElements.define(name, element);
    else if (!("isXray" in known)) throw new Error(`this page has another element <${name}>`);
  };
}
