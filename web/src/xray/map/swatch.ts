/**
 * The things of a map's layers, drawn small for the legend and the list.
 *
 * Invariant: they have the classes that the map gives its shapes, so that they look as these do.
 */
import { html, svg, type SVGTemplateResult, type TemplateResult } from "lit";

/** The layers of a map that a reader can take off. */
export type Layer = "places" | "query" | "cells" | "examined";

const box = svg`<path class="fill" d="M2 2h14v10h-14z"></path><path class="line" d="M2 2h14v10h-14z"></path>`;
const swatches: Readonly<Record<Layer, SVGTemplateResult>> = {
  places: svg`<path class="dot" stroke-width="9" d="M9 7h0"></path>`,
  query: box,
  cells: box,
  examined: svg`<path class="diamond" d="M9 1.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z"></path>`,
};

/** The mark of a layer. */
export function swatch(layer: Layer): TemplateResult {
  return html`<svg class="mark" viewBox="0 0 18 14" aria-hidden="true"><g class=${layer}>${swatches[layer]}</g></svg>`;
}
