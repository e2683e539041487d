/**
 * An event of a change stream, as the Watch panel keeps it: its bytes, and the little of them that a line shows.
 *
 * Invariants: a document is decoded when its event is opened; a line never costs more than its letters, however
 * large the document is. A large event that came in fragments has the bytes of each.
 */
import { decode } from "../../codec/decode.ts";
import { members, rawField, type Member } from "../../codec/members.ts";
import * as type from "../../codec/types.ts";
import type { Document } from "bson";
import { cutText } from "../long-text.ts";
import { isNested, preview, wordKey, wordLeaf } from "../values.ts";

/** What the reader chooses events by; `other` is all that happens to the collection and not to a document. */
export const watchKinds = ["insert", "update", "replace", "delete", "other"] as const;
export type WatchKind = (typeof watchKinds)[number];

/** A part of a line's summary: what was put into a field, or what was done to it otherwise. */
export type Touched =
  | { readonly how: "set"; readonly text: string }
  | { readonly how: "removed"; readonly text: string }
  | { readonly how: "cut"; readonly text: string; readonly size: number };

export interface WatchEvent {
  /** Counts the events of the panel from 1. */
  readonly number: number;
  readonly kind: WatchKind;
  readonly operation: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The fields of `documentKey`; empty where the event is of no document. */
  readonly key: string;
  /** The document of an insert or a replacement, or what else is told in a line; empty for an update. */
  readonly line: string;
  /** The first fields that an update touched, and how many it touched in all. */
  readonly touched: readonly Touched[];
  readonly touchedCount: number;
  /** The document of an update was looked up when the event was read, and not kept with the change. */
  readonly looked: boolean;
  readonly parts: readonly Uint8Array[];
  readonly bytes: number;
}

/** Fields that a line names, and letters of each value. */
const MOST_FIELDS = 6;
const MOST_LETTERS = 60;
/** A value of more bytes is not decoded for a line. */
const MOST_BYTES = 4096;
const beginning = new TextDecoder();
const FRAGMENT = "splitEvent";

/** The value of one member, with its type; the rest of its document is not decoded. */
export function memberValue(document: Uint8Array, { kind, start, end }: Member): unknown {
  const value = document.subarray(start, end);
  const alone = new Uint8Array(value.length + 8);
  new DataView(alone.buffer).setInt32(0, alone.length, true);
  alone.set([kind, 0x76, 0], 4);
  alone.set(value, 7);
  return decode(alone, { numbers: "typed" })["v"];
}

/** Where a field of an event lies; null where it has none. */
function find(parts: readonly Uint8Array[], name: string): { readonly part: Uint8Array; readonly at: Member } | null {
  for (const part of parts) for (const at of members(part)) if (at.name === name) return { part, at };
  return null;
}

/** The value of a field of an event; undefined where it has none. */
export function eventField(parts: readonly Uint8Array[], name: string): unknown {
  const found = find(parts, name);
  return found === null ? undefined : memberValue(found.part, found.at);
}

/** The bytes of a document in an event; null where the event has none, or null in its place. */
export function documentIn(parts: readonly Uint8Array[], name: string): Uint8Array | null {
  const found = find(parts, name);
  if (found === null || (found.at.kind !== type.DOCUMENT && found.at.kind !== type.ARRAY)) return null;
  return found.part.subarray(found.at.start, found.at.end);
}

/** A value in a few letters. */
function wordMember(document: Uint8Array, member: Member): string {
  if (member.end - member.start <= MOST_BYTES) {
    const value = memberValue(document, member);
    return isNested(value) ? preview(value, MOST_LETTERS) : wordLeaf(value, MOST_LETTERS);
  }
  if (member.kind === type.STRING)
    return wordLeaf(beginning.decode(document.subarray(member.start + 4, member.start + MOST_BYTES)), MOST_LETTERS);
  return member.kind === type.DOCUMENT ? "{…}" : member.kind === type.ARRAY ? "[…]" : "…";
}

/** A name or a path in a few letters. */
const short = (name: string): string => (name.length > MOST_LETTERS ? `${cutText(name, MOST_LETTERS)}…` : name);

/** The first fields of a document in a line; `without`: a field that the line has already. */
function wordDocument(document: Uint8Array | null, without = ""): string {
  if (document === null) return "";
  const fields: string[] = [];
  for (const member of members(document)) {
    if (member.name === without) continue;
    if (fields.push(`${wordKey(short(member.name))}: ${wordMember(document, member)}`) > MOST_FIELDS) {
      fields[MOST_FIELDS] = "…";
      break;
    }
  }
  if (fields.length === 0) return without === "" ? "{}" : "";
  return `{ ${fields.join(", ")} }`;
}

/** The fields that an update touched. */
function touchedBy(parts: readonly Uint8Array[]): Pick<WatchEvent, "touched" | "touchedCount"> {
  const description = documentIn(parts, "updateDescription");
  const touched: Touched[] = [];
  let touchedCount = 0;
  const add = (make: () => Touched): void => {
    touchedCount += 1;
    if (touched.length < MOST_FIELDS) touched.push(make());
  };
  const each = (name: string, does: (inside: Uint8Array, member: Member) => void): void => {
    const inside = description === null ? null : documentIn([description], name);
    if (inside !== null) for (const member of members(inside)) does(inside, member);
  };
  each("updatedFields", (inside, member) =>
    add(() => ({ how: "set", text: `${short(member.name)}: ${wordMember(inside, member)}` })),
  );
  each("removedFields", (inside, member) =>
    add(() => ({ how: "removed", text: short(String(memberValue(inside, member))) })),
  );
  each("truncatedArrays", (inside, member) =>
    add(() => {
      const { field, newSize } = memberValue(inside, member) as Document;
      return { how: "cut", text: short(String(field)), size: Number(newSize) };
    }),
  );
  return { touched, touchedCount };
}

/** What a line tells of an event that is of no document: its description, or the name after a renaming. */
function wordOther(parts: readonly Uint8Array[]): string {
  const to = documentIn(parts, "to");
  if (to !== null) return `→ ${String(rawField(to, "db"))}.${String(rawField(to, "coll"))}`;
  return wordDocument(documentIn(parts, "operationDescription"));
}

/** An event by its bytes; `looksUp`: its stream looks up the documents of updates. */
export function eventOf(number: number, parts: readonly Uint8Array[], looksUp = false): WatchEvent {
  const operation = String(eventField(parts, "operationType"));
  const kind = watchKinds.find((name) => name === operation) ?? "other";
  const key = documentIn(parts, "documentKey");
  const time = eventField(parts, "wallTime");
  return {
    number,
    kind,
    operation,
    at: time instanceof Date ? time.getTime() : 0,
    key: key === null ? "" : wordDocument(key).slice(2, -2),
    line:
      kind === "insert" || kind === "replace"
        ? wordDocument(documentIn(parts, "fullDocument"), "_id")
        : kind === "other"
          ? wordOther(parts)
          : "",
    ...touchedBy(parts),
    looked: looksUp && kind === "update",
    parts,
    bytes: parts.reduce((sum, part) => sum + part.length, 0),
  };
}

/** Puts the fragments of large events together: gives the parts of each whole event. */
export class Fragments {
  #waiting: Uint8Array[] = [];

  /** The beginning of an event is here, and not its end. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  add(event: Uint8Array): readonly Uint8Array[] | null {
    // Bytes of their own: the reply around them is let go.
    const own = event.slice();
    const fragment = rawField(own, FRAGMENT, "fragment");
    if (fragment === undefined) {
      this.#waiting = [];
      return [own];
    }
    if (fragment === 1) this.#waiting = [];
    // The first of them was let go with other events.
    else if (this.#waiting.length !== Number(fragment) - 1) return null;
    this.#waiting.push(own);
    if (fragment !== rawField(own, FRAGMENT, "of")) return null;
    return this.#waiting.splice(0);
  }
}
