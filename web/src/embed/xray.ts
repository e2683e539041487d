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

/**
 * Draws a plan, with buttons for the other drawings of its data: in the page's one engine where `commander` is null,
 * else through it, with commands that only read.
 */
export async function drawXray(
  plan: Plan,
  { command, value }: Drawn,
  language: Language,
  commander: Commander | null,
): Promise<SnippetXray> {
  // As the element's own sheet has it.
  setRem("var(--rem)");
  await import("./snippet-xray.ts");
  if (customElements.get("snippet-xray") === undefined) throw new Error("the drawing's code did not load");
  const view = document.createElement("snippet-xray") as SnippetXray;
  const hostOf = (changer: Changer) => ({ changer, words: figuresOf(language), wrote: () => view.wrote() });
  view.changes = commander === null;
  if (commander === null) {
    const { backend } = await import("./backend.ts");
    view.host = hostOf(backend.changer);
    view.pages = () => (value === null ? null : backend.touchedBy(value));
  } else {
    // A lesson has an engine of its own, and goes without the code for the engine of snippets.
    view.host = hostOf(reading(commander));
  }
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
