/**
 * How the map of places looks: land as darker paper, the returned places as filled dots, places that were only examined
 * as hollow diamonds, cells in the colour that keys have in a plan.
 *
 * Invariant: layers that differ in colour differ in shape too, and forced colours keep the shapes.
 */
import { css } from "lit";

/** The styles of the map's elements. */
export const mapStyles = css`
  :host {
    --map-key: light-dark(#b56a35, #d0915d); --map-place: light-dark(#3a5f33, #a3c590);
    --map-query: light-dark(#1d4f83, #93bfe8); --map-examined: light-dark(#8b2747, #f09db5);
    --map-land: light-dark(#e4d8be, #3a342c); --map-sea: light-dark(#f7f2e6, #211e1a);
    --map-coast: light-dark(#b3a587, #5f564a); --map-chosen: var(--rubric);
  }
  .sheet {
    position: relative; height: 100%; overflow: hidden; border: 1px solid var(--rule-strong);
    border-radius: var(--radius); background: var(--paper-2); cursor: grab; touch-action: pan-y;
  }
  .sheet:active { cursor: grabbing; }
  .sheet:focus { touch-action: none; }
  .sheet:focus-visible { outline-offset: -2px; }
  .sheet > svg { width: 100%; height: 100%; stroke-width: 1; }
  .sea { fill: var(--map-sea); stroke: none; }
  .near { fill: var(--paper); stroke: none; }
  .land { fill: var(--map-land); stroke: none; fill-rule: evenodd; }
  .coast { stroke: var(--map-coast); stroke-width: 0.8; }
  .grid { stroke: var(--map-coast); stroke-width: 0.6; stroke-opacity: 0.55; }
  text {
    fill: var(--ink-2); stroke: var(--map-sea); stroke-width: 3; paint-order: stroke; font: 400 11px var(--mono);
  }
  text.x { text-anchor: middle; }
  .fill { stroke: none; fill-rule: evenodd; }
  .line { fill: none; }
  .cells .fill { fill: var(--map-key); fill-opacity: 0.16; }
  .cells .line { stroke: var(--map-key); stroke-width: 1.2; }
  .cells.alone .line { stroke-dasharray: 1.5 4; stroke-width: 1; }
  .query .fill { fill: var(--map-query); fill-opacity: 0.07; }
  .query .line { stroke: var(--map-query); stroke-width: 2; stroke-dasharray: 7 4; }
  .cross { fill: none; stroke: var(--map-query); stroke-width: 2.4; stroke-linecap: butt; }
  .cross.under { stroke: var(--map-sea); stroke-width: 5; }
  .examined .line { stroke: var(--map-examined); stroke-width: 1.6; stroke-dasharray: 3 3; }
  .examined .diamond { fill: var(--map-sea); stroke: var(--map-examined); stroke-width: 1.6; }
  .places .fill { fill: var(--map-place); fill-opacity: 0.28; }
  .places .line { stroke: var(--map-place); stroke-width: 2.2; }
  .places .line.under { stroke: var(--map-sea); stroke-width: 4; }
  .dot { stroke: var(--map-place); stroke-linecap: round; fill: none; }
  .crowd .dot { stroke-opacity: 0.75; }
  .halo { stroke: var(--map-sea); stroke-linecap: round; fill: none; }
  .chosen .line { stroke: var(--map-chosen); stroke-width: 3.4; }
  .chosen .ring { stroke: var(--map-chosen); stroke-linecap: round; fill: none; }
  .chosen .gap { stroke: var(--map-sea); stroke-linecap: round; fill: none; }
  .chosen .dot { stroke: var(--map-chosen); }
  .zoom { position: absolute; right: 0.5rem; top: 0.5rem; display: grid; gap: 0.3rem; }
  .zoom .button { width: 2rem; padding: 0; }
  @media (pointer: coarse) { .zoom .button { width: 2.75rem; min-height: 2.75rem; } }
  @media (forced-colors: active) {
    .land, .near { fill: Canvas; } .coast { stroke: GrayText; }
    .dot, .places .line { stroke: CanvasText; } .examined .diamond { stroke: CanvasText; fill: Canvas; }
    .cells .line { stroke: GrayText; } .query .line, .cross { stroke: LinkText; }
    .halo, .gap, .under { stroke: Canvas; } .chosen .ring, .chosen .dot, .chosen .line { stroke: Highlight; }
  }
  @media print { .zoom { display: none; } }
`;
