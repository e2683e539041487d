/**
 * The fields of a sample of a collection's documents: how often each is there, of which types its values are, and how
 * they are distributed.
 *
 * Invariants: pure but for the reading; the elements of an array are described below it as `path[]`; shares are of the
 * documents (for elements: of the elements) that were looked at.
 */
import type { Document } from "bson";
import { isNested, numberOf, partsOf, preview, typeOf, wordCell, type BsonType } from "../values.ts";
import { ask, cursorOf, type Commander } from "./ask.ts";

/** Documents that are drawn. */
export const sampleSize = 1000;
/** The deepest level of nested documents and arrays that is described. */
export const deepest = 6;
/** Fields beyond these are counted, not described: names are data in such a collection. */
export const mostFields = 300;
const bars = 16;
const keptExamples = 4;

export interface TypeShare {
  readonly type: BsonType;
  readonly count: number;
}

/** The distribution of a field's values. */
export type Spread =
  | { readonly kind: "numbers" | "dates"; readonly from: number; readonly to: number; readonly bars: readonly number[] }
  /** The commonest texts; there are few enough different ones to name. */
  | { readonly kind: "words"; readonly words: readonly (readonly [string, number])[]; readonly different: number }
  | { readonly kind: "lengths"; readonly from: number; readonly to: number };

export interface SchemaField {
  /** Dotted, with `[]` after an array's name for its elements. */
  readonly path: string;
  readonly depth: number;
  readonly name: string;
  /** How many of the `of` documents or elements have the field. */
  readonly present: number;
  readonly of: number;
  /** The commonest first. */
  readonly types: readonly TypeShare[];
  readonly examples: readonly string[];
  readonly spread: Spread | null;
}

export interface Schema {
  readonly documents: number;
  readonly fields: readonly SchemaField[];
  readonly omittedFields: number;
}

/** The values seen at one path. */
class Seen {
  present = 0;
  readonly types = new Map<BsonType, number>();
  readonly examples = new Set<string>();
  readonly numbers: number[] = [];
  readonly dates: number[] = [];
  readonly words = new Map<string, number>();
  readonly lengths: number[] = [];
  readonly children = new Map<string, Seen>();

  take(value: unknown, depth: number, room: { left: number; omitted: number }): void {
    const type = typeOf(value);
    this.present += 1;
    this.types.set(type, (this.types.get(type) ?? 0) + 1);
    if (type === "Date") this.dates.push((value as Date).getTime());
    else if (type === "String") {
      const text = value as string;
      this.words.set(text, (this.words.get(text) ?? 0) + 1);
    } else if (type === "Array") this.lengths.push((value as readonly unknown[]).length);
    else if (type === "Boolean") this.words.set(String(value), (this.words.get(String(value)) ?? 0) + 1);
    else {
      const number = numberOf(value);
      if (number !== null && Number.isFinite(number)) this.numbers.push(number);
    }
    if (!isNested(value)) {
      if (this.examples.size < keptExamples) this.examples.add(shorten(wordCell(value)));
      return;
    }
    if (type === "Array" && this.examples.size < 2) this.examples.add(preview(value, 60));
    if (depth >= deepest) return;
    for (const [name, part] of partsOf(value))
      this.child(type === "Array" ? "[]" : name, room)?.take(part, depth + 1, room);
  }

  child(name: string, room: { left: number; omitted: number }): Seen | null {
    let child = this.children.get(name) ?? null;
    if (child === null) {
      if (room.left === 0) {
        room.omitted += 1;
        return null;
      }
      room.left -= 1;
      child = new Seen();
      this.children.set(name, child);
    }
    return child;
  }
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** Describes documents. */
export function schemaOf(documents: readonly Document[]): Schema {
  const root = new Seen();
  const room = { left: mostFields, omitted: 0 };
  for (const document of documents) root.take(document, 0, room);
  const fields: SchemaField[] = [];
  describeChildren(root, "", 0, documents.length, fields);
  return { documents: documents.length, fields, omittedFields: room.omitted };
}

function describeChildren(seen: Seen, prefix: string, depth: number, of: number, fields: SchemaField[]): void {
  for (const [name, child] of seen.children) {
    const isElements = name === "[]";
    const path = isElements ? `${prefix}[]` : prefix === "" ? name : `${prefix}.${name}`;
    const types = [...child.types]
      .map(([type, count]) => ({ type, count }))
      .sort((one, other) => other.count - one.count);
    const whole = isElements ? child.present : of;
    fields.push({
      path,
      depth,
      name,
      present: child.present,
      of: whole,
      types,
      examples: [...child.examples],
      spread: spreadOf(child),
    });
    // The shares of fields in a nested document are of the times that the document was there.
    const inner = (child.types.get("Object") ?? 0) || child.present;
    describeChildren(child, path, depth + 1, inner, fields);
  }
}

function spreadOf(seen: Seen): Spread | null {
  if (seen.dates.length > 0 && seen.dates.length >= seen.numbers.length)
    return laidOut(
      "dates",
      seen.dates.filter((time) => !Number.isNaN(time)),
    );
  if (seen.numbers.length > 0) return laidOut("numbers", seen.numbers);
  if (seen.lengths.length > 0)
    return { kind: "lengths", from: Math.min(...seen.lengths), to: Math.max(...seen.lengths) };
  const all = [...seen.words.values()].reduce((total, count) => total + count, 0);
  // Texts that hardly repeat say nothing by being counted.
  if (all === 0 || seen.words.size > Math.max(5, all / 4)) return null;
  const words = [...seen.words]
    .sort((one, other) => other[1] - one[1])
    .slice(0, 5)
    .map(([text, count]) => [shorten(text), count] as const);
  return { kind: "words", words, different: seen.words.size };
}

function laidOut(kind: "numbers" | "dates", values: readonly number[]): Spread | null {
  if (values.length === 0) return null;
  let from = Infinity;
  let to = -Infinity;
  for (const value of values) {
    from = Math.min(from, value);
    to = Math.max(to, value);
  }
  const counts = new Array<number>(from === to ? 1 : bars).fill(0);
  for (const value of values) {
    const at = from === to ? 0 : Math.min(bars - 1, Math.floor(((value - from) / (to - from)) * bars));
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return { kind, from, to, bars: counts };
}

/** Draws documents of a collection; all of them when there are no more. */
export async function drawSample(
  commander: Commander,
  database: string,
  collection: string,
): Promise<readonly Document[]> {
  const reply = await ask(commander, database, {
    aggregate: collection,
    pipeline: [{ $sample: { size: sampleSize } }],
    cursor: { batchSize: sampleSize },
  });
  const { documents, id } = cursorOf(reply);
  if (id !== 0n) await ask(commander, database, { killCursors: collection, cursors: [id] });
  return documents;
}
