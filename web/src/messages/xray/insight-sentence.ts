/**
 * A reading as sentences: the verdict first, then each note.
 *
 * Invariant: chooses among messages by the reading alone, so that the page and the elements say the same of a run.
 */
import type { Note, Reading } from "../../state/insight.ts";
import { cutText } from "../../state/long-text.ts";
import type { InsightMessages } from "./insight-words.ts";

/** Characters of a searched text that are told. */
const longestSearch = 40;

const shortText = (text: string): string => (text.length > longestSearch ? `${cutText(text, longestSearch)}…` : text);

/** How a number is written. */
type Count = (value: number) => string;

/** The sentences of a reading. */
export function sentencesOf(reading: Reading, m: InsightMessages, count: Count): readonly string[] {
  const { since } = reading;
  const verdict = verdictOf(reading, m, count);
  const notes = reading.notes.map((note) => noteOf(note, m, count));
  if (since === undefined) return [verdict, ...notes];
  const { documents, keysExamined, documentsExamined, repeated } = since;
  return [
    m["since.first"](verdict),
    ...notes,
    m[reading.isOfBuckets ? "since.more.buckets" : "since.more"](
      count(documents),
      count(keysExamined),
      count(documentsExamined),
    ),
    ...(repeated === undefined ? [] : [m["since.all"](noteOf(repeated, m, count))]),
  ];
}

/** The word of the figure of pages. */
export function pagesWord({ arePagesRepeated }: Reading, m: InsightMessages): InsightMessages["figure.pages"] {
  return m[arePagesRepeated === true ? "figure.pages.most" : "figure.pages"];
}

/** The word of the figure of documents: what a join read beside a series' buckets are documents again. */
export function documentsWord(
  { isOfBuckets, notes }: Reading,
  m: InsightMessages,
): InsightMessages["figure.documents"] {
  const isMixed = notes.some(({ kind }) => kind === "joined" || kind === "beside");
  return m[isOfBuckets && !isMixed ? "figure.buckets" : "figure.documents"];
}

/** Verdicts on the buckets of a time series; null where the verdict is of no documents. */
function bucketVerdictOf(reading: Reading, m: InsightMessages, count: Count, index: string): string | null {
  const { verdict } = reading;
  const [read, found] = [count(reading.documents), count(reading.found)];
  switch (verdict) {
    case "whole":
    case "part":
    case "clustered":
      return m[`buckets.${verdict}`](read);
    case "scan":
    case "scan-part":
      return m[`buckets.${verdict}`](read, found);
    case "planned-scan":
    case "empty":
      return m[`buckets.${verdict}`];
    case "exact":
    case "exact-keys":
    case "ordered":
      return m["buckets.index"](index, read);
    case "index-and-more":
    case "ordered-and-more":
      return m["buckets.index-and-more"](index, read, found);
    default:
      return null;
  }
}

function verdictOf(reading: Reading, m: InsightMessages, count: Count): string {
  const { verdict } = reading;
  const index = reading.indexes.length === 0 ? m["insight.noIndexName"] : reading.indexes.join(", ");
  const many = reading.indexes.length > 1;
  const [keys, documents, found] = [count(reading.keys), count(reading.documents), count(reading.found)];
  const ofBuckets = reading.isOfBuckets ? bucketVerdictOf(reading, m, count, index) : null;
  if (ofBuckets !== null) return ofBuckets;
  switch (verdict) {
    case "covered":
    case "by-key":
    case "index-none":
    case "planned-index":
      return m[`insight.${verdict}`](index);
    case "exact":
      return many ? m["insight.exact.many"](index) : m["insight.exact"](index);
    case "exact-keys":
      return many
        ? m["insight.exact-keys.many"](index, keys, documents)
        : m["insight.exact-keys"](index, keys, documents);
    case "counted":
    case "distinct":
      return m[`insight.${verdict}`](index, keys);
    case "ordered":
      return m["insight.ordered"](index, documents);
    case "index-and-more":
    case "ordered-and-more":
      return m[`insight.${verdict}`](index, documents, found);
    case "whole":
    case "part":
    case "clustered":
      return m[`insight.${verdict}`](documents);
    case "scan":
    case "scan-part":
      return m[`insight.${verdict}`](documents, found);
    case "stop-words":
    case "excluded-words":
      return m[`insight.${verdict}`](shortText(reading.searched ?? ""));
    case "counter":
    case "by-id":
    case "by-id-missing":
    case "planned-scan":
    case "nothing":
    case "empty":
    case "made":
      return m[`insight.${verdict}`];
  }
}

function noteOf(note: Note, m: InsightMessages, count: Count): string {
  switch (note.kind) {
    case "sorted":
      if (note.documents === null) return m["note.sorted.planned"];
      return note.kept === null
        ? m["note.sorted"](count(note.documents))
        : m["note.sorted.kept"](count(note.documents), count(note.kept));
    case "unpacked":
      return m[note.isChosen ? "note.unpacked.chosen" : "note.unpacked"](count(note.count));
    case "spilled":
      return m["note.spilled"];
    case "skipped":
      return m["note.skipped"](count(note.count));
    case "repeated":
      return m[note.isMost === true ? "note.repeated.most" : "note.repeated"](count(note.count));
    case "sampled":
      return m["note.sampled"](count(note.size), count(note.of));
    case "joined": {
      const { collection, scans, indexes } = note;
      const [times, read] = [count(note.times), count(note.documents)];
      if (scans > 0) return m["note.joined.scans"](collection, count(scans), read);
      if (indexes.length > 0) return m["note.joined"](collection, times, read, indexes.join(", "));
      return m[note.documents === 0 && note.times > 0 ? "note.joined.nothing" : "note.joined.plain"](
        collection,
        times,
        read,
      );
    }
    case "beside":
      return m["note.beside"](note.stages.join(", "), note.keys === 0 ? null : count(note.keys), count(note.documents));
    case "failed":
      return m["note.failed"](note.message);
  }
}
