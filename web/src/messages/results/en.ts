/**
 * The words of results in English, fetched with what draws them.
 *
 * Invariant: as `messages/en.ts`; the other tables have exactly these keys.
 */
import { first, plural } from "../plural.ts";
export const en = {
  statements: "Statements",
  "statement.line": (line: string) => `line ${line}`,
  "statement.documents": (count: string, more: boolean) =>
    more ? first(count, "document") : plural(count, "document"),
  "statement.engine": (time: string, commands: string, one: boolean) =>
    `${time} in the engine, ${commands} ${one ? "command" : "commands"}`,
  "statement.pages": (count: string, one: boolean) => (one ? `${count} page` : `${count} pages`),
  "statement.account": (documents: string, keys: string, written: string) =>
    `documents examined: ${documents}, keys examined: ${keys}, pages written: ${written}`,
  "statement.large": "too large to be kept beside the others",
  "statements.leftOut": (count: string, one: boolean) =>
    one ? `${count} statement between is not kept.` : `${count} statements between are not kept.`,
  stayed: (told: string) => `Written before it ended, and kept: ${told}`,
  "written.documents": (count: string) => count,
  "written.buckets": (count: string) => plural(count, "bucket"),
  "written.readings": (readings: string, buckets: string) =>
    `${plural(readings, "reading")} (${plural(buckets, "bucket")})`,
  "written.inserted": (count: string, where: string) => `inserted ${count} into ${where}`,
  "written.updated": (count: string, where: string) => `updated ${count} in ${where}`,
  "written.deleted": (count: string, where: string) => `deleted ${count} from ${where}`,
  "written.expired": (count: string, where: string) => `expired in ${where}: ${count}`,
  "written.overwritten": (count: string, where: string) => `oldest overwritten in ${where}: ${count}`,
  "written.created": (_: string, where: string) => `created ${where}`,
  "written.dropped": (_: string, where: string) => `dropped ${where}`,
  "written.indexed": (count: string, where: string) => `indexes made on ${where}: ${count}`,
  "written.unindexed": (count: string, where: string) => `indexes dropped from ${where}: ${count}`,
  "written.renamed": (_: string, where: string, from: string) => `renamed ${from} to ${where}`,
  "written.changed": (_: string, where: string) => `changed ${where}`,
  "written.replaced": (count: string, where: string) => `filled ${where} anew: ${count}`,
  "written.restored": (_: string, where: string) => `brought ${where} back`,

  gone: "deleted",
  "gone.count": (count: string) => `${count} deleted`,
  "array.documents": (count: string, one: boolean) => (one ? `${count} document` : `${count} documents`),
  "array.values": (count: string, one: boolean) => (one ? `${count} value` : `${count} values`),

  "text.start": (count: string) => `The ${first(count, "character")}.`,
  "text.all": "Show all",
  "text.cut": (count: string) => plural(count, "character"),

  fill: "Fill the pane",
  unfill: "Show all results again",
  "print.more": (count: string) => `${plural(count, "more is", "more are")} not printed; Export has them all.`,
  again: "Run again",
  lost: "This value was too large to be kept over the reload.",
  "lost.documents": (count: string) =>
    count === "1"
      ? "The document that it found was too large to be kept over the reload."
      : `The ${count} documents that it found were too large to be kept over the reload.`,
  "ended.cut": (kept: string, all: string) =>
    `Only ${kept} of the ${plural(all, "fetched document")} ${kept === "1" ? "was" : "were"} kept over the reload.`,
  "ended.more": "There were more: the cursor is closed since the reload.",

  "column.menu": (name: string) => `Column ${name}`,
  "column.up": "Sort upwards",
  "column.down": "Sort downwards",
  "column.unsorted": "As it came",
  "column.pin": "Pin to the left",
  "column.unpin": "Unpin",
  "column.hide": "Hide",
  "column.wider": "Wider",
  "column.narrower": "Narrower",
  "column.fit": "Fit to its values",
  "sorted.up": (column: string) => `Sorted by ${column}, upwards.`,
  "sorted.down": (column: string) => `Sorted by ${column}, downwards.`,
  "sorted.fetched": (count: string) =>
    `Only the ${plural(count, "document fetched so far is", "documents fetched so far are")} sorted.`,
  "sorted.ask": "Run it with this order",
  "hidden.count": (count: string, one: boolean) =>
    one ? `${count} column is hidden:` : `${count} columns are hidden:`,
  "hidden.show": (column: string) => `Show the column ${column}`,
};
