/**
 * The words around the reference in English; what its entries say is in `lines-en.ts` and `messages/operators`.
 *
 * Invariant: as `messages/en.ts`; the other tables have exactly these keys.
 */
import { plural } from "../plural.ts";

export const en = {
  "page.title": "Reference – Quire",
  "page.entry": (name: string) => `${name} – Reference – Quire`,
  "page.playground": "Playground",
  "page.tutorial": "Tutorial",
  "page.lab": "Model lab",
  title: "Reference",
  about:
    "Every operator, stage, method, command and option that MongoDB 8.0 has: what this database does of it, " +
    "and an example that runs here.",
  search: "Search names and what they do",
  "filter.kind": "Kind",
  "filter.support": "Support",
  "filter.all": "All kinds",
  "support.all": "All",
  "support.supported": "Supported",
  "support.partial": "In part",
  "support.absent": "Not supported",
  found: (count: string) => plural(count, "name"),
  "found.none": "Nothing is called so, and no sentence here says it.",
  names: "Names",
  back: "All names",
  syntax: "Syntax",
  example: "Example",
  "entry.refusal": "How it is refused",
  "entry.note": "Note",
  "entry.methods": "Methods that take it",
  "entry.options": "Options",
  also: "The same name is also:",
  open: "Open in playground",
  "open.hint": "Opens a new tab. The script uses the database quire_reference, and empties it first.",
  unknown: (name: string) => `There is no entry called “${name}”.`,
  "kind.query": "Query operator",
  "kind.projection": "Projection",
  "kind.update": "Update",
  "kind.stage": "Stage",
  "kind.accumulator": "Accumulator",
  "kind.window": "Window operator",
  "kind.expression": "Expression",
  "kind.index": "Index",
  "kind.option": "Option of a method",
  "kind.command": "Command",
  "kind.database": "Method of db",
  "kind.collection": "Method of a collection",
  "kind.cursor": "Method of a cursor",
  "kind.bulk": "Method of a bulk write",
  "kind.planCache": "Method of a plan cache",
  "kind.mongo": "Method of a connection",
  "kind.quire": "Method of quire",
  "kind.clock": "Method of clock",
  "kind.global": "Name of the shell",
};
