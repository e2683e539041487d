/**
 * A reader's changes of a model's drawing: references confirmed, hidden and named, boxes moved.
 *
 * Invariants: pure but for the given storage. The choices are kept for each deployment and database, and checked field
 * by field when they are read. Each change is made to the choices stored at that time, so that two tabs do not undo
 * each other's. Storage that refuses to write throws, and the choices are then not kept.
 */
import type { Point } from "./layout.ts";

export interface Choice {
  readonly is: "found" | "confirmed" | "hidden";
  /** The reader's name for the reference; empty where it has none. */
  readonly name: string;
}

export interface Choices {
  /** The reader's choices of references, by `referenceKey`. */
  readonly references: ReadonlyMap<string, Choice>;
  /** The top left corners of the boxes that the reader moved, by collection. */
  readonly places: ReadonlyMap<string, Point>;
}

export const noChoices: Choices = { references: new Map(), places: new Map() };
export const unchosen: Choice = { is: "found", name: "" };

/** Characters of a name and number of choices that are kept: longer names are cut, and the oldest choices go. */
export const longestName = 60;
const mostChoices = 500;

export type Kept = Pick<Storage, "getItem" | "setItem">;

/** Where a model's choices are kept; other tabs hear of them by this key. */
export function choicesKey(deployment: string, database: string): string {
  return `quire.model.${JSON.stringify([deployment, database])}`;
}

export function readChoices(kept: Kept | null, key: string): Choices {
  try {
    return parseChoices(kept?.getItem(key) ?? null);
  } catch {
    // Blocked.
    return noChoices;
  }
}

/** Changes the stored choices, and gives all of them. Throws where the browser keeps nothing, or has no room left. */
export function changeChoices(kept: Kept | null, key: string, change: (choices: Choices) => Choices): Choices {
  if (kept === null) throw new Error("the browser keeps nothing for this page");
  const changed = change(readChoices(kept, key));
  kept.setItem(key, wordChoices(changed));
  return changed;
}

/** A reference chosen otherwise. */
export function chose(choices: Choices, reference: string, change: Partial<Choice>): Choices {
  const references = new Map(choices.references);
  const choice = { ...(references.get(reference) ?? unchosen), ...change };
  references.delete(reference);
  if (choice.is !== "found" || choice.name !== "")
    references.set(reference, { ...choice, name: choice.name.trim().slice(0, longestName) });
  return { ...choices, references: newest(references) };
}

/** A box put elsewhere; null puts all boxes back to where the layout has them. */
export function moved(choices: Choices, collection: string | null, place: Point): Choices {
  if (collection === null) return { ...choices, places: new Map() };
  const places = new Map(choices.places);
  places.delete(collection);
  places.set(collection, { x: Math.max(0, Math.round(place.x)), y: Math.max(0, Math.round(place.y)) });
  return { ...choices, places: newest(places) };
}

const newest = <Value>(all: Map<string, Value>): Map<string, Value> => new Map([...all].slice(-mostChoices));

export function wordChoices({ references, places }: Choices): string {
  return JSON.stringify({
    references: [...references].map(([reference, { is, name }]) => [reference, is, name]),
    places: [...places].map(([collection, { x, y }]) => [collection, x, y]),
  });
}

/** Reads kept choices; whatever is none is passed over. */
export function parseChoices(stored: string | null): Choices {
  let raw: { readonly references?: unknown; readonly places?: unknown };
  try {
    const parsed: unknown = JSON.parse(stored ?? "{}");
    raw = typeof parsed === "object" && parsed !== null ? parsed : {};
  } catch {
    return noChoices;
  }
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
  let choices = noChoices;
  for (const entry of list(raw.references).slice(-mostChoices)) {
    const [reference, is, name] = list(entry);
    if (typeof reference !== "string" || typeof name !== "string") continue;
    if (is === "found" || is === "confirmed" || is === "hidden") choices = chose(choices, reference, { is, name });
  }
  for (const entry of list(raw.places).slice(-mostChoices)) {
    const [collection, x, y] = list(entry);
    if (typeof collection !== "string" || !isPlace(x) || !isPlace(y)) continue;
    choices = moved(choices, collection, { x, y });
  }
  return choices;
}

/** Whether a value is a coordinate of a box, in pixels; a box farther out could not be reached any more. */
const isPlace = (value: unknown): value is number => typeof value === "number" && Math.abs(value) < 100_000;
