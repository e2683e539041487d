/**
 * Hints for a name that is not known: a collection, method or operator of nearly that name; or the word that the name
 * is not supported here.
 *
 * Invariants: pure; a hint is given only for a name that is not known, by the error that says so or by the catalog read
 * after the run; the tables of names are the shell's and the engine's own (`Names`).
 */
import { tokenizer, tokTypes } from "acorn";
import type { ScriptError } from "../protocol/run.ts";
import { unknownOperator, unsupportedName, type OperatorPlace } from "../shell/operator-errors.ts";
import type { CatalogDatabase } from "./model.ts";
import { isGeoIndexMissing } from "./index-mends.ts";
import { misspeltIn, outlyingIn, strayedOption } from "./misspelt.ts";
import { mostSimilar } from "./similar.ts";

/** The names that a script can use, by where they stand. */
export interface Names {
  readonly databaseMethods: readonly string[];
  readonly collectionMethods: readonly string[];
  readonly cursorMethods: readonly string[];
  readonly quireMethods: readonly string[];
  readonly globalNames: readonly string[];
  readonly queryOperators: readonly string[];
  readonly updateOperators: readonly string[];
  readonly stages: readonly string[];
  readonly accumulators: readonly string[];
  readonly windowOperators: readonly string[];
  readonly expressionOperators: readonly string[];
}

/** `wrong` is the name as it was written, `right` the name that may have been meant. */
export type Hint =
  | { readonly kind: "similar"; readonly wrong: string; readonly right: string }
  /** A method of collections was called on `db`, as `db.find()`; `right` is `db.collection.find`. */
  | { readonly kind: "of-collection"; readonly wrong: string; readonly right: string }
  /** The engine knows the name as one of MongoDB's, and does not support it. */
  | { readonly kind: "unsupported"; readonly name: string }
  /** Documents were asked for by their distance, and no index tells it. */
  | { readonly kind: "geo-index" }
  /** Words were searched for in another way than by `$text` at the top of a filter; in a stage of a pipeline. */
  | { readonly kind: "text"; readonly isStage: boolean }
  /** An option of a time series stands beside `timeseries`. */
  | { readonly kind: "series-option"; readonly name: string }
  /** An operator stands under a field, whose place is the top of a filter; or the other way round. */
  | { readonly kind: "at-top" | "under-field"; readonly name: string }
  /** The numbers of a point are out of bounds; `right` is the point with its longitude first, where that is one. */
  | { readonly kind: "degrees"; readonly right: string | null };

/** A collection that is not there, and the one that may have been meant, both with their databases. */
export interface CollectionHint {
  readonly wrong: string;
  readonly right: string;
  /** `right` has the same name, in another database. */
  readonly elsewhere: boolean;
}

type Table = keyof Names;

/** The operators that there are, by where an unknown one was looked for. */
const tables: Readonly<Record<OperatorPlace, Table>> = {
  query: "queryOperators",
  update: "updateOperators",
  stage: "stages",
  accumulator: "accumulators",
  window: "windowOperators",
  expression: "expressionOperators",
};

const arrayMethods = ["concat", "every", "filter", "find", "flat", "flatMap", "forEach", "includes", "indexOf"].concat([
  "join",
  "length",
  "map",
  "pop",
  "push",
  "reduce",
  "reverse",
  "slice",
  "some",
  "sort",
  "toString",
]);

/** Names of the shell's globals that are words of the language, and stand for no value. */
const keywords = new Set("const for function if let return show use while".split(" "));

/** The hint for an error that names something unknown; null where the error is of another kind, or nothing is near. */
export function errorHint(error: Pick<ScriptError, "message">, source: string, names: Names): Hint | null {
  const { message } = error;
  const known = unsupportedName(message);
  if (known === "$search") return { kind: "text", isStage: true };
  if (known !== null) return { kind: "unsupported", name: known };
  if (isGeoIndexMissing(message)) return { kind: "geo-index" };
  const operator = unknownOperator(message);
  if (operator !== null) return operatorHint(operator, message, names);
  if (/^\$text expects an object|^Missing expected field "\$search"/.test(message))
    return { kind: "text", isStage: false };
  const strayed = strayedOption(message);
  if (strayed !== null) return { kind: "series-option", name: strayed };
  const misspelt = misspeltIn(message);
  if (misspelt !== null) return similar(misspelt.wrong, misspelt.names) ?? begun(misspelt.wrong, misspelt.names);
  const outlying = outlyingIn(message);
  if (outlying !== null) {
    const { longitude, latitude, isSwapped } = outlying;
    return { kind: "degrees", right: isSwapped ? `[${latitude}, ${longitude}]` : null };
  }
  const called = /^(.+) is not a function$/.exec(message)?.[1];
  if (called !== undefined) return methodHint(called, names);
  const free = /^'?([\w$]+)'? is not defined$/.exec(message)?.[1];
  if (free !== undefined)
    return similar(free, [...names.globalNames.filter((name) => !keywords.has(name)), ...declared(source)]);
  return null;
}

/** Operators that stand at the top of a filter alone. */
const topOperators = new Set(["$text", "$expr", "$where", "$jsonSchema", "$sampleRate"]);

function operatorHint(
  { name, place }: { readonly name: string; readonly place: OperatorPlace },
  message: string,
  names: Names,
): Hint | null {
  if (place === "query" && (name === "$search" || name === "$text")) return { kind: "text", isStage: false };
  const isKnown = place === "query" && names.queryOperators.includes(name);
  if (isKnown && message.includes("top level operator")) return { kind: "under-field", name };
  if (isKnown && topOperators.has(name)) return { kind: "at-top", name };
  return similar(name, names[tables[place]]);
}

/** The only name that begins like the one written, as `timeField` for `time`. */
function begun(wrong: string, names: readonly string[]): Hint | null {
  const [right, ...more] = names.filter((name) => name.toLowerCase().startsWith(wrong.toLowerCase()));
  return wrong.length < 4 || right === undefined || more.length > 0 ? null : { kind: "similar", wrong, right };
}

function similar(wrong: string, names: readonly string[]): Hint | null {
  // `match` where `$match` is asked for.
  const dollar = `$${wrong}`;
  const right = names.includes(dollar) ? dollar : mostSimilar(wrong, names);
  return right === null ? null : { kind: "similar", wrong, right };
}

function methodHint(called: string, names: Names): Hint | null {
  const wrong = /[\w$]+$/.exec(called)?.[0];
  if (wrong === undefined) return null;
  const on = called.slice(0, -wrong.length);
  if (on === "db.") {
    const right = mostSimilar(wrong, names.databaseMethods);
    if (right !== null) return { kind: "similar", wrong, right };
    const of = names.collectionMethods.includes(wrong) ? wrong : mostSimilar(wrong, names.collectionMethods);
    return of === null ? null : { kind: "of-collection", wrong: called, right: `db.collection.${of}` };
  }
  if (on === "quire.") return similar(wrong, names.quireMethods);
  if (/^db\..+\.$/.test(on) && !on.includes("(")) return similar(wrong, names.collectionMethods);
  return similar(wrong, [
    ...names.cursorMethods,
    ...names.collectionMethods,
    ...names.databaseMethods,
    ...arrayMethods,
  ]);
}

/** The names that a script declares. */
function declared(source: string): string[] {
  return [...source.matchAll(/\b(?:const|let|var|function|class)\s+([\w$]+)/g)].map((match) => match[1] as string);
}

/**
 * The collection that may have been meant where a run found nothing, or was told that there is none.
 *
 * @param sources the statement that gave the value, then the script: the first one that names a collection tells
 * @param namespace the cursor's namespace, where the value is a cursor; null has the sources tell the collection
 * @param databases the catalog as read after the run
 */
export function collectionHint(
  sources: readonly string[],
  database: string,
  namespace: string | null,
  databases: readonly CatalogDatabase[],
): CollectionHint | null {
  const asked =
    namespace === null
      ? namedFirst(sources).map((name) => [database, name] as const)
      : [[namespace.slice(0, namespace.indexOf(".")), namespace.slice(namespace.indexOf(".") + 1)] as const];
  // The last one is the likeliest to have given the value.
  for (const [inDatabase, wrong] of asked.reverse()) {
    const all = databases.map(({ summary, collections }) => ({
      name: summary.name,
      collections: collections.map((one) => one.name).filter((one) => !one.startsWith("system.")),
    }));
    const own = all.find(({ name }) => name === inDatabase)?.collections ?? [];
    if (own.includes(wrong) || wrong.startsWith("system.") || wrong.startsWith("$")) continue;
    const right = mostSimilar(wrong, own);
    if (right !== null) return { wrong, right, elsewhere: false };
    const other = all.find(({ name, collections }) => name !== inDatabase && collections.includes(wrong));
    if (other !== undefined)
      return { wrong: `${inDatabase}.${wrong}`, right: `${other.name}.${wrong}`, elsewhere: true };
  }
  return null;
}

function namedFirst(sources: readonly string[]): string[] {
  for (const source of sources) {
    const named = collectionsOf(source);
    if (named.length > 0) return named;
  }
  return [];
}

/** The collections that a script names as `db.name` and calls a method of, or as `db.getCollection("name")`. */
function collectionsOf(source: string): string[] {
  const found: string[] = [];
  const tokens: { readonly text: string; readonly isName: boolean; readonly value: unknown }[] = [];
  try {
    for (const token of tokenizer(source, { ecmaVersion: "latest", allowHashBang: true }))
      tokens.push({
        text: source.slice(token.start, token.end),
        isName: token.type === tokTypes.name || token.type.keyword !== undefined,
        value: token.type === tokTypes.string ? (token as unknown as { readonly value: unknown }).value : null,
      });
  } catch {
    // A line of the shell's own, such as `use my-shop`, is no JavaScript: the tokens before it will do.
  }
  for (let at = 0; at < tokens.length; at += 1) {
    if (tokens[at]?.text !== "db" || tokens[at - 1]?.text === ".") continue;
    const names: string[] = [];
    let next = at + 1;
    for (; tokens[next]?.text === "." && tokens[next + 1]?.isName === true; next += 2)
      names.push(tokens[next + 1]?.text ?? "");
    if (tokens[next]?.text === "(" && names.at(-1) === "getCollection") {
      const name = tokens[next + 1]?.value;
      if (typeof name === "string") found.push(name);
    } else if (names.length > 1 && tokens[next]?.text === "(") found.push(names.slice(0, -1).join("."));
  }
  return found;
}
