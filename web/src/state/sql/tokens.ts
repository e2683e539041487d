/**
 * SQL as tokens.
 *
 * Invariant: pure; a sign that SQL has not got, and a text that is not closed, end the reading with `NotSql`.
 */

/** The text is no SQL that is known here. */
export class NotSql extends Error {}

export interface Token {
  /** `word` is a bare name or keyword, `quoted` a name in double quotes or backticks. */
  readonly kind: "word" | "quoted" | "text" | "number" | "sign";
  /** As written; a text or a quoted name without its quotes. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

const PATTERN = new RegExp(
  [
    /(?<space>\s+|--[^\n]*|\/\*[\s\S]*?\*\/)/,
    /(?<text>'(?:[^']|'')*')/,
    /(?<quoted>"(?:[^"]|"")+"|`[^`]+`)/,
    /(?<number>\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)/,
    /(?<word>[\p{L}_$][\p{L}\p{N}_$]*)/u,
    /(?<sign><>|!=|<=|>=|[=<>(),.*;+-])/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "uy",
);

/** The tokens from a place on, to the end or a semicolon. */
export function tokensOf(source: string, from: number): Token[] {
  const tokens: Token[] = [];
  PATTERN.lastIndex = from;
  while (PATTERN.lastIndex < source.length) {
    const at = PATTERN.lastIndex;
    const groups = PATTERN.exec(source)?.groups;
    if (groups === undefined) throw new NotSql(`unexpected ${source[at] ?? ""}`);
    const [kind, written] = Object.entries(groups).find(([, group]) => group !== undefined) as [string, string];
    if (kind === "space") continue;
    if (written === ";") break;
    const inside = written.slice(1, -1);
    const text =
      kind === "text"
        ? inside.replaceAll("''", "'")
        : kind === "quoted"
          ? inside.replaceAll(written.startsWith('"') ? '""' : "``", written.slice(0, 1))
          : written;
    tokens.push({ kind: kind as Token["kind"], text, from: at, to: at + written.length });
  }
  return tokens;
}
