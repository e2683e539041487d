/**
 * Colours for the code of every driver's language: comments, texts, numbers, words of the language, and types.
 *
 * Invariants: the pieces together are exactly the text they were made of; a table of words is all that a language
 * needs, since only code that this folder writes is coloured.
 */
import type { DriverLanguage } from "./languages.ts";

export type TokenKind = "comment" | "string" | "number" | "word" | "type" | "plain";

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const javascript = words("await const for from import let new of true false null async try finally return");

/** The keywords of each language, and its names of constants (`true`, `nil`). */
const reserved: Readonly<Record<DriverLanguage, ReadonlySet<string>>> = {
  mongosh: words("use new true false null"),
  node: javascript,
  python: words("as False for from import in None True with print"),
  java: words("class false final import long new null public static String true try var void"),
  go: words("const defer err false for func if import log nil package panic range return true var nil main"),
  csharp: words("false foreach in new null true using var double"),
  php: words("as echo false foreach new null object require true use php __DIR__ INF NAN"),
  ruby: words("do each end false nil p puts require true"),
  rust: words("as async await false fn for let mut None Ok Some true use while main"),
};

/** One token, whose group is its kind; a text outside every group is plain. */
const token = new RegExp(
  [
    /(?<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)/,
    /(?<comment>\/\/[^\n]*|#(?!\[)[^\n]*)/,
    /(?<regex>(?<=[(,:[]\s*)\/(?![*/\s])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\/[a-z]*)/,
    /(?<number>(?<![\w$])\d(?:[\w.]|(?<=e)[+-])*)/,
    /(?<name>[A-Za-z_$][\w$]*)/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

/** The pieces of a program, in order. */
export function tokensOf(code: string, language: DriverLanguage): readonly Token[] {
  const found: Token[] = [];
  const add = (kind: TokenKind, text: string): void => {
    const last = found.at(-1);
    if (text === "") return;
    if (last?.kind === kind) found[found.length - 1] = { kind, text: last.text + text };
    else found.push({ kind, text });
  };
  let at = 0;
  for (const match of code.matchAll(token)) {
    add("plain", code.slice(at, match.index));
    const { text, comment, regex, number, name } = match.groups ?? {};
    if (text !== undefined || regex !== undefined) add("string", match[0]);
    // A sign that begins a comment in some languages only.
    else if (comment !== undefined) add(isComment(comment, language) ? "comment" : "plain", comment);
    else if (number !== undefined) add("number", number);
    else if (name !== undefined)
      add(reserved[language].has(name) ? "word" : /^[A-Z]\w*[a-z]/.test(name) ? "type" : "plain", name);
    at = match.index + match[0].length;
  }
  add("plain", code.slice(at));
  return found;
}

const isComment = (text: string, language: DriverLanguage): boolean =>
  text.startsWith("#") === (language === "python" || language === "ruby");
