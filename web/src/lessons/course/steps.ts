/**
 * The commands of a race as a reader would write them, and what each gave.
 *
 * Invariants: pure; a command that no method of the shell is known for is worded as the command that it is; no text is
 * longer than a few lines.
 */
import { wordShortLine } from "../../state/values.ts";
import type { Interleaving, Step } from "./race.ts";

/** What a command gave. */
export type Given =
  | { readonly kind: "error"; readonly message: string }
  /** Documents or values that it found, the first few of them as text. */
  | { readonly kind: "found"; readonly count: number; readonly first: string }
  | { readonly kind: "inserted" | "changed" | "deleted"; readonly count: number }
  | { readonly kind: "done" };

export interface WordedStep {
  readonly by: Step["by"];
  readonly text: string;
  readonly given: Given;
}

type Fields = Readonly<Record<string, unknown>>;

const MOST_CHARACTERS = 220;
/** Steps that are shown: some before the programs meet, and more after it. */
const MOST_BEFORE = 8;
const MOST_AFTER = 16;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const line = (value: unknown): string => wordShortLine(value, MOST_CHARACTERS);

/** The arguments of a method: those at the end that say nothing are left out. */
function args(...values: readonly unknown[]): string {
  const last = values.findLastIndex(
    (value) => value !== undefined && !(isFields(value) && Object.keys(value).length === 0),
  );
  return values
    .slice(0, last + 1)
    .map((value) => line(value ?? {}))
    .join(", ");
}

/** The fields of an object that have a value, by the names given. */
function only(from: Fields, ...names: readonly string[]): Fields {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
}

const isReplacement = (update: unknown): boolean =>
  isFields(update) && !Object.keys(update).some((name) => name.startsWith("$"));

function wordFind(command: Fields): string {
  const { filter, projection, sort, limit, skip } = command;
  if (command["singleBatch"] === true && Number(limit) === 1)
    return `findOne(${args(filter, projection, sort === undefined ? undefined : { sort })})`;
  const more = Object.entries({ sort, skip, limit }).flatMap(([name, value]) =>
    value === undefined ? [] : [`.${name}(${line(value)})`],
  );
  return `find(${args(filter, projection)})${more.join("")}`;
}

function wordUpdate(updates: readonly Fields[]): string {
  const [one] = updates;
  if (one === undefined || updates.length > 1) return `bulkWrite([${updates.length}])`;
  const { q, u, multi } = one;
  const name = multi === true ? "updateMany" : isReplacement(u) ? "replaceOne" : "updateOne";
  const upsert = one["upsert"] === true ? { upsert: true } : {};
  return `${name}(${line(q)}, ${args(u, { ...only(one, "arrayFilters"), ...upsert })})`;
}

function wordModify(command: Fields): string {
  const { query, update, sort, remove, upsert } = command;
  const more = {
    ...(sort === undefined ? {} : { sort }),
    ...(upsert === true ? { upsert } : {}),
    ...only(command, "arrayFilters"),
    ...(command["new"] === true ? { returnDocument: "after" } : {}),
  };
  if (remove === true) return `findOneAndDelete(${args(query, more)})`;
  return `findOneAnd${isReplacement(update) ? "Replace" : "Update"}(${line(query ?? {})}, ${args(update, more)})`;
}

function wordDelete(deletes: readonly Fields[]): string {
  const [one] = deletes;
  if (one === undefined || deletes.length > 1) return `bulkWrite([${deletes.length}])`;
  return `delete${Number(one["limit"]) === 1 ? "One" : "Many"}(${line(one["q"])})`;
}

/** A pipeline, or the count that the shell makes one for. */
function wordPipeline(pipeline: readonly Fields[]): string {
  const [match, group] = pipeline;
  const counts = isFields(group?.["$group"]) && "n" in group["$group"] && pipeline.length === 2;
  return counts && match?.["$match"] !== undefined
    ? `countDocuments(${line(match["$match"])})`
    : `aggregate(${line(pipeline)})`;
}

function wordMethod(name: string, command: Fields): string | null {
  const list = (field: string): readonly Fields[] => {
    const found = command[field];
    return Array.isArray(found) ? (found as readonly Fields[]) : [];
  };
  switch (name) {
    case "find":
      return wordFind(command);
    case "insert": {
      const many = Number(command["$documents"] ?? 1);
      return many === 1 ? `insertOne(${line(list("documents")[0])})` : `insertMany([${many}])`;
    }
    case "update":
      return wordUpdate(list("updates"));
    case "delete":
      return wordDelete(list("deletes"));
    case "findAndModify":
      return wordModify(command);
    case "aggregate":
      return wordPipeline(list("pipeline"));
    case "distinct":
      return `distinct(${args(command["key"], command["query"])})`;
    case "createIndexes": {
      const [index] = list("indexes");
      const { key, name: _, ...options } = index ?? {};
      return `createIndex(${args(key, options)})`;
    }
    default:
      return null;
  }
}

/** The fields that a session puts into commands, which no method is given. */
const OF_SESSIONS = new Set(["lsid", "txnNumber", "autocommit", "startTransaction", "$clusterTime"]);

/** A command as the shell's method; in a transaction, as that of the session's database. */
export function wordCommand(command: Fields, database: string): string {
  const [name = "", collection] = Object.entries(command)[0] ?? [];
  if (name === "startSession") return "db.getMongo().startSession()";
  const isInTransaction = command["autocommit"] === false;
  if (isInTransaction && /^(?:commit|abort)Transaction$/.test(name)) return `session.${name}()`;
  const db = isInTransaction ? `session.getDatabase(${JSON.stringify(database)})` : "db";
  const method = typeof collection === "string" ? wordMethod(name, command) : null;
  const own = Object.entries(command).filter(([field]) => !OF_SESSIONS.has(field));
  if (method === null) return `${db}.runCommand(${line(Object.fromEntries(own))})`;
  const plain = /^[A-Za-z_$][\w$]*$/.test(String(collection));
  return `${db}${plain ? `.${String(collection)}` : `[${JSON.stringify(collection)}]`}.${method}`;
}

function given({ command, reply }: Pick<Step, "command" | "reply">): Given {
  const name = Object.keys(command)[0] ?? "";
  const { error, found, count, value, values, n, nModified, upserted } = reply;
  if (typeof error === "string") return { kind: "error", message: error };
  const list = Array.isArray(found) ? found : Array.isArray(values) ? values : null;
  if (list !== null)
    return { kind: "found", count: Number(count ?? list.length), first: list.map((one) => line(one)).join(", ") };
  if (name === "findAndModify")
    return isFields(value) ? { kind: "found", count: 1, first: line(value) } : { kind: "found", count: 0, first: "" };
  if (name === "count") return { kind: "found", count: 1, first: line(n) };
  if (name === "insert") return { kind: "inserted", count: Number(n ?? 0) };
  if (name === "delete") return { kind: "deleted", count: Number(n ?? 0) };
  if (name === "update") {
    const made = Array.isArray(upserted) ? upserted.length : 0;
    return made > 0 ? { kind: "inserted", count: made } : { kind: "changed", count: Number(nModified ?? 0) };
  }
  return { kind: "done" };
}

/** The steps of an interleaving that are shown, and how many before and after them are left out. */
export function wordSteps({ steps, at }: Pick<Interleaving, "steps" | "at">): {
  readonly steps: readonly WordedStep[];
  /** The place of the meeting among the steps shown. */
  readonly at: number;
  readonly before: number;
  readonly after: number;
} {
  const from = Math.max(0, at - MOST_BEFORE);
  const shown = steps.slice(from, at + MOST_AFTER);
  return {
    steps: shown.map((step) => ({ by: step.by, text: wordCommand(step.command, step.database), given: given(step) })),
    at: at - from,
    before: from,
    after: steps.length - from - shown.length,
  };
}
