/**
 * The notice of a part of the page that could not be fetched: it can be asked for again, and a reload is the sure
 * remedy.
 *
 * Invariant: every fetch of the built page is seen, as its loader tells of each failure (`vite:preloadError`).
 */
import { wordsOf } from "../messages/messages.ts";
import type { Action } from "../state/actions.ts";
import { isMissedPart, markTold, notePart } from "../state/missed-parts.ts";
import type { Services } from "./element.ts";

type Teller = Pick<Services, "store" | "controller">;

/** Tells that a part is missing. `again` is the reader's action that wanted it. */
export function tellMissed({ store, controller }: Teller, failure: unknown, again?: Action): void {
  markTold(failure);
  const { settings, notice } = store.state;
  // Several files of one part may fail; the notice stands already.
  if (notice?.reload === true && again === undefined) return;
  const { m } = wordsOf(settings.language);
  const offer = again === undefined ? undefined : { label: m["part.again"], action: again };
  controller.notice("bad", m["part.missed"], offer, true);
}

/** Follows the fetches of the page's parts; gives the function that names who tells, which the first ones wait for. */
export function followParts(): (teller: Teller) => void {
  let waiting: unknown = null;
  let teller: Teller | null = null;
  addEventListener("vite:preloadError", (event) => {
    const { payload } = event as Event & { readonly payload: unknown };
    notePart(payload, () => {
      if (teller === null) waiting = payload;
      else tellMissed(teller, payload);
    });
  });
  // It was told: a promise of it that nothing waits for is no mistake of the page.
  addEventListener("unhandledrejection", (event) => {
    if (isMissedPart(event.reason)) event.preventDefault();
  });
  return (given) => {
    teller = given;
    if (waiting !== null) tellMissed(given, waiting);
  };
}
