/**
 * The fields of a collection as a reader may name them, and the one that a wrong name may have meant.
 *
 * Invariant: pure; paths are compared without the places of array elements.
 */
import type { Field } from "../fields.ts";
import { mostSimilar } from "../similar.ts";
import type { BsonType } from "../values.ts";

/** A path without places of elements: `lines.0.product`, `lines.$[].product` and `lines.$.product` are one path. */
export const plainPath = (path: string): string =>
  path
    .split(".")
    .filter((part, at) => at === 0 || !/^(?:\d+|\$(?:\[.*\])?)$/.test(part))
    .join(".");

const lastOf = (path: string): string => path.slice(path.lastIndexOf(".") + 1);

export class KnownFields {
  readonly #fields: ReadonlyMap<string, Field>;

  constructor(fields: readonly Field[]) {
    this.#fields = new Map(fields.map((field) => [field.path, field]));
  }

  has(path: string): boolean {
    return this.#fields.has(plainPath(path));
  }

  /** The types of a path's values, those of array elements among them. */
  types(path: string): readonly BsonType[] {
    const field = this.#fields.get(plainPath(path));
    return field === undefined ? [] : [...new Set([...field.types, ...(field.elements ?? [])])];
  }

  /** The path that a name which no document has may have meant. */
  similar(path: string): string | null {
    const plain = plainPath(path);
    const paths = [...this.#fields.keys()];
    // The field is there, deeper down or under another name of its parent.
    const ending = paths.filter((known) => known !== plain && lastOf(known) === lastOf(plain));
    const near = mostSimilar(plain, paths);
    if (near !== null) return near;
    if (ending.length === 1 || (ending.length > 0 && !plain.includes("."))) return ending[0] ?? null;
    const last = mostSimilar(lastOf(plain), [...new Set(paths.map(lastOf))]);
    const meant = last === null ? [] : paths.filter((known) => lastOf(known) === last);
    return meant.length === 1 ? (meant[0] ?? null) : null;
  }

  /** The same fields seen from inside of a path. */
  within(prefix: string): readonly string[] {
    return [...this.#fields.keys()].filter((path) => path.startsWith(`${prefix}.`));
  }
}
