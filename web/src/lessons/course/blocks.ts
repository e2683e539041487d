/**
 * Markdown as a list of blocks, each with the line on which it begins.
 *
 * Invariants: pure, and nothing is ever turned into HTML; a fenced block's info words give its kind and name (`js run
 * first`); lines are counted from 1, in the file's own text.
 */
import { Marked, type Token, type Tokens } from "marked";

/** A block of a text, and the line of the file on which it begins. */
export interface Placed {
  readonly token: Token;
  readonly line: number;
}

/** A fenced block: the words behind its fence, and its text. */
export interface Fenced {
  readonly words: readonly string[];
  readonly text: string;
  /** The line of the fence; the text begins on the next. */
  readonly line: number;
}

/** A line of its own that names the script to stand there: `::run first`. */
export interface Placement extends Tokens.Generic {
  readonly type: "placement";
  readonly what: string;
  readonly id: string;
}

const marked = new Marked({
  gfm: true,
  extensions: [
    {
      name: "placement",
      level: "block",
      start: (source) => /^::\w/m.exec(source)?.index,
      tokenizer(source): Tokens.Generic | undefined {
        const found = /^::(\w+)[ \t]*([^\n]*?)[ \t]*(?:\n+|$)/.exec(source);
        if (found === null) return undefined;
        return { type: "placement", raw: found[0], what: found[1] ?? "", id: found[2] ?? "" };
      },
    },
  ],
});

const linesIn = (text: string): number => text.split("\n").length - 1;

/** The top-level blocks of a text; the empty lines between them are left out. */
export function blocksOf(markdown: string): readonly Placed[] {
  const text = markdown.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const placed: Placed[] = [];
  let line = 1;
  for (const token of marked.lexer(text)) {
    // Empty lines that marked counts to the block behind them are not its beginning.
    const before = linesIn(/^\n*/.exec(token.raw)?.[0] ?? "");
    if (token.type !== "space") placed.push({ token, line: line + before });
    line += linesIn(token.raw);
  }
  return placed;
}

/** Text inside a paragraph. */
export function inlineOf(markdown: string): readonly Token[] {
  return marked.Lexer.lexInline(markdown, marked.defaults);
}

/** Whether a block is fenced, and not indented code. */
const isFenced = (token: Token): token is Tokens.Code => token.type === "code" && /^\s*(?:```|~~~)/.test(token.raw);

/** A block's words and text where it is fenced; null for any other. */
export function fencedOf({ token, line }: Placed): Fenced | null {
  if (!isFenced(token)) return null;
  const words = (token.lang ?? "").split(/\s+/).filter((word) => word !== "");
  return { words, text: token.text, line };
}

/** Every fenced block of a text. */
export function fencedBlocks(markdown: string): readonly Fenced[] {
  return blocksOf(markdown).flatMap((block) => fencedOf(block) ?? []);
}

/** The line on which another script begins inside a block, which its author forgot to close; null for most. */
export function scriptInside({ text, line }: Fenced): number | null {
  const at = text.split("\n").findIndex((one) => /^ {0,3}(?:`{3,}|~{3,})(?:js|javascript)\s/.test(one));
  return at < 0 ? null : line + 1 + at;
}

/** The tokens inside a token. */
export function insideOf(token: Token): readonly Token[] {
  switch (token.type) {
    case "table": {
      const { header, rows } = token as Tokens.Table;
      return [...header, ...rows.flat()].flatMap(({ tokens }) => tokens);
    }
    case "list":
      return (token as Tokens.List).items.flatMap(({ tokens }) => tokens);
    default:
      return (token as { readonly tokens?: readonly Token[] }).tokens ?? [];
  }
}

/** A token with all that it holds, from the outside in. */
export function* walk(token: Token): Generator<Token> {
  yield token;
  for (const inside of insideOf(token)) yield* walk(inside);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };

/** The text that a text token means: with characters in the place of their entities. */
export function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]+));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name as string] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** All letters of some tokens, without marks. */
export function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      const inside = insideOf(token);
      if (inside.length > 0) return plainText(inside);
      if (token.type === "br") return " ";
      if (token.type === "codespan") return (token as Tokens.Codespan).text;
      return decoded((token as { readonly text?: string }).text ?? "");
    })
    .join("");
}
