/**
 * Numbers in a lesson's text that are computed on the page: `{{ID}}`, `{{RUN.documentsExamined}}`, with their unit for
 * one and for several: `{{RUN.pagesRead|page|pages}}`.
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

const FIGURE = /\{\{\s*([^{}\s](?:[^{}]*[^{}\s])?)\s*\}\}/g;

/** The figures that a text names, in order. */
export function figuresOf(text: string): readonly string[] {
  return [...text.matchAll(FIGURE)].map(([, name]) => name ?? "");
}

/** A figure as a text names it: its name, and its unit for one and for several; null where it stands alone. */
export interface NamedFigure {
  readonly name: string;
  readonly units: readonly [string, string] | null;
}

/** Reads `card.pagesRead|page|pages`; null where there is a unit for one alone. */
export function namedFigure(figure: string): NamedFigure | null {
  const [name = "", one, many, ...more] = figure.split("|");
  if (/\s/.test(name) || more.length > 0 || (one === undefined) !== (many === undefined)) return null;
  return { name, units: one === undefined || many === undefined ? null : [one, many] };
}

/** A number's unit behind a space, by whether it is one; empty where the figure has none. */
export function unitOf(value: unknown, { units }: NamedFigure): string {
  return units === null || typeof value !== "number" ? "" : ` ${value === 1 ? units[0] : units[1]}`;
}

/** A text cut where figures and, in a hint, the check's own words stand. */
export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "figure"; readonly name: string }
  | { readonly kind: "word"; readonly name: string };

/** Cuts a text; `{name}` means something only where `hasWords`. */
export function piecesOf(text: string, hasWords = false): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  const cut = hasWords ? /\{\{\s*([^{}\s](?:[^{}]*[^{}\s])?)\s*\}\}|\{(\w+(?:\|[^{}|]+\|[^{}|]+)?)\}/g : FIGURE;
  for (const found of text.matchAll(cut)) {
    if (found.index > from) pieces.push({ kind: "text", text: text.slice(from, found.index) });
    const [whole, figure, word] = found;
    pieces.push(figure === undefined ? { kind: "word", name: word ?? "" } : { kind: "figure", name: figure });
    from = found.index + whole.length;
  }
  if (from < text.length) pieces.push({ kind: "text", text: text.slice(from) });
  return pieces;
}

/** The words which a hint's text wants from the check. */
export function wordsWanted(text: string): readonly string[] {
  return piecesOf(text, true).flatMap((piece) => (piece.kind === "word" ? [piece.name.split("|")[0] ?? ""] : []));
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
