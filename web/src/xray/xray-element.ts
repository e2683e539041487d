/**
 * What the drawings of the insides are made on, in the playground's page and in snippets of other pages.
 *
 * Invariants: a drawing knows nothing of the page around it but its host; what it wants of the page (a run, another
 * drawing) is an event. An element that another copy of this code defined is used as it is.
 */
import { LitElement, type CSSResultGroup } from "lit";
import { property } from "lit/decorators.js";
import { shared } from "../look/shared.ts";
import type { Words } from "../messages/messages.ts";
import type { Changer } from "../state/data/ask.ts";
import type { Language } from "../state/settings.ts";

/** What a drawing is given by who shows it. */
export interface XrayHost {
  /** The way of its commands to the engine. */
  readonly changer: Changer;
  /** How numbers, times and sizes are worded, and the language that the rest is worded in. */
  readonly words: Pick<Words, "language" | "number" | "duration" | "size">;
  /** Hears that the drawing changed data. */
  wrote(): Promise<void>;
}

export abstract class XrayElement extends LitElement {
  @property({ attribute: false }) host!: XrayHost;

  static override styles: CSSResultGroup = shared;

  protected get words(): XrayHost["words"] {
    return this.host.words;
  }

  protected get language(): Language {
    return this.host.words.language;
  }
}

/** Defines a class as the element of a name, once. */
export function xrayElement(name: string): (element: CustomElementConstructor) => void {
  return (element) => {
    if (customElements.get(name) === undefined) customElements.define(name, element);
  };
}
