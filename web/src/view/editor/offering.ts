/**
 * The names that fit a place, as CodeMirror's completion shows and writes them.
 *
 * Invariants: fetched by the first completion. `completion.ts` tells the kind of place; the fields of documents there
 * come from the controller's sample and the stages before. A template is written only where nothing of it stands yet.
 */
import {
  snippet,
  type Completion,
  type CompletionContext,
  type CompletionInfo,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { javascriptLanguage } from "@codemirror/lang-javascript";
import type { EditorView } from "@codemirror/view";
import type { MethodKind, NameKind } from "../../messages/operators/texts.ts";
import type { Field } from "../../state/fields.ts";
import type { CatalogDatabase } from "../../state/model.ts";
import { collectionsIn, fieldsAfter } from "../../state/pipeline/shape.ts";
import type { BsonType } from "../../state/values.ts";
import { scriptOf, wantedAt, type Wanted } from "./completion.ts";
import type { OfferedKind } from "./kinds-look.ts";
import { methodTemplate } from "../../reference/method-signatures.ts";
import { kindOf, signature, type OperatorHelp } from "./operator-help.ts";
import { helpOn } from "./operator-hover.ts";
import { snippetOf } from "../../reference/operator-syntax.ts";
import * as words from "./shell-words.ts";

/** A database and its collections, as far as completion names them. */
export interface KnownDatabase {
  readonly summary: Pick<CatalogDatabase["summary"], "name">;
  readonly collections: readonly Pick<CatalogDatabase["collections"][number], "name" | "count">[];
}

/** The page's names and words for completion. */
export interface Known {
  readonly database: string;
  readonly help: OperatorHelp;
  number(count: number): string;
  /** Asked where a place takes names of databases or collections, and waits for an engine that is being started. */
  databases(): Promise<readonly KnownDatabase[]>;
  fields(collection: string): Promise<readonly Field[]>;
}

type Offer = Completion & { readonly type: OfferedKind };

/** The characters with which a typed name goes on, so that the list narrows without being asked for again. */
const goesOn: Partial<Readonly<Record<Wanted["kind"], RegExp>>> = {
  "field-path": /^[\w.]*$/,
  field: /^[\w.]*$/,
  "collection-name": /^[^"'`\n]*$/,
  "database-name": /^[^"'`\s]*$/,
};

/** The names that fit where the cursor is; null where there are none. */
export async function offer(context: CompletionContext, known: Known): Promise<CompletionResult | null> {
  return answer(context, wantedAt(scriptOf(context.state, context.pos), context.pos), known);
}

/** The same in an editor that holds a part of a script; `before` and `after` are the script's text around it. */
export async function offerInside(
  context: CompletionContext,
  known: Known,
  before: string,
  after: string,
): Promise<CompletionResult | null> {
  const text = before + context.state.doc.toString() + after;
  const wanted = wantedAt({ text, tree: javascriptLanguage.parser.parse(text) }, before.length + context.pos);
  return answer(context, { ...wanted, from: wanted.from - before.length }, known);
}

async function answer(context: CompletionContext, wanted: Wanted, known: Known): Promise<CompletionResult | null> {
  const isShort = context.pos - wanted.from < 2 && !context.explicit;
  if (wanted.kind === "global" && isShort) return null;
  const options = await optionsFor(wanted, known);
  if (options.length === 0) return null;
  const quotedKey = wanted.kind === "key" && wanted.quoted;
  return { from: wanted.from, options, validFor: quotedKey ? /^[\w.$]*$/ : (goesOn[wanted.kind] ?? /^[\w$]*$/) };
}

/** The names that fit a place. */
export async function optionsFor(wanted: Wanted, known: Known): Promise<readonly Offer[]> {
  switch (wanted.kind) {
    case "database":
      return [...(await collections(known)), ...methods(known, "database", words.databaseMethods)];
    case "collection":
      return [
        ...(await collections(known, wanted.collection)),
        ...methods(known, "collection", words.collectionMethods),
      ];
    case "cursor":
      return methods(known, "cursor", words.cursorMethods);
    case "explain":
      return methods(known, "explain", words.explainMethods);
    case "quire":
      return methods(known, "quire", words.quireMethods);
    case "key":
      return keys(wanted, known);
    case "field":
    case "field-path": {
      const fields = await fieldsAt(wanted, known);
      return fields.map((field) => ({ ...fieldOffer(field), apply: field.path }));
    }
    case "stage":
      return operators(wanted, known, "snippet");
    case "collection-name":
      return (await all(known)).map(({ name, count }) => ({
        label: name,
        type: "collection",
        detail: known.number(count),
      }));
    case "database-name":
      return (await known.databases()).map(({ summary, collections: { length } }) => ({
        label: summary.name,
        type: "database",
        detail: known.number(length),
      }));
    case "shown":
      return words.shownNames.map((label) => ({ label, type: "word" }));
    case "global":
      return words.globalNames.map((label) => ({ label, type: "word" }));
    case "none":
      return [];
  }
}

const all = async (known: Known) =>
  (await known.databases()).find(({ summary }) => summary.name === known.database)?.collections ?? [];

/** Collections of the database in use; after `db.system.` the rest of the names that begin with `system.`. */
async function collections(known: Known, after: string | null = null): Promise<readonly Offer[]> {
  const prefix = after === null ? "" : `${after}.`;
  return (await all(known))
    .map(({ name, count }) => ({ name, count, rest: name.slice(prefix.length) }))
    .filter(({ name, rest }) => name.startsWith(prefix) && /^[A-Za-z_][\w.]*$/.test(rest))
    .map(({ rest, count }) => ({ label: rest, type: "collection", detail: known.number(count), boost: 2 }));
}

function methods({ help }: Known, kind: MethodKind, names: readonly string[]): readonly Offer[] {
  return names.map((name) => ({
    label: name,
    type: "method",
    detail: signature(kind, name),
    apply: unless("(", methodTemplate(name, signature(kind, name))),
    boost: -1,
    ...infoOn(help, kind, name),
  }));
}

/** The fields of the documents at a place: those of the collection, as the stages before the place change them. */
async function fieldsAt({ collection, stages }: Wanted, known: Known): Promise<readonly Field[]> {
  const foreign = new Map<string, readonly Field[]>();
  await Promise.all(collectionsIn(stages).map(async (name) => foreign.set(name, await known.fields(name))));
  const own = collection === null ? [] : await known.fields(collection);
  return fieldsAfter(own, stages, (name) => foreign.get(name) ?? []);
}

function fieldOffer({ path, types }: Field): Offer {
  return { label: path, type: "field", boost: 1, ...(types.length === 0 ? {} : { detail: types.join(" | ") }) };
}

async function keys(wanted: Wanted, known: Known): Promise<readonly Offer[]> {
  const { path, quoted } = wanted;
  const around = wanted.fields || path !== "" ? await fieldsAt(wanted, known) : [];
  const prefix = path === "" ? "" : `${path}.`;
  const fields = !wanted.fields
    ? []
    : around
        .filter((field) => field.path.startsWith(prefix))
        .map((field) => ({ ...field, path: field.path.slice(prefix.length) }));
  const types = around.find((field) => field.path === path)?.types ?? [];
  return [
    ...fields.map((field) => ({
      ...fieldOffer(field),
      apply: quoted || /^[A-Za-z_$][\w$]*$/.test(field.path) ? field.path : JSON.stringify(field.path),
    })),
    ...wanted.options.map((label): Offer => ({ label, type: "option", boost: 1, ...keyApply(label, quoted) })),
    ...operators(wanted, known, "operator", types),
  ];
}

const keyApply = (label: string, quoted: boolean) => (quoted ? {} : { apply: unless(":", `${label}: \${}`) });

const numbers: readonly BsonType[] = ["Int32", "Long", "Double", "Decimal128"];
/** Operators which ask something that only values of some types can answer. */
const suits = new Map<string, readonly BsonType[]>([
  ...["$all", "$elemMatch", "$size"].map((name) => [name, ["Array"]] as [string, BsonType[]]),
  ["$regex", ["String", "Symbol"]],
  ["$mod", numbers],
  ...["$bitsAllClear", "$bitsAllSet", "$bitsAnyClear", "$bitsAnySet"].map(
    (name) => [name, [...numbers, "Binary"]] as [string, BsonType[]],
  ),
]);

/** Stages that most pipelines are made of. */
const frequent = new Set(["$group", "$limit", "$lookup", "$match", "$project", "$sort", "$unwind"]);
/** Operators that fit many places and are meant in few. */
const seldom = /^\$(bits[A-Z]|always|accumulator$)/;

/** How far before or after the others an operator stands for a field of these types. */
export function rank(operator: string, types: readonly BsonType[]): number {
  const suited = suits.get(operator);
  if (suited === undefined || types.length === 0) return 0;
  // Tests of bits suit numbers, but are seldom meant.
  if (types.some((type) => suited.includes(type))) return suited.includes("Int32") ? 0 : 1;
  // An array's elements may be texts or numbers; a null says nothing.
  return types.every((type) => type === "Null" || type === "Array") ? 0 : -40;
}

function place(kind: NameKind, label: string, types: readonly BsonType[]): number {
  if (seldom.test(label)) return Math.min(-2, rank(label, types));
  return kind === "stage" && frequent.has(label) ? 1 : rank(label, types);
}

function operators(
  { operators: names, quoted }: Wanted,
  { help }: Known,
  as: "operator" | "snippet",
  types: readonly BsonType[] = [],
): readonly Offer[] {
  const table = kindOf(names);
  return names.map((label) => {
    const kind = table === "expression" && label === "$elemMatch" ? "query" : (table ?? "expression");
    const template = snippetOf(kind, label);
    const written = as === "snippet" ? { apply: snippetApply(`{ ${template} }`) } : { apply: unless(":", template) };
    return {
      label,
      type: as === "snippet" ? "snippet" : kind === "stage" ? "stage" : "operator",
      boost: place(kind, label, types),
      ...(quoted ? {} : written),
      ...infoOn(help, kind, label),
    };
  });
}

function infoOn(help: OperatorHelp, kind: NameKind, name: string): Pick<Completion, "info"> {
  const lines = help.lines({ name, kind });
  return lines.length === 0 ? {} : { info: (): CompletionInfo => helpOn(help, lines) };
}

type Apply = (view: EditorView, completion: Completion, from: number, to: number) => void;

function snippetApply(template: string): Apply {
  return snippet(template);
}

/** Writes a template, or, where a sign follows which it begins with after the name, the name alone. */
function unless(sign: string, template: string): Apply {
  return (view, completion, from, to) => {
    const follows = view.state
      .sliceDoc(to, to + 20)
      .trimStart()
      .startsWith(sign);
    if (!follows) return snippet(template)(view, completion, from, to);
    view.dispatch({
      changes: { from, to, insert: completion.label },
      selection: { anchor: from + completion.label.length },
      userEvent: "input.complete",
    });
  };
}
