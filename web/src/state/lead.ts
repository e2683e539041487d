/**
 * The fields that tell the documents of a result apart, so that a row can begin with them: names and titles that
 * differ, a `_id` that a person chose, then whatever else differs; fields with one value in all documents come last.
 *
 * Invariants: pure; judged over a sample, so that a long result costs no more than a short one; a generated `_id`
 * (ObjectId, UUID) says nothing to a reader and is never in a row's summary, which shows it short beside it; among
 * equals the documents' own order stands.
 */
import { fieldOf, isNested, partsOf, typeOf, wordKey, wordLeaf } from "./values.ts";

/** Documents that are looked at. */
const sampled = 60;
/** A result that grows beyond so many documents keeps its order of fields, so that its rows do not jump. */
const settling = 10;
/** A text longer than this on average is read and not recognised by. */
const longText = 48;
/** Names of fields that hold a name, as `title` or `userName`. */
const names = /^(?:.*[_.])?(?:name|title|slug|label|username|email|sku|headline|code|key)$|(?:Name|Title|Slug|Label)$/;

export interface Lead {
  /** Fields in the order in which a summary has them; fields of later documents follow in their own order. */
  readonly order: readonly string[];
  /** The first field, where there is one that tells every document from the others by a word. */
  readonly first: string | null;
  /** `_id` is generated: shown short, and not in the summary. */
  readonly shortId: boolean;
}

/**
 * The lead of a result that grows. A first batch settles it, so that rows do not change their words while a reader
 * scrolls.
 */
export class Leading {
  #values: readonly unknown[] = [];
  #lead: Lead = leadOf([]);

  get lead(): Lead {
    return this.#lead;
  }

  become(values: readonly unknown[]): void {
    const before = this.#values;
    this.#values = values;
    if (before === values) return;
    const settled = before.length >= settling && values.length >= before.length - 1 && sharesOne(before, values);
    if (!settled) this.#lead = leadOf(values);
  }
}

/** Whether some of the first documents are still there: one of them may have been changed or deleted. */
function sharesOne(before: readonly unknown[], values: readonly unknown[]): boolean {
  return [0, 1, 2].some((at) => before[at] !== undefined && values.slice(0, 3).includes(before[at]));
}

interface Seen {
  readonly name: string;
  readonly words: Set<string>;
  present: number;
  nested: number;
  generated: number;
  texts: number;
  length: number;
}

/** Whether a value was made by a program and tells a person nothing: an ObjectId or a UUID. */
export function isGenerated(value: unknown): boolean {
  const type = typeOf(value);
  if (type === "ObjectId") return true;
  return type === "Binary" && [3, 4].includes((value as { readonly sub_type: number }).sub_type);
}

/** A generated value's digits, of which a row shows the last ones. */
export function digitsOf(value: unknown): string {
  const worded = wordLeaf(value);
  return /'([^']*)'/.exec(worded)?.[1] ?? worded;
}

/** Looks at the documents of a result; other values than documents are passed over. */
export function leadOf(values: readonly unknown[]): Lead {
  const seen = new Map<string, Seen>();
  const step = Math.max(1, Math.floor(values.length / sampled));
  let documents = 0;
  for (let at = 0; at < values.length && documents < sampled; at += step) {
    const value = values[at];
    if (!isNested(value) || Array.isArray(value)) continue;
    documents += 1;
    for (const [name, part] of partsOf(value)) look(seen, name, part);
  }
  const id = seen.get("_id");
  const shortId = id !== undefined && id.generated * 2 > documents;
  const fields = [...seen.values()];
  const ranked = fields
    .map((field, at) => ({ field, at, rank: documents < 2 ? 0 : rankOf(field, documents) }))
    .sort((one, other) => one.rank - other.rank || one.at - other.at);
  const order = ranked.map(({ field }) => field.name).filter((name) => name !== "_id" || !shortId);
  const [first] = ranked;
  return {
    order,
    first: first !== undefined && documents > 1 && first.rank <= 2 ? first.field.name : null,
    shortId,
  };
}

function look(seen: Map<string, Seen>, name: string, value: unknown): void {
  let field = seen.get(name);
  if (field === undefined)
    seen.set(name, (field = { name, words: new Set(), present: 0, nested: 0, generated: 0, texts: 0, length: 0 }));
  field.present += 1;
  if (isNested(value)) {
    field.nested += 1;
    return;
  }
  if (isGenerated(value)) field.generated += 1;
  const worded = wordLeaf(value, 200);
  field.words.add(worded.length > 200 ? worded.slice(0, 200) : worded);
  if (typeof value !== "string") return;
  field.texts += 1;
  field.length += value.length;
}

/** A field's rank: from 0 for a `_id` that a person chose, to 7 for a field with one value in all documents. */
function rankOf(field: Seen, documents: number): number {
  const kinds = field.words.size + (field.present < documents ? 1 : 0);
  if (field.nested * 2 > field.present) return 5;
  if (field.generated * 2 > field.present) return 6;
  if (field.name === "_id") return 0;
  if (kinds < 2) return 7;
  const isText = field.texts * 2 > field.present;
  const isLong = isText && field.length > longText * field.texts;
  // Present in few, it tells those few from the rest and the rest by nothing.
  const telling = field.words.size * 2 > documents;
  if (isLong) return 5;
  if (isText && telling && names.test(field.name)) return 1;
  if (isText && telling) return 2;
  return telling ? 3 : 4;
}

/** The parts of a document in the order of a summary. */
export function leadParts(document: unknown, lead: Lead): readonly (readonly [string, unknown])[] {
  if (!isNested(document) || Array.isArray(document)) return [];
  const parts: (readonly [string, unknown])[] = [];
  const has = (name: string): boolean =>
    document instanceof Map ? (document as Map<string, unknown>).has(name) : Object.hasOwn(document, name);
  for (const name of lead.order) if (has(name)) parts.push([name, fieldOf(document, name)]);
  const known = new Set(lead.order);
  for (const part of partsOf(document))
    if (!known.has(part[0]) && (part[0] !== "_id" || !lead.shortId || !isGenerated(part[1]))) parts.push(part);
  return parts;
}

/** One line for a document, as `preview` writes it, with the fields that tell documents apart in front. */
export function summaryOf(document: unknown, lead: Lead, limit = 160): string {
  const parts = leadParts(document, lead);
  let text = "{ ";
  for (const [index, [name, part]] of parts.entries()) {
    const worded = isNested(part) ? (Array.isArray(part) ? `[${part.length}]` : "{…}") : wordLeaf(part, limit);
    const next = `${index === 0 ? "" : ", "}${wordKey(name)}: ${worded}`;
    if (text.length + next.length <= limit) {
      text += next;
      continue;
    }
    // A row is known by its first field, so a part of that field is better than nothing.
    return index === 0 ? `${text}${next.slice(0, limit)}… }` : `${text}, … }`;
  }
  return parts.length === 0 ? "{}" : `${text} }`;
}

/** Columns of a table: the field that tells rows apart before a generated `_id`; the others as they come. */
export function leadColumns<Column extends { readonly name: string }>(
  columns: readonly Column[],
  lead: Lead,
): readonly Column[] {
  const at = columns.findIndex(({ name }) => name === lead.first);
  const first = columns[at];
  return first === undefined || !lead.shortId ? columns : [first, ...columns.toSpliced(at, 1)];
}
