/**
 * Commands and replies between bytes and the values of MongoDB's driver, with nothing lost on the way.
 *
 * An object of JavaScript loses what BSON has: the order of fields that are named by numbers, a field that is there
 * twice, a reference's other fields. Invariants: documents that a command writes go as their bytes where the driver can
 * send them so; everything else goes as pairs of names and values, in their order; documents in a reply are bytes.
 */
import type { Document } from "bson";
import { encode } from "../../codec/encode.ts";
import { members, nameOf } from "../../codec/members.ts";
import * as type from "../../codec/types.ts";

/** js-bson as the driver has it. */
export interface DriverBson {
  deserialize(bytes: Uint8Array, options: Document): Document;
  serialize(document: unknown): Uint8Array;
}

/** Documents that the driver sends as their bytes. */
export interface Sequence {
  push(document: unknown, bytes: Uint8Array): number;
}
export type Sequences = new (field: string) => Sequence;

/** The options with which the driver gives replies that `replyBytes` reads. */
export const RAW = {
  raw: true,
  promoteValues: false,
  promoteBuffers: false,
  bsonRegExp: true,
  enableUtf8Validation: false,
};
const LEAF = { ...RAW, raw: false, validation: { utf8: false } };

/** A document's fields in their order, some of them there twice, as js-bson takes a `Map`. */
class Pairs extends Map<string, unknown> {
  readonly #pairs: readonly [string, unknown][];
  constructor(pairs: readonly [string, unknown][]) {
    super();
    this.#pairs = pairs;
  }
  override entries(): MapIterator<[string, unknown]> {
    return this.#pairs[Symbol.iterator]() as MapIterator<[string, unknown]>;
  }
  override [Symbol.iterator](): MapIterator<[string, unknown]> {
    return this.entries();
  }
}

/** The bytes of an element, and those of a document of elements. */
export function element(kind: number, name: string, value: Uint8Array): Uint8Array {
  const head = new TextEncoder().encode(`${name}\0`);
  const whole = new Uint8Array(1 + head.length + value.length);
  whole[0] = kind;
  whole.set(head, 1);
  whole.set(value, 1 + head.length);
  return whole;
}
export function documentOf(elements: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(elements.reduce((total, one) => total + one.length, 5));
  new DataView(whole.buffer).setInt32(0, whole.length, true);
  let at = 4;
  for (const one of elements) {
    whole.set(one, at);
    at += one.length;
  }
  return whole;
}

/** The elements of a document whose names are wanted, as they are. */
export function elementsOf(document: Uint8Array, wanted: (name: string) => boolean): Uint8Array[] {
  const found: Uint8Array[] = [];
  let before = 4;
  for (const { name, end } of members(document)) {
    if (wanted(name)) found.push(document.subarray(before, end));
    before = end;
  }
  return found;
}

function valueOf(bson: DriverBson, kind: number, bytes: Uint8Array): unknown {
  if (kind === type.DOCUMENT) return new Pairs(pairsOf(bson, bytes));
  if (kind === type.ARRAY) return pairsOf(bson, bytes).map(([, value]) => value);
  return bson.deserialize(documentOf([element(kind, "v", bytes)]), LEAF)["v"];
}

function pairsOf(bson: DriverBson, document: Uint8Array): [string, unknown][] {
  return [...members(document)].map(({ kind, name, start, end }) => [
    name,
    valueOf(bson, kind, document.subarray(start, end)),
  ]);
}

/** The field of a command that holds what it writes. */
const WRITTEN: Readonly<Record<string, string>> = { insert: "documents", update: "updates", delete: "deletes" };

/** What a driver without sequences would send otherwise than it is. */
export class Unsendable extends Error {}

/** A command for the driver's `command`, and the fields of it that are the driver's affair. */
export function commandFor(
  bson: DriverBson,
  bytes: Uint8Array,
  sequences: Sequences | null,
): { readonly command: Document; readonly envelope: Document } {
  const written = WRITTEN[nameOf(bytes)];
  const command: Document = {};
  const envelope: Document = {};
  for (const { kind, name, start, end } of members(bytes)) {
    const value = bytes.subarray(start, end);
    const items = name === written && kind === type.ARRAY ? [...members(value)] : [];
    if (name === "$db" || name === "lsid" || name === "$clusterTime")
      envelope[name] = kind === type.DOCUMENT ? bson.deserialize(value, LEAF) : valueOf(bson, kind, value);
    else if (items.length > 0 && items.every((item) => item.kind === type.DOCUMENT)) {
      const documents = items.map((item) => value.subarray(item.start, item.end));
      command[name] =
        sequences === null ? documents.map((one) => exactly(bson, one)) : sequence(sequences, name, documents);
    } else command[name] = valueOf(bson, kind, value);
  }
  return { command, envelope };
}

function sequence(Kind: Sequences, name: string, documents: readonly Uint8Array[]): Sequence {
  const made = new Kind(name);
  for (const bytes of documents) made.push(bytes, bytes);
  return made;
}

/** A document as pairs, which the driver makes the same bytes of; throws where it would not. */
function exactly(bson: DriverBson, bytes: Uint8Array): Pairs {
  const pairs = new Pairs(pairsOf(bson, bytes));
  if (Buffer.compare(bson.serialize(pairs), bytes) !== 0) throw new Unsendable();
  return pairs;
}

/** The bytes of a reply that the driver gave for `RAW`. */
export function replyBytes(reply: Document): Uint8Array {
  return documentOf(Object.entries(reply).map(([name, value]) => replied(name, value)));
}

function replied(name: string, value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return element(type.DOCUMENT, name, value);
  if (Array.isArray(value))
    return element(type.ARRAY, name, documentOf(value.map((item, at) => replied(String(at), item))));
  return encode({ [name]: value }).subarray(4, -1);
}
