/**
 * Counts the fields of documents: how often each is there, of which types its values are, how long its arrays are.
 *
 * Invariants: every document that was taken counts; the elements of an array are described below it as `[]`; looks as
 * deep as the pane of the schema, and tells as many fields apart.
 */
import type { Document } from "bson";
import { deepest, mostFields, type TypeShare } from "../data/schema.ts";
import { isNested, partsOf, typeOf, type BsonType } from "../values.ts";
import { pathOf, rangeOf, type Account, type ModelField } from "./model.ts";

/** The counts of one path, such as `items.[].price`. */
class Seen {
  present = 0;
  readonly types = new Map<BsonType, number>();
  readonly lengths = new Map<number, number>();
  readonly children = new Map<string, Seen>();
}

const more = <Key>(counts: Map<Key, number>, key: Key): void => void counts.set(key, (counts.get(key) ?? 0) + 1);

/** The commonest first; of two as common the one by name, and null behind. */
function byCount(one: TypeShare, other: TypeShare): number {
  if (one.count !== other.count) return other.count - one.count;
  return one.type === "Null" || (other.type !== "Null" && one.type > other.type) ? 1 : -1;
}

export class Census {
  documents = 0;
  readonly #root = new Seen();
  readonly #omitted = new Set<string>();
  #left = mostFields;

  take(document: Document): void {
    this.documents += 1;
    this.#takeParts(this.#root, document, false, 0);
  }

  #takeParts(seen: Seen, value: Document | readonly unknown[], isArray: boolean, depth: number): void {
    if (depth >= deepest) return;
    if (isArray) {
      const elements = value as readonly unknown[];
      const child = elements.length === 0 ? null : this.#child(seen, "[]");
      if (child !== null) for (const element of elements) this.#takeValue(child, element, depth + 1);
      return;
    }
    for (const [name, part] of partsOf(value)) {
      const child = this.#child(seen, name);
      if (child !== null) this.#takeValue(child, part, depth + 1);
    }
  }

  #takeValue(seen: Seen, value: unknown, depth: number): void {
    const type = typeOf(value);
    seen.present += 1;
    more(seen.types, type);
    const isArray = type === "Array";
    if (isArray) more(seen.lengths, (value as readonly unknown[]).length);
    if (isNested(value)) this.#takeParts(seen, value, isArray, depth);
  }

  #child(seen: Seen, name: string): Seen | null {
    const known = seen.children.get(name);
    if (known !== undefined) return known;
    if (this.#left === 0) {
      // Names that are data are different in each document: beyond some, only that there are more is kept.
      if (this.#omitted.size < 10 * mostFields) this.#omitted.add(name);
      return null;
    }
    this.#left -= 1;
    const child = new Seen();
    seen.children.set(name, child);
    return child;
  }

  account(): Account {
    const fields: ModelField[] = [];
    this.#describe(this.#root, [], this.documents, fields);
    return { documents: this.documents, fields, omitted: this.#omitted.size };
  }

  #describe(seen: Seen, above: readonly string[], of: number, fields: ModelField[]): void {
    for (const [name, child] of seen.children) {
      const steps = [...above, name];
      fields.push({
        steps,
        path: pathOf(steps),
        depth: above.length,
        name,
        present: child.present,
        of: name === "[]" ? child.present : of,
        types: [...child.types].map(([type, count]) => ({ type, count })).sort(byCount),
        lengths: rangeOf(child.lengths),
      });
      // The shares of fields in a nested document are of the times that the document was there.
      this.#describe(child, steps, child.types.get("Object") ?? 0, fields);
    }
  }
}
