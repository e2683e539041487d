/**
 * The values of the elements' attributes, read with defaults.
 *
 * Invariant: pure; a value that is not one of those listed counts as the default, as in HTML's own enumerated
 * attributes.
 */
import type { Topology } from "../engine/topology.ts";

/** How a result is drawn: as the shell prints it, or one of four others. */
export const snippetViews = ["text", "tree", "table", "json", "map"] as const;
export type SnippetView = (typeof snippetViews)[number];

/** `auto` follows the `color-scheme` of the place where the element stands. */
export const snippetThemes = ["auto", "light", "dark"] as const;
export type SnippetTheme = (typeof snippetThemes)[number];

/** What an engine presents itself as: the only member of a replica set, or a standalone, which has no transactions. */
export const topologies = ["replicaSet", "standalone"] as const satisfies readonly Topology[];

/** The value of `db` that stands for a database of the snippet's own, made anew for each run. */
export const ISOLATE = "isolate";

/** The database of snippets that name none. */
export const DEFAULT_DATABASE = "test";

export function oneOf<Value extends string>(value: string | null, allowed: readonly Value[]): Value {
  return allowed.find((one) => one === value?.trim().toLowerCase()) ?? (allowed[0] as Value);
}

/** `editable`, `autorun`, `open`: present and not `false`; `absent` is the value where there is no attribute. */
export function flag(value: string | null, absent: boolean): boolean {
  return value === null ? absent : value.trim().toLowerCase() !== "false";
}

/** A length of CSS; a plain number is pixels. */
export function cssLength(value: string | null): string {
  const text = value?.trim() ?? "";
  return /^\d+(\.\d+)?$/.test(text) ? `${text}px` : text;
}

/** The setup that the attribute `setup` names, or its script itself. */
export type Reference = { readonly kind: "id" | "selector" | "script"; readonly text: string };

/** A word is an id, `#…` and `.…` are selectors, and everything else is a script. */
export function readReference(value: string): Reference {
  const text = value.trim();
  if (/^[A-Za-z_][\w-]*$/.test(text)) return { kind: "id", text };
  return { kind: /^[#.][A-Za-z_][\w-]*$/.test(text) ? "selector" : "script", text };
}

/** The ids in `depends-on`, in order: words, each with or without `#`, with spaces or commas between. */
export function readIds(value: string | null): readonly string[] {
  return (value ?? "")
    .split(/[\s,]+/)
    .filter((id) => id !== "")
    .map((id) => id.replace(/^#/, ""));
}
