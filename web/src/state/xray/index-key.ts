/**
 * Key patterns of indexes as a reader types them, and as a script writes them.
 *
 * Invariant: pure; a pattern written as text and read back is the same pattern.
 */
import type { Document } from "bson";
import type { IndexKey, Suggestion } from "../insight.ts";
import { partsOf, wordKey } from "../values.ts";

/** The name an index gets that is not given one. */
export function nameOf(key: Document): string {
  return partsOf(key)
    .map(([field, kind]) => `${field}_${String(kind)}`)
    .join("_");
}

/** A key pattern as a script writes it. */
export function wordPattern(key: IndexKey): string {
  const wayOf = (way: number | string): string => (typeof way === "string" ? `"${way}"` : String(way));
  return `{ ${key.map(([field, way]) => `${wordKey(field)}: ${wayOf(way)}`).join(", ")} }`;
}

/** The call that makes suggested indexes, as a script would write it. */
export function wordCreateIndexes({ collection, keys }: Suggestion): string {
  const target = /^[A-Za-z_]\w*$/.test(collection)
    ? `db.${collection}`
    : `db.getCollection(${JSON.stringify(collection)})`;
  const patterns = keys.map(wordPattern);
  return patterns.length === 1
    ? `${target}.createIndex(${patterns.join("")})`
    : `${target}.createIndexes([${patterns.join(", ")}])`;
}

/** A key pattern as an index's fields and directions. */
export function patternOf(key: IndexKey): Document {
  return Object.fromEntries(key);
}

/** The words that an index's kind may be beside a direction. */
const kinds = new Set(["hashed", "text", "2dsphere", "2d"]);

/**
 * One key pattern or several, each in braces then, as a reader types them: `{ kind: 1, "origin.country": -1 }`, or
 * `{ kind: 1 }, { price: 1 }`; a single one also without braces, and a field alone is ascending. Null where it is none.
 */
export function readKeys(text: string): readonly Document[] | null {
  const keys = text.split(/(?<=\})\s*,?\s*(?=\{)/).map(readKey);
  const names = keys.map((key) => (key === null ? "" : nameOf(key)));
  return keys.includes(null) || new Set(names).size < names.length ? null : keys.filter((key) => key !== null);
}

function readKey(text: string): Document | null {
  const inside = text.trim().replace(/^\{/, "").replace(/\}$/, "").trim();
  const key: Document = {};
  if (inside === "") return null;
  for (const part of inside.split(",")) {
    const match = /^\s*(?:"([^"]+)"|'([^']+)'|([^\s:"',{}]+))\s*(?::\s*(-?1|"\w+"|'\w+'))?\s*$/.exec(part);
    const field = match?.[1] ?? match?.[2] ?? match?.[3];
    if (match === null || field === undefined || Object.hasOwn(key, field)) return null;
    const kind = (match[4] ?? "1").replace(/["']/g, "");
    if (/^-?1$/.test(kind)) key[field] = Number(kind);
    else if (kinds.has(kind)) key[field] = kind;
    else return null;
  }
  return key;
}
