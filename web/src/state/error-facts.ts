/**
 * The facts behind a refused write: which values an index had already, or which rules a document breaks.
 *
 * Invariants: pure; facts come only from the server's reply (its `keyPattern`, `keyValue` and `errInfo`); an error that
 * tells nothing of this kind has no facts, and is shown in the server's own words.
 */
import { EJSON, type Document } from "bson";
import type { ScriptError } from "../protocol/run.ts";

/** The write that was refused. */
export interface RefusedWrite {
  /** `database.collection`; null where it is not told. */
  readonly namespace: string | null;
  /** The document to insert, or `{ q, u }` of an update; null where it is not told. */
  readonly document: Document | null;
  /** The document is too long to be told. */
  readonly leftOut: boolean;
  /** The place in the caller's list, from 0; null where there was no list. */
  readonly place: number | null;
  /** How many more writes of the list failed. */
  readonly others: number;
}

export interface DuplicateFacts extends RefusedWrite {
  readonly kind: "duplicate";
  readonly index: string;
  /** Each field of the index with the value that is taken. */
  readonly values: readonly (readonly [string, unknown])[];
  /** The index was being made: the documents that share the value are stored. */
  readonly building: boolean;
}

export interface InvalidFacts extends RefusedWrite {
  readonly kind: "invalid";
  readonly faults: readonly RuleFault[];
}

/** A rule that a document breaks; `path` is dotted, and empty for the document itself. */
export type RuleFault =
  | { readonly kind: "missing"; readonly path: string }
  | { readonly kind: "extra"; readonly path: string }
  | { readonly kind: "type"; readonly path: string; readonly wanted: readonly string[]; readonly found: string }
  /** `rule` is the operator, `wanted` its argument; `found` is absent where no value is told. */
  | {
      readonly kind: "rule";
      readonly path: string;
      readonly rule: string;
      readonly wanted: unknown;
      readonly found?: unknown;
    };

export type ErrorFacts = DuplicateFacts | InvalidFacts;

/** Reads an error's detail; null where it is neither a duplicate key nor an invalid document. */
export function errorFacts(error: ScriptError): ErrorFacts | null {
  const detail = readDetail(error.detail);
  if (detail === null) return null;
  const message = typeof detail["message"] === "string" ? detail["message"] : error.message;
  const { keyValue, errInfo } = detail as { readonly keyValue?: Document; readonly errInfo?: Document };
  const named = /E11000 duplicate key error collection: (\S+) index: (.+?) dup key: /.exec(message);
  const write: RefusedWrite = {
    namespace: typeof detail["namespace"] === "string" ? detail["namespace"] : (named?.[1] ?? null),
    document: isDocument(detail["statement"]) ? detail["statement"] : null,
    leftOut: detail["statementLeftOut"] === true,
    place: detail["failures"] === undefined ? null : Number(detail["index"]),
    others: Math.max(0, Number(detail["failures"] ?? 1) - 1),
  };
  if (keyValue !== undefined && named !== null)
    return {
      kind: "duplicate",
      ...write,
      index: named[2] as string,
      values: Object.entries(keyValue),
      building: message.startsWith("Index build failed"),
    };
  const details = errInfo?.["details"] as unknown;
  if (!isDocument(details)) return null;
  const faults: RuleFault[] = [];
  readRule(details, "", faults);
  return faults.length === 0 ? null : { kind: "invalid", ...write, faults };
}

/** An error's detail as a document; null where the text is none, since a kept result may hold any text. */
function readDetail(text: unknown): Document | null {
  try {
    const detail: unknown = typeof text === "string" ? EJSON.parse(text, { relaxed: false }) : null;
    return isDocument(detail) ? detail : null;
  } catch {
    return null;
  }
}

function isDocument(value: unknown): value is Document {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !("_bsontype" in value);
}

const under = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as readonly unknown[]) : []);
const documents = (value: unknown): readonly Document[] => list(value).filter(isDocument);
const names = (value: unknown): readonly string[] => list(value).filter((name) => typeof name === "string");

/** Collects the faults of one rule of `errInfo.details` and of the rules within it. */
function readRule(rule: Document, path: string, faults: RuleFault[]): void {
  const name = String(rule["operatorName"]);
  const inside = [
    ...documents(rule["schemaRulesNotSatisfied"]),
    ...documents(rule["details"]),
    ...documents(rule["clausesNotSatisfied"]).flatMap(({ details }) => (isDocument(details) ? [details] : [])),
  ];
  if (name === "properties" || name === "patternProperties") {
    for (const property of documents(rule["propertiesNotSatisfied"] ?? rule["details"]))
      for (const broken of documents(property["details"]))
        readRule(broken, under(path, String(property["propertyName"])), faults);
    return;
  }
  // Of `anyOf` one rule is enough, of `not` none may hold: a single broken rule is no fault by itself.
  const isChoice = ["anyOf", "oneOf", "not", "$or", "$nor"].includes(name);
  if (inside.length > 0 && !isChoice) {
    const at = name === "items" && rule["itemIndex"] !== undefined ? under(path, String(rule["itemIndex"])) : path;
    for (const broken of inside) readRule(broken, at, faults);
    return;
  }
  const schemas = isChoice ? [] : documents(rule["schemasNotSatisfied"]);
  if (schemas.length > 0) {
    for (const schema of schemas) for (const broken of documents(schema["details"])) readRule(broken, path, faults);
    return;
  }
  if (name === "required") {
    for (const missing of names(rule["missingProperties"]))
      faults.push({ kind: "missing", path: under(path, missing) });
    return;
  }
  if (name === "additionalProperties" && Array.isArray(rule["additionalProperties"])) {
    for (const extra of names(rule["additionalProperties"])) faults.push({ kind: "extra", path: under(path, extra) });
    return;
  }
  readValueRule(rule, name, path, faults);
}

/** A rule over one value: of a schema (`{ minimum: 3 }`), or of a filter (`{ price: { $gt: 0 } }`). */
function readValueRule(rule: Document, name: string, path: string, faults: RuleFault[]): void {
  const given = isDocument(rule["specifiedAs"]) ? rule["specifiedAs"] : {};
  let at = path;
  let wanted: unknown = given[name];
  const [field, condition] = Object.entries(given)[0] ?? [];
  if (name.startsWith("$") && field !== undefined && field !== name) {
    at = field;
    wanted = isDocument(condition) && name in condition ? condition[name] : condition;
  }
  if (wanted === undefined) wanted = given;
  const { consideredType, reason } = rule as { readonly consideredType?: unknown; readonly reason?: unknown };
  if (typeof consideredType === "string" && ["bsonType", "type", "$type"].includes(name))
    faults.push({
      kind: "type",
      path: at,
      wanted: list(wanted).length > 0 ? list(wanted).map(String) : [String(wanted)],
      found: consideredType,
    });
  else if (name === "$exists" && wanted === true) faults.push({ kind: "missing", path: at });
  else if (reason === "field was missing" || reason === "path does not exist")
    faults.push({ kind: "missing", path: at });
  else if (name === "$exists") faults.push({ kind: "extra", path: at });
  else
    faults.push({
      kind: "rule",
      path: at,
      rule: name,
      wanted,
      ...("consideredValue" in rule ? { found: rule["consideredValue"] as unknown } : {}),
    });
}
