/**
 * The kinds of entries, by the sections of COMPAT.md and the shell's prefixes.
 *
 * Invariant: every row of a table of names has one kind; `kinds` is the order in which a reader finds them.
 */
import type { CompatRow } from "./compat.ts";

/** The kinds of entries. */
export const kinds = [
  "query",
  "projection",
  "update",
  "stage",
  "accumulator",
  "window",
  "expression",
  "index",
  "option",
  "command",
  "database",
  "collection",
  "cursor",
  "bulk",
  "planCache",
  "mongo",
  "quire",
  "clock",
  "global",
] as const;
export type ReferenceKind = (typeof kinds)[number];

const sections: Readonly<Record<string, ReferenceKind>> = {
  Commands: "command",
  "Query operators": "query",
  Projection: "projection",
  "Update operators": "update",
  Stages: "stage",
  Accumulators: "accumulator",
  "Window operators": "window",
  Expressions: "expression",
  "Index kinds and options": "index",
  "Method options": "option",
};

/** The beginnings of the shell's names, the longest first. */
const prefixes: readonly (readonly [string, ReferenceKind])[] = [
  ["db.collection.", "collection"],
  ["db.", "database"],
  ["cursor.", "cursor"],
  ["Bulk.", "bulk"],
  ["Mongo.", "mongo"],
  ["PlanCache.", "planCache"],
  ["quire.", "quire"],
  ["clock.", "clock"],
];

/** A row's kind, and the name by which the tables of texts know it: a method's without object and parentheses. */
export function kindOfRow({ section, name }: CompatRow): { readonly kind: ReferenceKind; readonly key: string } {
  const kind = sections[section];
  if (kind !== undefined) return { kind, key: name };
  if (section !== "Shell") throw new Error(`no kind of entries for the section ${section}`);
  const [prefix, method] = prefixes.find(([one]) => name.startsWith(one)) ?? ["", "global" as const];
  return { kind: method, key: name.slice(prefix.length).replace(/\(\)$/, "") };
}

/**
 * The entry's id of a name as the editor knows it: an operator by where it stands, a method by the object it is called
 * on.
 */
export function idOf(kind: ReferenceKind, key: string): string {
  const prefix = prefixes.find(([, one]) => one === kind)?.[0];
  return `${kind}/${prefix === undefined ? key : `${prefix}${key}()`}`;
}
