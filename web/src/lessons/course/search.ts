/**
 * Finds steps of a course, and entries of its glossary, by words of their texts.
 *
 * Invariant: pure; every word of the query stands in the step, title or text; a step whose title has them comes first,
 * otherwise the order is the course's.
 */
import type { Token, Tokens } from "marked";
import { blocksOf, plainText } from "./blocks.ts";
import type { Lesson } from "./lesson.ts";

/** A part of a course that can be gone to. */
export interface Passage {
  /** The lesson's id; null for the glossary. */
  readonly lesson: string | null;
  /** The step's place in the lesson, counted from 0. */
  readonly step: number;
  readonly title: string;
  readonly text: string;
}

export interface Finding extends Passage {
  /** The text around the first word found, cut into what stands before, in and behind it. */
  readonly around: readonly [string, string, string];
}

/** Letters of text shown before and behind a word that was found. */
const BEFORE = 40;
const BEHIND = 90;
const MOST = 40;

/** The passages of a lesson. Hints are left out, and so is what a task says once it is passed. */
export function passagesOf(lesson: Lesson): readonly Passage[] {
  return lesson.steps.map(({ title, parts }, step) => {
    const tokens = parts.flatMap((part): readonly Token[] =>
      part.kind === "text" ? part.tokens : part.kind === "question" || part.kind === "task" ? part.text : [],
    );
    return {
      lesson: lesson.id,
      step,
      title: plainText(title),
      text: tokens.flatMap(linesOf).map(withoutFigures).join(" "),
    };
  });
}

/** The passages of a glossary: one for each of its list's items. */
export function passagesOfGlossary(markdown: string): readonly Passage[] {
  return blocksOf(markdown)
    .flatMap(({ token }) => (token.type === "list" ? itemsOf(token) : []))
    .map((tokens, step) => {
      const text = plainText(tokens);
      return { lesson: null, step, title: text.split(/[:：]/)[0] ?? "", text };
    });
}

/** The text of a block; of a list the texts of its items, and of a table those of its cells, which stand apart. */
function linesOf(token: Token): readonly string[] {
  if (token.type === "list") return itemsOf(token).map(plainText);
  if (token.type !== "table") return [plainText([token])];
  const { header, rows } = token as Tokens.Table;
  return [header, ...rows].flat().map(({ tokens }) => plainText(tokens));
}

const itemsOf = (token: Token): readonly (readonly Token[])[] =>
  (token as { readonly items: readonly { readonly tokens: readonly Token[] }[] }).items.map(({ tokens }) => tokens);

const withoutFigures = (text: string): string => text.replace(/\{\{[^{}]*\}\}/g, "…");

/** The passages that have every word of a query. */
export function findPassages(query: string, passages: readonly Passage[]): readonly Finding[] {
  const words = query
    .toLocaleLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const [first] = words;
  if (first === undefined) return [];
  const found = passages.flatMap((passage) => {
    const title = passage.title.toLocaleLowerCase();
    const text = passage.text.toLocaleLowerCase();
    if (!words.every((word) => title.includes(word) || text.includes(word))) return [];
    const named = words.filter((word) => title.includes(word)).length;
    const whole = words.join(" ");
    return [
      { named, finding: { ...passage, around: around(passage.text, text, text.includes(whole) ? whole : first) } },
    ];
  });
  return found
    .sort((left, right) => right.named - left.named)
    .slice(0, MOST)
    .map(({ finding }) => finding);
}

function around(text: string, lower: string, word: string): readonly [string, string, string] {
  const at = Math.max(0, lower.indexOf(word));
  const length = lower.includes(word) ? word.length : 0;
  const from = Math.max(0, at - BEFORE);
  const to = at + length + BEHIND;
  return [
    `${from > 0 ? "…" : ""}${text.slice(from, at)}`,
    text.slice(at, at + length),
    `${text.slice(at + length, to)}${to < text.length ? "…" : ""}`,
  ];
}
