/**
 * Batches that are built step by step: `initializeOrderedBulkOp`, `initializeUnorderedBulkOp`, and `bulkWrite` of all
 * steps at their end.
 *
 * Invariant: a batch is executed once.
 */
import type { Document } from "bson";
import { hasOperators, needObject, needOperators, needReplacement } from "./bulk.ts";
import type { BulkWriteResult } from "./bulk-result.ts";
import { MongoBatchReExecutionError, MongoInvalidArgumentError } from "./errors.ts";
import type { BulkWriteOptions, CollationOptions } from "./option-types.ts";
import type { AnyBulkWriteOperation } from "./schema-types.ts";

/** Runs the models of a batch: `Collection.bulkWrite`. */
export type Execute = (
  models: readonly AnyBulkWriteOperation[],
  options: BulkWriteOptions | undefined,
) => Promise<BulkWriteResult>;

/** The steps that may follow a `find` of a batch. */
export class FindOperators {
  readonly #bulk: BulkOperationBase;
  readonly #add: (model: AnyBulkWriteOperation) => void;
  readonly #chosen: { filter: Document; upsert?: boolean; hint?: string | Document; collation?: CollationOptions };
  #arrayFilters: readonly Document[] | undefined;

  /** `BulkOperationBase.find` makes these. */
  constructor(bulk: BulkOperationBase, filter: Document, add: (model: AnyBulkWriteOperation) => void) {
    this.#bulk = bulk;
    this.#add = add;
    this.#chosen = { filter };
  }
  upsert(): this {
    this.#chosen.upsert = true;
    return this;
  }
  hint(hint: string | Document): this {
    this.#chosen.hint = hint;
    return this;
  }
  collation(collation: CollationOptions): this {
    this.#chosen.collation = collation;
    return this;
  }
  arrayFilters(arrayFilters: readonly Document[]): this {
    this.#arrayFilters = arrayFilters;
    return this;
  }
  #updated(update: Document | readonly Document[], name: "updateOne" | "updateMany"): BulkOperationBase {
    needOperators(update);
    const filters = this.#arrayFilters === undefined ? {} : { arrayFilters: this.#arrayFilters };
    this.#add({ [name]: { ...this.#chosen, update, ...filters } } as unknown as AnyBulkWriteOperation);
    return this.#bulk;
  }
  update(update: Document | readonly Document[]): BulkOperationBase {
    return this.#updated(update, "updateMany");
  }
  updateOne(update: Document | readonly Document[]): BulkOperationBase {
    return this.#updated(update, "updateOne");
  }
  replaceOne(replacement: Document): BulkOperationBase {
    needReplacement(replacement);
    this.#add({ replaceOne: { ...this.#chosen, replacement } });
    return this.#bulk;
  }
  #deleted(name: "deleteOne" | "deleteMany"): BulkOperationBase {
    const { upsert: _, ...chosen } = this.#chosen;
    this.#add({ [name]: chosen } as unknown as AnyBulkWriteOperation);
    return this.#bulk;
  }
  delete(): BulkOperationBase {
    return this.#deleted("deleteMany");
  }
  deleteOne(): BulkOperationBase {
    return this.#deleted("deleteOne");
  }
}

export abstract class BulkOperationBase {
  readonly #models: AnyBulkWriteOperation[] = [];
  readonly #execute: Execute;
  #isExecuted = false;

  /** A collection makes these. */
  constructor(execute: Execute) {
    this.#execute = execute;
  }
  get length(): number {
    return this.#models.length;
  }
  insert(document: Document): this {
    needObject(document, 'Argument "doc" must be an object');
    this.#models.push({ insertOne: { document } });
    return this;
  }
  find(filter: Document): FindOperators {
    if (typeof filter !== "object" || filter === null)
      throw new MongoInvalidArgumentError("Bulk find operation must specify a selector");
    return new FindOperators(this, filter, (model) => void this.#models.push(model));
  }
  /** Adds a model as `bulkWrite` takes it. */
  raw(model: AnyBulkWriteOperation): this {
    if (Array.isArray(model) || hasOperators(model) || typeof model !== "object" || model === null)
      throw new MongoInvalidArgumentError("Operation must be an object with an operation key");
    this.#models.push(model);
    return this;
  }
  async execute(options?: BulkWriteOptions): Promise<BulkWriteResult> {
    if (this.#isExecuted) throw new MongoBatchReExecutionError();
    if (this.#models.length === 0) throw new MongoInvalidArgumentError("Invalid BulkOperation, Batch cannot be empty");
    this.#isExecuted = true;
    return this.#execute(this.#models, options);
  }
}

/** A batch that stops at its first error. */
export class OrderedBulkOperation extends BulkOperationBase {}
/** A batch that goes on after an error. */
export class UnorderedBulkOperation extends BulkOperationBase {}
