/**
 * `bulkWrite` and `insertMany` of the driver.
 *
 * Invariant: an ordered batch goes out in runs of one kind and stops at the first failure; indexes told are
 * those of the caller's list.
 */
import { ObjectId, type Document } from "bson";
import type { Call } from "./call.ts";
import { toSort } from "./cursor.ts";
import {
  MongoBulkWriteError,
  MongoInvalidArgumentError,
  MongoServerError,
  MongoWriteConcernError,
  type BulkWriteResult,
  type WriteError,
} from "./errors.ts";
import { unsupported } from "./options.ts";
import type { Settings } from "./settings.ts";

type Kind = "insert" | "update" | "delete";

interface Operation {
  readonly kind: Kind;
  readonly statement: Document;
}

const FIELDS: Readonly<Record<Kind, string>> = { insert: "documents", update: "updates", delete: "deletes" };
const MAX_STATEMENTS = 100_000;

/**
 * A document with an `_id`: the caller's own object gets one if it has none, as in the Node driver. With
 * `forceServerObjectId` the engine makes it.
 */
export function withId(
  document: unknown,
  { settings, own }: { readonly settings: Settings; readonly own?: Document },
): Document {
  if (typeof document !== "object" || document === null || Array.isArray(document))
    throw new MongoInvalidArgumentError('Argument "doc" must be an object');
  const stamped = document as Document;
  const isForced = (own?.["forceServerObjectId"] as boolean | undefined) ?? settings.forceServerObjectId;
  if (!isForced && (stamped["_id"] === undefined || stamped["_id"] === null))
    stamped["_id"] = settings.pkFactory === undefined ? new ObjectId() : settings.pkFactory.createPk();
  return stamped;
}

/** Refuses anything but an object as a filter or a change, in the driver's words. */
export function needObject(value: unknown, message: string): void {
  if (typeof value !== "object" || value === null) throw new MongoInvalidArgumentError(message);
}

/** Whether an update's first key begins with `$`, or it is a pipeline. */
export function hasOperators(update: unknown): boolean {
  return (
    Array.isArray(update) ||
    (typeof update === "object" && update !== null && (Object.keys(update)[0] ?? "").startsWith("$"))
  );
}

export function needOperators(update: unknown): void {
  if (!hasOperators(update)) throw new MongoInvalidArgumentError("Update document requires atomic operators");
}
export function needReplacement(replacement: unknown): void {
  if (hasOperators(replacement))
    throw new MongoInvalidArgumentError("Replacement document must not contain atomic operators");
}

const FILTERED = ["filter", "collation", "hint"];
const CHANGED = [...FILTERED, "upsert"];

/** The models of a batch: the fields each may have, and its statement. */
const MODELS: Readonly<
  Record<string, { readonly fields: readonly string[]; statement(fields: Document, call: Call): Operation }>
> = {
  insertOne: {
    fields: ["document"],
    statement: (fields, call) => ({ kind: "insert", statement: withId(fields["document"], call) }),
  },
  updateOne: { fields: [...CHANGED, "update", "arrayFilters", "sort"], statement: (fields) => update(fields, false) },
  updateMany: { fields: [...CHANGED, "update", "arrayFilters"], statement: (fields) => update(fields, true) },
  replaceOne: {
    fields: [...CHANGED, "replacement", "sort"],
    statement: ({ filter, replacement, sort, ...rest }) => {
      needReplacement(replacement);
      return { kind: "update", statement: { q: filter ?? {}, u: replacement as unknown, ...ordered(sort), ...rest } };
    },
  },
  deleteOne: { fields: FILTERED, statement: (fields) => remove(fields, 1) },
  deleteMany: { fields: FILTERED, statement: (fields) => remove(fields, 0) },
};

function update({ filter, update, sort, ...rest }: Document, multi: boolean): Operation {
  needOperators(update);
  return { kind: "update", statement: { q: filter ?? {}, u: update as unknown, multi, ...ordered(sort), ...rest } };
}

function remove({ filter, ...rest }: Document, limit: 0 | 1): Operation {
  return { kind: "delete", statement: { q: filter ?? {}, limit, ...rest } };
}

/** The field of a statement that says which document comes first. */
export function ordered(sort: unknown): Document {
  const order = toSort(sort);
  return order === undefined ? {} : { sort: order };
}

/**
 * The driver's operations as statements of commands. Throws for models that it does not know, and for fields that a
 * model does not have.
 */
export function asOperations(operations: unknown, call: Call): Operation[] {
  if (!Array.isArray(operations))
    throw new MongoInvalidArgumentError('Argument "operations" must be an array of documents');
  return operations.map((operation: unknown) => {
    const models = typeof operation === "object" && operation !== null ? Object.entries(operation as Document) : [];
    const [name, fields] = models[0] ?? [];
    const model = name !== undefined && models.length === 1 && Object.hasOwn(MODELS, name) ? MODELS[name] : undefined;
    if (model === undefined)
      throw new MongoInvalidArgumentError(
        "bulkWrite only supports insertOne, updateOne, updateMany, deleteOne, deleteMany, replaceOne, each in an object of its own",
      );
    needObject(fields, `the operation ${name} takes an object`);
    const given = Object.entries(fields as Document).filter(([, value]) => value !== undefined);
    const strange = given
      .map(([field]) => `${name}.${field}`)
      .filter((_, index) => !model.fields.includes(given[index]?.[0] as string));
    if (strange.length > 0) throw new MongoInvalidArgumentError(unsupported(strange));
    return model.statement(Object.fromEntries(given), call);
  });
}

export async function runBulk(
  call: Call,
  collection: string,
  operations: readonly Operation[],
): Promise<BulkWriteResult> {
  if (operations.length === 0) throw new MongoInvalidArgumentError("Invalid BulkOperation, Batch cannot be empty");
  const ordered = call.own["ordered"] !== false;
  const result: BulkWriteResult = {
    acknowledged: call.acknowledged,
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
    let reply: Document;
    try {
      reply = await call.reply({ [kind]: collection, [FIELDS[kind]]: statements, ordered });
    } catch (error) {
      throw error instanceof MongoServerError ? new MongoBulkWriteError([], result, error) : error;
    }
    take(result, failures, kind, batch, statements, reply, ordered);
    if (reply["writeConcernError"] !== undefined)
      throw new MongoBulkWriteError(failures, result, new MongoWriteConcernError(reply));
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

function take(
  result: BulkWriteResult,
  failures: WriteError[],
  kind: Kind,
  batch: readonly number[],
  statements: readonly Document[],
  reply: Document,
  ordered: boolean,
): void {
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
    failures.push({
      index: batch[Number(error["index"])] as number,
      code: Number(error["code"]),
      errmsg: String(error["errmsg"]),
      err: error,
    });
  }
}
