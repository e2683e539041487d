/**
 * What could be written at a place in a script, from the text before it and the names that exist.
 *
 * Invariants: pure, so it is tested without an editor; it reads the text backwards from the cursor and never parses
 * the whole; where it is not sure, it offers nothing rather than noise.
 */
import * as words from "./shell-words.ts";

/** What kind of name is wanted, and on which collection, if one is known. */
export interface Wanted {
  /** Where the half-written name begins. */
  readonly from: number;
  readonly kind: "database" | "collection" | "cursor" | "explain" | "key" | "field-path" | "global" | "none";
  readonly collection: string | null;
  /** For keys: which `$` operators can stand here. */
  readonly operators: readonly string[];
}

const cursorMakers = new Set([
  "find",
  "aggregate",
  "batchSize",
  "collation",
  "comment",
  "hint",
  "limit",
  "maxTimeMS",
  "projection",
  "skip",
  "sort",
  "pretty",
  "tailable",
]);

/** Reads what is wanted at `position`. */
export function wantedAt(text: string, position: number): Wanted {
  const before = text.slice(Math.max(0, position - 4000), position);
  const shift = position - before.length;
  const quoted = /(["'])\$([\w.]*)$/.exec(before);
  if (quoted !== null) {
    const from = shift + before.length - (quoted[2] ?? "").length;
    return { from, kind: "field-path", collection: collectionBefore(before), operators: [] };
  }
  const word = /[\w$]*$/.exec(before)?.[0] ?? "";
  const head = before.slice(0, before.length - word.length);
  const from = shift + head.length;
  const answer = (
    kind: Wanted["kind"],
    collection: string | null = null,
    operators: readonly string[] = [],
  ): Wanted => ({ from, kind, collection, operators });
  if (insideStringOrComment(head)) return answer("none");
  if (/(^|[^\w.$])db\.$/.test(head)) return answer("database");
  const called =
    /(?:^|[^\w.$])db\.([\w.]+)\.$/.exec(head) ??
    /db\.getCollection\(\s*["']([^"']+)["']\s*\)\.$/.exec(head) ??
    /db\[\s*["']([^"']+)["']\s*\]\.$/.exec(head);
  if (called !== null) return answer("collection", called[1] ?? null);
  if (/\)\s*\.$/.test(head)) {
    const method = methodBefore(head, head.lastIndexOf(")"));
    if (method === "explain") return answer("explain");
    if (method === "getSiblingDB") return answer("database");
    return answer(method !== null && cursorMakers.has(method) ? "cursor" : "none");
  }
  if (/\.\s*$/.test(head)) return answer("none");
  if (/[{,]\s*$/.test(head)) {
    const call = callAround(head);
    if (call !== null) return answer("key", call.collection, operatorsFor(call));
  }
  return word === "" ? answer("none") : answer("global");
}

interface Call {
  readonly method: string;
  readonly collection: string | null;
  /** Counts from 0. */
  readonly argument: number;
  /** How many braces are open between the call and the cursor. */
  readonly depth: number;
  /** The keys whose values are being written, innermost first. */
  readonly keys: readonly string[];
}

/** The call whose arguments the end of `head` is in, if it is written in braces. */
function callAround(head: string): Call | null {
  let depth = 0;
  let braces = 0;
  let argument = 0;
  const keys: string[] = [];
  for (let at = head.length - 1; at >= 0; at -= 1) {
    const character = head[at];
    if (character === "}" || character === "]" || character === ")") depth += 1;
    else if (character === "{" || character === "[" || character === "(") {
      if (depth > 0) depth -= 1;
      else if (character === "(") {
        const method = /([\w$]+)\s*$/.exec(head.slice(0, at))?.[1];
        if (method === undefined || braces === 0) return null;
        return { method, collection: collectionBefore(head.slice(0, at)), argument, depth: braces, keys };
      } else {
        if (character === "{") {
          braces += 1;
          const key = /["']?([\w$.]+)["']?\s*:\s*\[?\s*$/.exec(head.slice(0, at))?.[1];
          if (key !== undefined) keys.push(key);
        }
        // Commas within braces separate fields; only those directly in the call separate arguments.
        argument = 0;
      }
    } else if (character === "," && depth === 0) argument += 1;
    else if (character === ";" && depth === 0 && braces === 0) return null;
  }
  return null;
}

function operatorsFor(call: Call): readonly string[] {
  switch (call.method) {
    case "aggregate":
      if (call.depth === 1) return words.stages;
      return inPipeline(call.keys);
    case "updateOne":
    case "updateMany":
    case "update":
    case "findOneAndUpdate":
      return call.argument === 1 ? words.updateOperators : words.queryOperators;
    case "insertOne":
    case "insertMany":
    case "insert":
    case "createIndex":
    case "sort":
    case "projection":
      return [];
    default:
      return words.queryOperators;
  }
}

/** What can stand in a stage, by the keys around the place, innermost first. */
function inPipeline(keys: readonly string[]): readonly string[] {
  const stage = keys.findIndex((key) => words.stages.includes(key) && key !== "$count");
  const around = stage < 0 ? keys : keys.slice(0, stage);
  const expression = around.some((key) => key.startsWith("$"));
  switch (keys[stage]) {
    case "$match":
      return around.includes("$expr") ? words.expressionOperators : words.queryOperators;
    case "$group":
      return around.length === 1 && around[0] !== "_id" && !expression ? words.accumulators : words.expressionOperators;
    case "$bucket":
    case "$bucketAuto":
      return around.length === 2 && around[1] === "output" ? words.accumulators : words.expressionOperators;
    case "$setWindowFields":
      return around.length === 2 && around[1] === "output" ? words.windowOperators : words.expressionOperators;
    case "$facet":
      return around.length === 1 ? words.stages : words.expressionOperators;
    case "$lookup":
    case "$unionWith":
      return around[0] === "pipeline" ? words.stages : words.expressionOperators;
    default:
      return words.expressionOperators;
  }
}

/** The last collection named before a place. */
function collectionBefore(text: string): string | null {
  const named = [
    ...text.matchAll(
      /(?:^|[^\w.$])db(?:\.getCollection\(\s*["']([^"']+)["']\s*\)|\.([A-Za-z_][\w.]*?)\.\w+\s*(?:\(|$))/g,
    ),
  ].pop();
  return named?.[1] ?? named?.[2] ?? null;
}

/** The method whose closing parenthesis is at `close`. */
function methodBefore(text: string, close: number): string | null {
  let depth = 0;
  for (let at = close; at >= 0; at -= 1) {
    const character = text[at];
    if (character === ")" || character === "]" || character === "}") depth += 1;
    else if (character === "(" || character === "[" || character === "{") {
      depth -= 1;
      if (depth === 0) return /([\w$]+)\s*$/.exec(text.slice(0, at))?.[1] ?? null;
    }
  }
  return null;
}

/** Judged on the last line alone, which is where scripts have their strings. */
function insideStringOrComment(head: string): boolean {
  const line = head.slice(head.lastIndexOf("\n") + 1);
  let quote: string | null = null;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at];
    if (quote !== null) {
      if (character === "\\") at += 1;
      else if (character === quote) quote = null;
    } else if (character === '"' || character === "'" || character === "`") quote = character;
    else if (character === "/" && line[at + 1] === "/") return true;
  }
  return quote !== null;
}
