/**
 * Fetches what draws the insides of a snippet's result, and makes a drawing of it.
 *
 * Invariant: fails where the drawing cannot be had, as where the page's Trusted Types do not let Lit make markup.
 */
import { figuresOf } from "../messages/figures.ts";
import type { ScriptCursor } from "../protocol/run.ts";
import type { Changer, Commander } from "../state/data/ask.ts";
import type { Plan } from "../state/plan.ts";
import type { Language } from "../state/settings.ts";
import { setRem } from "../xray/rem.ts";
import type { SnippetXray } from "./snippet-xray.ts";

/** Draws a plan, and what else there is to see beside it: of the page's one engine, or with commands that only read. */
export async function drawXray(
  plan: Plan,
  cursor: ScriptCursor | null,
  language: Language,
  commander: Commander | null,
): Promise<SnippetXray> {
  // As the element's own sheet has it.
  setRem("var(--rem)");
  await import("./snippet-xray.ts");
  if (customElements.get("snippet-xray") === undefined) throw new Error("the drawing's code did not load");
  const view = document.createElement("snippet-xray") as SnippetXray;
  const { backend } = await import("./backend.ts");
  const changer = commander === null ? backend.changer : reading(commander);
  view.changes = commander === null;
  view.host = { changer, words: figuresOf(language), wrote: () => view.wrote() };
  view.lang = language;
  view.plan = plan;
  view.cursor = cursor;
  view.pages = () => (commander === null && cursor !== null ? backend.touchedBy(cursor) : null);
  return view;
}

/** A commander whose data no drawing changes. */
function reading(commander: Commander): Changer {
  return {
    commandBytes: (command) => commander.commandBytes(command),
    changeBytes: () => Promise.reject(new Error("nothing is changed from here")),
  };
}
