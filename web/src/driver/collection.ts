/**
 * `Collection` in the Node driver's shape.
 *
 * Invariant: each method takes its options through `Call`, which refuses an option that is not in the method's row.
 */
import type { Document } from "bson";
import { asIndexKey, indexName, type IndexSpecification } from "../shell/index-key.ts";
import { OrderedBulkOperation, UnorderedBulkOperation, type Execute } from "./bulk-operation.ts";
import { asOperations, needObject, needOperators, needReplacement, ordered, runBulk, withId } from "./bulk.ts";
import { Call, type Handle } from "./call.ts";
import { watch, type ChangeStream } from "./change-stream.ts";
import { ReadPreference } from "./concerns.ts";
import type { Promised } from "./connection.ts";
import { AggregationCursor, FindCursor, ListIndexesCursor, needNumber } from "./cursor.ts";
import type { BulkWriteResult } from "./bulk-result.ts";
import { MongoAPIError, MongoInvalidArgumentError, MongoServerError } from "./errors.ts";
import type { Method } from "./options.ts";
import type * as option from "./option-types.ts";
import type {
  AnyBulkWriteOperation,
  Filter,
  Flatten,
  InferIdType,
  OptionalUnlessRequiredId,
  UpdateFilter,
  WithId,
  WithoutId,
} from "./schema-types.ts";

/** With `w: 0`, `acknowledged` is false and the counts of these are undefined, as the Node driver gives them. */
export interface InsertOneResult<Schema = Document> {
  readonly acknowledged: boolean;
  readonly insertedId: InferIdType<Schema>;
}
export interface InsertManyResult<Schema = Document> {
  readonly acknowledged: boolean;
  readonly insertedCount: number;
  readonly insertedIds: { readonly [index: number]: InferIdType<Schema> };
}
export interface UpdateResult<Schema extends Document = Document> {
  readonly acknowledged: boolean;
  readonly matchedCount: number;
  readonly modifiedCount: number;
  readonly upsertedCount: number;
  readonly upsertedId: InferIdType<Schema> | null;
}
export interface DeleteResult {
  readonly acknowledged: boolean;
  readonly deletedCount: number;
}
/** The reply of a `findAndModify` command, which `includeResultMetadata` asks for. */
export interface ModifyResult<Schema = Document> {
  readonly value: WithId<Schema> | null;
  readonly lastErrorObject?: Document;
  readonly ok: 0 | 1;
}

/**
 * A count of a reply. One that is not told stays undefined, though the type, which is the driver's, does not say so.
 */
function count(value: unknown): number {
  return value === undefined ? (undefined as unknown as number) : Number(value);
}

function invalid(message: string): Error {
  return new MongoInvalidArgumentError(message);
}

function isObjectId(filter: unknown): boolean {
  return (
    typeof filter === "object" &&
    filter !== null &&
    ["ObjectId", "ObjectID"].includes((filter as { _bsontype?: string })._bsontype ?? "")
  );
}

/** The driver lets a list of names stand for a projection, and an ObjectId for the filter of its `_id`. */
function asProjection(projection: unknown): unknown {
  if (!Array.isArray(projection)) return projection;
  return projection.length === 0 ? { _id: 1 } : Object.fromEntries(projection.map((name) => [name as string, 1]));
}

/** The keys of indexes by their names, each as pairs of a field and its kind. */
export interface IndexKeys {
  readonly [name: string]: [field: string, kind: unknown][];
}
function keysOf(indexes: readonly Document[]): IndexKeys {
  return Object.fromEntries(indexes.map(({ name, key }) => [String(name), Object.entries(key as Document)]));
}

const NAMESPACE_NOT_FOUND = 26;

/** Whether there was the collection that a command was about. */
async function existed(run: () => Promised<unknown>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NAMESPACE_NOT_FOUND) return false;
    throw error;
  }
}

export class Collection<Schema extends Document = Document> {
  readonly #handle: Handle;
  readonly collectionName: string;
  #hint: string | Document | undefined;

  /** `Db.collection` makes these. */
  constructor(handle: Handle, name: string) {
    this.#handle = handle;
    this.collectionName = name;
  }

  get dbName(): string {
    return this.#handle.database;
  }
  get namespace(): string {
    return `${this.dbName}.${this.collectionName}`;
  }
  /** The write concern that operations inherit, as a command's field: `{ w, wtimeout, j }`. */
  get writeConcern(): Document | undefined {
    return this.#handle.settings.writeConcern;
  }
  get readConcern(): Document | undefined {
    return this.#handle.settings.readConcern;
  }
  get readPreference(): ReadPreference {
    return ReadPreference.fromString(this.#handle.settings.readPreference ?? "primary");
  }
  get timeoutMS(): number | undefined {
    return this.#handle.settings.timeoutMS;
  }
  /** An index for all reads and counts that name none. */
  get hint(): string | Document | undefined {
    return this.#hint;
  }
  set hint(index: string | Document | undefined) {
    this.#hint = index;
  }
  #call(method: Method, options: unknown): Call {
    return new Call(this.#handle, method, options);
  }

  async insertOne(
    document: OptionalUnlessRequiredId<Schema>,
    options?: option.InsertOneOptions,
  ): Promise<InsertOneResult<Schema>> {
    const call = this.#call("insertOne", options);
    const stamped = withId(document, call);
    await call.write({ insert: this.collectionName, documents: [stamped] });
    return { acknowledged: call.acknowledged, insertedId: stamped["_id"] as InferIdType<Schema> };
  }
  async insertMany(
    documents: readonly OptionalUnlessRequiredId<Schema>[],
    options?: option.InsertManyOptions,
  ): Promise<InsertManyResult<Schema>> {
    const call = this.#call("insertMany", options);
    if (!Array.isArray(documents)) throw new MongoInvalidArgumentError('Argument "docs" must be an array of documents');
    const operations = documents.map((document) => ({ kind: "insert" as const, statement: withId(document, call) }));
    const { acknowledged, insertedCount, insertedIds } = await runBulk(call, this.collectionName, operations);
    return { acknowledged, insertedCount, insertedIds: insertedIds as InsertManyResult<Schema>["insertedIds"] };
  }
  async bulkWrite(
    operations: readonly AnyBulkWriteOperation<Schema>[],
    options?: option.BulkWriteOptions,
  ): Promise<BulkWriteResult> {
    const call = this.#call("bulkWrite", options);
    return runBulk(call, this.collectionName, asOperations(operations, call));
  }

  async #update(call: Call, filter: unknown, update: unknown, multi: boolean): Promise<UpdateResult<Schema>> {
    needObject(filter, "Selector must be a valid JavaScript object");
    const updates = [
      { q: filter, u: update, ...(multi ? { multi } : {}), ...ordered(call.own["sort"]), ...call.statement },
    ];
    const command = { update: this.collectionName, updates };
    // The explanation takes the result's place, as in the Node driver.
    if (call.isExplained) return (await call.explain(call.filled(command))) as unknown as UpdateResult<Schema>;
    const reply = await call.write(command);
    const upserted = (reply["upserted"] as Document[] | undefined)?.[0];
    const upsertedCount = upserted === undefined ? 0 : 1;
    return {
      acknowledged: call.acknowledged,
      matchedCount: upserted === undefined ? count(reply["n"]) : Number(reply["n"]) - upsertedCount,
      modifiedCount: count(reply["nModified"]),
      upsertedCount,
      upsertedId: (upserted?.["_id"] ?? null) as InferIdType<Schema> | null,
    };
  }
  async updateOne(
    filter: Filter<Schema>,
    update: UpdateFilter<Schema> | readonly Document[],
    options?: option.UpdateOneOptions,
  ): Promise<UpdateResult<Schema>> {
    const call = this.#call("updateOne", options);
    needOperators(update);
    return this.#update(call, filter, update, false);
  }
  async updateMany(
    filter: Filter<Schema>,
    update: UpdateFilter<Schema> | readonly Document[],
    options?: option.UpdateOptions,
  ): Promise<UpdateResult<Schema>> {
    const call = this.#call("updateMany", options);
    needOperators(update);
    return this.#update(call, filter, update, true);
  }
  async replaceOne(
    filter: Filter<Schema>,
    replacement: WithoutId<Schema>,
    options?: option.ReplaceOptions,
  ): Promise<UpdateResult<Schema>> {
    const call = this.#call("replaceOne", options);
    needReplacement(replacement);
    return this.#update(call, filter, replacement, false);
  }

  async #delete(filter: unknown, limit: 0 | 1, options: unknown): Promise<DeleteResult> {
    const call = this.#call("delete", options);
    needObject(filter, "Selector must be a valid JavaScript object");
    const command = { delete: this.collectionName, deletes: [{ q: filter, limit, ...call.statement }] };
    if (call.isExplained) return (await call.explain(call.filled(command))) as unknown as DeleteResult;
    const reply = await call.write(command);
    return { acknowledged: call.acknowledged, deletedCount: count(reply["n"]) };
  }
  deleteOne(filter: Filter<Schema> = {}, options?: option.DeleteOptions): Promise<DeleteResult> {
    return this.#delete(filter, 1, options);
  }
  deleteMany(filter: Filter<Schema> = {}, options?: option.DeleteOptions): Promise<DeleteResult> {
    return this.#delete(filter, 0, options);
  }

  /** The `find` command with the fields that the call's options name. Throws for a filter that is no object. */
  #find(call: Call, filter: Filter<Schema>): Document {
    if (typeof filter !== "object" || Array.isArray(filter))
      throw new MongoInvalidArgumentError("Query filter must be a plain object or ObjectId");
    const command: Document = {
      find: this.collectionName,
      filter: isObjectId(filter) ? { _id: filter } : (filter ?? {}),
    };
    const { sort, timeout, batchSize, maxAwaitTimeMS } = call.own;
    needNumber(batchSize ?? 0, 'Operation "batchSize" requires an integer');
    needNumber(maxAwaitTimeMS ?? 0, "Argument for maxAwaitTimeMS must be a number");
    if (sort !== undefined) Object.assign(command, ordered(sort));
    if (timeout !== undefined) command["noCursorTimeout"] = timeout !== true;
    call.filled(command);
    if (this.#hint !== undefined) command["hint"] ??= this.#hint;
    if (Array.isArray(command["projection"])) command["projection"] = asProjection(command["projection"]);
    return command;
  }
  find(filter?: Filter<Schema>, options?: option.FindOptions): FindCursor<WithId<Schema>>;
  /** With a projection, the caller knows the type of its documents. */
  find<Result extends Document>(filter: Filter<Schema>, options?: option.FindOptions): FindCursor<Result>;
  find(filter: Filter<Schema> = {}, options?: option.FindOptions): FindCursor {
    const call = this.#call("find", options);
    return new FindCursor(call, this.collectionName, this.#find(call, filter));
  }
  findOne(filter?: Filter<Schema>, options?: option.FindOptions): Promise<WithId<Schema> | null>;
  findOne<Result = Schema>(filter?: Filter<Schema>, options?: option.FindOptions): Promise<Result | null>;
  async findOne(filter: Filter<Schema> = {}, options?: option.FindOptions): Promise<unknown> {
    const call = this.#call("find", options);
    const command = this.#find(call, filter);
    command["limit"] = 1;
    command["singleBatch"] = true;
    if (call.isExplained) return call.explain(command);
    // All of the answer is in one batch, so there is no cursor to go on with.
    const reply = await call.send(call.concerned(command));
    return (reply["cursor"] as { firstBatch: Document[] }).firstBatch[0] ?? null;
  }

  async #findAndModify(call: Call, filter: unknown, change: Document): Promise<unknown> {
    needObject(filter, 'Argument "filter" must be an object');
    const { projection, returnDocument = "before", sort, includeResultMetadata = false } = call.own;
    if (returnDocument !== "before" && returnDocument !== "after")
      throw new MongoInvalidArgumentError('option returnDocument must be "before" or "after"');
    if (typeof includeResultMetadata !== "boolean")
      throw new MongoInvalidArgumentError("option includeResultMetadata must be true or false");
    const command = {
      findAndModify: this.collectionName,
      query: filter,
      ...change,
      ...ordered(sort),
      ...(returnDocument === "after" ? { new: true } : {}),
      ...(projection === undefined ? {} : { fields: projection as unknown }),
    };
    if (call.isExplained) return call.explain(call.filled(command));
    const reply = await call.write(command);
    return includeResultMetadata ? reply : (reply["value"] ?? null);
  }
  findOneAndUpdate(
    filter: Filter<Schema>,
    update: UpdateFilter<Schema> | readonly Document[],
    options: option.FindOneAndUpdateOptions & { readonly includeResultMetadata: true },
  ): Promise<ModifyResult<Schema>>;
  findOneAndUpdate(
    filter: Filter<Schema>,
    update: UpdateFilter<Schema> | readonly Document[],
    options?: option.FindOneAndUpdateOptions,
  ): Promise<WithId<Schema> | null>;
  async findOneAndUpdate(
    filter: Filter<Schema>,
    update: UpdateFilter<Schema> | readonly Document[],
    options?: option.FindOneAndUpdateOptions,
  ): Promise<unknown> {
    const call = this.#call("findOneAndUpdate", options);
    needOperators(update);
    return this.#findAndModify(call, filter, { update });
  }
  findOneAndReplace(
    filter: Filter<Schema>,
    replacement: WithoutId<Schema>,
    options: option.FindOneAndReplaceOptions & { readonly includeResultMetadata: true },
  ): Promise<ModifyResult<Schema>>;
  findOneAndReplace(
    filter: Filter<Schema>,
    replacement: WithoutId<Schema>,
    options?: option.FindOneAndReplaceOptions,
  ): Promise<WithId<Schema> | null>;
  async findOneAndReplace(
    filter: Filter<Schema>,
    replacement: WithoutId<Schema>,
    options?: option.FindOneAndReplaceOptions,
  ): Promise<unknown> {
    const call = this.#call("findOneAndReplace", options);
    needReplacement(replacement);
    return this.#findAndModify(call, filter, { update: replacement });
  }
  findOneAndDelete(
    filter: Filter<Schema>,
    options: option.FindOneAndDeleteOptions & { readonly includeResultMetadata: true },
  ): Promise<ModifyResult<Schema>>;
  findOneAndDelete(filter: Filter<Schema>, options?: option.FindOneAndDeleteOptions): Promise<WithId<Schema> | null>;
  async findOneAndDelete(filter: Filter<Schema>, options?: option.FindOneAndDeleteOptions): Promise<unknown> {
    return this.#findAndModify(this.#call("findOneAndDelete", options), filter, { remove: true });
  }

  aggregate<Result extends Document = Document>(
    pipeline: readonly Document[] = [],
    options?: option.AggregateOptions,
  ): AggregationCursor<Result> {
    return aggregate<Result>(this.#call("aggregate", options), this.collectionName, this.collectionName, pipeline);
  }
  /** A change stream over the collection. */
  watch(pipeline: readonly Document[] = [], options?: option.ChangeStreamOptions): ChangeStream {
    return watch(this.#call("watch", options), this.collectionName, this.collectionName, pipeline);
  }
  async countDocuments(filter: Filter<Schema> = {}, options?: option.CountDocumentsOptions): Promise<number> {
    const call = this.#call("countDocuments", options);
    const { skip, limit } = call.own;
    const pipeline: Document[] = [{ $match: filter }];
    if (typeof skip === "number") pipeline.push({ $skip: skip });
    if (typeof limit === "number") pipeline.push({ $limit: limit });
    pipeline.push({ $group: { _id: 1, n: { $sum: 1 } } });
    const hint = this.#hint === undefined ? {} : { hint: this.#hint };
    const reply = await call.run({ aggregate: this.collectionName, pipeline, cursor: {}, ...hint });
    const [first] = (reply["cursor"] as { firstBatch: Document[] }).firstBatch;
    return Number(first?.["n"] ?? 0);
  }
  /** @deprecated Use `countDocuments`, or `estimatedDocumentCount`. */
  async count(filter: Filter<Schema> = {}, options?: option.CountOptions): Promise<number> {
    return Number((await this.#call("countBy", options).run({ count: this.collectionName, query: filter }))["n"]);
  }
  async estimatedDocumentCount(options?: option.EstimatedDocumentCountOptions): Promise<number> {
    return Number((await this.#call("count", options).run({ count: this.collectionName }))["n"]);
  }
  distinct<Key extends keyof WithId<Schema>>(
    key: Key,
    filter?: Filter<Schema>,
    options?: option.DistinctOptions,
  ): Promise<Flatten<WithId<Schema>[Key]>[]>;
  /** A dotted path, whose values have any type. */
  distinct(key: string, filter?: Filter<Schema>, options?: option.DistinctOptions): Promise<unknown[]>;
  async distinct(key: string, filter: Filter<Schema> = {}, options?: option.DistinctOptions): Promise<unknown[]> {
    const call = this.#call("distinct", options);
    const command = { distinct: this.collectionName, key, query: filter };
    if (call.isExplained) return (await call.explain(call.filled(command))) as unknown as unknown[];
    return (await call.run(command))["values"] as unknown[];
  }

  async createIndex(specification: IndexSpecification, options?: option.CreateIndexOptions): Promise<string> {
    const call = this.#call("createIndex", options);
    const key = asIndexKey(specification, invalid);
    const { name = indexName(key), version, ...rest } = call.statement;
    await call.run({
      createIndexes: this.collectionName,
      indexes: [{ key, name: name as string, ...(version === undefined ? {} : { v: version as number }), ...rest }],
    });
    return String(name);
  }
  async createIndexes(
    specifications: readonly option.IndexDescription[],
    options?: option.CreateIndexesOptions,
  ): Promise<string[]> {
    const call = this.#call("createIndexes", options);
    if (!Array.isArray(specifications))
      throw new MongoInvalidArgumentError("the specifications of indexes are an array");
    const indexes = specifications.map((specification: Document) => {
      const { key: fields, ...rest } = specification;
      if (typeof fields !== "object" || Array.isArray(fields))
        throw new MongoInvalidArgumentError("the key of an index specification is an object or a Map");
      const key = asIndexKey(fields, invalid);
      return { name: indexName(key), key, ...rest };
    });
    await call.run({ createIndexes: this.collectionName, indexes });
    return indexes.map((index) => String(index.name));
  }
  listIndexes(options?: option.ListIndexesOptions): ListIndexesCursor {
    const call = this.#call("listIndexes", options);
    return new ListIndexesCursor(
      call,
      `$cmd.listIndexes.${this.collectionName}`,
      call.filled({ listIndexes: this.collectionName }),
    );
  }
  indexes(options: option.IndexInformationOptions & { readonly full: false }): Promise<IndexKeys>;
  indexes(options?: option.IndexInformationOptions & { readonly full?: true }): Promise<Document[]>;
  indexes(options?: option.IndexInformationOptions): Promise<Document[] | IndexKeys>;
  indexes(options?: option.IndexInformationOptions): Promise<Document[] | IndexKeys> {
    return this.#indexes(options, true);
  }
  async #indexes(
    options: option.IndexInformationOptions | undefined,
    isFull: boolean,
  ): Promise<Document[] | IndexKeys> {
    const indexes = await this.listIndexes(options).toArray();
    return (options?.full ?? isFull) ? indexes : keysOf(indexes);
  }
  /** The keys of the indexes by their names; with `full: true` the indexes themselves. */
  indexInformation(options: option.IndexInformationOptions & { readonly full: true }): Promise<Document[]>;
  indexInformation(options?: option.IndexInformationOptions & { readonly full?: false }): Promise<IndexKeys>;
  indexInformation(options?: option.IndexInformationOptions): Promise<Document[] | IndexKeys>;
  indexInformation(options?: option.IndexInformationOptions): Promise<Document[] | IndexKeys> {
    return this.#indexes(options, false);
  }
  /** A batch that is built step by step, and stops at its first error. */
  initializeOrderedBulkOp(options?: option.BulkWriteOptions): OrderedBulkOperation {
    return new OrderedBulkOperation(this.#executing(options, true));
  }
  /** A batch that is built step by step, and goes on after an error. */
  initializeUnorderedBulkOp(options?: option.BulkWriteOptions): UnorderedBulkOperation {
    return new UnorderedBulkOperation(this.#executing(options, false));
  }
  /** Runs a batch with the options of its beginning, and over them those of its end. */
  #executing(begun: option.BulkWriteOptions | undefined, ordered: boolean): Execute {
    this.#call("bulkWrite", begun);
    return async (models, options) => {
      this.#call("bulkWrite", options);
      return this.bulkWrite(models as readonly AnyBulkWriteOperation<Schema>[], { ...begun, ...options, ordered });
    };
  }
  // Search indexes are those of another program beside a server: the engine says so.
  listSearchIndexes(name?: string | option.AggregateOptions, options?: option.AggregateOptions): AggregationCursor {
    const [only, given] = typeof name === "string" ? [{ name }, options] : [{}, name ?? options];
    return this.aggregate([{ $listSearchIndexes: only }], given);
  }
  async createSearchIndex(description: Document): Promise<string> {
    const [name = ""] = await this.createSearchIndexes([description]);
    return name;
  }
  async createSearchIndexes(descriptions: readonly Document[]): Promise<string[]> {
    const command = { createSearchIndexes: this.collectionName, indexes: descriptions };
    const { indexesCreated } = await this.#call("command", undefined).run(command);
    return (indexesCreated as Document[]).map((index) => String(index["name"]));
  }
  async dropSearchIndex(name: string): Promise<void> {
    await this.#call("command", undefined).run({ dropSearchIndex: this.collectionName, name });
  }
  async updateSearchIndex(name: string, definition: Document): Promise<void> {
    await this.#call("command", undefined).run({ updateSearchIndex: this.collectionName, name, definition });
  }
  async indexExists(names: string | readonly string[], options?: option.ListIndexesOptions): Promise<boolean> {
    const existing = new Set((await this.listIndexes(options).toArray()).map((index) => index["name"] as string));
    return (typeof names === "string" ? [names] : names).every((name) => existing.has(name));
  }
  async dropIndex(index: string | Document, options?: option.DropIndexesOptions): Promise<Document> {
    return this.#call("dropIndexes", options).run({ dropIndexes: this.collectionName, index });
  }
  async dropIndexes(options?: option.DropIndexesOptions): Promise<boolean> {
    return existed(() => this.dropIndex("*", options));
  }

  async drop(options?: option.DropCollectionOptions): Promise<boolean> {
    const call = this.#call("drop", options);
    return existed(() => call.run({ drop: this.collectionName }));
  }
  async rename(name: string, options?: option.RenameOptions): Promise<Collection<Schema>> {
    const call = new Call({ ...this.#handle, database: "admin" }, "rename", options);
    await call.run({
      renameCollection: this.namespace,
      to: `${this.dbName}.${name}`,
      dropTarget: call.own["dropTarget"] === true,
    });
    return new Collection<Schema>(this.#handle, name);
  }
  /** Throws where there is no such collection. */
  async options(options?: option.CommandOperationOptions): Promise<Document> {
    const reply = await this.#call("listCollections", options).run({
      listCollections: 1,
      filter: { name: this.collectionName },
    });
    const [info] = (reply["cursor"] as { firstBatch: Document[] }).firstBatch;
    if (info?.["options"] === undefined) throw new MongoAPIError(`collection ${this.namespace} not found`);
    return info["options"] as Document;
  }
  async isCapped(options?: option.CommandOperationOptions): Promise<boolean> {
    return (await this.options(options))["capped"] === true;
  }
}

/**
 * A cursor over a pipeline's results. `target` is the value of the command's field `aggregate`: a collection's name, or
 * 1 for the database. `collection` is the name that `getMore` gives for the cursor.
 */
export function aggregate<Result extends Document>(
  call: Call,
  target: string | 1,
  collection: string,
  pipeline: unknown,
): AggregationCursor<Result> {
  if (!Array.isArray(pipeline))
    throw new MongoInvalidArgumentError('Argument "pipeline" must be an array of aggregation stages');
  const { cursor, out, batchSize } = call.own;
  const stages =
    out === undefined ? [...(pipeline as unknown[])] : [...(pipeline as unknown[]), { $out: out as unknown }];
  const made = new AggregationCursor<Result>(call, collection, call.filled({ aggregate: target, pipeline: stages }));
  const size = (cursor as { batchSize?: number } | undefined)?.batchSize;
  return size === undefined || batchSize !== undefined ? made : made.batchSize(size);
}
