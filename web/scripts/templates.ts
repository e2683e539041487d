/**
 * Takes out of Lit's templates the white space that stands there for readers of the source: in styles all that does not
 * separate, in markup the spaces between the attributes of a tag.
 *
 * Example: `<b class="a"⏎    title=${t}>x</b>` becomes `<b class="a" title=${t}>x</b>`. Invariant: white space outside
 * tags stays as it is, since between words and inline elements it is drawn.
 */
import type { Plugin } from "vite";

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}
interface Template extends Node {
  readonly tag: Node & { readonly name?: string };
  readonly quasi: { readonly quasis: readonly (Node & { readonly value: { readonly raw: string } })[] };
}

/** Without white space around braces, semicolons and commas and behind colons, with one blank elsewhere; texts stay. */
export function shortStyles(pieces: readonly string[]): string[] {
  const shorter = (text: string): string =>
    text
      .replace(/\/\*.*?\*\//gs, "")
      .replace(/\s+/g, " ")
      .replace(/ ?([{};,]) ?/g, "$1")
      .replaceAll(": ", ":")
      .replaceAll(";}", "}");
  return pieces.map((piece, place) => {
    const made = piece
      .split(/("[^"]*"|'[^']*')/)
      .map((part, index) => (index % 2 === 1 ? part : shorter(part)))
      .join("");
    return place === 0 ? made.trimStart() : made;
  });
}

/** With one blank where white space is between the attributes of a tag, and none before its end. */
export function shortMarkup(pieces: readonly string[]): string[] {
  let inTag = false;
  let quote = "";
  return pieces.map((piece) => {
    let made = "";
    for (let at = 0; at < piece.length; at++) {
      const character = piece[at] as string;
      if (!inTag) inTag = character === "<" && /[a-z/]/i.test(piece[at + 1] ?? "");
      else if (quote !== "") quote = character === quote ? "" : quote;
      else if (character === '"' || character === "'") quote = character;
      else if (character === ">") inTag = false;
      else if (/\s/.test(character)) {
        while (/\s/.test(piece[at + 1] ?? "")) at++;
        made += piece[at + 1] === ">" ? "" : " ";
        continue;
      }
      made += character;
    }
    return made;
  });
}

const SHORTER: Readonly<Record<string, (pieces: readonly string[]) => string[]>> = {
  css: shortStyles,
  html: shortMarkup,
  svg: shortMarkup,
};

function* templatesIn(node: unknown): Generator<Template> {
  if (typeof node !== "object" || node === null) return;
  if ((node as Node).type === "TaggedTemplateExpression") yield node as Template;
  for (const inner of Object.values(node)) yield* templatesIn(inner);
}

/** A module's code with shorter templates; `tree` is what a parser of ESTree makes of it. */
export function withShortTemplates(code: string, tree: unknown): string {
  const edits: { start: number; end: number; text: string }[] = [];
  for (const { tag, quasi } of templatesIn(tree)) {
    const shorter = Object.hasOwn(SHORTER, tag.name ?? "") ? SHORTER[tag.name as string] : undefined;
    if (shorter === undefined) continue;
    const raws = quasi.quasis.map(({ value }) => value.raw);
    shorter(raws).forEach((text, place) => {
      const raw = raws[place] as string;
      if (text === raw) return;
      // Parsers differ in whether the backtick or brace belongs to the piece.
      const start = code.indexOf(raw, quasi.quasis[place]?.start);
      edits.push({ start, end: start + raw.length, text });
    });
  }
  let made = code;
  for (const { start, end, text } of edits.sort((one, other) => other.start - one.start))
    made = made.slice(0, start) + text + made.slice(end);
  return made;
}

export function shortTemplates(): Plugin {
  return {
    name: "quire-short-templates",
    apply: "build",
    enforce: "post",
    transform: {
      filter: { id: /\/web\/src\/.*\.ts$/, code: /\b(?:css|html|svg)`/ },
      handler(code) {
        return { code: withShortTemplates(code, this.parse(code)), map: null };
      },
    },
  };
}
