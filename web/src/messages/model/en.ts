/**
 * The words of the model view in English.
 *
 * Invariant: as `messages/en.ts`; the other tables have exactly these keys.
 */
import { plural } from "../plural.ts";
export const en = {
  "model.reading": "Reading…",
  "model.sample": (name: string, done: string, of: string) => `Drawing a sample of ${name} (${done} of ${of})…`,
  "model.match": (name: string) => `Looking for values that are keys of ${name}…`,
  "model.count": (name: string, done: string, of: string) => `Counting ${name}: ${done} of ${plural(of, "document")}…`,
  "model.measure": (name: string, done: string, of: string) =>
    `Measuring the references of ${name} (${done} of ${of})…`,
  "model.stop": "Stop",
  "model.stopped": "Reading was stopped: what is not measured says so.",
  "model.again": "Read again",
  "model.changed": "The data has changed since.",
  "model.empty": "This database has no collections",
  "model.empty.hint":
    "Once there are documents, their fields, types and shares are drawn here, and the references in their values.",
  "model.collections": (count: string, one: boolean) => (one ? "1 collection" : `${count} collections`),
  "model.references": (count: string, one: boolean) => (one ? "1 reference" : `${count} references`),
  "model.shown": "What is shown",
  "model.drawing": "Drawing",
  "model.list": "List",
  "model.drawing.label": "The model as a drawing",
  "model.drawing.keys": "Arrows go from one to the next, Shift and arrows move a box, Enter opens, + and − zoom.",
  "model.smaller": "Smaller",
  "model.larger": "Larger",
  "model.whole": "The whole drawing",
  "model.tidy": "Boxes back to their places",
  "model.legend.figures": "1 : 0–8  how many there are at each end of a line, least to most",
  "model.legend.found": "found",
  "model.legend.confirmed": "confirmed",
  "model.legend.dangling": "with values that are nobody’s key",
  "model.legend.view": "a view, and what it is made from",

  "box.documents": (count: string, one: boolean) => (one ? "1 document" : `${count} documents`),
  "box.sample": (documents: string, looked: string) => `${documents}, ${looked} looked at`,
  "box.capped": (documents: string) => `${documents} · capped`,
  "box.timeseries": (documents: string) => `${documents} · time series`,
  "box.view": (documents: string, source: string) => `${documents} · view of ${source}`,
  "box.failed": "could not be read",
  "box.more": (count: string) => `${plural(count, "more field")}…`,
  "box.fewer": "fewer fields",
  "box.nothing": "no fields",

  "kind.one-to-one": "one to one",
  "kind.one-to-few": "one to few",
  "kind.one-to-many": "one to many",
  "kind.one-to-very-many": "one to very many",
  "kind.few-to-many": "many to many",

  "line.spoken": (from: string, path: string, to: string, key: string) =>
    `${path} of ${from} refers to ${key} of ${to}`,
  "line.dangles": (share: string) => `${share} of the values are nobody’s key`,
  "line.unmeasured": "not measured",
  "line.failed": (reason: string) => `It could not be measured: ${reason}`,
  "line.matched": (matched: string, looked: string, share: string) =>
    `${matched} of ${plural(looked, "sampled value is a key", "sampled values are keys")} (${share}).`,
  "line.children": (to: string, from: string, least: string, median: string, most: string) =>
    `Each document of ${to} is referred to by ${least} to ${most} of ${from} (median ${median}).`,
  "line.children.same": (to: string, from: string, count: string) =>
    `Each document of ${to} is referred to by ${count} of ${from}.`,
  "line.parents": (from: string, to: string, least: string, median: string, most: string) =>
    `Each document of ${from} refers to ${least} to ${most} of ${to} (median ${median}).`,
  "line.parents.same": (from: string, to: string, count: string) =>
    `Each document of ${from} refers to ${count} of ${to}.`,
  "line.alone": (count: string, of: string, to: string) =>
    `None refers to ${count} of the ${plural(of, "document")} of ${to}.`,
  "line.dangling": (count: string, of: string, uses: string, all: string) =>
    `Dangling, nobody’s key: ${count} of ${plural(of, "different value")}, ${uses} of ${plural(all, "reference")}.`,
  "line.sound": (count: string, one: boolean) =>
    one ? "Its one value is a key." : `All ${count} different values are keys.`,
  "line.confirm": "Confirm",
  "line.confirmed": "Confirmed",
  "line.unconfirm": "Not confirmed after all",
  "line.hide": "Hide",
  "line.show": "Show",
  "line.name": "Name",
  "line.name.placeholder": "such as “placed by”",
  "line.name.save": "Keep the name",

  "facts.references": "References",
  "facts.none": "No values were found that are keys of a collection.",
  "facts.unsearched": "Not looked for yet.",
  "facts.doubtful": (count: string) => `Perhaps by chance (${count})`,
  "facts.doubtful.hint":
    "These values are keys too, but their names say nothing of it: small numbers are found everywhere.",
  "facts.untold": (count: string) =>
    `${plural(count, "weaker match of that kind is", "weaker matches of that kind are")} not listed.`,
  "facts.hidden": (count: string) => `Hidden (${count})`,
  "facts.collections": "Collections",
  "facts.scale": (few: string, many: string) =>
    `Few are up to ${few}, many up to ${many}; the most there are of one decides.`,
  "facts.field": "Field",
  "facts.types": "Types",
  "facts.share": "Present",
  "facts.length": "Elements",
  "facts.always": "always",
  "facts.lengths": (least: string, median: string, most: string, kind: string) =>
    `${least} to ${most}, median ${median} (${kind})`,
  "facts.expand": "All fields in the drawing",
  "facts.fold": "Fewer fields in the drawing",
  "facts.fields": (name: string) => `Fields of ${name}`,
  "facts.omitted": (count: string) => `and ${plural(count, "name")} more: names are data here`,
  "svg.save": "Save as SVG",
  "svg.about": (summary: string, date: string) => `${summary}. Drawn from the data on ${date}.`,

  "rules.open": "Validators…",
  "rules.title": "Validators from the data",
  "rules.about":
    "What the documents have in common, as a JSON Schema: the types that were found, and as required what every " +
    "document has. Other fields stay allowed.",
  "rules.back": "Back to the model",
  "rules.collections": "Collections",
  "rules.whole": (documents: string) => `${documents}, all of them looked at`,
  "rules.part": (documents: string, looked: string) =>
    `${looked} of ${documents} ${looked === "1" ? "was" : "were"} looked at, so nothing is required`,
  "rules.replaces": "takes the place of a validator",
  "rules.none": "No collection has documents to describe.",
  "rules.anyNumber": "Fields with numbers take numbers of any type",
  "rules.script": "The script",
  "rules.head": (database: string) => `Validators of ${database}, from its documents.`,
  "rules.tab": "Open as a script",
  "rules.copy": "Copy",
  "rules.copied": "Copied.",
  "rules.copyFailed": "The browser did not allow copying. The script is selected.",
  "rules.save": "Save as a file",
  "rules.check": "Check the documents",
  "rules.checking": (name: string) => `Checking ${name}…`,
  "rules.passes": (count: string, one: boolean) => (one ? "its one document passes" : `all ${count} documents pass`),
  "rules.fails": (count: string, of: string, example: string) =>
    `${count} of ${plural(of, "document")} ${count === "1" ? "fails" : "fail"}, such as the one with _id ${example}`,
  "rules.apply": (count: string, one: boolean) => (one ? "Apply to 1 collection" : `Apply to ${count} collections`),
  "rules.applied": (names: string) => `${names}: validated from now on. Undo takes it back.`,

  "facts.unkept": (reason: string) => `This is not kept: ${reason}`,
};
