/**
 * The pipeline of a script at a place: the array of an `aggregate` call with each stage's text, disabled ones too,
 * which are comments; and a stage's text as the document that it is.
 *
 * Invariants: nothing is run; the parts of an array put together again are its text; a comment is a stage only where it
 * reads as one object whose first key begins with `$`.
 */
import { parseExpressionAt, type AnyNode, type ArrayExpression, type CallExpression } from "acorn";
import type { Document } from "bson";
import type { PipelineText, StageText } from "../state/pipeline/edit.ts";
import { bsonDocument } from "./bson.ts";
import { Literals } from "./literals.ts";
import { Untranslatable, type Refusal } from "./model.ts";
import { collectionOf, databaseAt, read, type Read } from "./parse.ts";

/** Why there is no pipeline to show. */
export type NoPipeline = "syntax" | "none";

/** The pipeline around a place, or the first one of the statement there. */
export function pipelineAt(source: string, at: number, database: string): PipelineText | NoPipeline {
  let script: Read;
  try {
    script = read(source);
  } catch {
    return "syntax";
  }
  const calls = aggregations(script.program);
  const around = calls.filter(({ call }) => call.start <= at && at <= call.end).at(-1);
  const statement = script.program.body.find(({ start, end }) => start <= at && at <= end);
  const found =
    around ??
    calls.find(({ call }) => statement !== undefined && call.start >= statement.start && call.end <= statement.end);
  return found === undefined ? "none" : textOf(source, found, databaseAt(script, found.call.start) ?? database);
}

interface Aggregation {
  readonly call: CallExpression;
  readonly array: ArrayExpression;
}

/** The calls of `aggregate` with an array, outer ones before those inside of them. */
function aggregations(root: AnyNode): readonly Aggregation[] {
  const found: Aggregation[] = [];
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(walk);
    if (typeof node !== "object" || node === null || !("type" in node)) return;
    const one = node as AnyNode;
    const array = one.type === "CallExpression" && isAggregate(one) ? one.arguments[0] : undefined;
    if (one.type === "CallExpression" && array?.type === "ArrayExpression") found.push({ call: one, array });
    for (const part of Object.values(one)) walk(part);
  };
  walk(root);
  return found;
}

const isAggregate = ({ callee }: CallExpression): boolean =>
  callee.type === "MemberExpression" && callee.property.type === "Identifier" && callee.property.name === "aggregate";

function textOf(source: string, { call, array }: Aggregation, database: string): PipelineText {
  const lineStart = source.lastIndexOf("\n", array.start - 1) + 1;
  const from = array.start + 1;
  const to = array.end - 1;
  const elements = array.elements.filter((element) => element !== null);
  const stages: StageText[] = [];
  const first = gapAt(source, from, elements[0]?.start ?? to);
  let before = first.text;
  const take = (gap: Gap): void => {
    for (const { lead, raw, text } of gap.disabled) {
      const last = stages.at(-1);
      if (last === undefined) before = lead;
      else stages[stages.length - 1] = { ...last, after: lead };
      stages.push({ text, enabled: false, raw, tail: "", after: "" });
    }
    const last = stages.at(-1);
    if (last === undefined) before = gap.text;
    else stages[stages.length - 1] = { ...last, after: gap.text };
  };
  take(first);
  elements.forEach((element, index) => {
    const next = elements[index + 1]?.start ?? to;
    const comma = commaIn(source, element.end, next);
    const text = source.slice(element.start, element.end);
    stages.push({ text, enabled: true, raw: text, tail: source.slice(element.end, comma), after: "" });
    take(gapAt(source, comma, next));
  });
  const indent = /^[ \t]*/.exec(source.slice(lineStart, array.start))?.[0] ?? "";
  return { from, to, before, stages, indent, ...targetOf(source, call, database) };
}

/** The collection of the call; undefined where the literals do not tell. */
function targetOf(
  source: string,
  { callee }: CallExpression,
  database: string,
): Pick<PipelineText, "database" | "collection"> {
  let object = callee.type === "MemberExpression" ? (callee.object as AnyNode) : null;
  if (object?.type === "CallExpression" && object.callee.type === "MemberExpression") {
    const { property } = object.callee;
    if (property.type === "Identifier" && property.name === "explain") object = object.callee.object;
  }
  if (object?.type === "Identifier" && object.name === "db") return { database, collection: null };
  try {
    return (object === null ? null : collectionOf(source, object, database)) ?? { database, collection: undefined };
  } catch {
    return { database, collection: undefined };
  }
}

/** The text between two stages: disabled stages, each with the text before it, and the text behind the last. */
interface Gap {
  readonly disabled: readonly { readonly lead: string; readonly raw: string; readonly text: string }[];
  readonly text: string;
}

interface Lines {
  readonly start: number;
  readonly text: string;
}

const trivia = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|,|\s+/g;

/** The end of the comma behind a stage; the stage's own end where there is none. */
function commaIn(source: string, from: number, to: number): number {
  for (const [sign, index] of signs(source, from, to)) if (sign === ",") return index + 1;
  return from;
}

function signs(source: string, from: number, to: number): readonly (readonly [string, number])[] {
  return [...source.slice(from, to).matchAll(trivia)].map((found) => [found[0], from + found.index]);
}

function gapAt(source: string, from: number, to: number): Gap {
  const disabled: { lead: string; raw: string; text: string }[] = [];
  let taken = from;
  /** Lines of comments that together may be one stage. */
  let lines: Lines | null = null;
  const add = (start: number, end: number, text: string): void => {
    disabled.push({ lead: source.slice(taken, start), raw: source.slice(start, end), text });
    taken = end;
    lines = null;
  };
  for (const [sign, index] of signs(source, from, to)) {
    if (sign.startsWith("/*")) {
      lines = null;
      const text = stageIn(sign.slice(2, -2));
      if (text !== null) add(index, index + sign.length, text);
    } else if (sign.startsWith("//")) {
      const line = sign.slice(2).replace(/^ /, "").replace(/\r$/, "");
      if (lines === null && !line.trimStart().startsWith("{")) continue;
      const begun: Lines = lines === null ? { start: index, text: line } : { ...lines, text: `${lines.text}\n${line}` };
      const whole = stageIn(begun.text);
      if (whole === null) lines = begun;
      else add(begun.start, index + sign.length, whole);
    }
  }
  return { disabled, text: source.slice(taken, to) };
}

/** The stage that a comment holds, without the comma behind it; null where it is a reader's own words. */
function stageIn(comment: string): string | null {
  const text = comment.trim().replace(/,$/, "").trimEnd();
  return text.startsWith("{") && operatorOf(text) !== null ? text : null;
}

/** The `$` name that a stage's text begins with; null where the text cannot be read as one object. */
export function operatorOf(text: string): string | null {
  const node = expressionOf(text);
  if (node?.type !== "ObjectExpression") return null;
  const [property] = node.properties;
  if (property?.type !== "Property" || property.computed) return null;
  const { key } = property;
  const name = key.type === "Identifier" ? key.name : key.type === "Literal" ? String(key.value) : "";
  return name.startsWith("$") ? name : null;
}

function expressionOf(text: string): AnyNode | null {
  try {
    const node = parseExpressionAt(text, 0, { ecmaVersion: "latest" });
    // Nothing but spaces and comments may follow.
    return text.slice(node.end).replace(trivia, (sign) => (sign === "," ? sign : "")) === "" ? node : null;
  } catch {
    return null;
  }
}

/** A stage as a command holds it, or why that cannot be told without running the script. */
export function stageDocument(text: string): Document | Refused {
  const node = expressionOf(text);
  if (node?.type !== "ObjectExpression") return new Refused("syntax", "");
  try {
    return bsonDocument(new Literals(text).document(node));
  } catch (error) {
    if (error instanceof Untranslatable) return new Refused(error.refusal, error.what);
    throw error;
  }
}

/** Why a stage is no document as it stands. */
export class Refused {
  constructor(
    readonly reason: Refusal,
    readonly what: string,
  ) {}
}

/** Whether a text is a stage: where its syntax is wrong, counted from its beginning; null where nothing is. */
export function stageFault(text: string): { readonly at: number; readonly message: string } | null {
  try {
    const whole = parseExpressionAt(text, 0, { ecmaVersion: "latest" });
    const node = whole.type === "SequenceExpression" ? (whole.expressions[0] ?? whole) : whole;
    const rest = text.slice(node.end).replace(trivia, (sign) => (sign === "," ? sign : ""));
    return rest === "" ? null : { at: node.end + text.slice(node.end).search(/\S/), message: "Unexpected token" };
  } catch (error) {
    const { pos = 0, message = String(error) } = error as { pos?: number; message?: string };
    return { at: pos, message: message.replace(/ \(\d+:\d+\)$/, "") };
  }
}
