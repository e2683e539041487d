/**
 * Numbers about data or cost that an author typed into a text, where the page has to compute them.
 *
 * Invariant: pure; looks at the text alone, so limits that are the same everywhere (16 MB) are let alone when they
 * stand in code: `16 MB`.
 */
import { blocksOf, decoded, fencedOf, insideOf, walk } from "./blocks.ts";
import { Faults, type Fault } from "./faults.ts";

const ENGLISH = /\b\d[\d,. ]*\s?(?:documents?|index keys|keys|pages?|bytes?|milliseconds)\b/i;
const CHINESE = /\d[\d,. ]*\s?(?:个文档|份文档|条文档|个键|个索引键|页|个页|字节|毫秒)/;

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
