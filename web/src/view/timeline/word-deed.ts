/** The words for a moment's note, and for the changes of an undo or redo, in the reader's language. */
import type { TimelineMessages } from "../../messages/timeline/words.ts";
import type { Words } from "../../messages/messages.ts";
import type { ChangeCounts, Note } from "../../protocol/moments.ts";

/** A note's deed as one line. A script is told by its first line, cut to `most` characters for a notice. */
export function wordDeed(
  t: TimelineMessages,
  { did, text = "", on = "" }: Note,
  most = Number.POSITIVE_INFINITY,
): string {
  const letters = [...text];
  const short = letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : text;
  // A script's first line speaks for itself, and so do the words of a driver.
  return did === "run" || (did === "elsewhere" && text !== "") ? short : t[`deed.${did}`](short, on);
}

/** The numbers of documents that an undo or redo brought back, removed and changed, as one line. */
export function wordCounts(t: TimelineMessages, words: Words, { added, removed, changed }: ChangeCounts): string {
  // Documents that the present has and the state gone to lacks go, and the other way round.
  const parts: readonly (readonly [number, "counts.back" | "counts.gone" | "counts.other"])[] = [
    [removed, "counts.back"],
    [added, "counts.gone"],
    [changed, "counts.other"],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, key]) => t[key](words.number(count), words.one(count)))
    .join(", ");
}

/** A moment's title: its deed, or for the first one that it is the state before the first kept change. */
export function wordMoment(t: TimelineMessages, note: Note, isFirst: boolean): string {
  const isStart = isFirst && note.did === "elsewhere" && note.text === undefined;
  return isStart ? t["moment.start"] : wordDeed(t, note);
}
