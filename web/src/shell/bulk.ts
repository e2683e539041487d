/**
 * Batches of writes: `bulkWrite`, `insertMany`, `initializeOrderedBulkOp` and its unordered twin.
 *
 * Invariant: an ordered batch sends its operations in order, in runs of one kind, and stops at the first
 * failure; an unordered one sends each kind once and tells every failure. Indexes told are those of the
 * caller's own list.
 */
import { withSort } from "./cursor.ts";
import {
  MongoBulkWriteError,
  MongoInvalidArgumentError,
  MongoServerError,
  MongoshInvalidInputError,
  WriteError,
  type Document,
} from "./errors.ts";
import { isAcknowledged, omit, pick, type Connection } from "./host.ts";
import { BulkWriteResult, type BulkOutcome } from "./results.ts";
import { hasOperators, isPlain, withId } from "./collection/base.ts";
import { SHELL_TEXT } from "./format.ts";

type Kind = "insert" | "update" | "delete";

export interface BulkOperation {
  readonly kind: Kind;
  /** As the command takes it: a document, `{ q, u, … }` or `{ q, limit, … }`. */
  readonly statement: Document;
}

const FIELDS: Readonly<Record<Kind, string>> = { insert: "documents", update: "updates", delete: "deletes" };
/** Statements of one command, as the server limits it. */
const MAX_STATEMENTS = 100_000;

/**
 * Runs a batch; throws `MongoBulkWriteError` with what was done when any operation failed, or a command was refused.
 */
export function runBulk(
  connection: Connection,
  database: string,
  collection: string,
  operations: readonly BulkOperation[],
  options: Document = {},
): BulkOutcome {
  if (operations.length === 0) throw new MongoInvalidArgumentError("Invalid BulkOperation, Batch cannot be empty");
  const ordered = options["ordered"] !== false;
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
  const failures: WriteError[] = [];
  const failed = (concern?: Document, refusal?: Document): MongoBulkWriteError =>
    new MongoBulkWriteError(new BulkWriteResult(outcome, failures, concern), refusal);
  for (const batch of batches(operations, ordered)) {
    let concern: Document | undefined;
    try {
      concern = send(connection, database, collection, batch, operations, ordered, options, outcome, failures);
    } catch (error) {
      throw error instanceof MongoServerError ? failed(undefined, error.errorResponse) : error;
    }
    if (concern !== undefined) throw failed(concern);
    if (ordered && failures.length > 0) break;
  }
  if (failures.length > 0) throw failed();
  return outcome;
}

interface Batch {
  readonly kind: Kind;
  /** Places in the caller's list. */
  readonly indexes: number[];
}

function batches(operations: readonly BulkOperation[], ordered: boolean): Batch[] {
  const all: Batch[] = [];
  operations.forEach((operation, index) => {
    const last = ordered ? all.at(-1) : all.findLast((batch) => batch.kind === operation.kind);
    if (last !== undefined && last.kind === operation.kind && last.indexes.length < MAX_STATEMENTS)
      last.indexes.push(index);
    else all.push({ kind: operation.kind, indexes: [index] });
  });
  return all;
}

/** Sends one batch; gives its `writeConcernError` if it has one, which ends the whole as in the driver. */
function send(
  connection: Connection,
  database: string,
  collection: string,
  batch: Batch,
  operations: readonly BulkOperation[],
  ordered: boolean,
  options: Document,
  result: BulkOutcome,
  failures: WriteError[],
): Document | undefined {
  const statements = batch.indexes.map((index) => operations[index]?.statement ?? {});
  const shared = {
    ...pick(options, ["writeConcern", "bypassDocumentValidation", "comment", "let"]),
    ...omit(options, ["ordered", "writeConcern", "bypassDocumentValidation", "comment", "let"]),
  };
  const reply = connection.write(database, {
    [batch.kind]: collection,
    [FIELDS[batch.kind]]: statements,
    ordered,
    ...shared,
  });
  const errors = (reply["writeErrors"] as readonly Document[] | undefined) ?? [];
  const failed = new Set(errors.map((error) => Number(error["index"])));
  const stopped = ordered && failed.size > 0 ? Math.min(...failed) : Infinity;
  const count = Number(reply["n"] ?? 0);
  if (batch.kind === "insert") {
    result.insertedCount += count;
    batch.indexes.forEach((index, place) => {
      if (!failed.has(place) && place < stopped) result.insertedIds[String(index)] = statements[place]?.["_id"];
    });
  } else if (batch.kind === "delete") {
    result.deletedCount += count;
  } else {
    const upserted = (reply["upserted"] as readonly Document[] | undefined) ?? [];
    for (const one of upserted) result.upsertedIds[String(batch.indexes[Number(one["index"])])] = one["_id"];
    result.upsertedCount += upserted.length;
    result.matchedCount += count - upserted.length;
    result.modifiedCount += Number(reply["nModified"] ?? 0);
  }
  for (const error of errors) {
    const place = Number(error["index"]);
    failures.push(
      new WriteError({
        index: batch.indexes[place],
        code: error["code"],
        errmsg: error["errmsg"],
        errInfo: error["errInfo"],
        op: statements[place],
      }),
    );
  }
  return reply["writeConcernError"] as Document | undefined;
}

type Statement = (fields: Document) => BulkOperation;

function update(fields: Document, multi: boolean, replacement: boolean): BulkOperation {
  const change = fields[replacement ? "replacement" : "update"];
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
    statement: { q: fields["filter"] ?? {}, u: change, ...(multi ? { multi: true } : {}), ...rest },
  };
}

const STATEMENTS: Readonly<Record<string, Statement>> = {
  deleteMany: (fields) => ({
    kind: "delete",
    statement: { q: fields["filter"] ?? {}, limit: 0, ...omit(fields, ["filter"]) },
  }),
  deleteOne: (fields) => ({
    kind: "delete",
    statement: { q: fields["filter"] ?? {}, limit: 1, ...omit(fields, ["filter"]) },
  }),
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
  readonly operations: BulkOperation[] = [];

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
    const count = (kind: Kind): number =>
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
