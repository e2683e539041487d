/**
 * Colours a script before its editor is there, and the shell's output: words, strings, numbers, comments.
 *
 * Invariant: the highlighted text is exactly the text it was given.
 */

/**
 * In the order in which they are tried: comment, string, regular expression (where no value ends before it), number,
 * word, call.
 */
const KEYWORDS =
  "const let var function return if else for of in while do new try catch finally throw switch case default break " +
  "continue typeof instanceof await async class delete use show";
const PARTS = new RegExp(
  [
    /(\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))/.source,
    /('(?:\\.|[^'\\\n])*'?|"(?:\\.|[^"\\\n])*"?|`(?:\\[\s\S]|[^`\\])*`?)/.source,
    /((?<=[(,=:[!&|?{};\n]\s{0,3}|^\s{0,3})\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*)/.source,
    // Not the end of an index's name: `author_1_date_-1`.
    /(?<!_-)\b(\d[\w.]*)/.source,
    `\\b(${KEYWORDS.replaceAll(" ", "|")})\\b(?!\\s*[:(.])`,
    /\b(true|false|null|undefined|this)\b/.source,
    /([A-Za-z_$][\w$]*)(?=\s*\()|[A-Za-z_$][\w$]*/.source,
  ].join("|"),
  "g",
);

const CLASSES = ["comment", "string", "string", "number", "keyword", "word", "call"] as const;

/** The parts of a text, each with its class or none. */
export function parts(text: string): readonly (readonly [text: string, kind: (typeof CLASSES)[number] | null])[] {
  const found: [string, (typeof CLASSES)[number] | null][] = [];
  let plain = "";
  let at = 0;
  const flush = (): void => {
    if (plain !== "") found.push([plain, null]);
    plain = "";
  };
  for (const match of text.matchAll(PARTS)) {
    plain += text.slice(at, match.index);
    at = match.index + match[0].length;
    const group = match.slice(1).findIndex((part) => part !== undefined);
    const kind = CLASSES[group];
    if (kind === undefined) plain += match[0];
    else {
      flush();
      found.push([match[0], kind]);
    }
  }
  plain += text.slice(at);
  flush();
  return found;
}

/** The text as nodes to put into a `<pre>`. The line `fault`, counted from 1, is marked where one is given. */
export function highlighted(text: string, fault: number | null = null): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const mark = fault === null ? null : document.createElement("mark");
  let line = 1;
  const add = (part: string, kind: string | null): void => {
    if (part === "") return;
    let into: Node = fragment;
    if (mark !== null && line === fault) {
      if (mark.parentNode === null) fragment.append(mark);
      into = mark;
    }
    if (kind === null) return void into.appendChild(document.createTextNode(part));
    const span = document.createElement("span");
    span.className = kind;
    span.textContent = part;
    into.appendChild(span);
  };
  for (const [part, kind] of parts(text)) {
    if (mark === null) add(part, kind);
    else
      for (const piece of part.split(/(\n)/)) {
        // The break itself stands outside the mark, which would otherwise reach into the next line.
        if (piece === "\n") line += 1;
        if (piece === "\n") fragment.append("\n");
        else add(piece, kind);
      }
  }
  return fragment;
}
