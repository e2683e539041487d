/**
 * The ways in which an order of documents may be written: those of the Node driver, which the shells pass on to it.
 *
 * Invariant: the order of the fields is the caller's, also where they are named by digits: the result is a `Map`.
 */
import { isMap } from "../codec/brand.ts";

export type SortDirection = 1 | -1 | "asc" | "desc" | "ascending" | "descending" | { readonly $meta: string };

/** `"a"`, `["a", -1]`, `["a", "b"]`, `[["a", 1], ["b", "desc"]]`, `{ a: 1, b: "desc" }`, or a `Map` like the latter. */
export type Sort =
  | string
  | readonly string[]
  | readonly [string, SortDirection]
  | readonly (readonly [string, SortDirection])[]
  | { readonly [field: string]: SortDirection }
  | ReadonlyMap<string, SortDirection>;

/** Makes the caller's own error. */
type Invalid = (message: string) => Error;

const DIRECTIONS: Readonly<Record<string, 1 | -1>> = {
  "1": 1,
  asc: 1,
  ascending: 1,
  "-1": -1,
  desc: -1,
  descending: -1,
};

/**
 * A direction as the command takes it; undefined for any other value. Numbers of BSON's own classes are directions too.
 */
function directionOf(value: unknown): unknown {
  if (Array.isArray(value)) return undefined;
  if (typeof value === "object" && value !== null && typeof (value as { $meta?: unknown }).$meta === "string")
    return value;
  const word = String(value).toLowerCase();
  return Object.hasOwn(DIRECTIONS, word) ? DIRECTIONS[word] : undefined;
}

function needDirection(value: unknown, invalid: Invalid): unknown {
  const direction = directionOf(value);
  if (direction === undefined) throw invalid(`Invalid sort direction: ${JSON.stringify(value)}`);
  return direction;
}

function isPair(sort: readonly unknown[]): boolean {
  return sort.length === 2 && !Array.isArray(sort[0]) && directionOf(sort[1]) !== undefined;
}

/**
 * An order as a command takes it; undefined when it names no field.
 *
 * `direction` is that of an order which is one field's name. Throws the error that `invalid` makes for a value that is
 * no order.
 */
export function asSort(sort: unknown, direction: unknown, invalid: Invalid): Map<string, unknown> | undefined {
  if (sort === undefined || sort === null) return undefined;
  const pairs = pairsOf(sort, direction, invalid).map(([name, value]): [string, unknown] => [
    String(name),
    needDirection(value, invalid),
  ]);
  return pairs.length === 0 ? undefined : new Map(pairs);
}

function pairsOf(sort: unknown, direction: unknown, invalid: Invalid): readonly (readonly [unknown, unknown])[] {
  if (typeof sort === "string") return [[sort, direction ?? 1]];
  if (typeof sort !== "object" || sort === null)
    throw invalid(`Invalid sort format: ${JSON.stringify(sort)} Sort must be a valid object`);
  if (isMap(sort)) return [...sort];
  if (!Array.isArray(sort)) return Object.entries(sort);
  if (isPair(sort)) return [[sort[0], sort[1]]];
  return sort.map((item: unknown): readonly [unknown, unknown] => {
    if (typeof item === "string") return [item, 1];
    if (Array.isArray(item) && typeof item[0] === "string" && item.length <= 2) return [item[0], item[1] ?? 1];
    throw invalid(`Invalid sort format: ${JSON.stringify(sort)} Sort must be a valid object`);
  });
}
