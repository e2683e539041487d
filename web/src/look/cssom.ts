/**
 * Style properties set through the CSSOM. Lit's own `styleMap` writes a `style` attribute when it first draws, which
 * the page's Content-Security-Policy refuses.
 *
 * Invariant: an element's properties are those of its last drawing; each call names the same properties.
 */
import { nothing } from "lit";
import { directive, Directive, type ElementPart } from "lit/directive.js";

class StyleProperties extends Directive {
  override render(_properties: Readonly<Record<string, string>>): typeof nothing {
    return nothing;
  }

  override update(part: ElementPart, [properties]: [Readonly<Record<string, string>>]): typeof nothing {
    for (const [name, value] of Object.entries(properties))
      (part.element as HTMLElement).style.setProperty(name, value);
    return nothing;
  }
}

/** Sets style properties on the element it stands in: `` html`<i ${properties({ width: "3px" })}>` ``. */
export const properties = directive(StyleProperties);
