/**
 * The words of the Watch panel in English. Names of operations are the server's own.
 *
 * Invariant: as `messages/en.ts`; the other tables have exactly these keys.
 */
import { plural } from "../plural.ts";
export const en = {
  title: (name: string) => `Changes of ${name}`,
  close: "Close the watched changes",
  "kind.other": "others",
  "kind.other.hint": "drop, rename, create, createIndexes, modify and others that are of no document",
  "kind.group": "Kinds of events that are listed",
  "do.pause": "Pause",
  "do.go": "Go on",
  "do.clear": "Clear",
  "do.again": "Try again",
  "do.anew": "Watch from now on",
  "do.behind": "Watch it again",
  "do.back": "All events",
  "do.insert": "Put it into the script",

  opening: "Opening the change stream…",
  "live.now": (at: string) => `Live since ${at}`,
  "live.reload": (at: string) => `Live, from where it was before the reload (${at})`,
  "live.pause": (at: string) => `Live, from where it was paused (${at})`,
  "live.end": (at: string) => `Live again, behind what ended it (${at})`,
  paused: (at: string) =>
    `Paused at ${at}. Events since then come when you go on, as far as the deployment keeps them.`,
  "ended.drop": "The collection was dropped: its change stream has ended.",
  "ended.rename": "The collection was renamed: its change stream has ended.",
  "ended.dropDatabase": "The database was dropped: the change stream has ended.",
  "ended.invalidate": "The change stream has ended.",
  "failed.history":
    "Events are lost: the deployment does not keep what followed the last one any more. " +
    "What happens from now on can be watched. More is kept by db.adminCommand({ quireOplog: 1, size: … }).",
  "failed.standalone":
    "This deployment presents itself as a standalone, which has no change streams. They need a replica set.",
  "failed.other": (message: string) => `The change stream has failed: ${message}`,
  memory: "Kept in this tab only: a reload begins anew.",

  count: (count: string) => plural(count, "event"),
  dropped: (count: string, most: string, size: string) =>
    `${plural(count, "older event")} let go: the list holds the newest ${most}, and no more than ${size}.`,
  hidden: (count: string) => `${plural(count, "event")} of other kinds.`,
  "empty.title": "Nothing has changed since.",
  "empty.paused": "Nothing is listed while it is paused.",
  "empty.body": "Changes of scripts here, of other tabs and of menus come as they are made. For example:",
  list: "Events, the newest first",
  cut: (field: string, size: string) => `${field}: cut to ${size}`,
  more: (count: string) => `${count} more`,

  "detail.none": "Choose an event to see the document before and after.",
  "detail.cluster": (time: string) => `cluster time ${time}`,
  "detail.transaction": (number: string) => `in transaction ${number} of its session`,
  "detail.same": "The document before and the one after are alike.",
  "detail.more": (count: string) => `${plural(count, "further field differs", "further fields differ")}.`,
  "detail.set": "What the event tells",
  "detail.removed": "removed",
  "detail.size": (size: string) => `cut to ${plural(size, "element")}`,
  "detail.difference": "Before and after",
  "detail.before": "Document before",
  "detail.after": "Document after",
  "detail.looked": "Document as it was found afterwards",
  "detail.event": "The event as a driver gets it",
  "detail.looked.hint": "Looked up when the event was read, not kept with the change: it may hold later changes, too.",
  "detail.gone": "When the event was read, the document was not there any more.",
  "detail.noAfter": "The document after this change was not kept, or its time is over.",
  "before.off":
    "The document before the change is not known: the collection does not keep documents as they were " +
    "(changeStreamPreAndPostImages).",
  "before.late": "The document before the change is not known: the collection kept none then, or its time is over.",
  "before.keep": "Keep documents before and after from now on",
  "before.readOnly": "Nothing can be changed here, as the deployment is read-only.",
  "before.hint": "They take room until they expire, and writes take longer.",
};
