/**
 * Which name of a command an error of the server's is about.
 *
 * Invariant: pure; the words are the engine's own, which are those of a server.
 */

/** The place in which an unknown operator was looked for. */
export type OperatorPlace = "query" | "update" | "stage" | "accumulator" | "window" | "expression";

const unknown: readonly (readonly [RegExp, OperatorPlace])[] = [
  [/unknown (?:top level )?operator: (\$?\w+)/, "query"],
  [/Unknown modifier: (\$?\w+)/, "update"],
  [/Unrecognized pipeline stage name: '(\$?\w+)'/, "stage"],
  [/unknown group operator '(\$?\w+)'/, "accumulator"],
  [/Unrecognized window function, (\$?\w+)/, "window"],
  [/(?:Unrecognized|Unknown) expression '?(\$?\w+)/, "expression"],
];

const unsupported = [
  /^(\$\w+) is not supported$/,
  /The (?:pipeline stage|accumulator|expression) '(\$\w+)' is not supported/,
  /:: caused by :: '(\w+)' indexes are not supported/,
];

/** The operator that an error says is unknown; null for an error of another kind. */
export function unknownOperator(message: string): { readonly name: string; readonly place: OperatorPlace } | null {
  for (const [pattern, place] of unknown) {
    const name = pattern.exec(message)?.[1];
    if (name !== undefined) return { name, place };
  }
  return null;
}

/** The operator or option that an error calls known but not supported; null for any other error. */
export function unsupportedName(message: string): string | null {
  for (const pattern of unsupported) {
    const name = pattern.exec(message)?.[1];
    if (name !== undefined) return name;
  }
  return null;
}

/**
 * Every name that an error may be about. The name that it calls wrong is alone; else all operators in its text, in
 * order.
 */
export function namesIn(message: string): readonly string[] {
  const wrong = unknownOperator(message)?.name ?? unsupportedName(message);
  const operators = [...message.matchAll(/\$[A-Za-z]\w*/g)].map(([name]) => name);
  return [...new Set(wrong === null ? operators : [wrong])];
}
