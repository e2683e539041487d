/**
 * Solutions with one fault each, for the check to find: a bound that is off, a command that is missing, a constant in
 * the place of a command.
 *
 * Invariants: pure; the same solution gives the same mutants in the same order; a script that only shows its result at
 * the end is not changed there unless its check looks at the result.
 */
import type { AnyNode } from "acorn";
import { parseScript } from "../../shell/shell-line.ts";

export interface Mutant {
  readonly kind: "bound" | "missing" | "constant";
  /** What was changed, for the author. */
  readonly what: string;
  /** Of the script's text, from 1. */
  readonly line: number;
  /** Null of a constant: it is known once `probe` was run, and `withConstant` makes the source. */
  readonly source: string | null;
  readonly start: number;
  readonly end: number;
  /** The expression gives a cursor, whose documents are meant. */
  readonly isCursor: boolean;
}

const BOUNDS: Readonly<Record<string, string>> = { $gt: "$gte", $gte: "$gt", $lt: "$lte", $lte: "$lt" };
const READS = new Set([
  "find",
  "findOne",
  "aggregate",
  "countDocuments",
  "count",
  "distinct",
  "estimatedDocumentCount",
]);
/** Methods behind a read that give its values. */
const ENDS = new Set(["toArray", "itcount", "next", "sort", "limit", "skip", "map", "hint", "count", "project"]);

type Node = AnyNode & { readonly start: number; readonly end: number };

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";

function childrenOf(node: Node): readonly Node[] {
  return Object.values(node).flatMap((value: unknown) =>
    (Array.isArray(value) ? (value as readonly unknown[]) : [value]).filter(isNode),
  );
}

function* walk(node: Node): Generator<Node> {
  yield node;
  for (const child of childrenOf(node)) yield* walk(child);
}

/** The method that an expression calls on a collection of `db`, and those behind it; null for another expression. */
function calledOn(node: Node): readonly string[] | null {
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return null;
  const { object, property } = node.callee;
  const name = property.type === "Identifier" ? property.name : "";
  if (object.type === "CallExpression") {
    const before = calledOn(object as Node);
    return before === null ? null : [...before, name];
  }
  if (object.type !== "MemberExpression") return null;
  return object.object.type === "Identifier" && object.object.name === "db" ? [name] : null;
}

/** Whether an expression only reads. */
function isRead(node: Node, source: string): boolean {
  const [first = "", ...more] = calledOn(node) ?? [];
  if (!READS.has(first) || !more.every((name) => ENDS.has(name))) return false;
  return !/\$merge|\$out/.test(source.slice(node.start, node.end));
}

/** Whether an expression reads and gives values, and no cursor. */
function givesValues(node: Node): boolean {
  const names = calledOn(node) ?? [];
  return !["find", "aggregate"].includes(names[0] ?? "") || ["toArray", "itcount", "next"].includes(names.at(-1) ?? "");
}

/** All mutants of a solution. `asksValue`: its check looks at the script's value. */
export function mutantsOf(source: string, asksValue: boolean): readonly Mutant[] {
  let program: Node;
  try {
    program = parseScript(source) as Node;
  } catch {
    return [];
  }
  const { body } = program as unknown as { readonly body: readonly Node[] };
  const last = body.at(-1);
  const shows = last?.type === "ExpressionStatement" && isRead(last.expression as Node, source) ? last : null;
  const isShown = (node: Node): boolean => shows !== null && node.start >= shows.start && node.end <= shows.end;
  const lineOf = (at: number): number => source.slice(0, at).split("\n").length;
  const mutants: Mutant[] = [];
  const add = (kind: Mutant["kind"], node: Node, what: string, text: string | null): void => {
    const { start, end } = node;
    const changed = text === null ? null : source.slice(0, start) + text + source.slice(end);
    const isCursor = kind === "constant" && !givesValues(node);
    mutants.push({ kind, what, line: lineOf(start), source: changed, start, end, isCursor });
  };
  const texts = [...walk(program)]
    .filter(({ type }) => type === "ExpressionStatement")
    .map(({ start, end }) => source.slice(start, end));
  for (const node of walk(program)) {
    if (isShown(node) && !asksValue) continue;
    if (node.type === "Property") {
      const key = node.key as Node;
      const name = key.type === "Identifier" ? key.name : key.type === "Literal" ? String(key.value) : "";
      const other = BOUNDS[name];
      if (other !== undefined) add("bound", key, `\`${name}\` is \`${other}\``, other);
    }
    if (node.type === "CallExpression" && calledOn(node as Node)?.at(-1) === "limit") {
      const [most] = node.arguments;
      if (most?.type === "Literal" && typeof most.value === "number")
        add("bound", most as Node, `the limit is ${most.value + 1}`, String(most.value + 1));
    }
    if (node.type === "ExpressionStatement" && node.expression.type === "CallExpression") {
      const text = source.slice(node.start, node.end);
      // A call that is made twice in the same words is there to show that it may be.
      const isOnce = texts.filter((one) => one === text).length === 1;
      const prints = /^(?:print|printjson)\(/.test(text);
      if (isOnce && !prints && !isRead(node.expression as Node, source))
        add("missing", node as Node, `\`${text.split("\n")[0] ?? ""}\` is missing`, ";");
    }
    if (isRead(node as Node, source) && (givesValues(node as Node) || isShown(node)))
      add(
        "constant",
        node as Node,
        `a constant stands for \`${source.slice(node.start, node.end).slice(0, 60)}\``,
        null,
      );
  }
  // Of a read inside another's chain only the whole is replaced.
  return mutants.filter(
    (one) =>
      one.kind !== "constant" ||
      !mutants.some(
        (other) => other !== one && other.kind === "constant" && other.start <= one.start && other.end >= one.end,
      ),
  );
}

/** The name under which a probe keeps a value. */
const KEPT = "quireProbe";

/** The script with one expression's value kept under a name; `PROBED` gives it afterwards. */
export function probe(source: string, { start, end, isCursor }: Mutant): string {
  const value = `${source.slice(start, end)}${isCursor ? ".toArray()" : ""}`;
  return `${source.slice(0, start)}(${KEPT} = (${value}))${source.slice(end)}`;
}

/** Gives a probed value as canonical Extended JSON. */
export const PROBED = `EJSON.stringify(${KEPT}, { relaxed: false })`;

/** The script with a constant in the place of an expression. */
export function withConstant(source: string, { start, end }: Mutant, json: string): string {
  return `${source.slice(0, start)}EJSON.parse(${JSON.stringify(json)}, { relaxed: false })${source.slice(end)}`;
}
