/**
 * Fields whose values may be keys of another collection, and whether a field's name points to that collection.
 *
 * Invariants: pure. Values are equal here where they are equal to the engine: `5`, `5.0` and `Long(5)` are one value.
 * Names are only ever a reason to believe in a match of values, never a match themselves.
 */
import type { DBRef, Document } from "bson";
import { deepest } from "../data/schema.ts";
import { isNested, partsOf, typeOf } from "../values.ts";
import { pathOf } from "./model.ts";

/** Kinds of values that keys are of. Equal values of the first by chance are next to impossible. */
export type KeyFamily = "unmistakable" | "text" | "number";

/**
 * A text that is the same for equal values, to look values up by: `s` before a string, `n` before a whole number.
 * Null for a value that collections do not have as keys: a fraction, a date, a long text.
 */
export function keyOf(value: unknown): string | null {
  switch (typeOf(value)) {
    case "ObjectId":
      return `o${(value as { toHexString(): string }).toHexString()}`;
    case "Binary": {
      const { sub_type, buffer, position } = value as { sub_type: number; buffer: Uint8Array; position: number };
      return position > longestKey ? null : `b${sub_type} ${buffer.subarray(0, position).join(" ")}`;
    }
    case "String":
      return (value as string).length > longestKey || value === "" ? null : `s${value as string}`;
    case "Int32":
    case "Double":
    case "Long": {
      const text = String(value);
      return /^-?\d+$/.test(text) ? `n${text === "-0" ? "0" : text}` : null;
    }
    default:
      return null;
  }
}

/** The longest key, in UTF-16 units or bytes: a longer text or binary value is no key. */
const longestKey = 200;

export function familyOfKey(key: string): KeyFamily {
  return key.startsWith("n") ? "number" : key.startsWith("s") ? "text" : "unmistakable";
}

/** Different values that are remembered of a field. */
export const mostValues = 1000;

export interface Candidate {
  readonly steps: readonly string[];
  readonly path: string;
  /** The values by `keyOf`, `mostValues` of them at most. */
  readonly values: ReadonlyMap<string, unknown>;
  readonly families: ReadonlySet<KeyFamily>;
  /** The collection that its DBRefs name; null where it holds plain values. */
  readonly named: string | null;
}

class Found {
  readonly steps: readonly string[];
  readonly values = new Map<string, unknown>();
  named: string | null = null;
  /** The field holds a number or text that cannot be a key, such as a price, and so is no candidate. */
  spoilt = false;

  constructor(steps: readonly string[]) {
    this.steps = steps;
  }

  add(key: string, value: unknown): void {
    if (this.values.size < mostValues) this.values.set(key, value);
  }
}

/** The fields of documents whose values may be keys. */
export function candidatesOf(documents: readonly Document[]): readonly Candidate[] {
  const found = new Map<string, Found>();
  const at = (steps: readonly string[], more: string): Found => {
    const name = steps.join("\0") + more;
    const known = found.get(name) ?? new Found(steps);
    found.set(name, known);
    return known;
  };
  const walk = (value: unknown, steps: readonly string[]): void => {
    if (typeOf(value) === "DBRef") {
      const { collection, oid, db } = value as DBRef;
      const key = keyOf(oid);
      if (key === null || (db !== undefined && db !== "")) return;
      const reference = at(steps, `\0$${collection}`);
      reference.named = collection;
      reference.add(key, oid);
      return;
    }
    if (isNested(value)) {
      if (steps.length >= deepest) return;
      const isArray = Array.isArray(value);
      // The elements of arrays in arrays are measures and places, not references.
      if (isArray && steps.at(-1) === "[]") return;
      for (const [name, part] of partsOf(value)) {
        // Such names cannot be said in a path.
        if (!isArray && (name === "" || name.includes(".") || name.startsWith("$"))) continue;
        walk(part, [...steps, isArray ? "[]" : name]);
      }
      return;
    }
    const key = keyOf(value);
    if (key !== null) at(steps, "").add(key, value);
    else if (/^(Double|Decimal128|Date)$/.test(typeOf(value))) at(steps, "").spoilt = true;
  };
  for (const document of documents) walk(document, []);
  return [...found.values()]
    .filter(({ spoilt, values }) => !spoilt && values.size > 0)
    .map(({ steps, values, named }) => ({
      steps,
      path: pathOf(steps),
      values,
      families: new Set([...values.keys()].map(familyOfKey)),
      named,
    }));
}

/** The words of a name, in small letters and the singular: `mainCategory_ids` has `main`, `category` and `id`. */
export function wordsOfName(name: string): readonly string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map(singular);
}

/** One form for both numbers of a word; it is compared and never shown, so `movies` and `movie` may be `movy`. */
function singular(word: string): string {
  if (/[^aeiou]ies?$/.test(word)) return word.replace(/ies?$/, "y");
  if (/(s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  if (word === "people") return "person";
  if (word === "children") return "child";
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}

/** Words that only say that a field holds a key. */
const keyWords = new Set(["id", "ref", "reference", "key", "no", "nr", "num", "number", "code", "oid", "uuid", "fk"]);
/** Words for a document of the same collection. */
const kin = new Set(
  (
    "parent ancestor child manager supervisor boss mother father sibling previous next root reply related friend " +
    "follower following spouse replaces replacedby original"
  ).split(" "),
);

/** Whether a field is called as if its values were of this collection: `customer_id` for `customers`. */
export function isNamedAfter(
  steps: readonly string[],
  target: { readonly collection: string; readonly key: string },
  own: string,
): boolean {
  const names = steps.filter((step) => step !== "[]");
  const last = names.at(-1) ?? "";
  const keyed = new Set(wordsOfName(target.key.split(".").at(-1) ?? ""));
  const strip = (words: readonly string[]): readonly string[] =>
    words.filter((word) => !keyWords.has(word) && !keyed.has(word));
  let words = strip(wordsOfName(last));
  // `product.id` takes its name from the field around it, `product`; `_id` takes it from its collection.
  if (words.length === 0) words = strip(wordsOfName(names.at(-2) ?? (target.collection === own ? "" : own)));
  if (words.length === 0) return false;
  const wanted = wordsOfName(target.collection.split(".").at(-1) ?? "");
  const noun = wanted.at(-1);
  if (noun === undefined) return false;
  if (target.collection === own) return words.some((word) => kin.has(word) || word === noun);
  return words.some((word) => word === noun || (word.length >= 3 && noun.startsWith(word)));
}
