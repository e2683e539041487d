/**
 * Fetches the code that draws the insides of a snippet's result, and makes a drawing of it.
 *
 * Invariant: fails where the drawing cannot be had, as where the page's Trusted Types do not let Lit make markup.
 */
import { figuresOf } from "../messages/figures.ts";
import type { ScriptCursor, ScriptValue } from "../protocol/run.ts";
import type { Changer, Commander } from "../state/data/ask.ts";
import type { MapSource } from "../state/map/source.ts";
import type { Plan } from "../state/plan.ts";
import type { Language } from "../state/settings.ts";
import { setRem } from "../xray/rem.ts";
import type { GeoMap } from "../xray/map/geo-map.ts";
import type { SnippetXray } from "./snippet-xray.ts";

/** The run that is drawn: its command where that can be run again, and its value, which its pages are known by. */
export interface Drawn {
  readonly command: Pick<ScriptCursor, "command"> | null;
  readonly value: ScriptValue | null;
}

/** The engine that a result came from. Without a changer, as for a lesson, drawings only read. */
export interface DrawnEngine {
  readonly reader: Commander;
  readonly changer: Changer | null;
  touchedBy(value: ScriptValue): Uint32Array | null;
}

/** Draws a plan, with buttons for the other drawings of its data. */
export async function drawXray(
  plan: Plan,
  { command, value }: Drawn,
  language: Language,
  engine: DrawnEngine,
): Promise<SnippetXray> {
  // As the element's own sheet has it.
  setRem("var(--rem)");
  await import("./snippet-xray.ts");
  if (customElements.get("snippet-xray") === undefined) throw new Error("the drawing's code did not load");
  const view = document.createElement("snippet-xray") as SnippetXray;
  const changer = changerOf(engine);
  view.host = { changer, words: figuresOf(language), wrote: () => view.wrote() };
  view.changes = engine.changer !== null;
  view.pages = () => (value === null ? null : engine.touchedBy(value));
  view.lang = language;
  view.plan = plan;
  view.cursor = command;
  return view;
}

/** The way of a drawing's commands to the engine. */
function changerOf({ changer, reader }: DrawnEngine): Changer {
  return changer ?? reading(reader);
}

/** A commander whose data no drawing changes. */
function reading(commander: Commander): Changer {
  return {
    commandBytes: (command) => commander.commandBytes(command),
    changeBytes: () => Promise.reject(new Error("nothing is changed from here")),
  };
}

/** The variables that the map's styles take from the playground's page. */
const measures = {
  "--small": "0.875rem",
  "--tiny": "0.8125rem",
  "--code": "0.8125rem",
  "--radius": "4px",
  "--rubric-fill": "var(--fill)",
  "--thread": "light-dark(#b0452f, #c65d47)",
  "--warn": "light-dark(#76510a, #e2b660)",
} as const;

/** Draws places as a map. */
export async function drawGeoMap(source: MapSource, language: Language, engine: DrawnEngine): Promise<HTMLElement> {
  // As the element's own sheet has it.
  setRem("var(--rem)");
  // The same file as the look-up's, which brings the map along.
  await import("../xray/map/geo-lookup.ts");
  if (customElements.get("geo-map") === undefined) throw new Error("the drawing's code did not load");
  const map = document.createElement("geo-map") as GeoMap;
  map.host = { changer: changerOf(engine), words: figuresOf(language), wrote: () => Promise.resolve() };
  map.shows = true;
  map.lang = language;
  Object.assign(map, source);
  for (const [name, value] of Object.entries(measures)) map.style.setProperty(name, value);
  return map;
}
