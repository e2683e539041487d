/** Texts which more than one language writes the same way. Invariant: pure. */
import type { DocumentValue, IndexOptions } from "./model.ts";

/** The server that programs connect to: the one a driver's manual starts with. */
export const address = "mongodb://localhost:27017";

/**
 * A text in double quotes with the escapes that JavaScript, Python, Java and Go share. Characters that cannot be seen
 * are escaped: Unicode's line ends, which would be indented like code, the byte-order mark, which Go refuses, and marks
 * of direction, which Rust refuses.
 */
export const quoted = (text: string): string =>
  JSON.stringify(text).replace(
    /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** A finite double, so written that it cannot be taken for an integer. */
export function doubleText(value: number): string {
  const text = Object.is(value, -0) ? "-0" : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** A date as RFC 3339 writes it; null outside the years it has. */
export function dateText(millis: number): string | null {
  const text = new Date(millis).toISOString();
  return text.length === 24 ? text : null;
}

/** Fields of index options that were given. */
export function givenOptions(
  options: IndexOptions,
): readonly (readonly [keyof IndexOptions, string | boolean | number | DocumentValue])[] {
  return (Object.keys(options) as (keyof IndexOptions)[]).flatMap((name) => {
    const value = options[name];
    return value === null ? [] : [[name, value] as const];
  });
}
