/**
 * The script of each entry's example: its own few documents, the statement, and a look at its effect.
 *
 * Invariants: pure; an operator's or a method's example as a hover shows it is a line of the script; for a name that is
 * refused the script shows the refusal.
 */
import type { MethodKind, OperatorKind } from "../messages/operators/texts.ts";
import { commandScripts } from "./examples/commands.ts";
import { accumulatorDocuments, expressionDocuments, windowDocuments } from "./examples/expressions.ts";
import { queryDocuments, stageDocuments, updateDocuments } from "./examples/filters.ts";
import { indexScripts, projectionScripts } from "./examples/indexes.ts";
import { methodScripts, TEAS, written } from "./examples/methods.ts";
import { optionScripts } from "./examples/options.ts";
import { operatorScripts } from "./examples/scripts.ts";
import { bulkScripts, clockScripts, globalScripts, mongoScripts, planCacheScripts } from "./examples/shell.ts";
import type { ReferenceKind } from "./kinds.ts";
import { laidOut } from "./laid-out.ts";
import { methodExamples, operatorSyntax, syntaxOf } from "./operator-syntax.ts";

const operatorKinds = new Set<string>(Object.keys(operatorSyntax));
const isOperator = (kind: ReferenceKind): kind is ReferenceKind & OperatorKind => operatorKinds.has(kind);
const isMethod = (kind: ReferenceKind): kind is ReferenceKind & Exclude<MethodKind, "explain"> =>
  kind in methodExamples;

const list = (documents: readonly string[], indent: string): string =>
  documents.map((document) => `${indent}${document},\n`).join("");

/** Documents of a collection, numbered where they have no `_id` of their own. */
function inserted(collection: string, documents: readonly string[]): string {
  const numbered = documents.map((document, at) =>
    document.includes("_id:") ? document : document.replace(/^\{ /, `{ _id: ${at + 1}, `),
  );
  return numbered.length === 1
    ? `db.${collection}.insertOne(${numbered[0]})`
    : `db.${collection}.insertMany([\n${list(numbered, "  ")}])`;
}

const pipeline = (collection: string, stage: string): string => `db.${collection}.aggregate([${stage}])`;

function ofOperator(kind: OperatorKind, name: string): string | null {
  const example = operatorSyntax[kind].has(name) ? syntaxOf(kind, name).example : "";
  const script = operatorScripts[kind]?.get(name);
  const value = example.slice(`{ ${name}: `.length, -2);
  // In the script stands the value of an update's modifier, or the whole example of any other operator.
  if (script !== undefined) return script.replace("@", () => (kind === "update" ? value : example));
  switch (kind) {
    case "query": {
      const [field, ...documents] = queryDocuments.get(name) ?? [];
      if (field === undefined) return null;
      const filter = field === "-" ? example : `{ ${field}: ${example} }`;
      return `${inserted("items", documents)}\ndb.items.find(${filter})`;
    }
    case "update": {
      const documents = updateDocuments.get(name);
      return documents === undefined
        ? null
        : `${inserted("items", documents)}\ndb.items.updateMany({}, ${example})\ndb.items.find()`;
    }
    case "stage": {
      const documents = stageDocuments.get(name);
      return documents === undefined ? null : `${inserted("items", documents)}\n${pipeline("items", example)}`;
    }
    case "accumulator": {
      const documents = accumulatorDocuments.get(name);
      const group = `{ $group: { _id: "$city", result: ${example} } }`;
      return documents === undefined ? null : `${inserted("items", documents)}\n${pipeline("items", group)}`;
    }
    case "window": {
      const documents = windowDocuments.get(name);
      const output = `{ result: ${example} }`;
      return documents === undefined
        ? null
        : `${inserted("items", documents)}\ndb.items.aggregate([{\n  $setWindowFields: {\n    sortBy: { at: 1 },\n` +
            `    output: ${output},\n  },\n}])`;
    }
    case "expression": {
      const documents = expressionDocuments.get(name);
      return documents === undefined
        ? null
        : `db.aggregate([\n  { $documents: [\n${list(documents, "    ")}  ] },\n` +
            `  { $set: { result: ${example} } },\n])`;
    }
  }
}

function ofMethod(kind: Exclude<MethodKind, "explain">, name: string): string | null {
  const statement = methodExamples[kind].get(name);
  if (statement === undefined) return null;
  const script = methodScripts[kind]?.get(name);
  if (script !== undefined) return script.replace("@", () => statement);
  return [TEAS, statement, ...(kind === "collection" && written.has(name) ? ["db.teas.find()"] : [])].join("\n");
}

const tables: Readonly<Partial<Record<ReferenceKind, ReadonlyMap<string, string>>>> = {
  command: commandScripts,
  projection: projectionScripts,
  index: indexScripts,
  option: optionScripts,
  bulk: bulkScripts,
  mongo: mongoScripts,
  planCache: planCacheScripts,
  clock: clockScripts,
  global: globalScripts,
};

function scriptOf(kind: ReferenceKind, key: string): string | null {
  if (isOperator(kind)) return ofOperator(kind, key);
  if (isMethod(kind)) return ofMethod(kind, key);
  return tables[kind]?.get(key) ?? null;
}

/** The example of something that there is; null where it has none. */
export function exampleOf(kind: ReferenceKind, key: string): string | null {
  const script = scriptOf(kind, key);
  return script === null ? null : laidOut(script);
}

/** The names of a kind that have an example. */
export function namesWithExample(kind: ReferenceKind): readonly string[] {
  const generated: Readonly<Partial<Record<ReferenceKind, ReadonlyMap<string, unknown>>>> = {
    query: queryDocuments,
    update: updateDocuments,
    stage: stageDocuments,
    accumulator: accumulatorDocuments,
    window: windowDocuments,
    expression: expressionDocuments,
  };
  return [
    ...(generated[kind]?.keys() ?? []),
    ...(isOperator(kind) ? (operatorScripts[kind]?.keys() ?? []) : []),
    ...(isMethod(kind) ? methodExamples[kind].keys() : []),
    ...(tables[kind]?.keys() ?? []),
  ];
}

/** The script that asks for a name which is refused: its run shows the refusal. */
export const refusalOf = (kind: ReferenceKind, key: string): string => laidOut(asked(kind, key));

function asked(kind: ReferenceKind, key: string): string {
  const value = /Version|^bits$|^max$|^min$|commitQuorum/.test(key) ? "1" : "{}";
  const quoted = /^\w+$/.test(key) && !/^\d/.test(key) ? key : JSON.stringify(key);
  switch (kind) {
    case "command":
      return `db.adminCommand({ ${quoted}: 1 })`;
    case "query":
      return `db.items.find({ place: { ${key}: { $geometry: { type: "Point", coordinates: [8.5, 47.4] } } } })`;
    case "stage":
      return `db.items.aggregate([{ ${key}: {} }])`;
    case "index":
      if (key.startsWith("kind:")) return `db.items.createIndex({ place: "${key.slice(5)}" })`;
      return key === "commitQuorum"
        ? 'db.runCommand({ createIndexes: "items", indexes: [{ key: { name: 1 }, name: "name_1" }], commitQuorum: 1 })'
        : `db.items.createIndex({ name: 1 }, { ${quoted}: ${value} })`;
    case "option":
      if (key === "commitQuorum") return "db.items.createIndex({ name: 1 }, { commitQuorum: 1 })";
      return /^(?:fullDocument|resume|start|showExpanded)/.test(key)
        ? `db.items.watch([], { ${key}: ${key === "fullDocument" ? '"updateLookup"' : "{}"} })`
        : `db.createCollection("items", { ${key}: {} })`;
    case "database":
      return `db.${key}("name")`;
    case "collection":
      return `db.teas.${key}()`;
    case "cursor":
      return `db.teas.find().${key}()`;
    case "mongo":
      return `db.getMongo().${key}()`;
    default:
      return `${key}()`;
  }
}
