/**
 * The ways in which the key of an index may be written: those of the Node driver.
 *
 * Invariant: the order of the fields is the caller's, also where they are named by digits: the result is a `Map`.
 */
import { isMap } from "../codec/brand.ts";

export type IndexDirection = -1 | 1 | "2d" | "2dsphere" | "text" | "geoHaystack" | "hashed" | number;

/** One field, a pair of a field and its direction, or several fields with theirs. */
type IndexKeyPart =
  | string
  | readonly [string, IndexDirection]
  | { readonly [field: string]: IndexDirection }
  | ReadonlyMap<string, IndexDirection>;

/** `"a"`, `["a", -1]`, `["a", "b"]`, `[["a", 1], ["b", -1]]`, `{ a: 1 }`, a `Map`, or an array of several of these. */
export type IndexSpecification = IndexKeyPart | readonly IndexKeyPart[];

/** Words that are a direction where they stand behind a field; any other text is a field of its own. */
const KINDS = ["2d", "2dsphere", "text", "geoHaystack"];

function isPair(specification: readonly unknown[]): boolean {
  const direction = specification[1];
  return (
    specification.length === 2 &&
    (typeof direction === "number" || KINDS.includes(direction as string) || isTagged(direction))
  );
}

/** Whether this is a value of BSON's own classes: a number, where it stands for a direction. */
function isTagged(value: unknown): boolean {
  return typeof value === "object" && value !== null && "_bsontype" in value;
}

/** The key as the command takes it. Throws the error that `invalid` makes for a specification that names no field. */
export function asIndexKey(specification: unknown, invalid: (message: string) => Error): Map<string, unknown> {
  const key = new Map<string, unknown>();
  const parts: readonly unknown[] =
    Array.isArray(specification) && !isPair(specification) ? specification : [specification];
  for (const part of parts) {
    if (typeof part === "string") key.set(part, 1);
    else if (Array.isArray(part) && typeof part[0] === "string" && part.length <= 2) key.set(part[0], part[1] ?? 1);
    else if (typeof part === "object" && part !== null && isMap(part))
      for (const [field, direction] of part) key.set(String(field), direction);
    else if (typeof part === "object" && part !== null && !Array.isArray(part) && !isTagged(part))
      for (const [field, direction] of Object.entries(part)) key.set(field, direction);
    else throw invalid(`Invalid index specification: ${JSON.stringify(specification)}`);
  }
  if (key.size === 0) throw invalid("Invalid index specification: it names no field");
  return key;
}

/** An index's name where none is given: its fields and directions joined by `_`. */
export function indexName(key: ReadonlyMap<string, unknown>): string {
  return [...key].map(([field, direction]) => `${field}_${String(direction)}`).join("_");
}
