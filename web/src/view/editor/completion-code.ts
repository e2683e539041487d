/**
 * The code of the list of names: the tables of names and the words about operators, which the first completion fetches,
 * and nothing before the first script is run.
 *
 * Invariant: what cannot be had, as in a page that is just left, is null, and the list then stays closed.
 */
import type { Language } from "../../state/settings.ts";

/** What makes the list and words of a language, or null where the code cannot be had. */
export async function completionCode(language: Language) {
  try {
    const [{ offer }, { operatorHelp }] = await Promise.all([import("./offering.ts"), import("./operator-help.ts")]);
    return { offer, help: await operatorHelp(language) };
  } catch {
    return null;
  }
}
