/**
 * `EJSON` as scripts see it: Extended JSON, relaxed unless asked otherwise.
 *
 * Invariant: arguments mean what they mean to js-bson's EJSON, whose defaults these are.
 */
import { Long } from "./bson/numbers.ts";
import { parse, stringify } from "./ejson.ts";

export interface EjsonOptions {
  readonly relaxed?: boolean;
}

type Replacer = ((this: unknown, key: string, value: unknown) => unknown) | (string | number)[];

/** The last instant, exclusive, that is written as a text. */
const YEAR_10000 = 253402318800000;

/** Turns canonical wrappers into plain numbers and dates where they lose no more than js-bson lets them. */
function relax(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relax);
  if (typeof value !== "object" || value === null) return value;
  const fields = value as Record<string, unknown>;
  const keys = Object.keys(fields);
  if (keys.length === 1) {
    const text = fields[keys[0] ?? ""];
    if (typeof text === "string") {
      if (keys[0] === "$numberInt" || keys[0] === "$numberLong") return Number(text);
      if (keys[0] === "$numberDouble" && Number.isFinite(Number(text)) && !Object.is(Number(text), -0))
        return Number(text);
    }
    if (keys[0] === "$date") {
      const millis = relax(text);
      if (typeof millis === "number" && millis > -1 && millis < YEAR_10000)
        return { $date: new Date(millis).toISOString().replace(".000Z", "Z") };
      return value;
    }
  }
  return Object.fromEntries(keys.map((key) => [key, relax(fields[key])]));
}

/** Longs become numbers. */
function loosen(value: unknown): unknown {
  if (value instanceof Long) return Number(value.toString());
  if (Array.isArray(value)) return value.map(loosen);
  if (typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, loosen(item)]));
  }
  return value;
}

/** `EJSON.stringify(value, replacer?, space?, options?)`; the middle ones may be left out. */
export function stringifyEjson(
  value: unknown,
  replacer?: Replacer | EjsonOptions | null,
  space?: string | number | EjsonOptions,
  options?: EjsonOptions,
): string {
  let chosen = options;
  let indent: string | number | undefined;
  if (typeof space === "object") chosen = space;
  else indent = space;
  let filter: Replacer | null = null;
  if (typeof replacer === "function" || Array.isArray(replacer)) filter = replacer;
  else if (replacer) chosen = replacer;
  const canonical = JSON.parse(stringify(value)) as unknown;
  const shown = chosen?.relaxed === false ? canonical : relax(canonical);
  return JSON.stringify(shown, filter as (string | number)[] | null, indent);
}

/** Words the deprecated ways of a text in today's: js-bson takes them too. */
function today(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { $undefined, $regex, $options } = value as Record<string, unknown>;
  if ($undefined) return null;
  if (typeof $regex !== "string") return value;
  return { $regularExpression: { pattern: $regex, options: typeof $options === "string" ? $options : "" } };
}

/** `EJSON.parse(text, options?)`. */
export function parseEjson(text: string, options?: EjsonOptions): unknown {
  const value = parse(text, today);
  return options?.relaxed === false ? value : loosen(value);
}
