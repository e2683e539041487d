/**
 * `bulkWrite` and `insertMany` of the driver.
 *
 * Invariant: an ordered batch goes out in runs of one kind and stops at the first failure; indexes told are
 * those of the caller's list.
 */
import { ObjectId, type Document } from "bson";
import { omit, type Connection } from "./connection.ts";
import { MongoBulkWriteError, MongoInvalidArgumentError, MongoWriteConcernError, type BulkWriteResult, type WriteError } from "./errors.ts";

type Kind = "insert" | "update" | "delete";

interface Operation {
  readonly kind: Kind;
  readonly statement: Document;
}

export interface BulkWriteOptions {
  readonly ordered?: boolean;
  readonly writeConcern?: Document;
  readonly bypassDocumentValidation?: boolean;
  readonly comment?: unknown;
  readonly let?: Document;
}

const FIELDS: Readonly<Record<Kind, string>> = { insert: "documents", update: "updates", delete: "deletes" };
const MAX_STATEMENTS = 100_000;

/** Gives a document an `_id` if it has none: the caller's own object gets it, as in the Node driver. */
export function withId(document: Document): Document {
  if (typeof document !== "object" || document === null || Array.isArray(document)) throw new MongoInvalidArgumentError('Argument "doc" must be an object');
  if (document["_id"] === undefined) document["_id"] = new ObjectId();
  return document;
}

/** Whether an update's first key begins with `$`, or it is a pipeline. */
export function hasOperators(update: unknown): boolean {
  return Array.isArray(update) || (typeof update === "object" && update !== null && (Object.keys(update)[0] ?? "").startsWith("$"));
}

export function needOperators(update: unknown): void {
  if (!hasOperators(update)) throw new MongoInvalidArgumentError("Update document requires atomic operators");
}
export function needReplacement(replacement: unknown): void {
  if (hasOperators(replacement)) throw new MongoInvalidArgumentError("Replacement document must not contain atomic operators");
}

const STATEMENTS: Readonly<Record<string, (fields: Document) => Operation>> = {
  insertOne: (fields) => ({ kind: "insert", statement: withId(fields["document"] as Document) }),
  updateOne: (fields) => update(fields, false),
  updateMany: (fields) => update(fields, true),
  replaceOne: (fields) => {
    needReplacement(fields["replacement"]);
    return { kind: "update", statement: { q: fields["filter"] ?? {}, u: fields["replacement"], ...omit(fields, ["filter", "replacement"]) } };
  },
  deleteOne: (fields) => ({ kind: "delete", statement: { q: fields["filter"] ?? {}, limit: 1, ...omit(fields, ["filter"]) } }),
  deleteMany: (fields) => ({ kind: "delete", statement: { q: fields["filter"] ?? {}, limit: 0, ...omit(fields, ["filter"]) } }),
};

function update(fields: Document, multi: boolean): Operation {
  needOperators(fields["update"]);
  return { kind: "update", statement: { q: fields["filter"] ?? {}, u: fields["update"], multi, ...omit(fields, ["filter", "update"]) } };
}

/** The driver's operations as statements of commands. */
export function asOperations(operations: readonly Document[]): Operation[] {
  return operations.map((operation) => {
    const [name, fields] = Object.entries(operation)[0] ?? [];
    const rule = name !== undefined && Object.hasOwn(STATEMENTS, name) ? STATEMENTS[name] : undefined;
    if (rule === undefined) throw new MongoInvalidArgumentError("bulkWrite only supports insertOne, updateOne, updateMany, deleteOne, deleteMany");
    return rule(fields as Document);
  });
}

export async function runBulk(connection: Connection, database: string, collection: string, operations: readonly Operation[], options: BulkWriteOptions = {}): Promise<BulkWriteResult> {
  if (operations.length === 0) throw new MongoInvalidArgumentError("Invalid BulkOperation, Batch cannot be empty");
  const ordered = options.ordered !== false;
  const result: BulkWriteResult = {
    acknowledged: true,
    insertedCount: 0,
    matchedCount: 0,
    modifiedCount: 0,
    deletedCount: 0,
    upsertedCount: 0,
    insertedIds: {},
    upsertedIds: {},
  };
  const failures: WriteError[] = [];
  for (const batch of batches(operations, ordered)) {
    const statements = batch.map((index) => (operations[index] as Operation).statement);
    const { kind } = operations[batch[0] as number] as Operation;
    const reply = await connection.reply(database, { [kind]: collection, [FIELDS[kind]]: statements, ordered, ...omit(options, ["ordered"]) });
    take(result, failures, kind, batch, statements, reply, ordered);
    if (reply["writeConcernError"] !== undefined) throw new MongoBulkWriteError(failures, result, new MongoWriteConcernError(reply));
    if (ordered && failures.length > 0) break;
  }
  if (failures.length > 0) throw new MongoBulkWriteError(failures, result);
  return result;
}

function batches(operations: readonly Operation[], ordered: boolean): number[][] {
  const all: { kind: Kind; indexes: number[] }[] = [];
  operations.forEach(({ kind }, index) => {
    const last = ordered ? all.at(-1) : all.findLast((batch) => batch.kind === kind);
    if (last !== undefined && last.kind === kind && last.indexes.length < MAX_STATEMENTS) last.indexes.push(index);
    else all.push({ kind, indexes: [index] });
  });
  return all.map((batch) => batch.indexes);
}

function take(result: BulkWriteResult, failures: WriteError[], kind: Kind, batch: readonly number[], statements: readonly Document[], reply: Document, ordered: boolean): void {
  const errors = (reply["writeErrors"] ?? []) as Document[];
  const failed = new Set(errors.map((error) => Number(error["index"])));
  const stopped = ordered && failed.size > 0 ? Math.min(...failed) : Infinity;
  const count = Number(reply["n"] ?? 0);
  if (kind === "insert") {
    result.insertedCount += count;
    batch.forEach((index, place) => {
      if (!failed.has(place) && place < stopped) result.insertedIds[index] = statements[place]?.["_id"];
    });
  } else if (kind === "delete") {
    result.deletedCount += count;
  } else {
    const upserted = (reply["upserted"] ?? []) as Document[];
    for (const one of upserted) result.upsertedIds[batch[Number(one["index"])] as number] = one["_id"];
    result.upsertedCount += upserted.length;
    result.matchedCount += count - upserted.length;
    result.modifiedCount += Number(reply["nModified"] ?? 0);
  }
  for (const error of errors) {
    failures.push({ index: batch[Number(error["index"])] as number, code: Number(error["code"]), errmsg: String(error["errmsg"]), err: error });
  }
}
