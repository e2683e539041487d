/**
 * Slips of a beginner that the parser meets as an unexpected sign: a bracket or a comma left out, a comparison in the
 * place of an operator, a dotted name without quotes.
 *
 * Invariant: pure; a slip is told only where the text around the sign is plainly of its kind.
 */
import { tokenizer, tokTypes } from "acorn";
import { memberOf } from "../../state/comparisons.ts";
import type { Mending } from "../../state/mending.ts";

export interface Slip {
  readonly kind: "bracket" | "unopened" | "comma" | "comparison" | "dotted";
  /** The place to be marked. */
  readonly from: number;
  readonly to: number;
  /** The text that is missing or should stand there; of `unopened` the sign that stands there. */
  readonly text: string;
  /** The offset of the bracket that is open; null where the slip is of another kind. */
  readonly open: number | null;
  readonly mending: Mending | null;
}

const closings: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
/** A value that is told by its text. */
const value =
  /^\s*("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|-?[\d.]+|true|false|null|(?:new )?(?:\w*Date|ObjectId)\([^()\n]*\))/;

/** The slip at the place where the parser stopped; null where there is none. */
export function slipAt(source: string, at: number): Slip | null {
  const brackets = openBrackets(source, at);
  const open = brackets.at(-1) ?? null;
  const [before, after] = [source.slice(0, at), source.slice(at)];
  const sign = after[0] ?? "";
  if (/[)\]}]/.test(sign)) {
    if (open === null) return { kind: "unopened", from: at, to: at + 1, text: sign, open, mending: null };
    const closing = brackets.map((one) => closings[source[one] ?? ""] ?? "");
    const missing = closing.slice(closing.lastIndexOf(sign) + 1).reverse();
    // A sign of another kind than all that is open may be a slip of its own.
    if (missing.length === 0 || !closing.includes(sign)) return null;
    const text = missing.join(" ");
    // On its own line the sign keeps its place.
    const end = before.trimEnd().length;
    const mending = before.slice(end).includes("\n")
      ? { from: at, to: at, text: missing.join("") }
      : { from: end, to: at, text: text.startsWith("}") ? ` ${text}` : text };
    return { kind: "bracket", from: at, to: at + 1, text, open, mending };
  }
  if (open === null) return null;
  if (source[open] === "{") {
    const member = dotted(before, after) ?? compared(before, after);
    if (member !== null) {
      const { kind, text, from, to } = member;
      return { kind, from: at, to: at + 1, text, open, mending: { from, to, text } };
    }
  }
  const isNext = source[open] === "{" ? /^(?:[\w$]+|"[^"\n]*"|'[^'\n]*')\s*:/.test(after) : sign === "{";
  if (!isNext || !/[\w"'\])}]\s*$/.test(before)) return null;
  const end = before.trimEnd().length;
  const text = /^(?:[\w$]+|"[^"\n]*"|'[^'\n]*'|\{)/.exec(after)?.[0] ?? sign;
  return { kind: "comma", from: at, to: at + text.length, text, open, mending: { from: end, to: end, text: "," } };
}

type Member = Pick<Slip, "kind" | "text" | "from" | "to">;

/** `{ lines.product: 3 }`. */
function dotted(before: string, after: string): Member | null {
  const head = /[A-Za-z_$][\w$]*$/.exec(before)?.[0];
  const rest = /^((?:\.(?:[\w$]+|\$\[\w*\]))+)\s*:/.exec(after)?.[1];
  if (head === undefined || rest === undefined) return null;
  const from = before.length - head.length;
  return { kind: "dotted", text: JSON.stringify(head + rest), from, to: before.length + rest.length };
}

/** `{ total > 500 }`, `{ total: >= 500 }`. */
function compared(before: string, after: string): Member | null {
  const head = /([A-Za-z_$][\w$]*|"[^"\n]*"|'[^'\n]*')\s*:?\s*$/.exec(before);
  const operator = /^(?:===?|!==?|>=?|<=?|=[<>]?)/.exec(after)?.[0];
  const given = operator === undefined ? undefined : value.exec(after.slice(operator.length));
  if (head === null || operator === undefined || given == null) return null;
  const text = memberOf((head[1] ?? "").replace(/^["']|["']$/g, ""), operator, given[1] ?? "");
  if (text === null) return null;
  return { kind: "comparison", text, from: head.index, to: before.length + operator.length + given[0].length };
}

/** The brackets that are open at a place, the outermost first; none where the script cannot be read so far. */
export function openBrackets(source: string, at: number): readonly number[] {
  const open: number[] = [];
  const opening = new Set([tokTypes.parenL, tokTypes.bracketL, tokTypes.braceL, tokTypes.dollarBraceL]);
  const closing = new Set([tokTypes.parenR, tokTypes.bracketR, tokTypes.braceR]);
  try {
    for (const { type, start } of tokenizer(source, { ecmaVersion: "latest", allowHashBang: true })) {
      if (start >= at) break;
      if (opening.has(type)) open.push(type === tokTypes.dollarBraceL ? start + 1 : start);
      else if (closing.has(type)) open.pop();
    }
  } catch {
    return [];
  }
  return open;
}
