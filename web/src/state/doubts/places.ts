/**
 * The places of a script's statement at which a change is to be made, and the text to put there.
 *
 * Invariants: pure; the statement is read as the language has it, so that neither a comment nor another text is
 * changed; null where the text of the command does not stand in the statement, or may stand for another thing.
 */
import type { AnyNode } from "acorn";
import type { StatementPlace } from "../../shell/rewritten.ts";
import { rangeOf, type Mending } from "../mending.ts";
import { nameOf, visit } from "../script-tree.ts";
import { wordKey } from "../values.ts";
import type { Change } from "./doubt.ts";

/**
 * How changes are to be made in the script that ran, all together; null where one of them has no place there. They are
 * looked for in the statement, and then in the lines before it, which may hold its filter.
 */
export function mendingOf(source: string, statement: StatementPlace, changes: readonly Change[]): Mending | null {
  const { from, to } = rangeOf(source, statement);
  const own = mendingIn(source.slice(from, to), changes);
  if (own !== null) return { ...own, from: from + own.from, to: from + own.to };
  // The shell's own lines are no JavaScript.
  const before = source.slice(0, to).replace(/^[ \t]*(?:use|show)[ \t].*$/gm, (line) => " ".repeat(line.length));
  const [only, ...more] = editsOf(before, changes) ?? [];
  return only === undefined || more.length > 0 ? null : only;
}

/** The changes of a text, as one. */
export function mendingIn(text: string, changes: readonly Change[]): Mending | null {
  const edits = editsOf(text, changes) ?? [];
  const [first] = edits;
  const last = edits.at(-1);
  if (first === undefined || last === undefined) return null;
  let mended = "";
  let at = first.from;
  for (const edit of edits) {
    mended += text.slice(at, edit.from) + edit.text;
    at = edit.to;
  }
  return { from: first.from, to: last.to, text: mended };
}

/** The places of all changes in their order; null where one has none, or two are at one place. */
function editsOf(text: string, changes: readonly Change[]): readonly Mending[] | null {
  const edits: Mending[] = [];
  for (const change of changes) {
    let own = placesOf(text, change);
    // A name may be given as a text, as to `sort`.
    if (own.length === 0 && change.at === "key") own = placesOf(text, { ...change, at: "text" });
    // A value that stands there twice may be right in one of the places.
    if (own.length === 0 || (change.at === "value" && own.length > 1)) return null;
    edits.push(...own);
  }
  const sorted = edits.toSorted((one, other) => one.from - other.from);
  return sorted.some(({ from }, at) => from < (sorted[at - 1]?.to ?? 0)) ? null : sorted;
}

function placesOf(text: string, change: Change): readonly Mending[] {
  const places: Mending[] = [];
  visit(text, (node) => {
    const edit = editOf(node, text, change);
    if (edit !== null) places.push(edit);
  });
  return places;
}

function editOf(node: AnyNode, text: string, change: Change): Mending | null {
  const { at, wrong, right } = change;
  if (at === "text" && change.of !== undefined) {
    if (node.type !== "Property" || node.computed || nameOf(node) !== change.of) return null;
    const { value } = node;
    return value.type === "Literal" && value.value === wrong
      ? { from: value.start, to: value.end, text: quoted(right, text[value.start] ?? '"') }
      : null;
  }
  if (node.type === "Literal" && typeof node.value === "string" && at === "text" && node.value === wrong)
    return { from: node.start, to: node.end, text: quoted(right, text[node.start] ?? '"') };
  if (at === "function") {
    return node.type === "ArrowFunctionExpression" && text.slice(node.start, node.end) === wrong
      ? { from: node.start, to: node.end, text: right }
      : null;
  }
  if (node.type !== "Property" || node.computed || node.shorthand) {
    if (at !== "value" || node.type !== "Literal" || node.value !== wrong) return null;
    return { from: node.start, to: node.end, text: right };
  }
  if (nameOf(node) !== wrong) return null;
  const { key, value } = node;
  const quote = text[key.start] ?? "";
  const name = /["']/.test(quote) ? quoted(right, quote) : wordKey(right);
  if (at === "key") return { from: key.start, to: key.end, text: name };
  if (at === "list" && value.type === "ArrayExpression")
    return { from: value.start, to: value.end, text: `{ $in: ${text.slice(value.start, value.end)} }` };
  if (at !== "members" || value.type !== "ObjectExpression") return null;
  const members = value.properties.map((member) => {
    if (member.type !== "Property" || member.computed || member.shorthand) return null;
    return `${JSON.stringify(`${wrong}.${nameOf(member) ?? ""}`)}: ${text.slice(member.value.start, member.value.end)}`;
  });
  return members.includes(null) ? null : { from: node.start, to: node.end, text: members.join(", ") };
}

function quoted(text: string, quote: string): string {
  const inside = JSON.stringify(text).slice(1, -1);
  return quote === "'" ? `'${inside.replaceAll('\\"', '"').replaceAll("'", "\\'")}'` : `"${inside}"`;
}
