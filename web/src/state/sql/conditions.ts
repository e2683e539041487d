/**
 * The conditions of WHERE and HAVING, as a filter.
 *
 * Invariants: pure; a condition that cannot be said as a filter ends the reading with `NotSql`. A comparison with NULL
 * is refused, since SQL holds it never true.
 */
import { NotSql } from "./tokens.ts";
import type { Tokens } from "./cursor.ts";
import { allOf, Code, type WrittenDocument, type Written } from "./write.ts";

/** Reads the left side of a comparison, a column or a function's call, and gives the path of its field. */
export type ReadField = () => string;

const operators: Readonly<Record<string, string>> = {
  "=": "$eq",
  "<>": "$ne",
  "!=": "$ne",
  "<": "$lt",
  "<=": "$lte",
  ">": "$gt",
  ">=": "$gte",
};
const turned: Readonly<Record<string, string>> = { $lt: "$gt", $lte: "$gte", $gt: "$lt", $gte: "$lte" };
const opposite: Readonly<Record<string, string>> = { $eq: "$ne", $ne: "$eq" };

/** Reads `a OR b`; AND and NOT bind closer and are read inside. */
export function readCondition(tokens: Tokens, field: ReadField): WrittenDocument {
  const parts = [readAnd(tokens, field)];
  while (tokens.skip("OR")) parts.push(readAnd(tokens, field));
  return parts.length === 1 ? (parts[0] as WrittenDocument) : { $or: parts };
}

function readAnd(tokens: Tokens, field: ReadField): WrittenDocument {
  const parts = [readNot(tokens, field)];
  while (tokens.skip("AND")) parts.push(readNot(tokens, field));
  return allOf(parts);
}

function readNot(tokens: Tokens, field: ReadField): WrittenDocument {
  if (tokens.skip("NOT")) return { $nor: [readNot(tokens, field)] };
  if (tokens.isSign("(")) {
    tokens.sign("(");
    const inside = readCondition(tokens, field);
    tokens.sign(")");
    return inside;
  }
  return readPredicate(tokens, field);
}

function readPredicate(tokens: Tokens, field: ReadField): WrittenDocument {
  if (tokens.isValue()) {
    const value = tokens.value(true);
    const operator = comparison(tokens);
    return compare(field(), turned[operator] ?? operator, value);
  }
  const path = field();
  const isNegated = tokens.skip("NOT");
  if (tokens.skip("LIKE")) return like(path, text(tokens), isNegated, "");
  if (tokens.skip("ILIKE")) return like(path, text(tokens), isNegated, "i");
  if (tokens.skip("IN")) return { [path]: { [isNegated ? "$nin" : "$in"]: readList(tokens, path) } };
  if (tokens.skip("BETWEEN")) {
    const low = valueOf(tokens, path);
    tokens.word("AND");
    const range = { [path]: { $gte: low, $lte: valueOf(tokens, path) } };
    return isNegated ? { $nor: [range] } : range;
  }
  if (isNegated) throw new NotSql("NOT");
  if (tokens.skip("IS")) {
    const isNot = tokens.skip("NOT");
    tokens.word("NULL");
    return { [path]: isNot ? { $ne: null } : null };
  }
  const operator = comparison(tokens);
  if (tokens.isValue()) return compare(path, operator, valueOf(tokens, path));
  return { $expr: { [operator]: [`$${path}`, `$${field()}`] } };
}

function comparison(tokens: Tokens): string {
  const operator = operators[tokens.anySign()];
  if (operator === undefined) throw new NotSql("a comparison");
  return operator;
}

function compare(path: string, operator: string, value: Written): WrittenDocument {
  if (value === null) throw new NotSql("a comparison with NULL");
  return { [path]: operator === "$eq" ? value : { [operator]: value } };
}

/** A value to compare a field with: the text of an `_id` that looks like an ObjectId is one. */
function valueOf(tokens: Tokens, path: string): Written {
  const value = tokens.value(true);
  const isId = typeof value === "string" && /(?:^|\.|_)id$/i.test(path) && /^[0-9a-f]{24}$/i.test(value);
  return isId ? new Code(`ObjectId(${JSON.stringify(value)})`) : value;
}

function readList(tokens: Tokens, path: string): readonly Written[] {
  tokens.sign("(");
  const values = [valueOf(tokens, path)];
  while (tokens.skipSign(",")) values.push(valueOf(tokens, path));
  tokens.sign(")");
  return values;
}

function text(tokens: Tokens): string {
  const value = tokens.value(true);
  if (typeof value !== "string" || tokens.is("ESCAPE")) throw new NotSql("LIKE");
  return value;
}

/** `%` stands for any text and `_` for one character. */
function like(path: string, pattern: string, isNegated: boolean, flag: string): WrittenDocument {
  if (!/[%_]/.test(pattern) && flag === "")
    return { [path]: isNegated ? { [opposite["$eq"] as string]: pattern } : pattern };
  let inside = [...pattern]
    .map((one) => (one === "%" ? ".*" : one === "_" ? "." : one.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&")))
    .join("");
  inside = inside.replaceAll("\n", "\\n").replaceAll("\r", "\\r");
  const open = pattern.startsWith("%") ? inside.replace(/^(?:\.\*)+/, "") : `^${inside}`;
  const closed = pattern.endsWith("%") ? open.replace(/(?:\.\*)+$/, "") : `${open}$`;
  // A pattern of percent signs alone is met by any text.
  const source = closed === "" ? "(?:)" : closed;
  const flags = `${flag}${source.includes(".") && /(?:^|[^\\])\./.test(source) ? "s" : ""}`;
  const expression = new Code(`/${source}/${flags}`);
  return { [path]: isNegated ? { $not: expression } : expression };
}
