/** What the line above a result says of how it was answered, in English. */
import { first, plural } from "../plural.ts";

const keys = (count: string): string => plural(count, "key", "keys");
const documents = (count: string): string => plural(count, "document", "documents");
const were = (count: string): string => (count === "1" ? "was" : "were");
const times = (count: string): string => (count === "1" ? "once" : `${count} times`);

export const en = {
  "insight.title": "How it was answered",
  "insight.asking": "Asking for the plan…",
  "insight.refused": (message: string) => `The plan could not be had: ${message}`,
  "insight.covered": (index: string) => `Answered from the index ${index} alone: no document was opened.`,
  "insight.counted": (index: string, count: string) =>
    `Counted by walking ${keys(count)} of the index ${index}: no document was opened.`,
  "insight.distinct": (index: string, count: string) =>
    `Jumped from value to value in the index ${index}: ${keys(count)} looked at.`,
  "insight.counter": "The collection keeps count of its documents: nothing had to be read.",
  "insight.by-id": "One step to the document: its _id was known.",
  "insight.by-key": (index: string) => `One step to the document, through the index ${index}.`,
  "insight.by-id-missing": "One look for the _id: there is no such document.",
  "insight.exact": (index: string) => `The index ${index} led straight to what was wanted, and to nothing else.`,
  "insight.exact-keys": (index: string, count: string, read: string) =>
    `${keys(count)} of the index ${index} ${were(count)} examined for ${documents(read)}, each read once.`,
  "insight.exact-keys.many": (index: string, count: string, read: string) =>
    `${keys(count)} of the indexes ${index} ${were(count)} examined for ${documents(read)}, each read once.`,
  "insight.exact.many": (index: string) => `The indexes ${index} led straight to what was wanted, and to nothing else.`,
  "insight.ordered": (index: string, read: string) =>
    `The index ${index} was walked for its order: ${documents(read)} read, and nothing sorted.`,
  "insight.ordered-and-more": (index: string, read: string, found: string) =>
    `The index ${index} was walked for its order alone: ${documents(read)} read to find ${found}.`,
  "insight.index-and-more": (index: string, read: string, found: string) =>
    `The index ${index} narrowed it to ${documents(read)}, of which ${found} matched.`,
  "insight.index-none": (index: string) => `One look into the index ${index}: no such key.`,
  "insight.whole": (read: string) => `Every document was read, ${read} in all: all were wanted.`,
  "insight.part": (read: string) => `Only the ${first(read, "document")} in stored order had to be read.`,
  "insight.scan": (read: string, found: string) =>
    `Every document was read, ${read} in all, to find ${found}: no index helps this query.`,
  "insight.scan-part": (read: string, found: string) =>
    `Read in stored order until ${found} matched: ${documents(read)} read, no index used.`,
  "insight.clustered": (read: string) => `The collection lies in the order of its _id: ${documents(read)} read.`,
  "insight.planned-index": (index: string) => `It would go through the index ${index}.`,
  "insight.planned-scan": "It would read every document: no index helps this query.",
  "insight.nothing": "Nothing had to be read: nothing can match.",
  "insight.stop-words": (text: string) =>
    `Nothing can match “${text}”: those are stop words alone, too common to be in a text index.`,
  "insight.excluded-words": (text: string) =>
    `Nothing can match “${text}”: a word with - before it only leaves out what other words find.`,
  "insight.empty": "There was no document to read.",
  "insight.made": "No collection was read.",
  "insight.noIndexName": "in use",
  "buckets.whole": (read: string) => `Every bucket was read, ${read} in all.`,
  "buckets.part": (read: string) => `Only the ${first(read, "bucket")} in stored order had to be read.`,
  "buckets.scan": (read: string, found: string) =>
    `Every bucket was read, ${read} in all, of which ${found} could match: no index helps this query.`,
  "buckets.scan-part": (read: string, found: string) =>
    `Read in stored order, ${plural(read, "bucket")}, of which ${found} could match: no index used.`,
  "buckets.clustered": (read: string) => `The series lies in the order of time: ${plural(read, "bucket")} read.`,
  "buckets.index": (index: string, read: string) => `The index ${index} led to ${plural(read, "bucket")}.`,
  "buckets.index-and-more": (index: string, read: string, found: string) =>
    `The index ${index} led to ${plural(read, "bucket")}, of which ${found} could match.`,
  "buckets.planned-scan": "It would read every bucket: no index helps this query.",
  "buckets.empty": "There was no bucket to read.",

  "note.sorted": (count: string) => `${documents(count)} ${were(count)} sorted in memory.`,
  "note.sorted.kept": (count: string, kept: string) =>
    `${documents(count)} went through a sort in memory that keeps the first ${kept}.`,
  "note.sorted.planned": "It is sorted in memory.",
  "note.unpacked": (count: string) => `${plural(count, "reading")} ${were(count)} unpacked.`,
  "note.unpacked.chosen": (count: string) => `Unpacked, ${plural(count, "reading")} matched.`,
  "note.spilled": "Memory did not suffice: it went through temporary pages.",
  "note.skipped": (count: string) => `${count} of them ${were(count)} skipped.`,
  "note.repeated": (count: string) =>
    count === "1" ? "1 key led to a document already seen." : `${count} keys led to documents already seen.`,
  "note.repeated.most": (count: string) =>
    count === "1"
      ? "1 key at most led to a document already seen."
      : `${count} keys at most led to documents already seen.`,
  "note.sampled": (size: string, of: string) => `${size} ${were(size)} drawn by chance from ${of}.`,
  "note.joined": (collection: string, count: string, read: string, index: string) =>
    `${collection} was looked into ${times(count)} through ${index}: ${documents(read)} read.`,
  "note.joined.plain": (collection: string, count: string, read: string) =>
    `${collection} was looked into ${times(count)}: ${documents(read)} read.`,
  "note.joined.nothing": (collection: string, count: string, _read: string) =>
    `${collection} was looked into ${times(count)}, and held nothing to read: is there such a collection?`,
  "note.joined.scans": (collection: string, count: string, read: string) =>
    `${collection} was read whole ${times(count)}: ${documents(read)} in all.`,
  "note.beside": (stages: string, keysRead: string | null, read: string) =>
    `Beside that, ${stages} examined ${keysRead === null ? "" : `${keys(keysRead)} and `}${documents(read)}.`,
  "note.failed": (message: string) => `It did not come to its end: ${message}`,

  "since.first": (sentence: string) => `First batch: ${sentence}`,
  "since.more": (count: string, keysRead: string, read: string) =>
    `For the ${count} after it: ${keys(keysRead)} and ${documents(read)} examined.`,
  "since.more.buckets": (count: string, keysRead: string, read: string) =>
    `For the ${count} after it: ${keys(keysRead)} and ${plural(read, "bucket")} examined.`,
  "since.all": (sentence: string) => `In all: ${sentence}`,
  "since.drawn": "Drawn is the first batch.",

  "figure.keys": (count: string) => keys(count),
  "figure.documents": (count: string) => documents(count),
  "figure.buckets": (count: string) => plural(count, "bucket"),
  "figure.pages": (count: string) => plural(count, "page", "pages"),
  "figure.pages.most": (count: string) => `at most ${plural(count, "page", "pages")}`,
  "figure.returned": (count: string) => `${count} returned`,
  "figure.label": "Examined and returned",

  "insight.suggest": "An index that would help:",
  "insight.suggest.branches": (one: boolean): string =>
    one
      ? "Every branch of $or needs an index, and one has none:"
      : "Every branch of $or needs an index, and these have none:",
  "insight.try": "Put it in the script",
  "insight.open": "How it ran",
  "insight.pipeline": "The pipeline, stage by stage",
  "insight.ring": "The collection as a ring",
  "insight.dial": "When documents expire",
  "insight.compare": "Compare on a fork",
  "insight.pages": "Pages it touched",
  "insight.lookup": "The look-up on a map",
  "insight.tree": (index: string) => `The index ${index} as a tree`,
  "insight.records": (collection: string) => `The documents of ${collection} as a tree`,
  "insight.unfetched": (message: string) => `This drawing could not be fetched: ${message}`,
  "insight.again": "Try again",
  "insight.close": "Close",

  "title.ring": (collection: string) => `${collection} as a ring`,
  "title.dial": (collection: string, index: string) => `When documents of ${collection} expire (${index})`,
  "title.tree": (name: string) => `The tree of ${name}`,
  "title.lookup": "The cells of the look-up",
  "title.pages": "All pages of the deployment",
};
