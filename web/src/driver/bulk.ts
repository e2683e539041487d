/**
 * `bulkWrite` and `insertMany` of the driver: its models as statements, and its errors. `shell/write-batches.ts`
 * makes the commands.
 */
import { ObjectId, type Document } from "bson";
import type { Call } from "./call.ts";
import { toSort } from "./cursor.ts";
import { MongoBulkWriteError, MongoInvalidArgumentError, MongoServerError, MongoWriteConcernError } from "./errors.ts";
import { writeBatches, type BatchCounts, type WriteFailure, type WriteOperation } from "../shell/write-batches.ts";
import { BulkWriteResult, WriteConcernError, WriteError } from "./bulk-result.ts";
import type { Settings } from "./settings.ts";
import { unsupported } from "./unsupported.ts";

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

/** Whether an update's first key begins with `$`, or that of some stage of a pipeline. */
export function hasOperators(update: unknown): boolean {
  if (Array.isArray(update)) return update.some(hasOperators);
  return typeof update === "object" && update !== null && (Object.keys(update)[0] ?? "").startsWith("$");
}

export function needOperators(update: unknown): void {
  if (!hasOperators(update)) throw new MongoInvalidArgumentError("Update document requires atomic operators");
}
export function needReplacement(replacement: unknown): void {
  if (Array.isArray(replacement) || hasOperators(replacement))
    throw new MongoInvalidArgumentError("Replacement document must not contain atomic operators");
}

const FILTERED = ["filter", "collation", "hint"];
const CHANGED = [...FILTERED, "upsert"];

/** The models of a batch: the fields each may have, and its statement. */
const MODELS: Readonly<
  Record<string, { readonly fields: readonly string[]; statement(fields: Document, call: Call): WriteOperation }>
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
      needFilterAndChange(filter, replacement);
      needReplacement(replacement);
      return {
        kind: "update",
        statement: { q: filter as unknown, u: replacement as unknown, ...ordered(sort), ...rest },
      };
    },
  },
  deleteOne: { fields: FILTERED, statement: (fields) => remove(fields, 1) },
  deleteMany: { fields: FILTERED, statement: (fields) => remove(fields, 0) },
};

function needFilterAndChange(filter: unknown, change: unknown): void {
  needObject(filter, "Selector must be a valid JavaScript object");
  needObject(change, "Document must be a valid JavaScript object");
}

function update({ filter, update, sort, ...rest }: Document, multi: boolean): WriteOperation {
  needFilterAndChange(filter, update);
  needOperators(update);
  return {
    kind: "update",
    statement: { q: filter as unknown, u: update as unknown, multi, ...ordered(sort), ...rest },
  };
}

function remove({ filter, ...rest }: Document, limit: 0 | 1): WriteOperation {
  // A filter that was forgotten must not stand for every document: as with the Node driver, the engine refuses it.
  return { kind: "delete", statement: { ...(filter === undefined ? {} : { q: filter as unknown }), limit, ...rest } };
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
export function asOperations(operations: unknown, call: Call): WriteOperation[] {
  if (!Array.isArray(operations))
    throw new MongoInvalidArgumentError('Argument "operations" must be an array of documents');
  return operations.map((operation: unknown) => {
    const models = typeof operation === "object" && operation !== null ? Object.entries(operation as Document) : [];
    const [name, fields] = models[0] ?? [];
    const model = name !== undefined && models.length === 1 && Object.hasOwn(MODELS, name) ? MODELS[name] : undefined;
    if (model === undefined)
      throw new MongoInvalidArgumentError(
        "bulkWrite only supports insertOne, updateOne, updateMany, deleteOne, deleteMany, replaceOne, each in " +
          "an object of its own",
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
  operations: readonly WriteOperation[],
): Promise<BulkWriteResult> {
  if (operations.length === 0) throw new MongoInvalidArgumentError("Invalid BulkOperation, Batch cannot be empty");
  const counts: BatchCounts = {
    insertedCount: 0,
    matchedCount: 0,
    modifiedCount: 0,
    deletedCount: 0,
    upsertedCount: 0,
    insertedIds: {},
    upsertedIds: {},
  };
  const failures: WriteFailure[] = [];
  const result = (concern?: Document): BulkWriteResult =>
    new BulkWriteResult(
      call.acknowledged,
      counts,
      failures.map((failure) => new WriteError(failure)),
      concern === undefined ? undefined : new WriteConcernError(concern),
    );
  const isOrdered = call.own["ordered"] !== false;
  const commands = writeBatches(collection, operations, isOrdered, call.filled({}), counts, failures);
  let step = commands.next();
  try {
    while (step.done !== true) step = commands.next(await call.reply(step.value.command, step.value.cut));
  } catch (error) {
    throw error instanceof MongoServerError ? new MongoBulkWriteError(result(), error) : error;
  }
  const concern = step.value === null ? undefined : new MongoWriteConcernError(step.value);
  const done = result(step.value?.["writeConcernError"] as Document | undefined);
  if (concern !== undefined || failures.length > 0) throw new MongoBulkWriteError(done, concern);
  return done;
}
