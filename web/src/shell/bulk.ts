/**
 * The shell's batches of writes: `bulkWrite`, `insertMany`, `initializeOrderedBulkOp` and its unordered twin.
 * `write-batches.ts` makes the commands.
 */
import { BulkWriteResult } from "./bulk-result.ts";
import { withSort } from "./cursor.ts";
import { about } from "./error-detail.ts";
import {
  MongoBulkWriteError,
  MongoInvalidArgumentError,
  MongoServerError,
  MongoshInvalidInputError,
  WriteError,
  type Document,
} from "./errors.ts";
import { isAcknowledged, omit, type Connection } from "./host.ts";
import type { BulkOutcome } from "./results.ts";
import { hasOperators, isPlain, withId } from "./collection/base.ts";
import { SHELL_TEXT } from "./format.ts";
import { writeBatches, type WriteFailure, type WriteKind, type WriteOperation } from "./write-batches.ts";

/**
 * Runs a batch; throws `MongoBulkWriteError` with the result so far when any operation failed, or a command was
 * refused.
 */
export function runBulk(
  connection: Connection,
  database: string,
  collection: string,
  operations: readonly WriteOperation[],
  options: Document = {},
): BulkOutcome {
  if (operations.length === 0) throw new MongoInvalidArgumentError("Invalid BulkOperation, Batch cannot be empty");
  const outcome: BulkOutcome = {
    acknowledged: isAcknowledged(options),
    insertedCount: 0,
    insertedIds: {},
    matchedCount: 0,
    modifiedCount: 0,
    deletedCount: 0,
    upsertedCount: 0,
    upsertedIds: {},
  };
  const failures: WriteFailure[] = [];
  const failed = (concern?: Document, refusal?: Document): MongoBulkWriteError => {
    const error = new MongoBulkWriteError(new BulkWriteResult(outcome, failures.map(asWriteError), concern), refusal);
    const [first] = failures;
    if (first === undefined || refusal !== undefined) return error;
    return about(error, {
      namespace: `${database}.${collection}`,
      statement: first.statement,
      error: { ...first.error, index: first.index },
      failures: failures.length,
    });
  };
  const isOrdered = options["ordered"] !== false;
  const commands = writeBatches(collection, operations, isOrdered, omit(options, ["ordered"]), outcome, failures);
  let step = commands.next();
  try {
    while (step.done !== true) step = commands.next(connection.write(database, step.value.command, step.value.cut));
  } catch (error) {
    throw error instanceof MongoServerError ? failed(undefined, error.errorResponse) : error;
  }
  const concern = step.value?.["writeConcernError"] as Document | undefined;
  if (concern !== undefined || failures.length > 0) throw failed(concern);
  return outcome;
}

function asWriteError({ index, error, statement }: WriteFailure): WriteError {
  const { code, errmsg, errInfo } = error;
  return new WriteError({ index, code, errmsg, errInfo, op: statement });
}

type Statement = (fields: Document) => WriteOperation;

function update(fields: Document, multi: boolean, replacement: boolean): WriteOperation {
  const change = fields[replacement ? "replacement" : "update"];
  for (const [value, name] of [
    [fields["filter"], "Selector"],
    [change, "Document"],
  ] as const)
    if (typeof value !== "object" || value === null)
      throw new MongoInvalidArgumentError(`${name} must be a valid JavaScript object`);
  if (replacement ? hasOperators(change) : !hasOperators(change)) {
    throw new MongoInvalidArgumentError(
      replacement
        ? "Replacement document must not contain atomic operators"
        : "Update document requires atomic operators",
    );
  }
  const rest = withSort(omit(fields, ["filter", "update", "replacement"]));
  return {
    kind: "update",
    statement: { q: fields["filter"], u: change, ...(multi ? { multi: true } : {}), ...rest },
  };
}

function remove({ filter, ...rest }: Document, limit: 0 | 1): WriteOperation {
  // A filter that was forgotten must not stand for every document: as from mongosh, the server refuses it.
  return { kind: "delete", statement: { ...(filter === undefined ? {} : { q: filter }), limit, ...rest } };
}

const STATEMENTS: Readonly<Record<string, Statement>> = {
  deleteMany: (fields) => remove(fields, 0),
  deleteOne: (fields) => remove(fields, 1),
  insertOne: (fields) => {
    const { document, ...strange } = fields;
    const [name] = Object.keys(strange);
    if (document !== undefined && name !== undefined)
      throw new MongoInvalidArgumentError(`option insertOne.${name} is not supported`);
    return { kind: "insert", statement: withId(document ?? fields) };
  },
  replaceOne: (fields) => update(fields, false, true),
  updateMany: (fields) => update(fields, true, false),
  updateOne: (fields) => update(fields, false, false),
};

/** Collects operations in `bulkWrite`'s shape. */
export class BulkBuilder {
  readonly operations: WriteOperation[] = [];

  add(operation: unknown): void {
    const name = isPlain(operation) ? Object.keys(operation)[0] : undefined;
    const rule = name !== undefined && Object.hasOwn(STATEMENTS, name) ? STATEMENTS[name] : undefined;
    if (!isPlain(operation) || name === undefined || rule === undefined) {
      throw new MongoInvalidArgumentError(
        "bulkWrite only supports insertOne, updateOne, updateMany, deleteOne, deleteMany",
      );
    }
    const fields = operation[name];
    if (!isPlain(fields)) throw new MongoInvalidArgumentError(`The operation ${name} takes a document`);
    this.operations.push(rule(fields));
  }
}

/** `initializeOrderedBulkOp()` and `initializeUnorderedBulkOp()`. */
export class Bulk {
  readonly #connection: Connection;
  readonly #database: string;
  readonly #collection: string;
  readonly #ordered: boolean;
  readonly #builder = new BulkBuilder();
  #executed = false;

  constructor(connection: Connection, database: string, collection: string, ordered: boolean) {
    this.#connection = connection;
    this.#database = database;
    this.#collection = collection;
    this.#ordered = ordered;
  }

  insert(document: unknown): this {
    this.#builder.add({ insertOne: { document } });
    return this;
  }
  find(filter: unknown): BulkFind {
    if (!isPlain(filter)) throw new MongoshInvalidInputError("Bulk operation must have a filter document");
    return new BulkFind(this, this.#builder, filter);
  }
  execute(options: Document = {}): BulkOutcome {
    if (this.#executed) throw new MongoInvalidArgumentError("Batch cannot be re-executed");
    this.#executed = this.#builder.operations.length > 0;
    return runBulk(this.#connection, this.#database, this.#collection, this.#builder.operations, {
      ...options,
      ordered: this.#ordered,
    });
  }
  toJSON(): Document {
    const count = (kind: WriteKind): number =>
      this.#builder.operations.filter((operation) => operation.kind === kind).length;
    return { nInsertOps: count("insert"), nUpdateOps: count("update"), nRemoveOps: count("delete") };
  }
  toString(): string {
    return JSON.stringify(this.toJSON());
  }
  [SHELL_TEXT](): string {
    return `Bulk(${this.toString()})`;
  }
}

class BulkFind {
  readonly #bulk: Bulk;
  readonly #builder: BulkBuilder;
  readonly #fields: Document;
  constructor(bulk: Bulk, builder: BulkBuilder, filter: Document) {
    this.#bulk = bulk;
    this.#builder = builder;
    this.#fields = { filter };
  }
  #add(name: string, fields: Document): Bulk {
    this.#builder.add({ [name]: { ...this.#fields, ...fields } });
    return this.#bulk;
  }
  upsert(): this {
    this.#fields["upsert"] = true;
    return this;
  }
  hint(hint: unknown): this {
    this.#fields["hint"] = hint;
    return this;
  }
  collation(collation: unknown): this {
    this.#fields["collation"] = collation;
    return this;
  }
  arrayFilters(filters: unknown): this {
    this.#fields["arrayFilters"] = filters;
    return this;
  }
  update(update: unknown): Bulk {
    return this.#add("updateMany", { update });
  }
  updateOne(update: unknown): Bulk {
    return this.#add("updateOne", { update });
  }
  replaceOne(replacement: unknown): Bulk {
    return this.#add("replaceOne", { replacement });
  }
  delete(): Bulk {
    return this.#add("deleteMany", {});
  }
  remove(): Bulk {
    return this.delete();
  }
  deleteOne(): Bulk {
    return this.#add("deleteOne", {});
  }
  removeOne(): Bulk {
    return this.deleteOne();
  }
}
