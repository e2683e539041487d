/**
 * What a program can find in a course's texts: numbers about data or cost that an author typed where the page has to
 * compute them, numbers without a unit for one, links that lead nowhere, columns without a heading, and links and
 * headings without words.
 *
 * Invariant: pure; looks at the text alone, so limits that are the same everywhere (16 MB) are let alone when they
 * stand in code: `16 MB`.
 */
import type { Tokens } from "marked";
import { blocksOf, decoded, fencedOf, insideOf, plainText, walk } from "./blocks.ts";
import type { Course } from "./course.ts";
import { Faults, type Fault } from "./faults.ts";
import { readLink } from "./links.ts";

const ENGLISH = /\b\d[\d,. ]*\s?(?:documents?|index keys|keys|pages?|bytes?|milliseconds)\b/i;
const CHINESE = /\d[\d,. ]*\s?(?:个文档|份文档|条文档|个键|个索引键|页|个页|字节|毫秒)/;

/** A computed number before its unit, which is wrong where the number is one. */
const BARE_UNIT = /\{\{([^{}:|]+)\}\} (documents?|keys?|pages?|bytes?|commands?|chunks?|shards?)\b/;

/** The faults of a lesson's text that no running of its scripts would show. */
export function lintText(
  { lessons, glossary }: Pick<Course, "lessons" | "glossary">,
  id: string,
  language: string,
  markdown: string,
): readonly Fault[] {
  const faults = new Faults(`${id}/${language}.md`);
  let inTask = false;
  for (const [at, line] of markdown.split("\n").entries()) {
    if (/^```/.test(line)) inTask = line.startsWith("```task");
    const [bare, name, unit = ""] = BARE_UNIT.exec(line) ?? [];
    // The figures of a task are those of its check, which words them.
    if (language.startsWith("en") && bare !== undefined && !inTask)
      faults.add(at + 1, `“${bare}” is wrong where it is one: write {{${name}:${unit.replace(/s$/, "")}|…}}`);
    for (const [, href = ""] of line.matchAll(/\]\(([^)\s]+)\)/g)) {
      const link = readLink(href);
      if (link?.to === "lesson" && !lessons.some((one) => one.id === link.lesson))
        faults.add(at + 1, `this course has no lesson \`${link.lesson}\``);
      if (link?.to === "glossary" && glossary === null) faults.add(at + 1, "this course has no glossary");
    }
  }
  for (const { token, line } of blocksOf(markdown)) {
    // A reader who hears a table hears the heading before each cell.
    if (token.type === "table" && (token as Tokens.Table).header.some(({ tokens }) => plainText(tokens).trim() === ""))
      faults.add(line, "a column of this table has no heading");
    // A link or heading without words cannot be told from others by ear.
    for (const one of walk(token))
      if ((one.type === "link" || one.type === "heading") && plainText(insideOf(one)).trim() === "")
        faults.add(line, `a ${one.type} of this text has no words`);
  }
  return [...typedNumbers(id, language, markdown), ...faults.found];
}

/** The numbers typed into a text. */
export function typedNumbers(id: string, language: string, markdown: string): readonly Fault[] {
  const faults = new Faults(`${id}/${language}.md`);
  for (const block of blocksOf(markdown)) {
    const fenced = fencedOf(block);
    // Of tasks and questions, too, each line is read as text; lines of expressions have none of these words.
    const texts =
      fenced !== null
        ? /^(?:task|question)$/.test(fenced.words[0] ?? "")
          ? fenced.text
              .split("\n")
              .map((text, at) => ({ text: text.replace(/`[^`]*`/g, ""), line: fenced.line + 1 + at }))
          : []
        : [...walk(block.token)]
            .filter((token) => token.type === "text" && insideOf(token).length === 0)
            .map((token) => ({ text: decoded((token as { readonly text: string }).text), line: block.line }));
    for (const { text, line } of texts) {
      const found = ENGLISH.exec(text) ?? CHINESE.exec(text);
      if (found !== null)
        faults.add(line, `“${found[0].trim()}” is typed in: a number about data or cost is computed, as {{ID}}`);
    }
  }
  return faults.found;
}
