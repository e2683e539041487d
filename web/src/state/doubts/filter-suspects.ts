/**
 * Conditions of a filter that are likely to be wrong, by the names and types of a sample; and each of them alone.
 *
 * Invariants: pure; a suspicion carries the filter that no document may match for it to be true, unless it is true by
 * itself. What the sample does not tell is not suspected.
 */
import type { Document } from "bson";
import { fieldOf, isNested, partsOf, typeOf, wordLine, type BsonType } from "../values.ts";
import type { Doubt } from "./doubt.ts";
import { plainPath, type KnownFields } from "./known-fields.ts";

/** A doubt to be proved. */
export interface Suspect {
  readonly doubt: Doubt;
  /** The doubt holds where no document matches this; null where it needs no proof. */
  readonly proof: Document | null;
  /** The collection that the proof is asked of, where it is not the command's own. */
  readonly collection?: string;
  /** The doubt is one only where nothing was found. */
  readonly whenEmpty?: boolean;
}

/** Operators that are written without their `$`. */
const plainOperators = new Set(
  "gt gte lt lte eq ne in nin exists regex size all elemMatch not type mod or and nor".split(" "),
);
const logical = new Set(["$and", "$or", "$nor"]);
const comparing = new Set(["$eq", "$ne", "$gt", "$gte", "$lt", "$lte"]);
const listing = new Set(["$in", "$nin", "$all"]);

/** The groups of types that are compared with one another, by `$type`'s names for them. */
const groups: Readonly<Partial<Record<BsonType, readonly string[]>>> = {
  Int32: ["number"],
  Long: ["number"],
  Double: ["number"],
  Decimal128: ["number"],
  String: ["string", "symbol"],
  Symbol: ["string", "symbol"],
  Regex: ["string", "symbol", "regex"],
  Date: ["date"],
  Timestamp: ["timestamp"],
  ObjectId: ["objectId"],
  Boolean: ["bool"],
  Binary: ["binData"],
  Object: ["object"],
  Array: ["array"],
};

/** The suspicions in a filter whose paths begin with `prefix`. */
export function suspectsInFilter(filter: unknown, known: KnownFields, prefix = ""): readonly Suspect[] {
  if (typeOf(filter) !== "Object") return [];
  return partsOf(filter as Document).flatMap(([name, condition]): readonly Suspect[] => {
    if (logical.has(name) && Array.isArray(condition))
      return condition.flatMap((one) => suspectsInFilter(one, known, prefix));
    if (name === "$expr") return suspectsInExpression(condition, known);
    if (name === "$text") return suspectsInSearch(condition);
    if (name.startsWith("$")) return [];
    const path = prefix + name;
    if (plainPath(path) === "_id" || known.has(path)) return suspectsAt(path, name, condition, known);
    if (prefix === "" && Array.isArray(condition) && plainOperators.has(name))
      return [suspicionOfDollar("", name, path)];
    return [unknownPath(path, name, known, prefix)];
  });
}

/** Text of the scripts whose words no space parts, which a text index therefore does not cut. */
const unparted = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]+/u;

function suspectsInSearch(search: unknown): readonly Suspect[] {
  const text = unparted.exec(String(fieldOf(search, "$search") ?? ""))?.[0];
  if (text === undefined) return [];
  return [{ doubt: { kind: "unsegmented", text, change: null }, proof: null, whenEmpty: true }];
}

/** A path that the sample has not; `written` is its name in the script, after `prefix`. */
export function unknownPath(path: string, written: string, known: KnownFields, prefix = ""): Suspect {
  const similar = known.similar(path);
  const right = similar === null ? null : similar.startsWith(prefix) ? similar.slice(prefix.length) : null;
  return {
    doubt: {
      kind: "unknown-path",
      path,
      similar,
      types: similar === null ? [] : known.types(similar),
      seen: null,
      change: right === null ? null : { at: "key", wrong: written, right },
    },
    proof: { [plainPath(path)]: { $exists: true } },
  };
}

function suspicionOfDollar(path: string, name: string, inside: string): Suspect {
  const operator = `$${name}`;
  return {
    doubt: { kind: "no-dollar", path, operator, change: { at: "key", wrong: name, right: operator } },
    proof: { [plainPath(inside)]: { $exists: true } },
  };
}

function suspectsAt(path: string, name: string, condition: unknown, known: KnownFields): readonly Suspect[] {
  if (typeOf(condition) !== "Object") return typeSuspects(path, name, condition, known);
  const parts = partsOf(condition as Document);
  if (parts.some(([operator]) => operator.startsWith("$")))
    return parts.flatMap(([operator, value]): readonly Suspect[] => {
      if (comparing.has(operator)) return typeSuspects(path, null, value, known);
      if (listing.has(operator) && Array.isArray(value))
        return firstOf(value.map((one) => typeSuspects(path, null, one, known)));
      if (operator === "$regex") return typeSuspects(path, null, /./, known);
      if (operator === "$not") return suspectsAt(path, name, value, known);
      if (operator !== "$elemMatch" || !isNested(value)) return [];
      return partsOf(value).some(([inner]) => inner.startsWith("$") && !logical.has(inner))
        ? suspectsAt(path, name, value, known)
        : suspectsInFilter(value, known, `${path}.`);
    });
  const bare = parts.find(([inner]) => plainOperators.has(inner) && !known.has(`${path}.${inner}`));
  if (bare !== undefined) return [suspicionOfDollar(path, bare[0], `${path}.${bare[0]}`)];
  const [inner] = parts[0] ?? [];
  const types = known.types(path);
  if (inner === undefined || !types.includes("Object")) return typeSuspects(path, name, condition, known);
  const dotted = `${path}.${inner}`;
  const change = { at: "members", wrong: name, right: `${name}.${inner}` } as const;
  const whole: Suspect = { doubt: { kind: "whole", path, inner: dotted, change }, proof: null, whenEmpty: true };
  const wrong = parts.filter(([one]) => !known.has(`${path}.${one}`));
  return wrong.length === 0 ? [whole] : wrong.map(([one]) => unknownPath(`${path}.${one}`, one, known, `${path}.`));
}

/** The suspicions of the first of several that has any. */
const firstOf = (all: readonly (readonly Suspect[])[]): readonly Suspect[] =>
  all.find(({ length }) => length > 0) ?? [];

/** A value that is compared with a path; `name` is its member where it stands there by itself. */
function typeSuspects(path: string, name: string | null, value: unknown, known: KnownFields): readonly Suspect[] {
  const found = typeOf(value);
  const types = known.types(path).filter((type) => type !== "Null" && type !== "Undefined");
  const wanted = groups[found];
  if (wanted === undefined || types.length === 0) return [];
  if (types.some((type) => groups[type] === undefined || groups[type].some((one) => wanted.includes(one)))) return [];
  // Only an array is equal to an array.
  const isList = found === "Array" && name !== null;
  const right = isList ? null : rightValue(value, found, types);
  const change = isList
    ? ({ at: "list", wrong: name, right: "$in" } as const)
    : right === null
      ? null
      : ({ at: "value", wrong: typeof value === "string" ? value : Number(value), right } as const);
  return [
    { doubt: { kind: "type", path, found, types, change }, proof: { [plainPath(path)]: { $type: [...wanted] } } },
  ];
}

const digits = /^[+-]?(?:\d+\.?\d*|\.\d+)$/;
const numbers: readonly BsonType[] = ["Int32", "Long", "Double", "Decimal128"];

/** The code of a value in one of the types that the field has; null where it can be none. */
function rightValue(value: unknown, found: BsonType, types: readonly BsonType[]): string | null {
  if (typeof value === "string") {
    if (types.includes("ObjectId") && /^[\da-f]{24}$/i.test(value)) return `ObjectId(${JSON.stringify(value)})`;
    if (types.includes("Date") && /^\d{4}-\d\d(?:-\d\d(?:T.*)?)?$/.test(value) && !Number.isNaN(Date.parse(value)))
      return `new Date(${JSON.stringify(value)})`;
    if (digits.test(value.trim()) && types.some((type) => numbers.includes(type)))
      return types.includes("Decimal128") ? `NumberDecimal(${JSON.stringify(value.trim())})` : String(Number(value));
    if (types.includes("Boolean") && /^(?:true|false)$/i.test(value)) return value.toLowerCase();
    return null;
  }
  return numbers.includes(found) && types.includes("String") ? JSON.stringify(String(value)) : null;
}

/** The paths of an expression that the sample has not. */
export function suspectsInExpression(
  expression: unknown,
  known: KnownFields,
  isOwn: (path: string) => boolean = () => true,
): readonly Suspect[] {
  if (typeof expression === "string") {
    if (!/^\$[^$]/.test(expression)) return [];
    const path = expression.slice(1);
    if (known.has(path) || plainPath(path) === "_id" || !isOwn(path)) return [];
    const { doubt, proof } = unknownPath(path, path, known);
    const similar = doubt.kind === "unknown-path" ? doubt.similar : null;
    const change = similar === null ? null : ({ at: "text", wrong: expression, right: `$${similar}` } as const);
    return [{ doubt: { ...doubt, change }, proof }];
  }
  if (!isNested(expression)) return [];
  return partsOf(expression).flatMap(([name, part]) =>
    name === "$literal" || name === "$meta" ? [] : suspectsInExpression(part, known, isOwn),
  );
}

/** One condition of a filter: its words, and the filter of it alone. */
export interface Alone {
  readonly text: string;
  readonly filter: Document;
}

const longest = 90;
/** Operators that mean nothing without another of the same condition. */
const companions = new Set(["$options"]);

/** The conditions of a filter that must all hold, each alone. */
export function conditionsOf(filter: unknown): readonly Alone[] {
  if (typeOf(filter) !== "Object") return [];
  return partsOf(filter as Document).flatMap(([name, condition]): readonly Alone[] => {
    if (name === "$comment") return [];
    if (name === "$and" && Array.isArray(condition)) return condition.flatMap(conditionsOf);
    const operators = typeOf(condition) === "Object" ? partsOf(condition as Document) : [];
    const isSplit =
      !name.startsWith("$") &&
      operators.filter(([operator]) => !companions.has(operator)).length > 1 &&
      operators.every(([operator]) => operator.startsWith("$"));
    if (!isSplit) return [alone(name, condition)];
    return operators
      .filter(([operator]) => !companions.has(operator))
      .map(([operator, value]) => {
        const options: unknown = operator === "$regex" ? fieldOf(condition, "$options") : undefined;
        return alone(name, { [operator]: value, ...(options === undefined ? {} : { $options: options }) });
      });
  });
}

function alone(name: string, condition: unknown): Alone {
  const filter = { [name]: condition };
  const text = wordLine(filter).replace(/^\{ /, "").replace(/ \}$/, "");
  return { text: text.length > longest ? `${text.slice(0, longest - 1)}…` : text, filter };
}
