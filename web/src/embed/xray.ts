/**
 * Fetches the code that draws the insides of a snippet's result, and makes a drawing of it.
 *
 * Invariant: fails where the drawing cannot be had, as where the page's Trusted Types do not let Lit make markup.
 */
import { figuresOf } from "../messages/figures.ts";
import type { ScriptCursor, ScriptValue } from "../protocol/run.ts";
import type { Changer, Commander } from "../state/data/ask.ts";
import type { Plan } from "../state/plan.ts";
import type { Language } from "../state/settings.ts";
import { setRem } from "../xray/rem.ts";
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
  const changer = engine.changer ?? reading(engine.reader);
  view.host = { changer, words: figuresOf(language), wrote: () => view.wrote() };
  view.changes = engine.changer !== null;
  view.pages = () => (value === null ? null : engine.touchedBy(value));
  view.lang = language;
  view.plan = plan;
  view.cursor = command;
  return view;
}

/** A commander whose data no drawing changes. */
function reading(commander: Commander): Changer {
  return {
    commandBytes: (command) => commander.commandBytes(command),
    changeBytes: () => Promise.reject(new Error("nothing is changed from here")),
  };
}
