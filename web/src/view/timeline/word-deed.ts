/** What a moment's note says, and what going somewhere changed, in the reader's language. */
import type { TimelineMessages } from "../../messages/timeline/words.ts";
import type { Words } from "../../messages/messages.ts";
import type { ChangeCounts, Note } from "../../protocol/moments.ts";

/** What was done, as one line. A script is told by its first line, cut where a line would be too long for a notice. */
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

/** By how much going somewhere changed documents: `from` where they are now to where they were. */
export function wordCounts(t: TimelineMessages, words: Words, { added, removed, changed }: ChangeCounts): string {
  // What the present has and the state before lacks goes, and the other way round.
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

/** What a moment is called: its deed, or that it is what lay before the first change that was kept. */
export function wordMoment(t: TimelineMessages, note: Note, isFirst: boolean): string {
  const isStart = isFirst && note.did === "elsewhere" && note.text === undefined;
  return isStart ? t["moment.start"] : wordDeed(t, note);
}
