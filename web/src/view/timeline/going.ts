/**
 * Undo and redo as the reader meets them: a notice of the changes undone, with a button to redo them; or a question
 * where more changes would go than the reader may think.
 *
 * Invariant: every outcome is told, a failure too; another tab's change is not undone without a question.
 */
import { wordsOf } from "../../messages/messages.ts";
import { timelineMessagesOf } from "../../messages/timeline/words.ts";
import type { Travelled } from "../../protocol/moments.ts";
import { wordFailure } from "../../state/controller.ts";
import type { Going } from "../../state/model.ts";
import type { Services } from "../element.ts";
import { wordCounts, wordDeed } from "./word-deed.ts";

/** Letters of a script's line in a notice. */
const NOTICE_LETTERS = 48;
/** How many changes a question names. */
const NAMED = 3;

/** Undoes or redoes changes, and tells the outcome in a notice. */
export async function go(services: Services, going: Going): Promise<void> {
  const { store, controller } = services;
  let gone: Travelled | null = null;
  try {
    gone = await controller.travel(going);
  } catch (error) {
    controller.notice("bad", wordFailure(error));
  }
  const moments = gone?.kind === "done" ? gone.changes.map(({ number }) => number) : [];
  store.dispatch({ kind: "going-over", moments, undone: going.to === "undo" });
  if (gone !== null) tell(services, going, gone);
}

function tell({ store, controller }: Services, going: Going, gone: Travelled): void {
  const { language } = store.state.settings;
  const t = timelineMessagesOf(language);
  const words = wordsOf(language);
  const back = (to: Going["to"]) => ({ kind: "going-asked", going: { to, of: null, sure: [] } }) as const;
  if (gone.kind === "nothing") {
    const { why } = gone;
    const none = going.to === "redo" ? t["go.nothing.redo"] : t["go.nothing"];
    return controller.notice("plain", why === "first" ? none : t[why === "gone" ? "go.gone" : "go.not-here"]);
  }
  const count = gone.changes.length;
  const named = gone.changes.map(({ note }) => wordDeed(t, note, NOTICE_LETTERS));
  if (gone.kind === "asks") {
    const sure = gone.changes.map(({ number }) => number);
    const some = named.slice(0, NAMED).join("; ") + (count > NAMED ? "; …" : "");
    return controller.notice("plain", count === 1 ? t["go.asks"](some) : t["go.asks.many"](words.number(count), some), {
      label: count === 1 ? t["go.asks.undo"] : t["go.asks.undo.many"](words.number(count)),
      action: { kind: "going-asked", going: { ...going, sure } },
    });
  }
  const { added, removed, changed, pages } = gone.counts;
  // The counts are of the state gone to against the present, for a redo as for an undo.
  const counts = wordCounts(t, words, { added, removed, changed, pages });
  const [first = ""] = named;
  if (going.to === "redo")
    return controller.notice("good", t["go.redone"](first, counts), { label: t["go.undo"], action: back("undo") });
  controller.notice(
    "good",
    count === 1 ? t["go.undone"](first, counts) : t["go.undone.many"](words.number(count), counts),
    { label: t["go.redo"], action: back("redo") },
  );
}

/** Says that a change cannot be undone. */
export function tellUnkept({ store, controller }: Services, reason: string): void {
  controller.notice("bad", timelineMessagesOf(store.state.settings.language)["go.unkept"](reason));
}
