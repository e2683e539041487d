/**
 * `Collection` in the Node driver's shape.
 *
 * Invariant: options the driver maps to fields of another name are mapped; all others go along under their own
 * names, so that the engine refuses what it does not know.
 */
import type { Document } from "bson";
import { asOperations, needOperators, needReplacement, runBulk, withId, type BulkWriteOptions } from "./bulk.ts";
import { omit, type Connection } from "./connection.ts";
import { AggregationCursor, FindCursor, ListCursor, asSort, type Sort } from "./cursor.ts";
import { MongoServerError, type BulkWriteResult } from "./errors.ts";

export type Filter<Schema> = { readonly [Key in keyof Schema]?: unknown } & Document;
export type WithId<Schema> = Schema & { _id: Schema extends { _id?: infer Id } ? Id : import("bson").ObjectId };
export type OptionalId<Schema> = Omit<Schema, "_id"> & { _id?: unknown };

export interface InsertOneResult {
  readonly acknowledged: true;
  readonly insertedId: unknown;
}
export interface InsertManyResult {
  readonly acknowledged: true;
  readonly insertedCount: number;
  readonly insertedIds: Record<number, unknown>;
}
export interface UpdateResult {
  readonly acknowledged: true;
  readonly matchedCount: number;
  readonly modifiedCount: number;
  readonly upsertedCount: number;
  readonly upsertedId: unknown;
}
export interface DeleteResult {
  readonly acknowledged: true;
  readonly deletedCount: number;
}
export interface FindOptions extends Document {
  readonly sort?: Sort;
  readonly projection?: Document;
  readonly limit?: number;
  readonly skip?: number;
  readonly batchSize?: number;
  /** With `tailable` and `awaitData`: follow a capped collection. */
  readonly tailable?: boolean;
  readonly awaitData?: boolean;
  readonly maxAwaitTimeMS?: number;
}
export interface FindOneAndOptions extends Document {
  readonly returnDocument?: "before" | "after";
  readonly projection?: Document;
  readonly sort?: Sort;
  readonly upsert?: boolean;
  readonly includeResultMetadata?: boolean;
}

const COMMAND_FIELDS = ["writeConcern", "bypassDocumentValidation", "comment", "let", "maxTimeMS"];

function split(options: Document = {}): { statement: Document; command: Document } {
  return { statement: omit(options, COMMAND_FIELDS), command: Object.fromEntries(Object.entries(options).filter(([name, value]) => COMMAND_FIELDS.includes(name) && value !== undefined)) };
}

/** An index's default name. */
function indexName(key: Document): string {
  return Object.entries(key)
    .map(([field, direction]) => `${field}_${String(direction)}`)
    .join("_");
}

function asKey(key: string | Document | readonly string[]): Document {
  if (typeof key === "string") return { [key]: 1 };
  return Array.isArray(key) ? Object.fromEntries((key as readonly string[]).map((name) => [name, 1])) : (key as Document);
}

export class Collection<Schema extends Document = Document> {
  readonly #connection: Connection;
  readonly #database: string;
  readonly collectionName: string;

  constructor(connection: Connection, database: string, name: string) {
    this.#connection = connection;
    this.#database = database;
    this.collectionName = name;
  }

  get dbName(): string {
    return this.#database;
  }
  get namespace(): string {
    return `${this.#database}.${this.collectionName}`;
  }
  #run(command: Document): Promise<Document> {
    return this.#connection.run(this.#database, command);
  }

  async insertOne(document: OptionalId<Schema>, options?: Document): Promise<InsertOneResult> {
    const stamped = withId(document);
    await this.#connection.write(this.#database, { insert: this.collectionName, documents: [stamped], ...options });
    return { acknowledged: true, insertedId: stamped["_id"] };
  }
  async insertMany(documents: readonly OptionalId<Schema>[], options?: BulkWriteOptions): Promise<InsertManyResult> {
    const operations = documents.map((document) => ({ kind: "insert" as const, statement: withId(document) }));
    const { insertedCount, insertedIds } = await runBulk(this.#connection, this.#database, this.collectionName, operations, options);
    return { acknowledged: true, insertedCount, insertedIds };
  }
  bulkWrite(operations: readonly Document[], options?: BulkWriteOptions): Promise<BulkWriteResult> {
    return runBulk(this.#connection, this.#database, this.collectionName, asOperations(operations), options);
  }

  async #update(filter: Document, update: unknown, multi: boolean, options?: Document): Promise<UpdateResult> {
    const { statement, command } = split(options);
    const updates = [{ q: filter, u: update, ...(multi ? { multi } : {}), ...statement }];
    const reply = await this.#connection.write(this.#database, { update: this.collectionName, updates, ...command });
    const upserted = (reply["upserted"] as Document[] | undefined)?.[0];
    const count = upserted === undefined ? 0 : 1;
    return {
      acknowledged: true,
      matchedCount: Number(reply["n"]) - count,
      modifiedCount: Number(reply["nModified"] ?? 0),
      upsertedCount: count,
      upsertedId: upserted?.["_id"] ?? null,
    };
  }
  async updateOne(filter: Filter<Schema>, update: Document | readonly Document[], options?: Document): Promise<UpdateResult> {
    needOperators(update);
    return this.#update(filter, update, false, options);
  }
  async updateMany(filter: Filter<Schema>, update: Document | readonly Document[], options?: Document): Promise<UpdateResult> {
    needOperators(update);
    return this.#update(filter, update, true, options);
  }
  async replaceOne(filter: Filter<Schema>, replacement: OptionalId<Schema>, options?: Document): Promise<UpdateResult> {
    needReplacement(replacement);
    return this.#update(filter, replacement, false, options);
  }

  async #delete(filter: Document, limit: 0 | 1, options?: Document): Promise<DeleteResult> {
    const { statement, command } = split(options);
    const reply = await this.#connection.write(this.#database, { delete: this.collectionName, deletes: [{ q: filter, limit, ...statement }], ...command });
    return { acknowledged: true, deletedCount: Number(reply["n"]) };
  }
  deleteOne(filter: Filter<Schema> = {}, options?: Document): Promise<DeleteResult> {
    return this.#delete(filter, 1, options);
  }
  deleteMany(filter: Filter<Schema> = {}, options?: Document): Promise<DeleteResult> {
    return this.#delete(filter, 0, options);
  }

  find(filter: Filter<Schema> = {}, options: FindOptions = {}): FindCursor<WithId<Schema>> {
    const command: Document = { find: this.collectionName, filter, ...omit(options, ["batchSize", "sort", "maxAwaitTimeMS"]) };
    if (options.sort !== undefined) command["sort"] = asSort(options.sort);
    const cursor = new FindCursor<WithId<Schema>>(this.#connection, this.#database, this.collectionName, command);
    if (options.maxAwaitTimeMS !== undefined) cursor.maxAwaitTimeMS(options.maxAwaitTimeMS);
    return options.batchSize === undefined ? cursor : cursor.batchSize(options.batchSize);
  }
  async findOne(filter: Filter<Schema> = {}, options: FindOptions = {}): Promise<WithId<Schema> | null> {
    return this.find(filter, { ...options, limit: -1 }).next();
  }

  async #findAndModify(query: Document, change: Document, options: FindOneAndOptions = {}): Promise<WithId<Schema> | null | Document> {
    const command: Document = { findAndModify: this.collectionName, query, ...change, ...omit(options, ["returnDocument", "projection", "sort", "includeResultMetadata"]) };
    if (options.sort !== undefined) command["sort"] = asSort(options.sort);
    if (options.returnDocument === "after") command["new"] = true;
    if (options.projection !== undefined) command["fields"] = options.projection;
    const reply = await this.#connection.write(this.#database, command);
    return options.includeResultMetadata === true ? reply : ((reply["value"] ?? null) as WithId<Schema> | null);
  }
  async findOneAndUpdate(filter: Filter<Schema>, update: Document | readonly Document[], options?: FindOneAndOptions): Promise<WithId<Schema> | null> {
    needOperators(update);
    return (await this.#findAndModify(filter, { update }, options)) as WithId<Schema> | null;
  }
  async findOneAndReplace(filter: Filter<Schema>, replacement: OptionalId<Schema>, options?: FindOneAndOptions): Promise<WithId<Schema> | null> {
    needReplacement(replacement);
    return (await this.#findAndModify(filter, { update: replacement }, options)) as WithId<Schema> | null;
  }
  async findOneAndDelete(filter: Filter<Schema>, options?: FindOneAndOptions): Promise<WithId<Schema> | null> {
    return (await this.#findAndModify(filter, { remove: true }, options)) as WithId<Schema> | null;
  }

  aggregate<Result extends Document = Document>(pipeline: readonly Document[] = [], options: Document = {}): AggregationCursor<Result> {
    const command: Document = { aggregate: this.collectionName, pipeline: [...pipeline], ...omit(options, ["batchSize", "cursor"]) };
    const cursor = new AggregationCursor<Result>(this.#connection, this.#database, this.collectionName, command);
    return options["batchSize"] === undefined ? cursor : cursor.batchSize(Number(options["batchSize"]));
  }
  async countDocuments(filter: Filter<Schema> = {}, options: Document = {}): Promise<number> {
    const pipeline: Document[] = [{ $match: filter }];
    if (options["skip"] !== undefined) pipeline.push({ $skip: options["skip"] });
    if (options["limit"] !== undefined) pipeline.push({ $limit: options["limit"] });
    pipeline.push({ $group: { _id: 1, n: { $sum: 1 } } });
    const first = await this.aggregate(pipeline, omit(options, ["skip", "limit"])).next();
    return Number(first?.["n"] ?? 0);
  }
  async estimatedDocumentCount(options?: Document): Promise<number> {
    return Number((await this.#run({ count: this.collectionName, ...options }))["n"]);
  }
  async distinct(key: string, filter: Filter<Schema> = {}, options?: Document): Promise<unknown[]> {
    return (await this.#run({ distinct: this.collectionName, key, query: filter, ...options }))["values"] as unknown[];
  }

  async createIndex(key: string | Document | readonly string[], options: Document = {}): Promise<string> {
    const [name] = await this.createIndexes([{ key: asKey(key), ...omit(options, ["comment", "writeConcern", "maxTimeMS"]) }]);
    return name as string;
  }
  async createIndexes(specifications: readonly Document[]): Promise<string[]> {
    const indexes = specifications.map((specification) => ({ name: indexName(specification["key"] as Document), ...specification }));
    await this.#run({ createIndexes: this.collectionName, indexes });
    return indexes.map((index) => String(index.name));
  }
  listIndexes(): ListCursor {
    return new ListCursor(this.#connection, this.#database, `$cmd.listIndexes.${this.collectionName}`, { listIndexes: this.collectionName, cursor: {} });
  }
  indexes(): Promise<Document[]> {
    return this.listIndexes().toArray();
  }
  async indexExists(names: string | readonly string[]): Promise<boolean> {
    const existing = new Set((await this.indexes()).map((index) => index["name"] as string));
    return (typeof names === "string" ? [names] : names).every((name) => existing.has(name));
  }
  dropIndex(index: string | Document): Promise<Document> {
    return this.#run({ dropIndexes: this.collectionName, index });
  }
  async dropIndexes(): Promise<boolean> {
    await this.dropIndex("*");
    return true;
  }

  async drop(): Promise<boolean> {
    try {
      await this.#run({ drop: this.collectionName });
      return true;
    } catch (error) {
      if (error instanceof MongoServerError && error.code === 26) return false;
      throw error;
    }
  }
  async rename(name: string, options: { readonly dropTarget?: boolean } = {}): Promise<Collection<Schema>> {
    await this.#connection.run("admin", { renameCollection: this.namespace, to: `${this.#database}.${name}`, dropTarget: options.dropTarget === true });
    return new Collection<Schema>(this.#connection, this.#database, name);
  }
  async options(): Promise<Document> {
    const reply = await this.#run({ listCollections: 1, filter: { name: this.collectionName } });
    const [info] = (reply["cursor"] as { firstBatch: Document[] }).firstBatch;
    return (info?.["options"] ?? {}) as Document;
  }
  async isCapped(): Promise<boolean> {
    return (await this.options())["capped"] === true;
  }
}
