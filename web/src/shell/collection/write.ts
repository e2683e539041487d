/**
 * Writing methods in mongosh's shape: insertOne to bulkWrite.
 *
 * Invariant: an `_id` is made here, before the document is sent, so that its id can be told; the caller's own
 * object gets it too, as the driver does.
 */
import { MongoInvalidArgumentError, MongoshInvalidInputError, type Document } from "../errors.ts";
import { isAcknowledged, omit, pick } from "../host.ts";
import { withSort } from "../cursor.ts";
import { BulkBuilder, runBulk } from "../bulk.ts";
import { hasOperators, isPlain, withId } from "./base.ts";
import { ReadableCollection, toNumber } from "./read.ts";

const STATEMENT_FIELDS = ["collation", "arrayFilters", "hint", "upsert", "sort"] as const;
const COMMAND_FIELDS = ["writeConcern", "bypassDocumentValidation", "comment", "let", "maxTimeMS"] as const;

/**
 * Splits a write's options into those of the statement and those of the command. Unknown options go into the statement,
 * whose command the engine then refuses.
 */
export function splitOptions(options: Document = {}): { statement: Document; command: Document } {
  return {
    statement: {
      ...withSort(pick(options, STATEMENT_FIELDS)),
      ...omit(options, [...STATEMENT_FIELDS, ...COMMAND_FIELDS, "multi", "ordered", "w", "j", "wtimeout"]),
    },
    command: { ...pick(options, COMMAND_FIELDS), ...concern(options) },
  };
}

function concern(options: Document): Document {
  const parts = pick(options, ["w", "j", "wtimeout"]);
  return Object.keys(parts).length === 0 ? {} : { writeConcern: parts };
}

/** A count that a reply tells; one that asked for no acknowledgement tells none. */
function told(count: unknown): number | undefined {
  return count === undefined ? undefined : toNumber(count);
}

function upsertedId(reply: Document): unknown {
  const upserted = reply["upserted"] as readonly Document[] | undefined;
  return upserted?.[0]?.["_id"];
}

export class WritableCollection extends ReadableCollection {
  insertOne(document: unknown, options?: Document): Document {
    this.need("insertOne", document);
    const stamped = withId(document);
    const command = { insert: this.getName(), documents: [stamped], ...options };
    this.checkWrite(this.write(command), stamped);
    return { acknowledged: isAcknowledged(command), insertedId: stamped["_id"] };
  }

  insertMany(documents: unknown, options: Document = {}): Document {
    this.need("insertMany", documents);
    if (!Array.isArray(documents)) throw new MongoInvalidArgumentError('Argument "docs" must be an array of documents');
    const result = runBulk(
      this.connection,
      this.getDB().getName(),
      this.getName(),
      documents.map((document) => ({ kind: "insert", statement: withId(document) })),
      options,
    );
    return { acknowledged: result.acknowledged, insertedIds: result.insertedIds };
  }

  #update(filter: unknown, update: unknown, multi: boolean, options: Document = {}): Document {
    const { statement, command } = splitOptions(options);
    const reply = this.checkWrite(
      this.write({
        update: this.getName(),
        updates: [{ q: filter, u: update, ...(multi ? { multi: true } : {}), ...statement }],
        ...command,
      }),
      { q: filter, u: update },
    );
    const id = upsertedId(reply);
    const upserted = id === undefined ? 0 : 1;
    return {
      acknowledged: isAcknowledged(command),
      insertedId: id ?? null,
      matchedCount: upserted === 0 ? told(reply["n"]) : toNumber(reply["n"]) - upserted,
      modifiedCount: told(reply["nModified"]),
      upsertedCount: upserted,
    };
  }

  updateOne(filter: unknown, update: unknown, options?: Document): Document {
    this.need("updateOne", filter, update);
    needOperators(update);
    return this.#update(filter, update, false, options);
  }
  updateMany(filter: unknown, update: unknown, options?: Document): Document {
    this.need("updateMany", filter, update);
    needOperators(update);
    return this.#update(filter, update, true, options);
  }
  replaceOne(filter: unknown, replacement: unknown, options?: Document): Document {
    this.need("replaceOne", filter, replacement);
    if (hasOperators(replacement))
      throw new MongoInvalidArgumentError("Replacement document must not contain atomic operators");
    return this.#update(filter, replacement, false, options);
  }

  #delete(filter: unknown, limit: 0 | 1, options: Document = {}): Document {
    const { statement, command } = splitOptions(options);
    const reply = this.checkWrite(
      this.write({ delete: this.getName(), deletes: [{ q: filter, limit, ...statement }], ...command }),
      { q: filter },
    );
    return { acknowledged: isAcknowledged(command), deletedCount: told(reply["n"]) };
  }
  deleteOne(filter: unknown, options?: Document): Document {
    this.need("deleteOne", filter);
    return this.#delete(filter, 1, options);
  }
  deleteMany(filter: unknown, options?: Document): Document {
    this.need("deleteMany", filter);
    return this.#delete(filter, 0, options);
  }

  #findAndModify(filter: unknown, change: Document, options: Document = {}): unknown {
    const { returnDocument } = options;
    if (returnDocument !== undefined && returnDocument !== "before" && returnDocument !== "after") {
      throw new MongoshInvalidInputError("returnDocument needs to be either 'before' or 'after'");
    }
    const after =
      returnDocument === "after" ||
      options["returnNewDocument"] === true ||
      options["returnOriginal"] === false ||
      options["new"] === true;
    const rest = omit(withSort(options), [
      "returnDocument",
      "returnNewDocument",
      "returnOriginal",
      "new",
      "projection",
      "includeResultMetadata",
      "rawResult",
    ]);
    const command: Document = { findAndModify: this.getName(), query: filter, ...change };
    if (after) command["new"] = true;
    if (options["projection"] !== undefined) command["fields"] = options["projection"];
    const reply = this.run({ ...command, ...rest });
    if (options["includeResultMetadata"] === true || options["rawResult"] === true) return reply;
    return reply["value"] ?? null;
  }
  findOneAndUpdate(filter: unknown, update: unknown, options?: Document): unknown {
    this.need("findOneAndUpdate", filter, update);
    needOperators(update);
    return this.#findAndModify(filter, { update }, options);
  }
  findOneAndReplace(filter: unknown, replacement: unknown, options?: Document): unknown {
    this.need("findOneAndReplace", filter, replacement);
    if (hasOperators(replacement))
      throw new MongoInvalidArgumentError("Replacement document must not contain atomic operators");
    return this.#findAndModify(filter, { update: replacement }, options);
  }
  findOneAndDelete(filter: unknown, options?: Document): unknown {
    this.need("findOneAndDelete", filter);
    return this.#findAndModify(filter, { remove: true }, options);
  }

  /** The command's own shape: `{ query, sort, update | remove, new, fields, upsert, … }`. */
  findAndModify(options: unknown): unknown {
    this.need("findAndModify", options);
    if (!isPlain(options)) throw new MongoshInvalidInputError("findAndModify takes one document");
    return this.run({ findAndModify: this.getName(), ...options })["value"] ?? null;
  }

  bulkWrite(operations: unknown, options: Document = {}): Document {
    this.need("bulkWrite", operations);
    if (!Array.isArray(operations))
      throw new MongoInvalidArgumentError('Argument "operations" must be an array of documents');
    if (operations.length === 0) throw new MongoInvalidArgumentError("Invalid BulkOperation, Batch cannot be empty");
    const builder = new BulkBuilder();
    for (const operation of operations) builder.add(operation);
    return runBulk(this.connection, this.getDB().getName(), this.getName(), builder.operations, options);
  }
}

function needOperators(update: unknown): void {
  if (!hasOperators(update)) throw new MongoInvalidArgumentError("Update document requires atomic operators");
}
