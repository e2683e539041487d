/** `util.inspect` of Node's, as far as messages of MongoDB's drivers need it: short, on one line, and never endless. */

const CUSTOM = Symbol.for("nodejs.util.inspect.custom");
const MOST_DEPTH = 4;

type Custom = (depth: number, options: object, again: typeof inspect) => unknown;

function word(value: unknown, depth: number, above: readonly unknown[]): string {
  if (typeof value === "string") return `'${value.replaceAll("'", "\\'")}'`;
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return `[Function: ${value.name === "" ? "(anonymous)" : value.name}]`;
  if (typeof value !== "object" || value === null) return String(value);
  if (above.includes(value)) return "[Circular]";
  const own = (value as { readonly [CUSTOM]?: Custom })[CUSTOM];
  if (typeof own === "function") {
    const said = own.call(value, MOST_DEPTH - depth, {}, inspect);
    if (said !== value) return typeof said === "string" ? said : word(said, depth, [...above, value]);
  }
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  if (value instanceof RegExp) return String(value);
  if (value instanceof Error) return value.stack ?? String(value);
  const name = (value.constructor as { readonly name?: string } | undefined)?.name;
  if (depth >= MOST_DEPTH) return Array.isArray(value) ? "[Array]" : `[${name ?? "Object"}]`;
  const inside = (one: unknown): string => word(one, depth + 1, [...above, value]);
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[ ${value.map(inside).join(", ")} ]`;
  const pairs =
    value instanceof Map
      ? [...value].map(([key, one]) => `${inside(key)} => ${inside(one)}`)
      : value instanceof Set
        ? [...value].map(inside)
        : Object.entries(value).map(
            ([key, one]) => `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : `'${key}'`}: ${inside(one)}`,
          );
  const head = name === undefined || name === "Object" ? "" : `${name} `;
  return pairs.length === 0 ? `${head}{}` : `${head}{ ${pairs.join(", ")} }`;
}

export function inspect(value: unknown): string {
  return word(value, 0, []);
}
inspect.custom = CUSTOM;
