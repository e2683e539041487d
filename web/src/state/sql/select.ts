/**
 * `SELECT …` as the shell's own query: `find`, `countDocuments`, `distinct` or `aggregate`.
 *
 * Invariants: pure; SQL that is not known here (a join, a subquery, a function) gives no query rather than another one.
 */
import { offsetOf, withoutTexts } from "../../shell/rewritten.ts";
import { readCondition } from "./conditions.ts";
import { Tokens } from "./cursor.ts";
import { NotSql } from "./tokens.ts";
import { allOf, write, writeCollection, type Written, type WrittenDocument } from "./write.ts";

/** A statement in SQL: where it stands, and the same query written for the shell; null where that is not known. */
export interface SqlStatement {
  readonly from: number;
  readonly to: number;
  readonly query: string | null;
}

type Item =
  | { readonly kind: "field"; readonly parts: readonly string[]; readonly alias: string | null }
  | { readonly kind: "call"; readonly call: Call; readonly alias: string | null };

interface Call {
  readonly name: "COUNT" | "SUM" | "AVG" | "MIN" | "MAX";
  readonly isDistinct: boolean;
  /** Null is `*`. */
  readonly parts: readonly string[] | null;
}

interface Order {
  readonly by: readonly string[] | Call | number;
  readonly direction: 1 | -1;
}

const BEGIN = /^[ \t]*(?:select\s|insert\s+into\s|update\s+\S+\s+set\s|delete\s+from\s)/i;

/** Where a statement ends that is not known. */
const END = /;|\n\s*\n|$/;

/**
 * The statement in SQL around a place, whose line and column are counted from 1; null where there is none. What a
 * comment or a text holds is no statement.
 */
export function sqlAt(
  source: string,
  { line, column }: { readonly line: number; readonly column: number | null },
): SqlStatement | null {
  const lines = source.split("\n");
  const code = withoutTexts(source).split("\n");
  let at = Math.min(line, lines.length) - 1;
  while (at >= 0 && !(BEGIN.test(`${lines[at] ?? ""} \n`) && BEGIN.test(`${code[at] ?? ""} \n`))) at -= 1;
  if (at < 0) return null;
  const found = lines[at] ?? "";
  const from = offsetOf(source, at + 1, found.length - found.trimStart().length + 1);
  const { query, to } = translated(source, from);
  return offsetOf(source, line, column ?? 1) <= to ? { from, to, query } : null;
}

function translated(source: string, from: number): Pick<SqlStatement, "query" | "to"> {
  try {
    const { query, end } = translate(source, from);
    return { query, to: end };
  } catch (error) {
    if (!(error instanceof NotSql)) throw error;
    return { query: null, to: from + source.slice(from).search(END) };
  }
}

function translate(source: string, from: number): { query: string; end: number } {
  const tokens = new Tokens(source, from);
  tokens.word("SELECT");
  const isDistinct = tokens.skip("DISTINCT");
  const items = readItems(tokens);
  tokens.word("FROM");
  const first = tokens.name();
  const second = tokens.skipSign(".") ? tokens.name() : null;
  const [database, collection] = second === null ? [null, first] : [first, second];
  tokens.skip("AS");
  const tables = [collection, ...(tokens.isName() && !startsLine(source, tokens) ? [tokens.name()] : [])];
  const path = (parts: readonly string[]): string => {
    const own = parts.length > 1 && tables.includes(parts[0] ?? "") ? parts.slice(1) : parts;
    return own.join(".");
  };
  const field = (): string => path(readParts(tokens));
  const filter = tokens.skip("WHERE") ? readCondition(tokens, field) : {};
  const groups: string[] = [];
  if (tokens.skip("GROUP")) {
    tokens.word("BY");
    do groups.push(field());
    while (tokens.skipSign(","));
  }
  const target = writeCollection(database, collection);
  const isGrouped = groups.length > 0 || items?.some(({ kind }) => kind === "call") === true;
  const grouping =
    isGrouped || isDistinct ? new Grouping(items ?? fail("*"), isDistinct ? distinctOf(items) : groups, path) : null;
  const having = tokens.skip("HAVING")
    ? readCondition(tokens, () => (grouping ?? fail("HAVING")).inner(readOperand(tokens)))
    : {};
  const orders = readOrders(tokens);
  const { limit, skip } = readWindow(tokens);
  const rest = tokens.next;
  if (rest !== undefined && !source.slice(tokens.end, rest.from).includes("\n")) throw new NotSql(rest.text);
  const written = { target, filter, limit, skip };
  const query =
    grouping === null
      ? find(written, items, orders, path)
      : aggregate({ ...written, having }, grouping, isDistinct, orders);
  return { query, end: tokens.end };
}

/** A name on a line of its own is no table's second name: it begins another statement. */
const startsLine = (source: string, tokens: Tokens): boolean =>
  source.slice(tokens.end, tokens.next?.from ?? tokens.end).includes("\n");

function fail(what: string): never {
  throw new NotSql(what);
}

function readParts(tokens: Tokens): readonly string[] {
  const parts = [tokens.name()];
  while (tokens.skipSign(".")) parts.push(tokens.name());
  if (tokens.isSign("(")) throw new NotSql("a function");
  return parts;
}

/** The columns; null for `*`. */
function readItems(tokens: Tokens): readonly Item[] | null {
  if (tokens.skipSign("*")) return null;
  const items: Item[] = [];
  do {
    const operand = readOperand(tokens);
    const alias = tokens.skip("AS") || tokens.isName() ? tokens.name() : null;
    items.push("name" in operand ? { kind: "call", call: operand, alias } : { kind: "field", parts: operand, alias });
  } while (tokens.skipSign(","));
  return items;
}

function readOperand(tokens: Tokens): readonly string[] | Call {
  const name = tokens.next?.kind === "word" ? tokens.next.text.toUpperCase() : "";
  if (!/^(?:COUNT|SUM|AVG|MIN|MAX)$/.test(name) || !tokens.isSign("(", 1)) return readParts(tokens);
  tokens.name();
  tokens.sign("(");
  const isDistinct = tokens.skip("DISTINCT");
  const parts = name === "COUNT" && !isDistinct && tokens.skipSign("*") ? null : readParts(tokens);
  tokens.sign(")");
  return { name: name as Call["name"], isDistinct, parts };
}

function readOrders(tokens: Tokens): readonly Order[] {
  const orders: Order[] = [];
  if (!tokens.skip("ORDER")) return orders;
  tokens.word("BY");
  do {
    const by = tokens.next?.kind === "number" ? tokens.count() : readOperand(tokens);
    const direction = tokens.skip("DESC") ? -1 : 1;
    if (direction === 1) tokens.skip("ASC");
    orders.push({ by, direction });
  } while (tokens.skipSign(","));
  return orders;
}

/** `LIMIT 5`, `LIMIT 5 OFFSET 10`, `LIMIT 10, 5`, `OFFSET 10`. */
function readWindow(tokens: Tokens): { readonly limit: number | null; readonly skip: number } {
  let limit: number | null = null;
  let skip = 0;
  if (tokens.skip("LIMIT")) {
    limit = tokens.count();
    if (tokens.skipSign(",")) [skip, limit] = [limit, tokens.count()];
  }
  if (tokens.skip("OFFSET")) {
    skip = tokens.count();
    if (tokens.is("ROWS")) tokens.name();
  }
  // A limit of 0 gives nothing in SQL, and means none here.
  if (limit === 0) throw new NotSql("LIMIT 0");
  return { limit, skip };
}

interface Query {
  readonly target: string;
  readonly filter: WrittenDocument;
  readonly limit: number | null;
  readonly skip: number;
}

function find(
  { target, filter, limit, skip }: Query,
  items: readonly Item[] | null,
  orders: readonly Order[],
  path: (parts: readonly string[]) => string,
): string {
  const projection: Record<string, Written> = {};
  const aliases = new Map<string, string>();
  for (const item of items ?? []) {
    if (item.kind !== "field") throw new NotSql("a function");
    const from = path(item.parts);
    if (item.alias !== null) aliases.set(item.alias, from);
    projection[item.alias ?? from] = item.alias === null || item.alias === from ? 1 : `$${from}`;
  }
  if (items !== null && !("_id" in projection)) projection["_id"] = 0;
  const hasFilter = Object.keys(filter).length > 0;
  const given = items === null ? (hasFilter ? write(filter) : "") : `${write(filter)}, ${write(projection)}`;
  const sort: Record<string, Written> = {};
  for (const { by, direction } of orders) {
    let column = by;
    if (typeof column === "number") {
      const item = (items ?? [])[column - 1];
      column = item?.kind === "field" ? item.parts : fail("ORDER BY");
    }
    if ("name" in column) throw new NotSql("a function");
    sort[aliases.get(column.join(".")) ?? path(column)] = direction;
  }
  return (
    `${target}.find(${given})${orders.length === 0 ? "" : `.sort(${write(sort)})`}` +
    `${skip === 0 ? "" : `.skip(${skip})`}${limit === null ? "" : `.limit(${limit})`}`
  );
}

/** The columns of `SELECT DISTINCT`, by which its documents are grouped. */
function distinctOf(items: readonly Item[] | null): string[] {
  return (items ?? fail("*")).map((item) => (item.kind === "field" ? item.parts.join(".") : fail("a function")));
}

const flat = (path: string): string => path.replaceAll(".", "_");

/** The fields that a query groups by, the sums that it makes, and the name of each of its columns inside `$group`. */
class Grouping {
  readonly items: readonly Item[];
  readonly groups: readonly string[];
  readonly path: (parts: readonly string[]) => string;
  readonly sums: Record<string, Written> = {};
  readonly #columns = new Map<string, string>();

  constructor(items: readonly Item[], groups: readonly string[], path: (parts: readonly string[]) => string) {
    this.items = items;
    this.groups = groups.map((one) => path(one.split(".")));
    this.path = path;
    for (const item of items) {
      const inner = item.kind === "call" ? this.#sum(item.call, item.alias) : this.#group(path(item.parts));
      if (item.alias !== null) this.#columns.set(item.alias, inner);
    }
  }

  /** A column that is grouped by. */
  #group(path: string): string {
    if (!this.groups.includes(path)) throw new NotSql(`${path} is not grouped by`);
    return this.groups.length === 1 ? "_id" : `_id.${flat(path)}`;
  }

  #nameOf({ name, parts }: Call): string {
    return parts === null ? "count" : `${name.toLowerCase()}_${flat(this.path(parts))}`;
  }

  #sum(call: Call, alias: string | null): string {
    if (call.isDistinct) throw new NotSql("DISTINCT in a group");
    const name = alias ?? this.#nameOf(call);
    if (name.includes(".") || name.startsWith("$") || name === "_id") throw new NotSql(name);
    const of = call.parts === null ? null : `$${this.path(call.parts)}`;
    this.sums[name] =
      of === null
        ? { $sum: 1 }
        : call.name === "COUNT"
          ? { $sum: { $cond: [{ $gt: [of, null] }, 1, 0] } }
          : { [`$${call.name.toLowerCase()}`]: of };
    this.#columns.set(this.#nameOf(call), name);
    return name;
  }

  /** The name of a column between `$group` and the last `$project`. */
  inner(operand: readonly string[] | Call): string {
    if ("name" in operand) return this.#columns.get(this.#nameOf(operand)) ?? this.#sum(operand, null);
    return this.#columns.get(operand.join(".")) ?? this.#group(this.path(operand));
  }

  get key(): Written {
    if (this.groups.length === 0) return null;
    if (this.groups.length === 1) return `$${this.groups[0] ?? ""}`;
    return Object.fromEntries(this.groups.map((path) => [flat(path), `$${path}`]));
  }

  get projection(): WrittenDocument {
    const shown: Record<string, Written> = { _id: 0 };
    for (const item of this.items) {
      if (item.kind === "call") shown[item.alias ?? this.#nameOf(item.call)] = 1;
      else {
        const path = this.path(item.parts);
        shown[item.alias ?? flat(path)] = `$${this.#group(path)}`;
      }
    }
    return shown;
  }
}

function aggregate(
  { target, filter, having, limit, skip }: Query & { readonly having: WrittenDocument },
  grouping: Grouping,
  isDistinct: boolean,
  orders: readonly Order[],
): string {
  const [item, ...more] = grouping.items;
  const isPlain = more.length === 0 && orders.length === 0 && limit === null && skip === 0;
  const hasFilter = Object.keys(filter).length > 0;
  if (isPlain && isDistinct && item?.kind === "field")
    return `${target}.distinct(${write(grouping.path(item.parts))}${hasFilter ? `, ${write(filter)}` : ""})`;
  if (isPlain && item?.kind === "call" && item.call.name === "COUNT" && grouping.groups.length === 0) {
    const { parts } = item.call;
    const counted = parts === null ? filter : allOf([filter, { [grouping.path(parts)]: { $ne: null } }]);
    return `${target}.countDocuments(${Object.keys(counted).length === 0 ? "" : write(counted)})`;
  }
  const sort: Record<string, Written> = {};
  for (const { by, direction } of orders) {
    const column = typeof by === "number" ? grouping.items[by - 1] : undefined;
    const operand =
      typeof by !== "number"
        ? by
        : column === undefined
          ? fail("ORDER BY")
          : column.kind === "call"
            ? column.call
            : column.parts;
    sort[grouping.inner(operand)] = direction;
  }
  const stages: WrittenDocument[] = [
    ...(hasFilter ? [{ $match: filter }] : []),
    { $group: { _id: grouping.key, ...grouping.sums } },
    ...(Object.keys(having).length === 0 ? [] : [{ $match: having }]),
    ...(orders.length === 0 ? [] : [{ $sort: sort }]),
    ...(skip === 0 ? [] : [{ $skip: skip }]),
    ...(limit === null ? [] : [{ $limit: limit }]),
    { $project: grouping.projection },
  ];
  return `${target}.aggregate([\n${stages.map((stage) => `  ${write(stage)}`).join(",\n")}\n])`;
}
