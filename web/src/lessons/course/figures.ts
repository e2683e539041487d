/**
 * Numbers in a lesson's text that are computed on the page: `{{ID}}`, `{{RUN.documentsExamined}}`.
 *
 * Invariant: pure; a number is worded in the reader's language, and one that is not known yet is `null`.
 */

/** The figures of an account that a text can name. */
const FIELDS = [
  "documentsReturned",
  "documentsExamined",
  "keysExamined",
  "pagesRead",
  "pagesWritten",
  "commands",
  "milliseconds",
  "stage",
  "index",
  "written.inserted",
  "written.modified",
  "written.deleted",
] as const;

/** Whether a name is a figure of an account: `pagesRead`, `last.pagesRead`. */
export function isAccountField(field: string): boolean {
  return (FIELDS as readonly string[]).includes(field.replace(/^last\./, ""));
}

const FIGURE = /\{\{\s*([^{}\s:]+)\s*(?::([^{}|]+)\|([^{}|]+))?\}\}/g;
const FIGURE_OR_WORD = /\{\{\s*([^{}\s:]+)\s*(?::([^{}|]+)\|([^{}|]+))?\}\}|\{(\w+)(?::([^{}|]+)\|([^{}|]+))?\}/g;

/** The noun behind a number: that of one, and that of any other. */
export type Forms = readonly [one: string, many: string];

/** The figures that a text names, in order. */
export function figuresOf(text: string): readonly string[] {
  return [...text.matchAll(FIGURE)].map(([, name]) => name ?? "");
}

/** A text cut where figures and, in a hint, the check's own words stand. */
export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "figure" | "word"; readonly name: string; readonly forms: Forms | null };

/** Cuts a text; `{name}` means something only where `hasWords`. */
export function piecesOf(text: string, hasWords = false): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const found of text.matchAll(hasWords ? FIGURE_OR_WORD : FIGURE)) {
    if (found.index > from) pieces.push({ kind: "text", text: text.slice(from, found.index) });
    const [whole, figure, one, many, word, wordOne, wordMany] = found;
    const forms = (single?: string, several?: string): Forms | null =>
      single === undefined || several === undefined ? null : [single.trim(), several.trim()];
    pieces.push(
      figure === undefined
        ? { kind: "word", name: word ?? "", forms: forms(wordOne, wordMany) }
        : { kind: "figure", name: figure, forms: forms(one, many) },
    );
    from = found.index + whole.length;
  }
  if (from < text.length) pieces.push({ kind: "text", text: text.slice(from) });
  return pieces;
}

/** The words which a hint's text wants from the check. */
export function wordsWanted(text: string): readonly string[] {
  return piecesOf(text, true).flatMap((piece) => (piece.kind === "word" ? [piece.name] : []));
}

/** A worded number with its noun: `{found:document|documents}`. */
export function withNoun(worded: string, value: unknown, forms: Forms | null, language: string): string {
  if (forms === null) return worded;
  const isOne = typeof value === "number" && new Intl.PluralRules(language).select(value) === "one";
  return `${worded}\u00a0${isOne ? forms[0] : forms[1]}`;
}

/** A field of a value by its path; undefined where there is none. */
export function atPath(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inside, name) =>
      typeof inside === "object" && inside !== null ? (inside as Readonly<Record<string, unknown>>)[name] : undefined,
    value,
  );
}

/** A computed value as the reader's language words it; null where it is no number, text or list of these. */
export function wordFigure(value: unknown, language: string): string | null {
  if (typeof value === "number") {
    const digits = Number.isInteger(value) ? 0 : Math.abs(value) < 10 ? 2 : 1;
    return new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value);
  }
  if (typeof value === "bigint") return new Intl.NumberFormat(language).format(value);
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (Array.isArray(value)) {
    const worded = value.map((one) => wordFigure(one, language));
    if (worded.some((one) => one === null)) return null;
    return new Intl.ListFormat(language, { type: "unit", style: "short" }).format(worded as string[]);
  }
  return null;
}
